"""Prepared querysets: compiled to SQL once per database connection, then only executed with new parameters.

Building a query and compiling it costs several times what SQLite or PostgreSQL take to answer it. The few statements of
every action and every push are therefore written as functions that return a queryset, with a `Param` or `Many` wherever
a value is only known later:

    @Prepared
    def by_key() -> QuerySet[SignIn]:
        return SignIn.objects.select_related("user").filter(session_key=Param("key", SignIn, "session_key"))

    by_key.one(key=key)

They yield what the queryset would: model instances with their relations, annotations and deferred fields, or the tuples
and values of `values_list`. Django's compiler writes the SQL, and Django's converters and populators read the rows, so
the same code runs on every database.

Models whose rows are saved with every action are :class:`PreparedSaves`: their `INSERT`s and `UPDATE`s are prepared,
too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.expressions import Expression
from django.db.models.query import FlatValuesListIterable, ModelIterable, ValuesListIterable, get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")

_PLACE = re.compile("%[%s]")


class Param(Expression):
    """The place of a value in a prepared queryset, as the right-hand side of a filter.

    The value is converted as for the field `column` of `model`, which should be the one it is compared with. None is
    equal to nothing, as in SQL.
    """

    written = "%s"

    def __init__(self, name: str, model: type[models.Model], column: str = "pk") -> None:
        meta: Any = model._meta
        super().__init__(output_field=meta.pk if column == "pk" else meta.get_field(column))
        self.name = name

    def as_sql(self, _compiler: Any, _connection: Any) -> Any:
        return self.written, [self]

    def values(self, given: Any, connection: Any) -> list[Any]:
        """The values for the database, of which there may be several."""
        return [self.output_field.get_db_prep_value(given, connection)]


class Many(Param):
    """The place of any number of values, at most 16,384, as the right-hand side of `__in`.

    The SQL depends on their number, so they are padded to a power of two by repeating the last one. Without any, the
    whole statement finds nothing and isn't executed; so don't combine it with `|` or use it in `exclude`.
    """

    written = "(%s)"

    def values(self, given: Any, connection: Any) -> list[Any]:
        found = [self.output_field.get_db_prep_value(each, connection) for each in given]
        return [*found, *found[-1:] * (_padded(len(found)) - len(found))]


class Prepared(Generic[Row]):
    """A prepared queryset, from a function that builds it. The function is called at the first use.

    `select_for_update` requires a transaction, as usual. Prefetches and `values` aren't supported.
    """

    def __init__(self, build: Callable[[], models.QuerySet[Any, Row]]) -> None:
        self._build = build
        self.__doc__ = build.__doc__

    def all(self, **values: Any) -> list[Row]:
        """The rows with these values for the parameters. Raises `TypeError` if any is missing or unknown."""
        # Kept with the connection that compiled it, which one thread uses at a time. It may be closed and reopened.
        connection: Any = connections[DEFAULT_DB_ALIAS]
        kept = vars(connection).setdefault("prepared_querysets", {})
        statement = kept.get(self)
        if statement is None:
            statement = kept[self] = _Statement(self._build(), connection)
        found: list[Row] = statement.rows(values)
        return found

    def one(self, **values: Any) -> Row | None:
        """The first row; None if there is none. If there may be many, the queryset should be sliced."""
        return next(iter(self.all(**values)), None)


class PreparedSaves(models.Model):
    """A model whose instances are saved by statements that are compiled once for each set of columns.

    Where Django's `save` has its statements made, these are made instead. All that surrounds it is as usual, signals
    too. What isn't a plain value, such as `F("version") + 1`, is left to Django.
    """

    class Meta:
        abstract = True

    def _do_update(  # type: ignore[override]  # the types are those of a later Django
        self, base_qs: Any, using: str, pk_val: Any, values: Any, update_fields: Any, forced_update: Any
    ) -> bool:
        if not update_fields or not values or any(hasattr(each[-1], "resolve_expression") for each in values):
            usual: Any = super()
            return bool(usual._do_update(base_qs, using, pk_val, values, update_fields, forced_update))
        fields = [field for field, _model, _value in values]
        statement = _saving(connections[using], _Update, base_qs.model, fields, base_qs)
        return bool(statement.execute(pk_val, [value for _field, _model, value in values]))

    def _do_insert(self, manager: Any, using: str, fields: Any, returning_fields: Any, raw: bool) -> Any:  # noqa: FBT001
        connection: Any = connections[using]
        plain = not any(hasattr(getattr(self, each.attname), "resolve_expression") for each in fields)
        if raw or not plain or not connection.features.can_return_columns_from_insert:
            usual: Any = super()
            return usual._do_insert(manager, using, fields, returning_fields, raw)
        return _saving(connection, _Insert, manager.model, fields, self, returning_fields).execute(self)


def _saving(connection: Any, kind: Any, model: Any, fields: Sequence[Any], *more: Any) -> Any:
    """The `_Insert` or `_Update` of these columns, kept with the connection that compiled it."""
    kept = vars(connection).setdefault("prepared_saves", {})
    key = (kind, model, *(field.attname for field in fields))
    if key not in kept:
        kept[key] = kind(connection, model, fields, *more)
    return kept[key]


class _Insert:
    """A compiled `INSERT` of one row with these fields, which returns others."""

    def __init__(self, connection: Any, model: Any, fields: Sequence[Any], example: Any, returned: Any) -> None:
        query = InsertQuery(model)
        query.insert_values(fields, [example])
        compiler: Any = query.get_compiler(connection=connection)
        compiler.returning_fields, compiler.returning_params = returned, ()
        ((self._sql, _params),) = compiler.as_sql()
        self._connection, self._fields = connection, list(fields)
        self._returned, self._to_return = bool(returned), compiler.returning_params

    def execute(self, row: Any) -> list[Any]:
        """Returns the row of what is returned, or nothing."""
        new = [each.get_db_prep_save(each.pre_save(row, True), self._connection) for each in self._fields]
        with self._connection.cursor() as cursor:
            cursor.execute(self._sql, [*new, *self._to_return])
            found = self._connection.ops.fetch_returned_insert_columns
            return [found(cursor, self._to_return)] if self._returned else []


class _Update:
    """A compiled `UPDATE` of these fields of one row."""

    def __init__(self, connection: Any, model: Any, fields: Sequence[Any], queryset: Any) -> None:
        query = queryset.filter(pk=Param("pk", model)).query.chain(UpdateQuery)
        query.add_update_fields([(field, None, Param(field.attname, model, field.attname)) for field in fields])
        self._connection, self._fields, self._key = connection, list(fields), model._meta.pk
        self._sql, _params = query.get_compiler(connection=connection).as_sql()

    def execute(self, key: Any, values: Iterable[Any]) -> int:
        """Returns how many rows were updated."""
        new = [each.get_db_prep_save(value, self._connection) for each, value in zip(self._fields, values, strict=True)]
        with self._connection.cursor() as cursor:
            cursor.execute(self._sql, [*new, self._key.get_db_prep_value(key, self._connection)])
            return int(cursor.rowcount)


class _Statement:
    """A compiled queryset of one connection."""

    def __init__(self, queryset: Any, connection: Any) -> None:
        if queryset._prefetch_related_lookups:
            raise TypeError("Prefetches can't be prepared.")
        query = queryset.query
        compiler = query.get_compiler(connection=connection)
        self._connection = connection
        self._sql, self._params = compiler.as_sql()
        self._names = {each.name for each in self._params if isinstance(each, Param)}
        self._by_sizes: dict[tuple[int, ...], str] = {}
        self._locks = query.select_for_update and connection.features.has_select_for_update
        columns = compiler.select[: compiler.col_count]
        self._columns = compiler.col_count
        self._converters = list(compiler.get_converters([column[0] for column in columns]).items())
        self._read = _reader(queryset, compiler)

    def rows(self, values: dict[str, Any]) -> list[Any]:
        if values.keys() != self._names:
            raise TypeError(f"Expected values for {sorted(self._names)}, got {sorted(values)}.")
        if self._locks and self._connection.get_autocommit():
            raise TransactionManagementError("select_for_update cannot be used outside of a transaction.")
        params, sizes = list[Any](), list[int]()
        for each in self._params:
            found = each.values(values[each.name], self._connection) if isinstance(each, Param) else [each]
            params += found
            sizes.append(len(found))
        if 0 in sizes:
            return []
        with self._connection.cursor() as cursor:
            cursor.execute(self._sized(tuple(sizes)), params)
            rows = cursor.fetchall()
        return list(map(self._read, self._converted(rows)))

    def _sized(self, sizes: tuple[int, ...]) -> str:
        """The SQL with as many placeholders as there are values."""
        if sizes not in self._by_sizes:
            left = iter(sizes)
            wider = _PLACE.sub(lambda found: found[0] if found[0] == "%%" else _places(next(left)), self._sql)
            self._by_sizes[sizes] = wider
        return self._by_sizes[sizes]

    def _converted(self, rows: Iterable[Any]) -> Iterator[list[Any]]:
        for each in rows:
            row = list(each[: self._columns])
            for place, (converters, expression) in self._converters:
                for convert in converters:
                    row[place] = convert(row[place], expression, self._connection)
            yield row


def _reader(queryset: Any, compiler: Any) -> Callable[[list[Any]], Any]:
    """The function that makes of a converted row what the queryset yields."""
    made = queryset._iterable_class
    if made is ValuesListIterable:
        return tuple
    if made is FlatValuesListIterable:
        return lambda row: row[0]
    if made is not ModelIterable:
        raise TypeError("Only instances, tuples and single values can be prepared.")
    info, select, db = compiler.klass_info, compiler.select, compiler.connection.alias
    model, first, last = info["model"], info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column[0].target.attname for column in select[first:last]]
    related: Any = get_related_populators
    populators = related(info, select, db)
    annotations = list(compiler.annotation_col_map.items())

    def instance(row: list[Any]) -> Any:
        found = model.from_db(db, names, row[first:last])
        for each in populators:
            each.populate(row, found)
        for name, place in annotations:
            setattr(found, name, row[place])
        return found

    return instance


def _padded(many: int) -> int:
    return 1 << (many - 1).bit_length() if many else 0


def _places(many: int) -> str:
    return ", ".join(["%s"] * many)
