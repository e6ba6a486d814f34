"""Keyboard shortcuts of the Storyteller's dashboard: the defaults, and an account's changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Action:
    """An action with a shortcut: `name` is the ``data-do`` of its buttons, `key` the default."""

    name: str
    label: Any
    key: str


GROUPS: tuple[tuple[Any, tuple[Action, ...]], ...] = (
    (
        _("Turn"),
        (
            Action("next", _("Next character or end of turn"), "n"),
            Action("undo", _("Undo"), "u"),
            Action("redo", _("Redo"), "U"),
        ),
    ),
    (
        _("Attack"),
        (
            Action("attack", _("Attack with this character"), "a"),
            Action("target", _("Make this character the target"), "x"),
            Action("defence", _("Go to the target’s defence"), "f"),
            Action("roll-attack", _("Roll the attack"), "r"),
            Action("type-dice", _("Type the attack’s dice"), "t"),
            Action("approve", _("Approve a player’s attack"), "y"),
            Action("answer", _("Answer with the first choice for a target"), "g"),
            Action("send-back", _("Send a player’s attack back with a comment"), "z"),
            Action("show-roll", _("Show everyone the last secret roll"), "q"),
            Action("narrate", _("Narrate the last attack"), "w"),
        ),
    ),
    (
        _("Selected or acting character"),
        (
            Action("down", _("Select the next in the turn order"), "j"),
            Action("up", _("Select the previous in the turn order"), "k"),
            Action("damage", _("Damage"), "d"),
            Action("heal", _("Heal"), "h"),
            Action("conditions", _("Conditions"), "c"),
            Action("hide", _("Hide or show"), "v"),
            Action("visibility", _("Name and health shown to players"), "m"),
            Action("declare", _("Declare"), "e"),
            Action("roll", _("Roll Traits"), "o"),
            Action("spend", _("Spend points"), "p"),
            Action("power", _("Use a power"), "P"),
            Action("tell", _("Private message to the player"), "l"),
            Action("somebody", _("Open details"), "i"),
        ),
    ),
    (
        _("Table"),
        (
            Action("add", _("Quick add, such as “3 thugs”"), "/"),
            Action("cast", _("Add from the cast"), "+"),
            Action("note", _("Write a note for Storytellers only"), "b"),
            Action("scene", _("Name and scene"), "s"),
            Action("keys", _("Show keyboard shortcuts"), "?"),
        ),
    ),
)

ACTIONS = tuple(action for _label, actions in GROUPS for action in actions)
_BY_NAME = {action.name: action for action in ACTIONS}


def bindings(own: Mapping[str, str]) -> dict[str, str]:
    """The key of each action, "" for none. `own` are an account's changes; unknown actions are ignored."""
    return {action.name: own.get(action.name, action.key) for action in ACTIONS}


def changed(wanted: Mapping[str, str]) -> dict[str, str]:
    """The bindings that differ from the defaults."""
    return {name: key for name, key in wanted.items() if name in _BY_NAME and _BY_NAME[name].key != key}


def is_key(text: str) -> bool:
    """Whether a single key press can type this: one visible character."""
    return len(text) == 1 and text.isprintable() and not text.isspace()


def conflicts(wanted: Mapping[str, str]) -> Iterable[tuple[str, tuple[Action, ...]]]:
    """The keys with more than one action, each with its actions."""
    users: dict[str, list[Action]] = {}
    for name, key in wanted.items():
        if key:
            users.setdefault(key, []).append(_BY_NAME[name])
    return ((key, tuple(actions)) for key, actions in users.items() if len(actions) > 1)
