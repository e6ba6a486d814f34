"""Forecast the fights in scenario files."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.decide import decide
from rules.engine.dice import NO_DICE
from rules.engine.messages import replay
from rules.engine.violations import RuleViolation
from rules.forecast.changes import Ambush, BetterArmor, Change, Distance, OneMore, OtherSide, changed
from rules.forecast.forecast import FIGHTS, forecast
from rules.forecast.policies import POLICIES
from rules.forecast.setup import SIDES, Setup, checked, chosen
from rules.forecast.tally import CONFIDENCE, Chance, Numbers, Tally
from rules.model.state import Encounter, Side
from rules.scenario.fields import BadScenario
from rules.scenario.reading import Draft, load, read_draft
from rules.topics.commands import Join

SEEDS = 2**32
MOST_FIGHTS = 100_000
MOST_ARMOR = 20


class Command(BaseCommand):
    """`manage.py forecast FILE`: works without a database."""

    help = "Play the fight in a scenario file many times, and tell how it is likely to end. See docs/forecast.md."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a scenario file; its steps aren't played")
        parser.add_argument("--fights", type=int, default=FIGHTS, help=f"how many fights are played ({FIGHTS})")
        parser.add_argument("--seed", type=int, help="a whole number from which all dice follow (a new one each time)")
        parser.add_argument(
            "--policy",
            action="append",
            default=[],
            metavar="NAME=KEY",
            help=f"how a combatant fights: {', '.join(POLICIES)}",
        )
        parser.add_argument("--sides", metavar="A,B:C,D", help="who fights whom (players against everybody else)")
        parser.add_argument("--distance", type=int, default=0, help="how far the sides are from each other")
        parser.add_argument("--ambushed", choices=[side.value for side in SIDES], help="the side that is surprised")
        parser.add_argument("--more", action="append", default=[], metavar="NAME", help="one more like this combatant")
        parser.add_argument(
            "--armor", action="append", default=[], metavar="NAME=BY", help="armour that protects a combatant more"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["fights"] <= MOST_FIGHTS:
            raise CommandError(f"Play 1 to {MOST_FIGHTS} fights.")
        seed = secrets.randbelow(SEEDS) if options["seed"] is None else options["seed"]
        try:
            draft = read_draft(options["file"], load(options["file"]))
            setup = _setup(draft, options)
            (*_, tally) = forecast(setup, seed, options["fights"])
        except (BadScenario, RuleViolation) as problem:
            raise CommandError(problem.message if isinstance(problem, RuleViolation) else str(problem)) from None
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(draft, setup, seed, tally), ensure_ascii=False))
        else:
            self.stdout.write("\n".join(_as_lines(draft, setup, seed, tally)))


def _setup(draft: Draft, options: dict[str, Any]) -> Setup:
    """The fight, with everything that the options change. Raises CommandError and RuleViolation."""
    joined = decide(Encounter(), Join(draft.newcomers), draft.ruleset, NO_DICE)
    policies = chosen(dict(_split(each, "=", "--policy takes NAME=KEY.") for each in options["policy"]))
    setup = Setup(replay(Encounter(), joined), draft.ruleset, policies)
    changes: list[Change] = [Distance(options["distance"])]
    if options["sides"]:
        changes += _sides(setup, options["sides"])
    changes += [_better_armor(each) for each in options["armor"]]
    changes += map(OneMore, options["more"])
    if options["ambushed"]:
        changes.append(Ambush(Side(options["ambushed"])))
    return checked(changed(setup, changes))


def _better_armor(written: str) -> BetterArmor:
    who, by = _split(written, "=", "--armor takes NAME=BY, a number from 1 to 20.")
    if not (by.isdecimal() and 1 <= int(by) <= MOST_ARMOR):
        raise CommandError("--armor takes NAME=BY, a number from 1 to 20.")
    return BetterArmor(who, int(by))


def _sides(setup: Setup, written: str) -> Iterator[OtherSide]:
    """Each combatant's side; those who aren't named are on neither."""
    named: dict[str, Side] = {}
    for side, names in zip(SIDES, _split(written, ":", "--sides takes the names of both: A,B:C,D."), strict=True):
        for name in filter(None, (each.strip() for each in names.split(","))):
            if named.setdefault(name, side) is not side:
                raise CommandError(f"{name} can't be on both sides.")
    for who in dict.fromkeys((*named, *setup.state.combatants)):
        yield OtherSide(who, named.get(who, Side.OTHERS))


def _split(written: str, sign: str, message: str) -> tuple[str, str]:
    """The two parts of an option."""
    first, found, second = written.partition(sign)
    if not (first.strip() and found and second.strip()):
        raise CommandError(message)
    return first.strip(), second.strip()


# ------------------------------------------------------------------ for programs


def _as_json(draft: Draft, setup: Setup, seed: int, tally: Tally) -> dict[str, Any]:
    return {
        "title": draft.title,
        "ruleset": draft.ruleset.key,
        "seed": seed,
        "fights": tally.fights,
        "confidence": CONFIDENCE,
        "sides": {
            side.value: {
                "members": setup.members(side),
                "wins": _chance(tally.standing(side)),
                "examples": tally.examples("standing", side.value),
            }
            for side in SIDES
        },
        "undecided": _chance(tally.undecided),
        "turns": _numbers(tally.turns),
        "combatants": {who: _combatant(setup, tally, who) for who in tally.sides},
    }


def _combatant(setup: Setup, tally: Tally, who: str) -> dict[str, Any]:
    return {
        "side": tally.sides[who].value,
        "policy": setup.policy(who).key,
        "falls": _chance(tally.fallen(who)),
        "dies": _chance(tally.dead(who)),
        "leaves": _chance(tally.left(who)),
        "lost": _numbers(tally.lost(who)),
        "lost_by_type": {damage: _numbers(tally.lost(who, damage)) for damage in tally.damages(who)},
        "spent": {resource: _numbers(tally.spent(who, resource)) for resource in tally.resources(who)},
        "rounds": _numbers(tally.rounds(who)),
        "examples": {
            word: tally.examples(what, who)
            for word, what in (("falls", "fallen"), ("dies", "dead"), ("leaves", "left"))
        },
    }


def _chance(chance: Chance) -> dict[str, float]:
    return {"share": chance.share, "low": round(chance.low, 4), "high": round(chance.high, 4)}


def _numbers(numbers: Numbers) -> dict[str, Any]:
    return {
        "mean": round(numbers.mean, 4),
        "margin": round(numbers.margin, 4),
        "histogram": dict(numbers.histogram),
    }


# ------------------------------------------------------------------ for people


def _as_lines(draft: Draft, setup: Setup, seed: int, tally: Tally) -> Iterator[str]:
    yield f"{draft.title} ({draft.ruleset.name})"
    yield f"{tally.fights} fights with the seed {seed}. In brackets: the margins of error ({CONFIDENCE:.0%})."
    yield ""
    for side in SIDES:
        yield f"{side.value.capitalize()} win: {_share(tally.standing(side))}: {', '.join(setup.members(side))}"
    yield f"Undecided after {setup.most_turns} turns: {_share(tally.undecided)}"
    yield f"Turns: {_mean(tally.turns)}"
    for who, side in tally.sides.items():
        yield ""
        yield f"{who} ({side.value}; {setup.policy(who).label})"
        yield f"  falls {_share(tally.fallen(who))}, dies {_share(tally.dead(who))}, leaves {_share(tally.left(who))}"
        types = [f"{damage} {_mean(tally.lost(who, damage))}" for damage in tally.damages(who)]
        yield f"  health lost {_mean(tally.lost(who))}{': ' if types else ''}{', '.join(types)}"
        points = [f"{resource} {_mean(tally.spent(who, resource))}" for resource in tally.resources(who)]
        if tally.rounds(who).mean:
            points.append(f"rounds {_mean(tally.rounds(who))}")
        if points:
            yield f"  spent: {', '.join(points)}"


def _share(chance: Chance) -> str:
    return f"{chance.share:.0%} ({chance.low:.0%}–{chance.high:.0%})"


def _mean(numbers: Numbers) -> str:
    return f"{numbers.mean:.1f} (±{numbers.margin:.1f})"
