"""Installed packages with a ruleset, written to a folder."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

from rules.engine.catalogues import GROUP

BOOK = """
[ruleset]
key = "{key}"
name = "Checkers"
subtitle = "a very small ruleset"
family = "none"
prefix = "{prefix}"

[[rule]]
id = "{prefix}-ONE-1"
title = "A rule"
text = "Its text."
"""

SOUND = """
from dataclasses import replace
from rules import rulebook
from rules.model.conditions import Conditions
from rules.model.sheet import Layout
from rules.systems.classic.masquerade.system import MASQUERADE

SYSTEM = replace(
    MASQUERADE,
    key="{key}",
    book=rulebook.load("{key}", package=__name__),
    cites=dict.fromkeys(MASQUERADE.cites, "{prefix}-ONE-1"),
    layout=Layout(MASQUERADE.layout.sections, ()),
    modifiers={{}},
    actions={{}},
    powers=(),
    conditions=Conditions(),
    options=tuple(replace(each, rule="{prefix}-ONE-1") for each in MASQUERADE.options),
    presets=(),
    derived=(),
    grappled={{}},
    attack=replace(
        MASQUERADE.attack,
        defences=replace(MASQUERADE.attack.defences, known={{}}),
        facets=tuple(each for each in MASQUERADE.attack.facets if not hasattr(each, "rule")),
    ),
)
"""
"""A minimal valid ruleset: Masquerade without its own rules."""


def install(
    folder: Path, name: str = "checkers", *, key: str = "checkers", prefix: str = "CH", code: str = "", book: str = BOOK
) -> Path:
    """Write an installed package with one ruleset, plus more code, to a folder; returns the folder."""
    inside, about = folder / name, folder / f"{name}-1.2.dist-info"
    inside.mkdir(parents=True)
    about.mkdir()
    (inside / f"{key}.toml").write_text(book.format(key=key, prefix=prefix))
    (inside / "__init__.py").write_text(SOUND.format(key=key, prefix=prefix) + code)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{key} = {name}:SYSTEM\n")
    return folder


def points(folder: Path) -> Iterator[EntryPoint]:
    """The entry points of the packages in a folder."""
    for found in distributions(path=[str(folder)]):
        yield from found.entry_points.select(group=GROUP)
