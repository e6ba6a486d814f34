"""A chronicle whose cast has everything that an archive holds, and its way into another chronicle."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable
from copy import copy
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from django.db import models, transaction
from django.utils import timezone
from PIL import Image

from campaigns import pictures
from campaigns.archives.box import Reader, Writer
from campaigns.archives.moving import Coming, Going
from campaigns.archives.names import NewIds
from campaigns.models import Chronicle, Membership, Page, PageKind, Passage, Role, Session
from campaigns.tokens import public_id
from characters import changes, experience, face_services, rulesets, services, sheets, tables, tie_services
from characters.archives import changes as history
from characters.archives import characters, faces, templates, ties
from characters.archives import experience as ledgers
from characters.archives import tables as gear
from characters.models import Armor, Character, DeclinedProposal, SheetChange, Template, Tie, Weapon
from characters.services import Carried, SheetData
from characters.tie_services import TieData
from rules.engine.copies import replace
from rules.model.gear import Fault
from rules.model.sheet import Category
from tests import planted

SECTIONS = (gear, characters, templates, faces, ties, ledgers, history)
RULESETS = ("masquerade", "apocalypse", "darkness", "chronicles", "wounds")

OWN_KINDS = {
    "own-drowned": {"label": "Drowned", "like": "mortal", "open": False, "banes": ["holy_water"], "soaks": []},
}
OWN_TRAITS = {
    "own_sailing": {"label": "Sailing", "sort": "ability", "section": "Trades", "most": 5},
    "own_debts": {"label": "Debts", "sort": "fact", "section": "Trades", "most": 9},
    "own_oaths": {"label": "Oaths", "sort": "text"},
    "own_gone": {"label": "Lost art", "sort": "ability", "section": "Trades", "most": 5, "gone": True},
}


def portrait(shade: int = 90) -> bytes:
    """A portrait as an upload makes it."""
    drawn = BytesIO()
    Image.radial_gradient("L").point(lambda value: (value + shade) % 256).convert("RGB").save(drawn, "PNG")
    return pictures.redraw(drawn.getvalue())


def own_rows(chronicle: Chronicle) -> tuple[Weapon, Armor]:
    """Rows of the chronicle's own."""
    weapon = Weapon(chronicle=chronicle, ruleset=chronicle.ruleset, name="=Hook", mode="melee", damage=2, note="-rusty")
    armor = Armor(chronicle=chronicle, ruleset=chronicle.ruleset, name="Oilskin", rating=1, covers="torso arms")
    for row in (weapon, armor):
        row.full_clean()
        row.save()
    return weapon, armor


def sheet_with_everything(chronicle: Chronicle, name: str, kind: str) -> SheetData:
    """A valid sheet on which nothing is empty."""
    ruleset = rulesets.ruleset_for(chronicle)
    layout = ruleset.layout
    traits = {
        trait.key: max(trait.minimum, min(3, trait.maximum)) if trait.category is not Category.FACT else trait.offered
        for trait in layout.traits_for(kind)
    }
    special = layout.special_traits(kind)
    kept = ruleset.health.one_by_one
    return SheetData(
        name=name,
        kind=kind,
        concept="Drowned by the tide",
        traits=traits | {"own_gone": 2, "of_another_version": 3},
        resources={each.key: 1 for each in layout.resources_for(kind)},
        merits=["of_my_own"],
        details={each.key: f"My {each.key}" for each in layout.details_for(kind)},
        lists={each.key: [[f"Some {each.key}", 2], ["Unrated", 0]] for each in layout.lists_for(kind)},
        specialties={each.key: ["On deck", "In the dark"] for each in special[:2]},
        marks=[] if kept else ["aggravated", "lethal", "bashing"],
        injuries=[{"level": 2, "cause": "a fall"}, {"level": 1, "cause": ""}] if kept else [],
        notes="Owes **everybody**.\n\nbcdfghjkmn",
        storyteller_notes="CANARY: betrays them.",
    )


def build(by: Membership, player: Membership, other: Membership) -> Chronicle:
    """Fill a chronicle: everything by services where they can, and the rest as fights leave it."""
    tables.load()
    chronicle = by.chronicle
    ruleset = rulesets.ruleset_for(chronicle)
    chronicle.own_kinds, chronicle.own_traits = OWN_KINDS, OWN_TRAITS
    chronicle.save()
    planted.awards_for_botches(chronicle)
    weapon, armor = own_rows(chronicle)
    common = next(row for row in Weapon.objects.filter(ruleset=chronicle.ruleset, chronicle=None) if row.holds)
    worn = Armor.objects.filter(ruleset=chronicle.ruleset, chronicle=None).first() or armor
    carried = [
        Carried(weapon.pk, name="Grandfather's hook"),
        Carried(common.pk, rounds=1, fault="jammed"),
        Carried(common.pk),
    ]
    hers = replace(
        sheet_with_everything(chronicle, "Ana Ruiz", ruleset.main_kind or "vampire"),
        weapons=carried,
        armor=[Carried(armor.pk, name="Coat"), Carried(worn.pk, destroyed=True)],
    )
    ana = services.create_character(by=by, owner=player.user, sheet=hers)
    npc = services.create_character(
        by=by,
        owner=None,
        sheet=replace(sheet_with_everything(chronicle, "The Drowned", "own-drowned"), weapons=carried),
    )
    met = services.create_character(by=by, owner=None, sheet=SheetData("Nell", "mortal"))
    for one in (ana, npc):
        services.set_portrait(by=by, character=one, picture=portrait(40 + len(one.name)))
    _history(by, player, other, ana, npc)
    _experience(by, player, ana)
    _last(ana)
    Template.objects.create(
        chronicle=chronicle,
        name="Hound",
        plural="Hounds",
        kind="mortal",
        pools={"attack": 6, "health": 5},
        traits={"strength": 3},
        weapons=[weapon.name, common.name],
        armor=[armor.name],
        notes="Bites.",
        shipped="dog",
        merits=["fast"],
        specialties={"brawl": ["teeth"]},
        lists={"backgrounds": [["Pack", 2]]},
    )
    _known(by, player, ana, npc, met)
    binned = services.create_character(by=by, owner=player.user, sheet=SheetData("Gone", "mortal"))
    face_services.save_face(
        by=by,
        character_id=met.pk,
        text="Her face",
        with_portrait=True,
        met={ana.pk: "a girl", binned.pk: "the maid", "": "Nelly"},
        seen=face_services.face_mark(met.pk),
    )
    services.delete_character(by=by, character=binned)
    return chronicle


def _history(by: Membership, player: Membership, other: Membership, ana: Character, npc: Character) -> None:
    list(planted._edits(by, ana, {"concept": "Saved"}, {"weapons": [], "traits": {**ana.traits, "strength": 4}}))
    rows = [Carried(row.weapon.pk, row.name, row.rounds, row.fault) for row in npc.weapons.select_related("weapon")]
    list(planted._edits(by, ana, {"weapons": rows}))
    services.hand_over(by=by, character=ana, owner=other.user)
    services.hand_over(by=by, character=ana, owner=player.user)
    lost = {"item": 987_654, "called": "Melted blade", "name": "", "rounds": None, "fault": ""}
    SheetChange.objects.create(character=ana, by=by.user, changes=[["weapons:12", lost, None], ["armor:7", None, None]])
    SheetChange.objects.create(
        character=ana, cause="play", entry=public_id(), fight=public_id(), changes=[["resources:willpower", None, 2]]
    )
    changes.begin(npc, by.user, "Somebody else")


def _experience(by: Membership, player: Membership, ana: Character) -> None:
    experience.award(by=by, to=[ana.pk], amount=200, reason="Played well", proof=f"{public_id()}:{public_id()}")
    wanted = [experience.Other(name, 2) for name in ("A boat", "A house", "A wife", "A dog")]
    asked = [experience.ask(by=player, character=ana, wish=wish, key=f"k{wish.what}") for wish in wanted]
    first, second, third, _open = (each for each in asked if each)
    experience.grant(by=by, entry=first, note="Well earned")
    experience.refuse(by=by, entry=second, note="Too dear")
    experience.withdraw(by=player, entry=third)
    experience.correct(by=by, character=ana, amount=-1, reason="Miscounted")
    with planted._as_far_as_rules_go(by):
        experience.ask(by=by, character=ana, wish=experience.Raise("own_sailing", 4))
    DeclinedProposal.objects.create(character=ana, proof=f"{public_id()}:{public_id()}")
    DeclinedProposal.objects.create(character=ana, proof=f"met:{public_id()}")


def _last(ana: Character) -> None:
    """What a fight leaves on a sheet, and one that still runs."""
    ruleset, fight = rulesets.ruleset_for(ana.chronicle), public_id()
    ana.refresh_from_db()
    ana.impairments = [{"condition": "arm_wrack", "side": "left", "type": "bashing", "left": 2, "until": 0}]
    ana.lasting = [
        {"condition": "cursed", "rule": "", "fight": fight, "why": "She swore"},
        {"condition": "prone", "rule": "", "fight": "-", "why": ""},
    ]
    if ruleset.health.one_by_one:
        ana.scars = [{"level": 3, "cause": "fire", "turn": 2, "resolution": "r1", "fight": fight}]
    ana.save()
    sheet = sheets.sheets_of([ana.pk])[ana.pk]
    weapons = (sheet.weapons[0], replace(sheet.weapons[1], fault=Fault.DROPPED), *sheet.weapons[2:])
    after = replace(sheet, weapons=weapons, armor=(replace(sheet.armor[0], destroyed=True), *sheet.armor[1:]))
    sheets.write_back(ana.pk, sheet, after, fight=public_id())


def _known(by: Membership, player: Membership, ana: Character, npc: Character, met: Character) -> None:
    chronicle = by.chronicle
    session = Session.objects.create(chronicle=chronicle, number=7, title="Ashes")
    group = Page.objects.create(chronicle=chronicle, kind=PageKind.GROUP, title="The Crew", author=by.user)
    Passage.objects.create(page=group, text="They run the docks.", written=timezone.now())
    everyone: Any = {"audience": "everyone", "since": session.pk}
    tie_services.write_tie(by=by, data=TieData("boon", ana.pk, met.pk, "owes", "is owed", "minor", **everyone))
    chosen: Any = {"audience": "chosen", "readers": [player.pk], "ended": session.pk}
    tie_services.write_tie(by=by, data=TieData("relation", npc.pk, ana.pk, "hunts", **chosen))
    Tie.objects.create(
        chronicle=chronicle, kind="member", from_character=npc, to_group=group, written=timezone.now(), author=None
    )


# ------------------------------------------------------------------ there and back


def taken_out(chronicle: Chronicle, path: Path, only: tuple[str, ...] = ()) -> Going:
    """Write the cast's sections of an archive."""
    box = Writer(path)
    going = Going(Chronicle.objects.get(pk=chronicle.pk), box, only=only)
    for section in reversed(SECTIONS):
        section.take_out(going)
    box.close({"part": "chronicle", "ruleset": chronicle.ruleset, "counts": going.counts})
    return going


def coming_in(path: Path, going: Going) -> Coming:
    """Read what `taken_out` wrote into a copy of the chronicle around it, with the same people."""
    there = going.chronicle
    made = copy(there)
    made.pk, made._state = public_id(), type(there._state)()
    coming = Coming(Reader(path), there.memberships.get(role=Role.STORYTELLER).user, made)
    coming.add([made])
    coming.users = {key: _user(pk) for pk, key in going.people.items()}
    members = {each.user_id: each for each in there.memberships.all()}
    for pk, key in going.people.items():
        if pk in members:
            coming.members[key] = Membership(chronicle=made, user=coming.users[key], role=members[pk].role)
    coming.add(coming.members.values())
    for model, rows in ((Session, there.sessions.all()), (Page, there.pages.all())):
        _copies(coming, model, rows, made)
    for section in SECTIONS:
        section.bring_in(coming)
    return coming


def _user(pk: int) -> Any:
    from campaigns.models import User

    return User.objects.get(pk=pk)


def _copies(coming: Coming, model: type[models.Model], rows: Iterable[Any], made: Chronicle) -> None:
    found = []
    for row in rows:
        one = copy(row)
        one._state = type(row._state)()
        coming.named(one, row.pk, "test")
        one.chronicle = made
        found.append(one)
    coming.add(found)


@transaction.atomic
def saved(coming: Coming) -> Chronicle:
    coming.save()
    return Chronicle.objects.get(pk=coming.chronicle.pk)


def moved(chronicle: Chronicle, folder: Path) -> Chronicle:
    """The chronicle's cast in another chronicle."""
    going = taken_out(chronicle, folder / "out.zip")
    return saved(coming_in(folder / "out.zip", going))


def contents(path: Path) -> dict[str, Any]:
    """What an archive says, with ids by the order in which they first occur, and without seals and portraits' names."""
    said: dict[str, Any] = {}
    numbers = Numbered()
    with zipfile.ZipFile(path) as packed:
        for name in packed.namelist():
            if name == "manifest.json":
                continue
            data = packed.read(name)
            if name.endswith(".json"):
                value: Any = numbers.inside(json.loads(data))
            elif name.endswith(".jsonl"):
                value = numbers.inside(_unsealed([json.loads(line) for line in data.decode().splitlines()]))
            else:
                value = data
            said["/".join(numbers.text(part.partition(".")[0]) for part in name.split("/"))] = value
    return said


def _unsealed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unsealed(each) for key, each in value.items() if key not in ("seal", "chronicle")}
    return [_unsealed(each) for each in value] if isinstance(value, list) else value


class Numbered(NewIds):
    """Ids by the order in which they first occur."""

    def __call__(self, old: str) -> str:
        return self._known.setdefault(old, f"id {len(self._known)}")

    def text(self, text: str) -> str:
        head, colon, tail = text.partition(":")
        if head in ("weapons", "armor", "met") and colon:
            return f"{head}:{super().text(tail)}"
        return super().text(text)


def rewritten(path: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """Change files of an archive, and make its manifest fit them."""
    with zipfile.ZipFile(path) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    change(files)
    manifest = json.loads(files.pop("manifest.json"))
    manifest["files"] = {name: {"bytes": len(data), "sha256": sha256(data).hexdigest()} for name, data in files.items()}
    path.unlink()
    with zipfile.ZipFile(path, "w") as packed:
        for name, data in (files | {"manifest.json": json.dumps(manifest).encode()}).items():
            packed.writestr(name, data)
