"""Experience: awards, requests, purchases, corrections, and who sees them."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns import conduct
from campaigns.errors import Refused
from campaigns.models import Chronicle, Membership
from characters import experience, experience_seals
from characters.experience import Entry, Other, Raise
from characters.experience_words import amount
from characters.experience_words import change as signed
from characters.models import Character, ExperienceEntry, Ledger
from characters.models.experience import EntryIsWritten
from tests.kept import kept
from tests.test_hostile import FOR_DATABASES, FORM, OTHERS

pytestmark = pytest.mark.django_db


def member(chronicle: Any, user: Any) -> Membership:
    return Membership.objects.get(chronicle=chronicle, user=user)


@pytest.fixture
def by(chronicle: Any, storyteller: Any) -> Membership:
    return member(chronicle, storyteller)


@pytest.fixture
def mine(chronicle: Any, player: Any) -> Membership:
    return member(chronicle, player)


def award(by: Membership, *who: Character, amount: int = 20, **more: Any) -> Any:
    return experience.award(by=by, to=[one.pk for one in who], amount=amount, reason="Session played", **more)


def ask(by: Membership, who: Character, trait: str = "brawl", to: int = 1, **more: Any) -> ExperienceEntry:
    made = experience.ask(by=by, character=who, wish=Raise(trait, to), **more)
    assert made is not None
    return made


# Writing ----------------------------------------------------------------------------------------------------------


def test_an_award_to_many_is_one_press(by: Membership, ilya: Character, lurker: Character) -> None:
    assert len(award(by, ilya, lurker, key="one")) == 2
    assert award(by, ilya, lurker, key="one") == []
    assert [experience.balance(one) for one in (ilya, lurker)] == [20, 20]
    with pytest.raises(Http404):
        experience.award(by=by, to=[ilya.pk, "nobody"], amount=5, reason="x")
    assert experience.balance(ilya) == 20


def test_a_request_changes_nothing_until_it_is_granted(by: Membership, mine: Membership, ilya: Character) -> None:
    award(by, ilya)
    asked = ask(mine, ilya, to=2)
    assert (asked.price, asked.line, asked.was) == (5, "new Ability: 3; Ability: current x 2", 0)
    assert "brawl" not in Character.objects.get(pk=ilya.pk).traits
    assert experience.balance(ilya) == 20
    experience.grant(by=by, entry=asked, note="Well earned.")
    kept = Character.objects.get(pk=ilya.pk)
    assert (kept.traits["brawl"], experience.balance(ilya)) == (2, 15)
    change = kept.changes.get()
    assert (change.changes, change.cause, change.reason) == ([["traits:brawl", 0, 2]], "purchase", asked.line)
    granted = ExperienceEntry.objects.get(step="granted")
    assert (granted.about, granted.note, granted.line) == (asked, "Well earned.", asked.line)


def test_a_request_is_answered_once(by: Membership, mine: Membership, ilya: Character, person: Any) -> None:
    """Two Storytellers grant the same purchase: the second one is told."""
    other = Membership.objects.create(chronicle=by.chronicle, user=person("second"), role="storyteller")
    award(by, ilya)
    asked = ask(mine, ilya)
    experience.grant(by=by, entry=asked)
    for late in (
        lambda: experience.grant(by=other, entry=asked),
        lambda: experience.refuse(by=other, entry=asked, note=""),
        lambda: experience.withdraw(by=mine, entry=asked),
    ):
        with pytest.raises(Refused, match="it was granted"):
            late()
    assert experience.balance(ilya) == 17
    with pytest.raises(IntegrityError), transaction.atomic():
        ExperienceEntry.objects.create(
            character=ilya, seq=99, kind="purchase", step="granted", about=asked, amount=-3, seal="x"
        )


def test_a_refused_or_withdrawn_request_costs_nothing(by: Membership, mine: Membership, ilya: Character) -> None:
    award(by, ilya)
    experience.refuse(by=by, entry=ask(mine, ilya), note="Not yet.")
    experience.withdraw(by=mine, entry=ask(mine, ilya))
    assert experience.balance(ilya) == 20
    assert not ExperienceEntry.objects.waiting().exists()


def test_what_cant_be_bought_is_refused_with_a_sentence(by: Membership, mine: Membership, ilya: Character) -> None:
    award(by, ilya, amount=4)
    for trait, to, sentence in (
        ("luck", 1, "Choose a Trait"),
        ("generation", 8, "Choose a Trait"),
        ("brawl", 6, "1 at least and 5 at most"),
        ("brawl", 0, "1 at least and 5 at most"),
        ("obfuscate", 2, "no price"),
        ("dexterity", 5, "This costs 16 points, and Ilya Voss has 4 points"),
    ):
        with pytest.raises(Refused, match=sentence):
            ask(mine, ilya, trait, to)
    Character.objects.filter(pk=ilya.pk).update(traits={**ilya.traits, "brawl": 5})
    with pytest.raises(Refused, match="can’t be raised above 5"):
        ask(mine, Character.objects.get(pk=ilya.pk), "brawl", 6)


def test_what_changed_since_the_request_is_not_granted(by: Membership, mine: Membership, ilya: Character) -> None:
    award(by, ilya, amount=8)
    first, second = ask(mine, ilya), ask(mine, ilya, to=2)
    experience.grant(by=by, entry=first)
    with pytest.raises(Refused, match="was 0 when this was asked for and is 1 now"):
        experience.grant(by=by, entry=second)
    dear = ask(mine, ilya, "firearms", 2)
    experience.correct(by=by, character=ilya, amount=-4, reason="Counted twice")
    with pytest.raises(Refused, match="has 1 point"):
        experience.grant(by=by, entry=dear)
    assert experience.balance(ilya) == 1


def test_what_is_no_trait_costs_what_was_agreed(by: Membership, mine: Membership, ilya: Character) -> None:
    award(by, ilya)
    made = experience.ask(by=mine, character=ilya, wish=Other("Specialty: sabres", 3))
    assert made is not None
    experience.grant(by=by, entry=made)
    assert experience.balance(ilya) == 17
    assert not Character.objects.get(pk=ilya.pk).changes.exists()


def test_storytellers_and_with_the_setting_players_buy_at_once(
    by: Membership, mine: Membership, ilya: Character, fights: dict[str, str]
) -> None:
    award(by, ilya)
    assert ask(by, ilya).step == "granted"
    Chronicle.objects.filter(pk=by.chronicle_id).update(conduct={conduct.FREE_PURCHASES: True})
    assert ask(mine, ilya, to=2, key="twice").step == "granted"
    assert experience.ask(by=mine, character=ilya, wish=Raise("brawl", 3), key="twice") is None
    fights[ilya.pk] = "Dockside"
    with pytest.raises(Refused, match="Dockside"):
        ask(mine, ilya, to=3)
    assert ask(by, ilya, to=3).step == "granted"
    assert Character.objects.get(pk=ilya.pk).traits["brawl"] == 3


def test_services_ask_for_the_right_themselves(
    by: Membership, mine: Membership, ilya: Character, chronicle: Any, other_player: Any
) -> None:
    award(by, ilya)
    asked, theirs = ask(mine, ilya), member(chronicle, other_player)
    for forbidden in (
        lambda: award(mine, ilya),
        lambda: experience.correct(by=mine, character=ilya, amount=5, reason="x"),
        lambda: experience.grant(by=mine, entry=asked),
        lambda: experience.refuse(by=mine, entry=asked, note=""),
        lambda: experience.withdraw(by=theirs, entry=asked),
        lambda: ask(theirs, ilya),
    ):
        with pytest.raises(PermissionDenied):
            forbidden()
    assert experience.balance(ilya) == 20


def test_amounts_are_in_the_smallest_unit() -> None:
    """CD-EXP-2: five Beats are one Experience."""
    assert [amount(units, 5) for units in (0, 1, 5, 12)] == [
        "0 Beats",
        "1 Beat",
        "1 Experience",
        "2 Experiences, 2 Beats",
    ]
    assert (amount(-7, 5), amount(1, 1)) == ("−1 Experience, 2 Beats", "1 point")
    assert [signed(units, 1) for units in (3, -3, 0)] == ["+3 points", "−3 points", ""]


def test_beats_are_counted_and_prices_are_experiences(person: Any) -> None:
    from campaigns import services

    user = person("hunter")
    chronicle = services.create_chronicle(user=user, name="Dusk", ruleset="chronicles")
    by = member(chronicle, user)
    one = Character.objects.create(chronicle=chronicle, name="Wanda", owner=user)
    award(by, one, amount=12)
    assert ask(by, one, "occult").price == 10
    assert experience.balance(one) == 2


# Seals ------------------------------------------------------------------------------------------------------------


def test_entries_are_never_changed_or_deleted(by: Membership, ilya: Character) -> None:
    award(by, ilya)
    entry = ilya.experience.get()
    for tried in (
        entry.save,
        entry.delete,
        ExperienceEntry.objects.all().delete,
        lambda: ExperienceEntry.objects.update(amount=99),
    ):
        with pytest.raises(EntryIsWritten):
            tried()


def test_the_seals_find_what_was_changed(by: Membership, mine: Membership, ilya: Character, tmp_path: Path) -> None:
    award(by, ilya)
    experience.grant(by=by, entry=ask(mine, ilya))
    export = tmp_path / "experience.jsonl"

    def verified(*, tampered: str) -> None:
        """Check the database, and an export from it."""
        export.write_text("".join(experience_seals.lines(by.chronicle_id)))
        for asked in (["--ledgers"], [str(export)]):
            if tampered:
                with pytest.raises(CommandError, match=tampered):
                    call_command("verify", *asked, stdout=StringIO())
            else:
                call_command("verify", *asked, stdout=StringIO())

    def changed(sql: str, tampered: str) -> None:
        place = transaction.savepoint()
        with connection.cursor() as cursor:
            cursor.execute(sql)
        verified(tampered=tampered)
        transaction.savepoint_rollback(place)

    verified(tampered="")
    changed("UPDATE characters_experienceentry SET amount = 99 WHERE seq = 1", "row 1 does not match its seal")
    changed("UPDATE characters_experienceentry SET reason = 'x' WHERE seq = 1", "row 1 does not match its seal")
    changed("UPDATE characters_experienceentry SET by_id = 99 WHERE seq = 3", "row 3 does not match its seal")
    changed("DELETE FROM characters_experienceentry WHERE seq = 3", "rows after row 2 are missing")
    changed("DELETE FROM characters_experienceentry", "missing")
    verified(tampered="")


def test_an_export_that_isnt_one_is_refused(tmp_path: Path, by: Membership, ilya: Character) -> None:
    with pytest.raises(CommandError, match="Name an exported file"):
        call_command("verify")
    award(by, ilya)
    head, row = "".join(experience_seals.lines(by.chronicle_id)).splitlines()
    export = tmp_path / "experience.jsonl"
    for text, said in (
        (f"{head}\n{{}}", "has no “seq”"),
        (head.replace('"ledgers"', '"other"'), "not the log of a fight"),
        (f"{head.replace(ilya.pk, 'nobody')}\n{row}", "names no ledger"),
        (head, "rows after row 0 are missing"),
    ):
        export.write_text(text)
        with pytest.raises(CommandError, match=said):
            call_command("verify", str(export))
    with pytest.raises(experience_seals.BadExport):
        experience_seals.read_lines(["{}"])


def test_an_entry_keeps_no_name_of_a_deleted_account(
    by: Membership, ilya: Character, signed_in: Any, person: Any
) -> None:
    gone = person("leaver")
    award(Membership.objects.create(chronicle=by.chronicle, user=gone, role="storyteller"), ilya)
    gone.delete()
    page = signed_in(by.user).get(reverse("characters:experience", args=[ilya.pk]))
    assert page.status_code == 200
    assert "leaver" not in page.content.decode()
    assert next(experience_seals.faults_here(), None) is None


def test_a_character_is_deleted_with_its_ledger(by: Membership, ilya: Character) -> None:
    award(by, ilya)
    Character.objects.get(pk=ilya.pk).delete()
    assert not ExperienceEntry.objects.exists()
    assert not Ledger.objects.exists()


# Pages ------------------------------------------------------------------------------------------------------------


def test_the_player_reads_prices_and_what_changes_and_asks(
    signed_in: Any, by: Membership, player: Any, storyteller: Any, ilya: Character, chronicle: Any
) -> None:
    award(by, ilya)
    url = reverse("characters:experience", args=[ilya.pk])
    client = signed_in(player)
    page = client.get(f"{url}?trait=melee").content.decode()
    for words in ("20 points", "Session played", "Melee 3 → 4", "6 points", "Balance afterwards: 14 points"):
        assert words in page
    assert "Grandfather&#x27;s sabre" in page
    assert "6 → <b>7</b>" in page
    asked = {"trait": "melee", "to": "4", "words": "", "key": "k"}
    for _press in range(2):
        assert client.post(url, asked)["Location"] == url
    entry = ExperienceEntry.objects.get(step="asked")
    page = client.get(url).content.decode()
    assert "Asked for: Melee 3 → 4" in page
    assert "6 points asked for" in page

    client = signed_in(storyteller)
    table = reverse("campaigns:chronicle", args=[chronicle.pk])
    assert "1 request for experience is waiting." in client.get(table).content.decode()
    answer = reverse("characters:answer", args=[chronicle.pk, entry.pk])
    assert client.post(answer, {"note": "Yes.", "grant": "1"}).status_code == 302
    assert client.post(answer, {"note": "No.", "refuse": "1"}).status_code == 422
    assert "waiting." not in client.get(table).content.decode()
    page = signed_in(player).get(url).content.decode()
    assert "Bought: Melee 3 → 4" in page
    assert "Yes." in page
    assert Character.objects.get(pk=ilya.pk).traits["melee"] == 4


def test_bad_requests_come_back_with_a_sentence(signed_in: Any, player: Any, by: Membership, ilya: Character) -> None:
    url = reverse("characters:experience", args=[ilya.pk])
    client = signed_in(player)
    for typed, sentence in (
        ({"trait": "melee", "to": "4"}, "This costs 6 points, and Ilya Voss has 0 points."),
        ({"trait": "melee", "to": "x"}, "Enter a whole number."),
        ({"trait": "luck", "to": "1"}, None),
        ({"what": "A Gift", "points": "4"}, "This costs 4 points"),
        ({"what": "", "points": "4"}, "This field is required."),
        ({"what": "x" * 201, "points": "-1"}, "at most 200 characters"),
    ):
        answer = client.post(url, typed)
        assert answer.status_code == 422, typed
        assert sentence is None or sentence in answer.content.decode(), typed
    for query in ("?trait=luck", "?trait=melee&to=99", "?trait=melee&to=-1&words=x", "?trait=generation"):
        assert client.get(url + query).status_code == 200
    assert not ExperienceEntry.objects.exists()


def test_a_price_is_chosen_by_its_words(signed_in: Any, player: Any, by: Membership, ilya: Character) -> None:
    award(by, ilya)
    url = reverse("characters:experience", args=[ilya.pk])
    client = signed_in(player)
    assert "10 points" in client.get(f"{url}?trait=auspex").content.decode()
    page = client.get(f"{url}?trait=auspex&words=out+of+clan").content.decode()
    assert "Discipline (out of clan): current x 7" in page
    client.post(url, {"trait": "auspex", "to": "3", "words": "out of clan"})
    assert ExperienceEntry.objects.get(step="asked").price == 14


def test_the_storyteller_awards_by_the_list_or_in_their_own_words(
    signed_in: Any, storyteller: Any, chronicle: Any, ilya: Character, lurker: Character
) -> None:
    url = reverse("characters:ledgers", args=[chronicle.pk])
    client = signed_in(storyteller)
    form = client.get(url).context["form"]
    assert form["to"].value() == [ilya.pk]
    assert ("0", "Session played: 1 point") in form.fields["reason"].choices
    for typed in (
        {"to": [ilya.pk], "reason": "0"},
        {"to": [ilya.pk, lurker.pk], "reason": "own", "words": "Saved the Prince", "amount": "3"},
        {"to": [ilya.pk], "reason": "1", "amount": "2", "words": "Learned to fly"},
    ):
        assert client.post(url, typed).status_code == 302
    entries = ilya.experience.order_by("seq").values_list("reason", "amount")
    assert list(entries) == [("Session played", 1), ("Saved the Prince", 3), ("Learned to fly", 2)]
    for typed, field in (
        ({"reason": "0"}, "to"),
        ({"to": ["nobody"], "reason": "0"}, "to"),
        ({"to": [ilya.pk], "reason": "9"}, "reason"),
        ({"to": [ilya.pk], "reason": "own", "words": "x"}, "amount"),
        ({"to": [ilya.pk], "reason": "own", "amount": "1"}, "words"),
        ({"to": [ilya.pk], "reason": "0", "amount": "0"}, "amount"),
    ):
        answer = client.post(url, typed)
        assert answer.status_code == 422
        assert list(answer.context["form"].errors) == [field]
    assert ilya.experience.count() == 3


def test_a_correction_is_a_new_entry(signed_in: Any, storyteller: Any, by: Membership, ilya: Character) -> None:
    award(by, ilya)
    client = signed_in(storyteller)
    url = reverse("characters:correct", args=[ilya.pk])
    assert client.get(url).status_code == 200
    for typed in ({"amount": "0", "reason": "x"}, {"amount": "-3", "reason": ""}):
        assert client.post(url, typed).status_code == 422
    for _press in range(2):
        assert client.post(url, {"amount": "-3", "reason": "Counted twice", "key": "c"}).status_code == 302
    page = client.get(reverse("characters:experience", args=[ilya.pk])).content.decode()
    assert "Correction: Counted twice" in page
    assert "17 points" in page


def test_a_request_that_isnt_there_is_not_found(
    signed_in: Any, storyteller: Any, by: Membership, mine: Membership, ilya: Character, chronicle: Any
) -> None:
    award(by, ilya)
    given = ilya.experience.get()
    client = signed_in(storyteller)
    for entry in ("nobody", given.pk):
        assert client.post(reverse("characters:withdraw", args=[ilya.pk, entry])).status_code == 404
        assert client.post(reverse("characters:answer", args=[chronicle.pk, entry])).status_code == 404
    asked = ask(mine, ilya)
    assert client.post(reverse("characters:withdraw", args=[ilya.pk, asked.pk])).status_code == 302
    assert client.post(reverse("characters:withdraw", args=[ilya.pk, asked.pk])).status_code == 302
    assert ExperienceEntry.objects.filter(step="withdrawn").count() == 1


def test_nobody_else_sees_a_ledger(
    signed_in: Any, by: Membership, mine: Membership, ilya: Character, lurker: Character, other_player: Any,
    observer: Any, stranger: Any, chronicle: Any,
) -> None:  # fmt: skip
    experience.award(by=by, to=[ilya.pk, lurker.pk], amount=9, reason="CANARY-REASON")
    ask(mine, ilya)
    for user, status in ((other_player, 403), (observer, 403), (stranger, 404)):
        client = signed_in(user)
        for route in ("experience", "correct"):
            answer = client.get(reverse(f"characters:{route}", args=[ilya.pk]))
            assert answer.status_code == status
            assert "CANARY" not in answer.content.decode()
            assert client.get(reverse(f"characters:{route}", args=[lurker.pk])).status_code == 404
        assert client.get(reverse("characters:ledgers", args=[chronicle.pk])).status_code == status
        assert client.post(reverse("characters:experience", args=[ilya.pk]), {"what": "x"}).status_code == status
    assert (
        "request"
        not in signed_in(other_player).get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    )


def test_an_owner_who_only_watches_now_reads_and_asks_for_nothing(
    signed_in: Any, by: Membership, player: Any, ilya: Character
) -> None:
    award(by, ilya)
    Membership.objects.filter(chronicle=by.chronicle, user=player).update(role="observer")
    client, url = signed_in(player), reverse("characters:experience", args=[ilya.pk])
    page = client.get(f"{url}?trait=brawl")
    assert "20 points" in page.content.decode()
    assert 'id="x-offers"' not in page.content.decode()
    assert client.post(url, {"trait": "brawl", "to": "1"}).status_code == 403


def test_reading_a_ledger_takes_few_queries(
    signed_in: Any, by: Membership, mine: Membership, ilya: Character, django_assert_max_num_queries: Any
) -> None:
    for _time in range(8):
        award(by, ilya)
        ask(mine, ilya)
    client = signed_in(mine.user)
    with django_assert_max_num_queries(22):
        client.get(f"{reverse('characters:experience', args=[ilya.pk])}?trait=brawl")


# Lists of the sheet -----------------------------------------------------------------------------------------------


def wish(by: Membership, who: Character, name: str, to: int, listing: str = "backgrounds", words: str = "") -> Any:
    return experience.ask(by=by, character=who, wish=Entry(listing, name, to, words))


@pytest.fixture
@kept
def connected(ilya: Character) -> Character:
    """Ilya with a Background and a Merit that rules know."""
    ilya.lists = {"backgrounds": [["Allies", 2], ["Herd", 5]]}
    ilya.save()
    return ilya


def test_a_background_is_bought_as_what_it_is(by: Membership, mine: Membership, connected: Character) -> None:
    award(by, connected, amount=30)
    new, more = wish(mine, connected, "Mentor", 2), wish(mine, connected, "allies", 3)
    assert (new.trait, new.reason, new.was, new.to, new.price) == ("list:backgrounds", "Mentor", 0, 2, 6)
    assert (more.reason, more.was, more.price, more.line) == ("Allies", 2, 6, "Background: current x 3")
    assert Character.objects.get(pk=connected.pk).lists["backgrounds"] == [["Allies", 2], ["Herd", 5]]
    for each in (new, more):
        experience.grant(by=by, entry=each)
    kept = Character.objects.get(pk=connected.pk)
    assert kept.lists["backgrounds"] == [["Allies", 3], ["Herd", 5], ["Mentor", 2]]
    assert (kept.merits, experience.balance(connected)) == (connected.merits, 18)
    change = kept.changes.first()
    assert change is not None
    assert (change.cause, change.reason) == ("purchase", more.line)
    assert [name for name, _was, _now in change.changes] == ["lists:backgrounds"]
    experience.correct(by=by, character=connected, amount=6, reason="The mentor was a mistake")
    assert experience.balance(connected) == 24
    assert list(experience_seals.faults_here(by.chronicle_id)) == []
    # The seal covers the list and the name.
    with connection.cursor() as cursor:
        cursor.execute("UPDATE characters_experienceentry SET reason = 'Domain' WHERE id = %s", [new.pk])
    assert list(experience_seals.faults_here(by.chronicle_id))


def test_a_merit_that_rules_read_counts_once_it_is_granted(by: Membership, mine: Membership, ilya: Character) -> None:
    """In lists that rules read, the name of an entry is a Merit; upper and lower case are the same entry."""
    Chronicle.objects.update(options={"experience_prices": ["Merit: 2"]})
    by.refresh_from_db()
    ilya = Character.objects.get(pk=ilya.pk)
    award(by, ilya)
    asked = wish(mine, ilya, "Iron Will", 3, "merits")
    assert asked.price == 6
    assert "iron_will" not in Character.objects.get(pk=ilya.pk).merits
    experience.grant(by=by, entry=asked)
    kept = Character.objects.get(pk=ilya.pk)
    assert "iron_will" in kept.merits
    assert kept.lists["merits"] == [["Iron Will", 3]]
    again = wish(mine, kept, "IRON WILL", 4, "merits")
    assert (again.reason, again.was, again.price) == ("Iron Will", 3, 2)
    experience.grant(by=by, entry=again)
    kept.refresh_from_db()
    assert kept.lists["merits"] == [["Iron Will", 4]]
    assert kept.merits.count("iron_will") == 1


def test_a_gift_costs_its_rank_and_is_bought_once(chronicle: Any, by: Membership, ilya: Character) -> None:
    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset="apocalypse")
    by = Membership.objects.get(pk=by.pk)
    Character.objects.filter(pk=ilya.pk).update(kind="garou", lists={"gifts": [["Sense Wyrm", 1]]})
    garou = Character.objects.get(pk=ilya.pk)
    award(by, garou)
    bought = wish(by, garou, "Luna’s Armor", 2, "gifts")
    assert (bought.step, bought.price, experience.balance(garou)) == ("granted", 6, 14)
    kept = Character.objects.get(pk=garou.pk)
    assert kept.lists["gifts"] == [["Sense Wyrm", 1], ["Luna’s Armor", 2]]
    with pytest.raises(Refused, match="on the sheet already"):
        wish(by, kept, "sense wyrm", 2, "gifts")


def test_an_entry_that_cant_be_bought_is_refused_with_a_sentence(
    by: Membership, mine: Membership, connected: Character
) -> None:
    award(by, connected)
    for listing, name, to, sentence in (
        ("merits", "Luck", 1, "Choose a list"),
        ("gifts", "Sense Wyrm", 1, "Choose a list"),
        ("backgrounds", "", 1, "Enter a name"),
        ("backgrounds", "Herd", 6, "can’t be raised above 5"),
        ("backgrounds", "Allies", 2, "3 at least and 5 at most"),
        ("backgrounds", "Fame", 6, "1 at least and 5 at most"),
        ("disciplines", "Obfuscate", 2, "no price"),
    ):
        with pytest.raises(Refused, match=sentence):
            wish(mine, connected, name, to, listing)
    connected.lists = {"backgrounds": [[f"Ally {number}", 1] for number in range(60)]}
    connected.save()
    with pytest.raises(Refused, match="has 60 entries"):
        wish(mine, connected, "Fame", 1)
    assert wish(mine, connected, "Ally 7", 2)


def test_an_entry_that_changed_since_is_not_granted(by: Membership, mine: Membership, connected: Character) -> None:
    award(by, connected)
    asked = wish(mine, connected, "Allies", 3)
    Character.objects.filter(pk=connected.pk).update(lists={"backgrounds": [["Allies", 4]]})
    with pytest.raises(Refused, match="Allies was 2 when this was asked for and is 4 now"):
        experience.grant(by=by, entry=asked)
    assert experience.balance(connected) == 20


def test_the_pages_say_what_is_asked_for(
    client: Any, chronicle: Any, by: Membership, mine: Membership, connected: Character
) -> None:
    award(by, connected)
    client.force_login(mine.user)
    address = reverse("characters:experience", args=[connected.pk])
    page = client.get(address).content.decode()
    assert "?trait=list%3Abackgrounds&amp;place=0" in page
    assert "place=1" not in page  # five dots are the most
    assert "Backgrounds: Allies 2" in client.get(address, {"trait": "list:backgrounds", "place": "0"}).content.decode()
    for odd in ("2", "999", "9" * 5000, "-1", "x"):
        assert 'value=""' in client.get(address, {"trait": "list:backgrounds", "place": odd}).content.decode()
    new = client.get(address, {"trait": "list:backgrounds"}).content.decode()
    assert 'id="ask-entry" value=""' in new
    assert '<option value="Mentor">' in new
    post = {"trait": "list:backgrounds", "entry": "  Mentor  <b> ", "to": "1", "key": "k"}
    assert client.post(address, post).status_code == 302
    page = client.get(address).content.decode()
    assert "Backgrounds: Mentor &lt;b&gt; 0 → 1" in page
    empty = client.post(address, post | {"entry": " ", "key": "l"})
    assert empty.status_code == 422
    assert "Enter a name with at least one letter or digit." in empty.content.decode()
    client.force_login(by.user)
    ledgers = client.get(reverse("characters:ledgers", args=[chronicle.pk])).content.decode()
    assert "Backgrounds: Mentor &lt;b&gt; 0 → 1" in ledgers
    for odd in ("list:", "list:nothing", "list:merits"):
        assert client.get(address, {"trait": odd, "entry": "x"}).status_code == 200
        assert client.post(address, {"trait": odd, "entry": "x", "to": "1"}).status_code == 422


def test_a_long_ledger_takes_no_more_queries(
    client: Any, by: Membership, mine: Membership, ilya: Character, django_assert_max_num_queries: Any
) -> None:
    award(by, ilya, amount=100)
    address = reverse("characters:experience", args=[ilya.pk])
    client.force_login(mine.user)
    ask(mine, ilya)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    for number in range(6):
        ask(mine, ilya, key=f"k{number}")
        wish(mine, ilya, f"Ally {number}", 1)
    with django_assert_max_num_queries(len(few)):
        client.get(address)


@pytest.mark.servers
def test_any_name_and_list_get_the_page_or_a_refusal(
    client: Any, by: Membership, mine: Membership, ilya: Character
) -> None:
    award(by, ilya)
    address = reverse("characters:experience", args=[ilya.pk])
    client.force_login(mine.user)
    for kind, value in {**FOR_DATABASES, **OTHERS}.items():
        odd = quote_from_bytes(value)
        for said in (f"trait=list:backgrounds&entry={odd}&to=1", f"trait=list:{odd}&entry=x&to={odd}", f"trait={odd}"):
            assert client.post(address, said, content_type=FORM).status_code in (302, 422), kind
            if len(said) < 6000:
                assert client.get(f"{address}?{said}").status_code == 200, kind
