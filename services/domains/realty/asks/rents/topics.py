"""What the numbers of a question on a running lease may be for, and the kinds of such questions."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from services.domains.realty.asks.topic import Topic
from services.plugin.asks.roles import Role

_INTENT: Final = "LEGAL_CONSULT"
_KRW: Final = ("krw",)
RAISING: Final = r"\b(?:landlord|owner|he|she|they) (?:wants?|asks?|demands?|(?:is|are) (?:asking|demanding))\b|올려|올리|올린|올릴|올랐|올라|인상|증액|더\s?(?:달|내|올)|raise[ds]?|raising|increas\w+|\bhike\w*|\b(?:go|goes|going|put) (?:it )?up\b|\bpushed? up\b|\bextra\b|\bmore\b"
DEPOSIT: Final = Role(
    "deposit",
    _KRW,
    before=r"보증금(?:은|을|이|도)?|전세(?:금|가)?(?:은|을|이|를|로|는)?|전셋값|\bdeposit(?:\s(?:of|is|from))*|\bjeonse(?:\s(?:of|is|from|deposit))*",
    behind=r"/|(?:짜리\s?)?(?:전세|보증금)|(?:won\s)?(?:jeonse|deposit)|(?:인\s)?전세",
    bare=True,
)
RENT: Final = Role(
    "rent",
    _KRW,
    before=r"월세(?:는|를|가|로)?|다달이|매달|매월|달마다|한\s?달에|월\s?차임|차임|임대료|\b월\s?$|(?<=[\s,])월\s?$|/\s?$|(?<=[0-9천백만억원])에\s?$|(?:monthly\s)?\brent(?:\s(?:of|is|from))*|\bpay(?:ing)?",
    behind=r"(?:won\s)?(?:of\s|in\s)?(?:monthly\s)?rent\b|(?:씩\s?)?(?:의\s)?월세|(?:씩\s?)?(?:내고|내며|내면서)\s?(?:살|있)|(?:won\s)?(?:a|per)\smonth",
    bare=True,
)
_RAISED_TO: Final = Role(
    "raised_to",
    _KRW,
    before=r"에서\s?$|\bto\s(?:KRW\s|₩)?$|\b(?:wants?|demands?|asks? for|asking(?: for)?)\s(?:KRW\s|₩)?$|인상(?:된|한)\s?금액",
    behind=rf"(?:원)?(?:으로|로|까지)\s?(?:{RAISING}|맞춰|맞추|하자|하재|하잔|하겠|가자|가재|재계약|갱신|달라|달래|부르|요구)",
    bare=True,
)
_RAISE_BY: Final = Role(
    "raise_by",
    _KRW,
    before=r"(?:raise|increase|rise|hike|up)(?:\s(?:of|by))",
    behind=rf"(?:원)?(?:을|만|씩|이나|이)?\s?(?:더\s?)?(?:{RAISING}|요구|얹)",
    bare=True,
)
_PERCENT: Final = Role(
    "rise_percent",
    ("percent",),
    before=rf"(?:{RAISING}|인상률)[^0-9]{{0,16}}",
    behind=rf"(?:를|나|씩|만|까지)?\s?(?:더\s?)?(?:{RAISING}|요구)",
)
_SINCE: Final = Role(
    "elapsed",
    ("months",),
    before=r"지|계약하고|입주하고|올리고|since|after|only",
    behind=r"(?:만에|됐|되었|밖에|전에|지났|안\s?됐|ago|after|since|into)",
)
_TERM: Final = Role(
    "months",
    ("years", "months"),
    before=r"계약\s?기간(?:은|이)?|(?:lease|term|contract)\s(?:of|for)",
    behind=r"(?:짜리\s?|간\s?)?(?:(?:전세|월세|임대차)\s?)?계약(?!하)|-?(?:lease|term\b|contract|tenancy)",
)
"""How long a lease runs: it does not bear on how far a rent may rise within it."""
_DEPOSIT_MIN: Final = Decimal(5_000_000)
RENT_MAX: Final = Decimal(10_000_000)


def _rises_so(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums can be those of one rise: something is raised, by less than it is, or to at most its double."""
    before = [sums[role] for role in ("deposit", "rent") if role in sums]
    to, by = sums.get("raised_to"), sums.get("raise_by")
    if not before or (to is None) == (by is None) or "rise_percent" in sums:
        return False
    if sums.get("deposit", _DEPOSIT_MIN) < _DEPOSIT_MIN or sums.get("rent", Decimal(0)) > RENT_MAX:
        return False
    if to is not None:
        return any(one < to <= one * 2 for one in before)
    return by is not None and any(by < one / 2 for one in before)


RISE: Final = Topic(
    "rent_rise",
    _INTENT,
    (_RAISED_TO, _RAISE_BY, DEPOSIT, RENT, _PERCENT, _SINCE, _TERM),
    {"percent": "rise_percent", "months": "elapsed"},
    apart=(frozenset({"raised_to"}), frozenset({"raise_by"}), frozenset({"rise_percent"})),
    moved="raised_to",
    holds=_rises_so,
)
_FROM_TO: Final = r"(?:낮추|줄이|내리|올리|높이|늘리|하면|하고|바꾸|돌리|내려|올려)"
_DEPOSIT_TO: Final = Role(
    "deposit_to",
    _KRW,
    before=r"deposit (?:down |up )?to\s|\bto\s(?:KRW\s|₩)?$",
    behind=rf"(?:원)?(?:으로|로|까지|만)\s?(?:보증금(?:으로|을)?\s?)?(?:{_FROM_TO})|(?:원)?(?:은|는|만|으로|로)?\s?(?:보증금(?:으로|에)?\s?)?(?:그대로\s?)?(?:남기|두고|놔두|놓고)|(?:원)?에\s?월세(?!\s?$)|(?:원)?\s?보증금(?:에|으로|과|이랑)\s?(?:월세|반전세|월\s)",
    bare=True,
)
_DEPOSIT_BY: Final = Role(
    "deposit_by",
    _KRW,
    before=r"(?:rais|increas|lower|reduc|cut)\w* (?:the |my )?deposit by",
    behind=r"(?:원)?(?:을|를|만|만큼)?\s?(?:보증금(?:에|으로)\s?)?(?:더\s?)?(?:얹|넣|맡기|보태|올리|올려|늘리|낮추|줄이|내리|빼|깎)",
    bare=True,
)
_TURNED: Final = Role(
    "deposit_by",
    _KRW,
    before=r"(?:보증금\s?중|전세금?\s?중|그\s?중)(?:에서|에)?",
    behind=r"(?:원)?(?:을|를|만|은|는)?\s?월세로|(?:won\s)?(?:of\s)?(?:(?:the|my|our|his|her|their)\s)?(?:(?:jeonse|lump[- ]sum|key[- ]money)\s)?(?:deposit\s)?"
    r"(?:(?:is|are|was|were|gets?|being|to be)\s)?(?:(?:turn|convert|chang|switch|shift|mov|swapp)ed\s)?(?:(?:in)?to|for|with|as) (?:a |the )?(?:monthly )?rent"
    r"|(?:won\s)?of (?:it|that|(?:the|my|our) (?:jeonse |lump[- ]sum )?deposit) becomes? (?:monthly )?rent",
    bare=True,
)
_RENT_BY: Final = Role(
    "rent_by",
    _KRW,
    before=r"월세\s?중",
    behind=r"(?:원)?(?:을|를|만)?\s?(?:보증금|전세)으?로(?!\s?(?:남기|두고|놔|놓|하고|걸))|(?:won\s)?(?:of\s)?(?:the\s|my\s)?(?:monthly\s)?(?:rent\s)?(?:in)?to (?:a |the )?deposit|(?:원)?(?:을|를|만|씩)?\s?더\s?받|(?:won\s)?(?:of\s)?more (?:in )?(?:monthly )?rent",
    bare=True,
)
_RATE: Final = Role(
    "conversion",
    ("percent",),
    before=r"전환율|이율|금리|conversion(?:\srate)?(?:\s(?:of|is|at))*|연\s?$|\bat\s",
    behind=r"(?:전환율|conversion)",
    bare=True,
)
_BASE: Final = Role("base", ("percent",), before=r"기준\s?금리|base rate")
CONVERSION: Final = Topic(
    "rent_conversion",
    _INTENT,
    (
        _TURNED,
        _RENT_BY,
        _DEPOSIT_TO,
        _DEPOSIT_BY,
        DEPOSIT,
        RENT,
        _BASE,
        _RATE,
        Role("savings", _KRW, before=r"여윳돈(?:이)?|모은\s?돈|가진\s?돈|savings", bare=True),
    ),
    {"percent": "conversion"},
)
TOPICS: Final = (CONVERSION, RISE)
TO_JEONSE: Final = (
    r"(?:순수?\s?)?전세로\s?(?:돌|바꾸|바꿔|전환|변경|가자|하자|올리)|월세\s?(?:없이|빼고)[^.?]{0,12}전세|(?:in)?to (?:a )?(?:full |pure )?jeonse|월세(?:를|는)?\s?(?:전부|모두|다|몽땅|아예)?\s?(?:없애|없앨)"
    r"|(?:no|without|instead of) (?:monthly )?rent[^.?]{0,20}jeonse|get rid of the (?:monthly )?rent|rent[^.?]{0,12}to (?:zero|nothing|0\b)"
)
"""Words of a rent that is to go whole into the deposit."""
