"""Vesper's settings with deliberate faults: `DJANGO_SETTINGS_MODULE=bench.faults.settings`.

`VESPER_FAULTS` lists them, separated by commas: see `bench/faults/sabotage.py`. Refused in production.
"""

from django.core.exceptions import ImproperlyConfigured

from config import env
from config.settings import *  # noqa: F403
from config.settings import CHANNEL_LAYERS, INSTALLED_APPS, PRODUCTION, REDIS_URL

if PRODUCTION:
    raise ImproperlyConfigured("bench.faults.settings breaks Vesper on purpose: don't use it in production.")

VESPER_FAULTS = env.names("VESPER_FAULTS")
INSTALLED_APPS = [*INSTALLED_APPS, "bench.faults.sabotage.Sabotage"]
if "lossy" in VESPER_FAULTS:
    BACKEND = "bench.faults.lossy.LossyRedis" if REDIS_URL else "bench.faults.lossy.LossyMemory"
    CHANNEL_LAYERS = {"default": {**CHANNEL_LAYERS["default"], "BACKEND": BACKEND}}
