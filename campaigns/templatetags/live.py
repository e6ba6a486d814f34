"""Live pages, which update when something changes on the server."""

from __future__ import annotations

from typing import Any

from django import template

from campaigns.live import token
from campaigns.viewing import viewing

register = template.Library()

register.filter("live_token", token)


@register.inclusion_tag("components/_page_live.html")
def live_page(name: str, key: object, shown: object, *, filled_in: bool = False, part: str = "") -> dict[str, Any]:
    """Subscribe this page to `combat.live.pages.PAGES[name]`; `shown` is the value it was rendered from.

    A page with a form (`filled_in`) is never replaced but gets a notice. With a `part` (an element's id), the page's
    own script is notified and updates that part.

    Prints nothing while somebody views the chronicle as its reader: sockets know only the real account.
    """
    if viewing():
        return {}
    return {"name": name, "key": key, "token": token(shown), "filled_in": filled_in, "part": part}
