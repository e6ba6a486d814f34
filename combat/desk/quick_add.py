"""Reading “3 thugs”: how many, of whom in the cast, and whether players see them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

HIDDEN = "?"
_BEFORE = re.compile(r"(?P<count>\d{1,9})\s*[x×]?\s+(?P<name>.+)")
_AFTER = re.compile(r"(?P<name>.+?)\s*[x×]\s*(?P<count>\d{1,9})")
MOST_LETTERS_OF_PLURAL = 2
IN_IE = ("bookie", "brownie", "genie", "hippie", "junkie", "pixie", "roadie", "rookie", "valkyrie", "zombie")
"""Who ends in these: all others in “-ies” are taken for somebody in “-y”."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom somebody wants in the fight. `count` is None where none was said."""

    name: str
    count: int | None = None
    hidden: bool = False


def read(words: str) -> Asked | None:
    """What a few words ask for: a number and a name, `?` before or after them for somebody whom players do not see.

    None where no name is in them.
    """
    said = " ".join(words.split())
    bare = said.strip(f"{HIDDEN} ")
    found = _BEFORE.fullmatch(bare) or _AFTER.fullmatch(bare)
    name, count = (found["name"], int(found["count"])) if found else (bare, None)
    if not any(letter.isalpha() for letter in name):
        return None
    return Asked(name, count, hidden=bare != said)


def find(name: str, cast: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The ids of those of the cast (id and name) whom a name fits best: several where it fits them equally well.

    A whole name goes before its beginning, that before the beginning of one of its words, that before any part of it.
    """
    people = [(who, known.casefold()) for who, known in cast]
    meant = {name.casefold(), _english(name.casefold())}
    for fits in (_is, _begins, _begins_a_word, _is_part):
        found = tuple(who for who, known in people if any(fits(known, each) for each in meant))
        if found:
            return found
    return ()


def singular(name: str) -> str:
    """The likely name of one of them, with a capital: “bouncers” are a “Bouncer” each."""
    one = _english(name)
    return one[:1].upper() + one[1:]


def _english(name: str) -> str:
    """What a plural is the plural of, by how English makes them; the name itself where it is none."""
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
    # In most languages a plural is its name with a letter or two more: “Hunde”, “Wachen”.
    more = len(name) - len(known)
    return known == name or (0 < more <= MOST_LETTERS_OF_PLURAL and len(known) > more + 1 and name.startswith(known))


def _begins(known: str, name: str) -> bool:
    return known.startswith(name)


def _begins_a_word(known: str, name: str) -> bool:
    return any(known.startswith(name, found.start()) for found in re.finditer(r"\b\w", known))


def _is_part(known: str, name: str) -> bool:
    return name in known
