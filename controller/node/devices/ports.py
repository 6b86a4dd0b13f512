"""The lines of a node as people should know them: a port that is gone, or not to be opened (4.3); a unit that babbles
and drowns the others (4.10); and what to do."""

from collections.abc import Callable

from controller.core.view import Alarm, alarm
from drivers.modbus import babble
from drivers.model import Notice
from drivers.port import PortRefusal
from drivers.pump import PortClosed, PortNotOpened, PortOpened

WHY = {
    PortRefusal.MISSING: "no está; conecte el adaptador o corrija su nombre en la configuración",
    PortRefusal.BUSY: "lo usa otro programa; ciérrelo",
    PortRefusal.NOT_PERMITTED: "no hay permiso; agregue el usuario del nodo al grupo del puerto",
    PortRefusal.NOT_A_PORT: "no es un puerto serial; corrija su nombre en la configuración",
    PortRefusal.SETTINGS: "no acepta esos ajustes; corrija velocidad y paridad en la configuración",
    PortRefusal.UNREACHABLE: "nadie contesta en esa dirección; revise el equipo y la red",
    PortRefusal.BAD_URL: "la dirección está mal escrita; corríjala en la configuración",
}


class Ports:
    """`raise_alarm` takes the name of an alarm and what it says; None takes it back."""

    def __init__(self, raise_alarm: Callable[[str, Alarm | None], None]) -> None:
        self._raise_alarm = raise_alarm

    def heard(self, line: str, event: object) -> None:
        match event:
            case PortOpened():
                self._raise_alarm(f"port {line}", None)
                self._raise_alarm(f"babble {line}", None)
            case Notice(kind=babble.BABBLE, detail=who):
                self._raise_alarm(f"babble {line}", _babbles(line, who.split()))
            case Notice(kind=babble.BABBLE_OVER):
                self._raise_alarm(f"babble {line}", None)
            case PortClosed():
                lost = "La línea {line} se perdió ({place}): revise el cable y el adaptador."
                self._raise_alarm(f"port {line}", alarm("line_lost", line, "", lost, line=line, place=event.place))
            case PortNotOpened():
                shut = "La línea {line} no se puede abrir ({place}): {why}."
                told = alarm("line_shut", line, "", shut, line=line, place=event.place, why=WHY[event.reason])
                self._raise_alarm(f"port {line}", told)


def _babbles(line: str, units: list[str]) -> Alarm:
    """One is named; of several one after the other is pulled; and where all answer, it is none of them."""
    match units:
        case [unit]:
            sure = "Línea {line}: el aparato {unit} habla sin que le pregunten; desconecte su cable de datos."
            return alarm("line_babbles", line, "", sure, line=line, unit=unit)
        case []:
            none = "Línea {line}: se oye lo que nadie preguntó, y todos contestan; revise el cable y su tierra."
            return alarm("line_noisy", line, "", none, line=line)
        case _:
            sentence = "Línea {line}: un aparato habla sin que le pregunten, uno de {units}; desconéctelos uno por uno."
            return alarm("line_one_babbles", line, "", sentence, line=line, units=", ".join(units))
