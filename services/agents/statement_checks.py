"""The record of a statement that a model wrote: accepted with its checked directions, or refused.

The tool gateway checks; the agent that carries the statement records, so that a reader of the flow sees both.
"""

import hashlib
import json
from datetime import timedelta
from typing import Any, Final

from services.contract.flow import Decision, DecisionSource, ToolCall, Usage
from services.contract.tool import ToolFailure, ToolResult
from services.plugin.agent import Source
from services.runtime import clock, ledger
from services.runtime.errors import HapjuError
from services.runtime.run import because

KIND: Final = "statement_check"
"""The kind of the decision."""
_CHECK_CHARS_MAX: Final = 2_000


def record_check(
    agent: str, source: Source, call: ToolCall, outcome: ToolResult | ToolFailure | HapjuError, latency: timedelta
) -> None:
    """Record whether the gateway accepted a call's statement, and what it says of the check."""
    accepted = isinstance(outcome, ToolResult)
    said = outcome.note if isinstance(outcome, ToolResult) else str(getattr(outcome, "message", outcome))
    document = {
        "tool": source.tool,
        "statement": _statement(source, call),
        "accepted": accepted,
        "check": said[:_CHECK_CHARS_MAX],
    }
    ledger.record(
        Decision(
            service=agent,
            kind=KIND,
            source=DecisionSource.RULE,
            prompt_version="",
            model="",
            input_digest=hashlib.sha256(call.arguments_json).hexdigest()[:16],
            output_json=json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(),
            confidence=1.0,
            reasoning=because(
                "도구 게이트웨이가 그래프의 구조에 비추어 확인함",
                "checked against the graph's schema by the tool gateway",
            ),
            fallback_reason="",
            latency=latency,
            usage=Usage(),
            decide_time=clock.utc_now(),
        )
    )


def _statement(source: Source, call: ToolCall) -> str:
    """Return the statement as it was sent; empty where the arguments are no object that holds one."""
    try:
        arguments: Any = json.loads(call.arguments_json)
    except ValueError:
        return ""
    found = arguments.get(source.statement, "") if isinstance(arguments, dict) else ""
    return str(found)[:_CHECK_CHARS_MAX]
