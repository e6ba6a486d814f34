"""The text in an archive that explains it to people who have no Vesper, in the language of who made it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.archives.box import FORMAT
from campaigns.models import Chronicle


def readme(chronicle: Chronicle, counts: Mapping[str, int]) -> str:
    """The file `README.md`, in Markdown."""
    files = [
        (
            "manifest.json",
            _("the format, the ruleset, the number of things, and each file’s size and SHA-256"),
        ),
        (
            "chronicle.json",
            _("name, description, house rules, own kinds, Traits and powers, and the people"),
        ),
        ("sessions.json", _("sessions: when, where, who was there, and the recap")),
        ("preparation.json", _("what the Storytellers prepared, and when it was used")),
        ("pages/", _("a text for each page; who may read which part of it is in pages.json")),
        ("characters/", _("a sheet for each character; portraits are in portraits/")),
        ("templates.json", _("antagonists to make characters from")),
        ("faces.json", _("what players see of others, and who has met whom under which name")),
        ("ties.json", _("who is tied to whom, and what is owed")),
        ("experience.jsonl", _("every award and purchase, each with its seal")),
        ("changes.jsonl", _("what changed on each sheet, when and why")),
        ("encounters/", _("for each fight its log, a line for each step, each with its seal")),
        ("tables/", _("weapons and armour, for any spreadsheet")),
    ]
    lines = [
        f"# {chronicle.name}",
        "",
        _("A chronicle of Vesper, with the ruleset %(ruleset)s, in the format %(format)s.")
        % {"ruleset": rulesets.name_of(chronicle.ruleset), "format": FORMAT},
        _("Texts are Markdown in UTF-8, the rest is JSON and CSV. Of people it holds only their names."),
        _("It contains the Storyteller’s secrets. Everyone who has the file can read them."),
        "",
        *(f"- `{name}`: {what}" for name, what in files),
        "",
        _("A seal is the SHA-256 of the seal before and of the step, so a step that was changed later shows."),
        "",
        *(f"- {name}: {number}" for name, number in sorted(counts.items())),
        "",
    ]
    return "\n".join(lines)
