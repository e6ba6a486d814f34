"""The pages on which chronicles are exported and imported, and how they word what an archive holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from campaigns import rulesets
from story.archives import transfers
from story.models import Stage, Transfer

COUNTED: Mapping[str, StrOrPromise] = {
    "sessions": _("Sessions"),
    "pages": _("Pages"),
    "characters": _("Characters"),
    "ties": _("Ties"),
    "encounters": _("Fights"),
    "rows": _("Log entries"),
    "experience": _("Entries of experience"),
}
"""What the page of a checked archive counts, in this order."""

HEADINGS: Mapping[str, StrOrPromise] = {
    Stage.UPLOADING: _("The upload isn’t complete"),
    Stage.CHECKING: _("Checking the archive"),
    Stage.SAVING: _("Importing the chronicle"),
    Stage.WRITING: _("Exporting the chronicle"),
    Stage.FAILED: _("That didn’t work"),
}


@dataclass(frozen=True, slots=True)
class TransferPage:
    """A transfer as its page shows it. `counts` are words and numbers; `percent` is None unless work goes on."""

    id: str
    heading: str
    inward: bool
    stage: str
    percent: int | None
    problem: str
    size: int
    chronicle: str
    chronicle_name: str
    ruleset: str
    counts: tuple[tuple[str, int], ...]
    created: datetime


def transfer_page(transfer: Transfer) -> TransferPage:
    """A user's transfer as it is now."""
    said = transfer.contents
    name = transfer.chronicle.name if transfer.chronicle else said.get("name", "")
    return TransferPage(
        id=transfer.pk,
        heading=str(HEADINGS[transfer.stage]) if transfer.stage in HEADINGS else name,
        inward=transfer.inward,
        stage=transfer.stage,
        percent=transfers.progress(transfer).percent if transfer.stage in transfers.WORKING else None,
        problem=transfer.problem,
        size=transfer.size,
        chronicle=transfer.chronicle_id or "",
        chronicle_name=name,
        ruleset=rulesets.name_of(said["ruleset"]) if said else "",
        counts=tuple((str(words), said["counts"].get(key, 0)) for key, words in COUNTED.items()) if said else (),
        created=transfer.created,
    )
