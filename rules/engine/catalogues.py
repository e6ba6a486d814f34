"""Message catalogues: gettext files that hold the sentence of each phrase by its id, in English as in any language.

Vesper's are in ``rules/locale``; a package that registers a system has its own in its folder ``locale``.
"""

from __future__ import annotations

import gettext
import json
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

DOMAIN = "rules"
ENGLISH = "en"
OWN = Path(__file__).resolve().parent.parent / "locale"
FORMER = "former-2026-11.json"

GROUP = "vesper.systems"
"""The entry point group of systems. An entry point has its system's key as name and refers to the :class:`System`."""


@lru_cache(8192)  # numbers, and with them its keys, are without end
def template(locale: str, key: str, number: int | None = None) -> str:
    """The message with this id, its values still in braces; the plural form for `number` if it has one.

    A message that `locale` ("de", "pt_BR") lacks is English. An unknown id is returned unchanged.
    """
    found = _catalogue(locale)
    return found.gettext(key) if number is None else found.ngettext(key, key, number)


@cache
def former_ids() -> dict[str, str]:
    """Message ids by the English sentences of before there were ids: old logs and scenario files hold these."""
    files = (folder / FORMER for folder in reversed(_folders()))  # where two have the same sentence, ours wins
    return {sentence: key for file in files if file.is_file() for sentence, key in json.loads(file.read_text()).items()}


@cache
def former_sentences() -> dict[str, str]:
    """The same by id."""
    return {key: sentence for sentence, key in former_ids().items()}


@cache
def _catalogue(locale: str) -> gettext.NullTranslations:
    first, *others = (gettext.translation(DOMAIN, each, [locale, ENGLISH], fallback=True) for each in _folders())
    for each in others:
        first.add_fallback(each)
    return first


@cache
def _folders() -> tuple[Path, ...]:
    return (OWN, *folders_of(entry_points(group=GROUP)))


def folders_of(points: Iterable[EntryPoint]) -> tuple[Path, ...]:
    """The ``locale`` folders of the packages behind these entry points, none of which is imported."""
    specs = (find_spec(point.module.partition(".")[0]) for point in points)
    places = (Path(place, "locale") for spec in specs if spec for place in spec.submodule_search_locations or ())
    return tuple(dict.fromkeys(place for place in places if place.is_dir() and place != OWN))
