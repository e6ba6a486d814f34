"""Forms as rendered: the fields that a browser submits, and the response."""

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
            # The first line break after the tag is not part of the text.
            self.found[self._text][-1] = self.found[self._text][-1].removeprefix("\n")
            self._text = ""

    def _take(self, name: str, value: str) -> None:
        self.found.setdefault(name, []).append(value)


def drawn(client: Any, address: str, **query: Any) -> dict[str, list[str]]:
    """What the form at a URL submits if nothing is changed."""
    answer = client.get(address, query, **HTMX)
    assert answer.status_code == 200
    return fields_of(answer.content.decode())


def fields_of(body: str) -> dict[str, list[str]]:
    """The same for a form that was already fetched."""
    fields = _Fields()
    fields.feed(body)
    return fields.found


@dataclass(frozen=True)
class Desk:
    """A fight's forms for the Storyteller signed in on this client."""

    client: Any
    fight: Table

    def open(self, name: str, **query: Any) -> dict[str, list[str]]:
        """Fetch a form."""
        return drawn(self.client, reverse("combat:form", args=[self.fight.encounter_id, name]), **query)

    def send(self, name: str, fields: dict[str, list[str]], *, htmx: bool = True, **changed: Any) -> Any:
        """Submit it from a page with the newest version."""
        version = versions.version_of(self.fight.encounter, STORYTELLER)
        press = {"version": version, "key": f"{name} {self.fight.encounter.seq}"}
        address = reverse("combat:do", args=[self.fight.encounter_id, name])
        return self.client.post(address, {**fields, **press, **changed}, **(HTMX if htmx else {}))
