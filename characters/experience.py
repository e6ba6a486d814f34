"""All writes to the ledgers of experience. Each is one transaction and appends sealed entries; nothing is changed.

Rights are checked again inside the transaction. A form's idempotency key makes a repeated press do nothing. What
changes a sheet locks its fights first, as an edit does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Sum
from django.http import Http404
from django.utils.translation import gettext as _

from campaigns import conduct
from campaigns.errors import Refused
from campaigns.models import Membership
from campaigns.words import said
from characters import experience_seals, hooks, listings, rulesets, services, sheets, writers
from characters.experience_words import amount
from characters.hooks import Proposal
from characters.listings import MOST_ENTRIES
from characters.models import Character, DeclinedProposal, EntryKind, ExperienceEntry, Ledger, Step
from characters.models.experience import LIST
from rules.model.entries import Listing
from rules.model.experience import AWARDS, Award, Priced, choices, cost_of, parse_award
from rules.model.sheet import Category, Trait
from rules.model.system import System
from rules.model.words import as_key

MOST_AMOUNT = 10_000
"""The most that one entry adds or takes, in the smallest unit."""


@dataclass(frozen=True, slots=True)
class Raise:
    """A wish for a Trait with so many dots, at the price with these words."""

    trait: str
    to: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A wish for an entry of a list of the sheet, new or with more dots, at the price with these words."""

    listing: str
    name: str
    to: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Other:
    """A wish for something that is neither a Trait nor in a list, such as a specialty, at a price in whole points."""

    what: str
    points: int


@dataclass(frozen=True, slots=True)
class Quote:
    """Dots before and after, the price in the smallest unit, and the lines that set it.

    `what` is a Trait, or a list with the `name` of its entry.
    """

    what: Priced
    was: int
    to: int
    price: int
    line: str
    name: str = ""


def balance(character: Character) -> int:
    """A character's experience, in the smallest unit: the sum of the entries."""
    return int(ExperienceEntry.objects.filter(character=character).aggregate(sum=Sum("amount"))["sum"] or 0)


def buyable(ruleset: System, character: Character) -> dict[str, Trait]:
    """The Traits that a character has and that dots can be added to, by key, in the sheet's order."""
    traits = ruleset.layout.traits_for(character.kind, character.traits)
    return {trait.key: trait for trait in traits if trait.category is not Category.FACT}


def buyable_lists(ruleset: System, kind: str) -> dict[str, Listing]:
    """The lists of such a creature whose entries have a price, by key, in the sheet's order."""
    prices = ruleset.prices()
    return {each.key: each for each in ruleset.layout.lists_for(kind) if choices(prices, each)}


def quote(character: Character, ruleset: System, wish: Raise | Entry) -> Quote:
    """The price of the next dots of a Trait or of an entry. Raises `Refused` for dots that can't be bought."""
    if isinstance(wish, Entry):
        return _quote_entry(character, ruleset, wish)
    trait = buyable(ruleset, character).get(wish.trait)
    if trait is None:
        raise Refused(_("Choose a Trait from the list."))
    was = ruleset.layout.bare(sheets.sheet_of(character), trait.key)
    if not was < wish.to <= trait.maximum:
        words = {"trait": said(trait.label), "least": was + 1, "most": trait.maximum}
        if was >= trait.maximum:
            raise Refused(_("%(trait)s can’t be raised above %(most)s.") % words)
        raise Refused(_("%(trait)s can be raised to %(least)s at least and %(most)s at most.") % words)
    return _priced(ruleset, trait, was, wish)


def _quote_entry(character: Character, ruleset: System, wish: Entry) -> Quote:
    listing = buyable_lists(ruleset, character.kind).get(wish.listing)
    if listing is None:
        raise Refused(_("Choose a list of the sheet."))
    if not wish.name or (listing.read and not as_key(wish.name)):
        raise Refused(_("Enter a name with at least one letter or digit."))
    name, was = entry_on(character, ruleset, listing, wish.name)
    words = {"entry": name, "least": was + 1, "most": listing.most}
    if listing.ranked and was:
        raise Refused(_("%(entry)s is on the sheet already, with its rank.") % words)
    if was >= listing.most:
        raise Refused(_("%(trait)s can’t be raised above %(most)s.") % {"trait": name, "most": listing.most})
    if not was < wish.to <= listing.most:
        raise Refused(_("%(entry)s can have %(least)s at least and %(most)s at most.") % words)
    if not was and len(listings.kept_entries(character, listing.key)) >= MOST_ENTRIES:
        raise Refused(_("This list is full: it has %(most)s entries.") % {"most": MOST_ENTRIES})
    return replace(_priced(ruleset, listing, was, wish), name=name)


def _priced(ruleset: System, what: Priced, was: int, wish: Raise | Entry) -> Quote:
    cost = cost_of(ruleset.prices(), what, was, wish.to, wish.words)
    if cost is None:
        raise Refused(_("The house rules set no price for this: %(trait)s.") % {"trait": said(what.label)})
    return Quote(what, was, wish.to, cost.points * ruleset.beats, cost.line)


def entry_on(character: Character, ruleset: System, listing: Listing, name: str) -> tuple[str, int]:
    """An entry's name as the sheet has it, and its dots; the name as it is with 0 for one that isn't there.

    Upper and lower case are the same.
    """
    found = listings.entries_of(character, ruleset, listing)
    return next((each for each in found if each[0].casefold() == name.casefold()), (name, 0))


def listing_of(entry: ExperienceEntry, ruleset: System) -> Listing | None:
    """The list in which a purchase is, None for one of something else or in a list that the sheet no longer has."""
    key = entry.trait.removeprefix(LIST)
    return next((each for each in ruleset.layout.lists if entry.trait == f"{LIST}{each.key}"), None) if key else None


@transaction.atomic
def award(
    *, by: Membership, to: Collection[str], amount: int, reason: str, key: str = "", proof: str = ""
) -> list[Character]:
    """Award the same to several characters, all or none of them. Only Storytellers may.

    Returns those who got it; nobody if the key was used before. Raises `Http404` for a character that is gone.
    """
    by = _storyteller(by)
    if _is_repeated(by, key):
        return []
    found = list(Character.objects.filter(chronicle=by.chronicle_id, pk__in=to).order_by("pk"))
    if len(found) != len(set(to)):
        raise Http404("No such character")
    for character in found:
        _append(character, by, key=key, kind=EntryKind.AWARD, amount=amount, reason=reason, proof=proof)
    return found


@transaction.atomic
def correct(*, by: Membership, character: Character, amount: int, reason: str, key: str = "") -> None:
    """Add to a balance or take from it, with a reason. Only Storytellers may."""
    by, character = writers.lock_as_writer(_storyteller(by), character)
    if not _is_repeated(by, key):
        _append(character, by, key=key, kind=EntryKind.CORRECTION, amount=amount, reason=reason)


def ask(*, by: Membership, character: Character, wish: Raise | Entry | Other, key: str = "") -> ExperienceEntry | None:
    """Ask for a purchase, or buy at once as a Storyteller or where the chronicle lets players buy without asking.

    Returns the entry; None if the key was used before. Raises `Refused` for what can't be bought.
    """
    with hooks.fights_locked(character.chronicle_id, character.pk):
        by, character = writers.lock_as_writer(by, character)
        if _is_repeated(by, key):
            return None
        values = _wanted(character, wish)
        if by.is_storyteller or conduct.value(by.chronicle.conduct, conduct.FREE_PURCHASES):
            return _buy(by, character, values | {"key": key})
        _refuse_dear(character, values["price"])
        return _append(character, by, key=key, kind=EntryKind.PURCHASE, step=Step.ASKED, **values)


@transaction.atomic
def withdraw(*, by: Membership, entry: ExperienceEntry) -> None:
    """Take a request back. Raises `Refused` if it was answered."""
    by, character = writers.lock_as_writer(by, entry.character)
    _append(character, by, kind=EntryKind.PURCHASE, step=Step.WITHDRAWN, about=_open(entry))


@transaction.atomic
def refuse(*, by: Membership, entry: ExperienceEntry, note: str) -> None:
    """Refuse a request, with a note to its player. Raises `Refused` if it was answered."""
    by, character = writers.lock_as_writer(_storyteller(by), entry.character)
    _append(character, by, kind=EntryKind.PURCHASE, step=Step.REFUSED, about=_open(entry), note=note)


def grant(*, by: Membership, entry: ExperienceEntry, note: str = "") -> None:
    """Grant a request: the sheet changes now, and its fights with it.

    Raises `Refused` if it was answered, if the Trait or entry has changed since, or if the balance is too small.
    """
    character = entry.character
    with hooks.fights_locked(character.chronicle_id, character.pk):
        by, character = writers.lock_as_writer(_storyteller(by), character)
        asked = _open(entry)
        same = ("price", "line", "reason", "trait", "was", "to")
        _buy(by, character, {name: getattr(asked, name) for name in same} | {"about": asked, "note": note})


@transaction.atomic
def settle(*, by: Membership, chosen: Sequence[Proposal], grant: bool) -> int:
    """Award what the log proposes, or pass it over. Only Storytellers may. Returns how many; settled ones don't count.

    Reasons and amounts are those of the chronicle's list.
    """
    by = _storyteller(by)
    awards = {award.trigger: (reason, award.amount) for award, reason in listed(rulesets.ruleset_for(by.chronicle))}
    settled, count = settled_of(by), 0
    for each in chosen:
        character = Character.objects.filter(chronicle=by.chronicle_id, pk=each.character).first()
        if character is None or (each.character, each.proof) in settled or each.trigger not in awards:
            continue
        reason, units = awards[each.trigger]
        if grant:
            _append(character, by, kind=EntryKind.AWARD, amount=units, reason=reason, proof=each.proof)
        else:
            DeclinedProposal.objects.create(character=character, proof=each.proof)
        count += 1
    return count


def settled_of(by: Membership) -> set[tuple[str, str]]:
    """The characters and proofs of the chronicle's proposals that were awarded or passed over."""
    mine = {"character__chronicle": by.chronicle_id}
    awarded = ExperienceEntry.objects.filter(**mine, kind=EntryKind.AWARD).exclude(proof="")
    declined = DeclinedProposal.objects.filter(**mine)
    return {*awarded.values_list("character", "proof"), *declined.values_list("character", "proof")}


def listed(ruleset: System) -> list[tuple[Award, str]]:
    """The awards of the chronicle's list, each with its reason in the reader's language."""
    lines = ruleset.settings.get(AWARDS, ())
    return [(parse_award(line, ruleset.beats), parse_award(said(line), ruleset.beats).reason) for line in lines]


def _wanted(character: Character, wish: Raise | Entry | Other) -> dict[str, Any]:
    ruleset = rulesets.ruleset_for(character.chronicle)
    if isinstance(wish, Other):
        return {"reason": wish.what, "price": wish.points * ruleset.beats}
    found = quote(character, ruleset, wish)
    key = f"{LIST}{found.what.key}" if isinstance(found.what, Listing) else found.what.key
    dots = {"was": found.was, "to": found.to, "price": found.price, "line": found.line}
    return {"trait": key, "reason": found.name, **dots}


def _buy(by: Membership, character: Character, values: dict[str, Any]) -> ExperienceEntry:
    _refuse_dear(character, values["price"])
    if trait := values.get("trait"):
        label, now = _now_on(character, values)
        if now != values["was"]:
            words = {"trait": label, "was": values["was"], "now": now}
            raise Refused(
                _("%(trait)s was %(was)s when this was asked for and is %(now)s now. Refuse it and let them ask again.")
                % words
            )
        if not by.is_storyteller and (fight := hooks.fight_of(character.pk)):
            raise Refused(_("“%(fight)s” is running. Buy this when it has ended.") % {"fight": fight})
    entry = _append(
        character, by, kind=EntryKind.PURCHASE, step=Step.GRANTED, **(values | {"amount": -values["price"]})
    )
    if trait:
        ruleset = rulesets.ruleset_for(character.chronicle)
        bought = {"by": by, "character": character, "to": values["to"], "price": values["line"]}
        if listing := listing_of(entry, ruleset):
            services.raise_entry(**bought, listing=listing, name=values["reason"])
        else:
            services.raise_trait(**bought, trait=trait)
    return entry


def _now_on(character: Character, values: dict[str, Any]) -> tuple[str, int]:
    """The name and the present dots of what is bought. Raises `Refused` for a list that the sheet no longer has."""
    ruleset, trait = rulesets.ruleset_for(character.chronicle), values["trait"]
    if not trait.startswith(LIST):
        layout = ruleset.layout
        return said(layout.trait(trait, character.kind).label), layout.bare(sheets.sheet_of(character), trait)
    listing = listing_of(ExperienceEntry(trait=trait), ruleset)
    if listing is None:
        raise Refused(_("Choose a list of the sheet."))
    return entry_on(character, ruleset, listing, values["reason"])


def _refuse_dear(character: Character, price: int) -> None:
    has = balance(character)
    if price > has:
        beats = rulesets.ruleset_for(character.chronicle).beats
        words = {"price": amount(price, beats), "name": character.name, "balance": amount(has, beats)}
        raise Refused(_("This costs %(price)s, and %(name)s has %(balance)s.") % words)


def _open(entry: ExperienceEntry) -> ExperienceEntry:
    """The request, if nobody has answered it. Raises `Refused` with who did."""
    answer = ExperienceEntry.objects.filter(about=entry, kind=EntryKind.PURCHASE).first()
    if answer is not None:
        raise Refused(_("This request is no longer open: it was %(step)s.") % {"step": answer.get_step_display()})
    return entry


def _storyteller(by: Membership) -> Membership:
    by = writers.present(by)
    if not by.is_storyteller:
        raise PermissionDenied(_("Only a Storyteller can do that."))
    return by


def _is_repeated(by: Membership, key: str) -> bool:
    used = ExperienceEntry.objects.filter(character__chronicle=by.chronicle_id, by=by.user_id, key=key)
    return bool(key) and used.exists()


def _append(character: Character, by: Membership, **values: Any) -> ExperienceEntry:
    """Append an entry to a ledger. The caller holds the chronicle's lock, so numbers are given once."""
    ledger, _made = Ledger.objects.get_or_create(character=character)
    entry = ExperienceEntry(character=character, seq=ledger.seq + 1, by=by.user, **values)
    entry.seal = experience_seals.seal_of(entry, ledger.seal)
    entry.save(force_insert=True)
    ledger.seq, ledger.seal = entry.seq, entry.seal
    ledger.save()
    return entry
