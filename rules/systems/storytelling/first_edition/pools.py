"""The pools of the first storytelling edition."""

from __future__ import annotations

from rules.systems.storytelling.pools import StorytellingPools
from rules.systems.storytelling.rule_of_five import RuleOfFive
from rules.systems.storytelling.sheets import MENTAL_SKILLS

POOLS = StorytellingPools(mental=frozenset(trait.key for trait in MENTAL_SKILLS.traits), five=RuleOfFive())
"""With the limit of five dice for a single modifier (WD-DICE-5)."""
