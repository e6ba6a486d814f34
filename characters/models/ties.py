"""Whom the players have met, under which name; and who is tied to whom, by what."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models import (
    NAME_LENGTH,
    TEXT_LENGTH,
    Chronicle,
    Membership,
    Page,
    PassageAudience,
    Session,
)
from campaigns.tokens import public_id
from characters.models.characters import Character

TIE_LENGTH = 1000


class Face(models.Model):
    """What an NPC is to those who have met it: words, and its portrait if `with_portrait`. Never its sheet."""

    character = models.OneToOneField(Character, on_delete=models.CASCADE, related_name="seen_as")
    text = models.TextField(_("what they see"), blank=True, validators=[MaxLengthValidator(TEXT_LENGTH)])
    with_portrait = models.BooleanField(_("with the portrait"), default=False)
    version = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return str(self.character)


class Meeting(models.Model):
    """That a player's character has met an NPC; without `by`, everyone at the table, observers included.

    `known_as` is the name under which it is known, "" for its own. `session` is the one in which they met.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="meetings")
    by = models.ForeignKey(Character, on_delete=models.CASCADE, null=True, blank=True, related_name="met")
    known_as = models.CharField(_("known as"), max_length=NAME_LENGTH, blank=True)
    session = models.ForeignKey(Session, on_delete=models.SET_NULL, null=True, blank=True, related_name="meetings")
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["character", "by"], name="met_once"),
            # NULLs are distinct in the constraint above.
            models.UniqueConstraint(fields=["character"], condition=Q(by=None), name="met_by_all_once"),
        ]

    def __str__(self) -> str:
        return self.known_as or str(self.character)


class TieKind(models.TextChoices):
    """What a tie is. A member belongs to a group; in a boon, the first owes the second."""

    RELATION = "relation", _("Relation")
    MEMBER = "member", _("Member")
    BOON = "boon", _("Boon")


class BoonSize(models.TextChoices):
    """How much is owed."""

    TRIVIAL = "trivial", _("trivial")
    MINOR = "minor", _("minor")
    MAJOR = "major", _("major")
    BLOOD = "blood", _("blood")
    LIFE = "life", _("life")


class BoonState(models.TextChoices):
    """Whether a boon is still owed."""

    OWED = "owed", _("owed")
    PAID = "paid", _("paid")
    FORGIVEN = "forgiven", _("forgiven")


class Tie(models.Model):
    """A directed tie from a character or a group to another, with a text on each side.

    A group is a page (`PageKind.GROUP`). A tie exists for readers in its audience who know both ends. `written` is when
    its words last changed, `opened` since when everyone may read it: as with passages, a reader is told of its age from
    these and from their own `TieReadership` alone.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="ties")
    kind = models.CharField(_("kind"), max_length=10, choices=TieKind.choices, default=TieKind.RELATION)
    from_character = models.ForeignKey(Character, on_delete=models.CASCADE, null=True, related_name="ties_from")
    from_group = models.ForeignKey(Page, on_delete=models.CASCADE, null=True, related_name="ties_from")
    to_character = models.ForeignKey(Character, on_delete=models.CASCADE, null=True, related_name="ties_to")
    to_group = models.ForeignKey(Page, on_delete=models.CASCADE, null=True, related_name="ties_to")
    # What it is to the first, and what it is to the second.
    text = models.CharField(_("to the first"), max_length=TIE_LENGTH, blank=True)
    text_back = models.CharField(_("to the second"), max_length=TIE_LENGTH, blank=True)
    size = models.CharField(_("size"), max_length=10, choices=BoonSize.choices, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=BoonState.choices, blank=True)
    audience = models.CharField(
        _("readers"), max_length=12, choices=PassageAudience.choices, default=PassageAudience.STORYTELLERS
    )
    readers = models.ManyToManyField(Membership, through="TieReadership", related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    since = models.ForeignKey(Session, on_delete=models.SET_NULL, null=True, blank=True, related_name="ties_begun")
    ended = models.ForeignKey(Session, on_delete=models.SET_NULL, null=True, blank=True, related_name="ties_ended")
    created = models.DateTimeField(default=timezone.now, editable=False)
    written = models.DateTimeField()
    opened = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["created", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(from_character__isnull=False, from_group__isnull=True)
                | Q(from_character__isnull=True, from_group__isnull=False),
                name="tie_from_one_end",
            ),
            models.CheckConstraint(
                condition=Q(to_character__isnull=False, to_group__isnull=True)
                | Q(to_character__isnull=True, to_group__isnull=False),
                name="tie_to_one_end",
            ),
        ]

    def __str__(self) -> str:
        return self.text or self.kind


class TieReadership(models.Model):
    """That a member was chosen to read a tie, since when; kept when its audience widens."""

    tie = models.ForeignKey(Tie, on_delete=models.CASCADE, related_name="readership")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tie", "membership"], name="tie_reader_once"),
        ]

    def __str__(self) -> str:
        return f"{self.tie_id}: {self.membership_id}"
