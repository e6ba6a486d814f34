"""What of characters and ties belongs to an open place, and passes to the account that takes it."""

from __future__ import annotations

from typing import Any

from campaigns.models import Membership, User
from campaigns.open_places import merge_readers, move_all
from characters.models import Character, SheetChange, Tie, TieReadership
from characters.signals import handed_over

MOVED: dict[Any, tuple[str, ...]] = {Character: ("owner",), SheetChange: ("by",), Tie: ("author",)}
"""What passes, by model. The ledgers' entries don't: their seals cover who made them."""


def pass_on(before: User, place: Membership, member: Membership, **_more: Any) -> None:
    """Receives `place_taken`."""
    characters = list(Character.with_bin.filter(owner=before).values_list("pk", flat=True))
    move_all(MOVED, before, member.user)
    if place.pk != member.pk:
        merge_readers(TieReadership, "tie", place, member)
    for character in characters:
        handed_over.send(sender=Character, character_id=character, chronicle_id=member.chronicle_id)
