"""The bar over a fight: where it stands, whose turn it is, what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from combat.perspectives.fight import Fight
from combat.perspectives.panes import StageShown, StorytellerBar
from combat.perspectives.people import lets_pass
from rules import commands
from rules.decide import knows
from rules.encounter import Encounter, Stage
from rules.events import InitiativeRolled, TurnEnded


def bar(fight: Fight, state: Encounter, own: frozenset[str]) -> dict[str, Any]:
    """`state` is the fight's, with only those whom the reader sees."""
    declaring = _declaring(fight, state)
    names = {who: each.sheet.name for who, each in state.combatants.items()}
    acting, speaking = tuple(names[who] for who in state.acting), tuple(names[who] for who in declaring)
    return {
        "status": state.status.value,
        "turn": state.turn,
        "stage": state.stage.value,
        "ordered": state.ordered,
        "due": initiative_due(fight),
        "acting": acting,
        "declaring": speaking,
        "my_turn": not own.isdisjoint(whose_turn(fight, state)),
        "news": _news(state, acting, speaking),
        "notice": fight.ruleset.initiative.notice(state, fight.ruleset),
        "stages": _stages(fight, state),
        "declares": fight.ruleset.turns.declares,
    }


STAGES = {Stage.INITIATIVE: "Initiative", Stage.ATTACK: "Attack", Stage.RESOLUTION: "Resolution"}


def _stages(fight: Fight, state: Encounter) -> tuple[StageShown, ...]:
    """The steps of a turn; where it has none for what comes after the last action, that one goes on."""
    stages = fight.ruleset.turns.stages
    now = stages.index(state.stage) if state.stage in stages else len(stages) - 1
    return tuple(StageShown(STAGES[stage], place == now, place < now) for place, stage in enumerate(stages))


def _to_act(state: Encounter) -> tuple[str, ...]:
    """Those whose turn it is who neither have done all they could nor let it pass to wait."""
    turns = {who: state.combatants[who].turn for who in state.acting}
    return tuple(
        who
        for who, turn in turns.items()
        if (turn.actions or not state.ordered) and not turn.full_defence and not lets_pass(state, who)
    )


def whose_turn(fight: Fight, state: Encounter) -> tuple[str, ...]:
    """Those whose it is to act now, or else to declare."""
    if state.status != "running":
        return ()
    return _to_act(state) if state.acting else _declaring(fight, state)


def _declaring(fight: Fight, state: Encounter) -> tuple[str, ...]:
    if state.status != "running" or initiative_due(fight):
        return ()
    return fight.ruleset.turns.declaring(state, fight.ruleset)


def _news(state: Encounter, acting: Sequence[str], declaring: Sequence[str]) -> str:
    if state.status != "running":
        return {"draft": "The fight has not begun.", "paused": "The fight is paused."}.get(
            state.status, "The fight is over."
        )
    if acting:
        return f"Turn {state.turn}: {' and '.join(acting)} {'act' if len(acting) > 1 else 'acts'}."
    if declaring:
        return f"Turn {state.turn}: {' and '.join(declaring)} {'declare' if len(declaring) > 1 else 'declares'}."
    return f"Turn {state.turn}."


def storyteller_bar(fight: Fight) -> StorytellerBar:
    common = bar(fight, fight.state, frozenset())
    step = _next(fight)
    name = _next_name(fight) if step == "act" else ""
    return StorytellerBar(
        **common,
        next=step,
        next_name=name,
        undo=fight.undo,
        redo=fight.redo,
        also=_also(fight),
        reminder=_reminder(fight, step),
    )


def _reminder(fight: Fight, step: str) -> str:
    """What the next press would pass over: declarations still owed, attacks and mishaps that wait."""
    state = fight.state
    if step == "act" and state.stage is Stage.INITIATIVE:
        owed = [state.combatants[who].sheet.name for who in _declaring(fight, state)]
        more = f" and {len(owed) - 2} more" if len(owed) > 2 else ""
        return f"Not declared yet: {', '.join(owed[:2])}{more}." if owed else ""
    if step == "end-turn" and state.exchanges:
        return "An attack still waits: it lapses with the turn."
    return "What goes wrong is still to be settled." if step == "end-turn" and state.mishaps else ""


LEVERS: Mapping[type, tuple[str, str]] = {
    commands.CheckSurprise: ("surprise", "Who is surprised?"),
    commands.SetCircumstances: ("circumstances", "Circumstances"),
    commands.Describe: ("describe", "Tell one player, or some"),
    commands.HoldOver: ("hold-over", "Hold an action over"),
    commands.FreshStart: ("fresh-start", "Fresh start"),
    commands.SetInitiativeMode: ("initiative-mode", "Initiative every turn"),
}
"""The forms of commands that not every ruleset knows."""


def _also(fight: Fight) -> tuple[tuple[str, str], ...]:
    return tuple(lever for command, lever in LEVERS.items() if knows(fight.ruleset, command))


def _next_name(fight: Fight) -> str:
    """Who acts next, "" when nobody is left to."""
    visit = fight.ruleset.turns.next_visit(fight.state, fight.ruleset)
    return ", ".join(fight.state.combatants[who].sheet.name for who in visit.ids) if visit else ""


def _next(fight: Fight) -> str:
    state = fight.state
    if state.status != "running":
        can_begin = state.status == "draft" and state.combatants
        return "begin" if can_begin else "resume" if state.status == "paused" else ""
    if not state.ordered:
        return "initiative"
    if state.stage is Stage.RESOLUTION:
        return "end-turn"
    return "initiative" if initiative_due(fight) else "act"


def initiative_due(fight: Fight) -> bool:
    """Whether the order that stands is an earlier turn's, where each turn has its own."""
    if fight.state.stage is not Stage.INITIATIVE:
        return False
    if not fight.ruleset.initiative.each_turn(fight.state, fight.ruleset):
        return _somebody_lacks_a_place(fight)
    seen = {who for who, each in fight.state.combatants.items() if not each.hidden}
    for row in reversed(fight.rows):
        for event in () if row.undone else row.events:
            if isinstance(event, TurnEnded):
                return True
            # A roll for hidden ones alone is none that players could tell from no roll.
            if isinstance(event, InitiativeRolled) and (not seen or not seen.isdisjoint(event.scores)):
                return False
    return True


def _somebody_lacks_a_place(fight: Fight) -> bool:
    """Whether somebody who could act, and whom players see, has no place yet in an order that stands."""
    state, ruleset = fight.state, fight.ruleset
    seen = (who for who, each in state.combatants.items() if not each.hidden)
    able = [who for who in seen if not ruleset.turns.hindrance(state, who, ruleset)]
    return bool(ruleset.initiative.due(state, able, ruleset))
