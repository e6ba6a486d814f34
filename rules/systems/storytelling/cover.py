"""Cover between shooter and target: objects that are worn down (CD-COV-1, WD-COV-1)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.damage_steps import DamageStage, DamageStep, Effect, Points, total
from rules.model.gear import titled
from rules.model.modifiers import RANGED, Figures, ModifierRule, nothing, number
from rules.model.results import AttackResult, DamageDone
from rules.model.state import Encounter
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.topics.events import CoverStruck
from rules.topics.firefights.stance import COVERS, FULL, Cover, shelter_of

COVER = "cover"
STRUCTURE = "cover:structure"

MOST_DURABILITY = 20
DURABILITIES = (
    (1, phrase("wood-hard-plastic-thick-glass")),
    (2, phrase("stone-bone-aluminium")),
    (3, phrase("steel-iron")),
    (4, phrase("reinforced-steel")),
)
"""Materials by Durability (CD-COV-1)."""

MOST_STRUCTURE = 100

FIGURES = (
    Wanted("durability", phrase("durability-label"), most=MOST_DURABILITY, storytellers=True, chart=DURABILITIES),
    Wanted("structure", phrase("structure"), most=MOST_STRUCTURE, storytellers=True),
    Wanted("transparent", phrase("see-through"), Want.SWITCH, storytellers=True),
)
"""The fields that describe an object used as cover."""


def cover_of(figures: Figures) -> Cover:
    """The picked cover; raises "input" for impossible values."""
    structure = number(figures, "structure", least=0, most=MOST_STRUCTURE) if "structure" in figures else None
    return Cover(
        str(figures.get("cover") or "").strip()[:40],
        number(figures, "durability", least=0, most=MOST_DURABILITY),
        structure,
        figures.get("transparent") is True,
    )


@dataclass(frozen=True, slots=True)
class Covered(Facet):
    """Cover that hides its target completely (CD-COV-1 to CD-COV-3, WD-COV-1).

    Its Durability is subtracted from the damage, and the rest hits both it and the target. Nothing gets through if
    its Durability exceeds the weapon's bonus. ``through`` is the rule of transparent cover, which has half its
    Durability; ``small`` that of cover too small to hide anyone completely.
    """

    rule: str
    through: str
    small: str

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        cover = self._cover(strike)
        if cover is None or strike.weapon.mode not in RANGED:
            return ()
        if strike.picked.get(COVER, {}).get("too_small") is True:
            step = DamageStep(
                COVER, phrase("too-small-to-hide-behind-label"), self.small, DamageStage.COVER, Effect.LESS
            )
            return (replace(step, struck=True),)
        return self._through(cover, strike.weapon.damage)

    def _through(self, cover: Cover, bonus: int) -> tuple[DamageStep, ...]:
        rule, stage = self.through if cover.transparent else self.rule, DamageStage.COVER
        name = titled(cover.name or "cover")
        off = cover.durability // 2 if cover.transparent else cover.durability
        label = (
            phrase("half-of-durability", name=name, durability=cover.durability)
            if cover.transparent
            else phrase("durability", name=name, off=off)
        )
        steps = [
            DamageStep(COVER, label, rule, stage, Effect.LESS, off),
            DamageStep(STRUCTURE, phrase("is-struck-too", name=name), self.rule, stage, Effect.CATCH),
        ]
        if cover.durability > bonus:
            label = phrase("nothing-gets-through-durability", durability=cover.durability)
            steps.append(DamageStep("cover:stop", label, rule, stage, Effect.STOP))
        return tuple(steps)

    @staticmethod
    def _cover(strike: Strike) -> Cover | None:
        """The picked cover, else the cover the target is behind."""
        if (figures := strike.picked.get(COVER)) is not None:
            return cover_of(figures)
        shelter = shelter_of(strike.state, strike.target)
        hidden = shelter is not None and shelter.degree == FULL
        return COVERS.of(strike.state).get(shelter.cover) if shelter is not None and hidden else None

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        """The cover loses Structure to the damage it stopped."""
        damage = total(caught(result.done, STRUCTURE))
        cover = self._cover(strike)
        if not damage or cover is None:
            return ()
        left = None if cover.structure is None else max(0, cover.structure - damage)
        lasting = COVER not in strike.picked
        behind = _behind(strike.state, cover) if lasting else (strike.target,)
        return (CoverStruck(replace(cover, structure=left), damage, lasting, self.rule, behind),)


def _behind(state: Encounter, cover: Cover) -> tuple[str, ...]:
    """Those behind a piece of cover."""
    shelters = ((who, shelter_of(state, who)) for who in state.combatants)
    return tuple(who for who, shelter in shelters if shelter and shelter.cover == cover.name)


def caught(done: DamageDone | None, key: str) -> Points:
    """The points something stopped, by the key of its damage step."""
    told = (each for each in done.told if each.key == key) if done else ()
    return next((each.left for each in told), {})


def cover_modifier(rule: str, setting: str = "") -> ModifierRule:
    """Cover as a picked circumstance of one attack."""
    wants = (*FIGURES, Wanted("too_small", phrase("too-small-to-hide-behind"), Want.SWITCH, storytellers=True))
    return ModifierRule(COVER, phrase("cover-label"), rule, nothing, modes=RANGED, wanted=wants, setting=setting)
