"""New ids: one for each old one, wherever it occurs, and no word is taken for an id."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from campaigns.archives.names import NewIds, is_id
from campaigns.tokens import ALPHABET, public_id

IDS = st.text(ALPHABET, min_size=10, max_size=10)


def test_the_same_id_has_the_same_new_one_everywhere() -> None:
    new, one, other = NewIds(), public_id(), public_id()
    value = {
        "who": one,
        other: [one, {"proof": f"{one}:{other}", "question": f"{other} {one}"}],
        "dice": [1, None, True],
    }
    assert new.inside(value) == {
        "who": new(one),
        new(other): [new(one), {"proof": f"{new(one)}:{new(other)}", "question": f"{new(other)} {new(one)}"}],
        "dice": [1, None, True],
    }
    assert new.text(f"template:{one}") == f"template:{new(one)}"
    assert new.text(f"{one}:{other}:BOTCH") == f"{new(one)}:{new(other)}:BOTCH"
    assert new.text("template:hunter") == "template:hunter"
    assert {one, other}.isdisjoint({new(one), new(other)})


def test_what_somebody_typed_is_kept() -> None:
    new, one = NewIds(), public_id()
    assert new.inside({"name": {"typed": one, "of": one}}) == {"name": {"typed": one, "of": new(one)}}


@given(st.text() | st.from_regex(r"[a-z_]+", fullmatch=True))
def test_other_texts_are_kept(text: str) -> None:
    new = NewIds()
    assert is_id(text) or new.text(text) == text or ":" in text or " " in text


@given(st.lists(IDS, unique=True))
def test_no_two_ids_become_one(ids: list[str]) -> None:
    new = NewIds()
    assert len({new(each) for each in ids}) == len(ids)
    assert all(is_id(new(each)) for each in ids)
