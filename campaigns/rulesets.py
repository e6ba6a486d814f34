"""This app's only access to the rulesets and their options."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaigns import conduct
from campaigns.errors import RulesetMissing
from campaigns.words import said
from rules import rulebook
from rules.model.own_traits import OwnTrait, read_own
from rules.model.system import System
from rules.rulebook import Answer, Question, Rule, Rulebook
from rules.systems import REJECTED, RULESETS


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One option of a ruleset, with this table's value."""

    option: Any
    value: Any
    changed: bool

    @property
    def shown(self) -> str:
        """The value in words."""
        return describe(self.option, self.value)

    @property
    def book(self) -> str:
        """The default value in words."""
        return describe(self.option, self.option.default)


def choices() -> list[tuple[str, str]]:
    """Key and name of each ruleset, as a form's choices."""
    return [(key, str(ruleset.name)) for key, ruleset in RULESETS.items()]


def described() -> list[tuple[str, str, str]]:
    """Key, name and short description of each ruleset."""
    return [(key, book.name, book.subtitle) for key, book in _books().items()]


def name_of(key: str) -> str:
    """A ruleset's name, or its key if it isn't installed."""
    return dict(choices()).get(key, key)


def installed() -> Collection[str]:
    """The keys of the playable rulesets."""
    return RULESETS.keys()


def system(key: str) -> System:
    """The ruleset with this key. Raises `RulesetMissing` if it can't be played."""
    check_installed(key)
    return RULESETS[key]


def check_installed(key: str) -> None:
    """Raise `RulesetMissing` if the ruleset with this key can't be played."""
    if reason := why_missing(key):
        raise RulesetMissing(reason)


def why_missing(key: str) -> str:
    """Why a chronicle with this ruleset is read-only; "" if it isn't."""
    if key in RULESETS:
        return ""
    for each in REJECTED:
        if each.key == key:
            return _(
                "This chronicle is read-only: its ruleset “%(key)s” was rejected when Vesper started (%(package)s: "
                "%(reason)s)."
            ) % {"key": key, "package": each.package, "reason": each.reason}
    return _("This chronicle is read-only: its ruleset “%(key)s” is not installed.") % {"key": key}


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule and its ruleset's key."""

    ruleset: str
    rule: Rule


def book(key: str) -> Rulebook | None:
    """A ruleset's rulebook in the reader's language; None for an unknown key."""
    return _books().get(key)


def _books() -> dict[str, Rulebook]:
    """All rulebooks in the reader's language, by ruleset key."""
    language = get_language() or ""
    return {key: ruleset.book.said_in(language) for key, ruleset in RULESETS.items()}


def rule(rule_id: str) -> FoundRule | None:
    """The rule with this id, looked up in all rulesets."""
    for key, book in _books().items():
        if rule_id in book.rules:
            return FoundRule(key, book[rule_id])
    return None


def search(book: Rulebook, wanted: str) -> list[Rule]:
    """The rules that contain all of the words, in the book's order; every rule if there are no words."""
    words = wanted.casefold().split()
    return [
        rule
        for rule in book.rules.values()
        if all(word in f"{rule.id} {rule.title} {rule.text} {rule.ruling}".casefold() for word in words)
    ]


@dataclass(frozen=True, slots=True)
class FoundBook:
    """One rulebook's search results."""

    ruleset: str
    book: Rulebook
    rules: list[Rule]


def search_all(wanted: str) -> list[FoundBook]:
    """Search results by rulebook, without empty ones; nothing if there are no words."""
    found = [FoundBook(key, book, search(book, wanted)) for key, book in _books().items()]
    return [each for each in found if each.rules] if wanted else []


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison table: the key and book of each ruleset, and a row of (book, answer) for each question.

    The answer is None if the ruleset doesn't have one.
    """

    books: tuple[tuple[str, Rulebook], ...]
    rows: tuple[tuple[Question, tuple[tuple[Rulebook, Answer | None], ...]], ...]


def compare(keys: Collection[str]) -> Comparison:
    """Compare the rulesets with these keys, or all of them if no key is known."""
    chosen = [key for key in RULESETS if key in keys] or list(RULESETS)
    language, known = get_language() or "", _books()
    books = tuple((key, known[key]) for key in chosen)
    rows = tuple(
        (question, tuple((book, book.answers(language).get(question.key)) for _key, book in books))
        for question in rulebook.questions(language)
    )
    return Comparison(books, rows)


def options_of(key: str) -> tuple[Any, ...]:
    """The ruleset's options."""
    return tuple(RULESETS[key].options) if key in RULESETS else ()


def begun(key: str) -> dict[str, bool]:
    """The house rules that a new chronicle with this ruleset begins with."""
    return {option.key: True for option in options_of(key) if option.begun}


def read_own_traits(ruleset: System, given: Mapping[str, Mapping[str, Any]]) -> tuple[OwnTrait, ...]:
    """A chronicle's own Traits and sections. Raises `rules.model.options.BadOption` for an invalid one."""
    return tuple(read_own(key, each, ruleset.layout, ruleset.kinds) for key, each in given.items())


def check_options(
    key: str, options: Mapping[str, Any], own: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """Validate options and return those that differ from the defaults, as they are stored.

    Lines may name the chronicle's `own` Traits. Raises `rules.model.options.BadOption`, which names the faulty key.
    """
    if key not in RULESETS:
        return {}
    found = RULESETS[key]
    played = found.with_traits(read_own_traits(found, own)) if own else found
    checked = played.check_options(dict(options))
    # Only deviations are stored, so that a table follows later corrections of the ruleset's defaults.
    return {rule.option.key: rule.value for rule in house_rules(key, checked) if rule.changed}


def house_rules(key: str, options: Mapping[str, Any]) -> list[HouseRule]:
    """All options of the ruleset with this table's values."""
    rules = []
    for option in options_of(key):
        value = options.get(option.key, option.default)
        rules.append(HouseRule(option=option, value=value, changed=_plain(value) != _plain(option.default)))
    return rules


def at_the_table(kept: Mapping[str, Any]) -> list[HouseRule]:
    """All table settings (`campaigns.conduct`), given the stored values."""
    values = ((option, conduct.value(kept, option.key)) for option in conduct.OPTIONS)
    return [HouseRule(option=option, value=value, changed=value != option.default) for option, value in values]


def describe(option: Any, value: Any) -> str:
    """An option's value in words for players."""
    if option.kind == "switch":
        return _("on") if value else _("off")
    if option.kind == "levels":
        return ", ".join(level(said(name), penalty) for name, penalty in value)
    if option.kind == "table":
        return "; ".join(said(option.rows.written(row)) for row in value) or _("none")
    if option.kind == "lines":
        return "; ".join(said(line) for line in value) or _("none")
    if option.kind == "choice":
        return said(choice_names(option).get(value, str(value)))
    return str(value)


def level(name: str, penalty: int | None) -> str:
    """A health level in words: name and penalty, or only the name if nobody can act there."""
    return name if penalty is None else f"{name} {penalty}"


def choice_names(option: Any) -> dict[str, str]:
    """The labels of a choice option by value; its choices may be pairs or bare values."""
    return dict(pair if isinstance(pair, tuple) else (pair, pair) for pair in option.choices)


def _plain(value: Any) -> Any:
    # JSON gives lists back for tuples.
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
