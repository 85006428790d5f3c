"""Chunks → a page that shows them in their source."""
