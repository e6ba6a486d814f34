"""The keys of the Storyteller's desk: what each does at first, and what an account has made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a key does: what buttons say as ``data-do``, and the key that does it at first."""

    name: str
    label: Any
    key: str


GROUPS: tuple[tuple[Any, tuple[Action, ...]], ...] = (
    (
        _("The turn"),
        (
            Action("next", _("next: whoever acts, or the end of the turn"), "n"),
            Action("undo", _("undo"), "u"),
            Action("redo", _("redo"), "U"),
        ),
    ),
    (
        _("The attack"),
        (
            Action("attack", _("to the attack, of whoever is picked or acts"), "a"),
            Action("target", _("make whoever is picked the target"), "x"),
            Action("defence", _("to the target’s defence"), "f"),
            Action("roll-attack", _("roll the attack as it stands"), "r"),
            Action("type-dice", _("type its dice"), "t"),
            Action("approve", _("approve what a player asks"), "y"),
            Action("send-back", _("send it back with a word"), "z"),
            Action("show-roll", _("show the last secret roll to all"), "q"),
            Action("narrate", _("tell the last blow in words"), "w"),
        ),
    ),
    (
        _("Whoever is picked, or acts"),
        (
            Action("down", _("pick the next one down the order"), "j"),
            Action("up", _("pick the next one up"), "k"),
            Action("damage", _("damage"), "d"),
            Action("heal", _("heal"), "h"),
            Action("conditions", _("conditions"), "c"),
            Action("hide", _("hide or show"), "v"),
            Action("visibility", _("name and health that players see"), "m"),
            Action("declare", _("declare"), "e"),
            Action("roll", _("roll Traits"), "o"),
            Action("spend", _("spend points"), "p"),
            Action("somebody", _("all about them"), "i"),
        ),
    ),
    (
        _("The table"),
        (
            Action("add", _("add by a few words: 3 thugs"), "/"),
            Action("cast", _("add from the list of all"), "+"),
            Action("note", _("write a note that only Storytellers see"), "b"),
            Action("scene", _("name and scene"), "s"),
            Action("keys", _("this list"), "?"),
        ),
    ),
)

ACTIONS = tuple(action for _label, actions in GROUPS for action in actions)
_BY_NAME = {action.name: action for action in ACTIONS}


def bindings(own: Mapping[str, str]) -> dict[str, str]:
    """Each action's key, "" for none. `own` is what an account has changed; what it knows of no more is left out."""
    return {action.name: own.get(action.name, action.key) for action in ACTIONS}


def changed(wanted: Mapping[str, str]) -> dict[str, str]:
    """Of these bindings those that are not as they were at first."""
    return {name: key for name, key in wanted.items() if name in _BY_NAME and _BY_NAME[name].key != key}


def is_key(text: str) -> bool:
    """Whether it is what one press types: a single character that can be seen."""
    return len(text) == 1 and text.isprintable() and not text.isspace()


def conflicts(wanted: Mapping[str, str]) -> Iterable[tuple[str, tuple[Action, ...]]]:
    """The keys that would do more than one thing, each with what it would do."""
    users: dict[str, list[Action]] = {}
    for name, key in wanted.items():
        if key:
            users.setdefault(key, []).append(_BY_NAME[name])
    return ((key, tuple(actions)) for key, actions in users.items() if len(actions) > 1)
