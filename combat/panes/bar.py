"""The bar above a fight: its status, whose turn it is and what happens next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.words import said
from combat.history.tell.sentences import listed, text_of
from combat.panes.left_out import left_out
from combat.panes.possible import label_in
from combat.panes.sheets import declaring_in, lets_pass
from combat.panes.staying import may_keep
from combat.panes.unaffected import Whole
from combat.panes.views import Bar, Done, StageShown, StorytellerBar
from combat.secrecy.fight import Fight
from combat.secrecy.initiative import initiative_due
from rules.engine.inputs import Place
from rules.engine.messages import command_types
from rules.model.state import Encounter, Stage

MOST_READERS = 400
"""Readers whose bars are kept."""

_bars: Whole[Bar] = Whole(MOST_READERS)


def bar_of(fight: Fight, state: Encounter, own: frozenset[str]) -> Bar:
    """The bar of players and the table. `state` holds only the combatants the reader sees, `own` are the reader's."""
    common = _common(fight, state)
    readers = (fight.id, own) if fight.id else None
    return _bars.made(readers, fight.game.at(state), common, lambda: Bar(**_bar(fight, state, own, common)))


class _Common(NamedTuple):
    """What a bar reads of the log and of anything that a ruleset chooses to read."""

    due: bool
    notice: str
    signs: tuple[str, ...]


def _common(fight: Fight, state: Encounter) -> _Common:
    signs = tuple(said(sign) for signs in fight.ruleset.fight_signs for sign in signs(state))
    return _Common(initiative_due(fight, state), said(fight.ruleset.initiative.notice(state)), signs)


def _bar(fight: Fight, state: Encounter, own: frozenset[str], common: _Common) -> dict[str, Any]:
    """The fields that all bars share."""
    declaring = _declaring(fight, state)
    names = {who: each.sheet.name for who, each in state.combatants.items()}
    to_act = _to_act(state)
    idle = [who for who in state.acting if who in own and who not in to_act]
    acting = tuple(names[who] for who in state.acting if who not in idle)
    speaking = tuple(names[who] for who in declaring)
    yours = tuple(names[who] for who in whose_turn(fight, state) if who in own)
    return {
        **common._asdict(),
        "status": state.status.value,
        "turn": state.turn,
        "stage": state.stage.value,
        "ordered": state.ordered,
        "acting": acting,
        "declaring": speaking,
        "yours": yours,
        "done": _done(state, idle),
        "news": _news(state, acting, speaking, yours),
        "rolled": fight.ruleset.initiative.rolled,
        "stages": _stages(fight, state),
        "declares": fight.ruleset.turns.declares,
    }


STAGES = {
    Stage.INITIATIVE: gettext_lazy("Initiative"),
    Stage.ATTACK: gettext_lazy("Attack"),
    Stage.RESOLUTION: gettext_lazy("Resolution"),
}


def _stages(fight: Fight, state: Encounter) -> tuple[StageShown, ...]:
    """The stages of a turn. A ruleset without a resolution stage stays on its last one."""
    stages = fight.ruleset.turns.stages
    now = stages.index(state.stage) if state.stage in stages else len(stages) - 1
    return tuple(StageShown(str(STAGES[stage]), place == now, place < now) for place, stage in enumerate(stages))


def _to_act(state: Encounter) -> tuple[str, ...]:
    """Those acting now who still have something to do and aren't waiting."""
    turns = {who: state.combatants[who].turn for who in state.acting}
    return tuple(
        who
        for who, turn in turns.items()
        if (turn.actions or not state.ordered) and not turn.full_defence and not lets_pass(state, who)
    )


DONE: Sequence[tuple[Callable[[Encounter, str], bool], Promise]] = (
    (lets_pass, gettext_lazy("You are waiting")),
    (lambda state, who: state.combatants[who].turn.full_defence, gettext_lazy("You are only defending")),
    (lambda _state, _who: True, gettext_lazy("You have acted")),
)
"""What players read about their own characters with nothing left to do. The first match counts."""


def whose_turn(fight: Fight, state: Encounter) -> tuple[str, ...]:
    """Those who act now or, if nobody does, those who declare."""
    if state.status != "running":
        return ()
    return _to_act(state) if state.acting else _declaring(fight, state)


def _done(state: Encounter, idle: Sequence[str]) -> Done | None:
    """Why the `idle`, whose moment it is, have nothing left to do, and their names."""
    for said_of, word in DONE:
        if found := [who for who in idle if said_of(state, who)]:
            return Done(str(word), tuple(state.combatants[who].sheet.name for who in found))
    return None


def _declaring(fight: Fight, state: Encounter) -> tuple[str, ...]:
    if state.status != "running" or initiative_due(fight, state):
        return ()
    return declaring_in(state, fight.ruleset)


def _news(state: Encounter, acting: Sequence[str], declaring: Sequence[str], yours: Sequence[str]) -> str:
    """Whose turn it is, as an announcement; "" for nobody's. The log announces that a fight begins, pauses or ends."""
    if state.status != "running" or not (acting or declaring):
        return ""
    names = acting or declaring
    if yours:
        news = _("Your turn: {names}.") if acting else _("Declare now: {names}.")
        names = yours
    elif acting:
        news = ngettext("Turn {turn}: {names} acts.", "Turn {turn}: {names} act.", len(names))
    else:
        news = ngettext("Turn {turn}: {names} declares.", "Turn {turn}: {names} declare.", len(names))
    return news.format(turn=state.turn, names=text_of(listed(names)))


_storyteller_bars: Whole[StorytellerBar] = Whole(MOST_READERS)


def storyteller_bar(fight: Fight) -> StorytellerBar:
    """The Storyteller's bar."""
    common, stays = _common(fight, fight.state), bool(may_keep(fight.game))
    kept = _storyteller_bars.made(
        fight.id or None, fight.game, (common, stays), lambda: _storyteller_bar(fight, common, stays=stays)
    )
    return replace(kept, undo=said(fight.undo), redo=said(fight.redo))


def _storyteller_bar(fight: Fight, common: _Common, *, stays: bool) -> StorytellerBar:
    """The bar without what undo and redo would do."""
    step = _next(fight)
    left = left_out(fight, step)
    return StorytellerBar(
        **_bar(fight, fight.state, frozenset(), common),
        next=step,
        next_name=_next_name(fight) if step == "act" else "",
        also=_also(fight),
        reminder=left.reminder(fight.state),
        asks=left.token(fight.state),
        owing=left.owing,
        stays=stays,
    )


def _also(fight: Fight) -> tuple[tuple[str, str], ...]:
    """Form name and label of the commands in the fight's own menu that the ruleset has."""
    return tuple(
        (each.name, label_in(Place.FIGHT, each))
        for each in command_types()
        if Place.FIGHT in each.offered
        and fight.ruleset.knows(each.cls)
        and any(each.offered_to(fight.state, who, fight.ruleset) for who in fight.state.combatants)
    )


def _next_name(fight: Fight) -> str:
    """Who acts next; "" if nobody is left."""
    visit = fight.ruleset.turns.next_visit(fight.state)
    return ", ".join(fight.state.combatants[who].sheet.name for who in visit.ids) if visit else ""


def _next(fight: Fight) -> str:
    state = fight.state
    if state.status != "running":
        can_begin = state.status == "draft" and state.combatants
        return "begin" if can_begin else "resume" if state.status == "paused" else ""
    if not state.ordered:
        return "initiative" if fight.ruleset.initiative.rolled else "act"
    if initiative_due(fight, state):
        return "initiative"
    return "act" if state.stage is not Stage.RESOLUTION and _next_name(fight) else "next-turn"
