"""What an audience may know of whom: the state without those it does not see, and names as it knows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_lazy

from campaigns.words import said
from combat.cache import for_each
from rules.engine.phrases import Typed
from rules.engine.slots import among
from rules.model.conditions import condition_of
from rules.model.state import Combatant, Encounter, HealthShown, Stage, Visit

MOST_MASKED = 500
MOST_SEEN = 500
"""States, as somebody sees them: each is asked for several times while a view is put together."""

UNSEEN = gettext_lazy("Somebody unseen")


def owned(state: Encounter, characters: Iterable[str]) -> frozenset[str]:
    """The combatants behind whom one of these characters stands."""
    mine = frozenset(characters)
    return frozenset(who for who, each in state.combatants.items() if each.character and each.character in mine)


def shown_name(combatant: Combatant) -> str:
    """The name that players read, if they see somebody at all."""
    return combatant.mask or combatant.sheet.name


@for_each(MOST_SEEN, worded=False)
def visible_state(state: Encounter, own: frozenset[str]) -> Encounter:
    """The fight as players see it: without the hidden, under the names that are shown.

    The turn's pointer stays on the last place that can be seen, so that a hidden one's turn changes nothing.
    """
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


def _as_seen(combatant: Combatant, own: frozenset[str]) -> Combatant:
    if combatant.id in own or not combatant.mask:
        return combatant
    return _masked(combatant)


@for_each(MOST_MASKED, worded=False)
def _masked(combatant: Combatant) -> Combatant:
    return replace(combatant, sheet=replace(combatant.sheet, name=combatant.mask))


def cast_of(before: Encounter, after: Encounter) -> dict[str, Any]:
    """Who was seen how when a row was written, as JSON: what players read of it never changes with a later reveal."""
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
    }


@dataclass(frozen=True, slots=True)
class Sight:
    """How an audience sees the people of one row of the log.

    `everything` is the Storyteller's; otherwise `mine` are the ids of the characters whom the reader plays.
    `by_player` is for a row from before the words that players type were marked: those in it are theirs. `shown` is the
    Storyteller's word on the dice of the row, None where she has said nothing.
    """

    cast: Mapping[str, Mapping[str, Any]]
    everything: bool = False
    mine: frozenset[str] = frozenset()
    by_player: bool = False
    shown: bool | None = None

    def owns(self, who: str) -> bool:
        """Whether the reader plays them."""
        return bool(self.cast[who]["character"]) and self.cast[who]["character"] in self.mine

    def sees(self, who: str) -> bool:
        """Whether the reader knows that they are there."""
        return who in self.cast and (self.everything or self.owns(who) or not self.cast[who]["hidden"])

    def name(self, who: str) -> str:
        """The name the reader knows them by."""
        if not self.sees(who):
            return str(UNSEEN)
        card = self.cast[who]
        return str(card["name"] if self.everything or self.owns(who) else card["mask"] or card["name"])

    def rolls_of(self, who: str) -> bool:
        """Whether the reader learns what their rolls are made of: those of players' characters, and of nobody else."""
        return self.everything or (self.sees(who) and (self.cast[who]["player"] or self.owns(who)))

    def faces_of(self, who: str) -> bool:
        """Whether the reader sees their dice: with what they are made of, or the faces that the Storyteller shows."""
        if self.rolls_of(who) or not self.sees(who):
            return self.rolls_of(who)
        return bool(self.cast[who].get("dice")) if self.shown is None else self.shown

    def hears_of(self, *, secret: bool) -> bool:
        """Whether the reader learns of a roll at all, of one that was made in secret only once it was shown."""
        return not secret or self.everything or bool(self.shown)

    def figures_of(self, who: str) -> bool:
        """Whether the reader learns how much damage they took."""
        return self.everything or (self.sees(who) and (self.cast[who]["figures"] or self.owns(who)))

    def gained(self) -> Iterable[tuple[str, str]]:
        """(who, condition) for what came over people, as far as the reader sees it."""
        for who, card in self.cast.items():
            for condition in card["gained"] if self.sees(who) else ():
                if not condition_of(condition).tells_health or self.figures_of(who):
                    yield who, condition

    def clean(self, text: str) -> str:
        """A text in the reader's language, in which the hidden and masked have the names that the reader knows.

        Replaced are the names that the rules put in and those that the Storyteller typed. What players typed stays as
        it is: a guessed name that turns would be confirmed.
        """
        return said(text, self._masked)

    def _masked(self, words: str) -> str:
        if isinstance(words, Typed):
            named = (who for who, card in self.cast.items() if words.of and card["character"] == words.of)
            return next(map(self.name, named), words)
        names = [(str(card["name"]), self.name(who), card["player"]) for who, card in self.cast.items()]
        # A name that somebody else is seen under is no secret, unless it is a player who gave it to their character.
        seen = {shown for _name, shown, players in names if not players}
        masks = {name: shown for name, shown, _players in names if name in words and name not in {shown, *seen}}
        if not masks:
            return words
        either = "|".join(map(re.escape, sorted(masks, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)({either})(?!\w)", lambda found: masks[found[0]], words)

    def said(self, text: str) -> str:
        """Words that were typed with a command."""
        return said(text) if self.by_player else self.clean(text)

    def gear(self, who: str, name: str) -> str:
        """The name of something that somebody carries; players name their own, by the same reasoning."""
        return name if self.cast[who]["player"] else self.clean(name)


def sight_of(state: Encounter, *, everything: bool = False, mine: frozenset[str] = frozenset()) -> Sight:
    """How an audience sees the people of a state."""
    return Sight(cast_of(state, state)["who"], everything, mine)
