"""The messages of experiment.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

from dataclasses import dataclass
from datetime import timedelta

from hapju.flow.v1 import experiment_pb2
from services.contract.flow import Usage
from services.contract.mapping import message


@message(experiment_pb2.VariantReport)
@dataclass(frozen=True, slots=True)
class VariantReport:
    """What one variant of an experiment has come to."""

    variant: str
    """The variant, for example "hybrid"."""
    flows: int
    """Flows that have ended under it."""
    answered: int
    """Those of them that ended with an answer."""
    latency_p50: timedelta
    """Wall time of an ended flow, median; a person's time is in it."""
    latency_p99: timedelta
    """The same, 99th percentile."""
    usage: Usage = Usage()
    """What all of them have spent."""
    judged: int = 0
    """Flows in which there was something held to judge."""
    searches_avoided: int = 0
    """Those of them that searched nothing anew."""
    labelled: int = 0
    """Flows of which somebody has said what was right."""
    correct_skips: int = 0
    """Of these, flows that rightly took what was held."""
    incorrect_skips: int = 0
    """Flows that took what was held and should have searched."""
    correct_searches: int = 0
    """Flows that rightly searched."""
    incorrect_searches: int = 0
    """Flows that searched and could have taken what was held."""
    usage_where_use_was_right: Usage = Usage()
    """What the flows have spent in which taking what was held was right."""
