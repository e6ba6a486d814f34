"""All writes to people and chronicles. Each is one transaction.

`by` is the acting member. Rights are checked again under the chronicle's lock, so that somebody who is being removed
at this moment can't make one more change. If two people do the same thing at once, the second gets what a later
caller would get: `Http404` for what is gone, `Refused` with a sentence, or a no-op.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from campaigns import access, audit, conduct, kinds, open_places, own_powers, own_traits, rulesets
from campaigns.errors import EditConflict, InvitationDead, Refused
from campaigns.models import CalendarFeed, Chronicle, Invitation, Membership, Role, User
from campaigns.signals import membership_changed
from campaigns.tokens import hash_token, new_token, public_id
from rules.model.options import BadOption


def sign_up(*, username: str, password: str, email: str = "") -> User:
    """Create an account. The caller has checked the name, the password and that sign-up is open.

    Raises `Refused` for a name taken since that check, by the database's constraint.
    """
    user = User(username=User.normalize_username(username), email=User.objects.normalize_email(email))
    user.set_password(password)  # slow, so not inside the transaction, which blocks other writers
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise Refused(_("This name is already taken.")) from None
    return user


def edit_account(*, user: User, shown_as: str, email: str, time_zone: str = "") -> None:
    """Change an account's display name, e-mail address and time zone."""
    user.first_name, user.email, user.time_zone = shown_as, email, time_zone
    user.save(update_fields=["first_name", "email", "time_zone"])


def choose_language(*, user: User, language: str) -> None:
    """Save an account's language, one of `settings.LANGUAGES`, for all devices."""
    user.language = language
    user.save(update_fields=["language"])


@transaction.atomic
def create_chronicle(
    *, user: User, name: str, ruleset: str, description: str = "", options: Mapping[str, Any] | None = None
) -> Chronicle:
    """Create a chronicle with `user` as its Storyteller, by default with the ruleset's recommended house rules.

    Raises `BadOption` for options unknown to the ruleset.
    """
    checked = rulesets.check_options(ruleset, rulesets.begun(ruleset) if options is None else options)
    chronicle = Chronicle.objects.create(name=name, ruleset=ruleset, description=description, options=checked)
    Membership.objects.create(chronicle=chronicle, user=user, role=Role.STORYTELLER)
    return chronicle


@transaction.atomic
def edit_chronicle(*, by: Membership, name: str, description: str, version: int) -> None:
    """Change a chronicle's name and description. Raises `EditConflict` if `version` is no longer its version."""
    chronicle = lock_as_storyteller(by)
    _refuse_stale(chronicle.version, version)
    chronicle.name, chronicle.description = name, description
    _save_next_version(chronicle, "name", "description")


@transaction.atomic
def change_options(
    *, by: Membership, options: Mapping[str, Any], version: int, at_the_table: Mapping[str, Any] | None = None
) -> None:
    """Change the house rules, and with `at_the_table` the table settings.

    Raises `EditConflict`, and `BadOption` for an invalid value.
    """
    chronicle = lock_as_storyteller(by)
    _refuse_stale(chronicle.version, version)
    chronicle.options = rulesets.check_options(chronicle.ruleset, options, chronicle.own_traits)
    if at_the_table is not None:
        chronicle.conduct = conduct.check(at_the_table)
    _save_next_version(chronicle, "options", "conduct")


@transaction.atomic
def save_kind(*, by: Membership, key: str, answers: Mapping[str, Any], version: int) -> str:
    """Save a custom kind of creature and return its key; an empty `key` creates one.

    Raises `EditConflict`, and `BadOption` for an invalid setting or one kind too many.
    """
    chronicle = lock_as_storyteller(by)
    _refuse_stale(chronicle.version, version)
    key = key or f"{kinds.PREFIX}{public_id()}"
    chronicle.own_kinds = {**chronicle.own_kinds, key: dict(answers)}
    kinds.check_all(chronicle.ruleset, chronicle.own_kinds)
    _save_next_version(chronicle, "own_kinds")
    return key


@transaction.atomic
def delete_kind(*, by: Membership, key: str) -> None:
    """Delete a custom kind. Raises `Refused`, with the names, while characters use it."""
    chronicle = lock_as_storyteller(by)
    if who := access.names_of_kind(chronicle, key):
        raise Refused(_("Can’t be deleted: still used by %(who)s.") % {"who": ", ".join(who)})
    chronicle.own_kinds = {other: kept for other, kept in chronicle.own_kinds.items() if other != key}
    _save_next_version(chronicle, "own_kinds")


@transaction.atomic
def save_trait(*, by: Membership, key: str, answers: Mapping[str, Any], version: int) -> str:
    """Save a Trait or section of the chronicle's own and return its key; an empty `key` creates one.

    It keeps its former names. Raises `EditConflict`, and `BadOption` for an invalid setting, one too many, or a maximum
    below somebody's dots.
    """
    chronicle = lock_as_storyteller(by)
    _refuse_stale(chronicle.version, version)
    key = key or f"{own_traits.PREFIX}{public_id()}"
    kept = chronicle.own_traits.get(key, {})
    former = [name for name in (kept.get("label"), *kept.get("was", ())) if name and name != answers["label"]]
    settled = {**answers, "was": list(dict.fromkeys(former)), "gone": kept.get("gone", False)}
    chronicle.own_traits = {**chronicle.own_traits, key: settled}
    own_traits.check_all(chronicle.ruleset, chronicle.own_traits)
    most = settled.get("most", 0)
    if above := [f"{name} ({dots})" for name, dots in access.dots_in(chronicle, key) if dots > most]:
        raise BadOption("most", _("These have more dots: %(who)s.") % {"who": ", ".join(above)})
    _save_next_version(chronicle, "own_traits")
    return key


@transaction.atomic
def remove_trait(*, by: Membership, key: str, gone: bool) -> None:
    """Take a Trait or section of the chronicle's own off the sheets, or put it back.

    Sheets with dots or words in it keep these, and show them.
    """
    chronicle = lock_as_storyteller(by)
    # Traits are never dropped, so the key is still there.
    chronicle.own_traits = {**chronicle.own_traits, key: {**chronicle.own_traits[key], "gone": gone}}
    _save_next_version(chronicle, "own_traits")


@transaction.atomic
def save_power(*, by: Membership, key: str, answers: Mapping[str, Any], version: int) -> str:
    """Save a power of the chronicle's own and return its key; an empty `key` creates one, named after the power.

    Fights in which it is in effect keep what it was. Raises `EditConflict`, and `BadOption` for an invalid setting, a
    name that is taken, or one power too many.
    """
    chronicle = lock_as_storyteller(by)
    _refuse_stale(chronicle.version, version)
    key = key or own_powers.new_key(str(answers["label"]), chronicle.own_powers)
    gone = {"gone": True} if chronicle.own_powers.get(key, {}).get("gone") else {}
    _save_powers(chronicle, {key: {**answers, **gone}})
    return key


@transaction.atomic
def remove_power(*, by: Membership, key: str, gone: bool) -> None:
    """Take a power of the chronicle's own out of use, or put it back.

    Fights in which it is in effect keep it until it ends.
    """
    chronicle = lock_as_storyteller(by)
    # Powers are never dropped, so the key is still there.
    chronicle.own_powers = {**chronicle.own_powers, key: {**chronicle.own_powers[key], "gone": gone}}
    _save_next_version(chronicle, "own_powers")


@transaction.atomic
def import_powers(*, by: Membership, powers: Mapping[str, Mapping[str, Any]], replacing: bool) -> tuple[int, int]:
    """Save the powers of a file; returns how many are new, and how many replace one of the same name.

    Those with a name that is taken get another, unless they are `replacing` the chronicle's own. Nothing is saved if
    one is invalid: raises `BadOption`, whose path begins with the power's key in the file.
    """
    chronicle = lock_as_storyteller(by)
    taken_in = own_powers.taken_in(chronicle, powers, replacing=replacing)
    changed = len(taken_in.keys() & chronicle.own_powers.keys())
    _save_powers(chronicle, taken_in)
    return len(taken_in) - changed, changed


def _save_powers(chronicle: Chronicle, powers: Mapping[str, Mapping[str, Any]]) -> None:
    chronicle.own_powers = {**chronicle.own_powers, **powers}
    own_powers.check_all(chronicle)
    _save_next_version(chronicle, "own_powers")


@transaction.atomic
def delete_chronicle(*, by: Membership) -> None:
    """Delete a chronicle with everything in it. Raises `Refused` while one of its fights is running."""
    chronicle = lock_as_storyteller(by)
    if access.has_running_encounter(chronicle):
        raise Refused(_("A fight is running in this chronicle. End it first."))
    audit.note("chronicle-deleted", chronicle=chronicle.pk)
    chronicle.delete()


@transaction.atomic
def add_member(*, chronicle: Chronicle, user: User, role: Role) -> Membership:
    """Add a member without an invitation: for the demo and administrators, not for a form."""
    membership, _created = Membership.objects.update_or_create(
        chronicle=chronicle, user=user, defaults={"role": role, "removed_at": None}
    )
    tell_member(membership)
    return membership


@transaction.atomic
def change_role(*, by: Membership, member: Membership, role: Role) -> None:
    """Change a member's role. Raises `Refused` for the last Storyteller."""
    member = _lock_member(by, member)
    if role != Role.STORYTELLER:
        _refuse_last_storyteller(member)
    member.role = role
    member.save(update_fields=["role"])
    member.invitations.update(role=role)
    audit.note("role-changed", chronicle=member.chronicle_id, member=member.user_id, role=role)
    tell_member(member)


@transaction.atomic
def remove_member(*, by: Membership, member: Membership, now: datetime) -> None:
    """Ban a member: no invitation, old or new, lets them in until they are restored.

    Their characters stay. Raises `Refused` for the last Storyteller.
    """
    member = _lock_member(by, member)
    _refuse_last_storyteller(member)
    member.removed_at = now
    member.save(update_fields=["removed_at"])
    # Or it would work again for somebody who is restored.
    CalendarFeed.objects.filter(membership=member).delete()
    member.invitations.filter(revoked_at=None).update(revoked_at=now)
    audit.note("member-removed", chronicle=member.chronicle_id, member=member.user_id)
    tell_member(member)


@transaction.atomic
def restore_member(*, by: Membership, member: Membership) -> None:
    """Restore a removed member: Storytellers as players, others in their old role.

    Raises `Refused` if they are already back.
    """
    chronicle = lock_as_storyteller(by)
    removed = chronicle.memberships.filter(pk=member.pk, removed_at__isnull=False).first()
    if removed is None:
        raise Refused(_("%(name)s is already back at the table.") % {"name": member.user.display_name})
    if removed.role == Role.STORYTELLER:
        removed.role = Role.PLAYER
    removed.removed_at = None
    removed.save(update_fields=["removed_at", "role"])
    audit.note("member-restored", chronicle=chronicle.pk, member=removed.user_id)
    tell_member(removed)


@transaction.atomic
def leave(*, member: Membership) -> None:
    """Leave a chronicle; a no-op if the membership is already gone. Raises `Refused` for the last Storyteller."""
    lock(member.chronicle_id)
    present = Membership.objects.active().filter(pk=member.pk).first()
    if present is None:
        return
    _refuse_last_storyteller(present)
    tell_member(present)
    present.delete()


@transaction.atomic
def invite(*, by: Membership, role: Role, expires: datetime, max_uses: int, label: str = "") -> tuple[Invitation, str]:
    """Create an invitation; returns it with its token, which isn't stored.

    Raises `Refused` for a Storyteller invitation with several uses.
    """
    chronicle = lock_as_storyteller(by)
    if role == Role.STORYTELLER and max_uses != 1:
        raise Refused(_("A Storyteller invitation can only be used once."))
    token = new_token()
    invitation = Invitation.objects.create(
        chronicle=chronicle,
        token_hash=hash_token(token),
        role=role,
        label=label,
        max_uses=max_uses,
        expires=expires,
        created_by=by.user,
    )
    audit.note("invitation-made", chronicle=chronicle.pk, invitation=invitation.pk, role=role)
    return invitation, token


@transaction.atomic
def revoke_invitation(*, by: Membership, invitation: Invitation, now: datetime) -> None:
    """Revoke an invitation; a no-op if it has already ended."""
    chronicle = lock_as_storyteller(by)
    open_one = chronicle.invitations.filter(pk=invitation.pk, revoked_at__isnull=True).first()
    if open_one is not None:
        open_one.revoked_at = now
        open_one.save(update_fields=["revoked_at"])
    audit.note("invitation-revoked", chronicle=chronicle.pk, invitation=invitation.pk)


@transaction.atomic
def join(*, user: User, token: str, now: datetime) -> Membership:
    """Join a chronicle with an invitation, at a new place or the open one that it gives.

    Existing members keep their role and don't use it up. Raises `InvitationDead` if the user is banned, or isn't a
    member and the invitation isn't open; `RulesetMissing` if the chronicle is read-only.
    """
    seated = access.membership_by_link(token=token, user=user)
    if seated is not None:
        return seated
    invitation = access.living_invitation(token=token, now=now)
    access.check_playable(invitation.chronicle)
    lock(invitation.chronicle_id)
    membership = Membership.objects.filter(chronicle_id=invitation.chronicle_id, user=user).first()
    if membership is not None:
        if membership.removed_at is not None:
            raise InvitationDead
        return membership
    membership = _seat(invitation, user, now)
    audit.note("invitation-used", chronicle=invitation.chronicle_id, invitation=invitation.pk, member=user.pk)
    tell_member(membership)
    return membership


def lock_as_storyteller(by: Membership) -> Chronicle:
    """The actor's chronicle, locked.

    Raises `PermissionDenied` if the actor is no longer a Storyteller, `Http404` if the chronicle is gone.
    """
    chronicle = lock(by.chronicle_id)
    access.check_still_storyteller(by)
    return chronicle


def lock(chronicle_id: str) -> Chronicle:
    """A chronicle, locked until the transaction ends; `Http404` if it is gone."""
    return get_object_or_404(Chronicle.objects.select_for_update(), pk=chronicle_id)


def _lock_member(by: Membership, member: Membership) -> Membership:
    chronicle = lock_as_storyteller(by)
    present = chronicle.memberships.active().select_related("user").filter(pk=member.pk).first()
    if present is None:
        raise Refused(_("%(name)s is no longer at this table.") % {"name": member.user.display_name})
    return present


def _refuse_last_storyteller(member: Membership) -> None:
    if access.is_last_storyteller(member):
        raise Refused(_("A chronicle needs a Storyteller. Make somebody else a Storyteller first."))


def _refuse_stale(version: int, expected: int) -> None:
    if version != expected:
        raise EditConflict


def _save_next_version(row: Chronicle, *fields: str) -> None:
    row.version += 1
    row.save(update_fields=[*fields, "version"])


def _seat(invitation: Invitation, user: User, now: datetime) -> Membership:
    """Use an invitation up, for a new place or the open one that it gives."""
    place = None
    if invitation.place_id is not None:
        # Read again under the lock: somebody else may have been given it.
        place = Membership.objects.active().select_related("user").filter(pk=invitation.place_id).first()
        if place is None or not place.is_open:
            raise InvitationDead
    _use_up(invitation, now)
    if place is None:
        return Membership.objects.create(chronicle_id=invitation.chronicle_id, user=user, role=invitation.role)
    open_places.take(place, user)
    place.invitations.filter(revoked_at=None).exclude(pk=invitation.pk).update(revoked_at=now)
    return place


def _use_up(invitation: Invitation, now: datetime) -> None:
    # Check and count in one statement, so that of two simultaneous joins for one use the second fails.
    living = Invitation.objects.filter(
        pk=invitation.pk, revoked_at__isnull=True, expires__gt=now, uses__lt=F("max_uses")
    )
    if living.update(uses=F("uses") + 1) != 1:
        raise InvitationDead


def tell_member(membership: Membership) -> None:
    """After the commit, let the sockets of somebody whose rights changed check them again."""
    chronicle_id, user_id = membership.chronicle_id, membership.user_id

    def send() -> None:
        membership_changed.send_robust(sender=Membership, chronicle_id=chronicle_id, user_id=user_id)

    transaction.on_commit(send, robust=True)
