"""Holds the claims of a sentence against what the agents told and what the data says."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from services.grounding.claims.acts import acts_in
from services.grounding.claims.certainty import beyond_data_in
from services.grounding.claims.claim import SentenceClaim
from services.grounding.claims.events import events_in
from services.grounding.claims.outlooks import bests_in, futures_in, promises_in, verdicts_in
from services.grounding.claims.predicates import predicates_in, yours_in
from services.grounding.claims.sources import plain, quotes_in, sources_in
from services.plugin.names import names_in

_READERS: Final = (acts_in, futures_in, bests_in, promises_in, verdicts_in)
_READERS_OF_DATA: Final = (*_READERS, beyond_data_in, events_in)
_STEM_CHARS_MIN: Final = 2
_PARTICLE_CHARS_MAX: Final = 3


class PermittedClaims:
    """What may be claimed.

    Args:
        told: The sentences of the agents and of the flow: a claim of theirs may be told again, of the same things.
        texts: Everything whose words may be quoted, and whose sources named.
    """

    def __init__(self, told: Iterable[str], texts: Iterable[str]) -> None:
        self._sentences = tuple(told)
        self._texts = tuple(texts)

    def false_in(self, text: str, *, of_data: bool = False) -> SentenceClaim | None:
        """Return the first claim of a sentence that nothing holds; None where it makes none.

        Args:
            text: The sentence.
            of_data: Whether it may tell of data alone; general knowledge tells of what has happened in the world, too.
        """
        for reader in _READERS_OF_DATA if of_data else _READERS:
            for claim in reader(text):
                if not self._is_told(claim, text):
                    return claim
        readers = (quotes_in, sources_in, yours_in) if of_data else (quotes_in, sources_in)
        said = (claim for reader in readers for claim in reader(text))
        unheld = next((claim for claim in said if not self._stands(claim.key)), None)
        if unheld is not None or not of_data:
            return unheld
        return next((claim for claim in predicates_in(text) if not self._is_told(claim, text)), None)

    def _stands(self, words: str) -> bool:
        """Tell whether words stand in the texts, a particle behind them let be."""
        shortest = max(_STEM_CHARS_MIN, len(words) - _PARTICLE_CHARS_MAX)
        return any(words[:end] in self._plain for end in range(len(words), shortest - 1, -1))

    def _is_told(self, claim: SentenceClaim, text: str) -> bool:
        """Tell whether a line of the agents claims the same, and names all that the sentence names."""
        named = {thing.key for thing in names_in(text)}
        return any((claim.reason, claim.key) == (own.reason, own.key) and named <= names for own, names in self._own)

    @cached_property
    def _own(self) -> tuple[tuple[SentenceClaim, frozenset[str]], ...]:
        return tuple(self._claimed())

    def _claimed(self) -> Iterator[tuple[SentenceClaim, frozenset[str]]]:
        for sentence in self._sentences:
            claims = [claim for reader in (*_READERS_OF_DATA, predicates_in) for claim in reader(sentence)]
            names = frozenset(thing.key for thing in names_in(sentence)) if claims else frozenset()
            yield from ((claim, names) for claim in claims)

    @cached_property
    def _plain(self) -> str:
        return plain("\n".join(self._texts))
