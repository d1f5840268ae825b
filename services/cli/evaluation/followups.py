"""Scores reuse of held data over conversations: the session's earlier results are what the rows say was returned."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from services.catalog.loader import catalog
from services.catalog.sufficiency import DataSubject, HeldResult, Need, Use, first_hundredths, judged, still_missing
from services.cli.evaluation.asking import AskedRow, Services, run_of
from services.cli.evaluation.holding import need_read
from services.cli.evaluation.rows import Row, clock_of
from services.cli.evaluation.score import Miss, Score
from services.contract.flow import Speaker, Turn
from services.contract.planner import DraftPlanResponse
from services.planner.recalled import Recalling
from services.planner.rules import planning_rules
from services.runtime.identity import Caller
from services.runtime.settings import Settings

NEEDED: Final = ("id", "turns")
_CALLER: Final = Caller("u-1", user_type="consumer")
_ANSWERED: Final = {"ko": "찾은 내용을 알려 드렸습니다.", "en": "Here is what was found."}
_NO_ROWS: Final = {"ko": "자료가 없습니다.", "en": "There is no data."}


@dataclass(slots=True)
class _Session:
    """What a conversation holds so far."""

    now: datetime
    """The moment of the latest turn."""
    held: list[HeldResult] = field(default_factory=list)
    """Results of its searches."""
    history: list[Turn] = field(default_factory=list)
    """What was said."""
    subject: DataSubject = field(default_factory=DataSubject)
    """What it is about by now."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """What came of one turn."""

    use: Use
    """What becomes of held data."""
    search_only: tuple[str, ...]
    """Types that are left to search."""
    intent: str
    """The route's intent."""
    issues: tuple[str, ...]
    """Why confidence was lost."""


async def score_followups(rows: Iterable[Row], services: Services, settings: Settings) -> Score:
    """Return the score of rows: every later turn than the first."""
    score, talking = Score(), _Talking(services, settings)
    for row in rows:
        score.rows += 1
        session = _Session(clock_of(row))
        for number, turn in enumerate(row["turns"]):
            if number:
                session.now += timedelta(minutes=row["clock"][number - 1])
            came = await talking.said(turn, row, session)
            if number:
                _score_turn(row, number, turn["expect"], came, score)
    return score


class _Talking:
    """Says turns to the services and judges what the session holds."""

    def __init__(self, services: Services, settings: Settings) -> None:
        self._services = services
        self._settings = settings
        self._recalling = Recalling(catalog(), planning_rules())

    async def said(self, turn: Mapping[str, Any], row: Row, session: _Session) -> _Turn:
        """Return what came of a turn, and keep in the session what it brought."""
        said = AskedRow(turn["user"], run_of(row, self._settings, session.now), _CALLER, tuple(session.history))
        route = await self._services.route(said)
        drafted = await self._services.plan(said, route)
        need = need_read(self._recalling, said, route)
        verdict = judged(
            need,
            session.held,
            now=session.now,
            types=catalog().held_types,
            first_hundredths=_first_confidence(drafted),
        )
        if drafted.plan.sufficiency is None:
            # Nothing is planned: the turn is not understood, or asks back. Unsure means that nothing is reused.
            verdict = replace(verdict, use=Use.SEARCH)
        came = _Turn(verdict.use, still_missing(need, verdict), route.intent, verdict.issues)
        _remember(turn, row, session, need, came)
        return came


def _first_confidence(drafted: DraftPlanResponse) -> int:
    made = [one for one in drafted.spent.decisions if one.kind == "data_sufficiency_check"]
    sufficiency = drafted.plan.sufficiency
    return first_hundredths(sufficiency, made[-1].source) if made and sufficiency is not None else 100


def _remember(turn: Mapping[str, Any], row: Row, session: _Session, need: Need, came: _Turn) -> None:
    """Keep what the turn brought: its searches, what it gave along, and both sides' words."""
    facets = {**session.subject.facets, **need.subject.facets} if session.history else dict(need.subject.facets)
    session.subject = replace(need.subject, facets=facets)
    returned = turn.get("search_returns", {}) if came.use is not Use.USE else {}
    found_at = None if turn.get("stored_timestamp_unreadable") else session.now
    session.held += [HeldResult(one, count, session.subject, found_at) for one, count in returned.items()]
    session.held += [HeldResult(one, 1, session.subject, found_at) for one in turn.get("given_in_question", ())]
    locale = str(row.get("locale", "ko"))
    empty = bool(returned) and not any(returned.values())
    answer = (_NO_ROWS if empty else _ANSWERED)[locale]
    session.history += [Turn(Speaker.USER, turn["user"], session.now), Turn(Speaker.ASSISTANT, answer, session.now)]


def _score_turn(row: Row, number: int, want: Row, came: _Turn, score: Score) -> None:
    row_id, why = f"{row['id']}/{number + 1}", "; ".join(came.issues)
    right = came.use.value == want["reuse"]
    score.count(
        "reuse", right=right, miss=Miss(row_id, "reuse", f"{came.use.value} ({came.intent})", want["reuse"], why)
    )
    if want["reuse"] == Use.SEARCH.value:
        skipped = came.use is not Use.SEARCH
        miss = Miss(row_id, "incorrect_skips", came.use.value, want["reuse"], why)
        score.count("incorrect_skips", right=not skipped, miss=miss)
        score.hard_fails += [miss] if skipped and row.get("must_not_reuse") else []
    if want["reuse"] == Use.USE.value:
        avoided = came.use is Use.USE
        score.count(
            "searches_avoided", right=avoided, miss=Miss(row_id, "searches_avoided", came.use.value, want["reuse"], why)
        )
    if want["reuse"] == Use.SEARCH.value and want.get("search_only") is not None:
        score.compare(row_id, "search_only", sorted(came.search_only), sorted(want["search_only"]))
    if want.get("intent") is not None:
        score.compare(row_id, "intent", came.intent, want["intent"])
    for tag in row.get("tags", ()):
        score.by_trait[tag][right] += 1
