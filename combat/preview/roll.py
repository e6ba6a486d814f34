"""What the roll builder shows before the dice: the pool part by part with its exact chances, or what forbids it.

What an opponent rolls is shown to whoever may see their dice; to others the chances stand as they are before that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from campaigns.words import decimal, said
from combat.history.plan_parts import Chance, PoolRows, rows_of, told_flags
from combat.panes.chances import percent
from combat.web.forms.rolls import RollForm
from rules.engine.violations import Flag, Referee, RuleViolation
from rules.model.plan import PoolPlan
from rules.model.roll import RollTraits
from rules.model.state import ExtendedRoll
from rules.model.system import Game
from rules.odds.rolls import extended_odds, roll_odds
from rules.topics.rolls.pools import plan_roll


@dataclass(frozen=True, slots=True)
class PlannedRoll:
    """A roll as the builder shows it. `theirs` is the pool of whoever resists, where the reader may know it."""

    name: str
    pool: PoolRows
    chances: tuple[Chance, ...]
    theirs: PoolRows | None = None
    opponent: str = ""
    flags: tuple[Flag, ...] = ()


def plan_of(form: RollForm) -> PlannedRoll | RuleViolation | None:
    """What the form's roll comes to, or what forbids it; None while the form itself has mistakes."""
    if form.errors or not form.roller:
        return None
    try:
        command, plan, theirs = form.plans()
    except RuleViolation as violation:
        return violation
    ruleset, combatants = form.table.ruleset, form.table.state.combatants
    opponent = combatants[command.resisted.by] if command.resisted else None
    open_to_reader = opponent is not None and (form.is_storyteller or opponent.player)
    return PlannedRoll(
        said(command.label),
        rows_of(plan),
        _chances(form, command, plan, theirs if open_to_reader else None),
        rows_of(theirs) if theirs and open_to_reader else None,
        opponent.sheet.name if opponent else "",
        told_flags(ruleset.pools.flags(combatants[command.by].sheet, plan)),
    )


def _chances(form: RollForm, command: RollTraits, plan: PoolPlan, theirs: PoolPlan | None) -> tuple[Chance, ...]:
    odds = roll_odds(plan, form.table.ruleset.mechanic, theirs)
    if command.resisted:
        first = Chance(_("wins") if theirs else _("succeeds, if nobody resisted"), percent(odds.succeeds))
    else:
        first = Chance(_("succeeds"), percent(odds.succeeds))
    found = [first, Chance(_("successes on average"), decimal(float(odds.mean)))]
    if odds.exceptional:
        found.append(Chance(_("exceptional"), percent(odds.exceptional)))
    found += [Chance(_("dramatic failure"), percent(odds.dramatic))] if odds.dramatic else []
    found += [Chance(_("botch"), percent(odds.botch))] if odds.botch else []
    if command.extended:
        reached = extended_odds(plan, ExtendedRoll(command), form.table.ruleset.mechanic, _later(form, command))
        found.insert(0, Chance(_("reaches {target}").format(target=command.extended.target), percent(reached)))
    return tuple(found)


def _later(form: RollForm, command: RollTraits) -> PoolPlan | None:
    """The pool of the rolls after the first, where only that one is paid for."""
    kept = form.table.ruleset.circumstances.free(command.modifiers)
    if kept == command.modifiers:
        return None
    return plan_roll(
        Game(form.table.state, form.table.ruleset, Referee(form.waived())), replace(command, modifiers=kept)
    )
