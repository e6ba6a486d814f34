"""Guided creation: the steps, what remains of the budget, and how few presses a playable vampire takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils.translation import override

from campaigns.models import Chronicle, Membership
from characters import tables
from characters.models import Character
from characters.people import sheet_data
from combat.commands import drafts, perform
from combat.log import rows
from rules.model.choices import Modifier
from rules.model.people import EXAMPLES, people
from rules.model.sheet import Category
from rules.systems import RULESETS
from rules.topics.commands import Begin, RollInitiative, RollTraits

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

TAPS = 33
"""Taps for a vampire from an empty sheet, whose name is typed; a spread of 7/5/3 and 13/9/5 as people choose it."""

TAPS_FROM_EXAMPLE = 3

VAMPIRE = {
    "attributes": {
        "strength": 3,
        "dexterity": 4,
        "stamina": 3,
        "charisma": 3,
        "manipulation": 3,
        "appearance": 2,
        "perception": 2,
        "intelligence": 2,
        "wits": 2,
    },
    "abilities": {
        "alertness": 2,
        "athletics": 3,
        "brawl": 3,
        "dodge": 3,
        "streetwise": 2,
        "drive": 1,
        "firearms": 2,
        "melee": 3,
        "stealth": 3,
        "investigation": 2,
        "occult": 2,
        "computer": 1,
    },
    "advantages": {
        "celerity": 1,
        "potence": 2,
        "conscience": 3,
        "self_control": 3,
        "courage": 4,
        "humanity": 7,
        "willpower": 6,
    },
}
"""Dots by step. Two points of Humanity and Willpower each are paid for."""


@pytest.fixture
def url(chronicle: Any) -> str:
    return reverse("characters:create", args=[chronicle.pk])


def guide_in(response: Any) -> Any:
    return response.context["layout"].guide


def test_a_players_new_character_is_made_in_steps_and_a_storytellers_if_wanted(
    signed_in: Any, player: Any, storyteller: Any, url: str, ilya: Character
) -> None:
    client = signed_in(player)
    assert [step.key for step in guide_in(client.get(url)).steps] == [
        *("who", "attributes", "abilities", "advantages", "gear")
    ]
    assert guide_in(client.get(f"{url}?guide=0")) is None
    edit = reverse("characters:edit", args=[ilya.pk])
    assert guide_in(client.get(edit)) is None
    assert guide_in(client.get(f"{edit}?guide=1")).points.over > 0
    assert guide_in(signed_in(storyteller).get(url)) is None
    assert guide_in(client.get(f"{url}?guide=1")).lines.keys() >= {"attributes"}


def test_the_server_counts_what_the_form_holds(signed_in: Any, player: Any, url: str, fields: Any) -> None:
    client = signed_in(player)
    typed = fields(client.get(url)) | {"trait-strength": "5", "trait-brawl": "lots", "lay": "1"}
    guide = guide_in(client.post(url, typed))
    attributes = guide.lines["attributes"]
    assert (attributes.given, attributes.price, attributes.left.words) == ("7/5/3", 5, "11 left")
    assert [group.words for group in attributes.groups] == ["3 left", "5 left", "3 left"]
    assert [step.left and step.left.left for step in guide.steps] == [None, 11, 27, 15, None]
    page = client.post(url, typed).content.decode()
    assert '<span class="left" data-left="attributes-0">3 left</span>' in page


def test_too_many_dots_are_told_and_saved(signed_in: Any, player: Any, url: str, fields: Any) -> None:
    client = signed_in(player)
    all_five = {f"trait-{key}": "5" for key in ("strength", "dexterity", "stamina", "wits", "perception")}
    typed = fields(client.get(url)) | all_five | {"name": "Too much"}
    guide = guide_in(client.post(url, typed | {"lay": "1"}))
    assert guide.lines["attributes"].left.words == "3 left, 8 over"
    assert [group.words for group in guide.lines["attributes"].groups] == ["5 over", "3 left", "3 over"]
    assert guide.points.over > 0
    assert client.post(url, typed).status_code == 302
    assert Character.objects.get(name="Too much").traits["strength"] == 5


def test_a_budget_is_a_house_rule(
    signed_in: Any, player: Any, storyteller: Any, chronicle: Chronicle, url: str
) -> None:
    client = signed_in(storyteller)
    rules = reverse("campaigns:house-rules", args=[chronicle.pk])
    form = client.get(rules).context["form"]
    typed = {bound.html_name: bound.value() for bound in form if bound.value() not in (None, False)}
    refused = client.post(rules, typed | {"option-creation_vampire": "Attributes: 9/6/3, 5\nJuggling: 2"})
    assert refused.context["form"].errors["option-creation_vampire"] == [
        "Line 2: “Juggling” is not a part of this creature’s sheet."
    ]
    assert client.post(rules, typed | {"option-creation_vampire": "Attributes: 9/6/3, 4"}).status_code == 302
    guide = guide_in(signed_in(player).get(url))
    assert (guide.lines.keys(), guide.points) == ({"attributes"}, None)
    assert guide.lines["attributes"].given == "9/6/3"
    client = signed_in(storyteller)
    typed = typed | {"version": client.get(rules).context["form"]["version"].value()}
    assert client.post(rules, typed | {"option-creation_vampire": ""}).status_code == 302
    guide = guide_in(signed_in(player).get(url))
    assert (guide.lines, guide.points) == ({}, None)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_has_steps(signed_in: Any, player: Any, chronicle: Chronicle, url: str, ruleset: str) -> None:
    chronicle.ruleset = ruleset
    chronicle.save()
    page = signed_in(player).get(url)
    assert page.status_code == 200
    steps = [step.key for step in guide_in(page).steps]
    assert [steps[0], *steps[-2:]] == ["who", "advantages", "gear"]
    assert all(f'data-step="{step}"' in page.content.decode() for step in steps)


class Finger:
    """Taps on a phone, counted."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps = page, 0

    def tap(self, place: Any) -> None:
        place.tap()
        self.taps += 1

    def dots(self, trait: str, dots: int) -> None:
        field = self.page.locator(f"#id_trait-{trait}")
        if field.input_value() != str(dots):
            self.tap(self.page.locator(".dots-input", has=field).locator(".dots-row > span").nth(dots - 1))


def test_a_playable_vampire_in_few_taps(page_for: Callable[..., Any], player: Any, url: str) -> None:
    finger = Finger(page_for(player, url, **PHONE))
    page, left = finger.page, lambda key: finger.page.locator(f"[data-left='{key}']").first.inner_text()
    finger.tap(page.get_by_label("Name", exact=True))
    page.keyboard.type("Marek")
    for step, traits in VAMPIRE.items():
        finger.tap(page.get_by_role("button", name="Next"))
        for trait, dots in traits.items():
            finger.dots(trait, dots)
        assert left(f"step-{step}") == ("0 left" if step != "advantages" else "5 left, 3 over")
    assert left("points") == "11 left"
    browser = {key: left(key) for key in ("attributes-0", "abilities-2", "virtues", "humanity", "willpower", "points")}
    finger.tap(page.get_by_role("button", name="Create the character"))
    page.get_by_role("heading", name="Marek").wait_for()
    made = Character.objects.get(name="Marek")
    wanted = {key: dots for traits in VAMPIRE.values() for key, dots in traits.items()}
    assert (made.kind, {key: made.traits[key] for key in wanted}) == ("vampire", wanted)
    assert finger.taps == TAPS
    # The server counts the same.
    page.goto(f"{reverse('characters:edit', args=[made.pk])}?guide=1")
    assert {key: left(key) for key in browser} == browser


def test_an_example_is_playable_in_three_taps(page_for: Callable[..., Any], player: Any, url: str) -> None:
    tables.load()
    finger = Finger(page_for(player, url, **PHONE))
    finger.tap(finger.page.get_by_role("link", name="Enforcer"))
    finger.tap(finger.page.get_by_label("Name", exact=True))
    finger.page.keyboard.press("Control+A")
    finger.page.keyboard.type("Marek")
    finger.tap(finger.page.get_by_role("button", name="Create the character"))
    finger.page.get_by_role("heading", name="Marek").wait_for()
    assert finger.taps == TAPS_FROM_EXAMPLE


def test_steps_can_be_left_out_and_an_error_leads_to_its_step(
    page_for: Callable[..., Any], player: Any, url: str
) -> None:
    page = page_for(player, url)
    page.get_by_role("link", name="Everything", exact=True).click()
    assert page.locator("#id_trait-strength").is_visible()
    assert page.locator("#id_notes").is_visible()
    page.get_by_role("link", name="Abilities").click()
    assert not page.locator("#id_trait-strength").is_visible()
    page.locator("#id_trait-brawl").fill("9")
    page.get_by_role("button", name="Create the character").click()
    page.locator(".form-errors").wait_for()
    page.problems[:] = [problem for problem in page.problems if "422" not in problem]
    assert page.locator("#id_name").is_visible()
    page.locator(".form-errors").get_by_role("link", name="Brawl").click()
    assert page.locator("#id_trait-brawl").is_visible()


@pytest.mark.parametrize("ruleset", [key for key, system in RULESETS.items() if people(system, EXAMPLES)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_example_has_identity_and_lists_and_fights(
    signed_in: Any,
    player: Any,
    storyteller: Any,
    chronicle: Chronicle,
    url: str,
    fields: Any,
    ruleset: str,
    language: str,
) -> None:
    tables.load()
    chronicle.ruleset = ruleset
    chronicle.save()
    client, spoken = signed_in(player), {"accept-language": language}
    system = RULESETS[ruleset]
    made = []
    for person in people(system, EXAMPLES, language):
        page = client.get(f"{url}?example={person.key}", headers=spoken)
        budget = guide_in(page)
        assert budget.points is None or not budget.points.over, person.key
        assert all(not line.left.over or line.price for line in budget.lines.values()), person.key
        assert client.post(f"{url}?example={person.key}", fields(page), headers=spoken).status_code == 302
        one = Character.objects.get(name=person.name)
        with override(language):
            start = sheet_data(chronicle, person)
        assert (one.details, one.lists) == (start.details, start.lists)
        assert one.specialties == {key: list(names) for key, names in person.specialties.items()}
        assert set(one.merits) == set(start.merits)
        assert set(person.merits) <= set(one.merits)
        assert one.details.keys() == person.details.keys()
        made.append(one)
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    fight = drafts.create_encounter(by=by, name="Trial")
    common = {"encounter_id": fight.pk, "actor": storyteller}
    drafts.add_characters(**common, characters=made)
    perform.perform(**common, command=Begin())
    perform.perform(**common, command=RollInitiative())
    fight.refresh_from_db()
    here = {each.character: each for each in rows.state_now(fight).combatants.values()}
    for one in made:
        sheet = here[one.pk].sheet
        assert [weapon.name for weapon in sheet.weapons] == [row.shown_name for row in one.weapons.all()]
        for weapon in sheet.weapons:
            assert system.attack.pool_of(sheet, weapon).pool > 0
        (trait, *_more), names = one.specialties.keys(), next(iter(one.specialties.values()))
        alone = system.layout.trait(trait).category is Category.ATTRIBUTE
        rolled = (trait,) if alone else ("wits", trait)
        roll = RollTraits(here[one.pk].id, rolled, modifiers=(Modifier("specialty", {"name": names[0]}),))
        perform.perform(**common, command=roll)


def test_suggestions_are_in_the_readers_language(signed_in: Any, player: Any, chronicle: Chronicle, url: str) -> None:
    form = signed_in(player).get(f"{url}?example=enforcer", headers={"accept-language": "de"}).context["form"]
    assert (form["detail-clan"].value(), form["detail-demeanour"].value()) == ("Brujah", "Rebell")
    assert form["list-backgrounds-0-name"].value() == "Kontakte"
    assert form["specialty-0-name"].value() == "Würfe"


def test_lists_specialties_and_starting_dots_are_counted(
    signed_in: Any, player: Any, chronicle: Chronicle, url: str, fields: Any
) -> None:
    chronicle.ruleset = "apocalypse"
    chronicle.save()
    client = signed_in(player)
    address = f"{url}?kind=garou"
    page = client.get(address)
    assert (guide_in(page).lines["rage"].given, guide_in(page).lines["gnosis"].given) == ("3", "3")
    identity = {"detail-auspice": "AHROUN", "detail-breed": "Homid", "trait-rage": "5", "trait-gnosis": "2"}
    gifts = {"list-gifts-0-name": "Falling Touch", "list-gifts-0-dots": "1", "list-gifts-1-name": "Resist Pain"}
    wrong = {"list-merits-0-name": "Calm", "list-merits-0-dots": "lots"}
    backgrounds = {
        "list-backgrounds-0-name": "Fetish",
        "list-backgrounds-0-dots": "5",
        "list-backgrounds-1-name": "Totem",
    }
    guide = guide_in(client.post(address, fields(page) | identity | gifts | backgrounds | wrong | {"lay": "1"}))
    told = {key: (line.given, line.left.words) for key, line in guide.lines.items()}
    assert told["rage"] == ("5", "0 left")
    assert told["gnosis"] == ("1", "1 over")
    assert told["list:gifts"] == ("3", "1 left")
    assert told["list:backgrounds"] == ("5", "1 over")
    assert told["list:merits"] == ("0", "1 over")
    assert guide.points.left == 15 - 2 - 1 - 1
    page = client.post(address, fields(client.get(address)) | gifts | {"lay": "1"}).content.decode()
    assert '<span class="left" data-left="list:gifts">1 left</span>' in page


def test_specialties_have_a_budget_where_the_ruleset_gives_some(
    signed_in: Any, player: Any, chronicle: Chronicle, url: str, fields: Any
) -> None:
    chronicle.ruleset = "chronicles"
    chronicle.save()
    client = signed_in(player)
    typed = {
        f"specialty-{place}-{part}": text
        for place in range(4)
        for part, text in (("trait", "brawl"), ("name", f"S{place}"))
    }
    address = f"{url}?kind=mortal"
    sent = fields(client.get(address)) | typed
    assert guide_in(client.post(address, sent | {"lay": "1"})).lines["specialty"].left.words == "1 over"
    assert client.post(address, sent | {"name": "Special"}).status_code == 302, "a budget only warns"
    made = Character.objects.get(name="Special")
    assert len(made.specialties["brawl"]) == 4
    edit = f"{reverse('characters:edit', args=[made.pk])}?guide=1"
    assert guide_in(client.get(edit)).lines["specialty"].left.words == "1 over"


@pytest.mark.parametrize("device", ["desk", "phone"])
def test_a_garous_rage_follows_the_auspice_and_lists_are_counted_live(
    page_for: Callable[..., Any], player: Any, chronicle: Chronicle, url: str, device: str
) -> None:
    chronicle.ruleset = "apocalypse"
    chronicle.save()
    size = PHONE if device == "phone" else {"viewport": {"width": 1366, "height": 768}}
    page = page_for(player, f"{url}?kind=garou", **size)

    def left(key: str) -> Any:
        return page.locator(f"[data-left='{key}']").first.text_content()

    def given(key: str) -> Any:
        return page.locator(f"[data-given='{key}']").first.text_content()

    def dots(key: str) -> Any:
        return page.locator(f"#id_trait-{key}").input_value()

    page.get_by_label("Name", exact=True).fill("Rahel")
    page.locator(".who details summary").first.click()
    page.get_by_label("Auspice").fill("Galliard")
    page.get_by_label("Breed").fill("lupus")
    assert (dots("rage"), dots("gnosis")) == ("4", "5")
    assert (given("rage"), left("rage"), left("gnosis"), left("points")) == ("4", "0 left", "0 left", "15 left")
    page.get_by_role("link", name="Advantages").click()
    page.locator("#id_trait-rage").fill("6")
    assert (left("rage"), left("points")) == ("2 over", "13 left")
    page.locator("#list-gifts summary").click()
    assert left("list:gifts") == "3 left"
    for place, (name, rank) in enumerate([("Falling Touch", "1"), ("Resist Pain", "")]):
        page.locator(f"#id_list-gifts-{place}-name").fill(name)
        page.locator(f"#id_list-gifts-{place}-dots").fill(rank)
    assert left("list:gifts") == "1 left"
    page.locator("#add-gifts").click()
    page.locator("#id_list-gifts-3-name").fill("Persuasion")
    page.locator("#id_list-gifts-3-dots").fill("3")
    assert (left("list:gifts"), left("points")) == ("2 over", "1 over")
    page.get_by_role("link", name="Concept").click()
    page.get_by_label("Auspice").fill("Ragabash")
    assert (dots("rage"), given("rage"), left("rage")) == ("6", "1", "5 over"), "set by hand, it no longer follows"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    browser = {key: left(key) for key in ("rage", "gnosis", "list:gifts", "list:backgrounds", "points")}
    page.get_by_role("button", name="Create the character").click()
    page.get_by_role("heading", name="Rahel").wait_for()
    page.goto(f"{reverse('characters:edit', args=[Character.objects.get().pk])}?guide=1")
    assert {key: left(key) for key in browser} == browser, "the server counts the same"
