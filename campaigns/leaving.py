"""Deleting an account: the only way in which one may go.

Chronicles of which it is the only member go with it. In others its words for everyone stay, without a name; its words
for itself go. What higher layers keep of an account they settle when `account_leaving` is sent: characters become the
Storyteller's, and logs lose the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from campaigns import audit
from campaigns.errors import Refused
from campaigns.models import Chronicle, Invitation, Membership, Page, PageKind, Passage, PassageAudience, User
from campaigns.signals import account_leaving, membership_changed
from campaigns.titles import fold

# From an account to a transaction that locks the logs in which it acted.
LogsLocked = Callable[[int], AbstractContextManager[None]]

TRIES = 3
"""How often the locks are taken again, if the account joined a chronicle meanwhile."""

_locks: list[LogsLocked] = []


@dataclass(frozen=True, slots=True)
class Farewell:
    """What deleting an account does, for its page.

    `blocking` are the chronicles that would be left without a Storyteller, `alone` those that go with the account, and
    `left` the others, by name. `characters` are the names of those that become the Storyteller's, and `last_admin` says
    that nobody else could manage accounts.
    """

    blocking: tuple[str, ...]
    alone: tuple[str, ...]
    left: tuple[str, ...]
    characters: tuple[str, ...]
    last_admin: bool

    @property
    def refused(self) -> str:
        """Why the account can't be deleted now, "" if it can."""
        if self.blocking:
            return _(
                "You are the only Storyteller of %(chronicles)s. Make another member Storyteller, or delete the "
                "chronicle, then delete your account."
            ) % {"chronicles": ", ".join(f"“{name}”" for name in self.blocking)}
        if self.last_admin:
            return _("This is the only account that can manage this server. Give another one these rights first.")
        return ""


class _Joined(Exception):
    """The account joined a chronicle that isn't locked."""


def register_logs_locked(lock: LogsLocked) -> None:
    """Register a transaction that locks the logs in which an account acted. Idempotent."""
    if lock not in _locks:
        _locks.append(lock)


def farewell(user: User) -> Farewell:
    """What deleting this account does now."""
    blocking, alone, left = list[str](), list[str](), list[str]()
    for member in Membership.objects.filter(user=user).select_related("chronicle").order_by("chronicle__name", "pk"):
        (alone if _is_alone(member) else blocking if _is_needed(member) else left).append(member.chronicle.name)
    # Higher layers relate their models to the account; they are read through the relation, never imported.
    related: Any = User._meta.get_field("characters").related_model
    gone = [each.pk for each in _alone_in(user)]
    mine = related.objects.filter(owner=user).exclude(chronicle__in=gone).order_by("name", "pk")
    names = tuple(mine.values_list("name", flat=True))
    return Farewell(tuple(blocking), tuple(alone), tuple(left), names, _is_last_admin(user))


def delete_account(user: User) -> None:
    """Delete an account, everything or nothing; a no-op if it is gone already.

    Raises `Refused`, with the names, while a chronicle with other members has no other Storyteller, and for the only
    administrator.
    """
    for _again in range(TRIES):
        try:
            with _logs_locked(user.pk):
                _delete(user.pk)
            return
        except _Joined:
            continue
    raise Refused(_("You joined a chronicle at this moment. Try again."))


@contextmanager
def _logs_locked(user_id: int) -> Iterator[None]:
    # Before the chronicles and the account: a fight locks its log first, and then refers to both.
    with ExitStack() as stack:
        for lock in _locks:
            stack.enter_context(lock(user_id))
        stack.enter_context(transaction.atomic())
        yield


def _delete(user_id: int) -> None:
    theirs = Membership.objects.filter(user=user_id).values("chronicle")
    chronicles = list(Chronicle.objects.filter(pk__in=theirs).order_by("pk").select_for_update())
    user = User.objects.select_for_update().filter(pk=user_id).first()
    if user is None:
        return
    if Membership.objects.filter(user=user).exclude(chronicle__in=chronicles).exists():
        raise _Joined
    if refused := farewell(user).refused:
        raise Refused(refused)
    _tell(user, chronicles)
    for chronicle in _alone_in(user):
        audit.note("chronicle-deleted", chronicle=chronicle.pk)
        chronicle.delete()
    account_leaving.send(sender=User, user=user)
    _delete_own_words(user)
    _name_journals(user)
    Invitation.objects.filter(created_by=user, revoked_at=None).update(revoked_at=timezone.now())
    _forget_sign_ins(user)
    audit.note("account-deleted", account=user.pk)
    user.delete()


def _tell(user: User, chronicles: Iterable[Chronicle]) -> None:
    """After the commit, let each chronicle's sockets check their rights: those of the account close."""
    ids, user_id = [each.pk for each in chronicles], user.pk

    def send() -> None:
        for chronicle_id in ids:
            membership_changed.send_robust(sender=Membership, chronicle_id=chronicle_id, user_id=user_id)

    transaction.on_commit(send, robust=True)


# ------------------------------------------------------------------ chronicles


def _alone_in(user: User) -> list[Chronicle]:
    rows = Membership.objects.filter(user=user).select_related("chronicle")
    return [member.chronicle for member in rows if _is_alone(member)]


def _is_alone(member: Membership) -> bool:
    """Whether nobody else is in the chronicle. Removed members don't count."""
    return member.removed_at is None and not _others(member).exists()


def _is_needed(member: Membership) -> bool:
    """Whether the chronicle has no other Storyteller."""
    return member.is_storyteller and not _others(member).storytellers().filter(user__is_active=True).exists()


def _others(member: Membership) -> Any:
    """The other members. Open places aren't people."""
    return Membership.objects.active().taken().filter(chronicle=member.chronicle_id).exclude(pk=member.pk)


def _is_last_admin(user: User) -> bool:
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return user.is_superuser and user.is_active and not others.exists()


# ------------------------------------------------------------------ words


def _delete_own_words(user: User) -> None:
    """Delete the passages that were only for the author and the Storytellers, and pages that are empty without them."""
    own = Passage.objects.filter(author=user, audience=PassageAudience.AUTHOR)
    pages = list(own.values_list("page", flat=True))
    for passage in own:
        passage.delete()  # one by one, with signals, for live pages
    for page in Page.with_bin.filter(pk__in=pages, passages=None):
        page.delete()


def _name_journals(user: User) -> None:
    """Take the name out of the titles that Vesper proposed for the account's journals."""
    for page in Page.with_bin.filter(author=user, kind=PageKind.JOURNAL):
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                before, after = (_("Journal of %(name)s") % {"name": "\0"}).split("\0")
                if page.title.startswith(before) and page.title.endswith(after):
                    page.title = _("Journal of a former member")
                    page.folded, page.version = fold(page.title), page.version + 1
                    page.save(update_fields=["title", "folded", "version"])
                    break


def _forget_sign_ins(user: User) -> None:
    """Remove the account's names from the tables of other apps: failed sign-ins, and what the administration noted."""
    tried = Q(username__iexact=user.username)
    if user.email:
        tried |= Q(username__iexact=user.email)
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        model.objects.filter(tried).delete()
    about = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk))
    about.update(object_repr=f"account {user.pk}", change_message="")
