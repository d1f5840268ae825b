"""An answer to a question in which no request was read: that it is not answered, and the little that lies near."""

from dataclasses import replace
from typing import Final

from services.catalog.answerers import is_unread
from services.catalog.loader import catalog
from services.contract.flow import Speaker
from services.contract.forms import WEB_PART
from services.contract.synthesizer import SynthesizeRequest
from services.grounding.grounds import Grounds
from services.plugin.answers import Line, Section, Style
from services.plugin.asks.closings import complains
from services.plugin.asks.edits import corrects, short
from services.plugin.asks.forms import forms_in
from services.plugin.wording import Text
from services.synthesizer import templates
from services.synthesizer.figure_list import FOUND_NOTHING
from services.text.language import Language
from services.text.patterns import Pattern

LINES_MAX: Final = 3
"""How much is told of what was found first."""
CHARS_MAX: Final = 200
"""A sentence above this is a list, and told only where nothing shorter is."""

_STEM: Final = 2
"""How much of a Korean word, which bears endings, is looked for."""
_WORD: Final = Pattern(r"[가-힣]{2,}|[a-z]{4,}")
_UNREAD: Final = Text("질문에 바로 답할 수 있는 자료를 찾지 못했습니다.", "I found nothing that answers this directly.")
_UNCHANGED: Final = Text(
    "무엇을 바꾸거나 알고 싶으신지 알아듣지 못했습니다. 앞의 답은 그대로이니, "
    "바꿀 것(곳, 때, 이름, 값)을 말씀해 주세요.",
    "I did not understand what to change or look up. What I answered before stands; "
    "name what to change: a place, a time, a thing, a sum.",
)
"""Said of a message behind others that asks nothing by its own words: an edit of nothing."""
_NEAR: Final = Text("가까운 내용은 다음과 같습니다.", "What comes closest:")


def applies(request: SynthesizeRequest) -> bool:
    """Tell whether what was found for a question is no answer to it: no request was read in it, and nothing is done."""
    agents = [result.agent for result in request.results]
    acts = any(result.action_requests for result in request.results)
    return WEB_PART not in agents and not acts and is_unread(request.route, agents)


def compose(request: SynthesizeRequest, grounds: Grounds, language: Language) -> tuple[Section, ...]:
    """Return the answer's sections; where nothing was found, what each agent says of it."""
    found = [result for result in request.results if result.status not in FOUND_NOTHING]
    if not found:
        return templates.compose_short(request, grounds, language)
    asked = _without_things(request)
    lines = [line for line in templates.lines_of(found[0], grounds) if _shares_a_word(asked, line.text)]
    near = _shorter(lines)[:LINES_MAX]
    if _changes_nothing(request):
        return (Section((Line(_UNCHANGED.said(language)),)),)
    if not near:
        return (Section((Line(_UNREAD.said(language)),)),)
    # What its other parts have not found is no matter: it is not answered.
    first = replace(request, results=tuple(found[:1]), cautions=())
    cautions, as_of = templates.closing(first, grounds, language)
    cautions = replace(cautions, lines=cautions.lines[: templates.CAUTIONS_SHORT])
    opening = f"{_UNREAD.said(language)} {_NEAR.said(language)}"
    return Section((Line(opening),)), Section(tuple(near), style=Style.BULLETS), cautions, as_of


def _changes_nothing(request: SynthesizeRequest) -> bool:
    """Tell whether a few words behind an answer ask nothing themselves, or want another one in no known words."""
    earlier = any(turn.speaker is Speaker.ASSISTANT for turn in request.history)
    if not earlier or not short(request.question):
        return False
    return not forms_in(request.question) or corrects(request.question) or complains(request.question)


def _without_things(request: SynthesizeRequest) -> str:
    """Return the words of a question beside the things that it names: what is asked of a place is not all about it."""
    text, kinds = request.question, catalog().kinds
    for one in request.route.entities if request.route is not None else ():
        text = text.replace(one.words, " ") if one.words and one.kind in kinds and kinds[one.kind].is_name else text
    return text


def _shares_a_word(question: str, line: str) -> bool:
    """Tell whether a line speaks of anything that the question names: what was found by likeness alone lies far."""
    said = line.lower()
    return any(word[: _STEM if "가" <= word[0] <= "힣" else None] in said for word in _WORD.findall(question.lower()))


def _shorter(lines: list[Line]) -> list[Line]:
    return [line for line in lines if len(line.text) <= CHARS_MAX] or lines
