"""Text → extents: where elements begin and end."""
