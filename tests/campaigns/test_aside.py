"""Work that a response doesn't wait for: sending the password reset mail."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.urls import reverse

from campaigns.aside import aside

pytestmark = pytest.mark.servers

ARRIVES = threading.Event()


class SlowMail(EmailBackend):
    """A slow mail server."""

    def send_messages(self, messages: Any) -> int:
        assert ARRIVES.wait(20)
        return int(super().send_messages(messages))


def wait_for_all() -> None:
    for thread in threading.enumerate():
        if thread.name == "aside":
            thread.join(20)


@pytest.mark.django_db(transaction=True)
def test_a_reset_is_answered_before_its_mail_is_sent(
    client: Any, player: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Response time must not reveal whether an address has an account."""
    monkeypatch.setattr("campaigns.forms.accounts.aside", aside, raising=False)
    settings.EMAIL_BACKEND = "tests.campaigns.test_aside.SlowMail"
    ARRIVES.clear()
    for address in (player.email, "nobody@example.org"):
        answer = client.post(reverse("campaigns:password-reset"), {"email": address}, HTTP_ACCEPT_LANGUAGE="de")
        assert answer.status_code == 302
    assert mail.outbox == []
    ARRIVES.set()
    wait_for_all()
    (letter,) = mail.outbox
    assert letter.to == [player.email]
    assert "Passwort" in letter.subject


def test_what_fails_beside_an_answer_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    aside(lambda: 1 // 0).join(20)
    assert "ZeroDivisionError" in caplog.text
