"""What the gate releases of a streamed text, and when."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contract.drops import DropReason
from services.grounding.grounds import Grounds
from services.grounding.sentences import sentences
from services.synthesizer.gate import UNENDED_MAX, Gate
from tests.unit.synthesizer.answer_parts import equity, macro, request

SECONDS_MAX = 1.0
"""Eight thousand characters of a model take less than so much; it was nine seconds and more for articles of law."""
_GROUNDS = Grounds.of(request([equity(), macro()]))
_ENGLISH = Grounds.of(request([equity("en"), macro("en")], locale="en"))


def _gate(grounds: Grounds = _GROUNDS) -> Gate:
    return Gate(grounds.judge)


def _through(gate: Gate, text: str, size: int) -> list[str]:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return [*(gate.feed(piece) for piece in pieces), gate.finish()]


@pytest.mark.parametrize(
    "sentence",
    [
        "실업률은 7.7%입니다.",
        "실업률은 4.2%입니다.",
        "실업률은 4.1%p입니다.",
        "애플 종가는 262.1원입니다.",
        "애플 실업률은 4.1%입니다.",
        "미국 실업률은 0.81%입니다.",
        "애플 종가는 262.2달러입니다.",
        "애플 종가는 2026년 11월 20일 기준입니다.",
        "거래량은 6천만주입니다.",
        "수익률은 삼 퍼센트입니다.",
        "주가가 0.81% 떨어질 12월 5일을 보세요.",
        "최대 낙폭은 +12.5%입니다.",
        "최근 골든크로스가 나타났습니다.",
        "데드크로스가 곧 옵니다.",
        "지금 매수하세요.",
        "지금이 살 때입니다.",
        "얼른 파세요.",
        "진입하는 것이 좋습니다.",
        "자세한 내용은 ev-00aa11에 있습니다.",
        "finance.equity가 계산했습니다.",
        "equity_prices 도구의 결과입니다.",
        "US:AAPL 기준입니다.",
        "주택임대차보호법 제7조의2에 따릅니다.",
        "값은 1.2.3입니다.",
        "값은 ４２％입니다.",
        "환율은 1,380.5원입니다.",
    ],
)
@pytest.mark.parametrize("size", [1, 4, 1_000])
def test_what_no_row_supports_does_not_pass(sentence: str, size: int) -> None:
    """Invented figures, units, dates, signals, articles, orders and ids are dropped and counted; neighbours stay."""
    gate = _gate()
    shown = "".join(_through(gate, f"미국 실업률은 4.1%입니다. {sentence} 흐름을 지켜볼 만합니다.", size))
    assert len(gate.dropped) == 1
    assert shown.startswith("미국 실업률은 4.1%입니다. ")
    assert shown.endswith("흐름을 지켜볼 만합니다.")
    middle = shown.removeprefix("미국 실업률은 4.1%입니다. ").removesuffix("흐름을 지켜볼 만합니다.").strip()
    assert middle == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "Unemployment was 7.7%.",
        "Apple closed at KRW 262.1.",
        "Apple is at $999.",
        "Apple is at 999 dollars, and the rate was 4.1%.",
        "It rose seven percent.",
        "The close of November 20, 2026 was $262.1.",
        "A golden cross appeared.",
        "You should buy now.",
        "Buy Apple today.",
        "It is a strong buy.",
        "I recommend that you sell.",
        "See general.general_knowledge for this.",
    ],
)
@pytest.mark.parametrize("size", [1, 5, 1_000])
def test_what_no_row_supports_does_not_pass_in_english(sentence: str, size: int) -> None:
    """The same in English, number words included."""
    gate = _gate(_ENGLISH)
    shown = "".join(_through(gate, f"The rate was 4.1%. {sentence} That is all.", size))
    # Nor any part of it: "Apple is at" without its figure would be worse than nothing.
    assert (len(gate.dropped), shown) == (1, "The rate was 4.1%. That is all.")


@pytest.mark.parametrize(
    "text",
    [
        "미국 실업률은 2026년 10월 4.1%로, 전월보다 0.2%p 내렸습니다. 애플 종가는 약 262달러입니다.",
        "애플의 최대 낙폭은 12.5%로 하락했습니다.\n\n1. 관련 지표를 비교해 보세요.\n2. 기간을 늘려 보세요.",
        "이 답은 매수를 권하지 않습니다. 이 자료는 예시입니다. 만약 흐름이 바뀌면 다시 확인해 보세요.",
        "단기 추세는 상승입니다. 거래량은 51,000,200주였습니다.",
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_what_the_rows_hold_passes_unchanged(text: str, size: int) -> None:
    """However the text is cut, it arrives as it was written."""
    gate = _gate()
    assert text == "".join(_through(gate, text, size))
    assert gate.dropped == []


def test_a_sentence_goes_out_when_it_is_whole() -> None:
    """Nothing of a sentence goes before its check: half of it may say something else than the whole."""
    gate = _gate()
    assert gate.feed("미국 고용은 안정적이고 ") == ""
    assert gate.feed("실업률은 4.1%입니다.") == ""
    assert gate.feed(" 그리고") == "미국 고용은 안정적이고 실업률은 4.1%입니다. "
    assert gate.feed(" 물가도 봅니다.") == ""
    assert gate.finish() == "그리고 물가도 봅니다."


def test_what_was_said_is_not_said_again_and_a_text_has_an_end() -> None:
    """A sentence twice, and all beyond a length, stay out with their reasons."""
    gate = Gate(_GROUNDS.judge, length_max=60)
    _through(
        gate,
        "고용은 안정적입니다. 고용은  안정적입니다! "
        + " ".join(f"자료를 {word}번 봅니다." for word in "일이삼사오육칠"),
        7,
    )
    assert len(gate.text) <= 60
    assert [one.reason for one in gate.dropped][:1] == [DropReason.REPEATED]
    assert {one.reason for one in gate.dropped[1:]} == {DropReason.TOO_LONG}


@pytest.mark.timed
@pytest.mark.parametrize("piece", ["제1조 ", "1%, ", " ", "[1", "애플 262달러 ", "which is ", "가, "])
def test_a_model_that_writes_without_end_takes_no_time(piece: str) -> None:
    """What is too long for a sentence is not read, and no mark is looked for twice at one place."""
    begin = process_time()
    _through(_gate(), (piece * UNENDED_MAX)[: 2 * UNENDED_MAX], 1_000)
    assert process_time() - begin < SECONDS_MAX


def test_a_text_without_an_end_is_not_held_for_ever() -> None:
    """What goes on and on is dropped piece by piece, so that no model fills the memory."""
    gate = _gate()
    for _ in range(200):
        assert gate.feed("끝나지 않는 말 " * 20) == ""
    assert len(gate._written) <= UNENDED_MAX + 200
    assert gate.text == ""


@pytest.mark.parametrize(
    "mark", ["[2]", "[1, 2]", "【2】", "【2†source】", "［２］", "[^2]", "[[2]]", "[출처 2]", "[source 2]", "⟦2⟧", "²"]
)
def test_no_form_of_a_mark_is_shown(mark: str) -> None:
    """Whatever brackets a model puts around its numbers, before the full stop or behind it."""
    for text in (f"고용은 안정적입니다{mark}. 그렇습니다.", f"고용은 안정적입니다. {mark} 그렇습니다."):
        assert "".join(_through(_gate(), text, 3)).split() == ["고용은", "안정적입니다.", "그렇습니다."]


def test_marks_choose_the_evidence_and_are_not_shown() -> None:
    """A reader gets no positions; a mark behind the full stop belongs to the sentence before it."""
    gate = _gate()
    shown = "".join(_through(gate, "고용은 안정적입니다 [2]. 실업률은 4.1%입니다.[1] 그렇습니다. [2, 3]", 2))
    assert shown == "고용은 안정적입니다. 실업률은 4.1%입니다. 그렇습니다."
    assert [kept.marks for kept in gate.kept] == [(2,), (1,), (2, 3)]
    assert [kept.verdict.evidence_ids for kept in gate.kept] == [(), ("ev-00bb22",), ()]


def test_a_shifted_mark_does_not_move_the_citation() -> None:
    """The evidence is the one that holds the figure, whatever the model wrote behind it."""
    gate = _gate()
    _through(gate, "애플 종가는 262.1달러입니다 [2].", 1_000)
    assert gate.kept[0].verdict.evidence_ids == ("ev-00aa11",)


def test_a_text_that_breaks_off_ends_without_what_was_held() -> None:
    """A begun sentence is never shown."""
    gate = _gate()
    assert gate.feed("미국 실업률은 4.1%입니다. 다음 발표는 12") + gate.cut() == "미국 실업률은 4.1%입니다. "


@given(st.text(alphabet="가나다라 .!?\n4.1%[]1abc,이만 U.S", max_size=80), st.integers(min_value=1, max_value=7))
def test_how_a_text_is_cut_does_not_change_what_is_kept(text: str, size: int) -> None:
    """The sentences that pass, their verdicts and the count of those that do not depend on the text alone."""
    whole, pieces = _gate(), _gate()
    _through(whole, text, 1_000)
    shown = _through(pieces, text, size)
    assert "".join(shown) == pieces.text
    assert (whole.kept, whole.dropped) == (pieces.kept, pieces.dropped)


@given(st.text(max_size=80))
def test_sentences_are_the_text(text: str) -> None:
    """Splitting loses nothing and adds nothing."""
    assert "".join(sentences(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("하나입니다. 둘입니다.", ("하나입니다. ", "둘입니다.")),
        ("U.S. data of Nov. 26, 2026 is in. Next.", ("U.S. data of Nov. 26, 2026 is in. ", "Next.")),
        ("값은 4.1%입니다. 2026. 11. 26. 기준", ("값은 4.1%입니다. ", "2026. 11. 26. ", "기준")),
        ("1. 먼저\n2. 다음", ("1. 먼저\n", "2. 다음")),
        ("끝났습니다.다음입니다.", ("끝났습니다.", "다음입니다.")),
    ],
)
def test_a_point_is_not_always_an_end(text: str, expected: tuple[str, ...]) -> None:
    """Numbers, abbreviations, dates and list numbers go on."""
    assert expected == sentences(text)
