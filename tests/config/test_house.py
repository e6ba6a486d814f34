"""The import and type checks cover all of the code."""

import sys
import tomllib

from django.conf import settings

from rules.systems import RULESETS


def tools():
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as opened:
        return tomllib.load(opened)["tool"]


def contracts():
    return tools()["importlinter"]["contracts"]


def packages_of_systems():
    """The package of each ruleset."""
    modules = {name: module for name, module in sys.modules.items() if name.startswith("rules.systems.")}
    made_in = (
        name
        for ruleset in RULESETS.values()
        for name, module in modules.items()
        if any(each is ruleset for each in vars(module).values())
    )
    return {name.rpartition(".")[0] for name in made_in}


def test_every_system_and_every_family_is_kept_apart_from_the_others():
    apart, families = ([*contract["modules"]] for contract in contracts() if contract["type"] == "independence")
    assert set(apart) == packages_of_systems()
    assert {name.rpartition(".")[0] if name.count(".") > 2 else name for name in apart} == set(families)


def test_nobody_else_may_know_any_family():
    outside = next(
        contract for contract in contracts() if contract["name"] == "Individual systems are private to rules.systems"
    )
    folder = settings.BASE_DIR / "rules" / "systems"
    packages = {f"rules.systems.{path.parent.name}" for path in folder.glob("*/__init__.py")}
    assert set(outside["forbidden_modules"]) == packages


def test_every_app_of_ours_has_its_place_in_the_house():
    house = next(contract["layers"] for contract in contracts() if contract["name"].startswith("Between apps"))
    ours = {app for app in settings.INSTALLED_APPS if (settings.BASE_DIR / app / "__init__.py").exists()}
    assert set(house) == ours | {"rules"}


def test_types_are_checked_in_every_app_and_nowhere_less_strictly():
    mypy = tools()["mypy"]
    assert mypy["strict"]
    assert set(mypy["files"]) == set(tools()["importlinter"]["root_packages"])
    # Overrides for single modules only list libraries without types.
    assert all(set(override) == {"module", "ignore_missing_imports"} for override in mypy["overrides"])
