"""What a provider of web searches offers, and what is let through of its answers.

Whatever comes from the web is somebody else's text: it is cut, freed of markup and control characters, and kept as
data. A page's address never leaves the gateway, only its host does.
"""

import html
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol
from urllib.parse import urlsplit

TITLE_CHARS_MAX: Final = 200
"""How long a page's title may be."""
EXCERPT_CHARS_MAX: Final = 500
"""How long what is quoted of a page may be."""
HOST_CHARS_MAX: Final = 253
"""How long the name of a host can be."""

_EMPHASIS: Final = re.compile(r"</?(?:b|strong|em|i|mark|span)>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]{0,500}>")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]+")


class WebUnavailable(RuntimeError):
    """The web cannot be searched: no provider is set, or the one that is does not answer as it should."""


@dataclass(frozen=True, slots=True)
class WebPage:
    """One page that a search returned."""

    title: str
    """Its title in plain text, not empty."""
    host: str
    """The host that serves it."""
    excerpt: str
    """What is quoted of it, in plain text; may be empty."""
    published_at: datetime | None
    """When it was published, with a time zone; None where the provider does not know."""


class WebSearch(Protocol):
    """A provider of web searches."""

    name: str
    """Whose search it is, as provenance says it."""

    async def search(self, query: str, *, language: str, pages_max: int, timeout_seconds: float) -> tuple[WebPage, ...]:
        """Return pages, best first.

        Args:
            query: What is searched for.
            language: "ko" or "en".
            pages_max: How many are returned at most.
            timeout_seconds: How long it may take.

        Raises:
            WebUnavailable: The provider cannot be reached, refuses, or answers with something else than pages.
            TimeoutError: It takes too long.
        """

    async def close(self) -> None:
        """Hang up."""


def plain_text(text: str, chars_max: int) -> str:
    """Return a text of the web without markup and control characters, in one line and cut to a length."""
    return " ".join(_CONTROL.sub(" ", html.unescape(_TAG.sub(" ", _EMPHASIS.sub("", text)))).split())[
        :chars_max
    ].rstrip()


def host_of(address: str) -> str:
    """Return the host of a page's address; empty for what is no address of the web."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return ""
    return host[:HOST_CHARS_MAX] if parts.scheme in {"http", "https"} else ""
