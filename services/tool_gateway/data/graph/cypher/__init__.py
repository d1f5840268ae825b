"""Reads the Cypher of a model and writes it anew, or says why it may not run.

    text -> tokens.py -> parse.py (only the allowed subset has a grammar) -> check.py (labels, relations, directions,
    properties of the schema) -> render.py (every string literal becomes a parameter, a LIMIT is forced)

What is not in the grammar is refused, so a clause that writes needs no list of its own. What runs is the text that
`render` writes from the parsed statement, never the model's.
"""
