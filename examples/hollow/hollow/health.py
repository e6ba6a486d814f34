"""Grit that harm wears down, and the three ranks of wounds that come after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from hollow.pace import is_fast
from hollow.sheet import GRIT, REVENANT
from rules.engine.copies import replace
from rules.engine.messages import Event, event, evolves
from rules.engine.phrases import Phrase, phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.gear import Damage
from rules.model.health import UNTOLD, Blow, Heal, HealthLevel, SetHealth
from rules.model.sheet import Injury, Sheet
from rules.model.state import Encounter
from rules.model.system import ActionRule, Game, Needs, OneByOne, SystemPart
from rules.topics import effects
from rules.topics.changes import with_conditions
from rules.topics.commands import TakeAction
from rules.topics.events import ResourceChanged

LIGHT, GRAVE, MORTAL = 1, 2, 3
NAMES = {LIGHT: phrase("light wound"), GRAVE: phrase("grave wound"), MORTAL: phrase("mortal wound")}
DICE = {LIGHT: -1, GRAVE: -2, MORTAL: -2}
OUT = frozenset({"incapacitated"})


def rank_of(over: int, wounds: Iterable[Injury]) -> int:
    """The rank of the wound that so much harm beyond Grit makes, with those that there are (HO-WOUND-1)."""
    there = {wound.level for wound in wounds}
    rank = LIGHT if over <= 2 else GRAVE if over <= 4 else MORTAL
    while rank in there and rank < MORTAL:
        rank += 1
    return rank


def worst_first(wounds: Iterable[Injury]) -> tuple[Injury, ...]:
    """Wounds in the order in which they are kept."""
    return tuple(sorted(wounds, key=lambda wound: -wound.level))


@event("damage")
@dataclass(frozen=True, slots=True)
class HarmBorne(Event):
    """Somebody's Grit and wounds, and the conditions that follow from them, as they are now."""

    who: str
    grit: int
    wounds: tuple[Injury, ...]
    conditions: frozenset[str]


@evolves(HarmBorne)
def _harm_borne(state: Encounter, event: HarmBorne) -> Encounter:
    before = state.combatants[event.who].sheet
    sheet = replace(before, injuries=event.wounds, resources={**before.resources, GRIT: event.grit})
    return with_conditions(state, event.who, event.conditions, sheet=sheet)


@dataclass(frozen=True, slots=True)
class GritAndWounds(SystemPart):
    """HO-GRIT-1, HO-WOUND-1 and HO-WOUND-2."""

    most_level: ClassVar[int] = MORTAL
    scarring: ClassVar[int] = 0

    @property
    def one_by_one(self) -> OneByOne:
        """What pages say of wounds, which are kept one by one."""
        return self

    def harm(self, amount: int) -> Phrase:
        """What so much harm is, in words."""
        return phrase("{amount} harm", amount=amount)

    def severe(self, injury: Injury) -> bool:
        """Whether a wound is marked as a severe one."""
        return injury.level == MORTAL

    def come_to(self, sheet: Sheet) -> int:
        """The rank of the worst wound, 0 for none."""
        return max((wound.level for wound in sheet.injuries), default=0)

    def by_blood(self, sheet: Sheet) -> bool:
        """Whether somebody heals by blood alone: nobody does."""
        return False

    def levels(self, sheet: Sheet | None = None) -> tuple[HealthLevel, ...]:
        """The boxes: there are none."""
        return ()

    def inflict(self, sheet: Sheet, amount: int, damage: Damage, blow: Blow = UNTOLD) -> Sheet:
        """The sheet after so much harm: Grit first, and what is left over makes one wound."""
        grit = self.system.layout.points(sheet, GRIT)
        over = amount - grit
        wounds = sheet.injuries
        if amount > 0 and over > 0:
            wounds = worst_first((*wounds, Injury(rank_of(over, wounds), blow.cause)))
        return replace(sheet, injuries=wounds, resources={**sheet.resources, GRIT: max(0, grit - max(0, amount))})

    def penalty(self, sheet: Sheet) -> int | None:
        """Dice taken from every roll, ``None`` for no action."""
        return None if self.follows(sheet) else self.hindrance(sheet)

    def hindrance(self, sheet: Sheet) -> int:
        """What the worst wound takes; of a revenant a light one takes nothing."""
        worst = self.come_to(sheet)
        kind = self.system.kind(sheet.kind)
        if not kind.feels_wounds or (worst == LIGHT and REVENANT in (kind.key, kind.like)):
            return 0
        return DICE.get(worst, 0)

    def level(self, sheet: Sheet) -> HealthLevel | None:
        """The worst wound, ``None`` for the unhurt."""
        worst = self.come_to(sheet)
        return HealthLevel(NAMES[worst], self.penalty(sheet)) if worst else None

    def follows(self, sheet: Sheet) -> frozenset[str]:
        """A mortal wound puts anybody out of action."""
        return OUT if self.come_to(sheet) == MORTAL else frozenset()

    def word(self, sheet: Sheet) -> str:
        """How somebody looks."""
        if sheet.injuries:
            return ("hurt", "badly hurt", "down")[self.come_to(sheet) - 1]
        layout = self.system.layout
        return "unhurt" if layout.points(sheet, GRIT) >= layout.maximum(sheet, GRIT) else "hurt"

    def brought(self, conditions: frozenset[str], before: Sheet, after: Sheet) -> frozenset[str]:
        """Somebody's conditions once their wounds are those of ``after``."""
        return (conditions - self.follows(before)) | self.follows(after)

    def told(self, who: str, sheet: Sheet, conditions: frozenset[str]) -> Event:
        """What is told when somebody's harm is as on ``sheet`` now."""
        return HarmBorne(who, self.system.layout.points(sheet, GRIT), sheet.injuries, conditions)

    def brings(self, hurt: Sheet, amount: int) -> frozenset[str]:
        """What a blow brings besides: nothing."""
        return frozenset()

    def fates(self, sheet: Sheet, counts: int, damage: Damage) -> Iterator[frozenset[str]]:
        """What follows from no harm more, from one point of it, and so on."""
        return (self.follows(self.inflict(sheet, harm, damage)) for harm in range(counts))

    # -------------------------------------------------------------- what somebody says of it

    def cure(self, sheet: Sheet, command: Heal) -> tuple[Sheet, dict[str, int]]:
        """The sheet with one wound healed, or lowered by ``amount`` ranks; how many ranks that were."""
        if not 1 <= command.injury <= len(sheet.injuries):
            raise bad_input(phrase("{name} has no such wound.", name=sheet.name))
        kept = list(sheet.injuries)
        wound = kept.pop(command.injury - 1)
        amount = wound.level if command.amount is None else command.amount
        if amount < 1:
            raise bad_input(phrase("Say by how many ranks the wound is better."))
        if amount < wound.level:
            kept.append(replace(wound, level=wound.level - amount))
        return replace(sheet, injuries=worst_first(kept)), {"levels": min(amount, wound.level)}

    def put(self, sheet: Sheet, command: SetHealth) -> Sheet:
        """The sheet with the wounds as the Storyteller puts them."""
        if command.marks:
            raise bad_input(phrase("There are no boxes here: wounds have ranks."))
        return self.sound(replace(sheet, injuries=command.injuries))

    def sound(self, sheet: Sheet) -> Sheet:
        """The sheet with its wounds worst first; raises "input" for what can be none."""
        if sheet.marks:
            raise bad_input(phrase("There are no boxes here: wounds have ranks."))
        if any(not LIGHT <= wound.level <= MORTAL for wound in sheet.injuries):
            raise bad_input(phrase("A wound has rank 1, 2 or 3."))
        return replace(sheet, injuries=worst_first(sheet.injuries))

    def fitted(self, sheet: Sheet) -> Sheet:
        """The sheet in another shape: wounds stay what they are."""
        return sheet

    def read(self, sheet: Sheet, harm: object) -> Sheet:
        """The sheet with wounds of the ranks that a scenario writes."""
        if not isinstance(harm, list) or not all(rank in NAMES for rank in harm):
            raise ValueError("is a list of wounds’ ranks, each 1, 2 or 3.")
        return replace(sheet, injuries=worst_first(Injury(rank) for rank in harm))

    def written(self, sheet: Sheet) -> list[int]:
        """The ranks, highest first."""
        return [wound.level for wound in sheet.injuries]

    # -------------------------------------------------------------- time

    def remove(self, sheet: Sheet, amount: int, damage: Damage) -> tuple[Sheet, int]:
        """Levels of a kind taken away: harm has no kinds here."""
        return sheet, 0

    def turn_end(self, sheet: Sheet) -> tuple[Sheet, dict[str, int]]:
        """What the end of a turn heals: nothing."""
        return sheet, {}

    def rest(self, sheet: Sheet, hours: int, *, care: bool = False) -> tuple[Sheet, dict[str, int]]:
        """How fast wounds heal is the Storyteller's to say: raises "input"."""
        raise bad_input(phrase("No rule says how long a wound takes: heal one, or lower it."))


@dataclass(frozen=True, slots=True)
class CatchBreath:
    """Grit comes back by Wits, for somebody slow (HO-BREATH-1)."""

    rule: str
    label: str = phrase("Catch your breath")
    needs: ClassVar[Needs] = Needs()

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        """Whoever is fast has no breath to catch."""
        if not is_fast(game.state, by):
            return None
        name = game.state.combatants[by].sheet.name
        return RuleViolation(self.rule, phrase("{name} is fast this turn and cannot catch their breath.", name=name))

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        """The action, and the points that come back."""
        layout, sheet = game.system.layout, game.combatant(command.by).sheet
        before = layout.points(sheet, GRIT)
        after = max(before, min(layout.maximum(sheet, GRIT), before + layout.dots(sheet, "wits")))
        return (
            effects.action(game, command.by, command.key),
            ResourceChanged(command.by, GRIT, after, before - after, self.label),
        )


ACTIONS: dict[str, ActionRule] = {"catch_breath": CatchBreath("HO-BREATH-1")}
