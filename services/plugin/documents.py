"""Reads the YAML files that a package holds; libyaml does it, for pure Python takes a tenth of a service's start."""

from importlib import resources

import yaml


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
