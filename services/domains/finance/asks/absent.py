"""What no data holds, by the words that name it: indices, coins, raw materials, currencies, sectors, other classes of shares."""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, Said
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

_SAID: Final = "{said}"
"""Stands in a name for the words that a message says it by."""
NOT_HELD: Final = (
    ("코스피", Said("코스피 지수", "the KOSPI"), r"코스피|\bKOSPI\b"),
    ("코스닥", Said("코스닥 지수", "the KOSDAQ"), r"코스닥|\bKOSDAQ\b"),
    ("다우", Said("다우 지수", "the Dow Jones"), r"다우(?:존스|\s?지수|(?![가-힣]))|\bdow(?: jones)?\b"),
    ("니케이", Said("니케이 지수", "the Nikkei"), r"니케이|닛케이|\bnikkei\b"),
    ("항셍", Said("항셍 지수", "the Hang Seng"), r"항셍|hang seng"),
    ("러셀", Said("러셀 지수", "the Russell index"), r"러셀|\brussell\b"),
    (
        "코인",
        Said("가상자산({said})", "crypto assets ({said})"),
        r"비트코인|이더리움|이더(?=도|랑|는|\s)|솔라나|리플(?![가-힣])|도지(?:코인)?|에이다|테더|코인(?!베이스)|가상\s?자산|암호\s?화폐|\b(?:bitcoin|ethereum|solana|dogecoin|ripple|cardano|tether|crypto\w*|BTC|ETH|XRP|SOL|DOGE|USDT)\b",
    ),
    (
        "금",
        Said("금값", "the gold price"),
        r"(?<![가-힣])금(?:값|\s?시세|\s?가격)|국제\s?금|\bgold\b(?!en)",
    ),
    (
        "원자재",
        Said("{said}", "{said}"),
        r"(?<![가-힣])(?:은|구리|니켈|알루미늄|철광석|리튬|백금|팔라듐|천연\s?가스)\s?(?:값|선물|국제\s?(?:시세|가격))|천연\s?가스\s?(?:시세|가격)|\b(?:silver|copper|nickel|aluminium|aluminum|iron ore|lithium|platinum|palladium|natural gas) (?:prices?|futures)\b|\bprices? of (?:silver|copper|nickel|aluminium|aluminum|iron ore|lithium|platinum|palladium|natural gas)\b",
    ),
    (
        "유가",
        Said("국제 유가", "the oil price"),
        r"(?:국제|(?<![가-힣]))유가(?!증권)|원유|\bWTI\b|브렌트|\boil prices?\b|crude|brent",
    ),
    (
        "채권",
        Said("한국 국채와 그 밖의 만기의 금리", "Korean bond yields and those of other maturities"),
        (
            r"국채[^?.,\d]{0,8}?(?:1|3|5|7|20|30|50)\s?년(?!\s?(?:전|간|동안|만|추이|최고|최저|사이|새))|(?:한국|국내|우리나라)[^?.,]{0,8}?(?:국채|\d{1,2}년\s?물)|국고채|(?<!\d)(?:1|3|5|7|20|30|50)년\s?물|회사채|CD\s?금리"
            r"|\bkorean?\b[^?.,]{0,12}?(?:treasur|bond yield|government bond|\d{1,2}[- ]?y(?:ea)?r)|\b(?:3|5|7|20|30|three|five|seven|twenty|thirty)[- ]?y(?:ea)?r (?:treasur|yield|bond|note)|\btreasur\w+ (?:1|3|5|7|20|30)[- ]?y(?:ea)?rs?\b(?! ago)|corporate bonds?"
        ),
    ),
    (
        "예금 금리",
        Said("은행의 예금·적금 금리", "the deposit rates of banks"),
        r"(?:예금|적금|예적금|파킹\s?통장|(?<![A-Za-z])CMA)(?:의)?\s?(?:금리|이자율|이율)(?![^?.!]*\d\s?(?:%|퍼|프로))|\b(?:deposit|savings)(?: account)? (?:interest )?rates?\b(?![^?.!]*\d ?(?:%|percent))",
    ),
    (
        "근원",
        Said("근원 소비자물가", "core consumer prices"),
        r"근원\s?(?:소비자\s?)?(?:물가|인플레|CPI)|\bcore (?:CPI|consumer prices?|inflation|price index)",
    ),
    (
        "다른 중앙은행",
        Said("{said} 금리", "the rate of the {said}"),
        r"유럽\s?중앙은행|(?<![A-Za-z])(?:ECB|BOJ|BOE|PBOC)(?![A-Za-z])|일본은행|영란은행|인민은행|\bbank of (?:japan|england|canada)\b|\beuropean central bank\b",
    ),
    ("엔화", Said("엔화 환율", "the yen rate"), r"엔화|엔\s?환율|원\s?/?엔|달러\s?/?엔|\byen\b|\bJPY\b"),
    ("유로", Said("유로 환율", "the euro rate"), r"유로(?:화|\s?환율)?(?![가-힣])|\beuros?\b|\bEUR\b"),
    ("위안", Said("위안화 환율", "the yuan rate"), r"위안|\byuan\b|\bCNY\b"),
    (
        "다른 통화",
        Said("{said} 환율", "the rate of the {said}"),
        (
            r"(?:호주|캐나다|홍콩|싱가포르?|대만|뉴질랜드)\s?달러|(?:파운드|프랑|바트|루피|페소)화?(?=\s?(?:환율|얼마|시세))|베트남\s?동"
            r"|\b(?:australian|canadian|hong kong|singapore|taiwan|new zealand) dollars?|\bbritish pounds?|\bpound sterling|\bsterling\b|\bswiss francs?|\bbaht\b|\brupees?\b|\bpesos?\b|\b(?:AUD|CAD|HKD|SGD|TWD|NZD|GBP|CHF|THB|INR)\b"
        ),
    ),
    (
        "GDP",
        Said("최근 국내총생산", "recent GDP"),
        r"(?<![A-Za-z])GDP(?![A-Za-z])|국내총생산|경제\s?성장률|gross domestic",
    ),
    (
        "업종",
        Said("업종별 지수와 수익률", "indices and returns of whole sectors"),
        r"업종\s?지수|sector (?:index|indices)",
    ),
    (
        "다른 업종",
        Said("{said}", "{said}"),
        (
            r"(?:건설|조선|방산|항공|화학|정유|게임|엔터|유통|보험|증권|통신|전력|원전|해운|화장품|식품|여행|로봇|리츠|우주|태양광)\s?(?:주(?![가-힣]{2})|업종|섹터|관련주|종목)"
            r"|\b(?:construction|shipbuilding|defen[cs]e|airlines?|chemicals?|energy|oil|gaming|retail|insur\w+|utilit\w+|telecoms?|health ?care|real estate|builders?)(?: (?:stocks?|shares|sector|names|compan\w+))"
        ),
    ),
    (
        "세금",
        Said("주식에 붙는 세금", "taxes on shares"),
        (
            r"(?:주식|증권|배당|국장|미장|종목)[^.?!]{0,14}(?:세금|[가-힣]{1,3}세(?![가-힣]))|금투세"
            r"|\btax(?:es|ed)?\b[^.?!]{0,30}\b(?:shares?|stocks?|dividends?)\b|\b(?:shares?|stocks?|dividends?)\b[^.?!]{0,30}\btax"
        ),
    ),
    (
        "배당일",
        Said("배당을 주는 날과 배당락일", "the days on which dividends are paid"),
        (
            r"배당(?:금|락)?(?:은|을|이)?\s?(?:지급일|기준일|락일|언제|며칠|몇\s?월)|배당락"
            r"|\bwhen\b[^?.!]{0,30}\bdividends?\b|\bex[- ]dividend|\bdividend (?:dates?|days?)\b"
        ),
    ),
    (
        "ETF",
        Said("ETF 시세", "ETF prices"),
        r"(?<![A-Za-z])ETF(?![A-Za-z])|레버리지\s?상품|(?<![A-Za-z])(?:SPY|QQQ|KODEX|TIGER|SCHD)(?![A-Za-z])",
    ),
)
"""What no data holds, by the words that name it."""
ENDED: Final = (
    ("US:SPX", Said("S&P 500 지수", "the S&P 500 index"), r"S\s?&\s?P\s?500|S\s?앤\s?P|에스앤피|\bSPX\b|S&P"),
    ("US:IXIC", Said("나스닥 종합지수", "the NASDAQ Composite index"), r"나스닥|\bNASDAQ\b"),
)
"""Indices whose data end years ago."""
_WORDS: Final = {key: words for key, _, words in (*NOT_HELD, *ENDED)}
_OF_A_MARKET: Final = r"\s?(?:시장\s?)?(?:에\s?)?(?:상장(?:된|한)?\s?)?(?:종목|주식|기업|회사|상장사)"
LISTED: Final = {
    "KR": rf"(?:코스피|유가증권){_OF_A_MARKET}|\bKOSPI(?:-listed)?\s(?:stocks?|shares?|companies)",
    "US": rf"(?:나스닥|뉴욕\s?증시|NYSE|S&P\s?500){_OF_A_MARKET}|\b(?:NASDAQ|NYSE|S&P 500)(?:-listed)?\s(?:stocks?|shares?|companies)",
}
"""Shares of a market, by country: the market's index is no part of what is asked."""
PREFERRED: Final = r"우선주|\(\s?[0-9]?우(?:B|선주)?\s?\)|(?<![A-Za-z])[BC]\s?주(?![가-힣])|클래스\s?[BC](?![A-Za-z])|\bclass [bc]\b|(?<=[가-힣])\d?우(?:B|선)?(?=\s|$|[는은이가랑와의])|\bpreferred\b|\bpreference shares?\b|00593[1-9]|00538[1-9]"
"""Another class of a share, which no data holds."""


def not_held(sheet: Sheet) -> tuple[str, ...]:
    """Return the keys of what is named and held by no data: an index, crypto, gold, a share that is not covered."""
    if any(sheet.says(words) for words in LISTED.values()):
        return ()
    return tuple(key for key, _, words in (*NOT_HELD, *ENDED) if sheet.says(words))


def things_not_held(sheet: Sheet) -> tuple[Entity, ...]:
    """Return what is named and held by no data, with its place: a number in its name is none of the question's."""
    found = ((key, name, sheet.find(words)) for key, name, words in (*NOT_HELD, *ENDED))
    return tuple(
        Entity(
            "not_held",
            key,
            name.of(sheet.language).replace(_SAID, match.group()),
            match.group(),
            match.start(),
            match.end(),
        )
        for key, name, match in found
        if match is not None
    )


def words_of(sheet: Sheet, keys: Sequence[str]) -> str:
    """Return the words that a message says what is not held by, to be kept with the ask."""
    return "|".join(match.group() if (match := sheet.find(_WORDS[key])) is not None else "" for key in keys)


def absent_names(ask: Ask) -> list[Said]:
    """Return what an ask names and no data holds, as a reader is told of it."""
    keys = ask.notes.get("missing", "").split("|")
    said = dict(zip(keys, ask.notes.get("absent", "").split("|"), strict=False))
    return [
        Said(name.ko.replace(_SAID, said.get(key, "")), name.en.replace(_SAID, said.get(key, "")))
        for key, name, _ in (*NOT_HELD, *ENDED)
        if key in keys
    ]


def is_of_other_class(sheet: Sheet) -> bool:
    """Tell whether another class of a share is named than the one that the data holds."""
    return sheet.says(PREFERRED)
