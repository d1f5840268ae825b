"""Reads the data files that lie beside the generators."""

from __future__ import annotations

from importlib import resources
from typing import Any

import yaml

# The C loader is several times faster; a build of PyYAML without it reads the same.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(name: str) -> dict[str, Any]:
    """Return the mapping in the YAML file `name` of this package."""
    content = yaml.load((resources.files(__package__) / name).read_text(encoding="utf-8"), _LOADER)  # noqa: S506 - a safe loader
    if not isinstance(content, dict):
        raise TypeError(f"{name} holds no mapping")
    return content
