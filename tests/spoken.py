"""Oracle for who may know a declaration, and from when on: written from the rules' texts, independent of Vesper's code.

It follows a fight's commands and plain facts of its state (order, stage, who is hidden), and decides for every declared
word whether a reader must find it, must not find it, or may.

- MQ-DECL-1: slowest first, and faster ones see earlier declarations. So slower ones do not see them, nor those of the
  same rank, nor those who have declared already.
- AP-DECL-1: in any order, all before the attack stage. So those who have not declared yet see them.
- Both: declarations are over when the first one acts, and from then on everybody knows them. Nobody without a
  declaration to make learns of one before: those who cannot act (MQ-HEALTH-1, AP-SIT-4), have no place, or only watch.
- MQ-INIT-1: the order is rolled at the start of every turn. Before that, nobody is faster than anybody.
- WD-DELAY-1, CD-INIT-3, WL-SPLIT-1: nobody is asked to declare. Optional declarations are public.
- Hidden combatants don't exist for those who do not see them, and neither do their words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple

from rules.topics import commands

STAGED = {"masquerade": "MQ-DECL-1", "apocalypse": "AP-DECL-1"}
"""Rules that make declarations a stage of the turn."""

ALOUD = {"darkness": "WD-DELAY-1", "chronicles": "CD-INIT-3", "wounds": "WL-SPLIT-1"}
"""Rules that make declarations optional."""

OUT = {"incapacitated": "MQ-HEALTH-1", "dead": "MQ-HEALTH-1", "torpor": "MQ-HEALTH-1", "dazed": "AP-SIT-4"}
"""Conditions that prevent declaring, each with its rule."""


class Told(Enum):
    """Whether a reader must find the words."""

    YES = "told"
    NO = "sealed"
    MAY = "either"


class Verdict(NamedTuple):
    """The oracle's answer, and the rule it follows from."""

    told: Told
    rule: str


@dataclass(eq=False)
class Word:
    """A declared word: its turn, its position in the fight, and who did not see its author."""

    text: str
    by: str
    turn: int
    at: int
    unseen: bool
    withdrawn: bool = False


@dataclass(frozen=True)
class _Facts:
    """What undo reverts: who has declared this turn and when, and the turn that the order was rolled for."""

    turn: int = 1
    spoke: Mapping[str, int] = field(default_factory=dict)
    rolled: int = 0


@dataclass
class Oracle:
    """`readers` are the combatants each reader plays, none for those who only watch."""

    ruleset: str
    readers: Mapping[str, frozenset[str]]
    any_order: bool = False
    rolled_each_turn: bool = False
    words: list[Word] = field(default_factory=list)
    opened: set[tuple[str, Word]] = field(default_factory=set)
    heard: set[tuple[str, Word]] = field(default_factory=set)
    _now: _Facts = field(default_factory=_Facts)
    _done: list[tuple[_Facts, _Facts, list[Word]]] = field(default_factory=list)
    _undone: list[tuple[_Facts, _Facts, list[Word]]] = field(default_factory=list)
    _clock: int = 0

    # ------------------------------------------------------------------ following the fight

    def did(self, command: Any, before: Any, after: Any) -> None:
        """A command was performed."""
        self._clock += 1
        facts = self._now if before.turn == after.turn else replace(self._now, turn=after.turn, spoke={})
        if isinstance(command, commands.RollInitiative):
            facts = replace(facts, rolled=after.turn)
        words = [Word(text, by, before.turn, self._clock, before.combatants[by].hidden) for text, by in _said(command)]
        spoke = dict(facts.spoke)
        for by in _speakers(command) if before.order and before.stage == "initiative" else ():
            # If all declare in any order, changing one's declaration doesn't reveal what others declared in between.
            spoke[by] = spoke.get(by, self._clock) if self.any_order else self._clock
        facts = replace(facts, spoke=spoke)
        self._done.append((self._now, facts, words))
        self._undone.clear()
        self._now = facts
        self.words += words
        self._look(before, after)

    def took_back(self, before: Any, after: Any) -> None:
        """The last command was undone."""
        step = self._done.pop()
        self._undone.append(step)
        self._now = step[0]
        for word in step[2]:
            word.withdrawn = True
        self._look(before, after)

    def brought_back(self, before: Any, after: Any) -> None:
        """The last undone command was redone."""
        step = self._undone.pop()
        self._done.append(step)
        self._now = step[1]
        for word in step[2]:
            word.withdrawn = False
        self._look(before, after)

    def _look(self, before: Any, after: Any) -> None:
        for reader in self.readers:
            for word in self.words:
                over = after.turn > before.turn or not self._declaring(after, reader)
                if over and not self._hidden_from(reader, word):
                    self.opened.add((reader, word))
                if self.verdict(word, reader, after).told is Told.YES:
                    self.heard.add((reader, word))

    # ------------------------------------------------------------------ what follows from the rules

    def verdict(self, word: Word, reader: str, state: Any) -> Verdict:
        """Whether a reader finds a word now. A reader without a membership finds nothing."""
        if reader not in self.readers:
            return Verdict(Told.NO, "no member")
        if word.by in self.readers[reader]:
            return Verdict(Told.MAY if word.withdrawn else Told.YES, "their own")
        if self._hidden_from(reader, word) and not self._stands_before_all(word, state):
            return Verdict(Told.NO, "unseen")
        found = self._by_rule(word, reader, state)
        sure = not word.withdrawn and not self._hidden_from(reader, word)
        return found if found.told is not Told.YES or sure else found._replace(told=Told.MAY)

    def _by_rule(self, word: Word, reader: str, state: Any) -> Verdict:
        if self.ruleset in ALOUD:
            return Verdict(Told.YES, ALOUD[self.ruleset])
        rule = STAGED[self.ruleset]
        if not self._declaring(state, reader) or word.turn < state.turn:
            return Verdict(Told.YES, rule)
        if (reader, word) in self.opened | self.heard:
            return Verdict(Told.MAY, "heard before")
        if self.rolled_each_turn and not self.any_order and self._now.rolled != state.turn:
            return Verdict(Told.NO, "MQ-INIT-1")
        hearing = [self._hears(one, word, state, rule) for one in self.readers[reader]]
        told = (each for each in hearing if each.told is not Told.NO)
        return next(told, hearing[0] if hearing else Verdict(Told.NO, rule))

    def _hears(self, one: str, word: Word, state: Any, rule: str) -> Verdict:
        """Whether a character who has not declared yet hears a word: `one` is a reader's character."""
        places = {who: place for place, rank in enumerate(state.order) for who in rank}
        if one not in places or word.by not in places:
            return Verdict(Told.NO, rule)
        out = next((OUT[each] for each in sorted(state.combatants[one].conditions & OUT.keys())), "")
        if out:
            return Verdict(Told.NO, out)
        later = one not in self._now.spoke or word.at < self._now.spoke[one]
        faster = self.any_order or places[one] < places[word.by]
        if not (later and faster):
            return Verdict(Told.NO, rule)
        # Other tests check whether hurt or hampered combatants can act.
        return Verdict(Told.MAY if state.combatants[one].conditions else Told.YES, rule)

    def _declaring(self, state: Any, reader: str) -> bool:
        """Whether, to a reader's knowledge, somebody may still declare."""
        if self.ruleset in ALOUD or not state.order or state.status not in ("running", "paused"):
            return False
        if state.stage == "attack":
            come = {who for visit in state.visited for who in visit.ids if who in state.combatants}
            return all(state.combatants[who].hidden and who not in self.readers[reader] for who in come)
        return bool(state.stage == "initiative")

    def _hidden_from(self, reader: str, word: Word) -> bool:
        return word.unseen and word.by not in self.readers[reader]

    def _stands_before_all(self, word: Word, state: Any) -> bool:
        """Whether somebody who came into view is visible with this turn's declaration."""
        by = state.combatants.get(word.by)
        return by is not None and not by.hidden and word.turn == state.turn and not word.withdrawn


def _speakers(command: Any) -> tuple[str, ...]:
    if isinstance(command, commands.Declare):
        return (command.by, *command.others)
    spoken = (commands.Delay, commands.FullDefence, commands.Abort)
    return (command.by,) if isinstance(command, spoken) else ()


def _said(command: Any) -> list[tuple[str, str]]:
    """A command's words, each with its author."""
    texts = [command.text] if isinstance(command, commands.Declare | commands.Delay) else []
    if isinstance(command, commands.Declare):
        texts += [*command.disciplines, *(key for key in command.actions if key.startswith("canary"))]
    return [(text, by) for text in texts if text for by in _speakers(command)]
