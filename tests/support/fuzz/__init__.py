"""Messages as they come from those who break the contract: real ones, mutated by a seed."""
