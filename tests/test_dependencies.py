"""The package lists are exact, consistent and explained."""

import ast
import re
import sys
from importlib.metadata import packages_distributions

import pytest
from django.conf import settings

LISTS = ["requirements.txt", "requirements-server.txt", "requirements-test.txt"]
PAGE = settings.BASE_DIR / "docs" / "dependencies.md"


def lines(name):
    text = (settings.BASE_DIR / name).read_text()
    return [line for line in text.splitlines() if line and not line.startswith(("#", "-r "))]


def chosen(name):
    """The packages we chose, in lower case: those above the line about their dependencies."""
    text = (settings.BASE_DIR / name).read_text().partition("# Their dependencies")[0]
    return {line.partition("==")[0].lower() for line in text.splitlines() if "==" in line}


@pytest.mark.parametrize("name", LISTS)
def test_every_version_is_exact_and_from_nowhere_in_particular(name):
    assert lines(name)
    for line in lines(name):
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9a-z.]*", line), line


def test_each_chosen_package_is_explained_and_no_other():
    explained = {name.lower() for name in re.findall(r"^\| (\w[\w-]+) \|", PAGE.read_text(), re.M)} - {"package"}
    assert explained == set().union(*map(chosen, LISTS))


def test_what_the_code_imports_was_asked_for():
    """Not only as somebody else's dependency, nor left over in a virtual environment."""
    ours = ("campaigns", "characters", "combat", "config", "rules", "story")
    imported = {name for app in ours for file in (settings.BASE_DIR / app).rglob("*.py") for name in imports(file)}
    # Channels and daphne are built on these two, and expose them.
    foreign = imported - sys.stdlib_module_names - {*ours, "asgiref", "autobahn", "twisted"}
    packages, asked_for = packages_distributions(), chosen("requirements.txt")
    assert [name for name in foreign if asked_for.isdisjoint(map(str.lower, packages.get(name, [])))] == []


def imports(file):
    """The packages that the module in `file` imports, by top-level name."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
