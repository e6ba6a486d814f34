"""Requests are answered on reused threads, each from Django's first signal to its last on one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from config.asgi import OneThreadPerRequest

SECONDS = 20


def here() -> int:
    return threading.get_ident()


@pytest.fixture
def signals() -> Iterator[list[tuple[str, int]]]:
    """When requests began and ended, and on which thread."""
    met: list[tuple[str, int]] = []

    def began(**_given: Any) -> None:
        met.append(("began", here()))

    def ended(**_given: Any) -> None:
        met.append(("ended", here()))

    request_started.connect(began)
    request_finished.connect(ended)
    yield met
    request_started.disconnect(began)
    request_finished.disconnect(ended)


def served_by(view: Callable[[HttpRequest], Any]) -> OneThreadPerRequest:
    handler = OneThreadPerRequest()
    handler._middleware_chain = view
    return handler


async def asked(handler: OneThreadPerRequest, body: bytes = b"") -> bytes:
    """The response to a POST."""
    headers = [(b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"%d" % len(body))]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
    request = ApplicationCommunicator(handler, scope)
    await request.send_input({"type": "http.request", "body": body})
    assert (await request.receive_output(SECONDS))["status"] == 200
    answer = b""
    while True:
        piece = await request.receive_output(SECONDS)
        answer += piece.get("body", b"")
        if not piece.get("more_body"):
            await request.wait(SECONDS)
            return answer


def test_one_after_the_other_they_are_answered_on_the_same_thread(signals: list[tuple[str, int]]) -> None:
    handler = served_by(lambda _request: HttpResponse(str(here())))

    async def scenario() -> list[bytes]:
        return [await asked(handler) for _ in range(3)]

    (thread,) = set(async_to_sync(scenario)())
    assert signals == [("began", int(thread)), ("ended", int(thread))] * 3
    assert int(thread) != here()


def test_at_the_same_time_each_has_a_thread_of_its_own() -> None:
    both = threading.Barrier(2)

    def view(_request: HttpRequest) -> HttpResponse:
        both.wait(SECONDS)
        return HttpResponse(str(here()))

    handler = served_by(view)

    async def scenario() -> list[bytes]:
        return [
            *await asyncio.gather(asked(handler), asked(handler)),
            *await asyncio.gather(*map(asked, [handler] * 2)),
        ]

    answers = async_to_sync(scenario)()
    assert len(set(answers)) == 2, "and those are kept"


def test_a_form_is_read_on_the_thread() -> None:
    handler = served_by(lambda request: HttpResponse(request.POST["who"]))
    assert async_to_sync(asked)(handler, b"who=Ilya%20Voss") == b"Ilya Voss"


def test_what_is_streamed_is_closed_when_it_was_sent(signals: list[tuple[str, int]]) -> None:
    def pieces() -> Iterator[str]:
        for word in ("a ", "long ", "log"):
            assert [what for what, _thread in signals] == ["began"]
            yield word

    with pytest.warns(Warning, match="consume synchronous iterators"):
        assert async_to_sync(asked)(served_by(lambda _request: StreamingHttpResponse(pieces()))) == b"a long log"
    assert [what for what, _thread in signals] == ["began", "ended"]
    assert len({thread for _what, thread in signals}) == 1
