"""What has befallen a player's character this turn, and what they can still do, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from django.utils.translation import gettext as _

from campaigns.current import reading
from campaigns.words import said
from combat.cache import Kept, for_each
from combat.history.deeds import Suffered
from combat.history.log import told_of
from combat.history.tell.context import Told
from combat.log.happened import Happened, begun_by
from combat.panes.figures import Sheet
from combat.secrecy.fight import Fight
from combat.secrecy.reader import Reader
from rules.model.conditions import Fallen, condition_of
from rules.model.system import System
from rules.model.words import in_words

EVERYTHING = Reader(everything=True)

MOST_HITS = 3
MOST_ROWS = 300
MOST_KEPT = 2000


def with_plight(fight: Fight, sheet: Sheet, mine: frozenset[str]) -> Sheet:
    """The sheet with the newest damage of this turn and, for somebody out of action, what that means."""
    plight = (*_hits(fight, sheet, mine), *_state(fight, sheet))
    return replace(sheet, plight=plight) if plight else sheet


def _hits(fight: Fight, sheet: Sheet, mine: frozenset[str]) -> tuple[str, ...]:
    """The newest damage of this turn, the last first. In a turn of many hundred rows, older damage is no news."""
    key = (fight.id, sheet.id, mine, fight.ruleset, reading())
    last: tuple[str, tuple[str, ...]] | None = _last_hits.get(key) if fight.id and fight.head else None
    found: list[str] = []
    for row in islice(reversed(fight.rows), MOST_ROWS):
        if len(found) >= MOST_HITS or begun_by(row):
            break
        if not row.undone and sheet.id in _hurt(row, fight.ruleset):
            found += _suffered(row, sheet.id, mine, fight.ruleset)
        if last is not None and row.before == last[0]:
            # From when the row before this was the newest: see `logs.as_they_stand`.
            found += last[1]
            break
    hits = tuple(found[:MOST_HITS])
    if fight.id and fight.head:
        _last_hits.put(key, (fight.head, hits))
    return hits


_last_hits = Kept(MOST_KEPT)
"""By reader and combatant, the newest damage when a row was the newest, with that row's seal."""


@for_each(MOST_KEPT, worded=False)
def _hurt(row: Happened, ruleset: System) -> frozenset[str]:
    """Everybody whom a row hurts, even if nobody learns that."""
    return frozenset(each.who for each in told_of(row, EVERYTHING, ruleset).deeds if isinstance(each, Suffered))


@for_each(MOST_KEPT)
def _suffered(row: Happened, who: str, mine: frozenset[str], ruleset: System) -> tuple[str, ...]:
    """The damage of one row to this combatant, as their player may know it."""
    told = told_of(row, Reader(mine=mine), ruleset)
    return tuple(_hit(told, each) for each in told.deeds if isinstance(each, Suffered) and each.who == who)


def _hit(told: Told, deed: Suffered) -> str:
    if not deed.by or deed.by == deed.who:
        return _("Hurt: {harm}.").format(harm=deed.words)
    return _("Hit by {by}: {harm}.").format(by=told.sight.name(deed.by), harm=deed.words)


def _state(fight: Fight, sheet: Sheet) -> Iterator[str]:
    combatant = fight.state.combatants[sheet.id]
    out = [key for key in combatant.conditions if condition_of(key).out]
    if not out:
        return
    worst = max(out, key=lambda key: condition_of(key).fallen)
    words, kind = said(in_words(worst)), fight.ruleset.kind(combatant.sheet.kind)
    if condition_of(worst).fallen is Fallen.DEAD:
        yield _("{name} is {state}.").format(name=sheet.name, state=words)
        return
    if condition_of(worst).kills and kind.bleeds:
        yield _("{name} is {state} and needs help before time runs out.").format(name=sheet.name, state=words)
    else:
        yield _("{name} is {state} and can’t act.").format(name=sheet.name, state=words)
    left = [each.label for each in (*sheet.possible, *sheet.manoeuvres) if each.allowed]
    if left:
        yield _("Still possible: {actions}.").format(actions=", ".join(left))
    else:
        yield _("Until that changes, others have to act.")
