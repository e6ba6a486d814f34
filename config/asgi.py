"""The ASGI application that daphne serves: HTTP by Django, WebSockets by Channels."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # before the imports below: consumers need the apps to be loaded

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.sessions import CookieMiddleware
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse
from django.urls import re_path, set_script_prefix

from combat.live.routing import websocket_urlpatterns
from config.network import SameOrigin
from config.password_queue import PasswordQueue

NOT_FOUND = 4404


class OneThreadPerRequest(ASGIHandler):
    """Runs the whole request (middleware, view and Django's signals) on one thread.

    Our views are synchronous, and so is whitenoise. Left to itself, Django makes the other middleware asynchronous and
    switches between the loop and a thread a dozen times, which halves the requests per second.

    Threads are kept and reused, and with them their database connections: starting both for each request costs more
    than many a request does. There are as many as there have been requests at once.

    A client that disconnects early does not cancel its request: a thread cannot be stopped.
    """

    def __init__(self) -> None:
        super().__init__()
        self._idle: list[ThreadPoolExecutor] = []

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: FBT001, FBT002  the signature is Django's
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            self._idle.append(thread)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            response = await sync_to_async(self._answer)(scope, body)
            await self.send_response(response, send)
            if response.streaming:
                await sync_to_async(response.close)()

    def _answer(self, scope: Any, body: Any) -> Any:
        """The response. A complete one is closed here, on its thread, since nothing more needs the database."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        request, refused = self.create_request(scope, body)
        response: Any = refused if request is None else self.get_response(request)
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not response.streaming:
            response.close()
        return response


class NoSuchSocket(AsyncWebsocketConsumer):
    """Closes every unknown path with 4404.

    Accepts first, because only then does the page see the code and stop retrying.
    """

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=NOT_FOUND)


# Django's types expect a view for every path.
elsewhere: Any = re_path(r"", NoSuchSocket.as_asgi())  # type: ignore[arg-type]
routes = URLRouter([*websocket_urlpatterns, elsewhere])
# Not AuthMiddlewareStack: consumers check the session in the database before every push, the first included.
application = ProtocolTypeRouter(
    {"http": PasswordQueue(OneThreadPerRequest()), "websocket": SameOrigin(CookieMiddleware(routes))}
)
