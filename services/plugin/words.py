"""The shape of words.yaml: the vocabulary of a domain."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

GroupName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]
Groups = dict[GroupName, tuple[str, ...]]


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
