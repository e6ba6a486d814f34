"""Portraits of characters."""

from __future__ import annotations

from django.db import models

from campaigns.tokens import public_id
from characters.models.characters import Character


class Portrait(models.Model):
    """A picture as `campaigns.pictures.redraw` made it.

    Stored in the database (docs/decisions/0011-portraits-in-the-database.md). Each upload is a new row with a new
    address, so that pages never show a cached old picture.
    """

    id = models.CharField(primary_key=True, max_length=12, default=public_id, editable=False)
    character = models.OneToOneField(Character, on_delete=models.CASCADE, related_name="portrait")
    picture = models.BinaryField()

    def __str__(self) -> str:
        return self.pk
