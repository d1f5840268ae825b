"""The flow store's tables. Instants are microseconds since 1970 in UTC; events are hapju.flow.v1.FlowEvent messages."""

from sqlalchemy import BigInteger, Column, Index, LargeBinary, MetaData, String, Table, Text, UniqueConstraint

METADATA = MetaData()

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("tenant", String(64), primary_key=True),
    Column("session_id", String(64), primary_key=True),
    Column("user_id", String(64), nullable=False),
    Column("create_time", BigInteger, nullable=False),
)
"""Whose each conversation is."""

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
    UniqueConstraint("tenant", "request_id", name="flows_request"),
    Index("flows_by_user", "tenant", "user_id", "flow_run_id"),
    Index("flows_by_session", "tenant", "session_id", "flow_run_id"),
)
"""One row a flow; `answer` is kept for the conversation's next questions."""

FLOW_EVENTS = Table(
    "flow_events",
    METADATA,
    Column("flow_run_id", String(36), primary_key=True),
    Column("sequence", BigInteger, primary_key=True),
    Column("event", LargeBinary, nullable=False),
)
"""The durable events of each flow, in sequence."""
