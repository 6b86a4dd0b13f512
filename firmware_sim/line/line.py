"""A line that several share: one talks, all hear, and everything takes its time on the wire.

The line is itself a talker, seen from the host's end. Three rules. A talker hears all but itself; only the host may
hear its own echo. Who talks while another talks spoils both. What happens, happens at its own instant however late
the caller ticks, so a slow caller does not slow the line. Work is per message, not per byte, unless bytes are asked
for (`Chunk.BYTES`). With whole messages a second talker inside the silence after a first one is not noticed; with
bytes it is. Whoever acts on an attached talker from outside (a press, a power cut) says so by `touched`.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random

from drivers.session import Micros, Talker
from firmware_sim.line.mishap import Chunk, Clash, LineSettings, Mishap, throw, what_is_left, with_noise
from firmware_sim.line.run import MOST_IN_ONE_RUN, LineEnd, Run, next_handover

MOST_WAITING = 16_384  # bytes one talker may have in front of the wire, or the host behind it
MOST_KEPT = 4_096  # messages that are late or doubled at one time


@dataclass(frozen=True, slots=True)
class Overheard:
    """What a perfect listener would have heard: collisions are in it, the mishaps of single listeners are not."""

    start: Micros
    end: Micros
    source: str  # as named when attached; "host"
    data: bytes


@dataclass(slots=True)
class LineCounters:
    messages: int = 0
    octets: int = 0
    busy: Micros = 0  # wire time used
    lost: int = 0
    noisy: int = 0
    doubled: int = 0
    late: int = 0
    clashed: int = 0
    overflowed: int = 0  # messages for which there was no room


class _Ear:
    """The host's end as the line sees it: it only hears."""

    def __init__(self, counters: LineCounters) -> None:
        self._heard = bytearray()
        self._counters = counters

    def receive(self, data: bytes, now: Micros) -> None:
        del now
        self._heard += data
        if len(self._heard) > MOST_WAITING:
            del self._heard[:-MOST_WAITING]
            self._counters.overflowed += 1

    def to_send(self, now: Micros) -> bytes:
        del now
        return b""

    def deadline(self) -> Micros | None:
        return None

    def tick(self, now: Micros) -> None:
        raise AssertionError(f"it never asked to be ticked at {now}")

    def take(self) -> bytes:
        if not self._heard:
            return b""
        heard = bytes(self._heard)
        self._heard.clear()
        return heard


class Line:
    """Shared and half-duplex. A `Talker`: `receive` is what the host says, `to_send` what it hears."""

    def __init__(self, settings: LineSettings, chance: Random) -> None:
        self.settings = settings
        self.counters = LineCounters()
        self.capture: deque[Overheard] | None = None  # what went over the wire, for who gives it a place
        self._chance = chance
        self._ear = _Ear(self.counters)
        self._host = LineEnd(self._ear, "host")
        self._ends = [self._host]
        self._runs: list[Run] = []
        self._kept: list[tuple[Micros, int, LineEnd, bytes]] = []  # late, doubled, or on its way through the adapter
        self._order = 0
        self._time: Micros = 0

    # who stands on it

    def attach(self, talker: Talker, name: str = "") -> None:
        assert all(end.talker is not talker for end in self._ends), "it stands on the line already"
        self._ends.append(LineEnd(talker, name or f"talker {len(self._ends)}"))

    def detach(self, talker: Talker) -> None:
        end = self._end_of(talker)
        self._fall_silent(end)
        self._ends.remove(end)

    def unplug(self, talker: Talker) -> None:
        """Its wires are off: it lives on, and hears and says nothing. What it was saying breaks off."""
        end = self._end_of(talker)
        end.plugged = False
        self._fall_silent(end)

    def plug(self, talker: Talker) -> None:
        self._end_of(talker).plugged = True

    def touched(self, now: Micros) -> None:
        """Somebody acted on a talker behind the line's back: ask them all what they want."""
        self._time = max(self._time, now)
        for end in self._ends:
            self._collect(end, self._time)

    # the five verbs, seen from the host's end

    def receive(self, data: bytes, now: Micros) -> None:
        self._catch_up(now)
        if data:
            self._say(self._host, data, now)

    def to_send(self, now: Micros) -> bytes:
        del now
        return self._ear.take()

    def deadline(self) -> Micros | None:
        due = self._kept[0][0] if self._kept else None
        for run in self._runs:
            if due is None or run.step < due:
                due = run.step
        for end in self._ends:
            if end.deadline is not None and (due is None or end.deadline < due):
                due = end.deadline
        return due

    def tick(self, now: Micros) -> None:
        if not self._catch_up(now):
            self.touched(now)  # nothing that the line knows of is due: somebody else knew more
            self._catch_up(now)

    # what happens, in its order

    def _catch_up(self, now: Micros) -> bool:
        moved = False
        due = self.deadline()
        while due is not None and due <= now:
            moved = True
            self._time = max(self._time, due)
            self._turn(self._time)
            due = self.deadline()
        self._time = max(self._time, now)
        return moved

    def _turn(self, now: Micros) -> None:
        for run in [run for run in self._runs if run.step <= now]:
            self._tell(run, now)
        while self._kept and self._kept[0][0] <= now:
            _, _, end, data = heappop(self._kept)
            self._hear(end, data, now)
        for end in self._ends[1:]:
            if end.deadline is not None and end.deadline <= now:
                self._wake(end, now)

    def _wake(self, end: LineEnd, now: Micros) -> None:
        end.talker.tick(now)
        self._collect(end, now)
        assert end.deadline is None or end.deadline > now, f"{end.name} was ticked and wants it again at once"

    def _say(self, source: LineEnd, data: bytes, now: Micros) -> None:
        start = max(now, source.free)
        waiting = source.free - now if source.free > now else 0
        if self.settings.gone(waiting) + len(data) > MOST_WAITING:
            self.counters.overflowed += 1
            return
        self.counters.messages += 1
        self.counters.octets += len(data)
        for cut in range(0, len(data), MOST_IN_ONE_RUN):
            start = self._put_on_wire(source, data[cut : cut + MOST_IN_ONE_RUN], start)
        source.free = start

    def _put_on_wire(self, source: LineEnd, data: bytes, start: Micros) -> Micros:
        mishap = throw(self.settings, self._chance)
        run = next((run for run in self._runs if run.source is source and run.end == start), None)
        if run and mishap is None and run.mishap is None and run.settings is self.settings and run.takes(data):
            run.stretch(data)
        else:
            run = Run(source, data, start, self.settings, mishap)
            self._runs.append(run)
        self.counters.busy += run.end - start
        if len(self._runs) > 1 and self.settings.clash is Clash.GARBLE:
            self._clash(run, start)
        return run.end

    def _clash(self, run: Run, start: Micros) -> None:
        """Where two overlap, the one who was there first is struck and the other one goes under."""
        for other in self._runs:
            if other.source is run.source or other.start >= run.end or other.end <= start:
                continue
            self.counters.clashed += 1
            first, second = (other, run) if other.start <= run.start else (run, other)
            begin, end = max(start, other.start), min(run.end, other.end)
            first.struck.update(first.between(begin, end))
            second.swallowed.update(second.between(begin, end))

    def _tell(self, run: Run, now: Micros) -> None:
        """A part of it, or all, can be heard."""
        if run.struck:
            run.spoil(now, self._chance)
        if now >= run.end:
            self._runs.remove(run)
            if self.capture is not None and run.data:
                self.capture.append(Overheard(run.start, run.end, run.source.name, run.heard(0, len(run.data))))
        listeners = self._listeners(run)
        if run.mishap is not None:
            self._mishear(listeners, run.heard(0, len(run.data)), run.mishap, now)
        elif not run.in_pieces():
            self._spread(listeners, run.heard(0, len(run.data)), now)
        else:
            self._spread_part(run, listeners, now)

    def _listeners(self, run: Run) -> list[LineEnd]:
        echo = run.source is self._host and self.settings.echo
        return [end for end in self._ends if end.plugged and (end is not run.source or echo)]

    def _spread_part(self, run: Run, listeners: list[LineEnd], now: Micros) -> None:
        part = run.advance(now)
        if run.settings.chunk is Chunk.BYTES:
            self._spread(listeners, part, now)
            return
        if part and self._host in listeners:
            self._keep(self._host, part, next_handover(now, run.settings.latency))
        if now >= run.end:
            self._spread([end for end in listeners if end is not self._host], run.heard(0, len(run.data)), now)

    def _spread(self, listeners: Iterable[LineEnd], data: bytes, now: Micros) -> None:
        if not data:
            return
        for end in listeners:
            if end is self._host and self.settings.latency and self.settings.chunk is not Chunk.ADAPTER:
                self._keep(end, data, now + self.settings.latency)
            else:
                self._hear(end, data, now)

    def _mishear(self, listeners: list[LineEnd], data: bytes, mishap: Mishap, now: Micros) -> None:
        """It happens to all who listen, or to one of them: on a long line one unit may miss what the others hear."""
        struck = listeners
        if len(listeners) > 1 and self._chance.random() < 0.5:
            struck = [self._chance.choice(listeners)]
            self._spread([end for end in listeners if end not in struck], data, now)
        if mishap.lost:
            self.counters.lost += 1
            data = what_is_left(data, self._chance)
        if mishap.noisy:
            self.counters.noisy += 1
            data = with_noise(data, self._chance)
        longest = self.settings.delay_time
        if mishap.late:
            self.counters.late += 1
            wait = self._chance.randint(1, longest)
            for end in struck:
                self._keep(end, data, now + wait)
        else:
            self._spread(struck, data, now)
        if mishap.doubled:
            self.counters.doubled += 1
            wait = self._chance.randint(1, longest)
            for end in struck:
                self._keep(end, data, now + wait)

    def _keep(self, end: LineEnd, data: bytes, until: Micros) -> None:
        if len(self._kept) >= MOST_KEPT:
            self.counters.overflowed += 1
            return
        self._order += 1
        heappush(self._kept, (until, self._order, end, data))

    def _hear(self, end: LineEnd, data: bytes, now: Micros) -> None:
        if data and end.plugged:
            end.talker.receive(data, now)
            self._collect(end, now)

    def _collect(self, end: LineEnd, now: Micros) -> None:
        said = end.talker.to_send(now)
        end.deadline = end.talker.deadline()
        if said and end.plugged:
            self._say(end, said, now)

    def _end_of(self, talker: Talker) -> LineEnd:
        return next(end for end in self._ends if end.talker is talker)

    def _fall_silent(self, end: LineEnd) -> None:
        end.free = self._time
        for run in [run for run in self._runs if run.source is end]:
            run.break_off(self._time)
            if not run.data:
                self._runs.remove(run)
        self._kept = [kept for kept in self._kept if kept[2] is not end]
        self._kept.sort()
