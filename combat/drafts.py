"""Drawing fights up: making and naming them, and who is in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from campaigns.models import Membership, User
from campaigns.tokens import ALPHABET, PUBLIC_ID_LENGTH, public_id
from characters.models import Character
from characters.sheets import sheets_of
from combat import codec, naming, services
from combat.models import Encounter, Status
from combat.perspectives.sight import shown_name
from combat.services import Performed
from rules.commands import Join, Newcomer
from rules.encounter import HealthShown
from rules.sheet import Sheet
from rules.violations import bad_input

MOST_COPIES = 20
MOST_COMBATANTS = 60


def create_encounter(*, by: Membership, name: str, scene: str = "") -> Encounter:
    """Draw up a fight. The Storyteller's alone."""
    _refuse_others(by)
    return Encounter.objects.create(chronicle_id=by.chronicle_id, name=name, scene=scene)


def rename(*, by: Membership, encounter: Encounter, name: str) -> None:
    """Give a fight another name, which its players see."""
    _refuse_others(by)
    services.refresh(encounter_id=encounter.pk, change_row={"name": name})


def set_scene(*, by: Membership, encounter: Encounter, scene: str) -> None:
    """Describe the place; everybody sees it at once. `scene` is Markdown."""
    _refuse_others(by)
    services.refresh(encounter_id=encounter.pk, change_row={"scene": scene})


def delete_draft(*, by: Membership, encounter: Encounter) -> None:
    """Throw a draft away. A fight that was fought stays: its log is what happened."""
    _refuse_others(by)
    with services.change(encounter.pk) as locked:
        if locked.status != Status.DRAFT:
            raise bad_input("Only a draft can be thrown away.")
        locked.delete()


def add_character(
    *,
    encounter_id: str,
    actor: User,
    character: Character,
    hidden: bool = False,
    mask: str = "",
    health_shown: str = "",
    key: str = "",
) -> Performed:
    """Bring a character in. What happens to it in the fight is written on its sheet.

    Players' characters show their boxes to everybody and others a word, if `health_shown` does not say otherwise.
    Raises as `services.perform`.
    """
    _refuse_strangers(encounter_id, character)
    newcomer = Newcomer(
        id=_id_from(key, 0),
        sheet=_sheet(character),
        character=character.pk,
        player=character.owner_id is not None,
        hidden=hidden,
        mask=mask,
        health_shown=health_shown or (HealthShown.WORD if character.is_npc else HealthShown.BOXES).value,
    )
    _refuse_twice(encounter_id, character, key, actor)
    return services.perform(encounter_id=encounter_id, actor=actor, command=Join((newcomer,)), key=key)


def add_copies(
    *,
    encounter_id: str,
    actor: User,
    character: Character,
    count: int,
    hidden: bool = False,
    mask: str = "",
    health_shown: str = "",
    key: str = "",
) -> Performed:
    """Bring several copies of an NPC in, numbered, each with its own health. Nothing is written on its sheet."""
    _refuse_strangers(encounter_id, character)
    if not 1 <= count <= MOST_COPIES:
        raise bad_input(f"Between 1 and {MOST_COPIES} at a time.")
    encounter = Encounter.objects.get(pk=encounter_id)
    present = list(codec.load_state(encounter.state).combatants.values())
    sheet, first = _sheet(character), naming.next_number((each.sheet.name for each in present), character.name)
    seen = [shown_name(each) for each in present if not each.hidden]
    newcomers = []
    for index in range(count):
        name = f"{character.name} {first + index}"
        shown = f"{mask or character.name} {naming.next_number(seen, mask or character.name)}"
        newcomers.append(
            Newcomer(
                id=_id_from(key, index),
                sheet=replace(sheet, name=name, marks=()),
                group=character.pk,
                hidden=hidden,
                # A hidden one gets its number when it is first seen, unless it comes under another name.
                mask="" if shown == name or (hidden and not mask) else shown,
                health_shown=health_shown or HealthShown.WORD.value,
            )
        )
        seen.append(shown)
    return services.perform(encounter_id=encounter_id, actor=actor, command=Join(tuple(newcomers)), key=key)


def _refuse_others(by: Membership) -> None:
    if not Membership.objects.storytellers().filter(pk=by.pk, user__is_active=True).exists():
        raise PermissionDenied(_("Only a Storyteller of this chronicle can do that."))


def _refuse_strangers(encounter_id: str, character: Character) -> None:
    encounter = Encounter.objects.get(pk=encounter_id)
    if encounter.chronicle_id != character.chronicle_id:
        raise bad_input("That character is of another chronicle.")
    if len(encounter.state.get("combatants", {})) >= MOST_COMBATANTS:
        raise bad_input(f"A fight holds {MOST_COMBATANTS} combatants at the most.")


def _refuse_twice(encounter_id: str, character: Character, key: str, actor: User) -> None:
    encounter = Encounter.objects.get(pk=encounter_id)
    if key and encounter.rows.filter(actor=actor, key=key).exists():
        return  # the same press again: it gets its answer
    people: Iterable[dict[str, str]] = encounter.state.get("combatants", {}).values()
    if any(each["character"] == character.pk for each in people):
        raise bad_input(f"{character.name} is in this fight already.")


def _sheet(character: Character) -> Sheet:
    return sheets_of([character.pk])[character.pk]


def _id_from(key: str, index: int) -> str:
    """A random id; the same again for the same press, so that repeating it is not another command."""
    if not key:
        return public_id()
    drawn = sha256(f"{key}:{index}".encode()).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in drawn[:PUBLIC_ID_LENGTH])
