"""Tellers of rolls, checks, damage, healing, points and conditions."""

from __future__ import annotations

from collections import Counter

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from campaigns.words import said
from combat.history.entries import Span
from combat.history.tell.context import Told, tells
from combat.history.tell.sentences import listed
from rules.model.conditions import condition_of
from rules.model.damage_steps import of_kind
from rules.model.gear import Damage
from rules.model.results import Outcome
from rules.model.words import in_words
from rules.topics import events
from rules.topics.health.blood import DUSK

CAME = {
    Outcome.SUCCESS: gettext_lazy("succeeds"),
    Outcome.EXCEPTIONAL: gettext_lazy("achieves an exceptional success"),
    Outcome.FAIL: gettext_lazy("fails"),
    Outcome.BOTCH: gettext_lazy("botches"),
    Outcome.DRAMATIC_FAILURE: gettext_lazy("fails dramatically"),
}


def _label(label: str, told: Told) -> str:
    """What is rolled for, as typed or by its phrase; "Roll" if nothing was said."""
    return told.sight.said(label) if label else pgettext("noun", "Roll")


@tells(events.TraitsRolled)
def _rolled(event: events.TraitsRolled, told: Told) -> None:
    if not told.sight.sees(event.by) or not told.sight.hears_of(secret=event.secret):
        return
    successes = f" ({event.roll.roll.successes})" if told.sight.faces_of(event.by) else ""
    label = _label(event.label, told)
    came = Span(f"{CAME[event.outcome]}{successes}", "strong")
    told.tell("{who}, {label}: {came}.", who=told.name(event.by), label=label, came=came)
    told.roll(event.roll, "roll", label)
    told.roll(event.resisted, "resist", _("Resistance"))


@tells(events.ExtendedRolled)
def _extended(event: events.ExtendedRolled, told: Told) -> None:
    command, now = event.now.command, event.now
    if not told.sight.rolls_of(command.by) or (command.secret and not told.sight.everything):
        return
    if event.outcome in (Outcome.BOTCH, Outcome.DRAMATIC_FAILURE):
        told.tell(_("All successes so far are lost."), "harm")
        return
    gathered = ngettext(
        "{total} of {target} successes after {rolls} roll",
        "{total} of {target} successes after {rolls} rolls",
        now.made,
    ).format(total=now.total, target=now.asked.target, rolls=now.made)
    if event.outcome is Outcome.SUCCESS:
        told.tell(_("{gathered}: the attempt succeeds."), "strong", gathered=gathered)
    elif event.outcome is Outcome.FAIL:
        told.tell(_("{gathered}, with no rolls left: the attempt fails."), gathered=gathered)
    elif now.asked.rolls:
        told.tell(_("{gathered} (at most {rolls})."), "quiet", gathered=gathered, rolls=now.asked.rolls)
    else:
        told.tell("{gathered}.", "quiet", gathered=gathered)


@tells(events.RollGivenUp)
def _given_up(event: events.RollGivenUp, told: Told) -> None:
    command = event.roll.command
    if told.sight.sees(command.by) and (told.sight.everything or not command.secret):
        label = Span(_label(command.label, told))
        left = _("{who} gives up: {label}.")
        told.tell(left, "quiet", who=told.name(command.by), label=label)


@tells(events.RollShown)
def _shown(event: events.RollShown, told: Told) -> None:
    if told.sight.everything:
        told.tell(
            _("The dice are now shown to the table.") if event.shown else _("The dice are hidden again."), "quiet"
        )


@tells(events.Harmed)
def _harmed(event: events.Harmed, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    if not told.sight.figures_of(event.who):
        told.tell(_("{who} is hurt."), who=told.name(event.who))
        return
    told.tell(_("{who} takes {harm}."), who=told.name(event.who), harm=told.dealt({event.type: event.amount}))
    told.suffers(event.who, {event.type: event.amount})
    _because(event.why, told)
    told.cite(event.rule)


def _because(why: str, told: Told) -> None:
    if why:
        told.go_on("({why})", "quiet", why=told.sight.clean(why))


@tells(events.Healed)
def _healed(event: events.Healed, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    levels = ", ".join(_healing(count, kind) for kind, count in event.healed.items() if count)
    if told.command == "PassTime" and not (levels and told.sight.figures_of(event.who)):
        return  # the entry already says for whom time passes
    if not told.sight.figures_of(event.who):
        told.tell(_("{who} rests.") if event.hours else _("{who} heals."), who=told.name(event.who))
    elif levels:
        told.tell(_("{who} heals {levels}."), who=told.name(event.who), levels=Span(levels, "heal"))
    else:
        told.tell(_("{who} rests, but nothing heals."), who=told.name(event.who))


def _healing(count: int, kind: str) -> str:
    if kind != "levels":
        return said(of_kind(Damage(kind), count))
    return ngettext("{count} level of an injury", "{count} levels of an injury", count).format(count=count)


@tells(events.HealthSet)
def _health_set(event: events.HealthSet, told: Told) -> None:
    if told.sight.rolls_of(event.who):
        told.tell(_("{who}: health corrected."), who=told.name(event.who))
        _because(event.why, told)


@tells(events.SheetEdited)
def _sheet_edited(event: events.SheetEdited, told: Told) -> None:
    if not (told.sight.everything or told.sight.owns(event.who)):
        return
    if (event.was.marks, event.was.injuries) != (event.now.marks, event.now.injuries):
        _edited(_("Health"), _body(event.was), _body(event.now), told)
    for key in dict.fromkeys((*event.was.resources, *event.now.resources)):
        was, now = (str(body.resources.get(key, "–")) for body in (event.was, event.now))
        if was != now:
            _edited(capfirst(said(in_words(key))), was, now, told)


def _edited(what: str, was: str, now: str, told: Told) -> None:
    told.tell("{what}: {was} → {now}", "quiet", what=what, was=was, now=now)


def _body(body: events.Body) -> str:
    """Health in words: its marks by type, or its injuries."""
    count = Counter(body.marks)
    marks = [said(of_kind(damage, count[damage])) for damage in reversed(Damage) if count[damage]]
    injuries = [f"{each.level} {said(each.cause)}".strip() for each in body.injuries]
    return ", ".join((*marks, *injuries)) or _("unhurt")


@tells(events.ResourceChanged)
def _resource(event: events.ResourceChanged, told: Told) -> None:
    if not told.sight.rolls_of(event.who) or not event.spent:
        return
    did = _("{who} spends {amount} {points}.") if event.spent > 0 else _("{who} regains {amount} {points}.")
    if event.why == DUSK:
        did = _("{who} spends {amount} {points} at dusk.")
    told.tell(did, who=told.name(event.who), amount=abs(event.spent), points=in_words(event.resource))
    if told.sight.everything or told.sight.owns(event.who):
        if told.command == "Spend":
            _because(event.why, told)  # a rule's own reason is told by the event that causes it
        told.go_on(_("{left} left."), "quiet", left=event.left)


@tells(events.ConditionsChanged)
def _conditions(event: events.ConditionsChanged, told: Told) -> None:
    *others, last = [said(in_words(key)) for key in sorted(event.removed)] or [""]
    gone = _("{first} or {last}").format(first=", ".join(others), last=last) if others else last
    if told.sight.sees(event.who) and gone and told.sight.figures_of(event.who):
        told.tell(_("{who} is no longer {conditions}."), who=told.name(event.who), conditions=gone)
        _because(event.why, told)


@tells(events.LastingChanged)
def _lasting(event: events.LastingChanged, told: Told) -> None:
    # What a fight leaves somebody with is on their sheet, and so for those who may read that.
    if event.lasting and told.command == "End" and (told.sight.everything or told.sight.owns(event.who)):
        left = [Span(said(condition_of(each.condition).label)) for each in event.lasting]
        told.tell(_("After the fight, {who} is still {conditions}."), who=told.name(event.who), conditions=listed(left))


CHECKS = {
    "consciousness": gettext_lazy("Consciousness"),
    "knockout": gettext_lazy("Knockout"),
    "kiss": gettext_lazy("The Kiss"),
}

KISSED = {
    True: gettext_lazy("{who} keeps their head in the Kiss."),
    False: gettext_lazy("{who} stops resisting in the Kiss."),
}
"""What a roll against the Kiss results in."""


@tells(events.CheckRolled)
def _checked(event: events.CheckRolled, told: Told) -> None:
    if told.sight.sees(event.who) and told.sight.figures_of(event.who):
        awake = _("{who} stays conscious.") if event.passed else _("{who} passes out.")
        said = str(KISSED[event.passed]) if event.check == "kiss" else awake
        told.tell(said, who=told.name(event.who))
        told.roll(event.roll, "check", str(CHECKS[event.check]))


@tells(events.Bled)
def _bled(event: events.Bled, told: Told) -> None:
    if told.sight.sees(event.who) and told.sight.figures_of(event.who):
        told.tell(_("{who} bleeds."), "harm", who=told.name(event.who))
