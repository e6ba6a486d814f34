"""The tests that docs/security.md names exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", (ROOT / "docs" / "security.md").read_text(encoding="utf-8"))


def test_every_test_that_the_page_names_is_there():
    assert len(NAMED) > 50
    missing = []
    for path, name in NAMED:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        if name not in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}:
            missing.append(f"{path}::{name}")
    assert missing == []
