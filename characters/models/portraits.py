"""The portrait of a character."""

from __future__ import annotations

from django.db import models

from campaigns.tokens import public_id
from characters.models.characters import Character


class Portrait(models.Model):
    """A picture as `characters.portraits.redraw` made it.

    It is kept in the database (docs/decisions/0011-portraits-in-the-database.md). Each upload is a row of its own, and
    so has an address of its own: a page never shows the picture that was there before.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    character = models.OneToOneField(Character, on_delete=models.CASCADE, related_name="portrait")
    picture = models.BinaryField()

    def __str__(self) -> str:
        return self.pk
