"""Reading a contract takes a time that grows with its length, whatever somebody has written into it."""

import gc
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from math import inf
from time import process_time

import pytest

from services.contract.flow import Attachment
from services.domains.realty.agents.contract_text import Contract
from services.domains.realty.agents.given import QuestionGiven
from services.domains.realty.agreements.clauses import review
from services.domains.realty.agreements.sections import sections_of
from services.domains.realty.agreements.terms import form_of, terms_in
from services.domains.realty.asks.papers import attached, contracts
from services.plugin.asks.sheet import Sheet
from services.plugin.findings import Asking

pytestmark = [pytest.mark.timed, pytest.mark.xdist_group("timed")]

DOUBLINGS = 3
"""The longer text is the shorter one doubled so often: one step alone is lost in the noise of a machine."""
RATIO_MAX = 2.3
"""Twice the text takes at most so many times as long, in the mean of these steps."""
SECONDS_MIN = 0.05
"""What takes less is not worth a ratio."""
TRIES = 5
"""So often it is measured again what has taken too long, for a machine may have been busy."""
FILE_LENGTH = 4_000
"""Some of what all files of a question may say: long enough for a square to show."""
HEAD = "임대차 계약서. 제1조(목적물) 임대인은 임차인에게 집을 빌려준다. 임차인은 보증금 1억원을 지급한다.\n"
"""What makes a contract of anything behind it."""
MESSAGE_LENGTH = 4_000
"""The longest message."""
PIECES = {
    "clauses": "제1조(차임) 임차인은 매월 차임 50만원을 지급한다. ",
    "one clause again and again": "제3조 수선은 임차인이 부담한다.\n",
    "labels": "제1조 ",
    "list": "1. 가나다라마바\n",
    "brackets": "제1조(가나다",
    "parties": "갑은 을에게 ",
    "no end of a sentence": "임차인은 보증금을 돌려받지 못하며 ",
    "noes": "않고 못하며 없이 ",
    "english noes": "the tenant shall not waive any ",
    "english conditions": "if the landlord unless the tenant ",
    "quotes": "'임차인 ",
    "opened and closed quotes": "“임차인은 차임을 낸다” ",
    "colons": "보증금: ",
    "days": "2026년 12월 1일부터 ",
    "relative days": "같은 해 11월 30일 ",
    "sums": "보증금 1억 5천만원 중 ",
    "digits": "7",
    "commas": ",",
    "points": "다. ",
    "lines": "\n",
    "spaces": " \t",
    "names": "임대인 김철수 ",
    "address": "주소 ",
    "special terms": "특약으로 ",
    "account": "계좌 1234567890-",
    "places": "서울 마포구 공덕동 ",
    "english names": "Mr Kim Min Su ",
    "percent": "5% 인상하고 ",
    "tenths": "3할 ",
}


def _asking(text: str) -> Asking:
    return Asking(text, "ko", datetime(2026, 11, 28, 3, tzinfo=UTC), "Asia/Seoul", "CONTRACT_REVIEW", (), (), ())


def _sheet(text: str, *files: Attachment) -> Sheet:
    return Sheet(text, "ko", date(2026, 11, 28), (), attached=files)


def _of_a_file(text: str, words: str) -> None:
    attached.read(_sheet(words, Attachment("계약서.txt", "text/plain", b"", text, (), "d")), ())


READERS: dict[str, tuple[int, Callable[[str], object]]] = {
    "a review": (FILE_LENGTH, review),
    "its clauses": (FILE_LENGTH, sections_of),
    "a file": (FILE_LENGTH, lambda text: _of_a_file(text, "이 계약서 검토해줘")),
    "a clause of a file": (FILE_LENGTH, lambda text: _of_a_file(text, "제3조는 어때?")),
    "a matter in a file": (FILE_LENGTH, lambda text: _of_a_file(text, "수선비는 누가 내나요?")),
    "what an agent is given": (MESSAGE_LENGTH, lambda text: Contract.of(_asking(text), QuestionGiven(text))),
    "a pasted contract": (MESSAGE_LENGTH, lambda text: contracts.read(_sheet(f"이 계약 봐줘: {text}"), ())),
    "terms of a draft": (MESSAGE_LENGTH, lambda text: terms_in(text, form_of(text))),
}


def _seconds(read: Callable[[str], object], text: str) -> float:
    begin = process_time()
    read(text)
    return process_time() - begin


def _slow(read: Callable[[str], object], piece: str, longest: int) -> str:
    """Returns the times that a short and a long text take, the least of some; empty where all is well."""
    short = long = inf
    text = HEAD + piece * (longest // len(piece) + 1)
    for less in range(TRIES):
        # Each text is a new one.
        short = min(short, _seconds(read, text[: longest // 2**DOUBLINGS - less]))
        long = min(long, _seconds(read, text[: longest - less]))
        if long < max(SECONDS_MIN, RATIO_MAX**DOUBLINGS * short):
            return ""
    return f"{short:.3f} s, {long:.3f} s"


@pytest.fixture(autouse=True)
def without_collecting() -> Iterator[None]:
    """Looks for no garbage meanwhile, which takes its time when it likes."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("reader", READERS)
def test_twice_the_contract_takes_twice_the_time(reader: str) -> None:
    """No reader looks at the whole text again for each thing that it finds in it, whatever the text is made of."""
    length, read = READERS[reader]
    read(HEAD)
    slow = {name: told for name, piece in PIECES.items() if (told := _slow(read, piece, 2 * length))}
    assert slow == {}
