"""Which evidence is cited, under which id, in which order."""

from dataclasses import replace
from datetime import timedelta

from services.contract.drops import DropReason
from services.grounding.verdict import SentenceVerdict
from services.synthesizer.citations import CITATIONS_MAX, DOCUMENT_MAX, citations
from services.synthesizer.gate import Kept
from services.synthesizer.marks import led
from tests.unit.synthesizer.answer_parts import NOW, evidence


def test_citations_bear_the_evidences_own_ids_in_the_order_of_first_use() -> None:
    """Ids are opaque: neither counted nor shifted, each once."""
    pieces = [evidence(name, [], title=f"문서 {name}") for name in ("alpha", "bravo", "charlie")]
    found = citations(["bravo", "alpha", "bravo", "charlie"], pieces, NOW)
    assert [(one.evidence_id, one.title) for one in found] == [
        ("bravo", "문서 bravo"),
        ("alpha", "문서 alpha"),
        ("charlie", "문서 charlie"),
    ]


def test_an_id_that_no_evidence_bears_is_not_cited() -> None:
    """A dangling id leads nowhere and is left out."""
    assert [one.evidence_id for one in citations(["x", "a"], [evidence("a", [])], NOW)] == ["a"]


def test_few_used_pieces_are_joined_by_unused_ones_up_to_three() -> None:
    """Three to ten where there are as many."""
    pieces = [evidence(name, []) for name in "abcde"]
    assert [one.evidence_id for one in citations(["c"], pieces, NOW)] == ["c", "a", "b"]
    assert len(citations([], pieces, NOW)) == 3
    assert citations([], [], NOW) == ()


def test_one_data_set_does_not_push_the_others_out() -> None:
    """With ten places, four go to a data set while another one waits, and free places are used."""
    many = [evidence(f"m{number}", [], dataset="many") for number in range(12)]
    few = [evidence(f"f{number}", [], dataset="few") for number in range(2)]
    found = [one.evidence_id for one in citations([piece.evidence_id for piece in (*many, *few)], [*many, *few], NOW)]
    assert len(found) == CITATIONS_MAX
    assert {"f0", "f1"} <= set(found)
    assert found == sorted(found, key=lambda name: (name.startswith("f"), int(name[1:])))


def test_one_document_does_not_fill_the_list() -> None:
    """Two parts of a document are cited while another document waits."""
    parts = [evidence(f"p{number}", [], title="긴 보고서", dataset=f"d{number}") for number in range(9)]
    parts = [replace(part, provenance=parts[0].provenance) for part in parts]
    others = [evidence(f"o{number}", [], title=f"기사 {number}", dataset=f"o{number}") for number in range(8)]
    found = citations([piece.evidence_id for piece in (*parts, *others)], [*parts, *others], NOW)
    assert sum(one.title == "긴 보고서" for one in found) == DOCUMENT_MAX
    assert len(found) == CITATIONS_MAX


def test_a_list_of_old_pieces_takes_in_recent_ones() -> None:
    """Three in ten are recent where there are as many, in a full list and in a short one."""
    old = [evidence(f"x{number}", [], as_of=NOW - timedelta(days=90), dataset=f"x{number}") for number in range(10)]
    new = [evidence(f"n{number}", [], as_of=NOW - timedelta(hours=3), dataset=f"n{number}") for number in range(4)]
    full = citations([piece.evidence_id for piece in (*old, *new)], [*old, *new], NOW)
    assert sum(one.evidence_id.startswith("n") for one in full) == 3
    short = citations(["x0", "x1", "x2"], [*old, *new], NOW)
    assert [one.evidence_id for one in short] == ["x0", "x1", "x2", "n0"]


def test_a_mark_that_slipped_to_its_neighbour_leads_where_the_words_are() -> None:
    """The document that holds the words is cited; the slip and the mark without a document are counted."""
    pieces = [evidence(f"ev-{name}", [], title=f"문서 {name}") for name in ("alpha-1", "bravo-2", "charlie-3")]
    nothing = SentenceVerdict(states_figures=False)
    kept = [
        Kept("bravo-2는 여기에 있습니다.", nothing, (3,)),
        Kept("다른 이야기입니다.", nothing, (1,)),
        Kept("없는 곳입니다.", nothing, (7,)),
        Kept("표시가 없습니다.", nothing, ()),
    ]
    found = led(kept, pieces)
    assert found.evidence_ids == ("ev-bravo-2", "ev-alpha-1")
    assert {one.reason for one in found.dropped} == {DropReason.UNKNOWN_CITATION}
    assert len(found.dropped) == 2
