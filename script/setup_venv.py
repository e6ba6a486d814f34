"""Creates and updates the virtual environment.

Only uses the standard library, as it runs before anything is installed.
"""

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
    """The path of a Python with everything in the file `requirements` installed, installing it first if needed.

    For tests, the packages in `examples` are installed too.
    """
    if sys.version_info < OLDEST:
        sys.exit(
            "Vesper needs Python 3.11 or newer; this is %d.%d. If you have a newer one, start this with it: "
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
    """A hash of what is to be installed: the file, those it includes, and the Python version."""
    parts = [(ROOT / requirements).read_text(), *map(digest, included(requirements)), sys.version]
    parts += [(package / "pyproject.toml").read_text() for package in examples(requirements)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def examples(requirements):
    """The folders of the example packages, which only tests need."""
    if requirements != TESTS:
        return []
    return sorted(path.parent for path in ROOT.glob("examples/*/pyproject.toml"))


def included(requirements):
    """The files that `requirements` includes with -r, directly or indirectly."""
    lines = (ROOT / requirements).read_text().splitlines()
    direct = [line[3:].strip() for line in lines if line.startswith("-r ")]
    return direct + [name for each in direct for name in included(each)]


def make():
    if PYTHON.exists():
        return
    print("Creating a virtual environment in", VENV, flush=True)
    if subprocess.run([sys.executable, "-m", "venv", str(VENV)], stdout=subprocess.DEVNULL).returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            "Python could not create a virtual environment. On Debian and Ubuntu, install its venv module first:"
            "\n  sudo apt-get install python3-venv"
        )


def install(requirements):
    print("Installing the packages in", requirements, "(once; takes about a minute)", flush=True)
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    if subprocess.run([*command, "-r", str(ROOT / requirements)]).returncode:
        sys.exit(
            "pip could not install the packages: see its message above. A common cause is that the package index "
            "cannot be reached; only the first start needs it. Check the connection, then start this again."
        )


def install_here(package):
    """Install a package in editable mode, so that changes in its folder take effect at once."""
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"]
    if subprocess.run([*command, "--editable", str(package)]).returncode:
        sys.exit("pip could not install %s: see its message above." % package.relative_to(ROOT))


def become(command):
    """Replace this process with `command`, so that Ctrl-C and the exit code are the command's."""
    os.chdir(ROOT)
    sys.stdout.flush()
    if os.name == "nt":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)
