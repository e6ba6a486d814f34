"""A chronicle's own kinds of creature: each uses the sheet of one of the ruleset's kinds and has settings of its own.

The input is plain (words, switches, lists), as forms, rows and scenario files hold it; :func:`read_kind` validates it
and builds the :class:`Kind` that the rules read like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.engine.phrases import phrase
from rules.model.conditions import DYING, Fallen, conditions
from rules.model.gear import Damage
from rules.model.options import BadOption
from rules.model.words import as_key

MOST_KINDS = 30
MOST_BANES = 20
LONGEST_NAME = 30
LONGEST_BANE = 60


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of creature.

    ``soaks`` are the damage types it may soak with Stamina; ``human`` marks those whose pools have a ceiling;
    ``felled`` is the condition it enters when every box is lethal or worse. ``banes`` are the tags of what does
    aggravated damage to it (fire, silver), even if it soaks other aggravated damage.

    In rulesets whose damage depends on the kind: one with a ``mortal`` body never takes aggravated damage, and the
    setting named by ``hardy`` lets it soak everything but its banes. One that ``regenerates`` heals at the end of each
    turn, and one that ``rests_well`` heals aggravated levels by days of rest. ``powers`` is the collective name of its
    powers, if they are declared by name.

    One that ``bleeds`` moves closer to death with time while dying. Wound penalties apply to one that ``feels_wounds``,
    and one that ``tires`` must roll to stay awake if the ruleset asks for that. ``like`` is the kind whose sheet it
    uses, "" for its own: see :mod:`rules.model.kinds`.
    """

    key: str
    label: str
    soaks: frozenset[Damage]
    human: bool = False
    undead: bool = False
    felled: str = DYING
    banes: frozenset[str] = frozenset()
    mortal: bool = False
    hardy: str = ""
    regenerates: bool = False
    rests_well: bool = False
    powers: str = ""
    bleeds: bool = True
    feels_wounds: bool = True
    tires: bool = True
    like: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A yes-or-no setting of a kind of creature: its key, the question, and the meaning of yes."""

    key: str
    label: str
    help: str = ""


QUESTIONS = (
    Question("human", phrase("human"), phrase("if-ruleset-caps-mortals-dice-pools-cap")),
    Question(
        "undead",
        phrase("undead"),
        phrase("rules-for-undead-apply-guns-stakes-healing"),
    ),
    Question("bleeds", phrase("bleeds"), phrase("while-dying-they-come-closer-to-death")),
    Question("feels_wounds", phrase("hindered-by-wounds"), phrase("wound-penalties-apply-to-their-actions")),
    Question("tires", phrase("tires"), phrase("must-roll-to-stay-awake-if-ruleset")),
    Question(
        "regenerates",
        phrase("regenerates"),
        phrase("heals-one-bashing-level-or-one-lethal"),
    ),
)
"""The answers of its own that every ruleset can make something of."""

KEYS = frozenset({"label", "like", "soaks", "banes", "felled", "open", *(each.key for each in QUESTIONS)})
"""All settings of a kind. ``open`` is not a rule: it says whether players may see the kind and choose it."""


def soaking_matters(kinds: Mapping[str, Kind]) -> bool:
    """Whether what a kind soaks means anything in a ruleset."""
    return any(kind.soaks for kind in kinds.values())


def fellings(kinds: Mapping[str, Kind]) -> tuple[str, ...]:
    """The conditions that a creature of this ruleset may enter when every box is lethal or worse."""
    everywhere = [each.key for each in conditions() if Fallen.NO < each.fallen < Fallen.DEAD]
    return tuple(dict.fromkeys([*everywhere, *(kind.felled for kind in kinds.values())]))


def answers(kind: Kind) -> dict[str, Any]:
    """What a kind answers, as plain values: what a new kind that is like it begins with."""
    told = {each.key: getattr(kind, each.key) for each in QUESTIONS}
    soaks = [damage.value for damage in Damage if damage in kind.soaks]
    return {**told, "like": kind.like or kind.key, "soaks": soaks, "banes": sorted(kind.banes), "felled": kind.felled}


def read_kind(key: str, given: Mapping[str, Any], kinds: Mapping[str, Kind]) -> Kind:
    """The kind of creature described by ``given``; missing settings are taken from the kind that it is like.

    Raises :class:`rules.model.options.BadOption` with the key of the invalid setting.
    """
    for name in given:
        if name not in KEYS:
            raise BadOption(name, phrase("kinds-of-creature-have-no-such-setting"))
    base = kinds.get(_word(given, "like", "mortal"))
    if base is None or base.like:
        raise BadOption("like", phrase("choose-one-of-rulesets-kinds"))
    banes = _banes(given.get("banes", sorted(base.banes)))
    answered: dict[str, Any] = {each.key: _switch(given, each.key, base) for each in QUESTIONS}
    return replace(
        base,
        key=key,
        label=_label(given),
        like=base.key,
        soaks=_soaks(given.get("soaks", answers(base)["soaks"])),
        banes=banes,
        felled=_felled(given, base, kinds),
        # To a mortal's body nothing is aggravated, unless something is its bane.
        mortal=base.mortal and not banes,
        hardy="",
        rests_well=base.rests_well,
        **answered,
    )


def read_kinds(given: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, Kind]) -> tuple[Kind, ...]:
    """All of a chronicle's own kinds, by their keys; raises as :func:`read_kind`."""
    if len(given) > MOST_KINDS:
        raise BadOption("label", phrase("chronicle-can-have-at-most-kinds", most_kinds=MOST_KINDS))
    return tuple(read_kind(key, each, kinds) for key, each in given.items())


def _word(given: Mapping[str, Any], name: str, default: str) -> str:
    found = given.get(name, default)
    if not isinstance(found, str):
        raise BadOption(name, phrase("enter-a-word"))
    return found


def _label(given: Mapping[str, Any]) -> str:
    label = " ".join(_word(given, "label", "").split())
    if not 1 <= len(label) <= LONGEST_NAME:
        raise BadOption("label", phrase("enter-name-of-1-to-characters", longest_name=LONGEST_NAME))
    return label


def _switch(given: Mapping[str, Any], name: str, base: Kind) -> bool:
    found = given.get(name, getattr(base, name))
    if not isinstance(found, bool):
        raise BadOption(name, phrase("choose-yes-or-no"))
    return found


def _felled(given: Mapping[str, Any], base: Kind, kinds: Mapping[str, Kind]) -> str:
    felled = _word(given, "felled", base.felled)
    if felled not in fellings(kinds):
        raise BadOption("felled", phrase("choose-one-of-options"))
    return felled


def _soaks(given: Any) -> frozenset[Damage]:
    words = _words("soaks", given)
    if any(word not in list(Damage) for word in words):
        raise BadOption("soaks", phrase("choose-bashing-lethal-or-aggravated"))
    return frozenset(Damage(word) for word in words)


def _banes(given: Any) -> frozenset[str]:
    """Tags as weapons have them: "cold iron" is the tag cold_iron."""
    kept = frozenset(tag for word in _words("banes", given) if (tag := as_key(word)))
    if len(kept) > MOST_BANES or any(len(tag) > LONGEST_BANE for tag in kept):
        raise BadOption(
            "banes",
            phrase(
                "at-most-banes-each-at-most-characters",
                most_banes=MOST_BANES,
                longest_bane=LONGEST_BANE,
            ),
        )
    return kept


def _words(name: str, given: Any) -> list[str]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadOption(name, phrase("enter-list-of-words"))
    words = list(given)
    if any(not isinstance(word, str) for word in words):
        raise BadOption(name, phrase("enter-list-of-words"))
    return words
