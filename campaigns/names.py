"""Cleaning, validating and comparing names of people and of what they create."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

DRAWN_AS_NOTHING = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible fillers that Unicode classifies as letters and symbols."""

IGNORED = "\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f"
"""Invisible marks."""

JOINERS = "\u200c\u200d"
"""Invisible, except that they join emoji and letters of Persian and Indian scripts."""

EMOJI_STYLE = "\ufe0f"

# The Cyrillic, Greek and Latin part of Unicode's confusables: what people at one table can type. A capital may look
# like one letter and its lower-case form like another.
CAPITALS = "Αa Βb Εe Ζz Ηh Ιi Κk Μm Νn Οo Ρp Τt Υy Χx Вb Нh Мm Тt Кk"
SMALL = (
    "аa еe оo рp сc уy хx іi јj ѕs ԁd ԛq ԝw һh ѵv гr пn ьb ӏi зz вb кk мm нh тt "
    "αa βb εe ηn ιi κk νv οo ρp τt υu χx γy ωw σo ϲc ɑa ɡg ıi 0o 1i li |i 3z 5s"
)
_CAPITALS, _SMALL = (str.maketrans({pair[0]: pair[1] for pair in pairs.split()}) for pairs in (CAPITALS, SMALL))

UNSEEN = _("This has no visible characters. Use letters or digits.")


def is_seen(name: str) -> bool:
    """Whether a name has a visible character. A link of zero-width characters has no text to click."""
    return any(unicodedata.category(each)[0] in "LNPS" and each not in DRAWN_AS_NOTHING for each in name)


def check_seen(name: str) -> None:
    """Validator: raises `ValidationError` for a name without visible characters."""
    if not is_seen(name):
        raise ValidationError(UNSEEN)


def printable(name: str) -> str:
    """The name without control characters, escape sequences, direction marks and other invisible characters.

    Line breaks and tabs stay: single-line fields reject them.
    """
    if name.isascii() and name.isprintable():
        return name.strip()
    kept = ""
    for each in unicodedata.normalize("NFC", name):
        if each in "\r\n\t" or _is_drawn(each, kept[-1:]):
            kept += each
    return kept.strip()


def printable_inside(value: Any) -> Any:
    """A JSON value whose texts are printable; its keys stay as they are."""
    if isinstance(value, dict):
        return {name: printable_inside(each) for name, each in value.items()}
    if isinstance(value, list):
        return [printable_inside(each) for each in value]
    return printable(value) if isinstance(value, str) else value


def _is_drawn(letter: str, before: str) -> bool:
    category = unicodedata.category(letter)
    if letter in JOINERS or letter == EMOJI_STYLE:
        # Valid after a caseless letter, its marks or a symbol, which are what they join.
        return before != "" and unicodedata.category(before) in ("Lo", "Mn", "Mc", "So", "Sk", "Sm", "Po")
    variant = "\ufe00" <= letter <= "\ufe0f" or letter >= "\U000e0000"
    nothing = variant or letter in DRAWN_AS_NOTHING + IGNORED
    return category[0] != "C" and category not in ("Zl", "Zp") and not nothing


def skeleton(name: str) -> str:
    """A key that lookalike names share. Only for comparison."""
    capitals = unicodedata.normalize("NFKC", name).translate(_CAPITALS)
    folded = unicodedata.normalize("NFKD", capitals.casefold()).translate(_SMALL)
    letters = "".join(each for each in folded if unicodedata.category(each)[0] in "LN")
    return (letters or folded).replace("rn", "m").replace("vv", "w")
