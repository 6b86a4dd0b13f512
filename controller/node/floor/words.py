"""What the floor says to croupiers, chiefs and technicians, in their language, and what it writes down for the log.

Theory. Fixed sentences and fixed event names, in one place, so that a screen, a record and a log say the same. Nothing
here decides anything.
"""

from drivers.model import Down

NO_UNIT = "sin aceptor en la configuración"
UNBALANCED = "los créditos del aceptor no cuadran: cámbielo, o bórrele la memoria"
OTHER_PLAN = "el aceptor usa otro plan"
UNPROVEN = "no prueba que está bloqueado"
LOCKING = "la mesa está cerrando el pase; espere a que cierre"
NO_DAY = "no hay jornada abierta"
NO_TABLE = "ningún plan nombra esta mesa"
NOT_BETWEEN = "la prueba de luces se hace entre pases"
NOBODY_UP = "ningún aceptor de la mesa responde"
NO_SUCH_SEAT = "la mesa no tiene un aceptor en esa posición"
NOT_UP = "el aceptor de esa posición no responde: revise su alimentación y su cable"
LAMP_BETWEEN = "la luz de una posición cerrada se mide entre pases: repítalo cuando termine este (R-6)"
NO_OWN_FAULTS = "ningún aparato de la mesa se queja de sí mismo"
CANNOT_CLEAR = "este módulo no guarda fallas: repare, haga la prueba de luces entre pases y abra la posición"
OPEN_ALREADY = "la mesa ya está abierta; una posición cerrada se abre con «abrir-posicion»"
CHIPS_OF_NOBODY = "cayeron fichas antes de que el registro conociera el aceptor: cuéntelas y devuélvalas (R-4)"
OTHER_PLAN_TO_DO = (
    "usa otro plan que el vigente y queda bloqueado: revise el plan de la configuración y reinicie el nodo (R-26)"
)
DRAWS_DUE = "falta un sorteo del pase"
WAITS = "volvió durante el pase; se abre con el botón de desbloqueo"
SEALED = "se bloqueó con una apuesta en pie: esa vale, y no toma otra hasta el próximo pase"
NOTHING_OPENS = "lo que volvió tiene una apuesta en pie: esa vale, y no se abre hasta el próximo pase"

_DOWN = {
    Down.SILENT: "aceptor sin respuesta",
    Down.SLOW: "aceptor que responde tarde",
    Down.LINE_DOWN: "línea del aceptor caída",
    Down.REBOOTED: "aceptor reiniciado",
    Down.REPLACED: "aceptor cambiado por otro",
    Down.MEMORY_LOST: "el aceptor perdió su memoria",
    Down.FORGOT: "el aceptor perdió lo que sabía",
    Down.NOT_NATIVE: "no es una unidad de este sistema",
    Down.WRONG_VERSION: "versión de contrato no admitida",
    Down.WRONG_CLASS: "unidad de otra clase",
    Down.WRONG_SEATS: "otro número de posiciones",
    Down.NO_MEMORY: "unidad sin memoria permanente",
    Down.CONFIG_REFUSED: "la unidad rechaza su configuración",
    Down.SECOND_HOST: "otro controlador maneja la unidad",
    Down.TWIN: "otro aparato tiene su número de serie",
    Down.RESET: "el aceptor perdió su cuenta",
    Down.DEMANDS_SECRETS: "el aceptor pide claves",
}
_NEVER_HEARD = "aceptor que no ha respondido"


_ACCEPTOR = "el aceptor"
_NAMES = {"console": "la consola", "counter": "el contador de mesa", "io": "el módulo"}
_TO_DO = {
    Down.SILENT: "no responde: revise su alimentación y su cable",
    Down.SLOW: "responde tarde: revise su adaptador y su red, o actualice su firmware",
    Down.LINE_DOWN: "perdió su línea: revise el cable y el adaptador",
    Down.REBOOTED: "se reinició: espere a que vuelva",
    Down.REPLACED: "se cambió por otro aparato: cuente la posición y ábrala",
    Down.MEMORY_LOST: "perdió su memoria: cuente la posición y ábrala",
    Down.FORGOT: "perdió lo que sabía: cuenten dos personas todas sus posiciones y ábranlas",
    Down.NOT_NATIVE: "no es de este sistema: revise qué aparato está conectado",
    Down.WRONG_VERSION: "habla una versión de contrato no admitida: actualice su firmware",
    Down.WRONG_CLASS: "es de otra clase: revise el aparato y la configuración",
    Down.WRONG_SEATS: "tiene otro número de posiciones: revise la configuración",
    Down.NO_MEMORY: "no tiene memoria permanente: hay que cambiar el aparato",
    Down.CONFIG_REFUSED: "rechaza su configuración: corrija sus valores",
    Down.SECOND_HOST: "obedece a otro controlador: desconecte el otro",
    Down.TWIN: "dice el número de serie de otro: cambie uno de los dos; después, desconecte y conecte este",
    Down.RESET: "perdió su cuenta: cuente la posición y ábrala",
    Down.DEMANDS_SECRETS: "pide claves: use uno que no las pida",
}


def why_down(reason: Down | None) -> str:
    """Why a seat is closed by itself, for the record."""
    return _NEVER_HEARD if reason is None else _DOWN[reason]


def what_to_do(kind: str, reason: Down) -> str:
    """Why a device is not to be trusted, and what helps; for the person at a screen."""
    return f"{_NAMES.get(kind, _ACCEPTOR)} {_TO_DO[reason]}"


def other_plan(kind: str) -> str:
    return f"{_NAMES.get(kind, _ACCEPTOR)} {OTHER_PLAN_TO_DO}"
