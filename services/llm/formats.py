"""How a schema is put to an endpoint: as response_format where it takes one, else as words in the system message.

The strict subset of JSON Schema that constrained endpoints take has no references, no defaults and no limits, every
property is required and no object is open. Limits are checked by us afterwards in any case. An endpoint that keeps
lengths while it writes may be given those of what nothing is decided by: most of what a small model writes is that.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from prompts.fields import REASONING_CHARS_MAX, PromptOutput
from prompts.prompt import Locale
from services.llm.model import OutputMode

STEP_DOWN: Mapping[OutputMode, OutputMode] = {
    OutputMode.JSON_SCHEMA: OutputMode.JSON_OBJECT,
    OutputMode.JSON_OBJECT: OutputMode.TEXT,
}
"""What is tried when an endpoint refuses a mode."""

_KEYWORDS = ("type", "enum", "const", "description")

_INSTRUCTION: Mapping[Locale, str] = {
    "ko": "답은 아래 JSON Schema를 만족하는 JSON 객체 하나만 쓰세요. 설명, 코드 블록, 다른 글은 쓰지 마세요.",
    "en": "Answer with exactly one JSON object that satisfies this JSON Schema: no comment, no code fence.",
}
_REPAIR: Mapping[Locale, str] = {
    "ko": "방금 답은 쓸 수 없습니다. 문제: {problem}\n처음 요청에 대해 올바른 JSON 객체 하나만 다시 쓰세요.",
    "en": "That answer cannot be used. Problem: {problem}\nAnswer the request again with one valid JSON object.",
}
_SHORTER: Mapping[Locale, str] = {
    "ko": "방금 답은 길이 제한에서 잘렸습니다. 설명을 줄여 완전한 JSON 객체 하나를 처음부터 다시 쓰세요.",
    "en": "That answer was cut at its limit. Write the whole JSON object again from the start, with shorter texts.",
}


BRIEF_CHARS_MAX = 60
"""How long a reason may be where the endpoint is to be brief."""


@cache
def strict_schema(output: type[PromptOutput], *, is_brief: bool = False) -> dict[str, Any]:
    """Return the output's schema in the subset that constrained endpoints take; shared, so not to be changed.

    Where it is to be brief, reasons are short ones and lists no longer than is taken.
    """
    schema = output.json_schema()
    return _strict(schema, schema.get("$defs", {}), is_brief=is_brief)


def _strict(node: Mapping[str, Any], definitions: Mapping[str, Any], *, is_brief: bool) -> dict[str, Any]:
    if reference := node.get("$ref"):
        target = definitions[reference.rsplit("/", 1)[-1]]
        described = {key: node[key] for key in ("description",) if key in node}
        return _strict({**target, **described}, definitions, is_brief=is_brief)
    kept = {key: node[key] for key in _KEYWORDS if key in node}
    if is_brief:
        kept |= {key: node[key] for key in ("maxItems",) if key in node}
        if node.get("maxLength") == REASONING_CHARS_MAX:
            kept["maxLength"] = BRIEF_CHARS_MAX
    for union in ("anyOf", "allOf"):
        if union in node:
            kept[union] = [_strict(part, definitions, is_brief=is_brief) for part in node[union]]
    if "items" in node:
        kept["items"] = _strict(node["items"], definitions, is_brief=is_brief)
    if "properties" in node:
        properties = node["properties"].items()
        kept["properties"] = {name: _strict(part, definitions, is_brief=is_brief) for name, part in properties}
        kept["required"] = list(node["properties"])
        kept["additionalProperties"] = False
    return kept


@cache
def instruction(output: type[PromptOutput], locale: Locale) -> str:
    """Return the words that ask for the shape where the endpoint cannot be made to keep it."""
    schema = json.dumps(output.json_schema(), ensure_ascii=False, separators=(",", ":"))
    return f"{_INSTRUCTION[locale]}\n{schema}"


def repair_words(problem: str, *, truncated: bool, locale: Locale) -> str:
    """Return the message that asks once more and says what was wrong."""
    return _SHORTER[locale] if truncated else _REPAIR[locale].format(problem=problem)


TRIALS_MAX = 3
"""How often a refusal that names no cause is tried in a looser mode, in vain, for one model of an endpoint."""


class OutputModes:
    """The mode that each endpoint and model takes, learnt from its refusals; lives as long as the process."""

    def __init__(self, configured: str, *, is_brief: bool = False) -> None:
        """Start from the setting: auto means json_schema first."""
        self.is_brief = is_brief
        """Whether schemas hold the model to few words."""
        self._first = OutputMode.JSON_SCHEMA if configured == "auto" else OutputMode(configured)
        self._learnt: dict[tuple[str, str], OutputMode] = {}
        self._vain: Counter[tuple[str, str]] = Counter()

    def of(self, endpoint: str, model: str) -> OutputMode:
        """Return the mode to ask in."""
        return self._learnt.get((endpoint, model), self._first)

    def step_down(
        self, endpoint: str, model: str, refused: OutputMode, *, is_certain: bool = True
    ) -> OutputMode | None:
        """Return the next looser mode, or None after the last.

        What is certainly refused is remembered; else the looser mode is a trial, which `works` or has been in vain.
        """
        looser, key = STEP_DOWN.get(refused), (endpoint, model)
        if looser is None or (not is_certain and self._vain[key] >= TRIALS_MAX):
            return None
        if is_certain:
            self._learnt[key] = looser
        else:
            self._vain[key] += 1
        return looser

    def works(self, endpoint: str, model: str, mode: OutputMode) -> None:
        """Remember that a mode is taken which was tried because a stricter one had been refused."""
        self._learnt[endpoint, model] = mode
        self._vain.pop((endpoint, model), None)
