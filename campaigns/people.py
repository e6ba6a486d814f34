"""How members of a chronicle are shown to each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from campaigns.models import User
from campaigns.names import skeleton


def told_apart(chronicle_id: str, users: Iterable[User | None]) -> None:
    """Add the user name to each display name that looks like another member's.

    Removed members count too, because their notes and characters may still be there.
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
    """The comparison keys of a member's names: the display name, the user name, and both together."""
    name = member.display_name
    return {skeleton(each) for each in (name, member.username, f"{name} {member.username}")}
