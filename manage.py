#!/usr/bin/env python3
"""Django's command line with Vesper's settings."""

import gc
import os
import sys


def main() -> None:
    # What a start makes stays: looking for garbage in it would take a seventh of the time. `config.apps` enables it.
    gc.disable()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ModuleNotFoundError:
        sys.exit("Django is not installed here: start Vesper with script/server, or use .venv/bin/python manage.py.")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:
        if os.environ.get("VESPER_DEBUG") == "1":
            raise
        # The sentence tells the reader what to do; the traceback through Django's loader doesn't.
        sys.exit(f"Vesper cannot start: {problem}")


if __name__ == "__main__":
    main()
