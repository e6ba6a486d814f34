"""A report as Markdown, to keep or post. Text that people typed is escaped: a name can't become a heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.words import decimal
from combat.history.entries import Entry
from combat.history.report import Person, Report, RollTold

MEANS_SOMETHING = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&])")


def escaped(text: str) -> str:
    """A text on one line, with Markdown's special characters escaped."""
    return MEANS_SOMETHING.sub(r"\\\1", " ".join(text.split()))


def in_markdown(report: Report) -> str:
    """The whole report."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# {escaped(report.name)}"
    yield ""
    if report.secrets:
        yield "> " + _("Contains the Storyteller’s secrets: not for the table.")
        yield ""
    yield from _people(report.people)
    for title, rolls in ((_("The best rolls"), report.best), (_("The worst rolls"), report.worst)):
        yield from _section(title, map(_roll, rolls))
    yield from _section(
        _("Turning points"), (f"{_('Turn')} {each.turn}: {escaped(each.text)}" for each in report.turnings)
    )
    for chapter in report.chapters:
        yield f"## {_('Turn')} {chapter.turn}"
        yield ""
        for entry in chapter.entries:
            yield from _entry(entry)


def _people(people: Iterable[Person]) -> Iterator[str]:
    heads = (_("Who"), _("Attacks"), _("Hits"), _("Dealt"), _("Taken"), _("Luck"), _("Outcome"))
    yield f"| {' | '.join(heads)} |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    for each in people:
        luck = (
            f"{'-' if each.luck < 0 else '+'}{decimal(abs(each.luck))} ({each.successes} / {decimal(each.expected)})"
            if each.rolls
            else "–"
        )
        cells = (escaped(each.name), each.attacks, each.hits, each.dealt, each.taken, luck, escaped(each.came))
        yield f"| {' | '.join(map(str, cells))} |"
    yield ""


def _roll(roll: RollTold) -> str:
    if roll.pool:
        template = ngettext(
            "{name}, {what}: {successes} from {dice} die ({faces})",
            "{name}, {what}: {successes} from {dice} dice ({faces})",
            roll.pool,
        )
    else:
        template = _("{name}, {what}: {successes} from a chance die ({faces})")
    came = template.format(
        name=escaped(roll.name),
        what=escaped(roll.what),
        successes=roll.successes,
        dice=roll.pool,
        faces=" ".join(map(str, roll.faces)),
    )
    if roll.chance:
        came = _("{roll}, a 1 in {odds} chance").format(roll=came, odds=max(1, round(1 / roll.chance)))
    return f"{_('Turn')} {roll.turn}: {came}"


def _section(title: str, items: Iterable[str]) -> Iterator[str]:
    found = list(items)
    if found:
        yield f"## {title}"
        yield ""
        yield from (f"- {item}" for item in found)
        yield ""


def _entry(entry: Entry) -> Iterator[str]:
    if entry.narration:
        yield from (f"*{escaped(line)}*\n" for line in entry.narration.splitlines() if line.strip())
    for line in entry.lines:
        yield f"- {escaped(''.join(span.text for span in line))}"
    yield ""
