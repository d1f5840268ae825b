"""The file that an answer points into: its name, its pages, and the passages of it that a citation holds."""

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from services.contract.asks import Ask, Said
from services.contract.flow import Attachment, Evidence, Provenance
from services.plugin.findings import Asking
from services.plugin.wording import Text

FILE_SCHEMA: Final = "hapju.agent.realty_search.contract_file.v1"
"""The schema of the passages of a file: its name, the page, the clause and the words."""
_SOURCE: Final = Text("이용자가 보낸 파일", "the file that you sent")
_NO_PASSAGE: Final = Text("위험한 조항을 찾지 못함", "no risky passage found")
_EXCERPT_CHARS: Final = 200
_FOUND_BY_WORDS: Final = 8


def file_of(ask: Ask, asking: Asking) -> Attachment | None:
    """Return the file that an ask rests on; None where it rests on none."""
    return next((file for file in asking.attachments if file.digest in ask.attachments), None)


def spot(file: Attachment | None, place: int, label: str) -> Said:
    """Return where in a file a passage stands, with a space behind it: its page where the file has any, its clause."""
    page = _page_of(file, place) if file is not None and place >= 0 else 0
    ko, en = (f"{page}쪽 ", f"page {page}, ") if page else ("", "")
    named = f"{label} " if label else ""
    return Said(f"{ko}{named}", f"{en}{named}")


def _page_of(file: Attachment, place: int) -> int:
    """Return the page, from 1, that a place of the text lies on; 0 where the file has no pages."""
    return bisect_right(file.page_starts, place)


def place_in(text: str, words: str) -> int:
    """Return where the words of a passage stand in a text, however its lines are broken; -1 where they do not."""
    begins = r"\s+".join(re.escape(word) for word in words.split()[:_FOUND_BY_WORDS])
    found = re.search(begins, text) if begins else None
    return found.start() if found else -1


def proof_of(file: Attachment | None, passages: Iterable[tuple[str, str, int]], asking: Asking) -> Evidence | None:
    """Return the passages of a file as evidence; None where there is no file.

    Args:
        file: The file.
        passages: The clause, the words and the place of each.
        asking: The question.
    """
    if file is None:
        return None
    rows = [
        {"file": file.name, "page": _page_of(file, place) if place >= 0 else 0, "clause": label, "text": words}
        for label, words, place in passages
    ]
    written = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()
    digest = hashlib.sha256(file.digest.encode() + written).hexdigest()
    said = str(rows[0]["text"])[:_EXCERPT_CHARS] if rows else _NO_PASSAGE.said(asking.locale)
    source = _SOURCE.said(asking.locale)
    provenance = Provenance(source, "attachment", "", b"{}", asking.now, len(rows), "", digest, sample=False)
    return Evidence(f"ev-{digest[:16]}", "contract", file.name, said, written, FILE_SCHEMA, provenance)


def no_contract(files: Sequence[Attachment]) -> Said:
    """Return that files are no contract of a home."""
    names = ", ".join(file.name for file in files)
    return Said(
        f"보내 주신 {names or '파일'}에서 임대차나 매매 계약의 조항을 찾지 못해 검토하지 못합니다. "
        "주택 임대차·매매 계약서의 텍스트, DOCX, PDF 파일을 보내 주시면 위험한 조항을 찾아 드립니다.",
        f"I found no clauses of a lease or a sale of a home in {names or 'the file'}, so there is nothing that I can review. "
        "Send a lease or a sale contract of a home as text, DOCX or PDF, and I look for what is risky in it.",
    )
