"""What sellers say, as regular expressions."""

from typing import Final

SALES: Final = r"매출|판매량|팔린|팔렸|취소율|반품률|환불률|방문자|전환율|마진율|revenue|\bsales\b|sold\b|best[- ]?sell|conversion|cancellation rate|return rate|visitors"


PRODUCTS: Final = r"상품|제품|뭐가|어떤\s?(?:게|거|것)|1등|1위|products?|items?|which|best[- ]?sell"


PRICING: Final = r"(?:올리|내리|인상|인하|낮추|높이|할인하|깎|바꾸|팔)[가-힣]*(?:면|을\s?경우|때)|raise|lower|cut|reduce|increase|drop|discount|sell (?:it |them )?(?:at|for)"


GAIN: Final = r"이익|수익|마진|손익|profit|margin|남(?:아|나|을)"


DOWN: Final = r"내리|내려|인하|낮추|낮춰|할인|깎|lower|cut|reduce|drop|discount|decrease|cheaper"
