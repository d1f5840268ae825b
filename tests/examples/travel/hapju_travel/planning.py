"""Where a journey begins and where it ends, as a question says it."""

from hapju.plugin import Entity, PlannedQuestion, of_kind

HOME = "seoul"
"""Where a journey begins of which only the end is named."""
_BEGINS = ("에서", "발 ")
_ENDS = ("행", "까지", "에 가", "로 가", " 가", " 오")


def origin(asked: PlannedQuestion) -> str | None:
    """Returns the city in which the journey begins."""
    return _journey(asked)[0]


def destination(asked: PlannedQuestion) -> str | None:
    """Returns the city to which it leads; None where none is named."""
    return _journey(asked)[1]


def _journey(asked: PlannedQuestion) -> tuple[str | None, str | None]:
    text = asked.spoken.now.text.lower()
    named = sorted((*of_kind(asked.entities, "city"), *of_kind(asked.entities, "station")), key=lambda one: one.start)
    cities = list(dict.fromkeys(one.value for one in named if one.value))
    if not cities:
        return None, None
    if len(cities) == 1:
        return (cities[0], HOME) if _begins(text, named[0]) else (HOME, cities[0])
    turned = _ends(text, named[0]) and not _begins(text, named[0])
    return (cities[1], cities[0]) if turned else (cities[0], cities[1])


def _begins(text: str, place: Entity) -> bool:
    return text[place.end :].startswith(_BEGINS) or text[: place.start].endswith("from ")


def _ends(text: str, place: Entity) -> bool:
    return text[place.end :].startswith(_ENDS) or text[: place.start].endswith("to ")
