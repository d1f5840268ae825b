"""Listed companies and their shares: the alias table first, longest name on whole words.

A name that is also a brand of goods or an ordinary word (애플, 카카오, Meta) means the share when the sentence speaks
of shares, or when it speaks of no goods.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from services.plugin.entities import Entity, ReadSoFar
from services.text.claims import Claims
from services.text.entities import AskReason
from services.text.negation import is_negated
from services.text.patterns import Pattern
from services.text.words import PhraseHit, Vocabulary, phrase_index

SECURITY = "security"
"""The kind."""
GROUP_NAMES = frozenset(
    {"삼성", "samsung", "hyundai", "kt", "델", "비자", "오리온", "하이브", "신세계", "포드", "visa", "oracle"}
)
"""Names that others bear too, or that are words: they mean the share only beside words of shares."""
TICKERS_THAT_ARE_WORDS = frozenset({"snow"})
"""Tickers that mean the word where they are not written as tickers."""
# "Meta" is the company's name as well as its ticker.
_TICKER_AND_NAME = "meta"
WORDS_TOO = frozenset(
    {"비자", "오리온", "델", "포드", "하이브", "기아", "메타", "루시드", "인텔", "농심", "니오"}
    | {"visa", "oracle", "dell", "ford", "intel", "uber", "disney", "snow", "hybe", "nio"}
)
"""Names that a sentence has as an ordinary word too, or as part of one."""
_VERDICT = Pattern(
    r"\ba (?:strong )?(?:buy|sell|hold)\b|살까\s?(?:말까|팔까)|팔까|존버|물렸|손절|익절|물타|갈아[타탈]"
    r"|(?:비싸|싸)(?:진|졌|지긴)|(?:비싼|싼)\s?편"
    r"|몇\s?주(?!\s?(?:간|동안|전|뒤|후|일|째|차|치|만에|쯤|정도\s?걸))"
    r"|(?:샀|담았|넣었|투자했|들어갔)(?:으면|더라면|다면|을\s?때|는데[^?]{0,12}(?:지금|현재|수익|손실|얼마))|어치\s?(?:샀|사|담|매수)"
    r"|\bif i(?:['’]d| had)? (?:bought|put|invested)|\b(?:should i|would you)(?: \w+)? (?:buy|sell|hold)\b"
    r"|[0-9]\s?주(?:를|씩|나|만|어치)?\s?(?:사|살|샀|담|매수|매도|팔|보유|들고|갖고|가지고)",
    re.IGNORECASE,
)
"""What only shares are spoken of by: a verdict on one, a count of them."""
_SHORT_NAME_MAX = 3
_HANGUL = Pattern(r"[가-힣]+")
_SHARE_WORDS = "주가|주식|실적|배당|차트|목표주가|시가총액|시총|공시|밸류에이션|이평선|골든크로스"
_LONG_NAME_MIN = 4
_DEALINGS = frozenset({"사-", "팔-"})
_OF_SHARES = Pattern(r"\s(?:shares?|stocks?)\b", re.IGNORECASE)
"""Behind a company's name in small letters: its shares."""
_OTHER_NUMBER = Pattern(r"번호|인증|코드|비밀|우편|order|code|number|\bpin\b", re.IGNORECASE)
_KR_CODE = Pattern(r"(?<![0-9A-Za-z\-.,/])[0-9]{3,6}(?![0-9A-Za-z\-./,]|\s?[가-힣%]*[원만억개명층평년월일])")


@dataclass(frozen=True, slots=True)
class _Listing:
    """One row of the alias table."""

    id: str
    """Market and code."""
    name_ko: str
    """Usual name in Korean."""
    name_en: str
    """Usual name in English."""
    covered: bool
    """Whether the covered universe holds it."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The alias table by name."""

    listings: dict[str, _Listing]
    """By id."""
    names: dict[str, str]
    """Id by name in lower case without spaces; empty for a lookalike."""
    shared: frozenset[str]
    """Names that need the rest of the sentence."""
    length_max: int
    """The length of the longest name."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """What the whole text tells about the names in it."""

    text: str
    """The normalised text."""
    speaks_of_shares: bool
    """Whether it has a word of the stock market."""
    speaks_of_goods: bool
    """Whether it has a word of goods, shopping or places."""
    names_several: bool
    """Whether it may name more than one company."""


def read_securities(so_far: ReadSoFar) -> tuple[Entity, ...]:
    """Read the listed companies in the order of the text, each once; ask about codes that are no code."""
    table, index, claims = _table(), so_far.phrases, so_far.claims
    hits = [hit for hit in index.find_names(table.names, table.length_max) if table.names[hit.phrase]]
    hits += [hit for hit in _glued(claims.text) if all(hit.end <= one.start or one.end <= hit.start for one in hits)]
    hits.sort(key=lambda hit: hit.start)
    sentence = _Sentence(
        text=claims.text,
        speaks_of_shares=bool(index.find_all(_vocabulary("stock_words.txt")) or _VERDICT.search(claims.text)),
        speaks_of_goods=bool(index.find_all(_vocabulary("goods_words.txt"))),
        names_several=len({table.names[hit.phrase] for hit in hits}) > 1,
    )
    found: dict[str, Entity] = {}
    for hit in hits:
        listing = table.listings[table.names[hit.phrase]]
        if _is_meant(sentence, hit, listing) and not is_negated(claims.text, hit.start, hit.end):
            found.setdefault(listing.id, _security(so_far, listing, hit))
    _ask_codes(claims, table, sentence, found)
    return tuple(found.values())


@functools.lru_cache(maxsize=1)
def company_names() -> tuple[str, ...]:
    """Return the names that always mean a covered company and are long enough to be known by all letters but one."""
    table = _table()
    return tuple(
        name
        for name, listing in table.names.items()
        if listing and name not in table.shared and len(name) >= _LONG_NAME_MIN and table.listings[listing].covered
    )


def covered_names() -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield every name of a covered company with its security's id and its usual names."""
    table = _table()
    for line in _lines("securities.tsv"):
        security_id, name_ko, name_en, covered, *aliases = line.split("\t")
        listed = table.listings[security_id]
        names = {name_ko, name_en, *(alias for column in aliases for alias in column.split("|"))} - {""}
        if covered == "yes":
            yield from ((name, (security_id, listed.name_ko, listed.name_en)) for name in sorted(names))


def stated_names() -> Iterator[tuple[str, str]]:
    """Yield the names of companies that a sentence may give, each with its security's id."""
    for line in _lines("security_lookalikes.txt"):
        # A longer name that only begins like a company's is nobody's: it is taken, so that the shorter is not found.
        yield from ((word, "") for word in line.split())
    for line in _lines("securities.tsv"):
        security_id, name_ko, name_en, _, *aliases = line.split("\t")
        names = {name_ko, name_en, *(alias for column in aliases for alias in column.split("|"))}
        plain = (name for name in sorted(names) if not name.isdigit() and name.lower() not in WORDS_TOO)
        yield from ((name, security_id) for name in plain)


def _glued(text: str) -> list[PhraseHit]:
    """Return names that a word of shares follows without a space, where the analyser finds no edge: "현대차주가"."""
    return [PhraseHit(match[1].lower(), match.start(1), match.end(1)) for match in _before_share_words().finditer(text)]


@functools.lru_cache(maxsize=1)
def _before_share_words() -> Pattern:
    names = sorted((name for name, listing in _table().names.items() if listing and _HANGUL.fullmatch(name)), key=len)
    return Pattern(rf"(?<![가-힣])({'|'.join(reversed(names))})(?:{_SHARE_WORDS})")


def _security(so_far: ReadSoFar, listing: _Listing, hit: PhraseHit) -> Entity:
    known = {"country": listing.id.partition(":")[0], "covered": str(listing.covered).lower()}
    return so_far.entity(SECURITY, listing.id, so_far.say(listing.name_ko, listing.name_en), hit, attributes=known)


def _is_meant(sentence: _Sentence, hit: PhraseHit, listing: _Listing) -> bool:
    """Tell whether a name means the share here."""
    surface = sentence.text[hit.start : hit.end]
    is_ticker_as_a_word = hit.phrase == listing.id[3:].lower() and not surface.isupper()
    if _is_faint(surface):
        is_number_of_else = not surface.isdigit() or sentence.speaks_of_goods or _OTHER_NUMBER.search(sentence.text)
        beside = sentence.names_several and listing.covered and surface.isalpha()
        return sentence.speaks_of_shares or beside or not is_number_of_else
    if is_ticker_as_a_word and hit.phrase != _TICKER_AND_NAME:
        # A ticker is written in capitals; "snow" is the word, "aapl stock" still the ticker.
        return sentence.speaks_of_shares and (surface[0].isupper() or hit.phrase not in TICKERS_THAT_ARE_WORDS)
    if hit.phrase not in _table().shared and not is_ticker_as_a_word:
        held = sentence.names_several and _HELD_BEHIND.match(sentence.text, hit.end) is not None
        return sentence.speaks_of_shares or held or not _names_goods(sentence.text, hit)
    if surface.isascii() and not surface[0].isupper():
        return _OF_SHARES.match(sentence.text, hit.end) is not None
    if sentence.speaks_of_shares:
        return not _names_goods(sentence.text, hit, nouns_alone=True)
    return (hit.phrase not in GROUP_NAMES or sentence.names_several) and not sentence.speaks_of_goods


_HELD_BEHIND = Pattern(
    r"\s(?:is |are )?(?:cheaper|dearer|pricier|bigger|more expensive|less expensive)\b", re.IGNORECASE
)
"""Words that hold a company against another one, and goods against goods elsewhere."""


def _is_faint(surface: str) -> bool:
    """Tell a code, which may number other things, and letters that are a word as well: "hmm" and the company HMM."""
    return surface.isdigit() or (surface.isascii() and surface.islower() and len(surface) <= _SHORT_NAME_MAX)


def _names_goods(text: str, hit: PhraseHit, *, nouns_alone: bool = False) -> bool:
    """Tell whether a word for goods stands right behind the name: "애플 노트북", "LG 냉장고".

    Args:
        text: The text.
        hit: The name.
        nouns_alone: Whether verbs and adjectives ("비싼") tell nothing of goods here.
    """
    behind = phrase_index(text[hit.end : hit.end + 12].strip())
    found = behind.find_all(_vocabulary("goods_words.txt"))
    # Who weighs buying or selling a company alone means its shares.
    telling = (
        hits for phrase, hits in found.items() if not (phrase in _DEALINGS or (nouns_alone and phrase[-1:] == "-"))
    )
    return any(one.start == 0 for hits in telling for one in hits)


def _ask_codes(claims: Claims, table: _Table, sentence: _Sentence, found: dict[str, Entity]) -> None:
    """Ask about digits that look like a share's code and are none: "5930" for 005930."""
    alone = _KR_CODE.fullmatch(claims.text) is not None
    for match in claims.free_matches(_KR_CODE):
        padded = match.group().zfill(6)
        if match.group() in table.names or (len(match.group()) < 6 and f"KR:{padded}" not in table.listings):
            continue
        if alone or (not found and sentence.speaks_of_shares):
            reason = AskReason.IMPOSSIBLE if len(match.group()) == 6 else AskReason.MALFORMED
            claims.ask(SECURITY, reason, *match.span())


@functools.lru_cache(maxsize=4)
def _vocabulary(name: str) -> Vocabulary:
    return Vocabulary(word for line in _lines(name) for word in line.split())


@functools.lru_cache(maxsize=1)
def _table() -> _Table:
    listings: dict[str, _Listing] = {}
    names: dict[str, str] = {}
    shared: set[str] = set()
    for line in _lines("securities.tsv"):
        security_id, name_ko, name_en, covered, sure, *rest = line.split("\t")
        listings[security_id] = _Listing(security_id, name_ko, name_en, covered == "yes")
        for name in filter(None, sure.split("|")):
            names[_key(name)] = security_id
        for name in filter(None, rest[0].split("|") if rest else ()):
            names[_key(name)] = security_id
            shared.add(_key(name))
    for line in _lines("security_lookalikes.txt"):
        names.update(dict.fromkeys(line.lower().split(), ""))
    return _Table(listings, names, frozenset(shared), max(map(len, names)))


def _key(name: str) -> str:
    return name.lower().replace(" ", "")


def _lines(name: str) -> list[str]:
    text = resources.files(__package__).joinpath(f"data/{name}").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
