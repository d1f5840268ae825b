"""Reads the YAML files that a package holds; libyaml does it, for pure Python takes a tenth of a service's start."""

from collections.abc import Iterator, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from services.runtime.settings import SettingsError

_Model = TypeVar("_Model", bound=BaseModel)


class DocumentError(SettingsError):
    """A file that cannot be used; each line of the text names the file, the line, the entry and the fault."""


def read_yaml(package: str, name: str) -> object:
    """Return what the file `name` of an importable package says.

    Raises:
        FileNotFoundError: The package holds no such file.
        yaml.YAMLError: The file is no YAML.
    """
    return parse_yaml(resources.files(package).joinpath(name).read_text(encoding="utf-8"))


def parse_yaml(text: str) -> object:
    """Return what a YAML text says; no tag makes it build anything but plain values.

    Raises:
        yaml.YAMLError: The text is no YAML.
    """
    return yaml.load(text, Loader=yaml.CSafeLoader)


def read_model(path: Traversable, model: type[_Model]) -> _Model:
    """Return what a YAML file says, in the shape that its model gives.

    Raises:
        DocumentError: There is no such file, it is no YAML or has another shape; every fault is told with its line.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return model.model_validate(parse_yaml(text))
    except OSError as missing:
        raise DocumentError(f"{path}: {missing.strerror}") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark is not None else 0
        # A text that ends too soon has its fault after its last line.
        raise DocumentError(f"{path}:{min(line + 1, len(text.splitlines()))}: {error.problem}") from None
    except ValidationError as error:
        raise DocumentError("\n".join(_faults(path, text, error))) from None


def line_of(text: str, place: Sequence[str | int]) -> int:
    """Return the line, from 1, at which a place of a YAML text stands, or the last place on the way that is there."""
    node, line = yaml.compose(text, Loader=yaml.CSafeLoader), 1
    for part in place:
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        elif isinstance(node, yaml.MappingNode):
            named = next(((key, value) for key, value in node.value if key.value == str(part)), None)
            if named is None:
                break
            line, node = named[0].start_mark.line + 1, named[1]
        else:
            break
    return line


def _faults(path: Traversable, text: str, error: ValidationError) -> Iterator[str]:
    for fault in error.errors(include_url=False, include_input=False):
        place = ".".join(str(part) for part in fault["loc"])
        yield f"{path}:{line_of(text, fault['loc'])}: {place}: {fault['msg']}"
