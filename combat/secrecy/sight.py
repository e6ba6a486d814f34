"""Visibility: the state without hidden combatants, and the names each reader knows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from campaigns.words import said
from combat.cache import for_each
from rules.engine.phrases import Typed
from rules.engine.slots import among
from rules.model.conditions import condition_of
from rules.model.power_effects import Notice
from rules.model.state import Combatant, Encounter, HealthShown, Stage, Visit
from rules.topics.commands import Newcomer

MOST_MASKED = 500
MOST_SEEN = 500
"""Size of the memos by state: building a view asks for each several times."""

UNSEEN = gettext_lazy("somebody unseen")
"""What readers are told instead of a name they must not learn. Lower case: it may be inside a sentence."""


def owned(state: Encounter, characters: Iterable[str]) -> frozenset[str]:
    """The combatants for these characters."""
    mine = frozenset(characters)
    return frozenset(who for who, each in state.combatants.items() if each.character and each.character in mine)


def shown_name(combatant: Combatant | Newcomer) -> str:
    """The name that players see, if they see the combatant at all."""
    return combatant.mask or combatant.sheet.name


def visible_state(state: Encounter, own: frozenset[str]) -> Encounter:
    """The fight as players see it: without hidden combatants and chosen sides, and with masks for names.

    While a hidden combatant acts, the turn stays at the last visible one, so that nothing changes.
    """
    # The same for everybody whose own characters nobody sees differently.
    return _visible_state(state, own & seen_differently(state))


@for_each(MOST_SEEN, worded=False)
def seen_differently(state: Encounter) -> frozenset[str]:
    """The combatants of whom, or of whose powers, their own players see more than others."""
    people = state.combatants
    apart = {who for who, each in people.items() if each.hidden or each.mask or each.sheet.powers}
    return frozenset(apart | {one.by for who in apart for one in people[who].sheet.powers if one.by})


@for_each(MOST_SEEN, worded=False)
def _visible_state(state: Encounter, own: frozenset[str]) -> Encounter:
    seen = {who: _as_seen(each, own) for who, each in state.combatants.items() if who in own or not each.hidden}
    visited = tuple(visit for visit in (_visible(visit, seen) for visit in state.visited) if visit.ids)
    acting, stage = _kept(state.acting, seen), state.stage
    if stage is Stage.ATTACK:
        acting = visited[-1].ids if visited else ()
        stage = Stage.ATTACK if visited else Stage.INITIATIVE
    return replace(
        among(state, seen.keys()),
        stage=stage,
        combatants=seen,
        initiative={who: score for who, score in state.initiative.items() if who in seen},
        order=tuple(rank for rank in (_kept(rank, seen) for rank in state.order) if rank),
        acting=acting,
        visited=visited,
        rank_start={},
        exchanges=(),
        mishaps=(),
        resolutions=0,
        unnarrated=(),
        extended=tuple(each for each in state.extended if each.command.by in seen and not each.command.secret),
    )


def _kept(ids: Iterable[str], seen: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(who for who in ids if who in seen)


def _visible(visit: Visit, seen: Mapping[str, Any]) -> Visit:
    return replace(visit, ids=_kept(visit.ids, seen))


def notices(notice: Notice, *, seen: bool, felt: Collection[object]) -> bool:
    """Whether players notice a power that isn't theirs: `seen` at work, or `felt` by characters of theirs."""
    return (seen and notice is Notice.SEEN) or (bool(felt) and notice is not Notice.UNSEEN)


def _as_seen(combatant: Combatant, own: frozenset[str]) -> Combatant:
    if combatant.chosen_side is not None:
        combatant = _without_side(combatant)
    if combatant.sheet.powers:
        combatant = _with_powers_noticed(combatant, own)
    return combatant if combatant.id in own or not combatant.mask else _masked(combatant)


def _with_powers_noticed(combatant: Combatant, own: frozenset[str]) -> Combatant:
    felt = own & {combatant.id}
    kept = tuple(
        one
        for one in combatant.sheet.powers
        if (one.by or combatant.id) in own or notices(one.notice, seen=True, felt=felt)
    )
    if kept == combatant.sheet.powers:
        return combatant
    return replace(combatant, sheet=replace(combatant.sheet, powers=kept))


@for_each(MOST_MASKED, worded=False)
def _without_side(combatant: Combatant) -> Combatant:
    """A combatant on the preset side: for whom somebody really fights, players find out in play."""
    return replace(combatant, chosen_side=None)


@for_each(MOST_MASKED, worded=False)
def _masked(combatant: Combatant) -> Combatant:
    return replace(combatant, sheet=replace(combatant.sheet, name=combatant.mask))


def cast_of(before: Encounter, after: Encounter) -> dict[str, Any]:
    """How everybody was visible when a row was written, as JSON, so that later reveals don't change old rows."""
    people = {**before.combatants, **after.combatants}
    return {
        "begun": after.status != "draft" and before.status != "draft",
        "who": {who: _card(each, before.combatants.get(who)) for who, each in people.items()},
    }


def _card(combatant: Combatant, before: Combatant | None) -> dict[str, Any]:
    gained = combatant.conditions - before.conditions if before else frozenset()
    return {
        "name": combatant.sheet.name,
        "mask": combatant.mask,
        "hidden": combatant.hidden,
        "player": combatant.player,
        "character": combatant.character,
        "figures": combatant.health_shown != HealthShown.NOTHING,
        "dice": combatant.dice_shown,
        "gained": sorted(gained),
        "appeared": bool(before and before.hidden and not combatant.hidden),
        "lifted": before.mask if before and not before.hidden and not combatant.mask else "",
    }


@dataclass(frozen=True, slots=True)
class Sight:
    """How a reader sees the combatants of one log row.

    `everything`: the Storyteller; for others, `mine` are the ids of the characters they play. `by_player` is for rows
    from before players' own words were marked: the words in them are the players'. `shown` is the Storyteller's
    decision about the dice of the row, None if there is none.
    """

    cast: Mapping[str, Mapping[str, Any]]
    everything: bool = False
    mine: frozenset[str] = frozenset()
    by_player: bool = False
    shown: bool | None = None

    def owns(self, who: str) -> bool:
        """Whether the reader plays this combatant."""
        return bool(self.cast[who]["character"]) and self.cast[who]["character"] in self.mine

    def sees(self, who: str) -> bool:
        """Whether the reader knows that this combatant is there."""
        return who in self.cast and (self.everything or self.owns(who) or not self.cast[who]["hidden"])

    def name(self, who: str) -> str:
        """The name the reader knows this combatant by."""
        if not self.sees(who):
            return str(UNSEEN)
        card = self.cast[who]
        return str(card["name"] if self.everything or self.owns(who) else card["mask"] or card["name"])

    def rolls_of(self, who: str) -> bool:
        """Whether the reader sees the parts of this combatant's rolls: only players' characters show theirs to all."""
        return self.everything or (self.sees(who) and (self.cast[who]["player"] or self.owns(who)))

    def faces_of(self, who: str) -> bool:
        """Whether the reader sees this combatant's dice: those with visible parts, and those the Storyteller shows."""
        if self.rolls_of(who) or not self.sees(who):
            return self.rolls_of(who)
        return bool(self.cast[who].get("dice")) if self.shown is None else self.shown

    def hears_of(self, *, secret: bool) -> bool:
        """Whether the reader learns of a roll at all: of a secret one, only once it is shown."""
        return not secret or self.everything or bool(self.shown)

    def figures_of(self, who: str) -> bool:
        """Whether the reader learns how much damage this combatant took."""
        return self.everything or (self.sees(who) and (self.cast[who]["figures"] or self.owns(who)))

    def gained(self) -> Iterable[tuple[str, str]]:
        """The conditions gained in the row that the reader may see, as pairs of combatant and condition."""
        for who, card in self.cast.items():
            for condition in card["gained"] if self.sees(who) else ():
                if not condition_of(condition).tells_health or self.figures_of(who):
                    yield who, condition

    def clean(self, text: str) -> str:
        """A text in the reader's language, with the names of hidden and masked combatants replaced.

        This covers names from the rules and from the Storyteller's words. Players' words stay as they are, because
        replacing a name they guessed would confirm it.
        """
        return said(text, self._masked)

    def _masked(self, words: str) -> str:
        if isinstance(words, Typed):
            named = (who for who, card in self.cast.items() if words.of and card["character"] == words.of)
            return next(map(self.name, named), words)
        masks = {name: shown for name, shown in _masks(self) if name in words}
        if not masks:
            return words
        either = "|".join(map(re.escape, sorted(masks, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)({either})(?!\w)", lambda found: _within(masks[found[0]], found.start()), words)

    def leading(self, name: str) -> str:
        """A name as the first words of a sentence: masks and "somebody unseen" are no names, and get a capital."""
        mask = not self.everything and any(name == card["mask"] for card in self.cast.values())
        return capfirst(name) if mask or name == str(UNSEEN) else name

    def said(self, text: str) -> str:
        """Words that were typed with a command."""
        return said(text) if self.by_player else self.clean(text)

    def gear(self, who: str, name: str) -> str:
        """The name of carried gear. Players name their own, so like their words it stays as it is."""
        return name if self.cast[who]["player"] else self.clean(name)


@for_each(MOST_MASKED)
def _masks(sight: Sight) -> tuple[tuple[str, str], ...]:
    """The names that the reader must not learn, each with what they read in its place."""
    kept = {who: str(card["name"]) for who, card in sight.cast.items() if card["hidden"] or card["mask"]}
    names = {name: shown for who, name in kept.items() if (shown := sight.name(who)) != name}
    if not names:
        return ()
    # A name that another combatant is shown under is no secret, unless a player gave it to their character.
    seen = {sight.name(who) for who, card in sight.cast.items() if not card["player"]}
    return tuple((name, shown) for name, shown in names.items() if name not in seen)


def _within(name: str, place: int) -> str:
    """A mask for its place in a text, which may be a part of a sentence: so only what is no name gets a capital."""
    return capfirst(name) if name == str(UNSEEN) and not place else name


def sight_of(state: Encounter, *, everything: bool = False, mine: frozenset[str] = frozenset()) -> Sight:
    """How a reader sees the combatants of a state."""
    return Sight(_cast_now(state), everything, mine)


@for_each(MOST_SEEN, worded=False)
def _cast_now(state: Encounter) -> Mapping[str, Any]:
    return {who: _card_now(each) for who, each in state.combatants.items()}


@for_each(MOST_SEEN, worded=False)
def _card_now(combatant: Combatant) -> Mapping[str, Any]:
    return _card(combatant, combatant)
