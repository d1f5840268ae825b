"""One look at the web for an answer that is short of sources or rests on old ones, where it is switched on.

    finance and realty, first attempt     fewer than 3 pieces of evidence, or a kind of data that is stale
    everything else                       never: own orders and general knowledge are no matter of the web's

What comes back stands beside the agents' results as one more, each page a piece of evidence with its own day. It is
data: it is fenced in prompts, held against the same rules as any text before it is told, and chooses nothing.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import structlog

from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from services.catalog.columns import with_columns
from services.catalog.loader import catalog
from services.contract.flow import AgentResult, AgentStatus, Evidence, Freshness, Provenance, Usage
from services.contract.forms import WEB_PART
from services.contract.mapping import ContractViolation, from_proto, to_proto
from services.contract.synthesizer import SynthesizeRequest
from services.contract.tool import InvokeToolRequest, InvokeToolResponse, ToolFailure, ToolResult
from services.plugin.entities import known_by_label
from services.plugin.wording import Text
from services.runtime import deadlines, exchanges, ledger
from services.runtime.errors import HapjuError
from services.synthesizer.citations import CITATIONS_MIN
from services.synthesizer.freshness import data_freshness
from services.synthesizer.wording import WEB_DATA, language_for
from services.text.language import Language
from services.text.saying import day

if TYPE_CHECKING:
    from hapju.tool.v1.tool_gateway_service_pb2_grpc import ToolGatewayServiceAsyncStub

SECONDS_MAX: Final = 5.0
"""How long the answer waits for the web."""
_TOOL: Final = "web_search"
_STEP_ID: Final = "web"
_QUERY_CHARS_MAX: Final = 300
_CONFIDENCE: Final = 0.5
_UNCHECKED: Final = Text(
    "웹 문서의 내용은 내부 자료로 확인하지 않았습니다.",
    "What the web pages say was not checked against internal data.",
)
_RETRIEVED: Final = Text("{title} ({day} 조회)", "{title} (retrieved {day})")

_log = structlog.get_logger(__name__)


def is_wanted(request: SynthesizeRequest) -> bool:
    """Tell whether the web may help an answer: the rule above."""
    domain = catalog().domains.get(request.route.domain)
    if request.answer_attempt != 1 or domain is None or not domain.web_searched:
        return False
    evidence = {piece.evidence_id: piece for result in request.results for piece in result.evidence}
    if len(evidence) < CITATIONS_MIN:
        return True
    return any(one.freshness is Freshness.STALE for one in data_freshness(evidence.values(), request.run.now))


class WebFallback:
    """Looks at the web through the tool gateway.

    Args:
        stub: The tool gateway.
        recorded: Whether each call stands in the ledger with its response, so that the flow can be replayed.
    """

    def __init__(self, stub: "ToolGatewayServiceAsyncStub", *, recorded: bool = False) -> None:
        self._stub = stub
        self._recorded = recorded

    async def added(self, request: SynthesizeRequest) -> SynthesizeRequest:
        """Return the request with what the web says as its last result; as it is where nothing is wanted or found."""
        if not is_wanted(request):
            return request
        outcome = await self._searched(request)
        if not isinstance(outcome, ToolResult) or not outcome.row_count:
            return request
        return replace(request, results=(*request.results, _result(request, outcome)))

    async def _searched(self, request: SynthesizeRequest) -> ToolResult | ToolFailure | None:
        language = language_for(request.run.locale, request.question)
        arguments = json.dumps({"query": _query(request), "language": language}, ensure_ascii=False).encode()
        asked = InvokeToolRequest(request.run, _STEP_ID, _TOOL, arguments, f"hapju.tool.{_TOOL}.arguments.v1")
        ledger.add_usage(Usage(tool_calls=1))
        try:
            with deadlines.within(SECONDS_MAX):
                response = await self._stub.InvokeTool(to_proto(asked, pb.InvokeToolRequest))
            if self._recorded:
                exchanges.record(asked, response)
            outcome = from_proto(response, InvokeToolResponse).outcome
        except (HapjuError, ContractViolation) as failure:
            # An answer without the web is whole; that the web could not be asked is for the operator.
            _log.warning("the web could not be asked", error=type(failure).__name__)
            if self._recorded and isinstance(failure, HapjuError):
                exchanges.record(asked, failure)
            return None
        if isinstance(outcome, ToolFailure):
            _log.warning("the web was not searched", reason=outcome.reason)
        return outcome


def _query(request: SynthesizeRequest) -> str:
    """Return what is searched for: the question, with the names that only the conversation before it holds."""
    named = known_by_label(request.route.entities)
    left_out = dict.fromkeys(one.label for one in named if one.words not in request.question)
    return " ".join((request.question, *left_out))[:_QUERY_CHARS_MAX]


def _result(request: SynthesizeRequest, found: ToolResult) -> AgentResult:
    language = language_for(request.run.locale, request.question)
    result = AgentResult(
        agent=WEB_PART,
        step_id=_STEP_ID,
        status=AgentStatus.ANSWERED,
        summary="",
        evidence=tuple(_pages(request, found, language)),
        confidence=_CONFIDENCE,
        cautions=(_UNCHECKED.said(language),),
    )
    return with_columns(result, language)


def _pages(request: SynthesizeRequest, found: ToolResult, language: Language) -> Iterator[Evidence]:
    today = day(request.run.now.astimezone(ZoneInfo(request.run.time_zone)).date(), language)
    for row in json.loads(found.rows_json):
        published = datetime.fromisoformat(row["published_at"]) if row["published_at"] else None
        title = row["title"] if published else _RETRIEVED.said(language, title=row["title"], day=today)
        yield Evidence(
            evidence_id=_id(found.provenance.fingerprint, row),
            data_type=WEB_DATA,
            title=title,
            excerpt=row["excerpt"],
            rows_json=json.dumps([row], ensure_ascii=False).encode(),
            rows_schema_id=found.rows_schema_id,
            provenance=_provenance(found.provenance, row["host"], published),
        )


def _provenance(of_search: Provenance, host: str, published: datetime | None) -> Provenance:
    return replace(of_search, source=f"web: {host}", as_of_time=published, row_count=1)


def _id(fingerprint: str, row: dict[str, Any]) -> str:
    key = f"{fingerprint} {row['host']} {row['title']}".encode()
    return f"ev-{hashlib.sha256(key).hexdigest()[:16]}"
