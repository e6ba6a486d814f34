"""Side effects of a hit: broken armour, a daze, a stake through the heart, a knockdown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.engine.dice import Purpose
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.conditions import DAZED, DEAD, PRONE, STAKED
from rules.model.gear import Armor, Damage
from rules.model.results import AttackResult, DamageDone, Outcome
from rules.model.roll import RollTraits
from rules.model.sheet import Sheet
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.strike.rolled_damage import protecting
from rules.topics import effects
from rules.topics.events import ArmorDestroyed, KnockedDown, TurnRecordChanged
from rules.topics.rolls.rolling import roll_pool

STAKE = "stake"
PAST_ARMOR = "past_armor"
KNOCKDOWN = "knockdown"

STAKED_BY = 3
SLOWED_BY = 2
SUPERNATURAL = 2


@dataclass(frozen=True, slots=True)
class ArmorBreaks(Facet):
    """Enough damage in one blow destroys armour (AP-ARM-2), unless the blow was aimed past it.

    ``past`` is the rule for aiming past armour.
    """

    rule: str
    past: str

    def check(self, strike: Strike) -> None:
        if PAST_ARMOR in strike.picked and not any(strike.system.modifiers[key].group for key in strike.picked):
            strike.game.referee.forbid(self.past, phrase("only-aimed-blow-can-bypass-armour"))

    def damaged(self, done: DamageDone, game: Game, picked: Collection[str]) -> tuple[Event, ...]:
        if PAST_ARMOR in picked:
            return ()
        sheet, settings = game.combatant(done.to).sheet, game.system.settings
        worn = [each for each in protecting(sheet) if each in sheet.armor]
        broken = [each for each in worn if _breaks(each, done.levels, settings)]
        return tuple(ArmorDestroyed(done.to, replace(each, destroyed=True)) for each in broken)


@dataclass(frozen=True, slots=True)
class Dazing(Facet):
    """More levels from one blow than the victim's threshold daze them (AP-SIT-4)."""

    rule: str

    def damaged(self, done: DamageDone, game: Game, picked: Collection[str]) -> tuple[Event, ...]:
        struck = game.combatant(done.to)
        if DEAD in struck.conditions or done.dealt <= _steadiness(struck.sheet, game):
            return ()
        return effects.marked(game, done.to, frozenset({DAZED}))


@dataclass(frozen=True, slots=True)
class Staking(Facet):
    """A stake that does enough damage lodges in an undead heart (AP-SIT-10)."""

    rule: str

    def check(self, strike: Strike) -> None:
        if STAKE in strike.picked and "stake" not in strike.weapon.tags:
            strike.game.referee.forbid(self.rule, phrase("isnt-wooden-stake", weapon=strike.weapon.name))

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        if STAKE not in strike.picked or result.done is None:
            return ()
        undead = game.system.kind(strike.victim.sheet.kind).undead
        if not undead or result.done.dealt < STAKED_BY:
            return ()
        return effects.marked(game, strike.target, frozenset({STAKED}))


@dataclass(frozen=True, slots=True)
class Toppling(Facet):
    """A tackle or sweep that hits knocks its target down (AP-SIT-8)."""

    rule: str

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        return fall(game, strike.target) if KNOCKDOWN in strike.picked and result.done is not None else ()


def fall(game: Game, who: str) -> tuple[Event, ...]:
    """Knock somebody down, with a Dexterity + Athletics roll to get straight up; not for anyone out of action
    (AP-SIT-8).
    """
    if game.system.turns.hindrance(game.state, who):
        return (KnockedDown(who, Outcome.FAIL), *effects.marked(game, who, frozenset({PRONE})))
    command = RollTraits(who, ("dexterity", "athletics"))
    plan = game.system.pools.roll(game, command)
    rolled = roll_pool(Purpose.CHECK, who, plan, game.system.mechanic, game.dice)
    if rolled.roll.successes:
        record = replace(game.combatant(who).turn, slow_next=SLOWED_BY)
        up = effects.marked(game, who, frozenset(), frozenset({PRONE}))
        return (KnockedDown(who, Outcome.SUCCESS, rolled), TurnRecordChanged(who, record), *up)
    down = effects.marked(game, who, frozenset({PRONE}))
    if not rolled.roll.botch:
        return (KnockedDown(who, Outcome.FAIL, rolled), *down)
    hurt = effects.harm(game.after(down), who, 1, Damage.BASHING)
    return (KnockedDown(who, Outcome.BOTCH, rolled), *down, *hurt)


def _breaks(armor: Armor, levels: int, settings: Mapping[str, Any]) -> bool:
    """Whether that many levels, before soak, destroy armour (AP-ARM-2)."""
    least = armor.rating * int(settings["armor_breaks_at"])
    if least <= 0:
        return False
    return levels >= least if settings["armor_breaks_beyond"] else levels == least


def _steadiness(sheet: Sheet, game: Game) -> int:
    """How many levels from one blow somebody takes without being dazed."""
    stamina = game.system.layout.dots(sheet, "stamina")
    return stamina if game.system.kind(sheet.kind).mortal else stamina + SUPERNATURAL
