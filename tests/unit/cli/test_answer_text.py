"""The answer's text on standard output, whatever order its pieces come in."""

import io

from hypothesis import given
from hypothesis import strategies as st

from gateway.http.completions.phrases import source_list
from hapju.flow.v1 import answer_pb2, evidence_pb2
from services.cli.ask.phrases import PHRASES
from services.cli.ask.printing import AnswerWriter, source_lines

VOID = "--- void ---"


def writer(*, interactive: bool = False) -> tuple[AnswerWriter, io.StringIO]:
    out = io.StringIO()
    return AnswerWriter(out, interactive=interactive, voided_notice=VOID), out


def test_pieces_are_written_when_they_come() -> None:
    """Each piece is on standard output before the next one comes, through a pipe too."""
    answer, out = writer()
    answer.write(1, 0, "금리는 ")
    assert out.getvalue() == "금리는 "
    answer.write(1, 4, "내렸다.")
    assert out.getvalue() == "금리는 내렸다."


def test_a_piece_that_came_before_changes_nothing() -> None:
    """A piece that is sent again, whole or in part, is written once; one of a void attempt not at all."""
    answer, out = writer()
    answer.write(2, 0, "가나다")
    answer.write(2, 0, "가나")
    answer.write(2, 1, "나다라")
    answer.write(1, 0, "낡은 글")
    answer.finish("가나다라")
    assert out.getvalue() == "가나다라\n"


def test_a_missing_piece_is_made_up_for_at_the_end() -> None:
    """Where a piece is missing nothing is written after the gap until the whole text is there."""
    answer, out = writer()
    answer.write(1, 0, "가")
    answer.write(1, 2, "다")
    assert out.getvalue() == "가"
    answer.finish("가나다")
    assert out.getvalue() == "가나다\n"


def test_through_a_pipe_a_new_attempt_comes_whole_after_the_line_that_voids() -> None:
    """What follows the last voiding line is the answer, and nothing of it is written before the end."""
    answer, out = writer()
    answer.write(1, 0, "틀린 글")
    answer.write(2, 0, "새 글")
    assert out.getvalue() == f"틀린 글\n\n{VOID}\n\n"
    answer.write(3, 0, "마지막 글")
    answer.finish("마지막 글")
    assert out.getvalue() == f"틀린 글\n\n{VOID}\n\n마지막 글\n"


def test_on_a_terminal_a_new_attempt_is_written_as_it_comes() -> None:
    """A person watches the new text being written, below the line that voids the old one."""
    answer, out = writer(interactive=True)
    answer.write(1, 0, "틀린 글")
    answer.write(2, 0, "새 ")
    assert out.getvalue() == f"틀린 글\n\n{VOID}\n\n새 "


def test_an_attempt_that_wrote_nothing_voids_nothing() -> None:
    """No voiding line stands above an answer whose earlier attempts had no text."""
    answer, out = writer()
    answer.write(2, 0, "글")
    answer.finish("글")
    assert out.getvalue() == "글\n"


def test_an_answer_that_was_never_streamed_is_written_whole() -> None:
    """A flow without deltas still prints its answer, and ends its line once."""
    answer, out = writer()
    answer.finish("글\n")
    assert out.getvalue() == "글\n"


def test_control_sequences_do_not_reach_the_terminal() -> None:
    """Text of models and data cannot move the cursor, set a title or turn the reading direction."""
    answer, out = writer(interactive=True)
    answer.write(1, 0, "a\x1b[2Jb\u202ec\r\td")
    answer.finish("a\x1b[2Jb\u202ec\r\td\ne")
    assert out.getvalue() == "abc\n\td\ne\n"


@given(st.text(alphabet="가나b \n", min_size=1), st.lists(st.integers(0, 30)))
def test_any_cut_of_the_text_is_written_as_the_text(text: str, cuts: list[int]) -> None:
    """However a text is cut into pieces, and whichever of them are sent again, it is written once and whole."""
    points = sorted({0, *(cut % len(text) for cut in cuts)})
    ends = [*points[1:], len(text)]
    answer, out = writer()
    for start, end in zip(points, ends, strict=True):
        answer.write(1, start, text[start:end])
        answer.write(1, 0, text[:end])
    answer.finish(text)
    assert out.getvalue() == (text if text.endswith("\n") else text + "\n")


def test_sources_are_named_once_with_date_and_sample_mark() -> None:
    """Citations of the same source, moment and kind are one line; there are none where nothing is cited."""
    citation = evidence_pb2.Citation(evidence_id="e1", title="Consumer prices", source="BLS")
    citation.as_of_time.FromJsonString("2026-09-30T00:00:00Z")
    plain = evidence_pb2.Citation(evidence_id="e2", title="A note", sample=True)
    answer = answer_pb2.FinalAnswer(citations=[citation, citation, plain])
    assert source_lines(answer, PHRASES["en"]) == [
        "",
        "Sources",
        "  - Consumer prices — BLS, as of 2026-09-30",
        "  - A note [sample data]",
    ]
    assert source_lines(answer_pb2.FinalAnswer(), PHRASES["ko"]) == []


def test_a_source_says_what_it_holds() -> None:
    """The titles of its columns, the first few, as every edge says them."""
    titles = ("Security", "Date", "Open", "High", "Low", "Close")
    columns = [evidence_pb2.Column(name="x", title=one) for one in titles]
    piece = evidence_pb2.Evidence(evidence_id="e1", columns=columns)
    answer = answer_pb2.FinalAnswer(citations=[evidence_pb2.Citation(evidence_id="e1", title="Prices", source="X")])
    answer.selected_agents.add().output.evidence.append(piece)
    held = "Prices (Security, Date, Open, High, Low …)"
    assert source_lines(answer, PHRASES["en"])[2:] == [f"  - {held} — X"]
    assert source_list(answer, "en").endswith(f"- {held} · X")


def test_both_languages_say_the_same_things() -> None:
    """Each phrase exists in both languages, with the same places to fill in."""
    assert PHRASES["ko"].keys() == PHRASES["en"].keys()
    for key, korean in PHRASES["ko"].items():
        fields = {part.split("}")[0].split(":")[0] for part in korean.split("{")[1:]}
        assert fields == {part.split("}")[0].split(":")[0] for part in PHRASES["en"][key].split("{")[1:]}, key
