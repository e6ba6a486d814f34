"""Suggested openings for the narration of an attack, from its result as the table may know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.secrecy.sight import Sight, sight_of
from rules.engine.messages import replay
from rules.model.conditions import condition_of
from rules.model.past import Past
from rules.model.results import AttackResult, Outcome
from rules.model.system import System
from rules.topics.attacks.past import resolved, results

GRAVE = 3
"""The least number of levels that makes a blow grave."""

DARK = "from the dark"
"""The key for a blow by an unseen attacker."""

COMMON: Mapping[str, tuple[Any, ...]] = {
    "hit": (_("{who} finds the gap, and {whom} feels it."), _("{whom} is a heartbeat too slow for {who}.")),
    "grave": (_("{who} hits with everything there is; {whom} reels."), _("Something in {whom} gives way.")),
    "nothing": (_("It lands, and {whom} only looks down at it."), _("{who} strikes true, to no effect at all.")),
    "miss": (_("{who} strikes at where {whom} was."), _("A breath too late: {who} hits nothing but air.")),
    "defended": (_("{whom} saw it coming, and {who} meets no flesh."), _("{whom} turns it aside at the last moment.")),
    "botch": (_("It goes wrong in {who}’s hands."), _("{who} will remember this one for the wrong reason.")),
    "fell": (_("{whom} goes down, and stays there."), _("The last of the strength leaves {whom}.")),
    "torpor": (_("{whom} falls silent as stone, eyes open, nothing behind them."),),
    "dead": (_("{whom} is gone before the echo is."), _("It is over for {whom}.")),
    DARK: (_("Nobody saw where it came from; {whom} bleeds all the same."), _("Out of nowhere, {whom} is hit.")),
}
"""Openings for every chronicle, by result; each ruleset adds one in its own tone."""


def openings(past: Past, ruleset: System) -> tuple[str, ...]:
    """Openings for an attack on the first target that the table sees; none if it sees none.

    Names are those the table knows.
    """
    sight = sight_of(past.before)
    result = next((each for each in results(past) if sight.sees(each.target)), None)
    if result is None:
        return ()
    by = resolved(past).plan.by
    names = {"who": sight.name(by), "whom": sight.name(result.target)}
    if not sight.sees(by):
        hurt = result.done is not None and result.done.dealt > 0
        return tuple(capfirst(str(each).format(**names)) for each in COMMON[DARK]) if hurt else ()
    return tuple(capfirst(str(each).format(**names)) for each in _offered(past, result, ruleset, sight))


def _offered(past: Past, result: AttackResult, ruleset: System, sight: Sight) -> Iterator[Any]:
    own = _suits(past, result, ruleset)
    for kind in _kinds(past, result, sight):
        if own and kind in ruleset.openings:
            yield said(ruleset.openings[kind])
        yield from COMMON[kind]


def _suits(past: Past, result: AttackResult, ruleset: System) -> bool:
    """Whether the ruleset's own openings are about creatures such as these: a mortal has no Beast."""
    people = (past.before.combatants[who].sheet for who in (resolved(past).plan.by, result.target))
    kinds = (ruleset.kind(sheet.kind) for sheet in people)
    about = ruleset.openings_about
    return not about or all((kind.like or kind.key) in about for kind in kinds)


def _kinds(past: Past, result: AttackResult, sight: Sight) -> Iterator[str]:
    """The keys of the results, the gravest first, limited to what the table sees of the target's health."""
    if result.outcome in (Outcome.BOTCH, Outcome.DRAMATIC_FAILURE):
        yield "botch"
    elif result.done is None:
        yield "defended" if result.taken_off else "miss"
    elif not sight.figures_of(result.target):
        yield "hit"
    elif not result.done.dealt:
        yield "nothing"
    else:
        after = replay(past.before, past.events).combatants[result.target].conditions
        came = after - past.before.combatants[result.target].conditions
        fallen = sorted((-condition_of(each).fallen, each) for each in came if condition_of(each).fallen)
        yield from (condition if condition in COMMON else "fell" for _grade, condition in fallen)
        yield "grave" if result.done.dealt >= GRAVE else "hit"
