"""Words with their stems, and matching of phrases on whole words or morphemes, never on parts of them.

A word is a run of one script: "SK하이닉스가" gives "SK" and "하이닉스가". Stems are what is left when Korean particles
or English endings are removed; the word itself always stays among them, and a Korean stem keeps two syllables.
"""

import bisect
import functools
from collections.abc import Container, Iterable
from dataclasses import dataclass

from services.text.ko.morphemes import Morpheme, morphemes
from services.text.ko.written import dictionary_stems, has_final_consonant
from services.text.patterns import Pattern

_RUN = Pattern(r"[가-힣ㄱ-ㅎㅏ-ㅣ]+|[A-Za-z]+(?:'[a-z]+)?|[0-9]+(?:[.,][0-9]+)*")
# What a particle needs before it: a final consonant (True), none (False), either (None).
_PARTICLES: dict[str, bool | None] = {
    **dict.fromkeys(("은", "이", "을", "과", "이랑", "으로", "이나", "이라도", "이라", "이란", "이라는", "이요"), True),
    **dict.fromkeys(("이에요", "이랑은", "으로는", "으로도", "이든", "이든지", "인데", "이야", "이고", "이면"), True),
    **dict.fromkeys(("는", "가", "를", "와", "랑", "나", "라도", "란", "라는", "예요", "든", "든지", "야"), False),
    **dict.fromkeys(("로", "로는", "로도"), False),
    **dict.fromkeys(
        ("의", "에", "에서", "에게", "께", "한테", "하고", "도", "만", "까지", "부터", "보다", "처럼"), None
    ),
    **dict.fromkeys(("마다", "조차", "밖에", "에는", "에도", "에서는", "에서도", "에서의", "에게서", "까지는"), None),
    **dict.fromkeys(("까지도", "부터는", "만은", "만큼", "같이", "들", "들의", "요", "대로", "쯤", "씩", "뿐"), None),
    **dict.fromkeys(("입니다", "인가요", "이니", "인지", "으로부터", "로부터", "엔", "에선", "보단", "하고는"), None),
}
# Endings of 하-: what stands before them is a noun, also where the analyser takes it apart ("안전해요" as 안 + 전하-).
_HADA = (
    "해요",
    "해줘",
    "해줘요",
    "해도",
    "해서",
    "해주세요",
    "해줄래",
    "한지",
    "한가요",
    "할까",
    "할까요",
    "할래",
    "할게",
    "할게요",
    "하면",
)
_PARTICLES |= dict.fromkeys((*_HADA, "하나요", "하는지", "하려고", "합니다", "했어", "했어요", "했는데"), None)
_KOREAN_WORD_MAX = 64
"""What is longer has been written by no person, and has no particle."""
_PARTICLE_LENGTH_MAX = max(map(len, _PARTICLES))
_ENGLISH_ENDINGS = ("'s", "ies", "ing", "ed", "es", "s", "d")


@dataclass(frozen=True, slots=True)
class Word:
    """One run of letters or digits of a single script."""

    surface: str
    """The word as written."""
    start: int
    """Where it begins, in code points of the normalised text."""
    end: int
    """Where it ends, exclusive."""
    stems: tuple[str, ...]
    """The word in lower case first, then what is left without particles or endings, longest first."""


@dataclass(frozen=True, slots=True)
class PhraseHit:
    """A phrase found in a text."""

    phrase: str
    """The phrase as it was asked for."""
    start: int
    """Where the hit begins, in code points of the normalised text."""
    end: int
    """Where the hit ends, exclusive."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A phrase made ready for matching."""

    lemmas: tuple[str, ...]
    """The verb stems that it asks for, "보여-" also as "보이"; empty for a phrase of words."""
    before: str
    """The words that stand before the verb ("안" of "안 주-"), in lower case and without spaces; mostly empty."""
    squashed: str
    """The phrase in lower case and without spaces."""
    tokens: tuple[str, ...]
    """Its words in lower case, where it is plain Latin and so may match by stems."""


@functools.lru_cache(maxsize=8192)
def _wanted(phrase: str) -> _Wanted:
    if phrase.endswith("-") and len(phrase) > 1:
        before, _, stem = phrase[:-1].rpartition(" ")
        return _Wanted(dictionary_stems(stem), before.replace(" ", "").lower(), "", ())
    tokens = tuple(phrase.lower().split()) if phrase.isascii() else ()
    return _Wanted((), "", phrase.replace(" ", "").lower(), tokens)


class Vocabulary:
    """Many phrases made ready to be looked up together, far faster than one by one."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self.lemmas: dict[str, list[str]] = {}
        self.squashed: dict[str, list[str]] = {}
        self.first_tokens: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for phrase in dict.fromkeys(phrases):
            wanted = _wanted(phrase)
            for lemma in wanted.lemmas:
                self.lemmas.setdefault(lemma, []).append(phrase)
            if wanted.squashed:
                self.squashed.setdefault(wanted.squashed, []).append(phrase)
            if wanted.tokens:
                self.first_tokens.setdefault(wanted.tokens[0], []).append((phrase, wanted.tokens))
        self.length_max = max(map(len, self.squashed), default=0)


@functools.lru_cache(maxsize=64)
def _vocabulary_of(phrases: tuple[str, ...]) -> Vocabulary:
    """Return the vocabulary of a table's phrases; tables are few and asked for each question."""
    return Vocabulary(phrases)


@functools.lru_cache(maxsize=2048)
def words(text: str) -> tuple[Word, ...]:
    """Split a normalised text into words, in order."""
    return tuple(
        Word(surface=run.group(), start=run.start(), end=run.end(), stems=_stems(run.group()))
        for run in _RUN.finditer(text)
    )


@functools.lru_cache(maxsize=512)
def phrase_index(text: str) -> "PhraseIndex":
    """Return the index of a normalised text; the same text gives the same index."""
    return PhraseIndex(text)


class PhraseIndex:
    """Finds phrases in one normalised text; made once a text, asked many times (about 1 us a phrase).

    A phrase is matched without regard to case and white space, where both its ends fall on the edge of a word, stem or
    morpheme. "전세" is found in "전세대출은" and not in "전세계"; "PER" is not found in "performance". One that ends in
    "-" is a verb stem and matches each form of that verb: "떨어지-" finds "떨어졌는지".
    """

    def __init__(self, text: str) -> None:
        self._positions = [position for position, character in enumerate(text) if character != " "]
        self._squashed = "".join(_lower(text[position]) for position in self._positions)
        squashed_at = {position: index for index, position in enumerate(self._positions)}
        self._morphemes = morphemes(text)
        self._words = words(text)
        self._lemmas: dict[str, list[Morpheme]] = {}
        self._stem_places: dict[str, list[int]] = {}
        self._found: dict[str, tuple[PhraseHit, ...]] = {}
        for place, word in enumerate(self._words):
            for stem in word.stems:
                self._stem_places.setdefault(stem, []).append(place)
        for piece in self._morphemes:
            self._lemmas.setdefault(piece.lemma, []).append(piece)
        starts = {word.start for word in self._words} | {piece.start for piece in self._morphemes}
        ends = {word.end for word in self._words} | {piece.end for piece in self._morphemes}
        ends |= {word.start + len(stem) for word in self._words for stem in word.stems if _is_hangul(stem)}
        ends |= {word.end - 2 for word in self._words if word.surface.endswith("'s")}
        latin_inside = {place for word in self._words if word.surface.isascii() for place in _inside(word)}
        self._starts = {squashed_at[place] for place in starts - latin_inside if place in squashed_at}
        self._sorted_starts = sorted(self._starts)
        self._ends = {squashed_at[place - 1] + 1 for place in ends - latin_inside if place - 1 in squashed_at}
        self._sorted_ends = sorted(self._ends)

    def find(self, phrase: str) -> tuple[PhraseHit, ...]:
        """Return the places of `phrase`, in order; empty when it does not occur."""
        known = self._found.get(phrase)
        if known is None:
            known = self._found[phrase] = self._find(phrase)
        return known

    def find_longest(self, phrases: Iterable[str]) -> tuple[PhraseHit, ...]:
        """Return the hits of all `phrases` in order, leaving out a hit that lies inside a longer one."""
        hits = self.find_all(_vocabulary_of(tuple(phrases)))
        found = sorted(
            (hit for same in hits.values() for hit in same), key=lambda hit: (hit.start, hit.start - hit.end)
        )
        kept: list[PhraseHit] = []
        reached = -1
        for hit in found:
            # What begins before it and ends no sooner holds it, and that is whatever has reached furthest.
            if hit.end > reached:
                kept.append(hit)
                reached = hit.end
        return tuple(kept)

    def find_all(self, vocabulary: Vocabulary) -> dict[str, list[PhraseHit]]:
        """Return the places of each phrase of the vocabulary that occurs, as `find` gives them."""
        found: dict[str, list[PhraseHit]] = {}
        for first in self._sorted_starts:
            for place in range(bisect.bisect_right(self._sorted_ends, first), len(self._sorted_ends)):
                last = self._sorted_ends[place]
                if last - first > vocabulary.length_max:
                    break
                for phrase in vocabulary.squashed.get(self._squashed[first:last], ()):
                    hit = PhraseHit(phrase, self._positions[first], self._positions[last - 1] + 1)
                    found.setdefault(phrase, []).append(hit)
        self._add_lemmas(vocabulary, found)
        for stem in self._stem_places:
            for phrase, tokens in vocabulary.first_tokens.get(stem, ()):
                if phrase not in found and (hits := list(self._find_stems(phrase, tokens))):
                    found[phrase] = hits
        return found

    def _add_lemmas(self, vocabulary: Vocabulary, found: dict[str, list[PhraseHit]]) -> None:
        for lemma, pieces in self._lemmas.items():
            for phrase in vocabulary.lemmas.get(lemma, ()):
                if hits := [*found.get(phrase, ()), *self._find_lemma(phrase, pieces)]:
                    found[phrase] = hits

    def find_names(self, names: Container[str], length_max: int) -> tuple[PhraseHit, ...]:
        """Return where a name of `names` begins on an edge: the longest one at each place, none inside another.

        Args:
            names: Names in lower case and without spaces.
            length_max: The length of the longest one.
        """
        hits, free_from = [], 0
        for first in self._sorted_starts:
            if first < free_from:
                continue
            for last in range(min(first + length_max, len(self._squashed)), first, -1):
                name = self._squashed[first:last]
                if last in self._ends and name in names:
                    hits.append(PhraseHit(name, self._positions[first], self._positions[last - 1] + 1))
                    free_from = last
                    break
        return tuple(hits)

    def _find(self, phrase: str) -> tuple[PhraseHit, ...]:
        wanted = _wanted(phrase)
        if wanted.lemmas:
            found = (self._find_lemma(phrase, self._lemmas.get(lemma, ())) for lemma in wanted.lemmas)
            return tuple(hit for hits in found for hit in hits)
        hits = tuple(self._find_squashed(phrase, wanted.squashed)) if wanted.squashed in self._squashed else ()
        if not hits and wanted.tokens and wanted.tokens[0] in self._stem_places:
            hits = tuple(self._find_stems(phrase, wanted.tokens))
        return hits

    def _find_lemma(self, phrase: str, pieces: Iterable[Morpheme]) -> Iterable[PhraseHit]:
        before = _wanted(phrase).before
        for piece in pieces:
            first = bisect.bisect_left(self._positions, piece.start) - len(before)
            if not before:
                yield PhraseHit(phrase, piece.start, piece.end)
            elif first in self._starts and self._squashed.startswith(before, first):
                yield PhraseHit(phrase, self._positions[first], piece.end)

    def _find_squashed(self, phrase: str, wanted: str) -> Iterable[PhraseHit]:
        at = self._squashed.find(wanted) if wanted else -1
        while at >= 0:
            if at in self._starts and at + len(wanted) in self._ends:
                yield PhraseHit(phrase, self._positions[at], self._positions[at + len(wanted) - 1] + 1)
            at = self._squashed.find(wanted, at + 1)

    def _find_stems(self, phrase: str, wanted: tuple[str, ...]) -> Iterable[PhraseHit]:
        for first in self._stem_places[wanted[0]]:
            if first + len(wanted) > len(self._words):
                return
            run = self._words[first : first + len(wanted)]
            if all(token in word.stems for token, word in zip(wanted, run, strict=True)):
                yield PhraseHit(phrase, run[0].start, run[-1].end)


def _lower(character: str) -> str:
    """Lower a character only where that keeps it one character, so that places stay where they are."""
    lowered = character.lower()
    return lowered if len(lowered) == 1 else character


def _inside(word: Word) -> range:
    """Places strictly inside a Latin word or a number, its genitive aside: nothing may begin or end there."""
    return range(word.start + 1, word.end - 2 if word.surface.endswith("'s") else word.end)


def _is_hangul(text: str) -> bool:
    return "가" <= text[0] <= "힣" or "ㄱ" <= text[0] <= "ㅣ"


@functools.lru_cache(maxsize=8192)
def _stems(surface: str) -> tuple[str, ...]:
    lowered = surface.lower()
    if _is_hangul(lowered):
        return (*_korean_stems(lowered), *_half_of_doubled(lowered))
    if lowered[0].isalpha():
        return _english_stems(lowered)
    return (lowered,)


def _half_of_doubled(word: str) -> tuple[str, ...]:
    """Return the half of a word said twice in one breath, as people write a greeting."""
    half, rest = divmod(len(word), 2)
    return (word[:half],) if half >= 2 and not rest and word[:half] == word[half:] else ()


def _korean_stems(word: str) -> tuple[str, ...]:
    found = [word]
    for stem in found if len(word) <= _KOREAN_WORD_MAX else ():
        for length in range(1, min(_PARTICLE_LENGTH_MAX, len(stem) - 2) + 1):
            rest, particle = stem[:-length], stem[-length:]
            if particle in _PARTICLES and _agrees(rest, particle) and rest not in found:
                found.append(rest)
    return tuple(sorted(found, key=len, reverse=True))


def _agrees(stem: str, particle: str) -> bool:
    needs = _PARTICLES[particle]
    if needs is None:
        return True
    if particle.startswith("로") and has_final_consonant(stem, ignore="ㄹ") is False:
        return True
    return has_final_consonant(stem) is needs


def _english_stems(word: str) -> tuple[str, ...]:
    found = [word]
    for ending in _ENGLISH_ENDINGS:
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= 3:
            found.append(rest + "y" if ending == "ies" else rest)
            if ending in {"ing", "ed"}:
                found.append(rest + "e")
                if rest[-1] == rest[-2]:
                    found.append(rest[:-1])
    return tuple(dict.fromkeys(found))
