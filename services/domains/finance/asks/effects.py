"""What a change works on: known paths of the graph from the named subject to the asked one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from services.contract.asks import Ask, Ground, Said
from services.domains.finance.asks.vocabulary import SERIES
from services.domains.finance.nodes import plain_name
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.telling import filled, listed, proof, sentences
from services.text.ko.formal import formal

_LIMIT: Final = 60
_PATHS: Final = Said("경제 관계도", "Relations of the economy")


@dataclass(frozen=True, slots=True)
class _Path:
    nodes: tuple[tuple[str, Said], ...]
    steps: tuple[dict[str, Any], ...]
    strength: float

    @property
    def sign(self) -> int:
        return -1 if sum(step["polarity"] == "NEGATIVE" for step in self.steps) % 2 else 1

    @property
    def ends(self) -> tuple[str, str]:
        return self.nodes[0][0], self.nodes[-1][0]


def effect_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of an effect: paths from the condition's subject, and those that reach the asked one."""
    source, target = ask.notes.get("from", ""), ask.notes.get("to", "")
    calls = (
        [Call("graph_paths", {"series_ids": [source], "toward": "effects", "limit": _LIMIT})]
        if source in SERIES
        else []
    )
    if target and target != "shares":
        calls.append(Call("graph_paths", {**_target(target), "toward": "causes", "limit": _LIMIT}))
    return calls


def _target(target: str) -> dict[str, Any]:
    if ":" in target:
        return {"ticker": target}
    return {"region_code": target} if target.isdigit() else {"series_ids": [target]}


def effect(ask: Ask, found: Found) -> Outcome:
    """Return the direction and the path from the one to the other, or that no path is known."""
    source, target = ask.notes.get("from", ""), ask.notes.get("to", "")
    pieces = tuple(proof(one, _PATHS, found.asking.locale, "graph") for one in found.readings if one.rows)
    ids = tuple(one.evidence_id for one in pieces)
    paths = list(_all_paths(found))
    if ask.notes.get("way") == "hold":
        return Outcome(answered(ask, _HELD_STILL, evidence_ids=ids), evidence=pieces)
    if not source or not target or target == "shares":
        return _reach(ask, paths, ids, pieces)
    own = sorted((one for one in _between(paths, source, target)), key=lambda one: (len(one.steps), -one.strength))
    names = {
        one.value: Said(one.label, SERIES[one.value].name.en if one.value in SERIES else one.label)
        for one in ask.subjects
    }
    if not own:
        sentence = filled(
            "{source}에서 {target:으로/로} 이어지는 알려진 경로는 자료에 없어 영향을 말씀드릴 수 없습니다.",
            "There is no known path from the {source} to {target} in the data, so I cannot tell of an effect.",
            source=names.get(source, Said("", "")), target=names.get(target, Said("", "")),
        )  # fmt: skip
        return Outcome(answered(ask, sentence, evidence_ids=ids), evidence=pieces)
    best = own[0]
    instead = _NO_LEASES if ask.notes.get("instead") else None
    sentence = sentences(instead, _direction(ask, best), _reasons(best))
    grounds = tuple(Ground(_route(one), ids[:1]) for one in own[:4])
    return Outcome(answered(ask, sentence, evidence_ids=ids, grounds=grounds, cautions=(_LIMITS,)), evidence=pieces)


_HELD_STILL: Final = Said(
    "그대로 두는 것만으로 새로 생기는 영향은 자료의 관계에 없습니다: 알려진 관계는 오르거나 내릴 때 무엇이 움직이는지입니다.",
    "The data knows no effect of what stays as it is: its relations say what moves when something rises or falls.",
)
_NO_LEASES: Final = Said(
    "전세와 월세 자체의 관계는 자료에 없어 집값으로 말씀드립니다.",
    "The data knows no relations of jeonse or rents themselves; this is told of house prices.",
)
_LIMITS: Final = Said(
    "알려진 관계의 방향일 뿐이며, 실제 움직임은 다른 요인에 따라 달라질 수 있습니다.",
    "This is the direction of a known relation; other things move prices as well.",
)


def _direction(ask: Ask, path: _Path) -> Said:
    down = ask.notes.get("way") == "down"
    up = (path.sign > 0) != down
    first, last = path.nodes[0][1], path.nodes[-1][1]
    is_share = ":" in path.nodes[-1][0]
    through = [name for _, name in path.nodes[1:-1]]
    middle = filled(", {names:을/를} 거쳐", " through the {names}", names=listed(through)) if through else Said("", "")
    tone = (
        (Said("(긍정적)", " (positive)") if up else Said("(부정적, 부담)", " (negative)")) if is_share else Said("", "")
    )
    return filled(
        "{first:이/가} {way}{middle} {last}에는 {push} 쪽으로 작용하는 것으로 알려져 있습니다{tone}.",
        "A {way} {first} is known to work {push} on {last}{middle}{tone}.",
        first=first, last=last, middle=middle, tone=tone,
        way=Said("내리면", "falling") if down else Said("오르면", "rising"),
        push=Said("올리는" if up else "누르는(내리는)", "upwards" if up else "downwards"),
    )  # fmt: skip


def _reasons(path: _Path) -> Said:
    return Said(
        " ".join(formal(step["evidence_ko"]) for step in path.steps),
        " ".join(step["evidence_en"] for step in path.steps),
    )


def _route(path: _Path) -> Said:
    names = [name for _, name in path.nodes]
    signs = [("+", "+") if step["polarity"] == "POSITIVE" else ("-", "-") for step in path.steps]
    ko, en = names[0].ko, names[0].en
    for name, (sign, _) in zip(names[1:], signs, strict=True):
        way_ko = "같은 방향" if sign == "+" else "반대 방향"
        way_en = "same direction" if sign == "+" else "opposite direction"
        ko, en = f"{ko} → {name.ko}({way_ko})", f"{en} → {name.en} ({way_en})"
    return Said(f"경로: {ko}", f"Path: {en}")


def _all_paths(found: Found) -> Iterator[_Path]:
    for reading in found.of_tool("graph_paths"):
        for row in reading.rows:
            steps = tuple(row.document["steps"])
            if any(step["polarity"] is None for step in steps):
                continue
            nodes = tuple((node["id"], _named(node)) for node in row.document["nodes"])
            yield _Path(nodes, steps, float(row.document["strength"]))


def _named(node: dict[str, Any]) -> Said:
    if node["id"] in SERIES:
        return SERIES[node["id"]].name
    return Said(plain_name(node["name_ko"]), plain_name(node["name_en"]))


def _between(paths: Sequence[_Path], source: str, target: str) -> Iterator[_Path]:
    """Yield the paths from one node to another, those that two stored paths make together as well; each once."""
    seen: set[tuple[str, ...]] = set()
    from_source = [one for one in paths if one.ends[0] == source]
    for one in paths:
        key = tuple(node for node, _ in one.nodes)
        if one.ends == (source, target) and key not in seen:
            seen.add(key)
            yield one
    for one in from_source:
        for other in paths:
            nodes = (*one.nodes, *other.nodes[1:])
            key = tuple(node for node, _ in nodes)
            if other.ends == (one.ends[1], target) and len(set(key)) == len(key) and key not in seen:
                seen.add(key)
                yield _Path(nodes, (*one.steps, *other.steps), one.strength * other.strength)


def _reach(ask: Ask, paths: Sequence[_Path], ids: tuple[str, ...], pieces: tuple[Any, ...]) -> Outcome:
    """Return what a series is known to work on, or what works on a subject, directly and the strongest first."""
    source, target = ask.notes.get("from", ""), ask.notes.get("to", "")
    own = [one for one in paths if (one.ends[0] == source if source else one.ends[1] == target)]
    sector = ask.notes.get("sector", "").split(",") if ask.notes.get("sector") else []
    if target == "shares":
        own = [one for one in own if (one.ends[1] in sector if sector else ":" in one.ends[1])]
    own = sorted(
        (one for one in own if len(one.steps) == 1 or target == "shares"),
        key=lambda one: (len(one.steps), -one.strength),
    )
    if not own:
        sentence = Said(
            "자료에 알려진 경로가 없어 영향을 말씀드릴 수 없습니다.",
            "There is no known path in the data, so I cannot tell of an effect.",
        )
        return Outcome(answered(ask, sentence, evidence_ids=ids), evidence=pieces)
    down = ask.notes.get("way") == "down"
    node = 1 if not source else 0
    parts = [_arrow(one, down=down, node=-1 if source else 0) for one in own[:5]]
    head = own[0].nodes[0][1] if source else own[0].nodes[-1][1]
    del node
    sentence = (
        filled(
            "{head:이/가} {way} 알려진 방향은 {parts}입니다.",
            "With a {way} {head}, the known directions are: {parts}.",
            head=head,
            way=Said("내리면", "falling") if down else Said("오르면", "rising"),
            parts=listed(parts),
        )
        if source
        else filled(
            "{head}에 영향을 주는 것으로 알려진 것은 {parts}입니다.",
            "Known to work on {head}: {parts}.",
            head=head,
            parts=listed(parts),
        )
    )
    grounds = tuple(
        Ground(Said(formal(one.steps[-1]["evidence_ko"]), one.steps[-1]["evidence_en"]), ids[:1]) for one in own[:4]
    )
    return Outcome(answered(ask, sentence, evidence_ids=ids, grounds=grounds, cautions=(_LIMITS,)), evidence=pieces)


def _arrow(path: _Path, *, down: bool, node: int) -> Said:
    up = (path.sign > 0) != down
    name = path.nodes[node][1]
    return Said(f"{name.ko}({'올리는' if up else '누르는'} 쪽)", f"{name.en} ({'up' if up else 'down'})")
