"""`hapju domains`: what is installed, whether a domain is whole, and a small one to begin with."""

import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Final

import typer

from services.cli import options, output
from services.cli.problems import ExitCode, usage

app = typer.Typer(name="domains", help="List, check and make domains.", no_args_is_help=True)
NAME: Final = re.compile(r"[a-z][a-z0-9]{1,20}")
"""What a domain that is made may be called."""
_PACKAGE: Final = "package"


@app.command(name="list")
def list_domains(*, as_json: options.AsJson = False) -> None:
    """List the domains that this deployment knows, with what each requires and holds."""
    from services.plugin.installed import installed_domains  # noqa: PLC0415 - help does without it

    columns = ("domain", "title", "package", "requires", "intents", "agents", "tools")
    rows = [
        (
            *(one.name, one.declaration.title.en, one.package, ", ".join(one.declaration.requires)),
            *(str(len(part)) for part in (one.declaration.intents, one.declaration.agents, one.declaration.tools)),
        )
        for one in installed_domains()
    ]
    if as_json:
        output.print_json({"domains": [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        output.print_table(columns, rows, frozenset(columns[4:]))


@app.command()
def check(
    domain: Annotated[
        str,
        typer.Argument(
            parser=options.utf8,
            metavar="PATH|NAME",
            help="A folder with a domain's package or its project, or the name of an installed domain.",
            show_default=False,
        ),
    ],
) -> int:
    """Check one domain and tell every fault on a line of its own, with file and line; ends with 1 where there are any.

    Checked are the shapes of its files, owners, tools and whether each is used, figures, utterances, evaluation rows,
    and that each example is routed to its own intent.
    """
    from services.cli.domains.checking import checked  # noqa: PLC0415 - as above

    found = checked(domain)
    for fault in found:
        output.print_line(fault)
    output.say(f"{domain}: {f'{len(found)} faults' if found else 'whole'}")
    return ExitCode.FAILED if found else ExitCode.FINISHED


@app.command()
def new(
    name: Annotated[
        str,
        typer.Argument(parser=options.utf8, metavar="NAME", help="Its name: small letters.", show_default=False),
    ],
    *,
    at: Annotated[
        str, typer.Option("--at", parser=options.utf8, metavar="DIR", help="Where its folder is made.")
    ] = ".",
) -> None:
    """Write a small domain that runs: one agent, one tool over a small table, words, figures, utterances, rows."""
    if not NAME.fullmatch(name):
        raise usage("NAME", f"{name!r} is no name of a domain: small letters, digits behind the first")
    folder = Path(at) / f"hapju-{name}"
    if folder.exists():
        raise usage("--at", f"{folder} is there already")
    for path in made(name, folder):
        output.print_line(str(path))
    output.say(f"install it with: pip install {folder}\ncheck it with: hapju domains check {folder}")


def made(name: str, folder: Path) -> Iterator[Path]:
    """Write a domain's project into a folder and yield each file that is written.

    Args:
        name: The domain's name.
        folder: The folder; it is made.
    """
    for place, text in _files(resources.files(__package__) / "template", ""):
        path = folder / _named(place.removesuffix(".txt").replace(_PACKAGE, f"hapju_{name}", 1), name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_named(text, name), encoding="utf-8")
        yield path


def _files(folder: Traversable, above: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        place = f"{above}{entry.name}"
        if entry.is_dir():
            yield from _files(entry, f"{place}/")
        else:
            yield place, entry.read_text(encoding="utf-8")


def _named(text: str, name: str) -> str:
    return text.replace("~name~", name).replace("~Name~", name.capitalize())
