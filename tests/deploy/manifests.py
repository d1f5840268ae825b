"""Shapes of rendered objects and how tests look into them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
"""The root of the repository."""

Object = dict[str, Any]
"""One object of Kubernetes or one entry of the compose file, as YAML reads it."""

Render = Callable[..., list[Object]]
"""Renders the chart with values laid over its own."""


def kind_of(objects: list[Object], kind: str) -> dict[str, Object]:
    """Returns the objects of that kind by their name."""
    return {found["metadata"]["name"]: found for found in objects if found["kind"] == kind}


def environment_of(container: Object) -> dict[str, Any]:
    """Returns a container's variables: the value, or what it is taken from."""
    return {entry["name"]: entry.get("value", entry.get("valueFrom")) for entry in container["env"]}


def compose_processes(compose: Object) -> dict[str, Any]:
    """Returns the compose entries that run a module of hapju."""
    return {
        name: entry
        for name, entry in compose["services"].items()
        if entry.get("image") == compose["x-process"]["image"] and "entrypoint" not in entry
    }
