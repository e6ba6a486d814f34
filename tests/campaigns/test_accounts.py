"""Accounts: signing up, signing in and out, passwords."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.admin import site
from django.core import mail
from django.db import IntegrityError, transaction
from django.urls import reverse

from campaigns import services
from campaigns.models import User

GOOD = {"username": "newcomer", "password": "a long enough phrase", "email": ""}
SIGN_UP, SIGN_IN = "/account/sign-up/", "/account/sign-in/"


@pytest.fixture
def invitation_path(member: Any, storyteller: Any) -> str:
    from django.utils import timezone

    from campaigns.models import Role

    _invitation, token = services.invite(
        by=member(storyteller), role=Role.PLAYER, expires=timezone.now() + timezone.timedelta(days=1), max_uses=1
    )
    return reverse("campaigns:join", args=[token])


@pytest.mark.servers
def test_signing_up_signs_in(client: Any, db: None) -> None:
    response = client.post(SIGN_UP, {**GOOD, "is_staff": "on", "is_superuser": "on"}, follow=True)
    assert response.context["user"].username == "newcomer"
    user = User.objects.get()
    assert not user.is_staff
    assert not user.is_superuser
    assert user.check_password("a long enough phrase")


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "with space"}, "username"),
        ({"username": "x" * 41}, "username"),
        ({"username": "STORYTELLER"}, "username"),
        ({"username": "\ufdfa" * 40}, "username"),  # each becomes eighteen letters and spaces when normalised
        ({"username": "ﬃ" * 20}, "username"),
        ({"username": "\u3164\u115f"}, "username"),  # fillers: letters without a glyph
        ({"password": ""}, "password"),
        ({"password": "short"}, "password"),
        ({"password": "password1"}, "password"),
        ({"password": "newcomer"}, "password"),
        ({"password": "x" * 129}, "password"),
        ({"email": "nowhere"}, "email"),
    ],
)
def test_bad_input_comes_back(bad: dict[str, str], field: str, client: Any, storyteller: Any) -> None:
    response = client.post(SIGN_UP, {**GOOD, **bad})
    assert response.status_code == 422
    form = response.context["form"]
    assert list(form.errors) == [field]
    assert form["username"].value() == {**GOOD, **bad}["username"]
    assert User.objects.count() == 1
    (box,) = re.findall(r'<input type="password"[^>]*>', response.content.decode())
    assert "value" not in box


@pytest.mark.servers
def test_names_are_one_whatever_their_case(storyteller: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("StoryTeller")
    assert User.objects.get_by_natural_key("STORYTELLER") == storyteller


@pytest.mark.servers
def test_a_name_is_kept_as_it_is_normalised_and_signs_in_either_way(client: Any, db: None) -> None:
    assert client.post(SIGN_UP, {**GOOD, "username": "Ａnna"}).status_code == 302
    assert User.objects.get().username == "Anna"
    for name in ("Ａnna", "anna"):
        client.logout()
        assert client.post(SIGN_IN, {"username": name, "password": GOOD["password"]}).status_code == 302


@pytest.mark.servers
def test_the_second_who_takes_a_name_at_the_same_moment_reads_so(
    client: Any, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = services.sign_up

    def quicker(**how: Any) -> User:
        real(**how)
        return real(**how)

    monkeypatch.setattr(services, "sign_up", quicker)
    response = client.post(SIGN_UP, GOOD)
    assert response.status_code == 422
    assert response.context["form"].errors == {"username": ["This name is already taken."]}
    assert not response.context["user"].is_authenticated


@pytest.mark.servers
@pytest.mark.parametrize("pair", [("ian", "İan"), ("İan", "ian"), ("Jörg", "JÖRG"), ("ıan", "ian"), ("σx", "ςx")])
def test_a_name_that_the_database_takes_for_anothers_is_refused_or_somebodys_own(
    client: Any, db: None, pair: tuple[str, str]
) -> None:
    """Which of the two, and so what signs in, depends on the database; neither fails."""
    for name in pair:
        assert client.post(SIGN_UP, {**GOOD, "username": name}).status_code in (302, 422)
        client.logout()
    for user in User.objects.all():
        assert client.post(SIGN_IN, {"username": user.username, "password": GOOD["password"]}).status_code == 302
        assert client.session["_auth_user_id"] == str(user.pk)
        client.logout()


def test_passwords_may_be_long_and_in_any_script(client: Any, db: None) -> None:
    password = "дождь над крышами " * 7
    assert client.post(SIGN_UP, {**GOOD, "password": password[:128]}).status_code == 302
    client.logout()
    assert client.post(SIGN_IN, {"username": "NewComer", "password": password[:128]}).status_code == 302


def test_sign_up_by_invitation_alone(client: Any, settings: Any, invitation_path: str) -> None:
    settings.VESPER_SIGN_UP = "invitation"
    assert "you need a Storyteller’s invitation" in client.get(SIGN_UP).content.decode()
    for following in ("", "/", "/join/wrong/", "https://evil.example" + invitation_path):
        assert client.post(SIGN_UP, {**GOOD, "next": following}).status_code == 403
    assert client.post(SIGN_UP, {**GOOD, "next": invitation_path})["Location"] == invitation_path
    assert User.objects.filter(username="newcomer").exists()


def test_closed_sign_up(client: Any, settings: Any, invitation_path: str) -> None:
    settings.VESPER_SIGN_UP = "closed"
    assert client.get(SIGN_UP).status_code == 200
    assert client.post(SIGN_UP, {**GOOD, "next": invitation_path}).status_code == 403
    assert "Create an account" not in client.get("/").content.decode()
    assert not User.objects.filter(username="newcomer").exists()


@pytest.mark.servers
def test_sign_ups_from_one_address_are_counted(client: Any, db: None) -> None:
    for number in range(30):
        assert client.post(SIGN_UP, {**GOOD, "username": f"n{number}"}).status_code == 302
        client.logout()
    assert client.post(SIGN_UP, GOOD).status_code == 429


@pytest.mark.parametrize(
    "following",
    ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example", "http:///evil.example"],
)
def test_the_way_on_stays_here(following: str, client: Any, player: Any) -> None:
    data = {"username": "player", "password": "player's password", "next": following}
    assert client.post(SIGN_IN, data)["Location"] == "/"
    client.logout()
    assert client.post(SIGN_UP, {**GOOD, "next": following})["Location"] == "/"


def test_an_address_without_a_slash_is_no_name_of_a_route(client: Any, player: Any) -> None:
    assert client.post(SIGN_UP, {**GOOD, "next": "foo"})["Location"] == "foo"
    assert User.objects.filter(username="newcomer").exists()
    for page in (SIGN_UP, SIGN_IN):
        assert client.get(page, {"next": "foo"})["Location"] == "foo"


def test_the_way_on_from_the_sign_in_page_is_not_the_sign_in_page(client: Any, player: Any) -> None:
    data = {"username": "player", "password": "player's password", "next": SIGN_IN}
    assert client.post(SIGN_IN, data)["Location"] == "/"
    assert client.get(SIGN_IN, {"next": SIGN_IN})["Location"] == "/"


@pytest.mark.servers
def test_signing_in_gives_a_new_session_and_the_page_asked_for(client: Any, player: Any, chronicle: Any) -> None:
    page = reverse("campaigns:chronicle", args=[chronicle.pk])
    asked = client.get(page)["Location"]
    assert asked == f"{SIGN_IN}?next={page}"
    before = client.cookies.get("vesper-session")
    response = client.post(asked, {"username": "PLAYER", "password": "player's password", "next": page})
    assert response["Location"] == page
    assert client.cookies["vesper-session"] != before
    assert client.get(page).status_code == 200


def test_a_wrong_name_and_a_wrong_password_sound_alike(client: Any, player: Any) -> None:
    said = []
    for name in ("player", "nobody"):
        response = client.post(SIGN_IN, {"username": name, "password": "wrong"})
        assert response.status_code == 422
        said.append(response.context["form"].non_field_errors())
    assert said[0] == said[1] == ["Wrong name or password. The password is case-sensitive."]


@pytest.mark.servers
def test_guessing_passwords_ends(client: Any, player: Any, other_player: Any) -> None:
    for _guess in range(10):
        client.post(SIGN_IN, {"username": "player", "password": "wrong"}, headers={"x-forwarded-for": "198.51.100.1"})
    locked = client.post(SIGN_IN, {"username": "player", "password": "player's password"})
    assert locked.status_code == 429
    assert "Too many attempts" in locked.content.decode()
    data = {"username": "other_player", "password": "other_player's password"}
    assert client.post(SIGN_IN, data).status_code == 302


def test_signing_out_takes_a_post(client_of: Any, player: Any) -> None:
    client = client_of(player)
    assert client.get("/account/sign-out/").status_code == 405
    assert client.post("/account/sign-out/").status_code == 302
    assert client.get("/account/").status_code == 302


@pytest.mark.servers
def test_changing_the_password_signs_other_devices_out(client_of: Any, player: Any) -> None:
    here, elsewhere = client_of(player), client_of(player)
    data = {
        "old_password": "player's password",
        "new_password1": "quite another phrase",
        "new_password2": "quite another phrase",
    }
    assert here.post("/account/password/", data).status_code == 302
    assert here.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302


@pytest.mark.servers
def test_a_forgotten_password_is_set_by_mail(client: Any, player: Any) -> None:
    client.post("/account/forgotten/", {"email": "player@example.org"})
    (letter,) = mail.outbox
    assert letter.to == ["player@example.org"]
    (link,) = re.findall(r"http://testserver(/account/reset/\S+)", letter.body)
    response = client.get(link, follow=True)
    form_at = response.redirect_chain[-1][0]
    bad = client.post(form_at, {"new_password1": "short", "new_password2": "short"})
    assert bad.context["form"].errors
    good = {"new_password1": "quite another phrase", "new_password2": "quite another phrase"}
    assert client.post(form_at, good)["Location"] == SIGN_IN
    player.refresh_from_db()
    assert player.check_password("quite another phrase")
    assert "This link no longer works" in client.get(link, follow=True).content.decode()


def test_asking_for_a_stranger_answers_alike_and_sends_nothing(client: Any, player: Any) -> None:
    known = client.post("/account/forgotten/", {"email": "player@example.org"}, follow=True)
    unknown = client.post("/account/forgotten/", {"email": "nobody@example.org"}, follow=True)
    assert re.sub(r"\w{64}", "", known.content.decode()) == re.sub(r"\w{64}", "", unknown.content.decode())
    assert len(mail.outbox) == 1


@pytest.mark.servers
def test_resets_are_counted(client: Any, player: Any) -> None:
    for _ask in range(10):
        client.post("/account/forgotten/", {"email": "player@example.org"})
    assert client.post("/account/forgotten/", {"email": "player@example.org"}).status_code == 429
    assert len(mail.outbox) == 10


def test_a_server_without_mail_says_where_the_link_goes(client: Any, settings: Any, db: None) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    for page in ("/account/forgotten/", "/account/forgotten/sent/"):
        assert "printed where Vesper was started" in client.get(page).content.decode()


@pytest.mark.servers
def test_the_account_page_saves_what_it_offers_and_nothing_else(client_of: Any, player: Any) -> None:
    data = {"first_name": "Béla", "email": "b@example.org", "username": "admin", "is_staff": "on"}
    assert client_of(player).post("/account/", data).status_code == 302
    player.refresh_from_db()
    assert (player.display_name, player.email, player.username, player.is_staff) == (
        "Béla",
        "b@example.org",
        "player",
        False,
    )
    unseen = client_of(player).post("/account/", {"first_name": "\u200b\u2060", "email": ""})
    assert list(unseen.context["form"].errors) == ["first_name"]
    response = client_of(player).post("/account/", {"first_name": "B", "email": "nowhere"})
    assert response.status_code == 422
    assert response.context["user"].first_name == "Béla"


@pytest.mark.servers
def test_administrators_keep_accounts_and_read_no_games(
    admin: Any, chronicle: Any, player: Any, client_of: Any
) -> None:
    client = client_of(admin)
    page = client.get("/admin/campaigns/user/")
    assert "player@example.org" in page.content.decode()
    assert client.get(f"/admin/campaigns/user/{player.pk}/change/").status_code == 200
    assert chronicle.name not in client.get(f"/admin/campaigns/user/{player.pk}/delete/").content.decode()
    assert client.get("/admin/campaigns/user/add/").status_code == 200
    for model in ("chronicle", "note", "invitation", "membership"):
        assert client.get(f"/admin/campaigns/{model}/").status_code == 404
    kept = {model._meta.label for model in site._registry}
    axes = {"axes.AccessAttempt", "axes.AccessLog", "axes.AccessFailureLog"}
    assert kept == {"campaigns.User", "characters.Weapon", "characters.Armor", *axes}


def test_more_than_the_server_reads_has_a_page_of_its_own(client_of: Any, player: Any, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    response = client_of(player).post(reverse("campaigns:create"), {"name": "x" * 2000})
    assert response.status_code == 413
    assert "Too much at once" in response.content.decode()
