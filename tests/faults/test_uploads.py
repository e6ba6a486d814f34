"""A short run of `bench/faults uploads`: the memory that oversized uploads take, and that the run can fail."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bench.faults import uploads
from tests import migrated

STRANGERS, PAINTERS = 0, len(uploads.KINDS) - 1


@pytest.mark.parametrize(("broken", "found"), [("", [False, False]), ("boundless", [True, True])])
def test_bodies_and_pictures_take_little_memory(tmp_path: Path, broken: str, found: list[bool]) -> None:
    """Waiting times are not judged here, as other tests run at the same time."""
    migrated.put(tmp_path / "uploads" / "vesper.sqlite3")
    reports = asyncio.run(uploads.run(tmp_path, presses=2, kinds=[STRANGERS, PAINTERS], broken=broken))
    faults = [[fault for fault in report.faults if not fault.startswith("slower")] for report in reports[1:]]
    assert [any(fault.startswith("memory") for fault in each) for each in faults] == found
    assert broken or faults == [[], []]
