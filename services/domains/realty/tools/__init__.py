"""Tools of `realty`, one module each."""
