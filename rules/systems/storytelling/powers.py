"""Powers of the storytelling family in fights, under a ruleset's own rules: Disciplines, what Vitae does, Merits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine.phrases import Phrase, phrase
from rules.model.conditions import Acts, Condition, declare, known
from rules.model.gear import Damage, Mode, Weapon
from rules.model.power_effects import Effect, Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Reach, Source, Test, Timing
from rules.model.system import Merit
from rules.systems.shared.powers import (
    PHYSICAL,
    brings,
    dice,
    eases,
    on_targets,
    raises,
    setting_of,
    softens,
)
from rules.systems.storytelling.sheets import DRINKERS

VITAE = "vitae"
PAID = (Cost(VITAE),)
ANY_ATTACK = frozenset(Mode)
"""Named one by one, so that Defense against them reaches shots too."""

IN_AWE = declare(Condition("in_awe", phrase("in-awe")))
OBEYING = declare(Condition("obeying", phrase("obeying")))


def conditions(rules: Mapping[str, str]) -> tuple[Condition, ...]:
    """The conditions that powers bring about, by the rules of those powers."""
    awe, command = "awe", "command"
    instead = phrase("is-in-awe-and-attacks-nobody")
    return (
        known(IN_AWE, rule=rules[awe], setting=setting_of(awe), bars=frozenset({"attack"}), instead=instead),
        known(OBEYING, rule=rules[command], setting=setting_of(command), acts=Acts.LOSES_TURN),
    )


# ------------------------------------------------------------------ Disciplines


def vigor(rule: str, *, always: bool) -> Power:
    """Strength higher by the dots: always, or for the scene."""
    return _body("vigor", phrase("vigor"), rule, (raises(1, "strength", per=Per.RATING),), always=always)


def resilience(rule: str, *, always: bool) -> Power:
    """Stamina higher by the dots, and aggravated damage that becomes lethal: always, or for the scene."""
    effects = (raises(1, "stamina", per=Per.RATING), softens(1, Damage.AGGRAVATED, per=Per.RATING))
    return _body("resilience", phrase("resilience"), rule, effects, always=always)


def _body(key: str, label: Phrase, rule: str, effects: tuple[Effect, ...], *, always: bool) -> Power:
    return Power(
        key,
        label,
        rule,
        Source.DISCIPLINE,
        effects,
        trait=key,
        kinds=DRINKERS,
        timing=Timing.ALWAYS if always else Timing.REFLEXIVE,
        costs=() if always else PAID,
    )


def blood_surge(rule: str) -> Power:
    """Two dice more on physical pools for the turn."""
    return Power(
        "blood_surge",
        phrase("vitae-for-physical-pools"),
        rule,
        Source.NATURE,
        (dice(2, Pool.ATTACK, Pool.ROLL, traits=frozenset(PHYSICAL)),),
        kinds=DRINKERS,
        timing=Timing.REFLEXIVE,
        costs=PAID,
        lasts=Lasts.TURN,
        notice=Notice.UNSEEN,
    )


def discipline(key: str, label: Phrase, rule: str, trait: str, effects: tuple[Effect, ...], rating: int) -> Power:
    """A level of a Discipline that takes an action and a point of Vitae, for the scene."""
    return Power(key, label, rule, Source.DISCIPLINE, effects, trait=trait, rating=rating, kinds=DRINKERS, costs=PAID)


def claws(bonus: int, damage: Damage) -> Weapon:
    """Claws of the body, as Protean grows them."""
    return Weapon("predator's claws", Mode.UNARMED, bonus, type=damage, form="slashing", tags=frozenset({"claws"}))


def gaze(power: Power, skill: str, resisting: str, attribute: str = "presence") -> Power:
    """A power rolled with an Attribute, a Skill and the Discipline, which the target resists."""
    test = Test((attribute, skill, power.trait), resist=(resisting,))
    return replace(power, test=test, reach=Reach.ONE, notice=Notice.FELT)


def dread(rule: str, rating: int) -> Power:
    """Two dice fewer for the target for the scene."""
    effects = (on_targets(dice(-2, Pool.ATTACK, Pool.ROLL)),)
    power = discipline("dread", phrase("dread-power"), rule, "nightmare", effects, rating)
    return gaze(power, "intimidation", "composure")


def awe(rule: str) -> Power:
    """A target that attacks nobody for a turn per success."""
    power = discipline("awe", phrase("awe"), rule, "majesty", (brings(IN_AWE, on_target=True),), 1)
    return gaze(replace(power, lasts=Lasts.TURN, turns_per=Per.SUCCESSES), "expression", "composure")


def command(rule: str, label: Phrase, skill: str) -> Power:
    """A target that loses a turn."""
    power = discipline("command", label, rule, "dominate", (brings(OBEYING, on_target=True),), 1)
    return gaze(replace(power, lasts=Lasts.AT_ONCE), skill, "resolve", "intelligence")


def cloak_of_night(rule: str) -> Power:
    """Out of sight until the next attack."""
    power = discipline("cloak_of_night", phrase("cloak-of-night"), rule, "obfuscate", (dice(-5, Pool.AGAINST),), 3)
    return replace(power, lasts=Lasts.ATTACK, notice=Notice.UNSEEN)


# ------------------------------------------------------------------ Merits


def merit(key: str, label: Phrase, rule: str, *effects: Effect, style: str = "", rating: int = 1) -> Power:
    """A Merit that is always on, or a manoeuvre of a fighting ``style`` from so many dots."""
    return Power(
        key,
        label,
        rule,
        Source.MERIT,
        effects,
        entry=style or key,
        rating=rating,
        timing=Timing.ALWAYS,
        notice=Notice.UNSEEN,
    )


def manoeuvre(power: Power, timing: Timing = Timing.REFLEXIVE, lasts: Lasts = Lasts.TURN) -> Power:
    """A Merit that is used, for the turn unless something else is said."""
    return replace(power, timing=timing, lasts=lasts, notice=Notice.SEEN)


def fast_reflexes(rule: str) -> Power:
    """Initiative."""
    effect = dice(1, Pool.INITIATIVE, per=Per.RATING)
    return merit("fast_reflexes", phrase("fast-reflexes"), rule, effect)


def fleet_of_foot(rule: str) -> Power:
    """Speed."""
    return merit("fleet_of_foot", phrase("fleet-of-foot"), rule, raises(1, "speed", per=Per.RATING))


def iron_stamina(rule: str) -> Power:
    """Smaller wound penalties."""
    return merit("iron_stamina", phrase("iron-stamina"), rule, eases(1, "wounds", per=Per.RATING))


def giant(rule: str) -> Power:
    """Size, and with it a box."""
    return merit("giant", phrase("giant"), rule, raises(1, "size"))


def merits_of(powers: Iterable[Power], styles: Mapping[str, tuple[Phrase, str]]) -> tuple[Merit, ...]:
    """The Merits that powers ask for, which sheets list with their dots; ``styles`` have their own labels and rules."""
    alone = {each.entry: (each.label, each.rule) for each in powers if each.entry}
    return tuple(Merit(key, label, rule, offered=False) for key, (label, rule) in {**alone, **styles}.items())
