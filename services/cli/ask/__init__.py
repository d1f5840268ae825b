"""`hapju ask`, `hapju answer` and `hapju cancel`: a question followed to its answer, and a person's word to a flow."""
