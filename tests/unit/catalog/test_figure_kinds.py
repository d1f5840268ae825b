"""The kinds of figures: declared once, found by the names of metrics."""

from collections.abc import Mapping

import pytest

from services.catalog.loader import catalog
from services.plugin.figures.declared import Figures, installed_figures
from services.plugin.figures.kinds import FigureFile, FigureRole, Slot, concepts_of
from services.plugin.installed import DomainError

KIND: Mapping[str, object] = {
    "id": "level_{days}d",
    "label": {"ko": "{days}일 값", "en": "{days}-day level"},
    "window": "{days}",
    "rank": "{days}",
}


def figures(*kinds: Mapping[str, object]) -> Figures:
    return Figures([FigureFile.model_validate({"figures": kinds})])


def test_a_name_of_a_family_finds_its_family_filled() -> None:
    """The parameter of a metric's name stands in its label, window and rank."""
    kind = figures(KIND).kinds["level_20d"]
    assert (kind.id, kind.label.ko, kind.rank) == ("level_20d", "20일 값", "20")
    assert concepts_of(kind) == {Slot.WINDOW: {"20"}}


def test_a_kind_of_its_own_stands_before_its_family() -> None:
    """A name that is declared as it stands is not of a family."""
    found = figures(KIND, {"id": "level_1d", "label": {"ko": "하루", "en": "a day"}})
    assert found.kinds["level_1d"].label.en == "a day"


def test_a_change_over_one_day_is_one_from_the_value_before() -> None:
    """A window of one day says what the change is counted from."""
    assert concepts_of(figures(KIND).kinds["level_1d"])[Slot.AGAINST] == {"before"}


@pytest.mark.parametrize(
    ("kinds", "fault"),
    [
        ((KIND, KIND), "more than once"),
        (({**KIND, "group": "nowhere"},), "no group"),
        (({**KIND, "measure": "nothing"},), "no words"),
    ],
)
def test_a_contradiction_is_named(kinds: tuple[Mapping[str, object], ...], fault: str) -> None:
    """Two kinds of one id, an unknown group and a measure without words are errors that say so."""
    with pytest.raises(DomainError, match=fault):
        figures(*kinds)


def test_the_installed_domains_agree() -> None:
    """What the domains of the distribution declare holds together, and the catalog hands it on."""
    assert catalog().figures is installed_figures().kinds
    assert catalog().figures["return_1d"].role is FigureRole.NEWEST_MOVE
