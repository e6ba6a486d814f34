"""The combatants that a step can name, and the circumstances it can choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.violations import RuleViolation
from rules.model.choices import Defence, Modifier
from rules.model.sheet import Sheet
from rules.model.specialties import SPECIALTY
from rules.model.system import System
from rules.scenario.dice import Written, faces
from rules.scenario.fields import BadScenario, Table, whole

DEFENCE_KEYS = {"kind", "with", "mods", "dice", "strike"}
FIGURES = {
    *("rounds", "band", "degree", "durability", "structure", "transparent", "spared", "grappled"),
    *("limit", "size", "dice", "why", "by", "name", "count", "what"),
}


@dataclass(frozen=True, slots=True)
class Parties:
    """A scenario's combatants, as its steps name them."""

    ruleset: System
    sheets: Mapping[str, Sheet]

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the file's order."""
        return tuple(self.sheets)

    def one(self, table: Table, key: str) -> str:
        """The combatant named under a required key."""
        if not isinstance(table.required(key), str):
            raise table.bad(key, "should be a combatant’s name.")
        return self._there(table, table.text(key))

    def some(self, table: Table, key: str) -> tuple[str, ...]:
        """The combatants named under a key, as a name or a list; empty if it is omitted."""
        found = table.values.get(key, [])
        names = (found,) if isinstance(found, str) else table.words(key)
        return tuple(self._there(table, name) for name in names)

    def _there(self, table: Table, name: str) -> str:
        if name not in self.sheets:
            raise BadScenario(f"there is no combatant “{name}”.", table.where)
        return name

    # -------------------------------------------------------------- defences

    def defences(self, table: Table) -> dict[str, Defence]:
        """The targets' defences: one for the only target, or a table by name."""
        return {name: self._defence(answer) for name, answer in self._answers(table).items()}

    def defence_dice(self, table: Table) -> Written:
        """The dice written with the defences."""
        return {
            ("defence", name): faces(answer.values["dice"], f"{answer.where}, dice")
            for name, answer in self._answers(table).items()
            if "dice" in answer
        }

    def _answers(self, table: Table) -> dict[str, Table]:
        if "defence" not in table:
            return {}
        answers, targets = table.table("defence"), self.some(table, "at")
        if not isinstance(answers.values.get("kind", {}), dict):  # a table here is for a combatant named “kind”
            if len(targets) != 1:
                raise BadScenario("with several targets this is a table by name.", answers.where)
            return {targets[0]: answers}
        return {self._there(answers, name): answers.table(name) for name in answers.values}

    def _defence(self, table: Table) -> Defence:
        table.only(DEFENCE_KEYS)
        table.required("kind")
        strike = frozenset(table.words("strike"))
        return Defence(table.text("kind"), table.text("with"), self.modifiers(table), strike)

    # -------------------------------------------------------------- circumstances

    def modifiers(self, table: Table) -> tuple[Modifier, ...]:
        """A step's ``mods``: keys, or tables with a key and its values."""
        found = table.values.get("mods", [])
        if not isinstance(found, list):
            raise table.bad("mods", "should be a list.")
        places = ((f"{table.where}, mods {number}", value) for number, value in enumerate(found, 1))
        return tuple(self._modifier(where, value) for where, value in places)

    def _modifier(self, where: str, value: object) -> Modifier:
        if isinstance(value, str):
            return Modifier(value)
        table = Table.of(where, value)
        key = table.text("key")
        if not key:
            raise table.bad("key", "is missing.")
        table.only({"key", "why", *self._figures(key)})
        figures = {name: value for name, value in table.values.items() if name != "key"}
        for name, figure in figures.items():
            if not (isinstance(figure, str | bool) or whole(figure)):
                raise table.bad(name, "should be a whole number, a word, true or false.")
        if "name" in figures and key != SPECIALTY:
            self.one(table, "name")
        return Modifier(key, figures)

    def _figures(self, key: str) -> set[str]:
        """The values that a circumstance takes; all that the format has if this ruleset doesn't know it."""
        try:
            return set(self.ruleset.circumstances.rule(key).takes)
        except RuleViolation:
            return FIGURES
