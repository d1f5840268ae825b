"""Which sum a question wants where no words of a reader say it: by its meaning (meant.yaml) and the numbers that it holds.

Examples tell what is asked, the roles of the numbers whether it can be reckoned: of the kinds that a question is near to,
the first whose numbers all have a role answers. What is near to none, or near to what is no sum, stays unread.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import resources
from typing import Final

from services.contract.asks import Ask, AskedBefore
from services.domains.realty.asks import supports
from services.domains.realty.asks.costs import answers as costs
from services.domains.realty.asks.costs import topics as cost_topics
from services.domains.realty.asks.loans import answers as loans
from services.domains.realty.asks.loans import topics as loan_topics
from services.domains.realty.asks.rents import answers as rents
from services.domains.realty.asks.rents import choices, ends, protected
from services.plugin.asks.answering import Claim
from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.text.meaning import Meaning

FILE: Final = "meant.npz"
"""What is fitted to the examples; `python -m services.domains.realty.asks.encoding` writes it."""
OTHER: Final = "other"
"""The kind of what is no sum of a home."""
_PACKAGE: Final = "services.domains.realty.asks"
_LEAST: Final = -0.35
"""How much a question has to be of a kind at all: 1 is plainly, -1 not in the least."""
_NEAR: Final = 0.1
"""How far before what is no sum a kind has to be to be thought of."""
_AHEAD: Final = 0.25
"""How far before all others it has to be to be believed where the numbers alone do not show it."""
_SURE: Final = 0.4
_TRIED: Final = 3
_CHARS_MAX: Final = 300
_LIMITS: Final = frozenset({"lt", "le", "gt", "ge", "band"})
_WORDS_MIN: Final = 3
_BEARING: Final = frozenset({"krw", "percent", "percentage_point", "years", "months", ""})


@dataclass(frozen=True, slots=True)
class _Kind:
    claimed: Callable[[Sheet, Sequence[AskedBefore]], Sequence[Claim]]
    """Drafts its ask."""
    needs: tuple[frozenset[str], ...]
    """Roles of which one of each group has to be bound for it to be reckoned."""


def _kind(claimed: Callable[[Sheet, Sequence[AskedBefore]], Sequence[Claim]], *needs: str) -> _Kind:
    return _Kind(claimed, tuple(frozenset(one.split()) for one in needs))


_INCOME: Final = "income_year income_month"
KINDS: Final[Mapping[str, _Kind]] = {
    "rent_rise": _kind(rents.rise, "deposit rent rise_percent"),
    "rent_conversion": _kind(rents.conversion, "deposit deposit_by rent rent_by"),
    "brokerage_fee": _kind(partial(costs.claimed, topic=cost_topics.BROKERAGE), "price deposit rent"),
    "acquisition_tax": _kind(partial(costs.claimed, topic=cost_topics.TAX), "price"),
    "repayment_fee": _kind(partial(costs.claimed, topic=cost_topics.EARLY), "loan", "fee_percent", "months"),
    "given_jeonse_ratio": _kind(partial(costs.claimed, topic=cost_topics.RATIO), "price", "deposit"),
    "given_yield": _kind(partial(costs.claimed, topic=cost_topics.YIELD), "price", "rent"),
    "resale_gain": _kind(partial(costs.claimed, topic=cost_topics.GAIN), "price", "sold"),
    "price_per_area": _kind(partial(costs.claimed, topic=cost_topics.PER_AREA), "price", "area_m2"),
    "loan_limit": _kind(partial(loans.claimed, topic=loan_topics.LIMIT), f"price {_INCOME}"),
    "debt_share": _kind(partial(loans.claimed, topic=loan_topics.SHARE), "loan", _INCOME),
    "money_enough": _kind(partial(loans.claimed, topic=loan_topics.ENOUGH), "price", "savings"),
    "loan_payment": _kind(partial(loans.claimed, topic=loan_topics.PAYMENT), "loan", "rate"),
    "lease_choice": _kind(choices.claimed, "rent rent_2", "deposit deposit_2"),
    "support_programmes": _kind(lambda sheet, _: supports.claimed(sheet), f"age {_INCOME} children married"),
    "small_tenant_protected": _kind(lambda sheet, _: protected.claimed(sheet), "deposit"),
    "term_end": _kind(lambda sheet, _: ends.claimed(sheet), "months"),
}
"""What each kind of the examples drafts."""


@cache
def meaning() -> Meaning:
    """Return what people say of each kind."""
    document = read_yaml(_PACKAGE, "meant.yaml")
    if not isinstance(document, dict) or document.keys() != {*KINDS, OTHER}:
        raise TypeError("meant.yaml maps each kind of sum, and what is none, to what people say")
    examples = {str(kind): tuple(map(str, texts)) for kind, texts in document.items()}
    return Meaning(examples, resources.files(_PACKAGE).joinpath(FILE))


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask that a question means: of the kinds that it is near to the first that its numbers can be of."""
    if not _may_mean(sheet):
        return ()
    near = list(_near(sheet))
    tried = [(claims, kind, ahead) for kind, ahead in near if (claims := KINDS[kind].claimed(sheet, before))]
    for claims, kind, _ in tried:
        if _is_whole(claims[0].ask, KINDS[kind]):
            return _scored(claims, 0.95 if near[0][1] >= _SURE else 0.9)
    if tried and tried[0][1] == near[0][0] and tried[0][2] >= _AHEAD and not _is_loose(tried[0][0][0].ask):
        return _scored(tried[0][0], 0.9)
    return ()


def rather(claims: Sequence[Claim], sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return what a question means in place of what its words were read as, where that is far more likely.

    A reading whose numbers all have a role is left to stand before all but the plainest of meanings.
    """
    ask = claims[0].ask
    if len(sheet.numbers) < _NUMBERS_MIN or ask.answerer not in ANSWERED_AS or not _may_mean(sheet):
        return claims
    (kind, score), (_, following) = meaning().of(sheet.text)[:2]
    least = _OVER_LOOSE if _is_loose(ask) else _OVER_WHOLE
    if kind == OTHER or ANSWERED_AS.get(ask.answerer) == kind or score - following < least:
        return claims
    meant = KINDS[kind].claimed(sheet, before)
    return meant if meant and _is_whole(meant[0].ask, KINDS[kind]) else claims


_NUMBERS_MIN: Final = 2
_OVER_LOOSE: Final = 0.4
_OVER_WHOLE: Final = 0.7
ANSWERED_AS: Final = {
    **{name: name for name in KINDS if name not in {"small_tenant_protected", "term_end", "support_programmes"}},
}
"""The kind of what the readers of sums answer."""


def _may_mean(sheet: Sheet) -> bool:
    short = len(sheet.text.split()) < _WORDS_MIN
    if sheet.of_kind("region") and any(one.bound in _LIMITS for one in sheet.numbers if one.unit in {"krw", ""}):
        # Sums that bound something in a place are what homes there are to cost.
        return False
    return len(sheet.text) <= _CHARS_MAX and bool(sheet.numbers) and not short and not sheet.of_kind("security")


def _near(sheet: Sheet) -> Iterator[tuple[str, float]]:
    """Yield the kinds that a question is near to, with how far each is before the next."""
    ranked = meaning().of(sheet.text)
    other = dict(ranked)[OTHER]
    for (kind, score), (_, following) in itertools.pairwise(ranked[: _TRIED + 1]):
        if kind == OTHER or score < _LEAST or score - other < _NEAR:
            return
        yield kind, score - following


def _is_whole(ask: Ask, kind: _Kind) -> bool:
    """Tell whether all that an ask needs is given, and every number of it has a role."""
    roles = {one.role for one in ask.quantities}
    return not _is_loose(ask) and all(roles & group for group in kind.needs)


def _is_loose(ask: Ask) -> bool:
    """Tell whether a number of an ask has no role though it bears on it."""
    return any(not one.role and one.unit in _BEARING for one in ask.quantities)


def _scored(claims: Sequence[Claim], score: float) -> Sequence[Claim]:
    return tuple(replace(one, score=score) for one in claims)
