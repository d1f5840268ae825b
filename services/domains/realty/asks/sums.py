"""How the numbers of a message on money are read: their roles, units, partners and terms."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity
from services.domains.realty.asks.moves import with_moves
from services.domains.realty.asks.topic import Topic
from services.domains.realty.calculators import INPUTS
from services.plugin.asks.numbers import Number, like_before, numbers_in
from services.plugin.asks.roles import bound_to
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD, Entity
from services.text.near import just_before
from services.text.patterns import Pattern

ADDED: Final = " + "
"""What joins the words of sums that are counted as one."""
MAN: Final = 10_000
"""What sums are counted in."""
_WITHIN: Final = ("안에", "이내", "내에")
"""How a number ends that is the span of a rule: "1년 안에 또 올릴 수 있나"."""
_ONE_SPAN: Final = Pattern(r"\s?(?:에|마다|치|안에|이내|내에|\(|$)")
_LATER: Final = Pattern(r"\s?(?:뒤|후|전|안|만에|됐|지났)")
_HOMES_OWNED: Final = Pattern(r"\s?(?:주택자?(?!담보)|가구|세대|인\s?(?:가족|가구|식구)|식구|명)")
_OWN_UNIT: Final = Pattern(r"(?!에|을|를|로|으로|은|는|이|가|의|도|만|인|짜리|까지|씩|정도|쯤)[가-힣A-Za-z]")
_PLAUSIBLE: Final = {
    "income_year": (Decimal(8_000_000), Decimal("Infinity")),
    "income_month": (Decimal(100_000), Decimal(500_000_000)),
    "rent": (Decimal(10_000), Decimal(30_000_000)),
    "rent_by": (Decimal(0), Decimal(30_000_000)),
    "price": (Decimal(5_000_000), Decimal("Infinity")),
    "deposit": (Decimal(100_000), Decimal("Infinity")),
    "loan": (Decimal(100_000), Decimal("Infinity")),
    "fee": (Decimal(10_000), Decimal(50_000_000)),
    "savings": (Decimal(1_000_000), Decimal("Infinity")),
    "rate": (Decimal(0), Decimal(30)),
}
"""What sums of a role lie between."""
_OF_A_MONTH: Final = frozenset({"rent", "rent_by"})
"""Roles of what is paid each month: a sum beyond all rents is another thing's whatever stands beside it."""
BEARING: Final = frozenset({"krw", "percent", "percentage_point", "years", "months", ""})
"""Units of numbers that a sum may rest on."""
_A_MONTH_BEHIND: Final = Pattern(
    r"\s?(?:씩\s?)?(?:매달|매월|한\s?달|/\s?월|(?:a|per|each|every)\s(?:calendar\s)?month|monthly)", re.IGNORECASE
)
_A_MONTH_BEFORE: Final = Pattern(
    r"(?:(?:월|매달|매월|달마다|한\s?달에)(?:\s?(?:급여?|소득|수입))?(?:은|이|는)?|monthly(?: income| salary)?(?: of| is)?|each month)\s?(?:에\s?)?(?:KRW\s|₩)?$",
    re.IGNORECASE,
)


def quantities_of(sheet: Sheet, topic: Topic, wanted: Sequence[str] = ()) -> tuple[AskQuantity, ...]:
    """Return the numbers of a question with their roles in a topic.

    Args:
        sheet: The question.
        topic: The topic.
        wanted: Roles that the one number of a unit takes before all others: those that were asked for.
    """
    numbers = numbers_meant(sheet)
    found = list(bound_to(numbers, sheet.text, topic.roles))
    for at, one in enumerate(found):
        if one.role.endswith("_year") and _is_of_a_month(sheet.text, one):
            found[at] = replace(one, role=f"{one.role.removesuffix('_year')}_month")
    # A word may stand beside a sum that is far from what it names: "복비 3억이면" is a price or a deposit.
    found = [
        replace(one, role="") if (topic.holds or one.role in _OF_A_MONTH) and one.role and is_implausible(one) else one
        for one in found
    ]
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

_HELPER: Final = Pattern(
    r"(?:부모님?|엄마|아빠|어머니|아버지|시댁|친정|처가|장인|장모|식구들?)(?:님)?(?:께서|이|가|도|은|는|에서|한테서?|쪽에서)?\s?$"
    r"|\b(?:parents?|family|mum|mom|dad|father|mother|folks|in-laws)\s(?:\w+\s){0,2}(?:add|give|gift|chip|put|contribut|lend|help)\w*\s"
    r"(?:(?:me|us|in|with|out|another|about)\s){0,3}(?:KRW\s|₩)?$",
    re.IGNORECASE,
)
_HELPED: Final = Pattern(
    r"\s?(?:원\s?)?(?:을|를|은|정도)?\s?(?:보태|도와\s?(?:주|준)|지원(?:해|받)|주(?:신|시|기로)|증여|물려)|\s(?:won\s)?(?:from|given by) my",
    re.IGNORECASE,
)
_COMING_BACK: Final = Pattern(
    r"(?:돌려받|회수)[가-힣]{1,3}\s?(?:전세\s?)?(?:보증금|전세금)(?:이|은|도)?\s?$"
    r"|\bdeposit\s(?:of\s|that\s)?(?:is\s|comes\s|coming\s|i\sget\s|returned\s|back\s|worth\s){1,3}(?:of\s)?(?:KRW\s|₩)?$",
    re.IGNORECASE,
)
_COMES_BACK: Final = Pattern(
    r"\s?(?:원\s?)?(?:을|를|이|은|도)?\s?(?:돌려\s?받|빼면|빼서|빠지면|회수)"
    r"|\s(?:won\s)?(?:is\s)?(?:coming back|comes back|to come back|back from)",
    re.IGNORECASE,
)
"""A deposit that comes back, which pays for the next home."""
_OWN: Final = Pattern(
    r"(?<![가-힣])(?:제|내|저|나|본인|전|난)(?:가|는|도)?\s?(?:(?:연\s?)?소득|연봉|급여|월급|수입|돈)?(?:은|이|는|가|도)?\s?$"
    r"|\b(?:I|my|mine)\s(?:\w+\s){0,3}(?:KRW\s|₩)?$",
    re.IGNORECASE,
)
"""What is one's own, where a partner's or a parent's was said first."""
_NOBODY: Final = Pattern(r"(?!)")
_ADDED: Final = (
    (frozenset({"income_year", "income_month"}), _PARTNER, _NOBODY),
    (frozenset({"savings"}), _HELPER, _HELPED),
    (frozenset({"savings"}), _COMING_BACK, _COMES_BACK),
)
"""Sums that are added to one's own, by the words before and behind them: a partner's income, a parent's help, a deposit."""


def _with_partners(
    found: list[AskQuantity], numbers: tuple[Number, ...], text: str
) -> tuple[list[AskQuantity], tuple[Number, ...]]:
    """Return sums with what somebody else adds to one's own: a partner repays the loan too, a parent helps with cash."""
    for roles, before, behind in _ADDED:
        found, numbers = _with_added(found, numbers, text, (roles, before, behind))
    return found, numbers


def _with_added(
    found: list[AskQuantity], numbers: tuple[Number, ...], text: str, added: tuple[frozenset[str], Pattern, Pattern]
) -> tuple[list[AskQuantity], tuple[Number, ...]]:
    roles, before, behind = added
    own = next((at for at, one in enumerate(found) if one.role in roles), None)
    for at, one in enumerate(found):
        if own is None or at == own or one.unit not in {"krw", ""} or one.role not in {"", found[own].role}:
            continue
        theirs_first = just_before(before, text, found[own].start) and just_before(_OWN, text, one.start)
        if theirs_first or just_before(before, text, one.start) or behind.match(text, one.end):
            both = Decimal(found[own].value) + numbers[at].as_won
            words = f"{found[own].words}{ADDED}{one.words}"
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


def numbers_meant(sheet: Sheet) -> tuple[Number, ...]:
    """Return the numbers without spans that sums are told by ("1년에", "한 달에") and with a pair's shared unit."""
    dates = [(one.start, one.end) for one in sheet.of_kind(PERIOD) if one.end and not _is_a_term(one, sheet.text)]
    kept = [one for one in like_before(numbers_in(sheet.text, dates), sheet.text) if not _is_span(one, sheet.text)]
    kept = [one for one in kept if not _is_pronoun(one, sheet.text)]
    kept = [replace(one, unit="percent") if _is_a_limit(one, sheet.text) else one for one in kept]
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
    """Return sums that leave out the millions which one before them says: "paid 600 million, sold it at 690".

    A small number leaves them out where it is nearly the one that says them: "from 1.2 million to 1.4".
    """
    if sheet.language != "en":
        return numbers
    found: list[Number] = []
    last = Decimal(0)
    for one in numbers:
        of_its_order = last <= one.value * 2 and one.value <= last * 2
        bare = one.is_bare and (of_its_order or _MILLIONS_MIN <= one.value < _MILLIONS_MAX)
        left_out = last and bare and just_before(_A_SUM_BEFORE, sheet.text, one.start)
        found.append(replace(one, value=one.value * 10**6, unit="krw") if left_out else one)
        last = one.value / 10**6 if _MILLIONS.search(one.words) is not None else last
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


_LIMIT_BEFORE: Final = Pattern(r"\b(?:LTV|DTI|DSR)(?:\s?(?:of|at|is|은|는|이|가))?\s$", re.IGNORECASE)


def _is_a_limit(one: Number, text: str) -> bool:
    """Tell whether a bare number is the share of a limit that is named right before it: "LTV 50으로"."""
    is_share = one.is_bare and one.value <= _SHARE_MAX
    return is_share and just_before(_LIMIT_BEFORE, text, one.start) is not None


_SHARE_MAX: Final = 100


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
    bounds = {f"{one.role}_bound": bound for one in quantities_of(sheet, topic) if (bound := bound_in(sheet, one))}
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=form,
        intent=topic.intent,
        answerer=topic.answerer,
        quantities=quantities_of(sheet, topic),
        notes={**notes, **bounds},
    )


def bound_in(sheet: Sheet, one: AskQuantity) -> str:
    """Return whether a quantity was said as a bound, and which; empty where it has no role."""
    return next((number.bound for number in sheet.numbers if number.start == one.start), "") if one.role else ""


def last_money(before: Sequence[AskedBefore], topics: Iterable[Topic]) -> Ask | None:
    """Return the last ask of one of these topics, over interposed other subjects."""
    names = {f"realty.{one.answerer}" for one in topics}
    asks = (ask for message in before for ask in reversed(message.asks) if ask.answerer in names)
    return next(asks, None)


def is_implausible(one: AskQuantity) -> bool:
    """Tell whether a sum is far from what its role can be, so that the role is asked for and not believed."""
    return not _is_plausible(one.role, Decimal(one.value))
