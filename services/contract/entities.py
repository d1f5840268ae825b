"""What a question names. Field meanings stand in protos/hapju/flow/v1/entity.proto."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hapju.flow.v1 import entity_pb2
from services.contract.mapping import message


@message(entity_pb2.Alternative)
@dataclass(frozen=True, slots=True)
class Alternative:
    """One meaning of an ambiguous name."""

    value: str
    label: str


@message(entity_pb2.Entity)
@dataclass(frozen=True, slots=True)
class Entity:
    """One thing that a question names; services/plugin/entities.py reads it."""

    kind: str
    value: str
    label: str = ""
    words: str = ""
    start: int = 0
    end: int = 0
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    alternatives: tuple[Alternative, ...] = ()
