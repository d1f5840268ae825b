"""What the router says in the run's language, from the templates of messages.yaml and the catalog's own texts."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from pydantic import ConfigDict, RootModel

from services.catalog.loader import Catalog
from services.contract.entities import Entity
from services.plugin.documents import read_yaml
from services.plugin.entries import Bilingual

EXAMPLES_MIN = 2
EXAMPLES_MAX = 3


class _Templates(RootModel[Mapping[str, Bilingual]]):
    model_config = ConfigDict(frozen=True)


@cache
def _templates() -> Mapping[str, Bilingual]:
    return _Templates.model_validate(read_yaml("services.router", "messages.yaml")).root


class Wording:
    """Words one route in one language."""

    def __init__(self, catalog: Catalog, locale: str, domains: Sequence[str]) -> None:
        """`domains` are those that the deployment enables."""
        self._catalog = catalog
        self._language: Literal["ko", "en"] = "en" if locale.lower().startswith("en") else "ko"
        self._domains = tuple(domains)

    def say(self, reason: str, *, intents: Sequence[str] = (), words: str = "") -> str:
        """Return the message of a reason, on intents or on the words of the question that it concerns.

        Raises:
            KeyError: There is no such reason.
        """
        names = [self._catalog.intent(intent).description.of(self._language) for intent in intents]
        title = self._title(self._catalog.domain_of(intents[0])) if intents else ""
        text = _templates()[reason].of(self._language)
        return text.format(
            intent=names[0] if names else "",
            intents=" / ".join(names),
            domain=title,
            domains=self._titles(),
            words=words,
        )

    def fill(self, text: Bilingual, *, names: Sequence[Entity] = ()) -> str:
        """Return a domain's own text with the titles of the enabled domains and the labels of what is named."""
        return text.of(self._language).format(domains=self._titles(), names=", ".join(one.label for one in names))

    def examples(self, intents: Sequence[str]) -> tuple[str, ...]:
        """Return two or three questions that could be asked: of these intents; a single one has others beside it."""
        chosen = [intent for intent in intents if self._offers(intent)][:EXAMPLES_MAX]
        if len(chosen) < EXAMPLES_MIN:
            offered = [self._catalog.domains[one].intents for one in self._domains if one in self._catalog.domains]
            answered = [[one.id for one in row if self._is_answered(one.id)] for row in offered]
            # One of each domain, and more of a domain where there are no others.
            chosen += [one for first in (True, False) for row in answered for one in (row[:1] if first else row[1:])]
        texts = [self._catalog.intent(intent).examples[self._language][0] for intent in dict.fromkeys(chosen)]
        return tuple(texts[:EXAMPLES_MAX])

    def served_examples(self, domain: str) -> tuple[str, ...]:
        """Return up to three questions that agents which run here answer, those of the domain first."""
        order = [domain, *(name for name in self._domains if name != domain)]
        intents = [one.id for name in order if name in self._domains for one in self._catalog.domains[name].intents]
        chosen = [intent for intent in intents if self._is_answered(intent)]
        first = {self._catalog.intent(intent).owners: intent for intent in reversed(chosen)}
        different = [intent for intent in chosen if first[self._catalog.intent(intent).owners] == intent]
        texts = [self._catalog.intent(intent).examples[self._language][0] for intent in different]
        return tuple(texts[:EXAMPLES_MAX])

    def _is_answered(self, intent: str) -> bool:
        """Tell whether an intent is offered, rests on data, and its first owner, who finds that, runs here."""
        owners = self._catalog.owner_agents(intent)
        rests = self._offers(intent) and not self._catalog.intent(intent).direct
        return rests and bool(owners) and owners[0].served

    def _offers(self, intent: str) -> bool:
        entry = self._catalog.intents.get(intent)
        return entry is not None and not entry.answered_at_once and self._catalog.domain_of(intent) in self._domains

    def _title(self, domain: str) -> str:
        return self._catalog.domains[domain].title.of(self._language)

    def _titles(self) -> str:
        return ", ".join(self._title(domain) for domain in self._domains if domain in self._catalog.domains)
