"""Taking cover, and using people as shields."""

from __future__ import annotations

from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import Declare, Join, Newcomer, SetVisibility
from rules.topics.events import CoverSet, ShelterTaken
from rules.topics.firefights.stance import COVERS, STANCE, Cover, Shelter
from tests.rules.systems.second_edition.firefight import shooter, table
from tests.rules.table import Table, does, mortal, only

DOOR = {"cover": "door", "durability": 1, "structure": 5}


def test_cover_that_was_named_needs_no_figures_again() -> None:
    """CD-COV-1: new numbers replace it; the same ones change nothing."""
    fight = table()
    told = fight.does(does("thug", "seek_cover", degree="full", transparent=True, **DOOR))
    assert only(CoverSet, told).cover == Cover("door", 1, 5, True)

    told = fight.does(does("friend", "seek_cover", degree="full", cover="door"))
    assert not [event for event in told if isinstance(event, CoverSet)]
    assert only(ShelterTaken, told) == ShelterTaken("friend", "full", "door", "CD-COV-1")
    assert STANCE.of(fight.combatant("friend")).shelter == Shelter("full", "door")


def test_whoever_hides_wholly_says_behind_what() -> None:
    """CD-COV-1, CD-COV-3."""
    fight = table()

    fight.refuses("input", does("thug", "seek_cover"))
    fight.refuses("input", does("thug", "seek_cover", degree="full"))
    fight.refuses("input", does("thug", "seek_cover", degree="full", cover="door"))
    fight.refuses("input", does("thug", "seek_cover", degree="full", cover="door", durability=1))
    fight.refuses("input", does("thug", "seek_cover", degree="full", cover="door", durability=1, structure=0))
    fight.does(does("thug", "seek_cover", degree="partial", cover="door"))
    assert STANCE.of(fight.combatant("thug")).shelter == Shelter("partial")


def test_cover_that_only_the_hidden_have_named_is_unknown_to_everybody_else() -> None:
    """A guess doesn't confirm that somebody is behind it."""
    fight = table()
    fight.does(SetVisibility("thug", hidden=True))
    fight.does(does("thug", "seek_cover", degree="full", **DOOR))
    fight.refuses("input", does("friend", "seek_cover", degree="full", cover="door"))
    fight.does(does("friend", "seek_cover", degree="partial", cover="door"))
    assert STANCE.of(fight.combatant("friend")).shelter == Shelter("partial")

    fight.does(SetVisibility("thug", hidden=False))
    fight.does(does("friend", "seek_cover", degree="full", cover="door"))
    assert STANCE.of(fight.combatant("friend")).shelter == Shelter("full", "door")


def test_the_way_there_is_within_speed() -> None:
    """CD-MOVE-1: earlier movement in the turn counts, and the Storyteller may waive the limit."""
    fight = Table(CHRONICLES, ana=shooter(), thug=mortal())
    fight.refuses("CD-MOVE-1", does("thug", "seek_cover", degree="barely", distance=10))
    fight.does(does("thug", "seek_cover", degree="barely", distance=9))
    fight.initiative(ana=9, thug=1)
    fight.does(does("thug", "move", distance=5))

    assert STANCE.of(fight.combatant("thug")).shelter is None
    fight.refuses("CD-MOVE-1", does("thug", "seek_cover", degree="barely", distance=5))
    fight.does(does("thug", "seek_cover", degree="barely", distance=4))
    assert fight.turn("thug").moved == 9
    fight.does(does("thug", "seek_cover", degree="barely", distance=1), waive=["CD-MOVE-1"])
    assert fight.turn("thug").moved == 10
    assert fight.turn("thug").actions


def test_cover_is_left_once() -> None:
    """CD-COV-1."""
    fight = table()
    fight.does(does("thug", "seek_cover", degree="barely"))
    fight.does(does("thug", "leave_cover"))

    assert STANCE.of(fight.combatant("thug")).shelter is None
    fight.refuses("input", does("thug", "leave_cover"))


def test_the_storyteller_says_what_stands_about() -> None:
    """CD-COV-1."""
    fight = table()
    fight.does(does("ana", "cover", cover="bar", durability=2, structure=6))

    assert COVERS.of(fight.state) == {"bar": Cover("bar", 2, 6)}
    fight.refuses("input", does("ana", "cover", cover=" ", durability=2, structure=6))
    fight.refuses("input", does("ana", "cover", cover="bar", durability=2))
    fight.refuses("input", does("ana", "cover", cover="bar", structure=2))


def test_a_bystander_is_grabbed_and_let_go() -> None:
    """CD-COV-4: somebody in the turn order must be grappled instead."""
    fight = Table(CHRONICLES, ana=shooter(), thug=mortal())
    fight.initiative(ana=9, thug=1)
    fight.does(Join((Newcomer("guy", mortal()),)))

    fight.refuses("CD-COV-4", does("ana", "human_shield", "thug"))
    fight.does(does("ana", "human_shield", "guy"))
    assert STANCE.of(fight.combatant("ana")).shield == "guy"
    fight.refuses("CD-TURN-1", does("ana", "human_shield", "guy"))
    fight.does(does("ana", "release_shield"))
    fight.refuses("input", does("ana", "release_shield"))
    fight.refuses("input", does("ana", "human_shield", "ana"))
    assert not STANCE.of(fight.combatant("ana")).shield
    fight.refuses("CD-TURN-1", Declare("ana", actions=("a", "b")))
