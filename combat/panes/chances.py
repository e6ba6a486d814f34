"""Chances in words and figures, as far as a reader may know what they come from."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from campaigns.words import decimal
from combat.panes.questions import Chances
from rules.model.plan import Against
from rules.model.system import Game, System
from rules.odds.attacks import odds

WORTH_SAYING = Fraction(1, 100)
"""The least chance to fell somebody that is said."""

MOST_STOPPED = 3
"""Of so many successes it is said how likely a defence takes them off."""


def of_attack(against: Against, game: Game) -> Chances:
    """What an attack may come to: for those alone who may know both its dice and its target."""
    found = odds(against, game)
    return (
        (_("hits"), percent(found.hit)),
        (_("harms"), percent(found.harms)),
        *(((_("fells"), percent(found.incapacitates)),) if found.incapacitates >= WORTH_SAYING else ()),
        (_("average"), decimal(float(found.expected))),
    )


def of_defence(against: Against, ruleset: System) -> Chances:
    """What a defence takes off whatever comes, by its own dice alone: nothing of the attack is in it."""
    if against.defence is None:
        return ()
    outcomes = ruleset.mechanic.outcomes_of(against.defence)
    most = min(MOST_STOPPED, len(outcomes.successes) - 1)
    return tuple(
        (_("{count}+ off").format(count=count), percent(Fraction(sum(outcomes.successes[count:]), outcomes.total)))
        for count in range(1, most + 1)
    )


def percent(chance: Fraction) -> str:
    """A chance for people: whole, with a decimal where it is small, never 0 or 100 for what may or may not be."""
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    value = float(100 * chance)
    if value < 0.1:
        return _("under 0.1 %")
    if value > 99.9:
        return _("over 99.9 %")
    return f"{decimal(value)} %" if value < 10 or value > 99 else f"{value:.0f} %"
