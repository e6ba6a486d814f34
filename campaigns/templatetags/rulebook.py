"""Filters for rule ids: a rule's URL, title and family."""

from __future__ import annotations

from django import template
from django.urls import reverse

from campaigns import rulesets

register = template.Library()


@register.filter
def rule_url(rule_id: str) -> str:
    """The rule's address in its rulebook; "" for an unknown id."""
    found = rulesets.rule(rule_id)
    return f"{reverse('campaigns:rulebook', args=[found.ruleset])}#{found.rule.id}" if found else ""


@register.filter
def rule_title(rule_id: str) -> str:
    """The rule's title; "" for an unknown id."""
    found = rulesets.rule(rule_id)
    return found.rule.title if found else ""


@register.filter
def family(ruleset: str) -> str:
    """A ruleset's dice family, which decides how sheets draw boxes; "" for an unknown key."""
    found = rulesets.book(ruleset)
    return found.family if found else ""
