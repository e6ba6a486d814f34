"""A character from a file of Vesper's own, as the page shows it on which characters are brought in.

What a file says is its bearer's claim. Experience isn't granted: the balance, and the histories of ledger and sheet,
are words in the notes, and a Storyteller may award it. Values that this chronicle's sheets don't allow are fitted, and
what they have no place for is in the notes too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.utils.translation import gettext as _

from campaigns import pictures
from campaigns.archives.box import BadArchive, Reader, is_zip
from campaigns.archives.moving import Coming
from campaigns.models import TEXT_LENGTH
from campaigns.words import said
from characters import rulesets, tables
from characters.archives import characters as files
from characters.archives import experience, single
from characters.archives import tables as gear
from characters.archives.values import Values
from characters.experience_words import amount
from characters.forms.gear_rows import MOST_ROWS
from characters.incoming.arrival import Arrival, Asking, BadFile, BroughtArmor, BroughtWeapon, Recognised
from characters.library import usable
from characters.listings import MOST_ENTRIES
from characters.models import Armor, CarriedWeapon, Character, Gear, Weapon, WornArmor
from characters.services import SheetData
from rules.model.gear import Damage
from rules.model.sheet import Sheet

LONGEST_LINE = 300
_NUMBERED = re.compile(r" \([0-9]{1,4}\)$")
MOST_LINES = 5_000


@dataclass(slots=True)
class _Account:
    """What is said about a file: what the sheet gets, what was changed, and lines for the notes."""

    recognised: list[Recognised] = field(default_factory=list)
    noted: list[str] = field(default_factory=list)

    def changed(self, label: Any, text: Any, warning: str) -> None:
        self.recognised.append(Recognised(str(label), str(text), warning))

    def note(self, label: Any, text: Any) -> None:
        self.noted.append(f"{label}: {' '.join(str(text).split())}"[:LONGEST_LINE])


def read(content: bytes, asking: Asking) -> Arrival:
    """What a file brings. Raises `BadFile`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "character.zip"
        path.write_bytes(content)
        try:
            box = Reader(path)
            try:
                return _read(box, asking)
            finally:
                box.close()
        except BadArchive as problem:
            raise BadFile(str(problem)) from None


def _read(box: Reader, asking: Asking) -> Arrival:
    _check(box, asking)
    coming, ruleset = Coming(box, asking.by.user, asking.chronicle), rulesets.ruleset_for(asking.chronicle)
    (file,) = box.names(files.FOLDER)
    values = Values(ruleset, coming.new, file)
    content = box.json(file)
    one = files.sheet(content, values, asking.chronicle)
    known, account = _known(box), _Account()
    weapons, armor = _gear(coming, asking, content, values, account)
    sheet = _fitted(one, known, asking, account)
    told = [*account.noted, *_ledger(coming), *_history(box)]
    notes, noted = _with_notes(one.notes, told)
    own = box.manifest.get("chronicle")
    source = _("From “%(chronicle)s”, by a file") % {"chronicle": str(own)[:80]} if own else _("From a file")
    counts = (
        Recognised(_("Kind"), said(ruleset.kind(sheet["kind"]).label)),
        Recognised(_("Traits"), str(len(sheet["traits"]))),
        Recognised(_("Weapons"), ", ".join(each.name or each.row.name for each in weapons)),
        Recognised(_("Armour"), ", ".join(each.name or each.row.name for each in armor)),
    )
    return Arrival(
        sheet=SheetData(**sheet, notes=notes),
        source=source,
        recognised=(*(each for each in counts if each.text not in ("", "0")), *account.recognised),
        noted=tuple(noted),
        weapons=tuple(weapons),
        armor=tuple(armor),
        portrait=_portrait(box),
    )


def _check(box: Reader, asking: Asking) -> None:
    manifest = box.manifest
    if manifest.get("part") != single.PART:
        raise BadFile(_("This archive holds a whole chronicle, not a character. It becomes a chronicle of its own."))
    if manifest.get("ruleset") != asking.chronicle.ruleset:
        theirs, ours = str(manifest.get("ruleset", ""))[:40], asking.chronicle.ruleset
        words = {"theirs": rulesets.name_of(theirs), "ours": rulesets.name_of(ours)}
        raise BadFile(_("This character is from “%(theirs)s”. This chronicle is played by “%(ours)s”.") % words)
    if len(box.names(files.FOLDER)) != 1:
        raise BadFile(_("This archive doesn’t hold exactly one character. Bring them in one by one."))


def _known(box: Reader) -> Mapping[str, Mapping[str, str]]:
    """What the manifest says about the other chronicle's own names that is text."""
    own = box.manifest.get("own")
    found = own if isinstance(own, dict) else {}
    return {
        name: {key: each for key, each in some.items() if isinstance(each, str) and len(each) <= LONGEST_LINE}
        for name, some in found.items()
        if isinstance(some, dict)
    }


# ------------------------------------------------------------------ the sheet


def _fitted(
    one: Character, known: Mapping[str, Mapping[str, str]], asking: Asking, account: _Account
) -> dict[str, Any]:
    """The sheet's values as this chronicle allows them."""
    ruleset = rulesets.ruleset_for(asking.chronicle)
    kind = _kind(one, known, asking, account)
    traits = _traits(one, kind, known.get("traits", {}), asking, account)
    dots = {each.key: each.default for each in ruleset.layout.traits()} | traits
    most = {each.key: each.maximum(dots) for each in ruleset.layout.resources}
    points = {key: min(value, most[key]) for key, value in one.resources.items() if key in most}
    for key in one.resources.keys() - most.keys():
        account.note(rulesets.in_words(key), one.resources[key])
    details = {each.key for each in ruleset.layout.details}
    for key, text in one.details.items():
        if key not in details:
            account.note(known.get("details", {}).get(key) or rulesets.in_words(key), text)
    lists = {each.key: each for each in ruleset.layout.lists}
    for key, entries in one.lists.items():
        for name, dots in entries if key not in lists else entries[MOST_ENTRIES:]:
            account.note(rulesets.in_words(key), f"{name} {dots or ''}")
    sheet = Sheet("", kind, traits)
    kept = ruleset.health.one_by_one
    boxes = 0 if kept else len(ruleset.health.levels(sheet))
    marks = sorted((Damage(mark) for mark in one.marks), key=lambda mark: -mark.severity)[:boxes]
    return {
        "name": one.name,
        "kind": kind,
        "concept": one.concept,
        "traits": traits,
        "resources": points,
        "merits": one.merits,
        "details": {key: text for key, text in one.details.items() if key in details},
        "lists": {
            key: [[name, min(dots, lists[key].most)] for name, dots in entries[:MOST_ENTRIES]]
            for key, entries in one.lists.items()
            if key in lists
        },
        "specialties": one.specialties,
        "marks": [mark.value for mark in marks],
        "injuries": one.injuries,
        "outlasting": {name: _elsewhere(getattr(one, name)) for name in ("scars", "impairments", "lasting")},
    }


def _elsewhere(some: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Scars and conditions, which no fight of this chronicle left."""
    return [{**each, **{name: "" for name in ("fight", "resolution") if name in each}} for each in some]


def _kind(one: Character, known: Mapping[str, Mapping[str, str]], asking: Asking, account: _Account) -> str:
    """The kind here: the same, or the one that it is like. Players don't learn of kinds that are hidden."""
    ruleset, own = rulesets.ruleset_for(asking.chronicle), asking.chronicle.own_kinds
    hidden = set() if asking.by.is_storyteller else {key for key, each in own.items() if not each.get("open")}
    for key in (one.kind, known.get("like", {}).get(one.kind, ""), "mortal"):
        if key in ruleset.kinds and key not in hidden:
            break
    if key != one.kind:
        label = known.get("kinds", {}).get(one.kind) or rulesets.in_words(one.kind)
        account.changed(_("Kind"), said(ruleset.kind(key).label), _("“%(kind)s” is unknown here.") % {"kind": label})
    return key


def _traits(one: Character, kind: str, labels: Mapping[str, str], asking: Asking, account: _Account) -> dict[str, int]:
    """The dots of all Traits, within what the sheet allows. Unknown ones go into the notes."""
    layout = rulesets.ruleset_for(asking.chronicle).layout
    mine = {each.key: each for each in layout.traits_for(kind, one.traits)}
    known = {each.key for each in layout.traits()}
    traits: dict[str, int] = {}
    for key, dots in one.traits.items():
        if key in mine:
            traits[key] = min(max(dots, mine[key].minimum), mine[key].maximum)
            if traits[key] != dots:
                was = _("It was %(dots)s in the file.") % {"dots": dots}
                account.changed(said(mine[key].label), traits[key], was)
        elif dots and key not in known:
            account.note(labels.get(key) or rulesets.in_words(key), dots)
    return traits


# ------------------------------------------------------------------ gear, portrait


def _gear(
    coming: Coming, asking: Asking, content: Mapping[str, Any], values: Values, account: _Account
) -> tuple[list[BroughtWeapon], list[BroughtArmor]]:
    rows: dict[type[Gear], dict[str, Gear | None]] = {
        model: _rows(coming, model, name, asking, account) for model, name in gear.FILES.items()
    }
    weapons = [
        BroughtWeapon(row, each.name, _rounds(row, each), each.fault)
        for each, row in _carried(content, "weapons", CarriedWeapon, files.CARRIED, rows[Weapon], values)
        if isinstance(row, Weapon)
    ]
    armor = [
        BroughtArmor(row, each.name, each.destroyed)
        for each, row in _carried(content, "armor", WornArmor, files.WORN, rows[Armor], values)
        if isinstance(row, Armor)
    ]
    return weapons[:MOST_ROWS], armor[:MOST_ROWS]


def _rounds(row: Weapon, carried: CarriedWeapon) -> int | None:
    return None if row.holds is None or carried.rounds is None else min(carried.rounds, row.holds)


def _carried(
    content: Mapping[str, Any], name: str, model: Any, columns: tuple[str, ...], rows: Mapping[str, Any], values: Values
) -> Iterator[tuple[Any, Any]]:
    for each in files.some(content, name, values.file):
        carried = files.plain_gear(model, columns, each, values)
        if each["item"] not in rows:
            raise BadArchive(values.file, _("A weapon or armour isn’t in the archive’s tables."))
        yield carried, rows[each["item"]]


def _rows(coming: Coming, model: type[Gear], name: str, asking: Asking, account: _Account) -> dict[str, Gear | None]:
    """The file's rows by reference: those of this chronicle's tables that are the same, or new ones.

    For somebody who may make none, those that it lacks are in the notes, and None here.
    """
    there = list(usable(model, asking.chronicle))
    taken = {row.name.casefold() for row in there if row.is_own}
    # One that was brought in before may have got a number, because its name was taken.
    here = {(_NUMBERED.sub("", row.name).casefold(), *gear.values(row)[1:]): row for row in there}
    found: dict[str, Gear | None] = {}
    for prefix, file in ((gear.OWN, f"tables/{name}.csv"), (gear.COMMON, f"tables/common_{name}.csv")):
        for row in gear.rows_of(coming, model, file):
            ref = f"{prefix}{row.name}"
            same = here.get((_NUMBERED.sub("", row.name).casefold(), *gear.values(row)[1:]))
            if same is not None:
                found[ref] = same
            elif asking.may_make_gear:
                found[ref] = gear.named_freely(row, taken)
            else:
                found[ref] = None
                account.note(row.name, _told(row))
    return found


def _told(row: Gear) -> str:
    """A row of the tables in a line, for a Storyteller who may add it."""
    columns = [name for name in tables.columns(type(row)) if name != "name" and tables.is_filled(row, name)]
    return ", ".join(f"{name} {getattr(row, name)}" for name in columns)


def _portrait(box: Reader) -> bytes | None:
    found = box.names(files.PORTRAITS)
    if not found:
        return None
    picture = box.read(found[0])
    try:
        pictures.check_stored(picture, pictures.PORTRAIT)
    except pictures.Unfit:
        raise BadArchive(found[0], _("This isn’t a portrait as Vesper stores it.")) from None
    return picture


# ------------------------------------------------------------------ what becomes words


def _ledger(coming: Coming) -> list[str]:
    """The balance and the entries of experience, as lines. Their seals must hold."""
    if not coming.box.has(experience.FILE):
        return []
    _head, by_character = experience.verified(coming)
    entries = [each for some in by_character.values() for each in some][:MOST_LINES]
    beats = rulesets.ruleset_for(coming.chronicle).beats
    for each in entries:
        if type(each["amount"]) is not int or abs(each["amount"]) > experience.MOST_UNITS:
            raise BadArchive(experience.FILE, _("“%(field)s” isn’t valid.") % {"field": "amount"})
    if not entries:
        return []
    balance = sum(each["amount"] for each in entries)
    told = [
        f"{str(each['at'])[:10]}: {amount(each['amount'], beats)} – {each['reason'] or each['trait']}"[:LONGEST_LINE]
        for each in reversed(entries)
        if each["amount"]
    ]
    claimed = _("Experience in the other chronicle, not granted here: %(balance)s")
    return [claimed % {"balance": amount(balance, beats)}, *told]


def _history(box: Reader) -> list[str]:
    """The history of the sheet, latest first, as lines."""
    if not box.has("changes.jsonl"):
        return []
    told = []
    for each in reversed(box.lines("changes.jsonl")[-MOST_LINES:]):
        changed = each.get("changes")
        words = "; ".join(str(word) for word in changed) if isinstance(changed, list) else ""
        if words:
            told.append(f"{str(each.get('at'))[:10]}: {words}"[:LONGEST_LINE])
    return told


def _with_notes(notes: str, told: list[str]) -> tuple[str, list[str]]:
    """The notes with as many lines below them as fit, and these lines. The file has the rest."""
    head = "\n\n## " + _("From the file") + "\n\n"
    more = _("(Earlier lines are only in the file.)")
    left, kept = TEXT_LENGTH - len(notes) - len(head) - len(more) - 4, []
    for line in told:
        if len(line) + 3 > left:
            kept.append(more)
            break
        kept.append(line)
        left -= len(line) + 3
    if left < 0 or not kept:
        return notes, []
    return (notes + head + "\n".join(f"- {line}" for line in kept)).strip(), kept


def knows(content: bytes) -> bool:
    """Whether a file is a zip."""
    return is_zip(content[:4])
