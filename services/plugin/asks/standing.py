"""The set that was told: things of one kind over as many messages as told of them, with their figures.

A domain declares nothing for it: what its answers tell of is kept with them. A list stands until another is told; what
is told of one of its things alone leaves it standing; things asked of one by one for the same join into a set.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from services.contract.asks import AskAnswer, AskedBefore, AskForm, Told
from services.plugin.entities import Entity

PAIR: Final = 2
"""As many as make a set."""


@dataclass(frozen=True, slots=True)
class StandingSet:
    """What stands in a conversation of one kind of things."""

    last: tuple[Told, ...] = ()
    """What the latest message that told of the kind told, in its order, each with all figures that were told of it."""
    sets: tuple[tuple[Told, ...], ...] = ()
    """The sets that stood after each message, the latest first; one thing alone is a set of one."""
    lists: tuple[tuple[Told, ...], ...] = ()
    """The sets that one message told at once, the latest first."""
    singles: tuple[Told, ...] = ()
    """Each thing told once, the latest first."""
    turned: tuple[tuple[str, str], ...] = ()
    """Those of the set that were told of alone since it stands."""
    measure: str = ""
    """What the set that stands was told by: another that is asked of one of its things changes nothing."""

    @property
    def rows(self) -> tuple[Told, ...]:
        """The set that stands, in the order of telling."""
        return self.sets[0] if self.sets else ()

    @property
    def listed(self) -> tuple[Told, ...]:
        """The last of what was told that has places: a list, over answers on one of its things."""
        return next((one for one in self.sets if len(one) >= PAIR), self.rows)

    def several(self, count: int = 0) -> tuple[Told, ...]:
        """Return the set that is meant; of a number ("the two", "셋 중") as many, over the messages that told them.

        Args:
            count: The number that is said; 0 for none.
        """
        if count in {0, len(self.rows)} and len(self.rows) >= PAIR:
            return self.rows
        size = count or PAIR
        late = self.last if len(self.last) >= size else tuple(reversed(self.singles[:size]))
        exact = next((one for one in self.lists if len(one) == count), ())
        return exact or (late[-size:] if len(self.last) < size else late)

    @property
    def others(self) -> tuple[Told, ...]:
        """What is left of the set beside the one that was told of last, else beside its first; what follows it first.

        Those that were told of alone before are left out, as long as others are left.
        """
        if len(self.last) != 1:
            return self.last[1:]
        keys = [_key(one) for one in self.listed]
        if _key(self.last[0]) not in keys:
            return ()
        at = keys.index(_key(self.last[0])) + 1
        rest = (*self.listed[at:], *self.listed[: at - 1])
        return tuple(one for one in rest if _key(one) not in self.turned) or rest

    def by(self, measure: str) -> tuple[Told, ...]:
        """Return the things of the latest set that all have a figure of a measure; none where no set has."""
        own = (tuple(one for one in rows if measure in one.figures) for rows in self.sets)
        return next((rows for rows in own if len(rows) >= PAIR), ())

    def ordered(self, measure: str, *, most: bool) -> tuple[Told, ...]:
        """Return those of a set by their figures, the greatest or the least first."""
        return tuple(sorted(self.by(measure), key=lambda one: Decimal(one.figures[measure]), reverse=most))


def standing(before: Sequence[AskedBefore], kind: str = "") -> StandingSet:
    """Return what stands of a kind of things; of the kind that was told of last where none is named.

    Args:
        before: Earlier messages, the latest first.
        kind: The kind, "region" for example.
    """
    kind = kind or next((one.kind for one in told_last(before)), "")
    rows: dict[tuple[str, str], Told] = {}
    seen: dict[tuple[str, str], Told] = {}
    sets: list[tuple[Told, ...]] = []
    lists: list[tuple[Told, ...]] = []
    last: tuple[Told, ...] = ()
    asked: tuple[str, ...] = ()
    turned: tuple[tuple[str, str], ...] = ()
    by = ""
    for message in reversed(before):
        own = _things(message, kind)
        if not own:
            continue
        now = tuple(measure for ask in message.asks for measure in ask.measures)
        known = {**seen, **rows}
        own = tuple(_joined(known.get(_key(one)), one) for one in own)
        told = {_key(one): one for one in own}
        goes_on = len(told) == 1 and (told.keys() <= rows.keys() or now == asked)
        is_picked = goes_on and told.keys() <= rows.keys()
        by = by if is_picked else next(iter(now), "")
        turned = (*turned, *told) if is_picked else ()
        rows = {**rows, **told} if goes_on else told
        for key, one in told.items():
            seen.pop(key, None)
            seen[key] = one
        last, asked = tuple(told.values()), now
        sets.insert(0, tuple(rows.values()))
        lists = [last, *lists] if len(last) >= PAIR else lists
    return StandingSet(last, tuple(sets), tuple(lists), tuple(reversed(seen.values())), turned, by)


def _joined(former: Told | None, one: Told) -> Told:
    return one if former is None else replace(one, figures={**former.figures, **one.figures})


def _key(one: Told) -> tuple[str, str]:
    return (one.kind, one.value)


def _things(message: AskedBefore, kind: str) -> tuple[Told, ...]:
    """Return what a message told of; where its answers told of no thing, what it asked of."""
    told = told_last([message], kind)
    asked = {one.value: one for ask in message.asks for one in ask.subjects if one.kind == kind and one.value}
    if told or any(one.alternatives for one in asked.values()):
        return told
    return tuple(Told(kind, one.value, one.label) for one in asked.values())


def things(rows: Sequence[Told]) -> tuple[Entity, ...]:
    """Return things that were told as subjects of a message that does not name them."""
    return tuple(Entity(one.kind, one.value, one.label) for one in rows)


def told_last(before: Sequence[AskedBefore], kind: str = "") -> tuple[Told, ...]:
    """Return the set that was told of last, of a kind where one is named, each thing once."""
    for message in before:
        told = [one for answer in message.answers for one in _in_order(answer, message) if not kind or one.kind == kind]
        if told:
            return tuple({_key(one): one for one in told}.values())
    return ()


def _in_order(answer: AskAnswer, message: AskedBefore) -> Sequence[Told]:
    """Return what an answer told, of a comparison the one that was asked for first: the dearest, or the cheapest."""
    ask = next((one for one in message.asks if one.ask_id == answer.ask_id), None)
    if ask is None or ask.form is not AskForm.COMPARE or len(ask.measures) != 1:
        return answer.told
    if not answer.told or any(ask.measures[0] not in one.figures for one in answer.told):
        return answer.told
    return sorted(answer.told, key=lambda one: Decimal(one.figures[ask.measures[0]]), reverse=ask.descending)
