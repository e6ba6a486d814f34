"""The forecast's pages: what is asked and kept, what is refused, what is shown, and to whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import workers
from combat.commands import drafts
from combat.desk.forecast import runs
from combat.desk.forecast.pages import Odds, OddsLine
from combat.desk.forecast.plots import MOST_COLUMNS, histogram
from combat.live import hub, page_hints
from combat.live.frames import frame
from combat.models import Encounter, ForecastPolicies, LogRow
from combat.secrecy.audiences import STORYTELLER, TABLE, player_audience
from rules.forecast.policies import POLICIES
from rules.forecast.tally import Numbers
from rules.topics import commands
from tests.combat.conftest import SECRET, Table
from tests.combat.forecast.conftest import FEW

pytestmark = pytest.mark.django_db


@pytest.fixture
def hers(signed_in: Callable[[Any], Client], storyteller: Any) -> Client:
    return signed_in(storyteller)


def at(table: Table, name: str = "forecast", *more: object) -> str:
    return reverse(f"combat:{name}", args=[table.encounter_id, *more])


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


# ------------------------------------------------------------------ what is asked and kept


def test_it_is_found_from_the_draft_and_from_the_fights_menu(hers: Client, draft: Table) -> None:
    where = reverse("combat:encounter", args=[draft.encounter_id])
    assert at(draft) in text_of(hers.get(where))
    draft.begin()
    assert at(draft) in text_of(hers.get(where))


def test_policies_are_kept_for_the_fight(hers: Client, draft: Table, here: None) -> None:
    """They are there once the draft is a fight; only those that aren't the default."""
    ilya, marguerite = draft["Ilya"], draft["Marguerite"]
    hers.post(at(draft), {f"policy-{ilya}": "cautious", f"policy-{marguerite}": ""})
    assert ForecastPolicies.objects.get().chosen == {ilya: "cautious"}
    draft.begin()
    assert re.search(r'<option value="cautious" selected>', text_of(hers.get(at(draft))))
    run = runs.look(draft.encounter_id)
    assert run is not None
    assert run.chosen == {ilya: "cautious"}


def test_the_policy_of_somebody_who_is_gone_does_no_harm(hers: Client, draft: Table, here: None) -> None:
    thug = draft["Thug 2"]
    hers.post(at(draft), {f"policy-{thug}": "reckless"})
    draft.do(commands.Leave(thug))
    assert hers.post(at(draft), {}).status_code == 302
    assert runs.look(draft.encounter_id).chosen == {}  # type: ignore[union-attr]


def test_the_default_is_marked(hers: Client, draft: Table) -> None:
    page = text_of(hers.get(at(draft)))
    assert page.count("(default)") == len(draft.state.combatants)


def test_a_what_if_is_played_beside_the_fight(hers: Client, draft: Table, here: None) -> None:
    asked = {
        "more": draft["Thug 1"],
        "armor": draft["Ilya"],
        "better": "2",
        "moved": f"others {draft['Thug 2']}",
        "distance": "20",
        "seed": "7",
    }
    hers.post(at(draft), asked)
    page = text_of(hers.get(at(draft)))
    for said in (
        "One more Thug 1",
        "Ilya has +2 armour",
        "Thug 2 takes no part",
        "The sides begin 20 m apart",
        "Seed 7",
    ):
        assert said in page, said
    assert re.search(r'class="difference">(no difference|[+−]\d+ points(, within the margins of error)?)</small>', page)
    run = runs.look(draft.encounter_id)
    assert run is not None
    assert run.tallies["base"].fights == run.tallies["changed"].fights == FEW
    assert set(run.tallies["changed"].sides) - set(run.tallies["base"].sides) == {f"{draft['Thug 1']}-2"}


def test_one_seed_gives_one_result(hers: Client, draft: Table, here: None) -> None:
    found = []
    for seed in (5, 5, 6):
        hers.post(at(draft), {"seed": seed})
        found.append(runs.look(draft.encounter_id).tallies)  # type: ignore[union-attr]
    assert found[0] == found[1] != found[2]


def test_without_a_seed_there_is_a_new_one(hers: Client, draft: Table, here: None) -> None:
    seeds = set()
    for _each in range(3):
        hers.post(at(draft), {"seed": ""})
        seeds.add(runs.look(draft.encounter_id).seed)  # type: ignore[union-attr]
    assert len(seeds) > 1


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"seed": "-1"}, "Enter a whole number from 0 to 999999999."),
        ({"seed": "9" * 30}, "Enter a whole number from 0 to 999999999."),
        ({"seed": "seven"}, "Enter a whole number from 0 to 999999999."),
        ({"distance": "-5"}, "Enter a whole number from 0 to 1000."),
        ({"distance": "100000"}, "Enter a whole number from 0 to 1000."),
        ({"distance": "far"}, "Enter a whole number from 0 to 1000."),
        ({"more": "nobody"}, "Select a valid choice"),
        ({"armor": "nobody"}, "Select a valid choice"),
        ({"better": "99"}, "Select a valid choice"),
        ({"moved": "moon nobody"}, "Select a valid choice"),
        ({"policy": "berserk"}, "Select a valid choice"),
    ],
)
def test_absurd_input_is_refused_and_nothing_is_lost(
    hers: Client, draft: Table, here: None, asked: dict[str, str], said: str
) -> None:
    asked = {f"policy-{draft['Ilya']}" if name == "policy" else name: value for name, value in asked.items()}
    kept = {f"policy-{draft['Marguerite']}": "reckless", **asked}
    answer = hers.post(at(draft), kept)
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert answer.context["form"][f"policy-{draft['Marguerite']}"].value() == "reckless"
    assert runs.look(draft.encounter_id) is None
    assert not ForecastPolicies.objects.exists()


def test_a_fight_with_one_side_is_refused_in_words(hers: Client, draft: Table, here: None) -> None:
    for who, each in draft.state.combatants.items():
        if not each.player:
            draft.do(commands.Leave(who))
    answer = hers.post(at(draft), {})
    assert answer.status_code == 422
    assert "side" in text_of(answer)


def test_a_what_if_that_leaves_one_side_is_refused(hers: Client, draft: Table, here: None) -> None:
    for name in ("Thug 1", "Thug 2", SECRET):
        draft.do(commands.Leave(draft[name]))
    (other,) = (who for who, each in draft.state.combatants.items() if not each.player)
    answer = hers.post(at(draft), {"moved": f"allies {other}"})
    assert answer.status_code == 422
    assert runs.look(draft.encounter_id) is None


def test_a_busy_server_says_so_and_keeps_the_policies(
    hers: Client, draft: Table, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(runs.MOST_AT_ONCE):
        (folder / f"other{number}").mkdir(parents=True)
    monkeypatch.setattr(workers, "is_alive", lambda path: path.name.startswith("other"))
    answer = hers.post(at(draft), {f"policy-{draft['Ilya']}": "cautious"})
    assert answer.status_code == 422
    assert "busy with other forecasts" in text_of(answer)
    assert ForecastPolicies.objects.get().chosen == {draft["Ilya"]: "cautious"}


def test_an_ended_fight_has_no_forecast(hers: Client, fight: Table) -> None:
    fight.do(commands.End())
    assert hers.get(at(fight)).status_code == 404


def test_old_folders_are_deleted_with_the_next_start(
    hers: Client, draft: Table, folder: Path, here: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "old").mkdir(parents=True)
    hers.post(at(draft), {})
    assert (folder / "old").exists()
    monkeypatch.setattr(runs, "KEPT", -1)
    hers.post(at(draft), {})
    assert not (folder / "old").exists()
    assert (folder / draft.encounter_id).exists()


# ------------------------------------------------------------------ what is shown


def test_results_say_their_margins_and_draw_plots(hers: Client, draft: Table, here: None) -> None:
    hers.post(at(draft), {"seed": "1"})
    page = text_of(hers.get(at(draft)))
    for name in ("Ilya", "Marguerite", "Thug 1", SECRET):
        assert f"Boxes that {name} loses" in page
    assert f"{FEW} fights played" in page
    assert page.count('<svg class="histogram') == 1 + len(draft.state.combatants)
    assert page.count('<svg class="plot base"') >= 2
    assert "style=" not in page
    assert "every 1s" not in page


def test_a_poll_ends_when_nothing_is_played(hers: Client, draft: Table, here: None) -> None:
    hers.post(at(draft), {"seed": "1"})
    answer = hers.get(at(draft, "forecast-results"))
    assert answer.status_code == 286
    assert "How it ends" in text_of(answer)


def test_the_page_is_german(hers: Client, draft: Table, here: None) -> None:
    hers.post(at(draft), {"seed": "1", "more": draft["Thug 1"]})
    hers.cookies["django_language"] = "de"
    page = text_of(hers.get(at(draft), headers={"accept-language": "de"}))
    for said in ("Prognose", "Wie er ausgeht", "Noch jemand wie Thug 1", "Fehlerspanne"):
        assert said in page


def test_an_example_reads_like_any_log(hers: Client, draft: Table, here: None) -> None:
    """The same fight each time, and no row is saved."""
    hers.post(at(draft), {"seed": "3"})
    rows = LogRow.objects.count()
    links = re.findall(r'href="([^"]*/forecast/[^"]*/base/\d+/)"', text_of(hers.get(at(draft))))
    assert links
    page = hers.get(links[0]).content.decode()
    assert page.count('<article class="entry') > 5
    assert "Initiative:" in page
    assert re.search(r'<details class="rolls"', page)
    assert 'class="back-to"' not in page
    assert hers.get(links[0]).content.decode().count('<article class="entry') == page.count('<article class="entry')
    assert LogRow.objects.count() == rows


def test_an_example_shows_what_its_link_says(hers: Client, draft: Table, here: None) -> None:
    hers.post(at(draft), {"seed": "3"})
    page = hers.get(at(draft)).content.decode()
    who, name = draft["Ilya"], "Ilya"
    link = re.search(rf'id="base-fallen-{who}" href="([^"]+)"', page)
    tally = runs.look(draft.encounter_id).tallies["base"]  # type: ignore[union-attr]
    assert bool(link) == bool(tally.fallen(who).hits)
    standing = next(each for each in ("allies", "enemies") if tally.examples("standing", each))
    answer = hers.get(re.search(rf'id="base-{standing}" href="([^"]+)"', page)[1])  # type: ignore[index]
    assert answer.context["example"].outcome.left_standing == {standing}
    if link:
        example = hers.get(link[1]).context["example"]
        assert name in (*example.fallen, *example.dead)


def test_the_example_of_a_fight_under_way_begins_in_its_turn(hers: Client, fight: Table, here: None) -> None:
    fight.turn()
    for _each in range(2):
        fight.do(commands.EndTurn())
    hers.post(at(fight), {"seed": "3"})
    run = runs.look(fight.encounter_id)
    example = hers.get(at(fight, "forecast-fight", run.id, "base", 0)).context["example"]  # type: ignore[union-attr]
    assert example.chapters[0].turn == fight.state.turn == 3


def test_the_example_of_a_forecast_that_was_replaced_leads_to_the_new_one(
    hers: Client, draft: Table, here: None
) -> None:
    hers.post(at(draft), {"seed": "3"})
    answer = hers.get(at(draft, "forecast-fight", "another", "base", 0), follow=True)
    assert answer.redirect_chain[0][0] == at(draft)
    assert "replaced by another" in text_of(answer)


@pytest.mark.parametrize(("which", "number"), [("changed", 0), ("base", 10**9), ("other", 0)])
def test_there_are_no_other_examples(hers: Client, draft: Table, here: None, which: str, number: int) -> None:
    hers.post(at(draft), {"seed": "3"})
    run = runs.look(draft.encounter_id)
    assert hers.get(at(draft, "forecast-fight", run.id, which, number)).status_code == 404  # type: ignore[union-attr]


@pytest.mark.parametrize("values", [{}, {0: 3}, {3: 1, 200: 1}, dict.fromkeys(range(1, 41), 1)])
def test_a_histogram_has_every_fight_in_a_few_columns(values: dict[int, int]) -> None:
    found = histogram([Numbers(values)], 0, 5)
    assert 6 <= len(found.columns) <= MOST_COLUMNS
    assert sum(column.shares[0] for column in found.columns) == pytest.approx(100 if values else 0)
    assert all(bar.y >= 0 and bar.y + bar.height <= 100.01 and bar.x + bar.width <= found.width for bar in found.bars)


@pytest.mark.parametrize(
    ("base", "changed", "differs"),
    [((30, 20, 40), (60, 50, 70), True), ((60, 50, 70), (30, 20, 40), True), ((30, 20, 40), (45, 35, 55), False)],
)
def test_a_difference_counts_if_the_margins_are_apart(
    base: tuple[int, int, int], changed: tuple[int, int, int], differs: bool
) -> None:
    line = OddsLine("standing", "Allies", Odds(*base), Odds(*changed))
    assert line.differs is differs
    assert line.difference == changed[0] - base[0]
    assert not OddsLine("standing", "Allies", Odds(*base), None).differs


# ------------------------------------------------------------------ to whom


def test_a_forecast_changes_no_byte_of_anybody_elses_stream(
    hers: Client, fight: Table, here: None, player: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Versions, frames, log and pages are as before, and nobody is hinted at."""
    fight.turn()
    hints: list[object] = []
    monkeypatch.setattr(hub, "hint", lambda *said, **_more: hints.append(said))
    monkeypatch.setattr(page_hints, "_tell", hints.append)
    browser = Client()
    browser.force_login(player, backend="django.contrib.auth.backends.ModelBackend")

    def everything() -> list[object]:
        encounter = fight.encounter
        row = Encounter.objects.filter(pk=encounter.pk).values().get()
        frames = [frame(encounter, each, 0) for each in (STORYTELLER, TABLE, player_audience(player.pk))]
        page = browser.get(reverse("combat:encounter", args=[encounter.pk])).content.decode()
        bare = re.sub(r'(csrfmiddlewaretoken" value="|x-csrftoken": ")[^"]+|value="[0-9a-f]{32}"', "", page)
        return [row, frames, LogRow.objects.count(), bare]

    before = everything()
    asked = {f"policy-{who}": list(POLICIES)[1] for who in fight.state.combatants}
    assert hers.post(at(fight), {**asked, "more": fight["Thug 1"], "seed": "1"}).status_code == 302
    hers.get(at(fight))
    hers.get(at(fight, "forecast-results"))
    hers.get(at(fight, "forecast-fight", runs.look(fight.encounter_id).id, "changed", 1))  # type: ignore[union-attr]
    hers.post(at(fight, "forecast-stop"))
    assert everything() == before
    assert hints == []


def test_only_storytellers_see_that_there_is_one(
    fight: Table,
    here: None,
    signed_in: Callable[[Any], Client],
    storyteller: Any,
    player: Any,
    observer: Any,
    stranger: Any,
) -> None:
    signed_in(storyteller).post(at(fight), {"seed": "1"})
    run = runs.look(fight.encounter_id)
    assert run is not None
    places = [at(fight), at(fight, "forecast-results"), at(fight, "forecast-fight", run.id, "base", 0)]
    for user, status in ((player, 403), (observer, 403), (stranger, 404)):
        browser = signed_in(user)
        assert [browser.get(each).status_code for each in places] == [status] * 3
        assert browser.post(at(fight), {"seed": "2"}).status_code == status
        assert browser.post(at(fight, "forecast-stop")).status_code == status
    assert runs.look(fight.encounter_id) == run


def test_policies_go_with_the_fight(hers: Client, draft: Table, here: None, chronicle: Any, storyteller: Any) -> None:
    hers.post(at(draft), {f"policy-{draft['Ilya']}": "cautious"})
    drafts.delete_encounter(by=chronicle.memberships.get(user=storyteller), encounter=draft.encounter)
    assert hers.get(at(draft)).status_code == 404
    Encounter.with_bin.get(pk=draft.encounter_id).delete()
    assert not ForecastPolicies.objects.exists()
