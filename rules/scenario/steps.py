"""Reads a scenario's steps: what is done, with which dice, and the expected results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.messages import Command
from rules.model.gear import BARE_HANDS, Damage, Mode, Weapon, loaded
from rules.rulebook import Rulebook
from rules.scenario import attacks, rolls  # noqa: F401  # imported because they register readers
from rules.scenario.cast import conditions_in
from rules.scenario.dice import Written, by_name, read_dice
from rules.scenario.fields import BadScenario, Table
from rules.scenario.parties import Parties
from rules.scenario.readers import Reader, figure, reader_of, reads
from rules.strike.blows import KNOCKDOWN
from rules.systems import RULESETS
from rules.topics import commands

ALWAYS = {"do", "expect", "refused", "waive", "dice", "tie"}
ACTION_KEYS = frozenset({"by", "at", "with", "mods", "distance", "defence", "text", "action"})
"""The keys of a step whose action this ruleset does not know."""

UNDO, REDO = "undo", "redo"


@dataclass(frozen=True, slots=True)
class Step:
    """One step. ``command`` is ``None`` for undo and redo, and for an action that the ruleset does not know.

    ``refused`` is the rule expected to forbid the step, "" if it must be allowed.
    """

    do: str
    command: Command | None
    dice: Written
    expect: Mapping[str, Any]
    by: str = ""
    several: bool = False
    refused: str = ""
    waive: frozenset[str] = frozenset()


def read_step(table: Table, parties: Parties) -> Step:
    """The step in a table of ``[[steps]]``. Raises :class:`BadScenario`."""
    do = table.text("do")
    if not do:
        raise table.bad("do", "is missing.")
    table = Table(f"{table.where} ({do})", table.values)
    own = Reader(_action_keys(do, parties), _own_action)
    reader = own if do in parties.ruleset.actions else reader_of(do) or own
    table.only(ALWAYS | reader.keys)
    expect, refused = _expected(table)
    return Step(
        do,
        reader.read(table, parties),
        _dice(table, do, parties),
        expect,
        table.text("by"),
        isinstance(table.values.get("at"), list),
        refused,
        frozenset(rules_in(table, "waive", parties.ruleset.book)),
    )


def rules_in(table: Table, key: str, book: Rulebook) -> tuple[str, ...]:
    """The rule ids under a key, each one of the ruleset's."""
    for rule in table.words(key):
        if rule not in book.rules:
            raise table.bad(key, f"names {rule}, which {book.name} does not have.")
    return table.words(key)


def _expected(table: Table) -> tuple[dict[str, Any], str]:
    """The expected results, and the rule expected to forbid the step, in whichever of the two places it is written."""
    expect = table.table("expect")
    places = {where.text("refused") for where in (table, expect) if "refused" in where}
    if len(places) > 1:
        raise table.bad("refused", "is written twice, with two rules.")
    return {key: value for key, value in expect.values.items() if key != "refused"}, next(iter(places), "")


def _dice(table: Table, do: str, parties: Parties) -> Written:
    ties = by_name(table.table("tie"), "tie", parties.names)
    if do == "initiative":
        return {**by_name(table.table("dice"), "initiative", parties.names), **ties}
    written = read_dice(table.table("dice"), parties.names)
    if do == KNOCKDOWN:
        # The fall is a check that the action itself makes: either name may be used for it.
        written = {("check" if key == "roll" else key, name): found for (key, name), found in written.items()}
    return {**written, **parties.defence_dice(table), **ties}


def _own_action(table: Table, parties: Parties) -> Command | None:
    """An action of this ruleset or another; its combatants must exist in either case."""
    by = parties.one(table, "by") if "by" in table else ""
    at = parties.some(table, "at")
    do = table.text("do")
    if do not in parties.ruleset.actions:
        return None
    if not (by or at):
        raise table.bad("by", "should be one combatant’s name.")
    needs = parties.ruleset.actions[do].needs
    figures = {wanted.key: figure(table, wanted, parties) for wanted in needs.figures if wanted.key in table}
    return commands.TakeAction(do, by or at[0], at, parties.modifiers(table), figures, table.text("with"))


def _action_keys(do: str, parties: Parties) -> frozenset[str]:
    """The keys of a step whose action is the ruleset's own, or unknown to it."""
    rule = parties.ruleset.actions.get(do)
    if rule is None:
        return ACTION_KEYS
    return frozenset({"by", "at", "with", "mods", "text"}) | {wanted.key for wanted in rule.needs.figures}


@reads(UNDO, REDO)
def _turning_back(table: Table, parties: Parties) -> None:
    """Undo and redo are not commands: the log handles them."""


# ------------------------------------------------------------------ turns


@reads("initiative", keys={"ambushed", "surprised"})
def _initiative(table: Table, parties: Parties) -> Command:
    caught = {key: parties.some(table, key) for key in ("surprised", "ambushed")}
    return commands.RollInitiative(tuple(table.table("dice").values), **caught)


_TURNS = [each.turns for each in RULESETS.values()]
INTENDED = {key for turns in _TURNS for key in (*turns.intends, *((turns.fuel,) if turns.bought else ()))}
"""The points that a declaration can commit, in any ruleset."""

_DECLARATION = {"by", "at", "text", "actions", "delay", "disciplines", "gifts", "willpower", *INTENDED}


@reads("declare", "multiple_actions", keys=_DECLARATION)
def _declare(table: Table, parties: Parties) -> Command:
    return commands.Declare(
        parties.one(table, "by"),
        table.text("text"),
        table.words("actions"),
        table.switch("delay"),
        (*table.words("disciplines"), *table.words("gifts")),
        table.number("willpower") if "willpower" in table else 0,
        out_of_order=True,
        points={key: table.number(key, least=0) for key in sorted(INTENDED) if key in table},
        at=parties.one(table, "at") if "at" in table else "",
    )


@reads("surprise", keys={"by", "at", "text"})
def _surprise(table: Table, parties: Parties) -> Command:
    """Those who may be surprised: one combatant, or several."""
    names = (parties.one(table, "by"),) if "by" in table else parties.some(table, "at")
    return commands.CheckSurprise(names)


@reads("lie_in_ambush", keys={"ambushers", "at", "secret", "text"})
def _lie_in_ambush(table: Table, parties: Parties) -> Command:
    """Several ambush several."""
    ambushers = parties.some(table, "ambushers")
    return commands.CheckSurprise(parties.some(table, "at"), ambushers, secret=table.switch("secret"))


@reads("circumstance", keys={"at", "mods", "text"})
def _circumstance(table: Table, parties: Parties) -> Command:
    """The circumstances that apply to one combatant's rolls, or to the whole scene if nobody is named."""
    return commands.SetCircumstances(parties.one(table, "at") if "at" in table else "", parties.modifiers(table))


@reads("initiative_every_turn", keys={"on"})
def _initiative_every_turn(table: Table, parties: Parties) -> Command:
    return commands.SetInitiativeMode("on" not in table or table.switch("on"))


@reads("abort", keys={"by", "text", "pay"})
def _abort(table: Table, parties: Parties) -> Command:
    """By a roll if its dice are written, else by a point."""
    guess = "roll" if "roll" in table.table("dice") else "point"
    return commands.Abort(parties.one(table, "by"), table.text("pay", guess))


# ------------------------------------------------------------------ weapons


@reads("clear_jam", keys={"by", "with", "text"})
def _clear_jam(table: Table, parties: Parties) -> Command:
    return commands.ClearJam(*_armed(table, parties, lambda weapon: weapon.mode in (Mode.FIREARM, Mode.ARCHERY)))


@reads("reload", keys={"by", "with", "rounds", "text"})
def _reload(table: Table, parties: Parties) -> Command:
    by, weapon = _armed(table, parties, lambda weapon: loaded(weapon) is not None)
    return commands.Reload(by, weapon, table.number_or_none("rounds"))


def _armed(table: Table, parties: Parties, fits: Callable[[Weapon], bool]) -> tuple[str, str]:
    """The combatant and the weapon named, by default the first that fits."""
    by = parties.one(table, "by")
    held = (weapon.key or weapon.name for weapon in parties.sheets[by].weapons if fits(weapon))
    return by, table.text("with") or next(held, BARE_HANDS)


@reads("mishap", keys={"by", "kind", "ally"})
def _mishap(table: Table, parties: Parties) -> Command:
    """The botch that this settles is looked up when the step is played."""
    parties.one(table, "by")
    ally = parties.one(table, "ally") if "ally" in table else ""
    return commands.ChooseMishap("", table.text("kind"), ally)


# ------------------------------------------------------------------ bodies


@reads("harm", keys={"at", "amount", "type", "tags", "text"})
def _harm(table: Table, parties: Parties) -> Command:
    at, amount = parties.one(table, "at"), table.number("amount")
    # Where injuries are recorded one by one, damage has no types.
    kind = table.word("type", Damage, None if parties.ruleset.health.one_by_one is None else Damage.LETHAL)
    return commands.Harm(at, amount, kind, frozenset(table.words("tags")), table.text("text"))


@reads("heal", keys={"at", "amount", "type", "hours", "days", "weeks", "care", "hospital", "injury"})
def _heal(table: Table, parties: Parties) -> Command:
    return commands.Heal(
        parties.one(table, "at"),
        table.number_or_none("amount"),
        table.word("type", Damage) if "type" in table else None,
        _hours(table),
        table.number("injury", least=1) if "injury" in table else 1,
        table.switch("care"),
        table.switch("hospital") if "hospital" in table else True,
    )


def _hours(table: Table) -> int | None:
    """The time that a step names in any of its units, None if it names none."""
    spans = {"hours": 1, "days": 24, "weeks": 7 * 24}
    given = [hours * table.number(span) for span, hours in spans.items() if span in table]
    return sum(given) if given else None


@reads("pass_time", keys={"who", "hours", "days", "weeks", "care", "hospital", "dusk", "bleeding"})
def _pass_time(table: Table, parties: Parties) -> Command:
    cared = dict.fromkeys(parties.some(table, "care"), commands.Care.CARE)
    cared |= dict.fromkeys(parties.some(table, "hospital"), commands.Care.HOSPITAL)
    return commands.PassTime(
        parties.some(table, "who") or parties.names,
        _hours(table) or 0,
        cared,
        table.switch("dusk"),
        table.number_or_none("bleeding") or 0,
    )


@reads("spend", keys={"by", "resource", "amount"})
def _spend(table: Table, parties: Parties) -> Command:
    amount = table.number("amount") if "amount" in table else 1
    if not table.text("resource"):
        raise table.bad("resource", "is missing.")
    return commands.Spend(parties.one(table, "by"), table.text("resource"), amount)


@reads("condition", keys={"at", "add", "remove"})
def _condition(table: Table, parties: Parties) -> Command:
    add, remove = conditions_in(table, "add"), conditions_in(table, "remove")
    if not add | remove:
        raise BadScenario("say which conditions to “add” or to “remove”.", table.where)
    return commands.ChangeConditions(parties.one(table, "at"), add, remove)
