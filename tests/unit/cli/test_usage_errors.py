"""What the command line says to what it cannot do."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from services.runtime.environment import process_environment

Hapju = Callable[..., tuple[int, str, str]]

COMMANDS = [
    ("ask",),
    ("route",),
    ("plan",),
    ("up",),
    ("seed",),
    ("agents",),
    ("tools",),
    ("flows", "list"),
    ("flows", "show"),
    ("sessions", "list"),
    ("sessions", "show"),
    ("sessions", "delete"),
    ("keys", "new"),
    ("token", "mint"),
    ("token", "check"),
]
MISUSES = [
    (("ask",), "QUESTION"),
    (("ask", "물가는?", "--locale", "fr"), "--locale"),
    (("ask", "물가는?", "--timeout", "0"), "--timeout"),
    (("ask", "물가는?", "--timeout", "601"), "--timeout"),
    (("ask", "물가는?", "--user-type", "buyer"), "--user-type"),
    (("ask", "물가는?", "--user-type", "seller"), "--user-type"),
    (("route",), "QUESTION"),
    (("plan", "물가는?", "--locale", "fr"), "--locale"),
    (("flows", "show"), "ID"),
    (("flows", "list", "--limit", "0"), "--limit"),
    (("sessions", "delete"), "ID"),
    (("seed", "--as-of", "yesterday"), "--as-of"),
    (("seed", "--url", "oracle://host/db"), "--url"),
    (("seed", "--url", "nonsense"), "--url"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_that_says_what_it_does(hapju: Hapju, command: tuple[str, ...]) -> None:
    """Help goes to standard output, ends with 0 and shows the command's usage."""
    code, out, err = hapju(*command, "--help")
    assert (code, err) == (0, "")
    assert f"Usage: hapju {' '.join(command)}" in out


def test_version_is_the_packages(hapju: Hapju) -> None:
    """--version prints name and version."""
    code, out, _ = hapju("--version")
    assert code == 0
    assert out.startswith("hapju ")


@pytest.mark.parametrize(("arguments", "field"), MISUSES)
def test_misuse_is_told_as_json_where_json_was_asked_for(hapju: Hapju, arguments: tuple[str, ...], field: str) -> None:
    """With --json a usage error is one object that names the argument, and the exit code is 2."""
    code, out, err = hapju(*arguments, "--json")
    error = json.loads(out)["error"]
    assert (code, err) == (2, "")
    assert (error["code"], error["violations"][0]["field"]) == ("INVALID_ARGUMENT", field)
    assert field in error["message"]


@pytest.mark.parametrize(("arguments", "field"), MISUSES)
def test_misuse_is_told_to_a_person_on_standard_error(hapju: Hapju, arguments: tuple[str, ...], field: str) -> None:
    """Without --json standard output stays empty and standard error names the argument."""
    code, out, err = hapju(*arguments)
    assert (code, out) == (2, "")
    assert field in err


def test_an_unknown_setting_is_named_with_the_nearest(hapju: Hapju, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistyped variable ends with 2 and names the variable that was meant."""
    monkeypatch.setenv("HAPJU_GATEWAI", "127.0.0.1:1")
    code, out, _ = hapju("ask", "물가는?", "--json")
    error = json.loads(out)["error"]
    assert (code, error["reason"], error["violations"][0]["field"]) == (2, "SETTINGS_INVALID", "HAPJU_GATEWAI")
    assert "HAPJU_GATEWAY" in error["message"]


def test_an_unknown_service_is_named_with_the_known(hapju: Hapju) -> None:
    """`up --only` refuses a name that is no service and lists those that are."""
    code, out, err = hapju("up", "--only", "orchestra")
    assert (code, out) == (2, "")
    assert "'orchestra'" in err
    assert "orchestrator" in err


@pytest.mark.parametrize(
    ("arguments", "field"),
    [((b"ask", b"\xff\xfe"), "QUESTION"), ((b"ask", b"ok", b"--session", b"\xed\xa0\x80"), "--session")],
)
def test_bytes_that_are_no_utf8_are_refused(arguments: tuple[bytes, ...], field: str, tmp_path: Path) -> None:
    """Invalid UTF-8 in the process's arguments ends with 2 and names the argument."""
    child = subprocess.run(
        [sys.executable, "-m", "services.cli", *arguments, b"--json"],
        env=process_environment(HAPJU_DATA_DIR=str(tmp_path)),
        capture_output=True,
        check=False,
        timeout=30,
    )
    error = json.loads(child.stdout)["error"]
    assert (child.returncode, child.stderr) == (2, b"")
    assert error["violations"] == [{"field": field, "description": "is no valid UTF-8"}]


def test_a_fault_of_ours_is_one_object_too(hapju: Hapju, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that nobody expected leaves an INTERNAL object and exit code 1; its place goes to standard error."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("services.cli.ask.following.follow", broken)
    code, out, err = hapju("ask", "물가는?", "--json")
    assert (code, json.loads(out)["error"]["code"]) == (1, "INTERNAL")
    assert "ZeroDivisionError" in err


def test_ctrl_c_before_the_work_begins_is_told(hapju: Hapju, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt while the command still loads ends with 130 and one object, as a later one does."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("services.cli.ask.following.follow", interrupted)
    code, out, _ = hapju("ask", "물가는?", "--json")
    assert (code, json.loads(out)["error"]["code"]) == (130, "CANCELLED")


def test_no_gateway_at_the_address_is_a_failure_that_names_it(hapju: Hapju, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gateway that cannot be reached ends with 1."""
    monkeypatch.setenv("HAPJU_GATEWAY", "127.0.0.1:9")
    code, out, _ = hapju("ask", "물가는?", "--json")
    error = json.loads(out)["error"]
    assert (code, error["code"]) == (1, "UNAVAILABLE")
    assert "127.0.0.1:9" in error["message"]
