"""`manage.py run_forecast FOLDER`: the process in which the server plays a forecast. Not for people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from combat.desk.forecast import runs


class Command(BaseCommand):
    help = "Used by the server itself: play the forecast that was begun on a page."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--server", type=int, required=True, help="the process with which this one ends")
        parser.add_argument("--memory", type=int, default=runs.MOST_MEMORY, help="the most bytes of address space")

    def handle(self, *, folder: Path, server: int, memory: int, **_options: Any) -> None:
        runs.be_its_process(folder, server, memory)
        runs.play(folder)
