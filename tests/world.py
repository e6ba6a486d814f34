"""A whole table with secrets everywhere, and every URL of the site, for tests that cover everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from campaigns import calendars, open_places, page_services
from campaigns import services as campaigns
from campaigns.models import Chronicle, Membership, Picture, Role
from combat.commands import drafts, reinforcements, revising
from combat.commands.newcomers import Shown, Wanted
from combat.commands.outside import open_log
from combat.commands.reinforcements import Prepared
from combat.desk import storage
from combat.desk.quick_find import Making, meant
from combat.live import wall
from combat.models import Encounter, LogRow, Reinforcement, Wall
from combat.web.forms.endpoints import endpoints
from rules.systems import RULESETS
from rules.topics import commands
from tests import planted
from tests.combat.conftest import SECRET, TRUE_NAME, Table

HTMX = {"HX-Request": "true"}
SECRETS = {
    "drafted": "Ambush at the CANARY mill",
    "its scene": "Mist over CANARY reeds.",
    "jotted down": "CANARY flees at Wounded",
    "reinforcement": "CANARY second wave",
    "their words": "2 CANARY hounds",
    "their mask": "CANARY in grey",
    "reinforcement of the draft": "CANARY reserve",
    "note": "CANARY plans",
    "binned note": "CANARY thrown away",
    "caption": "CANARY map of the crypt",
    "its words": "The Prince falls in CANARY three.",
    "Storyteller's notes": "CANARY: really a ghost.",
    "sire": "CANARY: sired by the Prince.",
    "background": "CANARY allies",
    "changed": "CANARY grew stronger",
    "specialty": "CANARY throttling",
    "weapon": "CANARY scythe",
    "roll": "CANARY listens at the door",
    "armour": "CANARY mail",
    "kind": "CANARY drowned",
    "oath": "CANARY swore to the Prince",
    "section": "CANARY leashes",
    "power": "CANARY whisper",
    "key of the power": "own_whisper",
    "template": "CANARY hound",
    "plural of the template": "CANARY pack",
    "notes of the template": "CANARY bites first",
    "picture": "CANARY portrait",
    "award": "CANARY served the dead Prince",
    "label": "CANARY for the late ones",
    "note of the weapon": "CANARY never rusts",
    "power of the armour": "CANARY turns fire",
    "address": "canary@example.org",
    **planted.UNKNOWN,
    "name": SECRET,
    "true name": TRUE_NAME,
}
"""Texts that players must never receive. Ids are added in `World.secrets`, and `planted.HERS` for all but her player.
"""


@dataclass
class World:
    """A chronicle with a running fight, a draft, notes, an invitation, its own gear, and people of every role."""

    fight: Table
    chronicle: Chronicle
    people: dict[str, Any]
    ids: dict[str, Any] = field(default_factory=dict)

    def secrets(self, who: str = "") -> list[str]:
        """Every text that a reader may not receive."""
        hidden = (
            "draft",
            "secret note",
            "secret passage",
            "secret picture",
            "template",
            "hidden character",
            "masked character",
            "absent character",
        )
        hidden += ("hidden portrait", "masked portrait", "secret roll", "passed over", "reinforcement", "reserve")
        hidden += ("hidden tie", "item")
        known = self.known(who)
        texts = [text for text in (*SECRETS.values(), *planted.HERS.values()) if text not in known]
        return [*texts, self.fight[SECRET], *(self.ids[name] for name in hidden)]

    def known(self, who: str) -> list[str]:
        """The planted texts that a reader may receive, longest first."""
        # The chronicle's own tables are visible to those who edit sheets.
        tables = ("weapon", "armour", "note of the weapon") if who in ("player", "other_player") else ()
        own = planted.HERS.values() if who == "other_player" else ()
        return sorted([*(SECRETS[name] for name in tables), *own], key=len, reverse=True)

    def client(self, who: str) -> Client:
        """A browser in which a user is signed in."""
        client = Client()
        if self.people[who] is not None:
            client.force_login(self.people[who], backend="django.contrib.auth.backends.ModelBackend")
        return client


def build(fight: Table, characters: dict[str, Any], people: dict[str, Any]) -> World:
    """Plant the secrets. `people` has at least "storyteller", "player", "removed" and "elsewhere"."""
    from characters import experience
    from characters.models import Armor, DeclinedProposal, Portrait, SheetChange, Template, Weapon

    cache.clear()  # wrong tokens are counted there, over tests
    chronicle = fight.encounter.chronicle
    by = Membership.objects.get(chronicle=chronicle, user=people["storyteller"])
    world = World(fight, chronicle, people)
    draft = drafts.create_encounter(by=by, name=SECRETS["drafted"], scene=SECRETS["its scene"])
    open_note = page_services.create_page(by=by, title="Open", text="For all.", audience="everyone")
    secret_note = page_services.create_page(
        by=by, title=SECRETS["note"], text=SECRETS["its words"], audience="storytellers"
    )
    binned_note = page_services.create_page(by=by, title=SECRETS["binned note"], text="", audience="everyone")
    page_services.delete_page(by=by, page=binned_note)
    handout = page_services.NewPicture(SECRETS["picture"].encode(), SECRETS["caption"])
    secret_passage = page_services.add_passage(by=by, page=open_note, text="[[CANARY plans]]", picture=handout)
    open_passage = open_note.passages.get(audience="everyone")
    shown = Picture.objects.create(passage=open_passage, picture=b"RIFF", caption="A map")
    storage.keep_notes(by=by, encounter=fight.encounter, text=SECRETS["jotted down"], version=0)
    expires = timezone.now() + timezone.timedelta(days=1)
    invitation, token = campaigns.invite(by=by, role=Role.PLAYER, expires=expires, max_uses=50, label=SECRETS["label"])
    weapon = Weapon.objects.create(
        chronicle=chronicle,
        ruleset="masquerade",
        name=SECRETS["weapon"],
        mode="melee",
        damage=4,
        damage_from="strength",
        type="lethal",
        note=SECRETS["note of the weapon"],
    )
    armour = Armor.objects.create(
        chronicle=chronicle,
        ruleset="masquerade",
        name=SECRETS["armour"],
        rating=2,
        power=SECRETS["power of the armour"],
    )
    template = Template.objects.create(
        chronicle=chronicle,
        name=SECRETS["template"],
        plural=SECRETS["plural of the template"],
        notes=SECRETS["notes of the template"],
        pools={"attack": 5, "health": 4},
        # What no page of the template shows: `planted.MARK` finds it.
        merits=["canarypelt"],
        lists={"backgrounds": [["CANARY den", 2]]},
        specialties={"brawl": ["CANARY fangs"]},
        weapons=[SECRETS["weapon"]],
        armor=[SECRETS["armour"]],
    )
    reserve = reinforce(by, draft.pk, SECRETS["reinforcement of the draft"])
    wave = reinforce(by, fight.encounter_id, SECRETS["reinforcement"], SECRETS["their mask"])
    characters[SECRET].storyteller_notes = SECRETS["Storyteller's notes"]
    characters[SECRET].details = {"sire": SECRETS["sire"]}
    characters[SECRET].specialties = {"brawl": [SECRETS["specialty"]]}
    characters[SECRET].lists = {"backgrounds": [[SECRETS["background"], 3]]}
    characters[SECRET].save()
    SheetChange.objects.create(character=characters[SECRET], reason=SECRETS["changed"], changes=[["concept", "", "x"]])
    people["storyteller"].email = SECRETS["address"]
    people["storyteller"].save()
    Membership.objects.create(chronicle=chronicle, user=people["removed"], role=Role.PLAYER, removed_at=timezone.now())
    chronicle.refresh_from_db()
    answers = {"label": SECRETS["kind"], "like": "mortal", "banes": ["silver"]}
    kind = campaigns.save_kind(by=by, key="", answers=answers, version=chronicle.version)
    chronicle.refresh_from_db()
    section = {"label": "Oaths", "sort": "text", "kinds": []}
    trait = campaigns.save_trait(by=by, key="", answers=section, version=chronicle.version)
    chronicle.refresh_from_db()
    # On no sheet that a player has.
    kinds = RULESETS[chronicle.ruleset].kinds
    rare = "ghoul" if "ghoul" in kinds else list(kinds)[-1]
    unseen = {"label": SECRETS["section"], "sort": "text", "kinds": [rare]}
    campaigns.save_trait(by=by, key="", answers=unseen, version=chronicle.version)
    chronicle.refresh_from_db()
    effects = [{"does": "dice", "amount": 2, "pools": ["attack"]}]
    whisper = {"label": "Whisper", "trait": "wits", "rating": 10, "effects": effects}
    power = campaigns.save_power(by=by, key="", answers=whisper, version=chronicle.version)
    renamed = {**whisper, "label": SECRETS["power"]}
    campaigns.save_power(by=by, key=power, answers=renamed, version=chronicle.version + 1)
    characters[SECRET].details |= {trait: SECRETS["oath"]}
    characters[SECRET].save()
    chronicle.refresh_from_db()
    own = campaigns.create_chronicle(user=people["elsewhere"], name="Elsewhere", ruleset="masquerade")
    faces = {
        name: Portrait.objects.create(character=one, picture=SECRETS["picture"].encode() if one.is_npc else b"RIFF").pk
        for name, one in characters.items()
    }
    experience.award(by=by, to=[characters[SECRET].pk], amount=7, reason=SECRETS["award"])
    experience.award(by=by, to=[characters["Ilya"].pk], amount=20, reason="Session played")
    owner = Membership.objects.filter(chronicle=chronicle, user=characters["Ilya"].owner).first() or by
    request = experience.ask(by=owner, character=characters["Ilya"], wish=experience.Other("A favour", 3))
    assert request is not None
    planted.awards_for_botches(chronicle)
    planted.webhook(by)
    others = Membership.objects.filter(chronicle=chronicle, user=characters["Marguerite"].owner).first() or by
    hers, absent = planted.players_own(others, "Odile"), planted.unknown_npc(by)
    over = planted.cellar(by, hers, absent)
    met, hidden_tie, her_tie = planted.ties(by, others, hers, absent)
    _trance(fight, characters[SECRET])
    deeds = [
        *planted.deeds_on_the_unknown(by, absent),
        *planted.deeds_of_hers(by, others, hers),
        *planted.deeds_about_hers(by, hers),
    ]
    assert deeds
    fight.do(commands.Describe((fight["Marguerite"],), planted.HERS["her message"]))
    outside = LogRow.objects.filter(encounter=open_log(chronicle)).order_by("-seq")
    secret = next(row for row in outside if row.command["is"] == "RollTraits")
    # Where no rule knows botches, the log proposes nothing.
    declined = DeclinedProposal.objects.filter(character=hers).first()
    passed_over = declined.proof.split(":")[1] if declined else secret.token
    item = planted.session_of(by, fight.encounter)
    world.ids = {
        "session": item.session_id,
        "session that is over": planted.session_over(by).pk,
        "planned session": planted.session_planned(by).pk,
        "item": item.pk,
        "secret roll": secret.token,
        "passed over": passed_over,
        "private character": hers.pk,
        "transfer": planted.archive_of(by).pk,
        "fight that is over": over.pk,
        "request": request.pk,
        "draft": draft.pk,
        "open note": open_note.pk,
        "secret note": secret_note.pk,
        "open passage": open_passage.pk,
        "secret passage": secret_passage.pk,
        "open picture": shown.pk,
        "secret picture": secret_passage.picture.pk,
        "binned note": binned_note.pk,
        "invitation": invitation.pk,
        "token": token,
        "wall": wall.open_wall(by=by),
        "feed": calendars.open_feed(by=others),
        "weapon": weapon.pk,
        "armour": armour.pk,
        "absent character": absent.pk,
        "reinforcement": wave,
        "reserve": reserve,
        "template": template.pk,
        "hidden character": characters[SECRET].pk,
        "masked character": characters[TRUE_NAME].pk,
        "character": characters["Ilya"].pk,
        "other character": characters["Marguerite"].pk,
        "member": Membership.objects.get(chronicle=chronicle, user=people["other_player"]).pk,
        "open place": _open_place(chronicle).pk,
        "removed member": Membership.objects.get(chronicle=chronicle, user=people["removed"]).pk,
        "elsewhere": own.pk,
        "kind": kind,
        "trait": trait,
        "power": power,
        "rolls": open_log(chronicle).pk,
        "portrait": faces["Ilya"],
        "hidden portrait": faces[SECRET],
        "masked portrait": faces[TRUE_NAME],
        "met character": met,
        "hidden tie": hidden_tie,
        "her tie": her_tie,
    }
    Wall.objects.filter(chronicle=chronicle).update(passage=open_passage)
    return world


def _trance(fight: Table, hidden: Any) -> None:
    """End one of two lasting conditions of the hidden combatant in the fight, which notes them as they were."""
    trance, origin = planted.UNKNOWN["ended in the fight"], planted.UNKNOWN["origin of what lasts"]
    words = (trance, planted.UNKNOWN["lasts"])
    hidden.lasting = [{"condition": each, "rule": "", "fight": "-", "why": origin} for each in words]
    hidden.save()
    revising.revise_sheets(encounter_id=fight.encounter_id, characters=[hidden.pk])
    fight.do(commands.ChangeConditions(fight[SECRET], remove=frozenset({trance})))


def reinforce(by: Membership, encounter_id: str, label: str, mask: str = "") -> str:
    """Prepare a reinforcement from the secret template; returns its id."""

    def meaning(encounter: Encounter) -> list[Wanted]:
        return [meant(encounter, SECRETS["their words"], Making(by))]

    prepared = Prepared(label, SECRETS["their words"], Shown(mask=mask))
    reinforcements.prepare(by=by, encounter_id=encounter_id, prepared=prepared, meaning=meaning)
    return Reinforcement.objects.get(label=label, encounter=encounter_id).pk


def _open_place(chronicle: Chronicle) -> Membership:
    user = open_places.account_for(chronicle, "Somebody")
    user.save()
    return Membership.objects.create(chronicle=chronicle, user=user, role=Role.PLAYER)


# ------------------------------------------------------------------ every address

NAMED = sorted(endpoints())
OUTSIDE = (
    "roll",
    "roll-on",
    "give-up",
    "narrate",
    "show-roll",
    "undo",
    "damage",
    "heal",
    "boxes",
    "spend",
    "conditions",
)


def places(world: World) -> dict[str, list[tuple[Any, ...]]]:
    """For each route, the arguments that it is tried with."""
    ids, chronicle, fight = world.ids, (world.chronicle.pk,), (world.fight.encounter_id,)
    fights = [fight, (ids["draft"],)]
    whose = ("character", "other character", "hidden character", "absent character", "private character")
    people = [(ids[name],) for name in whose]
    faces = [(*chronicle, ids[name]) for name in ("character", "hidden character", "absent character", "met character")]
    ties = [(*chronicle, ids["hidden tie"]), (*chronicle, ids["her tie"])]
    notes = [(*chronicle, ids["open note"]), (*chronicle, ids["secret note"])]
    gear = [(*chronicle, "weapons", ids["weapon"]), (*chronicle, "armour", ids["armour"])]
    nowhere: list[tuple[Any, ...]] = [()]
    commands = [*((*fight, name) for name in NAMED), (ids["draft"], "declare"), (ids["draft"], "damage")]
    commands += [(ids["rolls"], name) for name in OUTSIDE]
    return {
        **{
            f"campaigns:{name}": nowhere
            for name in (
                *(
                    "home",
                    "about",
                    "account",
                    "delete-account",
                    "sign-up",
                    "sign-in",
                    "sign-out",
                    "end-sign-in",
                    "password-change",
                    "password-reset",
                ),
                *("password-reset-sent", "create", "rulebooks", "language", "manifest"),
            )
        },
        **{f"story:{name}": nowhere for name in ("account-data", "account-data-file")},
        "campaigns:password-reset-confirm": [("MQ", "none")],
        "campaigns:rulebook": [("masquerade",)],
        "campaigns:rule": [("masquerade", "MQ-DMG-1")],
        "campaigns:join": [(ids["token"],), ("wrong",)],
        "campaigns:feed": [(ids["feed"],), ("wrong",)],
        "campaigns:session-calendar": [(ids["session"],)],
        **{
            f"campaigns:{name}": [chronicle]
            for name in (
                *("chronicle", "edit", "house-rules", "delete", "leave", "invite", "write-page"),
                *("pages", "preview", "journal", "calendar", "calendar-close"),
                *("kinds", "write-kind", "traits", "write-trait", "bin"),
                *("powers", "write-power", "import-powers", "export-powers"),
                *("webhook", "edit-webhook", "test-webhook", "remove-webhook"),
            )
        },
        **{f"campaigns:{name}": [(*chronicle, ids["kind"])] for name in ("edit-kind", "delete-kind")},
        **{f"campaigns:{name}": [(*chronicle, ids["trait"])] for name in ("edit-trait", "delete-trait")},
        **{f"campaigns:{name}": [(*chronicle, ids["power"])] for name in ("edit-power", "delete-power")},
        "campaigns:change-role": [(*chronicle, ids["member"])],
        "campaigns:remove-member": [(*chronicle, ids["member"])],
        "campaigns:restore-member": [(*chronicle, ids["removed member"])],
        **{f"campaigns:{name}": [(*chronicle, ids["open place"])] for name in ("invite-to-place", "give-place")},
        "campaigns:restore": [(*chronicle, "page", ids["binned note"])],
        "campaigns:revoke": [(*chronicle, ids["invitation"])],
        **{
            f"campaigns:{name}": notes
            for name in ("note", "page", "edit-page", "page-done", "delete-page", "write-passage")
        },
        **{
            f"campaigns:{name}": [(*chronicle, ids[each]) for each in ("open passage", "secret passage")]
            for name in ("edit-passage", "move-passage", "delete-passage")
        },
        "campaigns:picture": [(*chronicle, ids["open picture"]), (*chronicle, ids["secret picture"])],
        "characters:create": [chronicle],
        "characters:bring-in": [chronicle],
        "characters:take-out": people,
        "characters:take-out-file": [(*each, name) for name in ("foundry", "vesper") for each in people],
        "characters:take-out-own": [chronicle],
        **{f"characters:{name}": people for name in ("sheet", "edit", "notes", "copy", "hand-over", "delete")},
        **{f"characters:{name}": people for name in ("history", "as-of")},
        "characters:portrait": people,
        **{f"characters:{name}": people for name in ("experience", "correct")},
        "characters:withdraw": [(ids["character"], ids["request"])],
        **{f"characters:{name}": [chronicle] for name in ("ledgers", "ledgers-export", "proposals")},
        "characters:answer": [(*chronicle, ids["request"])],
        "characters:picture": [(ids[name],) for name in ("portrait", "hidden portrait", "masked portrait")],
        **{f"characters:{name}": [chronicle] for name in ("cast", "cast-print", "meetings", "ties", "tie-add")},
        **{f"characters:{name}": faces for name in ("face", "face-edit", "tell-name")},
        **{f"characters:{name}": ties for name in ("tie", "tie-settle", "tie-delete")},
        "characters:gear": [chronicle],
        **{f"characters:{name}": [chronicle] for name in ("templates", "template-add")},
        **{f"characters:{name}": [(*chronicle, ids["template"])] for name in ("template-edit", "template-delete")},
        "characters:template-grow": [(*chronicle, ids["template"])],
        **{
            f"characters:{name}": [(*chronicle, "weapons"), (*chronicle, "armour")]
            for name in ("gear-add", "gear-export", "gear-import")
        },
        **{f"characters:{name}": gear for name in ("gear-edit", "gear-delete")},
        "combat:create": [chronicle],
        "combat:rolls": [chronicle],
        "combat:dice": [chronicle],
        "story:timeline": [chronicle],
        "story:search": [chronicle],
        "story:statistics": [chronicle],
        "combat:time": [chronicle],
        **{
            f"combat:{name}": fights
            for name in (
                "edit",
                "move",
                "copy",
                "discard",
                "cast",
                "keys",
                "notes",
                "suggestions",
                "prepare",
                "forecast",
                "forecast-results",
                "forecast-stop",
                "attack",
                "attack-plan",
            )
        },
        "combat:forecast-fight": [(*each, "run", "base", 0) for each in fights],
        "combat:revise": [(*fight, ids["reinforcement"]), (ids["draft"], ids["reserve"])],
        **{f"combat:{name}": [chronicle] for name in ("wall-link", "wall-close", "wall-clear")},
        **{
            f"combat:{name}": [*fights, (ids["fight that is over"],)]
            for name in ("encounter", "report", "report-markdown", "entries", "log")
        },
        "combat:wall": [(ids["wall"],), ("wrong",)],
        **{
            f"combat:{name}": [(*chronicle, ids["open passage"]), (*chronicle, ids["secret passage"])]
            for name in ("show", "shown")
        },
        "combat:wall-shown": [(ids["wall"],), ("wrong",)],
        "combat:wall-picture": [
            (ids["wall"], ids["open picture"]),
            (ids["wall"], ids["secret picture"]),
            ("wrong", ids["open picture"]),
        ],
        "combat:wall-since": [(ids["wall"], *fight, 0), ("wrong", *fight, 0)],
        "combat:since": [(*each, have) for each in (*fights, (ids["rolls"],)) for have in (0, 2, 9999)],
        "combat:do": commands,
        "combat:form": commands,
        "combat:portrait": [(*fight, ids[name]) for name in ("portrait", "hidden portrait", "masked portrait")],
        "combat:wall-portrait": [
            (ids["wall"], ids["portrait"]),
            (ids["wall"], ids["masked portrait"]),
            ("wrong", ids["portrait"]),
        ],
        **{f"story:{name}": [chronicle] for name in ("sessions", "announce")},
        **{
            f"story:{name}": [(ids["session"],), (ids["session that is over"],)]
            for name in ("edit-session", "stage", "answer", "end-session", "awards", "prepare")
        },
        "story:session": [(ids[name],) for name in ("planned session", "session", "session that is over")],
        "story:item": [(ids["session"], ids["item"])],
        "combat:somebody": [(*fight, who) for who in world.fight.ids.values()],
        "story:have-read": [chronicle],
        "story:export": [chronicle],
        "story:import": nowhere,
        **{
            f"story:{name}": [(ids["transfer"],)]
            for name in ("transfer-file", "transfer-part", "transfer", "transfer-cancel")
        },
    }


def routes() -> Iterator[str]:
    """The name of every route, the administration's included."""
    yield from _routes(get_resolver().url_patterns, "")


def _routes(patterns: Any, namespace: str) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inside = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _routes(pattern.url_patterns, inside)
        elif isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name or pattern.pattern}"


def addresses(world: World) -> Iterator[tuple[str, str]]:
    """Every route outside the administration, with a URL for each of its places."""
    for route, found in places(world).items():
        for arguments in found:
            yield route, reverse(route, args=arguments)


FLEETING = [
    (re.compile(pattern), kept)
    for pattern, kept in (
        (r'csrfmiddlewaretoken" value="[^"]+', 'csrfmiddlewaretoken" value="'),
        (r'"X-CSRFToken": ?"[^"]+', '"X-CSRFToken": "'),
        (r"vesper-csrf=[^;]+", ""),
        (r"expires=[^;]+", ""),
        (r"\('(?:Expires|Content-Length)', '[^']+'\)", ""),
        (r"\?on=\d{4}-[^\"]+", ""),
        (r'value="[0-9a-f]{32}"', ""),
    )
]
"""What differs on each request, with what replaces it. Python finds literal beginnings ten times faster than one of
several."""

AGO, TOKEN = re.compile(r"\d+\s+minutes?\s+ago"), re.compile("[A-Za-z0-9]{64}")


def plain(text: str) -> str:
    """A page without what differs on each request: CSRF tokens, idempotency keys and moments."""
    text = text.replace("just now", "")
    for pattern, kept in FLEETING:
        text = pattern.sub(kept, text)
    if "minute" in text:
        text = AGO.sub("", text)
    return TOKEN.sub("", text)
