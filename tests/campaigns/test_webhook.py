"""The webhook of a chronicle: what is sent when, and what its page shows."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as current
from django.core.exceptions import PermissionDenied
from django.db import connection, connections, transaction
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from campaigns import session_services as sessions
from campaigns.errors import EditConflict, Refused
from campaigns.models import Delivery, Event, Membership, Role, Session, Webhook
from campaigns.viewing import view_as_url, viewable
from campaigns.views import webhook as views
from campaigns.webhook import calls, messages, outbox, services
from campaigns.webhook.page import webhook_page
from campaigns.webhook.plain import shown_text
from combat.live.pages import shown
from story.waiting import waiting_for
from tests.campaigns.receiver import HOST, Names, Receiver, answers, status
from tests.payloads import PAYLOADS

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 27, 19, 30, tzinfo=UTC)
TOKEN = "s3cr3t-t0k3n"
ADDRESS = f"https://{HOST}/hooks/{TOKEN}"


@pytest.fixture
def by(chronicle: Any, storyteller: Any) -> Membership:
    return Membership.objects.select_related("chronicle", "user").get(chronicle=chronicle, user=storyteller)


@pytest.fixture
def hook(chronicle: Any) -> Webhook:
    return Webhook.objects.create(chronicle=chronicle, address=ADDRESS, language="en-gb", time_zone="Europe/Berlin")


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    made = Receiver(tmp_path)
    monkeypatch.setattr(calls, "INTERNET", made.reach())
    monkeypatch.setattr(socket, "getaddrinfo", Names(["127.0.0.1"]))
    yield made
    made.close()


def announced(by: Membership, **more: Any) -> Session:
    return sessions.announce(by=by, **{"title": "Ashes", "starts": NOW, "place": "at Ana’s", **more})


def ended(by: Membership, recap: str = "The mill **burned**.", **more: Any) -> Session:
    session = announced(by, **more)
    sessions.begin(by=by, session=session, now=timezone.now())
    session.refresh_from_db()
    end(by, session, recap)
    session.refresh_from_db()
    return session


def end(by: Membership, session: Session, recap: str) -> None:
    session.refresh_from_db()
    sessions.end(by=by, session=session, version=session.version, recap=recap, came={}, now=timezone.now())


def send_all(now: datetime | None = None) -> int:
    count = 0
    while outbox.send_next(now):
        count += 1
    return count


def rows() -> list[tuple[str, str, int]]:
    found = Delivery.objects.order_by("created", "pk")
    return [(each.event, each.state, each.attempts) for each in found]


def payload(event: Event, session: Session | None, hook: Webhook) -> Any:
    delivery = Delivery(webhook=hook, event=event, session=session, created=NOW, due=NOW)
    return json.loads(messages.body_of(delivery))


# ------------------------------------------------------------------ when something is sent


def test_nothing_is_sent_without_a_webhook(by: Membership, receiver: Receiver) -> None:
    ended(by)
    assert (send_all(), rows(), receiver.connections) == (0, [], 0)


def test_a_session_is_announced_and_its_end_told(by: Membership, hook: Webhook, receiver: Receiver) -> None:
    session = announced(by)
    assert send_all() == 1
    sessions.begin(by=by, session=session, now=timezone.now())
    assert send_all() == 0
    end(by, session, "The mill **burned**.")
    assert send_all() == 1
    assert rows() == [("session-announced", "sent", 1), ("session-ended", "sent", 1)]
    (head, first), (_head, second) = receiver.requests
    assert head.startswith(f"POST /hooks/{TOKEN} ")
    assert (first["vesper"]["event"], second["vesper"]["event"]) == ("session-announced", "session-ended")
    assert {each.status for each in Delivery.objects.all()} == {204}


def test_later_edits_send_nothing(by: Membership, hook: Webhook, receiver: Receiver) -> None:
    session = ended(by)
    end(by, session, "Rewritten.")
    session.refresh_from_db()
    about = {"title": "Cinders", "starts": NOW, "place": "elsewhere"}
    sessions.edit(by=by, session=session, version=session.version, **about)
    planned = announced(by)
    sessions.cancel(by=by, session=planned)
    sessions.restore(by=by, session=planned)
    assert [event for event, _state, _attempts in rows()] == ["session-announced", "session-ended", "session-announced"]


def test_only_chosen_events_are_sent(by: Membership, hook: Webhook, receiver: Receiver) -> None:
    Webhook.objects.update(ended=False)
    ended(by)
    assert [event for event, *_more in rows()] == ["session-announced"]
    Webhook.objects.update(announced=False)
    announced(by)
    assert len(rows()) == 1


def test_what_no_longer_applies_is_not_sent(by: Membership, hook: Webhook, receiver: Receiver) -> None:
    """Called off, reopened, unwanted, or told a day too late, each before anything was sent."""
    cancelled = announced(by)
    sessions.cancel(by=by, session=cancelled)
    reopened = ended(by)
    sessions.reopen(by=by, session=reopened)
    late = announced(by)
    Delivery.objects.filter(session=late).update(created=timezone.now() - timedelta(hours=25))
    send_all()
    states = {(each.session_id, each.event): each.state for each in Delivery.objects.all()}
    assert states[cancelled.pk, "session-announced"] == states[reopened.pk, "session-ended"] == "dropped"
    assert states[late.pk, "session-announced"] == "dropped"
    assert [body["vesper"]["number"] for _head, body in receiver.requests] == [reopened.number]


def test_the_message_tells_the_session_as_it_is_when_it_is_sent(
    by: Membership, hook: Webhook, receiver: Receiver
) -> None:
    session = announced(by)
    sessions.edit(by=by, session=session, version=session.version, title="Embers", starts=NOW, place="")
    send_all()
    assert receiver.requests[0][1]["vesper"]["title"] == "Embers"


def test_an_action_that_fails_announces_nothing(by: Membership, hook: Webhook) -> None:
    with transaction.atomic():
        announced(by)
        transaction.set_rollback(True)
    assert rows() == []


def test_an_outbox_that_fails_breaks_no_action(by: Membership, hook: Webhook, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: Any) -> Any:
        Delivery.objects.create(webhook=hook, event="x", state="y")  # lacks a column that it needs

    monkeypatch.setattr(outbox, "add", broken)
    session = announced(by)
    assert Session.objects.filter(pk=session.pk).exists()
    assert rows() == []


def test_a_server_can_switch_them_off(by: Membership, hook: Webhook, receiver: Receiver, settings: Any) -> None:
    settings.VESPER_WEBHOOKS = False
    announced(by)
    assert rows() == []
    before = threading.active_count()
    outbox.keep_sending()
    assert threading.active_count() == before


# ------------------------------------------------------------------ failures


@pytest.mark.parametrize("code", [500, 502, 503, 408, 429])
def test_a_passing_failure_is_tried_again(by: Membership, hook: Webhook, receiver: Receiver, code: int) -> None:
    receiver.behave = answers(status(code), status(code), status(204))
    announced(by)
    now = timezone.now()
    assert [send_all(now + timedelta(seconds=after)) for after in (1, 10, 20, 100, 200)] == [1, 0, 1, 0, 1]
    assert rows() == [("session-announced", "sent", 3)]
    assert Webhook.objects.get().failures == 0


def test_it_gives_up_after_a_few_attempts(by: Membership, hook: Webhook, receiver: Receiver) -> None:
    receiver.behave = answers(status(500))
    announced(by)
    now = timezone.now()
    for hour in range(10):
        send_all(now + timedelta(hours=hour))
    assert rows() == [("session-announced", "failed", outbox.MOST_ATTEMPTS)]
    assert len(receiver.requests) == outbox.MOST_ATTEMPTS
    assert Webhook.objects.get().failures == 1


@pytest.mark.parametrize("code", [301, 302, 307, 308, 400, 401, 403, 405, 413])
def test_a_refusal_is_final(by: Membership, hook: Webhook, receiver: Receiver, code: int) -> None:
    receiver.behave = answers(status(code, "Location: https://127.0.0.1/"))
    announced(by)
    send_all(timezone.now() + timedelta(hours=1))
    assert rows() == [("session-announced", "failed", 1)]
    assert receiver.connections == 1


def test_a_receiver_that_asks_us_to_wait_is_left_alone(by: Membership, hook: Webhook, receiver: Receiver) -> None:
    receiver.behave = answers(status(429, "Retry-After: 600"))
    announced(by)
    begun = timezone.now()
    send_all()
    due = Delivery.objects.get().due
    assert timedelta(seconds=595) < due - begun < timedelta(seconds=660)


def test_a_private_host_is_not_tried_again(by: Membership, hook: Webhook, receiver: Receiver, monkeypatch: Any) -> None:
    monkeypatch.setattr(calls, "INTERNET", calls.Reach(port=receiver.port))
    announced(by)
    send_all(timezone.now() + timedelta(hours=1))
    (row,) = Delivery.objects.all()
    assert (row.state, row.failure, row.attempts, receiver.connections) == ("failed", "private", 1, 0)


def test_a_saved_address_is_checked_again_at_each_call(
    by: Membership, hook: Webhook, receiver: Receiver, settings: Any
) -> None:
    """This host became our own after it was saved."""
    settings.ALLOWED_HOSTS = [HOST]
    announced(by)
    send_all()
    assert (Delivery.objects.get().failure, receiver.connections) == ("private", 0)


def test_one_that_keeps_failing_is_stopped(by: Membership, hook: Webhook, receiver: Receiver, player: Any) -> None:
    receiver.behave = answers(status(400))
    for _time in range(outbox.MOST_FAILURES - 1):
        announced(by)
        send_all()
    assert Webhook.objects.get().stopped is None
    assert waiting_for(by) == ()
    announced(by)
    send_all()
    assert Webhook.objects.get().stopped is not None
    announced(by)
    assert (send_all(), len(rows())) == (0, outbox.MOST_FAILURES)
    assert "stopped" in waiting_for(by)[0].text
    other = Membership.objects.get(user=player)
    assert not any("stopped" in each.text for each in waiting_for(other))
    # A test that arrives starts it again.
    receiver.behave = answers(status(200))
    services.send_test(by=by)
    send_all()
    assert (Webhook.objects.get().stopped, Webhook.objects.get().failures) == (None, 0)


@pytest.mark.parametrize("code", [404, 410])
def test_a_receiver_that_is_gone_stops_it_at_once(by: Membership, hook: Webhook, receiver: Receiver, code: int) -> None:
    receiver.behave = answers(status(code))
    announced(by)
    send_all()
    assert Webhook.objects.get().stopped is not None


def test_saving_starts_it_again(by: Membership, hook: Webhook) -> None:
    Webhook.objects.update(stopped=NOW, failures=9)
    save(by)
    assert (Webhook.objects.get().stopped, Webhook.objects.get().failures) == (None, 0)


def test_an_answer_to_an_earlier_address_counts_for_nothing(by: Membership, hook: Webhook, monkeypatch: Any) -> None:
    def post(*_arguments: Any) -> calls.Answer:
        Webhook.objects.filter(pk=hook.pk).update(version=9)
        return calls.Answer(404)

    monkeypatch.setattr(calls, "post", post)
    announced(by)
    send_all()
    assert (Webhook.objects.get().stopped, Webhook.objects.get().failures) == (None, 0)


def test_one_that_was_removed_meanwhile_is_no_error(
    by: Membership, hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def post(*_arguments: Any) -> calls.Answer:
        services.remove(by=by)
        return calls.Answer(204)

    monkeypatch.setattr(calls, "post", post)
    announced(by)
    assert send_all() == 1
    assert rows() == []


def test_no_log_has_the_address(
    by: Membership, hook: Webhook, receiver: Receiver, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    for behave in (answers(status(500)), answers(b"nonsense"), answers(b"")):
        receiver.behave = behave
        announced(by)
        send_all()
    receiver.close()
    announced(by)
    send_all()
    assert TOKEN not in caplog.text
    assert TOKEN not in f"{hook!r} {hook} {Delivery.objects.first()!r}"


# ------------------------------------------------------------------ the outbox


def test_two_threads_never_send_the_same_message(by: Membership, hook: Webhook) -> None:
    announced(by)
    now = timezone.now()
    first = outbox._claim(now)
    assert first is not None
    assert outbox._claim(now) is None
    assert (first.attempts, rows()) == (1, [("session-announced", "waiting", 1)])


def test_an_interrupted_attempt_is_made_again_but_not_forever(
    by: Membership, hook: Webhook, receiver: Receiver
) -> None:
    announced(by)
    now = timezone.now()
    for attempt in range(outbox.MOST_ATTEMPTS):
        assert outbox._claim(now + attempt * (outbox.LEASE + timedelta(seconds=1))) is not None
    send_all(now + timedelta(hours=1))
    assert rows() == [("session-announced", "failed", outbox.MOST_ATTEMPTS + 1)]
    assert Delivery.objects.get().failure == "interrupted"
    assert receiver.requests == []


def test_those_that_fail_wait_for_the_others(by: Membership, hook: Webhook, person: Callable[..., Any]) -> None:
    from campaigns.services import create_chronicle

    Webhook.objects.update(failures=3)
    announced(by)
    other = create_chronicle(user=person("another"), name="Elsewhere", ruleset="masquerade")
    healthy = Webhook.objects.create(chronicle=other, address=ADDRESS, language="de")
    announced(Membership.objects.get(chronicle=other))
    claimed = outbox._claim(timezone.now())
    assert claimed is not None
    assert claimed.webhook_id == healthy.pk


def test_few_messages_wait_and_few_are_kept(by: Membership, hook: Webhook) -> None:
    for _time in range(outbox.MOST_WAITING + 3):
        announced(by)
    states = [state for _event, state, _attempts in rows()]
    assert (states.count("waiting"), states.count("dropped")) == (outbox.MOST_WAITING, 3)
    Delivery.objects.update(state="sent", finished=timezone.now())
    announced(by)
    assert len(rows()) == outbox.KEPT


def test_old_deliveries_are_deleted(by: Membership, hook: Webhook) -> None:
    announced(by)
    announced(by)
    first, _second = Delivery.objects.order_by("created", "pk")
    Delivery.objects.filter(pk=first.pk).update(state="sent", finished=timezone.now() - timedelta(days=31))
    assert outbox.purge() == 1
    assert not Delivery.objects.filter(pk=first.pk).exists()
    assert outbox.purge() == 0


def test_when_the_next_one_is_due(by: Membership, hook: Webhook) -> None:
    assert outbox.seconds_until_due() == outbox.LONGEST_SLEEP
    announced(by)
    assert outbox.seconds_until_due() < 1
    Delivery.objects.update(due=timezone.now() + timedelta(seconds=7))
    assert 5 < outbox.seconds_until_due() < 7.1
    Delivery.objects.update(due=timezone.now() + timedelta(hours=7))
    assert outbox.seconds_until_due() == outbox.LONGEST_SLEEP


@pytest.mark.django_db(transaction=True)
def test_a_receiver_that_hangs_delays_no_action(
    by: Membership, hook: Webhook, receiver: Receiver, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions are announced while a thread is in the middle of a call. The call would take ten seconds."""
    began = threading.Event()

    def hang(receiver: Receiver, one: ssl.SSLSocket) -> None:
        receiver.take(one)
        began.set()
        receiver.ended.wait(60)

    def work() -> None:
        outbox.send_next()
        connections.close_all()

    receiver.behave = hang
    announced(by)
    thread = threading.Thread(target=work)
    thread.start()
    assert began.wait(30)
    client.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")
    begun = time.monotonic()
    for number in range(5):
        answer = client.post(reverse("story:announce", args=[by.chronicle_id]), {"title": f"Night {number}"})
        assert answer.status_code == 302
    # Far above what five take on a busy machine, and far below a single call that hangs.
    assert time.monotonic() - begun < calls.DEADLINE * 0.8
    assert thread.is_alive()
    assert Delivery.objects.filter(state="waiting", attempts=0).count() == 5
    receiver.ended.set()
    thread.join(30)
    assert not thread.is_alive()


@pytest.mark.django_db(transaction=True)
def test_threads_that_send_at_once_send_each_message_once(by: Membership, hook: Webhook, receiver: Receiver) -> None:
    for _time in range(6):
        announced(by)
    together = threading.Barrier(4)
    problems: list[Exception] = []

    def work() -> None:
        try:
            together.wait(30)
            send_all()
        except Exception as problem:
            problems.append(problem)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _each in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(120)
    assert problems == []
    assert sorted(body["vesper"]["number"] for _head, body in receiver.requests) == [1, 2, 3, 4, 5, 6]
    assert {(state, attempts) for _event, state, attempts in rows()} == {("sent", 1)}


KILLED = """
import os, socket, sys
import django
django.setup()
from campaigns.webhook import calls, outbox
from tests.campaigns.receiver import Names
context = calls.trusted()
context.load_verify_locations({certificate!r})
calls.INTERNET = calls.Reach(lambda ip: ip == "127.0.0.1", {port}, lambda: context, itself=True)
socket.getaddrinfo = Names(["127.0.0.1"])
print(outbox.send_next(), flush=True)
"""


@pytest.mark.django_db(transaction=True)
def test_a_process_killed_in_the_middle_leaves_the_message_to_the_next(
    by: Membership, hook: Webhook, receiver: Receiver
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the process opens the test database by its file")
    began = threading.Event()

    def hang(receiver: Receiver, one: ssl.SSLSocket) -> None:
        receiver.take(one)
        began.set()
        receiver.ended.wait(60)

    receiver.behave = hang
    announced(by)
    connections.close_all()
    script = KILLED.format(certificate=str(receiver.certificate), port=receiver.port)
    name = connection.settings_dict["NAME"]
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{name}", "DJANGO_SETTINGS_MODULE": "config.settings"}
    # The script reads the module `tests` from here.
    process = subprocess.Popen([sys.executable, "-c", script], env=environment, cwd=current.BASE_DIR)
    try:
        assert began.wait(60)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    assert rows() == [("session-announced", "waiting", 1)]
    receiver.behave = answers(status(204))
    assert send_all() == 0  # claimed by the one that died
    assert send_all(timezone.now() + outbox.LEASE + timedelta(seconds=1)) == 1
    assert rows() == [("session-announced", "sent", 2)]
    assert len({body["vesper"]["delivery"] for _head, body in receiver.requests}) == 1


@pytest.mark.django_db(transaction=True)
def test_the_servers_thread_sends_what_is_announced(
    by: Membership, hook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Enough(BaseException):
        pass

    def rest(_seconds: float) -> None:
        if receiver.requests:
            raise Enough

    monkeypatch.setattr(outbox.wake, "wait", rest)
    tried = iter([RuntimeError("The database is away"), None])

    def send_next() -> bool:
        if problem := next(tried, None):
            raise problem
        return send()

    send = outbox.send_next
    monkeypatch.setattr(outbox, "send_next", send_next)
    announced(by)
    with pytest.raises(Enough):
        outbox._work()
    assert rows() == [("session-announced", "sent", 1)]


# ------------------------------------------------------------------ what is in a message


def test_an_announcement_for_each_sort_of_receiver(by: Membership, hook: Webhook, settings: Any) -> None:
    settings.VESPER_ORIGINS = ["https://vesper.example.org"]
    session = announced(by)
    found = payload(Event.ANNOUNCED, session, hook)
    url = f"https://vesper.example.org/sessions/{session.pk}/"
    assert found["content"].splitlines() == [
        "“Ash and Amber” plays again: Session 1: Ashes",
        f"When: <t:{int(NOW.timestamp())}:F>",
        "Where: at Ana’s",
        f"<{url}>",
    ]
    assert "When: 27 November 2026, 20:30 (Europe/Berlin)" in found["text"]
    assert found["allowed_mentions"] == {"parse": []}
    facts = found["vesper"]
    assert facts.pop("delivery")
    assert facts == {
        "version": 1,
        "event": "session-announced",
        "chronicle": "Ash and Amber",
        "number": 1,
        "title": "Ashes",
        "starts": "2026-11-27T19:30:00Z",
        "place": "at Ana’s",
        "url": url,
        "recap": "",
        "recap_is_cut": False,
    }
    assert found.keys() == {"content", "allowed_mentions", "text", "vesper"}


def test_what_is_unknown_is_left_out(by: Membership, hook: Webhook, settings: Any) -> None:
    settings.VESPER_ORIGINS = []
    found = payload(Event.ANNOUNCED, announced(by, title="", starts=None, place=""), hook)
    assert found["content"] == "“Ash and Amber” plays again: Session 1\nWhen: not decided yet"
    assert (found["vesper"]["starts"], found["vesper"]["url"]) == (None, "")


def test_a_message_is_in_its_own_language(by: Membership, hook: Webhook) -> None:
    hook.language = "de"
    found = payload(Event.ANNOUNCED, announced(by), hook)
    assert "Spielabend 1: Ashes" in found["content"]
    assert "27. November 2026, 20:30" in found["text"]


def test_an_end_tells_the_recap(by: Membership, hook: Webhook) -> None:
    found = payload(
        Event.ENDED, ended(by, "The mill **burned**.\n\n- Ana fled\n- [Map](https://maps.example.org/)"), hook
    )
    assert found["content"] == (
        "“Ash and Amber”: Session 1: Ashes has ended.\n\n"
        "The mill burned.\n\n• Ana fled\n• Map (https://maps.example.org/)"
    )
    assert found["vesper"]["recap"] == "The mill burned.\n\n• Ana fled\n• Map (https://maps.example.org/)"


def test_a_recap_tells_what_its_readers_see_and_no_more(by: Membership, hook: Webhook) -> None:
    """Its source holds titles behind other words, and what Markdown leaves out."""
    recap = (
        "[[CANARY the Prince|A stranger]] waits.\n\n[//]: # (CANARY: he lies)\n\n[unused]: https://canary.example.org"
    )
    recap += "\n\n```canary\nA note\n```\n\n<!-- seen by all -->"
    found = payload(Event.ENDED, ended(by, recap), hook)
    assert "canary" not in json.dumps(found).casefold()
    assert found["vesper"]["recap"] == "A stranger waits.\n\nA note\n\n<!-- seen by all -->"


@given(st.text(alphabet="ab[]|()*#`<>!&\n -:/@", max_size=200))
def test_any_recap_becomes_text(recap: str) -> None:
    said = shown_text(recap)
    assert said == said.strip()
    assert set(said) <= set(recap) | set("• ()\n")


def test_an_announcement_has_no_recap(by: Membership, hook: Webhook) -> None:
    """One of an earlier end, of a session that was reopened and planned again."""
    session = ended(by, "SECRET so far")
    assert "SECRET" not in json.dumps(payload(Event.ANNOUNCED, session, hook))


MENTIONS = ["@everyone", "@here", "@all", "@channel", "<@1234>", "<@!1234>", "<@&99>", "<#42>", "<!channel>", "<!here>"]
MENTIONS += ["<!subteam^S1|x>", "<@U024BE7LH>", "<https://evil.example|bank>", "</ban:7>", "<id:customize>"]


@pytest.mark.parametrize("mention", MENTIONS)
def test_nobody_is_mentioned(by: Membership, hook: Webhook, mention: str) -> None:
    hook.chronicle.name = f"A {mention}"
    session = ended(by, f"Hello {mention}!", title=f"T {mention}", place=f"P {mention}")
    for event in (Event.ANNOUNCED, Event.ENDED):
        found = payload(event, session, hook)
        assert mention not in found["content"]
        assert mention not in found["text"]


@given(st.text(max_size=6000), st.sampled_from([messages.MOST_CONTENT, 30, 2]))
def test_a_cut_text_fits(text: str, most: int) -> None:
    kept = messages.cut(text, most)
    assert messages._units(kept) <= most
    assert kept == text or kept.endswith("…")
    assert text.startswith(kept.removesuffix("…")) or kept == text


@pytest.mark.parametrize("letter", ["a", "ß", "💀", "word ", "@", "<", "&", "\x00", "\u202e", "[[x]]"])
def test_the_longest_texts_fit(by: Membership, hook: Webhook, letter: str) -> None:
    hook.chronicle.name = letter * 80
    session = ended(by, title="T", place="P")
    session.title = session.place = (letter * 80)[:80]
    session.recap = (letter * 20_000)[:20_000]
    for event in (Event.ANNOUNCED, Event.ENDED):
        found = payload(event, session, hook)
        assert len(found["content"].encode("utf-16-le")) // 2 <= 2000
        assert len(found["text"].encode("utf-16-le")) // 2 <= 3000
        assert len(found["vesper"]["recap"]) <= 4000


def test_nothing_else_of_the_chronicle_is_told(
    by: Membership, hook: Webhook, receiver: Receiver, player: Any, other_player: Any
) -> None:
    """Secrets where a session has neighbours: preparation, pages, answers, names."""
    from campaigns import page_services
    from campaigns.models import Answer

    session = announced(by)
    send_all()
    sessions.prepare(by=by, session=session, text="CANARY ambush")
    page_services.create_page(by=by, title="CANARY plan", text="CANARY", audience="storytellers")
    member = Membership.objects.get(user=player)
    sessions.answer(by=member, session=session, answer=Answer.NO, word="CANARY ill", now=NOW)
    sessions.begin(by=by, session=session, now=NOW)
    end(by, session, "It burned.")
    services.send_test(by=by)
    send_all()
    sent = "".join(head + json.dumps(body) for head, body in receiver.requests)
    assert len(receiver.requests) == 3
    people = [player, other_player, by.user]
    names = [name for one in people for name in (one.username, one.display_name, one.email) if name]
    assert [found for found in ("CANARY", *names) if found.casefold() in sent.casefold()] == []


# ------------------------------------------------------------------ services, and the page


def save(by: Membership, **more: Any) -> None:
    hook = Webhook.objects.filter(chronicle=by.chronicle_id).first()
    told: dict[str, Any] = {"address": ADDRESS, "announced": True, "ended": True, "language": "de", "time_zone": "UTC"}
    services.save(by=by, **{**told, "version": hook.version if hook else 0, **more})


def test_only_storytellers_set_it(by: Membership, hook: Webhook, player: Any, observer: Any) -> None:
    before = Webhook.objects.values().get()
    for user in (player, observer):
        member = Membership.objects.get(user=user)
        with pytest.raises(PermissionDenied):
            save(member)
        with pytest.raises(PermissionDenied):
            services.remove(by=member)
        with pytest.raises(PermissionDenied):
            services.send_test(by=member)
    by.role = Role.PLAYER
    by.save()
    with pytest.raises(PermissionDenied):
        save(by)
    assert (Webhook.objects.values().get(), rows()) == (before, [])


def test_of_two_storytellers_the_second_is_told(by: Membership, hook: Webhook) -> None:
    save(by)
    with pytest.raises(EditConflict):
        save(by, version=1)
    services.remove(by=by)
    with pytest.raises(EditConflict):
        save(by, version=2)
    services.remove(by=by)
    with pytest.raises(Http404):
        services.send_test(by=by)


@pytest.fixture
def opened(client: Any, by: Membership) -> Callable[..., Any]:
    client.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")

    def ask(route: str, data: Any = None, *, follow: bool = False) -> Any:
        address = reverse(f"campaigns:{route}", args=[by.chronicle_id])
        return client.get(address) if data is None else client.post(address, data, follow=follow)

    return ask


FORM = {"address": ADDRESS, "announced": "on", "ended": "on", "language": "de", "version": "0"}


def test_it_is_set_up_tested_and_removed(opened: Any, receiver: Receiver) -> None:
    assert "Nothing is sent" in opened("webhook").content.decode()
    assert opened("edit-webhook", FORM).status_code == 302
    page = opened("webhook").content.decode()
    assert f"https://{HOST}/…" in page
    assert TOKEN not in page + opened("edit-webhook").content.decode()
    opened("test-webhook", {})
    send_all()
    assert "Accepted (204)" in opened("webhook").content.decode()
    assert "Ein Test von Vesper" in receiver.requests[0][1]["content"]
    opened("remove-webhook", {})
    assert (Webhook.objects.count(), Delivery.objects.count()) == (0, 0)


def test_an_empty_field_keeps_the_address(opened: Any, hook: Webhook) -> None:
    assert opened("edit-webhook", {**FORM, "address": "", "ended": "", "version": "1"}).status_code == 302
    kept = Webhook.objects.get()
    assert (kept.address, kept.ended, kept.language, kept.version) == (ADDRESS, False, "de", 2)


def test_a_wrong_address_is_told_by_its_field_and_not_lost(opened: Any) -> None:
    typed = "http://chat.example.org/hooks/abc"
    answer = opened("edit-webhook", {**FORM, "address": typed})
    said = answer.content.decode()
    assert (answer.status_code, typed in said, "must start with https://" in said) == (422, True, True)
    assert opened("edit-webhook", {**FORM, "address": ""}).status_code == 422
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("value", [*PAYLOADS[:12], "\x00", "\ud800", "https://" + "a" * 200_000, "https://[", "💀"])
def test_any_input_is_answered_in_words(opened: Any, value: str) -> None:
    value = value.encode("utf-8", "replace").decode()
    for field in FORM:
        assert opened("edit-webhook", {**FORM, field: value}).status_code in (200, 302, 422)


def test_a_conflict_shows_no_address(opened: Any, hook: Webhook, by: Membership) -> None:
    save(by)
    answer = opened(
        "edit-webhook", {**FORM, "address": "https://other.example.org/x", "language": "en-gb", "version": "1"}
    )
    said = answer.content.decode()
    assert (answer.status_code, TOKEN in said, "Somebody else saved this" in said, "Deutsch" in said) == (
        422,
        False,
        True,
        True,
    )
    assert Webhook.objects.get().address == ADDRESS


def test_tests_are_limited(opened: Any, hook: Webhook) -> None:
    for _time in range(views.MOST_TESTS):
        opened("test-webhook", {})
    assert "Wait ten minutes" in opened("test-webhook", {}, follow=True).content.decode()
    assert Delivery.objects.count() == views.MOST_TESTS


def test_the_page_says_what_happened(by: Membership, hook: Webhook, receiver: Receiver) -> None:
    outcomes = {status(200): "Accepted (200)", status(302): "doesn’t follow", status(404): "doesn’t know this address"}
    outcomes |= {status(429): "Vesper will try again", status(500): "has a problem", status(403): "refused it (403)"}
    for answer, said in outcomes.items():
        Webhook.objects.update(stopped=None, failures=0)
        receiver.behave = answers(answer)
        announced(by)
        send_all()
        latest = webhook_page(by.chronicle).deliveries[0]
        assert said in latest.answer, answer
        assert latest.session.startswith("Session ")


def test_who_announces_or_ends_reads_where_it_goes(client: Any, by: Membership, hook: Webhook, settings: Any) -> None:
    """Also a Storyteller who didn't set it up. A recap that is edited later isn't sent, so nothing is said then."""
    client.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")

    def said(route: str, key: str) -> bool:
        return f"sent to {HOST}" in client.get(reverse(f"story:{route}", args=[key])).content.decode()

    session = announced(by)
    sessions.begin(by=by, session=session, now=NOW)
    assert (said("announce", by.chronicle_id), said("end-session", session.pk)) == (True, True)
    assert not said("edit-session", session.pk)
    Webhook.objects.update(ended=False)
    assert (said("announce", by.chronicle_id), said("end-session", session.pk)) == (True, False)
    Webhook.objects.update(ended=True)
    end(by, session, "")
    assert not said("end-session", session.pk)
    for change in ({"announced": False}, {"stopped": NOW}):
        Webhook.objects.update(**{"announced": True, "stopped": None, **change})
        assert not said("announce", by.chronicle_id)
    Webhook.objects.update(stopped=None)
    settings.VESPER_WEBHOOKS = False
    assert not said("announce", by.chronicle_id)


def test_the_page_shows_an_example(by: Membership, hook: Webhook, settings: Any) -> None:
    settings.VESPER_ORIGINS = ["https://vesper.example.org"]
    assert webhook_page(by.chronicle).example == ""
    session = announced(by, title="<b>Ash</b>")
    assert webhook_page(by.chronicle).example.splitlines() == [
        "“Ash and Amber” plays again: Session 1: <b>Ash</b>",
        "When: 27 November 2026, 20:30 (Europe/Berlin)",
        "Where: at Ana’s",
        f"https://vesper.example.org/sessions/{session.pk}/",
    ]


def test_a_server_without_webhooks_says_so(opened: Any, settings: Any) -> None:
    settings.VESPER_WEBHOOKS = False
    page = opened("webhook").content.decode()
    assert "switched off on this server" in page
    assert "Set up a webhook" not in page


def test_a_page_that_is_open_follows(by: Membership, hook: Webhook, receiver: Receiver) -> None:
    before = shown(by.user, "webhook", by.chronicle_id)
    services.send_test(by=by)
    waiting = shown(by.user, "webhook", by.chronicle_id)
    send_all()
    assert before != waiting != shown(by.user, "webhook", by.chronicle_id)
    assert waiting.chronicles == (by.chronicle_id,)


def test_no_member_sees_it_and_no_view_as_one(client: Any, by: Membership, hook: Webhook, player: Any) -> None:
    client.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")
    member = Membership.objects.get(user=player)
    assert viewable(by.user, member.pk) is not None
    address = reverse("campaigns:webhook", args=[by.chronicle_id])
    assert client.get(view_as_url(member).rstrip("/") + address).status_code == 403


def test_the_chronicle_takes_it_along(by: Membership, hook: Webhook) -> None:
    from campaigns.services import delete_chronicle

    announced(by)
    delete_chronicle(by=by)
    assert (Webhook.objects.count(), Delivery.objects.count()) == (0, 0)


def test_a_refused_end_tells_nothing(by: Membership, hook: Webhook) -> None:
    session = announced(by)
    with pytest.raises(Refused):
        end(by, session, "Never played.")
    assert [event for event, *_more in rows()] == ["session-announced"]
