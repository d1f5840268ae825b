"""Loan products as a bank and a purpose find them."""

import pytest

from tests.unit.tool_gateway.seeded_data import rows_of


@pytest.mark.asyncio
async def test_loans_are_found_by_purpose_and_bank(invoke) -> None:
    """Loans come lowest rate first; a bank is known by either name, without regard to case."""
    rows = rows_of(await invoke("loan_data", {"purpose": "jeonse"}))
    assert {row["purpose"] for row in rows} == {"jeonse"}
    assert [row["rate_low_percent"] for row in rows] == sorted(row["rate_low_percent"] for row in rows)
    assert rows_of(await invoke("loan_data", {"bank": "GAON BANK"})) == rows_of(
        await invoke("loan_data", {"bank": "가온은행"}, flow_run_id="flow-2")
    )
