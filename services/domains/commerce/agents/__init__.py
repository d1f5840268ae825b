"""Commerce: products and their offers."""
