"""Reads the data files that lie beside the generators."""

from __future__ import annotations

from importlib import resources
from typing import Any

import yaml


def load_yaml(name: str) -> dict[str, Any]:
    """Return the mapping in the YAML file `name` of this package."""
    content = yaml.safe_load((resources.files(__package__) / name).read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise TypeError(f"{name} holds no mapping")
    return content
