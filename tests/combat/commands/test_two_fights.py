"""A character in two fights: at most one of them runs, and no order of events loses a mark."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from django.test import TestCase

from campaigns.models import Chronicle
from characters import sheets
from characters.models import Character
from characters.services import SheetData, update_sheet
from combat.commands import drafts, perform, revising
from combat.models import Encounter, Kind, LogRow, Status
from combat.web.forms.cast import absent_players
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import FixedDice, Table, bar_fight, make_character
from tests.kept import kept

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def begun(character: Character, storyteller: Any, name: str, *, begin: bool = True) -> Table:
    by = character.chronicle.memberships.get(user=storyteller)
    encounter = drafts.create_encounter(by=by, name=name)
    drafts.add_character(encounter_id=encounter.pk, actor=storyteller, character=character)
    table = Table.of(encounter, storyteller)
    return table.begin() if begin else table


def at_once() -> Any:
    """What happens after a commit."""
    return TestCase.captureOnCommitCallbacks(execute=True)


def marks(character: Character) -> list[str]:
    return list(Character.objects.get(pk=character.pk).marks)


@pytest.fixture
@kept
def mara(chronicle: Any, player: Any) -> Any:
    return make_character(chronicle, "Mara", player)


@pytest.fixture
@kept
def docks(mara: Any, storyteller: Any) -> Table:
    return begun(mara, storyteller, "The docks")


SAID = "Mara is in “The docks”, which is running."


# ------------------------------------------------------------------ what outlasts a fight


WRACKED = Modifier("target_arm")


def arm_of(character: Character) -> list[tuple[str, str, int]]:
    found = Character.objects.get(pk=character.pk).impairments
    return [(each["condition"], each["side"], each["left"]) for each in found]


def test_a_wracked_arm_outlasts_the_fight_until_its_damage_has_healed(
    chronicle: Any, storyteller: Any, player: Any
) -> None:
    """CD-VAMP-4."""
    bar = bar_fight(
        chronicle,
        storyteller,
        {"Mara": player, "Tom": None, "Cid": None},
        {"strength": 5, "brawl": 5},
        name="Knife",
        mode="melee",
    )
    with at_once():
        Character.objects.filter(name="Mara").update(kind="vampire", traits={"stamina": 2, "dexterity": 1, "wits": 1})
    mara = Character.objects.get(name="Mara")
    bar.do(commands.Leave(bar["Mara"]))
    drafts.add_character(encounter_id=bar.encounter_id, actor=storyteller, character=mara)
    bar.ids = Table.of(bar.encounter, storyteller).ids
    attack = Attack(bar["Tom"], (bar["Mara"],), modifiers=(WRACKED,))
    bar.do(attack, dice=FixedDice(8, 8, 8, 2, 2, 2, 2))
    assert bar.state.combatants[bar["Mara"]].conditions == {"arm_wrack"}
    assert arm_of(mara) == [("arm_wrack", "right", 3)]
    bar.do(commands.End())

    crypt = begun(mara, storyteller, "The crypt")
    there = crypt.state.combatants[crypt["Mara"]]
    assert (there.conditions, [each.side for each in there.sheet.impairments]) == ({"arm_wrack"}, ["right"])
    crypt.do(commands.Heal(crypt["Mara"], 2, Damage.BASHING))
    assert arm_of(mara) == [("arm_wrack", "right", 1)]
    crypt.do(commands.SetHealth(crypt["Mara"], ()))
    assert (crypt.state.combatants[crypt["Mara"]].conditions, arm_of(mara)) == (frozenset(), [])
    perform.undo(encounter_id=crypt.encounter_id, actor=storyteller)
    assert (crypt.state.combatants[crypt["Mara"]].conditions, arm_of(mara)) == (
        {"arm_wrack"},
        [("arm_wrack", "right", 1)],
    )


def test_a_draft_follows_what_a_running_fight_wracks_and_a_sheet_that_is_edited(
    chronicle: Any, mara: Any, storyteller: Any
) -> None:
    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset="chronicles")
    mara.refresh_from_db()
    draft = begun(mara, storyteller, "The crypt", begin=False)
    arm = {"condition": "arm_wrack", "side": "left", "type": "lethal", "left": 0, "until": 0}
    sheet = sheets.sheet_of(mara)
    with at_once():
        Character.objects.filter(pk=mara.pk).update(impairments=[arm])
        revising.revise_sheets(encounter_id=draft.encounter_id, characters=[mara.pk], worn=True)
    assert draft.state.combatants[draft["Mara"]].conditions == {"arm_wrack"}
    by = chronicle.memberships.get(user=storyteller)
    mara.refresh_from_db()
    edited = SheetData(name=sheet.name, kind=sheet.kind, traits=sheet.traits, resources=sheet.resources, healed=[0])
    with at_once():
        update_sheet(by=by, character=mara, sheet=edited, version=mara.version)
    assert draft.state.combatants[draft["Mara"]].conditions == frozenset()
    assert arm_of(mara) == []


# ------------------------------------------------------------------ one running fight


def test_a_fight_cannot_begin_with_somebody_who_is_in_another(mara: Any, docks: Table, storyteller: Any) -> None:
    crypt = begun(mara, storyteller, "The crypt", begin=False)
    with pytest.raises(RuleViolation, match=SAID):
        crypt.begin()
    docks.do(commands.Pause())
    crypt.begin()
    with pytest.raises(RuleViolation, match="Mara is in “The crypt”"):
        docks.do(commands.Resume())
    crypt.do(commands.Leave(crypt["Mara"]))
    docks.do(commands.Resume())


def test_joining_a_second_fight_is_refused_by_name(
    chronicle: Any, mara: Any, docks: Table, storyteller: Any, other_player: Any
) -> None:
    crypt = begun(make_character(chronicle, "Ghoul"), storyteller, "The crypt")
    with pytest.raises(RuleViolation, match=SAID):
        drafts.add_character(encounter_id=crypt.encounter_id, actor=storyteller, character=mara)
    free = make_character(chronicle, "Free", other_player)
    assert {each.pk for each in absent_players(crypt.encounter)} == {free.pk}
    drafts.add_copies(
        encounter_id=crypt.encounter_id, actor=storyteller, character=make_character(chronicle, "Rat"), count=2
    )
    docks.do(commands.End())
    drafts.add_character(encounter_id=crypt.encounter_id, actor=storyteller, character=mara)


def test_undo_brings_nobody_into_a_second_fight(mara: Any, docks: Table, storyteller: Any) -> None:
    docks.do(commands.Leave(docks["Mara"]))
    begun(mara, storyteller, "The crypt")
    with pytest.raises(RuleViolation, match="Mara is in “The crypt”"):
        perform.undo(encounter_id=docks.encounter_id, actor=storyteller)
    assert LogRow.objects.filter(encounter=docks.encounter_id, kind=Kind.UNDO).count() == 0


def test_a_fight_that_ended_is_not_reopened_meanwhile(mara: Any, docks: Table, storyteller: Any) -> None:
    docks.do(commands.End())
    begun(mara, storyteller, "The crypt")
    with pytest.raises(RuleViolation, match="Mara is in “The crypt”"):
        perform.undo(encounter_id=docks.encounter_id, actor=storyteller)


# ------------------------------------------------------------------ sheets keep their marks


def two_running(mara: Any, docks: Table, storyteller: Any) -> Table:
    """A second running fight, as databases of earlier versions may have it."""
    Encounter.objects.filter(pk=docks.encounter_id).update(status=Status.PAUSED)
    crypt = begun(mara, storyteller, "The crypt")
    Encounter.objects.filter(pk=docks.encounter_id).update(status=Status.RUNNING)
    return crypt


def test_two_running_fights_of_an_old_database_lose_nothing(mara: Any, docks: Table, storyteller: Any) -> None:
    crypt = two_running(mara, docks, storyteller)
    docks.do(commands.Harm(docks["Mara"], 3, Damage.LETHAL))  # no fight follows before the commit
    crypt.do(commands.Harm(crypt["Mara"], 1, Damage.BASHING))
    assert marks(mara) == ["lethal"] * 3 + ["bashing"]


def test_more_harm_than_boxes_becomes_worse_harm(mara: Any, docks: Table, storyteller: Any) -> None:
    crypt = two_running(mara, docks, storyteller)
    docks.do(commands.Harm(docks["Mara"], 5, Damage.LETHAL))
    crypt.do(commands.Harm(crypt["Mara"], 3, Damage.BASHING))
    assert marks(mara) == ["lethal"] * 6 + ["bashing"]


def test_points_and_rounds_are_counted_in_both(mara: Any, docks: Table, storyteller: Any) -> None:
    crypt = two_running(mara, docks, storyteller)
    docks.do(commands.Spend(docks["Mara"], "blood", 3))
    crypt.do(commands.Spend(crypt["Mara"], "blood", 2))
    assert Character.objects.get(pk=mara.pk).resources == {"blood": 5, "willpower": 6}


def test_a_fight_follows_what_another_did(mara: Any, docks: Table, storyteller: Any) -> None:
    crypt = begun(mara, storyteller, "The crypt", begin=False)
    seen = crypt.view("storyteller").log.entries
    with at_once():
        docks.do(commands.Harm(docks["Mara"], 2, Damage.LETHAL))
    assert crypt.state.combatants[crypt["Mara"]].sheet.marks == (Damage.LETHAL,) * 2
    row = LogRow.objects.filter(encounter=crypt.encounter_id).latest("seq")
    assert (row.kind, row.actor_name) == (Kind.CAST, "")
    assert crypt.view("storyteller").log.entries == seen


def test_undoing_a_blow_leaves_what_another_fight_did(mara: Any, docks: Table, storyteller: Any) -> None:
    with at_once():
        docks.do(commands.Harm(docks["Mara"], 3, Damage.LETHAL))
        docks.do(commands.End())
    with at_once():
        crypt = begun(mara, storyteller, "The crypt")
        crypt.do(commands.Harm(crypt["Mara"], 1, Damage.BASHING))
        crypt.do(commands.End())
    assert marks(mara) == ["lethal"] * 3 + ["bashing"]
    for expected in (["lethal"] * 3 + ["bashing"], ["bashing"]):  # the end, the blow
        with at_once():
            perform.undo(encounter_id=docks.encounter_id, actor=storyteller)
        assert marks(mara) == expected
        assert [mark.value for mark in docks.state.combatants[docks["Mara"]].sheet.marks] == expected
    perform.redo(encounter_id=docks.encounter_id, actor=storyteller)
    assert marks(mara) == ["lethal"] * 3 + ["bashing"]


def test_a_joining_is_undone_after_another_fight(mara: Any, docks: Table, storyteller: Any) -> None:
    crypt = begun(mara, storyteller, "The crypt", begin=False)
    with at_once():
        docks.do(commands.Harm(docks["Mara"], 3, Damage.LETHAL))
    perform.undo(encounter_id=crypt.encounter_id, actor=storyteller)
    assert not crypt.state.combatants
    perform.redo(encounter_id=crypt.encounter_id, actor=storyteller)
    assert crypt.state.combatants[crypt["Mara"]].sheet.marks == (Damage.LETHAL,) * 3


# ------------------------------------------------------------------ the law


FEW = 6
"""The most harm at a time, so that every box stays what it was."""


class Evening:
    """Random events over two fights and the sheet of one character; every mark is counted independently."""

    def __init__(self, random: Random, mara: Any, storyteller: Any) -> None:
        self.random, self.mara, self.storyteller = random, mara, storyteller
        self.fights = [begun(mara, storyteller, name, begin=False) for name in ("The docks", "The crypt")]
        self.expected: Counter[str] = Counter()
        self.blows: dict[str, list[Counter[str] | None]] = {fight.encounter_id: [] for fight in self.fights}

    def step(self) -> None:
        fight, before = self.random.choice(self.fights), Counter(marks(self.mara))
        done = self.random.choice((self.harm, self.harm, self.harm, self.state, self.leave, self.undo, self.edit))
        try:
            change = done(fight)
        except RuleViolation:
            change = Counter[str]()
        self.expected.update(change)
        assert +self.expected == Counter(marks(self.mara)), (done.__name__, before)

    def harm(self, fight: Table) -> Counter[str]:
        if self.expected.total() == FEW:
            return Counter()
        kind = self.random.choice((Damage.BASHING, Damage.LETHAL))
        return self._noted(fight, commands.Harm(fight["Mara"], 1, kind), Counter({kind.value: 1}))

    def state(self, fight: Table) -> Counter[str]:
        next_ones = {
            Status.DRAFT: (commands.Begin,),
            Status.PAUSED: (commands.Resume, commands.Resume, commands.End),
            Status.RUNNING: (commands.Pause, commands.Pause, commands.End),
            Status.ENDED: (commands.Begin,),
        }
        which = self.random.choice(next_ones[Status(fight.encounter.status)])
        return self._noted(fight, which(), Counter())

    def leave(self, fight: Table) -> Counter[str]:
        return self._noted(fight, commands.Leave(fight["Mara"]), Counter())

    def undo(self, fight: Table) -> Counter[str]:
        done = self.blows[fight.encounter_id]
        if not done:
            return Counter()
        perform.undo(encounter_id=fight.encounter_id, actor=self.storyteller)
        taken = done.pop()
        return Counter({kind: -count for kind, count in (taken or Counter()).items()})

    def edit(self, _fight: Table) -> Counter[str]:
        one = Character.objects.get(pk=self.mara.pk)
        sheet = SheetData(
            name=one.name,
            kind=one.kind,
            traits=one.traits | {"stealth": self.random.randint(0, 5)},
            resources=one.resources,
            marks=one.marks,
        )
        by = one.chronicle.memberships.get(user=self.storyteller)
        seen = {each.encounter_id: each.encounter.seq for each in self.fights}
        update_sheet(by=by, character=one, sheet=sheet, version=one.version)
        for fight in self.fights:
            if fight.encounter.seq > seen[fight.encounter_id]:
                self.blows[fight.encounter_id].append(None)
        return Counter()

    def _noted(self, fight: Table, command: Any, change: Counter[str]) -> Counter[str]:
        fight.do(command)
        self.blows[fight.encounter_id].append(change)
        return change


@pytest.mark.parametrize("commits", ["at once", "late", "now and then"])
def test_no_order_of_events_loses_a_mark(chronicle: Any, storyteller: Any, player: Any, commits: str) -> None:
    """Other fights follow after the commit: at once, not before everything is over, or sometimes in between."""
    for seed in range(6):
        random = Random(f"{commits} {seed}")
        evening = Evening(random, make_character(chronicle, "Mara", player), storyteller)
        for _ in range(30):
            if commits == "at once" or (commits != "late" and random.random() < 0.5):
                with at_once():
                    evening.step()
            else:
                evening.step()
