"""Every route of the site against every role and method: one table. A route without a row fails.

The apps' own tables test what each form does. This one tests that permissions hold at every URL, the admin's included,
that GET requests change nothing, and that a rejected request changes nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.urls import NoReverseMatch, reverse

from campaigns.models import SignIn
from combat.web.forms import commanding
from combat.web.forms.asked import AskedForm
from combat.web.forms.commanding import CommandForm
from combat.web.forms.endpoints import endpoints
from rules.engine.messages import command_type
from rules.model.attack import Attack
from rules.model.roll import Extended, RollTraits
from rules.topics.commands import ProposeAttack, RollInitiative
from rules.topics.events import RulesWaived, TraitsRolled
from tests.combat.conftest import SECRET, Table, characters, draft, fight
from tests.kept import kept
from tests.world import HTMX, World, build, places, plain, routes

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = pytest.mark.django_db

ROLES = ("storyteller", "player", "other_player", "observer", "removed", "stranger", "elsewhere", "admin", "guest")
OUTSIDE = {"removed": "404", "stranger": "404", "elsewhere": "404", "admin": "404", "guest": "login"}
ANYBODY = dict.fromkeys(ROLES, "open")
SIGNED_IN = {**ANYBODY, "guest": "login"}
MEMBERS = {**dict.fromkeys(ROLES[:4], "open"), **OUTSIDE}
PLAYERS = {**MEMBERS, "observer": "403"}
STORYTELLER = {**MEMBERS, "player": "403", "other_player": "403", "observer": "403"}
UNKNOWN = {**dict.fromkeys(ROLES[1:], "404"), "storyteller": "open", "guest": "login"}
"""What only Storytellers know of: for all others it is not there."""
OWN = {**STORYTELLER, "player": "open"}
"""The player's own character's."""
OTHERS = {**STORYTELLER, "other_player": "open"}
"""The other player's."""
HERS = {**UNKNOWN, "other_player": "open"}
"""What only the other player and Storytellers know of."""
HER_STORYTELLERS = {**UNKNOWN, "other_player": "403"}
"""What only Storytellers change of that."""
NO_DOOR = {**dict.fromkeys(ROLES, "404"), "guest": "login"}

TABLE: dict[str, dict[str, str] | list[dict[str, str]]] = {
    "campaigns:home": ANYBODY,
    "campaigns:about": ANYBODY,
    "campaigns:manifest": ANYBODY,
    "campaigns:account": SIGNED_IN,
    "campaigns:delete-account": SIGNED_IN,
    **dict.fromkeys(("story:account-data", "story:account-data-file"), SIGNED_IN),
    "campaigns:language": ANYBODY,
    "campaigns:sign-up": ANYBODY,
    "campaigns:sign-in": ANYBODY,
    "campaigns:sign-out": ANYBODY,
    "campaigns:end-sign-in": SIGNED_IN,
    "campaigns:password-change": SIGNED_IN,
    "campaigns:password-reset": ANYBODY,
    "campaigns:password-reset-sent": ANYBODY,
    "campaigns:password-reset-confirm": ANYBODY,
    "campaigns:rulebooks": ANYBODY,
    "campaigns:rulebook": ANYBODY,
    "campaigns:rule": ANYBODY,
    "campaigns:join": [{**ANYBODY, "removed": "404"}, dict.fromkeys(ROLES, "404")],
    # The other player’s.
    "campaigns:feed": [ANYBODY, dict.fromkeys(ROLES, "404")],
    **dict.fromkeys(("campaigns:calendar", "campaigns:calendar-close", "campaigns:session-calendar"), MEMBERS),
    "campaigns:create": SIGNED_IN,
    "campaigns:chronicle": MEMBERS,
    "campaigns:edit": STORYTELLER,
    "campaigns:house-rules": STORYTELLER,
    "campaigns:delete": STORYTELLER,
    **dict.fromkeys(("campaigns:kinds", "campaigns:write-kind", "campaigns:edit-kind"), STORYTELLER),
    "campaigns:delete-kind": STORYTELLER,
    **dict.fromkeys(("campaigns:traits", "campaigns:write-trait", "campaigns:edit-trait"), STORYTELLER),
    "campaigns:delete-trait": STORYTELLER,
    **dict.fromkeys(("campaigns:powers", "campaigns:write-power", "campaigns:edit-power"), STORYTELLER),
    **dict.fromkeys(("campaigns:delete-power", "campaigns:import-powers", "campaigns:export-powers"), STORYTELLER),
    **dict.fromkeys(("campaigns:webhook", "campaigns:edit-webhook"), STORYTELLER),
    **dict.fromkeys(("campaigns:test-webhook", "campaigns:remove-webhook"), STORYTELLER),
    "campaigns:leave": MEMBERS,
    "campaigns:change-role": STORYTELLER,
    "campaigns:remove-member": STORYTELLER,
    "campaigns:restore-member": STORYTELLER,
    **dict.fromkeys(("campaigns:invite-to-place", "campaigns:give-place"), STORYTELLER),
    "campaigns:invite": STORYTELLER,
    "campaigns:revoke": STORYTELLER,
    **dict.fromkeys(("campaigns:write-page", "campaigns:journal", "campaigns:preview"), PLAYERS),
    "campaigns:pages": MEMBERS,
    **{f"campaigns:{name}": [MEMBERS, UNKNOWN] for name in ("note", "page", "picture")},
    **{
        f"campaigns:{name}": [STORYTELLER, {**UNKNOWN, "observer": "403"}]
        for name in (
            *("edit-page", "page-done", "delete-page", "write-passage"),
            *("edit-passage", "move-passage", "delete-passage"),
        )
    },
    "campaigns:bin": STORYTELLER,
    "campaigns:restore": STORYTELLER,
    "characters:create": PLAYERS,
    # Ilya, the player's; Marguerite, the other player's; one who is hidden; one who is not in the fight; Odile, the
    # other player's.
    "characters:sheet": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:edit": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:history": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:as-of": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:notes": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:copy": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:bring-in": PLAYERS,
    "characters:take-out-own": PLAYERS,
    "characters:take-out": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:take-out-file": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS] * 2,
    "characters:hand-over": [STORYTELLER, STORYTELLER, UNKNOWN, UNKNOWN, STORYTELLER],
    "characters:delete": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:portrait": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:experience": [OWN, OTHERS, UNKNOWN, UNKNOWN, OTHERS],
    "characters:correct": [STORYTELLER, STORYTELLER, UNKNOWN, UNKNOWN, STORYTELLER],
    "characters:withdraw": OWN,
    "characters:ledgers": STORYTELLER,
    "characters:ledgers-export": STORYTELLER,
    "characters:answer": STORYTELLER,
    "characters:proposals": STORYTELLER,
    # That of somebody whom players see under a mask shows who is behind it.
    "characters:picture": [MEMBERS, UNKNOWN, UNKNOWN],
    **dict.fromkeys(("characters:cast", "characters:cast-print"), MEMBERS),
    "characters:meetings": STORYTELLER,
    # Ilya, one who is hidden, one who is not in the fight, and one whom the other player's character has met.
    "characters:face": [MEMBERS, UNKNOWN, UNKNOWN, HERS],
    "characters:face-edit": [{**STORYTELLER, "storyteller": "404"}, UNKNOWN, UNKNOWN, HER_STORYTELLERS],
    "characters:tell-name": [{**STORYTELLER, "storyteller": "404"}, UNKNOWN, UNKNOWN, HER_STORYTELLERS],
    "characters:ties": MEMBERS,
    "characters:tie-add": PLAYERS,
    # The other player's character's, to somebody whom she doesn't know, and to the one she has met.
    "characters:tie": [UNKNOWN, HERS],
    "characters:tie-settle": [UNKNOWN, HERS],
    "characters:tie-delete": [UNKNOWN, HERS],
    "characters:gear": STORYTELLER,
    "characters:gear-add": STORYTELLER,
    "characters:gear-edit": STORYTELLER,
    "characters:gear-delete": STORYTELLER,
    "characters:gear-export": STORYTELLER,
    "characters:gear-import": STORYTELLER,
    "characters:templates": UNKNOWN,
    "characters:template-add": UNKNOWN,
    "characters:template-edit": UNKNOWN,
    "characters:template-delete": UNKNOWN,
    "characters:template-grow": UNKNOWN,
    "combat:create": STORYTELLER,
    "combat:rolls": MEMBERS,
    "combat:time": STORYTELLER,
    # A fight that is going on, a draft, and one that is over.
    "combat:encounter": [MEMBERS, UNKNOWN, MEMBERS],
    "combat:edit": [STORYTELLER, UNKNOWN],
    "combat:move": [STORYTELLER, UNKNOWN],
    "combat:copy": [STORYTELLER, UNKNOWN],
    "combat:discard": [STORYTELLER, UNKNOWN],
    "combat:cast": [STORYTELLER, UNKNOWN],
    "combat:keys": [STORYTELLER, UNKNOWN],
    "combat:notes": [STORYTELLER, UNKNOWN],
    "combat:suggestions": [STORYTELLER, UNKNOWN],
    "combat:prepare": [STORYTELLER, UNKNOWN],
    "combat:revise": [STORYTELLER, UNKNOWN],
    "combat:forecast": [STORYTELLER, UNKNOWN],
    "combat:forecast-results": [STORYTELLER, UNKNOWN],
    "combat:forecast-stop": [STORYTELLER, UNKNOWN],
    "combat:forecast-fight": [STORYTELLER, UNKNOWN],
    "combat:report": [MEMBERS, UNKNOWN, MEMBERS],
    "combat:report-markdown": [MEMBERS, UNKNOWN, MEMBERS],
    "combat:entries": [MEMBERS, UNKNOWN, MEMBERS],
    "combat:log": [STORYTELLER, UNKNOWN, STORYTELLER],
    "combat:dice": MEMBERS,
    "story:timeline": MEMBERS,
    "story:search": MEMBERS,
    "story:statistics": MEMBERS,
    "combat:wall-link": STORYTELLER,
    "combat:show": STORYTELLER,
    "combat:shown": [MEMBERS, UNKNOWN],
    "combat:wall-clear": STORYTELLER,
    "combat:wall-close": STORYTELLER,
    "combat:wall": [ANYBODY, dict.fromkeys(ROLES, "404")],
    "combat:wall-shown": [ANYBODY, dict.fromkeys(ROLES, "404")],
    "combat:wall-picture": [ANYBODY, dict.fromkeys(ROLES, "404"), dict.fromkeys(ROLES, "404")],
    "combat:wall-since": [ANYBODY, dict.fromkeys(ROLES, "404")],
    "combat:portrait": [MEMBERS, UNKNOWN, UNKNOWN],
    "combat:wall-portrait": [ANYBODY, dict.fromkeys(ROLES, "404"), dict.fromkeys(ROLES, "404")],
    "combat:attack": [MEMBERS, UNKNOWN],
    "combat:attack-plan": [MEMBERS, UNKNOWN],
    "combat:somebody": STORYTELLER,
    "story:have-read": MEMBERS,
    "story:export": STORYTELLER,
    "story:import": SIGNED_IN,
    **dict.fromkeys(("story:transfer", "story:transfer-part", "story:transfer-cancel", "story:transfer-file"), UNKNOWN),
    "story:sessions": MEMBERS,
    "story:announce": STORYTELLER,
    "story:session": MEMBERS,
    "story:answer": PLAYERS,
    **dict.fromkeys(("story:edit-session", "story:stage", "story:end-session", "story:awards"), STORYTELLER),
    **dict.fromkeys(("story:prepare", "story:item"), STORYTELLER),
}
"""Who may open each route: one value per place in `tests.world`, or one for all of them."""
WRITTEN = {
    **dict.fromkeys(
        ("declare", "delay", "abort", "full-defence", "answer", "resolve", "roll", "roll-on", "spend", "heal"),
        "members",
    ),
    **dict.fromkeys(("action", "hold-over", "fresh-start", "sheet-roll"), "members"),
    **dict.fromkeys(("initiative", "surprise", "circumstances", "describe", "initiative-mode"), "storyteller"),
    **dict.fromkeys(("default-defence",), "members"),
    **dict.fromkeys(("arm", "regain"), "storyteller"),
    **dict.fromkeys(("choose-side", "bring-in"), "lever"),
    **dict.fromkeys(("send-back",), "storyteller"),
    **dict.fromkeys(("approve", "clock"), "lever"),
    **dict.fromkeys(("mishap", "damage", "boxes", "conditions", "in-hand", "narrate", "ending"), "storyteller"),
    **dict.fromkeys(("show-roll", "hide-roll", "group", "ungroup"), "lever"),
    **dict.fromkeys(
        ("override", "order", "visibility", "hide", "show", "leave", "back", "add", "ending"), "storyteller"
    ),
    **dict.fromkeys(("begin", "pause", "resume", "end", "act", "next-turn", "end-turn", "undo", "redo"), "lever"),
    **dict.fromkeys(("join", "move", "health-shown"), "lever"),
    **dict.fromkeys(("attack", "withdraw", "reload", "clear-jam", "handle", "give-up", "let-go", "end-power"), "press"),
}
"""Each command: whether members may open its form, or Storytellers alone; those without one are pressed, by
Storytellers alone ("lever") or by members too ("press"). What declares all that it asks for needs no row."""


def derived() -> dict[str, str]:
    """The rows of commands that are asked for by what they declare."""
    rows = {}
    for name, form in endpoints().items():
        if issubclass(form, AskedForm):
            declared = command_type(form.becomes)
            page, players = form.asked.page, declared.acts_for is not None
            rows[name] = ("members" if page else "press") if players else ("storyteller" if page else "lever")
    return rows


def rows_of_commands() -> dict[str, str]:
    """The rows of all commands."""
    return {**derived(), **WRITTEN}


def without_a_row() -> set[str]:
    """The commands that nobody has thought about."""
    return endpoints().keys() - rows_of_commands().keys()


COMMANDS = rows_of_commands()
FORMS = {"members": MEMBERS, "storyteller": STORYTELLER, "lever": NO_DOOR, "press": NO_DOOR}
MEANS: list[tuple[str, dict[str, str], bool]] = [
    *(("get", {}, True), ("post", {}, True)),
    *(("get", HTMX, False), ("head", {}, False), ("post", HTMX, False)),
]
"""How each address is asked for: plainly, by htmx, for its headers alone; and whether its page is drawn for it too,
which takes most of the time and lets nobody in."""
OF_COMMANDS = {"combat:since", "combat:do", "combat:form"}


@pytest.fixture
@kept
def world(fight: Table, characters: dict[str, Any], people: dict[str, Any]) -> World:
    return build(fight, characters, people)


def came(answer: Any) -> str:
    """The outcome of a request: "open", "login", "403", "404", or "405" if the method is not allowed."""
    assert answer.status_code < 500
    if answer.status_code == 302 and answer["Location"].startswith(reverse("campaigns:sign-in")):
        return "login"
    if answer.status_code == 401:
        return "login"  # a partial page, with a message of its own
    return str(answer.status_code) if answer.status_code in (403, 404, 405) else "open"


def rows() -> dict[str, Any]:
    """All that the product keeps, to see that nothing changed."""
    ours = [
        model
        for app in ("campaigns", "characters", "combat", "story")
        for model in apps.get_app_config(app).get_models()
    ]
    # Who is signed in, and since when, is the test's own doing.
    return {
        model.__name__: list(
            model.objects.order_by("pk").values(
                *(each.attname for each in model._meta.fields if each.name != "last_login")
            )
        )
        for model in ours
        if model is not SignIn
    }


def undone(send: Any, *arguments: Any, **more: Any) -> Any:
    """The answer to a request whose consequences are taken back."""
    with transaction.atomic():
        answer = send(*arguments, **more)
        transaction.set_rollback(True)
    return answer


def test_every_route_has_its_row() -> None:
    ours = {route for route in routes() if not route.startswith("admin:")}
    assert ours == set(TABLE) | OF_COMMANDS
    assert without_a_row() == set()
    assert WRITTEN.keys() <= endpoints().keys()


def test_a_form_without_a_row_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(commanding._posted, "cheat", CommandForm)
    assert without_a_row() == {"cheat"}


def test_rows_that_follow_from_declarations_are_those_that_were_written() -> None:
    """Some of these are written too: what was once thought about stays so."""
    rows = derived()
    assert len(rows.keys() & WRITTEN.keys()) > 10
    assert {name: rows[name] for name in rows.keys() & WRITTEN.keys()} == {
        name: WRITTEN[name] for name in rows.keys() & WRITTEN.keys()
    }


@pytest.mark.parametrize("who", ROLES)
def test_who_gets_in(world: World, who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, surprises, client = rows(), [], world.client(who)
    for route, found in places(world).items():
        for number, arguments in enumerate(found):
            expected = _expected(world, route, number, arguments)[who]
            address = reverse(route, args=arguments)
            # All commands share one view per method, so only every eighth is tried with the other methods.
            means = MEANS if route not in OF_COMMANDS or number % 8 == 0 else MEANS[:2]
            for method, headers, drawn in means:
                with monkeypatch.context() as patch:
                    if not drawn:
                        patch.setattr("django.template.backends.django.Template.render", lambda *_, **_more: "")
                    answer = undone(getattr(client, method), address, headers=headers)
                if came(answer) not in (expected, "405") and not _known(route, method, came(answer), who):
                    surprises.append((method, headers, address, answer.status_code, expected))
            if route == "campaigns:sign-out":
                client = world.client(who)
    assert surprises == []
    assert rows() == before


def _expected(world: World, route: str, number: int, arguments: tuple[Any, ...]) -> dict[str, str]:
    if route in OF_COMMANDS:
        drafted = arguments[0] == world.ids["draft"]
        row = FORMS[COMMANDS[arguments[1]]] if route == "combat:form" else MEMBERS
        row = row if row is NO_DOOR else UNKNOWN if drafted else row
        # These two are asked by scripts: a page to sign in is no answer.
        return row | ({} if route == "combat:form" else {"guest": "404"}) | _no_form(route, arguments)
    row = TABLE[route]
    return row[number] if isinstance(row, list) else row


def _no_form(route: str, arguments: tuple[Any, ...]) -> dict[str, str]:
    return {"storyteller": "404"} if route == "combat:form" and FORMS[COMMANDS[arguments[1]]] is NO_DOOR else {}


def _known(route: str, method: str, how: str, who: str) -> bool:
    """Refusals behind the door: commands that are no player's, a fight that is no draft, a sheet locked by a fight."""
    if route == "combat:do" and who == "guest":
        return how == "login"  # 401: the page that pressed says that one is signed out
    if route == "combat:do":
        return how == "403" and who in ("player", "other_player", "observer")
    locked = {"combat:discard": ("storyteller",), "characters:edit": ("player", "other_player")}
    return method == "post" and how == "403" and who in locked.get(route, ())


@pytest.mark.parametrize("who", ["player", "other_player", "observer"])
def test_nobody_commands_for_others(world: World, who: str) -> None:
    """Forged posts with all that only Storytellers say: each command for the hidden one, and in turn for the others."""
    fight, client = world.fight, world.client(who)
    mine = {"player": "Ilya", "other_player": "Marguerite"}.get(who, "")
    fight.do(ProposeAttack("ask", Attack(fight["Thug 1"], (fight["Ilya" if mine != "Ilya" else "Marguerite"],))))
    fight.do(RollTraits(fight["Thug 1"], ("wits",), extended=Extended("long", 50)))
    before = rows()
    for number, victim in enumerate(others := [*sorted(fight.ids.keys() - {mine, SECRET}), SECRET]):
        whose = fight[victim]
        said = {
            "who": whose,
            "at": fight["Thug 2"],
            "weapon": "unarmed",
            "amount": "1",
            "type": "lethal",
            "resource": "blood",
            "traits": "wits",
            "roll": "long",
            "text": "Hm.",
            "pay": "point",
            "exchange": "ask",
            "word": "No.",
            "stop": f"ask {fight['Ilya' if mine != 'Ilya' else 'Marguerite']}",
            "defence": "dodge",
            "target": whose,
            "kind": "dodge",
            "resolution": "r1",
            "bashing": "0",
            "lethal": "0",
            "aggravated": "1",
            "health_shown": "boxes",
            "waive": "MQ-ORDER-1",
            "why": "I want it",
            "secret": "on",
            "strike": "base",
            "dice": "type",
            "by": "-3",
            "character": world.ids["character"],
            "players": "on",
            "key": "forged",
        }
        for name in COMMANDS if victim == SECRET else [*COMMANDS][number :: len(others) - 1]:
            weapons = {"weapon": f"{whose} unarmed"} if name in ("reload", "clear-jam") else {}
            weapons |= {"weapon": f"draw {whose} unarmed"} if name == "handle" else {}
            answer = client.post(reverse("combat:do", args=[fight.encounter_id, name]), said | weapons)
            assert answer.status_code in (403, 422), (name, victim)
    assert rows() == before


def test_a_waiver_and_typed_dice_of_others_are_no_players(world: World) -> None:
    """For their own character, with what is the Storyteller's: it counts for nothing, or is forbidden."""
    fight, client = world.fight, world.client("player")
    address = reverse("combat:do", args=[fight.encounter_id, "roll"])
    said = {"who": fight["Ilya"], "traits": ["wits"], "secret": "on", "extra": "20", "dice": "type", "key": "k"}
    said |= {
        f"die-roll-{fight['Ilya']}": ["10"] * 3,
        "against": fight["Thug 1"],
        "against_first": "strength",
        "kind": "resisted",
    }
    said |= {f"die-resist-{fight['Thug 1']}": ["1"] * 2, "by_hand_asked": "on", "by_hand": list(fight.ids.values())}
    client.post(address, said)
    (entry, *_before) = fight.view("table").log.entries
    (roll,) = entry.rolls
    assert (roll.pool, roll.name) == (3, "Ilya")
    faces = [event.resisted.roll.faces for event in _events(fight) if isinstance(event, TraitsRolled)]
    assert len(faces) == 1  # the thug's, rolled by the server although faces were typed
    before = rows()
    plain = {"who": fight["Ilya"], "text": "First!", "waive": "MQ-DECL-1", "out_of_order": "on", "key": "l"}
    fight.do(RollInitiative())
    after = rows()
    assert before != after
    answer = client.post(reverse("combat:do", args=[fight.encounter_id, "declare"]), plain)
    assert answer.status_code in (302, 422)
    assert not [event for event in _events(fight) if isinstance(event, RulesWaived)]


def _events(fight: Table) -> list[Any]:
    from combat.log.rows import rows_of

    return [event for row in rows_of(fight.encounter) for event in row.events]


def test_the_admin_is_for_staff(world: World) -> None:
    """Every admin page, with any id: users who aren't staff get a 404, as for any unknown address."""
    tried, clients = 0, [world.client(who) for who in ("storyteller", "stranger", "guest")]
    for route in {each for each in routes() if each.startswith("admin:")}:
        for arguments in ((), ("1",), ("1", "1"), ("characters",)):
            try:
                address = reverse(route, args=arguments)
            except NoReverseMatch:
                continue
            tried += 1
            for client in clients:
                assert client.get(address).status_code == client.post(address).status_code == 404, address
    assert tried > 20
    assert all(client.get("/admin/nothing-of-the-kind/").status_code == 404 for client in clients)


def test_ids_of_one_chronicle_open_nothing_in_another(world: World) -> None:
    """A Storyteller elsewhere puts these ids behind the id of a chronicle of their own."""
    client = world.client("elsewhere")
    before = rows()
    for route, found in places(world).items():
        for arguments in found:
            if (
                len(arguments) < 2
                or arguments[0] != world.chronicle.pk
                or route.endswith(("gear-add", "gear-export", "gear-import"))
            ):
                continue
            address = reverse(route, args=(world.ids["elsewhere"], *arguments[1:]))
            for answer in (client.get(address), client.post(address, {"role": "player"})):
                assert answer.status_code in (404, 405), address
    assert rows() == before


def test_what_is_hidden_answers_as_what_never_was(world: World) -> None:
    """By the id that there is, and by one that nobody has: the same page, byte for byte, but for what was asked."""
    hidden = {
        "characters:sheet": (world.ids["hidden character"],),
        "campaigns:page": (world.chronicle.pk, world.ids["secret note"]),
        "combat:encounter": (world.ids["draft"],),
        "combat:report": (world.ids["draft"],),
    }
    for who in ("player", "stranger"):
        client = world.client(who)
        for route, arguments in hidden.items():
            never = (*arguments[:-1], "zzzzzzzzzz")
            there, nowhere = (client.get(reverse(route, args=each)) for each in (arguments, never))
            assert there.status_code == nowhere.status_code == 404
            told = plain(there.content.decode()).replace(arguments[-1], "")
            assert told == plain(nowhere.content.decode()).replace(never[-1], ""), (who, route)


def test_a_token_opens_its_own_door_and_no_other(world: World) -> None:
    """A wall's link doesn't join a chronicle, an invitation doesn't open a wall, and neither is an id."""
    client, tokens = world.client("guest"), (world.ids["wall"], world.ids["token"])
    fight = world.fight.encounter_id
    assert client.get(reverse("campaigns:join", args=[tokens[0]])).status_code == 404
    assert client.get(reverse("combat:wall", args=[tokens[1]])).status_code == 404
    assert client.get(reverse("combat:wall-since", args=[tokens[1], fight, 0])).status_code == 404
    for hidden in (world.ids["draft"], world.ids["rolls"]):
        assert client.get(reverse("combat:wall-since", args=[tokens[0], hidden, 0])).status_code in (404, 409)
    stranger = world.client("stranger")
    open_to_all = {
        route for route, row in TABLE.items() if row == ANYBODY or row == [ANYBODY, dict.fromkeys(ROLES, "404")]
    }
    for route, found in places(world).items():
        if found[0] and route not in open_to_all | {"campaigns:join"}:
            for token in tokens:
                arguments = tuple(token if isinstance(each, str) else each for each in found[0])
                try:
                    address = reverse(route, args=arguments)
                except NoReverseMatch:
                    continue
                assert stranger.get(address).status_code in (404, 405), address


def test_nobody_of_another_chronicle_is_brought_into_a_fight(world: World) -> None:
    """Ids of elsewhere in a form's fields: refused, and nothing changed."""
    from characters.models import Character

    theirs = Character.objects.create(chronicle_id=world.ids["elsewhere"], name="Theirs", kind="mortal")
    client, before = world.client("storyteller"), rows()
    for name, said in (
        ("join", {"character": theirs.pk}),
        ("add", {"character": theirs.pk, "who": theirs.pk, "name": theirs.pk}),
        ("roll", {"who": theirs.pk, "traits": "wits"}),
        ("damage", {"who": theirs.pk, "amount": "1", "type": "lethal"}),
    ):
        answer = client.post(reverse("combat:do", args=[world.fight.encounter_id, name]), said | {"key": "k"})
        assert answer.status_code in (403, 404, 422), name
    hand_over = reverse("characters:hand-over", args=[world.ids["character"]])
    assert client.post(hand_over, {"owner": world.people["elsewhere"].pk}).status_code in (403, 404, 422)
    assert rows() == before
