"""Extents → units → groups: what shares a chunk."""
