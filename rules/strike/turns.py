"""An attack's cost in the turn: an action, its share of a split pool, and the targets' count of attackers."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.plan import Against
from rules.model.state import TurnRecord
from rules.strike.active_defence import several_attackers
from rules.strike.facets import Facet, Strike


@dataclass(frozen=True, slots=True)
class OneTarget(Facet):
    """An attack has one target."""

    def miscounted(self, command: Attack) -> str:
        return "" if len(command.at) == 1 else phrase("attack-can-have-only-one-target")


@dataclass(frozen=True, slots=True)
class TakesAction(Facet):
    """An attack takes an action of the turn."""

    def readied(self, strike: Strike) -> Strike:
        record, used = strike.system.turns.use_action(strike.game, strike.command.by, strike.weapon.mode)
        return replace(strike, record=record, used=used)


@dataclass(frozen=True, slots=True)
class SharedPool(Facet):
    """Several actions in a turn split one pool (MQ-MULTI-1, WL-SPLIT-1)."""

    def readied(self, strike: Strike) -> Strike:
        if strike.by_itself:
            return strike
        own, modifiers, referee = [*strike.own], strike.command.modifiers, strike.game.referee
        share, record = strike.system.turns.shared(own, strike.record, strike.used, modifiers, referee)
        if record is strike.record:
            return strike
        return replace(strike, own=(*strike.own, *share), record=record)


@dataclass(frozen=True, slots=True)
class Attackers(Facet):
    """The target remembers who has attacked them this turn: ``all`` attackers, or only close ones."""

    all: bool = False

    def answered(self, strike: Strike, against: Against, record: TurnRecord) -> TurnRecord:
        by = strike.command.by
        if by in record.attackers or not (self.all or strike.weapon.mode.close):
            return record
        return replace(record, attackers=(*record.attackers, by))


@dataclass(frozen=True, slots=True)
class Outnumbered(Facet):
    """Several attackers this turn make the target strike less well; a picked number takes precedence (MQ-DEF-4)."""

    def readied(self, strike: Strike) -> Strike:
        modifiers: tuple[Modifier, ...] = several_attackers(strike.modifiers, set(strike.record.attackers))
        return strike if modifiers is strike.modifiers else replace(strike, modifiers=modifiers)
