"""What is said between whoever asks for the sample data and the processes that load it."""

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field


def not_installed(missing: ModuleNotFoundError) -> str:
    """Return what is said where the sample data cannot be made because a package is missing."""
    return f"the sample data needs the package {missing.name}, which is not installed: pip install 'hapju[sample]'"


class SeedFailed(RuntimeError):
    """A seeding child failed; the database is as it was before. The text holds the end of its error output."""


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SeedRequest(_Message):
    """What the children are to do."""

    url: str
    """URL of the database."""
    graph_url: str = ""
    """URL of the graph; empty for a deployment that has none."""
    as_of: AwareDatetime
    """The moment up to which rows are generated."""
    domain: str = ""
    """The domain to be loaded with all that it requires; empty for all that are installed."""
    any_date: bool = False
    """True where data of another date is as good."""
    force: bool = False
    """True to load anew whatever is there."""
    prepared: str = ""
    """The folder with rows that were generated before; empty has them generated where they are loaded."""


class SeedProgress(_Message):
    """One data set is loaded (and committed with all others at the end)."""

    dataset: str
    """Its English title."""
    rows: int
    """Its rows."""
    done: int
    """Data sets loaded so far."""
    total: int
    """Data sets in all, when every optional package is installed."""


class SeededDataset(_Message):
    """One data set of a report."""

    dataset_id: str
    """Its id."""
    domain: str = ""
    """The domain that it belongs to; empty where an earlier version has loaded it."""
    title_ko: str
    """Title for Korean readers."""
    title_en: str
    """Title for English readers."""
    source: str
    """Who published or generated it."""
    licence: str
    """Its licence."""
    sample: bool
    """True where it is generated."""
    as_of: AwareDatetime
    """Newest moment that it speaks of."""
    rows: int
    """Its rows."""


class SeedReport(_Message):
    """What a seed did."""

    loaded: bool
    """False where the database already held what was asked for."""
    as_of: AwareDatetime
    """The moment up to which rows were generated."""
    rows: int
    """Rows over all data sets."""
    seconds: float
    """How long the load took, without starting the child."""
    datasets: tuple[SeededDataset, ...]
    """The data sets."""
    left_out: tuple[str, ...] = Field(default=())
    """A sentence for each published data set whose package is not installed."""
    domains: dict[str, AwareDatetime] = Field(default={})
    """The moment up to which the rows of each loaded domain were generated."""
    notes: tuple[str, ...] = Field(default=())
    """Sentences on what else was done to the database."""
