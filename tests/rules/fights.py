"""Random people, weapons and commands for any ruleset, sensible and absurd.

Everything is derived from the ruleset (its layout, kinds, options, circumstances, actions, defences) and the built-in
tables, so a new ruleset is covered without changes here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st

from characters import tables
from characters.sheets import armor_of, weapon_of
from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Command, command_types
from rules.engine.violations import INPUT
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Armor, Damage, Fault, Mode, Weapon
from rules.model.modifiers import RANGED
from rules.model.options import Option, OptionKind
from rules.model.roll import DifficultyOf, Extended, Resistance
from rules.model.sheet import Category, Injury, Sheet, Trait
from rules.model.state import Encounter, HealthShown
from rules.model.system import Aim, Game, System
from rules.systems import RULESETS
from rules.topics import commands
from rules.topics.actions import targets, why_not
from rules.topics.commands import Newcomer
from rules.topics.grapples.grapple import GRAPPLES
from rules.topics.powers.using import POINTS, TRAIT, with_powers
from tests.rules.powers import made_up

CAST = ("ann", "bob", "cy", "dee", "eve")
GIANT = 10**30
HURT = tuple(Damage)
TAKEN = {
    *(name for system in RULESETS.values() for rule in system.modifiers.values() for name in rule.takes),
    *(figure.key for system in RULESETS.values() for rule in system.actions.values() for figure in rule.needs.figures),
    *(POINTS, TRAIT),
}
"""The names of all numbers that some circumstance or action declares."""

FIGURES = sorted(TAKEN | {"zed"})

MERITS = sorted({key for system in RULESETS.values() for key in system.entries})
"""The Merits that some system's rules use."""

HOUSE_LEVELS = (("Fine", 0), ("Rough", -3), ("Out", None))

_BY_NAME: Mapping[str, tuple[Any, ...]] = {
    "by": (-2, 1, 2),
    "dice": (1, 2, 3),
    "count": (1, 2, 6),
    "attackers": (1, 2, 6),
    "band": ("short", "long"),
    "degree": ("light", "good", "superior"),
    "distance": (0, 5, 30),
    "rounds": (1, 3, 10, 20),
    "size": ("child", "horse"),
    "what": ("Stamina", "Kevlar vest"),
}
"""Sensible values by name; others get a small number."""


@dataclass(frozen=True)
class Later:
    """A command that is made if it is chosen: a random sheet takes longer than most commands."""

    kind: type[Command]
    make: Callable[[], Command]


class Figures(dict[str, Any]):
    """Numbers by name; reading an undeclared one fails."""

    def __getitem__(self, name: str) -> Any:
        return super().__getitem__(_taken(name))

    def get(self, name: str, default: Any = None) -> Any:
        return super().get(_taken(name), default)


def _taken(name: str) -> str:
    assert name in FIGURES, f"“{name}” is read, and no circumstance or action says that it takes it."
    return name


class Merits(frozenset[str]):
    """The Merits on a sheet; asking for one that no system declares fails."""

    __slots__ = ()

    def __contains__(self, merit: object) -> bool:
        assert merit in MERITS, f"“{merit}” is asked for, and no system declares such a Merit."
        return super().__contains__(merit)


def house_rules(ruleset: System, random: Random) -> System:
    """The ruleset with some chronicle's house rules, and powers of its own."""
    changed = random.sample(ruleset.options, k=random.randint(0, len(ruleset.options)))
    played = ruleset.with_options({option.key: _decided(option, random) for option in changed})
    return with_powers(played, made_up(played, random))


def _decided(option: Option, random: Random) -> Any:
    if option.kind is OptionKind.SWITCH:
        return random.random() < 0.5
    if option.kind is OptionKind.NUMBER:
        least = -5 if option.minimum is None else option.minimum
        most = least + 10 if option.maximum is None else option.maximum
        return random.choice([least, most, random.randint(least, most)])
    if option.kind is OptionKind.CHOICE:
        return random.choice([key for key, _label in option.choices])
    if option.kind is OptionKind.LEVELS:
        return random.choice([option.default, HOUSE_LEVELS])
    return option.default


def shipped(key: str) -> tuple[tuple[Weapon, ...], tuple[Armor, ...]]:
    """All weapons and armour in a ruleset's built-in tables."""
    read = {
        table: tables.rows(name, tables.files()[name])
        for table in ("weapons", "armor")
        for name in [f"{key}_{table}.csv"]
    }
    weapons: list[Any] = read["weapons"]
    armor: list[Any] = read["armor"]
    return tuple(weapon_of(row) for row in weapons), tuple(armor_of(row) for row in armor)


def _somewhere(random: Random, weapon: Weapon) -> Weapon:
    """The weapon, mostly in hand, sometimes put away or on the ground."""
    place = random.random()
    return replace(weapon, stowed=place < 0.1, fault=Fault.DROPPED if place > 0.95 else weapon.fault)


@dataclass(frozen=True)
class Fights:
    """Random fights of one ruleset."""

    ruleset: System

    @cached_property
    def gear(self) -> tuple[tuple[Weapon, ...], tuple[Armor, ...]]:
        return shipped(self.ruleset.key)

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        return tuple(sorted(each.key for each in self.ruleset.conditions))

    @cached_property
    def deeds(self) -> int:
        """How often actions are offered among the next commands: more if the ruleset has more of them."""
        return min(12, 2 * len(self.ruleset.actions))

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        return tuple(self.ruleset.layout.traits())

    # -------------------------------------------------------------- what makes sense

    def somebody(self, random: Random, ruleset: System | None = None) -> Sheet:
        """A valid sheet."""
        ruleset = ruleset or self.ruleset
        kind = random.choice(sorted(ruleset.kinds))
        traits = {
            trait.key: random.randint(trait.minimum, trait.maximum)
            for section in ruleset.layout.for_kind(kind)
            for group in section.groups
            for trait in group.traits
        }
        weapons, armor = self.gear
        sheet = Sheet(
            "Somebody",
            kind,
            traits,
            Merits([*random.sample(MERITS, k=random.choice([0, 1, 3])), *self._listed(random, ruleset)]),
            weapons=tuple(_somewhere(random, each) for each in random.sample(weapons, k=min(5, len(weapons)))),
            armor=tuple(random.sample(armor, k=random.choice([0, 0, 1, 2]))),
        )
        resources = {
            each.key: random.randint(0, ruleset.layout.maximum(sheet, each.key))
            for each in ruleset.layout.resources_for(kind)
        }
        most = len(ruleset.health.levels(sheet))
        marks = tuple(random.choices(HURT, k=min(most, random.choice([0, 0, 0, 1, 3, most]))))
        kept = ruleset.health.one_by_one
        if kept is None:
            return replace(sheet, resources=resources, marks=marks)
        injuries = tuple(Injury(random.randint(1, min(4, kept.most_level))) for _ in range(random.choice([0, 0, 1, 3])))
        return replace(sheet, resources=resources, injuries=injuries)

    def _listed(self, random: Random, ruleset: System) -> list[str]:
        """Most of the powers that sheets list by name."""
        return [each.entry for each in ruleset.powers if each.entry and random.random() < 0.8]

    def pool(self, random: Random) -> tuple[str, ...]:
        """Traits to roll together."""
        by = {category: [trait.key for trait in self.traits if trait.category is category] for category in Category}
        attribute, ability = random.choice(by[Category.ATTRIBUTE]), random.choice(by[Category.ABILITY])
        return random.choice([(attribute, ability), (attribute,), (random.choice(self.traits).key, attribute)])

    def picked(self, random: Random, state: Encounter, most: int = 2) -> tuple[Modifier, ...]:
        """Circumstances with the numbers they take."""
        rules = random.sample(list(self.ruleset.modifiers.values()), k=random.choice([0, 0, *range(1, most + 1)]))
        return tuple(
            Modifier(
                rule.key, Figures(self.figures(rule.figures, random) | self._filled_in(rule.wanted, random, state))
            )
            for rule in rules
        )

    def figures(self, names: tuple[str, ...] | list[str], random: Random) -> dict[str, Any]:
        return {name: random.choice(_BY_NAME.get(name, (1, 2))) for name in names if name != "why"}

    def answer(self, random: Random) -> Defence:
        return Defence(random.choice(["", *self.ruleset.attack.defences.kinds]))

    def struck(self, random: Random, state: Encounter, by: str = "") -> Attack:
        """An attack that is likely to be allowed."""
        one, at = random.sample(sorted(state.combatants), 2)
        by = one if by in ("", at) else by
        held = [weapon.name for weapon in state.combatants[by].sheet.weapons]
        return Attack(
            by,
            (at,),
            random.choice(["", *held]),
            self.picked(random, state) if random.random() < 0.5 else (),
            random.choice([None, None, None, 1, 30]),
            {at: self.answer(random)} if random.random() < 0.4 else {},
            frozenset(random.choice([[], [], ["wounds", "defense"], ["damage:strength", "soak:stamina"]])),
            **self.company(random, [who for who in sorted(state.combatants) if who not in (by, at)]),
        )

    def company(self, random: Random, rest: list[str]) -> dict[str, Any]:
        """Occasionally somebody joins the attack, or is close to it."""
        if not rest or random.random() < 0.8:
            return {}
        if random.random() < 0.5:
            return {"near": (random.choice(rest),)}
        return {"others": (random.choice(rest),), "one_roll": random.random() < 0.5}

    def possible(self, random: Random, state: Encounter, played: System, who: str) -> str:
        """The key of an action, usually of a possible one."""
        conditions = state.combatants[who].conditions
        there = [key for key, action in played.actions.items() if action.needs.only_in in conditions]
        keys = random.choices(there if there and random.random() < 0.7 else sorted(played.actions), k=3)
        return next((each for each in keys if why_not(Game(state, played), each, who) is None), keys[0])

    def taken(self, random: Random, state: Encounter, played: System, who: str, key: str) -> commands.TakeAction:
        """An action with the inputs it needs."""
        needs = played.actions[key].needs
        whom = targets(Game(state, played), who, needs)
        most = {Aim.NOBODY: 0, Aim.AREA: len(whom)}.get(needs.aim, 1)
        least = needs.aim is Aim.ONE
        return commands.TakeAction(
            key,
            who,
            tuple(random.sample(whom, k=min(len(whom), random.randint(least, max(least, most))))),
            self.picked(random, state, 1) if needs.rolls and random.random() < 0.3 else (),
            Figures(self._filled_in(needs.figures, random, state)),
        )

    def _filled_in(self, figures: tuple[Wanted, ...], random: Random, state: Encounter) -> dict[str, Any]:
        """The numbers that somebody enters in a form."""
        return {each.key: self._figure(each, random, state) for each in figures if self._said(each, random)}

    def _said(self, wanted: Wanted, random: Random) -> bool:
        return wanted.needed or random.random() < 0.4

    def _figure(self, wanted: Wanted, random: Random, state: Encounter) -> Any:
        """A number for an action."""
        return {
            Want.NUMBER: lambda: random.choice([wanted.least, min(wanted.most, wanted.least + 3)]),
            Want.CHOICE: lambda: random.choice(wanted.choices)[0],
            Want.SWITCH: lambda: random.random() < 0.5,
            Want.WORDS: lambda: random.choice(["Wall", "Car"]),
            Want.SOMEBODY: lambda: random.choice(sorted(state.combatants)),
        }[wanted.kind]()

    def sensible(self, random: Random, state: Encounter, played: System) -> Command:
        """A command that fits the situation, and that the ruleset has."""
        choices = self._choices(random, state, played)
        known = [each for each in choices if played.knows(each.kind if isinstance(each, Later) else type(each))]
        chosen = random.choice(known)
        return chosen.make() if isinstance(chosen, Later) else chosen

    def at_close_quarters(self, random: Random, state: Encounter, played: System) -> Command:
        """What people do to one another and to their cover: shots, and the ruleset's own actions.

        A fight in which grappling is possible soon has a grapple, and it continues.
        """
        grappling = [who for each in GRAPPLES.of(state) for who in each.members]
        doer = random.choice(grappling if grappling and random.random() < 0.7 else sorted(state.combatants))
        guns = [each.name for each in state.combatants[doer].sheet.weapons if each.mode in RANGED]
        if guns and random.random() < 0.4:
            return replace(self.struck(random, state, doer), weapon=random.choice(guns), others=(), near=())
        if (move := self.manoeuvre(random, state, played, doer)) and random.random() < 0.3:
            return move
        begins = "grapple" in played.actions and not grappling and random.random() < 0.3
        key = "grapple" if begins else self.possible(random, state, played, doer)
        return self.taken(random, state, played, doer, key)

    def manoeuvre(self, random: Random, state: Encounter, played: System, doer: str) -> Attack | None:
        """A bare-handed attack for the sake of one of the ruleset's manoeuvres, in a grapple on the opponent."""
        known = [each for each in played.circumstances.played.values() if each.group == "manoeuvre"]
        fitting = [each.key for each in known if Mode.UNARMED in each.modes]
        if not fitting:
            return None
        grips = [each.opponent(doer) for each in GRAPPLES.of(state) if doer in each.members]
        at = random.choice(grips or [who for who in sorted(state.combatants) if who != doer])
        # Outside a grapple often the one that begins it, if there is one.
        seize = not grips and "grapple" in fitting and random.random() < 0.5
        return Attack(doer, (at,), "", (Modifier("grapple" if seize else random.choice(fitting)),))

    def _choices(self, random: Random, state: Encounter, played: System) -> list[Command | Later]:
        who, other = random.sample(sorted(state.combatants), 2)
        return [
            *[self.struck(random, state)] * 9,
            *self._asked(random, state),
            *self._turns(random, state, who),
            *self._done(random, state, played, who, other),
            *self._bodies(random, state, who, played),
            random.choice([commands.Pause(), commands.End(), commands.Begin(), commands.Resume()]),
        ]

    def _asked(self, random: Random, state: Encounter) -> list[Command]:
        """Attacks announced and answered, and the effects of botches."""
        choices: list[Command] = [
            commands.ProposeAttack(
                f"x{state.resolutions}", self.struck(random, state), random.random() < 0.3, random.random() < 0.2
            )
        ] * 6
        defences = ["ask", "none", *self.ruleset.attack.defences.kinds]
        choices.append(commands.SetDefaultDefence((random.choice(sorted(state.combatants)),), random.choice(defences)))
        for exchange in state.exchanges:
            choices += [
                commands.AnswerAttack(exchange.id, exchange.attack.at[0], self.answer(random)) for _ in range(9)
            ]
            changed = replace(self.struck(random, state), by=exchange.attack.by)
            choices += [commands.ApproveAttack(exchange.id)] * 6 + [commands.SendBackAttack(exchange.id, "Hm.")]
            choices += [commands.ChangeAttack(exchange.id, changed, exchange.by_hand)] * 2
            choices += [commands.AnswerByDefault(exchange.id, exchange.attack.at[0])] * 3
            choices += [commands.ResolveAttack(exchange.id)] * 4 + [commands.WithdrawAttack(exchange.id)]
        for mishap in state.mishaps:
            ally = random.choice(sorted(state.combatants))
            choices += [commands.ChooseMishap(mishap.resolution)] * 4
            choices += [commands.ChooseMishap(mishap.resolution, mishap.choices[-1], ally)] * 4
        return choices

    def _turns(self, random: Random, state: Encounter, who: str) -> list[Command]:
        turns = self.ruleset.turns
        plans = ["unarmed", "melee", "firearm", "hide", "full_defence", turns.fast, *self.ruleset.attack.defences.kinds]
        planned = tuple(random.choices(plans, k=random.randint(0, 3)))
        return [
            *[commands.Act() for _ in range(4)],
            *[commands.EndTurn() for _ in range(2)],
            *[commands.RollInitiative(), commands.RollInitiative((who,)), commands.RollInitiative((), (who,))],
            commands.Declare(
                who, "", planned, random.random() < 0.2, willpower=random.choice([0, 0, 1]), out_of_order=True
            ),
            commands.Declare(who, "", planned),
            *[commands.Delay(who), commands.Abort(who), commands.Abort(who, "point"), commands.FullDefence(who)],
            *[commands.HoldOver(who), commands.FreshStart(who, random.randint(1, 20))],
            commands.SetInitiativeMode(random.random() < 0.5),
            commands.CheckSurprise((who,)),
            commands.SetOrder(tuple((one,) for rank in state.order[::-1] for one in rank)),
        ]

    def _done(self, random: Random, state: Encounter, played: System, who: str, other: str) -> list[Command]:
        """Everything but attacks, including rolls."""
        held = state.combatants[who].sheet.weapons
        jammed = [weapon.name for weapon in held if weapon.fault] or [""]
        loaded = [weapon.name for weapon in held if weapon.clip] or [""]
        pool = self.pool(random)
        # People in a grapple have more to do than others.
        doing = [who, *(one for each in GRAPPLES.of(state) for one in each.members * 2)]
        doer, deeds = random.choice(doing), self.deeds * len(doing)
        return [
            *[self.taken(random, state, played, doer, self.possible(random, state, played, doer))] * deeds,
            *[each for each in (self.manoeuvre(random, state, played, doer),) if each] * 6,
            *[commands.ClearJam(who, random.choice(jammed)), commands.Reload(who, random.choice(loaded))],
            commands.RollTraits(who, pool, random.choice([None, None, 4, DifficultyOf(other, pool)])),
            commands.RollTraits(who, pool, modifiers=self.picked(random, state), resisted=Resistance(other, pool)),
            commands.RollTraits(who, pool, extended=Extended(f"e{state.resolutions}", random.randint(1, 6), 3)),
            *(commands.RollOn(each.asked.id) for each in state.extended),
            *(commands.GiveUpRoll(each.asked.id) for each in state.extended[:1]),
        ]

    def _bodies(self, random: Random, state: Encounter, who: str, played: System) -> list[Command | Later]:
        points = sorted(resource.key for resource in self.ruleset.layout.resources)
        own = state.combatants[who].conditions
        return [
            *[commands.Harm(who, random.randint(1, 3), random.choice(HURT)) for _ in range(2)],
            *[commands.Heal(who, 1, random.choice(HURT)), commands.Heal(who, hours=24)],
            commands.PassTime(
                tuple(random.sample(sorted(state.combatants), 2)),
                random.choice([1, 12, 24 * 9]),
                {},
                random.random() < 0.5,
                random.choice([0, 15]),
            ),
            commands.SetHealth(who, tuple(random.choices(HURT, k=random.randint(0, 3)))),
            *[commands.Spend(who, random.choice(points)), commands.Spend(who, random.choice(points), -1)],
            commands.ChangeConditions(
                who, frozenset(random.sample(self.conditions, k=1)), frozenset(random.sample(sorted(own), k=bool(own)))
            ),
            *[commands.SetCircumstances(random.choice([who, ""]), self.picked(random, state))],
            *[commands.Leave(who)][: len(state.combatants) > 2 and random.random() < 0.3],
            commands.Group((who, random.choice(sorted(state.combatants)))),
            *[
                commands.OverrideAttack(
                    f"r{state.resolutions}", who, random.choice(["hit", "miss", "botch", "dramatic_failure"])
                )
            ],
            commands.SetVisibility(who, hidden=random.random() < 0.5),
            Later(commands.ReviseSheet, lambda: commands.ReviseSheet(who, self.somebody(random, played))),
            Later(
                commands.Join,
                lambda: commands.Join((Newcomer(random.choice(CAST), self.somebody(random, played)),)),
            ),
            *[commands.Narrate(resolution, "So it was.") for resolution in state.unnarrated[:1]],
        ]

    # -------------------------------------------------------------- what does not

    @cached_property
    def absurd(self) -> st.SearchStrategy[Command]:
        """Any command with any content in its fields."""
        return st.one_of([self._built(kind) for kind in (each.cls for each in command_types())])

    def _built(self, kind: type) -> st.SearchStrategy[Any]:
        hints = get_type_hints(kind)
        return st.builds(kind, **{name: self._field(name, hint) for name, hint in hints.items()})

    def _field(self, name: str, hint: Any) -> st.SearchStrategy[Any]:
        """A field's content: by its name, else by its type, else as Hypothesis generates it."""
        if name in self._words and hint is not Weapon:
            return self._words[name]
        written = hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)
        return self._types[written] if written in self._types else st.from_type(hint)

    @cached_property
    def names(self) -> st.SearchStrategy[str]:
        return st.sampled_from([*CAST, "", " ", "zed", "\x00", "r1", "x0", "é" * 50, "9" * 30])

    @cached_property
    def _words(self) -> Mapping[str, st.SearchStrategy[Any]]:
        """Fields whose name determines their vocabulary."""
        names = self.names
        weapon = st.sampled_from(["", *(weapon.name for weapon in self.gear[0])]) | names
        return {
            "weapon": weapon,
            "traits": st.lists(st.sampled_from([trait.key for trait in self.traits]) | names, max_size=4).map(tuple),
            "actions": st.lists(st.sampled_from(["melee", "open", "celerity", "dodge"]) | names, max_size=3).map(tuple),
            "exchange": st.integers(0, 9).map("x{}".format) | names,
            "resolution": st.integers(0, 9).map("r{}".format) | names,
            "resource": st.sampled_from([each.key for each in self.ruleset.layout.resources]) | names,
            "pay": st.sampled_from(["roll", "point"]) | names,
            "mishap": st.sampled_from(["", "jam", "ally_hit", "fall"]) | names,
            "key": st.sampled_from([*self.ruleset.actions, ""]) | names,
            "strike": st.frozensets(st.sampled_from(["wounds", "base", "rating", "defense", "soak:stamina"])),
            "add": st.frozensets(st.sampled_from(self.conditions) | names, max_size=2),
            "health_shown": st.sampled_from(list(HealthShown)) | names,
            "sheet": self._odd_sheets,
        }

    @cached_property
    def _types(self) -> Mapping[str, st.SearchStrategy[Any]]:
        """Fields by their declared type."""
        names, figure = self.names, st.sampled_from([-GIANT, -20, -1, 0, 1, 2, 7, 24, 100, GIANT])
        garbage = st.one_of(figure, names, st.sampled_from([True, None, 2.5, (1,), "long"]), st.builds(list))
        modifier = st.builds(
            Modifier,
            st.sampled_from([*self.ruleset.modifiers]) | names,
            st.dictionaries(st.sampled_from(FIGURES), garbage, max_size=4).map(Figures),
        )
        modifiers = st.lists(modifier, max_size=2).map(tuple)
        kinds = st.sampled_from(["", *self.ruleset.attack.defences.kinds]) | names
        defence = st.builds(Defence, kinds, names, modifiers)
        damage = st.sampled_from(HURT)
        several = st.lists(names, max_size=3).map(tuple)
        attack = st.builds(
            Attack,
            names,
            several,
            st.sampled_from([weapon.name for weapon in self.gear[0]]) | names,
            modifiers,
            st.none() | figure,
            st.dictionaries(names, defence, max_size=2),
        )
        newcomer = st.builds(Newcomer, names, self._odd_sheets, health_shown=names)
        return {
            "str": names,
            "str | None": st.none() | names,
            "int": figure,
            "int | None": st.none() | figure,
            "bool": st.booleans(),
            "Attack": attack,
            "Defence": defence,
            "Damage": damage,
            "Weapon": st.builds(replace, st.sampled_from(self.gear[0]), name=names, damage=figure, rounds=figure),
            "rules.model.gear.Damage | None": st.none() | damage,
            "tuple[str, ...]": several,
            "frozenset[str]": st.frozensets(names, max_size=2),
            "tuple[tuple[str, ...], ...]": st.lists(several, max_size=4).map(tuple),
            "tuple[rules.model.gear.Damage, ...]": st.lists(damage, max_size=9).map(tuple),
            "tuple[rules.topics.commands.Modifier, ...]": modifiers,
            "tuple[rules.topics.commands.Newcomer, ...]": st.lists(newcomer, max_size=2).map(tuple),
            str(get_type_hints(Attack)["defences"]): st.dictionaries(names, defence, max_size=2),
            str(get_type_hints(Modifier)["figures"]): st.dictionaries(
                st.sampled_from(FIGURES), garbage, max_size=3
            ).map(Figures),
            str(get_type_hints(commands.PassTime)["care"]): st.dictionaries(
                names, st.sampled_from(list(commands.Care)), max_size=2
            ),
            str(get_type_hints(commands.PassTime)["levels"]): st.dictionaries(
                names, st.lists(figure, max_size=3).map(tuple), max_size=2
            ),
            str(get_type_hints(commands.Declare)["points"]): st.dictionaries(names, figure, max_size=2),
            str(get_type_hints(commands.RollTraits)["difficulty"]): st.none()
            | figure
            | st.builds(DifficultyOf, names, several),
            str(get_type_hints(commands.RollTraits)["resisted"]): st.none()
            | st.builds(Resistance, names, several, st.none() | figure),
            str(get_type_hints(commands.RollTraits)["extended"]): st.none()
            | st.builds(Extended, names, figure, figure, names),
        }

    @cached_property
    def _odd_sheets(self) -> st.SearchStrategy[Sheet]:
        """Barely valid sheets."""
        figure = st.sampled_from([-GIANT, -1, 0, 1, 100, GIANT])

        def odd(seed: int, marks: list[Damage], points: int, dots: int) -> Sheet:
            random = Random(seed)
            sheet = self.somebody(random)
            trait = random.choice(self.traits).key
            resource = random.choice(self.ruleset.layout.resources).key
            traits = {**sheet.traits, trait: dots}
            return replace(sheet, marks=tuple(marks), resources={resource: points}, traits=traits)

        return st.builds(odd, st.integers(0, 2**32), st.lists(st.sampled_from(HURT), max_size=9), figure, figure)

    @cached_property
    def waivers(self) -> st.SearchStrategy[frozenset[str]]:
        return st.sampled_from([frozenset(), frozenset(), frozenset(self.ruleset.book.rules) | {INPUT}])
