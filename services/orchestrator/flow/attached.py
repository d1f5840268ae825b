"""The files of a flow: those that came with its question, else those that came last in its conversation.

They are part of the question's row, so they are there for whichever replica goes on with the flow and gone when the
flow is deleted. What nobody reads is said: beside the answer, or as the answer where the files are all there is.
"""

from dataclasses import replace

from services.catalog.loader import catalog
from services.contract.asks import Ask
from services.contract.flow import Attachment
from services.orchestrator import texts
from services.orchestrator.flow.answer import Reply
from services.orchestrator.flow.reusing import earlier_flows
from services.orchestrator.flow.state import FlowState
from services.text.normalise import is_blank


async def attached(state: FlowState) -> tuple[Attachment, ...]:
    """Return the files that a flow's question may speak of."""
    if state.question.attachments or not state.history:
        return state.question.attachments
    found = next((flow.attachments for flow in await earlier_flows(state) if flow.attachments), ())
    return tuple(replace(one, earlier=True) for one in found)


async def attached_to(state: FlowState, asks: tuple[Ask, ...]) -> tuple[Attachment, ...]:
    """Return the files that some asks rest on."""
    wanted = {digest for ask in asks for digest in ask.attachments}
    return tuple(one for one in await attached(state) if one.digest in wanted) if wanted else ()


def unread(state: FlowState) -> Reply | None:
    """Say which files of a routed question nobody reads: as a caution, or as the reply where there is nothing else."""
    read = {digest for ask in (state.route.asks if state.route is not None else ()) for digest in ask.attachments}
    names = ", ".join(one.name for one in state.question.attachments if one.digest not in read)
    if not names:
        return None
    readable = [one.reads for one in catalog().domains.values() if one.reads is not None]
    kinds = ", ".join(one.of(state.locale) for one in readable) or texts.say(state.locale, "no_files")
    if is_blank(state.question.text) and not read:
        return Reply(texts.say(state.locale, "files_not_served", names=names, kinds=kinds), "out_of_scope")
    state.cautions.append(texts.say(state.locale, "files_unread", names=names, kinds=kinds))
    return None
