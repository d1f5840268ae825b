"""What figures are called in a sentence, and which metrics bear that name; data for the claims check.

A term stands for every metric or row field whose name it matches: "종가" for `latest_close` and a bar's `close`. Where
terms overlap the longer one counts, so that "20일 이동평균" is no bare "평균".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Called:
    """A place in a sentence that calls figures by a name."""

    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""
    names: re.Pattern[str]
    """The names of the metrics and row fields that it may mean."""
    trails: bool
    """Whether it may stand behind its figure: "330달러로 마감"."""


_TERMS: Final = tuple(
    (re.compile(words, re.IGNORECASE), names, trails)
    for words, names, trails in (
        (r"종가|마감(?:가)?|\bclos(?:ed|e|ing)(?:\sprice)?\b", r"latest_close|close", True),
        (r"시가(?!총액)|\bopening\sprice|\bopened\b", r"open", True),
        (r"최고가|고점|고가|\bhighest(?:\sprice)?\b|\bhigh\b", r"high.*|.*_high", True),
        (r"최저가|저점|저가|\blowest(?:\sprice)?\b|\blow\b", r"low.*|.*_low", True),
        (
            (
                r"(?P<span>[0-9]+)\s?(?:거래)?일\s?(?:이동\s?평균|이평|선)"
                r"|(?P<span_en>[0-9]+)[-\s]day\s(?:moving\s)?(?:average|mean)|\bMA\s?(?P<span_ma>[0-9]+)"
            ),
            r"ma_{span}",
            False,
        ),
        (r"이동\s?평균|moving\saverage", r"ma_.*", False),
        (
            r"(?P<span>[0-9]+)\s?거래일|(?P<span_en>[0-9]+)[-\s](?:trading[-\s])?(?:sessions?|trading\sdays)\b",
            r"return_{span}d|reaction_.*_{span}d",
            False,
        ),
        (r"거래량|거래\s?건수|\bvolumes?\b", r"volume.*|.*deal_count|.*_deals", False),
        (r"(?<![A-Z])PER(?![A-Z])|주가수익비율|\bP/E\b|price[-\s](?:to[-\s])?earnings", r"per(?:_.*)?", False),
        (r"(?<![A-Z])PBR(?![A-Z])|주가순자산비율|\bP/B\b|price[-\s](?:to[-\s])?book", r"pbr(?:_.*)?", False),
        (r"(?<![A-Z])EPS(?![A-Z])|주당\s?순이익|earnings\sper\sshare", r"eps(?:_.*)?", False),
        (r"매출(?:액)?|\brevenues?\b", r"revenue(?:_.*)?", False),
        (r"영업이익(?!률)|operating\s(?:income|profit)", r"operating_income(?:_.*)?", False),
        (r"(?<!주당)(?<!주당\s)순이익(?!률)|net\s(?:income|profit)", r"net_income(?:_.*)?", False),
        (r"영업이익률|operating\smargin", r"operating_margin(?:_.*)?", False),
        (r"순이익률|net\smargin", r"net_margin(?:_.*)?", False),
        (r"배당|dividends?\b", r"dividend.*", False),
        (r"예상치|컨센서스|\bestimates?\b|\bconsensus\b", r".*estimate.*|surprise.*", False),
        (r"서프라이즈|\bsurprise", r"surprise.*", False),
        (r"시가총액|market\scap(?:itali[sz]ation)?", r"market_cap.*", False),
        (r"낙폭|drawdown|deepest\sfall", r"deepest_fall", False),
        (r"변동성(?!\s?지수)|\bvolatility\b(?!\sindex)", r"volatility.*", False),
        (
            r"(?:직전|이전|전월|전분기|전\s분기)\s?값|value\sbefore|previous\svalue",
            r"previous_value|price_first.*",
            False,
        ),
        (r"최근값|latest\svalue", r"latest_value|latest_price", False),
        (
            (
                r"전년\s?(?:같은\s?(?:시기|달|기간)|동월|동기)?\s?(?:대비|보다)|1년\s?전보다|year[-\s](?:over|on)[-\s]year"
                r"|(?:from|than)\sa\syear\s(?:earlier|ago)"
            ),
            r"year_change|.*_year_change|.*_growth",
            False,
        ),
        (r"격차|스프레드|\bspread\b", r"spread", False),
        (r"매매가|매매\s?가격|sale\sprices?", r"price_.*|.*_price|latest_price", False),
        (r"보증금|전세가|\bdeposits?\b", r"deposit_.*|latest_price|price_.*", False),
        (r"월세|monthly\srents?", r"monthly_rent.*", False),
        (r"중간값|\bmedian\b", r".*median.*", False),
        (r"(?:평균|\bmean\b|\baverage\b)", r".*mean.*|.*average.*|ma_.*|latest_price|price_.*", False),
        (r"정가|list\sprice", r"list_price.*", False),
        (r"평점|별점|\brating\b", r"rating", False),
        (r"리뷰|후기|\breviews\b", r"review_count", True),
        (r"재고", r"stock", False),
        (r"가중치|\bweight\b", r"weight.*|strength.*", False),
        (r"상관\s?계수|correlation\scoefficient", r"coefficient.*", False),
    )
)


def called_in(sentence: str, masked: tuple[str, ...] = ()) -> tuple[Called, ...]:
    """Returns where a sentence calls figures by a name, in order.

    Args:
        sentence: The sentence.
        masked: Names of subjects, in which words are no terms.
    """
    plain = sentence
    for name in sorted(masked, key=len, reverse=True):
        plain = plain.replace(name, "\0" * len(name))
    found: list[Called] = []
    for one in sorted(_matches(plain), key=lambda one: (one.start - one.end, one.start)):
        if all(one.end <= other.start or other.end <= one.start for other in found):
            found.append(one)
    return tuple(sorted(found, key=lambda one: one.start))


def _matches(sentence: str) -> Iterator[Called]:
    for words, names, trails in _TERMS:
        for match in words.finditer(sentence):
            span = next((value for value in match.groupdict().values() if value), "")
            yield Called(*match.span(), re.compile(names.replace("{span}", span)), trails)
