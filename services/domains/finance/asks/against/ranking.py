"""The first of a class of shares by a measure, and those that meet conditions."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskCondition, Ground, Said
from services.domains.finance.asks.against.verdicts import TESTS
from services.domains.finance.asks.calls import share_calls
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, whole
from services.domains.finance.asks.levels.standing import span_label
from services.domains.finance.asks.pictures import side_by_side
from services.domains.finance.asks.vocabulary import BY_ID
from services.domains.finance.asks.wording import dollars, times
from services.plugin.asks.answering import Call, Found, Outcome
from services.plugin.asks.telling import filled, first_at, listed, percent, placed, sentences, won


def rank_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of a rank over a class of shares, or over those named."""
    fields = dict.fromkeys((*ask.measures[:1], *(one.field for one in ask.conditions if one.field in BY_ID)))
    return share_calls(ask, fields)


def _ranked(ask: Ask, held: Held) -> list[Figure]:
    found = [figure for one in held.ids() if (figure := held.share(ask.measures[0], one)) is not None]
    found = [one for one in found if all(_meets(held, one, condition) for condition in ask.conditions)]
    if ask.measures[0] in {"per", "pbr"}:
        found = [one for one in found if one.value > 0]
    if ask.notes.get("quarter") == "last" and found:
        newest = max(one.when.ko for one in found)
        found = [one for one in found if one.when.ko == newest]
    return sorted(found, key=lambda one: one.value, reverse=ask.descending)


_CURRENCIES: Final = frozenset({"krw", "usd"})


def _meets(held: Held, figure: Figure, condition: object) -> bool:
    field, operator, value = condition.field, condition.operator, Decimal(condition.value)  # type: ignore[attr-defined]
    own = figure if figure.measure == field else held.share(field, figure.subject)
    if condition.unit in _CURRENCIES and (condition.unit == "krw") != held.is_won(figure.subject):  # type: ignore[attr-defined]
        return False
    return own is not None and TESTS[operator](own.value, value)


def class_said(ask: Ask, count: int) -> Said:
    """Return what the class of an ask is called, with how many it holds."""
    names = {"KR": Said("국내", "Korean"), "US": Said("미국", "US")}
    name = names.get(ask.notes.get("class", ""), Said("", ""))
    return Said(f"{name.ko} {count}개 종목".strip(), f"{count} {name.en} shares".replace("  ", " "))


def rank(ask: Ask, found: Found) -> Outcome:
    """Return the first shares of a class by a measure, in order, of how many."""
    held = Held(ask, found)
    rows = _ranked(ask, held)
    if not rows:
        return nothing(ask, held)
    count = max(ask.count or 3, 1)
    shown = rows[: ask.count or 5]
    first, label = rows[0], span_label(rows[0])
    rest = listed([_value(one) for one in rows[1 : max(count, 3 if not ask.count else count)]])
    way = Said("높은", "highest") if ask.descending else Said("낮은", "lowest")
    sentence = filled(
        "{among} 가운데 {label:이/가} 가장 {way} 종목은 {first}{rest}입니다.",
        "{first} has the {way} {label} of {among}{rest}.",
        among=class_said(ask, len(held.ids())), label=label, way=way,
        first=Said(f"{first.name.ko}({first.said.ko})", f"{first.name.en} ({first.said.en})"),
        rest=Said(f"이고, 다음은 {rest.ko}", f"; then {rest.en}") if rest.ko else Said("", ""),
    )  # fmt: skip
    grounds = [
        Ground(
            Said(
                f"{at}위 {one.name.ko} {one.said.ko}{_note(one).ko}",
                f"{at}. {one.name.en} {one.said.en}{_note(one).en}",
            )
        )
        for at, one in enumerate(shown, start=1)
    ]
    place, at_place = placed(ask, [_value(one) for one in rows])
    told = first_at(place, rows[: max(len(shown), place + 1)])
    return whole(ask, held, sentences(at_place, sentence), told, grounds=grounds, charts=side_by_side(held, shown))


def _value(one: Figure) -> Said:
    return Said(f"{one.name.ko} {one.said.ko}", f"{one.name.en} {one.said.en}")


def _note(one: Figure) -> Said:
    return Said("", "") if one.parts is None else Said(f" ({one.parts.ko})", f" ({one.parts.en})")


def listing(ask: Ask, found: Found) -> Outcome:
    """Return all shares of a class that meet every condition, and how many there are."""
    held = Held(ask, found)
    rows, label = _ranked(ask, held), BY_ID[ask.measures[0]].label
    among = class_said(ask, len(held.ids()))
    limits = listed([_limit_said(one) for one in ask.conditions])
    if not rows:
        sentence = filled(
            "{among} 가운데 조건({limits})에 맞는 종목은 없습니다.",
            "None of the {among} meets the condition ({limits}).",
            among=among,
            limits=limits,
        )
        return whole(ask, held, sentence, ())
    sentence = filled(
        "{among} 가운데 조건({limits})에 맞는 종목은 {count}개입니다: {label} {names}.",
        "{count} of {among} meet the condition ({limits}): {names} ({label}).",
        limits=limits, among=among, count=str(len(rows)), label=span_label(rows[0]) if rows else label, names=listed([_value(one) for one in rows]),
    )  # fmt: skip
    if len(rows) == 1:
        sentence = filled(
            "{among} 가운데 조건({limits})에 맞는 종목은 {name} 1개입니다({label} {value}).",
            "Of {among} only {name} meets the condition ({limits}; {label} {value}).",
            limits=limits,
            among=among,
            name=rows[0].name,
            label=span_label(rows[0]),
            value=rows[0].said,
        )
    grounds = [
        Ground(Said(f"{one.name.ko} {one.said.ko}{_note(one).ko}", f"{one.name.en} {one.said.en}{_note(one).en}"))
        for one in rows
        if one.parts is not None
    ]
    return whole(ask, held, sentence, rows, grounds=grounds[:7])


_BOUNDS: Final = {
    "lt": Said("미만", "under"), "le": Said("이하", "at most"), "gt": Said("초과", "over"), "ge": Said("이상", "at least"),
}  # fmt: skip


def _limit_said(condition: AskCondition) -> Said:
    """Return a condition with what it bounds: "PER 20배 초과"."""
    if condition.field not in BY_ID or condition.operator not in _BOUNDS or Decimal(condition.value) == 0:
        return Said(condition.words, condition.words)
    unit, value = BY_ID[condition.field].unit, Decimal(condition.value)
    size = {"percent": percent(value, 2), "times": times(value, 2)}.get(unit)
    if size is None:
        size = won(value) if condition.unit == "krw" else dollars(value)
    label, bound = BY_ID[condition.field].label, _BOUNDS[condition.operator]
    return Said(f"{label.ko} {size.ko} {bound.ko}", f"{label.en} {bound.en} {size.en}")
