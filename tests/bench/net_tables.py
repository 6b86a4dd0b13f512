"""Simulated tables behind Modbus/TCP in a process of their own: as node_tables, for houses of many tables.

Called with the number of tables; prints `ready` and their ports. A unit thinks for 40 ms, as behind a gateway: a house of
64 tables is asked some 1,600 times a second, and that is what its one small computer has to bear.
"""

import asyncio
import sys
from functools import partial

from bench.line import CONSOLE, Table, config_of
from bench.node_tables import Desk, Watched, hear
from drivers.modbus.timing import NETWORK, LineTiming
from drivers.native.contract import UnitClass
from drivers.punctual import precise_loop
from drivers.session import MILLISECOND, Micros
from firmware_sim.line.slave import TcpSlave
from firmware_sim.line.tcp import TcpEnd
from firmware_sim.native.make import Make

ANSWER = 40 * MILLISECOND


class Connection:
    """Every unit hears everything and answers what is its own."""

    def __init__(self, table: Table) -> None:
        self._table, self._ends = table, [TcpSlave(unit) for unit in table.units]

    def receive(self, data: bytes, now: Micros) -> None:
        for end in self._ends:
            end.receive(data, now)
        self._table.look(now)

    def to_send(self, now: Micros) -> bytes:
        return b"".join(end.to_send(now) for end in self._ends)

    def deadline(self) -> Micros | None:
        return min((time for end in self._ends if (time := end.deadline()) is not None), default=None)

    def tick(self, now: Micros) -> None:
        for end in self._ends:
            end.tick(now)
        self._table.look(now)


class NetTable(Watched):
    @staticmethod
    def makes(shape: str) -> list[Make]:
        assert shape == "table", "one unit of seven, and the console"
        seats = Make(1, UnitClass.TABLE, 7, 1, serial=100, config=config_of(1, 1), answer=ANSWER)
        return [seats, Make(CONSOLE, UnitClass.CONSOLE, 1, 1, serial=99, config=config_of(CONSOLE, 1), answer=ANSWER)]


async def main(count: int) -> None:
    tables = [NetTable("table", LineTiming(baud=NETWORK), number=number) for number in range(count)]
    ends = [TcpEnd(partial(Connection, table)) for table in tables]
    for end in ends:
        await end.open()
    print("ready", *(end.port for end in ends), flush=True)
    await hear([Desk(table, end, seed) for seed, (table, end) in enumerate(zip(tables, ends, strict=True))])
    for end in ends:
        await end.close()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=precise_loop) as runner:
        runner.run(main(int(sys.argv[1])))
