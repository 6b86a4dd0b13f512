"""The ports of a node's lines as people should know them: gone, or not to be opened, and what to do (4.3)."""

from controller.core.project import Alarm
from controller.node.show import Show
from drivers.pump import PortClosed, PortNotOpened, PortOpened


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
                self._alarm(line, f"La línea {line} no se puede abrir ({event.place}): {event.reason}.")

    def _alarm(self, line: str, sentence: str) -> None:
        self._show.raise_alarm(f"port {line}", Alarm(line, "", sentence))
