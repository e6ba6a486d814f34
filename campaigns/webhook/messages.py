"""What a webhook receives: the public side of a session, as JSON for Discord, Slack and programs.

Everything in it is what every member of the chronicle may read, observers included. It is built field by field from
the session; preparation, answers, attendance, fights and people are not among them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.template.defaultfilters import date
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from campaigns.models import Delivery, Event, Session, Webhook
from campaigns.webhook.plain import shown_text
from campaigns.zones import known

MOST_CONTENT = 2000
"""Discord's limit, in UTF-16 units to be safe."""
MOST_TEXT = 3000
MOST_RECAP = 4000
"""Characters of a recap in the part for programs."""
GAP = "\u200b"
"""A zero-width space: it separates what would become a mention, and isn't seen."""

Style = Callable[[str], str]
"""Makes text harmless for one sort of receiver."""


def body_of(delivery: Delivery) -> bytes:
    """The JSON of a delivery, in its webhook's language."""
    hook = delivery.webhook
    with translation.override(hook.language), timezone.override(_zone(hook)):
        return json.dumps(_payload(delivery, hook)).encode()


def announcement(hook: Webhook, session: Session) -> str:
    """The announcement of a session as people will read it, for the webhook's page."""
    with translation.override(hook.language), timezone.override(_zone(hook)):
        said = "\n".join(_lines(Event.ANNOUNCED, session, hook, str))
    url = url_of(session)
    return said.replace(f"<{url}>", url)


def _payload(delivery: Delivery, hook: Webhook) -> dict[str, Any]:
    event, session = Event(delivery.event), delivery.session
    return {
        "content": _fitted(_lines(event, session, hook, for_discord), MOST_CONTENT),
        # Nobody is notified, even if the text contains a mention that survived.
        "allowed_mentions": {"parse": []},
        "text": _fitted(_lines(event, session, hook, for_slack), MOST_TEXT),
        "vesper": {"version": 1, "event": event.value, "delivery": delivery.pk, **_facts(event, session, hook)},
    }


def _facts(event: Event, session: Session | None, hook: Webhook) -> dict[str, Any]:
    """The part for programs."""
    facts: dict[str, Any] = {"chronicle": hook.chronicle.name}
    if session is None:
        return facts
    recap = shown_text(session.recap) if event == Event.ENDED else ""
    return facts | {
        "number": session.number,
        "title": session.title,
        "starts": _iso(session.starts),
        "place": session.place,
        "url": url_of(session),
        "recap": cut(recap, MOST_RECAP),
        "recap_is_cut": _units(recap) > MOST_RECAP,
    }


def _lines(event: Event, session: Session | None, hook: Webhook, style: Style) -> list[str]:
    """The lines of a message. Only the last, a recap, is cut if they are too long."""
    words = {"chronicle": style(hook.chronicle.name)}
    if session is None:
        return [_("A test from Vesper: sessions of “%(chronicle)s” will be announced here.") % words]
    words["session"] = style(heading(session))
    if event == Event.ENDED:
        lines = [_("“%(chronicle)s”: %(session)s has ended.") % words]
    else:
        lines = [_("“%(chronicle)s” plays again: %(session)s") % words]
        lines.append(_("When: %(when)s") % {"when": _when(session.starts, style)})
        if session.place:
            lines.append(_("Where: %(place)s") % {"place": style(session.place)})
    if url := url_of(session):
        lines.append(f"<{url}>")
    if event == Event.ENDED and session.recap.strip():
        lines.append("\n" + style(shown_text(session.recap)))
    return lines


def for_discord(text: str) -> str:
    """Text in which Discord finds no mention of people, roles, channels or commands."""
    return text.replace("@", f"@{GAP}").replace("<", f"<{GAP}")


def for_slack(text: str) -> str:
    """Text in which Slack finds no control sequence (`<!channel>`), nor Mattermost and Rocket.Chat an `@all`."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("@", f"@{GAP}")


def heading(session: Session) -> str:
    """How a session is called: by its number, and its title if it has one."""
    words = {"number": session.number, "title": session.title}
    return _("Session %(number)s: %(title)s") % words if session.title else _("Session %(number)s") % words


def url_of(session: Session) -> str:
    """The session's page; empty if the settings don't say where browsers find Vesper."""
    origin = next(iter(settings.VESPER_ORIGINS), "")
    return f"{origin}{reverse('story:session', args=[session.pk])}" if origin else ""


def cut(text: str, most: int) -> str:
    """At most `most` characters of a text, in UTF-16 units, with an ellipsis if that isn't all."""
    if _units(text) <= most:
        return text
    kept = text.encode("utf-16-le", "replace")[: 2 * (most - 1)].decode("utf-16-le", "ignore")
    # Not in the middle of a word, unless it is longer than any.
    return re.sub(r"\s+\S{0,60}$", "", kept).rstrip() + "…"


def _fitted(lines: list[str], most: int) -> str:
    head = "\n".join(lines[:-1]) + "\n" if len(lines) > 1 else ""
    return head + cut(lines[-1], most - _units(head))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "replace")) // 2


def _when(starts: datetime | None, style: Style) -> str:
    if starts is None:
        return _("not decided yet")
    if style is for_discord:
        # Discord shows it in each reader's own language and time zone.
        return f"<t:{int(starts.timestamp())}:F>"
    said = date(timezone.localtime(starts), _("j F Y, H:i"))
    return f"{said} ({timezone.get_current_timezone_name()})"


def _iso(when: datetime | None) -> str | None:
    return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z") if when else None


def _zone(hook: Webhook) -> ZoneInfo:
    return ZoneInfo(hook.time_zone if hook.time_zone in known() else "UTC")
