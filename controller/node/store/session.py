"""One connection to a store, and its end: the first error closes it for good.

Theory. Everything that is asked of a database runs inside `at_risk`. Whatever leaves it by an exception, ours or not,
closes the connection, because a transaction left half way must never be continued by the next call. Errors of the
disk and of the database leave as StoreFailed; a defect of the program leaves as itself.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any

import sqlalchemy as sa

from controller.node.store.failure import StoreRefused, closed, database_errors, failure_of
from controller.node.store.schema import META, NEWEST

_AT_ONCE = 2_000
_PLAIN = re.compile(r"[1-9][0-9]{0,17}")


class DatabaseSession:
    """A connection in the database's own autocommit: transactions are begun and ended by name."""

    def __init__(self, place: str, connection: sa.Connection, release: Callable[[], None] = lambda: None) -> None:
        self.place = place
        self.dialect = connection.dialect.name
        self.raw: Any = connection.connection.driver_connection
        self._connection = connection
        self._release = release
        self.is_open = True
        self._questions = count()

    @contextmanager
    def at_risk(self) -> Iterator[None]:
        """What happens inside is the last thing that happened, unless it goes well."""
        if not self.is_open:
            raise closed(self.place)
        went_well = False
        try:
            yield
            went_well = True
        except database_errors() as error:
            raise failure_of(self.place, error) from error
        finally:
            if not went_well:
                self.close()

    def rows(self, statement: sa.Executable, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        """All rows of one question."""
        with self.at_risk():
            return [tuple(row) for row in self._connection.execute(statement, values)]

    def stream(self, question: str) -> Iterator[tuple[Any, ...]]:
        """The rows of one long question, as they come; the caller may stop early."""
        if not self.is_open:
            raise closed(self.place)
        cursor = self.raw.cursor() if self.dialect == "sqlite" else self._named_cursor()
        try:
            cursor.execute(question)
            while rows := cursor.fetchmany(_AT_ONCE):
                yield from map(tuple, rows)
        except database_errors() as error:
            raise failure_of(self.place, error) from error
        finally:
            with suppress(*database_errors()):  # a caller who stopped early may have closed the store
                cursor.close()

    def _named_cursor(self) -> Any:
        """PostgreSQL keeps the rows on its side, each question under a name of its own."""
        return self.raw.cursor(f"pozo{next(self._questions)}", withhold=True)

    def has_table(self, name: str) -> bool:
        with self.at_risk():
            return sa.inspect(self._connection).has_table(name)

    def about(self) -> dict[str, str]:
        """The store's own words about itself: version, node, epoch. A newer one than this program is refused."""
        with self.at_risk():
            about = dict(self.rows(sa.select(META.c.key, META.c.value))) if self.has_table("meta") else {}
            if not about.keys() >= {"version", "node", "epoch"}:
                raise StoreRefused(self.place, "no es un registro de pozo")
            if not all(_PLAIN.fullmatch(str(about[key])) for key in ("version", "epoch")):
                raise StoreRefused(self.place, "la tabla meta dice una versión o una época que no es un número")
            if int(about["version"]) > NEWEST:
                raise StoreRefused(
                    self.place,
                    f"el registro es de la versión {about['version']} y este programa conoce hasta la {NEWEST}:"
                    " use el programa más nuevo",
                )
        return about

    def close(self) -> None:
        """Closes without finishing anything: what was not committed is not there."""
        if not self.is_open:
            return
        self.is_open = False
        with suppress(*database_errors()):
            self._connection.invalidate()
        with suppress(*database_errors()):
            self._connection.close()
        self._connection.engine.dispose()
        self._release()
