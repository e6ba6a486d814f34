"""`chronicle.json`: the chronicle itself, with its house rules and everything of its own, and its people."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeVar

from campaigns import conduct, kinds, own_powers, own_traits, rulesets
from campaigns.archives import people, rows
from campaigns.archives.box import MANIFEST, BadArchive
from campaigns.archives.moving import Coming, Going
from campaigns.models import Chronicle
from campaigns.names import is_seen, printable_inside
from campaigns.words import said
from rules.model.options import BadOption
from rules.model.own_powers import LONGEST_KEY
from rules.model.words import as_key

FILE = "chronicle.json"

COLUMNS = (
    *("name", "ruleset", "description", "created"),
    *("options", "conduct", "own_kinds", "own_traits", "own_powers"),
)
OF_OWN_TRAIT = frozenset({"label", "sort", "place", "section", "most", "kinds", "was", "gone"})
"""The settings of a Trait or section of the chronicle's own."""

Checked = TypeVar("Checked")


def take_out(going: Going) -> None:
    """Write the file. It is the last one, when everybody to whom the others refer is known."""
    going.box.add_json(FILE, {**rows.write(going.chronicle, COLUMNS), "people": people.written(going)})
    going.tell(1)


def bring_in(coming: Coming) -> None:
    """Make the chronicle and seat its people. Raises `BadArchive`."""
    given = coming.box.json(FILE)
    found = rows.read(given, Chronicle, COLUMNS, file=FILE, also=("people",))
    if found.ruleset != coming.box.manifest.get("ruleset"):
        raise rows.invalid("ruleset", MANIFEST)
    if not is_seen(found.name):
        raise rows.invalid("name", FILE)
    for name in COLUMNS:
        setattr(coming.chronicle, name, getattr(found, name))
    _check_rules(coming.chronicle)
    coming.add([coming.chronicle])
    seated = rows.objects(given, "people", FILE)
    people.seat(coming, seated, FILE)
    coming.count("people", len(seated), FILE)
    coming.tell(1)


def _check_rules(chronicle: Chronicle) -> None:
    """Check its rules as the forms do, and that they can be shown."""
    ruleset = chronicle.ruleset
    for name in ("own_kinds", "own_traits", "own_powers"):
        prefix = kinds.PREFIX if name == "own_kinds" else own_traits.PREFIX
        setattr(chronicle, name, _own(getattr(chronicle, name), name, prefix))
    for each in chronicle.own_traits.values():
        _check_trait(each)
    _checked("own_traits", lambda: own_traits.check_all(ruleset, chronicle.own_traits))
    _checked("own_kinds", lambda: kinds.check_all(ruleset, chronicle.own_kinds))
    options, at_the_table = printable_inside(chronicle.options), printable_inside(chronicle.conduct)
    own = chronicle.own_traits
    chronicle.options = _checked("options", lambda: rulesets.check_options(ruleset, options, own))
    chronicle.conduct = _checked("conduct", lambda: conduct.check(at_the_table))
    _checked("own_powers", lambda: own_powers.check_all(chronicle))
    _checked("options", lambda: _shown(chronicle))


def _own(given: Any, name: str, prefix: str) -> dict[str, dict[str, Any]]:
    """What the chronicle has of its own of one sort, by key, with printable texts."""
    if not isinstance(given, dict):
        raise rows.invalid(name, FILE)
    for key, each in given.items():
        rest = key.removeprefix(prefix)
        if rest == key or rest != as_key(rest) or len(key) > LONGEST_KEY or not isinstance(each, dict):
            raise rows.invalid(key, FILE)
    found: dict[str, dict[str, Any]] = printable_inside(given)
    for key, each in found.items():
        label = each.get("label")
        if not isinstance(label, str) or not is_seen(label) or not isinstance(each.get("gone", False), bool):
            raise rows.invalid(key, FILE)
    return found


def _check_trait(given: dict[str, Any]) -> None:
    former = given.get("was", [])
    words = isinstance(former, list) and all(isinstance(each, str) for each in former)
    if not given.keys() <= OF_OWN_TRAIT or not words:
        raise rows.invalid("own_traits", FILE)


def _shown(chronicle: Chronicle) -> Collection[object]:
    """All rules as they are played and shown: what can't be raises here."""
    played = own_powers.played_without(chronicle)
    own_powers.with_own(played, own_powers.base_of(chronicle), chronicle.own_powers)
    table = (*rulesets.house_rules(chronicle.ruleset, chronicle.options), *rulesets.at_the_table(chronicle.conduct))
    own = kinds.lines(chronicle.ruleset, chronicle.own_kinds, everything=True)
    return [*(each.shown for each in table), own, own_traits.both(chronicle), own_powers.both(chronicle)]


def _checked(name: str, check: Callable[[], Checked]) -> Checked:
    """What a check gives that is made for forms, which have the right types."""
    try:
        return check()
    except BadOption as bad:
        raise BadArchive(FILE, f"“{name}”: {bad.key[:80]}: {said(bad.message)}") from None
    except (TypeError, ValueError, AttributeError, LookupError, RecursionError):
        raise rows.invalid(name, FILE) from None
