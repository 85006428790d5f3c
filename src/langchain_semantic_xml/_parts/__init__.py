"""One oversized unit → parts, each cut at its best inner boundary."""
