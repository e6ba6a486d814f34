"""Tellers of aim, cover, shields and covering fire, limited to what each audience may know."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns.words import said, worded
from combat.history.tell.attacks import suffering
from combat.history.tell.context import Told, quiet, tells
from combat.history.tell.sentences import separated
from rules.model.gear import titled
from rules.model.results import Outcome
from rules.topics import events
from rules.topics.firefights.stance import HIDDEN


@tells(events.WeaponDrawn)
def drawn(event: events.WeaponDrawn, told: Told) -> None:
    if told.sight.sees(event.by):
        said = _("{who} puts away {weapon}.") if event.away else _("{who} draws {weapon}.")
        told.tell(said, who=told.name(event.by), weapon=told.sight.gear(event.by, event.weapon))


@tells(events.CarriedSet)
def carried(event: events.CarriedSet, told: Told) -> None:
    # What somebody else has put away is for the Storyteller and their player.
    if told.sight.everything or told.sight.owns(event.who):
        places = [f"{told.sight.gear(event.who, each.name)} ({worded(each.carried)})" for each in event.weapons]
        told.tell(_("{who} now carries: {weapons}."), "quiet", who=told.name(event.who), weapons=", ".join(places))


@tells(events.WeaponLanded)
def landed(event: events.WeaponLanded, told: Told) -> None:
    if told.sight.sees(event.who):
        weapon = told.sight.gear(event.who, event.weapon)
        told.tell(_("{who}: {weapon} lies on the ground."), "quiet", who=told.name(event.who), weapon=weapon)


@tells(events.AimTaken)
def aimed(event: events.AimTaken, told: Told) -> None:
    if told.sight.sees(event.by):
        again = _("{who} has been aiming at {target} for {turns} turns.")
        said = _("{who} takes aim at {target}.") if event.turns == 1 else again
        told.tell(said, who=told.name(event.by), target=told.name(event.at), turns=event.turns)


@tells(events.AimBroken)
def aim_broken(event: events.AimBroken, told: Told) -> None:
    if told.sight.sees(event.who):
        told.tell(_("{who} loses their aim."), "quiet", who=told.name(event.who))


@tells(events.ShelterTaken)
def sheltered(event: events.ShelterTaken, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    who = told.name(event.who)
    if not event.degree:
        told.tell(_("{who} comes out of cover."), who=who)
        return
    how = said(HIDDEN[event.degree])
    if event.cover:
        told.tell(_("{who} takes cover behind {cover}: {how}."), who=who, cover=told.sight.said(event.cover), how=how)
    else:
        told.tell(_("{who} hides: {how}."), who=who, how=how)


@tells(events.ShieldHeld)
def shielded(event: events.ShieldHeld, told: Told) -> None:
    if told.sight.sees(event.by) and told.sight.sees(event.shield):
        said = _("{who} lets go of {shield}.") if event.let_go else _("{who} uses {shield} as a human shield.")
        told.tell(said, who=told.name(event.by), shield=told.name(event.shield))


@tells(events.CoverSet)
def cover_set(event: events.CoverSet, told: Told) -> None:
    if told.sight.everything:
        cover = event.cover
        through = _("{cover}: Durability {durability}, Structure {structure}, see-through.")
        solid = _("{cover}: Durability {durability}, Structure {structure}.")
        told.tell(
            through if cover.transparent else solid,
            "quiet",
            cover=titled(cover.name),
            durability=str(cover.durability),
            structure=str(cover.structure),
        )


@tells(events.CoverStruck)
def cover_struck(event: events.CoverStruck, told: Told) -> None:
    # Rows of earlier versions don't record whom it hid, and everybody sees them.
    if event.behind and not any(map(told.sight.sees, event.behind)):
        return
    name, left = titled(told.sight.clean(event.cover.name) or _("the cover")), event.cover.structure
    if left == 0:
        told.tell(_("{cover} is shot to pieces."), cover=name)
    elif not told.sight.everything:
        told.tell(_("{cover} is hit."), "quiet", cover=name)
    elif left is None:
        told.tell(_("{cover} takes {damage} damage."), "quiet", cover=name, damage=event.damage)
    else:
        said = _("{cover} takes {damage} damage and has {left} Structure left.")
        told.tell(said, "quiet", cover=name, damage=event.damage, left=left)


@tells(events.ShieldStruck)
def shield_struck(event: events.ShieldStruck, told: Told) -> None:
    if told.sight.sees(event.done.to):
        told.tell(_("The shield is hit first: {what}"), "quiet", what=suffering(event.done, told))
        # A shot at somebody unseen is hidden, and so is the shooter.
        by = event.by if told.sight.sees(event.target) else ""
        told.suffers(event.done.to, dict(event.done.points), by)


@tells(events.CoveringFireLaid)
def covering_fire(event: events.CoveringFireLaid, told: Told) -> None:
    if not told.sight.sees(event.by):
        return
    seen = [told.name(who) for who in event.at if told.sight.sees(who)]
    said = (
        _("{who} lays down covering fire on {targets}: {what}") if seen else _("{who} lays down covering fire: {what}")
    )
    told.tell(said, who=told.name(event.by), targets=separated(seen), what=_laid(event.outcome))
    told.roll(event.roll, "roll", _("Covering fire"))


def _laid(outcome: Outcome) -> str:
    if outcome is Outcome.FAIL:
        return _("no effect.")
    if outcome is Outcome.DRAMATIC_FAILURE:
        return _("a dramatic failure.")
    return _("on their next turn, they must take cover, drop prone or be hit.")


@tells(events.CoveringFireMet)
def covering_fire_met(event: events.CoveringFireMet, told: Told) -> None:
    if not told.sight.sees(event.who):
        return
    if event.done is None:
        how = {
            "prone": _("{who} drops prone under the covering fire."),
            "cover": _("{who} stays in cover during the covering fire."),
        }
        told.tell(how.get(event.choice, _("{who} acts under covering fire and isn’t hit.")), who=told.name(event.who))
        return
    whose = told.name(event.by) if event.by in told.sight.cast else quiet(_("somebody"))
    what = suffering(event.done, told)
    told.tell(_("Acting under {shooter}’s covering fire: {what}"), "quiet", shooter=whose, what=what)
    told.suffers(event.who, dict(event.done.points), event.by)
