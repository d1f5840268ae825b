"""Articles of law that a search found, and what is told of them. Pure.

An article is cited only where a row holds it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from services.contract.flow import Evidence
from services.domains.realty.tools.legal_search import LegalSearchRow
from services.plugin.findings import Asking, Findings, Reading, evidence
from services.text.ko.written import josa
from services.text.patterns import Pattern

SCHEMA: Final = "hapju.tool.legal_search.rows.v1"
"""The schema of the rows."""
_SHOP_WORDS: Final = Pattern(
    r"상가|점포|가게|사무실|매장|권리금|\bshops?\b|\bstore\b|\boffice\b|commercial", re.IGNORECASE
)


class FoundLaws:
    """The articles that were found, each once, with the evidence that holds it.

    Args:
        found: Pieces of evidence with their rows, in the order of the search.
        locale: The reader's language.
    """

    def __init__(self, found: Iterable[tuple[Evidence, Sequence[LegalSearchRow]]], locale: str) -> None:
        self._locale = locale
        self._held: dict[tuple[str, str], tuple[LegalSearchRow, Evidence]] = {}
        for piece, rows in found:
            for row in rows:
                self._held.setdefault((row.statute_ko, row.article), (row, piece))

    def __bool__(self) -> bool:
        """Tell whether there is any."""
        return bool(self._held)

    @property
    def rows(self) -> tuple[LegalSearchRow, ...]:
        """The articles in the order of the search."""
        return tuple(row for row, _ in self._held.values())

    def get(self, statute_ko: str, article: str) -> LegalSearchRow | None:
        """Return an article, None where it was not found."""
        return self._held.get((statute_ko, article), (None, None))[0]

    def evidence_of(self, rows: Iterable[LegalSearchRow]) -> tuple[Evidence, ...]:
        """Return the evidence that holds articles, each once."""
        pieces = [self._held[row.statute_ko, row.article][1] for row in rows]
        return tuple({piece.evidence_id: piece for piece in pieces}.values())

    def cited(self, *articles: tuple[str, str]) -> str:
        """Return the citations of those articles that were found, joined: "제7조, 시행령 제8조"; "" for none."""
        found = [row for article in articles if (row := self.get(*article)) is not None]
        return ", ".join(row.cited(self._locale) for row in found)

    def behind(self, *articles: tuple[str, str]) -> str:
        """Return the same in brackets, to stand behind a statement; "" for none."""
        cited = self.cited(*articles)
        if not cited:
            return ""
        return f"({cited})" if self._locale == "ko" else f" ({cited})"


def findings_of(readings: Sequence[Reading], asking: Asking) -> Findings | None:
    """Return what the articles of some readings say; None where there is none."""
    of_shops = _SHOP_WORDS.search(asking.question) is not None
    found = [piece for reading in readings for piece in _pieces(reading, asking)]
    # A question about a home is not answered with the law of shops, unless nothing else was found.
    pieces = [piece for piece in found if of_shops or not piece[0].is_of_shops] or found
    if not pieces:
        return None
    rows = [row for row, _ in pieces]
    names = ", ".join(row.cited(asking.locale) for row in rows[:_TOLD_MAX])
    told = " ".join(_sentence(row, asking.locale) for row in rows[:_TOLD_MAX])
    opening = asking.say(f"관련 조문으로 {josa(names, '을/를')} 찾았습니다.", f"The articles that fit are {names}.")
    return Findings(
        summary=f"{opening} {told}",
        evidence=tuple(piece for _, piece in pieces),
        key_drivers=tuple(f"{row.cited(asking.locale)}: {row.said(asking.locale)}" for row in rows),
        cautions=(
            asking.say(
                "조문은 우리가 요약한 것이니 결정하기 전에 법령 원문과 전문가의 의견을 확인해 주세요.",
                "Articles are summarised in our words; check the text of the law and an expert before you decide.",
            ),
        ),
        rows_used=len(rows),
        rows_min=1,
    )


_TOLD_MAX: Final = 3


def _sentence(row: LegalSearchRow, locale: str) -> str:
    if locale == "ko":
        return f"{josa(row.cited(locale), '은/는')} ‘{row.title_ko}’ 조문으로, {row.said(locale)}."
    return f"{row.cited(locale)} ({row.title_en}): {row.said(locale)}."


def _pieces(reading: Reading, asking: Asking) -> Iterable[tuple[LegalSearchRow, Evidence]]:
    for row in reading.rows:
        if isinstance(row, LegalSearchRow):
            title = asking.say(f"{row.cited('ko')} ({row.title_ko})", f"{row.cited('en')} ({row.title_en})")
            yield row, evidence(reading, [row], title=title, excerpt=f"{row.said(asking.locale)}.")
