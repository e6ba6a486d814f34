"""The ledgers of experience in an archive: `experience.jsonl`, as `characters.experience_seals` writes them.

People have the archive's keys, not the numbers of their accounts, which seals cover: each ledger is sealed again on the
way out, and here once more. A ledger that is broken stays broken on the way out, so it is refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from campaigns import chains
from campaigns.archives import rows
from campaigns.archives.box import MANIFEST, BadArchive
from campaigns.archives.moving import Coming, Going
from campaigns.chains import BadExport
from campaigns.people import told_apart
from characters import experience_seals
from characters.archives.order import cast_of
from characters.experience_seals import FORMAT, SEALED
from characters.models import Character, EntryKind, ExperienceEntry, Ledger, Step

FILE = "experience.jsonl"
COLUMNS = ("seq", "kind", "step", "amount", "price", "reason", "note", "line", "trait", "was", "to", "proof", "at")
MOST_UNITS = 1_000_000
MOST_DOTS = 100
BATCH = 500


def take_out(going: Going) -> None:
    ledgers, written = [], []
    for one in cast_of(going):
        entries = list(ExperienceEntry.objects.filter(character=one).order_by("seq").select_related("by"))
        if not entries:
            continue
        found = list(_sealed_again(going, one, entries))
        many = Ledger.objects.filter(character=one).values_list("seq", flat=True).first()
        ledgers.append({"character": one.pk, "rows": many or 0, "seal": found[-1]["seal"]})
        written += found
        going.tell(1)
    going.counts["experience"] = len(written)
    head = {"format": FORMAT, "chronicle": going.chronicle.pk, "ledgers": ledgers}
    going.box.add_lines(FILE, [head, *written])


def _sealed_again(going: Going, one: Character, entries: list[ExperienceEntry]) -> Iterator[dict[str, Any]]:
    """A ledger's entries with keys of people, in a chain of their own until the first fault of the one they had."""
    faults = list(experience_seals.faults_of_ledger(one.pk))
    before = chains.first(one.pk)
    if going.only:
        told_apart(going.chronicle.pk, [entry.by for entry in entries if entry.by])
    for number, entry in enumerate(entries, start=1):
        content = experience_seals.content(entry) | {"by": _by(going, entry)}
        if going.only:
            content["proof"] = ""
        sound = not faults or number < faults[0].seq
        before = chains.seal(before, content, SEALED) if sound else entry.seal
        yield {"character": one.pk} | content | {"seal": before}


def _by(going: Going, entry: ExperienceEntry) -> str:
    """Who wrote an entry: a key, or in a player's own archive the name that the ledger's page shows."""
    # An account that was deleted has left its number.
    if entry.by is None:
        return ""
    return entry.by.display_name if going.only else going.person(entry.by.pk)


# ------------------------------------------------------------------ on the way in


def bring_in(coming: Coming) -> None:
    head, by_character = verified(coming)
    coming.count("experience", sum(map(len, by_character.values())), MANIFEST)
    ledgers, entries = [], []
    for ledger in head["ledgers"]:
        one = coming.row(Character, ledger["character"], FILE)
        asked: dict[str, ExperienceEntry] = {}
        read = [_read(coming, said, one, asked) for said in by_character[ledger["character"]]]
        ledgers.append((Ledger(character=one), read))
        entries += read

    def settle() -> None:
        for ledger, read in ledgers:
            for entry in read:
                entry.by_id = None if entry.by is None else entry.by.pk
                ledger.seal = entry.seal = experience_seals.seal_of(entry, ledger.seal)
            ledger.seq = len(read)

    coming.add(entries, settle)
    coming.add([ledger for ledger, _read in ledgers])


def verified(coming: Coming) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """The header and the rows by character, if every seal holds. Raises `BadArchive` with the row that breaks it."""
    said = coming.box.lines(FILE)
    if not said or not experience_seals.is_export(said[0]):
        raise rows.invalid("format", FILE)
    head, *written = said
    by_character = defaultdict[str, list[dict[str, Any]]](list)
    for number, row in enumerate(written, start=2):
        try:
            chains.check_row(row, number, (*SEALED, "character"))
        except BadExport:
            raise BadArchive(FILE, _("Line %(line)s isn’t valid JSON.") % {"line": number}) from None
        by_character[str(row["character"])].append(row)
    known = [each.get("character") for each in head["ledgers"]]
    if any(not isinstance(each, str) or not each for each in known) or len(set(known)) < len(known):
        raise rows.invalid("ledgers", FILE)
    if not by_character.keys() == set(known):
        raise rows.invalid("ledgers", FILE)
    for ledger in head["ledgers"]:
        whose = ledger["character"]
        for fault in experience_seals.faults_in(whose, by_character[whose], ledger):
            raise BadArchive(
                FILE,
                _("The ledger of “%(character)s”: row %(row)s is missing, or doesn’t match its seal.")
                % {"character": whose[:40], "row": fault.seq},
            )
        coming.tell(1)
    return head, by_character


def _read(coming: Coming, said: dict[str, Any], one: Character, asked: dict[str, ExperienceEntry]) -> ExperienceEntry:
    columns = {name: said[name] for name in COLUMNS}
    entry = rows.read(columns, ExperienceEntry, COLUMNS, file=FILE)
    unknown = said.keys() - {*SEALED, "seal", "character"}
    bounds = (
        abs(entry.amount) <= MOST_UNITS,
        entry.price <= MOST_UNITS,
        (entry.was or 0) <= MOST_DOTS,
        (entry.to or 0) <= MOST_DOTS,
        (entry.kind == EntryKind.PURCHASE) == bool(entry.step),
        (entry.was is None) == (entry.to is None),
        not entry.trait or entry.to is not None,
    )
    if unknown or not all(bounds):
        raise rows.invalid("experience", FILE)
    coming.named(entry, said["id"], FILE)
    entry.character, entry.by = one, coming.user(said["by"], FILE)
    entry.about = None if said["about"] is None else _about(said["about"], entry, asked)
    if entry.step in (Step.REFUSED, Step.WITHDRAWN) and entry.about is None:
        raise rows.invalid("about", FILE)
    if entry.step == Step.ASKED:
        asked[str(said["id"])] = entry
    entry.proof = coming.new.text(entry.proof)
    return entry


def _about(old: Any, entry: ExperienceEntry, asked: dict[str, ExperienceEntry]) -> ExperienceEntry:
    """The request that an entry answers: an earlier one of the same ledger that no other has answered."""
    if entry.step in ("", Step.ASKED) or not isinstance(old, str) or old not in asked:
        raise rows.invalid("about", FILE)
    return asked.pop(old)
