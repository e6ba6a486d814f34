"""People between shooter and target."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.damage_steps import DamageStage, DamageStep, Effect, Points, in_order, through
from rules.model.modifiers import RANGED, ModifierRule, nothing
from rules.model.results import AttackResult, DamageDone
from rules.model.state import Encounter
from rules.model.system import Game
from rules.strike.by_successes import damage_done
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.cover import caught
from rules.topics import effects
from rules.topics.events import ShieldStruck
from rules.topics.firefights.stance import STANCE
from rules.topics.grapples import holds

SHIELD = "human_shield"


@dataclass(frozen=True, slots=True)
class HumanShield(Facet):
    """Somebody held as a shield (CD-COV-4): they take the damage first; the rest goes on, less their Stamina and
    armour.

    ``armor`` is the facet for armour, ``kind`` the one for the dead.
    """

    rule: str
    armor: Facet
    kind: Facet

    def check(self, strike: Strike) -> None:
        for target in strike.targets:
            shield = self._shield(replace(strike, target=target))
            if shield and shield not in strike.state.combatants:
                raise bad_input(phrase("choose-someone-in-fight-as-shield"))
            if shield in (target, strike.command.by):
                raise bad_input(phrase("nobody-can-be-shield-against-their-own"))

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        shield = self._shield(strike)
        if not shield or strike.weapon.mode not in RANGED:
            return ()
        sheet = strike.state.combatants[shield].sheet
        stage = DamageStage.COVER
        return (
            *(
                replace(
                    step,
                    key=f"shield:{step.key}",
                    label=phrase("name-label", name=sheet.name, label=step.label),
                    stage=stage,
                )
                for step in in_order(self.armor.steps(replace(strike, target=shield)))
            ),
            DamageStep(SHIELD, phrase("is-hit-first", name=sheet.name), self.rule, stage, Effect.CATCH),
            DamageStep(
                "shield:stamina",
                phrase("stamina", name=sheet.name),
                self.rule,
                stage,
                Effect.LESS,
                strike.system.layout.dots(sheet, "stamina"),
            ),
        )

    def _shield(self, strike: Strike) -> str:
        if (figures := strike.picked.get(SHIELD)) is not None:
            return str(figures.get("name") or "")
        held = shield_of(strike.state, strike.target)
        return "" if held == strike.command.by else held

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        """The shield's damage, by its own kind."""
        hit = caught(result.done, SHIELD)
        if not hit or result.done is None:
            return ()
        shield = self._shield(strike)
        done = self._suffers(replace(strike, target=shield), hit)
        return (ShieldStruck(strike.command.by, strike.target, done, self.rule), *effects.suffer(game, done))

    def _suffers(self, strike: Strike, hit: Points) -> DamageDone:
        """The damage from the points a shield caught."""
        own = strike.weapon.type
        return damage_done(strike.target, own, *through(hit, own, self.kind.steps(strike)))


def shield_of(state: Encounter, who: str) -> str:
    """The human shield against shots at somebody: a bystander or their grapple opponent; "" without one."""
    return STANCE.of(state.combatants[who]).shield or holds.shield_of(state, who)


def shield_modifier(rule: str) -> ModifierRule:
    """A human shield as a picked circumstance of one attack."""
    shield = Wanted("name", phrase("human-shield"), Want.SOMEBODY, storytellers=True)
    return ModifierRule(SHIELD, phrase("human-shield"), rule, nothing, modes=RANGED, wanted=(shield,))
