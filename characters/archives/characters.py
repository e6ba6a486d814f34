"""The characters of an archive: `characters/<id>.json`, with gear, and their portraits.

A player's own archive holds what its owner reads on the sheet: neither the Storyteller's notes nor anything of fights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from campaigns import pictures
from campaigns.archives import rows
from campaigns.archives.box import MANIFEST, BadArchive
from campaigns.archives.moving import Coming, Going
from campaigns.archives.names import is_id
from campaigns.models import Chronicle
from campaigns.names import is_seen
from characters import rulesets, sheets
from characters.archives import changes, tables
from characters.archives.order import cast_of
from characters.archives.values import DICTS, WHOLE, Values
from characters.face_services import MET
from characters.models import Armor, CarriedWeapon, Character, DeclinedProposal, Portrait, Weapon, WornArmor

FOLDER, PORTRAITS = "characters/", "portraits/"
COLUMNS = (*WHOLE, *DICTS, "notes", "storyteller_notes", "version")
BESIDE = ("owner", "weapons", "armor", "fought", "declined")
"""The other keys of a character's file."""

CARRIED = ("name", "rounds", "fault", "order")
WORN = ("name", "destroyed", "order")
MOST_CARRIED = 200
MOST_DECLINED = 10_000


def take_out(going: Going) -> None:
    refs = {model: tables.refs(going, model) for model in tables.FILES}
    portraits = 0
    for one in cast_of(going):
        going.box.add_json(f"{FOLDER}{one.pk}.json", written(going, one, refs))
        portrait = Portrait.objects.filter(character=one).first()
        if portrait is not None:
            portraits += 1
            going.box.add(f"{PORTRAITS}{one.pk}.webp", bytes(portrait.picture))
        going.counts["characters"] = going.counts.get("characters", 0) + 1
        going.tell(1)
    going.counts.setdefault("characters", 0)
    going.counts["portraits"] = portraits


def written(going: Going, one: Character, refs: Mapping[Any, Mapping[int, str]]) -> dict[str, Any]:
    """A character's file."""
    said = rows.write(one, COLUMNS)
    gear = {
        "weapons": [_carried(refs[Weapon].get(row.weapon_id), row, CARRIED) for row in one.weapons.all()],
        "armor": [_carried(refs[Armor].get(row.armor_id), row, WORN) for row in one.armor.all()],
    }
    if going.only:
        hidden = {"storyteller_notes": "", "owner": "", "fought": {}, "declined": []}
        return {**_as_its_owner_reads(one, said), **gear, **hidden}
    declined = DeclinedProposal.objects.filter(character=one).order_by("pk").values_list("proof", flat=True)
    return {
        **said,
        "owner": going.person(one.owner_id),
        **gear,
        "fought": changes.noted_out(going, one, refs),
        "declined": list(declined),
    }


def _carried(ref: str | None, row: CarriedWeapon | WornArmor, columns: tuple[str, ...]) -> dict[str, Any]:
    return {"item": ref or "", "key": row.key, **rows.write(row, columns)}


def _as_its_owner_reads(one: Character, said: dict[str, Any]) -> dict[str, Any]:
    """The columns without what the sheet doesn't show: of other kinds, which may be the Storyteller's secret."""
    ruleset, layout = rulesets.ruleset_for(one.chronicle), rulesets.ruleset_for(one.chronicle).layout
    shown = {
        "traits": sheets.traits_of_kind(ruleset, one.kind, one.traits),
        "resources": sheets.resources_of_kind(ruleset, one.kind, one.resources),
        "details": _without(one.details, layout.details, layout.details_for(one.kind, one.details)),
        "lists": _without(one.lists, layout.lists, layout.lists_for(one.kind)),
    }
    return said | shown | {name: [_anywhere(each) for each in said[name]] for name in ("scars", "lasting")}


def _without(values: Mapping[str, Any], known: Iterable[Any], mine: Iterable[Any]) -> dict[str, Any]:
    foreign = {each.key for each in known} - {each.key for each in mine}
    return {key: value for key, value in values.items() if key not in foreign}


def _anywhere(each: dict[str, Any]) -> dict[str, Any]:
    """A scar or lasting condition without the fight and the attack that it is from."""
    return {**each, **{name: "" for name in ("fight", "resolution") if name in each}}


def bring_in(coming: Coming) -> None:
    files = coming.box.names(FOLDER)
    coming.count("characters", len(files), MANIFEST)
    ruleset = rulesets.ruleset_for(coming.chronicle)
    read = [_read(coming, file, Values(ruleset, coming.new, file)) for file in files]
    portraits = [_portrait(coming, file) for file in coming.box.names(PORTRAITS)]
    coming.count("portraits", len(portraits), MANIFEST)
    items = tables.Items(coming)

    def settle() -> None:
        for one, *_more in read:
            one.fought = changes.noted_in(coming, one.fought, items)

    coming.add([one for one, *_more in read], settle)
    coming.add([row for _one, weapons, *_more in read for row in weapons])
    coming.add([row for _one, _weapons, armor, _declined in read for row in armor])
    coming.add([row for *_more, declined in read for row in declined])
    coming.add(portraits)


Read = tuple[Character, list[CarriedWeapon], list[WornArmor], list[DeclinedProposal]]


def _read(coming: Coming, file: str, values: Values) -> Read:
    said = coming.box.json(file)
    one = sheet(said, values, coming.chronicle)
    coming.named(one, file.removeprefix(FOLDER).removesuffix(".json"), file)
    one.owner = coming.user(said["owner"], file)
    one.fought = _noted(said["fought"], values)
    weapons = [_gear(coming, CarriedWeapon, Weapon, CARRIED, each, values) for each in some(said, "weapons", file)]
    armor = [_gear(coming, WornArmor, Armor, WORN, each, values) for each in some(said, "armor", file)]
    for rows_of in (weapons, armor):
        if len({row.key for row in rows_of}) < len(rows_of):
            raise rows.invalid("key", file)
        for row in rows_of:
            row.character = one
    proofs = values.lines("declined", said["declined"], MOST_DECLINED)
    if len(set(proofs)) < len(proofs):
        raise rows.invalid("declined", file)
    declined = [DeclinedProposal(character=one, proof=_proof(coming, each, file)) for each in proofs]
    coming.tell(1)
    return one, weapons, armor, declined


def sheet(said: Mapping[str, Any], values: Values, chronicle: Chronicle) -> Character:
    """An unsaved character from its file, every column checked, without its gear. Raises `BadArchive`."""
    one = rows.read(said, Character, COLUMNS, file=values.file, also=BESIDE)
    one.chronicle = chronicle
    for name in (*WHOLE, *DICTS):
        setattr(one, name, values.column(name, said[name]))
    if not is_seen(one.name):
        raise rows.invalid("name", values.file)
    return one


def some(said: Mapping[str, Any], name: str, file: str) -> list[dict[str, Any]]:
    """What a character carries or wears, in the file's words."""
    found = rows.objects(said, name, file)
    if len(found) > MOST_CARRIED:
        raise rows.invalid(name, file)
    return found


def _gear(coming: Coming, model: Any, table: Any, columns: tuple[str, ...], said: Any, values: Values) -> Any:
    row = plain_gear(model, columns, said, values)
    setattr(row, str(table._meta.model_name), tables.row_of(coming, table, said["item"], values.file))
    return row


def plain_gear(model: Any, columns: tuple[str, ...], said: Any, values: Values) -> Any:
    """A carried row without the row of the tables."""
    row = rows.read(said, model, columns, file=values.file, also=("item", "key"))
    row.key = values.gear_key(said["key"])
    return row


def _proof(coming: Coming, proof: str, file: str) -> str:
    """What a Storyteller passed over: an award's proof, or a meeting."""
    if proof.startswith(MET):
        return f"{MET}{coming.new.text(proof.removeprefix(MET))}"[:40]
    if len(proof) > 40:
        raise rows.invalid("declined", file)
    return coming.new.text(proof)


def _noted(said: Any, values: Values) -> dict[str, Any]:
    """What a fight has changed so far, checked: see `characters.changes`. Rows of the tables are still references."""
    if said == {}:
        return {}
    found = rows.fields(said, ("fight", "since", "last", "was"), values.file)
    if not is_id(found["fight"]) or type(found["was"]) is not dict:
        raise rows.invalid("fought", values.file)
    for name in ("since", "last"):
        _moment(found[name], values)
    was = dict(changes.checked(name, value, values) for name, value in found["was"].items())
    return {**found, "fight": values.new(found["fight"]), "was": was}


def _moment(said: Any, values: Values) -> None:
    try:
        # Hours are added to it, and a time zone may be.
        when = datetime.fromisoformat(said) + timedelta(days=2) - timedelta(days=4)
    except (TypeError, ValueError, OverflowError):
        raise rows.invalid("fought", values.file) from None
    if when.tzinfo is None:
        raise rows.invalid("fought", values.file)


def _portrait(coming: Coming, file: str) -> Portrait:
    one = coming.row(Character, file.removeprefix(PORTRAITS).removesuffix(".webp") or "-", file)
    picture = coming.box.read(file)
    try:
        pictures.check_stored(picture, pictures.PORTRAIT)
    except pictures.Unfit:
        raise BadArchive(file, _("This isn’t a portrait as Vesper stores it.")) from None
    coming.tell(1)
    return Portrait(character=one, picture=picture)
