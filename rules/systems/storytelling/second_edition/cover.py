"""What stands between a shot and its target: things that are worn down, and people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.damage_steps import DamageStage, DamageStep, Effect, Points, in_order, through, total
from rules.model.gear import titled
from rules.model.modifiers import RANGED, Figures, ModifierRule, nothing, number
from rules.model.results import AttackResult, DamageDone
from rules.model.state import Encounter
from rules.model.system import Game
from rules.strike.by_successes import damage_done
from rules.strike.facets import Facet, Strike
from rules.topics import effects
from rules.topics.events import CoverStruck, ShieldStruck
from rules.topics.firefights.stance import COVERS, FULL, STANCE, Cover, shelter_of
from rules.topics.grapples import holds

COVER = "cover"
STRUCTURE = "cover:structure"
SHIELD = "human_shield"

MOST_DURABILITY = 20
MOST_STRUCTURE = 100

FIGURES = (
    Wanted("durability", phrase("Durability"), most=MOST_DURABILITY, storytellers=True),
    Wanted("structure", phrase("Structure"), most=MOST_STRUCTURE, storytellers=True),
    Wanted("transparent", phrase("one can see through it"), Want.SWITCH, storytellers=True),
)
"""What there is to say of a thing that stands in the way."""


def cover_of(figures: Figures) -> Cover:
    """Cover as it is said among the figures; raises "input" for what cannot be."""
    structure = number(figures, "structure", least=0, most=MOST_STRUCTURE) if "structure" in figures else None
    return Cover(
        str(figures.get("cover") or "").strip()[:40],
        number(figures, "durability", least=0, most=MOST_DURABILITY),
        structure,
        figures.get("transparent") is True,
    )


@dataclass(frozen=True, slots=True)
class Covered(Facet):
    """Cover that a target is wholly hidden by (CD-COV-1 to CD-COV-3).

    Its Durability comes off the damage, and what is left strikes it and the target alike. Nothing goes through where
    its Durability is above the weapon's bonus. ``through`` is the rule of what can be seen through, which has half
    its Durability; ``small`` that of what hides nobody wholly.
    """

    rule: str
    through: str
    small: str

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        cover = self._cover(strike)
        if cover is None or strike.weapon.mode not in RANGED:
            return ()
        if strike.picked.get(COVER, {}).get("too_small") is True:
            step = DamageStep(COVER, phrase("Too small to hide behind"), self.small, DamageStage.COVER, Effect.LESS)
            return (replace(step, struck=True),)
        return self._through(cover, strike.weapon.damage)

    def _through(self, cover: Cover, bonus: int) -> tuple[DamageStep, ...]:
        rule, stage = self.through if cover.transparent else self.rule, DamageStage.COVER
        name = titled(cover.name or "cover")
        off = cover.durability // 2 if cover.transparent else cover.durability
        label = (
            phrase("{name}: half of Durability {durability}", name=name, durability=cover.durability)
            if cover.transparent
            else phrase("{name}: Durability {off}", name=name, off=off)
        )
        steps = [
            DamageStep(COVER, label, rule, stage, Effect.LESS, off),
            DamageStep(STRUCTURE, phrase("{name} is struck too", name=name), self.rule, stage, Effect.CATCH),
        ]
        if cover.durability > bonus:
            label = phrase("Nothing goes through Durability {durability}", durability=cover.durability)
            steps.append(DamageStep("cover:stop", label, rule, stage, Effect.STOP))
        return tuple(steps)

    @staticmethod
    def _cover(strike: Strike) -> Cover | None:
        """What was said, else what the target has gone behind."""
        if (figures := strike.picked.get(COVER)) is not None:
            return cover_of(figures)
        shelter = shelter_of(strike.state, strike.target)
        hidden = shelter is not None and shelter.degree == FULL
        return COVERS.of(strike.state).get(shelter.cover) if shelter is not None and hidden else None

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        """The cover is worn down by what it caught."""
        damage = total(caught(result.done, STRUCTURE))
        cover = self._cover(strike)
        if not damage or cover is None:
            return ()
        left = None if cover.structure is None else max(0, cover.structure - damage)
        lasting = COVER not in strike.picked
        behind = _behind(strike.state, cover) if lasting else (strike.target,)
        return (CoverStruck(replace(cover, structure=left), damage, lasting, self.rule, behind),)


def _behind(state: Encounter, cover: Cover) -> tuple[str, ...]:
    """Those whom a thing hides."""
    shelters = ((who, shelter_of(state, who)) for who in state.combatants)
    return tuple(who for who, shelter in shelters if shelter and shelter.cover == cover.name)


@dataclass(frozen=True, slots=True)
class HumanShield(Facet):
    """Somebody held in the way (CD-COV-4): they take the damage first; less their Stamina and armour the rest goes on.

    ``armor`` is the facet that says what armour does, ``kind`` that of what the dead make of a hit.
    """

    rule: str
    armor: Facet
    kind: Facet

    def check(self, strike: Strike) -> None:
        for target in strike.targets:
            shield = self._shield(replace(strike, target=target))
            if shield and shield not in strike.state.combatants:
                raise bad_input(phrase("Name somebody in the fight as the shield."))
            if shield in (target, strike.command.by):
                raise bad_input(phrase("Nobody is a shield against themselves."))

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
                    label=phrase("{name}: {label}", name=sheet.name, label=step.label),
                    stage=stage,
                )
                for step in in_order(self.armor.steps(replace(strike, target=shield)))
            ),
            DamageStep(SHIELD, phrase("{name} is hit first", name=sheet.name), self.rule, stage, Effect.CATCH),
            DamageStep(
                "shield:stamina",
                phrase("{name}: Stamina", name=sheet.name),
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
        """What the shield suffers, by its own kind."""
        hit = caught(result.done, SHIELD)
        if not hit or result.done is None:
            return ()
        shield = self._shield(strike)
        done = self._suffers(replace(strike, target=shield), hit)
        return (ShieldStruck(strike.command.by, strike.target, done, self.rule), *effects.suffer(game, done))

    def _suffers(self, strike: Strike, hit: Points) -> DamageDone:
        """What is made of the points that a shield caught."""
        own = strike.weapon.type
        return damage_done(strike.target, own, *through(hit, own, self.kind.steps(strike)))


def shield_of(state: Encounter, who: str) -> str:
    """Who is held in the way of shots at somebody, a bystander or the other one of a grapple; "" where nobody is."""
    return STANCE.of(state.combatants[who]).shield or holds.shield_of(state, who)


def caught(done: DamageDone | None, key: str) -> Points:
    """The points that something caught on their way, by the key of its step."""
    told = (each for each in done.told if each.key == key) if done else ()
    return next((each.left for each in told), {})


def cover_modifiers(cites: Mapping[str, str]) -> tuple[ModifierRule, ...]:
    """Cover and shields that are taken as facts of one attack."""
    wants = (*FIGURES, Wanted("too_small", phrase("too small to hide behind"), Want.SWITCH, storytellers=True))
    shield = Wanted("name", phrase("Human shield"), Want.SOMEBODY, storytellers=True)
    return (
        ModifierRule(COVER, phrase("Cover"), cites[COVER], nothing, modes=RANGED, wanted=wants),
        ModifierRule(SHIELD, phrase("Human shield"), cites[SHIELD], nothing, modes=RANGED, wanted=(shield,)),
    )
