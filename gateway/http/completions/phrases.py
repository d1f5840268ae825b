"""What this door itself says, in the language of the question."""

from typing import Final

from hapju.flow.v1 import action_pb2, answer_pb2, evidence_pb2, flow_event_pb2
from services.contract.sources import held_by

VOIDED: Final = {
    "ko": "(위 글은 취소되었고, 아래가 새 답변입니다)",
    "en": "(The text above is void; the answer follows anew.)",
}
"""What stands between a text that was begun and the one that takes its place."""
SOURCES: Final = {"ko": "출처", "en": "Sources"}
"""The heading of the list of sources."""
CANCELLED: Final = {"ko": "취소했습니다. 아무것도 바꾸지 않았습니다.", "en": "Cancelled. Nothing was changed."}
"""What is said where the user said stop."""
SAMPLE: Final = {"ko": "예시 데이터", "en": "sample data"}
"""What is said of a source that holds no published figures."""


def question_text(asked: flow_event_pb2.QuestionAsked) -> str:
    """Return a question as a message: what would be done, what is asked, and the answers that it takes."""
    shown = [f"- {field.label}: {_shown(field)}" for field in asked.action.fields]
    labels = {choice.value: f" — {choice.description or choice.label}" for choice in asked.choices}
    options = [f"- {option}{labels.get(option, '')}" for option in asked.options]
    return "\n".join([asked.text, *shown, *([""] if shown and options else []), *options])


def source_list(answer: answer_pb2.FinalAnswer, locale: str) -> str:
    """Return the sources that the text does not name itself, as a list below it."""
    held = held_by(answer)
    lines = dict.fromkeys(
        source_line(citation, held.get(citation.evidence_id, ""), locale)
        for citation in answer.citations
        if citation.title not in answer.final_response
    )
    return "\n".join(["", "", f"{SOURCES[locale]}", *(f"- {line}" for line in lines)]) if lines else ""


def source_line(citation: evidence_pb2.Citation, held: str, locale: str) -> str:
    """Return what a citation rests on, what that holds, by whom and as of when."""
    title = citation.title or citation.evidence_id
    parts = [f"{title} ({held})" if held else title, citation.source]
    if citation.HasField("as_of_time"):
        parts.append(citation.as_of_time.ToDatetime().date().isoformat())
    if citation.sample:
        parts.append(SAMPLE[locale])
    return " · ".join(part for part in parts if part)


def _shown(field: action_pb2.ShownField) -> str:
    return f"{field.number:,}" if field.number else str(field.text)
