"""What any name must have, of people and of what they make."""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

DRAWN_AS_NOTHING = "\u115f\u1160\u2800\u3164\uffa0"
"""Fillers, which Unicode counts among letters and signs."""

IGNORED = "\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f"
"""Marks that are drawn as nothing."""

JOINERS = "\u200c\u200d"
"""They build emoji, and letters of Persian and Indian scripts. Anywhere else they are drawn as nothing."""

EMOJI_STYLE = "\ufe0f"

# Of Unicode's confusables those of Cyrillic, Greek and Latin: what people at one table can type. A capital may look
# like one letter and its small form like another.
CAPITALS = "Αa Βb Εe Ζz Ηh Ιi Κk Μm Νn Οo Ρp Τt Υy Χx Вb Нh Мm Тt Кk"
SMALL = (
    "аa еe оo рp сc уy хx іi јj ѕs ԁd ԛq ԝw һh ѵv гr пn ьb ӏi зz вb кk мm нh тt "
    "αa βb εe ηn ιi κk νv οo ρp τt υu χx γy ωw σo ϲc ɑa ɡg ıi 0o 1i li |i 3z 5s"
)
_CAPITALS, _SMALL = (str.maketrans({pair[0]: pair[1] for pair in pairs.split()}) for pairs in (CAPITALS, SMALL))

UNSEEN = _("Nothing of this can be seen. Use letters that show.")


def is_seen(name: str) -> bool:
    """Whether anything of a name shows: a link made of zero-width letters has no text."""
    return any(unicodedata.category(each)[0] in "LNPS" and each not in DRAWN_AS_NOTHING for each in name)


def check_seen(name: str) -> None:
    """A validator: raises `ValidationError` for a name of which nothing shows."""
    if not is_seen(name):
        raise ValidationError(UNSEEN)


def printable(name: str) -> str:
    """The name without control characters, escape sequences, direction marks and anything else that is not drawn.

    Line breaks and tabs stay: fields for one line refuse them.
    """
    kept = ""
    for each in unicodedata.normalize("NFC", name):
        if each in "\r\n\t" or _is_drawn(each, kept[-1:]):
            kept += each
    return kept.strip()


def _is_drawn(letter: str, before: str) -> bool:
    category = unicodedata.category(letter)
    if letter in JOINERS or letter == EMOJI_STYLE:
        # After a letter without capitals, its marks, or a sign: what they join is of that sort.
        return before != "" and unicodedata.category(before) in ("Lo", "Mn", "Mc", "So", "Sk", "Sm", "Po")
    variant = "\ufe00" <= letter <= "\ufe0f" or letter >= "\U000e0000"
    nothing = variant or letter in DRAWN_AS_NOTHING + IGNORED
    return category[0] != "C" and category not in ("Zl", "Zp") and not nothing


def skeleton(name: str) -> str:
    """What names that look the same have in common. For comparing alone."""
    capitals = unicodedata.normalize("NFKC", name).translate(_CAPITALS)
    folded = unicodedata.normalize("NFKD", capitals.casefold()).translate(_SMALL)
    letters = "".join(each for each in folded if unicodedata.category(each)[0] in "LN")
    return (letters or folded).replace("rn", "m").replace("vv", "w")
