"""The options that several commands share; every text is read as UTF-8."""

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

QUESTION_PANEL = "Question"
CALLER_PANEL = "Caller"
OUTPUT_PANEL = "Output"


class LocaleName(StrEnum):
    """The languages that an answer can be written in."""

    KO = "ko"
    """Korean."""
    EN = "en"
    """English."""


class UserType(StrEnum):
    """Who a user of commerce is."""

    CONSUMER = "consumer"
    """Buys."""
    SELLER = "seller"
    """Sells."""


class Sample(StrEnum):
    """Where the sample data is loaded as well."""

    NEVER = "never"
    """Nowhere."""
    EMBEDDED = "embedded"
    """Only into a database in HAPJU_DATA_DIR; one that was given by URL is somebody's."""
    ALWAYS = "always"
    """Wherever the data is."""


def utf8(value: str) -> str:
    """Return an argument's bytes read as UTF-8, whatever the locale says.

    Raises:
        typer.BadParameter: Where they are no UTF-8; the command line names the argument.
    """
    try:
        return os.fsencode(value).decode("utf-8")
    except UnicodeError:
        raise typer.BadParameter("is no valid UTF-8") from None


def names(values: list[str]) -> tuple[str, ...]:
    """Return the names of an option that may be repeated or hold several by comma."""
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


Question = Annotated[
    str,
    typer.Argument(
        parser=utf8, metavar="QUESTION", help="What you want to know, in Korean or English.", show_default=False
    ),
]
Attached = Annotated[
    list[Path],
    typer.Option(
        "--attach",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        readable=True,
        help="Send this file along: a text, DOCX or PDF, a contract for example; repeat it for several.",
        rich_help_panel=QUESTION_PANEL,
        show_default=False,
    ),
]
Domains = Annotated[
    list[str],
    typer.Option(
        "--domain",
        parser=utf8,
        metavar="NAME",
        help="Let only this domain answer; repeat it for several.",
        rich_help_panel=QUESTION_PANEL,
        show_default="all that are enabled",
    ),
]
Locale = Annotated[
    LocaleName | None,
    typer.Option(help="Language of the answer.", rich_help_panel=QUESTION_PANEL, show_default="the question's own"),
]
Session = Annotated[
    str,
    typer.Option(
        parser=utf8,
        metavar="ID",
        help="Conversation to go on with.",
        rich_help_panel=QUESTION_PANEL,
        show_default="a new one",
    ),
]
RequestId = Annotated[
    str,
    typer.Option(
        "--request-id",
        parser=utf8,
        metavar="ID",
        help="Your id for this request: asking again with it returns the same flow.",
        rich_help_panel=QUESTION_PANEL,
        show_default=False,
    ),
]
TimeoutSeconds = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        min=0.1,
        max=600.0,
        metavar="SECONDS",
        help="How long it may take, 0.1 to 600.",
        rich_help_panel=QUESTION_PANEL,
        show_default="120",
    ),
]
User = Annotated[
    str,
    typer.Option(
        parser=utf8,
        metavar="ID",
        help="User to act for; the command line issues their token in dev mode.",
        rich_help_panel=CALLER_PANEL,
        show_default="anonymous",
    ),
]
UserTypeOption = Annotated[
    UserType | None,
    typer.Option(
        "--user-type", help="What kind of user that is; needs --user.", rich_help_panel=CALLER_PANEL, show_default=False
    ),
]
NoChart = Annotated[
    bool,
    typer.Option(
        "--no-chart", help="Draw no charts; a pipe never has any.", rich_help_panel=OUTPUT_PANEL, show_default=False
    ),
]
AsJson = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object and nothing else.", rich_help_panel=OUTPUT_PANEL),
]
Events = Annotated[
    bool,
    typer.Option(
        "--events",
        help="Print each event of the flow as one JSON object a line; the last holds the whole answer.",
        rich_help_panel=OUTPUT_PANEL,
    ),
]
Limit = Annotated[int, typer.Option(min=1, max=200, metavar="N", help="How many at most, 1 to 200.")]
Page = Annotated[
    str,
    typer.Option(
        parser=utf8,
        metavar="TOKEN",
        help="Where to go on: the last answer's next_page_token.",
        show_default=False,
    ),
]
