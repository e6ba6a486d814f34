"""Security headers on every type of response."""

import gzip

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import AsyncClient
from django.urls import include, path
from django.views.decorators.http import require_POST

from config.middleware import HEADERS


def explode(request):
    raise RuntimeError("on purpose")


def refuse(request):
    raise PermissionDenied


async def asynchronous(request):
    return HttpResponse("fine")


def own_policy(request):
    return HttpResponse("a file", headers={"Content-Security-Policy": "sandbox", "Cache-Control": "private"})


urlpatterns = [
    path("explode/", explode),
    path("refuse/", refuse),
    path("asynchronous/", asynchronous),
    path("own-policy/", own_policy),
    path("post-only/", require_POST(own_policy)),
    path("", include("config.urls")),
]

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]

KINDS = [
    ("/account/sign-in/", 200),
    ("/chronicles/new/", 302),
    ("/refuse/", 403),
    ("/no/such/page/", 404),
    ("/post-only/", 405),
    ("/explode/", 500),
    ("/asynchronous/", 200),
    ("/static/admin/css/base.css", 200),
]


@pytest.mark.parametrize(("address", "status"), KINDS)
def test_every_kind_of_answer_has_the_policy(client, address, status):
    client.raise_request_exception = False
    response = client.get(address)
    assert response.status_code == status
    assert response.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    assert response.headers["Permissions-Policy"] == HEADERS["Permissions-Policy"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    if hasattr(response, "streaming_content"):
        b"".join(response.streaming_content)
        response.close()


def test_pages_come_packed_to_browsers_that_can_unpack_them(client):
    plain = client.get("/account/sign-in/")
    packed = client.get("/account/sign-in/", headers={"Accept-Encoding": "gzip, br"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain.content) / 2
    assert b"Sign in" in gzip.decompress(packed.content)


def test_policy_allows_nothing_inline():
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")


@pytest.mark.parametrize("address", ["/account/sign-in/", "/refuse/", "/no/such/page/", "/explode/"])
def test_pages_stay_out_of_the_browsers_cache(client, address):
    client.raise_request_exception = False
    assert "no-store" in client.get(address).headers["Cache-Control"]


def test_files_are_cached(client):
    response = client.get("/static/admin/css/base.css")
    assert "no-store" not in response.headers["Cache-Control"]
    b"".join(response.streaming_content)
    response.close()


def test_what_a_view_says_itself_holds(client):
    response = client.get("/own-policy/")
    assert response.headers["Content-Security-Policy"] == "sandbox"
    assert response.headers["Cache-Control"] == "private"


def test_a_foreign_host_name_is_refused(client):
    response = client.get("/account/sign-in/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert response.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]


def test_a_post_without_its_token_is_refused():
    from django.test import Client

    response = Client(enforce_csrf_checks=True).post("/account/sign-in/", {"username": "a", "password": "b"})
    assert response.status_code == 403
    assert response.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]


def test_frames_are_denied(client):
    assert client.get("/account/sign-in/").headers["X-Frame-Options"] == "DENY"


def test_the_policy_also_stands_on_the_asynchronous_path():
    from asgiref.sync import async_to_sync

    for address in ("/asynchronous/", "/explode/"):
        response = async_to_sync(AsyncClient(raise_request_exception=False).get)(address)
        assert response.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]


def test_no_page_is_served_in_debug_mode():
    assert settings.DEBUG is False


def test_no_address_has_a_nul(client):
    """A database may fail on it, so it is not queried."""
    answer = client.get("/rules/masquerade%00/")
    assert answer.status_code == 404
    assert client.get("/chronicles/%00/").status_code == 404  # and not a redirect to the sign-in page
