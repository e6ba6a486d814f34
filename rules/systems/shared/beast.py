"""The Beast: rolls that decide whether it breaks out, what somebody in frenzy or in terror still does, how it ends.

A ruleset lists its own rolls with what provokes them, and :func:`conditions` under its rules. All of it belongs to one
house rule: with that off, being in frenzy is a note of the Storyteller's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.choices import Defence, Modifier
from rules.model.conditions import IN_FRENZY, Condition, declare, known
from rules.model.gear import Mode
from rules.model.modifiers import ModifierRule, Use, fixed
from rules.model.options import Option, switch
from rules.model.results import Outcome
from rules.model.roll import RollTraits
from rules.model.shapes import Shape
from rules.model.system import Game, Needs
from rules.strike.facets import Facet, Strike
from rules.topics import bars, effects
from rules.topics.commands import TakeAction
from rules.topics.events import Followed, TraitsRolled
from rules.topics.rolls.decide import roll_once
from rules.topics.rolls.pools import UNHURT, WOUNDS
from rules.topics.turns.record import FULL_DEFENCE

SETTING = "frenzy"
WILLPOWER = "willpower"

TERRIFIED = declare(Condition("terrified", phrase("terrified")))
OVERCOME = declare(Condition("overcome", phrase("overcome-by-beast")))
HOLDING = declare(Condition("holding_beast", phrase("holding-beast-back")))

UNTHINKABLE = frozenset(
    {
        *(Mode.FIREARM, Mode.ARCHERY, bars.AIMED, bars.SPLIT, FULL_DEFENCE, "parry", "block", "ambush", "surprise"),
        *map(bars.picking, ("target_medium", "target_precise", "called_hand", "stake", "disarm")),
        *("aim", "covering_fire", "human_shield", "disarm", "seek_cover", "take_cover", "reload", "clear_jam"),
    }
)
"""What takes more thought than somebody in frenzy has: distance, aim, cover, fencing, several actions, hiding."""


def option(rule: str, label: str) -> Option:
    """The house rule."""
    return switch(SETTING, label, rule, phrase("beast-breaks-out-by-rolls-and-has-effects"), begun=True)


def conditions(
    frenzy: str, fear: str, control: str, *, also: frozenset[str] = frozenset(), setting: str = SETTING
) -> tuple[Condition, ...]:
    """Frenzy and terror under their rules, and what changes them under ``control``.

    ``also`` are further actions that somebody in frenzy doesn't take.
    """
    return (
        known(
            IN_FRENZY,
            rule=frenzy,
            setting=setting,
            unhurt=True,
            bars=UNTHINKABLE | also,
            instead=phrase("in-frenzy-hold-beast-back-first"),
        ),
        known(
            TERRIFIED,
            rule=fear,
            setting=setting,
            offered=True,
            bars=bars.AGGRESSIVE,
            instead=phrase("terrified-flee-or-hold-beast-back-first"),
        ),
        known(OVERCOME, rule=control, setting=setting, offered=True, ruled=True),
        known(HOLDING, rule=control, setting=setting, one_turn=True, lifts=frozenset({IN_FRENZY, TERRIFIED})),
    )


# ------------------------------------------------------------------ what provokes it


@dataclass(frozen=True, slots=True)
class Provocation:
    """What may wake the Beast; ``harder`` is added to the difficulty, or taken from the dice."""

    key: str
    label: str
    harder: int = 0


def modifiers(
    rule: str, provocations: Iterable[Provocation], *, dice: bool = False, setting: str = SETTING
) -> dict[str, ModifierRule]:
    """The circumstances by which provocations count: as difficulty, or as ``dice``. Only their roll picks them."""
    return {
        each.key: ModifierRule(
            each.key,
            each.label,
            rule,
            fixed(dice=-each.harder) if dice else fixed(difficulty=each.harder),
            uses=frozenset({Use.ROLL}),
            offered=False,
            setting=setting,
        )
        for each in provocations
    }


PROVOCATION, DIFFICULTY, SECRET = "provocation", "difficulty", "secret"
USUAL = 6
"""The classic family's usual difficulty."""

HIDDEN_ROLL = Wanted(SECRET, phrase("secret-players-arent-told"), Want.SWITCH, storytellers=True)
NUMBER = Wanted(DIFFICULTY, phrase("base-difficulty"), least=2, most=10, help=phrase("if-empty-that-of-provocation"))


@dataclass(frozen=True, slots=True)
class Outbreak:
    """One way in which the Beast breaks out: the condition it brings, and the shape that a shapeshifter takes."""

    key: str
    label: str
    condition: str
    shape: Shape | None = None


@dataclass(frozen=True, slots=True)
class BeastRoll:
    """Whether somebody keeps the Beast down: who fails is in frenzy, or in terror.

    A botch or dramatic failure leaves no control at all (:data:`OVERCOME`). Wounds don't count. The ``provocations``
    are what the roll is usually made for (``asks`` is their label); a plain ``difficulty`` may replace theirs in a
    family that has some. ``kinds`` are the creatures with such a Beast, ``outbreaks`` the ways in which it breaks out:
    the first by default.
    """

    rule: str
    label: str
    traits: tuple[str, ...]
    kinds: frozenset[str]
    outbreaks: tuple[Outbreak, ...]
    provocations: tuple[Provocation, ...]
    asks: str = phrase("provocation")
    difficulty: bool = True

    @property
    def needs(self) -> Needs:
        return Needs(
            figures=(*self._asked(), HIDDEN_ROLL),
            rolls=True,
            instant=False,
            spares_action=True,
            kinds=self.kinds,
            setting=SETTING,
            rolled=self.traits,
        )

    def _asked(self) -> tuple[Wanted, ...]:
        choices = tuple((each.key, self._in_words(each)) for each in self.provocations)
        asked = Wanted(PROVOCATION, self.asks, Want.CHOICE, choices)
        outbreaks = tuple((each.key, each.label) for each in self.outbreaks)
        ways = (Wanted("outbreak", phrase("if-beast-breaks-out"), Want.CHOICE, outbreaks),) if outbreaks[1:] else ()
        return (asked, *((NUMBER,) if self.difficulty else ()), *ways)

    def _in_words(self, provocation: Provocation) -> str:
        what, harder = provocation.label, provocation.harder
        if self.difficulty:
            return phrase("provocation-at-difficulty", what=what, difficulty=USUAL + harder)
        return phrase("provocation-for-dice", what=what, dice=harder) if harder else what

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        combatant = game.state.combatants[by]
        if combatant.conditions.isdisjoint(each.condition for each in self.outbreaks):
            return None
        return bad_input(phrase("beast-has-broken-out-already", name=combatant.sheet.name))

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        asked = replace(command, modifiers=self.spent(game, command))
        told = _rolled(game, asked, self.label, self.traits, self.picked(game, command))
        if not self.lost(told):
            return (told,)
        return (told, *self.broken_out(game.after((told,)), command, told))

    def spent(self, game: Game, command: TakeAction) -> tuple[Modifier, ...]:
        """The circumstances of the command that count in the roll."""
        return command.modifiers

    def picked(self, game: Game, command: TakeAction) -> tuple[str, ...]:
        """The circumstances of the roll that its inputs choose."""
        given = command.figures.get(PROVOCATION)
        return (str(given),) if given and DIFFICULTY not in command.figures else ()

    def lost(self, told: TraitsRolled) -> bool:
        """Whether the Beast breaks out."""
        return told.outcome not in (Outcome.SUCCESS, Outcome.EXCEPTIONAL)

    def overcome(self, told: TraitsRolled) -> bool:
        """Whether it leaves no control at all."""
        return told.outcome in (Outcome.BOTCH, Outcome.DRAMATIC_FAILURE)

    def broken_out(self, game: Game, command: TakeAction, told: TraitsRolled) -> tuple[Event, ...]:
        """What follows from an outbreak."""
        wanted = command.figures.get("outbreak", self.outbreaks[0].key)
        way = next(each for each in self.outbreaks if each.key == wanted)
        return broken_out(game, command.by, self.rule, way, overcome=self.overcome(told))


def broken_out(game: Game, who: str, rule: str, way: Outbreak, *, overcome: bool = False) -> tuple[Event, ...]:
    """Somebody gets the condition of an outbreak instead of any other, and takes its shape."""
    brought = frozenset({way.condition, *((OVERCOME,) if overcome else ())})
    other = frozenset({IN_FRENZY, TERRIFIED}) - brought
    told = (Followed(who, way.condition, rule), *effects.marked(game, who, brought, other))
    now = game.combatant(who).sheet.shape
    if way.shape is None or (now and now.key == way.shape.key):
        return told
    return (*told, *effects.shaped(game.after(told), who, way.shape, way.shape.label))


def _rolled(
    game: Game, command: TakeAction, label: str, traits: tuple[str, ...], picked: tuple[str, ...] = ()
) -> TraitsRolled:
    """A roll against the Beast. It is no action, so wounds don't count."""
    given = command.figures.get(DIFFICULTY)
    return roll_once(
        game,
        RollTraits(
            command.by,
            traits,
            None if given is None else int(given),
            (*command.modifiers, *map(Modifier, picked)),
            strike=frozenset({WOUNDS, UNHURT}),
            label=label,
            secret=bool(command.figures.get(SECRET)),
        ),
    )


# ------------------------------------------------------------------ how it ends


@dataclass(frozen=True, slots=True)
class HoldBack:
    """Spend a point of Willpower to act freely for a turn in spite of frenzy or terror, unless overcome."""

    rule: str
    label: str
    condition: str

    @property
    def needs(self) -> Needs:
        return Needs(instant=False, only_in=self.condition, setting=SETTING)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        combatant = game.state.combatants[by]
        if HOLDING in combatant.conditions:
            return bad_input(phrase("holds-beast-back-already", name=combatant.sheet.name))
        return _uncontrolled(game, by, self.rule, self.condition)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        return (
            *effects.pay(game, command.by, WILLPOWER, 1, self.label),
            *effects.marked(game, command.by, frozenset({HOLDING})),
        )


@dataclass(frozen=True, slots=True)
class Calm:
    """Use the turn's action for a roll that ends frenzy or terror, unless overcome."""

    rule: str
    label: str
    condition: str
    traits: tuple[str, ...]
    difficulty: bool = True

    @property
    def needs(self) -> Needs:
        return Needs(
            figures=(*((NUMBER,) if self.difficulty else ()), HIDDEN_ROLL),
            rolls=True,
            only_in=self.condition,
            setting=SETTING,
            rolled=self.traits,
        )

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        return _uncontrolled(game, by, self.rule, self.condition)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        used = effects.used(game, command.by, command.key)
        told = _rolled(game, command, self.label, self.traits)
        if told.outcome not in (Outcome.SUCCESS, Outcome.EXCEPTIONAL):
            return (*used, told)
        over = frozenset({self.condition, HOLDING, OVERCOME})
        return (*used, told, *effects.marked(game.after((*used, told)), command.by, frozenset(), over))


def control(
    rule: str, *, frenzy: tuple[str, ...], fear: tuple[str, ...], difficulty: bool = True
) -> dict[str, HoldBack | Calm]:
    """The actions of those in frenzy or terror, with the Traits of the rolls that end each."""
    return {
        "hold_frenzy": HoldBack(rule, phrase("hold-frenzy-back"), IN_FRENZY),
        "calm_frenzy": Calm(rule, phrase("end-frenzy"), IN_FRENZY, frenzy, difficulty),
        "hold_fear": HoldBack(rule, phrase("hold-terror-back"), TERRIFIED),
        "calm_fear": Calm(rule, phrase("end-terror"), TERRIFIED, fear, difficulty),
    }


def _uncontrolled(game: Game, by: str, rule: str, condition: str) -> RuleViolation | None:
    """Why somebody has no say in a frenzy or terror; the Storyteller may waive it."""
    combatant = game.state.combatants[by]
    if condition not in combatant.conditions:
        return bad_input(phrase("beast-isnt-out", name=combatant.sheet.name))
    if OVERCOME in combatant.conditions:
        return RuleViolation(rule, phrase("overcome-only-storyteller-ends-it", name=combatant.sheet.name))
    return None


# ------------------------------------------------------------------ what it changes in attacks


class Unthinking(Facet):
    """Attacks and defences that somebody's condition bars, by weapon, aim, circumstance or sort of defence."""

    __slots__ = ()

    def check(self, strike: Strike) -> None:
        self._uphold(strike, strike.command.by, strike.weapon.mode)
        for each in map(strike.system.circumstances.rule, strike.picked):
            aimed = each.aims_at or "aim" in (each.key, each.group)
            self._uphold(strike, strike.command.by, bars.AIMED if aimed else bars.picking(each.key))

    def check_answer(self, strike: Strike, defence: Defence) -> None:
        self._uphold(strike, strike.target, defence.kind)

    def _uphold(self, strike: Strike, who: str, key: str) -> None:
        strike.game.referee.uphold(bars.barred(strike.game, who, key))
