"""Attacks of Hollow: one roll against Guard, and harm less armour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hollow import dread
from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.choices import Figure, Modifier
from rules.model.gear import Damage, Mode, Weapon, label_of
from rules.model.modifiers import RANGED, Circumstances, ModifierRule, nothing, number, said_by_storyteller
from rules.model.plan import Against, Part, PoolPlan, strike
from rules.model.sheet import Layout, Sheet
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.strike.pools import Wielding
from rules.strike.turns import OneTarget, TakesAction
from rules.strike.unrolled_damage import UnrolledDamage, outright
from rules.topics.events import AttackResolved

COVER, PRESS = "cover", "press"
COVERS = {"partial": 1, "full": 2}
MOST_PRESSED, PRICE = 2, 2


@dataclass(frozen=True, slots=True)
class Harm(UnrolledDamage):
    """Margin plus the weapon's damage, less the armour's rating (HO-HARM-1); nothing is rolled."""

    def against(self, strike: Strike, pool: PoolPlan, automatic: int) -> Against:
        """An attack with that pool against its target's Guard (HO-GUARD-1, HO-COVER-1)."""
        guarded = guard(strike.victim.sheet, self.system.layout)
        needs = [Part("guard", phrase("guard"), self.system.cites["guard"], successes=guarded)]
        covered = self.system.circumstances.figures_of(strike.modifiers, COVER)
        if covered is not None:
            rule = self.system.modifiers[COVER]
            needs.append(Part(COVER, rule.label, rule.rule, successes=COVERS[_degree(covered)]))
        # An explicit base: a slotted dataclass is recreated, so `super()` would refer to the original class.
        return UnrolledDamage.against(self, strike, pool, automatic).needing(tuple(needs))

    def pool(
        self, sheet: Sheet, weapon: Weapon, strikes: frozenset[str] = frozenset(), modifiers: Iterable[Modifier] = ()
    ) -> PoolPlan:
        """The weapon's damage, plus any extra harm pressed for."""
        parts = [Part("weapon", label_of(weapon), self.system.cites["harm"], dice=weapon.damage)]
        pressed = self.system.circumstances.figures_of(modifiers, PRESS)
        if pressed is not None:
            rule = self.system.modifiers[PRESS]
            parts.append(Part(PRESS, rule.label, rule.rule, dice=_times(pressed)))
        return outright(strike(parts, strikes))

    def of_hit(self, against: Against, net: int) -> PoolPlan:
        """The harm of a hit before armour; the margin is ``net`` beyond the success that hits."""
        assert against.damage is not None
        margin = Part("margin", phrase("margin"), self.system.cites["guard"], dice=net - 1)
        return outright((margin, *against.damage.parts))

    def soak(
        self,
        target: Sheet,
        damage: Damage,
        weapon: Weapon,
        strikes: frozenset[str] = frozenset(),
        modifiers: Iterable[Modifier] = (),
    ) -> PoolPlan:
        """What the best armour stops."""
        best = max(target.sound_armor, key=lambda armor: armor.rating, default=None)
        if best is None or not best.rating:
            return outright(())
        return outright(strike((Part("armor", best.name, self.system.cites["harm"], dice=best.rating),), strikes))


@dataclass(frozen=True, slots=True)
class SpendingDread(Facet):
    """The Storyteller's combatants may pay for dice with the Dread available (HO-DREAD-2)."""

    def check(self, strike: Strike) -> None:
        dread.check(strike.game, strike.command)


@dataclass(frozen=True, slots=True)
class Picked(Facet):
    """The picked circumstances: attacks have no difficulty."""

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return strike.system.circumstances.parts(strike.modifiers, Circumstances())


FACETS = (OneTarget(), SpendingDread(), TakesAction(), Wielding(), Picked())
"""The facets of an attack (HO-ATK-1): nobody rolls to defend."""


def guard(sheet: Sheet, layout: Layout) -> int:
    """Half of Dexterity, rounded up, plus one with a shield: worn items that add to Defense."""
    shield = any(each.defense > 0 for each in sheet.sound_armor)
    return (layout.dots(sheet, "dexterity") + 1) // 2 + shield


def results(game: Game, told: tuple[Event, ...]) -> dict[str, Any]:
    """Results for scenarios: the Dread, and an attack's Guard, margin and harm."""
    found: dict[str, Any] = {"dread": dread.DREAD.of(game.state)}
    for event in told:
        if isinstance(event, AttackResolved):
            (against,), (result,) = event.plan.against, event.results
            found["guard"] = against.needed
            if result.done:
                found |= {"margin": result.net - 1, "harm": result.done.dealt}
    return found


# ------------------------------------------------------------------ circumstances


def _times(figures: Mapping[str, Figure]) -> int:
    return number(figures, "times", least=1, most=MOST_PRESSED)


def _pressed(rule: ModifierRule, figures: Mapping[str, Figure], seen: Circumstances) -> tuple[Part, ...]:
    return (Part(rule.key, rule.label, rule.rule, dice=-PRICE * _times(figures)),)


def _degree(figures: Mapping[str, Figure]) -> str:
    degree = str(figures.get("degree", ""))
    if degree not in COVERS:
        raise bad_input(phrase("choose-partial-or-full-cover"))
    return degree


CIRCUMSTANCES: Mapping[str, ModifierRule] = {
    dread.SPEND: dread.SPENDING,
    PRESS: ModifierRule(
        PRESS,
        phrase("press-the-attack"),
        "HO-PRESS-1",
        _pressed,
        wanted=(Wanted("times", phrase("how-often"), least=1, most=MOST_PRESSED),),
    ),
    COVER: ModifierRule(
        COVER,
        phrase("cover-label"),
        "HO-COVER-1",
        nothing,
        modes=RANGED,
        wanted=(
            Wanted(
                "degree",
                phrase("cover-label"),
                Want.CHOICE,
                (("partial", phrase("partial-label")), ("full", phrase("full-label"))),
            ),
        ),
    ),
    "circumstance": said_by_storyteller("HO-DICE-1")[1],
}

TRAITS: Mapping[Mode, tuple[str, str]] = {
    Mode.UNARMED: ("strength", "brawl"),
    Mode.MELEE: ("strength", "blades"),
    Mode.FIREARM: ("dexterity", "guns"),
    Mode.THROWN: ("dexterity", "athletics"),
    Mode.ARCHERY: ("dexterity", "athletics"),
}
