"""In which language an answer is written, and what a reader calls the parts and the data of it."""

from typing import Final

from services.catalog.loader import catalog
from services.contract.forms import WEB_PART
from services.plugin.figures.declared import data_type
from services.plugin.wording import Text
from services.text.language import Language, language_of

WEB_DATA: Final = "web"
"""The kind of data that a page is."""
_WEB: Final = Text("웹 검색", "Web search")
_WEB_PAGES: Final = Text("웹 문서", "web pages")
_OTHER_DATA: Final = Text("자료", "data")


def language_for(locale: str, question: str) -> Language:
    """Return the language that the answer is written in: the flow's, else the question's."""
    named = locale[:2].lower()
    if named == "ko":
        return "ko"
    return "en" if named == "en" else language_of(question)


def agent_title(agent: str, language: Language) -> str:
    """Return what a user calls an agent's part; its domain for one that this deployment does not declare."""
    if agent == WEB_PART:
        return _WEB.said(language)
    known = catalog().agents.get(agent) or catalog().domains.get(agent.partition(".")[0])
    return _OTHER_DATA.said(language) if known is None else known.title.of(language)


def only_leads(agent: str) -> bool:
    """Tell whether only what opens a subject is told of an agent's summary, for the lists hold its figures."""
    known = catalog().agents.get(agent)
    return known is not None and known.figures_listed


def data_title(kind: str, language: Language) -> str:
    """Return what a user calls a kind of data."""
    return _WEB_PAGES.said(language) if kind == WEB_DATA else data_type(kind).title.of(language)
