"""The `hapju` command: its groups, and how each run ends.

A usage error of a command that was asked for JSON is a JSON object too: a script reads standard output only.
"""

import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated, Any, Final

import typer

from services.cli import domains, output
from services.cli.ask import ask, reply
from services.cli.decisions import decide
from services.cli.deployment import backup, keys, listing, mcp, migrate, seed, up
from services.cli.evaluation import evaluate
from services.cli.flows import experiment, flows, sessions
from services.cli.problems import ExitCode, Problem, interrupted, problem_from_settings, usage
from services.cli.replay import replay

__all__ = ["app", "main", "run"]

_JSON_OPTIONS: Final = frozenset({"--json", "--events"})

app = typer.Typer(
    name="hapju",
    help="Answers questions with an ensemble of agents, each of them a gRPC service.\n\n"
    "Without HAPJU_GATEWAY the services run inside this process, on sample data that the first question loads.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:  # noqa: FBT001 - Typer calls it with the flag's value
    if asked:
        output.print_line(f"hapju {version('hapju')}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


for _group in (ask, reply, decide, up, mcp, migrate, backup, seed, listing, evaluate, replay):
    _group.declare(app)
app.add_typer(domains.app)
app.add_typer(flows.app)
app.add_typer(experiment.app)
app.add_typer(sessions.app)
app.add_typer(keys.keys_app)
app.add_typer(keys.token_app)


def main() -> None:
    """Run the command that the process was started with, and end the process."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    # Services have drained and exporters are flushed: taking the interpreter apart would take half a second more.
    os._exit(code)


def run(arguments: Sequence[str], command: typer.Typer = app) -> int:
    """Run one command, `hapju` where no other is given, and return its exit code; problems are told, not raised."""
    as_json = not _JSON_OPTIONS.isdisjoint(arguments)
    try:
        return _invoke(arguments, command)
    except typer.TyperException as misused:
        return _tell(_problem_from_usage(misused), as_json=as_json, hint=_hint(misused))
    except Problem as problem:
        return _tell(problem, as_json=as_json)
    except (KeyboardInterrupt, typer.Abort):
        return _tell(interrupted(), as_json=as_json)
    except BrokenPipeError:
        _discard_output()
        return ExitCode.FAILED
    except Exception as error:  # noqa: BLE001 - whatever it is, the run ends with a problem that is told
        return _tell(_problem(error), as_json=as_json)


def _problem(error: Exception) -> Problem:
    """Return what settings or domains that cannot be used say; of a fault of ours its place is said as well."""
    from services.runtime.settings import SettingsError  # noqa: PLC0415 - help does without it

    if isinstance(error, SettingsError):
        return problem_from_settings(str(error))
    output.say("".join(traceback.format_exception(error)))
    return Problem("INTERNAL", "INTERNAL", "the command failed; standard error tells where")


def _invoke(arguments: Sequence[str], command: typer.Typer) -> int:
    ended = command(list(arguments), prog_name=command.info.name, standalone_mode=False)
    if ended == ExitCode.CANCELLED and not isinstance(ended, ExitCode):
        # Typer has taken a Ctrl-C that came before the command's own work, and says nothing of it.
        raise interrupted()
    return ended if isinstance(ended, int) else ExitCode.FINISHED


def _tell(problem: Problem, *, as_json: bool, hint: str = "") -> int:
    with contextlib.suppress(BrokenPipeError):
        if as_json:
            output.print_json(problem.as_json())
        elif problem.message:
            output.say(f"hapju: {problem}")
        if hint and not as_json:
            output.say(hint)
    return problem.exit_code


def _problem_from_usage(misused: typer.TyperException) -> Problem:
    # The parser's classes are private to Typer; what it knows of the parameter stands on the exception.
    parameter: Any = getattr(misused, "param", None)
    if parameter is None:
        return usage("", misused.format_message())
    options = [option for option in parameter.opts if option.startswith("--")]
    name = options[0] if options else str(parameter.metavar or parameter.opts[0]).strip("[]").upper()
    return usage(name, misused.message.removeprefix("Value error, ") or "is missing")


def _hint(misused: typer.TyperException) -> str:
    context: Any = getattr(misused, "ctx", None)
    return f"Try '{context.command_path} --help'." if context is not None else ""


def _discard_output() -> None:
    """Point standard output nowhere: its reader has gone, and the interpreter would complain when it flushes."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
