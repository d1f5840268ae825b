"""What is written where: answers to standard output, progress and problems to standard error.

Text that comes from models, data and users may hold terminal control sequences; it is cleaned before a person sees it.
JSON is written as it is, because its escapes are safe.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from services.text.visible import visible

if TYPE_CHECKING:
    from google.protobuf.message import Message

_PIPED_COLUMNS: Final = 1_000
"""The width of a table that is read by a program: no cell is cut."""


def clean(text: str) -> str:
    """Return a text without what a terminal would obey: control characters and direction overrides."""
    return visible(text)


def print_line(text: str = "") -> None:
    """Write a line to standard output."""
    sys.stdout.write(clean(text) + "\n")
    sys.stdout.flush()


def print_json(value: object) -> None:
    """Write one JSON object on one line to standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def say(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(clean(text) + "\n")
    sys.stderr.flush()


def message_json(message: "Message") -> dict[str, Any]:
    """Return a message as proto JSON with the contract's names and every field that has no presence."""
    from google.protobuf.json_format import MessageToDict  # noqa: PLC0415 - help and usage errors do without

    return MessageToDict(message, always_print_fields_with_no_presence=True, preserving_proto_field_name=True)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], right: frozenset[str] = frozenset()) -> None:
    """Write a table to standard output; a Hangul syllable takes two columns, and a pipe gets no colour.

    Args:
        columns: The headings.
        rows: The cells, one sequence a row.
        right: The headings whose cells are numbers.
    """
    from rich.console import Console  # noqa: PLC0415 - as above
    from rich.table import Table  # noqa: PLC0415 - as above
    from rich.text import Text  # noqa: PLC0415 - as above

    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else _PIPED_COLUMNS, highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(clean(cell).replace("\n", " ")) for cell in row))
    console.print(table)
