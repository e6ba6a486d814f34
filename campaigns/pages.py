"""View models of the home page and a chronicle's page, built for one member.

They work as an allow-list: a template gets these frozen values and no models, so a forgotten field stays hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns import access, conduct, kinds, rulesets
from campaigns.coming import Coming, coming_for
from campaigns.glance import Glance, glances
from campaigns.models import Chronicle, Invitation, Membership, Role, User
from campaigns.people import told_apart
from campaigns.reading import PageTitle, title_lines, titles
from campaigns.sections import sections_for
from campaigns.viewing import view_as_url

ENCOUNTER_ORDER = ("running", "paused", "draft", "ended")
NEWEST_PAGES = 8
"""How many pages are on the chronicle's page."""


@dataclass(frozen=True, slots=True)
class CastLine:
    """A character on the chronicle's page. `changed`: their player has changed dots since the last fight began.

    `glance` is for those who may read the sheet, None for all others.
    """

    name: str
    concept: str
    player: str
    is_mine: bool
    url: str
    portrait: str
    changed: bool = False
    glance: Glance | None = None


@dataclass(frozen=True, slots=True)
class AntagonistLine(CastLine):
    """A Storyteller's character. There may be hundreds, so the glance at each is worked out only when it is shown.

    `version`, the character's, stands for it in the page's token.
    """

    version: int = 0
    look: Callable[[], Glance | None] = field(default=lambda: None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class EncounterLine:
    """An encounter on the chronicle's page. `above` and `below` are the ids of a draft's neighbours in their order."""

    id: str
    name: str
    status: str
    status_label: str
    url: str
    above: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member on the chronicle's page. `view_url` leads a Storyteller to the chronicle as this member sees it.

    `is_open`: nobody has taken this place yet.
    """

    id: int
    name: str
    role: str
    role_label: str
    is_me: bool
    fixed: str
    view_url: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class InvitationLine:
    """An invitation on the Storyteller's page."""

    id: int
    name: str
    role_label: str
    uses_left: int
    max_uses: int
    ends_in: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Offer:
    """What an invitation tells somebody who opens its link. `place`: whose open place it gives, "" for a new one."""

    chronicle: str
    ruleset: str
    role: str
    role_label: str
    inviter: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class ChroniclePage:
    """A chronicle's page as one member may see it.

    `read_only` is the reason why nothing can be changed, "" if it can; then Storytellers `may_change` it.
    `sections` are those of the apps above, by name.
    """

    id: str
    name: str
    description: str
    ruleset: str
    ruleset_key: str
    read_only: str
    is_storyteller: bool
    may_change: bool
    may_play: bool
    players_characters: tuple[CastLine, ...]
    storytellers_characters: tuple[AntagonistLine, ...]
    encounters: tuple[EncounterLine, ...]
    members: tuple[MemberLine, ...]
    removed: tuple[MemberLine, ...]
    invitations: tuple[InvitationLine, ...]
    pages: tuple[PageTitle, ...]
    house_rules: tuple[rulesets.HouseRule, ...]
    changed_rules: int
    own_kinds: tuple[kinds.KindLine, ...]
    new_character_url: str
    new_encounter_url: str
    sections: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ChronicleCard:
    """One of the user's chronicles on the home page."""

    id: str
    name: str
    role: str
    role_label: str
    ruleset: str
    players: int
    fights: tuple[EncounterLine, ...]
    coming: Coming


def chronicle_page(membership: Membership, now: datetime) -> ChroniclePage:
    """The chronicle's page for this member."""
    chronicle, storyteller = membership.chronicle, membership.is_storyteller
    cast = access.characters_for(membership)
    hidden = frozenset[str]() if storyteller else conduct.STORYTELLERS
    table = [each for each in rulesets.at_the_table(chronicle.conduct) if each.option.key not in hidden]
    rules = (*table, *rulesets.house_rules(chronicle.ruleset, chronicle.options))
    encounters = access.encounters_for(membership)
    begun = max((one.begun for one in encounters if one.begun), default=None)
    read_only, may_play = rulesets.why_missing(chronicle.ruleset), access.may_play(membership)
    readable = [one for one in cast if not one.is_npc and (storyteller or one.owner_id == membership.user_id)]
    seen = {} if read_only else glances(readable)
    return ChroniclePage(
        id=chronicle.pk,
        name=chronicle.name,
        description=chronicle.description,
        ruleset=rulesets.name_of(chronicle.ruleset),
        ruleset_key=chronicle.ruleset,
        read_only=read_only,
        is_storyteller=storyteller,
        may_change=storyteller and not read_only,
        may_play=may_play,
        players_characters=tuple(
            CastLine(
                **_on_list(one, membership),
                changed=storyteller and _after(one.changed, begun),
                glance=seen.get(one.pk),
            )
            for one in cast
            if not one.is_npc
        ),
        storytellers_characters=tuple(
            AntagonistLine(
                **_on_list(one, membership),
                version=one.version,
                look=(lambda: None) if read_only else partial(_glance, one),
            )
            for one in cast
            if one.is_npc and storyteller
        ),
        encounters=encounter_lines(encounters),
        members=_members(membership),
        removed=_removed(chronicle) if storyteller else (),
        invitations=_invitations(chronicle, now) if storyteller else (),
        pages=title_lines(membership, titles(membership)[:NEWEST_PAGES], now),
        house_rules=rules,
        changed_rules=sum(rule.changed for rule in rules),
        own_kinds=kinds.lines(chronicle.ruleset, chronicle.own_kinds, everything=storyteller),
        new_character_url=reverse("characters:create", args=[chronicle.pk]) if may_play and not read_only else "",
        new_encounter_url=reverse("combat:create", args=[chronicle.pk]) if storyteller and not read_only else "",
        sections=sections_for(membership),
    )


def chronicle_cards(user: User) -> list[ChronicleCard]:
    """The user's chronicles, those with a running fight first."""
    memberships = access.memberships_of(user).annotate(
        players=Count(
            "chronicle__memberships",
            filter=Q(
                chronicle__memberships__role=Role.PLAYER,
                chronicle__memberships__removed_at__isnull=True,
                chronicle__memberships__user__place_in__isnull=True,
            ),
        )
    )
    mine = list(memberships.order_by("chronicle__name", "pk"))
    fights = access.fights_going_on([membership.chronicle_id for membership in mine])
    following = coming_for(mine)
    cards = [_card(one, fights[one.chronicle_id], following[one.chronicle_id]) for one in mine]
    return sorted(cards, key=lambda card: not card.fights)


def encounter_lines(encounters: Iterable[Any]) -> tuple[EncounterLine, ...]:
    """Encounters as lines, running ones first, drafts in the Storytellers' order. The caller has filtered them."""
    found = list(encounters)
    drafts = [one.pk for one in sorted(found, key=lambda one: -one.place) if one.status == "draft"]
    below = dict(pairwise(drafts))
    above = {each: one for one, each in below.items()}
    places = {pk: place for place, pk in enumerate(drafts)}
    lines = [
        EncounterLine(
            id=encounter.pk,
            name=encounter.name,
            status=str(encounter.status),
            status_label=_status_label(encounter.status),
            url=reverse("combat:encounter", args=[encounter.pk]),
            above=above.get(encounter.pk, ""),
            below=below.get(encounter.pk, ""),
        )
        for encounter in found
    ]
    return tuple(sorted(lines, key=lambda line: (ENCOUNTER_ORDER.index(line.status), places.get(line.id, 0))))


def _card(membership: Any, fights: Iterable[Any], coming: Coming) -> ChronicleCard:
    return ChronicleCard(
        id=membership.chronicle_id,
        name=membership.chronicle.name,
        role=membership.role,
        role_label=membership.get_role_display(),
        ruleset=rulesets.name_of(membership.chronicle.ruleset),
        players=membership.players,
        fights=encounter_lines(fights),
        coming=coming,
    )


def _after(changed: datetime | None, begun: datetime | None) -> bool:
    return changed is not None and begun is not None and changed > begun


def _on_list(character: Any, membership: Membership) -> dict[str, Any]:
    return {
        "name": character.name,
        "concept": character.concept,
        "player": character.owner.display_name if character.owner else "",
        "is_mine": character.owner_id == membership.user_id,
        "url": reverse("characters:sheet", args=[character.pk]),
        "portrait": reverse("characters:picture", args=[character.face]) if character.face else "",
    }


def _glance(character: Any) -> Glance | None:
    return glances([character]).get(character.pk)


def _members(membership: Membership) -> tuple[MemberLine, ...]:
    order = list(Role.values)
    active = list(membership.chronicle.memberships.active().select_related("user"))
    told_apart(membership.chronicle_id, (one.user for one in active))
    members = sorted(active, key=lambda one: (order.index(one.role), one.joined))
    last = membership.is_storyteller and sum(one.is_storyteller and not one.is_open for one in members) == 1
    return tuple(
        replace(
            _member_line(one, is_me=one.pk == membership.pk, fixed=last and one.is_storyteller and not one.is_open),
            view_url=view_as_url(one) if membership.is_storyteller and not (one.is_storyteller or one.is_open) else "",
        )
        for one in members
    )


def _removed(chronicle: Chronicle) -> tuple[MemberLine, ...]:
    removed = list(chronicle.memberships.filter(removed_at__isnull=False).select_related("user"))
    told_apart(chronicle.pk, (member.user for member in removed))
    return tuple(_member_line(one) for one in removed)


def _member_line(member: Membership, *, is_me: bool = False, fixed: bool = False) -> MemberLine:
    return MemberLine(
        id=member.pk,
        name=member.user.display_name,
        role=member.role,
        role_label=member.get_role_display(),
        is_me=is_me,
        fixed=_("The only Storyteller. To change this role, make somebody else a Storyteller first.") if fixed else "",
        is_open=member.is_open,
    )


def _invitations(chronicle: Chronicle, now: datetime) -> tuple[InvitationLine, ...]:
    return tuple(
        invitation_line(invitation, now)
        for invitation in chronicle.invitations.all()
        if invitation.state(now) == "open"
    )


def invitation_line(invitation: Invitation, now: datetime) -> InvitationLine:
    """An invitation for Storytellers."""
    return InvitationLine(
        id=invitation.pk,
        name=invitation.label,
        role_label=invitation.get_role_display(),
        uses_left=invitation.uses_left,
        max_uses=invitation.max_uses,
        ends_in=span(invitation.expires - now),
    )


def offer(invitation: Invitation) -> Offer:
    """What somebody with the link may know before joining."""
    return Offer(
        chronicle=invitation.chronicle.name,
        ruleset=rulesets.name_of(invitation.chronicle.ruleset),
        role=invitation.role,
        role_label=invitation.get_role_display(),
        inviter=invitation.created_by.display_name if invitation.created_by else "",
        place=invitation.place.user.display_name if invitation.place else "",
    )


def _status_label(status: str) -> str:
    labels = {"draft": _("draft"), "running": _("running"), "paused": _("paused"), "ended": _("ended")}
    return labels[str(status)]


def span(length: timedelta) -> str:
    """A rounded duration: "7 days", not "6 days, 23 hours"; "" for less than a minute."""
    minutes = round(length.total_seconds() / 60)
    if minutes < 1:
        return ""
    if minutes < 90:
        return ngettext("%(number)d minute", "%(number)d minutes", minutes) % {"number": minutes}
    hours = round(minutes / 60)
    if hours < 36:
        return ngettext("%(number)d hour", "%(number)d hours", hours) % {"number": hours}
    return ngettext("%(number)d day", "%(number)d days", round(hours / 24)) % {"number": round(hours / 24)}
