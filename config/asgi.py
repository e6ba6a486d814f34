"""The application that daphne serves: HTTP by Django, sockets by Channels."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.asgi import get_asgi_application

http = get_asgi_application()  # before the imports below: consumers need the apps to be loaded

from channels.auth import AuthMiddlewareStack
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import re_path

from combat.routing import websocket_urlpatterns
from config.network import SameOrigin

NOT_FOUND = 4404


class NoSuchSocket(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """Answers every other path. Accepts first, because only then does the page get the code and stop trying."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=NOT_FOUND)


routes = URLRouter([*websocket_urlpatterns, re_path(r"", NoSuchSocket.as_asgi())])
application = ProtocolTypeRouter({"http": http, "websocket": SameOrigin(AuthMiddlewareStack(routes))})
