"""Sentences of a message that nobody read: they are told, and what is not served takes no part in the rest."""

from datetime import UTC, datetime

import pytest

from services.catalog.asks import read_asks
from services.catalog.loader import catalog
from services.plugin.asks.sheet import Sheet
from services.router.sight import Eye
from services.router.unread import not_served, told_unread, unread, without, without_trace
from services.router.weighing import Vote
from tests.unit.catalog.test_leaning_messages import sheet_of

NOW = datetime(2026, 11, 27, tzinfo=UTC)


@pytest.fixture(scope="module")
def eye() -> Eye:
    """Return what lets words vote."""
    return Eye(catalog())


def _missed(eye: Eye, text: str) -> tuple[Sheet, list[str], list[str]]:
    """Return what is left of a message to be read, what of it is not served, and what was not read."""

    def vote_on(part: str) -> Vote | None:
        return eye.vote_on_part(part, now=NOW, time_zone="Asia/Seoul", user_type="")

    said = sheet_of(text)
    refused = not_served(said, vote_on, catalog())
    left = without(said, refused)
    claims = read_asks(left, ())
    return left, [one.text for one in refused], [one.text for one in unread(left, claims, vote_on, catalog())]


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("세탁기 10kg 추천해줘. 관악구 월세도", "세탁기 10kg 추천해줘."),
        ("양천구 전세 얼마야? 식기세척기도 추천해줘", "식기세척기도 추천해줘"),
    ],
)
def test_a_request_of_another_domain_that_was_not_read_is_told(eye: Eye, text: str, missed: str) -> None:
    """Of two sentences the one that nobody read is not dropped without a word."""
    assert _missed(eye, text)[1:] == ([], [missed])


def test_what_is_not_served_lends_nothing_to_the_rest(eye: Eye) -> None:
    """A place that is named in what nobody here does is no place of the other question."""
    left, refused, _ = _missed(eye, "양천구 전세 얼마야? 속초 맛집도 추천해줘")
    assert refused == ["속초 맛집도 추천해줘"]
    (claim,) = read_asks(left, ())
    assert [one.value for one in claim.ask.subjects] == ["11470"]


@pytest.mark.parametrize(
    "text",
    [
        "집주인이 월세를 60에서 66으로 올리재요. 응해야 하나요?",
        "마우스 세 개 살 건데 전부 5만원까지야. 뭐가 좋아?",
        "안녕하세요. 양천구 전세 시세 알려주세요. 감사합니다",
        "Rent goes from 600,000 to 660,000 won on renewal. Do I have to agree?",
    ],
)
def test_a_sentence_that_goes_on_from_what_was_read_is_no_request_of_its_own(eye: Eye, text: str) -> None:
    """A verdict on what was said before, a greeting and thanks are not told as unread."""
    assert _missed(eye, text)[1:] == ([], [])


def test_what_is_told_unread_is_an_ask_that_nobody_answers() -> None:
    """It comes behind the asks that were read, in the person's own words."""
    said = sheet_of("양천구 전세 얼마야? 식기세척기도 추천해줘")
    claims = read_asks(said, ())
    (told,) = told_unread(said.clauses[1:], claims)
    assert (told.ask.ask_id, told.ask.answerer, told.ask.words) == ("q2", "", "식기세척기도 추천해줘")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("is the Korean base rate above the US one, and since when has it been?", ["since when has it been"]),
        ("why did Kia fall yesterday?", []),
    ],
)
def test_since_when_and_why_are_answered_or_told(text: str, left: list[str]) -> None:
    """A question of since when that changes nothing in what is read was not read."""
    said = sheet_of(text)
    found = without_trace(said, read_asks(said, ()), lambda sheet: read_asks(sheet, ()))
    assert [one.text for one in found] == left
