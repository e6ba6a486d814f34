"""Builds the views of fights, and of the rolls outside them, from the state and the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from campaigns.marks import mark
from campaigns.words import said
from combat.cache import for_each
from combat.history.entries import Entry
from combat.history.log import entries_back, log_of
from combat.history.panes import Log
from combat.history.reveal import as_seen_by, dice_of, with_held
from combat.panes.bar import bar_of, storyteller_bar, whose_turn
from combat.panes.extended_rolls import rolls_of, storyteller_rolls
from combat.panes.figures import Sheet
from combat.panes.grapple_prompts import felt_by
from combat.panes.plight import with_plight
from combat.panes.prompts import player_asks, storyteller_asks
from combat.panes.sheets import order_of, sheets_of
from combat.panes.traits import traits_of
from combat.panes.views import (
    Bar,
    Levers,
    Me,
    Message,
    Order,
    PlayerView,
    Private,
    Reinforcements,
    Rolls,
    RollsView,
    Scene,
    StorytellerRollsView,
    StorytellerView,
    TableView,
    Traits,
    View,
)
from combat.secrecy.audiences import STORYTELLER, TABLE, player_audience, user_of
from combat.secrecy.declarations import sealed_rows, seen_by
from combat.secrecy.fight import Fight
from combat.secrecy.initiative import initiative_due
from combat.secrecy.reader import Reader
from combat.secrecy.sight import Sight, owned, sight_of
from rules.model.state import Encounter

MOST_TOLD = 20
"""Size of the memo for :func:`_told`: it only has to last while all views of a fight are built."""


def storyteller_view(fight: Fight) -> StorytellerView:
    """The Storytellers' view: everything."""
    state = fight.state
    nobody: frozenset[str] = frozenset()
    return StorytellerView(
        STORYTELLER,
        storyteller_bar(fight),
        order_of(
            fight.game,
            everything=True,
            own=nobody,
            due=initiative_due(fight, state),
            portraits=fight.portraits,
            fight=fight.id,
        ),
        Reinforcements(fight.waiting()),
        storyteller_asks(fight),
        storyteller_rolls(fight),
        with_held(fight, log_of(fight, Reader(everything=True), state.turn, state.unnarrated)),
        replace(_scene(fight), told=tuple((each.name, each.text) for each in _messages(fight, state.combatants))),
    )


def somebody(fight: Fight, who: str) -> Sheet | None:
    """One combatant's full sheet, for the Storyteller; None if nobody in the fight has this id."""
    return sheets_of(fight.game, [who])[0] if who in fight.state.combatants else None


class _Told(NamedTuple):
    """What one reader at the table may know of a fight."""

    state: Encounter
    sight: Sight
    bar: Bar
    order: Order
    rolls: Rolls
    log: Log


@for_each(MOST_TOLD)
def _told(fight: Fight, mine: frozenset[str]) -> _Told:
    """What a player of the characters `mine` may know. Empty: readers without characters, such as the table."""
    own = owned(fight.state, mine)
    seen, sight = seen_by(fight, own), sight_of(fight.state, mine=mine)
    return _Told(
        seen,
        sight,
        bar_of(fight, seen, own),
        order_of(
            fight.game.at(seen),
            everything=False,
            own=own,
            sight=sight,
            due=initiative_due(fight, seen),
            portraits=fight.portraits,
            fight=fight.id,
        ),
        rolls_of(fight, sight, own),
        log_of(fight, _reader(fight, mine), fight.state.turn),
    )


def table_view(fight: Fight) -> TableView:
    """The table's view: what everybody may see."""
    told = _told(fight, frozenset())
    return TableView(TABLE, told.bar, told.order, told.rolls, told.log, _scene(fight))


def player_view(fight: Fight, user_id: int) -> PlayerView:
    """One player's view: the table's, plus their own characters in full."""
    characters = fight.characters_of(user_id)
    own, told = owned(fight.state, characters), _told(fight, characters)
    turn, felt = whose_turn(fight, told.state), felt_by(told.state, fight.state, own)
    full = sheets_of(fight.game.at(felt), sorted(own), told.sight, fight.id)
    sheets = [replace(one, now=True) if one.id in turn else one for one in full]
    return PlayerView(
        player_audience(user_id),
        told.bar,
        Private(tuple(_messages(fight, sorted(own)))),
        dice_of(fight, told.log, own),
        told.order,
        player_asks(fight, own, told.sight),
        told.rolls,
        Me(tuple(with_plight(fight, one, characters) for one in sorted(sheets, key=lambda sheet: not sheet.now))),
        Traits(traits_of(told.state, sorted(own), fight.ruleset)),
        told.log,
        _scene(fight),
    )


def rolls_view(fight: Fight, audience: str) -> StorytellerRollsView | RollsView:
    """The rolls outside fights, as an audience may see them."""
    reader = reader_of(fight, audience)
    owed = fight.state.unnarrated if reader.everything else ()
    entries = log_of(fight, reader, unnarrated=tuple(owed))
    if reader.everything:
        return StorytellerRollsView(
            audience, Levers(said(fight.undo), said(fight.redo)), storyteller_rolls(fight), entries
        )
    sight = sight_of(fight.state, mine=reader.mine)
    going = rolls_of(fight, sight, owned(fight.state, reader.mine))
    return RollsView(audience, going, entries)


def whole_log(fight: Fight, audience: str) -> Iterator[Entry]:
    """The whole log as an audience may read it, newest first."""
    fight = as_seen_by(fight, audience)
    reader = reader_of(fight, audience)
    owed = fight.state.unnarrated if reader.everything else ()
    return entries_back(fight.rows, reader, fight.ruleset, fight.state.turn, owed)


def view_for(fight: Fight, audience: str) -> View:
    """The view of the audience of this name."""
    fight = as_seen_by(fight, audience)
    if fight.outside_fights:
        return rolls_view(fight, audience)
    if audience == STORYTELLER:
        return storyteller_view(fight)
    return table_view(fight) if audience == TABLE else player_view(fight, user_of(audience))


def reader_of(fight: Fight, audience: str) -> Reader:
    """The reader of the fight's log that an audience is."""
    if audience == STORYTELLER:
        return Reader(everything=True)
    return _reader(fight, frozenset() if audience == TABLE else fight.characters_of(user_of(audience)))


def _reader(fight: Fight, mine: frozenset[str]) -> Reader:
    own = owned(fight.state, mine)
    return Reader(mine=mine, sealed=sealed_rows(fight, own))


def _scene(fight: Fight) -> Scene:
    return Scene(fight.name, fight.scene)


def _messages(fight: Fight, people: Iterable[str]) -> Iterator[Message]:
    """The newest private messages to the players of these combatants (WD-SCENE-2)."""
    for who in people:
        each = fight.state.combatants[who]
        if each.told:
            yield Message(who, each.sheet.name, f"{mark(each.told)}-{each.repeats}", each.told)
