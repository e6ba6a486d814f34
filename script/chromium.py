"""Finds this machine's Chromium. Only uses the standard library."""

import os
import shutil

PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's packages, the lighter first: the headless shell has no window."""
NAMES = (*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "Chromium is missing: apt-get install chromium, or set CHROMIUM=/path/to/it"
QUIETLY = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
"""Options that switch off background activity."""


def path():
    """The path in CHROMIUM, else the first one installed, else None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
