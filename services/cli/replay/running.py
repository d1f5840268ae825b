"""From a flow's id, or a file, to its replay; and the replay as a person reads it."""

import json
from pathlib import Path

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError

from hapju.flow.v1 import recording_pb2
from services.cli import calling
from services.cli.environment import finish, settings_now
from services.cli.output import print_line, print_table
from services.cli.problems import problem_from_error, usage
from services.cli.replay.playing import Played, played
from services.cli.tokens import Identity
from services.contract.mapping import ContractViolation, from_proto, to_proto
from services.contract.recording import FlowRecording
from services.runtime.errors import HapjuError


def replayed_flow(flow: str, identity: Identity, record: str) -> Played:
    """Replay a flow of the caller, or the one whose recording a file holds.

    Args:
        flow: The file, or the flow's id.
        identity: Whom the command acts for.
        record: Where the recording is written too; empty for nowhere.

    Raises:
        Problem: There is no such flow or file, or it cannot be replayed.
    """
    path = Path(flow)
    recording = read_recording(path) if path.is_file() else _fetched(flow, identity)
    if record:
        write_recording(recording, Path(record))
    try:
        return finish(played(recording, settings_now()))
    except HapjuError as error:
        raise problem_from_error(error) from None


def print_played(done: Played) -> None:
    """Print what was compared, and each difference."""
    recorded, made = done.recording.decisions, done.replay.decisions
    calls = len(done.recording.tool_exchanges)
    print_line(f"flow {done.recording.flow_run_id}, recorded by hapju {done.recording.hapju_version}")
    print_line(f"{len(recorded)} decisions then, {len(made)} now; {calls} calls of tools")
    if not done.differences:
        print_line("nothing differs")
        return
    print_line(f"{len(done.differences)} differences")
    print_table(
        ("difference", "where", "recorded", "replayed"),
        ((one.kind, one.where, one.recorded, one.replayed) for one in done.differences),
    )


def _fetched(flow_run_id: str, identity: Identity) -> FlowRecording:
    return from_proto(calling.flow_recording(identity, flow_run_id).recording, FlowRecording)


def write_recording(recording: FlowRecording, path: Path) -> None:
    """Write a recording to a file, which is made or replaced.

    Raises:
        Problem: The file cannot be write_recording.
    """
    message = MessageToDict(to_proto(recording, recording_pb2.FlowRecording), preserving_proto_field_name=True)
    try:
        path.write_text(json.dumps(message, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise usage("--record", f"{path} cannot be write_recording: {error.strerror}") from None


def read_recording(path: Path) -> FlowRecording:
    """Return the recording that a file holds.

    Raises:
        Problem: The file cannot be read, or holds no recording.
    """
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        message = ParseDict(held, recording_pb2.FlowRecording(), ignore_unknown_fields=True)
        return from_proto(message, FlowRecording)
    except OSError as error:
        raise usage("FLOW", f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, ParseError, ContractViolation) as error:
        raise usage("FLOW", f"{path} holds no recording of a flow: {str(error)[:200]}") from None
