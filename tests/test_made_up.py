"""A made-up command, event and condition in a single module work everywhere without another line of code.

`tests/made_up/bragging.py` is what an engineer would write. It has menu entries, a form, permissions, validation and
log texts, and is playable from a scenario (`tests/rules/scenario/test_made_up.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from secrets import token_hex
from types import ModuleType
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import translation

from combat.panes import versions
from combat.secrecy.access import audience_of
from combat.web.forms.endpoints import endpoints
from rules.engine.inputs import Asked
from rules.engine.messages import COMMANDS, EVENTS, Command, command, declared_here
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation
from rules.model.conditions import Condition, conditions, declare
from rules.model.gear import Damage
from rules.topics.commands import ChangeConditions, EndTurn, Harm, Pause, RollTraits
from tests.combat.conftest import SECRET, Table, characters, draft, fight, signed_in
from tests.made_up import imported
from tests.test_permissions import FORMS, MEMBERS, STORYTELLER, rows_of_commands, without_a_row
from tests.world import HTMX

__all__ = ["characters", "draft", "fight", "signed_in"]  # fixtures

pytestmark = pytest.mark.django_db

LIMITS = "Kills claimed: enter a whole number from 1 to 5."


@pytest.fixture(autouse=True)
def bragging() -> Iterator[ModuleType]:
    with imported() as module:
        yield module


@pytest.fixture
def send(fight: Table, signed_in: Callable[[Any], Any]) -> Callable[..., Any]:
    """send(user, "brag", kills=3) -> the response to a form, for Ilya unless somebody else is given."""

    def post(user: Any, name: str = "brag", **fields: Any) -> Any:
        said = {"who": fight["Ilya"], "key": token_hex(8)} | fields
        return signed_in(user).post(reverse("combat:do", args=[fight.encounter_id, name]), said, headers=HTMX)

    return post


def test_a_test_s_declarations_are_removed_afterwards() -> None:
    before = dict(COMMANDS), dict(EVENTS), conditions()
    assert {"Brag", "Hush"} <= COMMANDS.keys()
    with declared_here():
        declare(Condition("boastful", phrase("boastful")))

        @command(phrase("boast"), asked=Asked())
        @dataclass(frozen=True, slots=True)
        class Boast(Command):
            """A command without a `@decides` function."""

        assert "boast" in endpoints()
    assert (dict(COMMANDS), dict(EVENTS), conditions()) == before
    assert "boast" not in endpoints()


# ------------------------------------------------------------------ offered


def test_it_is_offered_among_what_somebody_can_do(fight: Table, player: Any, signed_in: Any) -> None:
    (sheet,) = fight.view(player).me.sheets
    offered = sheet.may("brag")
    assert (offered.label, offered.allowed, offered.form, offered.press) == ("Brag", True, "brag", False)
    page = signed_in(player).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert f"{form_url(fight)}?who={fight['Ilya']}" in page
    assert sheet.may("hush") is None


def test_it_is_offered_to_the_storyteller_of_everybody(fight: Table, storyteller: Any, signed_in: Any) -> None:
    page = signed_in(storyteller).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    for who in fight.ids.values():
        assert f"{form_url(fight)}?who={who}" in page


def test_it_says_why_it_cannot_be_done(fight: Table, player: Any) -> None:
    fight.do(Harm(fight["Ilya"], 7, Damage.LETHAL))
    offered = fight.view(player).me.sheets[0].may("brag")
    assert offered.refusal.message
    assert offered.refusal.rule == "MQ-HEALTH-1"


# ------------------------------------------------------------------ formed, and within its limits


def form_url(fight: Table, name: str = "brag") -> str:
    return reverse("combat:form", args=[fight.encounter_id, name])


def test_its_form_is_drawn(fight: Table, player: Any, signed_in: Any) -> None:
    page = signed_in(player).get(form_url(fight), {"who": fight["Ilya"]}, headers=HTMX).content.decode()
    assert "Brag" in page
    assert "Kills claimed" in page
    for part in (
        'name="kills"',
        'min="1"',
        'max="5"',
        "Type dice",
        reverse("combat:do", args=[fight.encounter_id, "brag"]),
    ):
        assert part in page


@pytest.mark.parametrize("kills", ["0", "6", "many"])
def test_its_number_has_limits(fight: Table, player: Any, send: Any, kills: str) -> None:
    before = fight.encounter.seq
    answer = send(player, kills=kills)
    assert answer.status_code == 422
    assert LIMITS in answer.content.decode()
    assert fight.encounter.seq == before


def test_the_rules_know_the_limits_without_a_form(fight: Table, bragging: ModuleType) -> None:
    with pytest.raises(RuleViolation, match=LIMITS):
        fight.do(bragging.Brag(fight["Ilya"], 6))


# ------------------------------------------------------------------ permitted


def test_its_rows_in_the_table_of_permissions_are_derived() -> None:
    rows = rows_of_commands()
    assert (FORMS[rows["brag"]], FORMS[rows["hush"]]) == (MEMBERS, STORYTELLER)
    assert without_a_row() == set()


@pytest.mark.parametrize(
    ("who", "brag", "hush"),
    [
        ("storyteller", 200, 200),
        ("player", 200, 403),
        ("other_player", 422, 403),
        ("observer", 422, 403),
        ("stranger", 404, 404),
    ],
)
def test_whoever_plays_somebody_brags_for_them(
    fight: Table, people: dict[str, Any], send: Any, who: str, brag: int, hush: int
) -> None:
    before = fight.encounter.seq
    answers = send(people[who], kills=3).status_code, send(people[who], "hush").status_code
    assert answers == (brag, hush)
    assert fight.encounter.seq == before + answers.count(200)


def test_nobody_is_forged_into_it(fight: Table, bragging: ModuleType, other_player: Any) -> None:
    with pytest.raises(PermissionDenied):
        fight.do(bragging.Brag(fight["Ilya"], 3), by=other_player)
    with pytest.raises(PermissionDenied):
        fight.do(bragging.Hush(fight["Marguerite"]), by=other_player)


def test_what_a_player_does_is_never_stale_and_what_the_storyteller_says_is(
    fight: Table, storyteller: Any, player: Any, send: Any
) -> None:
    version = versions.version_of(
        fight.encounter, audience_of(fight.encounter.chronicle.memberships.get(user=storyteller))
    )
    assert send(player, kills=3, version=0).status_code == 200
    stale = send(storyteller, "hush", version=version)
    assert stale.status_code == 409
    assert "try again" in stale.content.decode()


def test_it_needs_a_running_fight(fight: Table, bragging: ModuleType) -> None:
    fight.do(Pause())
    with pytest.raises(RuleViolation, match="isn’t running"):
        fight.do(bragging.Brag(fight["Ilya"], 3))


# ------------------------------------------------------------------ told, taken back


def told(fight: Table, reader: Any) -> str:
    return "".join(span.text for span in fight.view(reader).log.entries[0].lines[0])


def test_the_log_tells_it_with_its_dice(fight: Table, bragging: ModuleType, player: Any, other_player: Any) -> None:
    fight.do(bragging.Brag(fight["Ilya"], 3))  # 8, 3, 7
    for reader in (player, other_player, "table"):
        assert told(fight, reader) == "Ilya claims 3 kills, and 2 of them are believed."
    (roll,) = fight.view(player).log.entries[0].rolls
    assert (roll.name, roll.pool, [die.face for die in roll.dice]) == ("Ilya", 3, [8, 3, 7])
    assert [(part.label, part.dice) for part in roll.parts] == [("Kills claimed", 3)]


def test_nobody_learns_of_the_unseen_by_it(fight: Table, bragging: ModuleType, player: Any) -> None:
    fight.do(bragging.Brag(fight[SECRET], 3))
    assert not any(
        "claims" in span.text for each in fight.view(player).log.entries for line in each.lines for span in line
    )
    assert told(fight, "storyteller").startswith(SECRET)


def test_an_entry_of_the_catalogue_says_it_in_german(
    fight: Table, bragging: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    german = {
        "{by} claims {kills} kills, and {believed} of them are believed.": "{by} will {kills} Leute erlegt haben.",
        "Kills claimed": "Behauptete Opfer",
    }
    fight.do(bragging.Brag(fight["Ilya"], 3))
    monkeypatch.setattr("campaigns.words.template", lambda _locale, key, _number: german.get(key, key))
    with translation.override("de"):
        assert told(fight, "table") == "Ilya will 3 Leute erlegt haben."
        assert str(endpoints()["brag"].base_fields["kills"].label) == "Behauptete Opfer"


def test_typed_dice_are_asked_for_and_used(fight: Table, player: Any, send: Any) -> None:
    asked = send(player, kills=3, dice="type")
    field = f"die-roll-{fight['Ilya']}"
    assert asked.status_code == 422
    assert asked.content.decode().count(f'name="{field}"') == 3
    assert send(player, kills=3, dice="type", **{field: ["10", "9", "6"]}).status_code == 200
    (roll,) = fight.view(player).log.entries[0].rolls
    assert [die.face for die in roll.dice] == [10, 9, 6]


def test_it_is_taken_back_and_brought_back(fight: Table, storyteller: Any, player: Any, send: Any) -> None:
    shown = fight.state.combatants[fight["Ilya"]].dice_shown
    assert send(player, kills=3).status_code == 200
    assert fight.state.combatants[fight["Ilya"]].dice_shown is True is not shown
    assert fight.view("storyteller").bar.undo == "brag"
    assert send(storyteller, "undo").status_code == 200
    assert fight.state.combatants[fight["Ilya"]].dice_shown == shown
    assert fight.view("storyteller").bar.redo == "brag"
    assert fight.view(player).log.entries[0].undone
    assert send(storyteller, "redo").status_code == 200
    assert fight.state.combatants[fight["Ilya"]].dice_shown


# ------------------------------------------------------------------ the condition


def smug(fight: Table, *, gone: bool = False) -> None:
    keys = frozenset({"smug"})
    fight.do(ChangeConditions(fight["Ilya"], **{"remove" if gone else "add": keys}))


def chips(fight: Table, reader: Any) -> list[str]:
    (row,) = (row for row in fight.view(reader).order.rows() if row.id == fight["Ilya"])
    return [each.label for each in row.conditions]


def test_the_storyteller_is_offered_it_and_sets_it(
    fight: Table, storyteller: Any, signed_in: Any, send: Callable[..., Any]
) -> None:
    form = signed_in(storyteller).get(form_url(fight, "conditions"), {"who": fight["Ilya"]}, headers=HTMX)
    page = form.content.decode()
    assert 'value="smug"' in page
    assert "insufferably smug" in page
    assert 'value="doubted"' not in page
    assert send(storyteller, "conditions", have=["smug"], other="doubted").status_code == 200
    assert fight.state.combatants[fight["Ilya"]].conditions == {"smug", "doubted"}


@pytest.mark.parametrize("who", ["player", "other_player", "observer"])
def test_nobody_else_sets_it(fight: Table, people: dict[str, Any], send: Callable[..., Any], who: str) -> None:
    assert send(people[who], "conditions", have=["smug"]).status_code == 403
    with pytest.raises(PermissionDenied):
        fight.do(ChangeConditions(fight["Ilya"], frozenset({"smug"})), by=people[who])
    assert not fight.state.combatants[fight["Ilya"]].conditions


def test_panes_show_it_and_the_log_tells_it(fight: Table, player: Any, other_player: Any) -> None:
    smug(fight)
    for reader in ("storyteller", "table", player, other_player):
        assert chips(fight, reader) == ["insufferably smug"]
        assert told(fight, reader) == "Ilya is insufferably smug."
    smug(fight, gone=True)
    for reader in ("storyteller", "table", player, other_player):
        assert chips(fight, reader) == []
        assert told(fight, reader) == "Ilya is no longer insufferably smug."


def test_both_say_it_in_german(fight: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    smug(fight)
    with translation.override("de"):
        german = {"insufferably smug": "unerträglich selbstzufrieden"}
        monkeypatch.setattr("campaigns.words.template", lambda _locale, key, _number: german.get(key, key))
        assert chips(fight, "table") == ["unerträglich selbstzufrieden"]
        assert told(fight, "table") == "Ilya ist unerträglich selbstzufrieden."


def test_whoever_is_in_it_does_not_act(fight: Table, bragging: ModuleType, player: Any) -> None:
    smug(fight)
    with pytest.raises(RuleViolation, match=r"Ilya is insufferably smug and can’t act\."):
        fight.do(bragging.Brag(fight["Ilya"], 3))
    offered = fight.view(player).me.sheets[0].may("brag")
    assert offered.refusal
    assert offered.refusal.message == "Ilya is insufferably smug and can’t act."


def test_its_dice_and_its_difficulty_count(fight: Table, player: Any) -> None:
    fight.do(ChangeConditions(fight["Ilya"], frozenset({"doubted"})))
    fight.do(RollTraits(fight["Ilya"], ("strength", "brawl")))
    (roll,) = fight.view(player).log.entries[0].rolls
    assert roll.difficulty == 8
    assert ("Doubted", 2) in [(part.label, part.difficulty) for part in roll.parts]


def test_it_ends_as_it_says(fight: Table, player: Any) -> None:
    fight.do(ChangeConditions(fight["Ilya"], frozenset({"smug", "doubted"})))
    fight.do(EndTurn())
    assert fight.state.combatants[fight["Ilya"]].conditions == {"doubted"}
    lines = ["".join(span.text for span in line) for line in fight.view(player).log.entries[0].lines]
    assert "Ilya is no longer insufferably smug." in lines


def test_it_is_undone_and_redone(fight: Table, storyteller: Any, send: Callable[..., Any]) -> None:
    smug(fight)
    assert send(storyteller, "undo").status_code == 200
    assert chips(fight, "table") == []
    assert send(storyteller, "redo").status_code == 200
    assert chips(fight, "table") == ["insufferably smug"]
