"""The command for an action other than an attack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Command, command
from rules.engine.phrases import PLAYERS_WORDS, phrase
from rules.model.choices import Figure, Modifier


def _inputs(command: TakeAction, game: Any) -> tuple[Wanted, ...]:
    rule = game.system.actions.get(command.key)
    return rule.needs.figures if rule else ()


def _storytellers_action(command: TakeAction, game: Any) -> bool:
    rule = game.system.actions.get(command.key)
    given = any(each.storytellers and each.key in command.figures for each in _inputs(command, game))
    return given or bool(rule and rule.needs.storytellers) or game.system.circumstances.are_reserved(command.modifiers)


def _aimed_at(command: TakeAction, game: Any) -> Iterable[str]:
    yield from command.at
    for each in _inputs(command, game):
        if each.kind is Want.SOMEBODY and each.key in command.figures:
            yield str(command.figures[each.key])


@command(phrase("take-action"), acts_for="by", reserved=_storytellers_action, names=_aimed_at)
@dataclass(frozen=True, slots=True)
class TakeAction(Command):
    """Perform one of the ruleset's actions other than attacks (``System.actions``), by its key.

    ``at`` holds its targets and ``figures`` its inputs (such as ``distance``); without a ``weapon`` the first
    suitable one is used.
    """

    key: str
    by: str
    at: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=dict, metadata=PLAYERS_WORDS)
    weapon: str = field(default="", metadata=PLAYERS_WORDS)
