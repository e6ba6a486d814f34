"""Ann’s attack on Bob, and the parts of its pool."""

from __future__ import annotations

from rules.model.gear import Armor
from rules.model.system import Game
from rules.strike.attack import plan_attack
from rules.systems.storytelling.first_edition.system import DARKNESS
from tests.rules.systems.storytelling.table import GUN, KNIFE, STONE, sheet, table
from tests.rules.table import parts, strike_at

VEST = Armor("vest", 1, ballistic=3)


def pool(at, weapon="", *mods, **more):
    """The parts of ann's attack on bob, by key."""
    return parts(plan(at, weapon, *mods, **more).against[0].attack)


def plan(at, weapon="", *mods, **more):
    return plan_attack(Game(at.state, at.ruleset), strike_at("ann", "bob", weapon, *mods, **more))


def fight(ruleset=DARKNESS, ann=None, bob=None):
    weapons = (KNIFE, GUN, STONE)
    ann = ann or sheet(strength=3, dexterity=3, brawl=2, weaponry=2, firearms=2, athletics=2, weapons=weapons)
    return table(ruleset, ann=ann, bob=bob or sheet(dexterity=3, wits=2))
