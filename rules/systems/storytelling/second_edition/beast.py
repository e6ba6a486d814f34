"""Chronicles of Darkness' frenzy, kuruth and predatory aura: rulings, of two house rules (CD-FRZ-1 to CD-FRZ-8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.conditions import Condition, declare, known
from rules.model.options import switch
from rules.model.roll import Resistance, RollTraits
from rules.model.situations import ConditionRule
from rules.model.system import ActionRule, Aim, Game, Needs
from rules.systems.shared.beast import HIDDEN_ROLL, SECRET, conditions, option
from rules.systems.storytelling.beast import CALM, VAMPIRES, BeastRules
from rules.systems.storytelling.dodging import DODGE
from rules.systems.storytelling.second_edition.defense_trait import WITHHOLD
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import Followed
from rules.topics.rolls.decide import roll_once

AURA, AURA_RULE = "predatory_aura", "CD-FRZ-8"

COWED = declare(Condition("cowed", phrase("cowed")))
COWED_DICE = -2

URGES: Mapping[str, tuple[str, str]] = {
    "monstrous": (phrase("aura-monstrous"), "strength"),
    "seductive": (phrase("aura-seductive"), "presence"),
    "challenging": (phrase("aura-challenging"), "intelligence"),
}
"""What the aura is like: its label, and the Attribute that it is rolled with."""


@dataclass(frozen=True, slots=True)
class LashOut(AlwaysPossible):
    """Lash out with the predatory aura (CD-FRZ-8): the loser is cowed."""

    rule: str
    label: str = phrase("lash-out")
    needs: ClassVar[Needs] = Needs(
        Aim.ONE,
        figures=(
            Wanted(
                "urge",
                phrase("aura-is"),
                Want.CHOICE,
                tuple((key, label) for key, (label, _) in URGES.items()),
                needed=True,
            ),
            HIDDEN_ROLL,
        ),
        rolls=True,
        kinds=VAMPIRES,
        setting=AURA,
    )

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        (at,) = command.at
        undead = self.needs.are_for(game.combatant(at).sheet, game.system.layout)
        used = effects.used(game, command.by, command.key)
        told = roll_once(
            game,
            RollTraits(
                command.by,
                ("blood_potency", URGES[str(command.figures["urge"])][1]),
                modifiers=command.modifiers,
                resisted=Resistance(at, ("resolve", "blood_potency") if undead else CALM),
                label=self.label,
                secret=bool(command.figures.get(SECRET)),
            ),
        )
        margin = told.margin or 0
        if not margin:
            return (*used, told)
        loser = at if margin > 0 else command.by
        brought = effects.marked(game.after((*used, told)), loser, frozenset({COWED}))
        return (*used, told, Followed(loser, COWED, self.rule), *brought)


RULES = BeastRules(
    frenzy="CD-FRZ-1",
    fear="CD-FRZ-2",
    rage="CD-FRZ-3",
    control="CD-FRZ-6",
    taint="CD-FRZ-7",
    shapes="CD-SHAPE-1",
    rage_roll=phrase("kuruth-roll"),
)

OPTIONS = (
    option("CD-FRZ-1", phrase("frenzy-and-kuruth")),
    switch(AURA, phrase("lashing-out"), AURA_RULE, phrase("loser-of-auras-has-two-dice-fewer"), begun=True),
)
CONDITIONS = (
    *conditions("CD-FRZ-4", "CD-FRZ-5", "CD-FRZ-6", also=frozenset({DODGE, WITHHOLD})),
    known(
        COWED,
        rule=AURA_RULE,
        setting=AURA,
        offered=True,
        pools=ConditionRule(phrase("cowed-label"), AURA_RULE, bearer=COWED_DICE),
    ),
)
MODIFIERS = RULES.modifiers()
ACTIONS: Mapping[str, ActionRule] = {**RULES.actions(), "lash_out": LashOut(AURA_RULE)}
