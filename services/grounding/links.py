"""Addresses and pictures in a text; none leaves in an answer, for a client may follow or load it unasked."""

import re
from typing import Final

_LINK: Final = re.compile(
    r"\b[a-z][a-z0-9+.\-]{1,20}:\s?//|\bh(?:tt|xx)ps?\b|\bwww\s?\.|\bdata:[a-z]+/|\bjavascript:|\bmailto:"
    r"|!\s?\[|\]\s?\(|\]\s?:\s?\S+[./]|<\s?/?\s?[a-z][^>]{0,200}>?"
    r"|\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]+)?/"
    r"|(?<![0-9A-Za-z@.\-])(?:[a-z0-9\-]{1,63}\.){1,4}(?:com|net|org|io|co|kr|example|dev|app|xyz|info|biz|ru|cn|ai|me|link|test|site|top)(?![a-z])(?:[/:?#]\S*)?",
    re.IGNORECASE,
)
STEMS: Final = ("http", "hxxp", "www", "ftp", "data:", "javascript", "mailto")
"""What a word begins with that may become an address."""


_HINT: Final = re.compile(r"[:/<\[\]!]|\.[0-9A-Za-z]|h(?:tt|xx)p|www", re.IGNORECASE)
"""Each address, picture or markup holds one of these: most sentences hold none, which is quickly told."""


def link_in(text: str) -> str:
    """Return the beginning of an address, a picture or markup that a text holds; empty where it holds none."""
    match = _LINK.search(text) if _HINT.search(text) is not None else None
    return match.group() if match is not None else ""
