"""The lists of packages are exact, the same everywhere, and explained."""

import re

import pytest
from django.conf import settings

PAGE = settings.BASE_DIR / "docs" / "dependencies.md"


def lines(name):
    text = (settings.BASE_DIR / name).read_text()
    return [line for line in text.splitlines() if line and not line.startswith(("#", "-r "))]


def chosen(name):
    """The packages that we asked for, in small letters: those above the line about what they brought along."""
    text = (settings.BASE_DIR / name).read_text().partition("# Brought along")[0]
    return {line.partition("==")[0].lower() for line in text.splitlines() if "==" in line}


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_every_version_is_exact_and_from_nowhere_in_particular(name):
    assert lines(name)
    for line in lines(name):
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9a-z.]*", line), line


def test_each_chosen_package_is_explained_and_no_other():
    explained = {name.lower() for name in re.findall(r"^\| (\w[\w-]+) \|", PAGE.read_text(), re.M)} - {"package"}
    assert explained == chosen("requirements.txt") | chosen("requirements-test.txt")
