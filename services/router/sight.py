"""Reads a question in the light of the conversation and lets keyword and scope vote on it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from services.catalog.loader import Catalog
from services.catalog.reading import read_question
from services.contract.flow import Speaker, Turn
from services.plugin.documents import read_yaml
from services.router.facts import Understood, understand
from services.router.hearing import heard
from services.router.spelling import Spelling
from services.router.voters import SCOPE, KeywordVoter, ScopeVoter
from services.router.weighing import Vote

_FOLLOW_UP_BELOW = 0.70
"""A question whose own words say less than this is read together with the turn before."""
_FOLLOW_UP_WORDS_MAX = 8
_BARE_WORDS_MAX = 3
"""A question of so few words that only asks why is a question on the turn before."""
_LIKELY = 0.93
"""A question that is this much like one intent is not read into the turn before."""
_TURNS_BACK_MAX = 3
"""How many of the user's earlier turns a question is read together with."""
_PART_LEAST = 0.90
"""From here on a part of a question is a request of its own; goods that are merely named are none."""
_SPELT_BELOW = 0.90
"""A question whose words say less than this is looked through for slips of the hand."""
_OF_ONE_REQUEST = frozenset({"quantity"})
"""Kinds that hold for the request that they were said in: nobody means again how many they once bought."""
_SPELT_SHARE = 0.95
"""What is left of a score that rests on a corrected word."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A question as the two voters see it."""

    question: Understood
    """The question, with entities of the turn before where it leaves them out."""
    keyword: Vote | None
    """The keyword vote."""
    scope: Vote | None
    """The scope vote."""
    follows_up: bool
    """Whether the turn before was needed to read it."""
    silent: tuple[tuple[Vote, str], ...] = ()
    """Votes that are not cast, with why."""

    @property
    def likely(self) -> Vote | None:
        """The scope vote, whether it is cast or not."""
        return self.scope or next((vote for vote, _ in self.silent if vote.voter == SCOPE), None)


class Eye:
    """Sees questions; made once."""

    def __init__(self, catalog: Catalog, data_dir: Path | None = None) -> None:
        """`data_dir` keeps what is fitted to the installed domains."""
        self._catalog = catalog
        self._keyword = KeywordVoter(catalog)
        self._scope = ScopeVoter(catalog, data_dir)
        names = (name for kind in catalog.kinds.values() for name in kind.spelt())
        self._spelling = Spelling([*self._keyword.phrases, *names], catalog.lexicon.idioms)

    def see(self, question: str, history: Sequence[Turn], *, now: datetime, time_zone: str, user_type: str) -> Sight:
        """Return the question as it is seen; only earlier words of the user are looked at, never an answer's."""
        own = self._understand(question, now, time_zone, user_type=user_type)
        keyword = self._keyword.vote(own)
        before = [turn.text for turn in history if turn.speaker is Speaker.USER and turn.text.strip()]
        if before and self._leaves_out(own, keyword):
            earlier = [
                self._understand(text, now, time_zone, user_type=user_type)
                for text in reversed(before[-_TURNS_BACK_MAX:])
            ]
            return self._followed(own, keyword, earlier)
        if keyword is None or keyword.score < _SPELT_BELOW:
            own, keyword = self._read_over_slips(own, keyword, now, time_zone, user_type=user_type)
        return self._sight(own, own, keyword, follows_up=False)

    def _sight(self, question: Understood, own: Understood, keyword: Vote | None, *, follows_up: bool) -> Sight:
        """Let the scope voter see the question's own words, and decide who is heard."""
        found = heard(keyword, self._scope.vote(own, keyword), self._catalog.fallback_intent)
        return Sight(question, found.keyword, found.scope, follows_up, found.silent)

    def _followed(self, own: Understood, keyword: Vote | None, earlier: Sequence[Understood]) -> Sight:
        """Read a question with the turns before it, one more at a time until they say what is wanted."""
        together, said = own, [own]
        speaks = self._speaks_for_itself(own, keyword)
        for turn in earlier:
            together, said = _together(together, turn), [*said, turn]
            joined = self._keyword.vote_on(together, said)
            if speaks or not self._is_weak(keyword):
                break
            if not self._is_weak(joined):
                return Sight(together, joined, None, follows_up=True)
        if not speaks and self._is_weak(keyword) and (joined := self._keyword.vote_on(together, said)) is not None:
            return Sight(together, joined, None, follows_up=True)
        return self._sight(together, own, keyword, follows_up=True)

    def _speaks_for_itself(self, own: Understood, keyword: Vote | None) -> bool:
        """Tell whether a question whose words no cue knows is plainly like what people ask, and no bare ellipsis."""
        if keyword is not None or len(own.reading.words) < _BARE_WORDS_MAX or self._points_back(own):
            return False
        likely = self._scope.vote(own, None)
        return likely is not None and likely.score >= _LIKELY and not self._is_everywhere(likely.intent)

    def _read_over_slips(
        self, own: Understood, keyword: Vote | None, now: datetime, time_zone: str, *, user_type: str
    ) -> tuple[Understood, Vote | None]:
        """Return the question with its slips set right, where it then plainly says something."""
        text = self._spelling.corrected(own.reading.text)
        if text == own.reading.text:
            return own, keyword
        meant = self._understand(text, now, time_zone, user_type=user_type)
        vote = self._keyword.vote(meant)
        if vote is None or vote.score < _SPELT_BELOW:
            return own, keyword
        scores = {intent: round(score * _SPELT_SHARE, 2) for intent, score in vote.scores.items()}
        return meant, Vote(vote.voter, vote.weight, scores, f"{vote.reason} (spelling: {text})")

    def vote_on_part(self, text: str, *, now: datetime, time_zone: str, user_type: str) -> Vote | None:
        """Return what a part of a question wants: by its words, else by its letters; None where that stays open."""
        part = self._understand(text, now, time_zone, user_type=user_type)
        words = self._keyword.vote(part)
        if words is not None and words.score >= _PART_LEAST:
            return words
        if not _has_verb(part):
            return None
        found = heard(words, self._scope.vote_on_part(part), self._catalog.fallback_intent).scope
        return found if found is not None and found.score >= _PART_LEAST else None

    def _understand(self, text: str, now: datetime, time_zone: str, *, user_type: str) -> Understood:
        return understand(read_question(text, now=now, time_zone=time_zone), user_type=user_type)

    def _is_weak(self, keyword: Vote | None) -> bool:
        """Tell whether the question's own words leave open what is wanted: "what is it?" is anything's question."""
        if keyword is None or keyword.score < _FOLLOW_UP_BELOW:
            return True
        return self._is_everywhere(keyword.intent)

    def _is_everywhere(self, intent: str) -> bool:
        """Tell whether an intent is of a domain that no deployment leaves out: of what anyone says anywhere."""
        return self._catalog.domains[self._catalog.domain_of(intent)].always

    def _leaves_out(self, own: Understood, keyword: Vote | None) -> bool:
        if keyword is None or keyword.score < _FOLLOW_UP_BELOW:
            return True
        if len(own.reading.words) <= _BARE_WORDS_MAX and any(own.reading.has(word) for word in word_lists().bare):
            return True
        return len(own.reading.words) <= _FOLLOW_UP_WORDS_MAX and _has_back_word(own)

    @staticmethod
    def _points_back(own: Understood) -> bool:
        return _has_back_word(own) or any(piece.surface == "그" for piece in own.reading.morphemes)


def _has_verb(part: Understood) -> bool:
    """Tell a request from nouns that merely stand beside each other; an English part may do without."""
    spoken = any(tag.startswith("V") or tag == "XSV" for piece in part.reading.morphemes for tag in piece.tags)
    return spoken or part.reading.language == "en"


def _has_back_word(own: Understood) -> bool:
    return any(own.reading.has(word) for word in word_lists().back)


def _together(own: Understood, earlier: Understood) -> Understood:
    """Take what the question leaves out from the turn before; what it names itself replaces that."""
    own_kinds = {one.kind for one in own.entities} | _OF_ONE_REQUEST
    taken = (replace(one, start=0, end=0) for one in earlier.entities if one.kind not in own_kinds)
    merged = (*own.entities, *taken)
    return replace(own, facts=own.facts | earlier.facts, entities=merged, countries=own.countries or earlier.countries)


class WordLists(BaseModel):
    """Words that the router looks for beside the catalog's cues."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bare: frozenset[str]
    """Ask for a reason and say not of what."""
    back: frozenset[str]
    """Point back at the turn before."""


@cache
def word_lists() -> WordLists:
    """Return the lists of the installed router.

    Raises:
        pydantic.ValidationError: The file is malformed; the text names the entry.
    """
    return WordLists.model_validate(read_yaml("services.router", "words.yaml"))
