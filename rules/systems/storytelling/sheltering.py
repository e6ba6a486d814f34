"""Going behind cover, and leaving it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Command, Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.state import Combatant, Encounter
from rules.model.system import Game, Needs, Serves
from rules.systems.storytelling.concealment import LABELS
from rules.systems.storytelling.cover import FIGURES, cover_of
from rules.systems.storytelling.defense_trait import speed
from rules.systems.storytelling.walking import sound
from rules.systems.storytelling.ways import WALKED, gone_already, side_of
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import CoverSet, Moved, ShelterTaken, StanceChanged, TurnRecordChanged
from rules.topics.firefights.stance import COVERS, FULL, STANCE, Cover, Shelter

SEEK_COVER = "seek_cover"


@dataclass(frozen=True, slots=True)
class SeekCover(AlwaysPossible):
    """Go behind cover (CD-CON-1 to CD-CON-3, CD-COV-1, WD-COV-1): a move within the remaining Speed, and no action.

    ``moving`` is the rule of movement; injuries may have ``slowed`` somebody. ``degrees`` are those of concealment. If
    new cover is named without values, the Storyteller sets them.
    """

    rule: str
    moving: str
    slowed: Callable[[Combatant, int], int] = sound
    degrees: Mapping[str, str] = field(default_factory=lambda: LABELS)
    setting: str = ""
    label: str = phrase("seek-cover")

    @property
    def needs(self) -> Needs:
        """How well it hides, how far it is, and what it is."""
        return Needs(
            figures=(
                Wanted("degree", phrase("concealment-it-gives"), Want.CHOICE, tuple(self.degrees.items()), needed=True),
                Wanted("distance", phrase("yards-away")),
                Wanted("cover", phrase("cover"), Want.WORDS),
                *FIGURES,
            ),
            instant=False,
            spares_action=True,
            setting=self.setting,
            serves=Serves.SHELTER,
        )

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        combatant, degree = game.combatant(command.by), str(command.figures["degree"])
        moved = self._moved(game, combatant, int(command.figures.get("distance", 0)))
        cover = _cover(game, command)
        if degree == FULL and (cover is None or cover.structure == 0):
            raise bad_input(phrase("enter-cover-and-its-durability"))
        shelter = Shelter(degree, cover.name if cover else "")
        return (
            *moved,
            *((CoverSet(cover, self.rule),) if cover and cover != COVERS.of(game.state).get(cover.name) else ()),
            ShelterTaken(command.by, degree, shelter.cover, self.rule),
            StanceChanged(command.by, replace(STANCE.of(combatant), shelter=shelter)),
        )

    def _moved(self, game: Game, combatant: Combatant, distance: int) -> tuple[Event, ...]:
        """The move there: within the remaining Speed, and on one side of the action like any move."""
        most = self.slowed(combatant, speed(combatant.sheet, game.system.layout))
        gone = distance + (combatant.turn.moved if game.state.ordered else 0)
        if gone > most:
            game.referee.forbid(
                self.moving, phrase("can-move-at-most-yards-besides-acting", name=combatant.sheet.name, most=most)
            )
        if not distance:
            return ()
        game.referee.uphold(gone_already(game.state, combatant.id, self.moving))
        turn = combatant.turn
        record = WALKED.put(replace(turn, moved=turn.moved + distance), side_of(turn))
        return (Moved(combatant.id, distance, unit=game.system.unit), TurnRecordChanged(combatant.id, record))


def _cover(game: Game, command: TakeAction) -> Cover | None:
    """The cover meant: with the values given, else its existing ones."""
    name = str(command.figures.get("cover", "")).strip()[:40]
    if not name:
        return None
    known = _known(game.state, name, command.by)
    if "durability" not in command.figures:
        return known
    said = cover_of(command.figures)
    if said.structure is None:
        raise bad_input(phrase("enter-structure-of", name=name))
    return replace(said, unseen=game.combatant(command.by).hidden and (known is None or known.unseen))


def _known(state: Encounter, name: str, by: str) -> Cover | None:
    """The cover of that name if this combatant can know about it: a guess must not reveal a hiding place."""
    cover = COVERS.of(state).get(name)
    if cover is None or not cover.unseen or state.combatants[by].hidden:
        return cover
    shelters = (STANCE.of(each).shelter for each in state.combatants.values() if not each.hidden)
    return cover if any(shelter and shelter.cover == name for shelter in shelters) else None


@dataclass(frozen=True, slots=True)
class LeaveCover:
    """Leave cover or concealment; it takes only the step."""

    rule: str
    setting: str = ""
    label: str = phrase("leave-cover")

    @property
    def needs(self) -> Needs:
        """Nothing."""
        return Needs(instant=False, spares_action=True, setting=self.setting)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        if STANCE.of(game.state.combatants[by]).shelter is None:
            return bad_input(phrase("there-is-no-cover-to-leave"))
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        stance = STANCE.of(game.combatant(command.by))
        return (ShelterTaken(command.by, "", "", self.rule), StanceChanged(command.by, replace(stance, shelter=None)))


@dataclass(frozen=True, slots=True)
class ShelterLeft:
    """Moving leaves a hiding place."""

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        movers = dict.fromkeys(event.by for event in told if isinstance(event, Moved))
        if not movers or (isinstance(command, TakeAction) and command.key == SEEK_COVER):
            return ()
        state = game.after(told).state
        stances = {who: STANCE.of(state.combatants[who]) for who in movers}
        return tuple(
            StanceChanged(who, replace(stance, shelter=None)) for who, stance in stances.items() if stance.shelter
        )


@dataclass(frozen=True, slots=True)
class PlaceCover(AlwaysPossible):
    """The Storyteller places cover and sets its values (CD-COV-1, WD-COV-1)."""

    rule: str
    setting: str = ""
    label: str = phrase("cover-in-scene")

    @property
    def needs(self) -> Needs:
        """What it is, and its values."""
        return Needs(
            figures=(Wanted("cover", phrase("what"), Want.WORDS, needed=True), *FIGURES),
            instant=False,
            storytellers=True,
            setting=self.setting,
        )

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        cover = cover_of(command.figures)
        if not cover.name or cover.structure is None:
            raise bad_input(phrase("enter-what-it-is-its-durability"))
        return (CoverSet(cover, self.rule),)
