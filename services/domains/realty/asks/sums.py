"""What the answers on money of homes share: roles of numbers, what is given and missing, how sums and law are said."""

import hashlib
import itertools
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, AskedBefore, AskForm, AskInput, AskQuantity, Ground, Origin, Said
from services.contract.flow import Evidence, Provenance
from services.domains.realty.asks.moves import with_moves
from services.domains.realty.asks.topic import Topic
from services.domains.realty.brackets import Title
from services.domains.realty.calculators import INPUTS, MONTHS
from services.plugin.asks.answering import Call, Claim, Found, Outcome, asking_back
from services.plugin.asks.edits import carried, is_fresh, points_back, short
from services.plugin.asks.numbers import Number, like_before, numbers_in
from services.plugin.asks.roles import bound_to
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import exact_won, filled, listed, percent, proof, query, rows_of, where, won
from services.plugin.entities import PERIOD, Entity
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.near import just_before
from services.text.patterns import Pattern

ALONE: Final = ("realty.analysis", "realty.search")
"""Who answers what rests on the question alone."""
SEARCH: Final = ("realty.search",)
"""Who answers what needs rows."""
ACT: Final = "주택임대차보호법"
DECREE: Final = "주택임대차보호법 시행령"
_GIVEN: Final = Said("질문에 적어 주신 내용", "What your question gives")
_GIVEN_SCHEMA: Final = "hapju.realty.question.v1"
_RULE_SCHEMA: Final = "hapju.realty.rule.v1"
_MAN: Final = 10_000
_WITHIN: Final = ("안에", "이내", "내에")
"""How a number ends that is the span of a rule: "1년 안에 또 올릴 수 있나"."""
_ONE_SPAN: Final = Pattern(r"\s?(?:에|마다|치|안에|이내|내에|\(|$)")
_CHANGING: Final = Pattern(
    r"그럼|그러면|이고|고|인데|랑|하고|줘|주세요|돌리|올리|내리|낮추|줄이|빌리|받|사|팔|그렇다면|만약에?|혹시|아니|말고|대신|다시|계산|해\s?줘|해\s?주세요|바꿔|바꾸|변경|하면|이면|라면|으로|로|면|은|는|이|가|을|를|에|도|요|만|인|일\s?때|경우|어때|얼마|돼|되|나와|나오|까지|기준|연|년|짜리"
    r"|늘[리려어]?|줄[여어]|[길짧]게|잡으?|이?야|예요|이에요|입니다|거[야예]|하자|할게|할래|해\s?봐|으?론|다고|틀렸어?|잘못|쓰|치|뒤|씩|매달|한\s?달"
    r"|\bit['’]s\b|\b(?:and|what|if|about|with|an?|of|at|the|to|for|instead|make|it|that|is|be|then|how|over|now|please|won|in|on|my|were|was|only|just|actually|not|i|mean|meant|would|change|changed|over|but|no|try|say|suppose|set|use|let's|longer|shorter|raise|lower|extend|same|rather|should|can|do|try|sorry)\b",
    re.IGNORECASE,
)
"""Words of a message that only changes an input."""
_MOVING: Final = ("raised_to", "raise_by", "deposit_to", "deposit_by", "rate_to", "sold")
_LATER: Final = Pattern(r"\s?(?:뒤|후|전|안|만에|됐|지났)")
_HOMES_OWNED: Final = Pattern(r"\s?(?:주택자?(?!담보)|가구|세대|인\s?(?:가족|가구|식구)|식구|명)")
_OWN_UNIT: Final = Pattern(r"(?!에|을|를|로|으로|은|는|이|가|의|도|만|인|짜리|까지|씩|정도|쯤)[가-힣A-Za-z]")
_PLAUSIBLE: Final = {
    "income_year": (Decimal(8_000_000), Decimal("Infinity")),
    "income_month": (Decimal(100_000), Decimal(500_000_000)),
    "rent": (Decimal(10_000), Decimal(30_000_000)),
    "price": (Decimal(5_000_000), Decimal("Infinity")),
    "deposit": (Decimal(100_000), Decimal("Infinity")),
    "loan": (Decimal(100_000), Decimal("Infinity")),
    "fee": (Decimal(10_000), Decimal(50_000_000)),
    "savings": (Decimal(1_000_000), Decimal("Infinity")),
    "rate": (Decimal(0), Decimal(30)),
}
"""What sums of a role lie between."""
_BEARING: Final = frozenset({"krw", "percent", "percentage_point", "years", "months", ""})
_A_MONTH_BEHIND: Final = Pattern(
    r"\s?(?:씩\s?)?(?:매달|매월|한\s?달|/\s?월|(?:a|per|each|every)\s(?:calendar\s)?month|monthly)", re.IGNORECASE
)
_A_MONTH_BEFORE: Final = Pattern(
    r"(?:(?:월|매달|매월|달마다|한\s?달에)(?:\s?(?:급여?|소득|수입))?(?:은|이|는)?|monthly(?: income| salary)?(?: of| is)?|each month)\s?(?:에\s?)?(?:KRW\s|₩)?$",
    re.IGNORECASE,
)
_YES_NO: Final = frozenset({AskForm.VERDICT})


def quantities_of(sheet: Sheet, topic: Topic, wanted: Sequence[str] = ()) -> tuple[AskQuantity, ...]:
    """Return the numbers of a question with their roles in a topic.

    Args:
        sheet: The question.
        topic: The topic.
        wanted: Roles that the one number of a unit takes before all others: those that were asked for.
    """
    numbers = _numbers(sheet)
    found = list(bound_to(numbers, sheet.text, topic.roles))
    for at, one in enumerate(found):
        if one.role.endswith("_year") and _is_of_a_month(sheet.text, one):
            found[at] = replace(one, role=f"{one.role.removesuffix('_year')}_month")
    # A word may stand beside a sum that is far from what it names: "복비 3억이면" is a price or a deposit.
    found = [replace(one, role="") if topic.holds and one.role and _is_implausible(one) else one for one in found]
    found = with_moves(_with_pairs(found, numbers, sheet.text, topic), numbers, sheet.text, topic)
    found, numbers = _with_partners(found, numbers, sheet.text)
    taken = {one.role for one in found}
    units = Counter(one.unit for one in found if not one.role)
    for at, one in enumerate(found):
        if one.role or units[one.unit] > 1 or _has_own_unit(one, sheet.text):
            continue
        role = next((name for name in wanted if _fits(name, one)), topic.rest.get(one.unit or "krw", ""))
        if role and role not in taken and _is_plausible(role, numbers[at].as_won):
            value = f"{numbers[at].as_won:f}" if not one.unit else one.value
            found[at] = replace(one, role=role, value=value, unit=one.unit or "krw")
    if not any(one.role == "months" for one in found):
        # A term that is changed to is the term itself where no other is named: "20년으로 줄이면?".
        found = [replace(one, role="months") if one.role == "months_to" else one for one in found]
    return _by_relations(tuple(found), numbers, sheet.text, topic)


_PAIRED: Final = Pattern(r"\s?(?:원)?\s?(?:에|/)\s?(?:월\s?)?")


def _with_pairs(found: list[AskQuantity], numbers: Sequence[Number], text: str, topic: Topic) -> list[AskQuantity]:
    """Return sums with the deposit and the rent of a lease as people say them in one breath: "2천에 75", "500/45"."""
    if not {"deposit", "rent"} <= {role.name for role in topic.roles}:
        return found
    for at, (left, right) in enumerate(itertools.pairwise(numbers)):
        sums = left.unit in {"krw", ""} and right.unit in {"krw", ""} and right.value
        if not sums or not _PAIRED.fullmatch(text[left.end : right.start]) or not _is_lease(left.as_won, right.as_won):
            continue
        if found[at].role in {"", "deposit"} or found[at + 1].role in {"", "rent"}:
            found[at] = replace(found[at], role="deposit", value=f"{left.as_won.normalize():f}", unit="krw")
            found[at + 1] = replace(found[at + 1], role="rent", value=f"{right.as_won.normalize():f}", unit="krw")
            return [
                one if place in {at, at + 1} or one.role not in {"deposit", "rent"} else replace(one, role="")
                for place, one in enumerate(found)
            ]
    return found


def _is_lease(deposit: Decimal, rent: Decimal) -> bool:
    """Tell whether two sums can be the deposit and the monthly rent of one lease."""
    return Decimal(100_000) <= rent <= Decimal(10_000_000) and Decimal(1_000_000) <= deposit and rent * 3 <= deposit


_PARTNER: Final = Pattern(
    r"(?:아내|남편|와이프|배우자|신랑|집사람|wife|husband|partner|spouse)(?:는|은|이|가|도|쪽|분)?(?:\s?(?:연봉|소득|급여|월급|수입|earns?|makes?|brings? (?:in|home)))*(?:이|은|는|가)?\s?(?:another\s|KRW\s|₩)?$",
    re.IGNORECASE,
)


def _with_partners(
    found: list[AskQuantity], numbers: tuple[Number, ...], text: str
) -> tuple[list[AskQuantity], tuple[Number, ...]]:
    """Return sums with a partner's income added to one's own: both repay the loan."""
    own = next((at for at, one in enumerate(found) if one.role in {"income_year", "income_month"}), None)
    for at, one in enumerate(found):
        if own is None or at == own or one.unit not in {"krw", ""} or one.role not in {"", found[own].role}:
            continue
        if just_before(_PARTNER, text, one.start):
            both = Decimal(found[own].value) + numbers[at].as_won
            words = f"{found[own].words} + {one.words}"
            found[own] = replace(found[own], value=f"{both.normalize():f}", unit="krw", words=words)
            return [*found[:at], *found[at + 1 :]], (*numbers[:at], *numbers[at + 1 :])
    return found, numbers


def _by_relations(
    found: tuple[AskQuantity, ...], numbers: Sequence[Number], text: str, topic: Topic
) -> tuple[AskQuantity, ...]:
    """Return sums that no word binds with the only roles that they can have together; unbound where several are left."""
    loose = [
        at
        for at, one in enumerate(found)
        if not one.role and one.unit in {"krw", ""} and numbers[at].as_won and not _has_own_unit(one, text)
    ]
    if topic.holds is None or not loose or len(loose) > _LOOSE_MAX:
        return found
    taken = {one.role: Decimal(one.value) for one in found if one.role}
    free = [role.name for role in topic.roles if "krw" in role.units and role.name not in taken]
    fitting = [
        roles
        for roles in itertools.permutations(free, len(loose))
        if all(_is_plausible(role, numbers[at].as_won) for role, at in zip(roles, loose, strict=True))
        and topic.holds({**taken, **{role: numbers[at].as_won for role, at in zip(roles, loose, strict=True)}})
    ]
    if len(fitting) != 1:
        return found
    bound = dict(zip(loose, fitting[0], strict=True))
    return tuple(
        replace(one, role=bound[at], value=f"{numbers[at].as_won.normalize():f}", unit="krw") if at in bound else one
        for at, one in enumerate(found)
    )


_LOOSE_MAX: Final = 3


def _is_plausible(role: str, value: Decimal) -> bool:
    low, high = _PLAUSIBLE.get(role, (Decimal(0), Decimal("Infinity")))
    return low <= value <= high


def _has_own_unit(one: AskQuantity, text: str) -> bool:
    """Tell whether a bare number is followed by a unit that is none of money: "100와트"."""
    return not one.unit and _OWN_UNIT.match(text, one.end) is not None


def _fits(role: str, one: AskQuantity) -> bool:
    unit = INPUTS[role].unit if role in INPUTS else "krw"
    return one.unit == unit or (unit == "months" and one.unit in {"years", "months"}) or (not one.unit and unit != "m2")


def _numbers(sheet: Sheet) -> tuple[Number, ...]:
    """Return the numbers without spans that sums are told by ("1년에", "한 달에") and with a pair's shared unit."""
    dates = [(one.start, one.end) for one in sheet.of_kind(PERIOD) if one.end and not _is_a_term(one, sheet.text)]
    kept = [one for one in like_before(numbers_in(sheet.text, dates), sheet.text) if not _is_span(one, sheet.text)]
    kept = [one for one in kept if not _is_pronoun(one, sheet.text)]
    kept = sorted([*kept, *_written_together(sheet.text)], key=lambda one: one.start)
    kept = _in_millions(kept, sheet)
    for at, (left, right) in enumerate(itertools.pairwise(kept)):
        between = sheet.text[left.end : right.start]
        if left.is_bare and right.unit == "krw" and re.fullmatch(r"\s?(?:원?에서|to|→|->)\s?", between):
            value = left.value if left.value * 100 > right.value else left.value * _scale(left, right)
            kept[at] = replace(left, value=value, unit="krw")
        elif _are_rates(left, right, between, sheet):
            kept[at], kept[at + 1] = replace(left, unit="percent"), replace(right, unit="percent")
    return tuple(kept)


def _is_pronoun(one: Number, text: str) -> bool:
    """Tell whether a small number in words stands for what was said and counts nothing: "each of the two"."""
    small = one.is_bare and one.value < _COUNTED_MIN and one.words.isascii() and one.words.isalpha()
    return small and not _COUNTED.match(text, one.end)


_COUNTED_MIN: Final = 20
_COUNTED: Final = Pattern(r"[\s-](?:\w+[\s-])?(?:kids?|child|homes?|houses?|flats?|people|of us)", re.IGNORECASE)
_MILLIONS: Final = Pattern(r"\d\s?(?:million|m)\b", re.IGNORECASE)
_A_SUM_BEFORE: Final = Pattern(
    r"\b(?:for|at|to|of|is|was|worth|costs?|paid|got)\s(?:about\s|around\s)?$", re.IGNORECASE
)


def _in_millions(numbers: list[Number], sheet: Sheet) -> list[Number]:
    """Return sums that leave out the millions which one before them says: "paid 600 million, sold it at 690"."""
    found: list[Number] = []
    for one in numbers:
        said = any(_MILLIONS.search(other.words) for other in found)
        bare = one.is_bare and _MILLIONS_MIN <= one.value < _MILLIONS_MAX
        if said and bare and sheet.language == "en" and just_before(_A_SUM_BEFORE, sheet.text, one.start):
            one = replace(one, value=one.value * 10**6, unit="krw")  # noqa: PLW2901 - the same number, read whole
        found.append(one)
    return found


_MILLIONS_MIN: Final = 50
_MILLIONS_MAX: Final = 3000


def _are_rates(left: Number, right: Number, between: str, sheet: Sheet) -> bool:
    """Tell whether two numbers are rates that one moves between, though neither says its unit: "4.1에서 3.6으로"."""
    small = max(left.value, right.value) <= _RATE_BARE_MAX
    units = {left.unit, right.unit} <= {"", "percent"} and (left.is_bare or right.is_bare)
    decimals = any(one.value % 1 for one in (left, right)) or sheet.says(r"금리|이자율|interest|rate")
    return small and units and decimals and re.fullmatch(r"\s?(?:%|프로)?(?:에서|→|->|\sto)\s?", between) is not None


_RATE_BARE_MAX: Final = 20


_LIMIT_WITH_SHARE: Final = Pattern(r"(?<![A-Za-z])(?:LTV|DTI|DSR)(?P<share>[1-9][0-9])(?![0-9A-Za-z])", re.IGNORECASE)


def _written_together(text: str) -> list[Number]:
    """Return the shares that are written to the name of their limit without a space: "LTV70"."""
    return [
        Number(Decimal(match["share"]), "percent", "", match.start("share"), match.end(), match["share"])
        for match in _LIMIT_WITH_SHARE.finditer(text)
        if not text[match.end() :].lstrip().startswith(("%", "퍼센트", "프로"))
    ]


_TERM: Final = Pattern(r"[1-5]?[0-9]\s?년")
_OF_A_YEAR: Final = Pattern(r"\s?(?:에(?!서)|도|식|부터|생|\d)")


def _is_a_term(one: Entity, text: str) -> bool:
    """Tell whether what reads as a year of two digits is a term of years: "25년으로"."""
    return _TERM.fullmatch(text[one.start : one.end]) is not None and not _OF_A_YEAR.match(text, one.end)


def _scale(left: Number, right: Number) -> Decimal:
    scale = Decimal(1)
    while left.value * scale * 10 <= right.value:
        scale *= 10
    return scale


def _is_span(one: Number, text: str) -> bool:
    if one.is_bare and _HOMES_OWNED.match(text, one.end):
        return True
    if one.unit == "months" and one.words.startswith("한"):
        return not _LATER.match(text, one.end)
    if one.unit not in {"years", "months"} or one.value != 1:
        return False
    return one.words.endswith(_WITHIN) or bool(_ONE_SPAN.match(text, one.end))


def _is_of_a_month(text: str, one: AskQuantity) -> bool:
    return bool(_A_MONTH_BEHIND.match(text, one.end)) or bool(just_before(_A_MONTH_BEFORE, text, one.start))


def drafted(sheet: Sheet, topic: Topic, form: AskForm, **notes: str) -> Ask:
    """Return an ask of a topic with what the question gives."""
    bounds = {f"{one.role}_bound": bound for one in quantities_of(sheet, topic) if (bound := _bound(sheet, one))}
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=form,
        intent=topic.intent,
        answerer=topic.answerer,
        quantities=quantities_of(sheet, topic),
        notes={**notes, **bounds},
    )


def _bound(sheet: Sheet, one: AskQuantity) -> str:
    return next((number.bound for number in sheet.numbers if number.start == one.start), "") if one.role else ""


def last_money(before: Sequence[AskedBefore], topics: Iterable[Topic]) -> Ask | None:
    """Return the last ask of one of these topics, over interposed other subjects."""
    names = {f"realty.{one.answerer}" for one in topics}
    asks = (ask for message in before for ask in reversed(message.asks) if ask.answerer in names)
    return next(asks, None)


def edited(sheet: Sheet, before: Sequence[AskedBefore], topics: Sequence[Topic]) -> Claim | None:
    """Return an edit of the last ask of these topics: a short message that names numbers which fit it."""
    last = None if is_fresh(sheet) else last_money(before, topics)
    if last is None or not short(sheet.text, 9):
        return None
    if not _numbers(sheet):
        return _scaled(sheet, last)
    topic = next(one for one in topics if f"realty.{one.answerer}" == last.answerer)
    lacking = [role for role in topic.needs if number_of(last, role) is None]
    lacking += [role for role in last.notes.get("asked", "").split(",") if role]
    rest = {**topic.rest, **_rest_of(last), **_moved_in(sheet, last, topic)}
    found = quantities_of(sheet, replace(topic, rest=rest, holds=None if topic.moved else topic.holds), lacking)
    if any(not one.role or _is_implausible(one) for one in found) or not _is_only_an_edit(sheet, found, topic):
        return None
    last = _without_apart(last, topic, {one.role for one in found})
    bounds = {f"{one.role}_bound": _bound(sheet, one) for one in found}
    form = AskForm.VERDICT if topic.moved and is_verdict(sheet) and not sheet.wants(AskForm.AMOUNT) else None
    now = Ask(words=sheet.text, quantities=found, form=form, intent=topic.intent, answerer=topic.answerer, notes=bounds)
    return Claim(replace(carried(now, last), words=sheet.text, start=0, end=len(sheet.text)), 0.95)


_PARTS: Final = (
    (Decimal("0.5"), r"절반|반만|\bhalf\b"),
    (Decimal(2), r"두\s?배|갑절|\b(?:double|twice)\b"),
    (Decimal(1) / 3, r"(?:3|삼)\s?분의\s?(?:1|일)|\ba third\b"),
)


def _scaled(sheet: Sheet, last: Ask) -> Claim | None:
    """Return the last sum with its amount halved or doubled: "절반만 돌리면?"; None where no part of it is meant."""
    part = next((share for share, words in _PARTS if sheet.says(words)), None)
    sums = [one for one in last.quantities if one.unit == "krw" and one.role]
    main = next((one for one in sums if one.role in _MOVING), sums[0] if len(sums) == 1 else None)
    if part is None or main is None or sheet.of_kind("region"):
        return None
    value = (Decimal(main.value) * part).quantize(Decimal(1))
    kept = (replace(one, value=f"{value:f}") if one is main else one for one in last.quantities)
    quantities = tuple(replace(one, start=0, end=0, origin=Origin.CARRIED) for one in kept)
    return Claim(replace(last, words=sheet.text, start=0, end=len(sheet.text), quantities=quantities), 0.95)


def _rest_of(last: Ask) -> dict[str, str]:
    """Return the role that a number of a unit has in an edit: the only one, or the one that was to change."""
    found: dict[str, str] = {}
    for unit in {one.unit for one in last.quantities}:
        roles = [one.role for one in last.quantities if one.unit == unit and one.role]
        moving = [role for role in _MOVING if role in roles]
        if len(roles) == 1 or moving:
            found[unit] = moving[0] if moving else roles[0]
    return found


def _moved_in(sheet: Sheet, last: Ask, topic: Topic) -> dict[str, str]:
    """Return the role that a bare sum of an edit has beside what was given: "3억 6천이면 괜찮아요?" after a lease of 3억 5천."""
    sums = [one.as_won for one in _numbers(sheet) if one.unit in {"krw", ""}]
    # What rises by a share has another sum to begin with: "3억이면?" after a deposit that goes up by 5 %.
    by_share = any(one.role == "rise_percent" for one in last.quantities)
    if not topic.moved or topic.holds is None or len(sums) != 1 or by_share:
        return {}
    given = {
        one.role: Decimal(one.value) for one in last.quantities if one.unit == "krw" and one.role in {"deposit", "rent"}
    }
    return {"krw": topic.moved} if given and topic.holds({**given, topic.moved: sums[0]}) else {}


def _without_apart(last: Ask, topic: Topic, roles: set[str]) -> Ask:
    named = [group for group in topic.apart if group & roles]
    if not named:
        return last
    dropped = {role for group in topic.apart if group not in named for role in group}
    kept = tuple(one for one in last.quantities if one.role not in dropped)
    notes = {name: value for name, value in last.notes.items() if name != "lease"}
    return replace(last, quantities=kept, notes=notes)


def _is_only_an_edit(sheet: Sheet, found: Sequence[AskQuantity], topic: Topic) -> bool:
    """Tell whether a message says nothing beside its numbers, words of their roles and words of changing something."""
    taken = [(one.start, one.end) for one in found]
    for role in topic.roles:
        taken += [match.span() for match in re.finditer(role.before, sheet.text, re.IGNORECASE)] if role.before else []
    if _is_korean(sheet) and not sheet.wants(AskForm.ADVICE) and not _names_other(sheet):
        return not any(_is_telling(one, taken) for one in morphemes(sheet.text))
    rest = "".join(" " if any(a <= at < b for a, b in taken) else sign for at, sign in enumerate(sheet.text))
    return not re.search(r"[가-힣A-Za-z0-9]", _CHANGING.sub(" ", rest))


def _is_korean(sheet: Sheet) -> bool:
    return re.search(r"[가-힣]", sheet.text) is not None


def _names_other(sheet: Sheet) -> bool:
    """Tell whether a message names a thing that no edit of a sum names: a place, a share, an order."""
    return any(one.value and one.value != one.words and one.kind not in _OF_SUMS for one in sheet.entities)


def _is_telling(one: Morpheme, taken: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a word is a noun of its own, which an edit does not have beside its numbers."""
    if one.tags[0] not in _NOUNS or one.surface in _EMPTY_NOUNS:
        return False
    return not any(start < one.end and one.start < end for start, end in taken)


_NOUNS: Final = frozenset({"NNG", "NNP", "SL", "XR"})
_EMPTY_NOUNS: Final = frozenset(
    [
        "이번",
        "얼마",
        "경우",
        "정도",
        "계산",
        "변경",
        "수정",
        "정정",
        "기준",
        "조건",
        "다시",
        "대신",
        "만약",
        "혹시",
        "한번",
        "매달",
        "라면",
        "최대",
        "면",
        "이면",
    ]
)
"""Nouns that say nothing of what is meant."""
_OF_SUMS: Final = frozenset({PERIOD, "amount", "quantity", "area", "deal_type", "property_type"})


def completed(ask: Ask, sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> Ask:
    """Return an ask completed by the last one of its topic where it lacks what the topic needs."""
    if is_fresh(sheet) or not short(sheet.text, _COMPLETES_MAX):
        return ask
    last = last_money(before, [topic])
    if last is not None and not ask.quantities:
        ask = carried(ask, last)
    return _with_told(ask, sheet, before, topic)


_COMPLETES_MAX: Final = 14
_FIGURES: Final = {
    "sale_price": "price",
    "jeonse_deposit": "deposit",
    "rent_deposit": "deposit",
    "monthly_rent": "rent",
    "loan_limit": "loan",
}
"""The role that a figure which was told has in a sum."""


def _with_told(ask: Ask, sheet: Sheet, before: Sequence[AskedBefore], topic: Topic) -> Ask:
    """Return an ask with the inputs that it lacks, as they were given or told just before, or where the words point back."""
    has = {one.role for one in ask.quantities}
    reach = before if points_back(sheet) else before[:1]
    lacking = [role for role in topic.takes if role not in has]
    if not lacking or (topic.apart and any(has & group for group in topic.apart)):
        return ask
    found: dict[str, AskQuantity] = {}
    for message in reach:
        for role, one in (*_given_before(message), *_told_sums(message)):
            if role in lacking and not _stands_against(role, found.keys(), topic):
                found.setdefault(role, one)
        if found:
            break
    return replace(ask, quantities=(*ask.quantities, *found.values()))


def _stands_against(role: str, found: Collection[str], topic: Topic) -> bool:
    """Tell whether a role is of another group than those that were found, of groups of which a question has one."""
    own = next((group for group in topic.apart if role in group), frozenset())
    return any(group & set(found) for group in topic.apart if group is not own)


def _told_sums(message: AskedBefore) -> list[tuple[str, AskQuantity]]:
    """Return the sums that an answer told of its first thing, by the role that they have."""
    found = []
    for answer in message.answers:
        for figure, value in next(iter(one.figures for one in answer.told), {}).items():
            if role := _FIGURES.get(figure):
                # A mean of the market is told in 만원, so that what is computed from it starts there too.
                step = _MAN if role != "loan" else 1
                whole = (Decimal(value) / step).quantize(Decimal(1)) * step
                found.append((role, AskQuantity(role, f"{whole:f}", "krw", origin=Origin.CARRIED)))
    return found


def _given_before(message: AskedBefore) -> list[tuple[str, AskQuantity]]:
    return [
        (one.role, replace(one, start=0, end=0, origin=Origin.CARRIED))
        for ask in message.asks
        for one in ask.quantities
        if one.role
    ]


def number_of(ask: Ask, role: str) -> Decimal | None:
    """Return the value of a role; sums of a month count twelve times, years as months."""
    for one in ask.quantities:
        value = Decimal(one.value) if one.role else Decimal(0)
        if one.role == role:
            return value * MONTHS if role in {"months", "months_to", "left"} and one.unit == "years" else value
        if role.endswith("_year") and one.role == f"{role.removesuffix('_year')}_month":
            return value * MONTHS
    return None


def unclear(ask: Ask) -> Outcome | None:
    """Return a question back where a number that may bear on the ask has no role; None where all are bound."""
    loose = [one for one in ask.quantities if (not one.role and one.unit in _BEARING) or _is_implausible(one)]
    if not loose:
        return None
    words = listed([Said(f"‘{one.words}’", f"“{one.words}”") for one in loose])
    sentence = filled(
        "{words:이/가} 무엇을 뜻하는지 알려 주시면 계산하겠습니다.",
        "Please tell me what {words} stands for, so that I can compute it.",
        words=words,
    )
    return Outcome(asking_back(ask, sentence, sentence))


def _is_implausible(one: AskQuantity) -> bool:
    """Tell whether a sum is far from what its role can be, so that the role is asked for and not believed."""
    return not _is_plausible(one.role, Decimal(one.value))


def wanting(ask: Ask, *roles: str) -> Outcome:
    """Return a question back for the inputs that are missing."""
    names = listed([INPUTS[role].label for role in roles])
    known = _known(ask)
    sentence = filled(
        "계산하려면 {names:이/가} 더 필요합니다. {names:을/를} 알려 주세요.",
        "Could you tell me the {names}? I need that to compute it.",
        names=names,
    )
    answer = asking_back(ask, sentence, *(INPUTS[role].label for role in roles))
    return Outcome(replace(answer, grounds=known))


def _known(ask: Ask) -> tuple[Ground, ...]:
    line = given_line(ask)
    return (Ground(line),) if line is not None else ()


def given_line(ask: Ask, unused: Iterable[str] = ()) -> Said | None:
    """Return what was given and from where, in one line; None where nothing was."""
    kept = [one for one in ask.quantities if one.role and one.role not in set(unused)]
    if not kept:
        return None
    parts = listed([_quantity_said(one) for one in kept])
    return Said(f"말씀하신 값: {parts.ko}", f"As you said: {parts.en}")


def unused_line(ask: Ask, used: Iterable[str]) -> Said | None:
    """Return which numbers of the question were not used; None where all were."""
    roles = set(used)
    spare = [
        one
        for one in ask.quantities
        if one.role and one.role not in roles and f"{one.role.removesuffix('_month')}_year" not in roles
    ]
    if not spare:
        return None
    words = listed([_quantity_said(one) for one in spare])
    return Said(f"이 계산에 쓰지 않은 값: {words.ko}", f"Not used here: {words.en}")


def told_lines(ask: Ask, used: Iterable[str]) -> tuple[Said | None, Said | None]:
    """Return what was given and used, and what was given and not: each number is told once."""
    kept = set(used)
    spare = {
        one.role
        for one in ask.quantities
        if one.role not in kept and f"{one.role.removesuffix('_month')}_year" not in kept
    }
    return given_line(ask, spare), unused_line(ask, kept)


_LABELS: Final = {
    "raised_to": Said("올리려는 금액", "the raised sum"),
    "raise_by": Said("인상액", "the raise"),
    "raise_percent": Said("인상률", "the raise"),
    "rate_to": Said("바뀐 금리", "the new rate"),
    "stress": Said("스트레스 금리", "the stress rate"),
    "prepaid": Said("먼저 갚을 돈", "what is repaid first"),
    "spare_month": Said("한 달에 낼 수 있는 돈", "what you can pay a month"),
    "spare_year": Said("한 해에 낼 수 있는 돈", "what you can pay a year"),
    "months_to": Said("견줄 기간", "the other term"),
    "repaid_year": Said("한 해에 갚을 돈", "what is repaid a year"),
    "repaid_month": Said("한 달에 갚을 돈", "what is repaid a month"),
    "rate_rise": Said("금리 상승폭", "the rise of the rate"),
    "rate_fall": Said("금리 하락폭", "the fall of the rate"),
    "deposit_to": Said("바꿀 보증금", "the new deposit"),
    "deposit_by": Said("보증금 변동액", "the change of the deposit"),
    "rent_by": Said("월세 변동액", "the change of the rent"),
    "elapsed": Said("지난 기간", "the time passed"),
    "left": Said("남은 기간", "the time left"),
    "sold": Said("파는 값", "the selling price"),
    "other_month": Said("다른 대출의 월 상환액", "monthly payments of other debts"),
    "income_month": Said("월 소득", "monthly income"),
    "fee": Said("요구받은 보수", "the fee asked for"),
    "age": Said("나이", "age"),
    "assets": Said("자산", "assets"),
    "children": Said("자녀", "children"),
    "base": Said("기준금리", "base rate"),
    "per_pyeong": Said("평당 가격", "price per pyeong"),
    "gross_yield": Said("수익률", "yield"),
    "interest_month": Said("월 이자", "interest a month"),
    "paid_month": Said("매달 갚는 돈", "what is repaid a month"),
    "deposit_2": Said("다른 쪽 보증금", "the other deposit"),
    "rent_2": Said("다른 쪽 월세", "the other rent"),
    "upkeep": Said("관리비", "upkeep"),
    "rate_2": Said("다른 쪽 금리", "the other rate"),
    "upkeep_2": Said("다른 쪽 관리비", "the other upkeep"),
    "married": Said("혼인 기간", "years married"),
    "share": Said("빌리는 비율", "the share lent"),
}


def _quantity_said(one: AskQuantity) -> Said:
    label = _label(one.role)
    value = value_said(Decimal(one.value), one.unit)
    return Said(f"{label.ko} {value.ko}", f"{label.en} {value.en}")


def _label(role: str) -> Said:
    return _LABELS[role] if role in _LABELS else INPUTS[role].label


def value_said(value: Decimal, unit: str) -> Said:
    """Return a value with its unit."""
    if unit == "krw":
        return money(value)
    if unit == "percent":
        return percent(value, 2)
    if unit == "percentage_point":
        return Said(f"{value.normalize():f}%p", f"{value.normalize():f} percentage points")
    names = {
        "years": ("년", " years"),
        "months": ("개월", " months"),
        "m2": ("㎡", " m²"),
        "age": ("세", ""),
        "pyeong": ("평", " pyeong"),
    }
    ko, en = names.get(unit, ("", ""))
    return Said(f"{value.normalize():f}{ko}", f"{value.normalize():f}{en}")


def money(value: Decimal) -> Said:
    """Return a sum to the last won; in English by millions where that is exact."""
    exact, rounded = exact_won(value), won(value)
    whole = int(value)
    is_short = whole % _MAN == 0 and (whole % (10**7) == 0 if whole >= 10**9 else True)
    return Said(exact.ko, rounded.en if is_short and whole >= 10**6 else exact.en)


def inputs_of(ask: Ask, assumed: Mapping[str, Decimal] | None = None) -> tuple[AskInput, ...]:
    """Return the inputs of an answer by origin."""
    given = [
        AskInput(one.role, _label(one.role), one.value, one.unit, one.origin) for one in ask.quantities if one.role
    ]
    more = [
        AskInput(role, INPUTS[role].label, f"{value.normalize():f}", INPUTS[role].unit, Origin.ASSUMED)
        for role, value in (assumed or {}).items()
    ]
    return (*given, *more)


def own_evidence(ask: Ask, found: Found) -> Evidence:
    """Return the question's own numbers as evidence, so that each figure rests on something that can be looked at."""
    document = {one.role: one.value for one in ask.quantities if one.role}
    return _evidence(found, ("contract", _GIVEN_SCHEMA), _GIVEN, ask.words, document)


def rule_evidence(found: Found, title: Title, document: Mapping[str, object]) -> Evidence:
    """Return a rule that is shipped as dated data as evidence."""
    return _evidence(found, ("legal", _RULE_SCHEMA), title.said, title.said.of(found.asking.locale), document)


def _evidence(
    found: Found, kind: tuple[str, str], title: Said, excerpt: str, document: Mapping[str, object]
) -> Evidence:
    asking = found.asking
    rows = json.dumps([dict(document)], ensure_ascii=False, separators=(",", ":"), default=str).encode()
    digest = hashlib.sha256(rows + excerpt.encode()).hexdigest()
    source = title.of(asking.locale)
    provenance = Provenance(source, "question", "", b"{}", asking.now, 1, "", digest, sample=False)
    return Evidence(f"ev-{digest[:16]}", kind[0], source, excerpt[:300], rows, kind[1], provenance)


def law_calls(*articles: tuple[str, str]) -> list[Call]:
    """Return the calls that read articles of law: statute and number."""
    return [
        query(
            "law_articles",
            ("statute_ko", "statute_en", "article", "title_ko", "title_en", "summary_ko", "summary_en"),
            mode="rows",
            filters=[where("statute_ko", statute), where("article", article)],
            limit=1,
        )
        for statute, article in articles
    ]


def law_proofs(found: Found) -> tuple[Evidence, ...]:
    """Return the articles that were read as evidence, each under its citation."""
    return tuple(
        proof(one, cited(rows[0].named("statute"), rows[0].text("article")), found.asking.locale, "legal")
        for one in found.readings
        if one.arguments.get("dataset") == "law_articles" and (rows := rows_of([one]))
    )


def law_said(found: Found) -> Said:
    """Return the articles that were read in brackets; empty where none was."""
    rows = rows_of(found.readings, "law_articles")
    if not rows:
        return Said("", "")
    names = listed([cited(row.named("statute"), row.text("article")) for row in rows])
    return Said(f"({names.ko})", f" ({names.en})")


def cited(statute: Said, article: str) -> Said:
    """Return how an article is cited."""
    number, _, branch = article.partition("-")
    return Said(f"{statute.ko} 제{number}조" + (f"의{branch}" if branch else ""), f"{statute.en}, Article {article}")


def done(answer: AskAnswer, *evidence: Evidence) -> Outcome:
    """Return an answer that rests on some pieces of evidence."""
    ids = tuple(dict.fromkeys(one.evidence_id for one in evidence))
    return Outcome(replace(answer, evidence_ids=ids), evidence=tuple(evidence))


def grounds(*lines: Said | None) -> tuple[Ground, ...]:
    """Return lines behind an answer; None is left out."""
    return tuple(Ground(one) for one in lines if one is not None)


TOO_MUCH: Final = (
    r"위반|불법|위법|넘(?:나|어|는|은|습|긴|겼)|초과|과하|과한|과다|비싼|비싸|많은\s?(?:거|것|건|편)|바가지|덤터기|illegal|unlawful|against the law|exceed"
    r"|too (?:much|high)|excessive|overcharg|rip-?off|break|\b(?:over|above|beyond) (?:the|that|its|what)\b"
)
"""Words that ask whether a sum is beyond what is allowed, so that "yes" means that it is."""


def is_verdict(sheet: Sheet) -> bool:
    """Tell whether the words ask for yes or no."""
    return sheet.wants(*_YES_NO)
