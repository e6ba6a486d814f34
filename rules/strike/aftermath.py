"""What a blow brings besides the levels that it marks: armour that breaks, a daze, a stake that sits, a fall.

Each field of :class:`Aftermath` is the id of the rule that brings something about; a ruleset that leaves it empty
knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.engine.dice import Purpose
from rules.engine.messages import Event
from rules.model.attack import Attack
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.results import AttackResult, DamageDone, Outcome
from rules.model.roll import RollTraits
from rules.model.sheet import Sheet
from rules.model.state import PRONE
from rules.model.system import Game, SystemPart
from rules.strike.rolled_damage import protecting
from rules.strike.situations import COVER, DEGREES, KNOCKDOWN, PAST_ARMOR, STAKE
from rules.topics import effects
from rules.topics.events import ArmorDestroyed, KnockedDown, TurnRecordChanged
from rules.topics.rolls.rolling import roll_pool

STAKED_BY = 3
SLOWED_BY = 2
SUPERNATURAL = 2


@dataclass(frozen=True, slots=True)
class Aftermath(SystemPart):
    """What follows from a blow (AP-ARM-2, AP-SIT-4, AP-SIT-8, AP-SIT-10) and from a dodge (AP-DEF-1)."""

    armor: str = ""
    dazed: str = ""
    staked: str = ""
    knockdown: str = ""
    shelter: str = ""

    def of_attack(self, game: Game, command: Attack, weapon: Weapon, result: AttackResult) -> tuple[Event, ...]:
        """What follows from an attack on one target, once its boxes are marked in the state."""
        told: list[Event] = []
        picked = {game.system.circumstances.rule(modifier.key).key for modifier in command.modifiers}
        if result.counter is not None:
            told += self.of_damage(game, result.counter)
        if result.done is not None:
            told += self.of_damage(game, result.done, past_armor=PAST_ARMOR in picked)
            if self.staked and STAKE in picked:
                told += self._stake(game.after(told), result.done)
            if self.knockdown and KNOCKDOWN in picked:
                told += self.fall(game.after(told), result.target)
        if self.shelter and result.defence_kind == "dodge" and weapon.mode is Mode.FIREARM:
            told += self._shelter(game.after(told), command, result.target)
        return tuple(told)

    def of_time(self, game: Game, who: str, hours: int) -> tuple[Event, ...]:
        """What so many hours bring to somebody besides healing."""
        return ()

    def of_damage(self, game: Game, done: DamageDone, *, past_armor: bool = False) -> tuple[Event, ...]:
        """What damage does to armour, unless it went past it, and to the senses."""
        told: list[Event] = []
        sheet = game.combatant(done.to).sheet
        if self.armor and not past_armor:
            broken = [each for each in protecting(sheet) if _breaks(each, done.levels, game.system.settings)]
            told += [ArmorDestroyed(done.to, replace(each, destroyed=True)) for each in broken]
        alive = "dead" not in game.combatant(done.to).conditions
        if self.dazed and alive and done.dealt > _steadiness(sheet, game):
            told += effects.marked(game, done.to, frozenset({"dazed"}))
        return tuple(told)

    def _stake(self, game: Game, done: DamageDone) -> tuple[Event, ...]:
        undead = game.system.kind(game.combatant(done.to).sheet.kind).undead
        if not undead or done.dealt < STAKED_BY:
            return ()
        return effects.marked(game, done.to, frozenset({"staked"}))

    def _shelter(self, game: Game, command: Attack, who: str) -> tuple[Event, ...]:
        """Where a dodge against guns ends: behind the cover that was picked, or that there is, or lying flat."""
        covers = game.system.situations.covers - {PRONE}
        figures = game.system.circumstances.figures_of(command.defences[who].modifiers, COVER)
        if figures is None:
            if game.combatant(who).conditions & covers:
                return ()
            # Cover that the shot has to pass is there, whoever has said so.
            figures = game.system.circumstances.figures_of(command.modifiers, COVER)
        if figures is None:
            return effects.marked(game, who, frozenset({PRONE}))
        behind = f"{figures.get('degree', DEGREES[0])}_cover"
        return effects.marked(game, who, frozenset({behind}), covers - {behind})

    def stray(self, game: Game, by: str, to: str, weapon: Weapon) -> DamageDone:
        """What a botched attack does to somebody whom it was not meant for (MQ-ATK-7)."""
        part = game.system.attack.damage
        assert part is not None, "a family without damage rolls has an answer of its own"
        attacker, victim = game.combatant(by).sheet, game.combatant(to).sheet
        damage_type = part.type(weapon, victim, ())
        pool = part.pool(attacker, weapon)
        soak = part.soak(victim, damage_type, weapon)
        return part.roll(by, to, victim, pool, damage_type, soak, game.dice)

    # -------------------------------------------------------------- a fall

    def fall(self, game: Game, who: str) -> tuple[Event, ...]:
        """Somebody falls, and rolls Dexterity + Athletics to be up at once; nobody out of action does."""
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
    """Whether so many levels, before soak, destroy armour (AP-ARM-2)."""
    least = armor.rating * int(settings["armor_breaks_at"])
    if least <= 0:
        return False
    return levels >= least if settings["armor_breaks_beyond"] else levels == least


def _steadiness(sheet: Sheet, game: Game) -> int:
    """How many levels of one blow somebody takes without being dazed."""
    stamina = game.system.layout.dots(sheet, "stamina")
    return stamina if game.system.kind(sheet.kind).mortal else stamina + SUPERNATURAL
