"""Who enters a running fight: nobody may be in two at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from characters.models import Character
from combat.models import Encounter, Status
from rules.engine.phrases import phrases
from rules.engine.violations import bad_input
from rules.model.state import Encounter as State
from rules.model.state import Status as Stands


def characters_in(encounter: Encounter) -> frozenset[str]:
    """The ids of the characters in a fight as themselves, not as copies."""
    people = encounter.state.get("combatants", {}).values()
    return frozenset(each["character"] for each in people if each["character"])


def running_with(characters: Collection[str], but: str = "") -> Iterator[tuple[Encounter, frozenset[str]]]:
    """The running fights, except `but`, in which some of these characters are, with their ids."""
    return fights_with(characters, (Status.RUNNING,), but)


def fights_with(
    characters: Collection[str], statuses: Iterable[Status], but: str = ""
) -> Iterator[tuple[Encounter, frozenset[str]]]:
    """The same for fights of any of these statuses."""
    chronicles = Character.with_bin.filter(pk__in=characters).values("chronicle")
    found = Encounter.objects.fights().filter(status__in=tuple(statuses), chronicle__in=chronicles).exclude(pk=but)
    for fight in found.order_by("pk"):
        if present := characters_in(fight).intersection(characters):
            yield fight, present


def entering(encounter: Encounter, before: State, after: State) -> frozenset[str]:
    """The ids of the characters who are in this running fight after a change, and weren't before."""
    if encounter.outside_fights or after.status is not Stands.RUNNING:
        return frozenset()
    now = _characters(after)
    return now - _characters(before) if before.status is Stands.RUNNING else now


def refuse_elsewhere(encounter: Encounter, after: State, who: Collection[str]) -> None:
    """Raise `RuleViolation` if any of these characters is in another running fight.

    Their rows are locked first, so of two fights that begin at the same time, one sees the other.
    """
    if not who:
        return
    list(Character.with_bin.filter(pk__in=who).order_by("pk").select_for_update().values_list("pk"))
    for fight, present in running_with(who, encounter.pk):
        names = sorted(each.sheet.name for each in after.combatants.values() if each.character in present)
        said = {"names": ", ".join(names), "fight": fight.name}
        raise bad_input(phrases("they-are-in-another-running-fight", len(names), **said))


def _characters(state: State) -> frozenset[str]:
    return frozenset(each.character for each in state.combatants.values() if each.character)
