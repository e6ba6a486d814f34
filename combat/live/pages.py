"""Live pages outside fights: what each shows to a user, and which chronicles it depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone

from campaigns import access as tables
from campaigns import bins, kinds, own_powers, own_traits, page_services, pages, readable, reading
from campaigns.models import Membership, Page, Passage, User
from campaigns.webhook.page import webhook_page
from characters import access as sheets
from characters.experience_pages import ledger_page, ledgers_page
from characters.face_pages import cast_page, face_page
from characters.gear_pages import gear_page
from characters.models import Character
from characters.pages import card, sheet_page
from characters.tie_pages import Wanted, ties_page
from combat.desk import storage
from combat.secrecy import access as fights

HOME = "me"
"""The key of the reader's own page."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows its reader now, and the chronicles it depends on."""

    value: object
    chronicles: tuple[str, ...]


def _home(user: User, key: str) -> Shown:
    if key != HOME:
        raise Http404("No such page")
    cards = pages.chronicle_cards(user)
    return Shown(cards, tuple(each.id for each in cards))


def _chronicle(user: User, key: str) -> Shown:
    return Shown(pages.chronicle_page(tables.member_or_404(user, key), timezone.now()), (key,))


def _settings(user: User, key: str) -> Shown:
    """A chronicle's forms: their content is its version, which they send along when saved."""
    return Shown(tables.storyteller_or_403(user, key).chronicle.version, (key,))


def _kinds(user: User, key: str) -> Shown:
    table = tables.storyteller_or_403(user, key).chronicle
    return Shown(kinds.lines(table.ruleset, table.own_kinds, everything=True), (key,))


def _traits(user: User, key: str) -> Shown:
    table = tables.storyteller_or_403(user, key).chronicle
    return Shown(own_traits.both(table), (key,))


def _powers(user: User, key: str) -> Shown:
    table = tables.storyteller_or_403(user, key).chronicle
    return Shown(own_powers.both(table), (key,))


def _bin(user: User, key: str) -> Shown:
    table = tables.storyteller_or_403(user, key, read_only_too=True).chronicle
    return Shown(bins.lines(table, timezone.now()), (key,))


def _webhook(user: User, key: str) -> Shown:
    return Shown(webhook_page(tables.storyteller_or_403(user, key).chronicle), (key,))


def _page_and_reader(user: User, key: str) -> tuple[Membership, Page]:
    chronicle = Page.objects.filter(pk=key).values_list("chronicle_id", flat=True).first()
    membership = tables.member_or_404(user, chronicle or "")
    return membership, readable.page_or_404(membership, key)


def _page(user: User, key: str) -> Shown:
    membership, page = _page_and_reader(user, key)
    return Shown(reading.page_view(membership, page), (membership.chronicle_id,))


def _page_list(user: User, key: str) -> Shown:
    return Shown(reading.listed_state(tables.member_or_404(user, key)), (key,))


def _page_form(user: User, key: str) -> Shown:
    membership, page = _page_and_reader(user, key)
    if not page_services.may_edit_page(membership, page, page_services.Players(membership.chronicle_id)):
        raise PermissionDenied
    return Shown(page.version, (membership.chronicle_id,))


def _passage_form(user: User, key: str) -> Shown:
    chronicle = Passage.objects.filter(pk=key).values_list("page__chronicle_id", flat=True).first()
    membership = tables.member_or_404(user, chronicle or "")
    passage = readable.passage_or_404(membership, key)
    players = page_services.Players(membership.chronicle_id)
    if not page_services.may_edit_passage(membership, passage.page, passage, players):
        raise PermissionDenied
    return Shown(passage.version, (membership.chronicle_id,))


def _cast(user: User, key: str) -> Shown:
    return Shown(cast_page(tables.member_or_404(user, key)), (key,))


def _face(user: User, key: str) -> Shown:
    chronicle = Character.objects.filter(pk=key).values_list("chronicle_id", flat=True).first() or ""
    return Shown(face_page(*sheets.known_or_404(user, chronicle, key)), (chronicle,))


def _ties(user: User, key: str) -> Shown:
    """All ties that the reader knows: a page with a choice of them is told of changes to the others as well."""
    return Shown(ties_page(tables.member_or_404(user, key), Wanted()).everything, (key,))


def _gear(user: User, key: str) -> Shown:
    return Shown(gear_page(tables.storyteller_or_403(user, key).chronicle), (key,))


def _sheet(user: User, key: str) -> Shown:
    seen = sheets.character_or_404(user, key)
    return Shown(sheet_page(seen) if seen.may_read else card(seen), (seen.character.chronicle_id,))


def _sheet_form(user: User, key: str) -> Shown:
    one = sheets.writable_or_403(user, key).character
    return Shown(one.version, (one.chronicle_id,))


def _experience(user: User, key: str) -> Shown:
    seen = sheets.character_or_404(user, key)
    if not seen.may_read:
        raise PermissionDenied
    return Shown(ledger_page(seen), (seen.character.chronicle_id,))


def _ledgers(user: User, key: str) -> Shown:
    return Shown(ledgers_page(tables.storyteller_or_403(user, key)), (key,))


def _desk_notes(user: User, key: str) -> Shown:
    """A fight's notes on the dashboard, whose other parts are kept live by the fight's own socket."""
    encounter = fights.storyteller_or_403(user, key).encounter
    return Shown(storage.notes_of(encounter).version, (encounter.chronicle_id,))


Look = Callable[[User, str], Shown]

PAGES: dict[str, Look] = {
    "home": _home,
    "chronicle": _chronicle,
    "settings": _settings,
    "kinds": _kinds,
    "traits": _traits,
    "powers": _powers,
    "bin": _bin,
    "webhook": _webhook,
    "pages": _page_list,
    "page": _page,
    "page-form": _page_form,
    "passage-form": _passage_form,
    "cast": _cast,
    "face": _face,
    "ties": _ties,
    "gear": _gear,
    "sheet": _sheet,
    "sheet-form": _sheet_form,
    "experience": _experience,
    "ledgers": _ledgers,
    "desk-notes": _desk_notes,
}
"""By the name given to `{% live_page %}`. Each raises `Http404` or `PermissionDenied` as the page does."""


def register(name: str, look: Look) -> None:
    """Add a live page of the app above. Called once for each, when that app is ready."""
    if PAGES.setdefault(name, look) is not look:
        raise ValueError(f"There is already a live page {name!r}")


def shown(user: User, name: str, key: str) -> Shown:
    """What a page shows this user. Raises `Http404` and `PermissionDenied` as the page itself does."""
    look: Any = PAGES.get(name)
    if look is None:
        raise Http404("No such page")
    found: Shown = look(user, key)
    return found
