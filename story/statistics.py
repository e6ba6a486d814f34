"""A chronicle's numbers: hits, damage, luck and the rules that were used most, from what each reader's logs tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from campaigns.models import Membership, Session
from campaigns.rulesets import book
from combat.history.report import Person
from story.digests import Digest, digests_for

MOST_OTHERS = 12
"""How many people without a player are listed: those who dealt the most."""

MOST_BARS = 20
MOST_RULES = 10

SUMS = ("attacks", "hits", "dealt", "taken", "rolls", "successes", "expected")


@dataclass(frozen=True, slots=True)
class PersonLine:
    """Somebody's numbers over all fights and outside them. `fights` is how many they were seen in."""

    name: str
    fights: int
    deeds: Person


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a plot: its `label` and `value`, and its beginning and width, 0 to 100."""

    label: str
    value: float
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Plot:
    """A bar chart; `zero` is where its base line is, 0 to 100."""

    bars: tuple[Bar, ...]
    zero: float


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule and how many log entries cite it."""

    id: str
    title: str
    count: int


@dataclass(frozen=True, slots=True)
class StatisticsPage:
    """The page of statistics. `waiting`: this many fights are still being read.

    `damage` is by session, `luck` by character.
    """

    chronicle: dict[str, str]
    people: tuple[PersonLine, ...]
    damage: Plot
    luck: Plot
    rules: tuple[RuleLine, ...]
    fights: int
    waiting: int


def statistics_page(membership: Membership) -> StatisticsPage:
    """A chronicle's numbers for one member."""
    found = digests_for(membership)
    people = _people(found.found)
    one = membership.chronicle
    return StatisticsPage(
        chronicle={"pk": one.pk, "name": one.name, "ruleset": one.ruleset},
        people=people,
        damage=_bars(_damage(membership, found.fights)),
        luck=_bars([(each.name, each.deeds.luck) for each in people if each.deeds.rolls][:MOST_BARS]),
        rules=_rules(one.ruleset, found.found),
        fights=len(found.fights),
        waiting=found.waiting,
    )


def _people(digests: Iterable[Digest]) -> tuple[PersonLine, ...]:
    """Everybody's sums: the players' characters first, under the name that they had last, then the most dangerous."""
    sums, seen, played = dict[tuple[str, str], Person](), Counter[tuple[str, str]](), set[tuple[str, str]]()
    for digest in digests:
        for each in digest.told.deeds:
            # To players, two NPCs of one name are one: that they aren't may be a secret.
            key = (each.character, "") if each.character else ("", each.name)
            before = sums.get(key, Person(each.name))
            added = {name: getattr(before, name) + getattr(each, name) for name in SUMS}
            sums[key] = replace(before, name=each.name, character=each.character, **added)
            seen[key] += not digest.outside
            if each.character:
                played.add(key)
    lines = {key: PersonLine(deeds.name, seen[key], deeds) for key, deeds in sums.items()}
    ranked = sorted(lines.items(), key=lambda each: (-each[1].deeds.dealt, each[1].name))
    mine = [line for key, line in ranked if key in played]
    others = [line for key, line in ranked if key not in played]
    return (*mine, *others[:MOST_OTHERS])


def _damage(membership: Membership, fights: Iterable[Digest]) -> list[tuple[str, float]]:
    """The damage done in the fights of each session, oldest first; the latest sessions in which there were any."""
    done = Counter[str]()
    for digest in fights:
        done[digest.session] += sum(each.taken for each in digest.told.deeds)
    numbers = Session.objects.filter(chronicle_id=membership.chronicle_id, pk__in=[each for each in done if each])
    named: list[tuple[str, float]] = [
        (str(number), float(done[pk])) for pk, number in numbers.order_by("number").values_list("pk", "number")
    ]
    if done[""]:
        named.insert(0, ("", float(done[""])))
    return named[-MOST_BARS:]


def _rules(ruleset: str, digests: Iterable[Digest]) -> tuple[RuleLine, ...]:
    counts = Counter[str]()
    for digest in digests:
        counts.update(dict(digest.told.rules))
    rules = book(ruleset)
    known = rules.rules if rules else {}
    ranked = sorted(
        ((count, rule) for rule, count in counts.items() if rule in known), key=lambda one: (-one[0], one[1])
    )
    return tuple(RuleLine(rule, known[rule].title, count) for count, rule in ranked[:MOST_RULES])


# ------------------------------------------------------------------ plots

WIDE = 100


def _bars(values: list[tuple[str, float]]) -> Plot:
    """A bar chart: values below zero go to the left of its base line."""
    top = max((value for _label, value in values), default=0)
    low = min((value for _label, value in values), default=0)
    top, low = max(top, 0), min(low, 0)
    unit = WIDE / ((top - low) or 1)
    zero = round(-low * unit, 2)
    bars = (
        Bar(label, value, round(zero + min(value, 0) * unit, 2), round(abs(value) * unit, 2)) for label, value in values
    )
    return Plot(tuple(bars), zero)
