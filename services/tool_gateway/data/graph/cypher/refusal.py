"""The one error of reading Cypher."""


class CypherRefused(ValueError):
    """A statement may not run; the text says why and, where it helps, what is allowed."""
