"""Ready-made rolls: a ruleset's, and a chronicle's own, one per line.

A line reads ``Picking a lock: Dexterity + Security, 7``. In place of the difficulty it may say
``against Perception + Alertness`` (the opponent's Traits as difficulty) or ``resisted by`` them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.sheet import Layout

_LINE = re.compile(
    r"(?P<label>[^:]{1,60}):\s*(?P<traits>.+?)"
    r"(?:,\s*(?P<difficulty>\d{1,2})|\s+against\s+(?P<against>.+)|\s+resisted by\s+(?P<resisted>.+))?\s*"
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A ready-made roll. ``difficulty`` ``None`` is the ruleset's own.

    ``against`` are an opponent's Traits as difficulty, ``resisted`` those that the opponent rolls.
    """

    label: str
    traits: tuple[str, ...]
    difficulty: int | None = None
    against: tuple[str, ...] = ()
    resisted: tuple[str, ...] = ()


def parse_preset(line: str, layout: Layout) -> Preset:
    """The roll that a line describes; ValueError with a sentence where it describes none."""
    found = _LINE.fullmatch(line.strip())
    if found is None:
        raise ValueError(phrase("write-like-this-picking-lock-dexterity", line=line.strip()[:60]))
    difficulty = int(found["difficulty"]) if found["difficulty"] else None
    if difficulty is not None and not 2 <= difficulty <= 10:
        raise ValueError(phrase("difficulty-of-must-be-from-2", label=found["label"].strip()))
    return Preset(
        found["label"].strip(),
        _traits(found["traits"], layout),
        difficulty,
        _traits(found["against"], layout) if found["against"] else (),
        _traits(found["resisted"], layout) if found["resisted"] else (),
    )


def _traits(words: str, layout: Layout) -> tuple[str, ...]:
    keys = []
    for name in (word.strip() for word in words.split("+")):
        if not (key := layout.key_of(name)):
            raise ValueError(phrase("there-is-no-trait-called", name=name[:40]))
        keys.append(key)
    if len(keys) > 2:
        raise ValueError(phrase("roll-has-at-most-two-traits"))
    return tuple(keys)
