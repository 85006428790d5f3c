"""The tests of `langchain-semantic-xml`; helpers are imported as `tests.<module>`."""
