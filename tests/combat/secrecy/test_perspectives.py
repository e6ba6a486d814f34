"""Who sees what: secrets are planted, then everything that is sent out is searched for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from characters.models import Portrait
from combat.commands import perform
from combat.live.frames import frame
from combat.panes import versions
from rules.engine.dice import Purpose
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import Damage
from rules.model.state import Phase
from rules.topics import commands
from rules.topics.commands import Declare
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

SEEN_NAMES = {"Ilya", "Marguerite", "a tall man", "Thug 1", "Thug 2"}


def everything(table: Table, audience: str) -> str:
    """Everything an audience receives of a fight: its values and its frame."""
    found = frame(table.encounter, audience, None)
    assert found is not None
    return repr(table.view(audience)) + found.html


@pytest.fixture
def audiences(player: Any, other_player: Any) -> tuple[str, ...]:
    return ("table", f"player-{player.pk}", f"player-{other_player.pk}")


@pytest.fixture
@kept
def stormy(fight: Table) -> Table:
    """A fight in which the hidden and the masked combatant have done all sorts of things."""
    hidden, masked, ilya = fight[SECRET], fight[TRUE_NAME], fight["Ilya"]
    fight.do(Declare(hidden, "I am ready to pounce.", out_of_order=True))
    fight.do(commands.RollTraits(hidden, ("dexterity", "stealth"), secret=True, label=f"{SECRET} sneaks"))
    fight.do(commands.Harm(hidden, 1, Damage.LETHAL, why="a nail"))
    fight.do(commands.Spend(hidden, "blood", 2, why="to be quick"))
    fight.do(commands.ChangeConditions(hidden, add=frozenset({"prone"})))
    fight.do(Attack(hidden, (ilya,)), dice=FixedDice(9))
    fight.do(Attack(masked, (ilya,), defences={ilya: Defence("dodge")}), dice=FixedDice(9))
    fight.do(commands.SetHealth(ilya, ()))
    fight.do(Attack(ilya, (masked,)), dice=FixedDice(9))
    fight.do(commands.RollInitiative())
    fight.do(commands.ProposeAttack("ex-hidden", Attack(hidden, (fight["Marguerite"],))))
    fight.do(Attack(hidden, (fight["Thug 1"],)), dice=FixedDice(1), waive=["MQ-MULTI-1", "MQ-ORDER-1"])
    fight.do(commands.Narrate("r2", "Claws out of nowhere."))
    return fight


def test_the_hidden_are_nowhere(stormy: Table, audiences: tuple[str, ...]) -> None:
    storyteller = everything(stormy, "storyteller")
    for planted in (SECRET, stormy[SECRET], "ready to pounce", TRUE_NAME, "ex-hidden"):
        assert planted in storyteller
    for audience in audiences:
        received = everything(stormy, audience)
        assert "Ilya" in received
        for planted in (SECRET, stormy[SECRET], "ready to pounce", TRUE_NAME, "a nail", "to be quick"):
            assert planted not in received, (audience, planted)


def test_only_who_is_asked_learns_of_an_attack_from_the_dark(stormy: Table, player: Any, other_player: Any) -> None:
    ask = stormy.view(other_player).asks.defences[0]  # type: ignore[union-attr]
    assert (ask.attacker, ask.weapon, ask.name) == ("Somebody unseen", "", "Marguerite")
    assert "ex-hidden" not in everything(stormy, "table")
    assert "ex-hidden" not in everything(stormy, f"player-{player.pk}")


def test_a_blow_from_the_dark_is_what_it_did(stormy: Table) -> None:
    sentences = [
        "".join(span.text for span in line) for entry in stormy.view("table").log.entries for line in entry.lines
    ]
    assert any(sentence.startswith("Ilya takes ") for sentence in sentences)
    assert not any("somebody unseen" in sentence.lower() for sentence in sentences)


def test_the_order_is_of_those_who_are_seen(stormy: Table, audiences: tuple[str, ...]) -> None:
    for audience in audiences:
        assert {row.name for row in stormy.view(audience).order.rows()} == SEEN_NAMES
    assert len(stormy.view("storyteller").order.rows()) == len(SEEN_NAMES) + 1


def test_no_portrait_shows_who_is_hidden_or_masked(
    fight: Table, characters: dict[str, Any], audiences: tuple[str, ...], signed_in: Any, player: Any
) -> None:
    """Neither in the order nor by its address, until the Storyteller lifts the mask."""
    faces = {name: Portrait.objects.create(character=one, picture=b"RIFF").pk for name, one in characters.items()}

    def shown(audience: str) -> dict[str, str]:
        return {row.name: row.portrait for row in fight.view(audience).order.rows() if row.portrait}

    def status(name: str) -> int:
        place = reverse("combat:portrait", args=[fight.encounter_id, faces[name]])
        return int(signed_in(player).get(place).status_code)

    for audience in audiences:
        assert shown(audience) == {name: faces[name] for name in ("Ilya", "Marguerite")}
        received = everything(fight, audience)
        assert f'src="portraits/{faces["Ilya"]}/"' in received
        assert faces[TRUE_NAME] not in received
        assert faces[SECRET] not in received
    assert shown("storyteller").keys() == {"Ilya", "Marguerite", TRUE_NAME, SECRET}
    assert [status(name) for name in ("Ilya", TRUE_NAME, SECRET, "Thug")] == [200, 404, 404, 404]
    fight.do(commands.SetVisibility(fight[TRUE_NAME], mask=""))
    assert TRUE_NAME in shown("table")
    assert [status(name) for name in (TRUE_NAME, SECRET)] == [200, 404]


def test_a_new_portrait_reaches_the_fight_and_a_hidden_ones_does_not(
    fight: Table, characters: dict[str, Any], django_capture_on_commit_callbacks: Any
) -> None:
    def changes(name: str) -> bool:
        before = versions.version_of(fight.encounter, "table")
        with django_capture_on_commit_callbacks(execute=True):
            Portrait.objects.create(character=characters[name], picture=b"RIFF")
        return versions.version_of(fight.encounter, "table") > before

    assert [changes(name) for name in ("Ilya", TRUE_NAME, SECRET)] == [True, False, False]


def test_nobody_acts_at_once_with_anybody_once_it_is_over(fight: Table) -> None:
    everybody = tuple(who for rank in fight.turn().state.order for who in rank)
    fight.do(commands.SetOrder((everybody,)))
    assert [len(rank) for rank in fight.view("storyteller").order.ranks] == [len(everybody)]
    fight.do(commands.End())
    assert {len(rank) for rank in fight.view("storyteller").order.ranks} == {1}


def test_npc_dice_stay_behind_the_screen(stormy: Table, audiences: tuple[str, ...]) -> None:
    for audience in audiences:
        rollers = {roll.name for entry in stormy.view(audience).log.entries for roll in entry.rolls}
        assert rollers == {"Ilya"}
    assert {SECRET, TRUE_NAME, "Ilya"} <= {
        roll.name for entry in stormy.view("storyteller").log.entries for roll in entry.rolls
    }


def test_npc_health_is_a_word_or_less(fight: Table, player: Any) -> None:
    thug, masked = fight["Thug 1"], fight[TRUE_NAME]
    fight.do(commands.SetVisibility(masked, health_shown="nothing"))
    for who in (thug, masked):
        fight.do(commands.Harm(who, 7, Damage.LETHAL))
    rows = {row.name: row for row in fight.view(player).order.rows()}
    assert (rows["Thug 1"].health.boxes, rows["Thug 1"].health.word) == ((), "down")
    assert rows["Thug 1"].conditions
    assert (rows["a tall man"].health.boxes, rows["a tall man"].health.word) == ((), "")
    assert rows["a tall man"].conditions == ()
    assert len(rows["Ilya"].health.boxes) == 7
    said = [span.text for entry in fight.view(player).log.entries for line in entry.lines for span in line]
    assert "7 lethal" in said  # the thug's
    assert said.count("7 lethal") == 1  # and not the tall man's
    assert "torpor" not in " ".join(said)


def test_a_player_has_their_own_in_full(fight: Table, player: Any, other_player: Any) -> None:
    (mine,) = fight.view(player).me.sheets  # type: ignore[union-attr]
    assert mine.name == "Ilya"
    assert {weapon.name for weapon in mine.weapons} == {"Test sword", "Test pistol"}
    assert "Test pistol" not in repr(fight.view(other_player))
    assert {resource.key: resource.now for resource in mine.resources} == {"blood": 10, "willpower": 6}


def test_what_is_possible_comes_with_its_reason(fight: Table, player: Any) -> None:
    fight.turn()
    fight.do(commands.Harm(fight["Ilya"], 7, Damage.LETHAL))
    (mine,) = fight.view(player).me.sheets  # type: ignore[union-attr]
    attack = mine.may("attack")
    assert attack is not None
    assert not attack.allowed
    assert "torpor" in attack.refusal.message
    assert attack.refusal.rule == "MQ-HEALTH-1"


def test_a_hidden_character_is_seen_by_its_player_alone(fight: Table, player: Any, other_player: Any) -> None:
    fight.do(commands.SetVisibility(fight["Ilya"], hidden=True))
    assert "Ilya" in {row.name for row in fight.view(player).order.rows()}
    assert fight["Ilya"] not in repr(fight.view(other_player).order) + repr(fight.view("table").order)


def test_a_name_that_slips_into_words_is_kept(fight: Table, player: Any) -> None:
    fight.do(Declare(fight[TRUE_NAME], f"{TRUE_NAME} calls {SECRET} down."))
    fight.do(Attack(fight[TRUE_NAME], (fight["Ilya"],)), dice=FixedDice(9))
    fight.do(commands.Narrate("r1", f"{TRUE_NAME} laughs."))
    seen = everything(fight, f"player-{player.pk}")
    assert "a tall man laughs." in seen
    assert "a tall man calls somebody unseen down." in seen
    assert TRUE_NAME not in seen
    assert SECRET not in seen
    assert f"{TRUE_NAME} laughs." in everything(fight, "storyteller")


def test_who_defends_against_the_unseen_knows_that_they_did(fight: Table, player: Any, other_player: Any) -> None:
    ilya = fight["Ilya"]
    fight.do(Attack(fight[SECRET], (ilya,), defences={ilya: Defence("dodge")}), dice=FixedDice(2))
    assert "defends against an unseen attacker" in repr(fight.view(player).log)
    assert "defends" not in repr(fight.view(other_player).log) + repr(fight.view("table").log)


def test_a_reveal_is_told(fight: Table) -> None:
    fight.do(commands.SetVisibility(fight[SECRET], hidden=False))
    assert "comes into sight" in repr(fight.view("table").log)


# ------------------------------------------------------------------ what was shown stays shown


def shown(table: Table, audience: str) -> list[str]:
    """An audience's log as it reads it, oldest first."""
    return [repr(entry.lines) for entry in reversed(table.view(audience).log.entries)]


def test_a_reveal_changes_nothing_that_was_told(stormy: Table) -> None:
    before = shown(stormy, "table")
    stormy.do(commands.SetVisibility(stormy[SECRET], hidden=False))
    stormy.do(commands.SetVisibility(stormy[TRUE_NAME], mask=""))
    assert shown(stormy, "table")[: len(before)] == before
    assert {SECRET, TRUE_NAME} <= {row.name for row in stormy.view("table").order.rows()}


def test_hiding_again_takes_nothing_back(fight: Table) -> None:
    fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING))
    before = shown(fight, "table")
    fight.do(commands.SetVisibility(fight["Thug 1"], hidden=True))
    assert shown(fight, "table") == before


def test_what_was_taken_back_stays_and_is_struck(fight: Table) -> None:
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert [entry.undone for entry in fight.view("table").log.entries] == [True, False]
    perform.redo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert [entry.undone for entry in fight.view("table").log.entries] == [False, False]


def test_words_stand_above_what_they_are_for(stormy: Table) -> None:
    (told,) = [entry for entry in stormy.view("table").log.entries if entry.narration]
    assert told.narration == "Claws out of nowhere."


def test_ids_of_entries_say_nothing(stormy: Table) -> None:
    ids = [entry.id for entry in stormy.view("table").log.entries]
    assert len(set(ids)) == len(ids)
    assert not any(each.isdigit() for each in ids)


# ------------------------------------------------------------------ copies


def test_copies_are_counted_as_they_are_seen(fight: Table, characters: dict[str, Any], storyteller: Any) -> None:
    from combat.commands import drafts

    common = {"encounter_id": fight.encounter_id, "actor": storyteller, "character": characters["Thug"]}
    drafts.add_copies(**common, count=2, hidden=True)
    drafts.add_copies(**common, count=1)
    names = {row.name for row in fight.view("table").order.rows()}
    assert {"Thug 1", "Thug 2", "Thug 3"} <= names
    assert "Thug 5" not in names
    lurking = next(who for who, each in fight.state.combatants.items() if each.hidden and each.group)
    fight.do(commands.SetVisibility(lurking, hidden=False))
    assert "Thug 4" in {row.name for row in fight.view("table").order.rows()}


# ------------------------------------------------------------------ non-interference


def script(table: Table, *, with_hidden: bool) -> Iterator[None]:
    """A turn in which the hidden combatant acts or doesn't. Yields after every step that all may see."""
    hidden, ilya, thug = table[SECRET], table["Ilya"], table["Thug 1"]

    def unseen(*acts: Any) -> None:
        for act in acts if with_hidden else ():
            table.do(act, dice=FixedDice(2), waive=["MQ-MULTI-1", "MQ-ORDER-1"])

    def seen(act: Any) -> None:
        table.do(act, dice=FixedDice(9))

    people = [who for name, who in table.ids.items() if with_hidden or name != SECRET]
    seen(commands.Begin())
    yield
    table.do(commands.RollInitiative(), dice=ByWhom(table.ids))
    yield
    unseen(
        Declare(hidden, "Now.", out_of_order=True),
        commands.RollInitiative((hidden,)),
        commands.RollTraits(hidden, ("wits",), secret=True),
        commands.SetVisibility(hidden, mask="A shape"),
        commands.Harm(hidden, 2, Damage.BASHING),
    )
    yield
    for who in sorted(people, key=lambda who: table.state.initiative[who].total):
        if who != hidden:
            table.do(Declare(who, "Fight.", out_of_order=True))
    yield
    while (visit := next_to_act(table)) is not None:
        table.do(commands.Act())
        if hidden in visit:
            unseen(
                Attack(hidden, (table[TRUE_NAME],)),
                commands.ProposeAttack("dark", Attack(hidden, (thug,))),
                commands.ResolveAttack("dark"),
                commands.Spend(hidden, "blood", 1),
                commands.Delay(hidden),
            )
        if ilya in visit:
            seen(Attack(ilya, (thug,)))
        yield
    table.do(commands.Act())
    yield
    seen(commands.EndTurn())
    yield


class ByWhom(FixedDice):
    """Initiative by name, so that an additional roller changes nobody else's."""

    def __init__(self, ids: dict[str, str]) -> None:
        super().__init__()
        self.ranks = {who: face for face, who in enumerate(ids.values(), start=2)}

    def roll(self, throw: Any) -> tuple[int, ...]:
        if throw.purpose == Purpose.INITIATIVE:
            return (self.ranks[throw.by],)
        return super().roll(throw)


def next_to_act(table: Table) -> tuple[str, ...] | None:
    from combat.history.records import ruleset_for

    visit = ruleset_for(table.encounter).turns.next_visit(table.state)
    return visit.ids if visit and visit.phase is not Phase.EXTRA else None


def received(table: Table, audience: str) -> tuple[int, str]:
    """What an audience has: its version and its view, with random parts replaced."""
    text = repr(table.view(audience))
    for name, who in table.ids.items():
        text = text.replace(who, f"<{name}>")
    for number, entry in enumerate(reversed(table.view(audience).log.entries)):
        text = text.replace(entry.id, f"<entry {number}>")
    for row in table.encounter.state["combatants"].values():
        if row["character"]:
            text = text.replace(row["character"], "<character>")
    # Rows contain random tokens, so their seals differ.
    text = re.sub(r"seal='[0-9a-f ]{19}'", "<seal>", text)
    return versions.version_of(table.encounter, audience), text


def test_the_hidden_change_nothing_for_players(draft: Table, player: Any, other_player: Any) -> None:
    """The same fight with and without the hidden combatant's actions: every audience receives the same, version by
    version."""
    told: dict[bool, list[Any]] = {}
    for with_hidden in (True, False):
        table = copy_of(draft, without=() if with_hidden else (SECRET,))
        streams = [f"player-{player.pk}", f"player-{other_player.pk}", "table"]
        seen: list[Any] = []
        for _ in script(table, with_hidden=with_hidden):
            now = [received(table, audience) for audience in streams]
            if not seen or seen[-1] != now:
                seen.append(now)
        told[with_hidden] = seen
        table.do(commands.Pause())  # nobody is in two running fights
    assert len(told[False]) > 6
    for step, (with_them, without) in enumerate(zip(told[True], told[False], strict=False)):
        assert with_them == without, step
    assert len(told[True]) == len(told[False])


def copy_of(draft: Table, without: tuple[str, ...]) -> Table:
    """The same fight again, in the same chronicle, without some of its combatants."""
    from combat.commands import drafts
    from combat.log import codec

    by = draft.encounter.chronicle.memberships.get(user=draft.storyteller)
    made = drafts.create_encounter(by=by, name="The chapel", scene="Rain through the roof.")
    table = Table(made.pk, draft.storyteller, {name: who for name, who in draft.ids.items() if name not in without})
    for name, who in table.ids.items():
        each = draft.state.combatants[who]
        newcomer = commands.Newcomer(
            who,
            each.sheet,
            "" if each.group else each.character,
            each.player,
            each.group,
            hidden=each.hidden,
            mask=each.mask,
            health_shown=each.health_shown.value,
        )
        table.do(commands.Join((newcomer,)))
        assert name in table.ids
    table.ids = dict(draft.ids)
    assert codec.dump_state(table.state)["combatants"].keys() <= set(draft.ids.values())
    return table


def test_a_players_version_counts_their_own_changes(fight: Table, player: Any, other_player: Any) -> None:
    mine, others = f"player-{player.pk}", f"player-{other_player.pk}"

    def stand() -> list[int]:
        return [versions.version_of(fight.encounter, each) for each in ("storyteller", "table", mine, others)]

    start = stand()
    fight.do(commands.Harm(fight[SECRET], 1, Damage.BASHING))
    assert stand() == [start[0] + 1, *start[1:]]
    fight.do(commands.ProposeAttack("x", Attack(fight[TRUE_NAME], (fight["Ilya"],))))
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    assert stand() == [start[0] + 3, start[1] + 2, start[2] + 2, start[3] + 2]


def test_a_difficulty_and_its_steps_are_told_apart() -> None:
    """A modifier of two is not a difficulty of two, and a difficulty from a Trait is not a modifier."""
    from combat.history.plan_parts import as_told, in_figures
    from rules.model.plan import Part

    made = {"base": 6, "base:strength": 1, "range": 2, "aimed": -1}
    parts = [as_told(Part(key, key, "MQ-ATK-5", difficulty=number), key) for key, number in made.items()]
    assert [in_figures(part) for part in parts] == ["diff. 6", "diff. 1", "diff. +2", "diff. −1"]


def test_a_lifted_mask_is_announced_to_all_and_begins_with_a_capital(fight: Table, audiences: tuple[str, ...]) -> None:
    masked = fight[TRUE_NAME]
    fight.do(commands.Harm(masked, 1, Damage.LETHAL))
    fight.do(commands.SetVisibility(masked, mask="the priest"))
    fight.do(commands.SetVisibility(masked, mask=""))
    for audience in audiences:
        newest, _before, *rest = fight.view(audience).log.entries
        assert newest.news == f"The priest turns out to be {TRUE_NAME}."
        assert any(entry.news.startswith("A tall man ") for entry in (_before, *rest))
    # Nobody who was hidden is announced under a mask that players never saw.
    fight.do(commands.SetVisibility(fight[SECRET], mask="a whisper"))
    fight.do(commands.SetVisibility(fight[SECRET], hidden=False, mask=""))
    assert fight.view(audiences[0]).log.entries[0].news == f"{SECRET} comes into sight."
