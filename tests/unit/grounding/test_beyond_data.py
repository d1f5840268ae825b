"""What an answer from data may not say whatever the words, and what it may: sentences of tests/fixtures/claims.tsv."""

import re
from pathlib import Path

import pytest

from services.contract.drops import DropReason
from services.grounding.claims.check import PermittedClaims
from services.synthesizer.gate import Gate
from tests.unit.grounding.test_one_checker import _of_answer

_LINES = (Path(__file__).parents[2] / "fixtures" / "claims.tsv").read_text("utf-8").splitlines()
_DIGIT = re.compile(r"[0-9⁰-⁹¹²³^]")
_ROWS = tuple(tuple(line.split("\t")) for line in _LINES if not line.startswith("#"))


def _wrong(sentence: str, what: str = "share") -> bool:
    locale = "ko" if any("가" <= mark <= "힣" for mark in sentence) else "en"
    return _of_answer(what, locale).judge(sentence).wrong is not None


def _told(sentence: str) -> str:
    gate = Gate(_of_answer("share", "ko").judge)
    return gate.feed(sentence) + gate.finish()


def _of(kind: str) -> tuple[tuple[str, ...], ...]:
    """Returns the sentences of a kind, each with what the data is about where that is no share."""
    return tuple(row[1:] for row in _ROWS if row[0] == kind)


def test_no_lie_passes() -> None:
    """Acts, futures, the best of all, promises, sources, figures in words and articles, in wordings of two days."""
    assert [row for row in _of("lie") if not _wrong(*row)] == []


def test_what_is_true_of_data_stays() -> None:
    """What an answer says of its figures, of itself and of what it does not know is no claim."""
    assert [row for row in _of("truth") if _wrong(*row)] == []


def test_nothing_of_a_mark_is_told() -> None:
    """A mark of a source is no text, whatever its brackets: it goes, or the sentence goes that it stands in."""
    assert [told for sentence, *_ in _of("mark") if _DIGIT.search(told := _told(sentence))] == []


@pytest.mark.parametrize(
    ("told", "again", "other"),
    [
        (
            "한국은행이 10월에 기준금리를 동결하고 성명을 발표했습니다.",
            "성명이 발표되었습니다.",
            "성명이 철회되었습니다.",
        ),
        (
            "The bank published a statement and replaced its chair.",
            "The chair was replaced.",
            "The chair was arrested.",
        ),
    ],
)
def test_what_an_agent_tells_as_happened_may_be_told(told: str, again: str, other: str) -> None:
    """An event of the data is told by an agent's line; another one is not."""
    permitted = PermittedClaims((told,), ())
    assert permitted.false_in(again, of_data=True) is None
    claim = permitted.false_in(other, of_data=True)
    assert claim is not None
    assert claim.reason is DropReason.UNKNOWN_ACT


def test_general_knowledge_tells_of_the_world() -> None:
    """What has happened, and what is certain, may be said where no data is asked for."""
    for sentence in (
        "세종대왕이 한글을 만들었습니다.",
        "물은 반드시 100도보다 낮은 곳에서 언다는 법은 없습니다.",
        "Newton described gravity.",
    ):
        assert PermittedClaims((), ()).false_in(sentence) is None
