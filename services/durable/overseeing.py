"""What an operator sees of a tenant's flows: that they ran, when, how and at what cost; what was said only on record.

role operator           lists the tenant's flows, and has each with its chain; questions, answers, rows left out
role operator:content   has a flow whole, where they ask for that: who looked at what and when is written down first

What was written down outlives the flow: it names the two people and the flow, and holds nothing that was said.
"""

from dataclasses import replace
from typing import Final

import structlog
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from services.contract.events import ChainLink, FlowRecord, FlowSummary
from services.durable.instants import micros_of
from services.durable.schema import CONTENT_VIEWS, FLOWS
from services.durable.writer import Writer
from services.runtime.clock import Clock
from services.runtime.errors import Forbidden, UnknownFlow
from services.runtime.identity import Caller
from services.runtime.ids import new_flow_run_id
from services.text.patterns import Pattern

OPERATOR_ROLE: Final = "operator"
"""Who has it sees the flows of the tenant."""
CONTENT_ROLE: Final = "operator:content"
"""Who has it as well may see what was said in one."""
_OUTCOME: Final = Pattern(r"[A-Z][A-Z0-9_]*")
"""An outcome that is a code and no sentence."""

_log = structlog.get_logger(__name__)


class Overseeing:
    """Tells operators of other people's flows.

    Args:
        writer: Writes views down.
        reader: Reads whose a flow is.
        clock: The present instant.
    """

    def __init__(self, writer: Writer, reader: AsyncEngine, clock: Clock) -> None:
        self._writer = writer
        self._reader = reader
        self._clock = clock

    async def owner_of(self, caller: Caller, flow_run_id: str) -> Caller:
        """Return whose a flow of the operator's tenant is.

        Raises:
            Forbidden: The caller is no operator.
            UnknownFlow: The tenant has no such flow.
        """
        check_operator(caller)
        wanted = select(FLOWS.c.user_id).where(FLOWS.c.tenant == caller.tenant, FLOWS.c.flow_run_id == flow_run_id)
        async with self._reader.connect() as connection:
            user_id = await connection.scalar(wanted)
        if user_id is None:
            raise UnknownFlow(f"flow_run_id: no flow {flow_run_id} of this tenant")
        return Caller(user_id, caller.tenant)

    async def note_view(self, caller: Caller, owner: Caller, flow_run_id: str) -> None:
        """Write down that an operator is about to see what was said in a flow.

        Raises:
            Forbidden: They may not.
            Unavailable: It could not be written down; then nothing is shown.
        """
        if CONTENT_ROLE not in caller.roles:
            raise Forbidden(f"what was said in a flow takes the role {CONTENT_ROLE!r}", reason="ROLE_REQUIRED")
        row = {
            "view_id": new_flow_run_id(),
            "tenant": caller.tenant,
            "viewer_id": caller.user_id,
            "flow_run_id": flow_run_id,
            "user_id": owner.user_id,
            "view_time": micros_of(self._clock()),
        }
        await self._writer.transact(lambda connection: connection.execute(insert(CONTENT_VIEWS), row).rowcount)
        _log.info("flow content viewed", flow_run_id=flow_run_id, viewer_id=caller.user_id, owner_id=owner.user_id)


def check_operator(caller: Caller) -> None:
    """Refuse whoever is no operator; raise Forbidden."""
    if OPERATOR_ROLE not in caller.roles:
        raise Forbidden(f"the flows of a tenant take the role {OPERATOR_ROLE!r}", reason="ROLE_REQUIRED")


def without_words(summary: FlowSummary) -> FlowSummary:
    """Return a summary without what was asked."""
    return replace(summary, question="", content_withheld=True)


def without_content(record: FlowRecord) -> FlowRecord:
    """Return a record without what was said: its chain stays, with outcomes that are codes."""
    return FlowRecord(
        without_words(record.summary),
        tuple(map(_bare, record.chain)),
        (),
        tuple(map(_bare, record.after)),
        tuple(replace(one, text="") for one in record.dropped),
    )


def _bare(link: ChainLink) -> ChainLink:
    return link if _OUTCOME.fullmatch(link.outcome) else replace(link, outcome="")
