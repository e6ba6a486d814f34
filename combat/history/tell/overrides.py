"""The teller of overridden attacks, limited to what each audience may know."""

from __future__ import annotations

from django.utils.translation import gettext as _

from combat.history.tell.attacks import outcome_of, suffering
from combat.history.tell.context import Told, tells
from rules.topics import events


@tells(events.AttackOverridden)
def overridden(event: events.AttackOverridden, told: Told) -> None:
    """The new and the former result; for an unseen attacker only the damage, if there was or is any."""
    if not told.sight.sees(event.target):
        return
    if told.sight.sees(event.by):
        told.tell(
            _("Overridden by the Storyteller: {who} attacks {whom}: {now} Before: {before}"),
            tone="quiet",
            who=told.name(event.by),
            whom=told.name(event.target),
            now=tuple(outcome_of(event.after, told)),
            before=tuple(outcome_of(event.before, told)),
        )
    else:
        done = next((each.done for each in (event.after, event.before) if each.done and each.done.dealt), None)
        if done is None:
            return
        if event.after.done:
            told.tell(
                _("Overridden by the Storyteller: {what}"), tone="quiet", what=tuple(suffering(event.after.done, told))
            )
        else:
            told.tell(
                _("Overridden by the Storyteller: {whom} takes no damage."), tone="quiet", whom=told.name(event.target)
            )
    if event.why:
        told.tell(_("“{why}”"), tone="quiet", why=told.sight.clean(event.why))
