"""What experiments have come to. Field meanings stand in experiment.proto."""

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
    flows: int
    answered: int
    latency_p50: timedelta
    latency_p99: timedelta
    usage: Usage = Usage()
    judged: int = 0
    searches_avoided: int = 0
    labelled: int = 0
    correct_skips: int = 0
    incorrect_skips: int = 0
    correct_searches: int = 0
    incorrect_searches: int = 0
    usage_where_use_was_right: Usage = Usage()
