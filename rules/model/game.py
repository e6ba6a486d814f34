"""A game: a fight as it stands, the system it is played by, who turns things down, and the dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rules.engine.dice import NO_DICE, Dice
from rules.engine.messages import Event, replay
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.past import Past
from rules.model.state import Combatant, Encounter
from rules.model.system import System


@dataclass(frozen=True, slots=True)
class Game:
    """What a decision has at hand, and a question too: the state that it meets, the system, the referee, the dice.

    A question that rolls nothing leaves the dice out, and one that waives no rule the referee. ``past`` is the row that
    a command looks at again.
    """

    state: Encounter
    system: System
    referee: Referee = field(default_factory=Referee)
    dice: Dice = NO_DICE
    past: Past | None = None

    def combatant(self, who: str) -> Combatant:
        """The combatant of that id; raises "input" where there is none."""
        if who not in self.state.combatants:
            raise bad_input(phrase("Nobody of that name is in the fight."))
        return self.state.combatants[who]

    def able(self, who: str, traits: Iterable[str] = ()) -> Combatant:
        """The combatant of that id, who must not be out of action; ``traits`` are those of a mere roll."""
        combatant = self.combatant(who)
        self.system.turns.check_able(self.state, who, self.system, self.referee, traits)
        return combatant

    def forbid(self, topic: str, message: str) -> None:
        """Turn the command down by the system's rule on a topic, unless that rule is waived."""
        self.referee.forbid(self.system.cites[topic], message)

    def after(self, events: Sequence[Event]) -> Game:
        """The same game with the state that the events leave."""
        return self.at(replay(self.state, events)) if events else self

    def at(self, state: Encounter) -> Game:
        """The same game in another state."""
        return replace(self, state=state, past=None)
