"""AgentSpec: the whole definition of an agent as data."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from prompts.agents.agent_summary import Inputs as SummaryInputs
from prompts.agents.agent_summary import Output as SummaryOutput
from prompts.prompt import Prompt
from services.contract.flow import Branch
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.tools.reads import Row
from services.plugin.tools.tool import Tool
from services.plugin.wording import Text

Analyse = Callable[[tuple[Reading, ...], Asking], Findings]
"""Computes what the rows say: pure, quick, and without rows only for an agent without sources."""
SummaryPrompt = Prompt[SummaryInputs, SummaryOutput]
"""What asks a model for a summary."""


@dataclass(frozen=True)
class Source:
    """A tool that an agent reads through."""

    tool: str
    """The tool's name."""
    row: type[Row]
    """What the agent reads of a row."""
    data_type: str
    """The kind of data, which decides how it ages: market, macro, price, product, legal or loan."""
    title: Text
    """What a user calls the data."""
    identifier: str | tuple[str, ...] = ""
    """The argument or arguments naming what is read; a value that the data does not cover is refused under its name."""
    limits: tuple[tuple[str, str], ...] = ()
    """Arguments that are limits set by the user, such as the highest price, each with its unit."""
    version: int = 1
    """The version of the rows' schema that `row` reads."""
    branch: Branch = Branch.SQL
    """The branch whose steps read it."""
    supplement: bool = False
    """Attached where there are rows: alone it is no answer, and without rows it costs no confidence."""
    country: str = ""
    """Read only where the question concerns this country; empty for any."""
    is_newest: bool = False
    """Whether a call asks for the newest rows alone: that older ones were not returned is then no caution."""
    statement: str = ""
    """The argument that is a model's own statement, whose check by the gateway is recorded; empty where none is."""

    @classmethod
    def of(  # noqa: PLR0913 - what an agent may say of its reading
        cls,
        tool: Tool,
        *identifiers: str,
        limits: tuple[tuple[str, str], ...] = (),
        branch: Branch = Branch.SQL,
        supplement: bool = False,
        country: str = "",
        is_newest: bool = False,
        statement: str = "",
    ) -> Self:
        """Return the source that reads through a tool: its rows, their kind and their title are the tool's own.

        Raises:
            ValueError: The tool's rows have no title.
        """
        if tool.title is None:
            raise ValueError(f"{tool.name}: its rows have no title to be shown under")
        more: dict[str, Any] = {"limits": limits, "branch": branch, "supplement": supplement, "country": country}
        told = (tool.name, tool.row, tool.data_type, tool.title, identifiers)
        return cls(*told, version=tool.version, is_newest=is_newest, statement=statement, **more)

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The arguments that name what is read."""
        named = (self.identifier,) if isinstance(self.identifier, str) else self.identifier
        return tuple(name for name in named if name)

    @property
    def rows_schema_id(self) -> str:
        """The schema that the tool's rows must bear."""
        return f"hapju.tool.{self.tool}.rows.v{self.version}"


@dataclass(frozen=True)
class AgentSpec:
    """The definition of one agent; what it answers and leaves to others stands in its domain.yaml."""

    id: str
    """Domain and name, as in the catalog: the folder and the file that hold the definition."""
    sources: tuple[Source, ...]
    """The tools that it reads through; empty for an agent that answers without data."""
    analyse: Analyse
    """What it computes with."""
    covers: Text
    """What its data covers, said where it found nothing; holds no number."""
    reading: Text = Text("자료를 찾고 있습니다.", "Looking it up.")  # noqa: RUF009 - frozen
    """What it says while it reads."""
    computing: Text = Text("찾은 자료를 살펴보고 있습니다.", "Looking at what was found.")  # noqa: RUF009 - frozen
    """What it says while it computes."""
    short: Text = Text("조건에 맞는 자료가 적습니다.", "Little was found that matches.")  # noqa: RUF009 - frozen
    """The caution where the rows are fewer than `rows_min`."""
    next_steps: tuple[Text, ...] = ()
    """What the user may do next."""
    rows_min: int = 1
    """The rows of one subject that the method asks for; with fewer the result is LIMITED."""
    summary: SummaryPrompt | None = None
    """Asks a model for the summary; None where the agent never does."""
    foreign: bool = False
    """Whether its summary is a foreign agent's words, told as far as the data that came along holds them."""
    confidence_max: float = 0.95
    """The confidence of a result whose calls all returned enough published rows."""

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that it calls, each once."""
        return tuple(dict.fromkeys(source.tool for source in self.sources))

    @property
    def reads(self) -> bool:
        """Whether it answers from rows; one that has no sources, or supplements alone, answers without."""
        return any(not source.supplement for source in self.sources)

    @property
    def data_types(self) -> tuple[str, ...]:
        """The kinds of data that it reads, each once."""
        return tuple(dict.fromkeys(source.data_type for source in self.sources))

    def source(self, tool: str) -> Source | None:
        """Return the source of a tool, or None where the agent does not call it."""
        return next((source for source in self.sources if source.tool == tool), None)

    @cached_property
    def digest(self) -> str:
        """The first 12 hexadecimal digits of the definition's SHA-256; rows, texts and prompt are parts of it."""
        plain = {
            "sources": [
                [
                    *(source.tool, source.data_type, source.rows_schema_id, source.row.model_json_schema()),
                    *(source.branch.value, source.supplement, source.country),
                ]
                for source in self.sources
            ],
            "analyse": f"{self.analyse.__module__}.{self.analyse.__qualname__}",
            "summary": "" if self.summary is None else self.summary.version,
            "texts": [[text.ko, text.en] for text in self._texts()],
            "figures": [self.rows_min, self.confidence_max, *([True] if self.foreign else [])],
            "names": [self.id],
        }
        return hashlib.sha256(json.dumps(plain, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]

    def _texts(self) -> tuple[Text, ...]:
        titles = (source.title for source in self.sources)
        return (self.covers, self.reading, self.computing, self.short, *self.next_steps, *titles)
