"""What hides somebody from sight, and what it costs to shoot out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase, separated
from rules.engine.violations import Referee, bad_input
from rules.model.modifiers import RANGED, Figures, ModifierRule, nothing
from rules.model.plan import Part
from rules.model.results import AttackResult
from rules.model.sheet import Sheet
from rules.model.state import Encounter
from rules.model.system import Game
from rules.model.words import in_words
from rules.strike.facets import Facet, Strike
from rules.topics.events import StanceChanged
from rules.topics.firefights.stance import BARELY, FULL, OBSCURED, PARTIAL, STANCE, SUBSTANTIAL, shelter_of

CONCEALMENT = "concealment"
UNSEEN = "unseen"
FIRING = "firing_from_concealment"

STEPS = {BARELY: 1, PARTIAL: 2, SUBSTANTIAL: 3}
"""The dice that a degree takes from shots."""

LABELS = {
    BARELY: phrase("Barely concealed"),
    PARTIAL: phrase("Partially concealed"),
    SUBSTANTIAL: phrase("Substantially concealed"),
    FULL: phrase("Wholly behind cover"),
    OBSCURED: phrase("Out of sight"),
}

FIRING_FROM = {
    BARELY: phrase("Firing, barely concealed"),
    PARTIAL: phrase("Firing, partially concealed"),
    SUBSTANTIAL: phrase("Firing, substantially concealed"),
}
_SPELLED = {"partially": PARTIAL, "substantially": SUBSTANTIAL}


def degree_of(figures: Figures, known: Mapping[str, object]) -> str:
    """The degree among the figures; raises "input" for one that is not among those ``known``."""
    said = str(figures.get("degree", ""))
    degree = _SPELLED.get(said, said)
    if degree not in known:
        raise bad_input(
            phrase("A degree of concealment is {degrees}.", degrees=separated([in_words(each) for each in known], ", "))
        )
    return degree


@dataclass(frozen=True, slots=True)
class Concealed(Facet):
    """A target that is hard to see (CD-CON-1), or not to be seen at all for fog or darkness (CD-CON-2)."""

    rule: str
    unseen: str

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        if self._obscured(strike):
            return (Part(OBSCURED, phrase("The target is out of sight"), self.unseen),)
        degree = self._degree(strike)
        if degree not in STEPS or strike.weapon.mode not in RANGED:
            return ()
        return (Part(CONCEALMENT, LABELS[degree], self.rule, dice=-STEPS[degree]),)

    def chance(self, strike: Strike) -> str:
        return phrase("the target is out of sight") if self._obscured(strike) else ""

    @staticmethod
    def _degree(strike: Strike) -> str:
        if (figures := strike.picked.get(CONCEALMENT)) is not None:
            return degree_of(figures, STEPS)
        shelter = shelter_of(strike.state, strike.target)
        return shelter.degree if shelter else ""

    def _obscured(self, strike: Strike) -> bool:
        if strike.weapon.mode not in RANGED or OBSCURED in strike.command.strike:
            return False
        return UNSEEN in strike.picked or (CONCEALMENT not in strike.picked and self._degree(strike) == OBSCURED)


@dataclass(frozen=True, slots=True)
class FiringOut(Facet):
    """Shots out of concealment lose a die fewer than it is worth, and nobody wholly hidden shoots (CD-CON-3)."""

    rule: str

    def check(self, strike: Strike) -> None:
        if strike.weapon.mode in RANGED:
            check_in_sight(strike.sheet, self._degree(strike), self.rule, strike.game.referee)

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        degree = self._degree(strike)
        if strike.weapon.mode not in RANGED or degree not in STEPS:
            return ()
        return out_of(degree, self.rule)

    @staticmethod
    def _degree(strike: Strike) -> str:
        if (figures := strike.picked.get(FIRING)) is not None:
            return degree_of(figures, {**STEPS, FULL: 0})
        return own_degree(strike.state, strike.command.by)

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        """Whoever comes up from behind cover to shoot stays as concealed as they were for it."""
        stance = STANCE.of(strike.attacker)
        if stance.shelter is None or stance.shelter.degree != FULL or strike.weapon.mode not in RANGED:
            return ()
        degree = self._degree(strike)
        up = replace(stance.shelter, degree=degree if degree in STEPS else SUBSTANTIAL)
        return (StanceChanged(strike.command.by, replace(stance, shelter=up)),)


def check_in_sight(sheet: Sheet, degree: str, rule: str, referee: Referee) -> None:
    """Forbid shots out of full cover (CD-CON-3)."""
    if degree == FULL:
        referee.forbid(
            rule, phrase("{name} has to come up, and be substantially concealed at most, to shoot.", name=sheet.name)
        )


def own_degree(state: Encounter, who: str) -> str:
    """How well somebody is hidden, "" for not at all."""
    shelter = shelter_of(state, who)
    return shelter.degree if shelter else ""


def out_of(degree: str, rule: str) -> tuple[Part, ...]:
    """What a degree of one's own concealment takes from one's shots."""
    return (Part(FIRING, FIRING_FROM[degree], rule, dice=1 - STEPS[degree]),)


def _wanted(label: str, *, storytellers: bool) -> tuple[Wanted, ...]:
    choices = tuple((degree, in_words(degree)) for degree in STEPS)
    return (Wanted("degree", label, Want.CHOICE, choices, storytellers=storytellers),)


def concealment_modifiers(cites: Mapping[str, str]) -> tuple[ModifierRule, ...]:
    """Concealment that is taken as a fact of one attack."""
    kept = ((CONCEALMENT, phrase("Concealment"), True), (FIRING, phrase("Firing from concealment"), False))
    return tuple(
        ModifierRule(key, label, cites[key], nothing, modes=RANGED, wanted=_wanted(label, storytellers=storytellers))
        for key, label, storytellers in kept
    )
