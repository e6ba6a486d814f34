"""Tellers of joining, visibility, initiative, turns and declarations."""

from __future__ import annotations

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.words import said
from combat.history.entries import Line, Span
from combat.history.tell.context import Told, quiet, tells
from combat.history.tell.sentences import action_words, distance, listed, point_words, quoted, separated, towards
from rules.engine.phrases import Phrase
from rules.model.choices import Modifier
from rules.model.state import HealthShown, Score, Side
from rules.model.words import in_words
from rules.topics import events

# ------------------------------------------------------------------ the cast, and turns


@tells(events.Joined)
def _joined(event: events.Joined, told: Told) -> None:
    if told.command == "Join" and told.sight.sees(event.combatant.id):
        told.tell(_("{who} joins the fight."), "quiet", who=told.name(event.combatant.id))


@tells(events.Left)
def _left(event: events.Left, told: Told) -> None:
    if told.sight.sees(event.who):
        told.tell(_("{who} leaves the fight."), "quiet", who=told.name(event.who))


HEALTH_SHOWN = {
    HealthShown.BOXES: gettext_lazy("boxes"),
    HealthShown.WORD: gettext_lazy("a word"),
    HealthShown.NOTHING: gettext_lazy("nothing"),
}
"""The labels of how much of a combatant's health players see."""


@tells(events.VisibilityChanged)
def _visibility(event: events.VisibilityChanged, told: Told) -> None:
    who = told.name(event.who)
    if told.sight.everything:
        shown = str(HEALTH_SHOWN[HealthShown(event.health_shown)])
        if event.hidden:
            told.tell(_("{who} is now hidden; health shown: {shown}."), "quiet", who=who, shown=shown)
        elif event.mask:
            mask = event.mask
            told.tell(
                _("{who} now appears as “{mask}”; health shown: {shown}."), "quiet", who=who, mask=mask, shown=shown
            )
        else:
            told.tell(_("{who} is now visible; health shown: {shown}."), "quiet", who=who, shown=shown)
        if event.dice_shown:
            told.go_on(_("Players see the dice too."), "quiet")
    elif told.sight.cast[event.who].get("appeared") and not told.sight.owns(event.who):
        told.tell(_("{who} comes into sight."), "quiet", who=who)
    elif (former := told.sight.cast[event.who].get("lifted")) and not event.hidden and not told.sight.owns(event.who):
        told.tell(_("{mask} turns out to be {who}."), mask=Span(capfirst(former), "name"), who=who)


_STATUS = {
    "Begin": gettext_lazy("The fight begins."),
    "Resume": gettext_lazy("The fight goes on."),
    "Pause": gettext_lazy("The fight is paused."),
    "End": gettext_lazy("The fight is over."),
}


@tells(events.Grouped)
def _grouped(event: events.Grouped, told: Told) -> None:
    if told.sight.everything and event.who:
        names = listed([told.name(who) for who in event.who])
        if event.band:
            told.tell(_("{who} now act and roll together."), tone="quiet", who=names)
        else:
            told.tell(_("{who} acts alone again."), tone="quiet", who=names)


@tells(events.Armed)
def _armed(event: events.Armed, told: Told) -> None:
    who = [each for each in event.who if told.sight.everything or told.sight.owns(each)]
    if who:
        said = ngettext("{who} gets {weapon}.", "{who} get {weapon}.", len(who))
        told.tell(said, "quiet", who=listed([told.name(each) for each in who]), weapon=event.weapon.name)


@tells(events.SideChosen)
def _side(event: events.SideChosen, told: Told) -> None:
    if told.sight.everything:
        said = {
            Side.ALLIES: ngettext("{who} is now an ally.", "{who} are now allies.", len(event.who)),
            Side.ENEMIES: ngettext("{who} is now an enemy.", "{who} are now enemies.", len(event.who)),
            Side.OTHERS: ngettext("{who} is now on neither side.", "{who} are now on neither side.", len(event.who)),
        }
        told.tell(said[Side(event.side)], "quiet", who=listed([told.name(who) for who in event.who]))


@tells(events.StatusChanged)
def _status(_event: events.StatusChanged, told: Told) -> None:
    if told.command in _STATUS:
        told.tell(str(_STATUS[told.command]), "strong")


@tells(events.InitiativeRolled)
def _initiative(event: events.InitiativeRolled, told: Told) -> None:
    ranked = [who for rank in event.order for who in rank if who in event.scores and told.sight.sees(who)]
    if ranked:
        told.tell(_("Initiative: {ranks}"), ranks=separated([_score(event.scores[who], who, told) for who in ranked]))


def _score(score: Score, who: str, told: Told) -> Line:
    rolled = (told.name(who), Span(f" {score.total}", "strong"))
    if not told.sight.faces_of(who):
        return rolled
    faces = " ".join(map(str, score.faces))
    # A penalty would say how hurt somebody is, so others see only what is added in all.
    wounds = score.wounds if told.sight.rolls_of(who) else 0
    rating = score.rating - wounds
    how = [
        _("{faces} against {difficulty}").format(faces=faces, difficulty=score.difficulty)
        if score.difficulty
        else f"{faces} {'−' if rating < 0 else '+'} {abs(rating)}"
    ]
    how += [_("wounds −{dice}").format(dice=-wounds)] if wounds else []
    # They may have tied with somebody unseen, so only the Storyteller sees the tie-break.
    tied = " ".join(map(str, score.ties)) if told.sight.everything else ""
    how += [_("tie {faces}").format(faces=tied)] if tied else []
    how += [_("ambushed")] if score.ambushed else []
    return (*rolled, quiet(f" ({'; '.join(how)})"))


@tells(events.StandingsChanged)
def _standings(event: events.StandingsChanged, told: Told) -> None:
    ranked = [who for rank in event.order for who in rank if who in event.scores and told.sight.rolls_of(who)]
    if ranked:
        scores = [(told.name(who), Span(f" {event.scores[who].total}", "strong")) for who in ranked]
        told.tell(_("Initiative now: {ranks}"), ranks=separated(scores))


@tells(events.Moved)
def _went(event: events.Moved, told: Told) -> None:
    if told.sight.sees(event.by):
        said = _("{who} runs {distance}.") if event.as_action else _("{who} moves {distance}.")
        told.tell(said, who=told.name(event.by), distance=distance(event.distance, event.unit))


@tells(events.ShapeChanged)
def _shape(event: events.ShapeChanged, told: Told) -> None:
    if told.sight.sees(event.who):
        told.tell(_("{who} changes into {shape}."), who=told.name(event.who), shape=event.label)


@tells(events.EvasionHeld)
def _evading(event: events.EvasionHeld, told: Told) -> None:
    if told.sight.rolls_of(event.who):
        left = ngettext("{count} success", "{count} successes", event.left).format(count=event.left)
        ready = Span(left if event.left else _("nothing"))
        told.tell(_("{who} has {successes} to evade with."), "quiet", who=told.name(event.who), successes=ready)


@tells(events.Aimed)
def _aimed(event: events.Aimed, told: Told) -> None:
    if not event.rounds or not told.sight.sees(event.by):
        return
    if event.target and told.sight.sees(event.target):
        told.tell(_("{who} takes aim at {target}."), who=told.name(event.by), target=told.name(event.target))
    else:
        told.tell(_("{who} takes aim."), who=told.name(event.by))
    if event.rounds > 1:
        told.go_on(_("({rounds} rounds)"), "quiet", rounds=event.rounds)


@tells(events.OrderSet)
def _order(_event: events.OrderSet, told: Told) -> None:
    if told.sight.everything:
        told.tell(_("The Storyteller changes the turn order."), "quiet")


@tells(events.RankMoved)
def _rank_moved(event: events.RankMoved, told: Told) -> None:
    score = event.scores.get(event.who)
    if score is not None and told.sight.sees(event.who):
        rank = Span(str(score.total), "strong")
        told.tell(_("{who} moves to initiative {rank}."), "quiet", who=told.name(event.who), rank=rank)


@tells(events.HeldOver)
def _held_over(event: events.HeldOver, told: Told) -> None:
    if told.sight.sees(event.by):
        told.tell(_("{who} holds this turn’s action over to the next turn."), who=told.name(event.by))


@tells(events.FreshStartTaken)
def _fresh_start(event: events.FreshStartTaken, told: Told) -> None:
    if told.sight.sees(event.by):
        said = _("{who} makes a fresh start: initiative {rank} from the next turn.")
        told.tell(said, who=told.name(event.by), rank=event.rank)


@tells(events.InitiativeModeSet)
def _mode(event: events.InitiativeModeSet, told: Told) -> None:
    told.tell(
        _("Initiative is rolled every turn.") if event.every_turn else _("Initiative is kept for the whole fight.")
    )


@tells(events.CircumstancesSet)
def _circumstances(event: events.CircumstancesSet, told: Told) -> None:
    if event.who and not told.sight.sees(event.who):
        return
    each = [
        f"{_circumstance(one, told)} {dice:+}" if (dice := one.figures.get("dice")) else _circumstance(one, told)
        for one in event.circumstances
    ]
    what = ", ".join(each) or _("special circumstances removed")
    if event.who:
        told.tell(_("{who}: {circumstances}."), who=told.name(event.who), circumstances=what)
    else:
        told.tell(_("The scene: {circumstances}."), circumstances=what)


def _circumstance(circumstance: Modifier, told: Told) -> str:
    why = circumstance.figures.get("why")
    return told.sight.clean(str(why) if why else in_words(circumstance.key))


@tells(events.Described)
def _described(event: events.Described, told: Told) -> None:
    mine = [who for who in event.to if told.sight.owns(who)]
    if told.sight.everything or mine:
        names = separated([told.name(who) for who in (event.to if told.sight.everything else mine)])
        if event.text:
            told.tell(_("Only for {names}: {text}"), "quiet", names=names, text=Span(event.text))
        else:
            told.tell(_("The private message for {names} is removed."), "quiet", names=names)


@tells(events.Declared)
def _declared(event: events.Declared, told: Told) -> None:
    if not told.sight.sees(event.by):
        return
    declaration = event.declaration
    actions = action_words(declaration.actions)
    words = [quoted(told.sight.said(declaration.text))] if declaration.text else []
    words += [actions] if actions else []
    if declaration.at and told.sight.sees(declaration.at):
        words[-1:] = [towards(words[-1] if words else "", told.sight.name(declaration.at))]
    words += [_("delay")] if declaration.delay else []
    # Those of the sheet are kept as it spells them; others were typed.
    words += [said(power) if isinstance(power, Phrase) else point_words(power) for power in declaration.disciplines]
    points = {"willpower": 0, **declaration.points}
    points["willpower"] += declaration.willpower
    words += [f"{amount} {point_words(key)}" for key, amount in points.items() if amount]
    what = Span("; ".join(words) or _("nothing in particular"))
    told.tell(_("{who} declares: {what}"), "quiet", who=told.name(event.by), what=what)


@tells(events.TurnMoved)
def _moved(event: events.TurnMoved, told: Told) -> None:
    if not told.sight.everything:
        return
    names = [quiet(told.sight.name(who)) for who in event.visit.ids] if event.visit else []
    if names:
        told.tell(ngettext("{names} acts.", "{names} act.", len(names)), "quiet", names=listed(names, "quiet"))
    else:
        told.tell(_("Everyone has acted."), "quiet")


@tells(events.TurnEnded)
def _turn(event: events.TurnEnded, told: Told) -> None:
    told.tell(_("Turn {turn} begins"), "strong", turn=event.next)


@tells(events.Delayed)
def _delayed(event: events.Delayed, told: Told) -> None:
    if not told.sight.sees(event.by):
        return
    if event.text:
        text = told.sight.said(event.text)
        told.tell(_("{who} waits: “{text}”"), who=told.name(event.by), text=text)
    else:
        told.tell(_("{who} waits."), who=told.name(event.by))


@tells(events.Aborted)
def _aborted(event: events.Aborted, told: Told) -> None:
    if told.sight.sees(event.by):
        tried = _("{who} tries to abort to a defence, but fails.")
        told.tell(_("{who} aborts to a defence.") if event.succeeded else tried, who=told.name(event.by))
        told.roll(event.roll, "roll", _("Abort"))


@tells(events.FullDefenceTaken)
def _full_defence(event: events.FullDefenceTaken, told: Told) -> None:
    if told.sight.sees(event.by):
        told.tell(_("{who} only defends this turn."), who=told.name(event.by))
