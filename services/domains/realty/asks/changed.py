"""Sums that a message changes, adds or takes back of what was told before, and what is left to ask."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, Origin
from services.domains.realty.asks.proved import is_verdict, number_of
from services.domains.realty.asks.sums import MAN, bound_in, is_implausible, last_money, numbers_meant, quantities_of
from services.domains.realty.asks.topic import Topic
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import carried, is_fresh, points_back, short
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.patterns import Pattern

_CHANGING: Final = Pattern(
    r"그럼|그러면|이고|고|인데|랑|하고|줘|주세요|돌리|올리|내리|낮추|줄이|빌리|받|사|팔|그렇다면|만약에?|혹시|아니|말고|대신|다시|계산|해\s?줘|해\s?주세요|바꿔|바꾸|변경|하면|이면|라면|으로|로|면|은|는|이|가|을|를|에|도|요|만|인|일\s?때|경우|어때|얼마|돼|되|나와|나오|까지|기준|연|년|짜리"
    r"|늘[리려어]?|줄[여어]|[길짧]게|잡으?|이?야|예요|이에요|입니다|거[야예]|하자|할게|할래|해\s?봐|으?론|다고|틀렸어?|잘못|쓰|치|뒤|씩|매달|한\s?달"
    r"|\bit['’]s\b|\b(?:and|what|if|about|with|an?|of|at|the|to|for|instead|make|it|that|is|be|then|how|over|now|please|won|in|on|my|were|was|only|just|actually|landlord|owner|he|she|they|wants?|asks?|asked|demands?|not|i|mean|meant|would|change|changed|over|but|no|try|say|suppose|set|use|let's|longer|shorter|raise|lower|extend|same|rather|should|can|do|try|sorry)\b",
    re.IGNORECASE,
)
"""Words of a message that only changes an input."""
NO_DEBT: Final = (
    r"(?:다른|기존|따로)\s?(?:빚|대출|부채)[^.,?]{0,6}없\S*|(?<![가-힣])빚(?:은|도)?\s?없\S*"
    r"|(?:\b(?:i|we) have |\bwith )?\bno (?:other |existing )?(?:debts?|loans?)\b(?: at all| otherwise)?|\bdebt[- ]free\b"
)
"""Words that say beside the sums of a loan that there is no other one."""
_MOVING: Final = ("raised_to", "raise_by", "deposit_to", "deposit_by", "rate_to", "sold")


def edits(sheet: Sheet, before: Sequence[AskedBefore], topics: Sequence[Topic]) -> Sequence[Claim]:
    """Return an edit of what was asked last of these topics: of all that one message asked of the same sum."""
    main, last = edited(sheet, before, topics), last_money(before, topics)
    if main is None or last is None:
        return () if main is None else (main,)
    message = next(one for one in before if last in one.asks)
    given = {(one.role, one.value) for one in last.quantities}
    told = [
        one for one in message.asks if one is not last and given & {(has.role, has.value) for has in one.quantities}
    ]
    others = (edited(sheet, (replace(message, asks=(one,)),), topics) for one in told)
    return [*(one for one in others if one is not None), main]


def edited(sheet: Sheet, before: Sequence[AskedBefore], topics: Sequence[Topic]) -> Claim | None:
    """Return an edit of the last ask of these topics: a short message that names numbers which fit it."""
    last = None if is_fresh(sheet) else last_money(before, topics)
    if last is not None and (match := sheet.find(NO_DEBT)) is not None and match.group() != sheet.text.strip():
        bare = replace(
            sheet, text=f"{sheet.text[: match.start()]}{' ' * len(match.group())}{sheet.text[match.end() :]}"
        )
        claim = edited(bare, before, topics)
        return claim and replace(
            claim, ask=replace(claim.ask, words=sheet.text, notes={**claim.ask.notes, "no_debt": "1"})
        )
    if last is None or not short(sheet.text, 9):
        return None
    if not numbers_meant(sheet):
        return _scaled(sheet, last)
    topic = next(one for one in topics if f"realty.{one.answerer}" == last.answerer)
    lacking = [role for role in topic.needs if number_of(last, role) is None]
    lacking += [role for role in last.notes.get("asked", "").split(",") if role]
    rest = {**topic.rest, **_rest_of(last), **_moved_in(sheet, last, topic)}
    found = quantities_of(sheet, replace(topic, rest=rest, holds=None if topic.moved else topic.holds), lacking)
    if any(not one.role or is_implausible(one) for one in found) or not _is_only_an_edit(sheet, found, topic):
        return None
    last = _without_apart(last, topic, {one.role for one in found})
    bounds = {f"{one.role}_bound": bound_in(sheet, one) for one in found}
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


def with_part(ask: Ask, sheet: Sheet) -> Ask:
    """Return a conversion with the part of the only sum, a deposit, that is said in words: "1억의 절반만 월세로"."""
    roles = [one.role for one in ask.quantities if one.unit == "krw"]
    found = next(((share, match) for share, words in _PARTS if share < 1 and (match := sheet.find(words))), None)
    if found is None or roles != ["deposit"]:
        return ask
    share, match = found
    whole = next(Decimal(one.value) for one in ask.quantities if one.role == "deposit")
    value = (whole * share).quantize(Decimal(1))
    part = AskQuantity("deposit_by", f"{value:f}", "krw", match.group(), *match.span())
    return replace(ask, quantities=(*ask.quantities, part))


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
    sums = [one.as_won for one in numbers_meant(sheet) if one.unit in {"krw", ""}]
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


_WHO_ASKS: Final = Pattern(r"(?:집\s?)?주인|임대인|건물주")
"""Who wants a sum, which says nothing of it."""


def _is_only_an_edit(sheet: Sheet, found: Sequence[AskQuantity], topic: Topic) -> bool:
    """Tell whether a message says nothing beside its numbers, words of their roles and words of changing something."""
    taken = [(one.start, one.end) for one in found] + [match.span() for match in _WHO_ASKS.finditer(sheet.text)]
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
                step = MAN if role != "loan" else 1
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
