"""The jinja2 environment of all prompts: sandboxed, strict, unable to print foreign text outside a fence."""

import enum
import json
import re
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from prompts.fields import Trusted, Untrusted

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

_FENCE_TAG = re.compile(r"<(?=\s*/?\s*data\b)", re.IGNORECASE)


class PromptError(ValueError):
    """A prompt's text and its types do not fit together; raised when it is read, never by a user's words."""


def fence(value: object, name: str) -> Trusted:
    """Print foreign text as `<data name="...">...</data>`; a sequence of models is one JSON object a line.

    A data tag inside the text has its bracket replaced by the full-width one, so that it cannot close the fence.
    """
    lines = [value] if isinstance(value, Untrusted) else _json_lines(value, name)
    body = "\n".join(_FENCE_TAG.sub("＜", line) for line in lines)
    return Trusted(f'<data name="{name}">\n{body}\n</data>')


def _json_lines(value: object, name: str) -> list[str]:
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        msg = f"data({name!r}) takes Untrusted text or a sequence of models, not {type(value).__name__}"
        raise PromptError(msg)
    return [json.dumps(_plain(item), ensure_ascii=False) for item in value]


def _plain(item: object) -> object:
    return item.model_dump(mode="json") if isinstance(item, BaseModel) else item


def join_trusted(values: Sequence[Trusted], separator: str = ", ") -> Trusted:
    """Join our own names; foreign text in the list is refused."""
    for value in values:
        if not isinstance(value, Trusted):
            msg = f"listed takes Trusted texts only, not {type(value).__name__}"
            raise PromptError(msg)
    return Trusted(separator.join(values))


def _finalize(value: Any) -> str:
    """Let through what we wrote ourselves: Trusted text, numbers, dates and enum members."""
    if isinstance(value, Trusted):
        return value
    if isinstance(value, enum.Enum):
        return str(value.value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    msg = f"{type(value).__name__} may be printed only through the data filter"
    raise PromptError(msg)


@cache
def environment() -> "ImmutableSandboxedEnvironment":
    """Return the one environment that compiles prompt texts; who asks no model loads no jinja2."""
    from jinja2 import StrictUndefined  # noqa: PLC0415 - as the docstring says
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    made = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False, finalize=_finalize
    )
    made.filters["data"] = fence
    made.filters["listed"] = join_trusted
    return made


def check_variables(text: str, variables: frozenset[str], where: str) -> None:
    """Check that a text uses exactly the given variables.

    Raises:
        PromptError: it uses one that Inputs lacks, or leaves out one that Inputs has.
    """
    from jinja2 import meta  # noqa: PLC0415 - as above

    used = meta.find_undeclared_variables(environment().parse(text))
    if unknown := sorted(used - variables):
        msg = f"{where}: unknown variables {unknown}; Inputs has {sorted(variables)}"
        raise PromptError(msg)
    if missing := sorted(variables - used):
        msg = f"{where}: the text never uses {missing} of Inputs"
        raise PromptError(msg)
