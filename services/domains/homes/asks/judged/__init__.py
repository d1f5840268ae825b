"""Whether what homes cost is dear or cheap: a stated price for its place (fair.py), a place itself (dear.py)."""
