"""The judgement on one run, by what its client was told and by the ledger; it knows no text of the product.

right      the same findings as without the fault, and each figure of the text is one of them
partial    fewer findings, no figure that is not found, and the text says what is missing
failed     a failed event with a text and nothing of our insides
wrong      anything else: a figure from nowhere, a gap that is not told, an end too many, an effect too many
hang       no end before the client gave up
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, timedelta
from decimal import Decimal, InvalidOperation
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from hapju.flow.v1 import result_pb2
from tests.support.faults.ensemble import Heard

MARGIN_SECONDS: Final = 2.0
"""How much later than its deadline a flow may end on a busy machine."""

_ORDER: Final = re.compile(r"ORD-\d+")
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_HONEST = re.compile(
    r"못|없|않|실패|빼고|제외|일부|적어|모자|부족|not\b|n't\b|\bno\b|missing|fail|left out|unavailable|few\b|nothing\b",
    re.IGNORECASE,
)
_INSIDES = re.compile(r"127\.0\.0\.1|Traceback|grpc|AioRpc|services\.|\.py\b|sqlite", re.IGNORECASE)
_EOK, _MAN = 100_000_000, 10_000


@dataclass(frozen=True)
class Judged:
    """What a run came to."""

    verdict: str
    """right, partial, failed, wrong or hang."""
    faults: tuple[str, ...] = ()
    """What is wrong with it, a line each."""


def judged(base: Heard, heard: Heard, *, seconds_max: float, effects: int, effects_wanted: int) -> Judged:
    """Judges a run.

    Args:
        base: What the same flow told without a fault.
        heard: What it told with one.
        seconds_max: The flow's deadline.
        effects: How many effects the ledger holds for it.
        effects_wanted: How many it was to have.
    """
    if heard.hung:
        return Judged("hang", ("no end was told",))
    broken = tuple(_broken(heard, seconds_max, effects, effects_wanted))
    if broken:
        return Judged("wrong", broken)
    if heard.terminal == ["failed"]:
        return Judged("failed")
    if heard.terminal == ["cancelled"]:
        return Judged("wrong", (f"cancelled: {heard.events[-1].cancelled.reason}",))
    return _of_answer(base, heard, effects == effects_wanted)


def _broken(heard: Heard, seconds_max: float, effects: int, effects_wanted: int) -> list[str]:
    """Returns what no run may do, whatever its fault."""
    found = []
    if heard.status:
        found.append(f"the stream broke with {heard.status}")
    last = heard.events[-1].WhichOneof("event") if heard.events else ""
    if len(heard.terminal) != 1 or last not in {"finished", "failed", "cancelled"}:
        found.append(f"its ends are {heard.terminal}, the last event is {last!r}")
    if heard.sequences != list(range(1, len(heard.sequences) + 1)):
        found.append(f"its sequences are {heard.sequences}")
    if heard.seconds > seconds_max + MARGIN_SECONDS:
        found.append(f"it took {heard.seconds:.1f} s of {seconds_max:.0f} s")
    if effects > effects_wanted:
        found.append(f"{effects} effects, {effects_wanted} were wanted")
    if not all(one.message for one in heard.of("failed")):
        found.append("it failed without a word")
    said = " ".join(one.answer.final_response for one in heard.of("finished"))
    said += " ".join(one.message for one in heard.of("failed"))
    if inside := _INSIDES.search(said):
        found.append(f"it tells of our insides: {inside.group()}")
    return found


def _of_answer(base: Heard, heard: Heard, effects_complete: bool) -> Judged:
    text = heard.answer.final_response
    if text != heard.text:
        return Judged("wrong", ("the final text is not what was streamed",))
    # What agents said without the fault may be told; what they say with it has to rest on rows, metrics or cautions.
    told_before = {one for agent in base.answer.selected_agents for one in figures(agent.output.summary)}
    invented = figures(text) - figures(base.text) - told_before - found_figures(base) - found_figures(heard)
    if invented:
        return Judged("wrong", (f"figures from nowhere: {sorted(invented)}",))
    if findings(base) <= findings(heard) and effects_complete and (figures(text) or not figures(base.text)):
        return Judged("right")
    if any(one.reason for one in heard.answer.warnings) and found_by(base) <= found_by(heard):
        # A rule has decided where a model did without the fault, perhaps otherwise, and a warning says so.
        return Judged("partial")
    if text.strip() and any(_HONEST.search(sentence) for sentence in _sentences(text) - _sentences(base.text)):
        return Judged("partial")
    return Judged("wrong", (f"findings are missing and the text does not say so: {text[:300]!r}",))


def findings(heard: Heard) -> set[tuple[str, str, str]]:
    """Returns what the agents found: subject, name and value of each metric, and what became of actions."""
    answer = heard.answer
    metrics = {(m.subject, m.name, m.value) for one in answer.selected_agents for m in one.output.metrics}
    evidence = {("evidence", e.data_type, "") for one in answer.selected_agents for e in one.output.evidence}
    return metrics | evidence | {("action", one.action_type, str(one.outcome)) for one in answer.actions}


def found_by(heard: Heard) -> set[str]:
    """Returns the agents that have found something."""
    return {one.agent_name for one in heard.answer.selected_agents if one.output.metrics}


def figures(text: str) -> set[str]:
    """Returns the figures of a text, without separators and needless zeros; the number of an order is its name."""
    return {_plain(match.group()) for match in _FIGURE.finditer(_ORDER.sub("", text))}


def found_figures(heard: Heard) -> set[str]:
    """Returns every figure that an answer may tell: of what agents found, of its sources and of actions."""
    if heard.terminal != ["finished"]:
        return set()
    known = {one for agent in heard.answer.selected_agents for one in _of_result(agent.output)}
    for citation in heard.answer.citations:
        known |= figures(f"{citation.title} {_days(citation.as_of_time)}")
    for event in heard.events:
        if event.WhichOneof("event") in {"question_asked", "planned"}:
            known |= figures(str(event))
    return known


def _of_result(result: result_pb2.AgentResult) -> set[str]:
    """Returns the figures of metrics and rows, of how many there are, and of what the agent says beside them."""
    rows = [json.loads(piece.rows_json) for piece in result.evidence]
    counts = (len(result.metrics), len(rows), *map(len, rows), sum(map(len, rows)))
    known = figures(" ".join((*result.key_drivers, *result.cautions, *result.suggested_actions, *map(str, counts))))
    for metric in result.metrics:
        known |= figures(f"{metric.label} {metric.subject} {metric.unit} {_days(metric.as_of_time)}")
        known |= spoken(metric.value)
    for piece in result.evidence:
        known |= figures(_days(piece.provenance.as_of_time))
    for value in _leaves(rows):
        known |= figures(value) | spoken(value)
    return known


def spoken(value: str) -> set[str]:
    """Returns the figures by which a value may be told: rounded, in percent, in 억 and 만, in thousands to billions."""
    try:
        number = abs(Decimal(value))
    except InvalidOperation:
        return set()
    if not number.is_finite() or number > 10**16:
        return set()
    said = {number, *(number / unit for unit in (1_000, _MAN, 1_000_000, _EOK, 1_000_000_000, 10**12)), number * 100}
    rounded = {_plain(str(round(one, places))) for one in said for places in range(5)}
    for whole in {int(number), round(number), round(number / _MAN) * _MAN}:
        eok, rest = divmod(whole, _EOK)
        man, ones = divmod(rest, _MAN)
        rounded |= {str(eok), str(man), str(ones)}
    return rounded


def _days(instant: Timestamp) -> str:
    """Returns an instant's day in Seoul and in London."""
    moment = instant.ToDatetime(UTC)
    return f"{moment:%Y %m %d} {moment + timedelta(hours=9):%Y %m %d}"


def _leaves(value: object) -> list[str]:
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [str(value)]


def _plain(figure: str) -> str:
    bare = figure.replace(",", "")
    bare = bare.rstrip("0").rstrip(".") if "." in bare else bare
    return bare.lstrip("0") or "0"


def _sentences(text: str) -> set[str]:
    return {part.strip() for part in re.split(r"(?<=[.다요])\s|\n", text) if part.strip()}
