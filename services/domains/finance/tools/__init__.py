"""Tools of `finance`, one module each."""
