"""Grapple moves, for the winner of the roll (CD-GRP-3 to CD-GRP-11).

A won move can be made immediately; otherwise the roll comes first. Each is a :class:`Move` with an effect, and what
may prevent it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.conditions import GRAPPLED, HELD, IMMOBILIZED, PRONE
from rules.model.gear import Damage, Weapon
from rules.model.specialties import without
from rules.model.state import OPEN_ACTION, Encounter
from rules.model.system import Aim, Game, Needs, Serves
from rules.systems.shared.losing import dropped, within_reach
from rules.systems.storytelling.grapples.falls import knocked_down
from rules.systems.storytelling.grapples.grip import GRAPPLING, Grip, opponents
from rules.systems.storytelling.grapples.hurting import goes_off, hurt
from rules.topics import effects
from rules.topics.commands import TakeAction
from rules.topics.events import GrappleChanged, MoveMade, RollMade, TurnRecordChanged, WeaponChanged
from rules.topics.grapples.grapple import Grapple
from rules.topics.grapples.holds import grapple_of, let_go, owes

Effect = Callable[["Move", Game, Grapple, TakeAction], tuple[Event, ...]]
"""A move's effect; the grapple is passed with the move already deducted."""

Bar = Callable[[Game, str, Grapple], str]
"""Why somebody cannot make a move, "" where they can."""


_PLAIN = Needs(Aim.ANYBODY, opponents, rolls=True, instant=False, only_in=GRAPPLED, rolled=GRAPPLING)


def _nothing_bars(game: Game, by: str, grapple: Grapple) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Move:
    """A move in a grapple."""

    rule: str
    label: str
    grip: Grip
    effect: Effect
    bar: Bar = _nothing_bars
    needs: Needs = _PLAIN

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        """Grapplers who have won a move or may still roll for it."""
        grapple = grapple_of(game.state, by)
        if grapple is None:
            return RuleViolation(self.rule, phrase("only-someone-in-grapple-can-do-that"))
        if why := self.bar(game, by, grapple):
            return RuleViolation(self.rule, why)
        return None if owes(game.state, grapple, by) else self.grip.rolled_already(game.state, grapple)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        told: tuple[Event, ...] = ()
        grapple = grapple_of(game.state, command.by)
        if grapple is None:
            raise bad_input(phrase("there-is-no-opponent-to-do"))
        if not owes(game.state, grapple, command.by):
            told = self.grip.wrestle(game, replace(command, weapon=""), grapple)
            game = game.after(told)
            grapple = grapple_of(game.state, command.by)
            if grapple is None or not owes(game.state, grapple, command.by):
                return told
            # Bought dice apply to that roll only.
            command = replace(command, modifiers=game.system.circumstances.free(command.modifiers))
        left = replace(grapple, picks=grapple.picks - 1)
        made = (
            MoveMade(command.by, grapple.opponent(command.by), command.key, self.rule, command.weapon),
            GrappleChanged(left),
        )
        command = replace(command, modifiers=without(command.modifiers))
        return (*told, *made, *self.effect(self, game.after(made), left, command))


# ------------------------------------------------------------------ the moves


def break_free(move: Move, game: Game, grapple: Grapple, command: TakeAction) -> tuple[Event, ...]:
    """Both let go; the move is reflexive, so the action spent on the roll is returned (CD-GRP-3)."""
    freed = let_go(game, command.by)
    if command.by not in grapple.took:
        return freed
    record = replace(game.combatant(command.by).turn, acted=False, actions=(OPEN_ACTION,))
    return (*freed, TurnRecordChanged(command.by, record))


def control_weapon(move: Move, game: Game, grapple: Grapple, command: TakeAction) -> tuple[Event, ...]:
    """Draw a weapon, or turn the opponent's on them, until the opponent makes this move (CD-GRP-4)."""
    known = _arms(game.state, command.by)
    if command.figures.get("theirs"):
        known = [pair for pair in known if pair[0] != command.by]
    named = [pair for pair in known if command.weapon in ("", pair[1].key, pair[1].name)]
    if not named:
        raise bad_input(phrase("that-weapon-isnt-in-this-grapple"))
    owner, weapon = named[0]
    now = replace(grapple, controller=command.by, owner=owner, weapon=weapon.key or weapon.name)
    drawn = () if weapon.drawn else (WeaponChanged(owner, replace(weapon, stowed=False, hidden=False)),)
    return (GrappleChanged(now), *drawn)


def _arms(state: Encounter, by: str) -> list[tuple[str, Weapon]]:
    """The weapons that can be controlled, and their owners: your own, then those the opponent holds."""
    grapple = grapple_of(state, by)
    if grapple is None:
        return []
    at = state.combatants.get(grapple.opponent(by))
    theirs = at.sheet.in_hand if at else ()
    own = within_reach(state, by)
    return [*((by, weapon) for weapon in own), *((grapple.opponent(by), each) for each in theirs if each.fault is None)]


def _cannot_control(game: Game, by: str, grapple: Grapple) -> str:
    unseen = grapple.opponent(by) not in game.state.combatants
    return "" if unseen or _arms(game.state, by) else phrase("there-is-no-weapon-in-this-grapple")


def damage(move: Move, game: Game, grapple: Grapple, command: TakeAction) -> tuple[Event, ...]:
    """Bashing damage by the margin, or the damage of the controlled weapon (CD-GRP-5)."""
    by, at = command.by, grapple.opponent(command.by)
    weapon = controlled(game.state, grapple, by)
    works, fired = goes_off(grapple.owner, weapon) if weapon else (False, ())
    if weapon is None or not works:
        return hurt(game, by, at, grapple.margin, move.rule)
    kind = None if game.system.settings.get("grapple_weapon_kind", True) else Damage.BASHING
    return (*fired, *hurt(game, by, at, grapple.margin, move.rule, weapon, kind=kind))


def controlled(state: Encounter, grapple: Grapple, who: str) -> Weapon | None:
    """The weapon somebody controls, ``None`` for none."""
    if grapple.controller != who:
        return None
    held = within_reach(state, grapple.owner)
    return next((each for each in held if grapple.weapon in (each.key, each.name)), None)


def disarm(move: Move, game: Game, grapple: Grapple, command: TakeAction) -> tuple[Event, ...]:
    """The opponent's weapon is removed from the grapple (CD-GRP-6)."""
    by, at = command.by, grapple.opponent(command.by)
    turned = controlled(game.state, grapple, by) if grapple.owner == at else None
    weapon = turned or next(iter(game.combatant(at).sheet.in_hand), None)
    if weapon is None:
        raise bad_input(phrase("there-is-no-weapon-to-take-away"))
    now = replace(grapple, controller="", owner="", weapon="") if turned else grapple
    return (GrappleChanged(now), *dropped(by, at, weapon, move.rule))


def _cannot_disarm(game: Game, by: str, grapple: Grapple) -> str:
    if grapple.controller != by:
        return phrase("control-weapon-first")
    at = game.state.combatants.get(grapple.opponent(by))
    armed = at is None or bool(at.sheet.in_hand)
    return "" if armed or grapple.owner != by else phrase("there-is-no-weapon-to-take-away")


def drop_prone(move: Move, game: Game, grapple: Grapple, command: TakeAction) -> tuple[Event, ...]:
    """Both go prone (CD-GRP-7)."""
    return tuple(event for who in grapple.members for event in effects.marked(game, who, frozenset({PRONE})))


def hold(move: Move, game: Game, grapple: Grapple, command: TakeAction) -> tuple[Event, ...]:
    """Neither has Defense while the hold lasts (CD-GRP-8)."""
    now = replace(grapple, holders=grapple.holders | {command.by})
    return (GrappleChanged(now), *effects.marked(game, grapple.opponent(command.by), frozenset({HELD})))


def restrain(move: Move, game: Game, grapple: Grapple, command: TakeAction) -> tuple[Event, ...]:
    """The opponent cannot move; once they are tied up, the grappler may leave (CD-GRP-9)."""
    at = grapple.opponent(command.by)
    bound = bool(str(command.figures.get("equipment", "")).strip())
    if command.figures.get("leave") and not bound:
        game.referee.forbid(move.rule, phrase("only-someone-bound-with-object"))
    locked = "" if bound or command.figures.get("leave") else at
    told = (GrappleChanged(replace(grapple, locked=locked)), *effects.marked(game, at, frozenset({IMMOBILIZED})))
    return (*told, *let_go(game.after(told), command.by)) if command.figures.get("leave") else told


def _cannot_restrain(game: Game, by: str, grapple: Grapple) -> str:
    return "" if by in grapple.holders else phrase("hold-opponent-first")


def take_cover(move: Move, game: Game, grapple: Grapple, command: TakeAction) -> tuple[Event, ...]:
    """The opponent's body becomes a shield (CD-GRP-10)."""
    return (GrappleChanged(replace(grapple, covered=command.by)),)


def throw(move: Move, game: Game, grapple: Grapple, command: TakeAction) -> tuple[Event, ...]:
    """The opponent is thrown and falls; the Strength roll is bashing damage (CD-GRP-11)."""
    by, at = command.by, grapple.opponent(command.by)
    ends = game.system.settings["throw_ends_grapple"]
    told: list[Event] = [*(let_go(game, by) if ends else ())]
    plan = move.grip.pool(game, by, ("strength",), (), command.modifiers, move.rule)
    rolled = move.grip.roll(game, by, plan)
    told.append(RollMade(by, command.key, move.rule, rolled))
    told += hurt(game.after(told), by, at, rolled.roll.successes, move.rule)
    return (*told, *knocked_down(game.after(told), at, move.rule))


def _cannot_throw(game: Game, by: str, grapple: Grapple) -> str:
    at = game.state.combatants.get(grapple.opponent(by))
    dots = game.system.layout.dots
    if at is None or dots(game.state.combatants[by].sheet, "strength") > dots(at.sheet, "size"):
        return ""
    return phrase("opponent-is-too-heavy-to-throw")


# ------------------------------------------------------------------ as actions


_ARMED = Needs(
    Aim.ANYBODY,
    opponents,
    weapon=lambda weapon: weapon.fault is None,
    unarmed=True,
    arms=lambda game, by: [weapon for _owner, weapon in _arms(game.state, by)],
    figures=(Wanted("theirs", phrase("turn-opponents-own-weapon-on-them"), Want.SWITCH),),
    rolls=True,
    instant=False,
    only_in=GRAPPLED,
    rolled=GRAPPLING,
)
_BINDING = Needs(
    Aim.ANYBODY,
    opponents,
    figures=(
        Wanted(
            "equipment",
            phrase("bound-with"),
            Want.WORDS,
            help=phrase("tape-cuffs-rope-if-empty-with-bare"),
        ),
        Wanted("leave", phrase("leave-the-grapple"), Want.SWITCH, help=phrase("only-if-bound-with-object")),
    ),
    rolls=True,
    instant=False,
    only_in=GRAPPLED,
    rolled=GRAPPLING,
)


def moves(grip: Grip, rules: Mapping[str, str], setting: str = "") -> dict[str, Move]:
    """The moves in ``rules`` by key, each under its rule there; there are nine."""
    plain = {
        "break_free": (phrase("break-free"), break_free, _nothing_bars),
        "grapple_damage": (phrase("damage-label"), damage, _nothing_bars),
        "grapple_disarm": (phrase("disarm"), disarm, _cannot_disarm),
        "drop_prone": (phrase("drop-both-prone"), drop_prone, _nothing_bars),
        "hold": (phrase("hold"), hold, _nothing_bars),
        "take_cover": (phrase("take-cover-behind-them"), take_cover, _nothing_bars),
        "throw": (phrase("throw"), throw, _cannot_throw),
    }
    known = {key: (*move, _PLAIN) for key, move in plain.items()}
    known["break_free"] = (*plain["break_free"], replace(_PLAIN, serves=Serves.FREEDOM))
    known["control_weapon"] = (phrase("control-a-weapon"), control_weapon, _cannot_control, _ARMED)
    known["restrain"] = (phrase("restrain"), restrain, _cannot_restrain, _BINDING)
    return {key: _move(rules[key], grip, setting, *known[key]) for key in rules}


def _move(rule: str, grip: Grip, setting: str, label: str, effect: Effect, bar: Bar, needs: Needs) -> Move:
    return Move(rule, label, grip, effect, bar, replace(needs, setting=setting))
