"""Whether held data answers a question: the rules of the three judgements, pure and in whole hundredths.

    first    planner, before a plan            from what the conversation shows
    second   orchestrator, before the search   from stored results:  judged()
    third    search agent                      what is left to read:  still_missing()

They stand here, because services that never import each other go by them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from services.contract.flow import DataNeed, DecisionSource, Facet, HeldLookUp, Sufficiency
from services.plugin.planning import HeldType
from services.runtime.run import because

SURE = 90
"""Above it held data is used, in hundredths."""
FAIR = 70
"""Above it, up to SURE, the second judgement verifies."""
FIRST_FAIR = 60
"""Above it, up to SURE, the first judgement verifies; as high as a FALLBACK's verdict may not go beyond SURE."""
FEW_ROWS_MAX = 2
_MISSING, _EMPTY, _FEW, _UNREADABLE, _MISMATCH = 30, 40, 20, 10, 40


class Use(StrEnum):
    """What becomes of held data."""

    USE = "use"
    """It takes the search's place."""
    VERIFY = "verify"
    """The search stays unless a person says otherwise, or the data is used with its age said."""
    SEARCH = "search"
    """It is looked up anew."""


@dataclass(frozen=True, slots=True)
class DataSubject:
    """What data is about, or a question asks about."""

    facets: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Names by kind (kinds of entities, and the facets that domains declare); a kind that is not there is left open."""
    words: frozenset[str] = frozenset()
    """The words of content, for questions that name nothing by which data is told apart."""
    points_back: bool = False
    """Whether a question says that it means what was found before ("방금", "that", "again")."""
    asks_anew: bool = False
    """Whether a question asks for data to be looked up anew ("최신 시세로", "refresh"): nothing held will do."""


@dataclass(frozen=True, slots=True)
class HeldResult:
    """One earlier result."""

    data_type: str
    """Its data type."""
    row_count: int
    """How many rows it has."""
    subject: DataSubject
    """What it is about."""
    found_at: datetime | None
    """When it was read, time-zone aware; None where that cannot be read."""
    source: str = "chat_history"
    """chat_history or long_term_memory."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a question needs."""

    required_types: tuple[str, ...]
    """Data types that its answer rests on."""
    subject: DataSubject
    """What it asks about."""
    given_types: frozenset[str] = frozenset()
    """Types that the question brings along itself, such as the text of a contract."""


def look_up_of(held: HeldResult, agent: str, found_at: datetime) -> HeldLookUp:
    """Return what an agent found as a request for a plan carries it."""
    subject = held.subject
    return HeldLookUp(held.data_type, agent, held.row_count, _facets(subject), tuple(sorted(subject.words)), found_at)


def held_of(carried: HeldLookUp) -> HeldResult:
    """Return what a request for a plan carries as the rules judge it."""
    subject = DataSubject(_names(carried.facets), frozenset(carried.words))
    return HeldResult(carried.data_type, carried.row_count, subject, carried.found_time)


def told(need: Need) -> DataNeed:
    """Return a need as a plan carries it."""
    subject = need.subject
    return DataNeed(
        required_types=need.required_types,
        given_types=tuple(sorted(need.given_types)),
        facets=_facets(subject),
        words=tuple(sorted(subject.words)),
        points_back=subject.points_back,
        asks_anew=subject.asks_anew,
    )


def need_of(carried: DataNeed) -> Need:
    """Return the need that a plan carries."""
    subject = DataSubject(_names(carried.facets), frozenset(carried.words), carried.points_back, carried.asks_anew)
    return Need(carried.required_types, subject, frozenset(carried.given_types))


def _anew() -> str:
    return because("새로 찾아 달라는 말", "asked for anew")


def _nothing() -> str:
    return because("가진 것이 없음", "nothing is held")


def _facets(subject: DataSubject) -> tuple[Facet, ...]:
    return tuple(Facet(kind, tuple(sorted(names))) for kind, names in sorted(subject.facets.items()))


def _names(facets: Sequence[Facet]) -> Mapping[str, frozenset[str]]:
    return {facet.kind: frozenset(facet.names) for facet in facets}


def first_hundredths(sufficiency: Sufficiency, source: DecisionSource) -> int:
    """Return the confidence that the second judgement starts from: 1.0 by rule, else the model's.

    A FALLBACK is never above verify; what a model finds insufficient is searched.
    """
    if source is DecisionSource.RULE:
        return 100
    if source is DecisionSource.FALLBACK:
        return SURE
    return round(sufficiency.confidence * 100) if sufficiency.is_sufficient else 0


@dataclass(frozen=True, slots=True)
class SufficiencyVerdict:
    """What the rules say."""

    hundredths: int
    """The confidence that what is held will do."""
    use: Use
    """What becomes of it."""
    missing_types: tuple[str, ...]
    """Required types of which nothing is held."""
    weak_types: tuple[str, ...]
    """Required types whose held data lost something, or of which nothing is held."""
    chosen: tuple[HeldResult, ...]
    """The results that would be reused, one for each type that is held."""
    issues: tuple[str, ...]
    """A line for each deduction."""
    is_complete: bool = False
    """Whether something is held of every required type, all of it about what the question asks."""

    @property
    def confidence(self) -> float:
        """The confidence, 0 to 1."""
        return self.hundredths / 100


def judged(
    need: Need, held: Sequence[HeldResult], *, now: datetime, types: Mapping[str, HeldType], first_hundredths: int = 100
) -> SufficiencyVerdict:
    """Return the verdict of the second judgement on what is held; the newest result that fits counts.

    Args:
        need: What the question needs.
        held: The session's earlier results, in any order.
        now: The moment of the question, time-zone aware.
        types: How each data type is judged.
        first_hundredths: The confidence of the first judgement.

    Raises:
        ValueError: `now` is naive.
    """
    if now.tzinfo is None:
        raise ValueError("now: a time-zone aware datetime is needed")
    confidence, issues, chosen, missing, weak = first_hundredths, [], [], [], []
    mismatches: set[str] = set()
    for data_type in need.required_types:
        if data_type in need.given_types:
            continue
        of_type = [one for one in held if one.data_type == data_type]
        best = None if need.subject.asks_anew else _newest_fitting(of_type, need.subject, types)
        if best is None:
            missing.append(data_type)
            weak.append(data_type)
            confidence -= _MISSING
            issues.append(f"{data_type}: {_anew() if of_type else _nothing()} (-.3)")
            continue
        chosen.append(best)
        lost = [*_count_loss(best, types), *_age_loss(best, now, types)]
        mismatch = [one for one in _mismatches(best, need.subject, types) if one not in mismatches]
        mismatches.update(mismatch)
        lost += [(_MISMATCH, because(f"다른 {kind}", f"another {kind}")) for kind in mismatch]
        confidence -= sum(points for points, _ in lost)
        issues += [f"{data_type}: {why} (-.{points // 10})" for points, why in lost]
        weak += [data_type] if lost else []
    final = max(confidence, 0)
    is_complete = not missing and not mismatches
    use = use_at(final, is_complete=is_complete)
    return SufficiencyVerdict(final, use, tuple(missing), tuple(weak), tuple(chosen), tuple(issues), is_complete)


def still_missing(need: Need, verdict: SufficiencyVerdict) -> tuple[str, ...]:
    """Return the types that are left to read after the third judgement, in the order of the need; empty under use."""
    if verdict.use is Use.USE:
        return ()
    return tuple(one for one in need.required_types if one in verdict.weak_types and one not in need.given_types)


def use_at(hundredths: int, *, is_complete: bool, fair: int = FAIR) -> Use:
    """Return what becomes of held data at a confidence; the second judgement verifies above FAIR."""
    if not is_complete or hundredths <= fair:
        return Use.SEARCH
    return Use.USE if hundredths > SURE else Use.VERIFY


def _newest_fitting(
    held: Sequence[HeldResult], subject: DataSubject, types: Mapping[str, HeldType]
) -> HeldResult | None:
    """Return the result with the fewest mismatches, of those the newest; one of unknown age is older than any."""
    ranked = sorted(held, key=lambda one: (-len(_mismatches(one, subject, types)), _moment(one)))
    return ranked[-1] if ranked else None


def _moment(held: HeldResult) -> float:
    return held.found_at.timestamp() if held.found_at is not None else float("-inf")


def _count_loss(held: HeldResult, types: Mapping[str, HeldType]) -> list[tuple[int, str]]:
    if held.row_count == 0:
        return [(_EMPTY, because("가진 것이 0행", "0 rows held"))]
    kind = types.get(held.data_type)
    if kind is not None and not kind.counted:
        return []
    few = because(f"가진 것이 {held.row_count}행뿐", f"only {held.row_count} rows held")
    return [(_FEW, few)] if held.row_count <= FEW_ROWS_MAX else []


def _age_loss(held: HeldResult, now: datetime, types: Mapping[str, HeldType]) -> list[tuple[int, str]]:
    kind = types.get(held.data_type)
    if held.found_at is None:
        return [(_UNREADABLE, because("때를 읽을 수 없음", "its time cannot be read"))]
    for limit in kind.ages if kind is not None else ():
        if now - held.found_at > timedelta(days=limit.older_than_days):
            days = f"{limit.older_than_days:g}"
            return [(limit.deduction_hundredths, because(f"{days}일보다 오래됨", f"older than {days} days"))]
    return []


def _mismatches(held: HeldResult, subject: DataSubject, types: Mapping[str, HeldType]) -> list[str]:
    """Return the kinds in which a question names something that the data does not hold.

    A question that names nothing by which this type is told apart, and does not point back either, has to speak of the
    same things as the one that the data was read for.
    """
    kind = types.get(held.data_type)
    apart = kind.told_apart_by if kind is not None else tuple(sorted(subject.facets))
    named = [name for name in apart if subject.facets.get(name)]
    if not named and apart and not subject.points_back and not subject.words <= held.subject.words:
        return ["subject"]
    return [name for name in named if not subject.facets[name] <= held.subject.facets.get(name, frozenset())]
