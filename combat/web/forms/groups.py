"""Groups copies of an NPC."""

from __future__ import annotations

from combat.web.forms.base import AboutSomebody
from combat.web.forms.commanding import posted
from rules.topics.commands import Group


@posted(Group)
class GroupForm(AboutSomebody):
    """Makes all copies of an NPC act and roll together, by one button. Hidden copies form a separate group."""

    fragment = ""
    storyteller_only = True

    def command(self) -> Group:
        one = self.table.state.combatants[self.cleaned_data["who"]]
        alike = [
            who
            for who, each in self.table.state.combatants.items()
            if one.group and (each.group, each.hidden) == (one.group, one.hidden)
        ]
        return Group(tuple(alike))
