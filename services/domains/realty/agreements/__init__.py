"""Leases and sale contracts: what one has to say, what is wrong with a text, on which articles that rests, and drafts.

    said        a text in both languages
    clauses     what a contract's text lacks, risky words in it, and its figures (clauses.yaml)
    statutes    the articles that it is held against, and the figures that their words hold
    concerns    what stands out in a contract, with the articles that it rests on
    forms       the forms of contracts and their fields (forms.yaml)
    written     how a field's value is written
    draft       a form that is filled in, with visible placeholders for what is missing

Everything here is pure; agents and tools use it alike.
"""
