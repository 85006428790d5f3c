"""What the package costs, measured: tables for people, which decide no test."""
