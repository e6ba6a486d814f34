"""The base of every form that becomes a command, and under which name each is posted."""

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
"""What a press sends besides what it is about; the same as in static/js/outbox.js."""


class CommandForm(forms.Form):
    """A form that becomes a command.

    What can be chosen comes from the `view` of whoever fills it in, and from their `table` (the state as they may know
    it), and from these alone: who is not seen cannot be named.

    A form with fields names its `fragment`, the template that shows it again when it comes back; it gets `form`, `name`
    (for the URL), `encounter_id`, `violation` (the rule that forbids, if one does) and `wanted` (the throw whose dice
    are to be typed, if any are).
    """

    fragment: ClassVar[str] = ""
    storyteller_only: ClassVar[bool] = False
    """Whether others are turned away before anything that the form names is looked up."""
    becomes: ClassVar[type[Command] | None] = None
    """The command that it is; None for what is done otherwise."""
    also_outside: ClassVar[bool] = False
    """Whether what is no command can be done outside fights too."""

    version = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    key = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    waive = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput)
    why = forms.CharField(max_length=200, required=False, label=_("Why"), widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, view: View, find_table: Callable[[], Table], **more: Any) -> None:
        super().__init__(data, **more)
        self.view = view
        self._find_table = find_table
        self.violation: Refusal | None = None
        self.wanted: Throw | None = None
        self.prepare()

    def prepare(self) -> None:
        """Fill in what can be chosen, and take out what has no use here, by `self.view` and `self.table`."""

    @cached_property
    def table(self) -> Table:
        """The fight as whoever fills the form in may know it; read when it is first needed."""
        return self._find_table()

    @property
    def is_storyteller(self) -> bool:
        return self.view.audience == STORYTELLER

    def command(self) -> Command:
        """The command, from cleaned data. May raise `RuleViolation` ("input").

        What is done otherwise (undo) has none, but a way of its own to `carry_out`.
        """
        raise NotImplementedError

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Do what a sound form says. Raises as :func:`combat.commands.perform.perform`."""
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
        """Whether what the form shows, and puts anew, is yet as it was, in the state that its command meets."""
        return True

    def waived(self) -> frozenset[str]:
        """The rules that the Storyteller lets go by."""
        return frozenset(self.cleaned_data["waive"].split())

    @property
    def sent(self) -> str:
        """A digest of what a press sent: the same when it is repeated, whatever the fight has come to."""
        lists = self.data.lists() if hasattr(self.data, "lists") else self.data.items()
        said = sorted((name, values) for name, values in lists if name not in MEANS_NOTHING)
        return mark(json.dumps([type(self).__name__, said]))

    def fresh_id(self) -> str:
        """A random id for something the command makes; the same one when the press is repeated."""
        return sha256(f"made by {self.cleaned_data['key']}".encode()).hexdigest()[:12]


# ------------------------------------------------------------------ which form has which name

_F = TypeVar("_F", bound=type[CommandForm])

_posted: dict[str, type[CommandForm]] = {}


def posted(becomes: type[Command] | None = None, *, name: str = "") -> Callable[[_F], _F]:
    """Register a form under the name it is posted by: that of the command it `becomes`, where no other is given."""

    def register(form: _F) -> _F:
        form.becomes = becomes
        _posted[name or (command_type(becomes).name if becomes else form.__name__)] = form
        return form

    return register


def posted_forms() -> Mapping[str, type[CommandForm]]:
    """The forms that registered themselves, by name."""
    return _posted
