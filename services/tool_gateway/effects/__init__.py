"""Side effects: previewed, approved, done once, recorded (spec 3.1)."""
