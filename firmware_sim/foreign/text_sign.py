"""A simulated serial text sign: it shows the last whole line it heard, as much of it as it has room for."""

from dataclasses import dataclass

from drivers.session import Micros

MOST_LINE = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSignMake:
    end: bytes = b"\r"
    encoding: str = "ascii"
    width: int = 16
    keeps: bool = False  # what it showed, over a power cut


class TextSignFirmware:
    def __init__(self, make: TextSignMake) -> None:
        self.make = make
        self.powered = True
        self._line = bytearray()
        self._shown = b""

    def power_off(self, now: Micros) -> None:
        del now
        self.powered = False
        self._line.clear()
        if not self.make.keeps:
            self._shown = b""

    def power_on(self, now: Micros) -> None:
        del now
        self.powered = True

    def lose_memory(self) -> None:
        self._shown = b""

    def displayed(self, now: Micros) -> str:
        del now
        if not self.powered:
            return ""
        text = self._shown.decode(self.make.encoding, "replace")
        return "".join(letter for letter in text if letter.isprintable())[: self.make.width].strip()

    def receive(self, data: bytes, now: Micros) -> None:
        del now
        if not self.powered:
            return
        self._line += data
        while (end := self._line.find(self.make.end)) >= 0:
            self._shown = bytes(self._line[:end])
            del self._line[: end + len(self.make.end)]
        if len(self._line) > MOST_LINE:
            self._line.clear()

    def to_send(self, now: Micros) -> bytes:
        del now
        return b""

    def deadline(self) -> Micros | None:
        return None

    def tick(self, now: Micros) -> None:
        """It waits for nothing."""
