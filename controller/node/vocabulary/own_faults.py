"""What a unit complains of itself, none of it of a seat, in the words of the node and its terminals."""

from drivers.native.contract import UnitFault

_OWN = {
    UnitFault.MEMORY_RECOVERED: "una copia de su memoria estaba mala",
    UnitFault.TOTALS_LOST: "perdió sus cuentas",
    UnitFault.WATCHDOG_RESET: "se colgó y se reinició",
    UnitFault.BROWN_OUT: "le faltó tensión",
    UnitFault.HOST_LOST: "dejó de oír al nodo y se bloqueó",
    UnitFault.CONFIG_INVALID: "no tiene una configuración con que jugar",
    UnitFault.BUS_ERRORS: "oye mal la línea",
    UnitFault.CLOCK: "su reloj falla",
    UnitFault.SELF_TEST: "su revisión falló",
}
OWN_FAULTS = {fault.name.lower(): said for fault, said in _OWN.items()}
"""What a unit says of itself (A 07), as drivers name it."""
