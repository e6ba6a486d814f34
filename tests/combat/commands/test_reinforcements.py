"""Reinforcements: prepared beside a fight, brought in with one press, and waiting again once that is undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from campaigns import bins
from characters.models import Character, Template
from characters.tables import load
from combat.commands import drafts, perform
from combat.commands.copying import copy_encounter
from combat.commands.newcomers import Shown, Wanted
from combat.commands.reinforcements import MOST_WAITING, Prepared, bring_in, prepare
from combat.log import rows
from combat.models import Encounter, LogRow, Reinforcement
from combat.panes import StorytellerView, versions
from combat.web.forms.reinforcements import MOST_GROUPS
from rules.engine.violations import RuleViolation
from rules.model.gear import Damage
from rules.model.state import Combatant
from rules.topics.commands import End, Harm, RollInitiative
from tests.combat.conftest import SECRET, Table, make_character

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def save(signed_in: Callable[[Any], Any], storyteller: Any) -> Callable[..., Any]:
    """save(table, words) -> the answer to the Storyteller's form for new reinforcements."""

    def send(table: Table, words: str, label: str = "Second wave", **said: Any) -> Any:
        address = reverse("combat:prepare", args=[table.encounter_id])
        return signed_in(storyteller).post(address, {"label": label, "words": words} | said, **HTMX)

    return send


@pytest.fixture
def press(signed_in: Callable[[Any], Any], storyteller: Any) -> Callable[..., Any]:
    """press(table) -> the answer to “Bring in” on what waits, or was prepared last."""

    def send(table: Table, row: Any = None, key: str = "") -> Any:
        row = row or Reinforcement.objects.filter(encounter=table.encounter_id).last()
        address = reverse("combat:do", args=[table.encounter_id, "bring-in"])
        return signed_in(storyteller).post(address, {"reinforcement": row.pk, "key": key}, **HTMX)

    return send


def waiting(table: Table) -> list[str]:
    view = table.view("storyteller")
    assert isinstance(view, StorytellerView)
    return [each.label for each in view.reinforcements.waiting]


def newest(table: Table, count: int) -> list[Combatant]:
    return list(table.state.combatants.values())[-count:]


def names(table: Table) -> list[str]:
    return [each.sheet.name for each in table.state.combatants.values()]


# ------------------------------------------------------------------ one press, one entry, one undo


def test_a_wave_is_brought_in_and_waits_again_once_that_is_undone(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], storyteller: Any
) -> None:
    load()
    before = names(fight)
    assert save(fight, "3 soldiers, clubs\nthug?", mask="a shape", side="others", health_shown="nothing").content == b""
    assert (names(fight), waiting(fight)) == (before, ["Second wave"])
    seq = fight.encounter.seq
    assert press(fight).status_code == 200
    assert fight.encounter.seq == seq + 1
    assert waiting(fight) == []
    joined = newest(fight, 4)
    assert [each.sheet.name for each in joined] == ["Soldier 1", "Soldier 2", "Soldier 3", "Thug 3"]
    assert [each.mask for each in joined] == ["a shape 1", "a shape 2", "a shape 3", "a shape 4"]
    assert [each.hidden for each in joined] == [False, False, False, True]
    assert {each.chosen_side for each in joined} == {"others"}
    assert {each.health_shown for each in joined} == {"nothing"}
    assert joined[0].sheet.weapons[0].name == "Club"
    assert len({each.band for each in joined[:3]}) == 1
    entry = fight.view("table").log.entries[0]
    assert all(f"a shape {number}" in repr(entry.lines).lower() for number in (1, 2, 3))
    assert "Soldier" not in repr(entry)
    perform.undo(encounter_id=fight.encounter_id, actor=storyteller)
    assert (names(fight), waiting(fight)) == (before, ["Second wave"])
    assert press(fight).status_code == 200
    perform.undo(encounter_id=fight.encounter_id, actor=storyteller)
    perform.redo(encounter_id=fight.encounter_id, actor=storyteller)
    assert waiting(fight) == []
    assert len(names(fight)) == len(before) + 4


def test_they_join_as_quick_add_lets_them(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], signed_in: Any, storyteller: Any
) -> None:
    """The same combatants and the same entry; in a turn with an order, the same place in it."""
    fight.do(RollInitiative())
    save(fight, "2 dogs?")
    press(fight)
    waited, entry = newest(fight, 2), fight.view("storyteller").log.entries[0]
    order = fight.state.order
    perform.undo(encounter_id=fight.encounter_id, actor=storyteller)
    signed_in(storyteller).post(reverse("combat:do", args=[fight.encounter_id, "add"]), {"words": "2 dogs?"}, **HTMX)
    added = newest(fight, 2)
    assert [replace(each, id="", band="") for each in added] == [replace(each, id="", band="") for each in waited]
    assert fight.state.order == order
    assert fight.view("storyteller").log.entries[0].lines == entry.lines
    assert {one.id for one in added}.isdisjoint(one.id for one in waited)


def test_a_repeated_press_brings_them_in_once(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any]
) -> None:
    before = len(names(fight))
    save(fight, "2 thugs")
    for _press in range(2):
        assert press(fight, key="once").status_code == 200
    assert len(names(fight)) == before + 2
    answer = press(fight, key="another")
    assert answer.status_code == 422
    assert "These reinforcements are no longer waiting." in answer.content.decode()
    assert len(names(fight)) == before + 2


def test_those_of_one_step_are_numbered_together(
    draft: Table, save: Callable[..., Any], press: Callable[..., Any], chronicle: Any
) -> None:
    make_character(chronicle, "Boss")
    save(draft, "2 thugs, \n thugs \n\nBoss\n2 boss")
    assert press(draft).status_code == 200
    assert names(draft)[-6:] == ["Thug 3", "Thug 4", "Thug 5", "Boss", "Boss 2", "Boss 3"]
    boss = next(each for each in draft.state.combatants.values() if each.sheet.name == "Boss")
    assert boss.character


def test_a_template_is_as_it_was_prepared_and_a_character_as_now(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], chronicle: Any
) -> None:
    template = Template.objects.create(chronicle=chronicle, name="Hound", pools={"attack": 6, "health": 4})
    late = make_character(chronicle, "Late")
    save(fight, "2 hounds\nLate")
    template.delete()
    late.traits = late.traits | {"strength": 5}
    late.save()
    assert press(fight).status_code == 200
    *hounds, him = newest(fight, 3)
    assert [each.sheet.pools for each in hounds] == [{"attack": 6, "health": 4}] * 2
    assert (him.character, him.sheet.traits["strength"]) == (late.pk, 5)


def test_a_player_s_character_can_arrive_late(
    chronicle: Any, storyteller: Any, player: Any, save: Callable[..., Any], press: Callable[..., Any]
) -> None:
    make_character(chronicle, "Nell", player)
    made = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The mill")
    table = Table(made.pk, storyteller, {})
    save(table, "Nell", label="The cavalry")
    assert press(table).status_code == 200
    (nell,) = newest(table, 1)
    assert (nell.player, nell.health_shown, nell.chosen_side) == (True, "boxes", None)


# ------------------------------------------------------------------ what is refused, and what stays then


def refused(answer: Any) -> str:
    assert answer.status_code == 422
    said: str = answer.content.decode()
    return said


def test_who_is_there_already_or_gone_is_named_and_the_wave_waits_on(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], chronicle: Any, storyteller: Any
) -> None:
    late = make_character(chronicle, "Late")
    save(fight, "2 thugs\nLate")
    before = names(fight)
    drafts.add_character(encounter_id=fight.encounter_id, actor=storyteller, character=late)
    assert "Late is already in this fight." in refused(press(fight))
    perform.undo(encounter_id=fight.encounter_id, actor=storyteller)
    other = Table(drafts.create_encounter(by=_by(fight), name="The pier").pk, storyteller, {})
    drafts.add_character(encounter_id=other.encounter_id, actor=storyteller, character=late)
    other.begin()
    assert "The pier" in refused(press(fight))
    other.do(End())
    bins.put_in(late)
    assert "Late is no longer in the cast." in refused(press(fight))
    assert (names(fight), waiting(fight)) == (before, ["Second wave"])
    assert Reinforcement.objects.get().joined is None
    bins.restore(by=_by(fight), what="character", row_id=late.pk)
    assert press(fight).status_code == 200


def test_a_full_fight_takes_nobody_and_they_wait(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    save(fight, "3 thugs")
    monkeypatch.setattr(drafts, "MOST_COMBATANTS", 8)
    assert "at most 8" in refused(press(fight))
    assert waiting(fight) == ["Second wave"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "This field is required."),
        ("thugs, teapots", "There is no weapon called “teapots”"),
        ("thugs\n0 dogs", "Add 1 to 20"),
        ("3", "Enter a number and a name"),
        ("2 Ilya", "There is only one Ilya"),
        ("Ilya\nIlya", "Ilya is already in this fight."),
        ("20 dogs\n20 dogs\n20 dogs\n1 dog", "at most 60"),
        ("\n".join(["1 dog"] * (MOST_GROUPS + 1)), "Enter at most 10 lines."),
        ("d" * 101, "Lines can have at most 100 characters."),
    ],
)
def test_what_could_never_join_is_refused_at_once(
    fight: Table, save: Callable[..., Any], words: str, sentence: str
) -> None:
    assert sentence in refused(save(fight, words)).replace("&#x27;", "’")
    assert not Reinforcement.objects.exists()


def test_only_so_many_can_wait(fight: Table, save: Callable[..., Any], press: Callable[..., Any]) -> None:
    one = Reinforcement(encounter=fight.encounter, label="W", words="Thug")
    for number in range(MOST_WAITING):
        one.pk = f"w{number}"
        one.save(force_insert=True)
    assert f"At most {MOST_WAITING} groups" in refused(save(fight, "1 thug"))
    Reinforcement.objects.filter(pk="w0").update(joined=fight.encounter.seq)
    assert save(fight, "1 thug").status_code == 200


def test_unknown_names_are_agreed_to_one_after_the_other(fight: Table, save: Callable[..., Any]) -> None:
    words = "2 bouncers\nAda"
    said = refused(save(fight, words))
    assert 'name="plain" value="Bouncer">Create “Bouncer”</button>' in said
    said = refused(save(fight, words, plain=["Bouncer"]))
    assert '<input type="hidden" name="plain" value="Bouncer">' in said
    assert 'name="plain" value="Ada">Create “Ada”</button>' in said
    assert not Character.objects.filter(name="Bouncer").exists()
    assert save(fight, words, plain=["Bouncer", "Ada"]).status_code == 200
    assert Character.objects.filter(name__in=["Bouncer", "Ada"]).count() == 2
    assert waiting(fight) == ["Second wave"]


# ------------------------------------------------------------------ preparing, changing, deleting


def _by(table: Table) -> Any:
    return table.encounter.chronicle.memberships.get(user=table.storyteller)


def test_the_same_form_sent_twice_is_one_wave(fight: Table, save: Callable[..., Any]) -> None:
    for _press in range(2):
        assert save(fight, "2 thugs", key="once").status_code == 200
    assert waiting(fight) == ["Second wave"]
    save(fight, "2 thugs", key="twice")
    assert len(waiting(fight)) == 2


def test_without_scripts_the_form_is_a_page(
    draft: Table, signed_in: Callable[[Any], Any], storyteller: Any, save: Callable[..., Any]
) -> None:
    client, address = signed_in(storyteller), reverse("combat:prepare", args=[draft.encounter_id])
    home = reverse("combat:encounter", args=[draft.encounter_id])
    assert f'href="{address}"' in client.get(home).content.decode()
    assert "Prepare reinforcements" in client.get(address).content.decode()
    answer = client.post(address, {"label": "Second wave", "words": "2 thugs", "hidden": "on"})
    assert answer["Location"] == home
    page = client.get(home).content.decode()
    assert "Second wave" in page
    assert "2 thugs" in page
    row = Reinforcement.objects.get()
    bring = client.post(
        reverse("combat:do", args=[draft.encounter_id, "bring-in"]), {"reinforcement": row.pk, "key": "k"}
    )
    assert bring["Location"] == home
    assert [each.hidden for each in newest(draft, 2)] == [True, True]
    assert "Second wave" not in client.get(home).content.decode()


def test_one_that_waits_is_changed_or_deleted(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    save(fight, "2 thugs", mask="a shape", hidden="on", side="allies")
    row = Reinforcement.objects.get()
    address, client = reverse("combat:revise", args=[fight.encounter_id, row.pk]), signed_in(storyteller)
    page = client.get(address).content.decode()
    for kept in ('value="Second wave"', ">\n2 thugs</textarea>", 'value="a shape"', "checked", "selected>Allies"):
        assert kept in page, kept
    said = {"label": "Third wave", "words": "1 thug", "version": "1"}
    assert client.post(address, said, **HTMX)["HX-Trigger"] == "vesper:done"
    assert waiting(fight) == ["Third wave"]
    # Another Storyteller's form shows the older one.
    late = client.post(address, said | {"label": "Fourth wave"}, **HTMX)
    assert late.status_code == 422
    assert "Third wave" in late.content.decode()
    assert 'name="version" value="2"' in late.content.decode()
    assert waiting(fight) == ["Third wave"]
    press(fight)
    assert newest(fight, 1)[0].hidden is False
    # What has joined can't be changed any more.
    assert client.get(address).status_code == client.post(address, said).status_code == 404
    perform.undo(encounter_id=fight.encounter_id, actor=storyteller)
    assert client.post(address, {"remove": "1"})["Location"] == reverse("combat:encounter", args=[fight.encounter_id])
    assert waiting(fight) == []
    assert not Reinforcement.objects.exists()
    assert client.post(address, {"remove": "1"}).status_code == 404


def test_a_wave_of_one_fight_is_in_no_other(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    other = Table(drafts.create_encounter(by=_by(fight), name="The pier").pk, storyteller, {})
    save(other, "2 thugs")
    row = Reinforcement.objects.get()
    assert "no longer waiting" in refused(press(fight, row))
    address = reverse("combat:revise", args=[fight.encounter_id, row.pk])
    assert signed_in(storyteller).post(address, {"remove": "1"}).status_code == 404
    assert (waiting(fight), waiting(other)) == ([], ["Second wave"])


@pytest.mark.parametrize("who", ["player", "observer", "stranger"])
def test_it_is_the_storyteller_s(
    fight: Table, save: Callable[..., Any], request: Any, chronicle: Any, storyteller: Any, who: str
) -> None:
    save(fight, "2 thugs")
    row, user = Reinforcement.objects.get(), request.getfixturevalue(who)
    with pytest.raises(PermissionDenied):
        bring_in(encounter_id=fight.encounter_id, actor=user, row_id=row.pk)
    if who != "stranger":
        with pytest.raises(PermissionDenied):
            prepare(
                by=chronicle.memberships.get(user=user),
                encounter_id=fight.encounter_id,
                prepared=Prepared("Mine", "Thug", Shown()),
                meaning=lambda _encounter: [Wanted("Thug")],
            )
    assert waiting(fight) == ["Second wave"]


# ------------------------------------------------------------------ who notices


def test_only_storytellers_notice(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], player: Any, storyteller: Any
) -> None:
    """Their pages get a frame with the pane alone; all others have the same version and view as before."""
    others = ["table", f"player-{player.pk}"]
    before = {each: (versions.version_of(fight.encounter, each), fight.view(each)) for each in others}
    seen, seq = versions.version_of(fight.encounter, "storyteller"), fight.encounter.seq
    save(fight, "2 dogs", label=SECRET)
    assert versions.version_of(fight.encounter, "storyteller") == seen + 1
    assert versions.changed_at(fight.encounter, "storyteller", "reinforcements") == seen + 1
    assert versions.changed_at(fight.encounter, "storyteller", "order") <= seen
    assert fight.encounter.seq == seq
    for each in others:
        assert (versions.version_of(fight.encounter, each), fight.view(each)) == before[each]
    press(fight)
    assert versions.version_of(fight.encounter, "table") == before["table"][0] + 1
    assert SECRET not in repr(fight.view("table"))


def test_the_first_thing_done_in_an_empty_draft_is_noticed_too(
    chronicle: Any, storyteller: Any, save: Callable[..., Any]
) -> None:
    """No audience has a version yet, with which the change could be compared."""
    made = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="The mill")
    table = Table(made.pk, storyteller, {})
    seen = versions.version_of(table.encounter, "storyteller")
    save(table, "2 dogs")
    assert versions.version_of(table.encounter, "storyteller") == seen + 1


def test_a_held_roll_stays_held(
    fight: Table, save: Callable[..., Any], player: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rules.model.roll import RollTraits

    fight.do(RollTraits(fight["Ilya"], ("wits",)), by=player, hold=True)
    assert fight.encounter.held
    save(fight, "2 dogs")
    assert fight.encounter.held, "preparing gives no roll away"


# ------------------------------------------------------------------ copies and the bin


def test_a_copy_takes_those_along_that_still_wait(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    save(fight, "2 dogs", label="First")
    save(fight, "1 thug", label="Second", mask="a shape")
    save(fight, "1 dog", label="Third")
    press(fight, Reinforcement.objects.get(label="First"))
    fight.do(Harm(fight["Ilya"], 1, Damage.LETHAL))
    fight.do(End())
    made = Table(copy_encounter(by=_by(fight), encounter=fight.encounter, name="Again").pk, storyteller, {})
    assert waiting(made) == ["Second", "Third"]
    home = reverse("combat:encounter", args=[made.encounter_id])
    assert "a shape" in signed_in(storyteller).get(home).content.decode()
    assert waiting(fight) == ["Second", "Third"]
    assert press(made, Reinforcement.objects.get(label="Second", encounter=made.encounter_id)).status_code == 200
    assert newest(made, 1)[0].mask == "a shape 1"
    assert (waiting(made), waiting(fight)) == (["Third"], ["Second", "Third"])
    bare = copy_encounter(by=_by(fight), encounter=fight.encounter, name="Cast only", scene=False)
    assert not Reinforcement.objects.filter(encounter=bare).exists()


def test_they_go_to_the_bin_and_away_with_their_fight(
    draft: Table, save: Callable[..., Any], press: Callable[..., Any], signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    save(draft, "2 dogs")
    row = Reinforcement.objects.get()
    drafts.delete_encounter(by=_by(draft), encounter=draft.encounter)
    assert press(draft, row).status_code == 404
    for address in (
        reverse("combat:revise", args=[draft.encounter_id, row.pk]),
        reverse("combat:prepare", args=[draft.encounter_id]),
    ):
        assert signed_in(storyteller).get(address).status_code == 404
    chronicle = row.encounter.chronicle
    bins.restore(by=chronicle.memberships.get(user=storyteller), what="fight", row_id=draft.encounter_id)
    assert waiting(draft) == ["Second wave"]
    drafts.delete_encounter(by=_by(draft), encounter=draft.encounter)
    bins.purge(timezone.now() + bins.KEPT)
    assert not Reinforcement.objects.exists()
    assert not Encounter.with_bin.filter(pk=draft.encounter_id).exists()


def test_undoing_much_at_once_lets_them_wait(
    fight: Table, save: Callable[..., Any], press: Callable[..., Any], storyteller: Any
) -> None:
    start = rows.rows_of(fight.encounter)[-1].token
    save(fight, "2 dogs")
    press(fight)
    fight.do(Harm(fight["Ilya"], 1, Damage.LETHAL))
    assert waiting(fight) == []
    perform.undo_to(encounter_id=fight.encounter_id, actor=storyteller, token=start)
    assert waiting(fight) == ["Second wave"]
    for _step in range(2):
        perform.redo(encounter_id=fight.encounter_id, actor=storyteller)
    assert waiting(fight) == []
    assert LogRow.objects.filter(encounter=fight.encounter_id, seq=Reinforcement.objects.get().joined).exists()


def test_a_refusal_writes_nothing(fight: Table, save: Callable[..., Any], storyteller: Any) -> None:
    save(fight, "Marguerite")
    row, seq = Reinforcement.objects.get(), fight.encounter.seq
    with pytest.raises(RuleViolation):
        bring_in(encounter_id=fight.encounter_id, actor=storyteller, row_id=row.pk)
    row.refresh_from_db()
    assert (row.joined, fight.encounter.seq) == (None, seq)
