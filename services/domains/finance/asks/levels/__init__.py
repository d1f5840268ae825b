"""What markets stand at (standing.py), how they moved (changes.py), their ends (extremes.py); how answers end (outcomes.py)."""
