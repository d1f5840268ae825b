"""The declared rulings of all domains, as questions of routing."""

from collections.abc import Collection, Iterable, Sequence

from services.catalog.loader import Catalog
from services.contract.entities import Entity
from services.plugin.entities import COUNTRY, of_kind
from services.plugin.rulings import Coverage, Detection, Merge


class DomainRulings:
    """Answers what the domains settle of their intents; made once."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        rulings = {name: domain.rulings for name, domain in catalog.domains.items()}
        self._detections = [(name, one) for name, own in rulings.items() for one in own.detects]
        self._merges = [one for own in rulings.values() for one in own.merges]
        self._widening = frozenset(intent for own in rulings.values() for intent in own.widens)
        self._excluding = [frozenset(one) for own in rulings.values() for one in own.excludes]
        self._undoing = [frozenset(one) for own in rulings.values() for one in own.undoes]
        self._standing_in = frozenset(intent for own in rulings.values() for intent in own.stands_in)
        self._unexplained = frozenset(intent for own in rulings.values() for intent in own.unexplained)
        self._countries = {
            code for own in rulings.values() if COUNTRY in own.covers for code in own.covers[COUNTRY].values
        }
        self.explaining = next((own.explains for own in rulings.values() if own.explains), None)
        """The intent of what a word means."""

    def detection(self, entities: Iterable[Entity]) -> tuple[str, Detection] | None:
        """Return the domain and the detection of the first kind that decides and is named."""
        named = {entity.kind for entity in entities}
        return next(((domain, one) for domain, one in self._detections if one.kind in named), None)

    def leaves_possible(self, intent: str, entities: Iterable[Entity]) -> bool:
        """Tell whether what a question names leaves an intent possible.

        An intent of a kind that decides needs one; where one is named, no other domain on the same ground is meant.
        """
        domain, named = self._catalog.domain_of(intent), {entity.kind for entity in entities}
        for owner, one in self._detections:
            if intent in one.intents and one.kind not in named:
                return False
            if one.kind in named and owner != domain and self._share_ground(owner, domain):
                return False
        return True

    def is_one_question(self, intents: Collection[str]) -> bool:
        """Tell whether intents are one request, so that the question is read as a whole."""
        return any(one.into is None and set(intents) <= set(one.of) for one in self._merges)

    def report_of(self, intents: Collection[str]) -> str | None:
        """Return the intent that answers several together: what they merge into, or the whole report among them."""
        merge: Merge | None = next((one for one in self._merges if one.into and set(intents) <= set(one.of)), None)
        if merge is not None:
            return merge.into
        whole = next((intent for intent in intents if intent in self._widening), None)
        return whole if whole and len({self._catalog.domain_of(intent) for intent in intents}) == 1 else None

    def is_whole(self, intent: str) -> bool:
        """Tell whether an intent is a whole report, which is not divided."""
        return intent in self._widening

    def exclude_each_other(self, intents: Collection[str]) -> bool:
        """Tell whether a question can want only one of these."""
        return any(set(intents) <= one for one in self._excluding)

    def undo_each_other(self, intents: Collection[str]) -> bool:
        """Tell whether some of these take back what others do."""
        return any(len(set(intents) & one) > 1 for one in self._undoing)

    def wanted(self, intents: Sequence[str]) -> tuple[str, ...]:
        """Return the intents without those that stand in where nothing else is wanted beside them."""
        firm = [intent for intent in intents if intent not in self._standing_in]
        return tuple(
            intent for intent in intents if intent not in self._standing_in or not self._gives_way(intent, firm)
        )

    def explains(self, intent: str | None) -> bool:
        """Tell whether a word's meaning is merely explained, though the words speak for an intent."""
        return intent not in self._unexplained

    def uncovered(
        self, domain: str, entities: Sequence[Entity], countries: Collection[str]
    ) -> tuple[str, Coverage] | None:
        """Return the first kind of which a question of a domain is about nothing that is covered."""
        for kind, coverage in self._catalog.domains[domain].rulings.covers.items():
            about = set(countries) if kind == COUNTRY else {one.value for one in of_kind(entities, kind)}
            known = set(coverage.values) or {one.value for one in of_kind(entities, kind) if _is_covered(one)}
            if about and not about & known:
                return kind, coverage
        return None

    def covered(self, countries: Iterable[str]) -> tuple[str, ...]:
        """Return those countries of which some domain has data."""
        return tuple(code for code in countries if code in self._countries)

    def _gives_way(self, intent: str, firm: Iterable[str]) -> bool:
        domain = self._catalog.domain_of(intent)
        return self._catalog.domains[domain].always or any(self._catalog.domain_of(one) == domain for one in firm)

    def _share_ground(self, one: str, other: str) -> bool:
        return bool(self._catalog.lexicon.ground(one) & self._catalog.lexicon.ground(other))


def _is_covered(entity: Entity) -> bool:
    return entity.attributes.get("covered", "true") == "true"
