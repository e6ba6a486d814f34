"""The pages on which chronicles are exported and imported, and how they word what an archive holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaigns import rulesets
from story.archives import transfers
from story.models import Stage, Transfer

COUNTED: Mapping[str, str] = {
    "sessions": gettext_noop("Sessions"),
    "pages": gettext_noop("Pages"),
    "characters": gettext_noop("Characters"),
    "ties": gettext_noop("Ties"),
    "encounters": gettext_noop("Fights"),
    "rows": gettext_noop("Log entries"),
    "experience": gettext_noop("Entries of experience"),
}
"""What the page of a checked archive counts, in this order."""

HEADINGS: Mapping[str, str] = {
    Stage.UPLOADING: gettext_noop("The upload isn’t complete"),
    Stage.CHECKING: gettext_noop("Checking the archive"),
    Stage.SAVING: gettext_noop("Importing the chronicle"),
    Stage.WRITING: gettext_noop("Exporting the chronicle"),
    Stage.FAILED: gettext_noop("That didn’t work"),
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
        heading=_(HEADINGS[transfer.stage]) if transfer.stage in HEADINGS else name,
        inward=transfer.inward,
        stage=transfer.stage,
        percent=transfers.progress(transfer).percent if transfer.stage in transfers.WORKING else None,
        problem=transfer.problem,
        size=transfer.size,
        chronicle=transfer.chronicle_id or "",
        chronicle_name=name,
        ruleset=rulesets.name_of(said["ruleset"]) if said else "",
        counts=tuple((_(words), said["counts"].get(key, 0)) for key, words in COUNTED.items()) if said else (),
        created=transfer.created,
    )
