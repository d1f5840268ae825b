"""`hapju route` and `hapju plan`: one decision about a question, and nothing that follows from it."""
