"""The app of what reads everything: sessions, timeline, search, since you looked."""

from django.apps import AppConfig


class StoryConfig(AppConfig):
    name = "story"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from campaigns.sections import register_section
        from campaigns.signals import chronicle_opened
        from story import digests, live, looking, sessions, waiting

        digests.connect()
        live.connect()
        register_section("next", sessions.next_session)
        register_section("waiting", waiting.waiting_for)
        register_section("news", looking.news_for)
        chronicle_opened.connect(looking.visited, dispatch_uid="story")
