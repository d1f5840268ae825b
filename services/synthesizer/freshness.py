"""How far the age of data lets an answer rest on it: AGEING and STALE after as many hours as its kind declares.

Of a series and of what comes by the period the age is counted from the first release that was due and is missing. A
time that lies more than 5 s ahead of the flow's is STALE, and so is data that ages and bears no time.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from services.contract.flow import DataFreshness, Evidence, Freshness
from services.plugin.data.rows import rows_of
from services.plugin.figures.declared import data_type as declared

AHEAD_MAX: Final = timedelta(seconds=5)
"""How far a clock may be ahead of ours."""
_GRAVITY: Final = (Freshness.FRESH, Freshness.AGEING, Freshness.STALE)
_WEIGHTS: Final = {Freshness.FRESH: 1.0, Freshness.AGEING: 0.8, Freshness.STALE: 0.55}
_WEIGHT_WITHOUT_TIME: Final = 0.45
_WEIGHT_WITHOUT_DATA: Final = 0.25
_CITATIONS_ENOUGH: Final = 3


@dataclass(frozen=True, slots=True)
class _Aged:
    """One piece of evidence as it has aged."""

    data_type: str
    as_of_time: datetime | None
    age: timedelta
    freshness: Freshness


def data_freshness(evidence: Iterable[Evidence], now: datetime) -> tuple[DataFreshness, ...]:
    """Return how fresh each kind of data is: its newest time, and the gravest judgement of its pieces.

    Raises:
        ValueError: `now` or a time of the evidence has no zone; it names which.
    """
    _check_aware("now", now)
    by_type: dict[str, list[_Aged]] = {}
    for piece in evidence:
        by_type.setdefault(piece.data_type, []).append(_aged(piece, now))
    return tuple(_gravest(data_type, aged) for data_type, aged in by_type.items())


def judge_age(data_type: str, as_of_time: datetime | None, now: datetime) -> Freshness:
    """Return how data of one time is judged; for a series the time is that of the release it waits for.

    Raises:
        ValueError: A time has no zone.
    """
    _check_aware("now", now)
    kind = declared(data_type)
    if not kind.ages:
        return Freshness.FRESH
    if as_of_time is None:
        return Freshness.STALE
    _check_aware("as_of_time", as_of_time)
    age = now - as_of_time
    if age < -AHEAD_MAX or age > timedelta(hours=kind.stale_after_hours):
        return Freshness.STALE
    is_ageing = kind.ageing_after_hours is not None and age > timedelta(hours=kind.ageing_after_hours)
    return Freshness.AGEING if is_ageing else Freshness.FRESH


def freshness_of(piece: Evidence, now: datetime) -> Freshness:
    """Return how one piece of evidence is judged, a series by the release that it waits for.

    Raises:
        ValueError: `now` or its time has no zone.
    """
    _check_aware("now", now)
    return _aged(piece, now).freshness


def evidence_confidence(citations: int, fresh: Iterable[DataFreshness], *, stated: int, supported: int) -> float | None:
    """Return how well an answer is founded, 0 to 1; None where nothing was cited.

    Args:
        citations: How many pieces of evidence it cites; three are enough.
        fresh: How fresh they are; the oldest kind counts.
        stated: How many sentences stated a figure or date, the dropped ones included.
        supported: How many of these were supported.
    """
    if not citations:
        return None
    weight = min((_weight(one) for one in fresh), default=_WEIGHT_WITHOUT_DATA)
    share = supported / stated if stated else 1.0
    return round(0.45 * min(1.0, citations / _CITATIONS_ENOUGH) + 0.35 * weight + 0.20 * share, 4)


def _weight(one: DataFreshness) -> float:
    missing = one.as_of_time is None and one.freshness is Freshness.STALE
    return _WEIGHT_WITHOUT_TIME if missing else _WEIGHTS[one.freshness]


def _gravest(data_type: str, aged: list[_Aged]) -> DataFreshness:
    newest = max((one.as_of_time for one in aged if one.as_of_time is not None), default=None)
    worst = max(aged, key=lambda one: (_GRAVITY.index(one.freshness), one.age))
    return DataFreshness(data_type, newest, max(0, int(worst.age.total_seconds() // 3600)), worst.freshness)


def _aged(piece: Evidence, now: datetime) -> _Aged:
    as_of = piece.provenance.as_of_time
    if as_of is None:
        return _Aged(piece.data_type, None, timedelta(), judge_age(piece.data_type, None, now))
    _check_aware(f"as_of_time of {piece.evidence_id}", as_of)
    if as_of - now > AHEAD_MAX:
        return _Aged(piece.data_type, as_of, timedelta(), judge_age(piece.data_type, as_of, now))
    due = _next_release(piece)
    counted_from = as_of if due is None else max(as_of, due)
    age = max(timedelta(), now - counted_from)
    return _Aged(piece.data_type, as_of, age, judge_age(piece.data_type, now - age, now))


def _next_release(piece: Evidence) -> datetime | None:
    """Return when the first release is due that the rows do not hold; None where they are no periodic series."""
    period = declared(piece.data_type).period
    if period is not None:
        return _next_period(piece, period.fields, timedelta(days=period.due_after_days))
    newest: dict[str, tuple[str, str]] = {}
    for row in rows_of(piece):
        if "next_release_date" in row:
            of = (str(row.get("date", "")), str(row["next_release_date"] or ""))
            series = str(row.get("series_id", ""))
            newest[series] = max(newest.get(series, ("", "")), of)
    due = [_end_of_day(release) for _, release in newest.values() if release]
    return min(due) if due and len(due) == len(newest) else None


def _next_period(piece: Evidence, keys: tuple[str, ...], due_after: timedelta) -> datetime | None:
    """Return when the period behind the newest row is due; None where no row bears its period."""
    ends = [str(row[key]) for row in rows_of(piece) for key in keys if row.get(key)]
    return _end_of_day(max(ends)) + due_after if ends else None


def _end_of_day(text: str) -> datetime:
    """Return the end of a day in UTC: a release is missing when its day is over, not when it begins."""
    return datetime.combine(date.fromisoformat(text[:10]) + timedelta(days=1), time(), UTC)


def _check_aware(name: str, moment: datetime) -> None:
    if moment.tzinfo is None:
        raise ValueError(f"{name}: {moment.isoformat()} has no time zone")
