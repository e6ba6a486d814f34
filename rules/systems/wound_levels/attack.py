"""Facets of attacks in Wound Levels: sweeps, circumstances, the cost in the round."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Mode, Weapon, label_of
from rules.model.modifiers import Circumstances
from rules.model.plan import Part
from rules.model.results import AttackResult
from rules.model.system import Game, SystemPart
from rules.strike.facets import Facet, Strike
from rules.strike.pools import Picked
from rules.systems.wound_levels.active_defence import BARE, difficulty_of, of_conditions
from rules.systems.wound_levels.held_ready import EVADING, LINED_UP
from rules.systems.wound_levels.modifiers import SWEEP
from rules.topics.attacks.prepare import FISTS
from rules.topics.events import Aimed, EvasionHeld

DRY = frozenset({Mode.FIREARM, Mode.THROWN, Mode.ARCHERY})
"""Modes that do not work under water."""

AIM = "aim"


@dataclass(frozen=True, slots=True)
class BareHands(Facet):
    """Bare hands use this system's own values (WL-WPN-1)."""

    def wielded(self, weapon: Weapon, command: Attack, game: Game) -> Weapon:
        return BARE if weapon is FISTS else weapon


@dataclass(frozen=True, slots=True)
class Sweep(SystemPart, Facet):
    """Only a sweep attacks several targets, with one roll for all or one for each (WL-AUTO-1)."""

    def miscounted(self, command: Attack) -> str:
        if not command.at or len(set(command.at)) < len(command.at):
            return phrase("choose-targets-each-one-once")
        if len(command.at) > 1 and self.system.circumstances.figures_of(command.modifiers, SWEEP) is None:
            return phrase("only-sweep-can-attack-several-targets")
        return ""

    def together(self, game: Game) -> bool:
        return bool(self.system.settings["sweep_one_roll"])


@dataclass(frozen=True, slots=True)
class Standing(Facet):
    """Conditions of attacker and targets that count as circumstances, unless already picked."""

    def readied(self, strike: Strike) -> Strike:
        theirs = frozenset[str]().union(*(strike.state.combatants[target].conditions for target in strike.targets))
        found = of_conditions(strike.system, strike.weapon.mode, strike.attacker.conditions, theirs)
        if not found:
            return strike
        picked = strike.circumstances
        added = (each for each in found if each.key not in picked)
        return replace(strike, modifiers=(*strike.modifiers, *added))


@dataclass(frozen=True, slots=True)
class LinedUp(Facet):
    """A lined-up shot counts as aimed, and is used up by the attack (WL-MOD-3)."""

    rule: str

    def readied(self, strike: Strike) -> Strike:
        aim = LINED_UP.of(strike.attacker)
        if (
            not aim
            or aim.target not in ("", *strike.targets)
            or strike.weapon.mode.close
            or AIM in strike.circumstances
        ):
            return strike
        return replace(strike, modifiers=(*strike.modifiers, Modifier(AIM, {"rounds": aim.rounds})))

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        return (Aimed(strike.command.by),) if LINED_UP.of(strike.attacker) else ()


@dataclass(frozen=True, slots=True)
class TooWeak(Facet):
    """Weapons require a minimum Strength."""

    def check(self, strike: Strike) -> None:
        weapon = strike.weapon
        if weapon.strength and strike.dots("strength") < weapon.strength:
            message = phrase("needs-strength", weapon=weapon.name, strength=weapon.strength)
            strike.game.referee.forbid(strike.system.cites[weapon.mode], message)


@dataclass(frozen=True, slots=True)
class Underwater(Facet):
    """Shots and throws do not work under water (WL-MOD-14)."""

    rule: str

    def check(self, strike: Strike) -> None:
        weapon = strike.weapon
        if weapon.mode in DRY and "underwater" not in weapon.tags and "underwater" in strike.picked:
            message = phrase("doesnt-work-under-water", weapon=weapon.name)
            strike.game.referee.forbid(self.rule, message)


@dataclass(frozen=True, slots=True)
class StandingStill(Facet):
    """No aiming from behind cover, nor while moving (WL-MOD-1, WL-MOD-3). ``cover`` is the rule of the first.

    A shot lined up in the open may be fired from cover: it was not picked for this attack.
    """

    rule: str
    cover: str

    def check(self, strike: Strike) -> None:
        known, referee = strike.circumstances, strike.game.referee
        if AIM not in known:
            return
        if "attacker_in_cover" in known and AIM in strike.picked:
            referee.forbid(self.cover, phrase("you-cant-aim-from-behind-cover"))
        if strike.attacker.turn.moved:
            name = strike.attacker.sheet.name
            referee.forbid(self.rule, phrase("has-moved-and-cant-aim-this-round", name=name))


@dataclass(frozen=True, slots=True)
class OneAttack(Facet):
    """Nobody attacks the same target twice in a round (WL-SPLIT-2)."""

    rule: str

    def check(self, strike: Strike) -> None:
        if not strike.state.ordered and strike.attacker.turn.split is None:
            return
        for target in strike.targets:
            victim = strike.state.combatants[target]
            if strike.command.by in victim.turn.attackers:
                message = phrase("was-already-attacked-this-round", name=victim.sheet.name)
                strike.game.referee.forbid(self.rule, message)


@dataclass(frozen=True, slots=True)
class TakesRound(Facet):
    """An attack takes an action, a surprise attack none; a committed attack takes the whole round and cannot be part
    of a split (WL-SPLIT-3).
    """

    rule: str

    def readied(self, strike: Strike) -> Strike:
        record, game, turns = strike.record, strike.game, strike.system.turns
        surprise = record.ambush is not None and record.ambush.target in strike.targets
        picked = strike.picked.keys()
        split = "split" in picked or (not surprise and (record.split is not None or len(record.actions) > 1))
        committed = strike.weapon.committed or surprise or bool(picked & {"committed", "surprise"})
        if split and committed:
            game.referee.forbid(self.rule, phrase("committed-action-takes-all-rounds-dice"))
        if surprise:
            return replace(strike, record=replace(record, ambush=None), used=turns.fast)
        record, used = turns.use_action(game, strike.command.by, strike.weapon.mode)
        if committed and strike.state.ordered:
            record = replace(record, exposed=self.rule)
        return replace(strike, record=record, used=used)


@dataclass(frozen=True, slots=True)
class Around(Picked):
    """The weapon's own difficulty and all its modifiers (WL-ATK-1, WL-MOD-1 to WL-MOD-15)."""

    def base(self, weapon: Weapon) -> int:
        """The base difficulty of attacks with a weapon."""
        return difficulty_of(weapon)

    def start(self, weapon: Weapon) -> tuple[Part, ...]:
        rule = self.system.cites[weapon.mode]
        return (self.system.pools.difficulty(self.base(weapon), label_of(weapon), rule),)

    def seen(self, strike: Strike) -> Circumstances:
        """What circumstances may look at."""
        on_the_move = any(strike.state.combatants[target].turn.moved for target in strike.targets)
        return Circumstances(
            strike.band,
            self.base(strike.weapon),
            weapon=strike.weapon,
            perception=strike.dots("perception"),
            specialties=self.specialties(strike),
            moving=on_the_move or "target_running" in strike.circumstances,
        )


@dataclass(frozen=True, slots=True)
class Evading(Facet):
    """An attack uses up the evasion its target held ready against it (WL-DEF-4)."""

    rule: str

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        return (EvasionHeld(strike.target, EVADING.of(strike.victim) - result.evaded),) if result.evaded else ()
