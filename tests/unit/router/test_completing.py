"""A message that completes what was left open before it is read with it as one."""

from datetime import UTC, datetime

from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.contract.asks import AnswerState, AskAnswer, AskedBefore, AskForm
from services.contract.flow import Speaker, Turn
from services.contract.router import RouteRequest
from services.plugin.asks.answering import Claim
from services.plugin.asks.sheet import Sheet
from services.router.completing import fuller, left_open, of_message
from tests.support.understanding import run_context

NOW = datetime(2026, 11, 27, 0, tzinfo=UTC)


def sheet_of(text: str) -> Sheet:
    """Return a text as the readers see it."""
    read = read_question(text, now=NOW, time_zone="Asia/Seoul")
    return Sheet(read.text, read.language, read.today, tuple(one for one in read.entities if one.end))


def claims(*messages: str) -> tuple[Claim, ...]:
    """Return what the last of some messages asks, read with the others as one."""
    return read_asks(sheet_of(". ".join(messages)), ())


def test_what_was_said_before_gives_what_the_message_lacks() -> None:
    """A deposit and a rent that were only stated are those of the change that is asked about."""
    first, said = "보증금 5천에 월세 60 내고 살아요", "보증금을 8천으로 올리면 월세는 얼마가 돼? 전환율 5%"
    joined = claims(first, said)
    alone = claims(said)
    (claim,) = (of_message(one, sheet_of(said), len(first) + 2) for one in fuller(alone, joined))
    roles = {one.role: one.value for one in claim.ask.quantities}
    assert (roles["deposit"], roles["rent"], roles["deposit_to"]) == ("50000000", "600000", "80000000")
    assert (claim.ask.words, claim.ask.end) == (said, len(said))
    assert all(one.end <= len(said) for one in claim.ask.quantities)


def test_an_edit_is_not_read_with_what_it_edits() -> None:
    """A number that replaces another would stand beside it."""
    first = "연봉 5천에 DSR 40이면 4%로 20년 빌릴 때 한도가 얼마야"
    before = [AskedBefore(tuple(one.ask for one in claims(first)))]
    edit = read_asks(sheet_of("25년으로 하면?"), before)
    assert fuller(edit, claims(first, "25년으로 하면?")) == edit


def test_a_message_that_says_all_is_left_alone() -> None:
    """Another question before it changes nothing in one that names what it is about."""
    alone = claims("카카오 주가 얼마야")
    assert fuller(alone, claims("음 글쎄", "카카오 주가 얼마야")) == alone


def test_a_question_left_open_stays_so_over_another_that_was_answered() -> None:
    """What is put in between and answered does not take the place that the first one asked for."""
    texts = ("아파트 매매 시세 알려줘", "전입신고는 언제까지 해야 돼?")
    history = tuple(Turn(speaker, text) for text in texts for speaker in (Speaker.USER, Speaker.ASSISTANT))
    answered = AskedBefore((), (AskAnswer("q1", AskForm.FACT, AnswerState.ANSWERED),))
    said = sheet_of("마포구요")

    def opened(*before: AskedBefore) -> tuple[str, ...]:
        asked = RouteRequest(run_context(), said.text, history, "", None, (), before)
        return left_open(said, asked, sheet_of)

    assert opened(answered, AskedBefore((), asked_slot="region")) == (texts[0],)
    assert opened(answered, answered) == ()
    (claim,) = fuller((), claims(texts[0], said.text))
    assert [one.words for one in claim.ask.subjects] == [said.text[:3]]


def test_an_answer_that_is_itself_ambiguous_settles_what_was_asked() -> None:
    """A city's name that a county bears too says which district was meant, and opens no question of its own."""
    first = "villa sale price in Buk-gu"
    before = [AskedBefore(tuple(one.ask for one in claims(first)))]
    (claim,) = fuller(read_asks(sheet_of("Gwangju"), before), claims(first, "Gwangju"), before)
    assert [one.value for one in claim.ask.subjects] == ["29170"]
