"""Foundry actors among the formats of files that characters come from and go to."""

from __future__ import annotations

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from characters import rulesets
from characters.access import Seen
from characters.foundry import reading, writing
from characters.foundry.files import is_json
from characters.incoming.readers import Reader, register_reader
from characters.takeout import Format, register_format


def why_not(seen: Seen) -> str:
    """Why a character has no Foundry actor, "" if it has one."""
    ruleset = rulesets.ruleset_for(seen.character.chronicle)
    if ruleset.foundry:
        return ""
    return _now("%(ruleset)s has no counterpart in Foundry.") % {"ruleset": ruleset.name}


READER = Reader(
    key="foundry",
    label=_("Foundry VTT actor (JSON)"),
    help=_("In Foundry, right-click the character in the list of actors and choose “Export Data”."),
    accept=".json,application/json",
    knows=is_json,
    read=reading.read,
)

FORMAT = Format(
    key="foundry",
    label=_("Foundry VTT actor (JSON)"),
    help=_("In Foundry, create an actor, right-click it in the list and choose “Import Data”."),
    ending="json",
    type="application/json; charset=utf-8",
    why_not=why_not,
    write=lambda seen: writing.write(seen.character),
)


def register() -> None:
    """Add the format, when the app is ready."""
    register_reader(READER)
    register_format(FORMAT)
