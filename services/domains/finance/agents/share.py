"""One share: its bars as rows, what they say, and the words for it. Pure."""

from decimal import Decimal

from services.contract.flow import Evidence, Metric, Trend
from services.domains.finance.agents.price_trend import Bar, PriceTrend, price_trend
from services.domains.finance.tools.equity_prices import EquityPricesRow
from services.plugin.figures.declared import said_word
from services.plugin.findings import Asking, Reading, Subject, evidence, held_rows, instant
from services.plugin.wording import WORDS, rounded
from services.text.ko.written import josa
from services.text.saying import day, figure


class Share:
    """One security: its bars, what they say, and the words for it."""

    def __init__(self, reading: Reading, rows: list[EquityPricesRow], asking: Asking) -> None:
        self._asking = asking
        self._locale = asking.locale
        self._unit = rows[0].unit
        self.name = rows[0].subject(asking.locale)
        self.bars = tuple(Bar(row.day, row.high, row.low, row.close) for row in sorted(rows, key=lambda row: row.day))
        self.found: PriceTrend = price_trend(self.bars)
        self.evidence: Evidence = evidence(reading, rows, title=self._title(), excerpt=self._excerpt(rows[0]))
        self._cut = held_rows(self.evidence) < len(rows)

    @property
    def trend(self) -> Trend:
        """Up or down where the short trend says so and the long one does not say the opposite."""
        words = {self.found.short, self.found.long} - {""}
        if self.found.short == "up" and "down" not in words:
            return Trend.BULL
        return Trend.BEAR if self.found.short == "down" and "up" not in words else Trend.NEUTRAL

    def metrics(self) -> tuple[Metric, ...]:
        """Return the figures that the bars allow."""
        found, unit = self.found, self._unit
        as_of = instant(found.latest.day)
        subject = self._asking.subject(self.name, self.evidence.evidence_id)
        span = found.range
        reach = "52w" if span.whole_year else "period"
        averages = (
            subject.figure("ma_{days}", self._mean(days), as_of, unit=unit, days=days) for days in found.averages
        )
        returns = (subject.figure("return_{days}d", value, as_of, days=days) for days, value in found.returns.items())
        return (
            subject.figure("latest_close", found.latest.close, as_of, unit=unit),
            *averages,
            *self._words(subject),
            *returns,
            subject.figure(f"high_{reach}", span.high, instant(span.high_day), unit=unit),
            subject.figure(f"low_{reach}", span.low, instant(span.low_day), unit=unit),
            subject.figure("deepest_fall", found.fall, as_of),
            *self._volatility(subject),
        )

    def _volatility(self, subject: Subject) -> tuple[Metric, ...]:
        if self.found.volatility is None:
            return ()
        return (subject.figure("volatility_60d", self.found.volatility, instant(self.found.latest.day)),)

    def _words(self, subject: Subject) -> tuple[Metric, ...]:
        found = self.found
        as_of = instant(found.latest.day)
        trends = (("short_trend", found.short), ("long_trend", found.long))
        words = [subject.word(kind, word, as_of) for kind, word in trends if word]
        if found.cross is not None:
            words.append(subject.word("latest_cross", found.cross.word, instant(found.cross.day)))
        return tuple(words)

    def summary(self) -> str:
        """Return where the price stands, its trends and its newest cross."""
        return " ".join(part for part in (self._standing(), self._trends(), self._crossed()) if part)

    def drivers(self) -> tuple[str, ...]:
        """Return a line for the returns and one for the range."""
        found, say = self.found, self._asking.say
        returns = ", ".join(
            say(
                f"{days}거래일 {figure(value, 'percent', 'ko', signed=True)}",
                f"{days}-session {figure(value, 'percent', 'en', signed=True)}",
            )
            for days, value in found.returns.items()
        )
        span = found.range
        reach = (
            say("52주 범위", "52-week range")
            if span.whole_year
            else say(f"{day(span.since, 'ko')} 이후 범위", f"range since {day(span.since, 'en')}")
        )
        return (
            *((say(f"{self.name} 수익률: {returns}", f"{self.name} returns: {returns}"),) if returns else ()),
            f"{self.name} {reach}: {self._money(span.low)} ~ {self._money(span.high)}",
        )

    def risk(self) -> str:
        """Return the deepest fall and the volatility."""
        fall, say = figure(self.found.fall, "percent", self._locale), self._asking.say
        since, swing = day(self.found.since, self._locale), self.found.volatility
        if swing is None:
            return say(
                f"{self.name}의 가격 위험으로, {since} 이후 최대 낙폭은 {fall}입니다.",
                f"As for risk, the deepest fall of {self.name} since {since} was {fall}.",
            )
        size = figure(swing, "percent", self._locale)
        return say(
            f"{self.name}의 가격 위험으로, {since} 이후 최대 낙폭은 {fall}, 60거래일 연환산 변동성은 {size}입니다.",
            f"As for risk, the deepest fall of {self.name} since {since} was {fall}, and its volatility over 60 "
            f"sessions is {size} a year.",
        )

    def cautions(self) -> tuple[str, ...]:
        """Return what the evidence leaves out."""
        if not self._cut:
            return ()
        return (
            self._asking.say(
                f"{self.name} 지표는 조회한 일봉 전체로 계산했고, 근거에는 최근 일봉만 담았습니다.",
                f"The figures of {self.name} rest on all bars that were read; the evidence holds the newest only.",
            ),
        )

    def _standing(self) -> str:
        latest, say = self.found.latest, self._asking.say
        close = self._money(latest.close)
        if 1 not in self.found.returns:
            return say(
                f"{self.name}의 {day(latest.day, 'ko')} 종가는 {close}입니다.",
                f"{self.name} closed at {close} on {day(latest.day, 'en')}.",
            )
        change = _moved(self.found.returns[1], self._locale)
        return say(
            f"{self.name}의 {day(latest.day, 'ko')} 종가는 {josa(close, '으로/로')}, 직전 거래일보다 {change}.",
            f"{self.name} closed at {close} on {day(latest.day, 'en')}, {change} from the session before.",
        )

    def _trends(self) -> str:
        short, long, say = self.found.short, self.found.long, self._asking.say
        if not short:
            return ""
        means = {days: self._money(self._mean(days)) for days in self.found.averages}
        verdict = WORDS[short].said(self._locale)
        ko = f"20일 이동평균은 {means[20]}, 60일 이동평균은 {means[60]}이며, 단기 추세는 {verdict}입니다."
        en = f"Its 20-day average is {means[20]}, its 60-day average {means[60]}; the short-term trend is {verdict}."
        if not long:
            return say(ko, en)
        further = WORDS[long].said(self._locale)
        return say(
            f"{ko} 120일 이동평균 {means[120]}까지 보면 장기 추세는 {further}입니다.",
            f"{en} Against the 120-day average of {means[120]}, the long-term trend is {further}.",
        )

    def _crossed(self) -> str:
        cross = self.found.cross
        if cross is None:
            return ""
        word = said_word(cross.word, self._locale)
        return self._asking.say(
            f"20일선과 60일선의 가장 최근 교차는 {day(cross.day, 'ko')}의 {word}입니다.",
            f"The latest cross of the 20-day and the 60-day average was the {word} of {day(cross.day, 'en')}.",
        )

    def _title(self) -> str:
        return self._asking.say(f"{self.name} 일별 주가", f"{self.name} daily prices")

    def _excerpt(self, newest: EquityPricesRow) -> str:
        when, volume = day(newest.day, self._locale), f"{newest.volume:,}"
        low, high, close = self._money(newest.low), self._money(newest.high), self._money(newest.close)
        return self._asking.say(
            f"{when} 종가 {close}, 저가 {low}, 고가 {high}, 거래량 {volume}주",
            f"{when}: close {close}, low {low}, high {high}, volume {volume} shares",
        )

    def _mean(self, days: int) -> Decimal:
        return rounded(self.found.averages[days], 0 if self._unit == "krw" else 2)

    def _money(self, value: Decimal) -> str:
        return figure(value, self._unit, self._locale)


def _moved(change: Decimal, locale: str) -> str:
    if change == 0:
        return "변동이 없습니다" if locale == "ko" else "unchanged"
    size = figure(abs(change), "percent", locale)
    if locale == "ko":
        return f"{size} {'올랐습니다' if change > 0 else '내렸습니다'}"
    return f"{'up' if change > 0 else 'down'} {size}"
