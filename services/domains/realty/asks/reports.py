"""What a report on the homes of a place holds beside their prices: what to check before a contract, and loans."""

from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskQuantity, AskVerdict, Origin, Said
from services.domains.homes.asks import reports as homes
from services.domains.homes.asks.homes_named import deal_types
from services.domains.realty.asks import offers
from services.domains.realty.asks.costs.worth import risk_said
from services.domains.realty.asks.law import answers as law
from services.domains.realty.asks.proved import done, inputs_of, own_evidence
from services.plugin.asks.answering import CERTAIN, Answerer, Claim, Found, Outcome, declined, ruled
from services.plugin.asks.reports import HEADING, ReportPart, asks_report, parts_named, report_claims
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, percent

_LAW: Final = r"법|유의|조심|주의|위험|안전|리스크|사기|보증금\s?보호|\blaws?\b|\blegal|\brisk|\bsafe|\bcaution|pitfall"
_LOANS: Final = r"대출|융자|자금|\bloans?\b|mortgage|financing|borrow"
_LEASE: Final = (
    ReportPart(
        Said("계약 전에 확인할 것", "Before you sign"),
        Said("전세사기 안 당하려면 계약 전에 뭘 확인해야 해?", "What should I check before I sign a jeonse lease?"),
        _LAW,
    ),
    ReportPart(
        Said("전세대출", "Jeonse loans"), Said("전세대출 상품 뭐 있어?", "Which jeonse loans are there?"), _LOANS
    ),
)
_PURCHASE: Final = (
    ReportPart(
        Said("계약 전에 확인할 것", "Before you sign"),
        Said("아파트 매매 계약 전에 뭘 확인해야 해?", "What should I check before I sign to buy a flat?"),
        _LAW,
    ),
    ReportPart(
        Said("주택담보대출", "Mortgages"), Said("주택담보대출 상품 뭐 있어?", "Which mortgages are there?"), _LOANS
    ),
)


def read(sheet: Sheet) -> tuple[Claim, ...]:
    """Return the parts of a report on homes that are realty's; a report on the market alone has none of them."""
    if not asks_report(sheet) or not sheet.of_kind("region"):
        return ()
    parts = _PURCHASE if deal_types(sheet) == ("sale",) else _LEASE
    named = parts_named(sheet, parts)
    of_market = not named and bool(parts_named(sheet, homes.PARTS))
    own = report_claims(
        sheet, () if of_market else named or parts, (), lambda part: law.read(part, ()) or offers.read(part, ())
    )
    return (*_risk(sheet), *own)


def _risk(sheet: Sheet) -> tuple[Claim, ...]:
    """Return the ask what the jeonse ratio means that the report tells; none of a purchase, or where it tells none."""
    if deal_types(sheet) == ("sale",) or not any(one.name == homes.RATIO for one in homes.parts_of(sheet)):
        return ()
    heading = _RISK.of(sheet.language)
    ask = Ask(
        words=heading,
        start=len(sheet.text),
        end=len(sheet.text),
        form=AskForm.VERDICT,
        intent="COMPREHENSIVE",
        answerer=_ANSWERER,
        depends_on=(homes.RATIO,),
        notes={HEADING: heading},
    )
    return (Claim(ask, CERTAIN, is_whole=True),)


def _risk_of(ask: Ask, found: Found) -> Outcome:
    """Return how risky the jeonse ratio is that the search has told."""
    told = (one.figures.get(homes.RATIO, "") for answer in found.answers for one in answer.told)
    ratio = next(filter(None, told), "")
    if not ratio:
        return Outcome(
            declined(
                ask,
                Said(
                    "전세가율 자료가 없어 위험을 판단하지 못했습니다.",
                    "Without a jeonse ratio in the data the risk cannot be judged.",
                ),
            )
        )
    held = replace(ask, quantities=(AskQuantity(homes.RATIO, ratio, "percent", origin=Origin.CARRIED),))
    sentence = filled(
        "전세가율 {ratio:은/는} {risk}. 근저당과 다른 세입자의 보증금을 더하면 비율이 올라갑니다.",
        "A jeonse ratio of {ratio} is {risk}. Mortgages and other tenants' deposits add to it.",
        ratio=percent(Decimal(ratio), 1),
        risk=risk_said(Decimal(ratio)),
    )
    return done(ruled(ask, AskVerdict.DEPENDS, sentence, inputs=inputs_of(held)), own_evidence(held, found))


_ANSWERER: Final = "report_risk"
_RISK: Final = Said("보증금의 위험", "What that means for a deposit")
ANSWERERS: Final = (Answerer(_ANSWERER, ("realty.analysis",), _risk_of),)
