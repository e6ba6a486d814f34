"""A chronicle with a fight of each status, and a log of rolls outside fights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import Chronicle
from combat.commands import copying, drafts, perform, reinforcements
from combat.commands.newcomers import Shown
from combat.commands.outside import open_log
from combat.commands.reinforcements import Prepared
from combat.desk import storage
from combat.desk.quick_find import Making, meant
from combat.models import Encounter
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.model.roll import Extended, RollTraits
from rules.topics import commands
from tests.combat.archives import moving
from tests.combat.conftest import SECRET, TRUE_NAME, Table
from tests.kept import kept

EVERYTHING = ("MQ-ATK-1", "MQ-HEALTH-1", "MQ-MULTI-1", "MQ-DECL-1", "MQ-ORDER-1")
POOL = ("wits", "brawl")


@pytest.fixture
@kept
def full(fight: Table, chronicle: Chronicle, storyteller: Any, player: Any) -> Chronicle:
    """The chronicle: a running fight with an open question and a held roll, an ended, a paused and a drafted one."""
    by = chronicle.memberships.get(user=storyteller)
    _play(fight)
    fight.do(commands.End())
    storage.keep_notes(by=by, encounter=fight.encounter, text="Ilya has the key.", version=0)
    paused = _again(fight, by, "The towpath")
    paused.do(commands.Harm(paused["Marguerite"], 1, Damage.BASHING, why="A loose stone."))
    paused.do(commands.Pause())
    running = _again(fight, by, "The bridge")
    running.do(commands.RollInitiative())
    running.do(commands.Declare(running["Ilya"], text="Look for the way out"), waive=EVERYTHING, why="Out of turn.")
    asked = Attack(running["Thug 1"], (running["Ilya"],))
    running.do(commands.ProposeAttack("gghhjjkkmm", asked), waive=EVERYTHING, why="Out of turn.")
    _wait(by, running.encounter_id)
    running.do(RollTraits(running["Ilya"], POOL), by=player, hold=True)
    draft = drafts.create_encounter(by=by, name="The crypt", scene="*Cold.*")
    newcomer = commands.Newcomer("ddffgghhjj", running.state.combatants[running["Thug 1"]].sheet, hidden=True)
    perform.perform(encounter_id=draft.pk, actor=storyteller, command=commands.Join((newcomer,)))
    _outside(Table(open_log(chronicle).pk, storyteller, {}), chronicle.characters.get(name="Ilya").pk)
    return chronicle


def _play(fight: Table) -> None:
    def do(command: Any) -> None:
        fight.do(command, waive=EVERYTHING, why="So it goes.")

    do(commands.RollInitiative())
    do(commands.Declare(fight["Ilya"], text="Hit the tall man"))
    for by, at in (("Ilya", TRUE_NAME), (TRUE_NAME, "Ilya"), ("Marguerite", "Thug 1"), (SECRET, "Marguerite")):
        do(Attack(fight[by], (fight[at],)))
    last = f"r{fight.state.resolutions}"
    do(commands.Narrate(last, "Nobody saw it coming."))
    do(commands.Harm(fight["Thug 2"], 2, Damage.LETHAL, why="The stairs gave way."))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    perform.redo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    do(commands.OverrideAttack(resolution="r1", target=fight[TRUE_NAME], levels=2, why="He wore a vest."))
    do(RollTraits(fight["Ilya"], POOL))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    do(commands.EndTurn())


def _wait(by: Any, encounter_id: str) -> None:
    """A reinforcement of the cast, and of a template."""

    def meaning(encounter: Encounter) -> list[Any]:
        return [meant(encounter, words, Making(by)) for words in ("2 Thug", "3 Gunman")]

    prepared = Prepared("The second wave", "2 Thug\n3 Gunman", Shown(mask="a shape"))
    reinforcements.prepare(by=by, encounter_id=encounter_id, prepared=prepared, meaning=meaning)


def _again(fight: Table, by: Any, name: str) -> Table:
    """The same people in another fight, which has begun."""
    made = copying.copy_encounter(by=by, encounter=fight.encounter, name=name)
    return Table.of(Encounter.objects.get(pk=made.pk), fight.storyteller).begin()


def _outside(log: Table, who: str) -> None:
    log.do(RollTraits(who, POOL, label="Listening at the door"))
    log.do(RollTraits(who, POOL, secret=True))
    perform.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    log.do(RollTraits(who, POOL, extended=Extended("a safe", 12, 5, "ten minutes")))


@pytest.fixture
def moved(full: Chronicle, tmp_path: Path, storyteller: Any) -> Callable[..., Chronicle]:
    """moved(change=…) -> the chronicle that the archive of `full` became, its files changed before."""

    def move(change: Callable[[moving.Files], None] = lambda _files: None, counts: Any = None) -> Chronicle:
        files, _counts = moving.taken_out(full, tmp_path / "out.zip")
        change(files)
        box = moving.packed(files, moving.counted(files) if counts is None else counts, tmp_path / "in.zip")
        return moving.bring_in(box, full, storyteller)

    return move
