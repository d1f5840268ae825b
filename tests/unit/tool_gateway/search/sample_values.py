"""Values that fit each parameter of a statement."""

from datetime import date
from typing import Any

from services.tool_gateway.statements import Statement

PLAIN = {"text": "zz", "integer": 1, "date": date(2026, 1, 1)}


def values_for(statement: Statement) -> dict[str, Any]:
    """Return a value of the right kind for each parameter."""
    return {
        name: [PLAIN[parameter.kind]] if parameter.size else PLAIN[parameter.kind]
        for name, parameter in statement.parameters.items()
    }
