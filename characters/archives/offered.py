"""Vesper's own file of a character among the formats of files that characters come from and go to."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from characters.archives import arriving, single
from characters.incoming.readers import Reader, register_reader
from characters.takeout import Format, register_format

LABEL = _("Vesper (ZIP)")

READER = Reader(
    key="vesper",
    label=LABEL,
    help=_("A character that was taken out of Vesper, from a chronicle with the same ruleset."),
    accept=".zip,application/zip",
    knows=arriving.knows,
    read=arriving.read,
)

FORMAT = Format(
    key="vesper",
    label=LABEL,
    help=_(
        "For another chronicle or another Vesper: the sheet with gear, portrait and notes, experience and history. The "
        "Storyteller’s notes stay here."
    ),
    ending="zip",
    type="application/zip",
    why_not=lambda _seen: "",
    write=lambda seen: single.file_of(seen.character),
)


def register() -> None:
    """Add the format, when the app is ready."""
    register_reader(READER)
    register_format(FORMAT)
