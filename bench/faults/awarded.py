"""Counts an award in a database. A process of its own, like bench/set_table.py.

    bench/faults/awarded.py CHRONICLE REASON

Prints JSON: how many characters have the award (`count`), and the `faults` of the ledgers.
"""

# ruff: noqa: T201, E402 (prints its results; Django must be set up before imports)

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from characters import experience_seals
from characters.models import ExperienceEntry

chronicle, reason = sys.argv[1:]
count = ExperienceEntry.objects.filter(character__chronicle=chronicle, reason=reason).count()
print(json.dumps({"count": count, "faults": [fault.what for fault in experience_seals.faults_here(chronicle)]}))
