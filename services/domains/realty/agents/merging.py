"""Puts what several kinds of data say into one. Pure."""

from collections.abc import Sequence

from services.plugin.findings import Findings


def merged(found: Sequence[Findings]) -> Findings:
    """Return findings as one, in their order; what the first rests on decides whether there are rows enough.

    Raises:
        ValueError: There is none.
    """
    if not found:
        raise ValueError("found: at least one is needed")
    if len(found) == 1:
        return found[0]
    return Findings(
        summary=" ".join(one.summary for one in found),
        metrics=tuple(metric for one in found for metric in one.metrics),
        evidence=tuple({piece.evidence_id: piece for one in found for piece in one.evidence}.values()),
        key_drivers=tuple(driver for one in found for driver in one.key_drivers),
        trend=found[0].trend,
        cautions=tuple(dict.fromkeys(caution for one in found for caution in one.cautions)),
        suggested_actions=tuple(dict.fromkeys(action for one in found for action in one.suggested_actions)),
        rows_used=found[0].rows_used,
        rows_min=found[0].rows_min,
    )
