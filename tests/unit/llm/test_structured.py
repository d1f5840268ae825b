"""Reading a model's text: the documented rule, and that no malformed text ever gives a wrong value."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from prompts.fields import Confidence, ObjectText, PromptOutput, Reasoning
from prompts.orchestrator.tool_orchestration import Output as ToolChoice
from services.llm.formats import BRIEF_CHARS_MAX, instruction, strict_schema
from services.llm.model import FailureReason, ModelFailure
from services.llm.structured import read_answer


class Item(PromptOutput):
    """A line of an order."""

    sku: str = Field(max_length=20)
    """Its code."""
    note: str
    """What was said about it."""


class Answer(PromptOutput):
    """An order as a model writes it."""

    route: str = Field(max_length=20)
    """Where it goes."""
    urgent: bool
    """Whether it hurries."""
    items: tuple[Item, ...]
    """Its lines."""
    confidence: Confidence = None
    """How sure."""


TRUTH: dict[str, Any] = {
    "route": "refunds",
    "urgent": False,
    "items": [{"sku": "B-2", "note": '그대로,} "따옴표" 둠'}, {"sku": "B-3", "note": "<think>{}</think>"}],
    "confidence": 0.85,
}
TEXT = json.dumps(TRUTH, ensure_ascii=False)
EXPECTED = Answer.model_validate(TRUTH)


def outcome(text: str, output: type[PromptOutput] = Answer, finish_reason: str = "stop") -> PromptOutput | str:
    """Return the answer, or the failure's reason."""
    try:
        return read_answer(text, finish_reason, output)
    except ModelFailure as failure:
        return failure.reason


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"알겠습니다. {{주문}}을 보면 [1] 다음과 같습니다: {TEXT} 도움이 되었나요?",
        f'<think>{{"route": "orders"}} 아니다</think>\n{TEXT}',
        f'사용자는 {{"route": "orders", "urgent": true, "items": []}}를 원한다</think>\n{TEXT}',
        f"<THINKING>{TEXT.replace('refunds', 'orders')}</THINKING>{TEXT}",
        f'{{"type": "object", "properties": {{}}}} {TEXT}',
        f"{TEXT} 참고: {TEXT.replace('refunds', 'orders')}",
        TEXT.replace("}]", "},]").replace("0.85}", "0.85,\n}"),
        json.dumps(TEXT),
        TEXT.replace("0.85", '"85%"'),
        TEXT.replace("0.85", '"0.85"'),
    ],
)
def test_what_surrounds_the_object_does_not_matter(text: str) -> None:
    """Fences, prose, thoughts, an echoed schema, a later object, trailing commas and a string layer do not matter."""
    assert outcome(text) == EXPECTED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", FailureReason.OUTPUT_INVALID),
        ("모르겠습니다.", FailureReason.OUTPUT_INVALID),
        ("null", FailureReason.OUTPUT_INVALID),
        (f"[{TEXT}]", FailureReason.OUTPUT_INVALID),
        (f'{{"answer": {TEXT}}}', FailureReason.OUTPUT_INVALID),
        (f"{{answer: {TEXT}}}", FailureReason.OUTPUT_INVALID),
        (json.dumps(json.dumps(TEXT)), FailureReason.OUTPUT_TRUNCATED),
        (TEXT.replace('"', "'"), FailureReason.OUTPUT_INVALID),
        (TEXT.replace('"route": "refunds"', '"route": "refunds", "route": "orders"'), FailureReason.OUTPUT_INVALID),
        (TEXT.replace("false", "False"), FailureReason.OUTPUT_INVALID),
        (TEXT.replace("false", '"false"'), FailureReason.OUTPUT_INVALID),
        (TEXT.replace("false", "0"), FailureReason.OUTPUT_INVALID),
        (TEXT.replace("false", "null"), FailureReason.OUTPUT_INVALID),
        (TEXT.replace('"refunds"', "NaN"), FailureReason.OUTPUT_INVALID),
        (TEXT.replace('"refunds"', "7"), FailureReason.OUTPUT_INVALID),
        (TEXT.replace('"refunds"', '"' + "x" * 21 + '"'), FailureReason.OUTPUT_INVALID),
        (TEXT.replace('"refunds",', "// why\n"), FailureReason.OUTPUT_INVALID),
        (TEXT.replace('"refunds",', '"refunds",,'), FailureReason.OUTPUT_INVALID),
        (TEXT.replace('"items": [', '"items": [,'), FailureReason.OUTPUT_INVALID),
        (TEXT.replace("]", "}"), FailureReason.OUTPUT_INVALID),
        (TEXT[:-1] + ', "extra": 1}', FailureReason.OUTPUT_INVALID),
        (f"<reasoning>끝나지 않은 생각 {TEXT}", FailureReason.OUTPUT_TRUNCATED),
        (f"{TEXT} 그리고 {TEXT[:30]}", FailureReason.OUTPUT_TRUNCATED),
        ('{"a":' * 40 + "1" + "}" * 40, FailureReason.OUTPUT_INVALID),
        ("{" * 100_000, FailureReason.OUTPUT_INVALID),
        ('{"route": ' + "9" * 5_000 + "}", FailureReason.OUTPUT_INVALID),
        ("x" * 300_000 + TEXT, FailureReason.OUTPUT_INVALID),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_not_the_answer_is_refused_with_its_reason(text: str, reason: FailureReason) -> None:
    """Wrappers, lists, other notations, doubled keys, other types and cut text are never read as an answer."""
    assert outcome(text) == reason


def test_a_text_cut_anywhere_is_refused() -> None:
    """Of every proper prefix of an answer none is read, whatever finish_reason the endpoint states."""
    whole = [cut for cut in range(len(TEXT)) if isinstance(outcome(TEXT[:cut]), PromptOutput)]
    assert whole == []


STRINGS = [(match.start(), match.end()) for match in re.finditer(r'"(?:[^"\\]|\\.)*"', TEXT)]
CLOSING_QUOTES = {end - 1 for _, end in STRINGS}


def _structural_positions() -> list[int]:
    strings = [range(start + 1, end - 1) for start, end in STRINGS]
    return [at for at, mark in enumerate(TEXT) if mark in '{}[]":,' and not any(at in inside for inside in strings)]


def test_a_lost_or_doubled_mark_never_changes_a_value() -> None:
    """Without or with twice any one of its braces, quotes, colons and commas the text is refused or reads as it was."""
    damaged = [TEXT[:at] + TEXT[at + 1 :] for at in _structural_positions()]
    damaged += [TEXT[:at] + TEXT[at] + TEXT[at:] for at in _structural_positions()]
    outside = [at for at in _structural_positions() if at not in CLOSING_QUOTES]
    damaged += [TEXT[:at] + mark + TEXT[at:] for at in outside for mark in '{}[],":0x']
    wrong = [text for text in damaged if not (outcome(text) == EXPECTED or isinstance(outcome(text), str))]
    assert len(damaged) > 300
    assert wrong == []


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*'{}[]":,<>/\\ \n05.aé값', "```", "<think>", "</think>", "null", "NaN"]), max_size=40))
def test_no_text_at_all_raises_anything_else(tokens: list[str]) -> None:
    """Whatever a model writes, it is an answer inside the schema or a ModelFailure; here never an answer."""
    assert outcome("".join(tokens)) in (FailureReason.OUTPUT_INVALID, FailureReason.OUTPUT_TRUNCATED)


@settings(max_examples=200)
@given(st.text(alphabet=st.characters(exclude_characters='{}[]<>"', exclude_categories=["Cs"]), max_size=80))
def test_any_prose_around_leaves_the_answer_alone(prose: str) -> None:
    """Prose without brackets or quotes before and after never changes what is read."""
    assert outcome(f"{prose}{TEXT}{prose}") == EXPECTED


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("0.85", 0.85),
        ("0", 0.0),
        ("1", 1.0),
        ('"85%"', 0.85),
        ('"85.5 %"', 0.855),
        ('"100%"', 1.0),
        ('".5"', 0.5),
        ("85", None),
        ('"85"', None),
        ('"0,85"', None),
        ('"높음"', None),
        ("NaN", None),
        ("Infinity", None),
        ("1e999", None),
        ("1.7", None),
        ("-0.2", None),
        ("true", None),
        ("null", None),
        ("[0.9]", None),
        ('"150%"', None),
        ('"²"', None),
    ],
)
def test_a_confidence_is_read_or_unknown_never_guessed(raw: str, expected: float | None) -> None:
    """Only a number on the scale or a percentage is a confidence; all else is unknown, and the answer still stands."""
    answer = read_answer(TEXT.replace("0.85", raw), "stop", Answer)
    assert answer.confidence == expected


def test_a_missing_confidence_is_unknown() -> None:
    """A model that states no confidence leaves it unknown."""
    answer = read_answer(TEXT.replace(', "confidence": 0.85', ""), "stop", Answer)
    assert answer.confidence is None


def choice(arguments: str) -> str:
    """Return a tool choice with the given JSON for its arguments."""
    call = f'{{"tool": "list_orders", "arguments": {arguments}}}'
    return f'{{"calls": [{call}], "skipped": [], "confidence": 0.9, "reasoning": "r"}}'


@pytest.mark.parametrize("arguments", ['{"from": "2026-01-01"}', '"{\\"from\\": \\"2026-01-01\\"}"'])
def test_arguments_are_decoded_once(arguments: str) -> None:
    """An object and an object encoded once as text are the same arguments."""
    answer = read_answer(choice(arguments), "stop", ToolChoice)
    assert answer.calls[0].arguments == '{"from":"2026-01-01"}'


@pytest.mark.parametrize(
    "arguments",
    [
        "null",
        '["2026-01-01"]',
        '"not json"',
        '""',
        '"null"',
        '"[]"',
        "true",
        '"{\\"a\\": 1, \\"a\\": 2}"',
        '"{\\"a\\": NaN}"',
    ],
)
def test_arguments_that_are_no_object_are_never_read_as_none(arguments: str) -> None:
    """Null, lists, words, doubled keys and text encoded twice are refused: {} would mean "all of them"."""
    assert outcome(choice(arguments), ToolChoice) == FailureReason.OUTPUT_INVALID


def test_commas_are_not_mended_where_a_side_effect_may_follow() -> None:
    """A tool choice with a trailing comma is asked again, not repaired."""
    assert outcome(choice('{"quantity": 1,}'), ToolChoice) == FailureReason.OUTPUT_INVALID


def test_a_strict_schema_is_closed_and_free_of_references() -> None:
    """The schema for constrained endpoints requires every property, closes every object, has no limit or reference."""

    class Holder(PromptOutput):
        """Holds."""

        answers: tuple[Answer, ...] = Field(max_length=3)
        """Some."""
        arguments: ObjectText
        """An object."""

    schema = strict_schema(Holder)
    text = json.dumps(schema)
    inner = schema["properties"]["answers"]["items"]
    assert inner["required"] == ["route", "urgent", "items", "confidence"]
    assert inner["additionalProperties"] is schema["additionalProperties"] is False
    unwanted = ("$ref", "$defs", "maxLength", "maxItems", "default", "title")
    assert [word for word in unwanted if f'"{word}"' in text] == []
    assert schema["properties"]["arguments"]["type"] == "string"


def test_a_brief_schema_bounds_what_nothing_is_decided_by() -> None:
    """Where a server keeps lengths it is given those of reasons and lists, and of no text that decides."""

    class Reasoned(PromptOutput):
        """Says why."""

        words: str = Field(max_length=4_000)
        """What counts."""
        items: tuple[str, ...] = Field(max_length=3)
        """Some."""
        reasoning: Reasoning
        """Why."""

    properties = strict_schema(Reasoned, is_brief=True)["properties"]
    assert properties["reasoning"]["maxLength"] == BRIEF_CHARS_MAX
    assert properties["items"]["maxItems"] == 3
    assert "maxLength" not in properties["words"]
    assert "maxLength" not in str(strict_schema(Reasoned))


@pytest.mark.parametrize("locale", ["ko", "en"])
def test_the_words_that_ask_for_the_shape_hold_the_schema_and_say_json(locale: Any) -> None:
    """Where a format is asked for in words, the full schema with its limits is there, and the word JSON."""
    words = instruction(Answer, locale)
    assert json.loads(words.partition("\n")[2]) == Answer.json_schema()
    assert "JSON" in words.partition("\n")[0]
