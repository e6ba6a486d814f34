"""Fills the ordinary forms from a suggested move, so that one press does what the filled-in form would do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.http import QueryDict

from campaigns.marks import mark
from combat.web.forms.actions import FIGURE
from combat.web.forms.announced import circumstances_of
from combat.web.forms.attack import AttackPreview
from rules.engine.messages import Command, command_type
from rules.forecast.suggestions import Suggestion
from rules.model.attack import Attack
from rules.model.system import System
from rules.topics.commands import ClearJam, FullDefence, Leave, Reload, TakeAction

Fields = tuple[tuple[str, str], ...]
AttackForms = Callable[[QueryDict], AttackPreview]
"""Makes an attack form from its fields."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A suggested move as a form with one button: the form's URL name and its fields."""

    title: str
    using: str
    reason: str
    name: str
    fields: Fields

    @property
    def id(self) -> str:
        """Names the move, so that a redrawn button keeps the focus only if it still does the same."""
        return mark(f"{self.name} {self.fields}")


def pressed(suggestion: Suggestion, system: System, attack_form: AttackForms) -> Pressed:
    """A suggestion as a form. The attack's defences are left to the form, which asks as it always does."""
    name, fields = _form(suggestion.command, system, attack_form)
    return Pressed(suggestion.title, suggestion.using, suggestion.reason, name, fields)


def _form(command: Command, system: System, attack_form: AttackForms) -> tuple[str, Fields]:
    if isinstance(command, Attack):
        return "attack", tuple(_attack(command, attack_form))
    if isinstance(command, Reload | ClearJam):
        return command_type(type(command)).name, (("weapon", f"{command.by} {command.weapon}"),)
    if isinstance(command, TakeAction) and system.needs[command.key].handles:
        return "handle", (("weapon", f"{command.key} {command.by} {command.weapon}"),)
    if isinstance(command, TakeAction):
        return "action", tuple(_action(command))
    assert isinstance(command, FullDefence | Leave)
    return command_type(type(command)).name, (("who", command.by if isinstance(command, FullDefence) else command.who),)


def _attack(attack: Attack, attack_form: AttackForms) -> Iterator[tuple[str, str]]:
    data = QueryDict(mutable=True)
    data["who"], data["at"], data["weapon"] = attack.by, attack.at[0], attack.weapon
    if attack.modifiers:
        data = circumstances_of(attack_form(data), attack, data)
    for name, values in data.lists():
        yield from ((name, str(value)) for value in values)


def _action(command: TakeAction) -> Iterator[tuple[str, str]]:
    yield from (("who", command.by), ("action", command.key))
    yield from (("at", who) for who in command.at)
    if command.weapon:
        yield "weapon", command.weapon
    yield from ((f"{FIGURE}{key}", str(value)) for key, value in command.figures.items())
