"""What an answer says of the day and the kind of its data."""

import re
from datetime import UTC, date
from typing import Final
from zoneinfo import ZoneInfo

from services.contract.flow import DataFreshness, Evidence, Freshness
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Line
from services.plugin.data.rows import rows_of
from services.plugin.figures.declared import data_type
from services.plugin.wording import Text
from services.synthesizer.freshness import data_freshness
from services.synthesizer.wording import data_title
from services.text.ko.written import josa
from services.text.language import Language
from services.text.patterns import Pattern
from services.text.saying import day

_AS_OF: Final = Text("자료 기준일: {days}.", "Data as of: {days}.")
_NO_DAY: Final = Text("{what}의 기준일은 자료에 적혀 있지 않습니다.", "No date is given for the {what}.")
_AGEING: Final = Text("{what} 나온 지 사흘이 넘었습니다.", "The {what} is more than three days old.")
_STALE: Final = Text("{what} 오래되어 지금과 다를 수 있습니다.", "The {what} is old and may differ from the present.")
_AHEAD: Final = Text(
    "{what}의 시각이 지금보다 앞서 있어 그대로 믿기 어렵습니다.",
    "The {what} bears a time in the future and is not reliable.",
)
_SAMPLE: Final = Pattern(r"예시\s?(?:데이터|자료)|샘플|\bsample\b", re.IGNORECASE)


def says_sample(text: str) -> bool:
    """Tell whether a text says that something is sample data."""
    return _SAMPLE.search(text) is not None


def as_of_line(request: SynthesizeRequest, language: Language) -> Line | None:
    """Return the line that tells the day of each kind of data and how old it is; None where there is no evidence."""
    evidence = [piece for result in request.results for piece in result.evidence]
    if not evidence:
        return None
    zone = ZoneInfo(request.run.time_zone or "UTC")
    days = {kind: _newest_day(kind, evidence, zone) for kind in {p.data_type: None for p in evidence}}
    dated = [f"{data_title(kind, language)} {day(value, language)}" for kind, value in days.items() if value]
    parts = [_AS_OF.said(language, days=", ".join(dated))] if dated else []
    parts += [_NO_DAY.said(language, what=data_title(kind, language)) for kind, value in days.items() if not value]
    parts += [text for one in data_freshness(evidence, request.run.now) if (text := _aged(one, request, language))]
    return Line(" ".join(parts))


def _newest_day(kind: str, evidence: list[Evidence], zone: ZoneInfo) -> date | None:
    """Return the newest day of a kind of data: a trading day as its exchange counts it, else the day for the user."""
    days = [found for piece in evidence if piece.data_type == kind if (found := _day_of(piece, zone))]
    return max(days, default=None)


def _day_of(piece: Evidence, zone: ZoneInfo) -> date | None:
    by_session = data_type(piece.data_type).by_session
    if by_session:
        sessions = [str(row["date"]) for row in rows_of(piece) if row.get("date")]
        if sessions:
            return date.fromisoformat(max(sessions)[:10])
    as_of = piece.provenance.as_of_time
    if as_of is None:
        return None
    return as_of.astimezone(UTC if by_session else zone).date()


def _aged(one: DataFreshness, request: SynthesizeRequest, language: Language) -> str:
    if one.freshness is Freshness.FRESH or one.as_of_time is None:
        return ""
    what = data_title(one.data_type, language)
    if one.as_of_time > request.run.now:
        return _AHEAD.said(language, what=what)
    text = _STALE if one.freshness is Freshness.STALE else _AGEING
    return text.said(language, what=josa(what, "은/는") if language == "ko" else what)
