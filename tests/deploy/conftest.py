"""The chart as Helm renders it and the compose file as Compose reads it, for the tests of this folder."""

import re
from collections.abc import Iterator
from pathlib import Path

import helm_python
import pytest
import yaml

from tests.deploy.manifests import ROOT, Object, Render


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def chart() -> Iterator[helm_python.Chart]:
    """The chart, loaded once."""
    with helm_python.Chart.load(str(ROOT / "helm")) as loaded:
        yield loaded


@pytest.fixture(scope="session")
def values() -> Object:
    """The chart's own values."""
    read: Object = yaml.safe_load((ROOT / "helm" / "values.yaml").read_text(encoding="utf-8"))
    return read


@pytest.fixture(scope="session")
def render(chart: helm_python.Chart) -> Render:
    """Renders the chart with values laid over its own and returns the objects."""

    def rendered(values: Object | None = None) -> list[Object]:
        texts = chart.render(values or {}, name="release", namespace="space")
        manifests = (text for path, text in texts.items() if path.endswith(".yaml"))
        return [found for text in manifests for found in yaml.load_all(text, Loader=yaml.CSafeLoader) if found]

    return rendered


@pytest.fixture(scope="session")
def compose() -> Object:
    """The compose file with every variable of the environment unset; those that are required read "given"."""
    return _composed("docker-compose.yml")


@pytest.fixture(scope="session")
def watching_compose() -> Object:
    """The file that is laid over it to have the processes watched."""
    return _composed("observability/compose.yaml")


def _composed(name: str) -> Object:
    text = (ROOT / name).read_text(encoding="utf-8")
    text = re.sub(r"(?<!\$)\$\{\w+:\?[^}]*\}", "given", text)
    text = re.sub(r"(?<!\$)\$\{\w+:-([^}]*)\}", r"\1", text)
    read: Object = yaml.safe_load(text.replace("$$", "$"))
    return read
