"""What a question asks for, read once as typed asks, and what answers each.

numbers.py    the numbers of a question, each with its unit and bound
forms.py      the forms of asks by the language's own words, superlatives, clauses
sheet.py      Sheet: one question as every domain's reader sees it
edits.py      a follow-up as an edit of an earlier ask, and what "the second one" points to
answering.py  Reader, Answerer: what a domain declares
roles.py      binds numbers to roles by the words around them
"""
