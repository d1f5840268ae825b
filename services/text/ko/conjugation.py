"""How Korean verbs are said when something is wished, as regular expressions made from the verb's own forms.

asked for     담아 줘, 담아주실래요, 담아달라고
meant         담을게요, 담을래, 담을 거예요, 담으려고, 담자, 담겠습니다
wished        담고 싶어요, 담았으면 좋겠어요
told          담아, 담아! at the end of a sentence

"담아 주나요?" asks whether it is done here, and "담을까?" whether one should: these wish nothing.
"""

from dataclasses import dataclass
from typing import Final

from services.text.ko.written import has_final_consonant

_SSANG_SIOT: Final = 20
_END: Final = r"(?=\s*(?:[.!~,ㅎㅋ^]|$))"
_ASKED: Final = (
    r"\s?(?:줘(?!야|도\s|서\s)|[죠쥬조](?=[\s.!~]|$)|주(?!나|냐|는지|는가|니\?|문)|줄(?:래|수|\s?수)|달라|다오|보자)"
)
_MEANT: Final = (
    r"(?:게(?!요?\s?있)|께|래(?!도)|\s?거(?:야|예요|에요|니까|고|라(?!며|면서)|ㅇ|임|다)|\s?겁"
    r"|라고|라구|\s?예정|\s?생각이|까\s?(?:해|하|합))"
)
_WISHED: Final = (
    r"(?:고\s?(?:싶|시퍼|파(?!는))|자(?:고)?(?=[\s.!~]|$)|겠(?!나|냐|지)|길\s?(?:원|바라|희망)|기를\s?(?:원|바라|희망))"
)
_BETWEEN: Final = (
    r"\s?(?:을|를|만|까지|도|으로)?\s?(?:(?:좀|바로|지금|빨리|얼른|다|전부|모두|당장|그냥|한번|한\s?번)\s?){0,2}"
)
"""What may stand between a noun and what makes a verb of it."""
_TOLD: Final = r"(?!한|했|된|됐|되(?:었|나|는|고)|해\s?(?:놓|놨|둔|뒀|두었))"
"""What is told of as done is wished no more: "취소 요청한 주문"."""
_ASKED_OF: Final = (
    rf"부탁|(?:요청|신청|접수|처리){_TOLD}|진행(?!\s?중){_TOLD}|시켜|넣어(?!\s?(?:놓|놨|둔|뒀))|되게|들어가|고고|ㄱㄱ|갑시다|가자"
    r"|바랍니다|바래|원해|원합니다|희망"
)
"""What asks for the verb of a noun without 하다."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb by the forms that its endings join."""

    stem: str
    """담, 사, 무르: what -고 and -겠 join."""
    joined: str
    """담아, 사, 물러: what 주다 joins."""
    future: str
    """담을, 살, 무를: what -게 and -래 join."""

    @property
    def wish(self) -> str:
        """What wishes it, as a regular expression."""
        past = f"{self.joined[:-1]}{chr(ord(self.joined[-1]) + _SSANG_SIOT)}"
        means = f"{self.stem}{'으' if has_final_consonant(self.stem, ignore='ㄹ') else ''}려"
        return (
            rf"(?:{self.joined}(?:{_ASKED}|요?{_END})|{self.future}{_MEANT}|{self.stem}{_WISHED}|{means}(?:고|는|구|\s?해|\s?하|합)"
            rf"|{past}으면\s?(?:좋|하|해|합))"
        )


DO: Final = Verb("하", "해", "할")
"""What makes verbs of nouns: 취소하다, 주문하다."""


def wished(*verbs: Verb) -> str:
    """Return what wishes any of these verbs, as a regular expression."""
    return "|".join(verb.wish for verb in verbs)


def wished_of(nouns: str) -> str:
    """Return what wishes the verb of any of these nouns: 취소해 주세요, 환불을 좀 부탁드려요, 반품 접수해줘.

    Args:
        nouns: The nouns, as alternatives of a regular expression.
    """
    return rf"(?:{nouns}){_BETWEEN}(?:{wished(DO)}|{_ASKED_OF})"
