"""The command `semantic-xml`."""
