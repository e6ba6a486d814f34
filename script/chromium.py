"""Where this machine's Chromium is. Needs only Python's own library."""

import os
import shutil

PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's, the cheaper first: the headless shell has no window of its own to draw."""
NAMES = (*PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium: apt-get install chromium, or CHROMIUM=/path/to/it"
QUIETLY = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
"""What keeps it from doing anything besides what it is asked for."""


def path():
    """The one that CHROMIUM names, else the first that is installed, else None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
