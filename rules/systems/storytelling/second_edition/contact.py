"""Contact without a blow: disarming and touching (CD-MAN-2, CD-MAN-5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.attack import Attack
from rules.model.gear import Weapon
from rules.model.results import Outcome, Rolled
from rules.model.system import Aim, Game, Needs
from rules.strike.facets import Strike
from rules.systems.shared.losing import dropped, taken
from rules.systems.storytelling.defense_trait import defense_of
from rules.systems.storytelling.grapples.grip import Grip
from rules.systems.storytelling.grapples.hurting import goes_off, hurt
from rules.systems.storytelling.second_edition.defense_trait import helpless
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.attacks.prepare import FISTS
from rules.topics.commands import TakeAction
from rules.topics.events import Touched, TraitsRolled, TurnRecordChanged
from rules.topics.rolls.decide import outcome_of


def _armed(game: Game, by: str) -> tuple[Weapon, ...]:
    """What can be snatched: every weapon others hold."""
    return tuple(each for who, other in game.state.combatants.items() if who != by for each in other.sheet.in_hand)


@dataclass(frozen=True, slots=True)
class Disarm(AlwaysPossible):
    """Snatch a weapon: it is dropped, taken, or hurts the attacker (CD-MAN-2)."""

    rule: str
    grip: Grip
    label: str = phrase("disarm")
    needs: ClassVar[Needs] = Needs(Aim.ONE, weapon=lambda weapon: False, arms=_armed, unarmed=True, rolls=True)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        by, (at,) = command.by, command.at
        weapon = self._weapon(game, at, command.weapon)
        used = effects.used(game, by, command.key)
        dots = game.system.layout.dots
        better = max(("strength", "dexterity"), key=lambda key: dots(game.combatant(at).sheet, key))
        plan = self.grip.pool(game, by, ("dexterity", "brawl"), (), command.modifiers, self.rule)
        mine = self.grip.roll(game, by, plan)
        theirs = self.grip.resist(game, at, (better, "athletics"), self.rule)
        told = _rolled(game, by, mine, theirs, self.label)
        return (told, *used, *self._outcome(game, by, at, weapon, told))

    def _weapon(self, game: Game, at: str, reference: str) -> Weapon:
        sheet = game.combatant(at).sheet
        held = sheet.in_hand
        if not held:
            raise bad_input(phrase("isnt-holding-anything-that-can-be-taken", name=sheet.name))
        named = [weapon for weapon in held if reference in ("", weapon.key, weapon.name)]
        if not named:
            raise bad_input(phrase("they-arent-holding-that"))
        return named[0]

    def _outcome(self, game: Game, by: str, at: str, weapon: Weapon, told: TraitsRolled) -> tuple[Event, ...]:
        if told.outcome is Outcome.EXCEPTIONAL:
            return taken(game, by, at, weapon, self.rule)
        if told.outcome is Outcome.SUCCESS:
            return dropped(by, at, weapon, self.rule)
        return self._backfires(game, by, at, weapon) if told.outcome is Outcome.DRAMATIC_FAILURE else ()

    def _backfires(self, game: Game, by: str, at: str, weapon: Weapon) -> tuple[Event, ...]:
        """The weapon's bonus as damage; guns fire a round, and do nothing without one."""
        works, fired = goes_off(at, weapon)
        points = weapon.damage if works else 0
        return (*fired, *hurt(game, at, by, points, self.rule, weapon, bonus=False))


@dataclass(frozen=True, slots=True)
class Touch(AlwaysPossible):
    """Touch somebody, by hand or with a thing, without harm (CD-MAN-5)."""

    rule: str
    grip: Grip
    label: str = phrase("touch")
    needs: ClassVar[Needs] = Needs(
        Aim.ONE,
        figures=(Wanted("willing", phrase("they-dont-resist"), Want.SWITCH, storytellers=True),),
        rolls=True,
    )

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        by, (at,) = command.by, command.at
        used = effects.used(game, by, command.key)
        if command.figures.get("willing") or helpless(game.system, game.combatant(at).conditions):
            return (Touched(by, at, self.rule), *used)
        attribute = self._best(game, by, ("strength", "dexterity"))
        skill = self._best(game, by, ("athletics", "brawl", "weaponry"))
        attack = Attack(by, (at,))
        strike = Strike(game, attack, at, FISTS, targets=(at,))
        defense = defense_of(game.system.attack)
        plan = self.grip.pool(game, by, (attribute, skill), defense.pool(strike), command.modifiers, self.rule)
        mine = self.grip.roll(game, by, plan)
        told = _rolled(game, by, mine, None, self.label)
        if not defense.applies(strike):
            return (told, *used)
        record = game.combatant(at).turn
        return (told, *used, TurnRecordChanged(at, replace(record, defences=record.defences + 1)))

    def _best(self, game: Game, who: str, traits: tuple[str, ...]) -> str:
        sheet = game.combatant(who).sheet
        return max(traits, key=lambda key: game.system.layout.dots(sheet, key))


def _rolled(game: Game, by: str, mine: Rolled, theirs: Rolled | None, label: str) -> TraitsRolled:
    margin = mine.roll.successes - (theirs.roll.successes if theirs else 0)
    outcome = outcome_of(mine, won=margin > 0)
    return TraitsRolled(f"r{game.state.resolutions + 1}", by, outcome, mine, theirs, margin if theirs else None, label)
