"""A prepared queryset yields what the queryset itself does, with any values for its parameters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Count, F, FilteredRelation, Prefetch, Q, QuerySet, Value
from django.db.models.functions import Lower
from django.db.models.signals import post_save
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from campaigns.models import Chronicle, Membership, Role, SignIn, User
from campaigns.prepared import Many, Param, Prepared
from characters.models import Character
from combat.models import Encounter, LogRow

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

NOW = datetime(2026, 11, 28, 22, 30, 0, 123456, tzinfo=UTC)


@Prepared
def members() -> QuerySet[Membership]:
    """A chronicle's members, with it and their accounts."""
    mine = Membership.objects.filter(chronicle=Param("chronicle", Chronicle)).order_by("pk")
    return mine.select_related("chronicle", "user__place_in")


@Prepared
def named() -> QuerySet[User]:
    return User.objects.filter(username=Param("name", User, "username"))


@Prepared
def chosen() -> QuerySet[User, int]:
    wanted = User.objects.filter(pk__in=Many("users", User), is_active=True)
    return wanted.exclude(first_name="100%").order_by("pk").values_list("pk", flat=True)


@Prepared
def joined_since() -> QuerySet[Membership, tuple[int, datetime, datetime | None]]:
    found = Membership.objects.filter(joined__gte=Param("since", Membership, "joined")).order_by("pk")
    return found.values_list("user_id", "joined", "removed_at")


@Prepared
def table() -> QuerySet[Chronicle]:
    """A chronicle with one of its members, and how many it has."""
    user = Q(memberships__user=Param("user", User))
    mine: Any = FilteredRelation("memberships", condition=user)
    found: Any = Chronicle.objects.annotate(mine=mine, many=Count("memberships__pk"))
    queryset: QuerySet[Chronicle] = found.select_related("mine").defer("description")
    return queryset.filter(pk=Param("chronicle", Chronicle))


@Prepared
def locked() -> QuerySet[Chronicle]:
    return Chronicle.objects.filter(pk=Param("chronicle", Chronicle)).select_for_update()


def columns(row: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


def test_instances_with_their_relations(chronicle: Any, player: Any) -> None:
    options = {"ranged": [1, None, "50 %s"], "ünder": {"a": "'\""}}
    Chronicle.objects.filter(pk=chronicle.pk).update(options=options, created=NOW)
    Membership.objects.filter(user=player).update(joined=NOW, removed_at=NOW)
    User.objects.filter(pk=player.pk).update(place_in=chronicle)
    for _again in range(2):
        found = members.all(chronicle=chronicle.pk)
        plain = list(Membership.objects.filter(chronicle=chronicle).order_by("pk"))
        assert list(map(columns, found)) == list(map(columns, plain))
        with CaptureQueriesContext(connection) as queries:
            theirs = {each.user.username: each for each in found}[player.username]
            assert theirs.user.place_in == theirs.chronicle == chronicle
            assert [each.user.place_in for each in found if each.user != player] == [None] * (len(found) - 1)
        assert not queries
        assert (theirs.joined, theirs.removed_at) == (NOW, NOW)
        assert (theirs.chronicle.options, theirs.chronicle.created) == (options, NOW)
        assert (theirs._state.db, theirs._state.adding, theirs.user._state.adding) == ("default", False, False)
        assert columns(theirs.user) == columns(User.objects.get(pk=player.pk))


@pytest.mark.parametrize("name", ["O'Hara", '"; --', "100%", "%s", "%(name)s", "ünï", "a\\b"])
def test_values_are_never_sql(name: str, player: Any) -> None:
    assert named.one(name=name) is None
    User.objects.filter(pk=player.pk).update(username=name)
    assert named.all(name=name) == [player]
    assert named.one(name=None) is None


def test_any_number_of_values(storyteller: Any, player: Any, other_player: Any, observer: Any) -> None:
    cast = sorted([storyteller.pk, player.pk, other_player.pk, observer.pk])
    User.objects.filter(pk=observer.pk).update(first_name="100%")
    for many in range(1, 5):
        mine = cast[:many]
        with CaptureQueriesContext(connection) as queries:
            assert chosen.all(users=mine) == [each for each in mine if each != observer.pk]
        (said,) = queries
        assert said["sql"].count(str(mine[-1])) >= (2 if many == 3 else 1)
    assert chosen.all(users=iter([*range(10**6, 10**6 + 90), player.pk])) == [player.pk]


def test_without_values_nothing_is_asked(player: Any) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert chosen.all(users=[]) == []
    assert not queries


def test_tuples(chronicle: Any, player: Any) -> None:
    Membership.objects.filter(user=player).update(joined=NOW)
    Membership.objects.exclude(user=player).update(joined=NOW - timedelta(microseconds=1))
    assert joined_since.all(since=NOW) == [(player.pk, NOW, None)]


def test_annotations_and_deferred_columns(chronicle: Any, player: Any, stranger: Any) -> None:
    Chronicle.objects.filter(pk=chronicle.pk).update(description="Rain.")
    found: Any = table.one(chronicle=chronicle.pk, user=player.pk)
    assert found.mine == Membership.objects.get(chronicle=chronicle, user=player)
    assert found.mine.chronicle is found
    assert found.many == Membership.objects.filter(chronicle=chronicle).count()
    assert found.get_deferred_fields() == {"description"}
    assert found.description == "Rain."
    assert not hasattr(table.one(chronicle=chronicle.pk, user=stranger.pk), "mine")  # as Django does it


def test_it_asks_the_database_each_time(chronicle: Any, player: Any) -> None:
    before: Any = table.one(chronicle=chronicle.pk, user=player.pk)
    Membership.objects.filter(user=player).update(role=Role.OBSERVER)
    after: Any = table.one(chronicle=chronicle.pk, user=player.pk)
    assert (before.mine.role, after.mine.role) == (Role.PLAYER, Role.OBSERVER)


def test_wrong_parameters(chronicle: Any) -> None:
    with pytest.raises(TypeError):
        members.all()
    with pytest.raises(TypeError):
        members.all(chronicle=chronicle.pk, user=1)


def test_what_cannot_be_prepared() -> None:
    prefetched = Prepared(lambda: User.objects.prefetch_related(Prefetch("memberships")))
    for each in (prefetched, Prepared(lambda: User.objects.values("pk"))):
        with pytest.raises(TypeError):
            each.all()


def test_errors_and_wrappers(chronicle: Any) -> None:
    """A wrapper sees each statement, as `CaptureQueriesContext` does, and the database's errors arrive as usual."""
    said = list[str]()

    def listen(execute: Any, sql: str, params: Any, many: Any, context: Any) -> Any:
        said.append(sql)
        return execute(sql, params, many, context)

    def refuse(*_args: Any) -> Any:
        raise DatabaseError

    members.all(chronicle=chronicle.pk)
    with connection.execute_wrapper(listen):
        members.all(chronicle=chronicle.pk)
    assert len(said) == 1
    with connection.execute_wrapper(refuse), pytest.raises(DatabaseError):
        members.all(chronicle=chronicle.pk)
    broken = Prepared(lambda: SignIn.objects.annotate(x=F("user")).extra(where=["no_such_column = 1"]))
    with pytest.raises(DatabaseError), transaction.atomic():
        broken.all()
    assert members.all(chronicle=chronicle.pk)


def test_updates_of_single_columns(chronicle: Any, storyteller: Any) -> None:
    """They write what Django's own do, with any values, and send the signals of `save`."""
    characters = [Character.objects.create(chronicle=chronicle, kind="mortal", name=f"No. {n}") for n in range(2)]
    heard = list[Any]()

    def hear(instance: Any, update_fields: Any, **_more: Any) -> None:
        heard.append((instance.pk, sorted(update_fields)))

    post_save.connect(hear, sender=Character)
    try:
        for owner, traits, name in ((storyteller, {"ünder": ["'\"", None, "50 %s"]}, "O'Hara"), (None, {}, "%")):
            new = {"owner": owner, "traits": traits, "name": name}
            found = [Character.objects.get(pk=each.pk) for each in characters]
            with CaptureQueriesContext(connection) as queries:
                for column, value in new.items():
                    setattr(found[0], column, value)
                found[0].save(update_fields=[*new, "updated"])
            assert len(queries) == 1
            Character.objects.filter(pk=found[1].pk).update(**new, updated=found[0].updated)
            mine, theirs = (columns(Character.objects.get(pk=each.pk)) for each in characters)
            same = {"id", "name_folded"}
            assert {k: v for k, v in mine.items() if k not in same} == {
                k: v for k, v in theirs.items() if k not in same
            }
            assert (mine["owner_id"], mine["traits"], mine["name"]) == (owner and owner.pk, traits, name)
    finally:
        post_save.disconnect(hear, sender=Character)
    assert heard == [(characters[0].pk, ["name", "owner", "traits", "updated"])] * 2


def test_inserted_rows(chronicle: Any, storyteller: Any) -> None:
    """They hold what Django's own would, know their keys, and are announced like those."""
    heard = list[Any]()

    def hear(instance: Any, created: bool, **_more: Any) -> None:
        heard.append((instance.pk, created))

    post_save.connect(hear, sender=Character)
    try:
        for owner, traits, name in ((storyteller, {"ünder": ["'\"", None, "50 %s"]}, "O'Hara"), (None, {}, "%")):
            values = {"chronicle": chronicle, "kind": "mortal", "owner": owner, "traits": traits, "name": name}
            with CaptureQueriesContext(connection) as queries:
                mine = Character(**values)
                mine.save()
            assert len(queries) == 1
            assert heard.pop() == (mine.pk, True)
            assert (mine._state.adding, mine._state.db) == (False, "default")
            (theirs,) = Character.objects.bulk_create([Character(**values)])
            found = [columns(Character.objects.get(pk=each.pk)) for each in (mine, theirs)]
            assert {key for key in found[0] if found[0][key] != found[1][key]} <= {"id", "updated"}
            assert (found[0]["owner_id"], found[0]["traits"], found[0]["name"]) == (owner and owner.pk, traits, name)
    finally:
        post_save.disconnect(hear, sender=Character)


def test_inserted_rows_with_numbers_of_their_own(chronicle: Any) -> None:
    fight = Encounter.objects.create(chronicle=chronicle, name="Rooftops")
    rows = [LogRow.objects.create(encounter=fight, seq=seq, actor_name="Jo", command={"is": "End"}) for seq in (1, 2)]
    assert [each.pk for each in LogRow.objects.order_by("seq")] == [each.pk for each in rows]
    with pytest.raises(IntegrityError), transaction.atomic():
        LogRow.objects.create(encounter=fight, seq=2, actor_name="Jo")
    said = LogRow.objects.create(encounter=fight, seq=3, actor_name=Lower(Value("JO")))
    assert LogRow.objects.get(pk=said.pk).actor_name == "jo"


def test_an_update_may_hold_an_expression_and_fails_without_its_row(chronicle: Any) -> None:
    one = Character.objects.create(chronicle=chronicle, kind="mortal", name="One", version=3)
    one.version = F("version") + 4  # type: ignore[assignment]
    one.save(update_fields=["version"])
    again = Character.objects.get(pk=one.pk)
    assert again.version == 7
    Character.with_bin.filter(pk=one.pk).delete()
    with pytest.raises(DatabaseError, match="did not affect any rows"), transaction.atomic():
        again.save(update_fields=["version"])
    again.save()
    assert Character.objects.get(pk=one.pk).version == 7


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_in_transactions_only(chronicle: Any) -> None:
    with transaction.atomic():
        assert locked.one(chronicle=chronicle.pk) == chronicle
    if connection.features.has_select_for_update:
        with pytest.raises(TransactionManagementError):
            locked.one(chronicle=chronicle.pk)


@pytest.mark.django_db(transaction=True)
def test_a_connection_is_reopened(chronicle: Any) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("A closed database in memory is gone.")
    members.all(chronicle=chronicle.pk)
    connection.close()
    assert members.all(chronicle=chronicle.pk)
