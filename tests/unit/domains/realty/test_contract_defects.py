"""Contracts with planted defects: what is bad is found in any wording, and nothing is made up in a fair text."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from services.domains.realty.agreements.clause_frames import framed
from services.domains.realty.agreements.clauses import is_sale
from services.domains.realty.agreements.defects import defects_of, known
from services.domains.realty.agreements.draft import drafted
from services.domains.realty.agreements.parties import by_role, named_parties
from services.domains.realty.agreements.passages import days_in, last_day, months_between, passages_of

FOUND_SHARE_MIN = 0.9
FALSE_ALARMS_MAX = 1
CONTRACTS: list[dict[str, Any]] = [
    one
    for path in sorted((Path(__file__).parent / "contracts").glob("*.yaml"))
    for one in yaml.safe_load(path.read_text("utf-8"))
]


def found(text: str) -> set[str]:
    """Return the ids of a text's defects."""
    return {one.kind.id for one in defects_of(text, is_sale=is_sale(text))}


@pytest.mark.long
def test_planted_defects_are_found() -> None:
    """At least nine in ten of the planted defects are found, and each kind of defect is planted somewhere."""
    planted = [(one["text"], name) for one in CONTRACTS for name in one.get("finds", ())]
    hits = sum(name in found(text) for text, name in planted)
    assert hits >= FOUND_SHARE_MIN * len(planted)
    assert {name for _, name in planted} == {kind.id for kind in known().defects}


def test_the_latest_planted_defects_are_found() -> None:
    """The same of the last sets alone, in every run."""
    planted = [(one["text"], name) for one in CONTRACTS[-60:] for name in one.get("finds", ())]
    assert sum(name in found(text) for text, name in planted) >= FOUND_SHARE_MIN * len(planted)


def test_nothing_is_made_up() -> None:
    """The fair texts hold at most one false alarm between them."""
    assert sum(len(found(one["text"])) for one in CONTRACTS if not one.get("finds")) <= FALSE_ALARMS_MAX


@pytest.mark.parametrize("locale", ["ko", "en"])
@pytest.mark.parametrize("form", ["jeonse", "monthly_rent", "sale"])
def test_our_own_drafts_are_fair(form: Any, locale: str) -> None:
    """A draft of ours has no defect, with nothing filled in."""
    assert found(drafted(form, {}, locale).text) == set()


def test_a_term_is_read_from_its_days() -> None:
    """A term runs from its first to its last day; a year's number is never a term."""
    first, last = (one.value for one in days_in("2026년 12월 1일부터 2027년 11월 30일까지"))
    assert months_between(first, last) == 12
    assert last_day(first, 24).isoformat() == "2028-11-30"
    assert found("임대차 기간은 2026년 12월 1일부터 2028년 11월 30일까지로 한다.") == set()
    assert found("임대차 기간은 2026년 12월 1일부터 2027년 11월 30일까지로 한다.") == {"short_term"}


def test_a_passage_bears_its_label() -> None:
    """A clause is told by its number and title, and a day with points is no end of a sentence."""
    (first, second) = passages_of("제2조(기간) 2027. 3. 1.부터 2년으로 한다. 제3조(수선) 수선은 임대인이 한다.")
    assert (first.label, first.text) == ("제2조(기간)", "2027. 3. 1.부터 2년으로 한다")
    assert second.label == "제3조(수선)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ms. Noh (landlady) lets to Kim Poe (lodger). Ms. Noh calls on Poe.", "the landlord calls on the tenant"),
        ("Owner: R. Bae. R. Bae keeps a key.", "the landlord keeps a key"),
        ("임대인 정하늘, 임차인 서바다. 서바다는 정하늘에게 알린다.", "임차인는 임대인에게 알린다"),
    ],
)
def test_a_person_is_called_by_the_role(text: str, said: str) -> None:
    """Whom a contract names for a side is that side wherever the name stands."""
    assert said in by_role(text, named_parties(text))


def test_a_lease_that_speaks_of_a_buyer_is_no_sale() -> None:
    """What happens to a lease on a sale is said of a lease, whatever its sides are called."""
    text = "Ms. Noh (landlady) lets the room to Poe (lodger). If a buyer turns up, Poe clears the room within a month."
    assert not is_sale(text)
    assert found(text) == {"ends_on_sale"}


def test_frames_make_the_same_clauses_each_time() -> None:
    """What is fitted to them is the same wherever it is fitted; one beginning goes on both ways."""
    first = framed("fair")
    assert first == framed("fair")
    assert first.keys() == {"fair", *(kind.id for kind in known().defects)}
