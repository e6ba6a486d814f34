"""A reader's mark. The timeline has no table: it is derived for each reader."""

from __future__ import annotations

from django.db import models

from campaigns.models import Membership


class Looked(models.Model):
    """When a member last looked at their chronicle.

    `seen` is their latest visit. A visit after a pause moves `since` to the end of the one before, so what is new
    stays new while they read it (`story.looking`).
    """

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="looked")
    since = models.DateTimeField()
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.membership_id)
