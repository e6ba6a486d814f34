"""Rulesets from outside: installed by packages, rejected, missing."""
