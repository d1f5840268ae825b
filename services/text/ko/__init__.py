"""What is Korean alone: its dates, morphemes, verbs, particles, register, and its names in Latin letters."""
