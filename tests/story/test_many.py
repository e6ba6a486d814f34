"""However much there is in a chronicle, its pages run the same number of statements."""

from __future__ import annotations

import pytest

from bench import chronicle as many
from campaigns.models import User

pytestmark = pytest.mark.django_db

SMALL = many.Size(sessions=4, pages=35, passages=90, characters=40, ties=30, fights=2)
"""More of everything than one page of a list shows, so that what is listed doesn't grow."""
SLACK = 2
"""A session that is asked for once more, or a language that is read."""


@pytest.mark.parametrize("name", ["storyteller", "ilya"])
def test_no_page_runs_more_statements_in_a_chronicle_three_times_as_large(name: str) -> None:
    chronicle, user = many.set_table(), User.objects.get(username=name)
    many.fill(chronicle, SMALL)
    before = {route: count for route, _took, count in many.measured(chronicle, user, times=0)}
    assert len(before) > 10
    many.fill(chronicle, SMALL.times(2))
    after = {route: count for route, _took, count in many.measured(chronicle, user, times=0)}
    assert {route: (before[route], count) for route, count in after.items() if count > before[route] + SLACK} == {}
