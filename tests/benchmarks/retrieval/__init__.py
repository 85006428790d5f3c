"""How well what a question asks for is found in chunks: ours beside those of other splitters, at the same budget."""
