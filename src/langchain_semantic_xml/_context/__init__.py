"""Ranked chunks → what goes into a prompt."""
