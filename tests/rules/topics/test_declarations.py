"""Who may know a declaration while others still declare."""

from __future__ import annotations

from rules.model.gear import Damage
from rules.model.system import Game
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import Abort, Act, Declare, Delay, EndTurn, FullDefence, Harm, Pause
from rules.topics.declarations import may_know, speaking, still_declaring
from tests.rules.table import Table, mortal


def trio(ruleset=MASQUERADE) -> Table:
    """Ann is the fastest, Cy the slowest."""
    traits = {"willpower": 3, "dexterity": 2, "brawl": 2}
    table = Table(ruleset=ruleset, ann=mortal(**traits), bob=mortal(**traits), cy=mortal(**traits))
    table.initiative(ann=9, bob=5, cy=1)
    return table


def knows(table: Table, reader: str, who: str) -> bool:
    return may_know(Game(table.state, table.ruleset), reader, who, table.turn(who).spoke)


def spoken_place(table: Table, who: str, ruleset) -> int:
    return speaking(Game(table.state, ruleset), who, table.turn(who)).spoke


def test_the_faster_know_and_the_slower_do_not():
    """MQ-DECL-1."""
    table = trio()
    for who in ("cy", "bob", "ann"):
        table.does(Declare(who))
    assert [table.turn(who).spoke for who in ("cy", "bob", "ann")] == [1, 2, 3]
    assert knows(table, "ann", "cy")
    assert knows(table, "ann", "bob")
    assert knows(table, "bob", "cy")
    assert knows(table, "cy", "cy")
    for reader, who in (("cy", "bob"), ("cy", "ann"), ("bob", "ann")):
        assert not knows(table, reader, who)


def test_who_declared_early_does_not_hear_what_comes_after():
    """MQ-DECL-1."""
    table = trio()
    table.does(Declare("ann", out_of_order=True))
    table.does(Declare("cy"))
    assert not knows(table, "ann", "cy")
    assert not knows(table, "cy", "ann")
    assert knows(table, "bob", "cy")


def test_who_cannot_act_or_has_no_place_hears_nothing():
    """MQ-DECL-1, MQ-HEALTH-1."""
    table = trio()
    table.does(Declare("cy"))
    table.does(Harm("ann", 7, Damage.LETHAL))
    assert not knows(table, "ann", "cy")
    assert not may_know(Game(table.state, MASQUERADE), "nobody", "cy", 1)


def test_all_is_known_once_nobody_declares_any_more():
    """MQ-DECL-1."""
    table = trio()
    table.does(Declare("cy"))
    table.does(Declare("bob"))
    table.does(Pause())
    assert still_declaring(Game(table.state, MASQUERADE))
    table = trio()
    table.does(Declare("cy"))
    table.does(Declare("bob"))
    table.does(Act())
    assert knows(table, "cy", "bob")
    assert spoken_place(table, "cy", MASQUERADE) == 1


def test_what_is_said_instead_of_a_declaration_has_its_place():
    """MQ-ORDER-1, MQ-DEF-4."""
    table = trio()
    table.does(Delay("cy"))
    table.does(FullDefence("bob"))
    assert (table.turn("cy").spoke, table.turn("bob").spoke) == (1, 2)
    assert not knows(table, "cy", "bob")
    table.does(EndTurn())
    assert table.turn("cy").spoke == 0


def test_a_changed_mind_is_an_abort_and_spoken_last():
    """MQ-ABORT-1, MQ-DECL-1."""
    table = trio()
    table.does(Declare("cy", actions=("unarmed",)))
    table.does(Declare("bob", actions=("unarmed",)))
    table.refuses("MQ-ABORT-1", Declare("cy", actions=("dodge",)))
    table.does(Abort("cy", "point"))
    assert table.turn("cy").spoke == 3
    assert not knows(table, "bob", "cy")
    assert knows(table, "ann", "cy")
    table.does(Abort("bob", "roll"), roll=[2, 2, 2])
    assert table.turn("bob").spoke == 4


def test_the_storyteller_may_let_somebody_declare_anew():
    """MQ-ABORT-1."""
    table = trio()
    table.does(Declare("cy", "runs"))
    table.does(Declare("cy", "stays"), waive=["MQ-ABORT-1"])
    assert table.turn("cy").declaration.text == "stays"


def test_where_nobody_is_asked_to_declare_there_is_no_place():
    table = trio(CHRONICLES)
    assert not still_declaring(Game(table.state, CHRONICLES))
    assert spoken_place(table, "cy", CHRONICLES) == 0


def test_in_any_order_all_hear_who_have_not_declared():
    """AP-DECL-1."""
    table = trio(APOCALYPSE)
    table.does(Declare("ann"))
    table.does(Declare("bob"))
    assert knows(table, "cy", "ann")
    assert knows(table, "bob", "ann")
    assert not knows(table, "ann", "bob")
    table.does(Declare("ann", "something else"))
    assert (table.turn("ann").spoke, table.turn("ann").heard) == (3, 1)
