"""Grit, which harm wears down, and the three ranks of wounds after it."""

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
NAMES = {LIGHT: phrase("light-wound"), GRAVE: phrase("grave-wound"), MORTAL: phrase("mortal-wound")}
DICE = {LIGHT: -1, GRAVE: -2, MORTAL: -2}
OUT = frozenset({"incapacitated"})


def rank_of(over: int, wounds: Iterable[Injury]) -> int:
    """The rank of the wound from that much harm beyond Grit, given the existing wounds (HO-WOUND-1)."""
    there = {wound.level for wound in wounds}
    rank = LIGHT if over <= 2 else GRAVE if over <= 4 else MORTAL
    while rank in there and rank < MORTAL:
        rank += 1
    return rank


def worst_first(wounds: Iterable[Injury]) -> tuple[Injury, ...]:
    """Wounds in stored order."""
    return tuple(sorted(wounds, key=lambda wound: -wound.level))


@event("damage")
@dataclass(frozen=True, slots=True)
class HarmBorne(Event):
    """Somebody's current Grit and wounds, and the conditions that follow."""

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
        """The interface to wounds for pages and forms."""
        return self

    def harm(self, amount: int) -> Phrase:
        """A description of that much harm."""
        return phrase("harm-amount", amount=amount)

    def severe(self, injury: Injury) -> bool:
        """Whether a wound counts as severe."""
        return injury.level == MORTAL

    def come_to(self, sheet: Sheet) -> int:
        """The rank of the worst wound, 0 for none."""
        return max((wound.level for wound in sheet.injuries), default=0)

    def by_blood(self, sheet: Sheet) -> None:
        """The price of healing by blood: nobody heals by it."""

    def levels(self, sheet: Sheet | None = None) -> tuple[HealthLevel, ...]:
        """No boxes."""
        return ()

    def inflict(self, sheet: Sheet, amount: int, damage: Damage, blow: Blow = UNTOLD) -> Sheet:
        """The sheet after that much harm: Grit first, then one wound from the rest."""
        grit = self.system.layout.points(sheet, GRIT)
        over = amount - grit
        wounds = sheet.injuries
        if amount > 0 and over > 0:
            wounds = worst_first((*wounds, Injury(rank_of(over, wounds), blow.cause)))
        return replace(sheet, injuries=wounds, resources={**sheet.resources, GRIT: max(0, grit - max(0, amount))})

    def penalty(self, sheet: Sheet) -> int | None:
        """The wound penalty in dice, ``None`` if no action is possible."""
        return None if self.follows(sheet) else self.hindrance(sheet)

    def hindrance(self, sheet: Sheet) -> int:
        """The worst wound's penalty; a revenant ignores light wounds."""
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
        """A mortal wound puts any creature out of action."""
        return OUT if self.come_to(sheet) == MORTAL else frozenset()

    def word(self, sheet: Sheet) -> str:
        """A combatant's visible state."""
        if sheet.injuries:
            return ("hurt", "badly hurt", "down")[self.come_to(sheet) - 1]
        layout = self.system.layout
        return "unhurt" if layout.points(sheet, GRIT) >= layout.maximum(sheet, GRIT) else "hurt"

    def brought(self, conditions: frozenset[str], before: Sheet, after: Sheet) -> frozenset[str]:
        """Somebody's conditions once their wounds are those of ``after``."""
        return (conditions - self.follows(before)) | self.follows(after)

    def told(self, who: str, sheet: Sheet, conditions: frozenset[str]) -> Event:
        """The report that somebody's harm is now as on ``sheet``."""
        return HarmBorne(who, self.system.layout.points(sheet, GRIT), sheet.injuries, conditions)

    def brings(self, hurt: Sheet, amount: int) -> frozenset[str]:
        """Further effects of a blow: none."""
        return frozenset()

    def fates(self, sheet: Sheet, counts: int, damage: Damage) -> Iterator[frozenset[str]]:
        """The results of no further harm, one point, and so on."""
        return (self.follows(self.inflict(sheet, harm, damage)) for harm in range(counts))

    # -------------------------------------------------------------- by the Storyteller's word

    def cure(self, sheet: Sheet, command: Heal) -> tuple[Sheet, dict[str, int]]:
        """The sheet with one wound healed, or reduced by ``amount`` ranks; and the number of ranks healed."""
        if not 1 <= command.injury <= len(sheet.injuries):
            raise bad_input(phrase("has-no-such-wound", name=sheet.name))
        kept = list(sheet.injuries)
        wound = kept.pop(command.injury - 1)
        amount = wound.level if command.amount is None else command.amount
        if amount < 1:
            raise bad_input(phrase("enter-by-how-many-ranks-wound-improves"))
        if amount < wound.level:
            kept.append(replace(wound, level=wound.level - amount))
        return replace(sheet, injuries=worst_first(kept)), {"levels": min(amount, wound.level)}

    def put(self, sheet: Sheet, command: SetHealth) -> Sheet:
        """The sheet with the wounds set by the Storyteller."""
        if command.marks:
            raise bad_input(phrase("hollow-has-no-health-boxes-wounds"))
        return self.sound(replace(sheet, injuries=command.injuries))

    def sound(self, sheet: Sheet) -> Sheet:
        """The sheet with its wounds sorted, worst first; raises "input" for invalid ones."""
        if sheet.marks:
            raise bad_input(phrase("hollow-has-no-health-boxes-wounds"))
        if any(not LIGHT <= wound.level <= MORTAL for wound in sheet.injuries):
            raise bad_input(phrase("wounds-rank-is-1-2-or-3"))
        return replace(sheet, injuries=worst_first(sheet.injuries))

    def fitted(self, sheet: Sheet) -> Sheet:
        """The sheet in another shape: wounds do not change."""
        return sheet

    def read(self, sheet: Sheet, harm: object) -> Sheet:
        """The sheet with wounds of the ranks given in a scenario."""
        if not isinstance(harm, list) or not all(rank in NAMES for rank in harm):
            raise ValueError("is a list of wounds’ ranks, each 1, 2 or 3.")
        return replace(sheet, injuries=worst_first(Injury(rank) for rank in harm))

    def written(self, sheet: Sheet) -> list[int]:
        """The ranks, highest first."""
        return [wound.level for wound in sheet.injuries]

    # -------------------------------------------------------------- time

    def remove(self, sheet: Sheet, amount: int, damage: Damage) -> tuple[Sheet, int]:
        """Not applicable: harm has no types here."""
        return sheet, 0

    def turn_end(self, sheet: Sheet) -> tuple[Sheet, dict[str, int]]:
        """What the end of a turn heals: nothing."""
        return sheet, {}

    def rest(
        self, sheet: Sheet, hours: int, *, care: bool = False, hospital: bool = True
    ) -> tuple[Sheet, dict[str, int]]:
        """Not applicable: the Storyteller decides how fast wounds heal; raises "input"."""
        raise bad_input(phrase("no-rule-says-how-long-wound-takes"))


@dataclass(frozen=True, slots=True)
class CatchBreath:
    """Recover Grit by Wits, for a slow combatant (HO-BREATH-1)."""

    rule: str
    label: str = phrase("catch-your-breath")
    needs: ClassVar[Needs] = Needs()

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        """Fast combatants cannot catch their breath."""
        if not is_fast(game.state, by):
            return None
        name = game.state.combatants[by].sheet.name
        return RuleViolation(self.rule, phrase("is-fast-this-turn-and-cant-catch", name=name))

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        """The action, and the points recovered."""
        layout, sheet = game.system.layout, game.combatant(command.by).sheet
        before = layout.points(sheet, GRIT)
        after = max(before, min(layout.maximum(sheet, GRIT), before + layout.dots(sheet, "wits")))
        return (
            effects.action(game, command.by, command.key),
            ResourceChanged(command.by, GRIT, after, before - after, self.label),
        )


ACTIONS: dict[str, ActionRule] = {"catch_breath": CatchBreath("HO-BREATH-1")}
