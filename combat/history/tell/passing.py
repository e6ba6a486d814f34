"""Teller of time that passes; each character’s own events tell the consequences."""

from __future__ import annotations

from django.utils.translation import ngettext

from combat.history.tell.context import Told, tells
from combat.history.tell.sentences import listed
from rules.topics import events

HOURS_A_NIGHT = 24
NIGHTS_A_WEEK = 7


def _passes(hours: int) -> str:
    """The sentence that this time passes for {who}, in the largest unit that measures it exactly."""
    nights, rest = divmod(hours, HOURS_A_NIGHT)
    if rest:
        count, words = hours, ngettext("{count} hour passes for {who}.", "{count} hours pass for {who}.", hours)
    elif nights % NIGHTS_A_WEEK:
        count, words = nights, ngettext("{count} night passes for {who}.", "{count} nights pass for {who}.", nights)
    else:
        count = nights // NIGHTS_A_WEEK
        words = ngettext("{count} week passes for {who}.", "{count} weeks pass for {who}.", count)
    return words.replace("{count}", str(count))


@tells(events.TimePassed)
def _passed(event: events.TimePassed, told: Told) -> None:
    """Names nobody but those the reader may know, and says nothing if they know none of them."""
    if known := [told.name(who) for who in event.who if told.sight.sees(who)]:
        told.tell(_passes(event.hours), "strong", who=listed(known))
        if event.why and told.sight.everything:
            told.go_on("({why})", "quiet", why=event.why)
