"""The ports of a node's lines as people should know them: gone, or not to be opened, and what to do (4.3)."""

from collections.abc import Callable

from controller.core.view import Alarm, alarm
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
            case PortClosed():
                lost = "La línea {line} se perdió ({place}): revise el cable y el adaptador."
                self._raise_alarm(f"port {line}", alarm("line_lost", line, "", lost, line=line, place=event.place))
            case PortNotOpened():
                shut = "La línea {line} no se puede abrir ({place}): {why}."
                told = alarm("line_shut", line, "", shut, line=line, place=event.place, why=WHY[event.reason])
                self._raise_alarm(f"port {line}", told)
