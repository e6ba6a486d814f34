"""Chronicles on their way in and out: uploads, checks, and the work that processes of their own do.

The row says what was last reached, and is written in the same transaction as an import: a process that dies leaves
either everything or nothing. Its files are in a folder of their own and are deleted after a day.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import time

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.http import Http404
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaigns import workers
from campaigns.access import check_storyteller, memberships_of
from campaigns.archives.box import MOST_PACKED, BadArchive, Reader, TooLarge
from campaigns.errors import Refused
from campaigns.models import Chronicle, Membership, User
from campaigns.workers import Progress, Stopped, Teller
from story.archives import whole
from story.models import Stage, Transfer

KEPT = timedelta(days=1)
MOST_AT_ONCE = 2
"""How many processes may work at the same time on this machine."""
MOST_SHOWN = 5

WORKING = (Stage.CHECKING, Stage.SAVING, Stage.WRITING)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in an archive, and the account that takes their place unless another is chosen ("" for none)."""

    key: str
    name: str
    role: str
    account: str


def folder_of(transfer: Transfer) -> Path:
    """The folder with a transfer's files."""
    return Path(settings.DATA_DIR) / "transfers" / transfer.pk


def file_of(transfer: Transfer) -> Path:
    """The archive: uploaded, or to download."""
    return folder_of(transfer) / "archive.zip"


def of(user: User, transfer_id: str) -> Transfer:
    """A user's transfer as it is now. `Http404` for anybody else's and for unknown ones."""
    found = Transfer.objects.select_related("chronicle").filter(pk=transfer_id, user=user).first()
    if found is None:
        raise Http404("No such transfer")
    return _as_it_is(found)


def _as_it_is(found: Transfer) -> Transfer:
    """A transfer that was read, failed if its process has died."""
    if found.stage in WORKING and not workers.is_alive(folder_of(found)):
        # It may have ended since it was read.
        found.refresh_from_db()
        if found.stage in WORKING:
            _fail(found, _interrupted(found))
    return found


def recent(user: User, chronicle: Chronicle) -> list[Transfer]:
    """The archives of a chronicle that this user made or is making, latest first."""
    mine = Transfer.objects.select_related("chronicle").filter(user=user, chronicle=chronicle, inward=False)
    return [_as_it_is(each) for each in mine[:MOST_SHOWN]]


def progress(transfer: Transfer) -> Progress:
    """How far the work is."""
    return workers.progress(folder_of(transfer))


# ------------------------------------------------------------------ out


def take_out(by: Membership) -> Transfer:
    """Begin to write a chronicle's archive, for one of its Storytellers. One that is being written is returned."""
    check_storyteller(by)
    purge()
    for each in recent(by.user, by.chronicle):
        if each.stage == Stage.WRITING:
            return each
    _check_room()
    made = Transfer.objects.create(user=by.user, chronicle=by.chronicle, stage=Stage.WRITING)
    _work(made)
    return made


# ------------------------------------------------------------------ in


def begin_upload(user: User, size: int) -> Transfer:
    """Begin an upload of so many bytes; the user's other unfinished ones are discarded. Raises `Refused`."""
    purge()
    if not 0 < size <= MOST_PACKED:
        raise Refused(_("An archive has at most %(megabytes)s MB.") % {"megabytes": MOST_PACKED // 1024 // 1024})
    for old in Transfer.objects.filter(user=user, inward=True).exclude(stage=Stage.SAVING):
        discard(old)
    made = Transfer.objects.create(user=user, inward=True, stage=Stage.UPLOADING, size=size)
    folder_of(made).mkdir(parents=True)
    file_of(made).touch()
    return made


def receive(transfer: Transfer, start: int, part: bytes) -> int:
    """Take a part of an upload that begins at a byte. Returns how many bytes are there.

    A part that is there already, or that isn't next, changes nothing: the sender goes on from the returned number. The
    last part starts the check.
    """
    with transaction.atomic():
        locked = Transfer.objects.select_for_update().get(pk=transfer.pk)
        path = file_of(locked)
        there = path.stat().st_size if path.exists() else 0
        if locked.stage != Stage.UPLOADING or start != there or there + len(part) > locked.size:
            return there
        with open(path, "ab") as file:
            file.write(part)
        there += len(part)
    if there == transfer.size:
        check(transfer)
    return there


def check(transfer: Transfer) -> None:
    """Begin to check an upload that is complete."""
    _check_room()
    _reach(transfer, Stage.CHECKING)
    _work(transfer)


def bring_in(transfer: Transfer, places: Mapping[str, str]) -> None:
    """Begin to save a checked archive, with these accounts in the places of its people. Raises `Refused`."""
    known = {str(each.pk): each for each in candidates(transfer.user)}
    taken = [account for account in places.values() if account]
    if len(taken) != len(set(taken)):
        raise Refused(_("Nobody can take two places."))
    if any(account not in known for account in taken):
        raise Refused(_("Choose somebody from the list."))
    _check_room()
    with transaction.atomic():
        locked = Transfer.objects.select_for_update().get(pk=transfer.pk)
        if locked.stage != Stage.CHECKED:
            return  # the same press again
        locked.places = dict(places)
        _reach(locked, Stage.SAVING)
    _work(locked)


def candidates(user: User) -> list[User]:
    """Who can take a place at once: the user, and the members of chronicles of which they are a Storyteller."""
    mine = [each.chronicle_id for each in memberships_of(user) if each.is_storyteller]
    others = Q(memberships__chronicle__in=mine, memberships__removed_at=None)
    found = User.objects.filter(Q(pk=user.pk) | others, is_active=True).distinct()
    return sorted(found, key=lambda each: (each.pk != user.pk, each.display_name.casefold()))


def people(transfer: Transfer) -> list[Person]:
    """The people in a checked archive. Proposed are accounts of the same name, and the user as the only Storyteller."""
    found = transfer.contents["people"]
    by_name = {each.display_name.casefold(): str(each.pk) for each in candidates(transfer.user)[1:]}
    storytellers = [each["key"] for each in found if each["role"] == "storyteller"]
    mine = next((each["key"] for each in found if each["name"] == transfer.user.display_name), None)
    mine = mine or (storytellers[0] if len(storytellers) == 1 else None)
    return [
        Person(
            each["key"],
            each["name"],
            each["role"],
            str(transfer.user_id) if each["key"] == mine else by_name.pop(each["name"].casefold(), ""),
        )
        for each in found
    ]


# ------------------------------------------------------------------ both


def cancel(transfer: Transfer) -> None:
    """Stop the work, or discard what waits."""
    if transfer.stage in WORKING:
        workers.stop(folder_of(transfer))
    else:
        discard(transfer)


def discard(transfer: Transfer) -> None:
    """Delete a transfer with its files."""
    workers.stop(folder_of(transfer))
    shutil.rmtree(folder_of(transfer), ignore_errors=True)
    transfer.delete()


def purge() -> None:
    """Delete transfers of yesterday, and old folders that belong to none."""
    for old in Transfer.objects.filter(created__lt=timezone.now() - KEPT):
        discard(old)
    root, long_ago = Path(settings.DATA_DIR) / "transfers", time() - KEPT.total_seconds()
    old_ones = {path.name for path in root.iterdir() if path.stat().st_mtime < long_ago} if root.is_dir() else set()
    for name in old_ones - set(Transfer.objects.values_list("pk", flat=True)):
        shutil.rmtree(root / name, ignore_errors=True)


def run(transfer: Transfer) -> None:
    """Do the work of a transfer, in this process, in the language that is active."""
    folder = folder_of(transfer)
    try:
        if transfer.stage == Stage.WRITING:
            _write(transfer, Teller(folder))
        else:
            _read(transfer, Teller(folder))
    except Stopped:
        _fail(transfer, _("You stopped it. Nothing was saved."))
    except (BadArchive, TooLarge) as problem:
        _fail(transfer, str(problem))
    except BaseException:
        _fail(transfer, _("Something went wrong here. Nothing was saved. The server’s log has the details."))
        raise


def _write(transfer: Transfer, tell: Teller) -> None:
    assert transfer.chronicle is not None
    tell.total = whole.expected(transfer.chronicle)
    half = file_of(transfer).with_suffix(".half")
    whole.take_out(transfer.chronicle, half, tell)
    half.replace(file_of(transfer))
    transfer.size = file_of(transfer).stat().st_size
    _reach(transfer, Stage.DONE)


def _read(transfer: Transfer, tell: Teller) -> None:
    users = User.objects.in_bulk([int(account) for account in transfer.places.values() if account])
    places = {key: users[int(account)] for key, account in transfer.places.items() if account and int(account) in users}
    with Reader(file_of(transfer)) as box:
        tell.total = whole.work(box, saving=transfer.stage == Stage.SAVING)
        coming = whole.bring_in(box, transfer.user, places, tell)
        if transfer.stage == Stage.CHECKING:
            transfer.contents = whole.contents(coming)
            _reach(transfer, Stage.CHECKED)
            return
    with transaction.atomic():
        transfer.chronicle = whole.save(coming)
        _reach(transfer, Stage.DONE)
    file_of(transfer).unlink()


def _check_room() -> None:
    busy = Transfer.objects.filter(stage__in=WORKING)
    if sum(workers.is_alive(folder_of(each)) for each in busy) >= MOST_AT_ONCE:
        raise Refused(_("Other archives are being made or read at the moment. Try again in a minute."))


def _work(transfer: Transfer) -> None:
    """Start the process, once the row is committed."""
    folder = folder_of(transfer)
    folder.mkdir(parents=True, exist_ok=True)
    command = ("run_transfer", transfer.pk, "--language", get_language() or settings.LANGUAGE_CODE)
    transaction.on_commit(lambda: workers.start(folder, *command))


def _reach(transfer: Transfer, stage: Stage) -> None:
    transfer.stage, transfer.problem = stage, ""
    transfer.save()


def _fail(transfer: Transfer, problem: str) -> None:
    Transfer.objects.filter(pk=transfer.pk).update(stage=Stage.FAILED, problem=problem)
    transfer.stage, transfer.problem = Stage.FAILED, problem


def _interrupted(transfer: Transfer) -> str:
    if transfer.inward:
        return _("This was interrupted, probably because the server was restarted. Nothing was saved. Try again.")
    return _("This was interrupted, probably because the server was restarted. Try again.")
