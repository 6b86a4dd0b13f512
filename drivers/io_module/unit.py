"""The driver of an off-the-shelf Modbus module, as a unit that takes turns on a bus and talks like a native one.

The module counts presses and switches lamps; it has no lock, no memory of ours and no head, so those are here
(bets.py). Rules. Counters are compared and never cleared; one that went backwards, seen twice, is a module that lost
its power: new epoch, everything dark and locked, reconciled by hand. What was pressed while it was not read is no bet.
After silence everything is read again before the module is up, and it stays locked until the owner unlocks anew. A seat
is reported as locked when a reading that was asked for after the lock has come, and opens when one that was asked for
after the owner's wish to open has come: what was pressed while it was locked belongs to no round.

A lock button here locks these seats at once, before the owner hears of it (2.1.5).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from drivers.io_module import counters
from drivers.io_module.bets import STANDING, Base, SeatBets
from drivers.io_module.counters import CounterWatch, Counts, OddReading, listed
from drivers.io_module.lamps import Lamps
from drivers.io_module.map import IoMap
from drivers.line.failures import Failure
from drivers.line.news import News
from drivers.modbus.pdu import Answer, Bits, Denied, ReadBits, ReadWords, Request, Words, WriteBits, WriteWords, Written
from drivers.modbus.turn import Ask
from drivers.model import DISBELIEVED, BetSeen, ConsoleSeen, DeviceEvent, DeviceKey, Down, SeatSeen
from drivers.session import SECOND, Micros

PATIENCE = 3  # this many failures running are silence
REFUSED_RETRY: Micros = 5 * SECOND
UNWATCHED, AMBIGUOUS, STUBBORN = "press_unwatched", "press_ambiguous", "output_refused"


class _What(Enum):
    """In the order in which they come when several are due since the same instant."""

    PROBE = auto()
    HEARTBEAT = auto()
    OUTPUTS = auto()
    COUNTERS = auto()
    INPUTS = auto()


@dataclass(frozen=True, slots=True)
class _Mark:
    what: _What
    asked: Micros
    locks: int  # how often it was locked when this was asked
    unlocks: int  # and how often its owner had asked to open it


class IoModule:
    broadcast_lock = None

    def __init__(self, io_map: IoMap) -> None:
        self.map = io_map
        self.number = io_map.unit
        self._bets = SeatBets(io_map.table_seats, io_map.serial, io_map.confirm)
        self._lamps = Lamps(io_map)
        self._watch = CounterWatch(io_map)
        self._lock_presses = self._unlock_presses = 0
        self._was_held = False
        self._locks = 0
        self._proven_locks = -1  # locks that a later reading followed
        self._unlocks = self._read_unlocks = 0  # wishes to open, and those that a later reading followed
        self._testing = False
        self._beat = 0
        wanted = {_What.COUNTERS: io_map.counters, _What.INPUTS: io_map.inputs}
        self._due: dict[_What, Micros] = {what: 0 for what, places in wanted.items() if places}
        if io_map.heartbeat is not None:
            self._due[_What.HEARTBEAT] = 0
        self._after: Micros = 0
        self._failures = 0
        self._has_line = self._lost = self._stubborn = False
        self._news = News(io_map.unit, io_map.table_seats)
        self._now: Micros = 0

    # What its owner wants. Seats have the table's numbers.

    def resume(self, base: Base) -> None:
        """What the books know, before the line is up; without it everything begins at nothing."""
        assert not self._has_line, "it is met already, and we know more than the books"
        self._bets.resume(base)
        self._lock_presses, self._unlock_presses = base.lock_presses, base.unlock_presses
        if base.counters is not None:
            self._watch.resume(base.counters)

    @property
    def base(self) -> Base:
        """What the books would need to go on from here."""
        bets = self._bets
        return Base(
            device=bets.device, seq=bets.seq, cut=bets.cut, round_id=bets.round_id,
            seats={number: seat.base() for number, seat in bets.seats.items()},
            lock_presses=self._lock_presses, unlock_presses=self._unlock_presses,
            counters=dict(self._watch.last) if self._watch.last is not None else None,
        )  # fmt: skip

    def lock(self) -> None:
        if not self._bets.locked:
            self._locks += 1
        self._bets.lock()
        self._testing = False
        self._tell()

    def lock_was_broadcast(self) -> None:
        """It does not hear it: each of its outputs is written."""

    def unlock(self, round_id: int) -> None:
        """Not now means never: it does not open by itself when the module comes back or the key is let go."""
        if not self._news.is_up or self._lamps.held:
            self._news.settled(0, "unlock", done=False, result="lock_key" if self._news.is_up else "down")
            return
        self._testing = False
        if not self._bets.wants(round_id):
            self._unlocks += 1
        self._bets.unlock(round_id)
        self._tell()

    def acknowledge(self, device: DeviceKey, seq: int) -> None:
        self._bets.acknowledge(device, seq)
        self._tell()

    def void(self, seat: int, bet_seq: int, reason: int) -> None:
        del reason  # the books have it; a module has no ring to keep it in
        done = self._bets.void(seat, bet_seq)
        self._news.settled(seat, "void", done=done, result="done" if done else "mismatch")
        self._tell()

    def relight(self, seat: int) -> None:
        """The bet of a module that lost its power was found in the ledger: it counts, and shows it again (2.6)."""
        done = self._bets.relight(seat)
        self._news.settled(seat, "relight", done=done, result=self._bets.seats[seat].bet.value)
        self._tell()

    def enable(self, seat: int) -> None:
        self._bets.seats[seat].enabled = True
        self._news.settled(seat, "enable", done=True, result="done")
        self._tell()

    def disable(self, seat: int) -> None:
        self._bets.seats[seat].enabled = False
        self._news.settled(seat, "disable", done=True, result="done")
        self._tell()

    def take_anew(self) -> None:
        self._bets.take_anew()
        self._tell()

    def test_lamps(self) -> None:
        """Never inside a hand (1.8): its owner says it between passes, when sealed bets are of one that is over."""
        self._testing = self._bets.locked and not self._bets.pending
        self._tell()

    def end_lamp_test(self) -> None:
        self._testing = False
        self._tell()

    # Its turns on the bus.

    def due(self) -> Micros | None:
        if not self._has_line:
            return None
        lamps, late = self._lamps.due(), self._bets.next_late()
        times = [self._now if lamps is None else lamps, *self._due.values()]
        return max(self._after, min(times if late is None else [*times, late]))

    def urgent(self) -> bool:
        """A lamp that must change."""
        return self._news.is_up and not self._lamps.follows and self._lamps.due() is None

    def unfinished(self) -> bool:
        return False

    def next_ask(self, now: Micros) -> Ask | None:
        self._now = now
        if not self._has_line or now < self._after:
            return None
        self._bets.void_late(now)
        self._tell()
        for what in self._by_turn():
            request = self._question(what, now)
            if request is not None:
                return Ask(self.number, request, _Mark(what, now, self._locks, self._unlocks))
        return None

    def _by_turn(self) -> list[_What]:
        """The question that waited longest is first, so none waits for ever on a busy line; lamps of bets come before
        all."""
        return [_What.PROBE, _What.OUTPUTS, *sorted(self._due, key=lambda what: (self._due[what], what.value))]

    def _question(self, what: _What, now: Micros) -> Request | None:
        probe = self.map.probe
        match what:
            case _What.PROBE:
                if probe is None or self._watch.high_first is not None:
                    return None
                return ReadWords(probe.address, 2, self.map.function)
            case _What.OUTPUTS:
                return self._lamps.question(now)
            case _ if what not in self._due or now < self._due[what]:
                return None
            case _What.HEARTBEAT:
                return self._heartbeat()
            case _What.COUNTERS:
                return counters.question(self.map)
            case _:
                return self._lamps.inputs_question()

    def _heartbeat(self) -> WriteWords:
        """It must change, or it is none (1.6)."""
        assert self.map.heartbeat is not None, "it is due"
        self._beat = (self._beat + 1) % 2**16
        return WriteWords(self.map.heartbeat, (self._beat,))

    def taken(self, ask: Ask, answer: Answer, now: Micros) -> bool:
        mark = ask.mark
        assert isinstance(mark, _Mark), "our own question"
        self._now = now
        self._failures = 0
        match ask.request, answer:
            case request, Denied(code):
                self._refused(f"exception {code} to {type(request).__name__} at {request.address:04X}h", now)
            case ReadWords(), Words(words) if mark.what is _What.PROBE:
                self._probed(words, now)
            case ReadWords(), Words(words):
                self._due[_What.COUNTERS] = now + self.map.poll
                self._counted(words, mark, now)
            case ReadBits() as read, Bits(bits) if mark.what is _What.INPUTS:
                self._due[_What.INPUTS] = now + 2 * self.map.poll
                self._lamps.inputs_read(read, bits, mark.asked)
                self._key()
            case ReadBits() as read, Bits(bits):
                self._lamps.read_back(read, bits, now)
            case WriteBits() as write, Written():
                self._lamps.written(write, now)
                self._say_stubborn()
            case _:
                self._due[_What.HEARTBEAT] = now + self.map.beat
        self._tell()
        return True

    def failed(self, ask: Ask, failure: Failure, now: Micros) -> None:  # noqa: ARG002
        self._now = now
        self._failures += 1
        if failure is Failure.LINE_DOWN:
            self._fall(Down.LINE_DOWN)
        elif self._failures >= PATIENCE:
            self._fall(Down.SLOW if failure is Failure.LATE else Down.SILENT, failure.value)

    def next_event(self) -> DeviceEvent | None:
        return self._news.next()

    def line_up(self, now: Micros) -> None:
        self._has_line, self._failures = True, 0
        self._now = self._after = now
        self._due = dict.fromkeys(self._due, now)
        self._forget()

    def line_down(self, now: Micros) -> None:
        self._now = now
        self._fall(Down.LINE_DOWN)
        self._has_line = False

    # What it shows.

    def _probed(self, words: tuple[int, ...], now: Micros) -> None:
        assert self.map.probe is not None, "there is a constant to look at"
        self._watch.high_first = counters.word_order(words, self.map.probe.value)
        if self._watch.high_first is None:
            shown = " ".join(f"{word:04X}" for word in words)
            self._refused(f"{shown} at {self.map.probe.address:04X}h is not the constant of this map", now)

    def _counted(self, words: tuple[int, ...], mark: _Mark, now: Micros) -> None:
        before = self._watch.last
        match self._watch.read(words, now):
            case OddReading.DOUBTED:
                self._due[_What.COUNTERS] = now
                return
            case OddReading.RESET | OddReading.IMPOSSIBLE:
                self._disbelieve(self._watch.jumped)
                self._bets.lose_memory()
                self._lost = True
                self._fall(Down.RESET, f"counters {listed(before)} became {listed(self._watch.last)}")
                return
            case OddReading.UNWATCHED:
                self._news.alarm(0, UNWATCHED, f"counters {listed(before)} are {listed(self._watch.last)}: no bets")
            case OddReading.FIRST:
                pass
            case steps:
                self._pressed(steps, now)
        self._proven_locks, self._read_unlocks = mark.locks, mark.unlocks

    def _disbelieve(self, jumped: frozenset[int]) -> None:
        for seat in self.map.seats:
            if any(button.counter in jumped for button in seat.buttons):
                self._bets.seats[seat.seat].disbelieved = True
                self._news.alarm(seat.seat, DISBELIEVED, "more presses than a finger has time for")

    def _pressed(self, steps: Counts, now: Micros) -> None:
        """The lock comes first: a bet of the same reading has no lamp yet, so it takes nothing from anybody."""
        if self.map.lock_counter is not None and steps[self.map.lock_counter]:
            self._lock_pressed(steps[self.map.lock_counter])
        if self.map.unlock_counter is not None and steps[self.map.unlock_counter]:
            self._unlock_presses += steps[self.map.unlock_counter]
            self._bets.step()
        for seat in self.map.seats:
            buttons = [button for button in seat.buttons if steps[button.counter]]
            if len(buttons) > 1:
                self._news.alarm(seat.seat, AMBIGUOUS, "two buttons between two readings: neither counts")
            elif buttons:
                self._bets.press(seat.seat, buttons[0].credits, now)

    def _key(self) -> None:
        held = bool(self._lamps.held)
        if held and not self._was_held:
            self._lock_pressed(1)
        self._was_held = held

    def _lock_pressed(self, times: int) -> None:
        self._lock_presses += times
        self._bets.step()
        self.lock()

    # What becomes of it.

    def _refused(self, detail: str, now: Micros) -> None:
        self._fall(Down.CONFIG_REFUSED, detail)
        self._after = now + REFUSED_RETRY

    def _fall(self, reason: Down, detail: str = "") -> None:
        """What is registered stands, and its lamp if the module still has it lit; everything else is void."""
        self._bets.lock()
        self._bets.void_pending()
        self._forget()
        self._news.down(reason, detail)

    def _forget(self) -> None:
        self._lamps.forget()
        self._watch.look_away()
        self._testing = False

    def _say_stubborn(self) -> None:
        stubborn = self._lamps.stubborn()
        if stubborn and not self._stubborn:
            self._news.alarm(0, STUBBORN, "an output does not show what was written")
        self._stubborn = stubborn

    # What its owner hears.

    def _tell(self) -> None:
        """After everything: lamps follow the bets, and what changed is reported."""
        bets = self._bets
        bets.open_if_it_may(held=bool(self._lamps.held) or not self._news.is_up or not self._counted_up)
        for number, seat in bets.seats.items():
            self._lamps.want(number, on=self._testing or (seat.enabled and seat.bet in STANDING))
        if not self._news.is_up:
            self._come_up()
        if self._news.is_up:
            self._tell_seats()
            if self.map.has_console:
                self._tell_console()

    def _tell_seats(self) -> None:
        """One reading may hold the bets of several seats under one number, and only the last of them says so: an owner
        that acknowledged after the first would light the lamps of the others, which are not booked (R-6)."""
        changed = [seen for seen in self._seats_seen() if self._news.is_new(seen)]
        for seen in changed:
            self._news.say(replace(seen, last=seen is changed[-1]))

    def _seats_seen(self) -> Iterator[SeatSeen]:
        bets, lamps = self._bets, self._lamps
        locked = bets.locked and not bets.pending and self._proven_locks >= self._locks
        for number, seat in bets.seats.items():
            yield SeatSeen(
                unit=self.number, seat=number, device=bets.device, seq=bets.seq, totals=seat.totals, locked=locked,
                cut=bets.cut, bet=seat.bet, bet_credits=seat.bet_credits,
                bet_seq=0 if seat.bet is BetSeen.NONE else seat.bet_seq,
                lamp=lamps.seen(number), enabled=seat.enabled, faults=seat.faults(lamps.faults(number)),
            )  # fmt: skip

    def _tell_console(self) -> None:
        seen = ConsoleSeen(
            unit=self.number, device=self._bets.device, seq=self._bets.seq, lock_presses=self._lock_presses,
            unlock_presses=self._unlock_presses, key_changes=0, lock_key_down=bool(self._lamps.held),
        )  # fmt: skip
        if self._news.is_new(seen):
            self._news.say(seen)

    @property
    def _counted_up(self) -> bool:
        """What was pressed while it was locked has been read, so it does not count in the round that opens."""
        return self._read_unlocks == self._unlocks or not self.map.counters

    def _come_up(self) -> None:
        counted = self._watch.looks or not self.map.counters
        if not (self._has_line and counted and self._lamps.known):
            return
        self._news.up(self._bets.device, self.map.product, 0, rebooted=self._lost)
        self._lost = False
