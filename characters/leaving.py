"""An account that is deleted leaves its characters to the Storytellers, as in a hand-over."""

from __future__ import annotations

from typing import Any

from campaigns.models import PassageAudience
from campaigns.signals import account_leaving
from characters import changes, face_services
from characters.models import Character, Tie
from characters.signals import handed_over


def connect() -> None:
    """Connect the signal. Called once, when the app is ready."""
    account_leaving.connect(_leaving, dispatch_uid="characters")


def _leaving(user: Any, **_more: Any) -> None:
    """Hand all its characters over, those in the bin too, and delete the ties that it wrote for itself alone."""
    for character in Character.with_bin.filter(owner=user).order_by("pk").select_for_update():
        character.owner = None
        changes.keep_hand_over(character, user.pk, None)
        face_services.taken_back(character)
        character.version += 1
        character.save()
        handed_over.send(sender=Character, character_id=character.pk, chronicle_id=character.chronicle_id)
    for tie in Tie.objects.filter(author=user, audience=PassageAudience.AUTHOR):
        tie.delete()  # one by one, with signals, for live pages
