"""Projections: from the state and the log, one frozen view per audience. Only this package decides who sees what."""

from combat.panes.views import PlayerView, StorytellerView, TableView, View

__all__ = ["PlayerView", "StorytellerView", "TableView", "View"]
