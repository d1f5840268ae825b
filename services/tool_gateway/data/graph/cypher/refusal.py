"""The one error of reading Cypher."""

from services.plugin.tools.reads import StatementRefused


class CypherRefused(StatementRefused):
    """A statement may not run; the text says why and, where it helps, what is allowed."""
