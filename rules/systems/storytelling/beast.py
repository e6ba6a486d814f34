"""Frenzy, the rage of werewolves and the predator's taint in the storytelling family: rulings of Vesper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.conditions import IN_FRENZY
from rules.model.modifiers import ModifierRule
from rules.model.system import ActionRule, Aim, Game, Needs
from rules.systems.shared.beast import (
    HIDDEN_ROLL,
    SETTING,
    TERRIFIED,
    BeastRoll,
    Outbreak,
    Provocation,
    broken_out,
    control,
    modifiers,
)
from rules.systems.storytelling.sheets import WOLVES, werewolf_shapes
from rules.topics.commands import TakeAction
from rules.topics.events import TraitsRolled

VAMPIRES = frozenset({"vampire"})
CALM = ("resolve", "composure")
GAURU = "crinos"
"""The key of the war form, which is that of the classic family."""

ANGER = (
    Provocation("blood_smelt", phrase("smell-of-blood-when-hungry"), 1),
    Provocation("blood_seen", phrase("sight-of-blood-when-hungry"), 2),
    Provocation("blood_tasted", phrase("taste-of-blood-when-hungry"), 3),
    Provocation("taunted", phrase("malicious-taunts")),
    Provocation("laid_hands_on", phrase("physical-provocation"), 1),
    Provocation("in_danger", phrase("danger-to-life"), 1),
    Provocation("loved_one", phrase("loved-one-in-danger"), 2),
    Provocation("humiliated", phrase("public-humiliation"), 2),
)
FIRE = (
    Provocation("small_flame", phrase("lighter-or-candle")),
    Provocation("torch", phrase("torch-or-open-flame"), 1),
    Provocation("blaze", phrase("large-fire"), 2),
    Provocation("dim_sunlight", phrase("sunlight-through-curtains"), 2),
    Provocation("burned", phrase("being-burned"), 3),
    Provocation("direct_sunlight", phrase("direct-sunlight"), 4),
    Provocation("trapped_by_fire", phrase("trapped-in-burning-building"), 5),
)
RAGE = (
    Provocation("humbled", phrase("public-humiliation")),
    Provocation("badly_wounded", phrase("badly-wounded"), 1),
    Provocation("silver_wound", phrase("wound-from-silver"), 2),
    Provocation("pack_hurt", phrase("packmate-falls"), 2),
    Provocation("betrayed", phrase("betrayal"), 2),
)
"""What wakes the Beast, with the dice that it takes."""

ANGRY = Outbreak("frenzy", phrase("in-frenzy"), IN_FRENZY)
AFRAID = Outbreak("terror", phrase("terrified"), TERRIFIED)


@dataclass(frozen=True, slots=True)
class FirstMeeting(BeastRoll):
    """A vampire meets another for the first time: of those who fail, the one with less Blood Potency is terrified, and
    any other in frenzy.
    """

    @property
    def needs(self) -> Needs:
        return Needs(
            Aim.ONE,
            figures=(HIDDEN_ROLL,),
            rolls=True,
            instant=False,
            spares_action=True,
            storytellers=True,
            kinds=self.kinds,
            setting=SETTING,
            rolled=self.traits,
        )

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        other = game.combatant(command.at[0]).sheet
        if not self.needs.are_for(other, game.system.layout):
            raise bad_input(phrase("isnt-vampire", name=other.name))
        return BeastRoll.decide(self, game, command)

    def broken_out(self, game: Game, command: TakeAction, told: TraitsRolled) -> tuple[Event, ...]:
        potency = [
            game.system.layout.dots(game.combatant(who).sheet, "blood_potency") for who in (command.by, *command.at)
        ]
        way = AFRAID if potency[0] < potency[1] else ANGRY
        return broken_out(game, command.by, self.rule, way, overcome=self.overcome(told))


@dataclass(frozen=True, slots=True)
class BeastRules:
    """The ids of an edition's rules, and its name for the rage of werewolves."""

    frenzy: str
    fear: str
    rage: str
    control: str
    taint: str
    shapes: str
    rage_roll: str

    def actions(self) -> Mapping[str, ActionRule]:
        """The rolls, and how it ends."""
        war_form = next(each for each in werewolf_shapes(self.shapes) if each.key == GAURU)
        rage = Outbreak("rage", phrase("in-frenzy"), IN_FRENZY, war_form)
        return {
            "frenzy": BeastRoll(self.frenzy, phrase("frenzy-roll"), CALM, VAMPIRES, (ANGRY,), ANGER, difficulty=False),
            "fear": BeastRoll(self.fear, phrase("fear-frenzy-roll"), CALM, VAMPIRES, (AFRAID,), FIRE, difficulty=False),
            "rage": BeastRoll(self.rage, self.rage_roll, CALM, WOLVES, (rage,), RAGE, difficulty=False),
            "predators_taint": FirstMeeting(
                self.taint, phrase("predators-taint"), CALM, VAMPIRES, (ANGRY, AFRAID), (), difficulty=False
            ),
            **control(self.control, frenzy=CALM, fear=CALM, difficulty=False),
        }

    def modifiers(self) -> dict[str, ModifierRule]:
        """What provokes the rolls."""
        return {
            **modifiers(self.frenzy, ANGER, dice=True),
            **modifiers(self.fear, FIRE, dice=True),
            **modifiers(self.rage, RAGE, dice=True),
        }
