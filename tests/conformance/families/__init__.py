"""The rows of the conformance table, a file for each family."""
