"""Tellers of attacks and their consequences, limited to what each audience may know."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from combat.history.deeds import Scarred, Struck
from combat.history.entries import Line, Span
from combat.history.tell.context import Told, harm, quiet, tells
from combat.history.tell.sentences import sentence, separated
from rules.model.gear import BARE_HANDS
from rules.model.plan import dice_of
from rules.model.results import Outcome
from rules.strike.active_defence import defense_in
from rules.topics import events
from rules.topics.attacks.mishaps import Mishap

DEFENDED = {
    "dodge": gettext_lazy("dodged."),
    "parry": gettext_lazy("parried."),
    "block": gettext_lazy("blocked."),
    "clash": gettext_lazy("beaten in the clash."),
}

MISHAPS = {
    Mishap.JAM: gettext_lazy("{who}’s weapon jams."),
    Mishap.SEIZED: gettext_lazy("{who}’s weapon jams and seizes up."),
    Mishap.NOTHING: gettext_lazy("{who} gets away without a mishap."),
    Mishap.EXPLOSION: gettext_lazy("{who}’s weapon explodes."),
    Mishap.BROKEN: gettext_lazy("{who}’s weapon breaks."),
    Mishap.ALLY_HIT: gettext_lazy("{who} hits the wrong person."),
    Mishap.FALL: gettext_lazy("{who} falls."),
}


@tells(events.AttackResolved)
def resolved(event: events.AttackResolved, told: Told) -> None:
    for result in event.results:
        if not told.sight.sees(result.target):
            continue
        if told.sight.sees(event.plan.by):
            _blow(event, result, told)
        elif result.done and result.done.dealt:
            # Of a blow by an unseen attacker, only its damage is known.
            suffered(result.done, told)
            told.suffers(result.done.to, dict(result.done.points))
            told.roll(result.defence, result.defence_kind or "defence")
            told.roll(result.done.soak, "soak")
        elif result.defence and told.sight.owns(result.target):
            # A player who was asked and rolled knows that there was an attack.
            told.tell(_("{who} defends against an unseen attacker and isn’t hurt."), who=told.name(result.target))
            told.roll(result.defence, result.defence_kind)


def _blow(event: events.AttackResolved, result: events.AttackResult, told: Told) -> None:
    _attack(event, result, told)
    _needed(event, result, told)
    _defense(result, told)
    told.deeds.append(Struck(event.plan.by, result.done is not None))
    told.roll(result.attack, "attack", target=result.target)
    told.roll(result.defence, result.defence_kind or "defence")
    for done, by in ((result.done, event.plan.by), (result.counter, result.target)):
        if done:
            told.suffers(done.to, dict(done.points), by)
            told.roll(done.damage, "damage")
            told.damage(done, by)
            told.roll(done.soak, "soak")
    if result.counter:
        clash = result.defence_kind == "clash"
        how = _("The clash strikes back: {what}") if clash else _("The parry strikes back: {what}")
        told.tell(how, "quiet", what=suffering(result.counter, told))
    for done in (result.done, result.counter):
        if done and told.injuries and done.dealt >= told.injuries.scarring > 0 and told.sight.figures_of(done.to):
            told.tell(_("{who} is left with a battle scar."), "quiet", who=told.name(done.to))
            told.deeds.append(Scarred(done.to))


def _attack(event: events.AttackResolved, result: events.AttackResult, told: Told) -> None:
    """Who attacks whom with what, and the outcome."""
    late = event.out_of_order and told.sight.everything
    if event.plan.weapon == BARE_HANDS:
        late_said = _("{attacker} attacks {target} out of turn: {outcome}")
        said = late_said if late else _("{attacker} attacks {target}: {outcome}")
    else:
        late_said = _("{attacker} attacks {target} with {weapon} out of turn: {outcome}")
        said = late_said if late else _("{attacker} attacks {target} with {weapon}: {outcome}")
    told.tell(
        said,
        attacker=told.name(event.plan.by),
        target=told.name(result.target),
        weapon=told.sight.gear(event.plan.by, event.plan.weapon),
        outcome=outcome_of(result, told),
    )


def _needed(event: events.AttackResolved, result: events.AttackResult, told: Told) -> None:
    """How many successes a hit needed if more than one, for readers who may see the target's Traits."""
    for against in event.plan.against:
        why = [part for part in against.needs if part.successes and not part.struck]
        if against.target == result.target and against.needed > 1 and why and told.sight.rolls_of(result.target):
            parts = separated([f"{told.sight.clean(part.label)} {part.successes}" for part in why], "quiet")
            told.go_on(_("It takes {needed} successes to hit: {why}."), "quiet", needed=against.needed, why=parts)
            for part in why:
                told.cite(part.rule)


def _defense(result: events.AttackResult, told: Told) -> None:
    """The dice that the target's Defense took off, for readers who may see the target's Traits."""
    dice = -dice_of(parts := defense_in(result.attack.plan.parts))
    if dice <= 0 or not told.sight.rolls_of(result.target):
        return
    took = ngettext("Defense took {dice} die off the attack.", "Defense took {dice} dice off the attack.", dice)
    told.go_on(took, "quiet", dice=dice)
    told.cite(parts[0].rule)


def outcome_of(result: events.AttackResult, told: Told) -> Line:
    """The outcome of an attack against one target, in words."""
    if result.outcome is Outcome.BOTCH:
        return (harm(_("a botch.")),)
    if result.outcome is Outcome.DRAMATIC_FAILURE:
        return (harm(_("a dramatic failure.")),)
    if result.done is None:
        defended = DEFENDED.get(result.defence_kind) if result.taken_off else None
        return (Span(str(defended or _("a miss."))),)
    if not told.sight.figures_of(result.target):
        return (Span(_("a hit.")),)
    if result.done.dealt:
        return _damage(result, result.done, told)
    return (Span(_("a hit, but no damage gets through.") if result.done.levels else _("a hit that does no damage.")),)


def _damage(result: events.AttackResult, done: events.DamageDone, told: Told) -> Line:
    dealt = told.dealt(dict(done.points))
    exceptional = result.outcome is Outcome.EXCEPTIONAL
    said = sentence(_("{harm}, an exceptional success.") if exceptional else "{harm}.", harm=dealt)
    if not done.soaked or not told.sight.faces_of(result.target):
        return said
    template = ngettext("{soaked} of {levels} level soaked.", "{soaked} of {levels} levels soaked.", done.levels)
    soaked = sentence(template, "quiet", levels=done.levels, soaked=done.soaked)
    return (*said, quiet(" "), *soaked)


def suffering(done: events.DamageDone, told: Told) -> Line:
    """The damage somebody takes, in words."""
    who = told.name(done.to)
    if not told.sight.figures_of(done.to):
        return sentence(_("{who} is hurt."), who=who)
    if done.dealt:
        return sentence(_("{who} takes {harm}."), who=who, harm=told.dealt(dict(done.points)))
    return sentence(_("{who} takes no damage."), who=who)


def suffered(done: events.DamageDone, told: Told) -> None:
    """Tell the damage somebody takes."""
    told.lines.append(suffering(done, told))


@tells(events.MishapPending)
def mishap_pending(event: events.MishapPending, told: Told) -> None:
    if told.sight.everything:
        told.tell(_("Mishap for {who}: choose one."), "quiet", who=told.name(event.mishap.by))


@tells(events.MishapSettled)
def mishap(event: events.MishapSettled, told: Told) -> None:
    if told.sight.sees(event.by):
        told.tell(str(MISHAPS[Mishap(event.mishap)]), who=told.name(event.by))
        if event.by_chance and told.sight.everything:
            told.go_on(_("The mishap was picked at random."), "quiet")
    if event.done and told.sight.sees(event.done.to):
        suffered(event.done, told)
        told.suffers(event.done.to, dict(event.done.points))
        if told.sight.sees(event.by):
            told.roll(event.done.damage, "damage")
        told.roll(event.done.soak, "soak")


@tells(events.JamCleared)
def unjammed(event: events.JamCleared, told: Told) -> None:
    if told.sight.sees(event.by):
        weapon = told.sight.gear(event.by, event.weapon)
        told.tell(_("{who} clears a jam: {weapon}."), who=told.name(event.by), weapon=weapon)


@tells(events.Reloaded)
def reloaded(event: events.Reloaded, told: Told) -> None:
    if told.sight.sees(event.by):
        weapon = told.sight.gear(event.by, event.weapon)
        told.tell(_("{who} reloads {weapon}."), who=told.name(event.by), weapon=weapon)


@tells(events.ArmorDestroyed)
def armor_destroyed(event: events.ArmorDestroyed, told: Told) -> None:
    if told.sight.sees(event.who) and told.sight.figures_of(event.who):
        armor = harm(told.sight.gear(event.who, event.armor.name))
        told.tell(_("{who}’s armour is destroyed: {armor}."), who=told.name(event.who), armor=armor)


@tells(events.KnockedDown)
def knocked_down(event: events.KnockedDown, told: Told) -> None:
    if told.sight.sees(event.who):
        up = event.outcome is Outcome.SUCCESS
        said = _("{who} is knocked down but gets straight back up.") if up else _("{who} is knocked down.")
        told.tell(said, who=told.name(event.who))
        told.roll(event.roll, "check", _("Knockdown"))
