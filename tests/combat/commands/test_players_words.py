"""What players type is marked as theirs, in every command that can contain their words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from combat.commands.naming import as_players_mean_it
from rules.engine.inputs import Asked, Want, Wanted
from rules.engine.messages import Command, command, declared_here
from rules.engine.phrases import PLAYERS_WORDS, Typed, phrase
from rules.model.choices import Modifier
from tests.combat.conftest import Table, characters, draft, fight

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = pytest.mark.django_db


def meant(fight: Table, given: Command, by: Any) -> Any:
    encounter = fight.encounter
    return as_players_mean_it(given, fight.state, encounter.chronicle.memberships.get(user=by), encounter)


def test_marked_fields_are_the_players_and_no_others(fight: Table, player: Any, storyteller: Any) -> None:
    with declared_here():

        @command(phrase("sing"), acts_for="by", asked=Asked((Wanted("tune", phrase("Tune"), Want.WORDS),)))
        @dataclass(frozen=True, slots=True)
        class Sing(Command):
            by: str
            tune: str
            to: str = "everybody"
            verses: tuple[str, ...] = field(default=(), metadata=PLAYERS_WORDS)
            modifiers: tuple[Modifier, ...] = ()

        song = Sing(fight["Ilya"], "low", verses=("la",), modifiers=(Modifier("difficulty", {"why": "rain", "by": 1}),))
        hers = meant(fight, song, storyteller)
        theirs = meant(fight, song, player)
    assert theirs == hers == song
    assert not any(isinstance(text, Typed) for text in (hers.tune, *hers.verses))
    (modifier,) = theirs.modifiers
    assert all(isinstance(text, Typed) for text in (theirs.tune, *theirs.verses, modifier.figures["why"]))
    assert not any(isinstance(text, Typed) for text in (theirs.by, theirs.to, modifier.key))
