"""What the router says in the run's language, from the templates of messages.yaml and the catalog's own texts."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, RootModel

from services.catalog.loader import Catalog
from services.contract.flow import Entity
from services.plugin.documents import read_yaml
from services.plugin.entities import of_kind

EXAMPLES_MAX = 3
_COVERED_NAMES = {
    "ko": "팔란티어, 스노우플레이크, 애플, 마이크로소프트, 엔비디아, 아마존, 구글, 메타, 테슬라, 삼성전자, SK하이닉스, "
    "현대차, 기아, 네이버, 카카오, LG에너지솔루션",
    "en": "PLTR, SNOW, AAPL, MSFT, NVDA, AMZN, GOOGL, META, TSLA, Samsung Electronics, SK hynix, Hyundai Motor, Kia, "
    "NAVER, Kakao, LG Energy Solution",
}


class _Template(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    ko: str
    en: str


class _Templates(RootModel[Mapping[str, _Template]]):
    model_config = ConfigDict(frozen=True)


@cache
def _templates() -> Mapping[str, _Template]:
    return _Templates.model_validate(read_yaml("services.router", "messages.yaml")).root


class Wording:
    """Words one route in one language."""

    def __init__(self, catalog: Catalog, locale: str, domains: Sequence[str]) -> None:
        """`domains` are those that the deployment enables."""
        self._catalog = catalog
        self._language: Literal["ko", "en"] = "en" if locale.lower().startswith("en") else "ko"
        self._domains = tuple(domains)

    def say(self, reason: str, *, intents: Sequence[str] = (), entities: Sequence[Entity] = ()) -> str:
        """Return the message of a reason.

        Raises:
            KeyError: There is no such reason.
        """
        template = _templates()[reason]
        text = template.en if self._language == "en" else template.ko
        names = [self._catalog.intent(intent).description.of(self._language) for intent in intents]
        domain = self._catalog.domain_of(intents[0]) if intents else "general"
        return text.format(
            intent=names[0] if names else "",
            intents=" / ".join(names),
            domain=self._title(domain),
            domains=self._titles(),
            securities=self._securities(entities),
            covered=_COVERED_NAMES[self._language],
        )

    def examples(self, intents: Sequence[str]) -> tuple[str, ...]:
        """Return two or three questions that could be asked: of these intents, else one of each enabled domain."""
        chosen = [intent for intent in intents if self._offers(intent)][:EXAMPLES_MAX]
        for domain in self._domains:
            offered = self._catalog.domains.get(domain)
            chosen += [one.id for one in offered.intents if self._is_answered(one.id)][:1] if offered else []
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
        """Tell whether an intent is offered and its first owner, without whom nothing is found, runs here."""
        owners = self._catalog.owner_agents(intent)
        return self._offers(intent) and bool(owners) and owners[0].served

    def _offers(self, intent: str) -> bool:
        entry = self._catalog.intents.get(intent)
        return entry is not None and not entry.answered_at_once and self._catalog.domain_of(intent) in self._domains

    def _title(self, domain: str) -> str:
        return self._catalog.domains[domain].title.of(self._language)

    def _titles(self) -> str:
        return ", ".join(self._title(domain) for domain in self._domains if domain in self._catalog.domains)

    def _securities(self, entities: Sequence[Entity]) -> str:
        named = of_kind(entities, "security")
        return ", ".join(one.label for one in named if one.attributes["covered"] != "true")
