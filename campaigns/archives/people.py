"""The people of an archive: names only, each with a key that the other files use, and their role.

On the way in each is tied to an account, or gets an open place. Those with a role become members; those without, who
have left or were only referred to, don't.
"""

from __future__ import annotations

import re
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns import open_places
from campaigns.archives import rows
from campaigns.archives.box import BadArchive
from campaigns.archives.moving import Coming, Going
from campaigns.models import Membership, Role, User
from campaigns.names import is_seen, printable

MOST_PEOPLE = 500
NAME_LENGTH = 150
"""How long a name can be: as in `User.first_name`."""

_KEY = re.compile(r"p[1-9][0-9]{0,5}")
_FIELDS = ("key", "name", "role", "removed", "joined")


def written(going: Going) -> list[dict[str, Any]]:
    """All people to whom the archive refers, and all members, in the order of their keys."""
    members = {each.user_id: each for each in going.chronicle.memberships.select_related("user")}
    for each in sorted(members.values(), key=lambda each: (each.joined, each.user.display_name)):
        going.person(each.user_id)
    others = User.objects.in_bulk(going.people.keys() - members.keys())
    users = others | {pk: each.user for pk, each in members.items()}
    said = [_person(users[pk], members.get(pk), key) for pk, key in going.people.items()]
    going.counts["people"] = len(said)
    return said


def seat(coming: Coming, said: Any, file: str) -> None:
    """Give everybody a place: that of the account they are tied to, or an open one.

    The account that brings the chronicle in is always its Storyteller. Raises `BadArchive`.
    """
    if len(said) > MOST_PEOPLE:
        raise BadArchive(file, _("It has more than %(people)s people.") % {"people": MOST_PEOPLE})
    tied = list(coming.users.values())
    if len({each.pk for each in tied}) < len(tied):
        raise BadArchive(file, _("Two of its people can’t be the same account."))
    found = [_read(each, file) for each in said]
    keys = [each["key"] for each in found]
    if len(set(keys)) < len(keys) or not coming.users.keys() <= set(keys):
        raise rows.invalid("key", file)
    opened = {each["key"]: open_places.account_for(coming.chronicle, each["name"]) for each in found}
    opened = {key: user for key, user in opened.items() if key not in coming.users}
    coming.users |= opened
    coming.members |= {each["key"]: _member(each, coming) for each in found if each["role"]}
    coming.add(opened.values())
    coming.add(coming.members.values())
    if all(each.user.pk != coming.by.pk for each in coming.members.values()):
        coming.add([Membership(chronicle=coming.chronicle, user=coming.by, role=Role.STORYTELLER)])


def _person(user: User, member: Membership | None, key: str) -> dict[str, Any]:
    return {
        "key": key,
        "name": user.display_name[:NAME_LENGTH],
        "role": member.role if member else "",
        "removed": bool(member and member.removed_at),
        "joined": rows.plain(member.joined) if member else None,
    }


def _read(said: Any, file: str) -> dict[str, Any]:
    values = dict(rows.fields(said, _FIELDS, file))
    key, name = rows.typed(values, "key", str, file), rows.typed(values, "name", str, file)
    if not _KEY.fullmatch(key):
        raise rows.invalid("key", file)
    if name != " ".join(printable(name).split()) or not is_seen(name) or len(name) > NAME_LENGTH:
        raise rows.invalid("name", file)
    rows.typed(values, "removed", bool, file)
    role = rows.typed(values, "role", str, file)
    if not role:
        if values["joined"] is not None or values["removed"]:
            raise rows.invalid("role", file)
        return values
    columns = {name: values[name] for name in ("role", "joined")}
    return values | {"row": rows.read(columns, Membership, columns, file=file)}


def _member(said: dict[str, Any], coming: Coming) -> Membership:
    member: Membership = said["row"]
    member.chronicle, member.user = coming.chronicle, coming.users[said["key"]]
    if member.user.pk == coming.by.pk:
        member.role = Role.STORYTELLER
    elif said["removed"]:
        member.removed_at = timezone.now()
    return member
