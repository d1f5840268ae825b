"""Stubs in other languages are made by one command each, where the language's plugins are installed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "protos" / "stubs"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hapju-stubs" / "bin"
"""Where plugins may lie that no package of the system has."""
SERVICE = {
    "go": "gateway_service_grpc.pb.go",
    "java": "GatewayServiceGrpc.java",
    "csharp": "GatewayServiceGrpc.cs",
    "ruby": "gateway_service_services_pb.rb",
    "php": "GatewayServiceClient.php",
    "typescript": "gateway_service_pb.ts",
    "node": "gateway_service_pb.js",
    "python": "gateway_service_pb2_grpc.py",
}
"""The file that holds the gateway's client, by language."""
PATH = os.pathsep.join((str(CACHE), str(Path(sys.executable).parent), os.environ["PATH"]))


@pytest.mark.parametrize("language", SERVICE)
def test_one_command_makes_the_gateways_client(language: str, tmp_path: Path) -> None:
    """Buf reads the template and writes the client of the gateway with all that it takes and gives, and of no other."""
    template = TEMPLATES / f"{language}.yaml"
    plugins = yaml.safe_load(template.read_text(encoding="utf-8"))["plugins"]
    for name in (one.get("local", "protoc") for one in plugins):
        if shutil.which(name, path=PATH) is None:
            pytest.skip(f"{name} is not installed here")
    made = subprocess.run(
        ["buf", "generate", "--template", str(template), "-o", str(tmp_path)],  # noqa: S607 - buf of this environment
        cwd=ROOT / "protos",
        env={**os.environ, "PATH": PATH},
        check=False,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    assert len(list(tmp_path.rglob(SERVICE[language]))) == 1
    assert list(tmp_path.rglob("*[fF]low*[eE]vent*"))
    texts = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert not any(
        inner in text for text in texts for inner in (b"InvokeToolRequest", b"AgentServiceStub", b"RunRequest")
    )


def test_no_two_files_bear_one_name() -> None:
    """Some generators write all files side by side; and what clients are made of names no file of an inner service."""
    names = [path.name for path in (ROOT / "protos" / "hapju").rglob("*.proto")]
    assert sorted(set(names)) == sorted(names)
    waiting, reached = ["hapju/gateway/v1/gateway_service.proto"], set[str]()
    while waiting:
        reached.add(path := waiting.pop())
        waiting += (
            set(re.findall(r'^import "(hapju/[^"]+)"', (ROOT / "protos" / path).read_text(), re.MULTILINE)) - reached
        )
    assert {path for path in reached if path.endswith("_service.proto")} == {"hapju/gateway/v1/gateway_service.proto"}


def test_each_template_is_told_of() -> None:
    """The page names each template, and each template has a test."""
    page = (TEMPLATES / "README.md").read_text(encoding="utf-8")
    names = {path.stem for path in TEMPLATES.glob("*.yaml")}
    assert names == SERVICE.keys()
    assert [name for name in names if f"`{name}.yaml`" not in page] == []
