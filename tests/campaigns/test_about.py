"""Around the program: the notice of a fan work, the image's context, the metadata."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse

ROOT: Path = settings.BASE_DIR


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "said"), [("en-gb", "nor endorsed"), ("de", "weder")])
def test_everybody_finds_the_notice(client: Any, language: str, said: str) -> None:
    home = client.get("/", headers={"accept-language": language}).content.decode()
    assert reverse("campaigns:about") in home
    page = client.get(reverse("campaigns:about"), headers={"accept-language": language}).content.decode()
    assert said in page
    assert "Paradox Interactive AB" in page


def test_the_image_gets_nothing_that_git_ignores() -> None:
    left_out = {line.strip("/").removeprefix("**/") for line in (ROOT / ".dockerignore").read_text().splitlines()}
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if line}
    assert ignored | {".git"} <= left_out
    copied = [line.split()[1] for line in (ROOT / "deploy/Dockerfile").read_text().splitlines() if "COPY " in line]
    assert not left_out.intersection(copied)


def test_the_version_is_in_the_changelog_and_it_is_no_package(tmp_path: Path) -> None:
    text = (ROOT / "pyproject.toml").read_text()
    version = tomllib.loads(text)["project"]["version"]
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text()
    (tmp_path / "pyproject.toml").write_text(text)
    for folder in ("rules", "combat"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    pytest.importorskip("setuptools")
    # The first step of `pip wheel .`, which fails if setuptools can't tell what the packages are.
    build = "import setuptools; setuptools.setup(script_args=['egg_info'])"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, capture_output=True)
    assert not (tmp_path / "vesper.egg-info/top_level.txt").read_text().strip()
