"""A test that passes while its server fails. Not named `test_*.py`, so that only `test_serve.py` runs it."""

from tests.websocket import WebSocket


def test_that_asserts_nothing_about_the_log(waiting_room):
    page = WebSocket(waiting_room.port, "/")
    page.send(b"no number")
    assert page.close_code() == 1011
