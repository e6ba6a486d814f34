"""Base class of command forms, and the registry of their URL names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.marks import mark
from combat.commands import perform
from combat.log.codec import state_mark
from combat.panes import View
from combat.secrecy.audiences import STORYTELLER
from rules.engine.dice import Dice, Throw
from rules.engine.messages import Command, command_type
from rules.engine.violations import Refusal
from rules.model.state import Encounter

if TYPE_CHECKING:
    from campaigns.models import User
    from combat.commands.writing import Performed
    from combat.secrecy.access import Seen
    from combat.web.forms.base import Table


MEANS_NOTHING = ("key", "version", "csrfmiddlewaretoken")
"""Fields that don't count towards the digest of a press. Keep in sync with static/js/outbox.js."""


class CommandForm(forms.Form):
    """A form that becomes a command.

    Its choices are built only from the reader's `view` and `table` (the state as they know it), so a combatant they
    don't see can't be named.

    A form with fields names its `fragment`, the template that redraws it when it is rejected. The template gets `form`,
    `name` (for the URL), `encounter_id`, `violation` (the refusal, if any) and `wanted` (the throw whose dice are still
    to be typed, if any).
    """

    fragment: ClassVar[str] = ""
    storyteller_only: ClassVar[bool] = False
    """Whether non-Storytellers are rejected before anything the form names is looked up."""
    becomes: ClassVar[type[Command] | None] = None
    """The command class; None for forms that don't produce a command."""
    also_outside: ClassVar[bool] = False
    """For forms without a command: whether they also work outside fights."""

    version = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    key = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    waive = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput)
    why = forms.CharField(max_length=200, required=False, label=_("Reason"), widget=forms.HiddenInput)
    suggested = forms.CharField(max_length=16, required=False, widget=forms.HiddenInput)
    """For a suggested move: the digest of the state that it was suggested for. In any other state it is stale."""

    def __init__(self, data: Any = None, *, view: View, find_table: Callable[[], Table], **more: Any) -> None:
        super().__init__(data, **more)
        self.view = view
        self._find_table = find_table
        self.violation: Refusal | None = None
        self.wanted: Throw | None = None
        self.prepare()

    def prepare(self) -> None:
        """Set choices and remove fields that don't apply, according to `self.view` and `self.table`."""

    @cached_property
    def table(self) -> Table:
        """The fight as the reader knows it; read on first use."""
        return self._find_table()

    @property
    def is_storyteller(self) -> bool:
        return self.view.audience == STORYTELLER

    def command(self) -> Command:
        """The command, from cleaned data. May raise `RuleViolation` ("input").

        Forms without a command (undo) override `carry_out` instead.
        """
        raise NotImplementedError

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Perform the command of a valid form. Raises as :func:`combat.commands.perform.perform`."""
        return perform.perform(
            encounter_id=seen.encounter.pk,
            actor=actor,
            command=self.command(),
            expected_version=self.cleaned_data["version"],
            key=self.cleaned_data["key"],
            sent=self.sent,
            dice=self.dice(),
            waive=self.waived(),
            why=self.cleaned_data["why"],
            hold=True,
            still_so=self.still_so,
        )

    def dice(self) -> Dice | None:
        """Typed dice, or None for the system's."""
        return None

    def still_so(self, state: Encounter) -> bool:
        """Whether what the form is based on is still as shown, in the state the command is applied to."""
        suggested = self.cleaned_data["suggested"]
        return not suggested or suggested == state_mark(state)

    def waived(self) -> frozenset[str]:
        """The ids of the rules that the Storyteller waives."""
        return frozenset(self.cleaned_data["waive"].split())

    @property
    def sent(self) -> str:
        """A digest of the form as sent. It is the same when the press is repeated, even if the fight has changed."""
        lists = self.data.lists() if hasattr(self.data, "lists") else self.data.items()
        said = sorted((name, values) for name, values in lists if name not in MEANS_NOTHING)
        return mark(json.dumps([type(self).__name__, said]))

    def fresh_id(self) -> str:
        """An id for something the command creates, derived from the key so that a repeated press gives the same one."""
        return sha256(f"made by {self.cleaned_data['key']}".encode()).hexdigest()[:12]


# ------------------------------------------------------------------ registry

_F = TypeVar("_F", bound=type[CommandForm])

_posted: dict[str, type[CommandForm]] = {}


def posted(becomes: type[Command] | None = None, *, name: str = "") -> Callable[[_F], _F]:
    """Class decorator: register a form under its URL name, by default the name of the command it `becomes`."""

    def register(form: _F) -> _F:
        form.becomes = becomes
        _posted[name or (command_type(becomes).name if becomes else form.__name__)] = form
        return form

    return register


def posted_forms() -> Mapping[str, type[CommandForm]]:
    """The registered forms, by name."""
    return _posted
