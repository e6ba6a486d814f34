"""The commands of the README, in a copy of the project with data of its own."""

import importlib.util
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings

from tests.conftest import free_port, wait_for_port

ROOT = settings.BASE_DIR
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "var", "__pycache__", ".*_cache", ".hypothesis", "test-results")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project that shares this one's packages."""
    there = tmp_path_factory.mktemp("copy") / "vesper"
    shutil.copytree(ROOT, there, ignore=LEFT_OUT)
    venv = there / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    setup = load_setup(there)
    for name in ("requirements.txt", "requirements-test.txt"):
        (venv / f"{name}.installed").write_text(setup.digest(name))
    return there


def load_setup(root):
    """The module script/setup_venv.py of the project in `root`."""
    spec = importlib.util.spec_from_file_location("setup_venv_under_test", root / "script" / "setup_venv.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_server(copy, *arguments):
    """Start script/server in the copy, ask for its first page, end it with Ctrl-C; what it printed."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("VESPER_", "DATABASE_"))}
    process = subprocess.Popen(
        [sys.executable, "script/server", "--port", str(port), *arguments],
        cwd=copy,
        env={**environment, "PYTHONPATH": os.pathsep.join(path for path in sys.path if "site-packages" in path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for_port(process, port)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/account/sign-in/", timeout=20) as answer:
            assert answer.status == 200
    finally:
        process.send_signal(signal.SIGINT)
        printed, complaints = process.communicate(timeout=30)
    assert process.returncode == 0, complaints
    assert f"Vesper is at http://127.0.0.1:{port}/" in printed
    return printed


def test_without_a_demo_nobody_can_sign_in(copy):
    data = copy / "var"
    shutil.rmtree(data, ignore_errors=True)
    printed = run_server(copy, "--no-demo")
    assert not (data / "demo-sign-ins.txt").exists()
    assert "password" not in printed.lower()
    assert stat.S_IMODE((data / "secret_key").stat().st_mode) == 0o600


def test_the_first_start_makes_the_demo_and_the_second_shows_it_again(copy):
    data = copy / "var"
    shutil.rmtree(data, ignore_errors=True)
    first = run_server(copy)
    assert "Making the demo chronicle" in first
    sign_ins = (data / "demo-sign-ins.txt").read_text()
    assert sign_ins.strip()
    assert sign_ins in first
    assert stat.S_IMODE((data / "demo-sign-ins.txt").stat().st_mode) == 0o600

    second = run_server(copy)
    assert sign_ins in second
    for done_once in ("Installing", "Making", "Bringing the database"):
        assert done_once not in second


def test_nonsense_is_refused_before_anything_is_made(copy):
    done = subprocess.run(
        [sys.executable, "script/server", "--demo", "--no-demo"], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "not allowed with" in done.stderr


# The virtual environment ------------------------------------------------------------------------------------------


@pytest.fixture
def setup(tmp_path, monkeypatch):
    """script/setup_venv.py on an empty project; `setup.ran` lists the commands that it ran, which all succeed."""
    module = load_setup(ROOT)
    module.ROOT, module.VENV, module.PYTHON = tmp_path, tmp_path / ".venv", tmp_path / ".venv/bin/python"
    (tmp_path / "requirements.txt").write_text("one==1\n")
    (tmp_path / "requirements-test.txt").write_text("-r requirements.txt\ntwo==2\n")
    module.ran, module.fails = [], ()

    def run(command, **_options):
        what = command[2]
        module.ran.append(what)
        if what == "venv" and what not in module.fails:
            module.PYTHON.parent.mkdir(parents=True)
            module.PYTHON.write_text("")
        return SimpleNamespace(returncode=int(what in module.fails))

    monkeypatch.setattr(module.subprocess, "run", run)
    return module


def test_everything_is_made_once(setup):
    assert setup.ensure("requirements.txt") == str(setup.PYTHON)
    assert setup.ran == ["venv", "pip"]
    setup.ensure("requirements.txt")
    assert setup.ran == ["venv", "pip"]


def test_a_changed_list_is_installed_again(setup):
    setup.ensure("requirements-test.txt")
    (setup.ROOT / "requirements.txt").write_text("one==1.1\n")
    setup.ensure("requirements-test.txt")
    setup.ensure("requirements-test.txt")
    assert setup.ran == ["venv", "pip", "pip"]


def test_what_testing_installed_running_need_not(setup):
    setup.ensure("requirements-test.txt")
    setup.ensure("requirements.txt")
    assert setup.ran == ["venv", "pip"]


@pytest.mark.parametrize(
    ("fails", "says"), [("venv", "apt-get install python3-venv"), ("pip", "package index cannot be reached")]
)
def test_what_fails_is_said_and_tried_again_the_next_time(setup, fails, says):
    setup.fails = (fails,)
    with pytest.raises(SystemExit, match=says):
        setup.ensure("requirements.txt")
    setup.fails = ()
    setup.ensure("requirements.txt")
    assert setup.ran[-1] == "pip"


def test_an_old_python_is_told_so(setup, monkeypatch):
    monkeypatch.setattr(setup.sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer; this is 3\.9"):
        setup.ensure("requirements.txt")
    assert setup.ran == []


@pytest.mark.parametrize("name", ["setup_venv.py", "server", "test", "lint"])
def test_scripts_can_be_read_by_an_old_python_and_import_nothing_installed(name):
    source = (ROOT / "script" / name).read_text()
    imported = set(re.findall(r"^(?:import|from) (\w+)", source, re.M))
    assert imported <= {*sys.stdlib_module_names, "setup_venv"}
    assert not re.search(r"^\s*match |:=|\w \| None", source, re.M)


@pytest.mark.parametrize("name", ["server", "test", "lint"])
def test_scripts_can_be_started(name):
    assert os.access(ROOT / "script" / name, os.X_OK)
    assert Path(ROOT / "script" / name).read_text().startswith("#!/usr/bin/env python3\n")
