"""Secrets in every field of a chronicle, for tests that search for them, and the fields that can't hold one.

Each deed is what Storytellers or players really do. `UNKNOWN` are the texts that only Storyteller read, `HERS` those
of a player's character that her player reads too. All contain `MARK`, so that a text missing here is found as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from typing import Any

from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Q
from django.utils import timezone

from campaigns import session_services
from campaigns.errors import Refused
from campaigns.models import Attendance, Chronicle, Membership, Preparation, Progress, Session, Webhook
from characters import experience, face_services, services, tie_services
from characters.models import Armor, Character, Portrait, Weapon
from characters.services import Carried, SheetData
from characters.tie_services import TieData
from combat.commands import drafts, perform
from combat.commands.outside import open_log
from combat.log import rows
from combat.models import Encounter
from rules.engine.violations import RuleViolation
from rules.model import experience as rules
from rules.model.gear import Damage
from rules.systems import RULESETS
from rules.topics import commands
from rules.topics.commands import Care
from story.archives import transfers
from story.models import Stage, Transfer

MARK = "canary"
"""Every planted text contains it, in any case."""

UNKNOWN = {
    "character": "CANARY who never fights",
    "concept": "CANARY undertaker",
    "nature": "CANARY: a penitent",
    "background of the unknown": "CANARY herd",
    "merit": "CANARY of the ninth life",
    "merit without a list": "canarymedium",
    "specialty of the unknown": "CANARY graves",
    "notes of the unknown": "CANARY sleeps under the altar.",
    "Storyteller's notes of the unknown": "CANARY: the real Prince.",
    "carried": "CANARY sickle",
    "worn": "CANARY shroud",
    "edited": "CANARY gravedigger",
    "harm outside": "CANARY stepped on a rake",
    "points outside": "CANARY fed on the sexton",
    "regained outside": "CANARY drank from the font",
    "boxes outside": "CANARY mended by hand",
    "condition outside": "canaryhexed",
    "reason of the condition": "CANARY crossed the crone",
    "time": "CANARY hid for a fortnight",
    "stays": "canarybound",
    "ended in the fight": "canarytranced",
    "origin of what lasts": "CANARY swung a watch",
    "lasts": "canarycharmed",
    "correction": "CANARY was miscounted",
    "awarded": "CANARY kept the vow",
    "bought": "CANARY dark gift",
    "secret botch": "CANARY was overheard",
    "why time passes for her": "CANARY lay in hospital",
    "her Storyteller's notes": "CANARY will betray them.",
    "face": "CANARY has no reflection.",
    "her acquaintance's name": "CANARY Lady of Bath",
    "tie to the unknown": "CANARY is sworn to the Prince",
    "tie back from the unknown": "CANARY holds the leash",
    "prepared": "CANARY rings the bell",
}
"""What nobody but Storytellers reads: of a character whom no player knows, and about a player's own."""

HERS = {
    "her sire": "CANARY: embraced by a monk",
    "her background": "CANARY informer",
    "her specialty": "CANARY lockpicks",
    "her notes": "CANARY owes the baron.",
    "her edit": "CANARY deviant",
    "her merit": "canaryluck",
    "her harm": "CANARY slipped on the ice",
    "her points": "CANARY drank too much",
    "her condition": "canarymarked",
    "her reason": "CANARY kissed the relic",
    "her award": "CANARY saved the abbot",
    "her request": "CANARY safe house",
    "her refused request": "CANARY sword",
    "why refused": "CANARY: swords are dear",
    "her correction": "CANARY counted twice",
    "why granted": "CANARY: well earned",
    "her message": "The CANARY sings for you alone",
    "her acquaintance": "CANARY woman in red",
    "acquaintance's face": "CANARY: always gloved.",
    "her tie": "CANARY adores the gloves",
    "tie back to her": "CANARY finds it tiresome",
}
"""What a player and the Storyteller read of her character, and nobody else."""

AWARDS = ["Session played: 1", "Botch: 1"]
"""A list of awards that proposes one for a botch."""


class Botch:
    """Dice that all show one."""

    def roll(self, throw: Any) -> tuple[int, ...]:
        return (1,) * throw.count

    def pick(self, options: int) -> int:
        return 0


# ------------------------------------------------------------------ people


def unknown_npc(by: Membership) -> Character:
    """A character of the Storyteller's whom no player has met, with everything that a sheet can hold."""
    gear = Q(chronicle=None) | Q(chronicle=by.chronicle), Q(ruleset=by.chronicle.ruleset)
    weapon, armor = (model.objects.filter(*gear).order_by("pk").first() for model in (Weapon, Armor))
    sheet = SheetData(
        name=UNKNOWN["character"],
        kind="vampire",
        concept=UNKNOWN["concept"],
        traits={"strength": 2, "stamina": 2, "willpower": 5, "generation": 10, "wits": 3},
        resources={"blood": 10, "willpower": 5},
        merits=[UNKNOWN["merit without a list"]],
        details={"nature": UNKNOWN["nature"]},
        lists={"backgrounds": [[UNKNOWN["background of the unknown"], 2]], "merits": [[UNKNOWN["merit"], 3]]},
        specialties={"wits": [UNKNOWN["specialty of the unknown"]]},
        notes=UNKNOWN["notes of the unknown"],
        storyteller_notes=UNKNOWN["Storyteller's notes of the unknown"],
        weapons=[Carried(weapon.pk, name=UNKNOWN["carried"])] if weapon else [],
        armor=[Carried(armor.pk, name=UNKNOWN["worn"])] if armor else [],
    )
    return services.create_character(by=by, owner=None, sheet=sheet)


def players_own(by: Membership, name: str) -> Character:
    """A player's character, whom everybody knows by name."""
    traits = {"strength": 2, "stamina": 2, "willpower": 5, "generation": 10, "wits": 3}
    sheet = SheetData(name=name, kind="vampire", traits=traits, resources={"blood": 10, "willpower": 5})
    return services.create_character(by=by, owner=by.user, sheet=sheet)


def awards_for_botches(chronicle: Chronicle) -> None:
    """Let the log propose awards, in rulesets that have them."""
    if any(each.key == rules.AWARDS for each in RULESETS[chronicle.ruleset].options):
        chronicle.options = {**chronicle.options, rules.AWARDS: AWARDS}
        chronicle.save()


def ties(by: Membership, player: Membership, hers: Character, absent: Character) -> tuple[str, str, str]:
    """Whom her character has met under a name that only her player knows, and her ties to them and to the unknown.

    Returns the ids of the one she met, of her tie to the unknown and of the other.
    """
    met = services.create_character(
        by=by, owner=None, sheet=SheetData(name=UNKNOWN["her acquaintance's name"], kind="mortal")
    )
    for npc, text, whom in (
        (absent, UNKNOWN["face"], {}),
        (met, HERS["acquaintance's face"], {hers.pk: HERS["her acquaintance"]}),
    ):
        mark = face_services.face_mark(npc.pk)
        face_services.save_face(by=by, character_id=npc.pk, text=text, with_portrait=False, met=whom, seen=mark)
    unknown = TieData(
        "relation", hers.pk, absent.pk, UNKNOWN["tie to the unknown"], UNKNOWN["tie back from the unknown"]
    )
    hidden = tie_services.write_tie(by=by, data=replace(unknown, audience="everyone"))
    boon = TieData("boon", hers.pk, met.pk, HERS["her tie"], HERS["tie back to her"], "minor", audience="everyone")
    return met.pk, hidden.pk, tie_services.write_tie(by=player, data=boon).pk


# ------------------------------------------------------------------ deeds, each with its name


def deeds_on_the_unknown(by: Membership, npc: Character) -> Iterator[str]:
    """Do everything that can be done about an unknown character outside fights."""
    yield from _edits(by, npc, {"concept": UNKNOWN["edited"]}, {"concept": UNKNOWN["concept"]})
    who, log = npc.pk, Outside(by)
    yield log.do("harm", commands.Harm(who, 3, Damage.LETHAL, why=UNKNOWN["harm outside"]))
    yield log.do("points", commands.Spend(who, "blood", 2, UNKNOWN["points outside"]))
    yield log.do("points regained", commands.Spend(who, "blood", -1, UNKNOWN["regained outside"]))
    yield log.do("healing", commands.Heal(who, 1, Damage.LETHAL))
    yield log.do("boxes", commands.SetHealth(who, (Damage.BASHING,), why=UNKNOWN["boxes outside"]))
    words = frozenset({UNKNOWN["condition outside"]})
    yield log.do("condition", commands.ChangeConditions(who, words, why=UNKNOWN["reason of the condition"]))
    yield log.do(
        "condition ended", commands.ChangeConditions(who, remove=words, why=UNKNOWN["reason of the condition"])
    )
    yield log.undo()
    time = commands.PassTime((who,), 24 * 14, care={who: Care.HOSPITAL}, dusk=True, why=UNKNOWN["time"])
    yield log.do("time", time)
    yield log.undo()
    yield log.do("time again", time)
    secret = commands.RollTraits(who, ("wits",), secret=True, label=UNKNOWN["secret botch"])
    yield log.do("secret roll", secret, dice=Botch())
    experience.award(by=by, to=[who], amount=100, reason=UNKNOWN["awarded"])
    yield "award"
    experience.ask(by=by, character=npc, wish=experience.Other(UNKNOWN["bought"], 2))
    yield "purchase"
    with _as_far_as_rules_go(by):
        experience.ask(by=by, character=npc, wish=experience.Raise("wits", 4))
    yield "purchase of a Trait"
    experience.correct(by=by, character=npc, amount=-1, reason=UNKNOWN["correction"])
    yield "correction"
    Portrait.objects.create(character=npc, picture=b"CANARY face")
    yield "portrait"


def deeds_about_hers(by: Membership, hers: Character) -> Iterator[str]:
    """Do what only Storytellers learn of about a player's character: notes, secret rolls, proposals."""
    Character.objects.filter(pk=hers.pk).update(storyteller_notes=UNKNOWN["her Storyteller's notes"])
    yield "the Storyteller's notes"
    log = Outside(by)
    for number in range(2):
        secret = commands.RollTraits(hers.pk, ("wits",), secret=True, label=UNKNOWN["secret botch"])
        yield log.do(f"secret roll {number}", secret, dice=Botch())
        found = list(log.proposals())
        if found and not number:
            experience.settle(by=by, chosen=found, grant=False)
            yield "proposal passed over"


def deeds_of_hers(by: Membership, player: Membership, hers: Character) -> Iterator[str]:
    """Do what her player and Storytellers do on her sheet and in her ledger."""
    mine = {
        "details": {"sire": HERS["her sire"]},
        "lists": {"backgrounds": [[HERS["her background"], 2]]},
        "specialties": {"wits": [HERS["her specialty"]]},
        "notes": HERS["her notes"],
    }
    yield from _edits(player, hers, {"details": {"nature": HERS["her edit"]}, "merits": [HERS["her merit"]]}, mine)
    who, log = hers.pk, Outside(by)
    yield log.do("her harm", commands.Harm(who, 2, Damage.BASHING, why=HERS["her harm"]))
    yield log.do("her points", commands.Spend(who, "blood", 1, HERS["her points"]), actor=player.user)
    words = frozenset({HERS["her condition"]})
    yield log.do("her condition", commands.ChangeConditions(who, words, why=HERS["her reason"]))
    yield log.do("her healing", commands.Heal(who, 1, Damage.BASHING), actor=player.user)
    yield log.do(
        "her time", commands.PassTime((who,), 8, care={who: Care.CARE}, why=UNKNOWN["why time passes for her"])
    )
    experience.award(by=by, to=[who], amount=100, reason=HERS["her award"])
    yield "her award"
    asked = [
        experience.ask(by=player, character=hers, wish=experience.Other(HERS[name], 2))
        for name in ("her request", "her refused request", "her request", "her request")
    ]
    yield "her requests"
    with _as_far_as_rules_go(by):
        experience.ask(by=player, character=hers, wish=experience.Entry("backgrounds", HERS["her request"], 1))
    first, second, third, _open = (each for each in asked if each)
    experience.grant(by=by, entry=first, note=HERS["why granted"])
    experience.refuse(by=by, entry=second, note=HERS["why refused"])
    experience.withdraw(by=player, entry=third)
    yield "answers"
    experience.correct(by=by, character=hers, amount=-1, reason=HERS["her correction"])
    yield "her correction"


def session_of(by: Membership, fight: Encounter) -> Preparation:
    """A session that is being played, with a fight, and with something secret on its list."""
    session = session_services.announce(by=by, title="Ashes", place="at Ana’s")
    item = session_services.prepare(by=by, session=session, text=UNKNOWN["prepared"])
    session_services.begin(by=by, session=session, now=timezone.now())
    Encounter.objects.filter(pk=fight.pk).update(session=session)
    assert item is not None
    return item


def session_planned(by: Membership) -> Session:
    """The session after it, with an answer."""
    made = Session.objects.create(chronicle=by.chronicle, number=101, title="Embers", place="at Ana’s")
    Attendance.objects.create(session=made, user=by.user, answer="maybe", word="late")
    return made


def archive_of(by: Membership) -> Transfer:
    """An archive of the chronicle, ready to download."""
    made = Transfer.objects.create(user=by.user, chronicle=by.chronicle, stage=Stage.DONE)
    path = transfers.file_of(made)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"CANARY in a zip")
    return made


def session_over(by: Membership) -> Session:
    """An earlier session with a recap."""
    made = Session.objects.create(chronicle=by.chronicle, number=100, progress=Progress.PLAYED, recap="It **burned**.")
    Attendance.objects.create(session=made, user=by.user, answer="yes", word="with cake", came=True)
    return made


def webhook(by: Membership) -> Webhook:
    """A webhook, whose address no page shows: `MARK` finds it."""
    address = "https://hooks.example.org/CANARY-token"
    made: Webhook = Webhook.objects.create(chronicle=by.chronicle, address=address, language="en-gb")
    return made


def _edits(by: Membership, one: Character, *edits: dict[str, Any]) -> Iterator[str]:
    """Edit a sheet, so that its history has what was."""
    for change in edits:
        one.refresh_from_db()
        kept = ("name", "kind", "concept", "traits", "resources", "merits", "details", "lists", "specialties", "marks")
        data = {name: getattr(one, name) for name in (*kept, "injuries", "notes")} | _gear(one) | change
        services.update_sheet(by=by, character=one, sheet=SheetData(**data), version=one.version)
        yield f"edit of {', '.join(change)}"


def _gear(one: Character) -> dict[str, list[Carried]]:
    return {
        "weapons": [Carried(row.weapon_id, row.name, row.rounds, row.fault, row.pk) for row in one.weapons.all()],
        "armor": [Carried(row.armor_id, row.name, row=row.pk) for row in one.armor.all()],
    }


def _as_far_as_rules_go(by: Membership) -> AbstractContextManager[None]:
    """Leave out what a ruleset refuses because it has no blood, boxes or prices. Masquerade, in which every field must
    be planted, has them all."""
    return nullcontext() if by.chronicle.ruleset == "masquerade" else suppress(RuleViolation, Refused, PermissionDenied)


class Outside:
    """The chronicle's log outside fights."""

    def __init__(self, by: Membership) -> None:
        self.by, self.pk = by, open_log(by.chronicle).pk

    def do(self, what: str, command: Any, actor: Any = None, **more: Any) -> str:
        """Do something there, as the Storyteller unless somebody else is given, and give its name back."""
        with _as_far_as_rules_go(self.by):
            perform.perform(encounter_id=self.pk, actor=actor or self.by.user, command=command, **more)
        return what

    def undo(self) -> str:
        perform.undo(encounter_id=self.pk, actor=self.by.user)
        return "undo"

    def proposals(self) -> Iterable[Any]:
        """The awards that the log proposes and nobody has settled."""
        from characters.experience_pages import open_proposals

        return open_proposals(self.by).values()


def cellar(by: Membership, hers: Character, npc: Character | None = None) -> Encounter:
    """A fight that is over, with a player's character and perhaps one whom players never saw. A condition stays."""
    fight = drafts.create_encounter(by=by, name="The cellar", scene="Water drips.")
    common = {"encounter_id": fight.pk, "actor": by.user}
    drafts.add_character(**common, character=hers)
    if npc is not None:
        npc.refresh_from_db()
        drafts.add_character(**common, character=npc, hidden=True)
    people = _people(fight)
    perform.perform(**common, command=commands.Begin())
    stays = {people[hers.pk]: frozenset[str]()}
    if npc is not None:
        who, words = people[npc.pk], frozenset({UNKNOWN["stays"]})
        perform.perform(**common, command=commands.ChangeConditions(who, words))
        perform.perform(**common, command=commands.Harm(who, 1, Damage.BASHING, why=UNKNOWN["harm outside"]))
        stays[who] = words
    perform.perform(**common, command=commands.Harm(people[hers.pk], 1, Damage.BASHING))
    perform.perform(**common, command=commands.End(stays))
    return Encounter.objects.get(pk=fight.pk)


def _people(fight: Encounter) -> dict[str, str]:
    now = Encounter.objects.select_related("chronicle").get(pk=fight.pk)
    return {each.character: who for who, each in rows.state_now(now).combatants.items()}


# ------------------------------------------------------------------ fields

APPS = ("campaigns", "characters", "combat", "story")
TEXTS = (models.CharField, models.TextField, models.JSONField, models.BinaryField)


def text_fields(found: Iterable[Any] | None = None) -> dict[str, Any]:
    """Every field of our models that can hold text, by model and name. Numbers, dates and choices hold no secret."""
    ours = [model for app in APPS for model in apps.get_app_config(app).get_models()] if found is None else found
    return {
        f"{model.__name__}.{field.name}": (model, field)
        for model in ours
        for field in model._meta.local_fields
        if isinstance(field, TEXTS) and not (field.choices or field.primary_key)
    }


def unplanted(found: Iterable[Any] | None = None) -> set[str]:
    """The fields in which no row holds a planted text."""
    return {name for name, (model, field) in text_fields(found).items() if not _is_planted(model, field.attname)}


def _is_planted(model: Any, name: str) -> bool:
    values: Callable[[Any], Any] = model._base_manager.values_list
    return any(MARK in _as_text(value).casefold() for value in values(name, flat=True))


def _as_text(value: Any) -> str:
    return bytes(value).decode(errors="replace") if isinstance(value, bytes | memoryview) else str(value)
