"""Rules by their ids: where a rule's text stands, and what it is called."""

from __future__ import annotations

from django import template
from django.urls import reverse

from campaigns import rulesets

register = template.Library()


@register.filter
def rule_url(rule_id: str) -> str:
    """Where the rulebook has this rule; "" for an id that no ruleset knows."""
    found = rulesets.rule(rule_id)
    return f"{reverse('campaigns:rulebook', args=[found.ruleset])}#{found.rule.id}" if found else ""


@register.filter
def rule_title(rule_id: str) -> str:
    """What the rule is called; "" for an id that no ruleset knows."""
    found = rulesets.rule(rule_id)
    return found.rule.title if found else ""


@register.filter
def family(ruleset: str) -> str:
    """The dice family of the ruleset of that key, by which sheets draw their boxes; "" where there is none."""
    found = rulesets.book(ruleset)
    return found.family if found else ""
