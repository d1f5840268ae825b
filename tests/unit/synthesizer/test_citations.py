"""Which evidence is cited, under which id, in which order."""

from services.synthesizer.citations import CITATIONS_MAX, citations
from tests.unit.synthesizer.answer_parts import evidence


def test_citations_bear_the_evidences_own_ids_in_the_order_of_first_use() -> None:
    """Ids are opaque: neither counted nor shifted, each once."""
    pieces = [evidence(name, [], title=f"문서 {name}") for name in ("alpha", "bravo", "charlie")]
    found = citations(["bravo", "alpha", "bravo", "charlie"], pieces)
    assert [(one.evidence_id, one.title) for one in found] == [
        ("bravo", "문서 bravo"),
        ("alpha", "문서 alpha"),
        ("charlie", "문서 charlie"),
    ]


def test_an_id_that_no_evidence_bears_is_not_cited() -> None:
    """A dangling id leads nowhere and is left out."""
    assert [one.evidence_id for one in citations(["x", "a"], [evidence("a", [])])] == ["a"]


def test_few_used_pieces_are_joined_by_unused_ones_up_to_three() -> None:
    """Three to ten where there are as many."""
    pieces = [evidence(name, []) for name in "abcde"]
    assert [one.evidence_id for one in citations(["c"], pieces)] == ["c", "a", "b"]
    assert len(citations([], pieces)) == 3
    assert citations([], []) == ()


def test_one_data_set_does_not_push_the_others_out() -> None:
    """With ten places, four go to a data set while another one waits, and free places are used."""
    many = [evidence(f"m{number}", [], dataset="many") for number in range(12)]
    few = [evidence(f"f{number}", [], dataset="few") for number in range(2)]
    found = [one.evidence_id for one in citations([piece.evidence_id for piece in (*many, *few)], [*many, *few])]
    assert len(found) == CITATIONS_MAX
    assert {"f0", "f1"} <= set(found)
    assert found == sorted(found, key=lambda name: (name.startswith("f"), int(name[1:])))
