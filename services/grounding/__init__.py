"""The one checker of figures, names and claims: what a sentence says, and whether evidence and metrics hold it."""
