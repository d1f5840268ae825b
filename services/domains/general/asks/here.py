"""Who answers here and what can be asked, what is not served and why, and where a person in danger finds help."""

from collections.abc import Sequence
from typing import Final
from zoneinfo import ZoneInfo

from services.contract.asks import Ask, AskedBefore, AskForm, Said
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, answered, declined
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import day_said, filled
from services.plugin.installed import packaged_domains

_AGENT: Final = ("general.general_knowledge",)
_WHO: Final = (
    r"(?:너|넌|너는|네가|당신|니가|이거|여기|여긴)(?:은|는|가|이)?\s?(?:뭐|머|누구|정체|뭘|무슨|어떤)|누구(?:니|세요|야|십니까)\?*$|자기\s?소개(?!서)|(?:뭐|뭘|무엇을|어떤\s?(?:걸|것을|질문))\s?(?:할\s?수|해\s?줄|물어\s?(?:볼|보면)|도와\s?줄|해\s?주|잘\s?해)|(?:^\W*|(?:너|네|니|당신)(?:의|는)?\s)이름(?:이|은)\s?(?:뭐|무엇|어떻게)\S*\W*$|무슨\s?(?:기능|서비스)|뭐\s?하는\s?(?:애|앱|곳|서비스|챗봇)|사용법"
    r"|who are you|what are you\b(?! doing)|what (?:can|could|do) you (?:do|help|offer|know|answer)|what are you able|what can i ask|how can you help|your (?:name|features|capabilit)|introduce yourself"
)
_NOT_SERVED: Final = (
    (
        "weather",
        r"날씨|기온|일기\s?예보|비\s?(?:오|올|와)|눈\s?(?:오|올|와)|우산|미세\s?먼지|체감\s?온도|\bweather\b|umbrella|\brain(?:y|ing)?\b|\bsnow(?:ing|y)\b|\bforecast\b|temperature (?:today|tomorrow|in|outside)|how (?:hot|cold|warm)",
        Said("날씨", "the weather"),
    ),
    (
        "sports",
        r"야구|축구|농구|배구|골프\s?(?:대회|순위)|올림픽|월드컵|경기\s?(?:결과|일정|스코어)|누가\s?이겼|\bwho won\b|\bscore of\b|football|baseball|soccer|basketball|match result",
        Said("스포츠 경기 결과", "sports results"),
    ),
    (
        "health",
        r"병원|의사|진료|약국|증상|아파(?!트)|무릎|두통|감기|\bdoctor\b|hospital|clinic|symptom|headache|dentist",
        Said("병원과 의료 상담", "doctors and medical advice"),
    ),
    (
        "schools",
        r"학군|(?:초등|중|고등)학교|학교\s?배정|학원가|어린이집|유치원|school (?:district|zone|catchment)|(?:good|best|nearby|elementary|primary|high) schools?",
        Said("학교와 학군", "schools"),
    ),
)
_OF_A_HOME: Final = r"전세|월세|매매|매물|시세|집값|얼마|아파트|오피스텔|빌라|\brent|jeonse|apartment|for sale|price"
"""Words of a home that is wanted, to which a school is but near."""
_TODAY: Final = (
    r"(?:오늘|지금)\S{0,2}\s?(?:이\s?)?(?:며칠|몇\s?(?:월|일|시)|무슨\s?(?:요일|날)|날짜|요일|시각)|현재\s?(?:시각|시간|날짜)"
    r"|what(?:'s| is) (?:the (?:date|time|day)(?: (?:today|now|is it))?\W*$|today'?s date)|what (?:day|date|time) is it|what (?:day|date) is today"
)
_ACCOUNT: Final = (
    r"(?:비밀번호|비번|패스워드|아이디|계정|이메일|휴대폰\s?번호)(?:를|을|가|이|는|은|도|의)?\s?(?:[가-힣]+\s)?(?:잊|까먹|재설정|바꾸|변경|새로|초기화|만들|모르|분실|삭제)|비밀번호\s?재설정|로그인이?\s?(?:안|되지|못)|회원\s?(?:가입|탈퇴)(?:은|는|을|하|방법|\s?어떻)"
    r"|(?:forgot|reset|change|recover|update|new|lost)\w*\s(?:my |the |a )?(?:\w+ )?(?:password|username|account)|password reset|(?:can't|cannot|unable to|couldn't) (?:log|sign) ?in|how (?:do|can) i (?:sign up|log in|delete my account)"
)
_MADE: Final = (
    r"써\s?줘|써\s?주|지어\s?줘|그려\s?줘|만들어\s?줘|번역|\bwrite\b|\bpoem\b|\bdraw\b|\bsong\b|translate|compose"
)
"""Words that want something made, whatever it is about."""
_ABOUT: Final = (
    (
        "maker",
        (
            r"(?:누가|어디서|어느\s?회사가?)\s?(?:너를?\s?|널\s?)?(?:만들|개발)|챗\s?지피티|(?<![A-Za-z])(?:chat\s?)?GPT(?![A-Za-z])|제미나이|클로드"
            r"|(?:너|넌|당신)\S{0,2}\s?(?:사람|인간|로봇|인공지능|AI|챗봇)|(?:사람|상담원|로봇|인공지능|AI)(?:이?랑|하고|과|와)\s?(?:얘기|이야기|대화|말|채팅)|\bwho (?:made|built|created|trained|runs) you\b|\bare you (?:an? )?(?:human|person|bot|robot|real|AI)\b"
        ),
        Said(
            "저는 자료로 답하는 안내 서비스 hapju이며 사람이 아닙니다. 답은 이 서비스에 실린 자료를 조회해 규칙에 따라 만들고, 운영하는 곳이 언어 모델을 연결한 때에는 모델이 글을 거들지만 수치는 모두 자료와 대조합니다.",
            "I am hapju, a service that answers from data, not a person. Answers are made by rules from the data held here; where the operator has connected a language model it helps with the wording, and every figure is checked against the data.",
        ),
    ),
    (
        "sources",
        (
            r"(?:자료|데이터|정보|주가|시세|수치|가격|값|숫자)\S{0,2}\s?(?:는|은|를|을|이|가)?\s?(?:어디서|어디에서|출처|어디\s?(?:거|꺼|건))|출처(?:가|는|를|도)?\s?(?:어디|뭐|알려|있)"
            r"|\bwhere (?:do|does|did|are) (?:you|your|these|those|the) .{0,40}(?:get|come|from|pull|find)\b|\byour (?:sources?|data)\b.{0,24}\b(?:from|source)|source of (?:your|this|these|the) (?:data|figures|prices|numbers)"
        ),
        Said(
            "제 답은 이 서비스를 운영하는 곳이 실어 둔 자료에서만 나옵니다. 답마다 쓴 자료의 이름과 기준일을 끝에 적고, 예시로 만든 자료이면 그렇다고 밝힙니다.",
            "My answers come only from the data that the operator of this service has loaded. Each answer ends with the names and the day of the data it used, and says so where that data is a sample.",
        ),
    ),
    (
        "freshness",
        r"실시간|(?:자료|데이터|정보|주가|시세|값)\S{0,3}\s?(?:언제|최신|며칠|얼마나\s?자주)|(?:자료|데이터|정보|주가|시세)\S{0,3}\s?업데이트|\breal[- ]?time\b|\blive (?:prices?|data|quotes?)\b|how (?:fresh|recent|current|up[- ]to[- ]date) (?:is|are)\b|how often .{0,24}updated?",
        Said(
            "실시간 자료가 아닙니다. 주가는 거래일의 종가, 지표와 집값은 발표되거나 신고된 값이며, 어느 날의 값인지 답마다 함께 적습니다.",
            "The data is not live. Share prices are closes of trading days, and indicators and home prices are as published or reported; each answer says of which day its values are.",
        ),
    ),
)
"""Questions about hapju itself: their key, their words, what is told."""
_DANGER: Final = r"죽고\s?싶|자살|살기\s?싫|목숨을\s?끊|극단적\s?선택|자해|다\s?끝내고\s?싶|사라지고\s?싶|kill myself|end my life|suicid|want to die|self[- ]harm|hurt myself"


_PLACED_ONE: Final = (
    r"^\W*(?:그럼\s|그러면\s|아까\s|방금\s)?(?:첫|두|세|네|다섯|[1-9])\s?번(?:째)?\s?(?:거|것|꺼|게|건|걸)?(?:\s|$)"
    r"|^\W*(?:show me |tell me about |what about |and )?the (?:first|second|third|fourth|last) one\b"
)
"""Points to one of what was shown, by its place alone."""


def points_at_nothing(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return that nothing was shown yet, where a message opens with the place of something."""
    if (
        before
        or not sheet.says(_PLACED_ONE)
        or not short(sheet.text)
        or any(one.value != one.words for one in sheet.entities)
    ):
        return ()
    return (_claim(sheet, AskForm.FACT, "nothing_shown", 0.95),)


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask that is answered by what is here: by danger before all else."""
    if sheet.says(_DANGER):
        return (_claim(sheet, AskForm.FACT, "danger", 1.0),)
    if _names_goods_of_others(sheet) or sheet.says(_MADE):
        return ()
    about = next((key for key, words, _ in _ABOUT if sheet.says(words)), "")
    if about and not sheet.numbers:
        return (_claim(sheet, AskForm.DEFINE, "about", 0.96, topic=about),)
    for words, form, answerer, intent in _HERE:
        if sheet.says(words):
            return (_claim(sheet, form, answerer, 0.95, intent=intent),)
    for key, words, _ in _NOT_SERVED:
        if sheet.says(words) and not (key == "schools" and sheet.says(_OF_A_HOME)):
            return (_claim(sheet, AskForm.LEVEL, "not_served", 0.9, topic=key),)
    return ()


_HERE: Final = (
    (_TODAY, AskForm.FACT, "today", "general_knowledge"),
    (_WHO, AskForm.DEFINE, "who", "general_knowledge"),
    (_ACCOUNT, AskForm.PROCEDURE, "account", "account_help"),
)


def _names_goods_of_others(sheet: Sheet) -> bool:
    """Tell whether a question names what another domain answers for: a share, a series, an order."""
    return any(one.kind in {"security", "series", "order_id", "product_code", "amount"} for one in sheet.entities)


def _claim(  # noqa: PLR0913 - the parts of an ask
    sheet: Sheet, form: AskForm, answerer: str, score: float, *, intent: str = "general_knowledge", topic: str = ""
) -> Claim:
    notes = {"topic": topic} if topic else {}
    return Claim(
        Ask(words=sheet.text, end=len(sheet.text), form=form, intent=intent, answerer=answerer, notes=notes), score
    )


def _offers() -> Said:
    """Return what the installed domains offer, as they say it themselves."""
    found = [one.declaration.offers for one in packaged_domains() if one.declaration.offers is not None]
    return Said(", ".join(one.ko for one in found), "; ".join(_inside(one.en) for one in found))


def _inside(words: str) -> str:
    """Return words as they stand inside a sentence: names in capitals keep them."""
    return words if words[:2].isupper() else words[:1].lower() + words[1:]


def _titles() -> Said:
    found = [one.declaration.title for one in packaged_domains() if one.declaration.offers is not None]
    return Said("·".join(one.ko for one in found), ", ".join(one.en for one in found))


def _who(ask: Ask, found: Found) -> Outcome:
    del found
    titles, offers = _titles(), _offers()
    sentence = Said(
        f"저는 {titles.ko} 질문에 자료로 답하는 안내 서비스 hapju입니다. 물어보실 수 있는 것은 {offers.ko}입니다.",
        f"I am hapju, a service that answers questions on {titles.en} from data. You can ask me about {offers.en}.",
    )
    return Outcome(answered(ask, sentence))


def _about(ask: Ask, found: Found) -> Outcome:
    del found
    return Outcome(answered(ask, next(said for key, _, said in _ABOUT if key == ask.notes["topic"])))


def _not_served(ask: Ask, found: Found) -> Outcome:
    del found
    name = next(said for key, _, said in _NOT_SERVED if key == ask.notes["topic"])
    offers = _titles()
    sentence = Said(
        f"{name.ko} 정보는 제공하지 않아 답할 수 없습니다. {offers.ko}에 관한 질문에는 자료로 답해 드립니다.",
        f"Information on {name.en} is not available here, so I cannot tell. Questions on {offers.en} I can answer from data.",
    )
    return Outcome(declined(ask, sentence))


_WEEKDAYS: Final = "월화수목금토일"


def _today(ask: Ask, found: Found) -> Outcome:
    """Tell the day and the time of the question where the person is."""
    asking = found.asking
    here = asking.now.astimezone(ZoneInfo(asking.time_zone))
    sentence = filled(
        "오늘은 {day} {weekday}이고, 지금은 {hour}입니다({zone}).",
        "Today is {weekday}, {day}; it is {hour} now ({zone}).",
        day=day_said(here.date()),
        weekday=Said(f"{_WEEKDAYS[here.weekday()]}요일", f"{here:%A}"),
        hour=f"{here:%H:%M}",
        zone=asking.time_zone,
    )
    return Outcome(answered(ask, sentence))


def _account(ask: Ask, found: Found) -> Outcome:
    del found
    sentence = Said(
        "비밀번호 재설정, 로그인, 회원 정보 같은 계정 일은 이 대화에서 바꿔 드릴 수 없습니다. 로그인 화면의 비밀번호 재설정이나 계정 설정에서 하실 수 있고, 되지 않으면 서비스를 운영하는 곳의 고객 창구로 문의해 주세요.",
        "I cannot change a password, a login or account data in this conversation. Use the password reset of the login page or the account settings, and ask the operator's support where that does not work.",
    )
    return Outcome(declined(ask, sentence))


def _danger(ask: Ask, found: Found) -> Outcome:
    del found
    sentence = Said(
        "많이 힘드셨겠습니다. 지금 혼자 견디지 않으셔도 됩니다. 자살예방 상담전화 109는 24시간 무료로 이야기를 들어 줍니다. 당장 위험하다면 119나 112에 바로 도움을 청해 주세요.",
        "I am sorry that it hurts so much. You do not have to bear this alone: in Korea call 109, day and night, free of charge, or 119 in an emergency; elsewhere call your local emergency number or crisis line.",
    )
    return Outcome(answered(ask, sentence))


def _nothing_shown(ask: Ask, found: Found) -> Outcome:
    del found
    sentence = Said(
        "이 대화에서 아직 보여 드린 것이 없습니다. 무엇을 찾으시는지 먼저 말씀해 주세요.",
        "Nothing has been shown in this conversation yet. Tell me first what you are looking for.",
    )
    return Outcome(declined(ask, sentence))


ANSWERERS: Final = (
    Answerer("nothing_shown", _AGENT, _nothing_shown),
    Answerer("who", _AGENT, _who),
    Answerer("about", _AGENT, _about),
    Answerer("today", _AGENT, _today),
    Answerer("not_served", _AGENT, _not_served),
    Answerer("account", _AGENT, _account),
    Answerer("danger", _AGENT, _danger),
)
