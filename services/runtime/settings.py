"""The settings of a process."""

import ipaddress
import secrets
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from observability.telemetry import TelemetrySettings
from services.runtime.model_settings import LlmSettings, ModelPrice, priced

ReuseVariant = Literal["hybrid", "supervisor_only", "no_reuse"]
"""How what a conversation has found is judged (services/durable/experiments.py)."""


class SettingsError(ValueError):
    """A setting that is unknown or cannot be used; the text names the variable."""


class ServicePlaces(Protocol):
    """Which services there are and where each listens by default; the catalog's topology is one."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every service and agent."""

    @property
    def variables_idle(self) -> tuple[str, ...]:
        """The address variables of agents that are declared and not run here."""

    def port(self, name: str) -> int:
        """Return the default port of a service."""

    def address_variable(self, name: str) -> str:
        """Return the variable that holds a service's address, for example HAPJU_ROUTER_ADDR."""


class _Shortcut:
    """Marks a setting by which work is done side by side, or before it is certain to be needed."""


Shortcut = Annotated[bool, _Shortcut()]
"""A setting that makes answers faster and nothing else: on or off, the same kinds of decisions are made as often."""


def _split(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


class Settings(BaseModel):
    """The settings of one process. A field's variable is HAPJU_ and its name in capitals."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    listen: str = ""
    """Address to listen at, host:port; by default 127.0.0.1 and the service's own port."""
    gateway: str = ""
    """Address of a running gateway; the command line is its client where it is set."""
    data_dir: Path = Path.home() / ".local" / "share" / "hapju"
    """Where the embedded databases live."""
    store_url: str = ""
    """SQLAlchemy URL of the flow store; SQLite in data_dir by default."""
    sql_url: str = ""
    """SQLAlchemy URL of the data; SQLite in data_dir by default."""
    sql_read_url: str = ""
    """SQLAlchemy URL under which the data is read, for a role that may only select; sql_url by default."""
    graph_url: str = ""
    """URL of the graph; embedded in data_dir by default."""
    payment_gateway: str = ""
    """Address of the system that moves money (hapju.tool.v1.EffectBackendService); empty books it in our own data."""
    auth_mode: Literal["dev", "jwt"] = "dev"
    """dev binds to loopback only and lets anonymous callers in; jwt asks every client for a verified token."""
    jwt_keys: SecretStr = SecretStr("")
    """What client tokens are verified with under jwt: a JWK set as JSON, its path, or its http(s) address."""
    jwt_audience: str = "hapju"
    """The audience that client tokens must name."""
    jwt_issuer: str = ""
    """The issuer that client tokens must name; empty accepts any."""
    oidc_issuer: str = Field(default="", pattern=r"^(?:|https?://.+)$")
    """The OpenID provider that people sign in to the console at, under jwt; empty has them bring a token."""
    oidc_client_id: str = ""
    """What the console is called there."""
    oidc_client_secret: SecretStr = SecretStr("")
    """Its secret there; empty for a public client, which PKCE protects alone."""
    oidc_scope: str = "openid"
    """What is asked for there, by space."""
    oidc_session: Literal["access", "id"] = "access"
    """Which of the provider's tokens the person's calls bear: it has to be one that jwt_keys and jwt_audience take."""
    console_url: str = Field(default="", pattern=r"^(?:|https?://[^/]+)$")
    """Where browsers reach the HTTP edge, https://hapju.example, where that is another address than its own."""
    console_trace_url: str = Field(default="", pattern=r"^(?:|https?://\S*\{flow_run_id\}\S*)$")
    """Where a flow's trace is looked at, the flow's id in its place; the console links there."""
    caller_key: SecretStr = SecretStr("")
    """The secret that services sign caller assertions with; the same in every service; 32 bytes or more."""
    tls_cert: str = ""
    """Path of the PEM certificate chain that this process shows; empty leaves connections in the clear."""
    tls_key: str = ""
    """Path of its PEM key."""
    tls_ca: str = ""
    """Path of the PEM certificates of the authorities that sign what the others show."""
    tls_clients: Literal["services", "all", "none"] = "services"
    """Whose callers have to show a certificate: those of every service but the gateway, of all, or of none."""
    probe_listen: str = ""
    """host:port of a second door that tells health in the clear and nothing else, for probes without TLS."""
    token: SecretStr = SecretStr("")
    """The Bearer token that the command line sends to HAPJU_GATEWAY; in dev mode it signs one for --user itself."""
    tenants: str = ""
    """What each tenant is granted (services/runtime/tenants.py): a JSON object, or the path of a file of it."""
    domains: Annotated[tuple[str, ...], BeforeValidator(_split)] = ()
    """The domains that this deployment knows, by comma, with those that they require; all by default."""
    http_listen: str = Field(default="", pattern=r"^(?:|off|auto|.+:\d{1,5})$")
    """Address at which the gateway serves HTTP, host:port; off for none; auto takes 127.0.0.1:8080, or a free port
    where that is taken. Off by default, and auto under `hapju up`."""
    http_origins: Annotated[tuple[str, ...], BeforeValidator(_split)] = ()
    """Origins whose pages may call the HTTP edge from a browser, by comma; the edge's own needs no entry."""
    http_body_bytes_max: int = Field(default=1_048_576, ge=1_024)
    """The size of one HTTP request's body."""
    attachments_max: int = Field(default=3, ge=0, le=20)
    """How many files may come with a question; 0 takes none."""
    attachment_bytes_max: int = Field(default=3_145_728, ge=1_024, le=3_670_016)
    """The size of all files of a question together; a message holds 4 MiB in all."""
    attachment_pages_max: int = Field(default=60, ge=1)
    """The pages of one file."""
    attachment_characters_max: int = Field(default=60_000, ge=100, le=200_000)
    """What all files of a question may say, in characters."""
    attachment_seconds_max: float = Field(default=10.0, ge=1)
    """How long reading one file may take."""
    attachment_memory_bytes_max: int = Field(default=536_870_912, ge=134_217_728)
    """The memory of the process that reads one file."""
    http_stalled_seconds_max: float = Field(default=30.0, gt=0)
    """How long an HTTP client may take to send its request, or to read what is sent; then it is let go."""
    http_connections_max: int = Field(default=4_096, ge=1)
    """How many connections the HTTP edge keeps at once, streams included; further ones are told to come again."""
    completions_progress: bool = False
    """Whether chat completions tell what is being done as reasoning text."""
    rpcs_max: int = Field(default=1_000, ge=1)
    """How many calls a service serves at once."""
    flows_max: int = Field(default=500, ge=1)
    """How many flows one orchestrator runs at once."""
    drain_seconds_max: float = Field(default=20.0, ge=0)
    """How long a stopping service waits for its running calls."""
    connection_seconds_max: int = Field(default=0, ge=0)
    """How long a client keeps one connection to a service, so that replicas that came later are given calls too; a call
    that runs then goes on for up to ten minutes. 0 keeps connections."""
    away_seconds_max: float = Field(default=15.0, ge=0)
    """How long a call waits for a service that is away, being started anew for example, before it fails; at most a
    quarter of the time that the call has."""
    reflection: bool = False
    """Whether grpc reflection is served."""
    log_format: Literal["json", "console"] = "json"
    """One JSON object a line, or text for a person."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Records below this level are not written."""
    content_captured: bool = False
    """Whether questions, prompts and answers may stand in spans and log lines."""
    model_calls_max: int = Field(default=40, ge=0)
    """Model calls of one flow."""
    tokens_max: int = Field(default=200_000, ge=0)
    """Tokens of one flow."""
    model_failures_max: int = Field(default=3, ge=0)
    """Model failures after which the rest of a flow goes by rule."""
    cost_micro_usd_max: int = Field(default=1_000_000, ge=0)
    """Money of one flow, in millionths of a US dollar; counts for models that llm_prices names."""
    model_router: str = LlmSettings.model_fields["model_router"].default
    """See LlmSettings."""
    model_utility: str = LlmSettings.model_fields["model_utility"].default
    """See LlmSettings."""
    model_agent: str = LlmSettings.model_fields["model_agent"].default
    """See LlmSettings."""
    model_supervisor: str = LlmSettings.model_fields["model_supervisor"].default
    """See LlmSettings."""
    llm_structured_output: Literal["auto", "json_schema", "json_object", "text"] = "auto"
    """See LlmSettings."""
    llm_brief: bool = False
    """See LlmSettings."""
    llm_prices: Annotated[tuple[ModelPrice, ...], BeforeValidator(priced)] = ()
    """US dollars for a million tokens, as JSON: {"gpt-4.1": {"input": 2, "output": 8}}; others count as free."""
    llm_profile: Literal["hosted", "local"] = "hosted"
    """What the other settings of models are by default: `local` is for a small model on this machine, which answers one
    call at a time."""
    llm_connect_timeout_seconds: float = Field(default=3.0, gt=0)
    """See LlmSettings."""
    llm_first_token_timeout_seconds: float = Field(default=15.0, gt=0)
    """See LlmSettings."""
    llm_idle_timeout_seconds: float = Field(default=10.0, gt=0)
    """See LlmSettings."""
    llm_call_timeout_seconds: float = Field(default=30.0, gt=0)
    """See LlmSettings."""
    question_seconds_max: float = Field(default=900.0, gt=0)
    """How long a flow waits for a person before it is cancelled with nothing done."""
    lease_seconds: float = Field(default=10.0, ge=0.5)
    """How long a flow whose orchestrator is lost waits until another replica goes on with it."""
    data_reuse: bool = True
    """Whether what a conversation has found is used again where it still answers."""
    reuse_variants: Annotated[tuple[ReuseVariant, ...], BeforeValidator(_split)] = Field(("hybrid",), min_length=1)
    """How it is judged, by comma: hybrid, supervisor_only or no_reuse. Several are an experiment: conversations are
    shared out among them, and `hapju experiment report` compares."""
    reuse_question_seconds_max: float = Field(default=30.0, gt=0)
    """How long a person is asked whether earlier data will do, before it is looked up anew."""
    flow_recording: Literal["auto", "on", "off"] = "auto"
    """Whether tools' responses are kept with a flow, so that `hapju replay` can take its path again; auto: in dev mode
    only, because they are the larger part of a flow's data."""
    query_rewrite: bool = True
    """Whether a question is rewritten from the conversation before it."""
    query_normalization: bool = True
    """Whether dates, sums and names of a question are made absolute."""
    conversation_summary: bool = False
    """Whether a model sums up what is remembered of each answered question, once its flow has ended."""
    decide_ahead: Shortcut = True
    """Whether decisions are asked for before those that they build on are certain. Off: one after another, which is
    slower and spends nothing on a decision that comes out otherwise."""
    typed_asks: bool = True
    """Whether what a question asks for is typed, and each ask answered in its own form. Off: agents answer it whole."""
    route_beside_policy: Shortcut = True
    """Whether a question is routed while it is still being checked. Off: once it is checked."""
    asks_beside_route: Shortcut = True
    """Whether a model tells requests apart while another decides on the intent."""
    tools_ahead: Shortcut = True
    """Whether the tool calls of a plan's later steps are chosen while an earlier one runs. Off: at each step's turn."""
    judged_together: Shortcut = True
    """Whether the results of steps that ran side by side are judged side by side. Off: one after another."""
    answer_ahead: Shortcut = True
    """Whether the answer is begun beside the review of what was found, and told once the review is over. Off: begun
    then."""
    wording_ahead: Shortcut = True
    """Whether a question is made whole by a model while it is still being checked and routed. Off: once it is."""
    early_results: Shortcut = True
    """Whether what an agent has computed is judged and built on while a model still writes its summary. Off: after."""
    citation_postprocess: bool = True
    """Whether a model may put the citations of an answer in order."""
    web_search_url: str = Field(default="", pattern=r"^(?:https?://.+)?$")
    """Address of a SearXNG search, http(s); where it is set, an answer that has few or old sources looks at the web."""
    mcp_servers: SecretStr = SecretStr("")
    """MCP servers that tools of domains read from, by name: a JSON object, or the path of a file that holds one."""
    a2a_agents: SecretStr = SecretStr("")
    """A2A agents that tools of domains ask, by name: a JSON object, or the path of a file that holds one."""
    agent_summary: bool = True
    """Whether domain agents ask a model for their summary."""
    openai_base_url: str = ""
    """OPENAI_BASE_URL."""
    openai_api_key: SecretStr = SecretStr("")
    """OPENAI_API_KEY."""
    otlp_endpoint: str = ""
    """OTEL_EXPORTER_OTLP_ENDPOINT."""
    trace_ratio: float = Field(default=1.0, ge=0, le=1)
    """The share of flows that are traced."""
    metrics_interval_seconds: float = Field(default=15.0, gt=0)
    """How often metrics are exported."""
    addresses: Mapping[str, str] = Field(default_factory=dict)
    """Where the other services listen, by name; from HAPJU_<SERVICE>_ADDR."""

    @property
    def reuse_variants_offered(self) -> tuple[str, ...]:
        """How new conversations judge what they have found."""
        return self.reuse_variants if self.data_reuse else ("no_reuse",)

    @property
    def records_flows(self) -> bool:
        """True where flows are recorded to be replayed."""
        return self.flow_recording == "on" or (self.flow_recording == "auto" and self.auth_mode == "dev")

    @property
    def http_asked_bytes_max(self) -> int:
        """The size of the body of a question: files come in base64, which makes four bytes of three."""
        return self.http_body_bytes_max + (self.attachment_bytes_max * 4 // 3 if self.attachments_max else 0)

    @cached_property
    def llm(self) -> LlmSettings:
        """How models are reached."""
        llm = {
            name.removeprefix("llm_"): getattr(self, name)
            for name in type(self).model_fields
            if name.startswith("llm_")
        }
        models = {name: getattr(self, name) for name in type(self).model_fields if name.startswith("model_")}
        known = {name: value for name, value in (llm | models).items() if name in LlmSettings.model_fields}
        reached = {"base_url": self.openai_base_url, "api_key": self.openai_api_key, "tenants": self.tenants}
        return LlmSettings(**reached, **known)

    @cached_property
    def telemetry(self) -> TelemetrySettings:
        """How the process exports what it observes."""
        return TelemetrySettings(
            otlp_endpoint=self.otlp_endpoint,
            log_format=self.log_format,
            log_level=self.log_level,
            content_captured=self.content_captured,
            sampled_ratio=self.trace_ratio,
            metrics_interval_seconds=self.metrics_interval_seconds,
        )

    @cached_property
    def flow_store_url(self) -> str:
        """The flow store's URL with its default."""
        return self.store_url or f"sqlite+aiosqlite:///{self.data_dir / 'flows.db'}"

    @cached_property
    def data_url(self) -> str:
        """The data's URL with its default."""
        return self.sql_url or f"sqlite+aiosqlite:///{self.data_dir / 'data.db'}"

    @cached_property
    def read_url(self) -> str:
        """The URL under which data is read, with its default."""
        return self.sql_read_url or self.data_url

    @cached_property
    def assertion_key(self) -> str:
        """The secret of caller assertions; in dev mode one that the processes of this data directory share."""
        given = self.caller_key.get_secret_value()
        return given or dev_key(self.data_dir)

    def address(self, name: str, places: ServicePlaces) -> str:
        """Return where a service listens: as set, or at its default port on this machine."""
        return self.addresses.get(name) or f"127.0.0.1:{places.port(name)}"

    def check(self, listen: str) -> None:
        """Refuse settings that would leave the service open.

        Raises:
            SettingsError: In dev mode for an address that is not loopback; under jwt without keys.
        """
        if self.auth_mode == "dev" and not is_loopback(listen):
            raise SettingsError(
                f"HAPJU_LISTEN={listen} is not loopback, which HAPJU_AUTH_MODE=dev does not allow; set jwt"
            )
        if (
            self.auth_mode == "dev"
            and self.http_listen not in {"", "off", "auto"}
            and not is_loopback(self.http_listen)
        ):
            raise SettingsError(
                f"HAPJU_HTTP_LISTEN={self.http_listen} is not loopback, which HAPJU_AUTH_MODE=dev does not allow; "
                "set jwt"
            )
        if self.auth_mode == "jwt" and not self.caller_key.get_secret_value():
            raise SettingsError("HAPJU_CALLER_KEY is required under HAPJU_AUTH_MODE=jwt")
        if self.caller_key.get_secret_value() and len(self.caller_key.get_secret_value()) < _KEY_BYTES_MIN:
            raise SettingsError(f"HAPJU_CALLER_KEY is shorter than {_KEY_BYTES_MIN} characters")


_KEY_BYTES_MIN: Final = 32

SHORTCUTS: Final = tuple(
    name for name, field in Settings.model_fields.items() if any(isinstance(one, _Shortcut) for one in field.metadata)
)
"""The settings that are shortcuts. With all of them off a flow waits for one model after another."""


def dev_key(data_dir: Path) -> str:
    """Return the secret that dev mode's processes share, made at first use and readable by its owner alone."""
    path = data_dir / "dev.key"
    data_dir.mkdir(parents=True, exist_ok=True)
    draft = data_dir / f".dev.key.{secrets.token_hex(8)}"
    if not path.exists():
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_hex(32))
        try:
            # A hard link appears whole or not at all, so two processes that start at once agree on one key.
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


def is_loopback(address: str) -> bool:
    """Return whether an address host:port or unix:path can be reached from this machine only."""
    if address.startswith("unix:"):
        return True
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
