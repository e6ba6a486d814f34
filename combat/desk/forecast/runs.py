"""Forecasts being played: each by a process of its own, in a folder of its fight, one at a time per fight.

The process says in a file what the fights add up to. It ends when all are played, when somebody stops it, when nobody
watches it for a while, and with the server that started it. A process that was killed has said nothing: its folder
tells by that.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from campaigns import workers
from campaigns.errors import Refused
from campaigns.viewing import viewing
from combat.desk.forecast.question import BASE, Question
from rules.forecast.forecast import FIGHTS, forecast
from rules.forecast.tally import Tally

STEPS = (FIGHTS, 400, 800, 1600, 3200, 5000)
"""How many fights are played: the first number at once, each further one while somebody watches."""

SAYS_EVERY = 0.5
"""Seconds between two results that the process writes."""

UNWATCHED = 10.0
"""Seconds without anybody asking for the results, after which the process ends."""

SECONDS_TO_END = 3.0
"""How long a new forecast waits for the end of the one that it replaces."""

RESTS = 1.0
"""How long the process rests after each few fights, in times of what they took.

Low priority alone isn't enough: processors share caches and memory, and virtual ones often a core.
"""

MOST_AT_ONCE = 2
"""How many forecasts this machine plays at the same time."""

MOST_MEMORY = 512 * 1024**2
"""The bytes of address space that the process may take."""

KEPT = 24 * 60 * 60
"""Seconds after which the folder of a forecast that has ended is deleted."""

QUESTION, ABOUT, TALLIES, WATCHED, ENDED = "question.json", "about.json", "tallies.json", "watched", "ended"


class Stage(StrEnum):
    """How far a forecast is. `CUT_OFF`: its process has died without saying why."""

    PLAYING = "playing"
    DONE = "done"
    STOPPED = "stopped"
    UNWATCHED = "unwatched"
    CUT_OFF = "cut-off"


@dataclass(frozen=True, slots=True)
class Run:
    """A forecast as it is now.

    `tallies` hold the results under `BASE` and, with a what-if, `CHANGED`; they are empty before the first fights.
    `names` are those of all combatants by id, a what-if's copies included. `id`, `seed`, `chosen` and `what_if` are
    those of its question.
    """

    id: str
    seed: int
    names: Mapping[str, str]
    chosen: Mapping[str, str]
    what_if: Mapping[str, Any]
    stage: Stage
    tallies: Mapping[str, Tally]

    @property
    def fights(self) -> int:
        """How many fights have been played, of each setup."""
        return min((each.fights for each in self.tallies.values()), default=0)

    @property
    def goal(self) -> int:
        """The number of fights after which the next step begins."""
        return next((step for step in STEPS if self.fights < step), STEPS[-1])


def folder_of(encounter_id: str) -> Path:
    """The folder of a fight's forecast."""
    return _root() / encounter_id


def _root() -> Path:
    return Path(settings.DATA_DIR) / "forecasts"


# ------------------------------------------------------------------ the server's part


def start(encounter_id: str, question: Question) -> None:
    """Start a forecast in place of the fight's last one.

    Raises `Refused` if too many are being played, and as :meth:`Question.setups` if it can't be played.
    """
    setups, folder = question.setups(), folder_of(encounter_id)
    names = {who: each.sheet.name for setup in setups.values() for who, each in setup.state.combatants.items()}
    about = {name: getattr(question, name) for name in ("id", "seed", "chosen")}
    about |= {"names": names, "what_if": question.to_json()["what_if"]}
    with workers.one_at_a_time(_root()):
        _purge()
        _end(folder)
        others = [each for each in _folders() if each != folder and workers.is_alive(each)]
        if len(others) >= MOST_AT_ONCE:
            raise Refused(_("The server is busy with other forecasts. Try again in a minute."))
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        workers.write(folder / QUESTION, json.dumps(question.to_json()))
        workers.write(folder / ABOUT, json.dumps(about))
        (folder / WATCHED).touch()
        workers.start(folder, "run_forecast", str(folder), "--server", str(os.getpid()))


def stop(encounter_id: str) -> None:
    """Stop a fight's forecast, if one is being played. What was played stays."""
    folder = folder_of(encounter_id)
    if workers.is_alive(folder):
        with contextlib.suppress(Refused):
            _end(folder)


def look(encounter_id: str) -> Run | None:
    """A fight's last forecast as it is now, None without one. To look at it counts as watching, so that it goes on."""
    folder = folder_of(encounter_id)
    alive = workers.is_alive(folder)
    try:
        about, ended = json.loads((folder / ABOUT).read_text()), folder / ENDED
        said = Stage(ended.read_text()) if ended.exists() else Stage.CUT_OFF
        tallies = json.loads((folder / TALLIES).read_text()) if (folder / TALLIES).exists() else {}
    except (OSError, ValueError):
        return None
    if alive and viewing() is None:
        (folder / WATCHED).touch()
    found = {name: Tally.from_json(each) for name, each in tallies.items()}
    return Run(**about, stage=Stage.PLAYING if alive else said, tallies=found)


def question_of(encounter_id: str, run_id: str) -> Question | None:
    """The question of a fight's last forecast; None if that isn't the one with this id."""
    try:
        found = Question.from_json(json.loads((folder_of(encounter_id) / QUESTION).read_text()))
    except (OSError, ValueError):
        return None
    return found if found.id == run_id else None


def _end(folder: Path) -> None:
    """Stop the process in a folder and wait until it has ended. Raises `Refused` if that takes too long."""
    workers.stop(folder)
    deadline = time.monotonic() + SECONDS_TO_END
    while workers.is_alive(folder):
        if time.monotonic() > deadline:
            raise Refused(_("The last forecast is still stopping. Try again in a moment."))
        time.sleep(0.02)


def _folders() -> list[Path]:
    return [each for each in _root().iterdir() if each.is_dir()]


def _purge() -> None:
    """Delete the folders of forecasts that ended long ago."""
    long_ago = time.time() - KEPT
    for each in _folders():
        if each.stat().st_mtime < long_ago and not workers.is_alive(each):
            shutil.rmtree(each, ignore_errors=True)


# ------------------------------------------------------------------ the process's part


def be_its_process(folder: Path, server: int, memory: int = MOST_MEMORY) -> None:
    """Make this process one that plays the forecast in a folder: humble, limited in memory, and sure to end.

    `server` is the number of the process that started it.
    """
    workers.be_humble()
    workers.limit_memory(memory)
    threading.Thread(target=_watch, args=(folder, server), daemon=True).start()


def play(folder: Path) -> None:
    """Play the forecast in a folder to its end."""
    question = Question.from_json(json.loads((folder / QUESTION).read_text()))
    going = {name: forecast(setup, question.seed, STEPS[-1]) for name, setup in question.setups().items()}
    said, tallies, begun = 0.0, dict[str, Tally](), time.monotonic()
    for tallies in _in_turns(going):
        if time.monotonic() - said > SAYS_EVERY:
            _say(folder, tallies)
            said = time.monotonic()
        time.sleep(RESTS * (time.monotonic() - begun))
        begun = time.monotonic()
    _say(folder, tallies)
    (folder / ENDED).write_text(Stage.DONE)


def _in_turns(going: Mapping[str, Iterator[Tally]]) -> Iterator[dict[str, Tally]]:
    """The growing tallies of all that is played, in lockstep."""
    while True:
        found = {name: next(tallies, None) for name, tallies in going.items()}
        if found[BASE] is None:
            return
        yield {name: tally for name, tally in found.items() if tally is not None}


def _say(folder: Path, tallies: Mapping[str, Tally]) -> None:
    workers.write(folder / TALLIES, json.dumps({name: tally.to_json() for name, tally in tallies.items()}))


def _watch(folder: Path, server: int) -> None:
    """End this process once it is time, however busy its main thread is."""
    while True:
        time.sleep(SAYS_EVERY / 2)
        why = _why_end(folder)
        if why is None and os.getppid() == server:
            continue
        if why is not None:
            with contextlib.suppress(OSError):
                (folder / ENDED).write_text(why)
        os._exit(0)


def _why_end(folder: Path) -> Stage | None:
    if (folder / workers.STOP).exists():
        return Stage.STOPPED
    try:
        watched = (folder / WATCHED).stat().st_mtime
    except OSError:
        return Stage.UNWATCHED
    return Stage.UNWATCHED if time.time() - watched > UNWATCHED else None
