"""The voter of examples: is a question nearer to what is refused, or to what only sounds like it (examples.yaml)?

A question that shares no two words with what is refused is past it at once; meanings are compared of the others alone.
`python -m services.policy.likeness` encodes the examples, whose vectors ship with the package.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal

from pydantic import RootModel

from services.contract.policy import PolicyTag
from services.plugin.documents import read_model
from services.plugin.installed import installed_domains
from services.text.likeness import Likeness

CORE_FILE: Final = "examples.yaml"
"""What is refused whatever the business."""
DOMAIN_FILE: Final = "policy_examples.yaml"
"""What a domain adds, in its folder."""
FILE: Final = "examples.npz"
"""The vectors of the examples."""
REFUSED: Final = "refused"
ALLOWED: Final = "allowed"
NEAR: Final = 0.6
"""From this nearness on an example speaks."""
AHEAD: Final = 0.12
"""How much nearer than the other side's examples one has to be."""


CLEAR: Final = 0.55
"""From this nearness on an example of what is allowed stands against a rule."""
FAR_AHEAD: Final = 0.15
"""How much nearer than what is refused it has to be for that."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the examples say of a question."""

    refused: PolicyTag | None
    """The kind of what is refused that it is like; None where it is like none."""
    is_let_off: bool
    """Whether it is like what only sounds so."""


@cache
def _examples() -> dict[str, list[str]]:
    """Return the examples of the core and of the installed domains, by tag and side."""
    found: dict[str, list[str]] = {}
    files = (one.folder / DOMAIN_FILE for one in installed_domains())
    for file in (resources.files("services.policy").joinpath(CORE_FILE), *files):
        if not file.is_file():
            continue
        for tag, sides in read_model(file, _Examples).root.items():
            for side, texts in sides.items():
                found.setdefault(f"{tag} {side}", []).extend(_flat(texts))
    return found


class _Examples(RootModel[dict[PolicyTag, dict[Literal["refused", "allowed"], list[list[str]]]]]):
    """A file of examples: lists of texts by tag and side."""


def _flat(lists: Sequence[Sequence[str]]) -> list[str]:
    return [text for texts in lists for text in texts]


@cache
def likeness() -> Likeness:
    """Return the examples, by tag and side."""
    return Likeness(_examples(), resources.files("services.policy").joinpath(FILE))


def is_suspicious(text: str) -> bool:
    """Tell whether a question may be of what is refused, so that its meaning has to be looked at."""
    return likeness().may_be(text, [kind for kind in _examples() if kind.endswith(REFUSED)])


def opinion(text: str) -> Opinion:
    """Return what the examples say of a question."""
    scores = likeness().scores(text, _examples().keys())
    worst, refused = _best(scores, REFUSED)
    _, allowed = _best(scores, ALLOWED)
    if worst and refused >= NEAR and refused - allowed >= AHEAD:
        return Opinion(PolicyTag(worst.partition(" ")[0]), is_let_off=False)
    return Opinion(None, is_let_off=allowed >= CLEAR and allowed - refused >= FAR_AHEAD)


def _best(scores: dict[str, float], side: str) -> tuple[str, float]:
    own = [(score, name) for name, score in scores.items() if name.endswith(side)]
    score, name = max(own, default=(0.0, ""))
    return name, score


def main() -> None:
    """Encode the examples and write their vectors."""
    Path(__file__).with_name(FILE).write_bytes(likeness().packed())
    sys.stdout.write(f"{FILE}: {len(likeness().texts)} examples\n")


if __name__ == "__main__":
    main()
