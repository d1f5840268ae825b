"""From a model's text to a validated object, by one documented rule; the same text always gives the same result.

1. An answer that its token limit cut (finish_reason length, or a structure that is not closed) is
   OUTPUT_TRUNCATED. We never close it ourselves: half of the arguments is a wrong call.
2. Fences and prose around the object are skipped. Text inside <think> tags is skipped, and so is everything
   before a </think> that has no opening tag.
3. Of the JSON objects that stand on the outermost level, the first that satisfies the schema is the answer.
   An object inside a list or inside another structure is never taken for the answer.
4. The only repair is the removal of trailing commas, with strings left alone, and only where the output cannot
   lead to a side effect. Anything else that is not JSON is OUTPUT_INVALID: asked again, not guessed.
5. A key that occurs twice is OUTPUT_INVALID. NaN and Infinity are read as such and refused by every field but a
   confidence, which they leave unknown.
6. Values are not converted: "true" is no boolean and true is no number.
7. A whole answer that is one JSON string is decoded once and read by the same rule.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from prompts.fields import PromptOutput
from services.llm.model import FailureReason, ModelFailure
from services.text.visible import all_visible, may_hide

O = TypeVar("O", bound=PromptOutput)  # noqa: E741 - the usual letter for a prompt's Output

ANSWER_CHARS_MAX = 262_144
DEPTH_MAX = 32
FINDINGS_MAX = 8
TRUNCATING_REASONS: Mapping[str, FailureReason] = {
    "length": FailureReason.OUTPUT_TRUNCATED,
    "max_tokens": FailureReason.OUTPUT_TRUNCATED,
    "content_filter": FailureReason.CONTENT_FILTERED,
}
"""The finish reasons with which an answer is not whole, whatever it looks like."""

_OPENERS = re.compile(r"[{\[}]|<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]"]', re.DOTALL)
_COMMAS = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_JSON_START = re.compile(r'\{\s*["}]|\[\s*[\[{"]')
_PAIRS = {"}": "{", "]": "["}


def read_answer(text: str, finish_reason: str, output: type[O]) -> O:
    """Return the answer that `text` holds.

    Raises:
        ModelFailure: OUTPUT_TRUNCATED, CONTENT_FILTERED or OUTPUT_INVALID; its detail says what to mend.
    """
    if reason := TRUNCATING_REASONS.get(finish_reason):
        raise ModelFailure(reason, f"the answer ended with finish_reason {finish_reason}")
    if len(text) > ANSWER_CHARS_MAX:
        raise _invalid(f"the answer is longer than {ANSWER_CHARS_MAX} characters")
    return _first_valid(_outermost_objects(_decoded_once(text)), output)


def _first_valid(candidates: Iterable[str], output: type[O]) -> O:
    findings = ["the answer holds no JSON object"]
    for number, candidate in enumerate(candidates):
        text = _checked_json(candidate, mend=output.trailing_commas_repaired)
        try:
            return output.model_validate_json(_as_seen(text), strict=True)
        except ValidationError as error:
            if number == 0:
                findings = _findings(error)
    raise _invalid("; ".join(findings))


def _as_seen(candidate: str) -> str:
    """Return an answer's JSON with its texts as a person sees them."""
    if not may_hide(candidate.encode("utf-8", "surrogatepass")):
        return candidate
    return json.dumps(all_visible(_load(candidate)), ensure_ascii=False)


def _findings(error: ValidationError) -> list[str]:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return [
        f"{'.'.join(str(part) for part in detail['loc']) or 'object'}: {detail['msg']}"
        for detail in details[:FINDINGS_MAX]
    ]


def _invalid(detail: str) -> ModelFailure:
    return ModelFailure(FailureReason.OUTPUT_INVALID, detail)


def _truncated(detail: str) -> ModelFailure:
    return ModelFailure(FailureReason.OUTPUT_TRUNCATED, detail)


def _decoded_once(text: str) -> str:
    stripped = text.strip()
    if not (stripped.startswith('"') and stripped.endswith('"')):
        return text
    try:
        decoded = json.loads(stripped)
    except ValueError:
        return text
    return decoded if isinstance(decoded, str) else text


def _outermost_objects(text: str) -> list[str]:
    """Return the outermost brace regions that begin as JSON objects do, in order."""
    found: list[str] = []
    position = 0
    while match := _OPENERS.search(text, position):
        if match[2] is not None:
            position = _after_thought(text, match, found)
            continue
        if match[0] == "}":
            position = _after_stray_brace(match, found)
            continue
        end = _region_end(text, match.start())
        if not _JSON_START.match(text, match.start()):
            position = end or match.end()
            continue
        if end is None:
            raise _truncated("a JSON structure is not closed")
        if match[0] == "{":
            found.append(text[match.start() : end])
        position = end
    return found


def _after_thought(text: str, tag: re.Match[str], found: list[str]) -> int:
    """Skip a thought; a closing tag alone makes everything before it one."""
    if tag[1]:
        found.clear()
        return tag.end()
    closing = re.compile(f"</{tag[2]}>", re.IGNORECASE).search(text, tag.end())
    if closing is None:
        raise _truncated(f"<{tag[2]}> is not closed")
    return closing.end()


def _after_stray_brace(brace: re.Match[str], found: list[str]) -> int:
    """Skip a closing brace in prose; after an object it shows that the object was closed too early."""
    if found:
        raise _invalid("a } closes nothing")
    return brace.end()


def _region_end(text: str, start: int) -> int | None:
    """Return the offset after the bracket that closes the one at `start`, or None if it stays open."""
    open_brackets: list[str] = []
    for token in _TOKENS.finditer(text, start):
        mark = token[0]
        if mark in "{[":
            open_brackets.append(mark)
            if len(open_brackets) > DEPTH_MAX:
                raise _invalid(f"the answer nests deeper than {DEPTH_MAX}")
        elif mark in _PAIRS:
            if open_brackets.pop() != _PAIRS[mark]:
                raise _invalid(f"{mark} closes a bracket of the other kind")
            if not open_brackets:
                return token.end()
        elif mark == '"':
            return None
    return None


def _checked_json(candidate: str, *, mend: bool) -> str:
    """Return the candidate if it is JSON, or without its trailing commas if that makes it JSON."""
    try:
        _load(candidate)
    except ValueError as error:  # also a number of more digits than Python reads
        mended = _COMMAS.sub(lambda match: match[1] or _unless_trailing(candidate, match), candidate)
        if not mend or mended == candidate:
            raise _invalid(f"not JSON: {error}") from error
        return _checked_json(mended, mend=False)
    return candidate


def _unless_trailing(candidate: str, comma: re.Match[str]) -> str:
    """Drop a comma that follows a value; one that follows a bracket, colon or comma stands for a lost value."""
    before = candidate[: comma.start()].rstrip()[-1:]
    return "," if before in "{[,:" else ""


def _load(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_without_duplicates)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _invalid(f"the key {twice!r} occurs twice")
    return dict(pairs)
