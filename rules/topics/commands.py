"""Every command, re-exported. What is known of each is declared beside it (:mod:`rules.engine.messages`)."""

# ruff: noqa: F403  # each module's public names
from rules.model.actions import *
from rules.model.attack import *
from rules.model.choices import *
from rules.model.health import *
from rules.model.roll import *
from rules.topics.attacks.commands import *
from rules.topics.cast.commands import *
from rules.topics.exchanges.commands import *
from rules.topics.gear.commands import *
from rules.topics.health.commands import *
from rules.topics.initiative.commands import *
from rules.topics.powers.commands import *
from rules.topics.rolls.commands import *
from rules.topics.telling.commands import *
from rules.topics.turns.commands import *
