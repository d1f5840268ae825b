"""How old data may be, by its kind, and what that makes of the answer's confidence."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from services.contract.flow import DataFreshness, Freshness
from services.synthesizer.freshness import data_freshness, evidence_confidence, judge_age
from tests.unit.synthesizer.answer_parts import NOW, evidence


@pytest.mark.parametrize(
    ("data_type", "age_hours", "expected"),
    [
        *((kind, 72, Freshness.FRESH) for kind in ("market", "price", "product", "macro")),
        *((kind, 73, Freshness.AGEING) for kind in ("market", "price", "product", "macro")),
        *((kind, 168, Freshness.AGEING) for kind in ("market", "price", "product", "macro")),
        *((kind, 169, Freshness.STALE) for kind in ("market", "price", "product", "macro")),
        ("loan", 24, Freshness.FRESH),
        ("loan", 25, Freshness.STALE),
        *((kind, 100_000, Freshness.FRESH) for kind in ("legal", "contract", "knowledge")),
    ],
)
def test_each_kind_of_data_ages_in_its_own_way(data_type: str, age_hours: int, expected: Freshness) -> None:
    """The limits themselves are not yet beyond the limit."""
    assert expected == judge_age(data_type, NOW - timedelta(hours=age_hours), NOW)


@pytest.mark.parametrize(
    ("ahead_seconds", "expected"),
    [(3, Freshness.FRESH), (5, Freshness.FRESH), (6, Freshness.STALE), (10**7, Freshness.STALE)],
)
def test_a_time_ahead_of_ours_is_stale(ahead_seconds: int, expected: Freshness) -> None:
    """A clock may be five seconds off; data from the future is not fresh for months."""
    as_of = NOW + timedelta(seconds=ahead_seconds)
    (found,) = data_freshness([evidence("a", [], as_of=as_of)], NOW)
    assert (expected, expected) == (judge_age("price", as_of, NOW), found.freshness)


def test_a_time_without_a_zone_is_refused_by_name() -> None:
    """Nothing is guessed: the error says which time it is."""
    naive = datetime(2026, 11, 26, 9)  # noqa: DTZ001
    with pytest.raises(ValueError, match=r"as_of_time of ev-1.*no time zone"):
        data_freshness([evidence("ev-1", [], as_of=naive)], NOW)
    with pytest.raises(ValueError, match=r"now.*no time zone"):
        judge_age("price", NOW, naive)


def test_the_same_instant_in_other_zones_is_the_same_age() -> None:
    """Seoul, UTC and a zone with half hours agree."""
    instants = [NOW.astimezone(timezone(timedelta(hours=hours))) for hours in (0, 9, -4, 5.5)]
    assert {judge_age("price", one - timedelta(hours=80), NOW) for one in instants} == {Freshness.AGEING}


@pytest.mark.parametrize(
    ("next_release", "age_hours", "expected"),
    [
        ("2026-12-04", 0, Freshness.FRESH),
        ("2026-11-26", 0, Freshness.FRESH),
        ("2026-11-22", 96, Freshness.AGEING),
        ("2026-11-12", 336, Freshness.STALE),
        (None, 1210, Freshness.STALE),
    ],
)
def test_a_series_ages_from_the_release_that_it_waits_for(
    next_release: str | None, age_hours: int, expected: Freshness
) -> None:
    """A monthly value is fresh until the next is due; a series that has ended ages from its last value."""
    row = {"series_id": "X", "date": "2026-09-01", "next_release_date": next_release}
    older = {"series_id": "X", "date": "2026-08-01", "next_release_date": "2026-09-08"}
    as_of = datetime(2026, 10, 7, 13, 30, tzinfo=UTC)
    (found,) = data_freshness([evidence("a", [row, older], data_type="macro", as_of=as_of)], NOW)
    assert (expected, age_hours) == (found.freshness, found.age_hours)


def test_a_kind_of_data_has_its_newest_time_and_its_gravest_judgement() -> None:
    """One stale piece is not hidden behind a fresh one."""
    old, new = NOW - timedelta(hours=200), NOW - timedelta(hours=1)
    (found,) = data_freshness([evidence("a", [], as_of=old), evidence("b", [], as_of=new)], NOW)
    assert DataFreshness("price", new, 200, Freshness.STALE) == found


def test_data_that_ages_and_bears_no_time_is_not_fresh() -> None:
    """Nobody knows how old it is; law needs no time."""
    found = data_freshness([evidence("a", [], as_of=None), evidence("b", [], data_type="legal", as_of=None)], NOW)
    assert [one.freshness for one in found] == [Freshness.STALE, Freshness.FRESH]


@pytest.mark.parametrize(
    ("citations", "freshness", "stated", "supported", "expected"),
    [
        (3, Freshness.FRESH, 4, 4, 1.0),
        (9, Freshness.AGEING, 4, 4, 0.93),
        (1, Freshness.STALE, 4, 2, 0.4425),
        (2, Freshness.FRESH, 0, 0, 0.85),
        (0, Freshness.FRESH, 4, 4, None),
    ],
)
def test_the_confidence_weighs_citations_age_and_support(
    citations: int, freshness: Freshness, stated: int, supported: int, expected: float | None
) -> None:
    """.45 citations of three, .35 age, .20 supported sentences."""
    fresh = [DataFreshness("price", NOW, 0, freshness)]
    assert expected == evidence_confidence(citations, fresh, stated=stated, supported=supported)


def test_the_confidence_of_data_without_time_or_age_is_lower() -> None:
    """A missing time weighs .45, no data at all .25."""
    missing = [DataFreshness("price", None, 0, Freshness.STALE)]
    assert evidence_confidence(3, missing, stated=1, supported=1) == 0.8075
    assert evidence_confidence(3, [], stated=1, supported=1) == 0.7375
