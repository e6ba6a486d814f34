"""Initiative of the storytelling family: one roster for the whole fight, with every tie broken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rules.engine.dice import Dice, Purpose, Throw
from rules.engine.phrases import phrase
from rules.model.state import Encounter, Score
from rules.model.system import Game
from rules.topics.initiative.scores import FRESH_START, Order, Roster

Scores = Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class StorytellingInitiative(Roster):
    """One die plus Dexterity + Composure, rolled once (WD-INIT-1, WD-INIT-2, WD-INIT-4). Each rank holds one
    combatant.
    """

    traits: tuple[str, ...] = ("dexterity", "composure")

    def notice(self, state: Encounter) -> str:
        """Public notice of how initiative works in this fight (WD-INIT-4)."""
        return phrase("initiative-is-rolled-every-turn") if self.each_turn(state) else ""

    def roll_all(
        self,
        game: Game,
        rolling: Iterable[str],
        *,
        anew: bool,
        ambushed: frozenset[str] = frozenset(),
    ) -> tuple[dict[str, Score], Order]:
        """The scores of those who roll, any scores changed by tie-breaks, and the order including them.

        The others keep their places, unless everybody rolls ``anew`` every turn.
        """
        rolled = {who: self._roll(game, who) for who in rolling}
        dropped = anew and self.each_turn(game.state)
        kept = {who: score for who, score in game.state.initiative.items() if who not in rolled and not dropped}
        settled = self.settled({**kept, **rolled}, rolled, game.dice)
        order: Order = tuple((who,) for rank in game.state.order for who in rank if who in kept)
        for who in sorted(rolled, key=lambda one: _standing(settled[one])):
            order = inserted(order, who, settled)
        changed = {who: score for who, score in settled.items() if who in rolled or score != kept[who]}
        return changed, order

    def _roll(self, game: Game, who: str) -> Score:
        """One combatant's initiative: with a Fresh Start, the better of two dice every turn."""
        sheet = game.state.combatants[who].sheet
        twice = self.each_turn(game.state) and FRESH_START in sheet.merits
        faces = game.dice.roll(Throw(Purpose.INITIATIVE, who, 2 if twice else 1))
        rating = self.rating(sheet)
        return Score(faces, rating, max(faces) + rating, wounds=self.wounds(sheet))

    def entered(
        self, game: Game, who: str, scores: Mapping[str, Score], order: Order
    ) -> tuple[Mapping[str, Score], Order]:
        """As in every ruleset, with ties broken by dice."""
        settled = self.settled(scores, (who,), game.dice)
        return settled, inserted(order, who, settled)

    def settled(self, scores: Scores, fresh: Iterable[str], dice: Dice) -> dict[str, Score]:
        """The scores after a tie-break die for each combatant tied with one of ``fresh``, until no tie is left
        (WD-INIT-2).

        Earlier tie-break dice are kept for the next tie.
        """
        now = dict(scores)
        for who in fresh:
            group = [other for other in now if _rank(now[other]) == _rank(now[who])]
            while unclear := [one for one in group if any(_alike(now[one], now[o]) for o in group if o != one)]:
                fewest = min(len(now[one].ties) for one in unclear)
                for one in unclear:
                    if len(now[one].ties) == fewest:
                        face = dice.roll(Throw(Purpose.TIE, one, 1))
                        now[one] = replace(now[one], ties=now[one].ties + face)
        return now


def without(order: Order, who: str) -> Order:
    """The order without somebody."""
    left = (tuple(one for one in rank if one != who) for rank in order)
    return tuple(rank for rank in left if rank)


def inserted(order: Order, who: str, scores: Scores) -> Order:
    """The order with somebody inserted by score, ahead of the first lower one; nobody else moves."""
    others, mine = without(order, who), _standing(scores[who])
    place = next((i for i, rank in enumerate(others) if _standing(scores[rank[0]]) > mine), len(others))
    return (*others[:place], (who,), *others[place:])


def _rank(score: Score) -> tuple[int, int, int]:
    return score.total, score.rating, score.second


def _standing(score: Score) -> tuple[int, int, int, tuple[int, ...]]:
    """Sort key of the order, ascending."""
    return -score.total, -score.rating, -score.second, tuple(-face for face in score.ties)


def _alike(one: Score, other: Score) -> bool:
    """Whether tie-break dice so far leave two combatants tied."""
    return all(a == b for a, b in zip(one.ties, other.ties, strict=False))
