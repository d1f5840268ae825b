"""What sellers say, as regular expressions."""

from typing import Final

from services.domains.commerce.asks.seller.figures import CANCELLED, RETURNED

SALES: Final = r"매출|매상|판매량|판매\s?(?:실적|현황|수량)|팔린|팔렸|팔았|팔리는|(?:많이|잘|얼마나|몇\s?개)\s?(?:나가|나간|나갔)|벌었|취소율|반품률|환불률|방문자|방문객|손님(?:이|은|수)|전환율|마진율|주문(?:이|은)?\s?(?:수|건|몇\s?건)|revenue|\bsales\b|\bsells\b|sold\b|best[- ]?sell|conversion|cancellation rate|return rate|visitors|turnover|\bmov(?:es|ing|ed) (?:the )?(?:\w+ )?(?:slow|fast|quick|least|most|best|worst)"
EARNINGS: Final = rf"{CANCELLED}|{RETURNED}|마진|이익|이윤|수익|순익|margin|profit|orders? did|\b(?:did|have|do) (?:i|we) (?:sell|sold)\b|earn|\b(?:i|we) (?:ship|move|shift)(?:ped|d|ed)?\b"
"""What a seller alone asks of sales; of others it is no sales question."""
PRODUCTS: Final = r"상품|제품|뭐가|(?:게|것|건|거)\s?(?:은|이|는)?\s?(?:뭐|무엇|무슨|어떤)|어떤\s?(?:게|거|것)|1등|1위|products?|items?|which|best[- ]?sell"
GRADED: Final = r"높은|낮은|많은|적은|좋은|나쁜|\bhigh|\blow|\bpoor"
LOWER: Final = r"낮은|적은|나쁜|\blow|\bpoor|worst|least"
PRICING: Final = r"(?:올리|내리|인상|인하|낮추|높이|할인하|깎|바꾸|팔)[가-힣]*(?:면|을\s?경우|때|다면)|\bcharge\b|\bprice (?:it|them) at\b|\bgo (?:up|down) to\b|\bput (?:it|the price) (?:up|down)\b|\bmark(?:ed)? (?:it )?(?:up|down)\b|\b(?:knock|take|shave)\b.*\boff\b|\badd\b.*\bto the price\b|받으면|raise|lower|cut|reduce|increase|drop|discount|sell (?:it |them )?(?:at|for)|시뮬레이션|simulat"
SIMULATION: Final = r"시뮬레이[션트]|simulat"
GAIN: Final = r"이익|이윤|이문|수익|마진|손익|순익|얼마\s?(?:나\s?)?(?:벌|남)|매출|판매량|profit|margin|revenue|sales|남(?:아|나|을)"
DOWN: Final = r"세일|\bsale\b|\bmarkdown\b|\b(?:knock|take|shave)\b.*\boff\b|내리|내려|인하|낮추|낮춰|할인|깎|lower|cut|reduce|drop|discount|decrease|cheaper"
CHANGE: Final = r"견주|견줘|차이|늘었|줄었|올랐|떨어졌|증가|감소|변했|변화|증감|추이|비교|대비|비해|보다\s|against|\bcompare|versus|\bvs\b|\b(?:better|worse) than\b|나은|나아|낫|좋아졌|나빠졌|change|grow|grew|rise|rose|fall|fell|up or down|more than|less than"
FORECAST: Final = r"예측|전망|예상|될까|나올까|들어올까|팔릴까|forecast|predict|expect|projection|will (?:i|we|my|our)"
EFFICIENCY: Final = r"효율|수익성|악성\s?재고|회전율|안\s?(?:팔리|나가)|팔리지\s?않|쌓이|efficien|profitab|dead stock|slow[- ]moving|not selling"
POORLY: Final = r"비효율|낮은|나쁜|안\s?좋|악성|쌓이|안\s?(?:팔리|나가)|팔리지\s?않|inefficient|least|worst|low|poor|dead stock|slow[- ]moving|not selling"
LISTED: Final = r"재고|원가|판매\s?중|판매중지|품절|목록|등록\s?(?:된|한)|가격|값|\bstock\b|\bleft\b|unit cost|sold out|paused|on sale|\blist(?:ed|ings?)?\b"
OWNS: Final = r"내\s|우리|제\s|저희|내가|제가|\bmy\b|\bour\b|\bmine\b|\bi (?:sell|have|list)"
SHOP: Final = r"가게|상점|스토어|매장|쇼핑몰|shop|store|상품|products?|listings?|items?"
NAMED_SHOP: Final = r"(?<![가-힣])(?P<ko>(?!우리|저희|내|제|이번|우리의)[가-힣]{1,8}(?:가게|상점|스토어|마켓|유통|몰))(?:의|은|는|이|가)?\s|\b(?P<en>[A-Z][a-z]+(?:\s(?:Shop|Store|Mall|Market|Trading)))\b"
RULES_OF_LISTING: Final = r"(?:몇\s?(?:자|글자|장|개)|얼마나\s?(?:길|적|써)|기준|조건|규정|제한|필요(?:한|해)|how (?:long|many)|limits?|requirements?|rules?|need)"
LISTING: Final = r"등록|올리|판매글|상품\s?페이지|listing|list (?:a|my|this)|post"
CHECK: Final = (
    r"검토|점검|봐\s?줘|봐\s?주|괜찮|해도\s?(?:되|돼|될)|문제|확인해|check|review|look over|ok(?:ay)?\b|valid"
)
