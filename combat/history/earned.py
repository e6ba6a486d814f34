"""What in the log earns experience, proposed to Storytellers alone: even that a secret roll was made is theirs.

Fights count once they have ended, so that their logs, and what is found in them, no longer change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from campaigns.models import Chronicle
from characters.hooks import Proposal
from combat.cache import Kept
from combat.history.deeds import Threw
from combat.history.log import told_of
from combat.history.records import ruleset_for
from combat.log import rows as logs
from combat.log.happened import Happened
from combat.models import Encounter, Status
from combat.secrecy.reader import Reader
from rules.model.conditions import conditions
from rules.model.experience import Trigger
from rules.model.state import Combatant
from rules.model.system import System
from rules.topics.events import BoxesMarked, ConditionsChanged

MOST_FIGHTS = 5
"""How many of the fights that ended last are looked at."""

MOST_ROWS = 150
"""How many of the newest rows are looked at outside fights."""

_found = Kept(200)


def earned(chronicle: Chronicle) -> tuple[Proposal, ...]:
    """What the log proposes: for each log, character and reason the newest entry that shows it."""
    mine = Encounter.objects.filter(chronicle=chronicle).select_related("chronicle")
    fights = mine.filter(outside_fights=False, status=Status.ENDED).order_by("-ended")[:MOST_FIGHTS]
    return tuple(each for log in (*fights, *mine.filter(outside_fights=True)) for each in _in_log(log))


def _in_log(encounter: Encounter) -> tuple[Proposal, ...]:
    ruleset = ruleset_for(encounter)
    wanted = frozenset(award.trigger for award in ruleset.awards() if award.trigger)
    if not wanted or not encounter.seal:
        return ()
    key = (encounter.pk, encounter.seal, ruleset)
    known: tuple[Proposal, ...] | None = _found.get(key)
    return _found.put(key, tuple(_look(encounter, ruleset, wanted))) if known is None else known


def _look(encounter: Encounter, ruleset: System, wanted: frozenset[Trigger]) -> Iterator[Proposal]:
    people = {who: each for who, each in logs.state_now(encounter).combatants.items() if each.player and each.character}
    rows = reversed(logs.as_they_stand(logs.rows_of(encounter)))
    met = set[tuple[str, Trigger]]()
    for row in islice(rows, MOST_ROWS) if encounter.outside_fights else rows:
        for who, trigger in () if row.undone else _shown_by(row, people, ruleset):
            character = people[who].character
            if trigger in wanted and (character, trigger) not in met:
                met.add((character, trigger))
                readable = bool(told_of(row, Reader(mine=frozenset({character})), ruleset).lines)
                where = "" if encounter.outside_fights else encounter.name
                proof = f"{encounter.pk}:{row.token}:{trigger.name}"
                yield Proposal(character, trigger, proof, where, secret=not readable)


def _shown_by(row: Happened, people: Mapping[str, Combatant], ruleset: System) -> Iterable[tuple[str, Trigger]]:
    """Whom a row shows to have earned what."""
    known = {each.key for each in conditions()}
    for deed in told_of(row, Reader(everything=True), ruleset).deeds:
        if isinstance(deed, Threw) and deed.rolled.by in people:
            if deed.rolled.roll.dramatic:
                yield deed.rolled.by, Trigger.DRAMATIC
            if deed.rolled.roll.botch:
                yield deed.rolled.by, Trigger.BOTCH
    for event in row.events:
        if isinstance(event, BoxesMarked) and event.who in people:
            if len(event.marks) >= len(ruleset.health.levels(people[event.who].sheet)):
                yield event.who, Trigger.LAST_BOX
        # Only the table's own words: what the rules know (prone, stunned) ends all the time.
        elif isinstance(event, ConditionsChanged) and event.who in people and event.removed - known:
            yield event.who, Trigger.RESOLVED
