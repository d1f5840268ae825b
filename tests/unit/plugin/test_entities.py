"""Entities and their kinds: what a table of names reads, how values say what they are, what the wire keeps."""

from datetime import UTC, date, datetime

import pytest

from hapju.flow.v1 import entity_pb2
from services.contract.entities import Alternative, Entity
from services.contract.mapping import from_proto, to_proto
from services.plugin.entities import (
    AMOUNT,
    PERIOD,
    EntityKind,
    NameRow,
    days,
    installed_kinds,
    krw_range,
    named_kind,
    of_kind,
    values,
)
from services.plugin.entries import Bilingual
from services.text.reading import TextReading, read

NOW = datetime(2026, 5, 20, 3, tzinfo=UTC)
HOTELS = (
    NameRow(id="H1", name=Bilingual(ko="호수 여관", en="Lake Inn"), words=("호수여관",), attributes={"country": "KR"}),
    NameRow(id="H2", name=Bilingual(ko="공원 호텔", en="Park East"), words=("공원",)),
    NameRow(id="H3", name=Bilingual(ko="공원 여관", en="Park West"), words=("공원",)),
)

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


def _read(text: str, *kinds: EntityKind) -> TextReading:
    return read(text, now=NOW, kinds=kinds)


def test_a_table_of_names_is_a_kind() -> None:
    """Each place of a name is an entity with the row's id, its name in the question's language and what is known."""
    (found,) = _read("호수여관에 방 있어요?", named_kind("hotel", HOTELS)).of("hotel")
    assert (found.value, found.label, found.words, found.start, found.end) == ("H1", "호수 여관", "호수여관", 0, 4)
    assert found.attributes == {"country": "KR"}
    assert _read("a room in the Lake Inn", named_kind("hotel", HOTELS)).of("hotel")[0].label == "Lake Inn"


def test_a_name_that_several_bear_is_ambiguous() -> None:
    """It has no value, and everything that it may mean is told."""
    (found,) = _read("공원 예약해줘", named_kind("hotel", HOTELS)).of("hotel")
    assert (found.value, [one.value for one in found.alternatives]) == ("", ["H2", "H3"])


def test_a_kind_may_choose_among_the_rows_of_a_name() -> None:
    """What it chooses is meant."""
    kind = named_kind("hotel", HOTELS, choose=lambda _, rows: rows[:1])
    assert values(_read("공원 예약해줘", kind).entities, "hotel") == ("H2",)


def test_a_code_that_is_read_first_owns_its_figures() -> None:
    """A kind that comes before the figures takes its digits; one that comes behind finds them taken."""
    ticket = EntityKind("ticket", lambda so_far: [so_far.entity("ticket", so_far.claims.take(0, 4), "", _First())], 10)
    assert _read("3000만원", ticket).amounts == ()
    assert len(_read("3000만원").amounts) == 1


class _First:
    """The first four letters."""

    start = 0
    end = 4


@pytest.mark.parametrize("text", ["010-1234-5678", "900101-1234567", "1234-5678-9012-3456"])
def test_private_numbers_are_nobodys(text: str) -> None:
    """No kind and no figure reads the number of a phone, a resident or a card."""
    reading = read(f"{text} 이 번호로", now=NOW, kinds=tuple(installed_kinds().values()))
    assert [one for one in reading.entities if any(letter.isdigit() for letter in one.value)] == []


def test_each_kind_has_an_owner() -> None:
    """A kind that is installed tells the domain that declares it."""
    assert {one.id: one.domain for one in installed_kinds().values()}["region"] == "homes"
