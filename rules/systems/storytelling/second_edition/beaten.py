"""Beaten down: those who were hurt badly enough pay to go on fighting, or surrender (CD-BEAT-1, CD-BEAT-2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rules.engine.messages import Command, Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.conditions import Condition, declare, known
from rules.model.gear import Damage
from rules.model.options import switch
from rules.model.sheet import Sheet
from rules.model.system import Game, Needs, Serves, System
from rules.topics import effects
from rules.topics.bars import AGGRESSIVE
from rules.topics.commands import Heal, SetHealth, TakeAction
from rules.topics.events import BoxesMarked, ResourceChanged

SETTING = "beaten_down"
WILLPOWER = "willpower"

BEATEN_DOWN = declare(Condition("beaten_down", phrase("beaten-down"), tells_health=True))
FIGHTING_ON = declare(Condition("fighting_on", phrase("fighting-on"), tells_health=True))
SURRENDERED = declare(Condition("surrendered", phrase("surrendered"), has=phrase("surrendered")))

CONDITIONS = (
    known(
        BEATEN_DOWN,
        rule="CD-BEAT-1",
        setting=SETTING,
        bars=AGGRESSIVE,
        instead=phrase("beaten-down-fight-on-for-willpower-first"),
    ),
    known(FIGHTING_ON, rule="CD-BEAT-1", one_turn=True, lifts=frozenset({BEATEN_DOWN})),
    known(
        SURRENDERED,
        rule="CD-BEAT-2",
        setting=SETTING,
        bars=AGGRESSIVE,
        instead=phrase("those-who-surrendered-dont-attack"),
    ),
)

OPTION = switch(
    SETTING, phrase("beaten-down-and-surrender"), "CD-BEAT-1", phrase("more-bashing-than-stamina-or-any-lethal")
)


def _counts(sheet: Sheet, *kinds: Damage) -> int:
    return sum(mark in kinds for mark in sheet.marks)


def beats(before: Sheet, after: Sheet, system: System) -> bool:
    """Whether that much harm takes the fight out of somebody: more bashing than Stamina, or any worse.

    The undead bear a stage more.
    """
    undead = system.kind(after.kind).undead
    light, *worse = (Damage.LETHAL, Damage.AGGRAVATED) if undead else (Damage.BASHING, Damage.LETHAL, Damage.AGGRAVATED)
    if _counts(after, *worse) > _counts(before, *worse):
        return True
    hurt = len(after.marks) > len(before.marks) or _counts(after, light) > _counts(before, light)
    return hurt and _counts(after, light) > system.layout.dots(after, "stamina")


class Beaten:
    """Those who are hurt badly enough are beaten down for the rest of the fight (CD-BEAT-1)."""

    __slots__ = ()

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """The new condition of anyone whom the command hurt, unless the Storyteller corrects boxes."""
        if not game.system.plays(SETTING) or isinstance(command, Heal | SetHealth):
            return ()
        hurt = dict.fromkeys(event.who for event in told if isinstance(event, BoxesMarked))
        found: tuple[Event, ...] = ()
        for who in hurt:
            found += self._beaten(game, game.after((*told, *found)), who)
        return found

    def _beaten(self, before: Game, after: Game, who: str) -> tuple[Event, ...]:
        combatant, system = after.combatant(who), after.system
        spared = combatant.conditions & {BEATEN_DOWN, SURRENDERED} or system.conditions.out(combatant.conditions)
        if spared or not beats(before.combatant(who).sheet, combatant.sheet, system):
            return ()
        return effects.marked(after, who, frozenset({BEATEN_DOWN}))


@dataclass(frozen=True, slots=True)
class FightOn:
    """Spend a point of Willpower to fight for a turn although beaten down (CD-BEAT-1)."""

    rule: str
    label: str = phrase("fight-on")
    needs: ClassVar[Needs] = Needs(instant=False, only_in=BEATEN_DOWN, setting=SETTING, serves=Serves.FREEDOM)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        combatant = game.state.combatants[by]
        if FIGHTING_ON in combatant.conditions:
            return bad_input(phrase("is-fighting-on-already", name=combatant.sheet.name))
        return _not_beaten(game, by)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        return (
            *effects.pay(game, command.by, WILLPOWER, 1, phrase("fight-on")),
            *effects.marked(game, command.by, frozenset({FIGHTING_ON})),
        )


@dataclass(frozen=True, slots=True)
class Surrender:
    """Give up: a point of Willpower back, and no more violence in this fight (CD-BEAT-2)."""

    rule: str
    label: str = phrase("surrender")
    needs: ClassVar[Needs] = Needs(
        instant=False, spares_action=True, only_in=BEATEN_DOWN, setting=SETTING, serves=Serves.SURRENDER
    )

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        return _not_beaten(game, by)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        sheet, layout = game.combatant(command.by).sheet, game.system.layout
        had = layout.points(sheet, WILLPOWER)
        now = max(had, min(had + 1, layout.maximum(sheet, WILLPOWER)))
        regained = (ResourceChanged(command.by, WILLPOWER, now, had - now, phrase("surrender")),) if now > had else ()
        lost = frozenset({BEATEN_DOWN, FIGHTING_ON})
        return (*regained, *effects.marked(game, command.by, frozenset({SURRENDERED}), lost))


def _not_beaten(game: Game, by: str) -> RuleViolation | None:
    combatant = game.state.combatants[by]
    if BEATEN_DOWN in combatant.conditions:
        return None
    return bad_input(phrase("isnt-beaten-down", name=combatant.sheet.name))


ACTIONS: Mapping[str, FightOn | Surrender] = {"fight_on": FightOn("CD-BEAT-1"), "surrender": Surrender("CD-BEAT-2")}
