"""Calendar feeds: the addresses at which members' own calendars read a chronicle's sessions."""

from __future__ import annotations

from django.db import models

from campaigns.models.chronicles import Membership


class CalendarFeed(models.Model):
    """A member's calendar address. Only its token's hash is stored.

    One per member: a new address replaces the previous one. `language` is the one it was made in, for accounts that use
    their browser's: a calendar's own request says nothing reliable.
    """

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="calendar")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    language = models.CharField(max_length=10, editable=False)
    made = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return str(self.membership_id)
