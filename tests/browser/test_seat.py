"""A player's seat: it alerts the player, as configured on each device; two characters, and nobody else's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from combat.log import codec
from combat.models import Encounter
from rules.model.attack import Attack
from rules.topics.commands import ChangeConditions, Narrate, ProposeAttack, RollTraits
from tests.browser.table import DESK, PHONE, Demo, begin, go_on, live
from tests.browser.test_desk_live import CAME

pytestmark = pytest.mark.django_db(transaction=True)

WAIVE = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]

COUNT = """
window.vibrated = 0;
window.notes = 0;
navigator.vibrate = () => { window.vibrated += 1; return true; };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) { window.notes += 1; return start.apply(this, at); };
"""


def ids(demo: Demo) -> dict[str, str]:
    """Combatant ids by name."""
    state = codec.load_state(Encounter.objects.get(pk=demo.encounter_id).state)
    return {each.sheet.name: who for who, each in state.combatants.items()}


def called(phone: Page) -> None:
    """Assert one alert by both vibration and sound, and no repetition a moment later."""
    calls = "[window.vibrated, window.notes]"
    for _tenth in range(300):
        if phone.evaluate(calls) == [1, 2]:
            break
        phone.wait_for_timeout(100)
    phone.wait_for_timeout(200)
    assert phone.evaluate(calls) == [1, 2]


def act_until(desk: Page, name: str) -> None:
    for _places in range(20):
        acting = desk.locator("#pane-bar").get_attribute("data-acting") or ""
        if name in acting:
            return
        go_on(desk)
        expect(desk.locator("#pane-bar")).not_to_have_attribute("data-acting", acting)
    raise AssertionError(f"it never was {name}'s turn")


def test_a_player_is_called_as_they_want_it(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone, silent = page_for(demo.people["ilya"], None, **PHONE), page_for(demo.people["ilya"], None, **PHONE)
    for page in (phone, silent):
        page.add_init_script(COUNT)
        page.goto(demo.path)
        live(page)
    phone.locator("#signals [popovertarget]").click()
    phone.get_by_label("Play a sound").check()
    phone.get_by_label("Vibrate").check()
    phone.keyboard.press("Escape")
    phone.evaluate("window.vibrated = window.notes = 0")

    act_until(desk, "Ilya Voss")
    expect(phone).to_have_title("Your turn · The nave of St Mary Axe")
    called(phone)
    # A reloaded page is silent, but its title still says what is wanted.
    phone.reload()
    live(phone)
    expect(phone).to_have_title("Your turn · The nave of St Mary Axe")
    phone.locator("h2").first.click()
    assert phone.evaluate("[window.vibrated, window.notes]") == [0, 0]
    # A question alerts as well.
    people = ids(demo)
    demo.do(ProposeAttack("ask", Attack(people["The Deacon"], (people["Ilya Voss"],))), waive=WAIVE)
    expect(phone).to_have_title("Waiting for your answer · The nave of St Mary Axe")
    expect(phone.locator("#pane-asks .ask")).to_be_visible()
    called(phone)
    expect(silent).to_have_title("Waiting for your answer · The nave of St Mary Axe")
    assert silent.evaluate("[window.vibrated, window.notes]") == [0, 0]


def test_a_question_out_of_sight_is_pointed_to(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    phone.locator(".me-do a", has_text="Wait").click()
    phone.locator("#drawer [name=text]").fill("if he dr")
    people = ids(demo)
    demo.do(ProposeAttack("ask", Attack(people["The Deacon"], (people["Ilya Voss"],))), waive=WAIVE)
    call = phone.locator("#call")
    expect(call).to_contain_text("A tall man attacks Ilya Voss")
    expect(phone.locator("#drawer [name=text]")).to_have_value("if he dr")
    call.click()
    expect(phone.locator("#drawer")).not_to_be_visible()
    expect(phone.locator("#pane-asks .ask")).to_be_in_viewport()
    expect(call).not_to_be_visible()
    # No pointer to the question being answered; another that arrives in the meantime gets one.
    phone.locator("#pane-asks .ask a", has_text="More").tap()
    expect(phone.locator("#drawer [name=kind]").first).to_be_visible()
    expect(call).not_to_be_visible()
    demo.do(ProposeAttack("more", Attack(people["Tam"], (people["Ilya Voss"],))), waive=WAIVE)
    expect(call).to_contain_text("Tam attacks Ilya Voss")


def test_a_question_that_comes_during_a_tap_does_not_catch_it(
    demo: Demo, desk: Page, page_for: Callable[..., Any]
) -> None:
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    phone.evaluate(CAME)
    finger = phone.context.new_cdp_session(phone)
    box = phone.get_by_role("link", name="Spend", exact=True).first.bounding_box()
    assert box is not None
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    people = ids(demo)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
    demo.do(ProposeAttack("ask", Attack(people["The Deacon"], (people["Ilya Voss"],))), waive=WAIVE)
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.locator("html[data-came]")).to_have_count(1)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.locator("#drawer .form-spend")).to_be_visible()
    expect(phone.locator("#pane-asks .ask")).to_have_count(1)


def test_two_characters_are_switched_by_a_tap(demo: Demo, page_for: Callable[..., Any]) -> None:
    from characters.models import Character

    Character.objects.filter(name="Tam").update(owner=demo.people["ilya"])
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    desk.locator("button.next", has_text="Roll initiative").click()
    expect(desk.locator("#pane-log")).to_contain_text("Initiative:")
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    act_until(desk, "Tam")
    current = phone.locator(".whose-tabs [aria-current]")
    expect(current).to_contain_text("Tam")
    expect(current).to_contain_text("acts now")
    cards = phone.locator("#pane-me .mine:visible")
    expect(cards).to_have_count(1)
    phone.locator(".whose-tabs a", has_text="Ilya Voss").click()
    expect(cards).to_have_count(1)
    expect(cards.locator("[href*='resource=blood']")).to_be_visible()
    phone.locator("[data-tab-link=sheet]").click()
    expect(phone.locator(".whole:visible")).to_contain_text("Fortitude")
    # The character on view stays in front while others act, and both are asked.
    people = ids(demo)
    for attacker, target in (("The Deacon", "Ilya Voss"), ("Thug 1", "Tam")):
        attack = Attack(people[attacker], (people[target],))
        demo.do(ProposeAttack(f"at{people[target]}", attack), waive=WAIVE)
    expect(phone.locator("#pane-asks .ask")).to_have_count(2)
    expect(current).to_contain_text("Ilya Voss")


def test_whoever_watches_is_at_home(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["observer"], demo.path, **PHONE))
    expect(phone.locator(".onlooker")).to_contain_text("You are watching.")
    dead = phone.locator("main :is(button, input, select, a.button):visible, [data-tab-link=sheet]:visible, #signals")
    expect(dead).to_have_count(0)
    # The scene is long enough to scroll, also by keyboard.
    assert Axe().run(phone).response["violations"] == []
    phone.locator("[data-tab-link=log]").click()
    expect(phone.locator("#pane-log")).to_contain_text("Initiative:")
    expect(phone.locator(".onlooker")).not_to_be_visible()


def test_points_are_spent_by_tap_and_brought_back(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    blood = phone.locator("#pane-me .resource", has_text="Blood")
    expect(blood).to_contain_text("11")
    blood.click()
    expect(phone.locator("#drawer")).to_contain_text("MQ-BLOOD-1")
    phone.get_by_role("button", name="Spend 2").click()
    expect(blood).to_contain_text("9")
    blood.click()
    expect(phone.get_by_role("button", name="Spend 1")).to_have_count(0)
    expect(phone.locator("#drawer .why-not")).to_contain_text("at most 2")
    phone.keyboard.press("Escape")
    desk.locator("body").press("u")
    expect(blood).to_contain_text("11")


def test_what_is_said_without_a_network_covers_no_tab_and_goes_when_it_is_back(
    demo: Demo, desk: Page, page_for: Callable[..., Any]
) -> None:
    phone = page_for(demo.people["ilya"], demo.path, **PHONE)
    live(phone)
    phone.context.set_offline(True)
    expect(phone.locator("#live")).to_have_attribute("data-state", "offline")
    phone.locator(".me-do a", has_text="Wait").tap()
    note = phone.locator("#messages .note")
    expect(note).to_contain_text("The server can’t be reached.")
    tabs = phone.locator(".seat-tabs").bounding_box()
    box = note.bounding_box()
    assert tabs
    assert box
    assert box["y"] + box["height"] <= tabs["y"]
    phone.context.set_offline(False)
    live(phone)
    expect(note).to_have_count(0)
    phone.problems.clear()  # the browser's network error


REACHED = """(button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2)?.closest("a, button") === button;
}"""


def test_the_main_button_is_on_the_first_screen_on_your_turn(
    demo: Demo, desk: Page, page_for: Callable[..., Any]
) -> None:
    act_until(desk, "Ilya Voss")
    ilya = ids(demo)["Ilya Voss"]
    demo.do(ChangeConditions(ilya, frozenset({"prone", "good_cover", "blinded_left", "dazed"})), waive=WAIVE)
    for _rolls in range(2):
        demo.do(RollTraits(ilya, ("dexterity", "melee"), label="Listening " * 8))
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE | {"viewport": {"width": 360, "height": 560}}))
    main = phone.locator(".me-do > .button.primary")
    expect(main).to_be_in_viewport(ratio=1)
    assert main.evaluate(REACHED)
    # So is the one of the attack's form, over a long list of options.
    main.click()
    expect(phone.locator("#drawer .attack-form .breakdown").first).to_be_attached()
    attack = phone.get_by_role("button", name="Attack with")
    expect(attack).to_be_in_viewport(ratio=1)
    assert attack.evaluate(REACHED)


def test_what_others_do_and_what_is_narrated_is_on_the_fight_tab(
    demo: Demo, desk: Page, page_for: Callable[..., Any]
) -> None:
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    newest = phone.locator("#pane-log .entry").first
    tam, deacon = ids(demo)["Tam"], ids(demo)["The Deacon"]
    demo.do(Attack(deacon, (tam,), "unarmed"), waive=[*WAIVE, "MQ-INIT-2"])
    demo.do(Narrate("r1", "The lamp swings, and Tam is on the floor."))
    phone.evaluate("window.dispatchEvent(new Event('online'))")
    expect(newest).to_contain_text("The lamp swings, and Tam is on the floor.")
    expect(newest.locator(".say")).to_be_in_viewport(ratio=1)
    assert phone.locator("body").get_attribute("data-tab") == "fight"
    # Nothing below moves for it, and a tap opens the log.
    expect(phone.locator("#pane-me")).to_be_in_viewport()
    newest.click(position={"x": 60, "y": 10})
    assert phone.locator("body").get_attribute("data-tab") == "log"
    expect(phone.locator("#log-title")).to_be_in_viewport()
