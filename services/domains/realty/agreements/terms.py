"""What a message says of a contract or letter that is to be written, or changed: sums, days, names, place. Pure.

Values are canonical: sums in won, days in ISO form, other texts as said; `term_months` is kept until the first day is
known. What a message does not say is in no field.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Final

from services.domains.homes.gazetteer import gazetteer
from services.domains.realty.agreements.forms import LETTERS, FormName, forms
from services.domains.realty.agreements.letters import asked_for, until_when
from services.domains.realty.agreements.passages import MONTHS, PassageDay, days_in, last_day
from services.domains.realty.agreements.special import listed, numbered
from services.domains.realty.agreements.written import DAY_OF_MONTH_MAX, written
from services.plugin.asks.numbers import Number, numbers_in
from services.plugin.asks.roles import Role, bound_to
from services.text.patterns import Pattern

TERM: Final = "term_months"
_PARTIES: Final = {
    "landlord": r"임대인|집주인|landlord|lessor|owner",
    "tenant": r"임차인|세입자|tenant|lessee",
    "seller": r"매도인|seller",
    "buyer": r"매수인|buyer|purchaser",
}
_NAME_KO: Final = r"(?:의)?(?:\s?(?:이름|성함|성명))?(?:은|는|이|을|를)?(?:\s|:\s?|\s?[-=]\s?)(?:이름은\s|성명\s)?(?:저는?\s|제가?\s)?(?P<ko>[가-힣]{3}(?=(?:이|가|은|는|을|를|과|와|에게|한테|께)\s)|[가-힣]{2,4}?(?=\s|[,./)]|$|이고|이며|이야|이에요|예요|입니다|씨|님|과\s|와\s|으로|로(?:\s|$|바|고|변|수)))"
_NAME_EN: Final = (
    r"(?:'s name)?(?:\s?[:,]|\sis|\snamed|\scalled|\sto|\sas)?\s+(?P<en>[A-Z][A-Za-z'-]+(?:\s[A-Z][A-Za-z'-]+){0,2})"
)
_NO_NAMES: Final = (
    *("동의", "부담", "명의", "이름", "정보", "주소", "없이", "사이", "모두", "각각", "비용"),
    *("계좌", "이고", "바꿔", "변경", "수정", "빼고", "빼줘", "지워", "삭제", "넣어", "써줘"),
    *("보증금", "전세금", "월세", "매매", "계약", "서로", "간에", "쪽이", "특약", "서명"),
    "역시",
)
"""What stands behind a side and is no name."""
_ROLES: Final = (
    Role(
        "upkeep",
        ("krw",),
        r"관리비(?:는|가|로)?(?:\s?(?:월|매월|매달))?|(?:maintenance|management|service) (?:fee|charge)s?(?: of| is)?",
    ),
    Role("earnest", ("krw",), r"계약금|earnest(?: money)?(?: of)?|down payment(?: of)?", bare=True),
    Role("middle", ("krw",), r"중도금|instal+ments?(?: of)?", bare=True),
    Role("balance", ("krw",), r"잔금|\bbalance(?: of)?", bare=True),
    Role(
        "rent",
        ("krw",),
        r"월세|월\s?차임|차임|임대료|(?:^|\s)월(?=\s|$)|/|\brent(?: of)?",
        r"(?:won )?(?:a|per|each) month|monthly|월세",
        bare=True,
    ),
    Role(
        "deposit",
        ("krw",),
        r"보증금|전세금|전세(?!\s?계약)|전셋값|전셋집|deposit|jeonse(?! (?:lease|contract|agreement))",
        r"전세|보증금|jeonse|deposit",
        bare=True,
    ),
    Role(
        "price",
        ("krw",),
        r"매매(?:가|대금|가격|\s?금액)?(?!\s?계약)|집값|대금|가격|price|sold for|selling for|sale",
        r"매매|에\s?(?:팔|파|매매|사)|price",
        bare=True,
    ),
)
_DAY_ROLES: Final = (
    ("balance_date", r"잔금(?:일|은|을|\s|날)[^,.]{0,14}$|balance[^,.]{0,24}$"),
    ("middle_date", r"중도금[^,.]{0,14}$|instal+ment[^,.]{0,24}$"),
    ("handover", r"(?:인도|입주|열쇠)[^,.]{0,8}$|(?:hand ?over|move[- ]?in|possession)[^,.]{0,16}$"),
    ("sent_on", r"(?:보내는\s?날|발송일|통지일)[^,.]{0,6}$|(?:sent|dated)[^,.]{0,10}$"),
    ("signed_on", r"(?:계약일|서명일|작성일)[^,.]{0,6}$|(?:signed|dated|signing)[^,.]{0,10}$"),
    ("end", r"(?:종료일|만료일|만기일?|끝나는\s?날)[^,.]{0,6}$|(?:ends?|ending|until|expir\w+)(?: on| at)?\s?$"),
)
_DAY_BEHIND: Final = (
    ("end", r"\s?(?:까지|(?:에\s?|자로\s?|로\s?)?(?:끝|종료|만료|만기))"),
    ("handover", r"\s?(?:에\s?)?(?:입주|인도)"),
    ("balance_date", r"\s?(?:에\s?)?잔금"),
)
_RENT_DAY: Final = Pattern(
    r"(?:매월|매달|달마다|월세는?|지급일은?|납부일은?)\s?(?P<ko>[0-9]{1,2})\s?일|(?:due|paid|payable|rent)[^.,]{0,20}\bon the (?P<en>[0-9]{1,2})(?:st|nd|rd|th)?\b"
    r"|rent day[^0-9.,]{0,10}(?P<day>[0-9]{1,2})",
    re.IGNORECASE,
)
_NOT_A_TERM: Final = Pattern(r"\s?(?:전|뒤|후|마다|만에|ago|later|before|after|old)", re.IGNORECASE)
_SPECIAL: Final = Pattern(
    r"특약(?:사항)?(?:으로|은|에|:|에는)\s*(?P<ko>[^.\n]+?)(?=\s?(?:(?:을|를|도|이라고|라고|고)\s?)?(?:넣|추가|적|써|포함)|[.\n]|$)"
    r"|(?:special terms?|special clause|with the term)(?: that| is| are|:)?\s*(?P<en>[^.\n]+)"
    r"|\b(?:add|put|include|write)(?: in)? (?P<added>[^.\n]{2,80}?) (?:as|to|in|into|under) (?:a |the )?special (?:terms?|clauses?)",
    re.IGNORECASE,
)
_ACCOUNT: Final = Pattern(
    r"(?:계좌(?:번호)?|account)(?:는|은|:| is)?\s*(?P<value>[^,.\n]{0,20}[0-9][0-9-]{5,}[^,.\n]{0,16})", re.IGNORECASE
)
_ADDRESS: Final = Pattern(
    r"(?:주소|소재지)(?:는|은|를|을|:)?\s*(?P<ko>[^,\n]{1,80}?[0-9][^,.\n]*?)(?=$|[,.\n]|이?(?:야|예요|에요)(?:[\s,.]|$)|입니다|\s?(?:으로|로)\s?(?:바꿔|고쳐|수정|변경|해))"
    r"|\baddress(?: is|:| to)?\s*(?P<en>[^\n.;]{1,120}[0-9][^\n.;]*)",
    re.IGNORECASE,
)
_PLACE_KO: Final = Pattern(
    r"(?:(?<![가-힣])(?:서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|전북|전남|경북|경남|제주|[가-힣]{2,4}(?:특별시|광역시|특별자치시|도|시))\s)?"
    r"[가-힣]{1,4}(?:구|군|시)(?=[\s,])"
    r"(?:\s(?:[가-힣0-9]{1,8}(?:동|읍|면|리|가|로|길)|[0-9]+(?:-[0-9]+)?(?:번지|동|호)?))*"
)
_PLACE_EN: Final = Pattern(
    r"[A-Z][a-z]+(?:-[a-z]+)?-(?:gu|si|gun)(?:,?\s[A-Z][a-z]+[0-9]?-(?:dong|ro|gil|eup|myeon|ga))?(?:,\s(?:Seoul|Busan|Incheon|Daegu|Daejeon|Gwangju|Ulsan|Sejong|[A-Z][a-z]+-(?:si|do)))?"
    r"|[A-Z][a-z]+-dong(?:,\s[A-Z][a-z]+-gu)?"
)
_MORE_PLACE: Final = Pattern(
    r"(?:\s(?:[가-힣0-9]{1,8}(?:동|읍|면|가|로|길)(?=[\s,.]|$)|[0-9]+(?:-[0-9]+)?(?:번지|동|호)?(?=[\s,.]|$)))+"
)
_COMPLEX: Final = Pattern(
    r"\s(?!보증금|전세|월세|매매)(?:[가-힣A-Za-z0-9]{2,10}\s)?(?:아파트|오피스텔|빌라|다세대|연립|주택|단독|원룸)"
)
_KIND_KO: Final = Pattern(r"아파트|오피스텔|빌라|다세대|연립|단독주택|다가구|원룸|투룸|주택")
_KIND_EN: Final = Pattern(r"\b(apartment|officetel|villa|house|studio|flat|room)\b", re.IGNORECASE)
_SALE: Final = Pattern(
    r"매매\s?(?:계약|로\s?바)|사고파|\bsale\b|\bpurchase (?:agreement|contract)|\bsell(?:ing)?\b", re.IGNORECASE
)
_MONTHLY: Final = Pattern(r"월세|반전세|monthly|\brent(?:al|ing)?\b", re.IGNORECASE)
_JEONSE: Final = Pattern(r"전세|jeonse", re.IGNORECASE)
_NOT_THIS: Final = Pattern(r"[가-힣]{0,2}\s?(?:말고|아니라|아니고|대신)")
_NOT_BEFORE: Final = Pattern(r"(?:\bnot|\binstead of|\brather than)\s(?:KRW\s|₩)?$", re.IGNORECASE)
_WAS: Final = Pattern(r"\s?(?:원)?(?:이었는데|였는데|에서)\s|\s(?:million |won )*to\s", re.IGNORECASE)
"""What stands between what a sum was and what it becomes."""
_BACK: Final = 20
_UPKEEP: Final = Pattern(r"관리비|fees?\b|charges?\b", re.IGNORECASE)
_PAIR: Final = Pattern(r"\s?(?:만\s?원?)?(?:에|/)\s?(?:월\s?)?$")
"""What stands between a deposit and a rent that are said as a pair: "500에 40"."""
_MORE: Final = Pattern(r"올려|올리|높여|더\s?(?:해|받|올)|증액|\braise\b|\bincrease\b|more\b", re.IGNORECASE)
_LESS: Final = Pattern(r"내려|내리|낮춰|낮추|깎|줄여|감액|\blower\b|\breduce\b|\bcut\b|less\b", re.IGNORECASE)
_BESIDES: Final = Pattern(r"추가|(?:것|거)?도\s|더\s|넣어|\badd\b|\balso\b|\btoo\b|as well|besides", re.IGNORECASE)
_TO: Final = Pattern(r"\s?(?:원)?(?:으로|로|까지)\s|\bto\b|\bat\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spans:
    """What else was read in a message: where places stand, and days that are told by today."""

    places: tuple[tuple[int, int], ...] = ()
    """Where names of places stand."""
    days: tuple[PassageDay, ...] = ()
    """Single days."""


def form_of(text: str, known: str = "") -> FormName:
    """Return which contract a message is about; what is known already stands where it does not say."""
    if _SALE.search(text):
        return "sale"
    is_monthly = any(one.role == "rent" for one in bound_to(_numbers(text, ()), text, _roles(text))) or _MONTHLY.search(
        text
    )
    if is_monthly and not re.search(r"월세\s?(?:없|말고|빼)|no rent", text):
        return "monthly_rent"
    if _JEONSE.search(text):
        return "jeonse"
    return _FORM_NAMES.get(known, "jeonse")


_ENDS: Final = ("end", "start")
_FORM_NAMES: Final[Mapping[str, FormName]] = {name: name for name in forms().forms}


def terms_in(text: str, form: str, spans: Spans = Spans()) -> dict[str, str]:
    """Return what a message says, by field, in canonical form."""
    named = tuple(days_in(text))
    # A day without its year is told by today, beside those that a text names in full.
    also = (one for one in spans.days if not any(one.start < day.end and day.start < one.end for day in named))
    days = tuple(sorted((*named, *also), key=lambda one: one.start))
    numbers = _numbers(text, [(one.start, one.end) for one in days])
    found = {
        **_sums(text, numbers, form),
        **_days(text, days),
        **dict(_names(text)),
        **_term(text, numbers),
        **_single(text, numbers, spans),
    }
    if form in LETTERS:
        found |= (asked := dict(asked_for(text, days)))
        # A day that something is asked for by is no last day of the lease.
        found = {name: value for name, value in found.items() if name not in _ENDS or value != asked.get("until")}
    elif upkeep := found.pop("upkeep", ""):
        # No clause of ours names a sum for the upkeep: it is a special term.
        found["special"] = "\n".join(one for one in (found.get("special"), _upkeep(upkeep, text)) if one)
    fields = {*forms().forms[_FORM_NAMES.get(form, "jeonse")].fields(), TERM}
    if "end" in fields and "start" not in fields and "start" in found:
        # A letter speaks of no first day: the day that it names is when the lease ends.
        found.setdefault("end", found["start"])
    return {name: value for name, value in found.items() if name in fields and value}


def _upkeep(value: str, text: str) -> str:
    is_korean = re.search(r"[가-힣]", text) is not None
    said = written("money", int(value), "ko" if is_korean else "en")
    return f"관리비는 월 {said}으로 한다" if is_korean else f"the maintenance fee is {said} a month"


def changed(known: Mapping[str, str], said: Mapping[str, str], text: str) -> dict[str, str]:
    """Return known terms with those of a message: what is to be repaired besides, or a sum to raise by, is added."""
    values = dict(known)
    for name, value in said.items():
        if name == "fault" and name in known and _BESIDES.search(text):
            values[name] = ", ".join(dict.fromkeys((*known[name].split(", "), *value.split(", "))))
            continue
        way = 1 if _MORE.search(text) else -1 if _LESS.search(text) else 0
        kind = forms().fields[name].kind if name in forms().fields else ""
        by = way and kind == "money" and name in known and not _TO.search(text)
        values[name] = str(int(known[name]) + way * int(value)) if by else value
    if "end" in said:
        values.pop(TERM, None)
    elif TERM in said or ("start" in said and TERM in values):
        values.pop("end", None)
    if {"deposit", "price", "earnest", "middle"} & said.keys() and "balance" not in said:
        values.pop("balance", None)
    return values


def said_values(values: Mapping[str, str], form: str, locale: str) -> dict[str, str]:
    """Return terms as a contract writes them, with the last day and the balance that follow from them."""
    known = {name: value for name, value in values.items() if name in forms().fields}
    if "start" in values and "end" not in values and TERM in values:
        known["end"] = last_day(date.fromisoformat(values["start"]), int(values[TERM])).isoformat()
    if form != "sale" and {"deposit", "earnest"} <= values.keys() and "balance" not in values:
        rest = int(values["deposit"]) - int(values["earnest"])
        known |= {"balance": str(rest)} if rest > 0 else {}
    if form == "sale" and {"price", "earnest", "middle"} <= values.keys() and "balance" not in values:
        rest = int(values["price"]) - int(values["earnest"]) - int(values["middle"])
        known |= {"balance": str(rest)} if rest > 0 else {}
    if form in LETTERS:
        known.setdefault("until", _DAYS_GIVEN)
    return {name: _written(name, value, locale) for name, value in known.items()}


_DAYS_GIVEN: Final = "7"
"""How many days a letter gives that names no time."""


def _written(name: str, value: str, locale: str) -> str:
    kind = forms().fields[name].kind
    if name == "special":
        return numbered(listed(value), locale)
    if name == "until":
        return until_when(value, locale, "" if value.isdigit() else written("date", date.fromisoformat(value), locale))
    if kind == "area" and re.fullmatch(r"[0-9.]+", value):
        return written(kind, Decimal(value), locale)
    if kind == "money" or (kind == "day_of_month" and value.isdigit()):
        return written(kind, int(value), locale)
    return written(kind, date.fromisoformat(value), locale) if kind == "date" else value


def _numbers(text: str, taken: Collection[tuple[int, int]]) -> tuple[Number, ...]:
    """Return the numbers of a message but those that it takes back: "3억에서 3억 1천으로", "1년 말고 6개월"."""
    found = numbers_in(text, taken or [(one.start, one.end) for one in days_in(text)])
    units = [one.unit for one in found]
    return tuple(
        one
        for at, one in enumerate(found)
        if not _NOT_THIS.match(text, one.end)
        and not _NOT_BEFORE.search(text[max(0, one.start - _BACK) : one.start])
        and not (at + 1 < len(found) and units[at + 1] == one.unit and _WAS.match(text, one.end))
    )


def _sums(text: str, numbers: tuple[Number, ...], form: str) -> dict[str, str]:
    found: dict[str, str] = dict(_pair(text, numbers)) if form == "monthly_rent" else {}
    bound = bound_to(numbers, text, _roles(text))
    for one in bound:
        if one.role and one.unit == "krw" and Decimal(one.value) >= 10_000:
            found.setdefault(one.role, str(int(Decimal(one.value))))
    main = "price" if form == "sale" else "deposit"
    loose = [one for one in bound if not one.role and one.unit == "krw"]
    if form == "sale" and "deposit" in found and main not in found:
        found[main] = found.pop("deposit")
    elif form != "sale" and "price" in found and main not in found:
        found[main] = found.pop("price")
    if main not in found and len(loose) == 1:
        found[main] = str(int(Decimal(loose[0].value)))
    return found


def _roles(text: str) -> tuple[Role, ...]:
    """Return the roles of sums; that of upkeep only where a text speaks of it."""
    return _ROLES if _UPKEEP.search(text) else _ROLES[1:]


def _pair(text: str, numbers: tuple[Number, ...]) -> Iterator[tuple[str, str]]:
    """Yield the deposit and the rent that are said as a pair of bare numbers, which are counted in 만원."""
    for one, other in pairwise(numbers):
        if one.is_bare and other.is_bare and _PAIR.match(text[one.end : other.start]):
            yield from (("deposit", str(int(one.as_won))), ("rent", str(int(other.as_won))))
            return


def _days(text: str, days: tuple[PassageDay, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for day in days:
        before = text[max(0, day.start - 30) : day.start]
        role = next((name for name, words in _DAY_ROLES if re.search(words, before, re.IGNORECASE)), "")
        role = role or next(
            (name for name, words in _DAY_BEHIND if re.match(words, text[day.end :], re.IGNORECASE)), ""
        )
        if not role:
            role = "end" if "start" in found and re.search(r"(?:부터|~|-|to|and)\s?$", before) else "start"
        found.setdefault(role, day.value.isoformat())
    if "handover" in found and "start" not in found:
        # Who names no first day but the day of moving in means that one: "1월 10일 입주해서 2년".
        found["start"] = found["handover"]
    return found


def _term(text: str, numbers: tuple[Number, ...]) -> dict[str, str]:
    for one in numbers:
        if one.unit in {"years", "months"} and 0 < one.value < 100 and not _NOT_A_TERM.match(text, one.end):
            return {TERM: str(int(one.value * (MONTHS if one.unit == "years" else 1)))}
    return {TERM: str(MONTHS)} if re.search(r"\bfor a year\b", text, re.IGNORECASE) else {}


def _names(text: str) -> Iterator[tuple[str, str]]:
    for name, words in _PARTIES.items():
        for match in re.finditer(rf"(?:{words}){_NAME_KO}|(?i:\b(?:{words})){_NAME_EN}", text):
            said = match["ko"] or match["en"]
            if not said.startswith(_NO_NAMES):
                yield name, said
                break


def _single(text: str, numbers: tuple[Number, ...], spans: Spans) -> dict[str, str]:
    found = {}
    due, special, account = _RENT_DAY.search(text), _SPECIAL.search(text), _ACCOUNT.search(text)
    if place := _place(text, spans.places):
        found["address"] = place
    if area := next((one for one in numbers if one.unit in {"m2", "pyeong"}), None):
        found["area"] = f"{area.value.normalize():f}" if area.unit == "m2" else area.words
    if due is not None and 1 <= (day := int(due["ko"] or due["en"] or due["day"])) <= DAY_OF_MONTH_MAX:
        found["rent_day"] = str(day)
    if special is not None:
        found["special"] = "\n".join(listed(special["ko"] or special["en"] or special["added"]))
    if account is not None:
        found["account"] = account["value"].strip()
    return found


def _is_place(match: re.Match[str]) -> bool:
    """Tell whether what is spelt as a district is one: the 요구 of "갱신 요구" is none."""
    return any(word in gazetteer().names for word in match.group().split()[:2])


def _place(text: str, places: tuple[tuple[int, int], ...]) -> str:
    """Return where the home is, as the message says it: the district, the dong or street, and the kind of home."""
    if address := _ADDRESS.search(text):
        return (address["ko"] or address["en"]).strip()
    match = next(filter(_is_place, _PLACE_KO.finditer(text)), None) or _PLACE_EN.search(text)
    if match is None and not places:
        return ""
    start, end = match.span() if match else places[0]
    for first, last in places:
        if first <= end + 2 and last > end:
            end = last
        if last >= start - 1 and first < start:
            start = first
    more = _MORE_PLACE.match(text, end)
    end = more.end() if more else end
    complex_name = _COMPLEX.match(text, end)
    said = text[start : complex_name.end() if complex_name else end].strip(" ,")
    kind = _KIND_EN.search(text)
    if complex_name is None and kind is not None and kind[0].lower() not in said.lower():
        return f"{said} ({kind[0].lower()})"
    korean = _KIND_KO.search(text)
    return f"{said} {korean[0]}" if complex_name is None and korean is not None and korean[0] not in said else said
