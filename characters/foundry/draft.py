"""The sheet that is being made from an actor, and the account for its preview."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from characters.foundry.actors import Actor, whole
from characters.incoming.arrival import Asking, Recognised
from characters.plain import KIND
from characters.words import unhyphenated
from rules.model.system import System


@dataclass(slots=True)
class Draft:
    """What is being made of an actor."""

    ruleset: System
    actor: Actor
    asking: Asking
    kind: str = KIND
    traits: dict[str, int] = field(default_factory=dict)
    specialties: dict[str, list[str]] = field(default_factory=dict)
    recognised: list[Recognised] = field(default_factory=list)

    def accept(self, label: str, text: str, warning: str = "") -> None:
        """Note for the preview what the sheet gets."""
        if text or warning:
            self.recognised.append(Recognised(unhyphenated(label), unhyphenated(text), warning))

    def number(self, label: str, paths: tuple[str, ...], least: int, most: int) -> int | None:
        """The number at one of these paths, within bounds; what had to be changed stays in the notes."""
        found = self.actor.number(paths)
        if found is None:
            return None
        fits = min(max(found, least), most)
        if fits == found:
            for path in paths:
                value = self.actor.leaves.peek(path)
                if whole(value) == found:
                    self.actor.leaves.take((path,), value)
        else:
            self.changed(label, found, fits)
        return fits

    def changed(self, label: str, found: int, fits: int) -> None:
        self.accept(label, "", _("%(found)s in the file, %(fits)s on the sheet.") % {"found": found, "fits": fits})
