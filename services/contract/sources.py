"""What an answer's sources hold, in a few words: the titles of the columns of their rows."""

from collections.abc import Mapping
from typing import Final

from hapju.flow.v1 import answer_pb2, evidence_pb2

TITLES_MAX: Final = 5
"""So many columns say what a source holds."""


def held_by(answer: answer_pb2.FinalAnswer) -> Mapping[str, str]:
    """Return what each piece of evidence of an answer holds, by its id; empty where its columns are not known."""
    pieces = (piece for agent in answer.selected_agents for piece in agent.output.evidence)
    return {piece.evidence_id: _titles(piece) for piece in pieces}


def _titles(piece: evidence_pb2.Evidence) -> str:
    titles = tuple(dict.fromkeys(column.title for column in piece.columns))
    more = " …" if len(titles) > TITLES_MAX else ""
    return ", ".join(titles[:TITLES_MAX]) + more
