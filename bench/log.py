"""The cost of a fight's log: an action and its frames, with few rows and with many.

    .venv/bin/python bench/log.py [ROWS ...]

Each line: rows in the log at the start, then milliseconds of CPU time, as medians of twenty: a Storyteller's command;
the command and its frames for her, a player and the wall; drawing her full frame, with its kilobytes, and a player's;
an undo. `first` is the first command in a process that has not read the log yet.
"""

# ruff: noqa: T201, E402 (prints its results; the data folder must be set before Django starts)

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ["VESPER_DATA"] = tempfile.mkdtemp()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.core.management import call_command

from campaigns.models import User
from combat.commands import perform
from combat.commands.dice import SystemDice
from combat.demo import make_demo
from combat.history import records
from combat.live.frames import frame
from combat.log import codec, seal
from combat.models import Encounter, LogRow
from combat.panes import versions
from combat.secrecy.sight import cast_of
from rules.decide import decide
from rules.engine.messages import replay
from rules.model.attack import Attack
from rules.topics import commands

TIMES = 20
WAIVED = ("MQ-ATK-1", "MQ-HEALTH-1", "MQ-MULTI-1")


def milliseconds(work: Callable[[], Any]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


class Bench:
    """The demo's fight, with actions repeated in it."""

    def __init__(self) -> None:
        self.pk = Encounter.objects.fights().get().pk
        self.storyteller = User.objects.get(username="storyteller")
        self.player = f"player-{User.objects.get(username='ilya').pk}"
        people = list(self.fight.state["combatants"])
        self.strike = Attack(people[0], (people[1],))
        self.mend = commands.SetHealth(people[1], ())

    @property
    def fight(self) -> Encounter:
        return Encounter.objects.get(pk=self.pk)

    def do(self, command: Any) -> None:
        perform.perform(encounter_id=self.pk, actor=self.storyteller, command=command, waive=WAIVED)

    def grow(self, size: int) -> None:
        """Fill the log up to this many rows, written as by services but shown to nobody."""
        fight, rows = self.fight, list[LogRow]()
        state, ruleset = codec.load_state(fight.state), records.ruleset_for(fight)
        wanted = cycle((self.strike, self.mend))
        while fight.seq < size:
            command = next(wanted)
            events = decide(state, command, ruleset, SystemDice(), WAIVED)
            before, state = state, replay(state, events)
            told = {"command": codec.dump_command(command), "events": codec.dump_events(events)}
            row = LogRow(encounter=fight, seq=fight.seq + 1, actor=self.storyteller, actor_name="Storyteller", **told)
            row.cast = cast_of(before, state)
            row.seal = seal.seal(fight.seal, seal.content(row))
            fight.seq, fight.seal = row.seq, row.seal
            rows.append(row)
        LogRow.objects.bulk_create(rows, batch_size=200)
        fight.state = codec.dump_state(state)
        fight.save()

    def sent(self, have: dict[str, int]) -> None:
        fight = self.fight
        for audience, version in have.items():
            frame(fight, audience, version)

    def versions(self) -> dict[str, int]:
        fight = self.fight
        return {each: versions.version_of(fight, each) for each in ("storyteller", self.player, "table")}

    def drawn(self, audience: str) -> tuple[float, float]:
        """Milliseconds and kilobytes of a full frame."""
        found: list[Any] = []
        spent = milliseconds(lambda: found.append(frame(self.fight, audience, None)))
        return spent, len(found[0].html.encode()) / 1024

    def undo(self) -> None:
        perform.undo(encounter_id=self.pk, actor=self.storyteller)

    def line(self, size: int) -> str:
        self.grow(size)
        first = milliseconds(lambda: self.do(self.mend))
        command, sent, undone = [], [], []
        drawn: dict[str, list[tuple[float, float]]] = {"storyteller": [], self.player: []}
        for _time in range(TIMES):
            have = self.versions()
            command.append(milliseconds(lambda: self.do(self.strike)))
            sent.append(milliseconds(lambda have=have: self.sent(have)))
            for audience, found in drawn.items():
                found.append(self.drawn(audience))
            self.do(self.mend)
            undone.append(milliseconds(self.undo))
        whole = [(median(each[0] for each in found), found[-1][1]) for found in drawn.values()]
        frames = "  ".join(f"{spent:6.1f} ms {kilobytes:4.0f} KiB" for spent, kilobytes in whole)
        both = median(one + other for one, other in zip(command, sent, strict=True))
        return f"{size:6}  {first:6.1f} {median(command):7.1f} {both:7.1f} ms  {frames}  {median(undone):6.1f} ms"


def main() -> None:
    call_command("migrate", verbosity=0)
    make_demo()
    bench = Bench()
    bench.do(commands.Begin())
    print("  rows   first command  action  Storyteller's frame     a player's frame    undo")
    for size in sorted(int(each) for each in sys.argv[1:]) or [10, 300, 3000, 10000]:
        print(bench.line(size), flush=True)


if __name__ == "__main__":
    main()
