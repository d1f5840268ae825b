"""The only door to data and side effects: typed tools over read-only named statements."""
