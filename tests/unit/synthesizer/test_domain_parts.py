"""What domains add to answers: found by convention, in their places, for their intents."""

from types import ModuleType

import pytest

from services.catalog.loader import catalog
from services.plugin import answers
from services.plugin.answers import AnswerAdditions, AnswerCaution, AnswerPart, Line, Place, Section, answer_additions
from services.plugin.installed import DomainError, InstalledDomain
from services.plugin.wording import Text
from tests.unit.synthesizer.answer_parts import macro, request


def _opening(_request: object, _language: object) -> tuple[Section, ...]:
    return (Section((Line("first"),)),)


def test_a_part_stands_in_its_place_for_its_intents_only() -> None:
    """A part without intents stands in every answer, one with intents in theirs alone; no part stands elsewhere."""
    asked = request([macro()])
    own = AnswerPart(Place.OPENING, _opening, frozenset({asked.route.intent}), wish=Text("처음", "First."))
    other = AnswerPart(Place.OPENING, _opening, frozenset({"another"}), wish=Text("다른", "Other."))
    added = AnswerAdditions((own, other, AnswerPart(Place.OUTLOOK, _opening)), ())
    assert len(list(added.sections(Place.OPENING, asked, "en"))) == 1
    assert len(list(added.sections(Place.OUTLOOK, asked, "en"))) == 1
    assert not list(added.sections(Place.FIGURES, asked, "en"))
    assert added.wishes(asked.route, "en") == ("First.",)


def test_cautions_are_told_for_their_intents_only() -> None:
    """A caution of another intent is not told."""
    asked = request([macro()])
    added = AnswerAdditions((), (AnswerCaution(lambda *_: ("mind",), frozenset({"another"})),))
    assert not list(added.cautions(asked, "en"))


def test_the_installed_parts_name_intents_that_are_there() -> None:
    """No part waits for an intent that nobody declares."""
    added = answer_additions()
    named = frozenset[str]().union(*(one.intents for one in added.parts), *(one.intents for one in added.warnings))
    assert named
    assert named <= catalog().intents.keys()


def test_a_module_that_holds_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """PARTS that are no tuple of parts stop the process with the domain's name."""
    broken = ModuleType("answers")
    broken.PARTS = ["nothing"]  # type: ignore[attr-defined]
    monkeypatch.setattr(InstalledDomain, "module", lambda _self, _name: broken)
    monkeypatch.setattr(answers, "installed_domains", lambda: (InstalledDomain("odd", "odd"),))
    answer_additions.cache_clear()
    with pytest.raises(DomainError, match="odd"):
        answer_additions()
    answer_additions.cache_clear()
