"""Parser for quick add: “3 thugs” is a number and somebody of the cast, possibly hidden from players."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

HIDDEN = "?"
_BEFORE = re.compile(r"(?P<count>\d{1,9})\s*[x×]?\s+(?P<name>.+)")
_AFTER = re.compile(r"(?P<name>.+?)\s*[x×]\s*(?P<count>\d{1,9})")
MOST_LETTERS_OF_PLURAL = 2
IN_IE = ("bookie", "brownie", "genie", "hippie", "junkie", "pixie", "roadie", "rookie", "valkyrie", "zombie")
"""Nouns in “-ie”. Every other plural in “-ies” is taken for a noun in “-y”."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A parsed request. `count` is None if no number was given."""

    name: str
    count: int | None = None
    hidden: bool = False


def read(words: str) -> Asked | None:
    """Parse a number and a name, with `?` before or after them to hide the combatants from players.

    None if there is no name.
    """
    said = " ".join(words.split())
    bare = said.strip(f"{HIDDEN} ")
    found = _BEFORE.fullmatch(bare) or _AFTER.fullmatch(bare)
    name, count = (found["name"], int(found["count"])) if found else (bare, None)
    if not any(letter.isalpha() for letter in name):
        return None
    return Asked(name, count, hidden=bare != said)


def find(name: str, cast: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The ids of the best matches for a name among the cast (pairs of id and name); several if they match equally well.

    In order of precedence: the whole name, its beginning, the beginning of a word, any part.
    """
    people = [(who, known.casefold()) for who, known in cast]
    meant = {name.casefold(), _english(name.casefold())}
    for fits in (_is, _begins, _begins_a_word, _is_part):
        found = tuple(who for who, known in people if any(fits(known, each) for each in meant))
        if found:
            return found
    return ()


def singular(name: str) -> str:
    """The likely name of one of several, capitalised: “bouncers” gives “Bouncer”."""
    one = _english(name)
    return one[:1].upper() + one[1:]


def _english(name: str) -> str:
    """The singular of an English plural; any other name unchanged."""
    if name.endswith(tuple(f"{one}s" for one in IN_IE)):
        return name.removesuffix("s")
    for ending, one in (("men", "man"), ("wolves", "wolf"), ("thieves", "thief"), ("ies", "y"), ("ss", "ss")):
        if name.endswith(ending):
            return name.removesuffix(ending) + one
    for ending in ("ches", "shes", "sses", "xes", "zes"):
        if name.endswith(ending):
            return name.removesuffix("es")
    return name.removesuffix("s") if len(name) > MOST_LETTERS_OF_PLURAL else name


def _is(known: str, name: str) -> bool:
    # Most languages form plurals with one or two more letters: “Hunde”, “Wachen”.
    more = len(name) - len(known)
    return known == name or (0 < more <= MOST_LETTERS_OF_PLURAL and len(known) > more + 1 and name.startswith(known))


def _begins(known: str, name: str) -> bool:
    return known.startswith(name)


def _begins_a_word(known: str, name: str) -> bool:
    return any(known.startswith(name, found.start()) for found in re.finditer(r"\b\w", known))


def _is_part(known: str, name: str) -> bool:
    return name in known
