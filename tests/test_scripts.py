"""The README's commands, in a copy of the project with its own data."""

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import urllib.request
from importlib.machinery import SourceFileLoader
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
    for name in ("requirements.txt", "requirements-server.txt", "requirements-test.txt"):
        (venv / f"{name}.installed").write_text(setup.digest(name))
    return there


def load_setup(root):
    """The module script/setup_venv.py of the project at `root`."""
    spec = importlib.util.spec_from_file_location("setup_venv_under_test", root / "script" / "setup_venv.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_server(copy, *arguments):
    """Start script/server in the copy, request its first page, stop it with Ctrl-C; returns its output."""
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
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/account/sign-in/", timeout=60) as answer:
            assert answer.status == 200
    finally:
        process.send_signal(signal.SIGINT)
        printed, complaints = process.communicate(timeout=60)
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
    assert "Creating the demo chronicle" in first
    sign_ins = (data / "demo-sign-ins.txt").read_text()
    assert sign_ins.strip()
    assert sign_ins in first
    assert stat.S_IMODE((data / "demo-sign-ins.txt").stat().st_mode) == 0o600

    second = run_server(copy)
    assert sign_ins in second
    for done_once in ("Installing", "Creating", "Bringing the database"):
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
    """script/setup_venv.py on an empty project; `setup.ran` lists the commands it ran, which all succeed."""
    module = load_setup(ROOT)
    module.ROOT, module.VENV, module.PYTHON = tmp_path, tmp_path / ".venv", tmp_path / ".venv/bin/python"
    (tmp_path / "requirements.txt").write_text("one==1\n")
    (tmp_path / "requirements-server.txt").write_text("-r requirements.txt\ntwo==2\n")
    (tmp_path / "requirements-test.txt").write_text("-r requirements-server.txt\nthree==3\n")
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


def test_for_tests_the_packages_in_examples_are_installed(setup):
    example = setup.ROOT / "examples" / "checkers"
    example.mkdir(parents=True)
    (example / "pyproject.toml").write_text("[project]\n")
    setup.ensure("requirements.txt")
    assert setup.ran == ["venv", "pip"]
    setup.ensure("requirements-test.txt")
    assert setup.ran == ["venv", "pip", "pip", "pip"]
    (example / "pyproject.toml").write_text("[project]\nversion = 2\n")
    setup.ensure("requirements-test.txt")
    setup.ensure("requirements-test.txt")
    assert setup.ran == ["venv", "pip", "pip", "pip", "pip", "pip"]


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


@pytest.mark.parametrize("name", ["setup_venv.py", "test_servers.py", "chromium.py", "server", "test", "lint"])
def test_scripts_can_be_read_by_an_old_python_and_import_nothing_installed(name):
    source = (ROOT / "script" / name).read_text()
    imported = set(re.findall(r"^(?:import|from) (\w+)", source, re.M))
    assert imported <= {*sys.stdlib_module_names, "setup_venv", "test_servers", "chromium"}
    assert not re.search(r"^\s*match |:=|\w \| None", source, re.M)


@pytest.mark.parametrize("name", ["server", "test", "lint"])
def test_scripts_can_be_started(name):
    assert os.access(ROOT / "script" / name, os.X_OK)
    assert Path(ROOT / "script" / name).read_text().startswith("#!/usr/bin/env python3\n")


# script/test -----------------------------------------------------------------------------------------------------


PYTEST = "python -m pytest -rsR -n auto --dist worksteal"
IGNORED = "--ignore=tests/rules --ignore=tests/test_scenarios.py"
BESIDE = (f"{IGNORED} -m not browser", f"{IGNORED} -m browser")
"""The steps that begin together."""
SERVERS = {"DATABASE_URL": "postgres://vesper@127.0.0.1/vesper", "REDIS_URL": "redis://127.0.0.1"}
SKIPPED = "No Redis: apt-get install redis-server."


@pytest.fixture
def script_test(monkeypatch):
    """script/test as a module."""
    loader = SourceFileLoader("script_test_under_test", str(ROOT / "script" / "test"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader.exec_module(module)
    return module


@pytest.fixture
def whole_run(script_test, monkeypatch):
    """script/test on a fully equipped machine: `runs` lists the commands, `codes` the exit codes of commands with these
    words.

    `had_servers` lists the commands that had PostgreSQL and Redis, `installed` the arguments of apt, and `retried`
    names the tests that were retried.
    """
    module = script_test
    module.runs, module.codes, module.had_servers, module.installed, module.retried = [], {}, [], [], []
    module.databases, module.bytecode, module.meeting = {}, set(), None

    def run(command, env, **_more):
        if "apt-get" in command:
            module.installed.append(command[command.index("apt-get") + 1 :])
            return SimpleNamespace(returncode=0)
        return SimpleNamespace(returncode=step(command, env)[0])

    def step(command, env):
        said = " ".join(command)
        module.runs.append(said)
        if env.get("REDIS_URL") == SERVERS["REDIS_URL"]:
            module.had_servers.append(said)
        module.databases[said] = env.get("VESPER_DATA")
        module.bytecode.add("PYTHONDONTWRITEBYTECODE" not in env)
        if module.meeting and any(words in said for words in BESIDE):
            module.meeting.wait()
        for name in module.retried if "not browser" not in said and "-m browser" in said else ():
            with open(env["VESPER_RERUNS"], "a") as file:
                file.write(f"{name}\n")
        code = next((code for words, code in module.codes.items() if words in said), 0)
        return code, f"{said} ended with {code}\n", 1.5

    for name in ("CI", "REDIS_URL", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(module, "subprocess", SimpleNamespace(run=run, DEVNULL=None))
    monkeypatch.setattr(module, "step", step)
    monkeypatch.setattr(module.chromium, "path", lambda: "/usr/bin/chromium")
    monkeypatch.setattr(module.test_servers, "both", lambda: contextlib.nullcontext(SERVERS))
    monkeypatch.setattr(module.test_servers, "packages", list)
    monkeypatch.setattr(module.setup_venv, "ensure", lambda requirements: "python")
    monkeypatch.setattr(sys, "argv", ["script/test"])
    return module


@pytest.fixture
def no_servers(whole_run, monkeypatch):
    """The same on a machine without Redis."""

    @contextlib.contextmanager
    def both():
        raise whole_run.test_servers.Missing(SKIPPED)
        yield

    monkeypatch.setattr(whole_run.test_servers, "both", both)
    return whole_run


def exit_code(script):
    with pytest.raises(SystemExit) as ended:
        script.main()
    return ended.value.code


def test_a_whole_run_is_the_rules_with_their_coverage_all_the_rest_and_the_servers(whole_run, capsys):
    assert exit_code(whole_run) == 0
    rules = next(run for run in whole_run.runs if "--cov-fail-under=100" in run)
    assert rules.startswith(f"{PYTEST} tests/rules tests/test_scenarios.py --cov=rules")
    on_servers = {f"{PYTEST} -m servers"}
    assert set(whole_run.had_servers) == on_servers
    on_sqlite = {f"{PYTEST} {IGNORED} -m not browser -n 3", f"{PYTEST} {IGNORED} -m browser"}
    assert set(whole_run.runs) == {rules} | on_servers | on_sqlite
    said = capsys.readouterr().out
    assert all(f"{run} ended with 0" in said for run in whole_run.runs)


def test_for_ci_all_other_checks_run_too(whole_run, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["script/test", "--ci"])
    assert exit_code(whole_run) == 0
    assert {"script/lint", "script/audit"} < set(whole_run.runs)


def test_what_runs_at_the_same_time_shares_no_database(whole_run):
    whole_run.meeting = threading.Barrier(len(BESIDE), timeout=30)
    assert exit_code(whole_run) == 0
    used = {next(found for run, found in whole_run.databases.items() if words in run) for words in BESIDE}
    assert all(used)
    assert len(used) == len(BESIDE)


def test_each_step_may_cache_compiled_modules(whole_run, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert exit_code(whole_run) == 0
    assert whole_run.bytecode == {True}


def test_a_step_says_what_it_took(whole_run, capsys):
    assert whole_run.Lanes([("first", ["first"], [{}])], count=1).run() == 0
    assert "== first (0 s, 1 s of CPU time)\nfirst ended with 0\n" in capsys.readouterr().out


def test_a_step_counts_the_cpu_time_of_its_children(script_test):
    spin = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'for _ in range(10**7): pass']); sys.exit(3)"
    code, output, cpu = script_test.step(
        [sys.executable, "-c", f"print('began', flush=True); {spin}"], dict(os.environ)
    )
    assert (code, output) == (3, "began\n")
    assert cpu > 0.1


@pytest.mark.parametrize("failed", ["--cov=rules", "-m not browser", "-m browser", "-m servers"])
def test_what_fails_ends_the_run_and_has_the_last_word(whole_run, capsys, failed):
    whole_run.codes = {failed: 3}
    assert exit_code(whole_run) == 3
    *_others, title, last = capsys.readouterr().out.splitlines()
    assert title.startswith("FAILED: ")
    assert failed in last
    assert last.endswith("ended with 3")


def test_once_a_step_has_failed_no_other_begins(whole_run):
    whole_run.codes = {"second": 1}
    steps = [(name, [name], [{}]) for name in ("first", "second", "third")]
    assert whole_run.Lanes(steps, count=1).run() == 1
    assert whole_run.runs == ["first", "second"]


@pytest.mark.parametrize(("times", "code"), [(2, 0), (3, 1)])
def test_more_than_two_tests_that_had_to_be_tried_again_fail_the_run(whole_run, capsys, times, code):
    whole_run.retried = [f"test_{number}" for number in range(times)]
    assert exit_code(whole_run) == code
    assert ("FAILED: 3 tests needed a rerun" in capsys.readouterr().out) == bool(code)


def test_a_test_that_is_tried_again_is_noted(tmp_path):
    """With the real pytest, on a test that fails once, and with a worker."""
    noted, test = tmp_path / "noted", tmp_path / "test_once.py"
    test.write_text(
        "import pathlib, pytest\n"
        "@pytest.mark.flaky(reruns=1)\n"
        "def test_once(): \n"
        f"    seen = pathlib.Path({str(tmp_path / 'seen')!r})\n"
        "    if not seen.exists(): seen.touch(); assert False\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "tests.conftest", "--rootdir", ROOT, str(test)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        command, check=False, cwd=ROOT, env={**environment, "VESPER_RERUNS": str(noted)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert noted.read_text().count("test_once") == 1


def test_without_servers_they_are_skipped_which_is_said_before(no_servers, capsys):
    assert exit_code(no_servers) == 0
    assert capsys.readouterr().out.startswith(f"SKIPPED: the tests on PostgreSQL and Redis. {SKIPPED}\n")
    assert len(no_servers.runs) == 3
    assert no_servers.had_servers == []


@pytest.mark.parametrize("arguments", [[], ["--ci"], ["--servers", "tests/combat"]])
def test_where_ci_is_set_they_must_not_be_skipped(no_servers, monkeypatch, arguments):
    monkeypatch.setenv("CI", "1")
    monkeypatch.setattr(sys, "argv", ["script/test", *arguments])
    with pytest.raises(SystemExit, match=SKIPPED):
        no_servers.main()
    assert no_servers.runs == []


def test_a_run_on_the_servers_alone(whole_run, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["script/test", "--servers", "tests/combat"])
    assert exit_code(whole_run) == 0
    assert whole_run.runs == whole_run.had_servers == ["python -m pytest -m servers tests/combat"]


def test_programs_that_are_missing_are_installed_by_root(whole_run, monkeypatch):
    monkeypatch.setattr(whole_run.shutil, "which", lambda name: name)
    monkeypatch.setattr(whole_run.os, "geteuid", lambda: 0)
    monkeypatch.setattr(whole_run.test_servers, "packages", lambda: ["postgresql", "redis-server"])
    assert exit_code(whole_run) == 0
    assert [command[-1] for command in whole_run.installed] == ["-q", "postgresql", "redis-server"]
    assert len(whole_run.runs) == 4


@pytest.mark.parametrize(
    ("there", "installed"),
    [
        ("chromium", []),
        ("chromium-headless-shell", ["chromium-headless-shell"]),
        ("", ["chromium-headless-shell", "chromium"]),
    ],
)
def test_a_browser_that_is_missing_is_installed_without_its_windows_if_possible(
    whole_run, monkeypatch, there, installed
):
    """`there` is what the distribution has; a machine that already has a browser keeps it."""
    tried = [command[-1] for command in whole_run.installed]

    def path():
        tried[:] = [command[-1] for command in whole_run.installed if command[0] == "install"]
        return there if there == "chromium" or there in tried else None

    monkeypatch.setattr(whole_run.chromium, "path", path)
    monkeypatch.setattr(whole_run.shutil, "which", lambda name: name)
    monkeypatch.setattr(whole_run.os, "geteuid", lambda: 0)
    assert exit_code(whole_run) == 0
    assert tried == installed


# PostgreSQL and Redis for the tests -------------------------------------------------------------------------------


@pytest.fixture
def servers(monkeypatch):
    """script/test_servers.py on a machine without the programs, where nothing listens."""
    spec = importlib.util.spec_from_file_location("test_servers_under_test", ROOT / "script" / "test_servers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for variable in ("VESPER_TEST_DATABASE", "VESPER_TEST_REDIS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(module, "program", lambda name: None)
    monkeypatch.setattr(module, "listens", lambda port: False)
    return module


def test_the_servers_that_are_named_are_taken(servers, monkeypatch):
    monkeypatch.setenv("VESPER_TEST_DATABASE", "postgres://u@db/vesper")
    monkeypatch.setenv("VESPER_TEST_REDIS", "redis://db")
    with servers.both() as found:
        assert found == {"DATABASE_URL": "postgres://u@db/vesper", "REDIS_URL": "redis://db"}


def test_without_servers_it_is_said_how_to_get_them(servers, monkeypatch):
    with pytest.raises(servers.Missing, match="apt-get install postgresql"), servers.both():
        pass
    monkeypatch.setenv("VESPER_TEST_DATABASE", "postgres://u@db/vesper")
    with pytest.raises(servers.Missing, match="apt-get install redis-server"), servers.both():
        pass


def test_only_what_is_neither_named_nor_there_is_to_be_installed(servers, monkeypatch):
    assert servers.packages() == ["postgresql", "redis-server"]
    monkeypatch.setenv("VESPER_TEST_DATABASE", "postgres://u@db/vesper")
    assert servers.packages() == ["redis-server"]
    monkeypatch.setattr(servers, "listens", lambda port: port == servers.REDIS_PORT)
    assert servers.packages() == []
    monkeypatch.delenv("VESPER_TEST_DATABASE")
    monkeypatch.setattr(servers, "program", lambda name: f"/usr/bin/{name}")
    assert servers.packages() == []


@pytest.mark.parametrize("holds", ["", "db0:keys=1,expires=0"])
def test_a_redis_that_was_found_is_only_used_while_it_is_empty(servers, monkeypatch, holds):
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        monkeypatch.setattr(servers, "listens", lambda port: True)
        monkeypatch.setattr(servers, "REDIS_PORT", listening.getsockname()[1])

        def answer():
            asked, _address = listening.accept()
            with asked:
                asked.recv(100)
                asked.sendall(b"$20\r\n# Keyspace\r\n" + holds.encode() + b"\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        if holds:
            with pytest.raises(servers.Missing, match="contains data"):
                servers.found_redis()
        else:
            assert servers.found_redis() == f"redis://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()
