"""Cache warm-up before a server listens, because all pages of running fights come back at once."""

from __future__ import annotations

import logging

from django.conf import settings
from django.urls import get_resolver
from django.utils import translation

from combat.live.frames import frame
from combat.models import Encounter, Status
from combat.panes.versions import audiences_of

logger = logging.getLogger(__name__)

MOST_FIGHTS = 5


def warm_up() -> None:
    """Render the newest running fights for all audiences, and import everything that takes.

    Never raises: the first real request reports the problem.
    """
    try:
        get_resolver().url_patterns  # noqa: B018  # imports every view and form
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                translation.gettext("Order")
        running = Encounter.objects.without_state().fights().playable().filter(status=Status.RUNNING)
        with translation.override(settings.LANGUAGE_CODE):
            for fight in running.select_related("chronicle").order_by("-begun")[:MOST_FIGHTS]:
                for audience in audiences_of(fight):
                    frame(fight, audience, None)
    except Exception as problem:
        logger.warning("Nothing could be drawn before it was asked for: %s", problem or type(problem).__name__)
