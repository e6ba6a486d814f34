"""Pages that follow what changes on the server."""

from __future__ import annotations

from typing import Any

from django import template

from campaigns.live import token

register = template.Library()

register.filter("live_token", token)


@register.inclusion_tag("components/_page_live.html")
def live_page(name: str, key: object, shown: object, *, filled_in: bool = False, part: str = "") -> dict[str, Any]:
    """Let this page follow `combat.live.pages.PAGES[name]`: `shown` is what it was drawn from.

    A page with a form that is `filled_in` is never drawn anew: it gets a note. Where only a `part` of it (an element's
    id) is meant, its own script is told and takes that over.
    """
    return {"name": name, "key": key, "token": token(shown), "filled_in": filled_in, "part": part}
