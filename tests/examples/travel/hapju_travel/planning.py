"""Where a journey begins and where it ends, as a question says it."""

import re

from hapju.plugin import Entity, PlannedQuestion, SlotReading, SlotRule, TextReading, Value

HOME = "seoul"  # where a journey begins of which only the end is named


def origin(asked: PlannedQuestion) -> Value | None:
    """Returns the city in which the journey begins."""
    return _journey(asked)[0]


def destination(asked: PlannedQuestion) -> Value | None:
    """Returns the city to which it leads; None where none is named."""
    return _journey(asked)[1]


def _journey(asked: PlannedQuestion) -> tuple[Value | None, Value | None]:
    named, text = _places(asked.spoken.now), asked.spoken.now.text.lower()
    cities = list(dict.fromkeys(one.value for one in named))
    if len(cities) > 1:
        turned = _ends(text, named[0]) and not _begins(text, named[0])
        return (cities[1], cities[0]) if turned else (cities[0], cities[1])
    if cities and _begins(text, named[0]):
        return cities[0], HOME
    return HOME, cities[0] if cities else str(asked.slots.get("place") or "") or None


def _places(reading: TextReading) -> list[Entity]:
    named = (one for kind in ("city", "station") for one in reading.of(kind) if one.value)
    return sorted(named, key=lambda one: one.start)


def _begins(text: str, place: Entity) -> bool:
    return re.match("에서|발 ", text[place.end :]) is not None or text[: place.start].endswith("from ")


def _ends(text: str, place: Entity) -> bool:
    return re.match("행|까지|(?:에|로)? [가오]", text[place.end :]) is not None or text[: place.start].endswith("to ")


def _place(reading: TextReading, _rule: SlotRule) -> Value | None:
    return next((one.value for one in _places(reading)), None)


SLOTS = {"place": SlotReading(_place, lasts=True)}
