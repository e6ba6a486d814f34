"""Makes and keeps the virtual environment. Needs only Python's own library, as it runs before anything is installed."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST = (3, 11)
TESTS = "requirements-test.txt"


def ensure(requirements):
    """Give the path of a Python that has what the file `requirements` lists, installing it where that is not so yet.

    For tests it has the packages in `examples` besides.
    """
    if sys.version_info < OLDEST:
        sys.exit(
            "Vesper needs Python 3.11 or newer; this is %d.%d. If a newer one is installed too, name it: "
            "python3.12 %s" % (*sys.version_info[:2], sys.argv[0])
        )
    stamp = VENV / (requirements + ".installed")
    wanted = digest(requirements)
    if not (PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted):
        make()
        install(requirements)
        for package in examples(requirements):
            install_here(package)
        for name in [requirements, *included(requirements)]:
            (VENV / (name + ".installed")).write_text(digest(name))
    return str(PYTHON)


def digest(requirements):
    """What was asked for, in one line: changes with the file, those it includes, and the Python that it is for."""
    parts = [(ROOT / requirements).read_text(), *map(digest, included(requirements)), sys.version]
    parts += [(package / "pyproject.toml").read_text() for package in examples(requirements)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def examples(requirements):
    """The folders of the packages that stand beside `requirements` in tests, and nowhere else."""
    if requirements != TESTS:
        return []
    return sorted(path.parent for path in ROOT.glob("examples/*/pyproject.toml"))


def included(requirements):
    """The names of the files that `requirements` starts from, and those that they start from."""
    lines = (ROOT / requirements).read_text().splitlines()
    direct = [line[3:].strip() for line in lines if line.startswith("-r ")]
    return direct + [name for each in direct for name in included(each)]


def make():
    if PYTHON.exists():
        return
    print("Making a virtual environment in", VENV, flush=True)
    if subprocess.run([sys.executable, "-m", "venv", str(VENV)], stdout=subprocess.DEVNULL).returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            "Python could not make a virtual environment. On Debian and Ubuntu its venv module is a package "
            "of its own:\n  sudo apt-get install python3-venv"
        )


def install(requirements):
    print("Installing what", requirements, "lists; this takes a minute, and only this once", flush=True)
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    if subprocess.run([*command, "-r", str(ROOT / requirements)]).returncode:
        sys.exit(
            "pip could not install it; what it said stands above. Often the package index cannot be reached: "
            "the first start needs it, later ones do not. Then start this again: it goes on from here."
        )


def install_here(package):
    """Install a package so that what is changed in its folder counts at once."""
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"]
    if subprocess.run([*command, "--editable", str(package)]).returncode:
        sys.exit("pip could not install %s; what it said stands above." % package.relative_to(ROOT))


def become(command):
    """Let `command` take this process's place, so that Ctrl-C and the exit code are its own."""
    os.chdir(ROOT)
    sys.stdout.flush()
    if os.name == "nt":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)
