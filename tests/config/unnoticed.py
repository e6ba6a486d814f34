"""A test that passes while its server fails. No `test_*.py`, so that `test_serve.py` alone runs it."""

from tests.websocket import WebSocket


def test_that_asserts_nothing_about_the_log(waiting_room):
    page = WebSocket(waiting_room.port, "/")
    page.send(b"no number")
    assert page.close_code() == 1011
