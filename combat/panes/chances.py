"""Chances as text, calculated only from what the reader may know."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from campaigns.words import decimal, percent
from combat.panes.questions import Chances
from rules.model.plan import Against
from rules.model.system import Game, System
from rules.odds.attacks import odds

__all__ = ["of_attack", "of_defence", "percent"]

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
    """How many successes a defence and the stock cancel, from the target's own dice alone.

    So they reveal nothing about the attack.
    """
    if against.defence is None:
        return ()
    outcomes, stock = ruleset.mechanic.outcomes_of(against.defence), against.stock
    most = min(MOST_STOPPED, len(outcomes.successes) - 1)
    return tuple(
        (
            _("cancels {count}+").format(count=stock + count),
            percent(Fraction(sum(outcomes.successes[count:]), outcomes.total)),
        )
        for count in range(1, most + 1)
    )
