"""Tellers of announced attacks; before approval, only the Storyteller and the attacker's player see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.words import said
from combat.history.entries import Line, Span
from combat.history.tell.context import Told, tells
from combat.history.tell.sentences import listed
from rules.model.state import ASK, NO_DEFENCE, Exchange, Step
from rules.model.words import in_words
from rules.topics import events
from rules.topics.events import Aspect, Change


@tells(events.AttackProposed)
def _proposed(event: events.AttackProposed, told: Told) -> None:
    exchange = event.exchange
    if exchange.step is Step.APPROVED:
        _announced(exchange, told)
    elif _in_the_know(exchange, told):
        attacker, targets = told.name(exchange.attack.by), _names(told, exchange.attack.at)
        wants = _("{attacker} wants to attack {targets}. The Storyteller has to approve the attack.")
        told.tell(wants, "quiet", attacker=attacker, targets=targets)


@tells(events.AttackApproved)
def _approved(event: events.AttackApproved, told: Told) -> None:
    _announced(event.exchange, told)


def _announced(exchange: Exchange, told: Told) -> None:
    """Tell everybody of an attack that waits for answers or dice; one rolled at once has its own entry."""
    attack = exchange.attack
    seen = [who for who in attack.at if told.sight.sees(who)]
    attackers = [who for who in (attack.by, *attack.others) if told.sight.sees(who)]
    if not (exchange.asked or exchange.by_hand) or not attackers or not seen:
        return
    names, targets = _names(told, attackers), _names(told, seen)
    if len(attackers) > 1:
        told.tell(_("{attackers} are about to attack {targets}."), "quiet", attackers=names, targets=targets)
    else:
        told.tell(_("{attacker} is about to attack {targets}."), "quiet", attacker=names, targets=targets)


@tells(events.AttackChanged)
def _changed(event: events.AttackChanged, told: Told) -> None:
    if _in_the_know(event.exchange, told):
        by = event.exchange.attack.by
        words = "; ".join(piece for change in event.changes for piece in _otherwise(change, by, told))
        changes = _("The Storyteller changes {attacker}’s attack: {changes}.")
        said = changes if words else _("The Storyteller changes {attacker}’s attack.")
        told.tell(said, "quiet", attacker=told.name(by), changes=Span(words))
    _announced(event.exchange, told)


def _otherwise(change: Change, by: str, told: Told) -> Iterator[str]:
    """A change in words, limited to what the attacker's player may know."""
    was, now = (_known(change.aspect, words, by, told) for words in (change.was, change.now))
    match change.aspect:
        case Aspect.CIRCUMSTANCE:
            yield from [_("with {what}").format(what=now)] if now else []
            yield from [_("without {what}").format(what=was)] if was else []
        case Aspect.STRUCK | Aspect.STRUCK_OF_TARGET:
            yield from [_("{what} struck out").format(what=now)] if now else []
            yield from [_("{what} no longer struck out").format(what=was)] if was else []
        case _:
            if now or was:
                here = str(NOW[change.aspect]).format(what=now or _("not given"))
                yield _("{now} (was {before})").format(now=here, before=was) if was else here


NOW = {
    Aspect.TARGET: gettext_lazy("target: {what}"),
    Aspect.NEAR: gettext_lazy("bystanders: {what}"),
    Aspect.WEAPON: gettext_lazy("weapon: {what}"),
    Aspect.DISTANCE: gettext_lazy("distance: {what}"),
}


def _known(aspect: Aspect, words: tuple[str, ...], by: str, told: Told) -> str:
    match aspect:
        case Aspect.TARGET | Aspect.NEAR:
            return ", ".join(told.sight.name(who) for who in words if told.sight.sees(who))
        case Aspect.WEAPON:
            return ", ".join(told.sight.gear(by, word) for word in words)
        case Aspect.STRUCK_OF_TARGET:
            return ", ".join(said(word) for word in words) if told.sight.everything else ""
        case _:
            return ", ".join(told.sight.clean(word) for word in words)


@tells(events.AttackSentBack)
def _sent_back(event: events.AttackSentBack, told: Told) -> None:
    if not _in_the_know(event.exchange, told):
        return
    word, attacker = told.sight.clean(event.exchange.word), told.name(event.exchange.attack.by)
    if word:
        why = Span(word)
        told.tell(_("The Storyteller sends {attacker}’s attack back: “{word}”"), "quiet", attacker=attacker, word=why)
    else:
        told.tell(_("The Storyteller sends {attacker}’s attack back."), "quiet", attacker=attacker)


def _in_the_know(exchange: Exchange, told: Told) -> bool:
    """Whether the reader may know of an attack before it is approved."""
    return told.sight.everything or told.sight.owns(exchange.attack.by)


@tells(events.AttackAnswered)
def _answered(event: events.AttackAnswered, told: Told) -> None:
    if not (told.sight.everything or (event.by_default and told.sight.owns(event.target))):
        return
    who = told.name(event.target)
    defence = event.exchange.attack.defences.get(event.target)
    if event.instead_of:
        why = told.sight.clean(event.why)
        wanted = _("{who} would answer with {defence} but can’t: {why}")
        told.tell(wanted, "quiet", who=who, defence=in_words(event.instead_of), why=why)
    kind = in_words(defence.kind) if defence and defence.kind else told.passive or _("no defence")
    if told.command == "AnswerByDefault":
        told.tell(_("{who} doesn’t answer in time: {defence}."), "quiet", who=who, defence=kind)
    elif told.passive and not (defence and defence.kind):
        told.tell(_("{who} relies on {defence}."), "quiet", who=who, defence=kind)
    elif not (defence and defence.kind):
        told.tell(_("{who} doesn’t defend."), "quiet", who=who)
    elif event.by_default:
        told.tell(_("{who} answers by default: {defence}."), "quiet", who=who, defence=kind)
    else:
        told.tell(_("{who} answers: {defence}."), "quiet", who=who, defence=kind)


@tells(events.DefaultDefenceSet)
def _default_set(event: events.DefaultDefenceSet, told: Told) -> None:
    seen = [who for who in event.who if told.sight.everything or told.sight.owns(who)]
    if not seen:
        return
    if event.defence == ASK:
        told.tell(_("Default defence for {names}: ask each time."), "quiet", names=_names(told, seen))
    elif event.defence == NO_DEFENCE and not told.passive:
        told.tell(_("Default defence for {names}: none."), "quiet", names=_names(told, seen))
    else:
        answers = _("Default defence for {names}: {defence}.")
        defence = told.passive if event.defence == NO_DEFENCE else in_words(event.defence)
        told.tell(answers, "quiet", names=_names(told, seen), defence=defence)


@tells(events.AttackWithdrawn)
def _withdrawn(_event: events.AttackWithdrawn, told: Told) -> None:
    if told.sight.everything:
        told.tell(_("The attack is withdrawn."), "quiet")


def _names(told: Told, ids: Iterable[str]) -> Line:
    return listed([told.name(who) for who in ids], "quiet")
