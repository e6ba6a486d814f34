"""Initiative by successes, rolled once; results may be negative."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.engine.dice import Dice, Purpose, Throw
from rules.engine.phrases import listed, phrase, separated
from rules.model.sheet import Sheet
from rules.model.state import Encounter, Score
from rules.model.system import Game
from rules.topics.initiative.scores import Order, Roster, placed


@dataclass(frozen=True, slots=True)
class WoundInitiative(Roster):
    """Dexterity + Wits against 6 (WL-INIT-1); Dexterity, then Wits break ties (WL-INIT-2).

    Complete ties share a rank until the Storyteller orders them by hand; the ambushed come after everybody else
    (WL-INIT-3).
    """

    difficulty: int = 6

    def notice(self, state: Encounter) -> str:
        """Notice of complete ties, for the Storyteller to order by hand."""
        tied = [rank for rank in state.order if len(rank) > 1]
        if not tied:
            return ""
        told = [listed([state.combatants[who].sheet.name for who in rank]) for rank in tied]
        return phrase("tied", ranks=separated(told, "; "))

    def roll(self, who: str, sheet: Sheet, dice: Dice, slowed: int = 0) -> Score:
        """One combatant's initiative: successes, with each 1 cancelling one."""
        pool = self.rating(sheet)
        faces = dice.roll(Throw(Purpose.INITIATIVE, who, pool)) if pool else ()
        successes = self.system.mechanic.read(faces, self.difficulty).successes
        return Score(faces, pool, successes, difficulty=self.difficulty)

    def roll_all(
        self,
        game: Game,
        rolling: Iterable[str],
        *,
        anew: bool,
        ambushed: frozenset[str] = frozenset(),
    ) -> tuple[dict[str, Score], Order]:
        """The scores of those who roll, and the order of everybody with a score."""
        people = game.state.combatants
        scores: dict[str, Score] = {}
        for who in rolling:
            score = self.roll(who, people[who].sheet, game.dice)
            scores[who] = Score(score.faces, score.rating, score.total, (), None, self.difficulty, who in ambushed)
        merged = {**game.state.initiative, **scores}
        standings = {who: self._standing(merged[who], each.sheet) for who, each in people.items() if who in merged}
        return scores, placed(() if anew else game.state.order, [who for who in people if who in scores], standings)

    def _standing(self, score: Score, sheet: Sheet) -> tuple[int, ...]:
        """Sort key of the order, ascending."""
        settle = (-self.system.layout.dots(sheet, key) for key in self.traits)
        return (score.ambushed, -score.total, *settle)
