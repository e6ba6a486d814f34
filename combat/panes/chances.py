"""Chances as text, calculated only from what the reader may know."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from campaigns.words import decimal
from combat.panes.questions import Chances
from rules.model.plan import Against
from rules.model.system import Game, System
from rules.odds.attacks import odds

WORTH_SAYING = Fraction(1, 100)
"""Smaller chances to fell somebody aren't shown."""

MOST_STOPPED = 3
"""The chances of a defence are shown for cancelling 1 to this many successes."""


def of_attack(against: Against, game: Game) -> Chances:
    """The chances of an attack, for readers who may know both its dice and its target."""
    found = odds(against, game)
    return (
        (_("hits"), percent(found.hit)),
        (_("harms"), percent(found.harms)),
        *(((_("fells"), percent(found.incapacitates)),) if found.incapacitates >= WORTH_SAYING else ()),
        (_("average"), decimal(float(found.expected))),
    )


def of_defence(against: Against, ruleset: System) -> Chances:
    """How many successes a defence cancels, from its own dice alone, so that it reveals nothing about the attack."""
    if against.defence is None:
        return ()
    outcomes = ruleset.mechanic.outcomes_of(against.defence)
    most = min(MOST_STOPPED, len(outcomes.successes) - 1)
    return tuple(
        (_("cancels {count}+").format(count=count), percent(Fraction(sum(outcomes.successes[count:]), outcomes.total)))
        for count in range(1, most + 1)
    )


def percent(chance: Fraction) -> str:
    """A chance as a rounded percentage: with a decimal near 0 and 100, which only certainties reach."""
    if chance in (0, 1):
        return _percentage(str(100 * int(chance)))
    value = float(100 * chance)
    if value < 0.1:
        return _("under 0.1%")
    if value > 99.9:
        return _("over 99.9%")
    return _percentage(decimal(value) if value < 10 or value > 99 else f"{value:.0f}")


def _percentage(number: str) -> str:
    return _("{number}%").format(number=number)
