"""The one place where this app asks the rules which rulesets there are and what each lets a table change."""

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
from rules.model.system import System
from rules.rulebook import Answer, Question, Rule, Rulebook
from rules.systems import REJECTED, RULESETS


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One option of a ruleset as this table plays it."""

    option: Any
    value: Any
    changed: bool

    @property
    def shown(self) -> str:
        """The value in words."""
        return describe(self.option, self.value)

    @property
    def book(self) -> str:
        """What the ruleset itself has, in words."""
        return describe(self.option, self.option.default)


def choices() -> list[tuple[str, str]]:
    """Key and name of each ruleset, as a form's choices."""
    return [(key, str(ruleset.name)) for key, ruleset in RULESETS.items()]


def described() -> list[tuple[str, str, str]]:
    """Key and name of each ruleset, and what it is in a few words."""
    return [(key, book.name, book.subtitle) for key, book in _books().items()]


def name_of(key: str) -> str:
    """A ruleset's name; its key, if it is not installed."""
    return dict(choices()).get(key, key)


def installed() -> Collection[str]:
    """The keys of the rulesets that can be played."""
    return RULESETS.keys()


def system(key: str) -> System:
    """The ruleset of that key; raises `RulesetMissing` where it cannot be played."""
    check_installed(key)
    return RULESETS[key]


def check_installed(key: str) -> None:
    """Raise `RulesetMissing` where the ruleset of that key cannot be played."""
    if reason := why_missing(key):
        raise RulesetMissing(reason)


def why_missing(key: str) -> str:
    """Why the ruleset of that key cannot be played, and what that means for its chronicles; "" where it can."""
    if key in RULESETS:
        return ""
    for each in REJECTED:
        if each.key == key:
            return _(
                "This chronicle is read-only: its ruleset “%(key)s” was rejected when Vesper started (%(package)s: "
                "%(reason)s)"
            ) % {"key": key, "package": each.package, "reason": each.reason}
    return _("This chronicle is read-only: its ruleset “%(key)s” is not installed.") % {"key": key}


@dataclass(frozen=True, slots=True)
class FoundRule:
    """A rule, and the key of the ruleset that it belongs to."""

    ruleset: str
    rule: Rule


def book(key: str) -> Rulebook | None:
    """The rules of a ruleset in the reader's language, None where there is none of that key."""
    return _books().get(key)


def _books() -> dict[str, Rulebook]:
    """Every ruleset's rules in the reader's language, by its key."""
    language = get_language() or ""
    return {key: ruleset.book.said_in(language) for key, ruleset in RULESETS.items()}


def rule(rule_id: str) -> FoundRule | None:
    """The rule of that id in whatever ruleset has it."""
    for key, book in _books().items():
        if rule_id in book.rules:
            return FoundRule(key, book[rule_id])
    return None


def search(book: Rulebook, wanted: str) -> list[Rule]:
    """The rules in which every one of the words stands, in the book's order; all of them for no words."""
    words = wanted.casefold().split()
    return [
        rule
        for rule in book.rules.values()
        if all(word in f"{rule.id} {rule.title} {rule.text} {rule.ruling}".casefold() for word in words)
    ]


@dataclass(frozen=True, slots=True)
class FoundBook:
    """What a search found in one rulebook."""

    ruleset: str
    book: Rulebook
    rules: list[Rule]


def search_all(wanted: str) -> list[FoundBook]:
    """What a search finds in each rulebook that has any of it; nothing for no words."""
    found = [FoundBook(key, book, search(book, wanted)) for key, book in _books().items()]
    return [each for each in found if each.rules] if wanted else []


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rulesets side by side: key and book of each, and for each question every book with its answer, in their order.

    A ruleset that does not answer a question has None.
    """

    books: tuple[tuple[str, Rulebook], ...]
    rows: tuple[tuple[Question, tuple[tuple[Rulebook, Answer | None], ...]], ...]


def compare(keys: Collection[str]) -> Comparison:
    """The rulesets of these keys side by side; all of them where none of the keys is known."""
    chosen = [key for key in RULESETS if key in keys] or list(RULESETS)
    language, known = get_language() or "", _books()
    books = tuple((key, known[key]) for key in chosen)
    rows = tuple(
        (question, tuple((book, book.answers(language).get(question.key)) for _key, book in books))
        for question in rulebook.questions(language)
    )
    return Comparison(books, rows)


def options_of(key: str) -> tuple[Any, ...]:
    """What a table may change in this ruleset."""
    return tuple(RULESETS[key].options) if key in RULESETS else ()


def check_options(key: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options as they will be kept. Raises `rules.model.options.BadOption` naming the key at fault."""
    if key not in RULESETS:
        return {}
    checked = RULESETS[key].check_options(dict(options))
    # Only what this table decided: where it said nothing it follows the ruleset, also when that is corrected.
    return {rule.option.key: rule.value for rule in house_rules(key, checked) if rule.changed}


def house_rules(key: str, options: Mapping[str, Any]) -> list[HouseRule]:
    """Every option of the ruleset with its value at this table."""
    rules = []
    for option in options_of(key):
        value = options.get(option.key, option.default)
        rules.append(HouseRule(option=option, value=value, changed=_plain(value) != _plain(option.default)))
    return rules


def at_the_table(kept: Mapping[str, Any]) -> list[HouseRule]:
    """Every option that no ruleset has a say in, with its value at a table that kept these."""
    values = ((option, conduct.value(kept, option.key)) for option in conduct.OPTIONS)
    return [HouseRule(option=option, value=value, changed=value != option.default) for option, value in values]


def describe(option: Any, value: Any) -> str:
    """A value of an option in words that players read."""
    if option.kind == "switch":
        return _("on") if value else _("off")
    if option.kind == "levels":
        return ", ".join(level(said(name), penalty) for name, penalty in value)
    if option.kind == "table":
        return "; ".join(said(option.rows.written(row)) for row in value)
    if option.kind == "lines":
        return "; ".join(said(line) for line in value) or _("none")
    if option.kind == "choice":
        return said(choice_names(option).get(value, str(value)))
    return str(value)


def level(name: str, penalty: int | None) -> str:
    """A health level in words: its name and what it takes; the name alone where nobody acts any more."""
    return name if penalty is None else f"{name} {penalty}"


def choice_names(option: Any) -> dict[str, str]:
    """Value and label of a choice option, whether its choices are pairs or bare values."""
    return dict(pair if isinstance(pair, tuple) else (pair, pair) for pair in option.choices)


def _plain(value: Any) -> Any:
    # A row gives lists back where the definition has tuples.
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
