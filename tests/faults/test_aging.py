"""A short run of `bench/faults aging`: kill -9 while time passes leaves all sheets and the log as one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.faults import aging
from bench.harness import Vesper

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def test_time_passes_for_all_or_for_nobody(vesper: Callable[..., Vesper], tmp_path: Path) -> None:
    (report,) = asyncio.run(aging.run(tmp_path, kills=2, server=vesper()))
    assert (report.kills, report.faults) == (2, [])


@pytest.mark.parametrize("found", [(7, 1), (20, 0), (0, 1), (20, 2)])
def test_halves_are_found(found: tuple[int, int]) -> None:
    assert aging._differences(found, 0, healed=(0, aging.CHARACTERS))
