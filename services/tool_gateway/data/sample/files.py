"""Reads the data files that lie beside the generators."""

from __future__ import annotations

from importlib import resources
from typing import Any

import yaml

# The C loader is several times faster; a build of PyYAML without it reads the same.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(name: str) -> dict[str, Any]:
    """Return the mapping in the YAML file `name` of this package."""
    content = _load(name)
    if not isinstance(content, dict):
        raise TypeError(f"{name} holds no mapping")
    return content


def load_yaml_list(name: str) -> list[dict[str, Any]]:
    """Return the list of mappings in the YAML file `name` of this package."""
    content = _load(name)
    if not isinstance(content, list):
        raise TypeError(f"{name} holds no list")
    return content


def _load(name: str) -> Any:
    return yaml.load((resources.files(__package__) / name).read_text(encoding="utf-8"), _LOADER)  # noqa: S506 - a safe loader
