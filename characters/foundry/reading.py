"""A character from a Foundry actor: the parts of the sheet, each checked as the sheet's form checks it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from campaigns import markdown
from campaigns.models import TEXT_LENGTH
from campaigns.words import said, worded
from characters import rulesets
from characters.forms.specialties import MOST_SPECIALTIES
from characters.foundry import noting
from characters.foundry.actors import Actor, Item, open_actor, whole
from characters.foundry.draft import Draft
from characters.foundry.files import parse
from characters.foundry.gear import read_gear
from characters.foundry.leaves import Leaves, bare
from characters.foundry.lists import Lists, read_branches, read_items
from characters.foundry.texts import from_html, line
from characters.incoming.arrival import Arrival, Asking
from characters.listings import merit_keys
from characters.plain import KIND
from characters.services import SheetData
from rules.model.entries import LONGEST_DETAIL, LONGEST_TEXT, Detail
from rules.model.foundry import DetailPlace, TraitItems, TraitPlace
from rules.model.gear import Damage
from rules.model.sheet import Sheet, Trait


def read(content: bytes, asking: Asking) -> Arrival:
    """What a Foundry actor brings to a chronicle. Raises `BadFile`."""
    ruleset = rulesets.ruleset_for(asking.chronicle)
    draft = Draft(ruleset, open_actor(parse(content), ruleset), asking)
    actor = draft.actor
    draft.kind = _kind(draft)
    name = _name(draft)
    details = dict(_details(draft))
    concept = _concept(draft)
    lists = read_items(draft)
    _read_traits(draft, lists)
    read_branches(draft, lists)
    resources = dict(_resources(draft))
    marks = _marks(draft)
    weapons, armor = read_gear(draft)
    notes = _notes(actor)
    told = noting.lines_of(actor)
    kept, left_out = noting.fitted(notes, told)
    return Arrival(
        sheet=SheetData(
            name=name,
            kind=draft.kind,
            concept=concept,
            traits=draft.traits,
            resources=resources,
            merits=_merits(draft, lists),
            details=details,
            lists={key: [list(entry) for entry in entries] for key, entries in lists.entries.items()},
            specialties=draft.specialties,
            marks=marks,
            notes=kept,
        ),
        source=" ".join(filter(None, ("Foundry VTT:", actor.found.id, actor.version))),
        recognised=tuple(draft.recognised),
        noted=tuple(each.short for each in told if each not in left_out),
        left_out=tuple(each.short for each in left_out),
        weapons=weapons,
        armor=armor,
    )


# ------------------------------------------------------------------ who it is


def _kind(draft: Draft) -> str:
    """The kind of creature: the one that Vesper wrote if it still fits the actor's, else the one that Foundry tells."""
    actor, ruleset = draft.actor, draft.ruleset
    hidden = {key for key, kept in draft.asking.chronicle.own_kinds.items() if not kept.get("open")}
    known = {key: kind for key, kind in ruleset.kinds.items() if draft.asking.by.is_storyteller or key not in hidden}
    written = known.get(str(actor.own.get("kind") or ""))
    kind = next((mine for word, mine in actor.found.kinds if bare(word) == bare(actor.told)), "")
    if written and bare(actor.found.word_for(written.like or written.key)) == bare(actor.told):
        kind = written.key
    label = said(ruleset.kind(kind or KIND).label)
    warning = _("“%(told)s” in the file, which this ruleset doesn’t have.") % {"told": line(actor.told)}
    draft.accept(_("Kind"), label, "" if kind else warning)
    return kind or KIND


def _name(draft: Draft) -> str:
    name = line(draft.actor.name)
    if name != draft.actor.name.strip():
        draft.accept(_("Name"), name, _("The name had to be shortened or changed."))
        draft.actor.others.add(draft.actor.name, "name")
    return name or _("Nameless")


def _concept(draft: Draft) -> str:
    concept = _exact(draft, draft.actor.own.get("concept"), draft.actor.found.concept)
    concept = line(concept) if concept else _line_at(draft, draft.actor.found.concept)
    draft.accept(_("Concept"), concept)
    return concept


def _exact(draft: Draft, written: Any, paths: tuple[str, ...]) -> str:
    """The text that Vesper wrote, if it is still there; "" if somebody changed it in Foundry."""
    if not isinstance(written, str) or not written or draft.actor.leaves.peek(paths[0]) != written:
        return ""
    draft.actor.leaves.take(paths[:1], written)
    return written


def _is_exact(draft: Draft, place: DetailPlace, written: Any) -> bool:
    return isinstance(written, str) and bool(_exact(draft, place.words.get(written, written), place.paths))


def _line_at(draft: Draft, paths: tuple[str, ...]) -> str:
    """The text at one of these paths. One that doesn't fit a line stays in the notes too."""
    leaves = draft.actor.leaves
    value = next((value for path in paths if isinstance(value := leaves.peek(path), str | int)), None)
    if value is None or isinstance(value, bool):
        return ""
    text = line(from_html(str(value)))
    if text == str(value).strip():
        leaves.take(paths, value)
    return text


def _details(draft: Draft) -> Iterator[tuple[str, str]]:
    layout, found = draft.ruleset.layout, draft.actor.found
    places = {each.detail: each for each in found.details}
    written = draft.actor.own.get("details")
    for detail in layout.details_for(draft.kind):
        place = places.get(detail.key)
        exact = written.get(detail.key) if isinstance(written, dict) else None
        if place is None or detail.long or _is_exact(draft, place, exact):
            text = _lines(detail, exact)
        elif detail.lines > 1:
            text = _several(draft, detail, place.paths)
        else:
            text = _worded(draft, detail, place.paths, place.words)
        if text:
            draft.accept(said(detail.label), text.replace("\n", ", ")[:200])
            yield detail.key, text


def _lines(detail: Detail, value: Any) -> str:
    """A text that Vesper wrote, as the form would accept it."""
    if not isinstance(value, str):
        return ""
    if detail.long:
        return value.replace("\r", "").strip()[:LONGEST_TEXT]
    lines = filter(None, (line(each, LONGEST_DETAIL) for each in value.splitlines()))
    return "\n".join(list(lines)[: detail.lines])


def _several(draft: Draft, detail: Detail, paths: tuple[str, ...]) -> str:
    """A detail of several lines: a list, an object, or a text with line breaks."""
    leaves = draft.actor.leaves
    for path in paths:
        there = [str(leaves.peek(path))] if leaves.peek(path) else [str(each.value) for each in leaves.below(path)]
        lines = [each for text in there for each in from_html(text).splitlines() if each.strip()]
        fits = [short for each in lines if (short := line(each, LONGEST_DETAIL))][: detail.lines]
        if fits:
            if fits == [each.strip() for each in lines]:
                leaves.branch(path)
            return "\n".join(fits)
    return ""


def _worded(draft: Draft, detail: Detail, paths: tuple[str, ...], words: Any) -> str:
    """A detail of one line. Foundry's ids of texts are the sheet's texts, if it knows them."""
    leaves = draft.actor.leaves
    value = leaves.peek(*paths)
    ids = {bare(each): text for text, each in words.items()}
    if isinstance(value, str) and "." in value and " " not in value.strip():
        end = bare(value.rpartition(".")[2])
        known = [str(each) for each in detail.known if end and end in bare(str(each))]
        text = ids.get(bare(value)) or (known[0] if len(known) == 1 else "")
        if text:
            leaves.take(paths, value)
            return text
        if value.startswith("wod."):
            return ""
    return _line_at(draft, paths)


# ------------------------------------------------------------------ dots and points


def _read_traits(draft: Draft, lists: Lists) -> None:
    layout, found = draft.ruleset.layout, draft.actor.found
    every = dict.fromkeys((trait.key for trait in layout.traits() if not trait.own), 1)
    items = {each.section: each for each in found.trait_items}
    own = draft.actor.own.get("traits")
    like = layout.likes.get(draft.kind, draft.kind)
    for section in layout.for_kind(draft.kind, every):
        told = []
        for trait in [trait for group in section.groups for trait in group.traits]:
            place = found.place_of(trait.key, like)
            if place:
                dots = _placed(draft, trait, place)
                _specialties(draft, trait, draft.actor.leaves, place.special)
            elif section.key in items:
                dots = _in_items(draft, trait, lists.named.get(trait.key), items[section.key])
            else:
                dots = _kept(draft, trait, own)
                _keep_specialties(draft, trait)
            if dots is not None and (dots != trait.default or trait.key not in layout.off):
                draft.traits[trait.key] = dots
                if dots:
                    told.append(f"{said(trait.label)} {dots}")
            elif trait.key not in layout.off:
                draft.traits[trait.key] = trait.offered
        draft.accept(said(section.label), ", ".join(told))
    _drop_others(draft, like)


def _drop_others(draft: Draft, like: str) -> None:
    """Take the Traits of other kinds of creature, which Foundry keeps on every actor, unless they were changed."""
    traits = {trait.key: trait for trait in draft.ruleset.layout.traits()}
    for place in draft.actor.found.traits:
        if place.trait not in traits:
            continue
        if draft.actor.found.place_of(place.trait, like) is not place or place.trait not in draft.traits:
            for path in place.paths:
                value = draft.actor.leaves.peek(path)
                if whole(value) in (0, traits[place.trait].default):
                    draft.actor.leaves.take((path,), value)


def _placed(draft: Draft, trait: Trait, place: TraitPlace) -> int | None:
    """The dots of a Trait that has a place on the actor."""
    label = said(trait.label)
    if place.mod and (changed := draft.actor.number((place.mod,))):
        draft.actor.leaves.branch(place.paths[0].rpartition(".")[0])
        fits = min(max(place.base + changed, trait.minimum), trait.maximum)
        if fits != place.base + changed:
            draft.changed(label, place.base + changed, fits)
        return fits
    if place.mod and draft.actor.number(place.paths) == 0:
        return place.base or None
    return draft.number(label, place.paths, trait.minimum, trait.maximum)


def _in_items(draft: Draft, trait: Trait, item: Item | None, items: TraitItems) -> int | None:
    """The dots of a Trait that is an item, or below a branch in some shapes."""
    if item is None:
        if not items.branch:
            return None
        at = f"{items.branch}.{trait.key}"
        _specialties(draft, trait, draft.actor.leaves, f"{at}.{items.special}")
        return draft.number(said(trait.label), (f"{at}.{items.dots}",), trait.minimum, trait.maximum)
    found = item.number(items.dots)
    if items.special:
        _specialties(draft, trait, item.leaves, items.special)
    if found is None:
        return None
    fits = min(max(found, trait.minimum), trait.maximum)
    if fits == found:
        item.taken = True
        item.leaves.branch(items.dots)
    else:
        draft.changed(said(trait.label), found, fits)
    return fits


def _kept(draft: Draft, trait: Trait, own: Any) -> int | None:
    """The dots of a Trait without a place in Foundry, from Vesper's flags."""
    found = whole(own.get(trait.key)) if isinstance(own, dict) else None
    return found if found is not None and trait.minimum <= found <= trait.maximum else None


def _specialties(draft: Draft, trait: Trait, leaves: Any, path: str) -> None:
    """The specialties of a Trait: a list, or a text that is separated by commas."""
    if not path or trait.category not in draft.ruleset.layout.special:
        return
    whole_text = leaves.peek(path)
    texts = [whole_text] if isinstance(whole_text, str) else [each.value for each in leaves.below(path)]
    written = draft.actor.own.get("specialties")
    exact = written.get(trait.key) if isinstance(written, dict) else None
    if (
        isinstance(exact, list)
        and all(isinstance(each, str) for each in exact)
        and texts in ([", ".join(exact)], exact)
    ):
        names = exact
    else:
        separated = draft.actor.found.listed_specialties
        names = [each for text in texts if isinstance(text, str) for each in ([text] if separated else _split(text))]
    fits = [short for each in names if (short := line(each))]
    room = MOST_SPECIALTIES - sum(map(len, draft.specialties.values()))
    fits = list(dict.fromkeys(fits))[: max(0, room)]
    if fits == [each.strip() for each in names]:
        leaves.branch(path)
    if fits:
        draft.specialties[trait.key] = fits
        draft.accept(_("Specialties of %(trait)s") % {"trait": said(trait.label)}, ", ".join(fits))


def _keep_specialties(draft: Draft, trait: Trait) -> None:
    """The specialties of a Trait without a place in Foundry, from Vesper's flags."""
    written = draft.actor.own.get("specialties")
    names = written.get(trait.key) if isinstance(written, dict) else None
    if isinstance(names, list):
        leaves = Leaves({"names": names})
        _specialties(draft, trait, leaves, "names")


def _split(text: str) -> list[str]:
    parts = text.replace(";", ",").replace("\n", ",").split(",")
    return [each.strip() for each in parts if each.strip()]


def _resources(draft: Draft) -> Iterator[tuple[str, int]]:
    layout, found = draft.ruleset.layout, draft.actor.found
    dots = {trait.key: trait.default for trait in layout.traits()} | draft.traits
    places = {each.resource: each for each in found.resources}
    own = draft.actor.own.get("resources")
    for resource in layout.resources_for(draft.kind):
        label, most = said(resource.label), resource.maximum(dots)
        if place := places.get(resource.key):
            points = draft.number(label, place.paths, 0, most)
            draft.actor.leaves.branch(place.most) if place.most else None
        else:
            points = whole(own.get(resource.key)) if isinstance(own, dict) else None
            points = points if points is not None and 0 <= points <= most else None
        if points is not None:
            draft.accept(label, _("%(points)s of %(most)s") % {"points": points, "most": most})
            yield resource.key, points


def _marks(draft: Draft) -> list[str]:
    """The filled boxes, worst first."""
    ruleset, harm = draft.ruleset, draft.actor.found.harm
    if ruleset.health.one_by_one:
        return []
    boxes = len(ruleset.health.levels(Sheet("", draft.kind, draft.traits)))
    paths = (harm.bashing, harm.lethal, harm.aggravated)
    told = tuple(draft.actor.number((path,)) for path in paths)
    most = draft.actor.number((harm.most,)) if harm.most else None
    bashing, lethal, aggravated = harm.counts((told[0], told[1], told[2]), boxes if most is None else most)
    counts = ((Damage.AGGRAVATED, aggravated), (Damage.LETHAL, lethal), (Damage.BASHING, bashing))
    marks = [damage.value for damage, count in counts for _box in range(min(count, boxes))]
    total = bashing + lethal + aggravated
    if total > boxes:
        draft.changed(_("Damage"), total, boxes)
    else:
        for path in (*paths, harm.most):
            draft.actor.leaves.take((path,), draft.actor.leaves.peek(path))
    if marks:
        said_of = (f"{count} {worded(damage.value)}" for damage, count in counts if count)
        draft.accept(_("Damage"), ", ".join(said_of))
    return marks[:boxes]


# ------------------------------------------------------------------ words


def _merits(draft: Draft, lists: Lists) -> list[str]:
    """The keys of all Merits: ticked ones, then those that lists name."""
    rated = (each.key for each in draft.ruleset.layout.lists if each.read)
    named = [name for key in rated for name, _dots in lists.entries.get(key, ())]
    return list(dict.fromkeys([*lists.ticked, *merit_keys(named, draft.ruleset)]))


def _notes(actor: Actor) -> str:
    """The notes: Vesper's own text, if Foundry's is still what that becomes there; else Foundry's as Markdown."""
    shown, own = actor.leaves.peek(actor.found.notes), actor.own.get("notes")
    if isinstance(own, str) and len(own) <= TEXT_LENGTH and str(markdown.render(own)) == (shown or ""):
        actor.leaves.take((actor.found.notes,), shown)
        return own
    if not isinstance(shown, str):
        return ""
    text = from_html(shown)
    if len(text) > TEXT_LENGTH:
        return ""
    actor.leaves.take((actor.found.notes,), shown)
    return text
