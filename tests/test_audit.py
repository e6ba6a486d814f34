"""The dependency audit's evaluation of pip-audit's answers."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings

FOUND = {
    "id": "PYSEC-2026-7",
    "aliases": ["CVE-2026-1234"],
    "fix_versions": ["5.2.20", "6.0.3"],
    "description": "Not good.",
}
SOUND = {"name": "channels", "version": "4.3.2", "vulns": []}
BAD = {"name": "django", "version": "5.2.19", "vulns": [FOUND]}
UNASKED = {"name": "daphne", "skip_reason": "Dependency not found on PyPI and could not be audited: daphne (4.2.3)"}


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    """The script as a module."""
    folder = settings.BASE_DIR / "script"
    loader = importlib.machinery.SourceFileLoader("audit", str(folder / "audit"))
    spec = importlib.util.spec_from_loader("audit", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("answer", "accepted", "expected"),
    [
        ([SOUND], {}, ([], [])),
        ([SOUND, BAD], {}, (["django 5.2.19: PYSEC-2026-7, fixed in 5.2.20, 6.0.3"], [])),
        ([SOUND, BAD], {"PYSEC-2026-7": "why"}, ([], [])),
        ([SOUND, BAD], {"CVE-2026-1234": "why"}, ([], [])),
        ([SOUND, UNASKED], {}, ([], ["daphne"])),
        # A vulnerability counts, even if other packages could not be looked up.
        ([BAD, UNASKED], {}, (["django 5.2.19: PYSEC-2026-7, fixed in 5.2.20, 6.0.3"], ["daphne"])),
        ([SOUND], {"CVE-1": "gone"}, (["CVE-1 is accepted in script/audit, but no longer found: remove it there"], [])),
        ([SOUND, UNASKED], {"CVE-1": "perhaps daphne's"}, ([], ["daphne"])),
    ],
)
def test_what_is_known_fails_unless_it_is_accepted(audit: Any, answer: Any, accepted: Any, expected: Any) -> None:
    assert audit.judged({"dependencies": answer}, accepted) == expected


def test_without_an_answer_nothing_is_known_and_nothing_fails(audit: Any) -> None:
    assert audit.judged(None, {"CVE-1": "why"}) == ([], None)


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        (json.dumps({"dependencies": [BAD]}), 1, "VULNERABLE django 5.2.19: PYSEC-2026-7"),
        (json.dumps({"dependencies": [SOUND]}), 0, "No known vulnerabilities in the pinned packages."),
        (json.dumps({"dependencies": [SOUND, UNASKED]}), 0, "could not be reached for 1 packages. Pinned since:\n  20"),
        ("no JSON", 0, "could not be reached for any package. Pinned since:\n  20"),
    ],
)
def test_how_it_ends(
    audit: Any, answer: str, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Any
) -> None:
    """With a fake pip-audit that gives this answer."""
    program = tmp_path / "python"
    program.write_text(f"#!{sys.executable}\nprint({answer!r})\n")
    program.chmod(0o700)
    monkeypatch.setattr(audit.setup_venv, "ensure", lambda _list: str(program))
    monkeypatch.setattr(audit, "pinned", lambda: {"2026-11-20": ["Django==5.2.19"]})
    with pytest.raises(SystemExit) as ended:
        audit.main()
    assert ended.value.code == code
    assert said in capsys.readouterr().out


def test_pip_audit_reads_our_list(audit: Any) -> None:
    """Every pinned package, including those from included lists, without a network request."""
    command = [*audit.command(sys.executable), "--dry-run"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    lists = settings.BASE_DIR.glob("requirements*.txt")
    pins = [line for name in lists for line in (settings.BASE_DIR / name).read_text().splitlines() if "==" in line]
    assert f"would have audited {len(pins)} packages" in done.stderr
