"""A message cut in two where something joins, and what is read of a part put back to its place in the whole."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from services.plugin.asks.answering import Claim
from services.plugin.asks.forms import Clause
from services.text.patterns import Pattern


def sides_of(text: str, joint: Pattern, most: int) -> Iterator[tuple[Clause, Clause]]:
    """Yield what stands before and behind each place where something joins, as far as so many places."""
    for cut in islice(joint.finditer(text), most):
        yield Clause(text[: cut.start()], 0, cut.start()), Clause(text[cut.end() :], cut.end(), len(text))


def placed(claim: Claim, clause: Clause) -> Claim:
    """Return a claim on a part with its places counted in the whole."""
    ask, by = claim.ask, clause.start
    subjects = tuple(replace(one, start=one.start + by, end=one.end + by) if one.end else one for one in ask.subjects)
    moved = replace(ask, start=ask.start + by, end=min(ask.end + by, clause.end), subjects=subjects)
    return replace(claim, ask=moved)
