"""Members of a chronicle as they are shown to each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from campaigns.models import User
from campaigns.names import skeleton


def told_apart(chronicle_id: str, users: Iterable[User | None]) -> None:
    """Let each of these users be shown with the user name beside the display name if another member's looks the same.

    Removed members count too: their notes and characters may still be there.
    """
    shown = [user for user in users if user is not None]
    if not shown:
        return
    members = User.objects.filter(memberships__chronicle_id=chronicle_id).only("first_name", "last_name", "username")
    likenesses = {member.pk: _likenesses(member) for member in members}
    taken = Counter(likeness for each in likenesses.values() for likeness in each)
    for user in shown:
        others = taken - Counter(likenesses.get(user.pk, ()))
        user.told_apart_as = ""
        if others[skeleton(user.display_name)]:
            user.told_apart_as = f"{user.display_name} ({user.username})"


def _likenesses(member: User) -> set[str]:
    """What a member's name is taken for: the display name, the user name, and one beside the other."""
    name = member.display_name
    return {skeleton(each) for each in (name, member.username, f"{name} {member.username}")}
