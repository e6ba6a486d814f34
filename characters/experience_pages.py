"""View models of experience: a character's ledger, and the chronicle's page for Storytellers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from campaigns import chains, conduct
from campaigns.errors import Refused
from campaigns.models import Membership
from campaigns.people import told_apart
from campaigns.words import percent, said
from characters import experience, experience_seals, hooks, listings, rulesets, sheets
from characters.access import Seen
from characters.experience_words import amount, change, unit
from characters.models import Character, EntryKind, ExperienceEntry, Ledger, Step
from characters.models.experience import LIST
from characters.pages import place
from rules.model.entries import Listing
from rules.model.experience import Priced, choices, cost_of
from rules.model.system import System
from rules.odds.raising import changes_between, changes_of


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry of a ledger. `proof` is the URL of the log entry that proves it, "" if the reader may not see that."""

    id: str
    at: datetime
    what: str
    change: str
    price: str
    by: str
    note: str
    line: str
    proof: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class OfferLine:
    """A Trait, or an entry of a list, that can be raised by a dot.

    An entry is named by the list's key and its place: what somebody typed is in no URL. A new one has no `place`.
    """

    key: str
    label: str
    was: int
    to: int
    price: str
    affordable: bool
    place: str = ""


@dataclass(frozen=True, slots=True)
class OfferBlock:
    label: str
    offers: tuple[OfferLine, ...]


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A pool or another value before and after, with its chances in per cent, "" for what isn't rolled."""

    label: str
    before: int
    after: int
    chance_before: str
    chance_after: str


@dataclass(frozen=True, slots=True)
class Asking:
    """What is being chosen: its price and what it changes. `refused` says why it can't be bought.

    Of an entry of a list, `trait` is `LIST` with the list's key and `entry` its name, which is to be typed if `is_new`;
    `known` are suggestions.
    """

    trait: str
    label: str
    was: int
    to: int
    most: tuple[int, ...]
    words: str
    choices: tuple[tuple[str, str], ...]
    price: str
    line: str
    left: str
    changes: tuple[ChangeLine, ...]
    refused: str
    entry: str = ""
    is_new: bool = False
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """A character's experience, for its owner and Storytellers."""

    id: str
    name: str
    balance: str
    asked: str
    entries: tuple[EntryLine, ...]
    offers: tuple[OfferBlock, ...]
    unit: str
    is_storyteller: bool
    may_ask: bool
    at_once: bool
    locked_by: str
    seal: str
    chronicle: dict[str, str]


@dataclass(frozen=True, slots=True)
class RequestLine:
    """A request that waits for an answer."""

    id: str
    character: str
    name: str
    what: str
    price: str
    balance: str
    line: str
    by: str
    at: datetime
    affordable: bool


@dataclass(frozen=True, slots=True)
class BalanceLine:
    id: str
    name: str
    player: str
    balance: str


@dataclass(frozen=True, slots=True)
class ProposalLine:
    """An award that the log proposes. Its player can't read the entry if it is `secret`."""

    key: str
    name: str
    reason: str
    amount: str
    where: str
    proof: str
    secret: bool


@dataclass(frozen=True, slots=True)
class LedgersPage:
    """The experience of a whole chronicle, for Storytellers."""

    requests: tuple[RequestLine, ...]
    proposals: tuple[ProposalLine, ...]
    balances: tuple[BalanceLine, ...]
    awards: tuple[str, ...]
    prices: tuple[str, ...]
    whole: bool
    chronicle: dict[str, str]


def ledger_page(seen: Seen) -> LedgerPage:
    """A character's experience. The caller has checked `seen.may_read`."""
    one, ruleset = seen.character, rulesets.ruleset_for(seen.character.chronicle)
    entries = list(
        ExperienceEntry.objects.filter(character=one)
        .select_related("by", "about")
        .prefetch_related("answers")
        .order_by("-seq")
    )
    told_apart(one.chronicle_id, (each.by for each in entries))
    has = sum(each.amount for each in entries)
    lines = tuple(_entry_line(each, ruleset, seen) for each in entries)
    waiting = sum(each.price for each, line in zip(entries, lines, strict=True) if line.is_open)
    free = bool(conduct.value(one.chronicle.conduct, conduct.FREE_PURCHASES))
    end = Ledger.objects.filter(character=one).first()
    return LedgerPage(
        id=one.pk,
        name=one.name,
        balance=amount(has, ruleset.beats),
        asked=amount(waiting, ruleset.beats) if waiting else "",
        entries=lines,
        offers=tuple(_offers(one, ruleset, has)) if seen.may_write else (),
        unit=unit(ruleset.beats),
        is_storyteller=seen.is_storyteller,
        may_ask=seen.may_write,
        at_once=seen.is_storyteller or free,
        locked_by=hooks.fight_of(one.pk) if free and not seen.is_storyteller else "",
        seal=chains.shown(end.seal) if end and end.seal else "",
        chronicle=place(one.chronicle),
    )


def asking(
    seen: Seen, trait: str, to: int | None, words: str, entry: str = "", number: int | None = None
) -> Asking | None:
    """What the reader is told before asking for a Trait or an entry of a list; None for what can't be chosen.

    An entry without a name is the one with this `number` in the list.
    """
    one, ruleset = seen.character, rulesets.ruleset_for(seen.character.chronicle)
    if trait.startswith(LIST):
        return _asking_entry(one, ruleset, trait.removeprefix(LIST), entry, number, to, words)
    found = experience.buyable(ruleset, one).get(trait)
    if found is None:
        return None
    sheet, words = sheets.sheet_of(one), _chosen_words(ruleset, found, words)
    was = ruleset.layout.bare(sheet, trait)
    most, to = _dots(was, found.maximum, to)
    return Asking(
        trait=trait,
        label=said(found.label),
        was=was,
        to=to,
        most=most,
        words=words,
        choices=_choices(ruleset, found),
        changes=tuple(_change_line(each) for each in changes_of(ruleset, sheet, trait, to)) if most else (),
        **_price(one, ruleset, experience.Raise(trait, to, words)),
    )


def _asking_entry(
    one: Character, ruleset: System, key: str, entry: str, number: int | None, to: int | None, words: str
) -> Asking | None:
    listing = experience.buyable_lists(ruleset, one.kind).get(key)
    if listing is None:
        return None
    there = [name for name, _dots in listings.entries_of(one, ruleset, listing)]
    if not entry and number is not None and number < len(there):
        entry = there[number]
    name, was = experience.entry_on(one, ruleset, listing, entry)
    words = _chosen_words(ruleset, listing, words)
    most, to = _dots(was, listing.most, to)
    # The price of a new entry doesn't depend on its name, which may not be there yet.
    priced = _price(one, ruleset, experience.Entry(key, name or said(listing.label), to, words))
    return Asking(
        trait=f"{LIST}{key}",
        label=f"{said(listing.label)}: {name}" if name else said(listing.label),
        was=was,
        to=to,
        most=most,
        words=words,
        choices=_choices(ruleset, listing),
        changes=tuple(_merit_changes(one, ruleset, listing, name)),
        entry=name,
        is_new=name not in there,
        known=tuple(said(each) for each in listing.known),
        **priced,
    )


def _merit_changes(one: Character, ruleset: System, listing: Listing, name: str) -> Iterable[ChangeLine]:
    """What an entry that rules read changes, if it is new."""
    keys = listings.merit_keys([name], ruleset) if listing.read and name else []
    if keys and not set(keys) <= set(one.merits):
        sheet = sheets.sheet_of(one)
        after = replace(sheet, merits=sheet.merits | frozenset(keys))
        yield from map(_change_line, changes_between(ruleset, sheet, after))


def _chosen_words(ruleset: System, what: Priced, words: str) -> str:
    named = choices(ruleset.prices(), what)
    return words if words in named else (named[0] if named else "")


def _choices(ruleset: System, what: Priced) -> tuple[tuple[str, str], ...]:
    named = choices(ruleset.prices(), what)
    return tuple((each, each or _("otherwise")) for each in named) if len(named) > 1 else ()


def _dots(was: int, maximum: int, to: int | None) -> tuple[tuple[int, ...], int]:
    """The dots to choose from, and the chosen ones."""
    most = tuple(range(was + 1, maximum + 1))
    return most, to if to in most else (most[0] if most else was)


def _price(one: Character, ruleset: System, wish: experience.Raise | experience.Entry) -> dict[str, Any]:
    """The price, its lines, the balance afterwards, and why it can't be bought, in words."""
    price = line = left = refused = ""
    try:
        quote = experience.quote(one, ruleset, wish)
    except Refused as problem:
        refused = str(problem)
    else:
        has = experience.balance(one)
        price, line = amount(quote.price, ruleset.beats), quote.line
        left = amount(has - quote.price, ruleset.beats)
        if quote.price > has:
            words = {"balance": amount(has, ruleset.beats), "price": price}
            refused = _("%(balance)s, and this costs %(price)s.") % words
    return {"price": price, "line": line, "left": left, "refused": refused}


def ledgers_page(by: Membership) -> LedgersPage:
    """The chronicle's page, for a Storyteller."""
    chronicle, ruleset = by.chronicle, rulesets.ruleset_for(by.chronicle)
    cast = cast_of(by)
    told_apart(chronicle.pk, (each.owner for each in cast))
    balances = {each.pk: each.balance or 0 for each in cast}
    requests = list(
        ExperienceEntry.objects.waiting().filter(character__in=cast).select_related("by", "character").order_by("at")
    )
    told_apart(chronicle.pk, (each.by for each in requests))
    return LedgersPage(
        requests=tuple(_request_line(each, balances[each.character_id], ruleset) for each in requests),
        proposals=tuple(_proposal_lines(by, ruleset, {each.pk: each.name for each in cast})),
        balances=tuple(
            BalanceLine(
                each.pk,
                each.name,
                each.owner.display_name if each.owner else "",
                amount(balances[each.pk], ruleset.beats),
            )
            for each in cast
            if each.owner_id or balances[each.pk]
        ),
        awards=tuple(awards_in_words(ruleset)),
        prices=tuple(price.text for price in ruleset.prices()),
        whole=next(experience_seals.faults_here(chronicle.pk), None) is None,
        chronicle=place(chronicle),
    )


def open_proposals(by: Membership) -> dict[str, hooks.Proposal]:
    """What the log proposes and nobody has settled, by key. For Storytellers."""
    settled = experience.settled_of(by)
    return {
        f"{each.character} {each.proof}": each
        for each in hooks.proposals(by.chronicle)
        if (each.character, each.proof) not in settled
    }


def proposal_lines(by: Membership, wanted: Callable[[hooks.Proposal], bool]) -> tuple[ProposalLine, ...]:
    """What the log proposes and nobody has settled, if it is `wanted`. For Storytellers."""
    names = dict(Character.objects.filter(chronicle=by.chronicle_id).values_list("pk", "name"))
    known = open_proposals(by)
    lines = _proposal_lines(by, rulesets.ruleset_for(by.chronicle), names, known)
    return tuple(line for line in lines if wanted(known[line.key]))


def _proposal_lines(
    by: Membership, ruleset: System, names: Mapping[str, str], known: Mapping[str, hooks.Proposal] | None = None
) -> Iterable[ProposalLine]:
    awards = {award.trigger: (reason, award.amount) for award, reason in experience.listed(ruleset)}
    for key, each in (open_proposals(by) if known is None else known).items():
        if each.character in names and each.trigger in awards:
            reason, units = awards[each.trigger]
            yield ProposalLine(
                key,
                names[each.character],
                reason,
                amount(units, ruleset.beats),
                each.where,
                hooks.proof_address(by, each.proof),
                each.secret,
            )


def cast_of(by: Membership) -> list[Any]:
    """A chronicle's characters with their balances, players' first."""
    found = Character.objects.filter(chronicle=by.chronicle_id).select_related("owner")
    return sorted(found.annotate(balance=Sum("experience__amount")), key=lambda one: (one.is_npc, one.name, one.pk))


def reasons(ruleset: System) -> list[tuple[str, int]]:
    """The reasons of the chronicle's list in the reader's language, each with its amount."""
    return [(reason, each.amount) for each, reason in experience.listed(ruleset)]


def awards_in_words(ruleset: System) -> list[str]:
    """The chronicle's list in words, such as "Session played: 1 point"."""
    return [f"{reason}: {amount(some, ruleset.beats)}" for reason, some in reasons(ruleset)]


def _entry_line(entry: ExperienceEntry, ruleset: System, seen: Seen) -> EntryLine:
    is_open = entry.step == Step.ASKED and not any(each.kind == EntryKind.PURCHASE for each in entry.answers.all())
    return EntryLine(
        id=entry.pk,
        at=entry.at,
        what=told_of(entry, ruleset, seen.character.kind),
        change=change(entry.amount, ruleset.beats),
        price=amount(entry.price, ruleset.beats) if entry.step == Step.ASKED else "",
        by=entry.by.display_name if entry.by else "",
        note=entry.note,
        line=entry.line,
        proof=hooks.proof_address(seen.membership, entry.proof) if entry.proof else "",
        is_open=is_open,
    )


def told_of(entry: ExperienceEntry, ruleset: System, kind: str) -> str:
    """An entry of a character of this kind in words."""
    asked = entry.about if entry.about and entry.step != Step.GRANTED else entry
    return _said_of(entry, what_of(asked, ruleset, kind))


def _said_of(entry: ExperienceEntry, what: str) -> str:
    if entry.kind == EntryKind.CORRECTION:
        return _("Correction: %(what)s") % {"what": what}
    sentences = {
        Step.ASKED: _("Asked for: %(what)s"),
        Step.GRANTED: _("Bought: %(what)s"),
        Step.REFUSED: _("Refused: %(what)s"),
        Step.WITHDRAWN: _("Withdrawn: %(what)s"),
    }
    return sentences[Step(entry.step)] % {"what": what} if entry.step else what


def what_of(entry: ExperienceEntry, ruleset: System, kind: str) -> str:
    """What an entry of a character of this kind is about: dots of a Trait or in a list, or the words somebody typed."""
    if not entry.trait:
        return entry.reason
    if entry.trait.startswith(LIST):
        listing = experience.listing_of(entry, ruleset)
        label = said(listing.label) if listing else entry.trait.removeprefix(LIST)
        return f"{label}: {entry.reason} {entry.was} → {entry.to}"
    return f"{said(ruleset.layout.trait(entry.trait, kind).label)} {entry.was} → {entry.to}"


def _offers(character: Character, ruleset: System, has: int) -> Iterable[OfferBlock]:
    """The next dot of each Trait that has a price; of several prices, the lowest."""
    prices, sheet = ruleset.prices(), sheets.sheet_of(character)
    known = experience.buyable(ruleset, character)
    for section in ruleset.layout.for_kind(character.kind, character.traits):
        lines = []
        for trait in (each for group in section.groups for each in group.traits if each.key in known):
            was = ruleset.layout.bare(sheet, trait.key)
            costs = [cost_of(prices, trait, was, was + 1, words) for words in choices(prices, trait)]
            points = [cost.points for cost in costs if cost]
            if points and was < trait.maximum:
                price = min(points) * ruleset.beats
                lines.append(OfferLine(trait.key, said(trait.label), was, was + 1, str(min(points)), price <= has))
        if lines:
            yield OfferBlock(said(section.label), tuple(lines))
    for listing in experience.buyable_lists(ruleset, character.kind).values():
        yield OfferBlock(said(listing.label), tuple(_entry_offers(character, ruleset, listing, has)))


def _entry_offers(character: Character, ruleset: System, listing: Listing, has: int) -> Iterable[OfferLine]:
    """The next dot of each entry that can have more, and a new entry."""
    prices, key = ruleset.prices(), f"{LIST}{listing.key}"
    for number, (name, was) in enumerate([*listings.entries_of(character, ruleset, listing), ("", 0)]):
        costs = [cost_of(prices, listing, was, was + 1, words) for words in choices(prices, listing)]
        points = [cost.points for cost in costs if cost]
        if points and was < listing.most:
            affordable = min(points) * ruleset.beats <= has
            known, label = str(number) if name else "", name or _("New entry")
            yield OfferLine(key, label, was, was + 1, str(min(points)), affordable, known)


def _change_line(each: Any) -> ChangeLine:
    before, after = (percent(chance) for chance in each.chances) if each.chances else ("", "")
    return ChangeLine(said(each.label), each.before, each.after, before, after)


def _request_line(entry: Any, has: int, ruleset: System) -> RequestLine:
    return RequestLine(
        id=entry.pk,
        character=entry.character_id,
        name=entry.character.name,
        what=what_of(entry, ruleset, entry.character.kind),
        price=amount(entry.price, ruleset.beats),
        balance=amount(has, ruleset.beats),
        line=entry.line,
        by=entry.by.display_name if entry.by else "",
        at=entry.at,
        affordable=entry.price <= has,
    )
