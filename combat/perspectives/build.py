"""The three views, each from the state and the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from combat.perspectives.asked import player_asks, storyteller_asks
from combat.perspectives.bar import bar, initiative_due, storyteller_bar, whose_turn
from combat.perspectives.fight import Fight
from combat.perspectives.going import rolls_of, storyteller_rolls
from combat.perspectives.log import Reader, log_of
from combat.perspectives.panes import (
    Bar,
    Levers,
    Me,
    PlayerView,
    RollsView,
    Scene,
    StorytellerRollsView,
    StorytellerView,
    TableView,
    View,
)
from combat.perspectives.people import order_of, sheets_of
from combat.perspectives.sight import Sight, owned, sight_of, visible_state
from rules.events import Declared, ExtendedRolled, TraitsRolled


def storyteller_view(fight: Fight) -> StorytellerView:
    """All there is."""
    state, ruleset = fight.state, fight.ruleset
    nobody: frozenset[str] = frozenset()
    return StorytellerView(
        "storyteller",
        storyteller_bar(fight),
        order_of(state, ruleset, everything=True, own=nobody, due=initiative_due(fight)),
        storyteller_asks(fight),
        storyteller_rolls(fight),
        Me(sheets_of(state, ruleset, state.combatants)),
        log_of(fight.rows, Reader(everything=True), ruleset, state.unnarrated),
        _scene(fight, state.combatants),
    )


def table_view(fight: Fight) -> TableView:
    """What everybody at the table may see."""
    nobody: frozenset[str] = frozenset()
    seen = visible_state(fight.state, nobody)
    clean = _as_said(fight, sight_of(fight.state))
    return TableView(
        "table",
        Bar(**bar(fight, seen, nobody)),
        order_of(
            seen,
            fight.ruleset,
            everything=False,
            own=nobody,
            clean=clean,
            due=initiative_due(fight),
        ),
        rolls_of(fight, sight_of(fight.state), nobody, clean),
        log_of(fight.rows, Reader(), fight.ruleset),
        _scene(fight),
    )


def player_view(fight: Fight, user_id: int) -> PlayerView:
    """What one player may see: the table's view, and those whom they play in full."""
    characters = fight.characters_of(user_id)
    own = owned(fight.state, characters)
    seen, sight = visible_state(fight.state, own), sight_of(fight.state, mine=characters)
    clean = _as_said(fight, sight)
    turn = whose_turn(fight, seen)
    sheets = [replace(one, now=one.id in turn) for one in sheets_of(seen, fight.ruleset, sorted(own), clean)]
    return PlayerView(
        f"player-{user_id}",
        Bar(**bar(fight, seen, own)),
        order_of(seen, fight.ruleset, everything=False, own=own, clean=clean, due=initiative_due(fight)),
        player_asks(fight, own, sight),
        rolls_of(fight, sight, own, clean),
        Me(tuple(sorted(sheets, key=lambda sheet: not sheet.now))),
        log_of(fight.rows, Reader(mine=characters), fight.ruleset),
        _scene(fight, sorted(own)),
    )


def rolls_view(fight: Fight, audience: str) -> StorytellerRollsView | RollsView:
    """The rolls outside fights, as an audience may see them."""
    reader = reader_of(fight, audience)
    entries = log_of(fight.rows, reader, fight.ruleset, fight.state.unnarrated if reader.everything else ())
    if reader.everything:
        return StorytellerRollsView(audience, Levers(fight.undo, fight.redo), storyteller_rolls(fight), entries)
    sight = sight_of(fight.state, mine=reader.mine)
    going = rolls_of(fight, sight, owned(fight.state, reader.mine), _as_said(fight, sight))
    return RollsView(audience, going, entries)


def view_for(fight: Fight, audience: str) -> View:
    """The view of an audience by its name."""
    if fight.outside_fights:
        return rolls_view(fight, audience)
    if audience == "storyteller":
        return storyteller_view(fight)
    return table_view(fight) if audience == "table" else player_view(fight, int(audience.removeprefix("player-")))


def reader_of(fight: Fight, audience: str) -> Reader:
    """How an audience reads the fight's log."""
    if audience == "storyteller":
        return Reader(everything=True)
    if audience == "table":
        return Reader()
    return Reader(mine=fight.characters_of(int(audience.removeprefix("player-"))))


def _as_said(fight: Fight, sight: Sight) -> Callable[[str], str]:
    """What keeps names from declarations and labels, save from those that players typed: see :meth:`Sight.said`."""
    told = [event for row in fight.rows if row.by_player for event in row.events]
    typed = {event.declaration.text for event in told if isinstance(event, Declared)}
    typed |= {event.label for event in told if isinstance(event, TraitsRolled)}
    typed |= {event.now.asked.interval for event in told if isinstance(event, ExtendedRolled)}
    return lambda text: text if text in typed else sight.clean(text)


def _scene(fight: Fight, own: Iterable[str] = ()) -> Scene:
    """The place, and what those whom the reader plays are told besides (WD-SCENE-2)."""
    people = (fight.state.combatants[who] for who in own)
    return Scene(fight.name, fight.scene, tuple((each.sheet.name, each.told) for each in people if each.told))
