"""The words by which a message asks the shop to do something, and those that only look like it."""

from typing import Final

# What ends a Korean request or a stated wish, behind a noun such as 결제 or 취소.
_KO_DO: Final = (
    r"\s?(?:을|를|만|까지|도)?\s?(?:좀|바로|지금|빨리|얼른|다|전부|모두|당장|그냥)?\s?"
    r"(?:해\s?(?:줘|주|달|라|봐)|해(?=[\s.!~]|$)|할게|할께|할래|할\s?거|하자|하고\s?(?:싶|자)|하겠|하려|하고파|합니다|할라|한다|부탁|요청|신청|접수|진행|처리|시켜|넣어|되게|들어가)"
)
_EN_WISH: Final = (
    r"(?:^|[.!,]\s|\b(?:please|kindly|just|go ahead and|i want to|i'd like to|i would like to|i wanna|i need to|i'll|i will|let me"
    r"|let's|can you|could you|would you|and|then|now|just|actually|anyway|ok|okay|yes)\s)"
)
_KO_END: Final = r"(?=\s*[.!~]*$|[.!]\s)"
PURCHASE: Final = (
    rf"(?:결제|주문|구매|구입|결재){_KO_DO}|(?<!내\s)(?<!제\s)(?:결제|주문|구매|구입){_KO_END}|계산\s?(?:해\s?(?:줘|주)|할게)|살게|살께|살래|사\s?줘|사\s?주|사고\s?싶|사려고|살\s?거(?:야|예요|에요)|사자|사겠|살라고|지를게|질러"
    rf"|{_EN_WISH}(?:buy|purchase|order|check ?out|pay for)\b|\bplace (?:an|the|my) order|\bbuy (?:it|this|that|one|two|the)\b|\bcheck ?out\b|i(?:'ll| will) take (?:it|this|that|one|two|the)"
    r"|\b(?:i want|i'd like|i would like) (?:to (?:buy|order|purchase)|\d+|two|three|one of)"
)
"""Buying."""
CANCEL: Final = (
    rf"취소{_KO_DO}|취소{_KO_END}|취소\s?(?:바랍|원해|원합)|무르고\s?싶|물러\s?(?:줘|주)|없던\s?(?:걸|일)로|철회{_KO_DO}"
    rf"|{_EN_WISH}(?:cancel|call off)\b|\bcancel (?:my|the|this|that|it|order|ord)|\bcancel it\b"
)
"""Calling an order off."""
REFUND: Final = (
    rf"(?:환불|반품|전액\s?환불){_KO_DO}|(?:환불|반품){_KO_END}|(?:환불|반품)\s?(?:받(?:고|을|게|아)|원해|원합|바랍|싶)|(?:주문|상품|물건|산\s|구매|결제).{0, 20}(?:돈|금액)\s?(?:을\s?)?(?:돌려|다시)"
    rf"|{_EN_WISH}(?:refund|return|send (?:it|this|them) back)\b|\b(?:i want|i'd like|i would like|i need|give me) (?:a |my |the )?(?:full )?(?:refund|money back)|\brefund (?:my|the|this|that|it|me|order)\b|^return (?:the|my|this|that|it|order)\b|get my money back"
)
"""Giving goods back for money."""
EXCHANGE: Final = (
    rf"교환{_KO_DO}|교환\s?(?:받고|원해|바랍)|맞교환|(?:다른|큰|작은|더\s?큰|더\s?작은|새)\s?(?:색|색상|사이즈|걸|것|제품|상품|치수)[가-힣]{{0,3}}\s?(?:으?로\s?)?(?:교환|바꿔|바꾸|교체)"
    rf"|{_EN_WISH}(?:exchange|swap)\b|\b(?:exchange|swap) (?:my|the|this|that|it)\b|\bi(?:'d like| want| would like)? ?(?:a )?replacement|\breplace (?:my|the|this|it)"
)
"""Changing goods for others."""
ADD: Final = (
    r"담아\s?(?:줘|주|줄|놔|둬|달)|담아(?=[\s.!~]|$)|담을게|담을래|담자|담고\s?싶|(?:장바구니|카트)(?:에|에다)?\s?(?:.{0,20})?(?:넣어|넣을|추가|올려)|추가해\s?(?:줘|주)(?=.*(?:장바구니|카트))"
    r"|\b(?:add|put|throw|toss)\b.*\b(?:cart|basket|shopping bag)\b"
)
"""Putting into the cart."""
ADD_AND: Final = r"(?:담고|넣고|담아서|넣어서|담아|넣은\s?다음|담은\s?다음|추가하고|추가해서).{0,12}(?:결제|주문|구매|계산)|(?:add|put)\b.*\b(?:cart|basket)\b.*\b(?:and|then)\b.*\b(?:pay|check ?out|buy|order|purchase)"
"""Putting into the cart and paying at once."""
REMOVE: Final = (
    r"(?:장바구니|카트|담은|담아\s?둔|담았던).{0,30}(?:빼|삭제|지워|지우|제거|없애|비워|비우|덜어)|(?:빼|지워|삭제해)\s?(?:줘|주).{0,10}(?:장바구니|카트)"
    r"|\b(?:remove|take|delete|drop|get rid of)\b.*\b(?:cart|basket)\b|\b(?:empty|clear)\b.*\b(?:cart|basket)\b"
)
"""Taking out of the cart."""
EMPTY: Final = r"비워|비우|전부\s?(?:빼|삭제|지워)|다\s?(?:빼|삭제|지워)|모두\s?(?:빼|삭제|지워)|\b(?:empty|clear)\b|\b(?:everything|all)\b"
"""Taking everything out."""
RECOUNT: Final = (
    r"(?:장바구니|카트|담은).{0,30}(?:수량|\d+\s?개|[한두세네]\s?개|다섯\s?개|하나)\s?(?:를|을)?\s?(?:으로|로)?\s?(?:로\s?)?(?:바꿔|변경|수정|줄여|늘려|맞춰|해\s?(?:줘|주))"
    r"|\b(?:change|set|make|update|increase|reduce)\b.*\b(?:cart|basket)\b.*\bto\b|\b(?:change|set|update) the quantity\b"
)
"""Having another number of something in the cart."""
COUPON: Final = rf"쿠폰(?:을|를|으로|도|만)?\s?(?:.{{0,12}})?(?:적용|사용){_KO_DO}|쿠폰(?:을|를|도|만)?\s?(?:써|쓸게|쓸래|쓰자|쓰고\s?싶)|\b(?:apply|use)\b.*\b(?:coupon|voucher)\b"
"""Having the cart use a coupon."""
REVIEW: Final = (
    r"(?:후기|리뷰|상품평|사용기|별점)(?:를|을|도|좀|이나)?\s?(?:좀\s?)?(?:하나\s?)?(?:쓸게|쓸래|쓰고\s?싶|쓸\s?거|쓰려|써\s?(?:줘|주|볼)|쓸까|남길게|남길래|남기고\s?싶|남길\s?거|남겨\s?(?:줘|주)|남기려|작성|등록|올릴|올려|달게|달아\s?(?:줘|주)|적을|줄게|줄래)"
    r"|별\s?(?:[1-5]|한|두|세|네|다섯)\s?(?:개|점)(?:으?로|짜리)?\s?.{0,14}(?:후기|리뷰|상품평)|\b(?:write|leave|post|submit|add|give)\b.{0,40}\b(?:review|stars?|rating)\b|\breview (?:the|my) .* i (?:bought|ordered|received)|\brate (?:the|my|this|it)\b"
)
"""Writing a review."""
OWN_LISTING: Final = r"내|제|나의|저의|우리|판매\s?중|등록한|올린|\bmy\b|\bour\b|listing"
REPRICE: Final = (
    r"(?:판매가|가격|단가|값|정가)(?:을|를|은|는|도)?\s?.{0,30}(?:바꿔|변경|수정|올려|내려|인상|인하|낮춰|높여|조정|해\s?(?:줘|주)|맞춰)|원(?:으?로)\s?(?:바꿔|변경|수정|올려|내려|낮춰|높여|조정|맞춰|팔)"
    r"|\b(?:change|set|update|raise|lower|reduce|increase|drop|make)\b.{0,50}\bprice\b|\bprice\b.{0,50}\bto\b|\bsell\b.{0,40}\bfor\b"
)
"""Selling at another price."""
RESTOCK: Final = r"재고(?:를|을|는|도)?\s?.{0,24}(?:바꿔|변경|수정|늘려|줄여|채워|맞춰|해\s?(?:줘|주)|조정)|\b(?:change|set|update|restock)\b.{0,50}\bstock\b|\bstock\b.{0,40}\bto\b|\brestock\b"
"""Having another stock."""
PAUSE: Final = r"판매(?:를|을)?\s?(?:중지|중단|멈춰|내려|일시\s?정지|정지)|그만\s?팔|\b(?:pause|stop selling|take down|unlist|suspend)\b"
"""Not offering something for a while."""
RESUME: Final = r"판매(?:를|을)?\s?(?:재개|다시\s?시작|시작)|다시\s?(?:판매|팔)|\b(?:resume|relist|start selling|put .* back on sale)\b"
"""Offering it again."""
LIST: Final = r"(?:새\s?상품|신상품|상품|제품|판매글|판매\s?상품)(?:을|를|으로|하나|도)?\s?(?:.{0,30})?(?:등록|올려|올릴|올리고|만들어|써\s?줘|작성)|등록(?:해\s?(?:줘|주)|할게|할래|하고\s?싶)|\b(?:list|create|add|post)\b.{0,30}\b(?:product|listing|item|for sale)\b"
"""Offering something for the first time."""
ADDRESS: Final = r"(?:기본\s?)?(?:배송지|주소)(?:를|을|는)?\s?.{0,60}(?:으?로)?\s?(?:변경|바꿔|바꾸|수정|고쳐)|\b(?:change|update|set)\b.{0,20}\b(?:shipping |delivery |default )?address\b"
"""Having another address on file."""

# What looks like one of these and asks, reports or denies.
ASKS: Final = (
    r"되나|될까|되는지|되는\s?거|돼\?|돼요\?|되나요|가능(?:해|한|할|하)(?!.*(?:부탁|해\s?줘))|할\s?수\s?(?:있|없)(?:나|어|는지|을까|습니까)|받을\s?수\s?(?:있|없)|어떻게|(?:방법|절차|규정|정책|조건|기간|수수료)(?:은|는|이|가|을|를|도|좀)?\s?(?:뭐|어떻|알려|있|궁금|어디|얼마|\?)|얼마나|얼마|언제|며칠|왜|있나요|있어\?|있을까|하나요\?|해야\s?(?:하|돼|되)|무엇|뭐야|뭐예요"
    r"|\bhow (?:do|can|much|long|many|does)\b|\bcan (?:i|it|this|the|my) (?:still |be )|\bcan i (?:cancel|return|refund|exchange|get)\b|\bis it (?:possible|too late)\b|\bpolicy\b|\bwhy\b|\bwhen\b|\bwhat\b|\bshould i\b|\bam i\b|\bdo i\b|\bdoes\b|\bmay i\b|\bis there\b|\bwhere\b|\bwhich\b"
)
"""Questions about doing something, which do nothing."""
DONE: Final = r"(?:취소|환불|반품|교환|결제|주문|구매)\s?(?:했는데|했더니|한\s?(?:거|것|게|지|주문|물건|상품)|된|됐|되었|완료|내역|목록|취소율|율|상태)|\b(?:i|we) (?:have )?(?:cancel+ed|returned|refunded|bought|ordered|purchased|paid)\b(?!.*\b(?:cancel|refund|return|exchange|review)\b)"
"""Reports of what was done."""
DENIED: Final = r"(?:취소|환불|반품|교환|결제|주문|구매)(?:는|은|를|을|까지|도)?\s?(?:하지\s?(?:말|마|않)|안\s?(?:하|할)|말고|필요\s?없|아니)|취소하려다|\b(?:don't|do not|not|no need to|never) (?:cancel|refund|return|exchange|buy|order|purchase|pay)|\bno (?:cancellation|refund|exchange) needed"
"""What is said not to be done."""
OF_OTHER_MATTERS: Final = r"대출|보증금|전세|월세|청약|주식|펀드|코인|부동산|아파트|항공권|비행기|호텔|기차|\bloan\b|\blease\b|\bdeposit\b|\blandlord|\btenant|\brent\b|\bstocks?\b(?! (?:of|to))|\bshares?\b|\bflight|\bhotel|\bbitcoin"
"""Other matters, on which the shop does nothing."""
EITHER: Final = r"(?:든지|거나|든가)\s|아니면|\bor\b (?:just )?(?:refund|exchange|cancel|return)"
"""One of several things, which a person decides first."""
IF: Final = r"(?:이면|라면|으면|했으면|전이면|됐으면|되면|하면)\s|\bif\b|\bunless\b"
"""A condition, which the plan follows step by step."""
SEVERAL: Final = r"(?:(?:후기|리뷰)[를을도]?\s?쓰고(?!\s싶)|취소하고(?!\s싶)|환불하고(?!\s싶)|조회하고|확인하고|보고|등록하고(?!\s싶)|환불이랑|취소랑|조회랑|남기고(?!\s싶)|해주고)[\s,]|그리고|같이\s?(?:부탁|보여)|\band (?:also|check|show|tell|track)\b"
"""Two requests in one, which are told apart first."""

# What a message says of an order that is under way.
DROPS: Final = (
    r"안\s?(?:살래|살게|사|할래|할게|해|하겠|쓸래)|사지\s?(?:않|말|마)|하지\s?(?:않을|말|마)|그만(?:둘|할|하|두)|그만(?=[\s.!]|$)|관둘|됐어|됐습니다|다음에|나중에|생각\s?(?:해\s?볼|좀)|고민|그냥\s?(?:쓸|둘|안|놔|가질)|보류|포기|마음\s?(?:이\s?)?바뀌|없던\s?(?:일|걸)"
    r"|\b(?:never ?mind|forget it|forget about it|don't (?:want|bother|buy|order|do)|do not (?:buy|order|do)|not (?:now|anymore|interested|going to)|changed my mind|i'll (?:pass|keep it|think)|stop|leave it|skip it|no thanks|maybe later|not today|hold off)\b"
)
"""A no to what is under way, in words of its own."""
YES: Final = r"^(?:네|넵|예|응|어|그래|좋아|오케이|ㅇㅇ|승인|확인|진행|그렇게|yes|yeah|yep|ok|okay|sure|go ahead|proceed|do it|confirm|approve)"
"""A yes, whatever follows."""
ANYWAY: Final = r"그래도|아무튼|어쨌든|무조건|맞다니까|내\s?(?:거|주문)\s?맞|제발|그냥\s?(?:해|진행)|\banyway\b|\bstill\b|\bjust do\b|\binsist\b|\bregardless\b|\bplease\b"
"""Insisting on what was refused."""
MORE: Final = r"더(?!라|니)|추가|\bmore\b|\banother\b|\bextra\b"
LESS: Final = r"(?:빼|줄여|덜)|\b(?:fewer|less)\b"
METHODS: Final = (
    (
        "mobile",
        r"간편\s?결제|카카오\s?페이|네이버\s?페이|삼성\s?페이|토스|애플\s?페이|페이코|\b(?:kakao|naver|samsung|apple|toss|mobile|google) ?pay\b|pay by phone",
    ),
    ("bank_transfer", r"계좌\s?이체|무통장|통장|송금|이체|\b(?:bank|wire) transfer\b|\btransfer\b"),
    ("card", r"카드(?!\s?(?:말고|는\s?말고|빼고|아니|키|지갑))|\b(?:credit |debit |saved )?card\b(?! reader)"),
)
"""The ways to pay by their words."""
OWN_ADDRESS: Final = r"(?:내|제|기본|등록(?:된|해\s?둔)?|저장(?:된)?|원래|우리|늘\s?받던|평소)\s?(?:배송지|주소|집|곳)|집으로|\bmy (?:home|usual|default|saved|registered|own)? ?(?:address|place|home)\b|\bhome\b|\bdefault address\b|\busual address\b"
"""The address on file."""
NEW_ADDRESS: Final = (
    r"(?:배송지|주소|받는\s?곳|받을\s?곳)(?:는|은|를|을|:)?\s(?P<ko>\S[^.!\n]{2,80}?\d[^.!\n]{0,30}?)(?:\s?(?:으로|로|에)(?=\s|[.!]|$)|(?=[.!]|$))"
    r"|(?P<town>(?:서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|충청|전북|전남|전라|경북|경남|경상|제주)\S*\s\S[^.!\n]{2,70}?\d[^.!\n]{0,20}?)(?:으로|로|에)\s?(?:보내|배송|부쳐|바꿔|변경)"
    r"|(?:ship|deliver|send)(?:\s(?:it|them))?\sto\s(?!my\b|the usual|home)(?P<en>[^,.?!]{6,80}(?:,[^.?!]{1,60})?)"
)
NO_COUPON: Final = r"쿠폰(?:은|는|을|도)?\s?(?:빼|쓰지\s?(?:말|않|마)|안\s?(?:쓸|써|쓰)|없이|말고|제외|취소|적용\s?(?:하지|안)|필요\s?없)|\b(?:without|no|not|don't use|remove|skip|drop)\b[^.]{0,16}\bcoupon"
NO_POINTS: Final = r"(?:포인트|적립금|마일리지)(?:은|는|을|도)?\s?(?:빼|쓰지\s?(?:말|않|마)|안\s?(?:쓸|써|쓰)|없이|말고|제외|취소|필요\s?없)|\b(?:without|no|not|don't use|remove|skip)\b[^.]{0,16}\bpoints?"
COUPON_WORD: Final = r"쿠폰|할인권|\bcoupons?\b|\bvouchers?\b"
POINTS_WORD: Final = r"포인트|적립금|마일리지|\bpoints?\b|\brewards?\b"
ALL_POINTS: Final = r"(?:포인트|적립금|마일리지)(?:를|는|을|도)?\s?(?:전부|다|모두|최대(?:한)?|있는\s?(?:대로|만큼)|싹|가능한\s?만큼)|(?:전부|모두|최대한|남은)\s?(?:포인트|적립금)|\b(?:all|max(?:imum)?|every)\b[^.]{0,16}\bpoints\b|포인트로\s?(?:결제|살|사|계산|전부)|\bpay with (?:my )?points\b"
BEST: Final = r"(?:제일|가장|많이|최대|최고|좋은|유리한|큰).{0,8}(?:쿠폰|할인|깎)|\b(?:best|biggest|largest|most)\b[^.]{0,20}\b(?:coupon|discount|off)\b"
PAID_BY: Final = (
    r"(?:카드|계좌\s?이체|간편\s?결제|[가-힣]+페이)(?:으로|로)(?:\s?(?:해|할|부탁))?|\bby card\b|\bwith (?:my )?card\b"
)
"""How something is paid, which said of goods asks to buy them."""
STATES: Final = (
    (("pending",), r"결제\s?(?:안|대기|전|하지\s?않|되지\s?않)|미결제|\bunpaid\b|not (?:yet )?paid|haven't paid"),
    (("paid",), r"결제(?:한|된|완료|했)|\bpaid\b"),
    (("preparing",), r"준비\s?중|being prepared"),
    (
        ("pending", "paid", "preparing"),
        r"(?:배송|발송|출고)\s?(?:안|전|되지|하지)|아직\s?안\s?(?:보낸|나간|온)|not (?:yet )?shipped|hasn't shipped",
    ),
)
"""The states of orders by the words that say them."""
CART: Final = r"장바구니|카트|담은\s?(?:거|것|상품|걸)|담아\s?둔|\bcart\b|\bbasket\b"
