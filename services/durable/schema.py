"""The flow store's tables. Instants are microseconds since 1970 in UTC; messages are the contract's, in binary form."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

METADATA = MetaData()

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("tenant", String(64), primary_key=True),
    Column("session_id", String(64), primary_key=True),
    Column("user_id", String(64), nullable=False),
    Column("create_time", BigInteger, nullable=False),
    # Its newest flow with an answer, empty before the first; and when that was given.
    Column("last_flow_run_id", String(36), nullable=False, server_default=""),
    Column("last_time", BigInteger, nullable=False, server_default="0"),
    Column("summary", Text, nullable=False, server_default=""),
    Index("sessions_by_user", "tenant", "user_id", "last_flow_run_id"),
)
"""Whose each conversation is, and what is remembered of it."""

FLOWS = Table(
    "flows",
    METADATA,
    Column("flow_run_id", String(36), primary_key=True),
    Column("tenant", String(64), nullable=False),
    Column("user_id", String(64), nullable=False),
    Column("session_id", String(64), nullable=False),
    Column("request_id", String(64)),
    Column("request_digest", String(64), nullable=False),
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False, server_default=""),
    Column("phase", String(24), nullable=False),
    Column("traceparent", String(64), nullable=False),
    Column("start_time", BigInteger, nullable=False),
    Column("expire_time", BigInteger, nullable=False),
    Column("end_time", BigInteger),
    Column("usage", LargeBinary, nullable=False),
    # Of models, at its end: what a quota adds up.
    Column("tokens", BigInteger, nullable=False, server_default="0"),
    # What a replica needs to go on with a flow that another one began.
    Column("request", LargeBinary, nullable=False, server_default=text("''")),
    Column("user_type", String(64), nullable=False, server_default=""),
    Column("roles", Text, nullable=False, server_default=""),
    Column("checkpoint_version", Integer, nullable=False, server_default="0"),
    # Who drives it. The token grows with every driver and stands in the condition of every write.
    Column("lease_owner", String(36), nullable=False, server_default=""),
    Column("lease_token", BigInteger, nullable=False, server_default="0"),
    Column("lease_expire_time", BigInteger, nullable=False, server_default="0"),
    Column("cancel_reason", String(64), nullable=False, server_default=""),
    # The conversation that it holds for itself while it runs; NULL where it holds none.
    Column("holds_session", String(64)),
    UniqueConstraint("tenant", "user_id", "request_id", name="flows_request"),
    Index("flows_by_user", "tenant", "user_id", "flow_run_id"),
    Index("flows_by_tenant", "tenant", "flow_run_id"),
    # The user too: SQLite, which keeps no counts, would else take flows_by_user and read all that a person ever asked.
    Index("flows_by_session", "tenant", "session_id", "user_id", "flow_run_id"),
    Index("flows_holding", "tenant", "holds_session", unique=True),
    Index(
        "flows_open",
        "lease_expire_time",
        sqlite_where=text("end_time IS NULL"),
        postgresql_where=text("end_time IS NULL"),
    ),
    Index("flows_by_end", "end_time"),
)
"""One row a flow; `answer` is kept for the conversation's next questions, `expire_time` is its deadline."""

FLOW_EVENTS = Table(
    "flow_events",
    METADATA,
    Column("flow_run_id", String(36), primary_key=True),
    Column("sequence", BigInteger, primary_key=True),
    Column("event", LargeBinary, nullable=False),
)
"""The durable events of each flow, in sequence."""

FLOW_CHECKPOINTS = Table(
    "flow_checkpoints",
    METADATA,
    Column("flow_run_id", String(36), primary_key=True),
    Column("name", String(160), primary_key=True),
    Column("kind", String(128), nullable=False),
    Column("message", LargeBinary, nullable=False),
)
"""What each finished stage or step of a flow came to: one message of the contract, `kind` its full name."""

FLOW_QUESTIONS = Table(
    "flow_questions",
    METADATA,
    Column("flow_run_id", String(36), primary_key=True),
    Column("name", String(160), primary_key=True),
    Column("question_id", String(64), nullable=False, unique=True),
    Column("asked", LargeBinary, nullable=False),
    Column("default_answer", Text, nullable=False),
    Column("ask_time", BigInteger, nullable=False),
    Column("expire_time", BigInteger, nullable=False),
    Column("outcome", String(16), nullable=False, server_default=""),
    Column("answer", Text, nullable=False, server_default=""),
    Column("settle_time", BigInteger),
)
"""The questions of each flow to a person; `outcome` is empty while one is open and is set once."""

FLOW_EXPERIMENTS = Table(
    "flow_experiments",
    METADATA,
    Column("flow_run_id", String(36), primary_key=True),
    Column("experiment", String(64), primary_key=True),
    Column("variant", String(64), nullable=False),
    # What the flow came to decide, told at its end: use, verify or search; empty where there was nothing to decide.
    Column("judgement", String(16), nullable=False, server_default=""),
    Column("avoided", Boolean, nullable=False, server_default=false()),
    # What was right, by whoever knows: use or search; empty where nobody has said so.
    Column("label", String(16), nullable=False, server_default=""),
)
"""Under which variant of which experiment each flow runs, what came of it, and whether that was right."""

CONTENT_VIEWS = Table(
    "content_views",
    METADATA,
    Column("view_id", String(36), primary_key=True),
    Column("tenant", String(64), nullable=False),
    Column("viewer_id", String(64), nullable=False),
    Column("flow_run_id", String(36), nullable=False),
    Column("user_id", String(64), nullable=False),
    Column("view_time", BigInteger, nullable=False),
    Index("content_views_by_tenant", "tenant", "view_time"),
)
"""Which operator has seen what was said in whose flow; it outlives the flow."""

DELETED_FLOWS = Table(
    "deleted_flows",
    METADATA,
    Column("flow_run_id", String(36), primary_key=True),
    Column("tenant", String(64), nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Index("deleted_flows_by_tenant", "tenant", "flow_run_id"),
)
"""What quotas still count of flows whose user has deleted them: who deletes a conversation gets nothing back for it."""
