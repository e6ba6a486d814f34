"""Held rolls: only those who rolled and the Storyteller see it yet; for everybody else it has not happened.

One of them releases it, or the next command does, so nothing ever waits for it. Commands that only the Storyteller
sees don't release it: that would tell the players that something was done.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from combat.history.entries import Entry, StorytellerEntry
from combat.history.log import told_of
from combat.history.panes import Dice, Log
from combat.log.happened import Happened
from combat.secrecy.audiences import STORYTELLER, TABLE, user_of
from combat.secrecy.fight import Fight
from combat.secrecy.reader import Reader
from rules.engine.messages import replay
from rules.model.system import System
from rules.topics.events import AttackAnswered


def rolled_by(row: Happened, characters: frozenset[str], ruleset: System) -> bool:
    """Whether one of these characters rolled dice in a row that their player can see."""
    cast = row.cast["who"]
    rolls = told_of(row, Reader(mine=characters), ruleset).rolls
    return any(roll.dice and roll.by in cast and cast[roll.by]["character"] in characters for roll in rolls)


def can_be_held(row: Happened, owners: Iterable[str], ruleset: System) -> bool:
    """Whether a player rolled, so that somebody can see it first. `owners` are the players' characters."""
    everybody = frozenset(owners)
    # A player of them all would see every roll that one of their players sees, and most rows have none.
    return rolled_by(row, everybody, ruleset) and any(
        rolled_by(row, frozenset({character}), ruleset) for character in everybody
    )


def as_seen_by(fight: Fight, audience: str) -> Fight:
    """The fight as an audience may know it: before the held row, or with it."""
    if fight.so_far is None or audience == STORYTELLER:
        return fight
    if audience != TABLE and _takes_part(fight, fight.characters_of(user_of(audience))):
        return fight
    return fight.so_far()


def _takes_part(fight: Fight, characters: frozenset[str]) -> bool:
    """Whether one of these characters rolled, gave the answer that caused the roll, or had a question settled by it."""
    held = next(row for row in reversed(fight.rows) if row.token == fight.held)
    concerned = {event.target for event in held.events if isinstance(event, AttackAnswered)} | _settled_for(fight, held)
    return rolled_by(held, characters, fight.ruleset) or any(
        held.cast["who"][who]["character"] in characters for who in concerned
    )


def _settled_for(fight: Fight, held: Happened) -> frozenset[str]:
    """The attackers and the targets still asked in exchanges that the held row settled.

    They must see it at once: their open question can no longer be answered.
    """
    assert fight.so_far is not None, "something is held"
    before = fight.so_far().state
    going_on = {each.id for each in replay(before, held.events).exchanges}
    settled = (each for each in before.exchanges if each.id not in going_on)
    return frozenset(who for each in settled for who in (each.attack.by, *each.asked))


def dice_of(fight: Fight, log: Log, own: frozenset[str]) -> Dice:
    """The reader's own dice, if the newest entry that they see is a roll of theirs."""
    newest = log.entries[0] if log.entries else None
    if newest is None or newest.undone:
        return Dice()
    rolls = tuple(roll for roll in newest.rolls if roll.by in own and roll.dice)
    return Dice(newest.id, newest.lines, rolls, held=newest.id == fight.held) if rolls else Dice()


def with_held(fight: Fight, log: Log) -> Log:
    """The Storyteller's log, with the held entry marked."""
    if not fight.held:
        return log
    return replace(log, entries=tuple(_marked(entry) if entry.id == fight.held else entry for entry in log.entries))


def _marked(entry: Entry) -> Entry:
    assert isinstance(entry, StorytellerEntry), "others do not see what is held"
    return replace(entry, held=True)
