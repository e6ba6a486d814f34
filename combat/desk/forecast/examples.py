"""One fight of a forecast, played again by its seed and number, as a log like any other. Nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from combat.history.entries import Entry
from combat.history.log import entries_of, telling_once
from combat.log import codec
from combat.log.happened import Happened
from combat.models import Kind
from combat.secrecy.reader import Reader
from combat.secrecy.sight import cast_of
from rules.engine.messages import replay
from rules.forecast.fight import Fought, Outcome
from rules.forecast.forecast import replayed
from rules.forecast.setup import Setup
from rules.model.state import Encounter as State
from rules.model.state import Side

ONLY_LEFT = {
    Side.ALLIES: gettext_lazy("The allies were left standing."),
    Side.ENEMIES: gettext_lazy("The enemies were left standing."),
}


@dataclass(frozen=True, slots=True)
class Chapter:
    """The entries of a turn, oldest first."""

    turn: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A simulated fight: its number, how it ended, the names of those who fell, died and left, and its log."""

    number: int
    outcome: Outcome
    fallen: tuple[str, ...]
    dead: tuple[str, ...]
    left: tuple[str, ...]
    chapters: tuple[Chapter, ...]

    @property
    def ending(self) -> str:
        """Who was left standing, as a sentence."""
        sides = self.outcome.left_standing
        if len(sides) == 1:
            return str(ONLY_LEFT[next(iter(sides))])
        return _("Both sides were still fighting.") if sides else _("Nobody was left standing.")


def example(setup: Setup, seed: int, number: int) -> Example:
    """Play a fight again."""
    fought = replayed(setup, seed, number)
    fates = fought.outcome.fates
    people = {**setup.state.combatants, **fought.state.combatants}
    names = {who: str(each.sheet.name) for who, each in people.items()}
    with telling_once():
        entries = tuple(entries_of(tuple(_rows(setup.state, fought)), Reader(everything=True), setup.system))
    # The first entries of a fight that was under way are from its present turn.
    chapters = groupby(entries, lambda each: max(each.at, setup.state.turn))
    return Example(
        number,
        fought.outcome,
        tuple(names[who] for who, fate in fates.items() if fate.fallen and not fate.dead),
        tuple(names[who] for who, fate in fates.items() if fate.dead),
        tuple(names[who] for who, fate in fates.items() if fate.left),
        tuple(Chapter(turn, tuple(found)) for turn, found in chapters),
    )


def _rows(state: State, fought: Fought) -> Iterator[Happened]:
    """The fight's rows as those of a log, which has no seals, so nothing is cached."""
    for place, row in enumerate(fought.rows):
        after = replay(state, row.events)
        command, cast = codec.dump_command(row.command), cast_of(state, after)
        yield Happened(f"f{place}", Kind.COMMAND, command, row.events, cast, _("Forecast"), seq=place + 1)
        state = after
