"""The application that daphne serves: HTTP by Django, sockets by Channels."""

import os
from collections.abc import Callable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # before the imports below: consumers need the apps to be loaded

from asgiref.sync import sync_to_async
from channels.auth import AuthMiddlewareStack
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import re_path

from combat.routing import websocket_urlpatterns
from config.network import SameOrigin

NOT_FOUND = 4404


class OneThreadPerRequest(ASGIHandler):
    """Runs a request's middleware and view in one go on one thread.

    Our views are synchronous, and so is whitenoise. Left to itself Django would make the other middleware
    asynchronous, and go back and forth between the loop and a thread a dozen times: half as many requests a second.
    """

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: FBT001, FBT002  the signature is Django's
        super().load_middleware(is_async=False)
        chain: Callable[[HttpRequest], HttpResponseBase] = self._middleware_chain  # type: ignore[has-type]
        self._middleware_chain = sync_to_async(chain, thread_sensitive=True)


class NoSuchSocket(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """Answers every other path. Accepts first, because only then does the page get the code and stop trying."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=NOT_FOUND)


routes = URLRouter([*websocket_urlpatterns, re_path(r"", NoSuchSocket.as_asgi())])
application = ProtocolTypeRouter({"http": OneThreadPerRequest(), "websocket": SameOrigin(AuthMiddlewareStack(routes))})
