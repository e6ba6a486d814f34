"""JSON of logs from elsewhere: new ids for all that it names, and limits for all that it says.

The limits are those of the forms, with room to spare. They keep pages small and sums quick, and are checked before
anything is decoded: decoding a phrase writes its sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import isfinite
from string import Formatter
from typing import Any

from campaigns.archives.names import TYPED, NewIds
from campaigns.models import TEXT_LENGTH
from campaigns.tokens import PUBLIC_ID_LENGTH
from combat.commands.drafts import MOST_COMBATANTS
from rules.engine.catalogues import ENGLISH, former_ids, template
from rules.topics.cast.decide import MOST_DOTS, MOST_METRES
from rules.topics.health.boxes import MOST_LEVELS

"""Texts of ids have a multiple of this length, with the sign that would join another one."""

MOST_DEPTH = 80
"""How deep values may be nested. A list of names is a phrase in a phrase for each name."""
MOST_ITEMS = 2000
"""How many a list or an object may hold: the cast of a chronicle, for example."""
MOST_NUMBER = 1000
MOST_DICE = 150
"""How many dice a pool may have. The chances of larger ones take too long to work out."""

LIMITS: Mapping[str, int] = {
    **dict.fromkeys(("traits", "resources", "pools", "rated", "spent", "points", "amount", "most", "size"), MOST_DOTS),
    **dict.fromkeys(("range", "rounds", "clip", "rate", "chambered", "moved", "hours", "minutes"), MOST_METRES),
    **dict.fromkeys(("pool", "sure"), MOST_DICE),
    **dict.fromkeys(("faces", "ties", "once"), 10),
}
"""The highest number under a key, or in the list or object under it."""

SHORT: Mapping[str, int] = {
    **dict.fromkeys(("marks", "injuries", "scars", "impairments", "lasting", "weapons", "armor"), MOST_LEVELS),
    **dict.fromkeys(("levels", "powers", "exchanges", "extended", "mishaps"), MOST_LEVELS),
    **dict.fromkeys(("faces", "ties"), 2 * MOST_DICE),
    "newcomers": MOST_COMBATANTS,
}
"""The longest list under a key."""

FACES = frozenset({"faces", "ties", "once"})

PHRASE = frozenset({"text", "says", "with", "number", "plural"})
"""The parts of a written phrase, with those from before there were message ids."""

_SEPARATED = re.compile(r"\{first\}[^{}]{1,5}\{then\}")
"""A phrase that lists things (`rules.engine.phrases.separated`)."""


class NotAllowed(ValueError):
    """A value isn't allowed. The text is the key that it is under."""


def renewed(value: Any, new: NewIds, key: str = "", depth: int = 0) -> Any:
    """A JSON value with new ids in its keys and texts, except in what somebody typed. Raises `NotAllowed`.

    Unlike `NewIds.inside`, it checks every part against the limits.
    """
    kind = type(value)
    if kind is dict:
        return _object(value, new, key, depth)
    if kind is list:
        if depth > MOST_DEPTH or len(value) > SHORT.get(key, MOST_ITEMS):
            raise NotAllowed(key)
        return [renewed(each, new, key, depth + 1) for each in value]
    return _plain(value, new, key)


def _plain(value: Any, new: NewIds, key: str) -> Any:
    kind = type(value)
    if kind is str:
        if len(value) > TEXT_LENGTH:
            raise NotAllowed(key)
        return new.text(value)
    if kind is int:
        if not (1 if key in FACES else -MOST_NUMBER) <= value <= LIMITS.get(key, MOST_NUMBER):
            raise NotAllowed(key)
    elif kind is float and not (isfinite(value) and abs(value) <= MOST_NUMBER):
        raise NotAllowed(key)
    return value


def _object(value: dict[str, Any], new: NewIds, key: str, depth: int) -> dict[str, Any]:
    if depth > MOST_DEPTH or len(value) > MOST_ITEMS:
        raise NotAllowed(key)
    if TYPED in value and depth:  # a row's cast has a list of this name
        _check_typed(value, key)
    elif "with" in value:
        _length(value, key, depth)
    found, limited = dict[str, Any](), key in LIMITS
    for name, each in value.items():
        kind, under = type(each), key if limited and name not in LIMITS else name
        if kind is bool or each is None or (kind is str and len(each) < PUBLIC_ID_LENGTH):
            made = each  # most of a log
        elif kind is dict or kind is list:
            made = renewed(each, new, under, depth + 1)
        else:
            made = each if name == TYPED else _plain(each, new, under)
        found[new.text(name)] = made
    return found


def _check_typed(value: Mapping[str, Any], key: str) -> None:
    words, of = value[TYPED], value.get("of", "")
    if not value.keys() <= {TYPED, "of"} or type(words) is not str or type(of) is not str or len(words) > TEXT_LENGTH:
        raise NotAllowed(key)


def _length(value: Any, key: str, depth: int) -> int:
    """How long the text of a phrase will be, or of one of its values. Raises `NotAllowed` for one that can't be made.

    Counted instead of made: values that are phrases in turn could double with each level.
    """
    if type(value) in (int, bool):
        return 5
    if type(value) is str:
        return len(value)
    if type(value) is not dict or depth > MOST_DEPTH:
        raise NotAllowed(key)
    if TYPED in value:
        _check_typed(value, key)
        return len(value[TYPED])
    values, number = value.get("with"), value.get("number")
    text = value.get("text", value.get("says"))
    if type(values) is not dict or type(text) is not str or type(number) not in (int, type(None)):
        raise NotAllowed(key)
    if not value.keys() <= PHRASE or abs(number or 0) > MOST_NUMBER:
        raise NotAllowed(key)
    message = text if "text" in value else former_ids().get(text, text)
    written, names, known = _sentence(message, number)
    if values and (not known or names.keys() - values.keys()):
        raise NotAllowed(key)
    length = written + sum(names.get(name, 0) * _length(each, key, depth + 1) for name, each in values.items())
    if length > TEXT_LENGTH:
        raise NotAllowed(key)
    return length


@lru_cache(8192)
def _sentence(message: str, number: int | None) -> tuple[int, Counter[str], bool]:
    """The length of a message's sentence, how often each of its values is in it, and whether it is safe to fill in.

    An unknown message is its own sentence, in which a placeholder could ask for anything.
    """
    sentence = template(ENGLISH, message, number)
    if sentence == message and not _SEPARATED.fullmatch(message):
        return len(sentence), Counter(), "{" not in message and "}" not in message
    return len(sentence), Counter(name for _text, name, *_rest in Formatter().parse(sentence) if name), True
