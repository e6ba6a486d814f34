"""Preview of a roll: the pool part by part with its exact chances, or the rule that forbids it.

An opponent's pool is shown only to readers who may see it; others get the chances of an unresisted roll.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from campaigns.words import decimal, said
from combat.history.plan_parts import Chance, told_flags
from combat.panes.chances import percent
from rules.engine.violations import Flag, Refusal, RuleViolation
from rules.model.plan import PoolPlan
from rules.model.roll import RollTraits
from rules.model.state import ExtendedRoll
from rules.model.system import Game
from rules.odds.rolls import extended_odds, roll_odds
from rules.topics.rolls.pools import plan_roll


@dataclass(frozen=True, slots=True)
class PlannedRoll:
    """A roll as previewed. `theirs` is the opponent's pool, if the reader may see it."""

    name: str
    pool: PoolPlan
    chances: tuple[Chance, ...]
    theirs: PoolPlan | None = None
    opponent: str = ""
    flags: tuple[Flag, ...] = ()


def pools_of(game: Game, command: RollTraits) -> tuple[PoolPlan, PoolPlan | None]:
    """The pool of a roll, and the pool that resists it (if any). Raises `RuleViolation`."""
    against = command.resisted
    theirs = RollTraits(against.by, against.traits) if against else None
    return plan_roll(game.asking(), command), plan_roll(game.asking(), theirs) if theirs else None


def in_words(pool: PoolPlan) -> str:
    """The parts of a pool in a line, such as "Strength 3 + Brawl 2 − Wounds 1"."""
    told = [part for part in pool.parts if part.dice and not part.struck]
    signs = ["" if place == 0 else " − " if part.dice < 0 else " + " for place, part in enumerate(told)]
    return "".join(f"{sign}{said(part.label)} {abs(part.dice)}" for sign, part in zip(signs, told, strict=True))


def plan_of(game: Game, command: RollTraits, *, everything: bool) -> PlannedRoll | Refusal:
    """The preview of a roll, or the rule that forbids it, in the game as the reader knows it.

    `everything` is for the Storyteller.
    """
    try:
        plan, theirs = pools_of(game, command)
    except RuleViolation as violation:
        return violation.refusal
    combatants = game.state.combatants
    opponent = combatants[command.resisted.by] if command.resisted else None
    open_to_reader = opponent is not None and (everything or opponent.player)
    return PlannedRoll(
        said(command.label),
        plan,
        _chances(game, command, plan, theirs if open_to_reader else None),
        theirs if open_to_reader else None,
        opponent.sheet.name if opponent else "",
        told_flags(game.system.pools.flags(combatants[command.by].sheet, plan)),
    )


def _chances(game: Game, command: RollTraits, plan: PoolPlan, theirs: PoolPlan | None) -> tuple[Chance, ...]:
    odds = roll_odds(plan, game.system.mechanic, theirs)
    if command.resisted:
        first = Chance(_("wins") if theirs else _("succeeds if unresisted"), percent(odds.succeeds))
    else:
        first = Chance(_("succeeds"), percent(odds.succeeds))
    found = [first, Chance(_("average successes"), decimal(float(odds.mean)))]
    if odds.exceptional:
        found.append(Chance(_("exceptional"), percent(odds.exceptional)))
    found += [Chance(_("dramatic failure"), percent(odds.dramatic))] if odds.dramatic else []
    found += [Chance(_("botch"), percent(odds.botch))] if odds.botch else []
    if command.extended:
        reached = extended_odds(plan, ExtendedRoll(command), game.system.mechanic, _later(game, command))
        found.insert(
            0, Chance(_("reaches {target} successes").format(target=command.extended.target), percent(reached))
        )
    return tuple(found)


def _later(game: Game, command: RollTraits) -> PoolPlan | None:
    """The pool of an extended roll's later rolls, if paid circumstances apply only to the first."""
    kept = game.system.circumstances.free(command.modifiers)
    if kept == command.modifiers:
        return None
    return plan_roll(game.asking(), replace(command, modifiers=kept))
