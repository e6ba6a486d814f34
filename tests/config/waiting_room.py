"""An application whose sockets stay open until they are closed. For a separate process."""

from channels.generic.websocket import AsyncWebsocketConsumer


class Waiting(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        await self.accept()
        await self.send(text_data="welcome")

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answers a number with that many letters."""
        await self.send(text_data="x" * int(text_data or 0))

    async def disconnect(self, code: int) -> None:
        print(f"left with {code}", flush=True)  # noqa: T201  the test reads it


application = Waiting.as_asgi()
