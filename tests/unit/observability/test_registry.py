"""The registry of names is whole and consistent with itself."""

import re
from pathlib import Path

from observability import attributes as names

OWN = {
    name: value
    for name, value in vars(names).items()
    if name.isupper() and isinstance(value, str) and value.startswith("hapju.")
}


def test_each_name_of_our_own_is_registered_once_with_its_meaning() -> None:
    """A constant is in the registry, and the registry holds nothing but constants; each meaning is a sentence."""
    assert sorted(names.REGISTRY) == sorted(OWN.values())
    assert [name for name, meaning in names.REGISTRY.items() if not meaning.endswith(".") or "\n" in meaning] == []


def test_names_have_one_shape() -> None:
    """A name is dotted snake case, so that every back end takes it."""
    assert [name for name in names.REGISTRY if not re.fullmatch(r"hapju(\.[a-z][a-z0-9_]*)+", name)] == []


def test_conventions_are_those_that_are_exported() -> None:
    """Each name of a semantic convention that the module exports is known to is_registered, and no other."""
    exported = {value for name in names.__all__ if isinstance(value := getattr(names, name), str)}
    assert exported == names.SEMANTIC_CONVENTIONS
    assert names.is_registered(names.GEN_AI_REQUEST_MODEL)
    assert not names.is_registered("hapju.unheard_of")


def test_each_name_is_emitted_somewhere() -> None:
    """A name that is registered and that no code uses would be looked for in vain."""
    root = Path(names.__file__).parents[1]
    folders = [root / folder for folder in ("services", "gateway", "observability")]
    texts = [
        path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py") if path.name != "attributes.py"
    ]
    used = set(re.findall(r"\bnames\.([A-Z][A-Z0-9_]+)\b", "\n".join(texts)))
    registered = {name for name, value in vars(names).items() if isinstance(value, str) and names.is_registered(value)}
    assert sorted(registered - used) == []
