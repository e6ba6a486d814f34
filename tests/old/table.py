"""One ruleset's chronicle with its people, characters and papers, and the means to play in it and look for new rows."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from random import Random
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from PIL import Image

from campaigns import page_services, pictures
from campaigns import services as campaigns
from campaigns.models import Chronicle, Membership, Role, User
from characters import services as characters
from characters.models import Armor, Character, Weapon
from characters.services import Carried, SheetData
from combat.commands import perform
from combat.commands.dice import DiceWanted, TypedDice
from combat.history import records
from combat.live import wall
from combat.log import rows
from combat.models import Encounter
from rules.decide import decide
from rules.engine.dice import Faces, Purpose, Throw
from rules.engine.messages import Command, Event, replay
from rules.engine.violations import INPUT, RuleViolation
from rules.model.choices import Defence, Modifier
from rules.model.options import OptionKind
from rules.model.sheet import Injury, Sheet
from rules.model.state import Encounter as State
from rules.model.system import Game, System
from rules.topics import commands
from rules.topics.actions import why_not
from rules.topics.commands import Harm, RollInitiative, SetHealth
from rules.topics.grapples.grapple import GRAPPLES
from tests.old.contents import held, words_of
from tests.rules.fights import Fights

PLAYED = {"Adele Finch": "ann", "Bruno Sandoval": "bob", "Clara Whitlock": "bob"}
MASKED, HIDDEN, GANG, LATE = "Dorian Vane", "Esme Quill", "Footpad", "Gideon Marsh"
NAMES = (*PLAYED, MASKED, HIDDEN, GANG, LATE)
STANDING = 4
"""Combatants who must still be able to act after each random command: a fight of the dead has no new rows."""
TRIES, WAYS, WAY = 120, 20, 6
"""Random commands tried for each row; if none adds anything, how many sequences are tried, and their length."""

WRITTEN_OUT = (
    commands.Begin,
    commands.End,
    commands.Join,
    commands.Leave,
    commands.Pause,
    commands.Resume,
    commands.ReviseSheet,
    commands.SetVisibility,
)
"""Commands that `playing` gives on purpose, never at random."""


@dataclass
class Keyed:
    """Seeded dice: the same key gives the same faces."""

    key: str
    thrown: Counter[str] = field(default_factory=Counter)

    def roll(self, throw: Throw) -> Faces:
        random = self._next(f"{throw.purpose} {throw.by} {throw.target}")
        return tuple(random.randint(1, 10) for _ in range(throw.count))

    def pick(self, options: int) -> int:
        return self._next("pick").randrange(options)

    def _next(self, what: str) -> Random:
        self.thrown[what] += 1
        return Random(f"{self.key} {what} {self.thrown[what]}")


@dataclass(frozen=True)
class Step:
    """A command that was tried: its events, the key of its dice and the rules it waives."""

    command: Command
    events: tuple[Event, ...]
    key: str
    waive: frozenset[str]


def filled(command: Command, random: Random, state: State, fights: Fights) -> Command:
    """The command with optional fields filled in that `tests.rules.fights` leaves empty."""
    who, reason = random.choice(sorted(state.combatants)), random.choice(["", "As was said."])
    held = ["", *(weapon.name for weapon in state.combatants[who].sheet.weapons)]
    match command:
        case commands.AnswerAttack(defence=defence) if random.random() < 0.5:
            weapon, struck = random.choice(held), random.choice(["base", "wounds", "dexterity"])
            answer = Defence(defence.kind, weapon, fights.picked(random, 1), frozenset({struck}))
            return replace(command, defence=answer)
        case commands.RollTraits():
            resisted = command.resisted and replace(
                command.resisted, difficulty=random.choice([None, 5]), modifiers=fights.picked(random, 1)
            )
            struck = frozenset(random.choice([[], ["wounds"], list(command.traits[:1])]))
            return replace(command, resisted=resisted, strike=struck, secret=random.random() < 0.1)
        case commands.Declare():
            points = {random.choice(fights.ruleset.layout.resources).key: 1} if random.random() < 0.3 else {}
            others = (who,) if random.random() < 0.3 and who != command.by else ()
            disciplines = random.choice([(), ("Potence",)])
            return replace(command, points=points, others=others, disciplines=disciplines)
        case commands.Delay():
            return replace(command, text=reason)
        case commands.Spend() | commands.Harm():
            tags = {"tags": frozenset({"silver", "fire"})} if isinstance(command, Harm) else {}
            return replace(command, why=reason, **tags)
        case commands.SetHealth():
            injuries = tuple(Injury(random.randint(1, 5), "a fall") for _ in range(random.randint(0, 2)))
            return random.choice([replace(command, why=reason), SetHealth(command.at, (), reason, injuries)])
        case commands.Heal():
            return random.choice([command, replace(command, injury=2, care=True), replace(command, amount=None)])
        case commands.Reload():
            return replace(command, rounds=random.choice([None, 1, 2]))
        case commands.RollInitiative() if not command.who:
            return random.choice([command, RollInitiative(ambushed=(who,))])
        case commands.OverrideAttack():
            number = random.randint(0, 4)
            some = random.choice([{"levels": number}, {"soaked": number}, {"dealt": number}, {"successes": number}])
            return replace(command, why=reason, **some)
        case commands.TakeAction() if random.random() < 0.3:
            return replace(command, weapon=random.choice(held))
    return command


@dataclass
class Loaded:
    """Dice that succeed for one combatant and fail for all others."""

    favoured: str

    def roll(self, throw: Throw) -> Faces:
        return (8 if throw.by == self.favoured else 2,) * throw.count if throw.purpose is not Purpose.TIE else (5,)

    def pick(self, options: int) -> int:
        return 0


@dataclass
class Table:
    """A chronicle. Commands go to the encounter `encounter_id`; `seen` is the content of its logs so far."""

    chronicle: Chronicle
    people: dict[str, User]
    random: Random
    seen: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)
    encounter_id: str = ""
    done: int = 0

    # -------------------------------------------------------------- who and what

    @property
    def by(self) -> Membership:
        return Membership.objects.get(chronicle=self.chronicle, role=Role.STORYTELLER)

    @property
    def encounter(self) -> Encounter:
        return Encounter.objects.select_related("chronicle").get(pk=self.encounter_id)

    @property
    def state(self) -> State:
        return rows.state_now(self.encounter)

    @property
    def ruleset(self) -> System:
        return records.ruleset_for(self.encounter)

    @cached_property
    def rules(self) -> System:
        """The ruleset, read once: the search asks for it thousands of times."""
        return self.ruleset

    @cached_property
    def fights(self) -> Fights:
        return Fights(self.ruleset)

    @cached_property
    def words(self) -> frozenset[str]:
        return words_of(self.ruleset, self.fights.conditions)

    def __getitem__(self, name: str) -> str:
        return next(who for who, each in self.state.combatants.items() if each.sheet.name == name)

    def player_of(self, who: str) -> User | None:
        """The player of a combatant, None for an NPC."""
        each = self.state.combatants.get(who)
        row = Character.objects.filter(pk=each.character).first() if each and each.character else None
        return row.owner if row else None

    # -------------------------------------------------------------- what is done

    def do(self, command: Command, by: User | None = None, **more: Any) -> bool:
        """Give a command, as the Storyteller unless `by` says otherwise. Returns whether it was allowed."""
        self.done += 1
        more.setdefault("dice", Keyed(f"{self.encounter_id} {self.done}"))
        more.setdefault("key", f"press {self.encounter_id} {self.done}")
        actor = by or self.people["story"]
        try:
            done = perform.perform(encounter_id=self.encounter_id, actor=actor, command=command, **more)
        except (RuleViolation, PermissionDenied) as refusal:
            self.refused.append(f"{command}: {refusal}")
            return False
        self.note(command, done.events)
        return True

    def must(self, command: Command, by: User | None = None, **more: Any) -> None:
        assert self.do(command, by, **more), self.refused[-1]

    def whatever(self, command: Command, **more: Any) -> bool:
        """Give a command with every rule waived."""
        return self.do(command, waive=set(self.ruleset.book.rules), why="The Storyteller says so.", **more)

    def typed(self, command: Command, by: User, who: str) -> None:
        """Give a command with typed dice."""
        given: dict[Any, Faces] = {}
        for _ in range(20):
            dice = TypedDice(given, frozenset({who}), rest=Keyed(f"typed {self.done}"))  # type: ignore[arg-type]
            try:
                self.must(command, by, dice=dice)
            except DiceWanted as wanted:
                throw = wanted.throw
                given[throw.purpose, throw.by] = tuple(self.random.randint(1, 9) for _ in range(throw.count))
            else:
                return
        raise AssertionError(command)

    def note(self, command: Command, events: Iterable[Any]) -> set[str]:
        found = self.found(command, events)
        news = found - self.seen
        self.seen |= found
        return news

    def found(self, command: Command, events: Iterable[Any]) -> set[str]:
        return {each for value in (command, *events) for each in held(value, self.words)}

    # -------------------------------------------------------------- what is new

    def something_new(self) -> bool:
        """Of many random commands give the one that adds most that no row holds yet, else a sequence that ends in one.

        Returns whether there was one.
        """
        start, key = self.state, f"{self.encounter_id} {self.encounter.seq}"
        tried = (self._tried(start, f"{key} {number}", self.encounter) for number in range(TRIES))
        found = [(self.worth(self.found(step.command, step.events) - self.seen), step) for step in tried if step]
        most, best = max(found, key=lambda pair: pair[0], default=(0, None))
        way = (best,) if best and most else next(filter(None, map(self._way, [key] * WAYS, range(WAYS))), ())
        for step in way:
            if not self._done(step, alone=len(way) == 1):
                return False
        return bool(way)

    def _way(self, key: str, number: int) -> tuple[Step, ...]:
        """A random sequence of commands of which the last adds something new; empty if none does."""
        state, way = self.state, tuple[Step, ...]()
        for place in range(WAY):
            step = self._tried(state, f"{key} {number} {place}")
            if step is None:
                continue
            state, way = replay(state, step.events), (*way, step)
            if self.found(step.command, step.events) - self.seen:
                return way
        return ()

    def _tried(self, state: State, key: str, encounter: Encounter | None = None) -> Step | None:
        """A random command and its events; None if it is refused or fells too many.

        Overrides need the log, so only with an `encounter`.
        """
        random = Random(key)
        command = self._unseen(random, state) or self.fights.sensible(random, state, self.rules)
        command = filled(command, random, state, self.fights)
        if isinstance(command, WRITTEN_OUT):
            return None
        past = records.past_of(encounter, command) if encounter else None
        waive = frozenset[str]()
        for _ in range(2):
            try:
                events = decide(state, command, self.rules, Keyed(key), waive, "So be it." if waive else "", past)
            except RuleViolation as refusal:
                if refusal.rule == INPUT or random.random() < 0.7:
                    return None
                waive = frozenset({refusal.rule})
            else:
                able = self._able(replay(state, events)) >= STANDING
                return Step(command, events, key, waive) if able else None
        return None

    def _unseen(self, random: Random, state: State) -> Command | None:
        """Sometimes an action or a circumstance that no row holds yet, preferably by somebody in a grapple."""
        fights, rules = self.fights, self.rules
        actions = [key for key in rules.actions if f"TakeAction.key={key}" not in self.seen]
        chance = random.random()
        if actions and chance < 0.5:
            members = [who for each in GRAPPLES.of(state) for who in each.members]
            who = random.choice([*sorted(state.combatants), *members * 4])
            there = [key for key in actions if why_not(Game(state, rules), key, who) is None]
            return fights.taken(random, state, rules, who, random.choice(there or actions))
        circumstances = [key for key in rules.modifiers if f"Modifier.key={key}" not in self.seen]
        if circumstances and chance < 0.7:
            key = random.choice(circumstances)
            picked = Modifier(key, fights.figures(rules.modifiers[key].figures, random))
            armed = [who for who, each in state.combatants.items() if each.sheet.weapons]
            attack = fights.struck(random, replace(state, combatants={who: state.combatants[who] for who in armed}))
            roll = commands.RollTraits(attack.by, fights.pool(random), modifiers=(picked,))
            return random.choice([replace(attack, modifiers=(picked,))] * 4 + [roll])
        return None

    def worth(self, news: Iterable[str]) -> int:
        """A weight for new content: types and keys before fields, fields before texts."""
        return sum(
            20 if each.isalpha() else 15 if ".key=" in each else 3 if "." in each and "=" not in each else 1
            for each in news
        )

    def _done(self, step: Step, *, alone: bool) -> bool:
        more: dict[str, Any] = {"waive": step.waive, "why": "So be it."} if step.waive else {}
        attack = getattr(step.command, "attack", step.command)
        player = self.player_of(getattr(attack, "by", ""))
        if alone and player and not step.waive and self.done % 3:
            hold = self.done % 2 == 0
            if self.do(step.command, player, dice=Keyed(step.key), hold=hold):
                return True
        return self.do(step.command, dice=Keyed(step.key), **more)

    def _able(self, state: State) -> int:
        return sum(not self.rules.conditions.out(each.conditions) for each in state.combatants.values())

    # -------------------------------------------------------------- what is there before

    @classmethod
    def laid(cls, ruleset: str, people: dict[str, User]) -> Table:
        """Make a chronicle with house rules, a kind, gear, characters and papers of its own."""
        random = Random(ruleset)
        chronicle = campaigns.create_chronicle(
            user=people["story"], name=f"The Last {ruleset.title()}", ruleset=ruleset, description="*Rain*, and worse."
        )
        for name, role in (("ann", Role.PLAYER), ("bob", Role.PLAYER), ("eye", Role.OBSERVER)):
            campaigns.add_member(chronicle=chronicle, user=people[name], role=role)
        table = cls(chronicle, people, random)
        table._rules(ruleset)
        table._gear(ruleset)
        table._cast()
        table._papers()
        return table

    def _rules(self, ruleset: str) -> None:
        from rules.systems import RULESETS

        rules = RULESETS[ruleset]
        switches = [each for each in rules.options if each.kind is OptionKind.SWITCH]
        numbers = [each for each in rules.options if each.kind is OptionKind.NUMBER and each.maximum is not None]
        options: dict[str, Any] = {each.key: not each.default for each in self.random.sample(switches, k=1)}
        options |= {each.key: each.maximum for each in self.random.sample(numbers, k=min(1, len(numbers)))}
        campaigns.change_options(
            by=self.by, options=options, version=1, at_the_table={"approval": True, "answer_seconds": 60}
        )
        like = next(iter(rules.kinds))
        answers = {"label": "Drowned", "like": like, "banes": ["silver", "salt"], "open": True, "regenerates": True}
        campaigns.save_kind(by=self.by, key="", answers=answers, version=2)
        self.chronicle.refresh_from_db()

    def _gear(self, ruleset: str) -> None:
        shipped = Weapon.objects.filter(ruleset=ruleset, chronicle=None, mode="melee").order_by("pk").first()
        assert shipped is not None
        shipped.pk, shipped.chronicle, shipped.name, shipped.note = None, self.chronicle, "Grandfather’s blade", "Old."
        characters.save_gear(row=shipped)
        worn = Armor.objects.filter(ruleset=ruleset, chronicle=None).order_by("pk").first()
        assert worn is not None
        worn.pk, worn.chronicle, worn.name, worn.note = None, self.chronicle, "Patched coat", "Never washed."
        worn.supernatural, worn.power = True, "Turns silver."
        characters.save_gear(row=worn)

    def _cast(self) -> None:
        from characters import rulesets

        ruleset = rulesets.ruleset_for(self.chronicle)
        fights = Fights(ruleset)
        kinds = sorted(ruleset.kinds)
        for number, name in enumerate(NAMES):
            kind = kinds[number % len(kinds)]
            sheet = next(
                each
                for each in (fights.somebody(self.random, ruleset) for _ in range(1000))
                if each.kind == kind and len(each.marks) < 4 and len(each.weapons) > 2
            )
            owner = self.people[PLAYED[name]] if name in PLAYED else None
            characters.create_character(by=self.by, owner=owner, sheet=self._written(name, sheet, number))

    def _written(self, name: str, sheet: Sheet, number: int) -> SheetData:
        mine = Weapon.objects.get(chronicle=self.chronicle) if number == 0 else None
        coat = Armor.objects.get(chronicle=self.chronicle) if number == 1 else None
        common = {"ruleset": self.chronicle.ruleset, "chronicle": None}
        weapons = [
            Carried(
                Weapon.objects.get(name=each.name, **common).pk,
                rounds=each.rounds,
                fault="jammed" if each.clip and place == 0 and number > 2 else "",
            )
            for place, each in enumerate(sheet.weapons)
        ]
        armor = [Carried(Armor.objects.get(name=each.name, **common).pk) for each in sheet.armor]
        guns = Weapon.objects.filter(automatic=True, **common).order_by("pk")[: number == 3]
        weapons += [Carried(gun.pk, rounds=gun.holds) for gun in guns]
        return SheetData(
            name=name,
            kind=sheet.kind,
            concept="Somebody to reckon with",
            traits={key: max(dots, 2) if dots < 5 else dots for key, dots in sheet.traits.items()},
            resources=dict(sheet.resources),
            merits=sorted(sheet.merits),
            notes="Keeps a **list**.",
            storyteller_notes="Knows more than that.",
            weapons=[*weapons, *([Carried(mine.pk, name="Widowmaker")] if mine else [])],
            armor=[*armor, *([Carried(coat.pk, name="The coat")] if coat else [])],
        )

    def character(self, name: str) -> Character:
        return Character.objects.get(chronicle=self.chronicle, name=name)

    def _papers(self) -> None:
        """Notes, invitations (open, used, revoked), a removed member, the wall, portraits."""
        by, soon = self.by, timezone.now() + timedelta(days=3)
        note = page_services.create_page(by=by, title="House of cards", text="*Everybody* lies.", audience="everyone")
        page_services.edit_passage(
            by=by, passage=note.passages.get(), text="Nobody lies.", audience="everyone", version=1
        )
        page_services.create_page(by=by, title="What comes", text="The flood.", audience="storytellers")
        campaigns.invite(by=by, role=Role.PLAYER, expires=soon, max_uses=3, label="For the late ones")
        revoked, _token = campaigns.invite(by=by, role=Role.OBSERVER, expires=soon, max_uses=1)
        campaigns.revoke_invitation(by=by, invitation=revoked, now=timezone.now())
        _used, token = campaigns.invite(by=by, role=Role.PLAYER, expires=soon, max_uses=1)
        guest = campaigns.join(user=self.people["guest"], token=token, now=timezone.now())
        campaigns.remove_member(by=by, member=guest, now=timezone.now())
        wall.open_wall(by=by)
        drawn = io.BytesIO()
        Image.new("RGB", (40, 40), (90, 30, 30)).save(drawn, "PNG")
        for name in ("Adele Finch", HIDDEN):
            characters.set_portrait(by=by, character=self.character(name), picture=pictures.redraw(drawn.getvalue()))
