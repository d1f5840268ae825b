"""Addresses, hosts, pictures and markup in a text; none leaves in an answer: a client may follow or load it unasked.

A word with points in it is a host where its last part is one that hosts have, by the public list of suffixes, or one
that is set aside for private use: no scheme is needed for a client to make a link of it.
"""

import functools
import re
from typing import Final

from publicsuffixlist import PublicSuffixList

from services.text.patterns import Pattern

_LINK: Final = Pattern(
    r"\b[a-z][a-z0-9+.\-]{1,20}:\s?//|\bh(?:tt|xx)ps?\b|\bwww\s?\.|\bdata:[a-z]+/|\bjavascript:|\bmailto:|\btel:[0-9+]"
    r"|!\s?\[|\]\s?\(|\]\s?:\s?\S+[./]|<\s?/?\s?[a-z][^>]{0,200}>?"
    r"|(?<![0-9.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9.])|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}\b|::[0-9a-f]{1,4}\b"
    r"|[^\s@<>()\[\],;:]{1,64}\s?@\s?[a-z0-9가-힣\-]{1,63}(?:\s?\.\s?[a-z0-9\-]{2,63})+|\blocalhost\b(?::[0-9]+)?|(?<![0-9A-Za-z._])@[a-z0-9_]{3,}|(?:\s점|닷)\s?(?:컴|넷|케이알|씨오)(?=[에으로을의은이입]|[\s.,!]|$)",
    re.IGNORECASE,
)
_HOST: Final = Pattern(
    r"(?<![0-9A-Za-z@_.\-])(?:[a-z0-9](?:[a-z0-9\-_]{0,61}[a-z0-9])?(?:[.。．｡․‧﹒]|\s?\[\.\]\s?|\s?\(\.\)\s?|\s?[\[(]\s?dot\s?[\])]\s?|\sdot\s|\s?닷\s?)){1,6}"
    r"(?P<last>[a-z]{2,24}|컴|xn--[a-z0-9\-]{2,40})(?![0-9A-Za-z_\-])",
    re.IGNORECASE,
)
_DOT: Final = Pattern(r"\s?\[\.\]\s?|\s?\(\.\)\s?|\s?[\[(]\s?dot\s?[\])]\s?|\sdot\s|\s?닷\s?", re.IGNORECASE)
HINTS_KO: Final = ("점컴", "점넷", "점케이", "점씨오", "닷컴", "닷넷")
"""Each address in Hangul alone holds one of these, white space left out."""
_SET_ASIDE: Final = frozenset(
    (
        "example",
        "test",
        "invalid",
        "local",
        "localhost",
        "internal",
        "intranet",
        "lan",
        "corp",
        "onion",
        "i2p",
        "arpa",
        "alt",
    )
)
"""Suffixes that no public host has and private ones do."""
_HINT: Final = Pattern(
    r"[:/<\[\]!@]|[.。．｡․‧﹒]\s?[0-9A-Za-z가-힣]|h(?:tt|xx)p|www|localhost|\bdot\b|닷|\s점\s?[컴넷케씨]", re.IGNORECASE
)
"""Each address, picture or markup holds one of these: most sentences hold none, which is quickly told."""


def link_in(text: str) -> str:
    """Return the beginning of an address, a host, a picture or markup that a text holds; empty where it holds none."""
    if _HINT.search(text) is None:
        return ""
    match = _LINK.search(text)
    if match is not None:
        return match.group()
    return next((one.group() for one in _HOST.finditer(text) if _is_host(one.group())), "")


def _is_host(word: str) -> bool:
    """Tell whether a word with points ends as hosts do; an abbreviation of single letters does not."""
    plain = re.sub("[。．｡․‧﹒]", ".", _DOT.sub(".", word)).lower().replace("컴", "com")
    labels = plain.split(".")
    if all(len(label) == 1 for label in labels[:-1]) and len(labels[-1]) <= 1:
        return False
    return labels[-1] in _SET_ASIDE or _suffixes().publicsuffix(plain) is not None


@functools.cache
def _suffixes() -> PublicSuffixList:
    """Return the public list of suffixes as its package ships it; read at the first word that may be a host."""
    return PublicSuffixList(accept_unknown=False)
