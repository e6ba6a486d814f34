"""Password hashing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import Argon2PasswordHasher

LONGEST = 0.3
"""An upper bound, in seconds, for one hash with Django's parameters."""

_one_at_a_time = ThreadPoolExecutor(max_workers=1, thread_name_prefix="passwords")
"""A single thread, because the allocator keeps a hash's memory for each thread that ever computed one."""


class Argon2(Argon2PasswordHasher):
    """Argon2id, one hash at a time: 19 MiB, two passes, one thread, OWASP's minimum.

    Django's parameters take 100 MiB and eight threads. Hashes made with them are still verified, and replaced when
    their owner signs in. Until the last is replaced, every hash takes equally long; otherwise timing would reveal
    which names have an account.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
    ours = f"argon2$argon2id$v=19$m={memory_cost},t={time_cost},p={parallelism}$"
    """The prefix of a hash with these parameters."""

    def encode(self, password: str, salt: str) -> str:
        return str(self._evenly(super().encode, password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        return bool(self._evenly(super().verify, password, encoded))

    def _evenly(self, work: Callable[[str, str], object], *given: str) -> object:
        began = monotonic()
        done = _one_at_a_time.submit(work, *given).result()
        hashes = get_user_model().objects.filter(password__startswith=f"{self.algorithm}$")
        if hashes.exclude(password__startswith=self.ours).exists():
            sleep(max(0, began + LONGEST - monotonic()))
        return done
