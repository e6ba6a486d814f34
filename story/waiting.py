"""What is waiting for a member: what only they can answer, approve or write. Each source answers for one reader."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns import access, sessions
from campaigns.models import Attendance, Membership, Progress, Role, Session, Webhook
from campaigns.rulesets import why_missing
from campaigns.sessions import heading
from characters.experience_pages import open_proposals
from characters.face_services import proposed
from characters.models import Character
from combat.live.frames import view_of
from combat.log.rows import state_now
from combat.models import Encounter, Status
from combat.panes.questions import StorytellerAsks
from combat.secrecy.access import audience_of
from combat.secrecy.audiences import TABLE

MOST_SESSIONS = 3
"""How many unanswered sessions are listed, the next ones first."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something that waits for the reader. `urgent`: others at the table are waiting for it now."""

    text: str
    url: str
    urgent: bool = False


Source = Callable[[Membership], Iterable[Task]]


def waiting_for(membership: Membership) -> tuple[Task, ...]:
    """What waits for this member, the most urgent first; nothing in a read-only chronicle."""
    if why_missing(membership.chronicle.ruleset):
        return ()
    return tuple(task for source in SOURCES for task in source(membership))


def _in_fights(membership: Membership) -> Iterator[Task]:
    """What the reader's own view of a running fight asks them."""
    audience = audience_of(membership)
    if audience == TABLE:
        return
    fights = Encounter.objects.fights().without_state()
    for fight in fights.filter(chronicle=membership.chronicle_id, status=Status.RUNNING).order_by("begun", "pk"):
        fight.chronicle = membership.chronicle
        asks = getattr(view_of(fight, audience), "asks", None)
        if asks is None:
            continue
        url = reverse("combat:encounter", args=[fight.pk])
        asked = len(asks.defences)
        if isinstance(asks, StorytellerAsks):
            asked = len(asks.pending) + len(asks.mishaps) + _unplayed(fight, [each.target for each in asks.defences])
        if asked:
            text = ngettext("%(fight)s: %(number)s question", "%(fight)s: %(number)s questions", asked)
            yield Task(text % {"fight": fight.name, "number": asked}, url, urgent=True)


def _unplayed(fight: Encounter, asked: Collection[str]) -> int:
    """How many of these combatants only a Storyteller can answer for: NPCs, and those whose player's place is open."""
    people = [each for who, each in state_now(fight).combatants.items() if who in asked]
    npcs = sum(not each.player for each in people)
    if npcs == len(people):
        return npcs
    played = Character.with_bin.filter(pk__in=[each.character for each in people if each.player])
    return npcs + played.filter(owner__place_in__isnull=False).count()


def _answers(membership: Membership) -> Iterator[Task]:
    """Sessions to answer, except the one that comes next: its buttons are on the same page."""
    if membership.role != Role.PLAYER:
        return
    coming = sessions.upcoming(membership.chronicle_id)
    mine = Attendance.objects.filter(user=membership.user_id).exclude(answer="")
    rows = Session.objects.filter(chronicle=membership.chronicle_id, progress=Progress.PLANNED)
    rows = rows.exclude(pk__in=mine.values("session")).exclude(pk=coming.pk if coming else "")
    for each in rows.defer("recap").order_by("number")[:MOST_SESSIONS]:
        text = _("Answer: %(session)s") % {"session": heading(each.number, each.title)}
        yield Task(text, reverse("story:session", args=[each.pk]))


def _session(membership: Membership) -> Iterator[Task]:
    """A session to end, and the last one's recap to write."""
    if not membership.is_storyteller:
        return
    if (now := sessions.playing(membership.chronicle_id)) is not None:
        text = _("End when it is over: %(session)s") % {"session": heading(now.number, now.title)}
        yield Task(text, reverse("story:end-session", args=[now.pk]))
    played = Session.objects.filter(chronicle=membership.chronicle_id, progress=Progress.PLAYED)
    last = played.order_by("-number").first()
    if last is not None and not last.recap.strip():
        text = _("Write the recap: %(session)s") % {"session": heading(last.number, last.title)}
        yield Task(text, reverse("story:edit-session", args=[last.pk]))


def _experience(membership: Membership) -> Iterator[Task]:
    if not membership.is_storyteller:
        return
    url = reverse("characters:ledgers", args=[membership.chronicle_id])
    if asked := access.requests_waiting(membership.chronicle):
        text = ngettext(
            "%(number)s request for experience is waiting.", "%(number)s requests for experience are waiting.", asked
        )
        yield Task(text % {"number": asked}, url)
    if proposals := len(open_proposals(membership)):
        text = ngettext("%(number)s award proposed by the log", "%(number)s awards proposed by the log", proposals)
        yield Task(text % {"number": proposals}, url)


def _meetings(membership: Membership) -> Iterator[Task]:
    if membership.is_storyteller and (found := len(proposed(membership))):
        text = ngettext("%(number)s meeting proposed by a fight", "%(number)s meetings proposed by fights", found)
        yield Task(text % {"number": found}, reverse("characters:cast", args=[membership.chronicle_id]))


def _webhook(membership: Membership) -> Iterator[Task]:
    """Announcements that no longer arrive: nobody notices by themselves."""
    if (
        membership.is_storyteller
        and Webhook.objects.filter(chronicle=membership.chronicle_id, stopped__isnull=False).exists()
    ):
        text = _("Announcements elsewhere have stopped: messages didn’t arrive.")
        yield Task(text, reverse("campaigns:webhook", args=[membership.chronicle_id]))


SOURCES: list[Source] = [_in_fights, _answers, _session, _experience, _meetings, _webhook]
"""In the order of the list. Each leaves out what is not this reader's."""
