"""What every stage shares: texts, blanks, fences, clusters, lengths and the checks of options."""
