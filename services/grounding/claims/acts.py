"""Acts that a sentence tells as done: ordered, paid, sent, filed. Only the ledger knows what was done.

    noun of an act + past, or + "done"      주문을 완료했습니다 · 환불이 접수됐습니다 · your order is confirmed
    done for the reader                     예약해 드렸습니다 · 보내 두었습니다 · I have booked it

What the assistant does by answering (telling, comparing, working out) is no act.
"""

import re
from collections.abc import Iterator
from typing import Final

from services.contract.drops import DropReason
from services.grounding.claims.claim import NOT_KO, SentenceClaim, is_past, taken_back
from services.grounding.claims.events import LOOKING_KO
from services.grounding.vocabulary import vocabulary
from services.text.hints import Hints
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.patterns import Pattern

_REACH: Final = 9
"""How many morphemes lie between the noun of an act and what says that it is done."""
_NOUNS: Final = frozenset(
    [
        "완료",
        "처리",
        "접수",
        "신청",
        "예약",
        "발송",
        "전송",
        "송신",
        "송금",
        "이체",
        "입금",
        "출금",
        "지급",
        "납부",
        "등록",
        "등기",
        "삭제",
        "변경",
        "수정",
        "승인",
        "연락",
        "통보",
        "통지",
        "제출",
        "저장",
        "가입",
        "해지",
        "체결",
        "서명",
        "발급",
        "발행",
        "예치",
        "상환",
        "충전",
        "차감",
        "청구",
        "신고",
        "개통",
        "개설",
        "배정",
        "배달",
        "전달",
        "공유",
        "매수",
        "매도",
    ]
)
_DONE: Final = frozenset(("완료", "성공", "확정", "종료", "끝"))
_ENDS: Final = frozenset(
    (
        "마치",
        "끝나",
        "끝내",
        "끝마치",
        "이루어지",
        "이뤄지",
        "넣",
        "받",
        "올리",
        "드리",
        "들어가",
        "나가",
        "나오",
        "맺",
        "치르",
        "되",
        "하",
    )
)
"""Verbs that say of an act that it was done."""
_PAPERS: Final = frozenset(("건", "번호", "절차"))
"""What an act is counted and numbered by."""
_WHOLLY: Final = frozenset(("모두", "다", "전부", "이미", "벌써", "방금", "막", "잘"))
_STATE: Final = frozenset(("상태", "됨"))
_FOR_READER: Final = frozenset(("드리", "두", "놓", "주"))
_VERBS: Final = frozenset(("보내", "갚", "치르", "부치", "넘기", "맡기", "내", "넣"))
"""Verbs by which money, letters or things change hands."""
_OPEN: Final = frozenset(("경우", "때", "수", "여부", "뒤", "후", "전", "다음", "동안"))
HINTS_KO: Final = Hints(
    (*_NOUNS, "드렸", "두었", "뒀", "놓았", "놨", "줬", "주었", "보냈", "갚았", "치렀", "넣었", "냈")
)
_SENT_EN: Final = (
    "placed|processed|submitted|sent|booked|transferred|wired|signed|registered|filed|approved|issued|scheduled|charged"
    "|deducted|credited|debited|deposited|withdrawn|deleted|updated|emailed|mailed|called|notified|contacted|reserved"
    "|enrolled|subscribed|unsubscribed|activated|executed|settled|terminated|renewed|reported|completed|finali[sz]ed|arranged"
)
_AUX_EN: Final = r"(?:has|have|had|was|were|been|got|is(?:\snow)?|are(?:\snow)?|I|we|'ve|just|already|successfully)"
_ADVERBS_EN: Final = r"(?:\s(?:\w+ly|been|just|already|now|also|both|then))*"
_DONE_EN: Final = (
    r"confirmed|completed?|successful(?:ly)?|done|processed|placed|approved|went\sthrough|gone\sthrough|finali[sz]ed|submitted"
    r"|scheduled|initiated|issued|received|accepted|executed|in\splace|on\s(?:its|the)\sway|taken\scare\sof"
)
_MARKETS_DO: Final = frozenset(("opened", "closed", "traded", "updated", "reported"))
_MARKETS: Final = Pattern(
    r"\b(?:market|exchange|session|share|stock|price|index|data|table|figure|value)s?\b[^.,;]{0,20}$", re.IGNORECASE
)
"""What opens, closes, trades and is updated by itself."""
_NOT_EN: Final = Pattern(r"\b(?:not|no|never|cannot|nothing)\b|n't\b", re.IGNORECASE)
_OPEN_EN: Final = Pattern(
    r"\b(?:if|when|once|unless|until|whether|after|before|may|might|can|could|would|should|must)\b", re.IGNORECASE
)


def acts_in(text: str) -> Iterator[SentenceClaim]:
    """Yield the acts that a sentence tells as done."""
    if HINTS_KO.stand_in(text) or vocabulary().acts_ko.search(text):
        yield from _korean(text, morphemes(text))
    if re.search(r"[A-Za-z]{3}", text):
        yield from _english(text)


def _korean(text: str, found: tuple[Morpheme, ...]) -> Iterator[SentenceClaim]:
    for at, one in enumerate(found):
        rest = found[at + 1 : at + 1 + _REACH]
        if one.tags[0].startswith("NN") and _names_act(one.surface) and (done := _done(rest, one)):
            yield _claim(text, one, done)
        elif one.tags[0] in {"VV", "XSV"} and (done := _done_for_reader(found, at)):
            yield _claim(text, one if one.tags[0] == "VV" else found[at - 1], done)
        elif one.tags[0] == "VV" and one.lemma in _VERBS and is_past(_last_of(found, at)) and not taken_back(rest):
            yield _claim(text, one, one)


def _names_act(noun: str) -> bool:
    return noun in _NOUNS or vocabulary().acts_ko.fullmatch(noun) is not None


def _done(rest: tuple[Morpheme, ...], act: Morpheme) -> Morpheme | None:
    """Return what says that an act is done; None where it is not, or only supposed."""
    for at, one in enumerate(rest):
        if one.tags[0] == "SF" or one.surface in _OPEN or one.lemma in NOT_KO:
            return None
        if one.surface in _DONE or (one.surface in _STATE and (at > 0 or act.surface in _DONE)):
            return None if taken_back(rest[at + 1 :]) else one
        if one.tags[0].startswith(("NN", "MAG")) and not (_names_act(one.surface) or one.surface in _PAPERS | _WHOLLY):
            return None
        if one.tags[0] in {"XSV", "VV"}:
            is_own = one.tags[0] == "XSV" or one.lemma in _ENDS
            done = is_past(_last_of(rest, at)) or _stands(rest[at + 1 : at + 3])
            has_ended = one.tags[-1] == "EC" and not one.surface.endswith(("면", "지"))
            return one if is_own and done and (has_ended or not taken_back(rest[at + 1 :])) else None
    return None


def _stands(behind: tuple[Morpheme, ...]) -> bool:
    """Tell whether a verb is told as a state that was come to: "되어 있", "된 상태"."""
    return any(one.surface in _STATE or (one.tags[0] == "VX" and one.lemma == "있") for one in behind)


def _done_for_reader(found: tuple[Morpheme, ...], at: int) -> Morpheme | None:
    """Return the helping verb in the past by which something was done for the reader: "해 드렸", "보내 두었"."""
    noun = found[at - 1].surface if found[at].tags[0] == "XSV" and at else found[at].lemma
    if noun in LOOKING_KO:
        return None
    for place in range(at + 1, min(at + 4, len(found))):
        helper = found[place]
        if "VX" in helper.tags and helper.lemma in _FOR_READER and is_past(_last_of(found, place)):
            return None if taken_back(found[place + 1 : place + 1 + _REACH]) else helper
    return None


def _last_of(found: tuple[Morpheme, ...], at: int) -> Morpheme:
    """Return the morpheme that bears a verb's tense: itself, or the one behind it."""
    behind = found[at + 1] if at + 1 < len(found) else found[at]
    return found[at] if is_past(found[at]) else behind


def _claim(text: str, act: Morpheme, done: Morpheme) -> SentenceClaim:
    return SentenceClaim(DropReason.UNKNOWN_ACT, act.lemma, text[act.start : done.end])


def _english(text: str) -> Iterator[SentenceClaim]:
    acts = vocabulary().acts_en
    parts = f"{_SENT_EN}|{acts}" if acts else _SENT_EN
    told = Pattern(rf"\b{_AUX_EN}{_ADVERBS_EN}\s(?P<act>{parts})\b", re.IGNORECASE)
    stated = Pattern(
        rf"\b(?P<act>order|request|transaction|transfer|application|reservation|booking|{parts})s?\b[^.;,]{{0,40}}?\b(?:{_DONE_EN})\b",
        re.IGNORECASE,
    )
    for pattern in (told, stated):
        for match in pattern.finditer(text):
            if match["act"].lower() in _MARKETS_DO and _MARKETS.search(text[: match.end()]):
                continue
            before = text[max(0, match.start() - 24) : match.end()]
            if not _NOT_EN.search(before) and not _OPEN_EN.search(before):
                yield SentenceClaim(DropReason.UNKNOWN_ACT, _stem(match["act"]), match.group())


def _stem(word: str) -> str:
    return re.sub(r"(?:l?ed|d|s)$", "", word.lower())
