"""The section of fights: each is a folder with its sealed log and with what Storytellers keep beside it.

What follows from the log isn't in the archive. The state is that of the replay, versions start over, and deadlines of
open questions are gone, except that paused ones stay paused: nobody could answer in time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from campaigns.archives import rows as columns
from campaigns.archives.box import MANIFEST, BadArchive
from campaigns.archives.moving import Coming, Going
from campaigns.models import Session
from characters import rulesets
from combat.archives import logs, proof
from combat.archives.values import NotAllowed, renewed
from combat.commands.drafts import MOST_COMBATANTS
from combat.commands.newcomers import MOST_COPIES, Wanted
from combat.commands.outside import open_log_of
from combat.commands.reinforcements import MOST_WAITING
from combat.live import restored
from combat.log import codec, export
from combat.log.clocks import open_questions
from combat.models import Encounter, FightNotes, Reinforcement, Status
from rules.model.state import Encounter as State
from rules.model.state import HealthShown, Side
from rules.model.system import System

Json = dict[str, Any]

FOLDER, ABOUT, LOG = "encounters/", "encounter.json", "log.jsonl"
_FILE = re.compile(rf"{FOLDER}([^/]+)/({re.escape(ABOUT)}|{re.escape(LOG)})")

COLUMNS = ("name", "scene", "outside_fights", "status", "place", "held", "created", "begun", "ended")
MORE = ("session", "notes", "paused", "reinforcements")
OF_REINFORCEMENTS = ("label", "words", "hidden", "mask", "health_shown", "side", "joined", "created")

MOST_REINFORCEMENTS = 500
"""How many a fight may have, with those that have been brought in."""


def take_out(going: Going) -> None:
    """Write the fights, the oldest first, and the log of rolls outside fights."""
    encounters = Encounter.objects.filter(chronicle=going.chronicle).without_state()
    for encounter in encounters.order_by("created", "name", "pk"):
        encounter.chronicle = going.chronicle
        folder = f"{FOLDER}{encounter.pk}/"
        going.box.add_json(folder + ABOUT, _about(encounter))
        going.box.add(folder + LOG, "".join(export.lines(encounter)))
        going.counts["encounters"] = going.counts.get("encounters", 0) + 1
        going.counts["rows"] = going.counts.get("rows", 0) + encounter.seq
        going.tell(encounter.seq + 1)
    for name in ("encounters", "rows"):
        going.counts.setdefault(name, 0)


def bring_in(coming: Coming) -> None:
    """Read the fights, verify and replay their logs, and prove that their pages can be shown. Raises `BadArchive`."""
    ruleset, found = rulesets.ruleset_for(coming.chronicle), list[Encounter]()
    running, rows = set[str](), 0
    for old_id in _ids(coming):
        encounter, log = _read(coming, old_id, ruleset)
        found.append(encounter)
        rows += len(log.happened)
        if encounter.status == Status.RUNNING and not encounter.outside_fights:
            running = _entered(running, log.state, _file(old_id, LOG))
        coming.tell(len(log.happened) + 1)
    coming.count("encounters", len(found), MANIFEST)
    coming.count("rows", rows, MANIFEST)
    outside = [each for each in found if each.outside_fights]
    if len(outside) > 1:
        raise BadArchive(FOLDER, _("A chronicle has one log of rolls outside fights, not several."))
    if not outside:
        coming.add([open_log_of(coming.chronicle)])


def _file(old_id: str, name: str) -> str:
    return f"{FOLDER}{old_id}/{name}"


# ------------------------------------------------------------------ out


def _about(encounter: Encounter) -> Json:
    """What isn't in a fight's log."""
    notes = FightNotes.objects.filter(encounter=encounter).first()
    waiting = Reinforcement.objects.filter(encounter=encounter).order_by("created", "label", "pk")
    return {
        **columns.write(encounter, COLUMNS),
        "session": encounter.session_id or "",
        "notes": notes.text if notes else "",
        "paused": [question for question, due in encounter.clocks.items() if due is None],
        "reinforcements": [
            {"id": each.pk, **columns.write(each, OF_REINFORCEMENTS), "people": each.people} for each in waiting
        ],
    }


# ------------------------------------------------------------------ in


def _ids(coming: Coming) -> Iterator[str]:
    """The old ids of the fights, each with both of its files."""
    files = dict[str, set[str]]()
    for name in coming.box.names(FOLDER):
        part = _FILE.fullmatch(name)
        if part is None:
            raise BadArchive(name, _("An archive can’t contain a file with this name."))
        files.setdefault(part[1], set()).add(part[2])
    for old_id, names in files.items():
        for missing in {ABOUT, LOG} - names:
            raise BadArchive(_file(old_id, missing), _("This file is missing."))
        yield old_id


def _read(coming: Coming, old_id: str, ruleset: System) -> tuple[Encounter, logs.ReadLog]:
    file = _file(old_id, ABOUT)
    said = coming.box.json(file)
    encounter = columns.read(said, Encounter, COLUMNS, file=file, also=MORE)
    encounter.chronicle = coming.chronicle
    encounter.session = coming.row(Session, said["session"], file)
    coming.named(encounter, old_id, file)
    log = logs.read(coming, _file(old_id, LOG), encounter, old_id, coming.chronicle.ruleset)
    _check(encounter, log, file)
    encounter.state = codec.dump_state(log.state)
    encounter.seq, encounter.seal, encounter.earlier_seals = len(log.happened), log.last, log.earlier
    paused = _paused(coming, said, log.state, file)
    for name, value in restored.anew(dict.fromkeys(paused)).items():
        setattr(encounter, name, value)
    try:
        proof.prove(encounter, ruleset, log.happened, log.state, log.before_held)
    except Exception:  # pages meet anything that an archive may hold
        raise BadArchive(_file(old_id, LOG), _("The pages of this fight can’t be shown: its rows don’t fit.")) from None
    coming.add([encounter])
    coming.add(_notes(encounter, said, file))
    coming.add(_reinforcements(coming, encounter, said, file))
    coming.later(len(log.happened), lambda: log.rows(encounter))
    return encounter, log


def _check(encounter: Encounter, log: logs.ReadLog, file: str) -> None:
    """That what is said of a fight fits its log."""
    if encounter.status != log.state.status.value:
        raise columns.invalid("status", file)
    if (encounter.ended is None) is (encounter.status == Status.ENDED):
        raise columns.invalid("ended", file)
    if encounter.held is not None and not 0 < encounter.held <= len(log.happened):
        raise columns.invalid("held", file)
    combatants = log.state.combatants
    characters = [each.character for each in combatants.values() if each.character]
    if len(set(characters)) < len(characters) or any(each.id != who for who, each in combatants.items()):
        raise BadArchive(file, _("Somebody is in this fight twice."))
    if len(combatants) > MOST_COMBATANTS and not encounter.outside_fights:
        raise BadArchive(file, _("A fight has at most %(most)s combatants.") % {"most": MOST_COMBATANTS})


def _entered(running: set[str], state: State, file: str) -> set[str]:
    """Everybody in running fights. Nobody is in two."""
    here = {each.character for each in state.combatants.values() if each.character}
    if running & here:
        raise BadArchive(file, _("Somebody in this fight is in another running fight, too."))
    return running | here


def _paused(coming: Coming, said: Json, state: State, file: str) -> list[str]:
    """The open questions whose deadlines are paused."""
    asked, found = open_questions(state), list[str]()
    for each in columns.typed(said, "paused", list, file):
        question = " ".join(map(coming.new.text, each.split(" "))) if isinstance(each, str) else ""
        if question not in asked:
            raise columns.invalid("paused", file)
        found.append(question)
    return found


def _notes(encounter: Encounter, said: Json, file: str) -> list[FightNotes]:
    text = columns.read({"text": said["notes"]}, FightNotes, ("text",), file=file).text
    return [FightNotes(encounter=encounter, text=text)] if text else []


def _reinforcements(coming: Coming, encounter: Encounter, said: Json, file: str) -> list[Reinforcement]:
    rows = columns.objects(said, "reinforcements", file)
    if len(rows) > MOST_REINFORCEMENTS:
        raise columns.invalid("reinforcements", file)
    found = [_reinforcement(coming, encounter, each, file) for each in rows]
    if sum(each.joined is None for each in found) > MOST_WAITING:
        raise columns.invalid("reinforcements", file)
    return found


def _reinforcement(coming: Coming, encounter: Encounter, said: Json, file: str) -> Reinforcement:
    row = columns.read(said, Reinforcement, OF_REINFORCEMENTS, file=file, also=("id", "people"))
    coming.named(row, said["id"], file)
    row.encounter = encounter
    if row.health_shown not in ("", *HealthShown) or row.side not in ("", *Side):
        raise columns.invalid("reinforcements", file)
    if row.joined is not None and not 0 < row.joined <= encounter.seq:
        raise columns.invalid("joined", file)
    try:
        people = [codec.load(renewed(each, coming.new, "people"), Wanted) for each in said["people"]]
    except NotAllowed as problem:
        raise columns.invalid(str(problem), file) from None
    except Exception:  # decoding meets anything that an archive may hold
        raise columns.invalid("people", file) from None
    if sum(each.count or 1 for each in people) > MOST_COMBATANTS:
        raise columns.invalid("people", file)
    counts = [each.count for each in people if each.count is not None]
    if any(type(each.character) is not str for each in people) or any(not 0 < many <= MOST_COPIES for many in counts):
        raise columns.invalid("people", file)
    row.people = [codec.dump(each) for each in people]
    return row
