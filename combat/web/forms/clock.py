"""Stops or restarts the clock of a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

from combat.commands import deadlines
from combat.commands.writing import Performed
from combat.web.forms.commanding import CommandForm, posted
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input

if TYPE_CHECKING:
    from campaigns.models import User
    from combat.secrecy.access import Seen


@posted(name="clock")
class ClockForm(CommandForm):
    """Names the question whose clock to stop (`stop`) or to restart (`run`)."""

    stop = forms.CharField(required=False, max_length=60)
    run = forms.CharField(required=False, max_length=60)

    def carry_out(self, seen: Seen, actor: User) -> Performed:
        """Set the clock. Clocks are not part of the log, so no row is written."""
        said = self.cleaned_data
        if not said["stop"] and not said["run"]:
            raise bad_input(phrase("choose-whose-clock-it-is"))
        question = said["stop"] or said["run"]
        deadlines.set_clock(encounter_id=seen.encounter.pk, actor=actor, question=question, runs=not said["stop"])
        return Performed(seen.encounter.seq, ())
