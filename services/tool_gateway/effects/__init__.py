"""Side effects: previewed, approved, done once, recorded."""
