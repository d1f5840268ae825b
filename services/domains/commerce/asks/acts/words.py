"""The words by which a message asks the shop to do something, and those that only look like it."""

from typing import Final

from services.plugin.asks.sheet import Sheet
from services.text.ko.conjugation import Verb, wished, wished_of

# What wishes an English verb, before it; one or two words may stand between.
_EN_WISH: Final = (
    r"(?:^|[.!,;]\s|\b(?:please|pls|plz|kindly|just|go ahead and|(?:want|wanna|need|like|love|ready|going|trying|hoping|decided) (?:you )?to|wanna|gonna"
    r"|i'll|i will|let me|let's|(?:can|could|would|will) (?:you|we)|and|then|now|just|actually|anyway|ok|okay|yes)\s)"
    r"(?:(?:please|just|kindly|also|go ahead and|now|then)\s){0,2}"
)
_KO_END: Final = r"(?:\s?좀)?(?:이?요|여|용)?(?=\s*[.!~]*$|[.!,]\s|\sORD-)"
_BUY: Final = Verb("사", "사", "살")
_SPEND: Final = Verb("지르", "질러", "지를")
_UNDO: Final = (Verb("무르", "물러", "무를"), Verb("물리", "물려", "물릴"))
_SEND_BACK: Final = (Verb("돌려보내", "돌려보내", "돌려보낼"), Verb("돌려 보내", "돌려 보내", "돌려 보낼"))
_PUT: Final = (Verb("담", "담아", "담을"), Verb("집어넣", "집어넣어", "집어넣을"))
_PUT_IN: Final = (Verb("넣", "넣어", "넣을"), Verb("올려놓", "올려놔", "올려놓을"), Verb("추가하", "추가해", "추가할"))
_TAKE: Final = (
    *(
        Verb("빼", "빼", "뺄"),
        Verb("지우", "지워", "지울"),
        Verb("없애", "없애", "없앨"),
        Verb("비우", "비워", "비울"),
        Verb("치우", "치워", "치울"),
    ),
    *(
        Verb("내려놓", "내려놔", "내려놓을"),
        Verb("꺼내", "꺼내", "꺼낼"),
        Verb("덜", "덜어", "덜"),
        Verb("삭제하", "삭제해", "삭제할"),
    ),
    *(Verb("제거하", "제거해", "제거할"), Verb("제외하", "제외해", "제외할")),
)
_WRITE: Final = (
    *(Verb("쓰", "써", "쓸"), Verb("남기", "남겨", "남길"), Verb("적", "적어", "적을"), Verb("달", "달아", "달")),
    *(Verb("올리", "올려", "올릴"), Verb("작성하", "작성해", "작성할"), Verb("등록하", "등록해", "등록할")),
)
_GIVE: Final = Verb("주", "줘", "줄")
_CHANGE: Final = Verb("바꾸", "바꿔", "바꿀")
PURCHASE: Final = (
    rf"(?:결제|주문|구매)\s?완료\s?(?:해(?!\S*\s?(?:주셔|서))|시켜|부탁)|{wished_of('결제|주문|구매|구입|결재|(?<!액)(?<!금)(?<!비)(?<!률)(?<!율)(?<!값)(?<!돈)(?<!자)(?<!세)(?<![액금비률율값돈자세] )계산')}|(?<!내\s)(?<!제\s)(?:결제|주문|구매|구입){_KO_END}|(?<![가-힣])(?<![안못]\s){wished(_BUY)}|(?<![안못]\s){wished(_SPEND)}"
    rf"|{_EN_WISH}(?:buy|purchase|order|check ?out|pay for)\b|\bplace (?:an|the|my) order|\bbuy (?:it|this|that|one|two|the)\b|\bcheck ?out\b|i(?:'ll| will) take (?:it|this|that|one|two|the)"
    r"|\b(?:i want|i'd like|i would like) (?:to (?:buy|order|purchase)|\d+|two|three|one of)"
)
"""Buying."""
TAKES: Final = rf"{_EN_WISH}(?:get|grab|take|send|ship|ring up)\b|\b(?:i'll|let me) have\b|\bi'll go (?:with|for)\b"
"""Words that buy goods which stand beside them: "could you get me two of the M10 mice"."""
NEEDS: Final = r"\bi(?:'d)? (?:need|want|like)\b|필요(?:해|한데|합니다)"
"""Wishes for goods; with how they are paid it buys them."""
ANY_PAYMENT: Final = r"카드|계좌\s?이체|[가-힣]{2,4}페이|\bcard\b|bank transfer|\b\w+ ?pay\b"
"""A way to pay, wherever it stands."""
CANCEL: Final = (
    rf"{wished_of('취소|철회|캔슬')}|취소{_KO_END}|{wished(*_UNDO)}|없던\s?(?:걸|일)로"
    rf"|{_EN_WISH}(?:cancel|call off|undo|revoke)\b|\bcancel (?:my|the|this|that|it|order|ord)|\bcancel it\b"
)
"""Calling an order off."""
CANCEL_BACK: Final = r"취소\s?(?:하고|하고서|해서|한\s?(?:다음|뒤|후)에?)\s?.{0,6}(?:환불|돈)|\bcancel\b.{0,40}\band (?:get|have|give me) (?:a |my |the )?(?:full )?(?:refund|money back)"
"""Calling an order off for its money, which is one thing and not two."""
_IF_CAN: Final = r"(?:(?![,.]).){0,16}[?.]?\s?(?:되면|된다면|되는\s?거면|가능하면|가능하다면|할\s?수\s?있으면)\s?(?:\S+\s)?(?:해|진행|접수|신청|처리|부탁)"
"""Asks whether something can be done, and to do it if it can."""
REFUND: Final = (
    rf"(?:돈|금액)(?:을|은|좀)?\s?(?:다시\s?|도로\s?)?돌려\s?(?:줘|주세|주실|달라)|(?:환불|반품){_IF_CAN}|{wished_of('환불|반품|반송|전액 환불')}|(?:환불|반품){_KO_END}|(?:환불|반품)\s?(?:받(?:고|을(?!\s?수)|게|아(?!\s?본))|싶)|{wished(*_SEND_BACK)}"
    r"|(?:주문|상품|물건|산\s|구매|결제).{0,20}(?:돈|금액)\s?(?:을\s?)?(?:돌려|다시)"
    rf"|{_EN_WISH}(?:refund|return|(?:send|give|take|ship)\s(?:\S+\s){{1,5}}back)\b|\b(?:want|like|need|get|give me) (?:a |my |the )?(?:full )?(?:refund|money back)|\brefund (?:my|the|this|that|it|me|order)\b|^return (?:the|my|this|that|it|order)\b"
)
"""Giving goods back for money."""
FAULT: Final = (
    r"고장|불량|파손|하자|흠집|깨졌|깨져|망가|(?:소리|작동|상태|화면|전원|냄새)\S{0,2}\s?(?:좀\s)?(?:이상|안\s?(?:나|돼|켜))|삐걱|흔들거|덜컹"
    r"|\b(?:broken|faulty|defective|damaged|cracked|wobbl\w*|rattl\w*|stopped working|not happy|unhappy|disappointed)\b"
)
"""What goods have that somebody got and that are not as they should be."""
EXCHANGE: Final = (
    rf"(?:{FAULT}).{{0,20}}(?:{wished(_CHANGE)})|다른\s(?:\S+\s)?\S{{1,6}}로\s?(?:{wished(_CHANGE)})|교환{_IF_CAN}|{wished_of('맞?교환')}|교환\s?받고|맞교환|(?:다른|큰|작은|더\s?큰|더\s?작은|새)\s?(?:색|색상|사이즈|걸|것|제품|상품|치수)[가-힣]{{0,3}}\s?(?:으?로\s?)?(?:교환|바꿔|바꾸|교체)"
    rf"|{_EN_WISH}(?:exchange|swap)\b|\b(?:exchange|swap) (?:my|the|this|that|it)\b|\bi(?:'d like| want| would like)? ?(?:a )?replacement|\breplace (?:my|the|this|it)"
)
"""Changing goods for others."""
_INTO: Final = r"(?:장바구니|카트|바구니)(?:에|에다|에다가|로|으로)?\s?(?:.{0,20})?"
ADD: Final = (
    rf"{wished(*_PUT)}|{_INTO}(?:{wished_of('추가')})|담아\s?(?:놔|둬)|{_INTO}(?:{wished(*_PUT_IN)})|(?:{wished(*_PUT_IN)})(?=.*(?:장바구니|카트))"
    r"|\b(?:add|put|throw|toss|drop|pop|stick|place)\b.*\b(?:to|in|into)\b.*\b(?:cart|basket|shopping bag)\b"
)
"""Putting into the cart."""
PUTS: Final = rf"{wished(*_PUT)}|{wished(*_PUT_IN)}|{_EN_WISH}(?:add|put|throw|toss|drop in|pop|stick)\b"
"""Putting somewhere, of a cart that was spoken of just before."""
_COUNTS: Final = (Verb("늘리", "늘려", "늘릴"), Verb("줄이", "줄여", "줄일"), Verb("맞추", "맞춰", "맞출"))
VERBS: Final = (*_COUNTS, _BUY, _SPEND, *_UNDO, *_SEND_BACK, *_PUT, *_PUT_IN, *_TAKE, *_WRITE, _GIVE, _CHANGE)
"""The verbs of acts: one that joins ("빼고 ...") wishes what the verb behind it wishes."""
INTO_END: Final = (
    r"(?:장바구니|카트|바구니)(?:에|에다가?|로)?\s*[.!~]*$|\b(?:in|into|to) (?:my |the )?(?:cart|basket|bag|trolley)\b"
)
"""Goods into the cart, where the verb is left out."""
PUT_BY: Final = r"(?:장바구니|카트|바구니)에\s(?!있|담긴|담은|담겨|담아|들어|뭐|몇|남)(?:\S+\s?){1,8}(?:좀|부탁\S*|\d+\s?개|개|하나|둘|셋)\s*[.!~]*$|(?:장바구니|카트|바구니)(?:에|에다가?|로)?\s?(?:\S{1,4}\s)?(?:넣|담)(?:고|아|어|은|을)"
"""Goods into the cart, in passing."""
LATER: Final = r"나중에|이따|다음에|\blater\b"
"""Puts buying off."""
ADD_AND: Final = r"(?:담고|넣고|담아서|넣어서|담아|넣은\s?다음|담은\s?다음|추가하고|추가해서).{0,60}(?:결제|주문|구매|계산)|(?:add|put)\b.*\b(?:cart|basket)\b.*\b(?:and|then)\b.*\b(?:pay|check ?out|buy|order|purchase)"
"""Putting into the cart and paying at once."""
REMOVE: Final = (
    rf"(?:장바구니|카트|담은|담아\s?둔|담았던|담긴|담겨\s?있는).{{0,40}}(?:{wished(*_TAKE)})|(?:{wished(*_TAKE)}).{{0,10}}(?:장바구니|카트)"
    r"|\b(?:remove|take|delete|drop|get rid of)\b.*\b(?:cart|basket)\b|\b(?:empty|clear)\b.*\b(?:cart|basket)\b"
    r"|^(?!.*\b(?:what|which|how|buy|order|pay|check ?out|cheapest)\b).*\b(?:from|out of|off) (?:my|the) (?:cart|basket|bag|trolley)\b"
    r"|\b(?:cart|basket)\b.*\b(?:get|take|throw|kick) (?:it|that|them|those) out\b"
)
"""Taking out of the cart."""
EMPTY: Final = r"비워|비우|전부\s?(?:빼|삭제|지워)|다\s?(?:빼|삭제|지워)|모두\s?(?:빼|삭제|지워)|\b(?:empty|clear)\b|\b(?:everything|all)\b"
"""Taking everything out."""
LEFT_OUT: Final = r"(?:만|은|는|를|을)?\s?(?:빼고|뺀|제외|말고|빼)"
"""Behind goods that are left out."""
LEAVES_OUT: Final = (
    r"\b(?:except(?: for)?|without|but(?: not)?|minus|leav(?:e|ing) out|skip(?:ping)?)\s(?:the\s|my\s)?$"
)
"""Before goods that are left out."""
STAYS: Final = (
    r"(?:만|은|는|를|을)?\s?(?:\S{1,4}\s)?(?:남기|남겨|놔두|놔둬|두고|빼고|제외)|\s(?:stays?|can stay|is staying)\b"
)
"""Behind goods that stay in the cart."""
KEEPS: Final = r"\b(?:keep(?:ing)?|leav(?:e|ing)|except(?: for)?|but)\s(?:only\s|just\s)?(?:the\s|my\s)?$"
"""Before goods that stay in the cart."""
TAKE: Final = wished(*_TAKE)
"""Taking out, of whatever is under way."""
TAKES_OUT: Final = rf"{TAKE}|{_EN_WISH}(?:remove|delete|drop|get rid of|take (?:\S+ ){{1,4}}(?:out|off))(?:\s|[.!]|$)"
"""Taking out, in both languages, of a cart that stands somewhere in the message."""
BOUGHT_BEFORE: Final = r"(?:어제|그제|지난|저번|아까|방금|전에|예전).{0,12}(?:산|샀|시킨|주문한|결제한)|받은|\b(?:i|we) (?:\w+ )?(?:bought|ordered|received)\b|\b(?:yesterday|last week|earlier)\b"
"""Speaks of what was bought before."""
RECOUNT: Final = (
    r"(?:장바구니|카트|담은|담긴).{0,30}(?:수량|개수|갯수).{0,10}로\s*[.!~]*$|"
    r"(?:장바구니|카트|담은|담긴).{0,30}(?:수량|\d+\s?개|[한두세네]\s?개|다섯\s?개|하나|둘|셋)\s?(?:를|을|만)?\s?(?:으로|로)?\s?(?:로\s?)?(?:바꿔|변경|수정|줄여|늘려|맞춰|해\s?(?:줘|주))"
    r"|\b(?:change|set|make|update|increase|reduce|bump|raise|lower)\b.*\b(?:cart|basket)\b(?=.*\b(?:\d+|one|two|three|four|five|six|ten)\b)|\b(?:change|set|update) the quantity\b|\b(?:put|have|want|like|need)\b.*\b(?:cart|basket)\b.*\b(?:instead|rather than)\b"
)
"""Having another number of something in the cart."""
COUPON: Final = rf"쿠폰(?:을|를|으로|도|만)?\s?(?:.{{0,12}})?(?:{wished_of('적용|사용')})|쿠폰(?:을|를|도|만)?\s?(?:써|쓸게|쓸래|쓰자|쓰고\s?싶)|\b(?:apply|use)\b.*\b(?:coupon|voucher)\b"
"""Having the cart use a coupon."""
REVIEW: Final = (
    rf"[1-5]\s?점\s?(?:을\s?|으로\s?)?(?:주고|줄게|줄래|드릴게|드려)|(?:후기|리뷰|상품평|사용기|별점)(?:를|을|도|좀|이나)?\s?(?:(?:좀|하나|한번|한\s?줄|간단히|짧게)\s?){{0,2}}(?:{wished(*_WRITE)}|{wished_of('작성|등록')}|쓸까|줄게|줄래)"
    rf"|별점?\s?(?:[1-5]|하나|한|둘|두|셋|세|넷|네|다섯)\s?(?:개|점)?\s?(?:를|을)?\s?(?:{wished(_GIVE)})|{_EN_WISH}review\s(?:the|my|this|it)\b(?!\s(?:order|text))"
    r"|별\s?(?:[1-5]|한|두|세|네|다섯)\s?(?:개|점)(?:으?로|짜리)?\s?.{0,14}(?:후기|리뷰|상품평)|\b(?:write|leave|post|submit|add|give)\b.{0,40}\b(?:review|stars?|rating)\b|\breview (?:the|my) .* i (?:bought|ordered|received)|\brate (?:the|my|this|it)\b"
)
"""Writing a review."""
REPRICE: Final = (
    r"\b(?:put|mark|bring|take|knock)\b.{0,60}\b(?:down|up)\b.{0,12}\bto\b|"
    r"(?:판매가|가격|단가|값|정가)(?:을|를|은|는|도)?\s?.{0,30}(?:바꿔|변경|수정|올려|내려|인상|인하|낮춰|높여|조정|해\s?(?:줘|주)|맞춰)|원(?:으?로)\s?(?:바꿔|변경|수정|올려|내려|낮춰|높여|조정|맞춰|팔)"
    r"|\b(?:change|set|update|raise|lower|reduce|increase|drop|make)\b.{0,50}\bprice\b|\bprice\b.{0,50}\bto\b|\bsell\b.{0,40}\bfor\b"
)
"""Selling at another price."""
RESTOCK: Final = r"재고(?:를|을|는|도)?\s?.{0,24}(?:바꿔|변경|수정|늘려|줄여|채워|맞춰|해\s?(?:줘|주)|조정)|\b(?:change|set|update|restock|add|put|take|remove|raise|lower|increase|reduce)\b.{0,50}\bstock\b|\bstock\b.{0,40}\bto\b|\brestock\b|\d+ (?:more|extra|additional)\b.{0,20}\b(?:came|arrived|received|delivered|got in|in)\b"
"""Having another stock."""
PAUSE: Final = r"판매(?:를|을)?\s?(?:\S{1,4}\s)?(?:중지|중단|멈춰|내려|일시\s?정지|정지)|그만\s?팔|안\s?팔(?:래|게|겠|고\s?싶)|팔지\s?(?:않을|말)|판매\s?쉬|\b(?:pause|stop selling|take down|unlist|suspend)\b"
"""Not offering something for a while."""
RESUME: Final = r"판매(?:를|을)?\s?(?:재개|다시\s?시작|시작)|다시\s?(?:판매|팔)|\b(?:resume|relist|start selling|put .* back on sale)\b"
"""Offering it again."""
RESTS: Final = r"쉬게|쉴게|쉬자|쉬어|내려\s?(?:줘|놔|두)|\boff (?:sale|the shelf)\b|\bpull\b|\btake\b.{0,40}\boff\b"
"""Sells a model no more for a while."""
SELLS_AT: Final = (
    r"\b(?:set|put|change|make|bring|move|raise|lower|drop|cut|increase|reduce|bump|push|take|mark|adjust|update)\b.{0,60}\bto\b.{0,6}\d|(?:판매가|가격|값|정가|단가)\S{0,2}\s.{0,6}\d[\d,.]*\s?(?:만|천)?\s?원?\s?(?:으로|로)|재고\S{0,2}\s.{0,6}\d+\s?개?\s?(?:으로|로)|(?:원|만|천)\s?(?:에|으로)\s?(?:팔|판매|내놓|올려)|(?:할인|세일|인하|인상)\s?(?:해서|하고|해)?\s?.{0,6}(?:팔|판매|할게|할래|하고\s?싶|해\s?줘|해\s?주)|\d+\s?(?:개|대)\s?(?:로|으로|입고|들어왔|있|남)"
    r"|(?:당분간|잠깐|잠시|이번\s?주|며칠).{0,12}(?:쉬|쉴|내리|내릴|안\s?팔|멈|중지)|쉬게\s?해|내려\s?(?:줘|놔|두)"
    r"|\bby (?:KRW ?|₩)?\d|\boff (?:sale|the shelf)\b|\b(?:has|have|got|down to|up to|now|at)\b.{0,16}\d|\bpull\b|\btake\b.{0,40}\boff\b|\d+ ?(?:%|percent) off\b|\d+ (?:more|extra|additional)\b.{0,20}\b(?:came|arrived|received|delivered|got in|in)\b"
    r"|\bprice (?:goes |is )?(?:down|up)\b.{0,8}\d|\d+\s?(?:%|퍼센트|프로)\s?(?:인하|인상|다운|업)(?:\s|$|해)"
)
"""What a seller says of a model of theirs that is to be sold otherwise, in other words than its price or its stock."""
STARS: Final = (
    r"별(?:점|\s?[1-5한두세네다]|\s?(?:하나|둘|셋|넷))|(?<![0-9])[1-5]\s?점|\bstars?\b|\b[1-5] (?:out )?of 5\b"
)
"""Speaks of stars that are given."""
LOOKS_FOR: Final = r"보여|찾아|추천|골라|있는\s?(?:거|것)|이상|넘는|\b(?:show|find|recommend|looking for|with at least|or (?:more|better|higher)|any)\b"
"""Looks for goods."""
LIST: Final = r"(?:새\s?상품|신상품|상품|제품|판매글|판매\s?상품)(?:을|를|으로|하나|도)?\s?(?:.{0,30})?(?:등록|올려|올릴|올리고|만들어|써\s?줘|작성)|등록(?:해\s?(?:줘|주)|할게|할래|하고\s?싶)|\b(?:list|create|add|post)\b.{0,30}\b(?:product|listing|item|for sale)\b"
"""Offering something for the first time."""
ADDRESS: Final = (
    r"(?:배송지|주소(?!창|록))(?:를|을|는|도|지)?\s?.{0,60}?(?:변경|바꿔|바꾸|바꿀|바뀌|바뀐|바뀜|바꿈|수정|고쳐|고칠|업데이트|등록\s?(?:해|할))|(?:이사)\S{0,4}\s.{0,20}(?:배송지|주소)"
    r"|\b(?:change|update|set|replace|edit|correct|switch|move)\b.{0,40}\baddress\b|\b(?:new|another|different)\s(?:\w+\s){0,2}address\b|\b(?:i|we)(?:'ve| have)? (?:just )?moved\b.{0,40}\baddress\b|\baddress (?:has )?changed\b"
)
"""Having another address on file."""
NO_PLACE: Final = r"(?:이메일|메일|아이피|웹|인터넷)\s?주소|\b(?:e-?mail|ip|web|site)(?:\s\w+)?\saddress"
"""An address at which nobody is visited."""
ON_FILE: Final = r"기본|등록된|저장된|회원\s?정보|프로필|앞으로|이사|\b(?:default|on file|saved|profile|account|i(?:'ve)? (?:just )?moved|from now on)\b"
"""Says of an address that it is the one on file, and not that of an order alone."""

# What looks like one of these and asks, reports or denies.
ASKS: Final = (
    r"되나|될까|되는지|되는\s?거|돼\?|돼요\?|되나요|가능(?:해|한|할|하)(?!.*(?:부탁|해\s?줘))|할\s?수\s?(?:있|없)(?:나|어|는지|을까|습니까)|받을\s?수\s?(?:있|없)|어떻게|(?:방법|절차|규정|정책|조건|기간|수수료)(?:은|는|이|가|을|를|도|좀)?\s?(?:뭐|어떻|알려|있|궁금|어디|얼마|\?)|얼마(?!\s?안\s?(?:된|됐|돼|지|남))|언제|며칠|왜|있나요|있어\?|있을까|하나요\?|해야\s?(?:하|돼|되)|무엇|뭐야|뭐예요"
    r"|\bhow (?:do|can|much|long|many|does)\b|\b(?:can|could|may|might) (?:i|it|this|the|my|we) (?:still |be )|\b(?:can|could|may) (?:i|we) (?:cancel|return|refund|exchange|swap|change|send|give|get)\b|\bis it (?:possible|too late)\b|\bpolicy\b|\bwhy\b|\bwhen\b|\bwhat\b|\bshould i\b|\bwould you (?:still |ever |personally )?(?:buy|sell)\b(?!.*\b(?:for me|please)\b)|\bam i\b|\bdo i\b|\bdoes\b|\bmay i\b|\bis there\b|\bwhere\b(?!\s(?:i|we)\s)|\bwhich\b"
)
"""Questions about doing something, which do nothing."""
CHOOSES: Final = r"찍어\s?(?:줘|주)|집어\s?(?:줘|주)|뽑아\s?(?:줘|주)|조합\s?.{0,4}짜|짜\s?(?:줘|주)|골라|고르|추천|권해|\bideas?\b|\b(?:a|some) (?:\w+ )?(?:gift|present)s?\b(?! card)|선물(?:을|로)?\s?(?:하나\s?)?사고\s?싶|(?:뭐|뭘|무엇을|어떤\s?(?:거|것|게|걸)|어느\s?(?:거|것|게|걸)).{0,8}(?:사|좋|나을|괜찮)|\b(?:recommend|suggest|pick|choose|which|what should)\b"
"""Asks which goods to take, of which none is chosen yet."""
DONE: Final = r"(?:취소|환불|반품|교환|결제|주문|구매)\s?(?:했는데|했더니|한\s?(?:거|것|게|지|주문|물건|상품)|된|됐|되었|완료(?!\s?(?:해(?!\S*\s?(?:주셔|서))|시켜|부탁))|내역|목록|취소율|율|상태)|\b(?:i|we) (?:have )?(?:cancel+ed|returned|refunded|bought|ordered|purchased|paid)\b(?!.*\b(?:cancel|refund|return|exchange|review)\b)"
"""Reports of what was done."""
POSSIBLE: Final = (
    r"(?:맞|괜찮)(?:으면|다면)\s|\bif (?:that's|it's|that is|it is) (?:right|ok|okay|fine|correct)\b|"
    r"(?:(?:주문|상품|거|것|건)\S?\s?있(?:으면|다면)|수\s?있(?:으면|다면)|가능하(?:면|다면)|되면|된다면)\s|\bif (?:it's |it is )?(?:still )?possible\b|\bif (?:you|i) can\b"
    r"|(?:아직\s?)?(?:발송|배송|출고|출발)\s?(?:이|가|을|를)?\s?(?:전|안\s?(?:됐|되|했|하)\S{0,2}|되지\s?않았\S{0,1}|하지\s?않았\S{0,1})(?:이)?(?:으)?(?:면|다면)\s"
    r"|\bif (?:it|they) (?:has|have)(?:n't| not)(?: yet)?(?: been)? (?:shipped|sent|left|dispatched)\b"
)
"""A condition that only says "if it can be done", which a proposal looks after itself."""
JOINS: Final = r"^\W*(?:oh,? |ah,? )?(?:and|also|plus)\b|\bwith (?:it|that|them)\b|그리고|곁들여|[가-힣A-Za-z0-9]도(?=\s|$)|추가|같이|함께|더(?=\s?(?:요|$|[.!])|\s(?:담|넣|추가|해|할|하|살|사|줘))|\btoo\b|\balso\b|\bas well\b|\badd\b|\bplus\b|\balong with\b"
"""Another thing beside what is under way."""
INSTEAD: Final = r"말고|대신|바꿔|바꾸|\binstead\b|\brather\b"
"""Another thing in the place of what is under way."""
LEAVES: Final = rf"{TAKE}|빼고|말고|제외|필요\s?없|안\s?(?:살|사|할)|\b(?:remove|drop|leave out|take out|take off|without|skip|not)\b"
"""Leaving a thing out of what is under way."""
POLITE: Final = r"주실\s?수\s?있|주시겠|줄\s?수\s?있|주실래|주실까|도와\s?주"
"""Asks for something to be done in the words of a question."""
TOLD: Final = r"알려|설명|말씀|가르쳐|추천|조회|확인|보여|찾아|얼마|며칠|언제|어떻게|왜"
"""Wishes to be told something, and nothing to be done."""
FETCHES: Final = r"\b(?:can|could|may) i (?:get|have|order|buy|take)\b"
"""A polite order: "could I get two of the M10 mice?"."""
ASKS_WHICH: Final = r"있(?:나|어|니|냐|을까|는지|나요|어요|음)|뭐|뭘|어떤|무슨|몇|얼마|\b(?:do i have|have i|what|which|how (?:many|much)|any|are there|is there)\b"
"""Asks what there is, of coupons and points: it uses none."""
USES: Final = r"쓸게|쓸께|쓸래|쓰자|써\s?(?:줘|주)|적용|사용|할게|\buse\b|\bapply\b|\btake\b"
"""Uses what was told of: a coupon."""
DENIED: Final = r"(?:취소|환불|반품|교환|결제|주문|구매)(?:는|은|를|을|까지|도)?\s?(?:하지\s?(?:말|마|않)|안\s?(?:하|할)|말고|필요\s?없|아니)|취소하려다|\b(?:don't|do not|not|no need to|never) (?:cancel|refund|return|exchange|buy|order|purchase|pay)|\bno (?:cancellation|refund|exchange) needed"
"""What is said not to be done."""
OF_OTHER_MATTERS: Final = r"청약|펀드|코인|항공권|비행기|호텔|기차|\bflight|\bhotel|\bbitcoin"
"""Other matters, on which the shop does nothing."""
EITHER: Final = r"(?:든지|거나|든가)\s|아니면|\bor\b (?:just )?(?:refund|exchange|cancel|return)"
"""One of several things, which a person decides first."""
IF: Final = r"(?:이면|라면|으면|했으면|전이면|됐으면|되면|하면)\s|\bif\b|\bunless\b"
"""A condition, which the plan follows step by step."""
SEVERAL: Final = r"(?:(?:후기|리뷰)[를을도]?\s?쓰고(?!\s싶)|취소하고(?!\s싶)|환불하고(?!\s싶)|조회하고|확인하고|보고|등록하고(?!\s싶)|환불이랑|취소랑|조회랑|(?:후기|리뷰|별점|평점)\S{0,2}\s?남기고(?!\s싶)|해주고)[\s,]|그리고|같이\s?(?:부탁|보여)|\band (?:also|check(?! ?out)|show|tell|track)\b"
"""Two requests in one, which are told apart first."""

# What a message says of an order that is under way.
STAYS_AS_IT_IS: Final = r"(?:은|는|을|를)?\s?(?:그대로|놔두|놔둬|건드리지|두고)|\s(?:as it is|unchanged|alone)\b"
"""Behind what is left as it is."""
PUTS_ASIDE: Final = (
    r"빼고|빼\s?(?:줘|주세요|자|요)|말고|싫|^아니(?![라었])|\bnot\b|^no\b|leave (?:it|that|them) out|except|other than"
)
"""Words that put aside what was offered."""
DROPS: Final = (
    r"안\s?(?:살래|살게|사|할래|할게|해|하겠|쓸래)|사지\s?(?:않|말|마)|하지\s?(?:않을|말|마)|그만(?:둘|할|하|두)|그만(?=[\s.!]|$)|관둘|됐어|됐습니다|다음에|(?<![가-힣])담에|담번|나중에|생각\s?(?:해\s?볼|좀)|고민|그냥\s?(?:쓸|쓰(?!던)|써|둘|두|둬|안|놔|가질|갖)|보류|포기|마음\s?(?:이\s?)?바뀌|없던\s?(?:일|걸)|지금(?:은|당장은)?\s?(?:말고|아니|안\s|필요)|이따|월급|(?:다음|담)\s?(?:주|달)에?\s?(?:살|할|사)"
    r"|\b(?:another (?:day|time)|some other time|next (?:week|month|payday)|let me think|think (?:about it|it over)|need to think|sleep on it|not sure (?:yet|about)|never ?mind|forget it|forget about it|don't (?:want|bother|buy|order|do)|do not (?:buy|order|do)|not (?:now|anymore|interested|going to)|changed my mind|i(?:'ll| will) (?:just |still )?(?:pass|keep (?:it|them|this|these|those)|think)|stop|leave it|skip it|no thanks|maybe later|not today|hold off)\b"
)
"""A no to what is under way, in words of its own."""
CALLS_OFF: Final = r"\b(?:drop|scrap|forget|stop|call off) (?:it|that|them)\b|\bcall (?:it|that) off\b|그만"
"""Says of an order that it is dropped, and of what is proposed that it is not done."""
YES: Final = r"^(?:네|넵|넹|옙|웅|예|응|어|그래|좋아|오케이|ㅇㅇ|승인|확인|진행|그렇게|yes|yeah|yep|ok|okay|sure|go ahead|proceed|do it|confirm|approve)"
"""A yes, whatever follows."""
AS_IT_STANDS: Final = r"(?:그|이)대로|\bas (?:it|they) (?:is|are|stands?|was|were)\b|\bthe way it (?:is|was)\b"
"""Goes on with what was shown."""
ANYWAY: Final = (
    r"그래도|아무튼|어쨌든|무조건|맞다니까|제발|그냥\s?(?:해|진행)|(?:내|제)\s?(?:거|꺼|것|주문|물건)(?:이|가)?\s?(?:\S{1,3}\s)?(?:맞|라니까|이라니까|라고|이라고|인데|예요|이에요)"
    r"|\banyway\b|\bstill\b|\binsist\b|\bregardless\b|\bplease\b|\bi (?:said|told you)\b|\bjust (?:do|process|cancel|refund|send|order|put|get|make|go)\b"
    r"|\b(?:it|that|this)(?:'s| is| was)? (?:really |actually |definitely )?(?:my order|mine)\b"
)
"""Insisting on what was refused."""
MORE: Final = r"더(?!라|니)|추가|\bmore\b|\banother\b|\bextra\b"
METHODS: Final = (
    (
        "mobile",
        r"간편\s?결제|카카오\s?페이|네이버\s?페이|삼성\s?페이|토스|애플\s?페이|페이코|\b(?:kakao|naver|samsung|apple|toss|mobile|google) ?pay\b|pay by phone",
    ),
    (
        "bank_transfer",
        r"계좌(?!\s?번호)|무통장|통장|송금|이체|\b(?:bank|wire) transfer\b|\btransfer\b|\bbank(?: account)?\b|\b(?:my|from|current|debit) account\b",
    ),
    ("card", r"카드(?!\s?(?:말고|는\s?말고|빼고|아니|키|지갑))|\b(?:credit |debit |saved )?card\b(?! reader)"),
)
"""The ways to pay by their words."""
OWN_ADDRESS: Final = r"(?:내|제|기본|등록(?:된|해\s?둔)?|저장(?:된)?|원래|우리|늘\s?받던|평소)\s?(?:배송지|주소|집|곳)|집으로|\bmy (?:home|usual|default|saved|registered|own)? ?(?:address|place|home)\b|\bhome\b|\bwhere (?:i|we) (?:usually|always|normally)\b|\bdefault address\b|\busual address\b"
"""The address on file."""
NEW_ADDRESS: Final = (
    r"(?:배송지|주소|받는\s?곳|받을\s?곳)(?:는|은|를|을|:)?\s(?P<ko>\S[^.!\n]{2,80}?\d[^.!\n]{0,30}?)(?:\s?(?:으로|로|에)(?=\s|[.!]|$)|(?=[.!]|$))"
    r"|(?P<town>(?:서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|충청|전북|전남|전라|경북|경남|경상|제주)\S*\s\S[^.!\n]{2,70}?\d[^.!\n]{0,20}?)(?:으로|로|에)\s?(?:보내|배송|부쳐|바꿔|변경)"
    r"|(?:ship(?:ped)?|deliver(?:ed)?|send|sent)(?:\s(?:it|them))?\sto\s(?!my\b|the usual|home)(?P<en>[^,.?!]{3,80}(?:,[^.?!]{1,60})?)"
)
_SPARED: Final = (
    r"(?:빼(?!먹|지)|떼|없이|(?<!지\s)(?<!지)말고|말자|제외|취소|아끼|아껴|남겨|남길|놔두|놔둘|나중에|다음에|필요\s?없|안\s?(?:쓸|써|쓰|할)|(?:쓰|사용하|적용하|하)지\s?(?:말|않|마|는\s?말)"
    r"|됐(?!으))"
)
_SPARED_EN: Final = (
    r"\b(?:(?:without|no|not|don't|do not)(?! (?:forget|miss|remove|skip|drop|leav\w+))"
    r"|(?<!don't )(?<!not )(?:remove|skip|drop|leave|leaving|take(?!\s(?:KRW\s|₩)?\d)|keep|save|forget|minus))\b"
)
NO_COUPON: Final = rf"(?:쿠폰|할인권)\S{{0,3}}\s?(?:\S{{1,6}}\s)?{_SPARED}|{_SPARED_EN}[^.]{{0,16}}\b(?:coupon|voucher)"
NO_POINTS: Final = rf"(?:포인트|적립금|마일리지)\S{{0,3}}\s?(?:\S{{1,6}}\s)?{_SPARED}|{_SPARED_EN}[^.]{{0,16}}\bpoints?"
OFF_BY_POINTS: Final = r"\b(?:take|knock)\b.{0,20}\boff\b.{0,20}\bpoints"
"""A sum that points take off."""
COUPON_WORD: Final = r"쿠폰|할인권|\bcoupons?\b|\bvouchers?\b"
POINTS_WORD: Final = r"포인트|적립금|마일리지|\bpoints?\b|\brewards?\b"
ALL_POINTS: Final = r"(?:포인트|적립금|마일리지).{0,8}(?:몽땅|싹|죄다|탈탈|털어|전부|모조리)|(?:포인트|적립금|마일리지)(?:를|는|을|도)?\s?(?:전부|다|모두|최대(?:한)?|있는\s?(?:대로|만큼)|싹|가능한\s?만큼)|(?:전부|모두|최대한|남은|있는|가진)\s?(?:포인트|적립금|마일리지)|(?:포인트|적립금|마일리지)\S{0,2}\s?(?:있는|가진|남은)\s?(?:거|것|만큼|대로|걸)|\b(?:whatever|any|every|burn|spend|use up|clear out)\b[^.\d]{0,24}\bpoints\b|\bpoints\b[^.]{0,10}\b(?:all of them|as (?:many|much) as)\b|\b(?:all|max(?:imum)?|every)\b[^.]{0,16}\bpoints\b|포인트로\s?(?:결제|살|사|계산|전부)|\bpay with (?:my )?points\b"
BEST: Final = r"(?:제일|가장|많이|최대|최고|좋은|유리한|큰).{0,8}(?:쿠폰|할인|깎)|\b(?:best|biggest|largest|most)\b[^.]{0,20}\b(?:coupon|discount|off)\b"
PAID_BY: Final = r"(?:카드|계좌\s?이체|간편\s?결제|[가-힣]+페이)(?:으로|로)(?:\s?(?:해|할|부탁))?|\b(?:by|with|on|using|via)\s(?:my |a |the )?(?:credit |debit |saved )?card\b|\b(?:by|via|with) (?:bank transfer|mobile pay)"
"""How something is paid, which said of goods asks to buy them."""
TO_BUY: Final = r"^\W*(?:(?:and|or|so|but|then|what|how)\s)*(?:about\s|much\s)?(?:is it\s|does it cost\s|would it be\s)?to (?:buy|order|purchase)\b"
"""An infinitive by itself asks of buying, and orders nothing: "and to buy one?"."""
BUYING: Final = r"결제|주문|구매|구입|사려면|사는\s?(?:법|방법)|\b(?:buy|order|pay|check ?out|purchase)"
"""Speaks of buying."""
STATES: Final = (
    (
        ("pending",),
        r"결제\s?(?:안|대기|전|하지\s?않|되지\s?않)|미결제|\bunpaid\b|not (?:yet )?paid|haven't paid|\bnever (?:actually )?paid|\bdid(?:n't| not) pay",
    ),
    (("paid",), r"결제(?:한|된|완료|했)|\bpaid\b"),
    (("preparing",), r"준비\s?중|being prepared"),
    (
        ("pending", "paid", "preparing"),
        r"(?:배송|발송|출고)\s?(?:안|전|되지|하지)|아직\s?안\s?(?:보낸|나간|온)|not (?:yet )?shipped|hasn't shipped",
    ),
)
"""The states of orders by the words that say them."""
CART_ASIDE: Final = r"(?:장바구니|카트|담은|담아\s?둔)\S*\s(?:(?:있는|담긴|담은|담아\s?둔|들어\s?있는|든)\s)?(?:거|것|상품|걸|물건)?들?\s?말고|\b(?:not|instead of|rather than) (?:what's in )?(?:the|my) (?:cart|basket)\b"
"""Puts the cart aside for something else."""
CART: Final = r"장바구니|카트|담은\s?(?:거|것|상품|걸)|담아\s?둔|\bcart\b|\bbasket\b"
_WHETHER: Final = r"(?:(?<!니)|(?<=[습합됩입갑옵줍납십랍답]니))까요?(?:\s|$)"
"""How a question ends; "살 거니까" says why."""
_ASKING: Final = rf"\?|{ASKS}|{ASKS_WHICH}|어때|{_WHETHER}|나요(?:\s|$)|^(?:is|are|does|do|did|was|has|have|how|what|which|when|where|why)\b"


def asks_something(sheet: Sheet) -> bool:
    """Tell whether a message asks to be told something, and not for something to be done."""
    return sheet.says(_ASKING) and not sheet.says(_DOES)


_DOES: Final = rf"{POLITE}|{FETCHES}|해\s?(?:줘|주세요)|부탁|\bplease\b|\b(?:can|could|would|will) (?:you|it|that|we)\b|되면|가능하면"
"""Asks for something to be done, whatever its form."""
