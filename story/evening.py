"""What the fights of a session tell a reader: narration, turning points, notable rolls; and who acted in them.

Everything comes from the reports, so a reader gets here what their report says. The recap is drafted from the table's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaigns.models import Membership, PassageAudience, Reveal, Session
from characters import rulesets
from characters.hooks import Proposal
from characters.models import Character
from combat.cache import Kept
from combat.history.deeds import Struck, Threw
from combat.history.log import told_of
from combat.history.records import read
from combat.history.report import RollTold, report_of
from combat.history.reveal import as_seen_by
from combat.log import rows as logs
from combat.models import Encounter, LogRow
from combat.panes.build import reader_of
from combat.secrecy.access import audience_of
from combat.secrecy.audiences import TABLE
from combat.secrecy.reader import Reader
from story.digests import own_characters

_found = Kept(400)

MEANS_SOMETHING = str.maketrans({each: f"\\{each}" for each in "\\`*_[]<>#"})


@dataclass(frozen=True, slots=True)
class Told:
    """What a fight tells a reader. `rolls` are the luckiest and the unluckiest."""

    narration: tuple[str, ...] = ()
    turnings: tuple[str, ...] = ()
    rolls: tuple[RollTold, ...] = ()


def fights_of(session: Session, membership: Membership) -> list[Encounter]:
    """The fights that began in a session, first to last; for others than Storytellers, without drafts."""
    found = Encounter.objects.listed().filter(session=session).order_by("begun", "pk")
    fights = [each for each in found if membership.is_storyteller or each.visible_to_players]
    for each in fights:
        each.chronicle = membership.chronicle
    return fights


def told_by(fights: Collection[Encounter], membership: Membership, audience: str = "") -> list[Told]:
    """What these fights tell a member or, with an `audience`, that one. Remembered while the log stays the same."""
    audience = audience or audience_of(membership)
    mine = own_characters(membership, audience)
    ruleset, language = rulesets.ruleset_for(membership.chronicle), get_language()
    told = []
    for each in fights:
        key = (each.pk, each.seal, each.held, audience, mine, ruleset, language)
        known = _found.get(key)
        told.append(_found.put(key, _told(each, audience)) if known is None else known)
    return told


def _told(encounter: Encounter, audience: str) -> Told:
    fight = as_seen_by(read(encounter), audience)
    report = report_of(fight.name, fight.rows, fight.ruleset, reader_of(fight, audience))
    return Told(
        tuple(entry.narration for chapter in report.chapters for entry in chapter.entries if entry.narration),
        tuple(turning.text for turning in report.turnings),
        (*report.best[:1], *report.worst[:1]),
    )


# ------------------------------------------------------------------ the ending


def drafted(session: Session, by: Membership) -> str:
    """A recap to start from, in Markdown: what the whole table knows of the fights, and what everybody was shown."""
    fights = fights_of(session, by)
    parts = [
        "\n\n".join(_chapter(fight.name, told)) for fight, told in zip(fights, told_by(fights, by, TABLE), strict=True)
    ]
    shown = Reveal.objects.filter(session=session, everyone=True, passage__audience=PassageAudience.EVERYONE)
    titles = dict.fromkeys(shown.filter(passage__page__binned=None).values_list("passage__page__title", flat=True))
    if titles:
        heading = _("Shown to everybody")
        parts.append("\n".join([f"## {heading}", "", *(f"- {_plain(each)}" for each in titles)]))
    return "\n\n".join(parts)


def _chapter(name: str, told: Told) -> Iterator[str]:
    yield f"## {_plain(name)}"
    # Somebody's own sentences come first.
    yield from map(_plain, told.narration)
    if told.turnings:
        yield "\n".join(f"- {_plain(each)}" for each in told.turnings)


def _plain(text: str) -> str:
    """A text on one line that formats nothing, still readable in the form."""
    return " ".join(text.split()).translate(MEANS_SOMETHING)


def acted(session: Session) -> frozenset[int]:
    """The users who did something in a session: pressed a button, had a character act, or were shown a passage."""
    fights = list(Encounter.objects.fights().filter(session=session).select_related("chronicle"))
    outside = list(
        Encounter.objects.filter(chronicle=session.chronicle_id, outside_fights=True).select_related("chronicle")
    )
    within = _tokens_outside(session)
    pressed = set(LogRow.objects.filter(encounter__in=fights).exclude(actor=None).values_list("actor", flat=True))
    pressed |= {actor for actor in within.values() if actor}
    characters = {who for fight in fights for who in _actors(fight, None)}
    if within:
        characters |= {who for log in outside for who in _actors(log, within.keys())}
    owners = Character.with_bin.filter(pk__in=characters).exclude(owner=None).values_list("owner", flat=True)
    shown = Reveal.objects.filter(session=session).exclude(to=None).values_list("to__user", flat=True)
    return frozenset({*pressed, *owners, *shown})


def belongs_to(session: Session, fights: Iterable[Encounter]) -> frozenset[str]:
    """The logs' rows that awards of a session are proved by: its fights' ids, and the tokens of rows outside fights."""
    return frozenset({*(each.pk for each in fights), *_tokens_outside(session)})


def is_of(proposal: Proposal, proofs: Collection[str]) -> bool:
    """Whether a proposed award was earned in a session with these `proofs`."""
    fight, _colon, rest = proposal.proof.partition(":")
    return fight in proofs or rest.partition(":")[0] in proofs


def _tokens_outside(session: Session) -> dict[str, int | None]:
    """The rows outside fights from a session's time, with who made them."""
    if session.begun is None:
        return {}
    rows = LogRow.objects.filter(
        encounter__chronicle=session.chronicle_id, encounter__outside_fights=True, created__gte=session.begun
    )
    if session.ended is not None:
        rows = rows.filter(created__lte=session.ended)
    return dict(rows.values_list("token", "actor"))


def _actors(log: Encounter, tokens: Collection[str] | None) -> Iterator[str]:
    """The characters that attacked or rolled in a log, or in some of its rows."""
    ruleset, wanted = rulesets.ruleset_for(log.chronicle), None if tokens is None else set(tokens)
    for row in reversed(logs.as_they_stand(logs.rows_of(log))):
        if wanted is not None:
            if not wanted:
                return
            if row.token not in wanted:
                continue
            wanted.discard(row.token)
        if row.undone:
            continue
        for deed in told_of(row, Reader(everything=True), ruleset).deeds:
            who = deed.by if isinstance(deed, Struck) else deed.rolled.by if isinstance(deed, Threw) else ""
            if character := row.cast["who"].get(who, {}).get("character"):
                yield character
