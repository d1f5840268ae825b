"""Numbers that a question names, in either language: numerals, money, areas, pieces, and what is none of these."""
