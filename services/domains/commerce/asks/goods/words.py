"""What people say of goods, as regular expressions: each names one thing that is asked or wanted."""

import re
from typing import Final

from services.text.patterns import Pattern

ACT: Final = (
    r"담아\s?(?:줘|주|줄)|담을게|담자|담고|(?:장바구니|카트)에|넣어\s?(?:줘|주)|추가해|빼\s?(?:줘|주)|삭제|비워\s?(?:줘|주세요|줄래|라)|(?:주문|결제|구매)\s?(?:해|할게|할래|하겠|진행|하려|하고\s?싶|부탁)"
    r"|살게|살래|사\s?줘(?!야)|취소|환불|반품|교환|(?:후기|리뷰)(?:를|을)?\s?(?:쓰|쓸|쓴|써|남기|남길|남겨|작성|등록|올리|올릴|올려)|별점.*(?:줄|남|달)|판매글|등록|시킨|주문한|샀는데|배송\s?(?:조회|상태|언제|어디)"
    r"|\badd\b.*\bto\b|\bput\b.*\b(?:cart|basket)\b|\bplace an order|\border (?:it|this|that|the|two|a)\b|\bbuy (?:it|this|that|now|the|two)\b|check ?out|\bwrite\b|\bleave a\b|\bremove\b|\bcancel\b(?!l)|\brefund|\breturn\b"
    r"|\bexchange|\bmy (?:order|cart|basket)|\bpay\b|\bcart\b|\bbasket\b|i bought|i ordered"
)


BESIDE_GOODS: Final = r"매출|원가|마진|이익|탄력|실적|전망|고장|수리|\brevenue|\bprofit|elasticity"
"""What a shop earns, and what becomes of goods that were bought: no list of goods answers that."""
REVIEWS: Final = r"(?:후기|리뷰|상품평|사용기|평가)(?!\s?(?:가|는|도|이)?\s?(?:많|좋|수|높|\d|제일|가장))|평(?:이|은)\s?어때|(?:산|사신|써\s?본|쓰는|쓰고\s?있는|구매한|사용한|구매하신)\s?(?:사람|분)|구매자|(?:뭐|어떻|좋|괜찮|쓸\s?만하|별로|만족한)(?:다|았|했|라)?(?:래|대)요?(?=\s|[?.!]|$)|\breviews?\b(?! count)|what (?:do|are|did) (?:people|buyers|customers|owners|users|others) (?:say|think)|\bcomplain(?:ts?|ing|ed)?\b"


MOST_REVIEWS: Final = r"(?:most|많은|많이|최다)\s?(?:\w+\s)?(?:reviews|reviewed|리뷰|후기|팔린)|(?:리뷰|후기)(?:가|이|\s)*\s?(?:제일|가장|젤)?\s?많|인기|popular|best[- ]?sell|잘\s?(?:팔|나가)"


RATED: Final = (
    r"평점|별점|평(?:판|가)?[이가]?\s?(?:제일|가장|젤|더)?\s?좋|\brat(?:ed?|es|ing|ings)\b|best reviewed|stars?\b"
)


DEAR: Final = r"비싼|비싸|(?<![가-힣])고가(?![가-힣])|(?<!least )(?<!less )expensive|priciest|dearest|costs? (?:you )?(?:the )?(?:most|more)\b|highest[- ]price"


CHEAP: Final = r"싼|싸|저렴|최저가|가성비|낮은\s?가격|cheap|lowest[- ]price|least expensive|affordable|costs? (?:the )?(?:least|less)"


SORTED: Final = r"순(?:으로|서|대로|\s|$)|정렬|\bsort|\bordered by\b|\bby price\b"


FIRST: Final = r"1\s?[등위](?!급)|일등(?!급)|첫\s?번째|맨\s?(?:위|앞)|number one|\bfirst\b"
"""The first of an order that is said."""


TOP: Final = (
    r"(?:탑|톱|\btop|베스트|\bbest)\s?\d+|많이\s?(?:하는|되는|해주는|깎)|(?:크게|왕창|제대로)\s?(?:하는|되는|깎)"
)
"""Wishes for the first of a class, without a superlative."""
PLACED: Final = r"(?:평점|별점|평|리뷰|후기|상품평|할인율?)\s?(?:수|순)?[이가]?\s?(?:1\s?[등위]|일등)(?!급)"
"""Wishes for the first by a figure that stands before its place: "평점 1위"."""


PICKS: Final = (
    r"\bwhich (?:one\b|(?:\w+\s){0,3}(?:would|should|do|could|shall) (?:you|i|we)\b)|\bwhat (?:would|should|do) (?:you|i|we) (?:pick|choose|get|buy|recommend)"
    r"|(?:뭐가|뭘|어느\s?게|어떤\s?게|무엇이)\s?(?:제일\s?)?(?:좋|나|괜찮|사(?:면|야)|골라|고르)"
    r"|(?:하나|한\s?(?:대|개|켤레))(?:만|쯤|정도)?\s?(?:골라|추천|찍|사(?:려|고\s?싶|야|볼까|줄)|장만|구입|구매|들이|들여|필요|마련|주문하려)"
)
"""Wishes for one that suits, without a word of advice."""


CHEAPER: Final = r"더\s?(?:싼|싸|저렴한?)(?!\s?순)|\bcheaper\b|less expensive"


DEARER: Final = r"더\s?(?:비싼|좋은)|\bpricier\b|more expensive|\bbetter one"


TOTAL: Final = r"합쳐|합해|합치|합계|총|다\s?해서|전부\s?(?:해서|합)|모두\s?(?:해서|합)|통틀어|둘이|\b(?:the (?:pair|two|three|lot)|both|they|those) (?:of them )?(?:cost|come to)\b|in total|in all\b(?! (?:of|the|colou?rs|sizes))|altogether|together|for (?:both|all|the (?:pair|two|three|four|five|six|lot|set))|combined|\btotal\b"


ADDED: Final = (
    r"더하|추가|얹|보태|같이\s?사|함께\s?사|\badd(?:ing|ed)?\b|\bplus\b|along with|together with|\btoo\b|as well"
)
"""Puts goods beside others: what they come to is meant."""


BUYS_ALL: Final = r"(?:둘|셋|넷|전부|모두|다|같이|한꺼번에)\s?(?:다\s?)?(?:사|살|구매|구입|주문|결제)|\b(?:buy|get|take|order)(?:ing)?\s(?:them\s)?(?:both|all|the (?:two|three|pair|lot))\b"
"""Buys all of what was told of."""
HOW_MANY_FOR: Final = r"몇\s?(?:개|대|켤레|병|통|권)(?:까지|나|정도)?\s?(?:를\s?)?(?:살|사|구매|구입|주문|가능|되|돼)|\bhow many\b.{0,40}\b(?:buy|get|afford|order)\b"
"""How many pieces a sum buys."""
HOW_MUCH: Final = r"얼마|가격|값|몇\s?원|비용|how much|\bprice\b|\bcosts?\b"


TO_FREE: Final = (
    r"(?:얼마|몇\s?원|금액)\S{0,3}\s?(?:를|을)?\s?(?:더|추가).{0,20}(?:무료|배송비)|무료\s?배송.{0,16}(?:얼마|몇\s?원).{0,4}\s?(?:더|추가|모자|남)"
    r"|무료\s?배송(?:이|은)?\s?(?:되나|돼|될까|인가요|가능한가)|\b(?:how )?much more\b.{0,60}\bfree (?:shipping|delivery)\b"
    r"|\bfree (?:shipping|delivery)\b.{0,30}\bmuch more\b|\b(?:do|would|will|can) i (?:get|have|qualify for)\b.{0,12}\bfree (?:shipping|delivery)\b"
)
"""Asks what is lacking for a way that costs nothing."""
SHIPPING: Final = rf"배송비|택배비|배송료|shipping|delivery (?:fee|cost|charge)|{TO_FREE}"


STOCK: Final = r"재고|품절|남(?:았|아|은|음)|살\s?수\s?있|넉넉|in stock|sold out|available|how many (?:are |of )?.*(?:left|stock|remain)|\bleft\b"


IN_STOCK: Final = r"재고\s?(?:있는|가?\s?있는|남은|만)|품절\s?(?:말고|빼고|제외|아닌)|바로\s?(?:살|받을)\s?수\s?있는|in[- ]stock|(?:are|is) available|not sold out"


ON_SALE: Final = (
    r"할인\s?(?:중|하는|되는|된|상품|하고)|세일\s?(?:중|하는|상품)|\bon sale\b|(?<!most )(?<!least )discounted"
)


GIFT: Final = r"선물|상품|물건|제품|살\s?만한|살\s?거|뭐\s?살|something|anything|\bgift|\bpresent\b|\bproducts?\b|what (?:should|to) buy|what (?:should|can|could|do) i (?:get|buy|give)\b|쇼핑"


ACCESSORY: Final = r"(?:케이스|커버|필름|거치대|받침대|받침|충전기|충전\s?케이블|보호\s?유리|키스킨|덮개|패드|필터\s?(?:교체|만)|리필|시트지|\bcases?\b|\bcovers?\b|screen protectors?|\bchargers?\b|\bstand\b(?!ing)|\bsleeves?\b|\bpads?\b)"


BACK: Final = (
    r"다시|돌아가|아까|앞에서|그\s?중|중에|중에서|back to|of (?:those|these|them)|again|which of|earlier|방금|보여\s?준"
)


CODE: Final = Pattern(r"(?<![A-Za-z0-9])(?P<code>[A-Za-z]\d{2,3})(?![A-Za-z0-9])")


RATING: Final = Pattern(r"평점|별점|별|rat(?:ed|ing)|stars?", re.IGNORECASE)


STOCKED: Final = Pattern(r"재고|남은|남아|남았|stock|left|available|units", re.IGNORECASE)
POPULAR: Final = r"많은|인기|popular|best[- ]?sell|잘\s?(?:팔|나가)"
WELL_RATED: Final = (
    r"(?:평점|별점|평|평판|후기|리뷰)(?:이|가|도)?\s?(?:좋은|좋고|괜찮은|높은)(?!\s?(?:순|거|것|걸))|\bwell[- ](?:reviewed|rated)|\bhighly[- ]rated"
    r"|\b(?:good|great|decent|solid|high|strong) (?:reviews|ratings?)(?!\s(?:first|order))"
)
"""Wishes for goods that others were content with, in no order."""
HIGHLY: Final = r"(?:높|좋)은\s?(?:거|것|걸|순|건|쪽)|(?:best|top|highly)[- ]rated"
EACH: Final = (
    r"[만천원]\s?씩|개당|한\s?(?:개|대|켤레)(?:에|당)|하나(?:에|당)|각각|\beach\b|apiece|\bper (?:piece|unit)\b"
)
_SO_MANY: Final = r"(?:두|둘|세|셋|네|넷|다섯|여섯|일곱|여덟|열|[2-9]|\d{2,})\s?(?:개|대|켤레|벌|자루|세트)"
FOR_SO_MANY: Final = (
    rf"{_SO_MANY}에\s?(?:합쳐\s?|전부\s?)?[\d일이삼사오육칠팔구십백천만]|{_SO_MANY}(?:를|을)?\s?\d\S{{0,8}}\s?(?:안에|안으로|안쪽|이내|내로)"
    r"|\b(?:two|three|four|five|six|[2-9])\b(?:\s[a-z-]+){1,4}\s(?:within|all for|in)\s(?:₩|KRW\s?)?\d"
)
"""So many for so much: "두 개에 9만원", "두 개 12만원 안에"."""
HAS_MONEY: Final = (
    r"\b(?:have|got)\b.{0,8}\d.{0,12}\bfor\b|예산|가지고|있는데|있어서|원(?:으로|에)\s.*(?:사|살|구매|구입|주문|되|돼)|안에서|안으로"
    r"|\bbudget\b|\b(?:have|got)\b.*\bwon\b|\bspend\b|\bwith (?:only )?(?:₩|KRW|\d)|\bfor (?:under |less than )?(?:₩|KRW|\d)"
)
REVIEW_COUNT: Final = Pattern(r"리뷰|후기|reviews?", re.IGNORECASE)


SIZES: Final = Pattern(
    r"(?<!\d)(2[2-9]\d|3[0-2]\d)\s?(?:mm|밀리|사이즈|size|신는|짜리)|(?:사이즈|size)\s?(2[2-9]\d|3[0-2]\d)",
    re.IGNORECASE,
)


DENIED: Final = r"\s?(?:은|는|이|가|을|를)?\s?(?:말고|빼고|제외|아닌|없이)"


DENIED_EN: Final = r"(?:other than|not|except|without|no)\s(?:the\s|an?\s)?$"


DIFFERENCE: Final = r"비교|차이|더\s|어느|중에|vs|versus|compare|differen|which|cheaper"
ENOUGH: Final = r"(?:포인트|적립금)(?:으로|로)\s?.{0,30}(?:[살낼할]\s?수|되나|돼|될까|모자|충분)|(?:포인트|적립금)(?:가|이|은|는)?\s.{0,30}(?:보다\s?(?:많|적|크|작)|값이\s?(?:되|돼))|\bmore points than\b|\bpoints\b.{0,12}\bmore than\b|\b(?:buy|get|pay for|afford)\b.{0,40}\bwith (?:just |only )?(?:my )?points\b|\benough points\b|\bpoints (?:be )?enough\b|\bcover\b.{0,30}\bpoints\b|\bpoints\b.{0,20}\bcover\b"
"""Asks whether points pay for goods."""
MY_REWARDS: Final = rf"{ENOUGH}|(?:내|제|나의|가진|있는|보유)\s?(?:\S+\s)?(?:쿠폰|포인트|적립금)|\b(?:my|best)\s(?:\w+\s){{0,2}}(?:coupons?|points?)"
HAS_FEATURE: Final = r"기능|지원|되나|되는|돼|됩니까|되어\s?있|달려|달린|내장|들어\s?있|있(?:어|나|나요|어요|음|는지)\s?\??$|인가|맞아|\bdoes\b|\bdo\b|\bhas\b|\bis (?:the|it|this)\b|\bcan\b"
SELLS: Final = r"\bdo you (?:have|sell|carry)\b|파나|팔아|파는|판매"

MODEL: Final = Pattern(r"[A-Z]\d{2,3}")
"""A model code as names write it."""
