"""The three views, each from the state and the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from combat.perspectives.log import Happened, Reader, log_of
from combat.perspectives.panes import (
    Ask,
    Asks,
    Bar,
    Me,
    MishapAsk,
    PlayerView,
    Scene,
    StorytellerAsks,
    StorytellerBar,
    StorytellerView,
    TableView,
    View,
    Waiting,
)
from combat.perspectives.people import lets_pass, order_of, sheets_of, weapon_line
from combat.perspectives.possible import defences
from combat.perspectives.sight import Sight, owned, sight_of, visible_state
from rules import commands
from rules.attack import weapon_of
from rules.decide import knows
from rules.encounter import Encounter, Exchange, Stage
from rules.events import Declared, InitiativeRolled, TurnEnded
from rules.gear import BARE_HANDS, Mode
from rules.ruleset import Ruleset
from rules.violations import RuleViolation


@dataclass(frozen=True, slots=True)
class Fight:
    """All that views are built from. `rows` are the whole log; `owners` says whose each character is.

    `undo` and `redo` say in a few words what they would do.
    """

    name: str
    scene: str
    state: Encounter
    rows: Sequence[Happened]
    ruleset: Ruleset
    owners: Mapping[str, int]
    undo: str = ""
    redo: str = ""

    def characters_of(self, user_id: int) -> frozenset[str]:
        """The characters that a user plays."""
        return frozenset(character for character, owner in self.owners.items() if owner == user_id)


def storyteller_view(fight: Fight) -> StorytellerView:
    """All there is."""
    state, ruleset = fight.state, fight.ruleset
    nobody: frozenset[str] = frozenset()
    return StorytellerView(
        "storyteller",
        _storyteller_bar(fight),
        order_of(state, ruleset, everything=True, own=nobody, due=initiative_due(fight)),
        _storyteller_asks(fight),
        Me(sheets_of(state, ruleset, state.combatants)),
        log_of(fight.rows, Reader(everything=True), state.unnarrated),
        _scene(fight),
    )


def table_view(fight: Fight) -> TableView:
    """What everybody at the table may see."""
    nobody: frozenset[str] = frozenset()
    seen = visible_state(fight.state, nobody)
    return TableView(
        "table",
        Bar(**_bar(fight, seen, nobody)),
        order_of(
            seen,
            fight.ruleset,
            everything=False,
            own=nobody,
            clean=_as_said(fight, sight_of(fight.state)),
            due=initiative_due(fight),
        ),
        log_of(fight.rows, Reader()),
        _scene(fight),
    )


def player_view(fight: Fight, user_id: int) -> PlayerView:
    """What one player may see: the table's view, and those whom they play in full."""
    characters = fight.characters_of(user_id)
    own = owned(fight.state, characters)
    seen, sight = visible_state(fight.state, own), sight_of(fight.state, mine=characters)
    clean = _as_said(fight, sight)
    turn = _whose_turn(fight, seen)
    sheets = [replace(one, now=one.id in turn) for one in sheets_of(seen, fight.ruleset, sorted(own), clean)]
    return PlayerView(
        f"player-{user_id}",
        Bar(**_bar(fight, seen, own)),
        order_of(seen, fight.ruleset, everything=False, own=own, clean=clean, due=initiative_due(fight)),
        _asks(fight, own, sight),
        Me(tuple(sorted(sheets, key=lambda sheet: not sheet.now))),
        log_of(fight.rows, Reader(mine=characters)),
        _scene(fight),
    )


def view_for(fight: Fight, audience: str) -> View:
    """The view of an audience by its name."""
    if audience == "storyteller":
        return storyteller_view(fight)
    return table_view(fight) if audience == "table" else player_view(fight, int(audience.removeprefix("player-")))


def _as_said(fight: Fight, sight: Sight) -> Callable[[str], str]:
    """What keeps names from declarations, save from those that players typed: see :meth:`Sight.said`."""
    told = (event for row in fight.rows if row.by_player for event in row.events if isinstance(event, Declared))
    typed = frozenset(event.declaration.text for event in told)
    return lambda text: text if text in typed else sight.clean(text)


def _scene(fight: Fight) -> Scene:
    return Scene(fight.name, fight.scene)


# ------------------------------------------------------------------ the bar


def _bar(fight: Fight, state: Encounter, own: frozenset[str]) -> dict[str, Any]:
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
        "my_turn": not own.isdisjoint(_whose_turn(fight, state)),
        "news": _news(state, acting, speaking),
        "notice": fight.ruleset.initiative.notice(state, fight.ruleset),
    }


def _to_act(state: Encounter) -> tuple[str, ...]:
    """Those whose turn it is who neither have done all they could nor let it pass to wait."""
    turns = {who: state.combatants[who].turn for who in state.acting}
    return tuple(
        who
        for who, turn in turns.items()
        if (turn.actions or not state.ordered) and not turn.full_defence and not lets_pass(state, who)
    )


def _whose_turn(fight: Fight, state: Encounter) -> tuple[str, ...]:
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


def _storyteller_bar(fight: Fight) -> StorytellerBar:
    common = _bar(fight, fight.state, frozenset())
    step = _next(fight)
    name = _next_name(fight) if step == "act" else ""
    return StorytellerBar(**common, next=step, next_name=name, undo=fight.undo, redo=fight.redo, also=_also(fight))


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


# ------------------------------------------------------------------ what is asked


def _ask(fight: Fight, exchange: Exchange, target: str, sight: Sight) -> Ask:
    state = fight.state
    held = state.combatants[target].sheet.weapons
    unseen = not sight.sees(exchange.attack.by)
    return Ask(
        exchange.id,
        target,
        sight.name(target),
        sight.name(exchange.attack.by),
        "" if unseen else sight.gear(exchange.attack.by, _weapon_name(state, exchange)),
        defences(state, exchange, target, fight.ruleset, sight.clean),
        tuple(weapon_line(weapon) for weapon in held if weapon.mode is Mode.MELEE and weapon.fault is None),
    )


def _weapon_name(state: Encounter, exchange: Exchange) -> str:
    try:
        weapon = weapon_of(state.combatants[exchange.attack.by].sheet, exchange.attack.weapon)
    except RuleViolation:
        return ""  # it was taken from the sheet meanwhile; rolling the attack will say so
    return "" if weapon.name == BARE_HANDS else weapon.name


def _waiting(state: Encounter, exchange: Exchange, sight: Sight) -> Waiting:
    return Waiting(
        exchange.id,
        sight.name(exchange.attack.by),
        _weapon_name(state, exchange),
        tuple(sight.name(who) for who in exchange.attack.at if sight.sees(who)),
        tuple(sight.name(who) for who in exchange.asked if sight.sees(who)),
        exchange.by_hand,
    )


def _asks(fight: Fight, own: frozenset[str], sight: Sight) -> Asks:
    exchanges = fight.state.exchanges
    return Asks(
        tuple(_ask(fight, each, who, sight) for each in exchanges for who in each.asked if who in own),
        tuple(_waiting(fight.state, each, sight) for each in exchanges if each.attack.by in own),
    )


def _storyteller_asks(fight: Fight) -> StorytellerAsks:
    state = fight.state
    sight = sight_of(state, everything=True)
    return StorytellerAsks(
        tuple(_ask(fight, each, who, sight) for each in state.exchanges for who in each.asked),
        tuple(_waiting(state, each, sight) for each in state.exchanges),
        tuple(_mishap(state, pending.resolution, sight) for pending in state.mishaps),
        state.unnarrated,
    )


def _mishap(state: Encounter, resolution: str, sight: Sight) -> MishapAsk:
    pending = next(each for each in state.mishaps if each.resolution == resolution)
    sheet = state.combatants[pending.by].sheet
    weapon = next((each.name for each in sheet.weapons if pending.weapon in (each.key, each.name)), "")
    return MishapAsk(
        resolution,
        sight.name(pending.by),
        weapon,
        tuple((key, key.replace("_", " ")) for key in pending.choices),
        tuple((who, sight.name(who)) for who in state.combatants if who != pending.by),
    )
