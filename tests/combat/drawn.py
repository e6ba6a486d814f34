"""Forms as they were drawn: the fields that a browser sends with them, and what comes of sending them."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from django.urls import reverse

from combat.panes import versions
from combat.secrecy.audiences import STORYTELLER
from tests.combat.conftest import Table

HTMX = {"HTTP_HX_REQUEST": "true"}
SENT_IF_TICKED = ("checkbox", "radio")


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {}
        self._text = self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        name = said.get("name") or ""
        if tag == "select":
            self._select = name
        elif tag == "option" and "selected" in said:
            self._take(self._select, said.get("value") or "")
        elif tag == "textarea":
            self._text = name
            self._take(name, "")
        elif tag == "input" and name and said.get("type") not in SENT_IF_TICKED:
            self._take(name, said.get("value") or "")
        elif tag == "input" and name and "checked" in said:
            self._take(name, said.get("value") or "on")

    def handle_data(self, data: str) -> None:
        if self._text:
            self.found[self._text][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            # The first line break after the tag is none of the text's.
            self.found[self._text][-1] = self.found[self._text][-1].removeprefix("\n")
            self._text = ""

    def _take(self, name: str, value: str) -> None:
        self.found.setdefault(name, []).append(value)


def drawn(client: Any, address: str, **query: Any) -> dict[str, list[str]]:
    """What the form at an address sends when nothing is changed in it."""
    answer = client.get(address, query, **HTMX)
    assert answer.status_code == 200
    return fields_of(answer.content.decode())


def fields_of(body: str) -> dict[str, list[str]]:
    """The same of a form that is there already."""
    fields = _Fields()
    fields.feed(body)
    return fields.found


@dataclass(frozen=True)
class Desk:
    """The forms of a fight, for the Storyteller whose client it is."""

    client: Any
    fight: Table

    def open(self, name: str, **query: Any) -> dict[str, list[str]]:
        """Draw a form."""
        return drawn(self.client, reverse("combat:form", args=[self.fight.encounter_id, name]), **query)

    def send(self, name: str, fields: dict[str, list[str]], *, htmx: bool = True, **changed: Any) -> Any:
        """Send it from a page that has the newest version."""
        version = versions.version_of(self.fight.encounter, STORYTELLER)
        press = {"version": version, "key": f"{name} {self.fight.encounter.seq}"}
        address = reverse("combat:do", args=[self.fight.encounter_id, name])
        return self.client.post(address, {**fields, **press, **changed}, **(HTMX if htmx else {}))
