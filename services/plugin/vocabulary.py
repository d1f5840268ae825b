"""The shape of words.yaml: the vocabulary of a domain."""

import functools
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, StringConstraints
from pydantic.dataclasses import dataclass

from services.plugin.documents import read_model
from services.plugin.installed import installed_domains
from services.text.speech import Speech, joined

FILE: Final = "words.yaml"

GroupName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]
Groups = dict[GroupName, tuple[str, ...]]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class SpokenWords(Speech):
    """Words beside which the language is read otherwise, Korean and English."""

    points: tuple[str, ...] = ()
    """Nouns by which a thing that was told is meant: "그 집", "that house"."""
    traded: tuple[str, ...] = ()
    """What is bought and sold for gain: an answer tells nobody to do so."""
    common: tuple[str, ...] = ()
    """Words in capitals that name nothing of their own in an answer, in lower case."""


class Words(BaseModel):
    """What people say of a domain, in groups that its cues name as "@group"; a word that ends in "-" is a verb stem."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    owns: Groups = {}
    """Nouns of the domain's own matter: where one stands, what others say in nobody's words gives way to it.

    A word has one owner. What a domain that no deployment leaves out owns, another may own instead."""
    says: Groups = {}
    """Ways of asking, which other domains may have as well."""
    bare: tuple[str, ...] = ()
    """Words that several say, of which this domain is meant where no noun of any domain stands in the question."""
    stands_for: dict[GroupName, str] = {}
    """By group the word that takes the place of its words where only the form of a request counts, as of a kind."""
    idioms: tuple[str, ...] = ()
    """Phrases that mean something else than the words in them, which do not count there ("in stock" and "stock")."""
    speech: SpokenWords = SpokenWords()
    """Words beside which the language is read otherwise."""


@functools.cache
def installed_words() -> Mapping[str, Words]:
    """Return the vocabulary of each installed domain that has one.

    Raises:
        DocumentError: A file has another shape; every fault is told with its line.
    """
    files = {one.name: one.folder / FILE for one in installed_domains()}
    return {name: read_model(file, Words) for name, file in files.items() if file.is_file()}


@functools.cache
def installed_speech() -> Speech:
    """Return the words of the installed domains beside which a text is read otherwise."""
    return joined(one.speech for one in installed_words().values())


def spoken(name: str) -> tuple[str, ...]:
    """Return what the installed domains say under a name of `SpokenWords`."""
    return tuple(word for one in installed_words().values() for word in getattr(one.speech, name))
