"""Who acts first: scores and the resulting turn order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rules.engine.dice import Dice, Purpose, Throw
from rules.model.conditions import SURPRISED
from rules.model.groups import roller
from rules.model.pools import INITIATIVE
from rules.model.power_effects import Pool
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, Score
from rules.model.system import Game, SystemPart

Order = tuple[tuple[str, ...], ...]

FRESH_START = "fresh_start"
"""The Merit that lets a combatant change rank, in rulesets that have it."""


@dataclass(frozen=True, slots=True)
class InitiativeRules(SystemPart):
    """One die plus a rating of two Traits (MQ-INIT-1 to MQ-INIT-3).

    ``every_turn``: the order lasts for one turn, unless the setting ``initiative_every_turn`` says otherwise. ``kept``
    is the rule that forbids rolling it again. If initiative is not ``rolled``, turns set the order. ``surprised_roll``:
    the surprised roll with everyone else, though they don't act.
    """

    traits: tuple[str, ...] = ("dexterity", "wits")
    rolled: bool = True
    every_turn: bool = True
    kept: str = ""
    surprised_roll: bool = False

    def each_turn(self, state: Encounter) -> bool:
        """Whether everyone rolls again each turn: as set for this fight, else for the chronicle."""
        if state.initiative_every_turn is not None:
            return state.initiative_every_turn
        return bool(self.system.settings.get("initiative_every_turn", self.every_turn))

    def notice(self, state: Encounter) -> str:
        """What players are told about how initiative works in this fight, if that can vary."""
        return ""

    def rolls(self, state: Encounter, who: str) -> bool:
        """Whether a combatant rolls initiative: anyone who can act and, in some rulesets, the surprised."""
        condition = self.system.turns.hindrance(state, who)
        return not condition or (self.surprised_roll and condition == SURPRISED)

    def due(self, state: Encounter, able: Iterable[str]) -> tuple[str, ...]:
        """Those of ``able`` who must roll now: everyone or, if a roll lasts, those without initiative."""
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
        """The scores of those who roll, and the resulting order, which keeps the others unless all roll ``anew``."""
        people = game.state.combatants
        scores = {who: self.roll(who, people[who].sheet, game.dice, people[who].turn.slowed) for who in rolling}
        merged = {**game.state.initiative, **scores}
        standings = {who: _standing(merged[who]) for who in people if who in merged}
        return scores, placed(() if anew else game.state.order, [who for who in people if who in scores], standings)

    def rating(self, sheet: Sheet) -> int:
        """The Traits with what powers add, minus what wounds take off."""
        return self.unhurt(sheet) + self.wounds(sheet)

    def wounds(self, sheet: Sheet) -> int:
        """What wounds take off the rating, zero or less (MQ-INIT-3)."""
        return self.system.health.hindrance(sheet)

    def unhurt(self, sheet: Sheet) -> int:
        """The Traits, or a sheet's own initiative value in their place, with what powers add."""
        more = self.system.in_play.amount(sheet, Pool.INITIATIVE)
        if INITIATIVE in sheet.pools:
            return sheet.pools[INITIATIVE] + more
        return sheet.traits.get("initiative", sum(self.system.layout.dots(sheet, key) for key in self.traits)) + more

    def roll(self, who: str, sheet: Sheet, dice: Dice, slowed: int = 0) -> Score:
        """One combatant's initiative for the turn, minus what they are ``slowed`` by."""
        faces = dice.roll(Throw(Purpose.INITIATIVE, who, 1))
        rating = self.rating(sheet)
        return Score(faces, rating, sum(faces) + rating - slowed, wounds=self.wounds(sheet))

    def shared(self, score: Score, by: Combatant, who: Combatant) -> Score:
        """A group's score, rolled by one member, as it counts for another: the same dice and Traits, their own wounds
        (MQ-INIT-3, AP-INIT-3, CD-HEALTH-4).
        """
        wounds = self.wounds(who.sheet)
        rating = score.rating - score.wounds + wounds
        total = score.total - score.rating + rating + by.turn.slowed - who.turn.slowed
        return replace(score, rating=rating, total=total, ties=(), shared=True, wounds=wounds)

    def entered(
        self, game: Game, who: str, scores: Mapping[str, Score], order: Order
    ) -> tuple[Mapping[str, Score], Order]:
        """The scores, changed by any tie-breaks, and the order with ``who`` in their place; nobody else moves."""
        standings = {one: _standing(scores[one]) for one in game.state.combatants if one in scores}
        return scores, placed(order, (who,), standings)

    def next_turn(self, state: Encounter) -> dict[str, Score]:
        """Everyone's kept initiative for the next turn, adjusted to their wounds (AP-INIT-3)."""
        people = state.combatants
        return {who: self._now(state, who, people[who].turn.slow_next) for who in state.initiative}

    def wounded(self, before: Encounter, state: Encounter) -> dict[str, Score]:
        """Everyone's initiative this turn, if changed wounds count at once."""

        def hindered(each: Encounter, who: str) -> int:
            return self.system.health.hindrance(each.combatants[who].sheet)

        changed = {who for who in state.initiative if who in before.combatants}
        changed = {who for who in changed if hindered(before, who) != hindered(state, who)}
        slowed = {who: state.combatants[who].turn.slowed for who in changed}
        return {**state.initiative, **{who: self._now(state, who, slowed[who]) for who in changed}}

    def _now(self, state: Encounter, who: str, slowed: int) -> Score:
        """A combatant's score, computed from the dice already rolled and the current sheet."""
        score, wounds = state.initiative[who], self.wounds(state.combatants[who].sheet)
        rating = self.unhurt(state.combatants[roller(state, who)].sheet) + wounds
        return replace(score, rating=rating, total=sum(score.faces) + rating - slowed, wounds=wounds)

    def moved(self, state: Encounter, scores: Mapping[str, Score]) -> Order:
        """The order with those whose score changed moved to their new rank; nobody else moves.

        The order may be the Storyteller's own, so the others' scores are ignored.
        """

        changed = [who for who in state.combatants if who in scores and scores[who] != state.initiative[who]]
        return placed(state.order, changed, {who: _standing(scores[who]) for who in state.combatants if who in scores})


@dataclass(frozen=True, slots=True)
class Roster(InitiativeRules):
    """One order for the whole fight, unaffected by wounds (WD-INIT-1, WL-INIT-1)."""

    every_turn: bool = False

    def wounds(self, sheet: Sheet) -> int:
        """Nothing: wounds don't slow."""
        return 0

    def next_turn(self, state: Encounter) -> dict[str, Score]:
        """Kept initiative, unchanged."""
        return dict(state.initiative)


def placed(order: Order, who: Iterable[str], standings: Mapping[str, tuple[int, ...]]) -> Order:
    """The order with these combatants placed by standing (lowest first); equals share a rank (MQ-INIT-2).

    Nobody else moves, even if their standing suggests it, since the order may be the Storyteller's own. Within a rank,
    combatants are in the order of ``standings``.
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
