"""Figures held against each other, against all of a class, and against a bound."""
