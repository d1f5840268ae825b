"""The messages of entity.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hapju.flow.v1 import entity_pb2
from services.contract.mapping import message


@message(entity_pb2.Alternative)
@dataclass(frozen=True, slots=True)
class Alternative:
    """One meaning of an ambiguous name."""

    value: str
    """The canonical text that the name would stand for."""
    label: str
    """How a reader is told of it, in the flow's language."""


@message(entity_pb2.Entity)
@dataclass(frozen=True, slots=True)
class Entity:
    """One thing that the question names, read exactly. Which kinds there are the installed domains say; a reader that
    does not know a kind leaves it alone.
    """

    kind: str
    """The kind, for example "amount", "period", "area", "quantity" or "country", or a kind that a domain declares."""
    value: str
    """The canonical text: a code or id; "0..300000000" for an amount in won, an open end empty; "2026-01-01/2026-01-31"
    for a period; empty where the name is ambiguous.
    """
    label: str = ""
    """How a reader is told of it, in the flow's language."""
    words: str = ""
    """The user's own words, in the normalised text."""
    start: int = 0
    """Where the words begin, in code points; 0 with an end of 0 where it comes from an earlier turn."""
    end: int = 0
    """Where the words end, exclusive."""
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What else its domain knows of it, for example {"country": "US", "covered": "true"}."""
    alternatives: tuple[Alternative, ...] = ()
    """What an ambiguous name may mean; empty otherwise."""
