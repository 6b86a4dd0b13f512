"""How the store says no: one exception for each thing a caller can do about it, one Spanish sentence in each.

Theory. A refusal leaves everything as it was: the file is another program's, is in use, is too new. A failure is the
end of this connection: after an error of the disk or of the database it is unknown what the system still holds in its
buffers, so nothing is tried again; the node halts, is started anew and proves everything from the disk.
"""

import errno
import sys
from typing import TYPE_CHECKING

import pysqlite3  # type: ignore[import-untyped]
import sqlalchemy.exc

if TYPE_CHECKING:
    import psycopg

FENCED_STATE = "PZ001"  # raised by hold_epoch(), see store_schema

_UNSURE = "Lo último no está confirmado: vuelva a arrancar, y al arrancar se comprueba todo."
_DISK_FULL = "El disco está lleno ({}). Libere espacio."
_READ_ONLY = "El disco está en solo lectura ({}). Revíselo y vuelva a montarlo con escritura."
_DISK_FAILED = "El disco falló al leer o escribir ({}). Revise el disco y sus cables."
_DAMAGED = "El registro está dañado ({}). No lo use más: guárdelo aparte y restaure el último respaldo."
_CONTENDED = "Otro programa tiene tomado el registro ({}). Ciérrelo."
_NO_ACCESS = "No se puede abrir o escribir el registro ({}). Revise dónde está y sus permisos."
_DEFECT = "La base de datos rechazó lo que el programa pidió ({}). No se guardó; es un defecto: llame al técnico."
_DISCONNECTED = "Se perdió la base de datos ({}). Revise que esté en marcha."
_WARNED = "La base de datos confirmó con una advertencia ({}). Llame al técnico."
_TAKEN_OVER = "Otro controlador tomó este registro: aquí corre la época {}, en el registro va la {}. Este se detiene."
_CLOSED = "El registro está cerrado; hay que volver a abrirlo."

_SQLITE_SENTENCES = {
    "SQLITE_FULL": _DISK_FULL,
    "SQLITE_IOERR": _DISK_FAILED,
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": _DAMAGED,
    "SQLITE_BUSY": _CONTENDED,
    "SQLITE_LOCKED": _CONTENDED,
    "SQLITE_READONLY": _NO_ACCESS,
    "SQLITE_CANTOPEN": _NO_ACCESS,
    "SQLITE_PERM": _NO_ACCESS,
}
# Where the driver gives no code (its backup), the words of SQLite, which never change.
_SQLITE_WORDS = {
    "disk I/O error": _DISK_FAILED,
    "database or disk is full": _DISK_FULL,
    "database disk image is malformed": _DAMAGED,
}
_OF_SYSTEM = {errno.ENOSPC: _DISK_FULL, errno.EDQUOT: _DISK_FULL, errno.EROFS: _READ_ONLY}
# By SQLSTATE: the whole code, else its class of two letters.
_POSTGRES_SENTENCES = {
    "53100": _DISK_FULL,
    "25006": _NO_ACCESS,
    "42501": _NO_ACCESS,
    "28": _NO_ACCESS,
    "3D": _NO_ACCESS,
    "55": _CONTENDED,
    "40": _CONTENDED,
    "58": _DISK_FAILED,
    "XX": _DAMAGED,
    "08": _DISCONNECTED,
    "53": _DISCONNECTED,
    "57": _DISCONNECTED,
}


class StoreError(Exception):
    """A sentence for casino people, and the place it is about."""

    def __init__(self, place: str, sentence: str) -> None:
        super().__init__(f"{place}: {sentence}")
        self.place = place
        self.sentence = sentence


class StoreRefused(StoreError):  # noqa: N818  says what happened
    """Not opened, not copied, not migrated; nothing was changed."""


class StoreFailed(StoreError):  # noqa: N818  says what happened
    """The connection is closed for good; what the last call was to write may or may not be there."""


class Fenced(StoreFailed):
    """Another writer has taken this store over: this one must not write any more."""


def database_errors() -> tuple[type[BaseException], ...]:
    """What a disk or a database may raise. The driver of PostgreSQL is loaded by who opens a place there: a node with a
    file is to start at once, and before that none of the driver's errors can be met."""
    driver = sys.modules.get("psycopg")
    errors = (sqlalchemy.exc.SQLAlchemyError, pysqlite3.Error, OSError)
    return errors if driver is None else (*errors, driver.Error)


def _of_postgres(cause: BaseException) -> "psycopg.Error | None":
    driver = sys.modules.get("psycopg")
    return cause if driver is not None and isinstance(cause, driver.Error) else None


def closed(place: str) -> StoreFailed:
    return StoreFailed(place, _CLOSED)


def warned(place: str, warning: str) -> StoreFailed:
    return StoreFailed(place, f"{_WARNED.format(_one_line(warning))} {_UNSURE}")


def taken_over(place: str, here: int | str, there: int | str) -> Fenced:
    return Fenced(place, _TAKEN_OVER.format(here, there))


def failure_of(place: str, error: BaseException) -> StoreFailed:
    """What an error of the disk or of a database means for the store that met it."""
    cause = _origin(error)
    known = _of_postgres(cause)
    if known is not None and known.sqlstate == FENCED_STATE:
        return taken_over(place, *str(known.diag.message_primary).split())
    template = _template_of(cause)
    sentence = template.format(_detail_of(cause))
    return StoreFailed(place, sentence if template in {_DAMAGED, _DEFECT} else f"{sentence} {_UNSURE}")


def sentence_of(error: BaseException) -> str:
    """What an error of the disk or of a database means, where nothing was at stake."""
    cause = _origin(error)
    return _template_of(cause).format(_detail_of(cause))


def _origin(error: BaseException) -> BaseException:
    if isinstance(error, sqlalchemy.exc.DBAPIError) and error.orig is not None:
        return error.orig
    return error


def _template_of(cause: BaseException) -> str:
    known = _of_postgres(cause)
    if known is not None:
        state = known.sqlstate or "08"  # without a state it is the connection itself that is gone
        return _POSTGRES_SENTENCES.get(state) or _POSTGRES_SENTENCES.get(state[:2], _DEFECT)
    if isinstance(cause, OSError):
        return _OF_SYSTEM.get(cause.errno or 0, _DISK_FAILED)
    name = getattr(cause, "sqlite_errorname", "")
    by_words = _SQLITE_WORDS.get(str(cause), _DEFECT)
    return next((text for start, text in _SQLITE_SENTENCES.items() if name.startswith(start)), by_words)


def _detail_of(cause: BaseException) -> str:
    known = _of_postgres(cause)
    if known is not None:
        return known.diag.constraint_name or known.diag.message_primary or _one_line(cause)
    return _one_line(cause)


def _one_line(error: object) -> str:
    return " ".join(str(error).split())
