"""Paths from causes to effects in the graph: what a row must hold to be told, and the words for it. Pure.

    told        each relation names its evidence and the evidence says something; of equal chains the strongest
    sign        the product of the relations' signs; none where an event leads to another event
    strength    the product of the weights, to four digits

A path whose relation lacks evidence is not told; it is counted and said to be left out.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric, Trend
from services.domains.finance.tools.graph_paths import GraphPathsRow
from services.plugin.findings import Asking, Findings, Reading, evidence
from services.text.ko.written import josa, number
from services.text.patterns import Pattern

PATHS_TOLD_MAX: Final = 5
"""The paths that are told, the strongest ones."""
_EFFECTS: Final = Pattern(
    r"미치|미칠|파급|영향(?:은|이|을\s?(?:주|줄))|경로|affects?\b|impacts?\s(?:of|on)|effects?\sof|influences?\b|\bhit\b",
    re.IGNORECASE,
)
"""Words of a question that asks where a thing leads, rather than where it comes from."""
_SERIES_ID: Final = Pattern(r"[A-Z0-9_]+")
_DETAIL: Final = Pattern(r"\s*\((?!예시\)|sample\))[^()]*\)$")
_SUMMED_MAX: Final = 3
"""The paths that the summary tells; the others stand among the drivers."""


def told_paths(rows: Sequence[GraphPathsRow], ends: Sequence[str] = ()) -> tuple[GraphPathsRow, ...]:
    """Return the paths to tell: supported ones, each chain once, five at most, the strongest first.

    Args:
        rows: The paths.
        ends: Ids of nodes in the order asked for; a path that touches an earlier one at an end goes first.
    """
    rank = {node: place for place, node in enumerate(ends)}

    def order(row: GraphPathsRow) -> tuple[int, Decimal, str]:
        touched = min(rank.get(node.id, len(rank)) for node in (row.nodes[0], row.nodes[-1]))
        return touched, -row.strength, row.subject("en")

    chains: dict[tuple[str, ...], GraphPathsRow] = {}
    for row in sorted((row for row in rows if row.is_supported), key=order):
        chains.setdefault(tuple(node.id for node in row.nodes), row)
    return tuple(chains.values())[:PATHS_TOLD_MAX]


def path_findings(readings: Sequence[Reading], asking: Asking) -> Findings:
    """Return what the paths of some readings say; without a supported one, that nothing supports a cause.

    `rows_used` is how many are told, of which one is enough.
    """
    held = [(reading, row) for reading in readings for row in reading.rows if isinstance(row, GraphPathsRow)]
    reading_of = {id(row): reading for reading, row in held}
    told = _wanted_first(held, asking)
    left_out = sum(not row.is_supported for _, row in held)
    pieces = tuple(_evidence(reading_of[id(row)], row, asking) for row in told)
    lines = [_line(row, asking) for row in told]
    return Findings(
        summary=" ".join(lines[:_SUMMED_MAX]) if lines else _none(asking),
        metrics=tuple(_metric(row, piece, asking) for row, piece in zip(told, pieces, strict=True)),
        evidence=pieces,
        key_drivers=tuple(lines[_SUMMED_MAX:]),
        trend=Trend.NEUTRAL,
        cautions=_cautions(told, left_out, asking),
        coverage=1.0 if told else 0.0,
        rows_used=len(told),
        rows_min=1,
        causes=tuple(frozenset(row.names(asking.locale)) for row in told),
    )


def _wanted_first(held: Sequence[tuple[Reading, GraphPathsRow]], asking: Asking) -> tuple[GraphPathsRow, ...]:
    """Return the paths to tell: of what is asked for first, causes or effects, then of the other."""
    asks_effects = _EFFECTS.search(asking.question) is not None
    ends = list(dict.fromkeys(name for reading, _ in held for name in reading.arguments.get("series_ids", ())))
    groups: dict[bool, list[GraphPathsRow]] = {True: [], False: []}
    for reading, row in held:
        groups[(reading.arguments.get("toward") == "effects") is asks_effects].append(row)
    chains = {row.subject("en"): row for wanted in (True, False) for row in told_paths(groups[wanted], ends)}
    return tuple(chains.values())[:PATHS_TOLD_MAX]


def _line(row: GraphPathsRow, asking: Asking) -> str:
    """Return a path as a sentence: where it pushes, its chain, and what supports it."""
    said = "; ".join(step.said(asking.locale) for step in row.steps)
    chain = row.subject(asking.locale)
    pushes = _pushes_en(row)
    return asking.say(
        f"{_pushes_ko(row)}({chain}, 근거: {said}).", f"{pushes[:1].upper()}{pushes[1:]} ({chain}; evidence: {said})."
    )


def _pushes_ko(row: GraphPathsRow) -> str:
    first, last = row.nodes[0].name("ko"), row.nodes[-1].name("ko")
    if row.sign == 0:
        return f"{josa(first, '은/는')} {josa(last, '으로/로')} 이어집니다"
    begin = f"{josa(first, '이/가')} 오르면" if row.nodes[0].is_series else josa(first, "은/는")
    return f"{begin} {last}에 {'오르는' if row.sign > 0 else '내리는'} 쪽의 힘이 됩니다"


def _pushes_en(row: GraphPathsRow) -> str:
    first, last = row.nodes[0].name("en"), row.nodes[-1].name("en")
    if row.sign == 0:
        return f"{first} leads to {last}"
    begin = f"A rise of {first}" if row.nodes[0].is_series else first
    return f"{begin} tends to push {last} {'up' if row.sign > 0 else 'down'}"


def _metric(row: GraphPathsRow, piece: Evidence, asking: Asking) -> Metric:
    subject = asking.subject(row.subject(asking.locale), piece.evidence_id)
    return subject.figure("strength", row.strength, asking.day_of(row.as_of))


def _evidence(reading: Reading, row: GraphPathsRow, asking: Asking) -> Evidence:
    said = "; ".join(step.said(asking.locale) for step in row.steps)
    title = asking.say(f"관계 경로: {row.subject('ko')}", f"Path: {row.subject('en')}")
    strength = asking.say(f"강도 {number(row.strength)}", f"strength {number(row.strength)}")
    return evidence(reading, [row], title=title, excerpt=f"{said} ({strength})")


def _none(asking: Asking) -> str:
    return asking.say(
        "근거가 붙은 인과 경로를 찾지 못해 원인을 말하지 않습니다.",
        "No path of causes with evidence was found, so that no cause is told.",
    )


def _cautions(told: Sequence[GraphPathsRow], left_out: int, asking: Asking) -> tuple[str, ...]:
    found = []
    if told:
        found.append(
            asking.say(
                "관계 경로는 알려진 작용의 방향이며, 이번 움직임의 원인으로 확인된 것은 아닙니다.",
                "Paths tell how things are known to work; they do not prove the cause of this move.",
            )
        )
    if left_out:
        found.append(
            asking.say("근거가 없는 관계는 답에서 뺐습니다.", "Relations without evidence were left out of the answer.")
        )
    return tuple(found)
