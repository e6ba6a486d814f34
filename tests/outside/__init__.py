"""External rulesets: installed by packages, rejected, missing."""
