"""Parser for quick add: “3 thugs, clubs” is a number, somebody of the cast and their weapons, all possibly hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

HIDDEN = "?"
_BEFORE = re.compile(r"(?P<count>\d{1,9})\s*[x×]?\s+(?P<name>.+)")
_AND = re.compile(r"\s*(?:,|&|\+|\band\b|\bund\b)\s*")
_AFTER = re.compile(r"(?P<name>.+?)\s*[x×]\s*(?P<count>\d{1,9})")
MOST_LETTERS_OF_PLURAL = 2
LEAST_BEGUN = 3
MOST_MEANT = 3
ALIKE = 0.75
"""How alike a known name must be to be suggested for an unknown one, of 1."""

Fits = Callable[[str, str], bool]

IN_IE = ("bookie", "brownie", "genie", "hippie", "junkie", "pixie", "roadie", "rookie", "valkyrie", "zombie")
"""Nouns in “-ie”. Every other plural in “-ies” is taken for a noun in “-y”."""


def _both(english: str, german: str, *names: str) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys((*english.split("/"), *german.split("/")), names)


EVERYDAY: dict[str, tuple[str, ...]] = {
    **_both("club/cudgel/nightstick", "knüppel/keule/schlagstock", "Club", "Club (wood)", "Baton", "Baseball Bat"),
    **_both("baseball bat/bat", "baseballschläger", "Baseball Bat", "Club", "Club (wood)", "Baton"),
    **_both("sap/blackjack", "totschläger", "Sap"),
    **_both("knife/dagger", "messer/dolch", "Knife"),
    **_both("sword", "schwert", "Sword", "Short sword", "Rapier"),
    **_both("axe/ax", "axt/äxt/beil", "Axe", "Hatchet", "Small Ax"),
    **_both("crowbar", "brechstange/brecheisen", "Crowbar", "Tire Iron"),
    **_both("chain", "kette", "Chain"),
    **_both("chainsaw", "kettensäge", "Chainsaw"),
    **_both("brass knuckles/knuckleduster", "schlagring", "Brass Knuckles", "Spiked Gauntlet"),
    **_both("stake", "pflock/holzpflock/pflöck", "Stake"),
    **_both("spear", "speer", "Spear"),
    **_both("whip", "peitsche", "Whip"),
    **_both("rope", "seil", "Rope"),
    **_both("stone/rock", "stein", "Stone"),
    **_both("throwing knife", "wurfmesser", "Throwing knife", "Thrown weapon"),
    **_both("grenade", "handgranate/granate", "Hand grenade"),
    **_both("pistol/handgun/gun", "pistole", "Light pistol", "Handgun"),
    **_both("revolver", "revolver", "Light revolver", "Single-action revolver"),
    **_both("rifle", "gewehr", "Rifle"),
    **_both("assault rifle", "sturmgewehr", "Assault rifle"),
    **_both("shotgun", "flinte/schrotflinte", "Shotgun", "Shotgun, shot"),
    **_both("submachine gun/smg", "maschinenpistole", "Small SMG"),
    **_both("bow", "bogen/bögen", "Bow", "Short Bow"),
    **_both("crossbow", "armbrust/armbrüst", "Crossbow"),
}
"""Everyday names of weapons, and the names in the tables that they may mean: the first one that the ruleset has."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A parsed request. `count` is None if no number was given; `weapons` is the text after the first comma."""

    name: str
    count: int | None = None
    hidden: bool = False
    weapons: str = ""

    @property
    def whole(self) -> str:
        """The name if the comma is a part of it."""
        return f"{self.name}, {self.weapons}" if self.weapons else self.name


def read(words: str) -> Asked | None:
    """Parse a number, a name and weapons, with a `?` at either end or after the name to hide all from players.

    None if there is no name.
    """
    said = " ".join(words.split())
    people, _comma, weapons = said.partition(",")
    bare = people.strip(f"{HIDDEN} ")
    found = _BEFORE.fullmatch(bare) or _AFTER.fullmatch(bare)
    name, count = (found["name"], int(found["count"])) if found else (bare, None)
    if not any(letter.isalpha() for letter in name):
        return None
    carried = weapons.strip(f"{HIDDEN}, ")
    return Asked(name, count, hidden=HIDDEN in (said[0], said[-1], people[-1]), weapons=carried)


def find(name: str, cast: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The ids of the best matches for a name among the cast (pairs of id and name); several if they match equally well.

    In order of precedence: the whole name, its beginning, the beginning of a word, any part.
    """
    return _matching(name, cast, (_is, _begins, _begins_a_word, _is_part))


def find_whole(name: str, cast: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """As :func:`find`, by whole names only: singular or plural."""
    return _matching(name, cast, (_is,))


def find_begun(name: str, cast: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """As :func:`find`, by names that begin so, from `LEAST_BEGUN` letters on."""
    return _matching(name, cast, (_begins,)) if len(name) >= LEAST_BEGUN else ()


def close_to(name: str, names: Iterable[str]) -> list[str]:
    """The names that somebody may have meant, the closest first."""
    known = {one.casefold(): one for one in names}
    return [known[one] for one in get_close_matches(_english(name.casefold()), known, MOST_MEANT, ALIKE)]


def _matching(
    name: str, cast: Iterable[tuple[str, str]], ways: Iterable[Callable[[str, str], bool]]
) -> tuple[str, ...]:
    people = [(who, known.casefold()) for who, known in cast]
    meant = {name.casefold(), _english(name.casefold())}
    for fits in ways:
        found = tuple(dict.fromkeys(who for who, known in people if any(fits(known, each) for each in meant)))
        if found:
            return found
    return ()


def find_weapons(words: str, table: Iterable[tuple[str, str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The ids of the weapons of a table (pairs of id and name) that these words name, each with its words.

    A weapon is found by its name, its everyday name (:data:`EVERYDAY`) or, like people, a part of it. Several weapons
    are separated by commas or by “and”.
    """
    rows = list(table)
    if found := _weapon(words, rows):
        return ((words, found),)
    return tuple((each, _weapon(each, rows)) for each in _AND.split(words) if each)


def _weapon(name: str, rows: list[tuple[str, str]]) -> tuple[str, ...]:
    plain = [(key, _bare(known)) for key, known in rows]
    meant = (_bare(name), _english(_bare(name)))
    called = [*meant, *map(_bare, _everyday(meant))]
    found = next((key for one in called for key, known in plain if _is(known, one)), "")
    return (found,) if found else find(_bare(name), plain)


def _everyday(meant: Collection[str]) -> Iterator[str]:
    return (one for said, names in EVERYDAY.items() for one in names if any(_is(said, each) for each in meant))


def _bare(name: str) -> str:
    """A name without punctuation: “Shotgun, slug” is also found as “shotgun slug”."""
    return " ".join(re.sub(r"[^\w-]+", " ", name.casefold()).split())


def singular(name: str) -> str:
    """The likely name of one of several, capitalised: “bouncers” gives “Bouncer”."""
    one = _english(name)
    return one[:1].upper() + one[1:]


def _english(name: str) -> str:
    """The singular of an English plural; any other name unchanged."""
    if name.endswith(tuple(f"{one}s" for one in IN_IE)):
        return name.removesuffix("s")
    for ending, one in (
        ("men", "man"),
        ("wolves", "wolf"),
        ("thieves", "thief"),
        ("knives", "knife"),
        ("ies", "y"),
        ("ss", "ss"),
    ):
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
