"""The vocabulary of the installed domains: who owns which word, and which groups the cues of each may name."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from services.plugin.declarations import Domain
from services.plugin.vocabulary import Groups, Words


class Lexicon:
    """Words by owner; made once."""

    def __init__(self, core: Groups, domains: Sequence[Domain], words: Mapping[str, Words]) -> None:
        """Take the language's own groups, which every domain may name, and the domains with their words."""
        self._core = core
        self.language = frozenset(word for group in core.values() for word in group)
        """The words of the language's own groups."""
        self._words = {domain.domain: words.get(domain.domain, Words()) for domain in domains}
        self._ground = {domain.domain: frozenset((domain.domain, *domain.requires)) for domain in domains}
        self.yielding = frozenset(domain.domain for domain in domains if domain.always)
        """Domains of what anyone says anywhere: a word of theirs that another domain claims is the other's."""
        self._order = sorted(self._words, key=lambda name: name not in self.yielding)
        self.owners: Mapping[str, str] = {word: name for name in self._order for word in self._owned(name)}
        """The domain of each word that has an owner."""
        self.bare: Mapping[str, str] = {word: name for name in self._order for word in self._words[name].bare}
        """The domain that is meant by a word of several where no noun stands beside it."""
        self.idioms = tuple(dict.fromkeys(phrase for one in self._words.values() for phrase in one.idioms))
        """Phrases that mean something else than the words in them."""

    def masks(self) -> Iterator[tuple[str, str]]:
        """Yield the words that are things with what takes their place."""
        for words in self._words.values():
            groups = words.owns | words.says
            yield from ((word, mask) for group, mask in words.stands_for.items() for word in groups[group])

    def ground(self, domain: str) -> frozenset[str]:
        """Return a domain with those that it builds on, whose words are its own."""
        return self._ground[domain]

    def groups(self, domain: str) -> Mapping[str, tuple[str, ...]]:
        """Return the groups that the cues of a domain may name: the language's, its ground's and its own."""
        known = dict(self._core)
        for name in sorted(self._ground[domain] & self._words.keys(), key=lambda one: one == domain):
            known |= self._words[name].owns | self._words[name].says
        return known

    def faults(self) -> Iterator[str]:
        """Yield what contradicts itself: a word with two owners, and a group that hides one of the language's."""
        firm = [name for name in self._order if name not in self.yielding]
        owned = [(word, name) for name in firm for word in sorted(set(self._owned(name)))]
        bare = [(word, name) for name in firm for word in sorted(set(self._words[name].bare))]
        for what, claims in (("owned", owned), ("bare", bare)):
            counts = Counter(word for word, _ in claims)
            for word in sorted(word for word, count in counts.items() if count > 1):
                files = " and ".join(f"{name}/words.yaml" for claimed, name in claims if claimed == word)
                yield f"word {word!r}: {what} by {files}; it has one owner, the others say it under `says`"
        for name, words in self._words.items():
            for group in sorted((words.owns.keys() | words.says.keys()) & self._core.keys()):
                yield f"{name}/words.yaml: group {group}: the language has one of that name"
            for group in sorted(words.stands_for.keys() - words.owns.keys() - words.says.keys()):
                yield f"{name}/words.yaml: stands_for: no group {group!r}"
            for group in sorted(words.owns.keys() & words.says.keys()):
                yield f"{name}/words.yaml: group {group}: it is owned and said"

    def _owned(self, domain: str) -> Iterator[str]:
        for group in self._words[domain].owns.values():
            yield from group
