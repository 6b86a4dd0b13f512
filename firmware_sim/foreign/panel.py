"""A simulated Modbus panel: rows of registers, shown as far as the panel is wide. Dark after power on.

It fits under a slave (slave.py): a request in, an answer out; addresses that it has not are denied.
"""

from dataclasses import dataclass

from drivers.modbus.pdu import Answer, Denial, Denied, ReadWords, Request, Words, WriteWords, Written
from drivers.session import MILLISECOND, Micros
from drivers.signs.panel import Row
from firmware_sim.foreign.modbus_device import ModbusDevice


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelMake:
    unit: int = 1
    rows: tuple[Row, ...] = (Row(address=0, width=6),)
    readable: bool = True
    digits_only: bool = True
    answer: Micros = 5 * MILLISECOND


class PanelFirmware(ModbusDevice):
    def __init__(self, make: PanelMake) -> None:
        super().__init__()
        self.make = make
        self.unit = make.unit
        self.writes = 0
        self._rows: dict[int, list[int]] = {}
        self.lose_memory()

    def lose_memory(self) -> None:
        self._rows = {row.address: list(row.encode("")) for row in self.make.rows}

    def displayed(self, now: Micros) -> str:
        del now
        if not self.powered:
            return ""
        rows = (row.decode(tuple(self._rows[row.address])) for row in self.make.rows)
        return " ".join(filter(None, rows))

    def serve(self, request: Request, now: Micros) -> Answer:
        del now
        match request:
            case WriteWords(address, words):
                return self._write(address, words)
            case ReadWords(address, count) if self.make.readable:
                row = self._rows.get(address)
                if row is None or count > len(row):
                    return Denied(Denial.ADDRESS)
                return Words(tuple(row[:count]))
            case _:
                return Denied(Denial.FUNCTION)

    def _write(self, address: int, words: tuple[int, ...]) -> Answer:
        row = self._rows.get(address)
        if row is None or len(words) > len(row):
            return Denied(Denial.ADDRESS)
        if self.make.digits_only and any(chr(word & 0x7F) not in "0123456789 -" for word in words):
            return Denied(Denial.VALUE)
        row[: len(words)] = words
        self.writes += 1
        return Written()
