"""Whether a message puts off what is shown, by its likeness to what people say of it (stopping.yaml)."""

from functools import cache
from importlib import resources
from typing import Final

from services.domains.commerce.asks.meant import plain
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.text.likeness import Likeness

FILE: Final = "stopping.npz"
"""The vectors of the examples; `python -m services.domains.commerce.asks.encoding` writes them."""
_STOP, _OTHER = "stop", "other"
_NEAR: Final = 0.34
_AHEAD: Final = 0.05


@cache
def likeness() -> Likeness:
    """Return what people say of what is shown."""
    document = read_yaml(__package__ or "", "stopping.yaml")
    if not isinstance(document, dict):
        raise TypeError("stopping.yaml is a mapping")
    examples = {str(kind): tuple(map(str, said)) for kind, said in document.items()}
    return Likeness(examples, resources.files(__package__ or "").joinpath(FILE))


def puts_off(sheet: Sheet) -> bool:
    """Tell whether a message puts off what is shown."""
    scores = likeness().scores(plain(sheet), {_STOP, _OTHER})
    near = scores.get(_STOP, 0.0)
    return near >= _NEAR and near - scores.get(_OTHER, 0.0) >= _AHEAD
