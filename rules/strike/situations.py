"""What the conditions of attacker and target make of pools, without anybody picking anything.

The part knows no condition by itself: a ruleset lists those that matter (:class:`ConditionRule`). With none listed
nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.attack import Attack
from rules.model.choices import Figure, Modifier
from rules.model.gear import Mode, Weapon
from rules.model.modifiers import RANGED, Circumstances, ModifierRule, Use
from rules.model.plan import Part
from rules.model.situations import ConditionRule
from rules.model.state import Encounter
from rules.model.system import Game, SystemPart

SHOTS = frozenset({Mode.FIREARM, Mode.ARCHERY})
COVER_OF = {"light": phrase("Light cover"), "good": phrase("Good cover"), "superior": phrase("Superior cover")}
DEGREES = ("light", "good", "superior")

BLIND = "fighting_blind"
AMBUSH = "ambush"
COVER = "cover"
STAKE = "stake"
NO_ROOM = "no_room"
PAST_ARMOR = "past_armor"
KNOCKDOWN = "knockdown"
BLINDED = "blinded"


@dataclass(frozen=True, slots=True)
class Situations(SystemPart):
    """The conditions that a ruleset's pools know, by key; ``blind_fire`` is the rule by which nobody shoots blind."""

    conditions: Mapping[str, ConditionRule] = field(default_factory=dict)
    blind_fire: str = ""

    @property
    def covers(self) -> frozenset[str]:
        """The conditions in which somebody has cover."""
        return frozenset(key for key, each in self.conditions.items() if each.cover)

    def burdens(self, conditions: frozenset[str]) -> tuple[Part, ...]:
        """What their own conditions add to the difficulty of anybody's actions."""
        return tuple(
            Part(key, each.label, each.rule, difficulty=each.own)
            for key, each in self.conditions.items()
            if key in conditions and each.own
        )

    def of_target(self, state: Encounter, command: Attack) -> frozenset[str]:
        """The target's conditions, those that were picked as a fact of this attack among them."""
        picked = {self.system.circumstances.rule(modifier.key).key for modifier in command.modifiers}
        return state.combatants[command.at[0]].conditions | (picked & self.conditions.keys())

    def openings(self, conditions: frozenset[str], weapon: Weapon, modifiers: Iterable[Modifier]) -> tuple[Part, ...]:
        """What the target's conditions make of an attack; cover that is picked comes before that which is known."""
        known = {key: each for key, each in self.conditions.items() if key in conditions}
        parts = [Part(f"target:{key}", each.label, each.rule, each.dice) for key, each in known.items() if each.dice]
        picked = any(self.system.circumstances.rule(modifier.key).key == COVER for modifier in modifiers)
        covers = [each for each in known.values() if each.cover]
        if covers and weapon.mode in SHOTS and not picked:
            best = max(covers, key=lambda each: steps_of(each.cover, self.system.settings))
            steps = steps_of(best.cover, self.system.settings)
            parts.append(Part(COVER, best.label, best.rule, difficulty=steps))
        return tuple(parts)

    def helpless(self, conditions: frozenset[str]) -> ConditionRule | None:
        """The condition because of which an attack hits by itself."""
        return next((each for key, each in self.conditions.items() if key in conditions and each.helpless), None)

    def check(self, game: Game, command: Attack, weapon: Weapon) -> None:
        """Forbid an attack that its circumstances do not allow."""
        picked = {self.system.circumstances.rule(modifier.key).key: modifier for modifier in command.modifiers}
        blind = BLIND in picked or BLINDED in game.state.combatants[command.by].conditions
        if self.blind_fire and blind and weapon.mode in RANGED:
            game.referee.forbid(self.blind_fire, phrase("Nobody can aim at what they do not see."))
        if STAKE in picked and "stake" not in weapon.tags:
            game.referee.forbid(
                self.system.modifiers[STAKE].rule, phrase("{weapon} is no wooden stake.", weapon=weapon.name)
            )
        if PAST_ARMOR in picked and not any(self.system.modifiers[key].group for key in picked):
            game.referee.forbid(
                self.system.modifiers[PAST_ARMOR].rule, phrase("Only a blow that is aimed goes past armour.")
            )

    def check_defence(self, game: Game, command: Attack, target: str, weapon: Weapon) -> None:
        """Forbid a defence that the circumstances of the attack do not allow."""
        defence = command.defences[target]
        picked = {self.system.circumstances.rule(mod.key).key for mod in (*command.modifiers, *defence.modifiers)}
        ambush = game.state.combatants[command.by].turn.ambush
        name = game.state.combatants[target].sheet.name
        if AMBUSH in picked or (ambush is not None and ambush.target == target and not ambush.seen):
            game.referee.forbid(
                self.system.modifiers[AMBUSH].rule, phrase("{name} does not see the ambush coming.", name=name)
            )
        if defence.kind == "dodge" and weapon.mode.close and NO_ROOM in picked:
            game.referee.forbid(self.system.modifiers[NO_ROOM].rule, phrase("{name} has no room to dodge.", name=name))


def steps_of(degree: Figure | None, settings: Mapping[str, Figure]) -> int:
    """How much harder a degree of cover makes a shot; raises "input" for one that there is not."""
    if degree not in DEGREES:
        raise bad_input(phrase("Cover is light, good or superior."))
    return int(settings[f"cover_{degree}"])


def cover(rule: ModifierRule, figures: Mapping[str, Figure], seen: Circumstances) -> tuple[Part, ...]:
    """The effect of cover: it makes shots at it harder, and a dodge no harder."""
    degree = figures.get("degree", DEGREES[0])
    steps = steps_of(degree, seen.settings)
    if seen.use is not Use.ATTACK:
        return ()
    return (Part(rule.key, COVER_OF[str(degree)], rule.rule, difficulty=steps),)


def blindly(rule: ModifierRule, figures: Mapping[str, Figure], seen: Circumstances) -> tuple[Part, ...]:
    """The effect of fighting blind: nothing more for somebody who is blinded already."""
    if BLINDED in seen.conditions:
        return (
            Part(rule.key, phrase("{label}: blinded already", label=rule.label), rule.rule, difficulty=2, struck=True),
        )
    return (Part(rule.key, rule.label, rule.rule, difficulty=2),)


def from_ambush(rule: ModifierRule, figures: Mapping[str, Figure], seen: Circumstances) -> tuple[Part, ...]:
    """The effect of an ambush that is taken as a fact: the dice that it brings."""
    dice = figures.get("dice", 0)
    if isinstance(dice, bool) or not isinstance(dice, int) or not 0 <= dice <= 20:
        raise bad_input(phrase("An ambush brings between 0 and 20 dice."))
    return (Part(rule.key, rule.label, rule.rule, dice=dice),) if dice else ()
