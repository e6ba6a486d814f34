"""Who sees what: from the state and the log, one frozen value for each audience. Settled here and nowhere else."""

from combat.panes.views import PlayerView, StorytellerView, TableView, View

__all__ = ["PlayerView", "StorytellerView", "TableView", "View"]
