"""Pages, made of passages that each have their own readers.

Only a passage has an audience. A page exists for those who may read at least one of its passages, so what a page
shows must not depend on a hidden one: no count, time, place or version does (`campaigns.readable`).
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.folding import FoldedField, with_folded
from campaigns.models.chronicles import NAME_LENGTH, TEXT_LENGTH, Chronicle, InBin, Membership
from campaigns.models.sessions import Session
from campaigns.tokens import public_id


class PageKind(models.TextChoices):
    """What a page is about."""

    NOTE = "note", _("Note")
    JOURNAL = "journal", _("Journal")
    HANDOUT = "handout", _("Handout")
    GROUP = "group", _("Group")
    PLACE = "place", _("Place")
    PLOT = "plot", _("Plot")
    CLUE = "clue", _("Clue")


class Page(InBin):
    """A page of the chronicle. It has at least one passage; who may read none of them doesn't know that it exists.

    `done` is for plots and clues. `version` counts changes of the page itself, never of its passages.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    chronicle = models.ForeignKey(Chronicle, on_delete=models.CASCADE, related_name="pages")
    kind = models.CharField(_("kind"), max_length=10, choices=PageKind.choices, default=PageKind.NOTE)
    title = models.CharField(_("title"), max_length=NAME_LENGTH)
    # The title without case and spaces around it, by which `[[links]]` find it.
    folded = models.CharField(max_length=3 * NAME_LENGTH, editable=False)
    session = models.ForeignKey(Session, on_delete=models.SET_NULL, null=True, blank=True, related_name="pages")
    done = models.BooleanField(_("done"), default=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["folded", "created", "id"]
        indexes = [models.Index(fields=["chronicle", "folded"], name="page_by_title")]

    def __str__(self) -> str:
        return self.title


class PassageAudience(models.TextChoices):
    """Who may read a passage. Storytellers read every passage, and its author reads it."""

    STORYTELLERS = "storytellers", _("Storytellers only")
    AUTHOR = "author", _("Only me and the Storytellers")
    CHOSEN = "chosen", _("Chosen readers")
    EVERYONE = "everyone", _("Everyone at the table")


class Passage(models.Model):
    """A piece of a page, in Markdown, with its own readers, picture and version.

    `written` is when its text or picture last changed, `opened` since when everyone may read it. What a reader is told
    of its age must come from these and from their own `Readership`, never from what was done for other readers.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="passages")
    place = models.PositiveIntegerField(default=0)
    text = models.TextField(_("text"), max_length=TEXT_LENGTH, blank=True)
    folded = FoldedField(of="text")
    # The narrowest by default: Storytellers only, or the author and Storytellers for a player's.
    audience = models.CharField(
        _("readers"), max_length=12, choices=PassageAudience.choices, default=PassageAudience.STORYTELLERS
    )
    readers = models.ManyToManyField(Membership, through="Readership", related_name="+")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)
    written = models.DateTimeField()
    opened = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["place", "created", "id"]
        indexes = [models.Index(fields=["audience", "written"], name="passage_by_audience")]

    def __str__(self) -> str:
        return self.pk

    def save(self, *arguments: Any, **more: Any) -> None:
        if "update_fields" in more:
            more["update_fields"] = with_folded(more["update_fields"], "text", "folded")
        super().save(*arguments, **more)


class Readership(models.Model):
    """That a member was chosen to read a passage, since when.

    The row counts while the passage's audience is "chosen", and is kept when it widens, for the reader's `since`.
    """

    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="readership")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["passage", "membership"], name="reader_once_a_passage"),
        ]

    def __str__(self) -> str:
        return f"{self.passage_id}: {self.membership_id}"


class Link(models.Model):
    """A `[[link]]` in a passage's text, by the folded title that it names. Written with the text, for backlinks."""

    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="links")
    folded = models.CharField(max_length=3 * NAME_LENGTH)

    class Meta:
        indexes = [models.Index(fields=["folded"], name="link_by_title")]

    def __str__(self) -> str:
        return self.folded


class Picture(models.Model):
    """A passage's picture, redrawn and stored as portraits are. Each upload is a new row with a new address."""

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    passage = models.OneToOneField(Passage, on_delete=models.CASCADE, related_name="picture")
    picture = models.BinaryField()
    caption = models.CharField(_("caption"), max_length=300, blank=True)

    def __str__(self) -> str:
        return self.pk


class Reveal(models.Model):
    """That a Storyteller showed a passage: to everyone, or to the members in `to`.

    Append-only: what was shown to whom, and in which session, for the session's page and the timeline.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="reveals")
    session = models.ForeignKey(Session, on_delete=models.SET_NULL, null=True, related_name="reveals")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    everyone = models.BooleanField(default=False)
    to = models.ManyToManyField(Membership, related_name="+", blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return self.pk
