"""One module a revision, numbered."""
