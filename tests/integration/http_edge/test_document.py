"""The edge keeps to its own document, whatever is sent to it."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from tests.support.cluster import Cluster

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
SCHEMATHESIS = Path(sys.executable).with_name("st")


@pytest.mark.long
@pytest.mark.parametrize("examples_max", [2, pytest.param(200, marks=pytest.mark.slow)])
async def test_no_request_leads_out_of_the_document(cluster: Cluster, tmp_path: Path, examples_max: int) -> None:
    """Requests made from the document, right and wrong ones: no fault of ours, no status, type or shape unnamed."""
    child = await asyncio.create_subprocess_exec(
        SCHEMATHESIS,
        *("run", f"{cluster.doors['http']}/v1/openapi.json", "--checks", CHECKS, "--mode", "all", "--no-color"),
        *("--max-examples", str(examples_max), "--seed", "7"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=tmp_path,
    )
    told = (await child.communicate())[0].decode()
    assert child.returncode == 0, told[-4_000:]
    tested = re.search(r"Tested: (\d+)", told)
    assert tested is not None, told[-4_000:]
    assert int(tested[1]) >= 14
