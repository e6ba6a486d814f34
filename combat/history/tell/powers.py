"""Tellers of powers: used, and over. Readers are told what they notice."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns.words import said
from combat.history.entries import Span
from combat.history.tell.context import Told, tells
from combat.history.tell.sentences import listed
from combat.secrecy.sight import notices
from rules.topics import events


@tells(events.PowerUsed)
def _used(event: events.PowerUsed, told: Told) -> None:
    sight = told.sight
    affected = [who for who in event.at if sight.owns(who)]
    if not (
        sight.everything or sight.owns(event.by) or notices(event.notice, seen=sight.sees(event.by), felt=affected)
    ):
        return
    who, power = told.name(event.by), Span(said(event.label), "strong")
    at = [told.name(each) for each in event.at if sight.sees(each)]
    if at:
        told.tell(_("{who} uses {power} on {targets}."), who=who, power=power, targets=listed(at))
    else:
        told.tell(_("{who} uses {power}."), who=who, power=power)
    if not event.works:
        told.go_on(_("It fails."), "quiet")


@tells(events.PowersChanged)
def _changed(event: events.PowersChanged, told: Told) -> None:
    sight = told.sight
    for one in event.ended:
        felt = [event.who] if sight.owns(event.who) else []
        own = sight.owns(one.by or event.who)
        if sight.everything or own or notices(one.notice, seen=sight.sees(event.who), felt=felt):
            power = Span(said(one.label), "strong")
            told.tell(_("{power} ends for {who}."), "quiet", power=power, who=told.name(event.who))
