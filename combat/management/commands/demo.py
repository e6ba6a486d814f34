"""Create the demo chronicle."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from combat.demo import make_demo


class Command(BaseCommand):
    """`manage.py demo`: for a database without users. Prints the passwords, which are not stored anywhere else."""

    help = "Create the demo chronicle in an empty database, with a fight ready to begin, and print how to sign in."

    def handle(self, *_args: Any, **_options: Any) -> None:
        if get_user_model().objects.exists():
            raise CommandError("This database already has users. Run the demo in an empty one.")
        sign_ins = make_demo()
        self.stdout.write("Sign in to the demo as:")
        for each in sign_ins:
            self.stdout.write(f"  {each.name:<12} {each.password:<16} {each.role}")
