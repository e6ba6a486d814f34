"""Make the demo chronicle."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from combat.demo import make_demo


class Command(BaseCommand):
    """`manage.py demo`: for a database without users. Prints how to sign in; the passwords are kept nowhere else."""

    help = "Make the demo chronicle in an empty database, with a fight ready to begin, and say how to sign in."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if get_user_model().objects.exists():
            raise CommandError("This database has users already: the demo is for an empty one.")
        sign_ins = make_demo()
        self.stdout.write("Sign in to the demo as:")
        for each in sign_ins:
            self.stdout.write(f"  {each.name:<12} {each.password:<16} {each.role}")
