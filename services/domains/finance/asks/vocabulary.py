"""The words of markets: measures of shares, series beyond their own names, classes of shares, things that no data holds."""

from dataclasses import dataclass
from typing import Final

from services.contract.asks import Said


@dataclass(frozen=True, slots=True)
class ShareMeasure:
    """A figure of a share that may be asked for."""

    id: str
    """Its id: "per"."""
    words: str
    """What counts as saying it, as a regular expression."""
    label: Said
    """What it is called."""
    unit: str = ""
    """money, percent, times, count; how a value is said."""
    items: tuple[str, ...] = ()
    """The items of accounts that it is computed from."""
    priced: bool = False
    """Whether the share's price is a part of it."""
    low_is_cheap: bool = False
    """Whether a lower value is the cheaper one."""


MEASURES: Final = (
    ShareMeasure(
        "dividend_yield",
        r"배당\s?(?:수익)?률|시가\s?배당|dividend yields?|yields? (?:on|from) dividends",
        Said("배당수익률", "dividend yield"),
        "percent",
        ("dividend_per_share",),
        priced=True,
    ),
    ShareMeasure(
        "dividend",
        r"배당(?!\s?(?:수익)?률)|dividends?(?! yield)",
        Said("주당 배당금(최근 4분기 합)", "dividend a share over the last four quarters"),
        "money",
        ("dividend_per_share",),
    ),
    ShareMeasure(
        "operating_margin",
        r"영업\s?이익률|operating margins?|(?<!순)(?<!순 )마진(?!콜|율)|(?<!net )(?<!profit )(?<!gross )(?<!operating )\bmargins?\b(?! call)",
        Said("영업이익률", "operating margin"),
        "percent",
        ("operating_income", "revenue"),
    ),
    ShareMeasure(
        "net_margin",
        r"순이익률|net (?:profit )?margins?",
        Said("순이익률", "net margin"),
        "percent",
        ("net_income", "revenue"),
    ),
    ShareMeasure(
        "operating_income",
        r"영업\s?(?:이익(?!률)|익(?!률))|영업\s?손실|(?:profits?|earn\w*|made|income)\b.{0,24}\bfrom operations|operating (?:income|profits?|loss)",
        Said("영업이익", "operating income"),
        "money",
        ("operating_income",),
    ),
    ShareMeasure(
        "net_income",
        (
            r"(?<!당)(?<!당 )순\s?이익(?!률)|당기순이익|net (?:income|profits?|earnings|loss)|(?<![가-힣])이익(?:을|이)?\s?(?:더|제일|가장|많이)"
            r"|\b(?:more|most|bigger|biggest|larger|largest|higher|highest|quarterly) profits?\b(?! margin| from)"
            r"|\bprofits?\b (?:for |in )?(?:the |its )?(?:last|latest|most recent|previous) quarter"
        ),
        Said("순이익", "net income"),
        "money",
        ("net_income",),
    ),
    ShareMeasure("revenue", r"매출(?!\s?원가)|\brevenues?\b|\bsales\b", Said("매출", "revenue"), "money", ("revenue",)),
    ShareMeasure(
        "per",
        r"(?<![A-Za-z])PER(?![A-Za-z])(?! (?:share|cent|year|month|week|day|quarter|unit|head)\b)|\bP\s?/\s?Es?\b|\bPE\b|피이알|주가\s?수익\s?비율|이익\s?(?:대비|의)\s?몇\s?배|price[- ](?:to[- ])?earnings|earnings multiple|(?:cheap|expensive|dear)\w* .{0,40}\bon earnings|(?:multiple of|times) (?:its |their )?(?:trailing )?earnings",
        Said("PER", "P/E"),
        "times",
        ("eps",),
        priced=True,
        low_is_cheap=True,
    ),
    ShareMeasure(
        "pbr",
        r"(?<![A-Za-z])PBR(?![A-Za-z])|\bP\s?/\s?B\b|피비알|장부\s?가|주가\s?순자산\s?비율|price[- ](?:to[- ])?book|(?:times|x|below|under|above|over) (?:its |their )?book(?: value)?\b",
        Said("PBR", "P/B"),
        "times",
        ("bps",),
        priced=True,
        low_is_cheap=True,
    ),
    ShareMeasure(
        "roe",
        r"(?<![A-Za-z])ROE(?![A-Za-z])|자기자본이익률|return on equity",
        Said("ROE", "ROE"),
        "percent",
        ("eps", "bps"),
    ),
    ShareMeasure(
        "eps",
        r"(?<![A-Za-z])EPS(?![A-Za-z])|주당\s?순이익|주당\s?얼마(?:나|를)?\s?벌|\bearn\w*(?: \w+){0,2} (?:per|a) share",
        Said("주당순이익", "earnings a share"),
        "money",
        ("eps",),
    ),
    ShareMeasure(
        "bps",
        r"(?<![A-Za-z])BPS(?![A-Za-z])|주당\s?순자산|book value",
        Said("주당순자산", "book value a share"),
        "money",
        ("bps",),
    ),
    ShareMeasure(
        "market_cap",
        r"시총|시가\s?총액|\bworth (?:more|less|the (?:most|least)) on the market|bigger compan|market cap|market (?:value|worth)\b|몸값",
        Said("시가총액", "market capitalisation"),
        "money",
        ("shares_outstanding",),
        priced=True,
    ),
    ShareMeasure(
        "surprise",
        r"예상치|예상보다|추정치|컨센서스|서프라이즈|쇼크|기대치|전망치|(?:실적|이익)\s?(?:이|은)?\s?예상|estimates?|consensus|expected|expectations?|surprise|\bbeat|\bmiss(?:ed)?\b|short of",
        Said("실적의 예상 대비 차이", "earnings surprise"),
        "percent",
    ),
    ShareMeasure("volume", r"거래량|trading volume|shares traded", Said("거래량", "volume"), "count"),
    ShareMeasure(
        "return",
        r"(?<!배당)(?<!배당 )수익률|등락률?|상승률|하락률|상승폭|하락폭|올랐|올라|오른|오르|내렸|내린|빠졌|빠진|빠지|떨어|하락|상승|급락|급등|폭락|폭등|뛰었|뛴|선방|변동|변했|움직|성과|성적|까먹|손실|잃|벌었|남았|냈"
        r"|\breturns?\b|\bgain(?:s|ed|ers?)?\b|\blos(?:e|t|ers?)\b|up or down|perform|\bdone\b|\brose\b|risen|\brise\b|\bfell\b|\bfall(?:en)?\b|dropp?(?:ed)?\b|declin|moved?\b|jump|climb|slid|slump|\bchanged?\b|year[- ]to[- ]date|\bYTD\b|\bhigher or lower\b|took a hit|up (?:this|over|since)|down (?:this|over|since)",
        Said("수익률", "return"),
        "percent",
    ),
    ShareMeasure(
        "price",
        r"주가|종가|시세|마감(?!일)|\bfinish(?:ed)?\b|\bended\b|\bprices?\b|\bclos(?:e|ed|ing)\b|trading at|\bwhat(?:'s| is| was)? .{1,30} (?:at|trading|going for)\W*(?:right now|now|today)?\W*$|\bquote|한\s?주에?\s?얼마|얼마(?!나)|\b(?:one|a|each|single|per) (?:\w+ ){0,3}shares?\b[^.?!]{0,8}\bcosts?\b|\bcosts? of (?:one|a|each) (?:\w+ ){0,3}share\b",
        Said("주가", "share price"),
        "money",
        priced=True,
    ),
)
BY_ID: Final = {one.id: one for one in MEASURES}

SHARE_WORDS: Final = r"주식|(?:미국|국내|한국)\s?주(?=들?(?:\s|$|[는은이가도중]))|종목|주가|증시|상장|기업|회사|\bstocks?\b|\bshares?\b|\bcompan(?:y|ies)\b|\bnames\b|\b(?:US|American|Korean) name\b|\bequit"
"""What a class of shares is called."""
HELD_AGAINST: Final = r"보다|대비|비해|비교|이[겼긴기]|앞[서섰]|제[쳤치]|웃돌|밑돌|(?:이|하)?랑\s|\bthan\b|\bversus\b|\bvs\b|\bbeat|outperform|underperform|compar|against|relative to|ahead of|behind|outpac|better|worse"
"""Words that hold one thing against another."""
TOLD: Final = r"뉴스|기사|소식|보도|\bnews\b|headlines?|articles?|stories"
"""What is told of the markets day by day."""
NEWS: Final = r"뉴스|기사|소식|보도|이슈|공시|근황|새로\s?나온|\bnews\b|\b(?:came|come|coming) out (?:about|on|with)\b|\bwhat's new (?:with|at|on)\b|anything new (?:with|at|on)\b|\bupdates? on\b|headlines?|articles?|stories about|corporate events?|company events?|announcements?"
EVENTS_ONLY: Final = r"공시|corporate events?|company events?"
REPORT_DAY: Final = r"실적(?:은|이)?\s?언제|\bwhen\b.{0,40}\breports?\b|\breports? next\b|\bearnings?\b.{0,12}\b(?:come|out|due|announced|released|published)\b|실적\s?발표|어닝|발표일|earnings (?:date|day|release|report|announcement)|report(?:ed)? (?:its )?earnings"

REAL_RATE: Final = r"실질\s?금리|real (?:interest |policy )?rate"
"""Words for a policy rate less inflation."""
GROWS: Final = r"성장|늘[었어어난]|빨리|빠르게|증가|\bgr[eo]w\w*|\bincreas|faster|\bshr[aiu]nk|\bexpand"
"""Words that ask how accounts grew, rather than how large they are."""
RISE: Final = r"강해|오르|올라|올랐|오른|올리|인상|상승|급등|폭등|뛰|뛴|높아|비싸지|강세|(?<![오하])늘|확대|벌어|\brise|\brising|\brose|\bhike|\bclimb|\bhigher|\bincreas|\bjump|\bsurge|\bup\b|\bsteepen|\bwiden|\bstrong|\bgain|\bsoar|\brall"
FALL: Final = r"약해|내리|내려|내렸|내린|인하|하락|급락|폭락|떨어|빠지|빠졌|빠진|낮아|싸지|약세|(?<![려여해])줄|축소|좁|\bfall|\bfell|\bcut|\bdrop|\bdeclin|\blower|\bdown\b|\bdecreas|\bplunge|\bflatten|\bnarrow|\bweak|\bslump|\bslid|\btook a hit|\btumbl|\bsank|\bdip"


@dataclass(frozen=True, slots=True)
class Series:
    """A macro series: what it is called, how it is counted, and how its changes are told."""

    id: str
    """Its id."""
    name: Said
    """What a reader calls it."""
    country: str
    """KR or US."""
    unit: str
    """percent, points (a difference of rates), won, index, count, thousands, musd."""
    daily: bool = False
    """Whether it has a value for each trading day; else for each month."""
    words: str = ""
    """Words that mean it beside its own names, where the question is on markets."""
    twin: str = ""
    """The same of the other country."""
    yearly: bool = False
    """Whether people mean its change over a year by it, as of prices."""
    target: str = ""
    """What the central bank of its country aims at, in percent a year."""


SERIES: Final = {
    one.id: one
    for one in (
        Series(
            "FEDFUNDS",
            Said("미국 기준금리(연방기금금리)", "US federal funds rate"),
            "US",
            "percent",
            words=r"연준|\bfed\b|federal reserve|fomc",
            twin="KR_BASE_RATE",
        ),
        Series(
            "KR_BASE_RATE",
            Said("한국은행 기준금리", "Bank of Korea base rate"),
            "KR",
            "percent",
            words=r"한은|한국은행|금통위|기준금리|정책금리|금리|bank of korea|\bBOK\b|\b(?:interest |base |policy )?rates?\b",
            twin="FEDFUNDS",
        ),
        Series(
            "CPIAUCSL",
            Said("미국 소비자물가", "US consumer prices"),
            "US",
            "index",
            words=r"물가|인플레|inflation|consumer prices?",
            twin="KR_CPI",
            yearly=True,
            target="2",
        ),
        Series(
            "KR_CPI",
            Said("한국 소비자물가", "Korean consumer prices"),
            "KR",
            "index",
            words=r"물가|인플레|inflation|consumer prices?",
            twin="CPIAUCSL",
            yearly=True,
            target="2",
        ),
        Series("PCEPI", Said("미국 PCE 물가", "US PCE prices"), "US", "index", yearly=True, target="2"),
        Series("PCEPILFE", Said("미국 근원 PCE 물가", "US core PCE prices"), "US", "index", yearly=True, target="2"),
        Series("UNRATE", Said("미국 실업률", "US unemployment rate"), "US", "percent", twin="KR_UNEMPLOYMENT"),
        Series("KR_UNEMPLOYMENT", Said("한국 실업률", "Korean unemployment rate"), "KR", "percent", twin="UNRATE"),
        Series(
            "PAYEMS",
            Said("미국 비농업 취업자 수", "US nonfarm payrolls"),
            "US",
            "thousands",
            words=r"고용|일자리|\bjobs\b|employment(?! rate)",
        ),
        Series(
            "DGS2",
            Said("미국 국채 2년물 금리", "US 2-year Treasury yield"),
            "US",
            "percent",
            daily=True,
            words=r"(?<!\d)2년물|(?<!\d)2년\s?(?:짜리\s?)?(?:만기|국채|금리)|(?<!\d)(?:2|two)[- ]?(?:years?|yrs?|y)\b|short[- ]term yields?|단기 금리|단기 국채",
        ),
        Series(
            "DGS10",
            Said("미국 국채 10년물 금리", "US 10-year Treasury yield"),
            "US",
            "percent",
            daily=True,
            words=r"10년물|10년\s?(?:짜리\s?)?(?:만기|국채|금리)|(?:10|ten)[- ]?(?:years?|yrs?|y)\b|long[- ](?:term )?yields?|long[- ]term (?:treasury )?yields?|장기\s?금리|장기\s?국채|국채\s?금리|treasury yields?|bond yields?",
        ),
        Series(
            "T10Y2Y",
            Said("미국 장단기 금리차(10년-2년)", "US 10-year minus 2-year spread"),
            "US",
            "points",
            daily=True,
            words=r"장단기|수익률\s?곡선|\bcurve\b|term spread",
        ),
        Series(
            "T10YIE", Said("미국 10년 기대인플레이션", "US 10-year breakeven inflation"), "US", "percent", daily=True
        ),
        Series("VIXCLS", Said("VIX 변동성지수", "VIX"), "US", "index", daily=True, words=r"변동성|공포지수|volatility"),
        Series(
            "WALCL",
            Said("연준 총자산", "Fed total assets"),
            "US",
            "musd",
            words=r"양적\s?긴축|양적\s?완화|quantitative (?:tightening|easing)",
        ),
        Series(
            "KR_USDKRW",
            Said("원/달러 환율", "won-dollar rate"),
            "KR",
            "won",
            daily=True,
            words=r"(?<![0-9만천백])달러(?!당)|(?<![0-9.,])1\s?달러|(?<!전)환율|원화|\bdollars?\b|(?<!\d )(?<!million )(?<!billion )(?<!thousand )\bwon\b(?!['’]t)|\bUSD\b|greenback",
        ),
        Series(
            "KR_HOUSE_PRICE_INDEX",
            Said("한국 주택매매가격지수", "Korean house price index"),
            "KR",
            "index",
            words=r"집값|주택\s?가격|아파트\s?값|아파트\s?가격|house prices?|home prices?|housing prices?|부동산",
        ),
        Series("KR_JEONSE_RATIO", Said("한국 전세가율", "Korean jeonse ratio"), "KR", "percent"),
        Series("KR_UNSOLD_HOUSING", Said("한국 미분양 주택", "unsold homes in Korea"), "KR", "count"),
    )
}
