"""Programs that make input for the tests and benchmarks."""
