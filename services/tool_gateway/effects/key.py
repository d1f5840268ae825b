"""The key under which an effect happens once: flow, step, and the action's place in the step."""

import hashlib
from dataclasses import dataclass
from typing import Final

ORDINAL_MAX: Final = 999


@dataclass(frozen=True, slots=True)
class EffectKey:
    """The idempotency key of one action."""

    flow_run_id: str
    """The flow."""
    step_id: str
    """Its step."""
    ordinal: int
    """The action's place among those of the step."""

    @property
    def text(self) -> str:
        """The key as one text of 40 hexadecimal digits."""
        parts = f"{self.flow_run_id}\x00{self.step_id}\x00{self.ordinal}"
        return hashlib.sha256(parts.encode()).hexdigest()[:40]
