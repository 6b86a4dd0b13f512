"""Events that do not say what they should (2.3 E)."""

from drivers.native.contract import EventType
from firmware_sim.native.unit import Firmware


class TellsNoBoots(Firmware):
    def _record(self, kind: EventType, seat: int = 0, argument: int = 0, credit: int = 0) -> int:
        kept, self.memory.boots = self.memory.boots, 0
        seq = super()._record(kind, seat, argument, credit)
        self.memory.boots = kept
        return seq


class TellsNoTime(Firmware):
    _telling = False

    def _record(self, kind: EventType, seat: int = 0, argument: int = 0, credit: int = 0) -> int:
        self._telling = True
        seq = super()._record(kind, seat, argument, credit)
        self._telling = False
        return seq

    def _uptime(self) -> int:
        return 0 if self._telling else super()._uptime()


class TellsLess(Firmware):
    """One type of event without its argument or its credits."""

    silent: frozenset[EventType]
    no_argument = False

    def _record(self, kind: EventType, seat: int = 0, argument: int = 0, credit: int = 0) -> int:
        if kind in self.silent:
            argument, credit = (0, credit) if self.no_argument else (argument, 0)
        return super()._record(kind, seat, argument, credit)


class TellsNoRound(TellsLess):
    silent = frozenset({EventType.UNLOCK})
    no_argument = True


class TellsNoGeneration(TellsLess):
    silent = frozenset({EventType.CONFIG})
    no_argument = True


class TellsNoCash(TellsLess):
    silent = frozenset({EventType.CASHED})
