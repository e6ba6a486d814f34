"""Laws of random play: the state is the log's replay, undoing everything leads back, and no secret leaks."""

from __future__ import annotations

import random
from typing import Any

import pytest

from combat.commands import perform
from combat.log import codec
from combat.log import rows as logs
from combat.models import LogIsWritten, LogRow
from combat.panes import versions
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import Damage, Mode, Weapon
from rules.topics import commands
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db


OF_APOCALYPSE = {"StandingsChanged", "ArmorDestroyed", "KnockedDown", "Moved", "ShapeChanged"}
OF_DARKNESS = {
    "Bled",
    "CheckRolled",
    "CircumstancesSet",
    "Described",
    "FreshStartTaken",
    "HeldOver",
    "InitiativeModeSet",
    "RankMoved",
}
OF_BRAWLS = {
    "Disarmed",
    "Followed",
    "GrappleChanged",
    "GrappleEnded",
    "GrappleRolled",
    "HandLent",
    "Hurt",
    "InjuriesChanged",
    "MoveMade",
    "PickedUp",
    "RollMade",
    "Touched",
    "WeaponGained",
    "WeaponLanded",
}
ELSEWHERE = {"LastingChanged", "SheetEdited", "TimePassed"}
"""Events of the chronicle's own log, and of the end of a fight: `test_outside_actions`, `test_lasting`, `test_time`."""
OF_FIREFIGHTS = {
    "AimBroken",
    "AimTaken",
    "CarriedSet",
    "CoverSet",
    "CoverStruck",
    "CoveringFireLaid",
    "CoveringFireMet",
    "ShelterTaken",
    "ShieldHeld",
    "ShieldStruck",
    "StanceChanged",
    "WeaponDrawn",
}
OF_POWERS = {"PowerUsed", "PowersChanged"}
"""Events of house rules; `tests/combat/web/test_powers.py` covers them."""

OF_BITES = {"BloodDrunk"}
"""Events of a house rule of Masquerade; `tests/combat/web/test_manoeuvres.py` covers them."""

OF_WOUNDS = {"Aimed", "EvasionHeld", "InjuriesMarked"}
"""Events that don't occur in Masquerade; `tests/rules/apocalypse` and others cover them."""


class Chance(FixedDice):
    """Seeded dice, so that failures can be reproduced."""

    def __init__(self, seed: random.Random) -> None:
        super().__init__()
        self.seed = seed

    def roll(self, throw: Any) -> tuple[int, ...]:
        return tuple(self.seed.randint(1, 10) for _ in range(throw.count))

    def pick(self, options: int) -> int:
        return self.seed.randrange(options)


def any_command(table: Table, seed: random.Random) -> Any:
    """A random command; many are refused."""
    state = table.state
    who, other = seed.sample(list(state.combatants), 2)
    weapon = seed.choice(["unarmed", *(weapon.key or weapon.name for weapon in state.combatants[who].sheet.weapons)])
    exchange = state.exchanges[0].id if state.exchanges else "none"
    asked = state.exchanges[0].attack.at[0] if state.exchanges else other
    kind = seed.choice(list(Damage))
    return seed.choice(
        [
            commands.RollInitiative(),
            commands.Act(),
            commands.Act(),
            commands.EndTurn(),
            commands.Declare(
                who, "Something.", seed.choice([(), ("unarmed", "dodge"), ("celerity",)]), out_of_order=True
            ),
            commands.Delay(who, "until later"),
            commands.Abort(who, seed.choice(["roll", "point"])),
            commands.FullDefence(who),
            Attack(who, (other,), weapon),
            Attack(who, (other,), weapon, defences={other: Defence(seed.choice(["dodge", "block", "parry"]))}),
            commands.ProposeAttack(f"x{seed.random()}", Attack(who, (other,), weapon), approval=seed.random() < 0.5),
            commands.AnswerAttack(exchange, asked, Defence(seed.choice(["", "dodge"]))),
            *(conversation(exchange, asked, seed) if state.exchanges else ()),
            commands.SetDefaultDefence((who,), seed.choice(["ask", "none", "dodge"])),
            commands.ResolveAttack(exchange),
            commands.WithdrawAttack(exchange),
            commands.ChooseMishap(state.mishaps[0].resolution if state.mishaps else "r0"),
            commands.ClearJam(who, weapon),
            commands.Reload(who, weapon),
            commands.RollTraits(who, ("wits", "brawl"), secret=seed.random() < 0.5),
            commands.RollTraits(
                who, ("wits",), extended=commands.Extended(f"e{seed.random()}", 4, seed.choice([0, 3]))
            ),
            commands.RollOn(state.extended[0].asked.id if state.extended else "none"),
            commands.Harm(who, seed.randint(1, 3), kind, why="chance"),
            commands.Heal(who, 1, kind),
            commands.SetHealth(who, (kind,) * seed.randint(0, 3)),
            commands.Spend(who, "willpower", seed.choice([1, -1])),
            commands.ChangeConditions(who, add=frozenset({"prone"})),
            commands.ChangeConditions(who, remove=frozenset({"prone"})),
            commands.OverrideAttack("r1", other, dealt=seed.randint(0, 3)),
            commands.OverrideAttack("r2", other, outcome=seed.choice(["hit", "miss", "botch"])),
            commands.Narrate(seed.choice(state.unnarrated or ("r1",)), "So it went."),
            commands.SetVisibility(table["Thug 1"], hidden=seed.random() < 0.5, dice_shown=seed.random() < 0.2),
            commands.Group((table["Thug 1"], table["Thug 2"])),
            commands.Ungroup(table["Thug 1"]),
            commands.ChooseSide(table["Thug 1"], seed.choice(["allies", "enemies", "others"])),
            commands.ShowRoll(seed.choice(table.view("storyteller").log.entries).id, seed.random() < 0.8),
            commands.SetOrder(tuple(reversed(state.order))),
            commands.Pause(),
            commands.Resume(),
            commands.Resume(),
        ]
    )


def conversation(exchange: str, asked: str, seed: random.Random) -> list[Any]:
    """A possible continuation of a pending attack."""
    return [
        commands.ApproveAttack(exchange),
        commands.SendBackAttack(exchange, seed.choice(["", "Hm."])),
        commands.AnswerByDefault(exchange, asked),
    ]


def play(table: Table, seed: random.Random, steps: int) -> int:
    """Play on at random; returns how many commands were accepted."""
    done = 0
    for _ in range(steps):
        try:
            table.do(any_command(table, seed), dice=Chance(seed))
        except RuleViolation:
            continue
        done += 1
    return done


@pytest.mark.parametrize("number", [pytest.param(0, marks=pytest.mark.servers), 1, 2, 3])
def test_the_state_is_the_fold_of_the_log(fight: Table, number: int, player: Any) -> None:
    seed = random.Random(number)
    assert play(fight, seed, 80) > 15
    assert logs.state_of(logs.rows_of(fight.encounter)) == fight.state
    for audience in ("table", f"player-{player.pk}"):
        seen = repr(fight.view(audience))
        for planted in (SECRET, fight[SECRET], TRUE_NAME):
            assert planted not in seen


@pytest.mark.servers
def test_every_kind_of_event_is_met(fight: Table) -> None:
    """Events that random play happens to miss are applied here, each type at least once."""
    ilya, marguerite, thug, prone = fight["Ilya"], fight["Marguerite"], fight["Thug 1"], frozenset({"prone"})
    for command in (
        commands.ProposeAttack("x", Attack(ilya, (thug,))),
        commands.AnswerAttack("x", thug, Defence("dodge")),
        commands.Reload(ilya, "Test pistol"),
        commands.RollTraits(ilya, ("wits", "brawl")),
        commands.RollTraits(ilya, ("wits",), extended=commands.Extended("e", 9)),
        commands.GiveUpRoll("e"),
        commands.ProposeAttack("y", Attack(ilya, (thug,)), approval=True),
        commands.ApproveAttack("y"),
        commands.ChangeAttack("y", Attack(ilya, (fight["Thug 2"],))),
        commands.SendBackAttack("y", "Not he."),
        commands.WithdrawAttack("y"),
        commands.SetDefaultDefence((thug,), "ask"),
    ):
        fight.do(command)
    fight.do(Attack(ilya, (thug,), "Test pistol"), dice=FixedDice(1))
    for command in (
        commands.ChooseMishap(fight.state.mishaps[0].resolution, "jam"),
        commands.ClearJam(ilya, "Test pistol"),
        commands.Narrate(fight.state.unnarrated[0], "It clicks."),
        commands.OverrideAttack(fight.state.unnarrated[-1], thug, outcome="hit"),
        commands.RollInitiative(),
    ):
        fight.do(command)
    for command in (
        commands.SetOrder(tuple(reversed(fight.state.order))),
        commands.Declare(marguerite),
        commands.Abort(ilya, "point"),
        commands.Delay(marguerite, "for a sign"),
        commands.FullDefence(fight[TRUE_NAME]),
        commands.Act(),
        commands.EndTurn(),
        commands.Harm(ilya, 2, Damage.BASHING),
        commands.Heal(ilya, 1, Damage.BASHING),
        commands.SetHealth(ilya, (Damage.LETHAL,)),
        commands.ChangeConditions(ilya, add=prone),
        commands.ChangeConditions(ilya, remove=prone),
        commands.SetVisibility(thug, hidden=True),
        commands.ShowRoll("the last"),
        commands.Group((thug, fight[TRUE_NAME])),
        commands.ChooseSide(thug, "others"),
        commands.Arm((thug,), Weapon("Bottle", Mode.MELEE)),
        commands.Leave(fight["Thug 2"]),
        commands.ReviseSheet(ilya, fight.state.combatants[marguerite].sheet),
    ):
        fight.do(command, waive=["MQ-DECL-1"])
    met = {event["is"] for row in LogRow.objects.filter(encounter_id=fight.encounter_id) for event in row.events}
    ours = {name for name, kind in codec.EVENTS.items() if kind.__module__.startswith("rules.")}
    assert (
        met
        == ours - ELSEWHERE - OF_APOCALYPSE - OF_DARKNESS - OF_FIREFIGHTS - OF_BRAWLS - OF_BITES - OF_WOUNDS - OF_POWERS
    )
    assert logs.state_of(logs.rows_of(fight.encounter)) == fight.state


@pytest.mark.servers
def test_undoing_all_leads_back_step_by_step(fight: Table) -> None:
    seed = random.Random(7)
    before = []
    for _ in range(12):
        state = fight.state
        if play(fight, seed, 1):
            before.append(state)
    while before:
        perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
        assert fight.state == before.pop()


def test_versions_are_dense(fight: Table, player: Any) -> None:
    """An audience's version increases by one at a time, and only if its view changes."""
    seed = random.Random(5)
    audiences = ("storyteller", "table", f"player-{player.pk}")
    for _ in range(25):
        was = {each: (versions.version_of(fight.encounter, each), fight.view(each)) for each in audiences}
        play(fight, seed, 1)
        for each in audiences:
            version, view = was[each]
            assert versions.version_of(fight.encounter, each) - version == int(fight.view(each) != view)


@pytest.mark.parametrize("number", [pytest.param(0, marks=pytest.mark.servers), 1, 2])
def test_a_long_fight_with_much_taken_back(fight: Table, number: int, characters: dict[str, Any]) -> None:
    """With undo and redo in between: no row ever changes, the state is the rows' replay, sheets follow."""
    seed = random.Random(200 + number)
    written: list[dict[str, Any]] = []
    taken_back = brought_back = 0
    begun = fight.encounter.seq
    for step in range(90):
        # The last two steps are always an undo and a redo.
        turn = {88: 0.0, 89: 0.3}.get(step, seed.random())
        try:
            # Don't undo the beginning: nothing can be done in a fight that has not begun.
            if turn < 0.2 and (logs.targets(logs.rows_of(fight.encounter))[0] or 0) > begun:
                perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
                taken_back += 1
            elif turn < 0.35:
                perform.redo(encounter_id=fight.encounter_id, actor=fight.storyteller)
                brought_back += 1
            else:
                play(fight, seed, 1)
        except RuleViolation:
            continue
        rows = list(LogRow.objects.filter(encounter_id=fight.encounter_id).order_by("seq").values())
        assert rows[: len(written)] == written
        assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
        written = rows
    encounter, state = fight.encounter, fight.state
    assert (taken_back > 5, brought_back > 0, encounter.seq) == (True, True, len(written))
    assert logs.state_of(logs.rows_of(encounter)) == state
    # From the database alone, as in a new process.
    events = [logs.decode(row) for row in LogRow.objects.filter(encounter_id=encounter.pk).order_by("seq")]
    assert logs.state_of(events) == state
    for name in ("Ilya", "Marguerite"):
        kept, sheet = characters[name], state.combatants[fight[name]].sheet
        kept.refresh_from_db()
        assert kept.marks == [mark.value for mark in sheet.marks]
        assert kept.resources == dict(sheet.resources)


def test_a_row_of_the_log_is_written_once(fight: Table) -> None:
    row = LogRow.objects.filter(encounter_id=fight.encounter_id).first()
    assert row is not None
    row.events = []
    for change in (
        row.save,
        row.delete,
        LogRow.objects.filter(pk=row.pk).delete,
        lambda: LogRow.objects.filter(pk=row.pk).update(events=[]),
        lambda: LogRow.objects.bulk_update([row], ["events"]),
    ):
        with pytest.raises(LogIsWritten):
            change()
