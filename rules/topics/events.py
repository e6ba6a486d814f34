"""Every event, re-exported. What is known of each is declared beside it (:mod:`rules.engine.messages`)."""

# ruff: noqa: F403  # each module's public names
from rules.model.results import *
from rules.topics.attacks.events import *
from rules.topics.cast.events import *
from rules.topics.exchanges.events import *
from rules.topics.firefights.events import *
from rules.topics.gear.events import *
from rules.topics.grapples.events import *
from rules.topics.health.events import *
from rules.topics.powers.events import *
from rules.topics.rolls.events import *
from rules.topics.telling.events import *
from rules.topics.turns.events import *
