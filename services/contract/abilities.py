"""What dataclasses of the contract can do beside holding their fields, which are generated."""

import functools
import operator
from collections.abc import Callable
from typing import Any, ClassVar, Self


@functools.cache
def _values_of(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads all fields of an object of a kind at once: sums are built dozens of times a flow."""
    return operator.attrgetter(*kind.__slots__)


class Summed:
    """Adds up with `+`, field by field."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    input_tokens: int
    output_tokens: int

    @property
    def tokens(self) -> int:
        """What models read and wrote."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Self) -> Self:
        """Return the sum, field by field."""
        kind: Any = type(self)
        values = _values_of(kind)
        made: Self = kind(*map(operator.add, values(self), values(other)))
        return made

    def __neg__(self) -> Self:
        """Return what takes this away from a sum."""
        kind: Any = type(self)
        made: Self = kind(*map(operator.neg, _values_of(kind)(self)))
        return made


class BothLanguages:
    """Stands in both languages."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    ko: str
    en: str

    def of(self, locale: str) -> str:
        """Return the text of a locale; anything but English is Korean."""
        return self.en if locale.lower().startswith("en") else self.ko
