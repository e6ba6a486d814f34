"""The app of what reads everything: sessions, timeline, search, since you looked."""

from django.apps import AppConfig


class StoryConfig(AppConfig):
    name = "story"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from story import digests, live

        digests.connect()
        live.connect()
