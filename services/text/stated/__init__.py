"""What a statement says in figures, in either language: numbers in digits and words, their units, days and names."""
