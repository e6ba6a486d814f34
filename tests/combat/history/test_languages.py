"""Two readers of one fight in two languages: each gets their own pages and frames, with the same versions."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.urls import reverse
from django.utils import translation

from campaigns.words import said
from combat.history import records
from combat.live import frames
from combat.models import Encounter
from combat.panes import versions
from rules.engine.phrases import phrase, separated
from rules.engine.violations import RuleViolation
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table
from tests.combat.sockets import opened, play

pytestmark = pytest.mark.django_db

PANES = ("Undo", "Rückgängig")


def language_in(text: str) -> str:
    return next(language for language, word in zip(("en-gb", "de"), PANES, strict=True) if f">{word}<" in text)


def both(fight: Table) -> tuple[Any, Any]:
    """The fight's state, before and after a command without effect."""
    return partial(records.read, fight.encounter), records.read(fight.encounter)


def since(client: Any, fight: Table, have: int, language: str) -> str:
    address = reverse("combat:since", args=[fight.encounter_id, have])
    return str(client.get(address, {"audience": "storyteller", "language": language}).content.decode())


def test_a_frame_is_in_the_language_of_its_page_whatever_was_chosen_since(client: Any, fight: Table) -> None:
    client.force_login(fight.storyteller)
    assert language_in(since(client, fight, 0, "de")) == "de"
    assert language_in(since(client, fight, 0, "en-gb")) == "en-gb"
    assert language_in(since(client, fight, 0, "xx")) == "en-gb"
    client.post(reverse("campaigns:language"), {"language": "de"})
    assert language_in(since(client, fight, 0, "en-gb")) == "en-gb"
    assert language_in(since(client, fight, 0, "")) == "de"
    page = client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert '<html lang="de"' in page
    assert language_in(page) == "de"


def test_a_socket_brings_frames_in_the_language_of_its_page(fight: Table, acts: Any) -> None:
    async def scenario() -> None:
        german = await opened(fight.storyteller, fight.encounter_id, "language=de")
        english = await opened(fight.storyteller, fight.encounter_id, "language=en-gb")
        for _time in range(2):
            assert language_in(await german.receive_from()) == "de"
            assert language_in(await english.receive_from()) == "en-gb"
            await acts(commands.RollInitiative())
        await german.disconnect()
        await english.disconnect()

    play(scenario)


def test_in_whichever_language_somebody_acts_the_versions_count_the_same(fight: Table) -> None:
    before = fight.encounter.versions
    with translation.override("de"):
        assert versions.advance(fight.encounter, *both(fight)) == []
        fight.do(commands.RollInitiative())
    acted = fight.encounter.versions
    assert acted != before
    assert versions.advance(fight.encounter, *both(fight)) == []


def words_of(language: str) -> str:
    """The log's words in a language for harming somebody: the text between the name and the damage."""
    with translation.override(language):
        return translation.gettext("{who} takes {harm}.").partition("}")[2].partition("{")[0]


def pages_of(client: Any, fight: Table, user: Any, language: str) -> str:
    """The fight's page in a user's language."""
    client.force_login(user)
    client.post(reverse("campaigns:language"), {"language": language})
    return str(client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode())


def test_two_at_one_table_each_read_the_log_and_what_forbids_in_their_own_language(
    client: Any, fight: Table, player: Any
) -> None:
    fight.do(commands.RollInitiative())
    fight.do(commands.Harm(fight["Ilya"], 2, Damage.LETHAL))
    german, english = (
        pages_of(client, fight, fight.storyteller, "de"),
        pages_of(client, fight, player, "en-gb"),
    )
    assert words_of("de") in german
    assert words_of("en-gb") in english
    assert words_of("de") not in english
    with translation.override("de"):
        frame = frames.frame(fight.encounter, "storyteller", None)
    assert frame is not None
    assert words_of("de") in frame.html


def test_a_refusal_is_said_in_the_language_of_whoever_asked(client: Any, fight: Table) -> None:
    with pytest.raises(RuleViolation) as refused:
        fight.do(commands.Begin())
    assert refused.value.message == "This fight has already begun."
    with translation.override("de"):
        assert said(refused.value.message) == "Dieser Kampf hat schon begonnen."


def test_a_roll_without_a_name_is_called_by_its_traits_in_each_readers_language(client: Any, fight: Table) -> None:
    client.force_login(fight.storyteller)
    client.post(reverse("campaigns:language"), {"language": "de"})
    asked = {"who": fight["Ilya"], "traits": ["strength", "brawl"], "difficulty": "6", "kind": "plain"}
    done = client.post(reverse("combat:do", args=[fight.encounter_id, "roll"]), {**asked, "key": "without-a-name"})
    assert done.status_code == 302, done.content.decode()
    german, english = (pages_of(client, fight, fight.storyteller, language) for language in ("de", "en-gb"))
    assert "Körperkraft + Hand\u00adgemenge" in german
    assert "Strength + Brawl" in english


def test_an_extended_roll_that_was_left_is_called_by_its_traits_in_the_readers_language(fight: Table) -> None:
    traits, extended = separated([phrase("strength"), phrase("brawl")], " + "), commands.Extended("x", 20)
    fight.do(commands.RollTraits(fight["Ilya"], ("strength", "brawl"), label=traits, extended=extended))
    fight.do(commands.GiveUpRoll("x"))
    with translation.override("de"):
        (line,) = fight.view("storyteller").log.entries[0].lines
        assert "Körperkraft + " in "".join(span.text for span in line)


def test_two_who_act_at_once_keep_their_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, on, left = threading.Event(), threading.Event(), dict[str, str]()

    def audiences(encounter: Encounter) -> list[str]:
        if encounter.name == "de":
            inside.set()
            assert on.wait(20)
        return []

    def act(language: str) -> None:
        translation.activate(language)
        versions.advance(Encounter(name=language), lambda: None, None)  # type: ignore[arg-type, return-value]
        left[language] = translation.get_language()

    monkeypatch.setattr(versions, "audiences_of", audiences)
    monkeypatch.setattr(versions, "_keep_after_commit", lambda *_: None)
    slow, quick = (threading.Thread(target=act, args=(language,)) for language in ("de", "en-gb"))
    slow.start()
    assert inside.wait(20)
    quick.start()
    quick.join()
    on.set()
    slow.join()
    assert left == {"de": "de", "en-gb": "en-gb"}


def test_a_form_names_powers_in_the_readers_language(client: Any, fight: Table) -> None:
    sheet = fight.state.combatants[fight["Ilya"]].sheet
    fight.do(commands.ReviseSheet(fight["Ilya"], replace(sheet, traits={**sheet.traits, "potence": 2})))
    fight.do(commands.RollInitiative())
    client.force_login(fight.storyteller)
    client.post(reverse("campaigns:language"), {"language": "de"})
    form = client.get(reverse("combat:form", args=[fight.encounter_id, "declare"]), {"who": fight["Ilya"]})
    assert "Disziplinen" in form.content.decode()
    assert "Stärke" in form.content.decode()
    assert "Disciplines" not in form.content.decode()
