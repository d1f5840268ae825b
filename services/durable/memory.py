"""A user's conversations, and what is remembered of the earlier ones, in tiers of recency.

    1st to 5th before the present one     SHORT    the last 10 messages in full
    6th to 10th                           MID      the summary
    11th to 20th                          LONG     the summary

A summary is a line for each question with the beginning of its answer, written in the same transaction as the answer;
a model may put its own line in the last one's place afterwards (summarising.py).
Every read names the user: another's conversation is not there.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Row, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from hapju.flow.v1 import decision_pb2
from services.contract.events import Phase
from services.contract.flow import MemoryTier, Remembered, SessionSummary, Speaker, Spent, Turn, Usage
from services.contract.mapping import from_proto, to_proto
from services.durable.checkpoints import checkpoint
from services.durable.instants import instant_of
from services.durable.schema import FLOW_CHECKPOINTS, FLOWS, SESSIONS
from services.runtime.errors import UnknownSession
from services.runtime.identity import Caller
from services.runtime.ledger import tokens_of

SESSIONS_MAX: Final = 20
"""How many earlier conversations are remembered."""
SHORT_MAX: Final = 5
"""The last of them whose messages are remembered in full."""
MID_MAX: Final = 10
"""The last of them in the middle tier."""
MESSAGES_MAX: Final = 10
"""Messages of one conversation that are remembered in full."""
TOKENS_MAX: Final = 2_000
"""What all of it may take in a prompt."""
SUMMARY_PLACE: Final = "summary"
"""The checkpoint of the decision that wrote a summary's last line."""
SUMMARY_CHARACTERS_MAX: Final = 1_200
"""The length of a summary, in code points; its oldest lines go first."""
_QUESTION_CHARACTERS_MAX: Final = 80
_ANSWER_CHARACTERS_MAX: Final = 120

T = TypeVar("T")


class Memory:
    """Reads what is remembered."""

    def __init__(self, reader: AsyncEngine) -> None:
        self._reader = reader

    async def recall(self, caller: Caller, session_id: str) -> tuple[Remembered, ...]:
        """Return what is remembered of the user's conversations but the present one, the latest first.

        At most TOKENS_MAX tokens: what lies further back is left out first.
        """
        rows = await self._latest(caller, SESSIONS_MAX + 1)
        earlier = [row for row in rows if row.session_id != session_id][:SESSIONS_MAX]
        if not earlier:
            return ()
        turns = await self._turns(caller, [row.session_id for row in earlier[:SHORT_MAX]])
        return _within([_remembered(rank, row, turns) for rank, row in enumerate(earlier, 1)], TOKENS_MAX)

    async def sessions(self, caller: Caller, before: str, sessions_max: int) -> tuple[tuple[SessionSummary, str], ...]:
        """Return conversations with an answer, the latest first, each with the token after which to go on."""
        rows = await self._latest(caller, sessions_max, before)
        return tuple((_summary(row), row.last_flow_run_id) for row in rows)

    async def session(
        self, caller: Caller, session_id: str, before: str, exchanges_max: int
    ) -> tuple[SessionSummary, tuple[Turn, ...], str]:
        """Return a conversation, its last questions with answers before a flow, and where what came before begins.

        Raises:
            UnknownSession: The user has no such conversation.
        """
        mine = (SESSIONS.c.tenant == caller.tenant) & (SESSIONS.c.user_id == caller.user_id)
        answered = select(FLOWS).where(
            FLOWS.c.tenant == caller.tenant,
            FLOWS.c.user_id == caller.user_id,
            FLOWS.c.session_id == session_id,
            FLOWS.c.phase == Phase.FINISHED.value,
        )
        if before:
            answered = answered.where(FLOWS.c.flow_run_id < before)
        async with self._reader.connect() as connection:
            found = (
                await connection.execute(select(SESSIONS).where(mine, SESSIONS.c.session_id == session_id))
            ).first()
            if found is None:
                raise UnknownSession(f"session_id: no conversation {session_id} of this user")
            newest_first = answered.order_by(FLOWS.c.flow_run_id.desc()).limit(exchanges_max + 1)
            flows = (await connection.execute(newest_first)).all()
        page = flows[:exchanges_max]
        token = page[-1].flow_run_id if len(flows) > exchanges_max else ""
        return _summary(found), _turns_of(reversed(page)), token

    async def _latest(self, caller: Caller, sessions_max: int, before: str = "") -> Sequence[Row[Any]]:
        wanted = select(SESSIONS).where(
            SESSIONS.c.tenant == caller.tenant,
            SESSIONS.c.user_id == caller.user_id,
            SESSIONS.c.last_flow_run_id != "",
        )
        if before:
            wanted = wanted.where(SESSIONS.c.last_flow_run_id < before)
        async with self._reader.connect() as connection:
            newest = wanted.order_by(SESSIONS.c.last_flow_run_id.desc()).limit(sessions_max)
            return (await connection.execute(newest)).all()

    async def _turns(self, caller: Caller, session_ids: Sequence[str]) -> Mapping[str, tuple[Turn, ...]]:
        """Return the last messages of some conversations, by conversation."""
        number = func.row_number().over(partition_by=FLOWS.c.session_id, order_by=FLOWS.c.flow_run_id.desc())
        numbered = (
            select(FLOWS.c.session_id, FLOWS.c.flow_run_id, FLOWS.c.question, FLOWS.c.answer, FLOWS.c.start_time)
            .add_columns(number.label("number"))
            .where(
                FLOWS.c.tenant == caller.tenant,
                FLOWS.c.user_id == caller.user_id,
                FLOWS.c.session_id.in_(session_ids),
                FLOWS.c.phase == Phase.FINISHED.value,
            )
            .subquery()
        )
        wanted = select(numbered).where(numbered.c.number <= MESSAGES_MAX // 2).order_by(numbered.c.flow_run_id)
        found: dict[str, list[Row[Any]]] = {}
        async with self._reader.connect() as connection:
            for row in await connection.execute(wanted):
                found.setdefault(row.session_id, []).append(row)
        return {session_id: _turns_of(rows) for session_id, rows in found.items()}


def remember(connection: Connection, flow_run_id: str, answer: str, end_time: int) -> None:
    """Take a flow's answer into what is remembered of its conversation; part of the flow's end."""
    flow = connection.execute(
        select(FLOWS.c.tenant, FLOWS.c.session_id, FLOWS.c.question).where(FLOWS.c.flow_run_id == flow_run_id)
    ).one()
    same = (SESSIONS.c.tenant == flow.tenant) & (SESSIONS.c.session_id == flow.session_id)
    summary = connection.scalar(select(SESSIONS.c.summary).where(same)) or ""
    values = {
        "last_flow_run_id": flow_run_id,
        "last_time": end_time,
        "summary": summarised(summary, flow.question, answer),
    }
    connection.execute(update(SESSIONS).where(same, SESSIONS.c.last_flow_run_id < flow_run_id).values(values))


def summarised(summary: str, question: str, answer: str) -> str:
    """Return a summary with one more question and the beginning of its answer, its oldest lines dropped."""
    lines = [*summary.splitlines(), line_of(question, answer)]
    while len(lines) > 1 and len("\n".join(lines)) > SUMMARY_CHARACTERS_MAX:
        del lines[0]
    return "\n".join(lines)


def line_of(question: str, answer: str) -> str:
    """Return the line that is remembered of a question by rule: its beginning and that of its answer."""
    first = answer.strip().partition("\n")[0]
    return f"{_cut(question, _QUESTION_CHARACTERS_MAX)} → {_cut(first, _ANSWER_CHARACTERS_MAX)}"


def _remembered(rank: int, row: Row[Any], turns: Mapping[str, tuple[Turn, ...]]) -> Remembered:
    last = instant_of(row.last_time)
    if rank <= SHORT_MAX:
        return Remembered(row.session_id, MemoryTier.SHORT, last, turns.get(row.session_id, ()))
    tier = MemoryTier.MID if rank <= MID_MAX else MemoryTier.LONG
    return Remembered(row.session_id, tier, last, summary=row.summary)


def _within(remembered: Sequence[Remembered], tokens_max: int) -> tuple[Remembered, ...]:
    """Return what fits, the latest first; of the conversation that does not, its newest messages or lines."""
    kept: list[Remembered] = []
    left = tokens_max
    for one in remembered:
        turns = _newest([(turn, tokens_of(turn.text)) for turn in one.turns], left)
        left -= sum(tokens_of(turn.text) for turn in turns)
        lines = _newest([(line, tokens_of(line) + 1) for line in one.summary.splitlines()], left)
        left -= sum(tokens_of(line) + 1 for line in lines)
        if not turns and not lines:
            break
        kept.append(Remembered(one.session_id, one.tier, one.last_time, tuple(turns), "\n".join(lines)))
    return tuple(kept)


def _newest(priced: Sequence[tuple[T, int]], tokens_max: int) -> list[T]:
    """Return the last of some texts that fit, in their order."""
    taken: list[T] = []
    for one, tokens in reversed(priced):
        tokens_max -= tokens
        if tokens_max < 0:
            break
        taken.insert(0, one)
    return taken


def _turns_of(flows: Any) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    for row in flows:
        time = instant_of(row.start_time)
        turns += [Turn(Speaker.USER, row.question, time), Turn(Speaker.ASSISTANT, row.answer, time)]
    return tuple(turns)


def _summary(row: Row[Any]) -> SessionSummary:
    return SessionSummary(row.session_id, instant_of(row.create_time), instant_of(row.last_time), row.summary)


def _cut(text: str, characters_max: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= characters_max else plain[: characters_max - 1] + "…"


def keep_summary(connection: Connection, flow_run_id: str, spent: Spent, by_rule: str, line: str) -> None:
    """Keep the decision and its cost with its flow, and the line where the conversation still ends with the rule's."""
    flow = connection.execute(
        select(FLOWS.c.tenant, FLOWS.c.session_id, FLOWS.c.usage).where(FLOWS.c.flow_run_id == flow_run_id)
    ).first()
    if flow is None:
        # Its user has deleted the conversation meanwhile.
        return
    made = checkpoint(SUMMARY_PLACE, spent)
    row = {"flow_run_id": flow_run_id, "name": made.name, "kind": made.kind, "message": made.message}
    connection.execute(insert(FLOW_CHECKPOINTS).values(row))
    usage = from_proto(decision_pb2.Usage.FromString(flow.usage), Usage) + spent.usage
    whole = to_proto(usage, decision_pb2.Usage).SerializeToString()
    connection.execute(update(FLOWS).where(FLOWS.c.flow_run_id == flow_run_id).values(usage=whole, tokens=usage.tokens))
    same = (SESSIONS.c.tenant == flow.tenant) & (SESSIONS.c.session_id == flow.session_id)
    summary = connection.scalar(select(SESSIONS.c.summary).where(same, SESSIONS.c.last_flow_run_id == flow_run_id))
    if line and summary is not None and summary.endswith(by_rule):
        connection.execute(update(SESSIONS).where(same).values(summary=summary.removesuffix(by_rule) + line))
