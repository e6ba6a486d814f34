"""How many of an attack's successes are hits."""

import pytest

from rules.model.gear import Damage
from rules.model.plan import Against, Part, PoolPlan


@pytest.mark.parametrize(("needed", "successes", "left"), [(1, 0, 0), (1, 3, 3), (3, 2, 0), (3, 3, 1), (3, 5, 3)])
def test_an_attack_hits_from_the_successes_on_that_it_needs(needed, successes, left):
    against = Against("crow", PoolPlan((), 5, 0), None, Damage.LETHAL, None, needed=needed)
    assert against.left(successes, 0) == left


def test_a_defence_takes_successes_off_before_they_are_counted_against_those_needed():
    against = Against("crow", PoolPlan((), 5, 0), None, Damage.LETHAL, None, needed=2)
    assert [against.left(4, answered) for answered in (0, 1, 2, 3)] == [3, 2, 1, 0]


def test_the_parts_that_are_not_struck_add_up_to_the_successes_needed():
    against = Against("crow", PoolPlan((), 5, 0), None, Damage.LETHAL, None)
    parts = (Part("guard", "Guard", "", successes=2), Part("cover", "Cover", "", successes=1, struck=True))
    assert against.needing(parts).needed == 2
    assert against.needing(parts).needs == parts
    assert against.needing(()).needed == 1
