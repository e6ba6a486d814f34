"""Openings for the Storyteller's narration of an attack: made of what it came to, as the table may know of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from combat.secrecy.sight import Sight, sight_of
from rules.engine.messages import replay
from rules.model.past import Past
from rules.model.results import AttackResult, Outcome
from rules.topics.attacks.past import resolved, results

GRAVE = 3
"""From so many levels on a blow is told as a grave one."""

DARK = "from the dark"
"""How a blow is told whose attacker nobody sees."""

COMMON: Mapping[str, tuple[Any, ...]] = {
    "hit": (_("{who} finds the gap, and {whom} feels it."), _("{whom} is a heartbeat too slow for {who}.")),
    "grave": (_("{who} hits with everything there is; {whom} reels."), _("Something in {whom} gives way.")),
    "nothing": (_("It lands, and {whom} only looks down at it."), _("{who} strikes true, to no effect at all.")),
    "miss": (_("{who} strikes at where {whom} was."), _("A breath too late: {who} hits nothing but air.")),
    "defended": (_("{whom} saw it coming, and {who} meets no flesh."), _("{whom} turns it aside at the last moment.")),
    "botch": (_("It goes wrong in {who}’s hands."), _("{who} will remember this one for the wrong reason.")),
    "fell": (_("{whom} goes down, and stays there."), _("The last of the strength leaves {whom}.")),
    "torpor": (_("{whom} falls silent as stone, eyes open, nothing behind them."),),
    "dead": (_("{whom} is gone before the echo is."), _("It is over for {whom}.")),
    DARK: (_("Nobody saw where it came from; {whom} bleeds all the same."), _("Out of nowhere, {whom} is hit.")),
}
"""What is offered in every chronicle, by what an attack came to."""

OWN: Mapping[str, Mapping[str, Any]] = {
    "masquerade": {
        "hit": _("Cold blood answers cold blood: {whom} pays {who} a first instalment."),
        "grave": _("{who} opens {whom} up, and the Beast in both of them smells it."),
        "nothing": _("Dead flesh shrugs. {whom} does not even blink at {who}."),
        "miss": _("Centuries of grace, and {who} cuts the night in two beside {whom}."),
        "defended": _("{whom} moves as only the dead can, and {who} is left with a handful of coat."),
        "botch": _("The curse has a sense of humour tonight, and {who} is its joke."),
        "fell": _("{whom} folds up like a puppet whose master has left the room."),
        "dead": _("What held {whom} together lets go, and the years come all at once."),
    },
    "apocalypse": {
        "hit": _("{who} draws blood, and Rage rises on both sides."),
        "grave": _("Bone cracks. {who} throws {whom} across the clearing."),
        "nothing": _("{whom} shakes it off like rain from a pelt."),
        "miss": _("{who}’s blow takes a tree instead; {whom} is already circling."),
        "defended": _("{whom} slips under the blow, low, teeth bared at {who}."),
        "botch": _("Even the spirits look away from what {who} does there."),
        "fell": _("{whom} drops where the moon can see it."),
        "dead": _("A howl goes up for {whom}, or it should."),
    },
    "darkness": {
        "hit": _("{who} connects. {whom} makes a small, surprised sound."),
        "grave": _("It is much louder than in films when {who} hits {whom}."),
        "nothing": _("{whom} waits for the pain, and it does not come."),
        "miss": _("{who} swings, stumbles, and {whom} is somewhere else in the bad light."),
        "defended": _("{whom} throws up an arm, and luck does the rest."),
        "botch": _("{who} has just enough time to understand the mistake."),
        "fell": _("{whom} sits down slowly, as if tired."),
        "dead": _("{whom}’s phone goes on ringing for a while."),
    },
    "chronicles": {
        "hit": _("{who} gets through, and the plan that {whom} had is gone."),
        "grave": _("The floor under {whom} is red before either of them understands."),
        "nothing": _("It should have hurt. {whom} and {who} both know it."),
        "miss": _("Glass breaks behind {whom}; that is all {who} hits."),
        "defended": _("{whom} reads {who} like a street sign, and steps aside."),
        "botch": _("Everything that could slip does, and {who} with it."),
        "fell": _("{whom} looks for something to hold on to, and finds the ground."),
        "dead": _("Nobody in the room says {whom}’s name for a while."),
    },
    "wounds": {
        "hit": _("{who} leaves a mark on {whom} that will have a story."),
        "grave": _("That one goes deep: {whom} will carry it for good."),
        "nothing": _("Leather, luck or bone: something keeps {who} from {whom}."),
        "miss": _("{who} commits, and {whom} is not there."),
        "defended": _("Steel on steel, and {whom} still stands."),
        "botch": _("{who} overreaches, and everybody sees it."),
        "fell": _("One wound too many. {whom} falls."),
        "dead": _("{whom} counts no more wounds."),
    },
}
"""One more for each ruleset, in its own tone."""


def openings(past: Past, ruleset: str) -> tuple[str, ...]:
    """Ways to begin to tell an attack, for the first target that the table sees; none where it sees none.

    Nobody is named whom the table does not know, and nobody otherwise than it knows them.
    """
    sight = sight_of(past.before)
    result = next((each for each in results(past) if sight.sees(each.target)), None)
    if result is None:
        return ()
    by = resolved(past).plan.by
    names = {"who": sight.name(by), "whom": sight.name(result.target)}
    if not sight.sees(by):
        hurt = result.done is not None and result.done.dealt > 0
        return tuple(str(each).format(**names) for each in COMMON[DARK]) if hurt else ()
    return tuple(str(each).format(**names) for each in _offered(past, result, ruleset, sight))


def _offered(past: Past, result: AttackResult, ruleset: str, sight: Sight) -> Iterator[Any]:
    for kind in _kinds(past, result, sight):
        own = OWN.get(ruleset, {}).get(kind)
        yield from [own] if own else []
        yield from COMMON[kind]


def _kinds(past: Past, result: AttackResult, sight: Sight) -> Iterator[str]:
    """What it came to, the gravest first, as far as the table sees how the target is."""
    if result.outcome in (Outcome.BOTCH, Outcome.DRAMATIC_FAILURE):
        yield "botch"
    elif result.done is None:
        yield "defended" if result.taken_off else "miss"
    elif not sight.figures_of(result.target):
        yield "hit"
    elif not result.done.dealt:
        yield "nothing"
    else:
        after = replay(past.before, past.events).combatants[result.target].conditions
        came = after - past.before.combatants[result.target].conditions
        fates = (("dead", "dead"), ("torpor", "torpor"), ("incapacitated", "fell"), ("dying", "fell"))
        yield from (kind for condition, kind in fates if condition in came)
        yield "grave" if result.done.dealt >= GRAVE else "hit"
