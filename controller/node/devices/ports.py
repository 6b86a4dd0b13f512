"""The ports of a node's lines as people should know them: gone, or not to be opened, and what to do (4.3)."""

from controller.core.project import Alarm
from controller.node.publish.show import Show
from drivers.port import Refusal
from drivers.pump import PortClosed, PortNotOpened, PortOpened

_WHY = {
    Refusal.MISSING: "no está; conecte el adaptador o corrija su nombre en la configuración",
    Refusal.BUSY: "lo usa otro programa; ciérrelo",
    Refusal.NOT_PERMITTED: "no hay permiso; agregue el usuario del nodo al grupo del puerto",
    Refusal.NOT_A_PORT: "no es un puerto serial; corrija su nombre en la configuración",
    Refusal.SETTINGS: "no acepta esos ajustes; corrija velocidad y paridad en la configuración",
    Refusal.UNREACHABLE: "nadie contesta en esa dirección; revise el equipo y la red",
    Refusal.BAD_URL: "la dirección está mal escrita; corríjala en la configuración",
}


class Ports:
    def __init__(self, show: Show) -> None:
        self._show = show

    def heard(self, line: str, event: object) -> None:
        match event:
            case PortOpened():
                self._show.raise_alarm(f"port {line}", None)
            case PortClosed():
                self._alarm(line, f"La línea {line} se perdió ({event.place}): revise el cable y el adaptador.")
            case PortNotOpened():
                self._alarm(line, f"La línea {line} no se puede abrir ({event.place}): {_WHY[event.reason]}.")

    def _alarm(self, line: str, sentence: str) -> None:
        self._show.raise_alarm(f"port {line}", Alarm(line, "", sentence))
