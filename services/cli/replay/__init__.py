"""Recorded flows taken along their path again: doubles of models and tools, the comparison, and its telling."""
