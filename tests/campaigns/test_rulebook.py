"""The rulebook: every rule is there, is found by its text, and is linked by its id."""

import pytest
from django.template.loader import render_to_string
from django.utils.html import escape

from rules import rulebook
from rules.systems import RULESETS

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("key", RULESETS)
def test_every_rule_stands_on_its_page(client, key):
    page = client.get(f"/rules/{key}/").content.decode()
    for rule in RULESETS[key].book.rules.values():
        assert f'id="{rule.id}"' in page


def test_every_question_is_answered_by_every_ruleset_side_by_side(client):
    page = client.get("/rules/").content.decode()
    for question in rulebook.questions():
        assert question.text in page
    for key, ruleset in RULESETS.items():
        assert f'href="/rules/{key}/">{ruleset.name}</a></th>' in page
        for answer in ruleset.book.answers().values():
            assert escape(answer.text) in page
            for rule in answer.rules:
                assert f'href="/rules/{key}/#{rule}"' in page


def test_a_new_chronicle_picks_among_all_of_them_and_is_told_what_each_is(client, stranger):
    client.force_login(stranger)
    page = client.get("/chronicles/new/").content.decode()
    for key, ruleset in RULESETS.items():
        assert f'value="{key}"' in page
        assert f"{ruleset.name} <small>{escape(ruleset.book.subtitle)}</small>" in page
    assert " checked" not in page, "it cannot be changed later, so none is proposed"


def test_two_can_be_picked_to_compare(client):
    page = client.get("/rules/", {"of": ["darkness", "masquerade"]}).content.decode()
    first = [escape(rulebook.answers(key)["first"].text) for key in ("masquerade", "apocalypse", "darkness")]
    assert [text in page for text in first] == [True, False, True]


@pytest.mark.parametrize("nobody", ["", "nonsense", "\x00"])
def test_where_no_ruleset_is_picked_all_are_compared(client, nobody):
    page = client.get("/rules/", {"of": nobody}).content.decode()
    assert all(each.book.answers()["first"].text in page for each in RULESETS.values())


def test_all_rulebooks_are_searched_at_once(client):
    page = client.get("/rules/", {"q": "difficulty SOAK"}).content.decode()
    assert 'href="/rules/masquerade/#MQ-SOAK-1"' in page
    assert 'href="/rules/apocalypse/#AP-SOAK-1"' in page
    assert "WD-DMG-1" not in page
    assert "Side by side" in page


def test_a_search_without_results_says_so(client):
    page = client.get("/rules/", {"q": "zzz\x00<script>alert"}).content.decode()
    assert "No rule contains all of these words." in page
    assert "<script>alert" not in page


def test_a_search_in_one_rulebook_leads_to_all(client):
    assert (
        'href="/rules/?q=frenzy%20%26%20fire"'
        in client.get("/rules/masquerade/", {"q": "frenzy & fire"}).content.decode()
    )


def test_all_words_must_be_found(client):
    page = client.get("/rules/masquerade/", {"q": "willpower ABORT"}).content.decode()
    assert 'id="MQ-ABORT-1"' in page
    assert 'id="MQ-DMG-1"' not in page


def test_words_that_nothing_has_say_so(client):
    assert "No rule contains all of these words." in client.get("/rules/masquerade/?q=zzz").content.decode()


def test_what_was_looked_for_is_shown_as_text(client):
    assert "<script>alert" not in client.get("/rules/masquerade/?q=<script>alert").content.decode()


def test_an_unknown_ruleset_is_not_found(client):
    assert client.get("/rules/nonsense/").status_code == 404


def test_a_rule_is_linked_with_its_title():
    link = render_to_string("components/_rule.html", {"rule": "MQ-DMG-1"})
    assert 'href="/rules/masquerade/#MQ-DMG-1"' in link
    assert 'title="Rule: Overage (MQ-DMG-1)"' in link
    assert '<span class="sr-only">Rule: Overage (MQ-DMG-1)</span>' in link


def test_a_rule_opens_over_a_page_and_is_found_in_its_rulebook_without_scripts(client):
    opened = client.get("/rules/masquerade/MQ-DMG-1/", HTTP_HX_REQUEST="true").content.decode()
    assert escape(RULESETS["masquerade"].book["MQ-DMG-1"].text) in opened
    assert "<html" not in opened
    assert client.get("/rules/masquerade/MQ-DMG-1/").url == "/rules/masquerade/#MQ-DMG-1"
    for nowhere in ("/rules/masquerade/AP-SOAK-1/", "/rules/nonsense/MQ-DMG-1/"):
        assert client.get(nowhere, HTTP_HX_REQUEST="true").status_code == 404


def test_an_unknown_rule_is_shown_without_a_link():
    shown = render_to_string("components/_rule.html", {"rule": "XX-1"})
    assert "XX-1" in shown
    assert "href" not in shown


def test_sense_is_no_rule():
    assert not render_to_string("components/_rule.html", {"rule": "input"}).strip()


def test_the_rules_are_read_and_searched_in_the_readers_language(client):
    client.post("/language/", {"language": "de"})
    page = client.get("/rules/masquerade/", {"q": "Willenskraft abbrechen"}).content.decode()
    assert 'id="MQ-ABORT-1"' in page
    assert "Before her action is performed" not in page
    compared = client.get("/rules/").content.decode()
    assert rulebook.questions("de")[0].text in compared
    assert escape(rulebook.answers("wounds", "de")["soak"].text) in compared
