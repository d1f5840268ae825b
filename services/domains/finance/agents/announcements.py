"""One company's earnings announcements, how its price moved around them, and the words for it. Pure."""

from collections.abc import Sequence
from decimal import Decimal

from services.contract.flow import Evidence, Metric
from services.domains.finance.agents.company_rows import quarter_name
from services.domains.finance.agents.earnings import REACTION_SESSIONS, REACTIONS_MAX, Reaction, reaction
from services.domains.finance.agents.price_trend import Bar
from services.domains.finance.tools.earnings_events import EarningsEventsRow
from services.plugin.findings import Asking, Reading, evidence, instant
from services.text.ko.written import josa
from services.text.saying import day, figure


class Announcements:
    """The newest announcements of one company and how its price moved around them.

    Args:
        reading: Where the rows were read.
        rows: Rows of one company.
        bars: Its bars, oldest first.
        asking: What is asked.
    """

    def __init__(
        self, reading: Reading, rows: Sequence[EarningsEventsRow], bars: Sequence[Bar], asking: Asking
    ) -> None:
        self._asking = asking
        self._locale = asking.locale
        self.rows = sorted(rows, key=lambda row: row.day, reverse=True)[:REACTIONS_MAX]
        self.name = rows[0].subject(asking.locale)
        self.reactions: tuple[Reaction, ...] = tuple(reaction(row.day, bars) for row in self.rows)
        title = asking.say(f"{self.name} 실적 발표", f"{self.name} earnings announcements")
        self.evidence: Evidence = evidence(reading, self.rows, title=title, excerpt=self._announced(self.rows[0]))

    def metrics(self, price_evidence: tuple[str, ...]) -> tuple[Metric, ...]:
        """Return the surprise of each announcement and the moves around it."""
        found: list[Metric] = []
        own = self._asking.subject(self.name, self.evidence.evidence_id)
        both = self._asking.subject(self.name, self.evidence.evidence_id, *price_evidence)
        for number, (row, moved) in enumerate(zip(self.rows, self.reactions, strict=True), start=1):
            quarter, as_of = quarter_name(row.fiscal_period, self._locale), instant(row.day)
            surprise = row.surprise_percent
            found.append(own.figure("surprise_{number}", surprise, as_of, number=number, quarter=quarter))
            found += [
                both.figure(_reaction_kind(session), move, as_of, number=number, days=session, quarter=quarter)
                for session, move in moved.moves.items()
            ]
        return tuple(found)

    def summary(self) -> str:
        """Return the newest announcement and the moves after it."""
        moves = self.reactions[0].moves
        told = self._announced(self.rows[0])
        if not moves:
            return told
        parts = [self._moved(session, move) for session, move in moves.items()]
        return self._asking.say(
            f"{told} 발표 직전 종가 대비 {', '.join(parts)}의 움직임이 있었습니다.",
            f"{told} Against the close before it, the price stood {', '.join(parts)}.",
        )

    def drivers(self) -> tuple[str, ...]:
        """Return a line for each earlier announcement."""
        lines = []
        for row, moved in zip(self.rows[1:], self.reactions[1:], strict=True):
            parts = [self._moved(session, move) for session, move in moved.moves.items()]
            tail = f" ({', '.join(parts)})" if parts else ""
            lines.append(f"{self._announced(row).removesuffix('.')}{tail}")
        return tuple(lines)

    def cautions(self) -> tuple[str, ...]:
        """Return that sessions after an announcement are still to come, or lie before the bars."""
        if all(len(moved.moves) == len(REACTION_SESSIONS) for moved in self.reactions):
            return ()
        return (
            self._asking.say(
                f"{self.name}: 일봉 범위 밖이거나 아직 지나지 않은 거래일의 발표 반응은 비워 두었습니다.",
                f"{self.name}: moves on sessions outside the bars, or still to come, are left out.",
            ),
        )

    def _moved(self, session: int, move: Decimal) -> str:
        size = figure(move, "percent", self._locale, signed=True)
        if session == 0:
            return self._asking.say(f"당일 {size}", f"at {size} that day")
        later = "a session" if session == 1 else f"{session} sessions"
        return self._asking.say(f"{session}거래일 뒤 {size}", f"at {size} {later} later")

    def _announced(self, row: EarningsEventsRow) -> str:
        quarter, when = quarter_name(row.fiscal_period, self._locale), day(row.day, self._locale)
        unit = row.currency.lower()
        actual, estimate = (figure(value, unit, self._locale) for value in (row.eps_actual, row.eps_estimate))
        surprise = figure(row.surprise_percent, "percent", self._locale, signed=True)
        return self._asking.say(
            f"{self.name}의 {quarter} 실적은 {when}에 발표되었고, EPS {josa(actual, '은/는')} "
            f"예상치 {estimate} 대비 {surprise}입니다.",
            f"{self.name} announced {quarter} on {when}: EPS of {actual} against an estimate of {estimate} "
            f"({surprise}).",
        )


def _reaction_kind(session: int) -> str:
    """Return the kind of the move by the end of a session; those of the first two have words of their own."""
    days = session if session <= 1 else "{days}"
    return f"earnings_reaction_{{number}}_{days}d"
