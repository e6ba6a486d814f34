"""People, chronicles, roles, and notes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns import rulesets
from campaigns.names import printable
from campaigns.tokens import public_id

NAME_LENGTH = 80
TEXT_LENGTH = 20_000


class VesperUserManager(UserManager["User"]):
    """Finds users by name, ignoring case as the database does: SQLite only folds A to Z."""

    def get_by_natural_key(self, username: str | None) -> User:
        # The same folding as in the constraint, so that at most one user matches.
        return self.alias(folded=Lower("username")).get(folded=Lower(models.Value(username or "")))


class User(AbstractUser):
    """An account. Its rights in each chronicle are set by a `Membership`."""

    # One of settings.LANGUAGES; empty for the browser's language.
    language = models.CharField(_("language"), max_length=10, blank=True, editable=False)

    # A name of the IANA time zone database; empty for the browser's zone.
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)

    # The chronicle in which this holds somebody's open place (`campaigns.open_places`); None for a person's account.
    place_in = models.ForeignKey(
        "campaigns.Chronicle", on_delete=models.CASCADE, null=True, editable=False, related_name="open_places"
    )

    # Set by `campaigns.people.told_apart` if another member's name looks the same.
    told_apart_as = ""

    objects: ClassVar[VesperUserManager] = VesperUserManager()

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="user_username_whatever_its_case",
                violation_error_message=_("This name is already taken."),
            ),
        ]

    @property
    def display_name(self) -> str:
        """The name shown to others at the table, never the e-mail address.

        It is cleaned here too, for names saved before forms did so.
        """
        return self.told_apart_as or " ".join(printable(self.get_full_name()).split()) or printable(self.username)


class SignIn(AbstractBaseSession):
    """A session with its user and device, written by `campaigns.session_store`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="sign_ins")
    device = models.CharField(max_length=60, blank=True)
    seen = models.DateField(null=True)

    @classmethod
    def get_session_store_class(cls) -> Any:
        from campaigns.session_store import SessionStore

        return SessionStore


class Role(models.TextChoices):
    """A member's role in a chronicle."""

    STORYTELLER = "storyteller", _("Storyteller")
    PLAYER = "player", _("Player")
    OBSERVER = "observer", _("Observer")


class Chronicle(models.Model):
    """A table: its people, its cast and its fights, with one ruleset."""

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    ruleset = models.CharField(_("ruleset"), max_length=30, choices=rulesets.choices)
    description = models.TextField(_("description"), max_length=TEXT_LENGTH, blank=True)
    # Only what differs from the ruleset's defaults, as returned by `rulesets.check_options`.
    options = models.JSONField(_("house rules"), default=dict, blank=True)
    # Settings that are independent of the ruleset, as returned by `conduct.check`.
    conduct = models.JSONField(_("at the table"), default=dict, blank=True)
    # Custom kinds of creature by key, each with its settings (`rules.model.kinds`).
    own_kinds = models.JSONField(_("kinds of creature"), default=dict, blank=True)
    # Its own Traits and sections of the sheet by key, each with its settings (`rules.model.own_traits`).
    own_traits = models.JSONField(_("Traits and sections"), default=dict, blank=True)
    # Its own powers by key, each with its settings (`rules.model.own_powers`).
    own_powers = models.JSONField(_("powers"), default=dict, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
    # Optimistic concurrency token: a form drawn before somebody else's edit must not silently undo it.
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class OutOfBin(models.Manager[Any]):
    """A default manager without what is in the bin, so that it is found nowhere by accident."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(binned__isnull=True)


class InBin(models.Model):
    """Something that is put in its chronicle's bin when it is deleted: see `campaigns.bins`.

    `objects` leaves out what is in the bin. `with_bin` is for the bin itself, and for what must still know it: rows
    that refer to it, and fights that write to a character's sheet.
    """

    binned = models.DateTimeField(null=True, blank=True, editable=False)

    objects = OutOfBin()
    with_bin = models.Manager()  # noqa: DJ012  # a manager, not a field

    class Meta:
        abstract = True


class MembershipQuerySet(models.QuerySet["Membership"]):
    def active(self) -> MembershipQuerySet:
        """Current members. Removed ones keep their row, so that they stay out."""
        return self.filter(removed_at__isnull=True)

    def taken(self) -> MembershipQuerySet:
        """Those of people, without open places, which nobody signs in to."""
        return self.filter(user__place_in__isnull=True)

    def storytellers(self) -> MembershipQuerySet:
        """Who can run the chronicle: an open place can't, even a Storyteller's."""
        return self.active().taken().filter(role=Role.STORYTELLER)


class Membership(models.Model):
    """Somebody's membership of a chronicle.

    Leaving deletes the row, so a new invitation works. Removal keeps it with `removed_at`, and no invitation works
    until a Storyteller restores the member.
    """

    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=12, choices=Role.choices)
    joined = models.DateTimeField(default=timezone.now, editable=False)
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["joined", "id"]
        constraints = [
            models.UniqueConstraint(fields=["chronicle", "user"], name="membership_one_per_user_and_chronicle"),
        ]

    def __str__(self) -> str:
        return f"{self.user.username}, {self.get_role_display()}"

    @property
    def is_storyteller(self) -> bool:
        return self.role == Role.STORYTELLER and self.removed_at is None

    @property
    def is_open(self) -> bool:
        """Whether nobody has taken this place yet: see `campaigns.open_places`."""
        return self.user.place_in_id is not None


class Invitation(models.Model):
    """A link to join a chronicle, or to take a certain open place in it. Only the token's hash is stored."""

    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="invitations")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    role = models.CharField(_("role"), max_length=12, choices=Role.choices, default=Role.PLAYER)
    label = models.CharField(_("label"), max_length=NAME_LENGTH, blank=True)
    max_uses = models.PositiveSmallIntegerField(_("number of uses"), default=1)
    uses = models.PositiveSmallIntegerField(default=0, editable=False)
    expires = models.DateTimeField(_("expires"))
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    # The open place that it offers, None for a place of one's own.
    place = models.ForeignKey(
        Membership, on_delete=models.CASCADE, null=True, editable=False, related_name="invitations"
    )

    class Meta:
        ordering = ["-created", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(uses__lte=models.F("max_uses")), name="invitation_not_used_more_often_than_allowed"
            ),
        ]

    def __str__(self) -> str:
        return self.label or self.get_role_display()

    @property
    def uses_left(self) -> int:
        return self.max_uses - self.uses

    def state(self, now: datetime) -> str:
        """Its status: "open", "revoked", "used up" or "expired"."""
        if self.revoked_at is not None:
            return "revoked"
        if self.uses >= self.max_uses:
            return "used up"
        return "expired" if self.expires <= now else "open"
