"""The contracts on imports cover what there is."""

import sys
import tomllib

from django.conf import settings

from rules.systems import RULESETS


def contracts():
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as opened:
        return tomllib.load(opened)["tool"]["importlinter"]["contracts"]


def test_every_ruleset_is_kept_apart_from_the_others():
    (apart,) = [contract["modules"] for contract in contracts() if contract["type"] == "independence"]
    systems = {name for name in sys.modules if name.startswith("rules.systems.") and name.endswith(".system")}
    assert len(systems) == len(RULESETS)
    assert set(apart) == systems


def test_every_app_of_ours_has_its_place_in_the_house():
    house = next(contract["layers"] for contract in contracts() if contract["name"].startswith("The house"))
    ours = {app for app in settings.INSTALLED_APPS if (settings.BASE_DIR / app / "__init__.py").exists()}
    assert set(house) == ours | {"rules"}
