"""Entities: how they are found by kind, how their values read, and that the wire keeps them whole."""

from datetime import date

from hapju.flow.v1 import entity_pb2
from services.contract.flow import Alternative, Entity
from services.contract.mapping import from_proto, to_proto
from services.plugin.entities import AMOUNT, PERIOD, days, krw_range, of_kind, values

NAMED = (
    Entity("hotel", "H1", "Lake Inn", "the inn", 0, 7, {"stars": "3"}),
    Entity(
        "hotel", "", "Park", "Park", 8, 12, alternatives=(Alternative("H2", "Park East"), Alternative("H3", "Park"))
    ),
    Entity("hotel", "H1", "Lake Inn", "Lake Inn", 13, 21),
    Entity(AMOUNT, "0..300000", "under 300,000 won", "under 300,000 won", 22, 39),
)


def test_the_wire_keeps_every_field() -> None:
    """An entity reads back as it was written, with attributes and alternatives."""
    assert [from_proto(to_proto(one, entity_pb2.Entity), Entity) for one in NAMED] == list(NAMED)


def test_found_by_kind() -> None:
    """All of a kind are found in order; values are told once, and an ambiguous name has none."""
    assert [one.words for one in of_kind(NAMED, "hotel")] == ["the inn", "Park", "Lake Inn"]
    assert values(NAMED, "hotel") == ("H1",)
    assert of_kind(NAMED, "train") == ()


def test_an_amount_has_two_ends() -> None:
    """Open ends are None; an exact sum is its own range."""
    ends = [krw_range(Entity(AMOUNT, value)) for value in ("0..300000", "5..", "..7", "9..9")]
    assert ends == [(0, 300000), (5, None), (None, 7), (9, 9)]


def test_a_period_has_two_days() -> None:
    """Both days are part of it."""
    assert days(Entity(PERIOD, "2026-01-01/2026-01-31")) == (date(2026, 1, 1), date(2026, 1, 31))
