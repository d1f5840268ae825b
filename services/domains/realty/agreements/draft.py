"""A contract's draft: a form with what is known filled in and visible placeholders for what is not. Pure.

A placeholder names the field and what may stand in it: 【보증금: 원】. Nothing is made up.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from services.domains.realty.agreements.forms import ContractForm, Field, FormClause, FormName, forms
from services.text.ko.written import josa
from services.text.patterns import Pattern

_FIELD: Final = Pattern(r"\{([a-z_]+)\}")
_PARTICLE: Final = Pattern(r"(?P<word>\S+?)(?P<pair>과\(와\)|은\(는\)|을\(를\)|이\(가\))")
_PAIRS: Final = {"과(와)": "과/와", "은(는)": "은/는", "을(를)": "을/를", "이(가)": "이/가"}


@dataclass(frozen=True, slots=True)
class DocumentDraft:
    """A draft."""

    form: FormName
    """Its form."""
    title: str
    """Its title."""
    paragraphs: tuple[str, ...]
    """Its clauses, numbered where they bear a title."""
    missing: tuple[str, ...]
    """Names of the fields that are still placeholders, in the order of the contract."""

    @property
    def text(self) -> str:
        """The whole text, a blank line between two paragraphs."""
        return "\n\n".join((self.title, *self.paragraphs))


def drafted(name: FormName, values: Mapping[str, str], locale: str) -> DocumentDraft:
    """Return the draft of a form.

    Args:
        name: The form.
        values: What is known by field, written as the contract shall say it.
        locale: "ko", else English.
    """
    form = forms().forms[name]
    clauses = [clause for clause in form.clauses if _stands(clause, form, values)]
    named = dict.fromkeys(field for clause in clauses for field in clause.fields())
    return DocumentDraft(
        form=name,
        title=form.title.of(locale),
        paragraphs=tuple(_numbered(clauses, values, locale)),
        missing=tuple(field for field in named if field not in values),
    )


def placeholder(field: Field, locale: str) -> str:
    """Return what stands where a field is not known yet."""
    return f"【{field.of(locale)}: {forms().kinds[field.kind].of(locale)}】"


def _stands(clause: FormClause, form: ContractForm, values: Mapping[str, str]) -> bool:
    return not clause.only_with or any(name in values or name in form.needs for name in clause.only_with)


def _numbered(clauses: list[FormClause], values: Mapping[str, str], locale: str) -> list[str]:
    paragraphs, number = [], 0
    for clause in clauses:
        text = _filled(clause, values, locale)
        if clause.title is None:
            paragraphs.append(text)
            continue
        number += 1
        title = clause.title.of(locale)
        paragraphs.append(f"제{number}조({title}) {text}" if locale == "ko" else f"{number}. {title}: {text}")
    return paragraphs


def _filled(clause: FormClause, values: Mapping[str, str], locale: str) -> str:
    fields = forms().fields

    def value_of(match: re.Match[str]) -> str:
        name = match[1]
        return values.get(name) or placeholder(fields[name], locale)

    filled = _FIELD.sub(value_of, clause.of(locale))
    return _PARTICLE.sub(_particle, filled) if locale == "ko" else filled


def _particle(match: re.Match[str]) -> str:
    """Return a word with the particle that it takes; behind a placeholder both stay open."""
    word = match["word"]
    return match.group() if word.endswith("】") else josa(word, _PAIRS[match["pair"]])
