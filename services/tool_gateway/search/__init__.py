"""Search by words and by meaning over what the data holds: law, glossary, news, products.

tokens.py     the tokens of a text, one function for documents and one for questions
encoder.py    sentence vectors, loaded at the first use
index.py      what the seed writes: postings, rarities, vectors
finder.py     asks both, fuses the ranks, and returns nothing where nothing fits
"""
