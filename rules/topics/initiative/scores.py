"""Who acts first: scores and the order that follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rules.engine.dice import Dice, Purpose, Throw
from rules.model.conditions import SURPRISED
from rules.model.sheet import Sheet
from rules.model.state import Encounter, Score
from rules.model.system import Game, SystemPart

Order = tuple[tuple[str, ...], ...]

FRESH_START = "fresh_start"
"""The Merit of those who can change their place in the order, where a ruleset has it."""


@dataclass(frozen=True, slots=True)
class InitiativeRules(SystemPart):
    """One die and a rating of two Traits (MQ-INIT-1 to MQ-INIT-3).

    ``every_turn`` says that the order lasts for one turn only, unless the setting ``initiative_every_turn`` says
    otherwise; ``kept`` is the rule by which it is not rolled again. Where nothing is ``rolled`` turns make the order.
    ``surprised_roll`` says that those who are caught unawares roll with the rest, though they do not act.
    """

    traits: tuple[str, ...] = ("dexterity", "wits")
    rolled: bool = True
    every_turn: bool = True
    kept: str = ""
    surprised_roll: bool = False

    def each_turn(self, state: Encounter) -> bool:
        """Whether everybody rolls anew at the start of each turn: the fight's own word, else the chronicle's."""
        if state.initiative_every_turn is not None:
            return state.initiative_every_turn
        return bool(self.system.settings.get("initiative_every_turn", self.every_turn))

    def notice(self, state: Encounter) -> str:
        """What everybody is told of how initiative goes in this fight, where that may differ."""
        return ""

    def rolls(self, state: Encounter, who: str) -> bool:
        """Whether somebody has initiative to roll: whoever can act, and where a ruleset says so the surprised."""
        condition = self.system.turns.hindrance(state, who)
        return not condition or (self.surprised_roll and condition == SURPRISED)

    def due(self, state: Encounter, able: Iterable[str]) -> tuple[str, ...]:
        """Those of ``able`` who have to roll now: everybody, or where a roll lasts whoever has no place yet."""
        everybody = not state.ordered or self.each_turn(state)
        return tuple(who for who in able if everybody or who not in state.initiative)

    def roll_all(
        self,
        game: Game,
        rolling: Iterable[str],
        *,
        anew: bool,
        ambushed: frozenset[str] = frozenset(),
    ) -> tuple[dict[str, Score], Order]:
        """The scores of those who roll, and the order of them and (but where all roll ``anew``) of the others."""
        people = game.state.combatants
        scores = {who: self.roll(who, people[who].sheet, game.dice, people[who].turn.slowed) for who in rolling}
        merged = {**game.state.initiative, **scores}
        standings = {who: _standing(merged[who]) for who in people if who in merged}
        return scores, placed(() if anew else game.state.order, [who for who in people if who in scores], standings)

    def rating(self, sheet: Sheet) -> int:
        """The Traits, less the wound penalty."""
        return self.unhurt(sheet) + self.system.health.hindrance(sheet)

    def unhurt(self, sheet: Sheet) -> int:
        """The Traits, or a sheet's own figure in their place."""
        return sheet.traits.get("initiative", sum(self.system.layout.dots(sheet, key) for key in self.traits))

    def roll(self, who: str, sheet: Sheet, dice: Dice, slowed: int = 0) -> Score:
        """One combatant's initiative for the turn, less what it is ``slowed`` by."""
        faces = dice.roll(Throw(Purpose.INITIATIVE, who, 1))
        rating = self.rating(sheet)
        return Score(faces, rating, sum(faces) + rating - slowed)

    def next_turn(self, state: Encounter) -> dict[str, Score]:
        """What everybody's kept initiative is in the turn to come, as their wounds leave it (AP-INIT-3)."""
        people = state.combatants
        return {who: self._now(state, who, people[who].turn.slow_next) for who in state.initiative}

    def wounded(self, before: Encounter, state: Encounter) -> dict[str, Score]:
        """What everybody's initiative is in this turn, where those whose wounds have changed stand by them at once."""

        def hindered(each: Encounter, who: str) -> int:
            return self.system.health.hindrance(each.combatants[who].sheet)

        changed = {who for who in state.initiative if who in before.combatants}
        changed = {who for who in changed if hindered(before, who) != hindered(state, who)}
        slowed = {who: state.combatants[who].turn.slowed for who in changed}
        return {**state.initiative, **{who: self._now(state, who, slowed[who]) for who in changed}}

    def _now(self, state: Encounter, who: str, slowed: int) -> Score:
        """Somebody's score by the faces that were rolled and the sheet as it is."""
        score = state.initiative[who]
        rating = self.rating(state.combatants[who].sheet)
        return replace(score, rating=rating, total=sum(score.faces) + rating - slowed)

    def moved(self, state: Encounter, scores: Mapping[str, Score]) -> Order:
        """The order with those whose score is another put where it belongs; nobody else changes places.

        The order may be the Storyteller's own: what the scores of the others say about it does not matter.
        """

        changed = [who for who in state.combatants if who in scores and scores[who] != state.initiative[who]]
        return placed(state.order, changed, {who: _standing(scores[who]) for who in state.combatants if who in scores})


@dataclass(frozen=True, slots=True)
class Roster(InitiativeRules):
    """One order for the whole fight, which wounds leave as it is (WD-INIT-1, WL-INIT-1)."""

    every_turn: bool = False

    def rating(self, sheet: Sheet) -> int:
        """The Traits: wounds do not slow."""
        return self.unhurt(sheet)

    def next_turn(self, state: Encounter) -> dict[str, Score]:
        """What is kept from turn to turn stays as it is."""
        return dict(state.initiative)


def placed(order: Order, who: Iterable[str], standings: Mapping[str, tuple[int, ...]]) -> Order:
    """The order with these put where their standing (least first) belongs; those equal in it share a rank (MQ-INIT-2).

    Nobody else changes places: the order may be the Storyteller's own, whatever the standings of the others say.
    Within a rank everybody stands as ``standings`` names them.
    """
    coming, seats = list(who), list(standings)
    ranks = [kept for rank in order if (kept := [one for one in rank if one not in coming])]
    for one in sorted(coming, key=standings.__getitem__):
        place = next((i for i, rank in enumerate(ranks) if standings[rank[0]] >= standings[one]), len(ranks))
        if place < len(ranks) and standings[ranks[place][0]] == standings[one]:
            ranks[place] = sorted([*ranks[place], one], key=seats.index)
        else:
            ranks.insert(place, [one])
    return tuple(tuple(rank) for rank in ranks)


def _standing(score: Score) -> tuple[int, ...]:
    return -score.total, -score.rating
