"""Reads what Storytellers write about an antagonist: “Attack 6, Dodge 5”, and names from the tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from characters.words import unhyphenated

_APART = re.compile(r"[,;\n]")
_FIGURE = re.compile(r"(?P<name>.*?[^\W\d_].*?)[\s:=]*(?P<figure>\d{1,6})")
SHOWN = 40
MOST_MEANT = 3


def read_figures(text: str, names: Mapping[str, str]) -> dict[str, int]:
    """The numbers in a text by key; `names` maps names, as :func:`bare` writes them, to keys.

    Raises `ValidationError` for the first part that is no known name with a number, or a name that is there twice.
    """
    found: dict[str, int] = {}
    for part in filter(None, map(str.strip, _APART.split(text))):
        read = _FIGURE.fullmatch(part)
        name = read["name"] if read else part
        key = names.get(bare(name))
        if key is None:
            raise ValidationError(_unknown(name, names))
        if read is None:
            raise ValidationError(_("Write a number after “%(name)s”, such as “%(name)s 4”.") % {"name": name[:SHOWN]})
        if key in found:
            raise ValidationError(_("“%(name)s” is there twice.") % {"name": name[:SHOWN]})
        found[key] = int(read["figure"])
    return found


def read_names(text: str, known: Iterable[str]) -> tuple[str, ...]:
    """The names from a table in a text, one on each line or separated by commas, which a name may contain too.

    Raises `ValidationError` for one that isn't in the table.
    """
    table = {bare(name): name for name in known}
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        parts = [line] if bare(line) in table else [each.strip() for each in _APART.split(line) if each.strip()]
        for name in parts:
            if bare(name) not in table:
                raise ValidationError(_unknown(name, table))
            found.append(table[bare(name)])
    return tuple(dict.fromkeys(found))


def bare(name: str) -> str:
    """A name as it is compared: without case, soft hyphens and spare spaces."""
    return " ".join(unhyphenated(name).casefold().split())


def _unknown(name: str, known: Iterable[str]) -> str:
    meant = get_close_matches(bare(name)[:SHOWN], list(known), MOST_MEANT)
    if meant:
        sentence = _("Unknown name: “%(name)s”. Did you mean %(meant)s?")
        return sentence % {"name": name[:SHOWN], "meant": ", ".join(each.capitalize() for each in meant)}
    return _("Unknown name: “%(name)s”.") % {"name": name[:SHOWN]}
