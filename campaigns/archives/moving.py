"""What the sections of an archive share: on the way out the file and the people, on the way in the rows to save.

A section is a module with `take_out(going)`, which writes its files, and `bring_in(coming)`, which reads them, checks
everything and adds unsaved rows. Nothing is saved before all sections have read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from django.db import models
from django.utils.translation import gettext as _

from campaigns.archives.box import BadArchive, Reader, Writer
from campaigns.archives.names import NewIds, is_id
from campaigns.models import Chronicle, Membership, User

Tell = Callable[[int], None]
"""Is told how much more has been done."""

BATCH = 500


class Section(Protocol):
    """A part of an archive."""

    def take_out(self, going: Going) -> None:
        """Write the section's files."""

    def bring_in(self, coming: Coming) -> None:
        """Read and check the section's files, and add rows to save. Raises `BadArchive`."""


def _nobody(_more: int) -> None:
    pass


def _nothing() -> None:
    pass


@dataclass(slots=True)
class Going:
    """A chronicle on its way out. With `only`, it is these characters alone, as their owner may take them.

    `people` are the accounts in the archive by number, each with its key; `counts` is for the manifest and for people.
    """

    chronicle: Chronicle
    box: Writer
    tell: Tell = _nobody
    only: tuple[str, ...] = ()
    people: dict[int, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    _gone: set[int] = field(default_factory=set)

    def person(self, user_id: int | None) -> str:
        """The key of an account in the archive, "" for nobody or one that was deleted. Only its name leaves."""
        if user_id is None or user_id in self._gone:
            return ""
        if user_id not in self.people and not User.objects.filter(pk=user_id).exists():
            self._gone.add(user_id)
            return ""
        return self.people.setdefault(user_id, f"p{len(self.people) + 1}")


@dataclass(slots=True)
class Coming:
    """A chronicle on its way in. `chronicle` is unsaved until everything is read; its first section fills it.

    `users` are the accounts that take the places of the archive's people, by key, and `members` their memberships;
    both are set by the section of people, before all others. `found` are rows by model and old id, for sections that
    refer to them. `by` is the account that brings it in.
    """

    box: Reader
    by: User
    chronicle: Chronicle
    tell: Tell = _nobody
    new: NewIds = field(default_factory=NewIds)
    users: dict[str, User] = field(default_factory=dict)
    members: dict[str, Membership] = field(default_factory=dict)
    found: dict[type[models.Model], dict[str, Any]] = field(default_factory=dict)
    _batches: list[Callable[[], Iterable[models.Model]]] = field(default_factory=list)

    def user(self, key: Any, file: str) -> User | None:
        """The account for a person's key, None for "". Raises `BadArchive` for an unknown one."""
        if key == "":
            return None
        if not isinstance(key, str) or key not in self.users:
            raise BadArchive(file, _("It names a person who isn’t in the archive: “%(key)s”.") % {"key": str(key)[:40]})
        return self.users[key]

    def member(self, key: Any, file: str) -> Membership:
        """The membership for a person's key. Raises `BadArchive` for somebody who is no member."""
        self.user(key, file)
        if key not in self.members:
            raise BadArchive(file, _("It names a person who isn’t a member: “%(key)s”.") % {"key": str(key)[:40]})
        return self.members[key]

    def named(self, row: models.Model, old: Any, file: str) -> None:
        """Give a row its new id, and remember it by the old one. Raises `BadArchive` for no id, or one used twice."""
        known = self.found.setdefault(type(row), {})
        if not is_id(old) or old in known:
            raise BadArchive(file, _("“%(id)s” isn’t an id, or is used twice.") % {"id": str(old)[:40]})
        row.pk = self.new(old)
        known[old] = row

    def row(self, model: type[models.Model], old: Any, file: str) -> Any:
        """The row with this old id, None for "". Raises `BadArchive` for an unknown one."""
        if old == "":
            return None
        found = self.found.get(model, {}).get(old) if isinstance(old, str) else None
        if found is None:
            raise BadArchive(
                file, _("It refers to something that isn’t in the archive: “%(id)s”.") % {"id": str(old)[:40]}
            )
        return found

    def count(self, name: str, many: int, file: str) -> None:
        """Check how many the manifest says there are. Raises `BadArchive`."""
        counts = self.box.manifest.get("counts")
        said = counts.get(name) if isinstance(counts, dict) else None
        if said != many:
            raise BadArchive(
                file,
                _("There are %(many)s of “%(name)s”, but the manifest says %(said)s.")
                % {"many": many, "name": name, "said": str(said)[:20]},
            )

    def add(self, rows: Iterable[models.Model], settle: Callable[[], None] = _nothing) -> None:
        """Rows of one model to save, after those added before.

        `settle` is called just before, for values that need the numbers of rows that are saved by then.
        """
        batch = list(rows)

        def made() -> Iterable[models.Model]:
            settle()
            return batch

        self.later(len(batch), made)

    def later(self, many: int, made: Callable[[], Iterable[models.Model]]) -> None:
        """The same, for so many rows that they are only made when they are saved. Making them can't fail."""
        if many:
            self._batches.append(made)

    def save(self) -> None:
        """Save everything. The caller has opened the transaction."""
        for made in self._batches:
            rows = iter(made())
            while some := list(islice(rows, BATCH)):
                manager: Any = type(some[0])._base_manager
                manager.bulk_create(some)
                self.tell(len(some))
