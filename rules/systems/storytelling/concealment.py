"""Concealment, and its penalty for firing out of it."""

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
"""The penalty on shots at each degree."""

LABELS = {
    BARELY: phrase("barely-concealed-label"),
    PARTIAL: phrase("partially-concealed-label"),
    SUBSTANTIAL: phrase("substantially-concealed-label"),
    FULL: phrase("fully-behind-cover-label"),
    OBSCURED: phrase("out-of-sight-label"),
}

FIRING_FROM = {
    BARELY: phrase("firing-barely-concealed"),
    PARTIAL: phrase("firing-partially-concealed"),
    SUBSTANTIAL: phrase("firing-substantially-concealed"),
}
_SPELLED = {"partially": PARTIAL, "substantially": SUBSTANTIAL}


def degree_of(figures: Figures, known: Mapping[str, object]) -> str:
    """The picked degree; raises "input" for one not in ``known``."""
    said = str(figures.get("degree", ""))
    degree = _SPELLED.get(said, said)
    if degree not in known:
        raise bad_input(
            phrase("choose-degree-of-concealment", degrees=separated([in_words(each) for each in known], ", "))
        )
    return degree


@dataclass(frozen=True, slots=True)
class Concealed(Facet):
    """A target that is hard to see (CD-CON-1, WD-CON-1), or invisible in fog or darkness (CD-CON-2).

    ``unseen`` is the rule of the invisible, "" where another facet deals with them.
    """

    rule: str
    unseen: str = ""

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        if self._obscured(strike):
            return (Part(OBSCURED, phrase("target-is-out-of-sight-label"), self.unseen),)
        degree = self._degree(strike)
        if degree not in STEPS or strike.weapon.mode not in RANGED:
            return ()
        return (Part(CONCEALMENT, LABELS[degree], self.rule, dice=-STEPS[degree]),)

    def chance(self, strike: Strike) -> str:
        return phrase("target-is-out-of-sight") if self._obscured(strike) else ""

    @staticmethod
    def _degree(strike: Strike) -> str:
        if (figures := strike.picked.get(CONCEALMENT)) is not None:
            return degree_of(figures, STEPS)
        shelter = shelter_of(strike.state, strike.target)
        return shelter.degree if shelter else ""

    def _obscured(self, strike: Strike) -> bool:
        if not self.unseen or strike.weapon.mode not in RANGED or OBSCURED in strike.command.strike:
            return False
        return UNSEEN in strike.picked or (CONCEALMENT not in strike.picked and self._degree(strike) == OBSCURED)


@dataclass(frozen=True, slots=True)
class FiringOut(Facet):
    """Firing out of concealment costs one die less than it is worth; impossible when fully concealed (CD-CON-3,
    WD-CON-2).
    """

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
        """A shooter who comes up from cover keeps the concealment that the shot was fired from."""
        stance = STANCE.of(strike.attacker)
        if stance.shelter is None or stance.shelter.degree != FULL or strike.weapon.mode not in RANGED:
            return ()
        degree = self._degree(strike)
        up = replace(stance.shelter, degree=degree if degree in STEPS else SUBSTANTIAL)
        return (StanceChanged(strike.command.by, replace(stance, shelter=up)),)


def check_in_sight(sheet: Sheet, degree: str, rule: str, referee: Referee) -> None:
    """Forbid firing out of full cover (CD-CON-3)."""
    if degree == FULL:
        referee.forbid(rule, phrase("must-come-out-to-shoot-at-most", name=sheet.name))


def own_degree(state: Encounter, who: str) -> str:
    """Somebody's degree of concealment, "" for none."""
    shelter = shelter_of(state, who)
    return shelter.degree if shelter else ""


def out_of(degree: str, rule: str) -> tuple[Part, ...]:
    """The penalty on your shots for a degree of your own concealment."""
    return (Part(FIRING, FIRING_FROM[degree], rule, dice=1 - STEPS[degree]),)


def _wanted(label: str, *, storytellers: bool) -> tuple[Wanted, ...]:
    choices = tuple((degree, in_words(degree)) for degree in STEPS)
    return (Wanted("degree", label, Want.CHOICE, choices, storytellers=storytellers),)


def concealment_modifiers(cites: Mapping[str, str], setting: str = "") -> tuple[ModifierRule, ...]:
    """Concealment as a picked circumstance of one attack."""
    kept = ((CONCEALMENT, phrase("concealment"), True), (FIRING, phrase("firing-from-concealment"), False))
    return tuple(
        ModifierRule(
            key,
            label,
            cites[key],
            nothing,
            modes=RANGED,
            wanted=_wanted(label, storytellers=storytellers),
            setting=setting,
        )
        for key, label, storytellers in kept
    )
