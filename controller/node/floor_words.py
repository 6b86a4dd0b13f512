"""What the floor says to croupiers, chiefs and technicians, in their language, and what it writes down for the log.

Theory. Fixed sentences and fixed event names, in one place, so that a screen, a record and a log say the same. Nothing
here decides anything.
"""

from collections.abc import Mapping
from typing import NamedTuple

from drivers.model import Down

NO_UNIT = "sin aceptor en la configuración"
BEHIND = "memoria del aceptor atrasada"
UNPROVEN = "no prueba que está bloqueado"
LOCKING = "la mesa está cerrando el pase; espere a que cierre"
NO_DAY = "no hay jornada abierta"
NO_TABLE = "ningún plan nombra esta mesa"
NOT_BETWEEN = "la prueba de luces se hace entre pases"
NOBODY_UP = "ningún aceptor de la mesa responde"
NO_SUCH_SEAT = "la mesa no tiene un aceptor en esa posición"
CANNOT_CLEAR = "esta unidad no guarda fallas que borrar"
DRAWS_DUE = "falta un sorteo del pase"
WAITS = "volvió durante el pase; se abre con el botón de desbloqueo"

_DOWN = {
    Down.SILENT: "aceptor sin respuesta",
    Down.LINE_DOWN: "línea del aceptor caída",
    Down.REBOOTED: "aceptor reiniciado",
    Down.REPLACED: "aceptor cambiado por otro",
    Down.MEMORY_LOST: "el aceptor perdió su memoria",
    Down.NOT_NATIVE: "no es una unidad de este sistema",
    Down.WRONG_VERSION: "versión de firmware no admitida",
    Down.WRONG_CLASS: "unidad de otra clase",
    Down.WRONG_SEATS: "otro número de posiciones",
    Down.NO_MEMORY: "unidad sin memoria permanente",
    Down.CONFIG_REFUSED: "la unidad rechaza su configuración",
    Down.SECOND_HOST: "otro controlador maneja la unidad",
    Down.RESET: "el aceptor perdió su cuenta",
    Down.DEMANDS_SECRETS: "el aceptor pide claves",
}
_NEVER_HEARD = "aceptor que no ha respondido"


def why_down(reason: Down | None) -> str:
    """Why a seat is closed by itself, or a unit is not to be trusted."""
    return _NEVER_HEARD if reason is None else _DOWN[reason]


class Note(NamedTuple):
    """A line for the log: a fixed name and its fields."""

    event: str
    fields: Mapping[str, object]
