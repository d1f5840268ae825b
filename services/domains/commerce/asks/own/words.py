"""What people say of their own things, as regular expressions."""

from typing import Final

OWN: Final = "own_"
"""What the answerers of own things begin with."""


DO: Final = (
    r"(?:리뷰|후기|상품평|별점)[가-힣]?\s?(?:쓰|써|쓸|남기|작성|등록)|취소\s?(?:해\s?줘|해줘|할게|할래|하고\s?싶|부탁|해\s?주|요청|시켜)|환불\s?(?:해\s?줘|해줘|할게|할래|해주|요청|부탁|진행)|반품\s?(?:해\s?줘|해줘|할게|해주|요청|진행)|교환\s?(?:해\s?줘|해줘|할게|해주|요청)|바꿔\s?줘"
    r"|담아|넣어|빼\s?(?:줘|주)|삭제|비워|결제\s?(?:해|할게|진행)|주문\s?(?:해|할게)|사\s?줘(?!야)|살게|\bplease (?:cancel|refund)|^cancel\b|^refund\b|^return\b|i (?:want|would like|'d like) (?:a |to (?!know|see|check|ask|hear|understand|find out))|\bremove\b|\badd\b|\bput\b|check ?out"
)


ANYTHING: Final = r"\b(?:something|anything|things|stuff|items|products|an? (?:item|product|purchase))\b|(?<!산\s)(?<!한\s)(?<!킨\s)(?:물건|상품|제품)(?:을|은|를)?\s"
"""Goods of no particular order."""


MINE: Final = r"(?<![가-힣])(?:내\s|내가|나\s|나의|제\s|제가|저\s|저의|나한테)|\bmy\b|\bi\b|\bi've\b|\bmine\b"


ORDERS: Final = (
    r"결제(?:한|했던)\s?(?:거|것|게|건|상품|물건)|주문(?:이|은|도|들)?\s?있|결제.{0,4}마[친쳤]|주문\s?(?:한|했|내역|목록|건|상태|들?\s?(?:중|보여|알려|어떻게|조회|확인))|내\s?주문|제\s?주문|시킨|시켰|배송|택배|소포|송장|운송장|구매\s?(?:내역|한|했)|구입\s?(?:내역|한|했)|(?<![가-힣])(?:산|샀던|산다고)\s?(?:거|것|게|건)|(?<![가-힣])샀|미결제|결제\s?(?:안|대기|전)"
    r"|\borders?\b|\bparcels?\b|\bpackages?\b|\bdeliver|tracking|\bshipped\b|i (?:bought|ordered)|where(?:'s| is) my"
)


GIVE_BACK: Final = r"환불|반품|반송|돌려\s?보내|돌려\s?보낼|되돌려|(?<![가-힣])무르(?:면|려)|refund|\breturn(?:ed|able|ing)?\b|\b(?:send|sent|give|given|take|taken|bring|ship)\s(?:\S+\s){0,6}back\b|money back"


CANCEL: Final = r"취소|(?<![가-힣])(?:무를|무르|물릴)\s?(?:수|려|고)|\bcancel|\bcall (?:\w+ ){1,6}off\b|\bcall(?:ed|ing)? off\b|\bundo\b"


EXCHANGE: Final = r"교환|맞바꾸|다른\s?(?:색|사이즈|걸로|것으로)(?:으?로)?\s?(?:바꿀|바꾸|교체)|\bexchange|\bswap\b"


MONEY_BACK_MAY: Final = r"(?:돈|금액|값)\S{0,2}\s?(?:다시\s?|도로\s?)?(?:돌려|되돌려|받을\s?수)|돌려\s?받|\bmoney (?:\w+ )?(?:returned|refunded)\b|\bhow much\b.{0,20}\bget back\b"
"""The money of something, which of goods that were bought is a refund."""


MAY: Final = r"되나|돼|될까|되는|가능|할\s?수|받을\s?수|있(?:을까|나|어|나요|어요)|되려나|\b(?:can|could|may)\b|possible|allowed|still|eligible|is it too late"


HOW: Final = r"어떻게|방법|절차|누가\s?(?:내|부담)|배송비|규정|정책|기간|며칠|언제까지|how (?:do|can|long|many days)|who pays|policy|rules?\b|what (?:is|are) the"


POINTS: Final = r"포인트|적립금|마일리지|\bpoints?\b|reward balance"


COUPONS: Final = r"쿠폰|할인권|coupons?\b|vouchers?\b"


LEFT_IN_CART: Final = r"총\s?(?:액|합|금액)|합계|나머지|\bthe rest\b|다\s?(?:해서|합쳐|합치|더해|더하)|\b(?:total|how much is (?:it|that) (?:now|all together))\b|(?:뭐|뭘|뭐가|몇\s?개|얼마).{0,8}(?:남|담|들어|있)|(?:남은|담긴|담겨|들어\s?있).{0,6}(?:뭐|거|것|게)|\bwhat(?:'s| is| do i have|have i got)?\b.{0,16}\b(?:in (?:there|it)|left|remain\w*)\b|\banything (?:left|else)\b"
"""Asks what is in it."""
CART: Final = r"장바구니|카트|\bcart\b|\bbasket\b"


WANTED: Final = (
    (
        ("paid",),
        r"(?:준비|포장)\s?(?:도|가|는)?\s?(?:안\s?(?:들어|시작|된|됐|하)|전(?:인|이))|paid (?:for )?but not (?:yet )?(?:being )?prepared",
    ),
    (("preparing",), r"(?:상품|배송)?\s?준비\s?(?:중|되고)|\b(?:being|getting) prepared\b|\bin preparation\b"),
    (
        ("pending",),
        r"결제\s?(?:안|대기|전|하지\s?않|되지\s?않)|미결제|안\s?낸|unpaid|not (?:yet )?paid|awaiting payment|haven't paid",
    ),
    (
        ("pending", "paid", "preparing"),
        r"(?:발송|출고|배송)\s?(?:안|전|되지\s?않|하지\s?않|준비)|아직\s?안\s?(?:보낸|나간)|not (?:yet )?(?:been )?shipped|haven't shipped",
    ),
    (
        ("paid", "preparing", "shipped"),
        (
            r"(?:아직|여태|지금까지)\s?(?:\S+\s)?(?:안|못)\s?(?:온|왔|받|도착|오고)|(?:도착|수령)\s?(?:안|하지\s?않|전)|(?:안|못)\s?(?:온|받은)\s?(?:거|것|게|주문|상품|물건)"
            r"|(?:not|n't|\b(?:have|has|did|do|does|is)nt|never|yet to)\s(?:\S+\s){0,2}(?:arriv|come|receiv|got|get|deliver|(?:show|turn)(?:n|ed)?\s?up)|\bstill waiting\b|\boutstanding\b"
        ),
    ),
    (("shipped",), r"배송\s?중|오는\s?중|오고\s?있|송장|운송장|on (?:its|the|their) way|in transit|tracking"),
    (("delivered",), r"배송\s?완료|받은|도착한|도착했|언제\s?왔|delivered|received|when did\b.*\barriv"),
    (("cancelled", "cancel_requested"), r"취소(?:된|한|됐)|cancel+ed"),
    (("refunded", "refund_requested"), r"환불(?:된|한|받은|됐)|refunded"),
)


OTHERS: Final = r"\b(?:user|customer|member|shopper)\s(?P<en3>[a-z][a-z0-9_]{2,20})\b(?!\s(?:review|rating|manual|guide|experience))|(?:^|\s)(?P<ko>[A-Za-z][A-Za-z0-9_]{2,20}|[가-힣]{2,4})(?:의|이|님의|님|씨)?\s?(?:주문|포인트|쿠폰|장바구니|구매)|(?:of|for|from)\s(?:user\s)?(?P<en>[a-z][a-z0-9_]{2,20})\b(?=\W*$|[,.?!]|\s(?:and|please|now|right|today|have|has|got)\b)|\b(?P<en2>[a-z][a-z0-9_]{2,20})'s (?:orders?|points?|coupons?|cart)"


NO_NAMES: Final = frozenset(
    (
        *("the", "my", "mine", "all", "any", "this", "that", "which", "each", "it", "them", "those", "user", "me"),
        *("your", "our", "these", "order", "orders", "product", "item", "coupon", "coupons", "points", "show", "what"),
        *("week", "month", "year", "today", "unpaid", "recent", "last", "open", "pending", "gmarket"),
    )
)

BOUGHT: Final = (
    r"주문한|주문했|시킨|시켰|(?<![가-힣])산\s?(?:거|것|게|건|[가-힣]+)|(?<![가-힣])샀(?!으면)|구매한|구매했|구입한|구입했|결제한|결제했|받은"
    r"|\bi(?:'ve| have)? (?:just |already )?(?:bought|ordered|purchased|got|received)\b|\bmy\b"
)
"""That something was bought by the person who asks."""
ARRIVES: Final = (
    r"어디\s?(?:쯤|까지|에\s?있|있|만큼|야|냐|임)|언제\s?(?:쯤\s?)?(?:와|왔|오|올|도착|받|배송|배달)|(?:배송|배달|택배|주문|물건).{0,12}(?:어디|언제|조회|추적|상황|현황|위치)|도착\s?(?:예정|언제|했)|왔(?:대|나|니|어|을까)"
    r"|\bwhere(?:'s| is| are)\b|\bwhen (?:did|will|does|do|is|are|should|can)\b.*\b(?:arriv|com|deliver|get here|be here|reach|show up|ship|expect|receiv|get my)|\btrack(?:ing)?\b|how far\b|\bon its way\b"
)
"""Where something is that was ordered, or when it comes."""
DUE: Final = (
    r"(?:오늘|내일|모레|이번\s?주|주말)(?:에|까지|은|는|중에|안에)?\s?(?:\S+\s){0,3}?(?:오는|올\s?(?:거|것|게|택배)|오나|와(?:요)?\s?(?:\?|$)|오려나|도착하(?:는|나|려)|도착할|도착\s?예정|받을(?!\s?수\s?있는))"
    r"|\b(?:arriv(?:e|es|ing)|com(?:e|es|ing)|due|be (?:here|delivered)|get(?:ting)? here|expect(?:ed)?)\b.{0,20}\b(?:today|tomorrow|tonight|this week)\b|\b(?:today|tomorrow)(?:'s)? deliver(?:y|ies)\b"
)
"""Asks what comes on a day, which no order says."""
CANCEL_STANDS: Final = (
    r"취소(?:는|은|가|이)?\s?(?:(?:요청|신청|부탁)\S*\s(?:\S+\s)?)?(?:\S{0,3}\s)?(?:어떻게\s?(?:됐|되)|처리\s?(?:됐|되|중)|됐(?:나|어|니|는지)|승인\s?(?:됐|났)|진행\s?(?:됐|중|상황)|받아\s?(?:줬|주))"
    r"|취소.{0,10}(?:상태|현황)|\b(?:status of|what happened to|what became of|any (?:news|word) (?:on|about)) (?:my|the) cancel"
    r"|\b(?:did|has|is|was|how) (?:\w+ )?(?:my|the) cancel\w*.{0,30}\b(?:go|gone|going|done|accepted|approved|through|processed|happen|turn(?:ed)? out)\b"
)
"""Asks how a cancellation stands that was asked for."""
REFUND_STANDS: Final = (
    r"(?:환불|반품)(?:은|는|이|가|건)?\s?(?:\S+\s)?(?:됐|되었|처리|완료|승인|진행|어떻게\s?됐)(?!\s?(?:해|부탁|할게))|(?:환불|반품).{0,10}(?:상태|현황|진행\s?상황)"
    r"|\b(?:did|has|is|was|have)\b.*\b(?:refund|return)\b.*\b(?:go(?:ne)? through|done|complete|process|made|approved|paid|arrived|come)|\brefund status\b|\bstatus of (?:my|the) (?:refund|return)"
)
"""Asks how a refund stands that was asked for."""
REFUNDED: Final = r"(?:환불|반품)\s?(?:을|이|도)?\s?(?:받은|받았|된|처리된|완료된)|\b(?:was|were|got|been) (?:already )?refunded\b(?!\s(?:if|when))|\b(?:did i get|have i (?:got|gotten|had)|i got) (?:\w+ ){0,3}back\b"
"""Speaks of a refund that was made."""
OTHERS_KO: Final = r"(?<![가-힣])(?!고객|판매자|사장|선생|손님|회원)[가-힣]{2,4}(?:님|씨)(?:이|가|은|는|의)?\s?(?:산\s|샀|주문|시킨|시켰|구매|구입|장바구니|포인트|쿠폰)"
"""Speaks of what somebody else has bought."""
MONEY_BACK_WHEN: Final = (
    r"(?:환불|반품|취소|돈|금액|환불금).{0,24}(?:언제|며칠|얼마나|얼마\s?만에|몇\s?일).{0,12}(?:들어|입금|받|돌려|나와|나오|걸|되|돼|완료|처리)|(?:언제|며칠).{0,10}(?:환불금|돈|입금).{0,10}(?:들어|되|돼|와|받)"
    r"|\b(?:when|how (?:long|soon|many days))\b.*\b(?:refund(?:ed)?|money)\b(?!.*\bcan i (?:ask|request|return))"
)
"""When the money of something given back is there."""
TOO_LATE: Final = r"늦(?:었|은|나|을)|지났(?:나|을|어)|\btoo late\b"
"""Asks whether the time for something is over, so that its yes is a no."""
IN_STOCK: Final = r"재고|품절|살\s?수\s?있|다\s?있|in stock|sold out|available"
HOW_MUCH: Final = r"얼마(?!\s?(?:전|안\s|되지|지나))|몇\s?원|how much|\bwhat (?:do|would|will|am) i (?:actually |really |then )?(?:get|lose|left)\b"
EVER: Final = r"(?:한|본|했던|해본|받은)\s?적(?:이|은|도)?\s?(?:있|없)|이력|\bever\b|\b(?:have|had|did) i (?:already )?(?:returned?|sent back|been refunded|cancel)|in the past"
"""Asks what was done before."""
DEADLINE: Final = r"기간(?:이|은|도)?\s?(?:아직\s?|벌써\s?|다\s?)?(?:남|지났|지나|끝|안\s?지)|언제까지|며칠까지|며칠\s?(?:남|안에)|기한|마감|늦어도|by when|until when|how (?:long|many days) (?:do|have) i|last (?:day|date)|deadline|still in time"
"""Asks until when something may be done."""
MONEY_BACK: Final = (
    r"(?:돈|금액|환불금?).{0,8}얼마|얼마.{0,10}(?:돌려|돌아|환불)|\bhow much\b.{0,40}\b(?:back|refund\w*)\b"
)
"""Asks how much of what was paid comes back."""
FEE: Final = r"배송비|택배비|shipping|delivery fee"
REVIEWS: Final = r"리뷰|후기|상품평|\breviews?\b"
CAN_REVIEW: Final = r"쓸\s?수|남길\s?수|안\s?(?:쓴|남긴|남겼|적은|썼|쓰고)|아직|못\s?쓴|\bcan (?:i )?(?:still )?review|still review|not (?:yet )?reviewed|haven't reviewed"
SPENT: Final = r"(?:쇼핑몰|여기|이\s?(?:가게|몰|사이트|상점)|쇼핑).{0,14}(?:돈|금액|비용)(?:이|을|은|의)?\s?(?:총|합|얼마|다\s?해|다\s?더|전부|모두)|(?:얼마(?:나)?|총|합쳐서?)\s?(?:를\s?)?(?:썼|쓴|지출|결제했|샀)|쓴\s?(?:돈|금액)|결제한\s?(?:돈|금액)|지출|\bspent\b|\b(?:how much|what)\b.*\bspend\b|\b(?:total|my) spend(?:ing)?\b|\bpaid in total\b"
LATEST: Final = r"(?:제일|가장|맨|젤)\s?(?:최근|마지막|나중)|마지막\s?(?:에|으로)?\s?주문|최근\s?주문(?:\s?하나|이|은|을)?(?=\s?(?:뭐|언제|어디|어떻|얼마|보여|알려|하나))|(?:최근|마지막|방금|바로\s?전)에?(?:으로)?\s?(?:내가\s?)?(?:산|주문한|시킨|구매한|구입한|질렀던|지른)\s?(?:거|것|게|건|상품|물건)(?!들)|\b(?:last|latest|most recent|newest) order\b|\blast (?:thing|item)\b"
SHOULD: Final = r"좋을까|좋아\??$|나을까|말까|써야|쓰는\s?게|써버리|should i|worth|better to|good idea"
