"""Tools of `general`, one module each."""
