"""Tools of `commerce`, one module each."""
