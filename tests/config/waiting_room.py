"""An application whose sockets stay open until somebody ends them. For a process of its own."""

from channels.generic.websocket import AsyncWebsocketConsumer


class Waiting(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        await self.accept()
        await self.send(text_data="welcome")

    async def disconnect(self, code: int) -> None:
        print(f"left with {code}", flush=True)  # noqa: T201  the test reads it


application = Waiting.as_asgi()
