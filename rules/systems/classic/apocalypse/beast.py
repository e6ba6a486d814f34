"""Apocalypse's Rage rolls, frenzy, Delirium and silver: rulings (AP-FRZ-1 to AP-FRZ-6, AP-SLV-1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.choices import Modifier
from rules.model.conditions import IN_FRENZY, Acts, Condition, declare, known
from rules.model.gear import GONE, Damage
from rules.model.options import switch
from rules.model.plan import Part
from rules.model.powers import Source
from rules.model.situations import ConditionRule
from rules.model.state import Encounter
from rules.model.system import ActionRule, Aim, Game, Needs
from rules.systems.classic.provocations import ANGER, FIRE
from rules.systems.shared.beast import (
    SETTING,
    TERRIFIED,
    WILLPOWER,
    BeastRoll,
    Outbreak,
    Provocation,
    conditions,
    control,
    modifiers,
    option,
)
from rules.systems.shared.classic_sheets import GAROU, VAMPIRES, garou_shapes
from rules.topics import bars, effects
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import Followed, Harmed, TraitsRolled
from rules.topics.rolls.pools import PoolRules
from rules.topics.turns.course import sheet_now

RAGE, CONTROL, DELIRIUM, OF_VAMPIRES, SILVER = "AP-FRZ-1", "AP-FRZ-4", "AP-FRZ-5", "AP-FRZ-6", "AP-SLV-1"
SHAPES = {each.key: each for each in garou_shapes("AP-SHAPE-1")}
CRINOS = "crinos"

MOONS = (
    Provocation("new_moon", phrase("new-moon"), 2),
    Provocation("crescent_moon", phrase("crescent-moon"), 1),
    Provocation("half_moon", phrase("half-moon")),
    Provocation("gibbous_moon", phrase("gibbous-moon"), -1),
    Provocation("full_moon", phrase("full-moon"), -2),
)
OWN_MOON, IN_CRINOS, WITHSTAND = "own_moon", "rage_in_crinos", "withstand"
ALSO = (
    Provocation(OWN_MOON, phrase("under-moon-of-own-auspice"), -1),
    Provocation(IN_CRINOS, phrase("rage-in-crinos"), -1),
    Provocation(WITHSTAND, phrase("willpower-against-frenzy")),
)
"""What else counts in a Rage roll."""


@dataclass(frozen=True, slots=True)
class RageRoll(BeastRoll):
    """A Garou's Rage boils over (AP-FRZ-1): with ``frenzy`` successes it is a frenzy, with ``thrall`` one without
    control.
    """

    frenzy: int = 4
    thrall: int = 6

    def _asked(self) -> tuple[Wanted, ...]:
        return (
            *BeastRoll._asked(self),
            Wanted(OWN_MOON, phrase("under-moon-of-own-auspice"), Want.SWITCH),
        )

    def spent(self, game: Game, command: TakeAction) -> tuple[Modifier, ...]:
        # Elsewhere Willpower is a success, of which nobody wants one here.
        return game.system.circumstances.free(command.modifiers)

    def picked(self, game: Game, command: TakeAction) -> tuple[str, ...]:
        shape = game.combatant(command.by).sheet.shape
        return (
            *BeastRoll.picked(self, game, command),
            *((OWN_MOON,) if command.figures.get(OWN_MOON) else ()),
            *((WITHSTAND,) if _withstands(game, command) else ()),
            *((IN_CRINOS,) if shape and shape.key == CRINOS else ()),
        )

    def lost(self, told: TraitsRolled) -> bool:
        return told.roll.roll.successes >= self.frenzy

    def overcome(self, told: TraitsRolled) -> bool:
        return told.roll.roll.successes >= self.thrall

    def broken_out(self, game: Game, command: TakeAction, told: TraitsRolled) -> tuple[Event, ...]:
        if _withstands(game, command) and not self.overcome(told):
            return ()
        return BeastRoll.broken_out(self, game, command, told)


def _withstands(game: Game, command: TakeAction) -> bool:
    """Whether a point of Willpower is spent against the frenzy."""
    return WILLPOWER in game.system.circumstances.costs(command.modifiers)


# ------------------------------------------------------------------ Delirium

FROZEN = declare(Condition("frozen", phrase("frozen-with-fear")))
SHAKEN = declare(Condition("shaken", phrase("shaken")))
SPELLBOUND = declare(Condition("spellbound", phrase("spellbound")))

REACTIONS: tuple[str, ...] = (
    *(FROZEN, TERRIFIED, SHAKEN, IN_FRENZY, TERRIFIED),
    *(SPELLBOUND, SHAKEN, SPELLBOUND, IN_FRENZY),
)
"""The conditions of mortals with a Willpower of 1, 2, 3 and so on; above that, none."""

UNMOVED = "unmoved"


def _mortals(game: Game, by: str) -> Iterable[str]:
    return (who for who, each in game.state.combatants.items() if game.system.kind(each.sheet.kind).human)


@dataclass(frozen=True, slots=True)
class Delirium:
    """Mortals see a Garou in Crinos, and react by their Willpower (AP-FRZ-5)."""

    rule: str
    label: str = phrase("delirium")
    needs: ClassVar[Needs] = Needs(
        Aim.AREA, whom=_mortals, instant=False, spares_action=True, storytellers=True, kinds=GAROU, setting=SETTING
    )

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        sheet = game.state.combatants[by].sheet
        if sheet.shape and sheet.shape.key == CRINOS:
            return None
        return bad_input(phrase("isnt-in-crinos", name=sheet.name))

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        if not command.at:
            raise bad_input(phrase("choose-mortals-who-see-it"))
        told: tuple[Event, ...] = ()
        for who in command.at:
            told += self._reaction(game.after(told), who)
        return told

    def _reaction(self, game: Game, who: str) -> tuple[Event, ...]:
        rating = max(1, game.system.layout.dots(game.combatant(who).sheet, WILLPOWER))
        if rating > len(REACTIONS):
            return (Followed(who, UNMOVED, self.rule),)
        condition = REACTIONS[rating - 1]
        return (Followed(who, condition, self.rule), *effects.marked(game, who, frozenset({condition})))


# ------------------------------------------------------------------ silver

SILVER_SETTING = "silver"


@dataclass(frozen=True, slots=True)
class TouchSilver(AlwaysPossible):
    """Silver on the skin: an aggravated level that nothing soaks, each time the Storyteller says so (AP-SLV-1)."""

    rule: str
    label: str = phrase("touch-silver")
    needs: ClassVar[Needs] = Needs(
        instant=False, spares_action=True, storytellers=True, kinds=GAROU, setting=SILVER_SETTING
    )

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        told = effects.harm(game, command.by, 1, Damage.AGGRAVATED)
        return (Followed(command.by, SILVER_SETTING, self.rule), Harmed(command.by, 1, Damage.AGGRAVATED, ""), *told)


@dataclass(frozen=True, slots=True)
class SilverPools(PoolRules):
    """Pools in which carried silver takes dice from Gnosis (AP-SLV-1)."""

    silver: str = SILVER

    def hampering(self, state: Encounter, who: str, traits: Iterable[str]) -> tuple[Part, ...]:
        traits = tuple(traits)
        return (*PoolRules.hampering(self, state, who, traits), *self._silver(state, who, traits))

    def _silver(self, state: Encounter, who: str, traits: tuple[str, ...]) -> tuple[Part, ...]:
        if "gnosis" not in traits or not self.system.plays(SILVER_SETTING):
            return ()
        sheet = sheet_now(state, who)
        if "silver" not in self.system.kind(sheet.kind).banes:
            return ()
        count = sum("silver" in each.tags and each.fault not in GONE for each in sheet.weapons)
        return (Part("silver", phrase("carried-silver"), self.silver, dice=-count),) if count else ()


# ------------------------------------------------------------------ what the system lists

OPTIONS = (
    option(RAGE, phrase("frenzy-and-delirium")),
    switch(SILVER_SETTING, phrase("silver"), SILVER, phrase("silver-burns-and-takes-gnosis-dice"), begun=True),
)

CONDITIONS = (
    *conditions("AP-FRZ-2", "AP-FRZ-3", CONTROL, also=frozenset({Source.GIFT})),
    known(FROZEN, rule=DELIRIUM, setting=SETTING, offered=True, acts=Acts.WAITS),
    known(
        SHAKEN,
        rule=DELIRIUM,
        setting=SETTING,
        offered=True,
        pools=ConditionRule(phrase("shaken-label"), DELIRIUM, own=1),
    ),
    known(
        SPELLBOUND,
        rule=DELIRIUM,
        setting=SETTING,
        offered=True,
        bars=bars.AGGRESSIVE,
        instead=phrase("spellbound-dont-attack"),
    ),
)

MODIFIERS = {**modifiers(RAGE, (*MOONS, *ALSO)), **modifiers(OF_VAMPIRES, (*ANGER, *FIRE))}

ACTIONS: Mapping[str, ActionRule] = {
    "rage_roll": RageRoll(
        RAGE,
        phrase("rage-roll"),
        ("rage",),
        GAROU,
        (
            Outbreak("berserk", phrase("berserk-frenzy"), IN_FRENZY, SHAPES[CRINOS]),
            Outbreak("fox", phrase("fox-frenzy"), TERRIFIED, SHAPES["lupus"]),
        ),
        MOONS,
        asks=phrase("phase-of-moon"),
    ),
    "frenzy": BeastRoll(
        OF_VAMPIRES,
        phrase("frenzy-roll"),
        (WILLPOWER,),
        VAMPIRES,
        (Outbreak("frenzy", phrase("in-frenzy"), IN_FRENZY),),
        ANGER,
    ),
    "fear": BeastRoll(
        OF_VAMPIRES,
        phrase("rotschreck-roll"),
        (WILLPOWER,),
        VAMPIRES,
        (Outbreak("terror", phrase("terrified"), TERRIFIED),),
        FIRE,
    ),
    **control(CONTROL, frenzy=(WILLPOWER,), fear=(WILLPOWER,)),
    "delirium": Delirium(DELIRIUM),
    "touch_silver": TouchSilver(SILVER),
}
