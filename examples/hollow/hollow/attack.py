"""An attack of Hollow: one roll against Guard, and harm that armour lessens."""

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
    """Margin and the weapon's damage, less the armour's rating (HO-HARM-1); nothing is rolled for it."""

    def against(self, strike: Strike, pool: PoolPlan, automatic: int) -> Against:
        """An attack with that pool as it meets its target, whose Guard it has to reach (HO-GUARD-1, HO-COVER-1)."""
        guarded = guard(strike.victim.sheet, self.system.layout)
        needs = [Part("guard", phrase("Guard"), self.system.cites["guard"], successes=guarded)]
        covered = self.system.circumstances.figures_of(strike.modifiers, COVER)
        if covered is not None:
            rule = self.system.modifiers[COVER]
            needs.append(Part(COVER, rule.label, rule.rule, successes=COVERS[_degree(covered)]))
        # An explicit base: a slotted dataclass is made anew, and `super()` would mean the one before.
        return UnrolledDamage.against(self, strike, pool, automatic).needing(tuple(needs))

    def pool(
        self, sheet: Sheet, weapon: Weapon, strikes: frozenset[str] = frozenset(), modifiers: Iterable[Modifier] = ()
    ) -> PoolPlan:
        """What the weapon does, and what was pressed for."""
        parts = [Part("weapon", label_of(weapon), self.system.cites["harm"], dice=weapon.damage)]
        pressed = self.system.circumstances.figures_of(modifiers, PRESS)
        if pressed is not None:
            rule = self.system.modifiers[PRESS]
            parts.append(Part(PRESS, rule.label, rule.rule, dice=_times(pressed)))
        return outright(strike(parts, strikes))

    def of_hit(self, against: Against, net: int) -> PoolPlan:
        """The harm of a hit before armour: its margin is what is left of ``net`` beyond the success that hits."""
        assert against.damage is not None
        margin = Part("margin", phrase("Margin"), self.system.cites["guard"], dice=net - 1)
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
    """Whoever the Storyteller plays may pay for dice with Dread that there is (HO-DREAD-2)."""

    def check(self, strike: Strike) -> None:
        dread.check(strike.game, strike.command)


@dataclass(frozen=True, slots=True)
class Picked(Facet):
    """The circumstances that were picked: no attack has a difficulty."""

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return strike.system.circumstances.parts(strike.modifiers, Circumstances())


FACETS = (OneTarget(), SpendingDread(), TakesAction(), Wielding(), Picked())
"""What an attack is made of (HO-ATK-1): nobody rolls to defend."""


def guard(sheet: Sheet, layout: Layout) -> int:
    """Half of Dexterity, rounded up, and one more with a shield: what is worn and adds to Defense."""
    shield = any(each.defense > 0 for each in sheet.sound_armor)
    return (layout.dots(sheet, "dexterity") + 1) // 2 + shield


def results(game: Game, told: tuple[Event, ...]) -> dict[str, Any]:
    """What scenarios read: the Dread, and of an attack its target's Guard, its margin and its harm."""
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
        raise bad_input(phrase("Cover is partial or full."))
    return degree


CIRCUMSTANCES: Mapping[str, ModifierRule] = {
    dread.SPEND: dread.SPENDING,
    PRESS: ModifierRule(
        PRESS,
        phrase("Press the attack"),
        "HO-PRESS-1",
        _pressed,
        wanted=(Wanted("times", phrase("How often"), least=1, most=MOST_PRESSED),),
    ),
    COVER: ModifierRule(
        COVER,
        phrase("Cover"),
        "HO-COVER-1",
        nothing,
        modes=RANGED,
        wanted=(
            Wanted("degree", phrase("Cover"), Want.CHOICE, (("partial", phrase("Partial")), ("full", phrase("Full")))),
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
