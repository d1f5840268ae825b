"""Hotels and trains: a domain for hapju."""
