"""Verdicts on whole answers: what a text says, what a row wants of it, and what comes of a conversation."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from services.cli.evaluation.answers import said
from services.cli.evaluation.answers.checks import Check, UnjudgeableError, met
from services.cli.evaluation.answers.verdicts import judged, opening_of


@pytest.fixture
def data() -> Iterator[sqlite3.Connection]:
    """Two homes and their prices."""
    connection = sqlite3.connect(":memory:")
    connection.execute("create table homes (name text, other text, price integer, share float)")
    connection.execute("insert into homes values ('가람', 'Garam', 320000000, 4.5), ('나래', 'Narae', 151000000, 61.7)")
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        ("3억 1,500만 원입니다", {315_000_000}),
        ("2억5천에 나왔어요", {250_000_000}),
        ("3억1,500이면", {315_000_000}),
        ("8조 5,808억 원", {8_580_800_000_000}),
        ("121만 1,961원씩", {1_211_961}),
        ("KRW 1,220,000,000 or 2.5 billion won", {1_220_000_000, 2_500_000_000}),
        ("₩350m", {350_000_000}),
        ("17,300원", {17_300}),
    ],
)
def test_sums_in_won_are_read_however_they_are_written(text: str, sums: set[int]) -> None:
    """Korean units, digits, short forms and English words."""
    assert sums <= {round(one) for one in said.won(text)}


def test_dollars_percentages_and_numbers() -> None:
    """Each in both languages, with the sign where it is written."""
    assert said.dollars("$186.00, 2.5 billion dollars, 1만 5천 달러") == [186.0, 2_500_000_000.0, 15_000.0]
    assert said.percentages("−0.59 %, 4.5%p, 3 percent, +7프로") == [-0.59, 4.5, 3.0, 7.0]
    assert {12_400.0, 3.5, 250_000_000.0} <= set(said.numbers("12,400점, -3.5배, 2억 5,000만"))


@pytest.mark.parametrize(
    ("check", "text", "is_met"),
    [
        ({"any": ["^\\W*아니", "no\\b"]}, "아니요, 넘습니다.", True),
        ({"any": ["^\\W*아니"]}, "네, 아니지요.", False),
        ({"krw": 315_000_000}, "3억 1,500만 원까지", True),
        ({"krw": 315_000_000, "tol": 0.001}, "3억 1,600만 원까지", False),
        ({"percent": 6.67, "tol": 0.05}, "6.7 % 올랐습니다", True),
        ({"percent": -1.8}, "1.8% 내렸습니다", True),
        ({"percent": -1.8, "signed": True}, "1.8% 올랐습니다", False),
        ({"usd": 186}, "It closed at $186.00.", True),
        ({"number": 12_400}, "12,400점", True),
        ({"or": [{"krw": 1}, {"any": ["셋"]}]}, "셋입니다", True),
        ({"sql": "select price from homes", "unit": "krw"}, "3억 2,000만 원과 1억 5,100만 원", True),
        ({"sql": "select price from homes", "unit": "krw"}, "3억 2,000만 원", False),
        ({"sql_any": "select price from homes", "unit": "krw"}, "3억 2,000만 원", True),
        ({"sql": "select name, other from homes", "unit": "text"}, "가람 and narae", True),
        ({"sql_any": "select share from homes", "unit": "percent"}, "61.7%", True),
    ],
)
def test_what_a_check_wants(check: Check, text: str, is_met: bool, data: sqlite3.Connection) -> None:
    """Patterns, figures within their tolerance, and the rows of a query: all of them, or one."""
    assert met(check, text, data) is is_met


def test_a_query_without_rows_cannot_be_judged(data: sqlite3.Connection) -> None:
    """Neither is a right answer taken for wrong nor a wrong one for right."""
    with pytest.raises(UnjudgeableError):
        met({"sql": "select price from homes where price < 0", "unit": "krw"}, "0원", data)
    row = {"locale": "ko", "opening": [{"sql": "select nothing from homes", "unit": "krw"}]}
    verdict = judged(row, ["0원"], data)
    assert (verdict.answers, verdict.clean) == (False, False)
    assert "cannot be judged" in verdict.missing[0]


def test_the_opening_is_the_first_paragraph_as_far_as_it_counts() -> None:
    """350 characters in Korean, 600 in English."""
    assert opening_of("첫 단락\n둘째 줄\n\n둘째 단락", "ko") == "첫 단락\n둘째 줄"
    assert [len(opening_of("x" * 900, locale)) for locale in ("ko", "en")] == [350, 600]


WANTED: dict[str, Any] = {
    "locale": "ko",
    "opening": [{"any": ["^네"]}],
    "answer": [{"krw": 100}],
    "never": [{"any": ["아마"]}],
    "never_opening": [{"any": ["참고"]}],
    "max_chars": 30,
}


@pytest.mark.parametrize(
    ("answer", "answers", "clean"),
    [
        ("네.\n\n참고: 100원", True, True),
        ("아니요. 100원", False, True),
        ("네. 90원", False, True),
        ("네, 아마 100원", True, False),
        ("네, 참고로 100원", True, False),
        ("네. 100원" + "." * 30, True, False),
    ],
)
def test_a_verdict(answer: str, answers: bool, clean: bool, data: sqlite3.Connection) -> None:
    """It answers where nothing is missing and is clean where nothing is too much; right is both."""
    verdict = judged(WANTED, [answer], data)
    assert (verdict.answers, verdict.clean, verdict.right) == (answers, clean, answers and clean)


def test_earlier_turns_and_the_data_afterwards(data: sqlite3.Connection) -> None:
    """A question back, an earlier answer and the state of the data count as the last answer does."""
    row: dict[str, Any] = {
        "locale": "en",
        "turn_checks": {"0": {"asks": True}},
        "after": [
            {"sql": "select count(*) from homes", "equals": 2},
            {"sql": "select share from homes", "equals": 4.5},
        ],
    }
    assert judged(row, ["Which one?", "Done."], data).right
    assert judged(row, ["Fine.", "Done."], data).missing == ("turn 0 did not ask back",)
    data.execute("delete from homes where name = '나래'")
    assert judged(row, ["Which one?", "Done."], data).missing == ("after: select count(*) from homes is 1, not 2",)
