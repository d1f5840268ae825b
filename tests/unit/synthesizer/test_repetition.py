"""What a text has said is not said again, but for steps that are counted."""

from services.plugin.answers import Line, Section, Style
from services.synthesizer.repetition import SeenText

OPENING = "이사하기 전에 관할 법원에 임차권등기명령을 신청하고 등기가 된 것을 확인하세요."
REPEATED = "관할 법원에 임차권등기명령을 신청하고 등기가 된 것을 확인합니다."


def test_a_line_that_says_the_opening_again_leaves() -> None:
    """A line whose words the opening has is no line of its own."""
    (section,) = SeenText(OPENING).left_of((Section((Line(REPEATED),), style=Style.BULLETS),))
    assert section.lines == ()


def test_counted_steps_all_stand() -> None:
    """A step that the opening tells keeps its place, so that no number is missing."""
    steps = tuple(Line(f"{at}. {text}") for at, text in enumerate(("통지합니다.", REPEATED, "이사합니다."), start=1))
    (section,) = SeenText(OPENING).left_of((Section(steps, style=Style.BULLETS),))
    assert section.lines == steps
