"""All writes to the ledgers of experience. Each is one transaction and appends sealed entries; nothing is changed.

Rights are checked again inside the transaction. A form's idempotency key makes a repeated press do nothing. What
changes a sheet locks its fights first, as an edit does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
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
from characters import experience_seals, hooks, rulesets, services, sheets, writers
from characters.experience_words import amount
from characters.hooks import Proposal
from characters.models import Character, DeclinedProposal, EntryKind, ExperienceEntry, Ledger, Step
from rules.model.experience import AWARDS, Award, cost_of, parse_award
from rules.model.sheet import Category, Trait
from rules.model.system import System

MOST_AMOUNT = 10_000
"""The most that one entry adds or takes, in the smallest unit."""


@dataclass(frozen=True, slots=True)
class Raise:
    """A wish for a Trait with so many dots, at the price with these words."""

    trait: str
    to: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Other:
    """A wish for something that is no Trait, such as a Gift, at a price in whole points."""

    what: str
    points: int


@dataclass(frozen=True, slots=True)
class Quote:
    """A Trait's dots before and after, the price in the smallest unit, and the lines that set it."""

    trait: Trait
    was: int
    to: int
    price: int
    line: str


def balance(character: Character) -> int:
    """A character's experience, in the smallest unit: the sum of the entries."""
    return int(ExperienceEntry.objects.filter(character=character).aggregate(sum=Sum("amount"))["sum"] or 0)


def buyable(ruleset: System, character: Character) -> dict[str, Trait]:
    """The Traits that a character has and that dots can be added to, by key, in the sheet's order."""
    traits = ruleset.layout.traits_for(character.kind, character.traits)
    return {trait.key: trait for trait in traits if trait.category is not Category.FACT}


def quote(character: Character, ruleset: System, wish: Raise) -> Quote:
    """The price of a Trait's next dots. Raises `Refused` for dots that can't be bought."""
    trait = buyable(ruleset, character).get(wish.trait)
    if trait is None:
        raise Refused(_("Choose a Trait from the list."))
    was = ruleset.layout.bare(sheets.sheet_of(character), trait.key)
    if not was < wish.to <= trait.maximum:
        words = {"trait": said(trait.label), "least": was + 1, "most": trait.maximum}
        if was >= trait.maximum:
            raise Refused(_("%(trait)s can’t be raised above %(most)s.") % words)
        raise Refused(_("%(trait)s can be raised to %(least)s at least and %(most)s at most.") % words)
    cost = cost_of(ruleset.prices(), trait, was, wish.to, wish.words)
    if cost is None:
        raise Refused(_("The house rules set no price for this: %(trait)s.") % {"trait": said(trait.label)})
    return Quote(trait, was, wish.to, cost.points * ruleset.beats, cost.line)


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


def ask(*, by: Membership, character: Character, wish: Raise | Other, key: str = "") -> ExperienceEntry | None:
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

    Raises `Refused` if it was answered, if the Trait has changed since, or if the balance is too small.
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


def _wanted(character: Character, wish: Raise | Other) -> dict[str, Any]:
    ruleset = rulesets.ruleset_for(character.chronicle)
    if isinstance(wish, Other):
        return {"reason": wish.what, "price": wish.points * ruleset.beats}
    found = quote(character, ruleset, wish)
    return {"trait": found.trait.key, "was": found.was, "to": found.to, "price": found.price, "line": found.line}


def _buy(by: Membership, character: Character, values: dict[str, Any]) -> ExperienceEntry:
    _refuse_dear(character, values["price"])
    if trait := values.get("trait"):
        layout = rulesets.ruleset_for(character.chronicle).layout
        now = layout.bare(sheets.sheet_of(character), trait)
        if now != values["was"]:
            words = {"trait": said(layout.trait(trait, character.kind).label), "was": values["was"], "now": now}
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
        services.raise_trait(by=by, character=character, trait=trait, to=values["to"], price=values["line"])
    return entry


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
