"""What the readings of an acceptor mean for its chip slot: events become chips, late chips, alarms or another epoch.

Four rules. Only events that follow the last counted one without a gap are counted, oldest first. What cannot be
followed is never credited: another epoch begins, a notice says how much is missing, and the slot is `uncounted`
until a person has looked into the box. What cannot be at all is `disbelieved`: a chip long after the lock was read
back, more events than the time had room for, events that the device's own total denies (R-37). Nothing of it is
counted, and its owner takes it anew after two persons have. A box that was here before goes on where it was.
"""

from collections.abc import Iterator
from dataclasses import replace

from drivers.cctalk.controls import SeatLamp
from drivers.cctalk.events import (
    INHIBITED,
    JAMS,
    SLOTS,
    TAMPERS,
    CoinEvent,
    Continuity,
    Reading,
    Since,
    following,
    since,
)
from drivers.cctalk.settings import AcceptorSettings
from drivers.cctalk.slot import ChipBase, ChipSlot, SlotPhase
from drivers.line.news import News
from drivers.model import DISBELIEVED, UNCOUNTED, DeviceKey, Down, SeatSeen
from drivers.session import MILLISECOND, Micros

QUICKEST: Micros = 50 * MILLISECOND  # no two chips follow each other sooner
MOST_SERIALS = 16  # boxes that were ever at this seat; a device that shows more numbers is no box


_CYCLE = 1 << 24


class AcceptAudit:
    """The device's own accept total (225) against its events: how many chips had no event (2.7).

    A total is compared only with what was counted since the last comparison, in 24 bits, and only when no event came
    between its reading and the next reading of the events, so that no chip can fall between the two. Whether it
    outlives a power cut is the manual's word, given by the settings; where it does, a reset costs a sentence instead of
    a count.
    """

    def __init__(self) -> None:
        self.counted = 0  # chips by the events of all devices
        self._agreed: tuple[int, int] | None = None  # the device's total and our count, when they were last compared
        self._read: tuple[int, int] | None = None
        self._suspected = 0
        self.went_back = False  # the total itself, when it was compared last: it was lost, and hides no chip

    def start_from(self, total: int | None) -> None:
        """Another device, or one that lost its total."""
        self._agreed = None if total is None else (total, self.counted)
        self._suspected = 0

    def read(self, data: bytes) -> None:
        self._read = int.from_bytes(data, "little"), self.counted

    @property
    def total_now(self) -> int | None:
        """What the device's total must be by our count."""
        return None if self._agreed is None else (self._agreed[0] + self.counted - self._agreed[1]) % _CYCLE

    def difference(self) -> int | None:
        """Chips more than by the events, negative when the total went back; `None`: it cannot be said."""
        read, self._read = self._read, None
        if read is None or read[1] != self.counted:
            return None
        before, self._agreed = self._agreed, read
        if before is None:
            return None
        self.went_back = (read[0] - before[0]) % _CYCLE >= _CYCLE // 2
        difference = (read[0] - before[0] - (read[1] - before[1])) % _CYCLE
        return difference if difference < _CYCLE // 2 else difference - _CYCLE

    def proven_difference(self) -> int:
        """The same, but only what two readings in a row say: a device may count and tell at different moments."""
        before = self._agreed
        difference = self.difference()
        if difference is None:
            return 0
        if difference in {0, self._suspected}:
            self._suspected = 0
            return difference
        self._agreed, self._suspected = before, difference
        return 0


class Counting:
    def __init__(self, settings: AcceptorSettings, news: News) -> None:
        self.slot = ChipSlot(settings.most)
        self.serial: int | None = None
        self.enabled = True
        self.uncounted = False  # chips may be in the box that had no event
        self.disbelieved = False  # it said what cannot be
        self.jammed = False
        self.look_again = False  # a chip was refused as inhibited
        self.reset_seen = False  # it lost what we had set in it: a reset that its counter may not show
        self._settings = settings
        self._news = news
        self.audit = AcceptAudit()
        self._slots: tuple[CoinEvent, ...] | None = None  # of the last reading that was counted
        self._read_at: Micros | None = None  # when that was
        self._known: dict[int, ChipBase] = {}

    @property
    def usable(self) -> bool:
        return self.enabled and not self.uncounted and not self.disbelieved

    @property
    def base(self) -> ChipBase:
        persistent = self._settings.accepted_total_persistent
        accepted = self.audit.total_now if persistent else None
        return replace(self.slot.base, accepted=accepted, disbelieved=self.disbelieved)

    def resume(self, base: ChipBase) -> None:
        assert base.device.serial != self.serial, "it is here, and we know more than the books"
        self._known[base.device.serial] = base

    def knows(self, serial: int) -> bool:
        """It was driven before, in this life or by the books."""
        return serial == self.serial or serial in self._known

    def can_meet(self, serial: int) -> bool:
        return self.knows(serial) or len(self._known) < MOST_SERIALS

    def meet(self, serial: int, reading: Reading, now: Micros, *, blank: bool) -> bool:
        """The first reading since the device was identified; `blank`: it was found as after a reset.

        Whether it came back other than it was left.
        """
        known = self.knows(serial)
        if serial != self.serial:
            self._change_to(serial, reading)
        was_reset, self.reset_seen = known and (blank or self.reset_seen), False
        past = Since(Continuity.RESET) if was_reset else since(self.slot.counter, reading, self._slots)
        if past.verdict is not Continuity.NEWS:
            self._doubt_the_pace(past, now)
            self._lose(past, reading)
        else:
            self._count(past.events, reading, is_shut=False)
        self._read_at = now
        return past.verdict is not Continuity.NEWS

    def follow(self, reading: Reading, now: Micros, *, is_shut: bool) -> bool:
        """One more reading; `is_shut`: for so long that no chip can have fallen since the last one. False: it does not
        follow, and nothing was counted."""
        past = since(self.slot.counter, reading, self._slots)
        if past.verdict is Continuity.NEWS:
            self._count(past.events, reading, is_shut=is_shut)
            self._read_at = now
        return past.verdict is Continuity.NEWS

    def _doubt_the_pace(self, past: Since, now: Micros) -> None:
        """A counter that went back looks like one that went nearly round, and there was no time for that."""
        if past.verdict is Continuity.LOST and self._read_at is not None:
            room = SLOTS + (now - self._read_at) // QUICKEST
            if past.count > room:
                self._disbelieve(f"{past.count} events where there was time for {room}")

    def _disbelieve(self, detail: str) -> None:
        self.disbelieved = True
        self._alarm(DISBELIEVED, detail)

    def seen(self, lamp: SeatLamp, *, shut: bool, check_code: int) -> SeatSeen:
        """The seat as its owner sees it; `shut` is what was read back, never what is wanted."""
        slot = self.slot
        return SeatSeen(
            unit=self._settings.unit, seat=self._settings.seat, device=slot.device, seq=slot.seq, totals=slot.totals,
            locked=slot.phase is SlotPhase.LOCKED and shut, cut=slot.cut,
            bet=slot.bet_seen, bet_credits=slot.bet, bet_seq=slot.bet_seq,
            lamp=lamp.seen, enabled=self.usable, faults=tuple(self._faults(lamp, check_code)),
        )  # fmt: skip

    def _faults(self, lamp: SeatLamp, check_code: int) -> Iterator[str]:
        if self.disbelieved:
            yield DISBELIEVED
        if self.uncounted:
            yield UNCOUNTED
        if self.jammed:
            yield "chip_jam"
        if check_code:
            yield f"self_check_{check_code}"
        if lamp.fault:
            yield "lamp_silent"

    def _change_to(self, serial: int, reading: Reading) -> None:
        if self.serial is not None:
            self._news.down(Down.REPLACED, f"serial {serial} in place of {self.serial}")
            left, booked = self.base, self.slot.booked
            self._known[self.serial] = replace(left, booked=left.nothing_booked if booked is None else booked)
        self.serial, self._slots, self.reset_seen, self._read_at = serial, None, False, None
        base = self._known.pop(serial, None)
        self.disbelieved = base is not None and base.disbelieved
        if base is not None:
            self.slot.go_on_from(base)
            self.audit.start_from(base.accepted)
            return
        self.slot.begin_epoch(DeviceKey(serial, 1), reading.counter)
        self.audit.start_from(None)
        if reading.counter:
            self._alarm("uncredited", f"counter {reading.counter} of a device that the books do not know")

    def _lose(self, past: Since, reading: Reading) -> None:
        heard = self.audit.difference()  # what was read before it was lost is compared with nothing later
        unheard = heard if self._settings.accepted_total_persistent else None
        if unheard is None or unheard < 0:
            self.audit.start_from(None)
            many = f"{past.count} events" if past.verdict is Continuity.LOST else "an unknown number of chips"
        else:
            many = f"by its accept total exactly {unheard} chips"
        last = " ".join(f"{event.channel}/{event.detail}" for event in past.events)
        was = f"counter {self.slot.counter}, then {reading.counter}, {past.verdict}"
        self._news.down(Down.RESET, was)
        self._alarm("reconcile", f"{many} not credited: {was}" + (f"; channels and paths {last}" if last else ""))
        self.uncounted = self.uncounted or unheard != 0
        device = self.slot.device
        self.slot.begin_epoch(DeviceKey(device.serial, device.epoch + 1), reading.counter)
        self._slots = reading.slots

    def _count(self, events: tuple[CoinEvent, ...], reading: Reading, *, is_shut: bool) -> None:
        chips = sum(bool(event.channel) for event in events)
        if chips and is_shut:
            self._disbelieve(f"{chips} chips while it was locked and read back so")
        for event in events:
            counter = following(self.slot.counter)
            if event.channel and self.disbelieved:
                self.audit.counted += 1
                self.slot.passed(counter)
            elif event.channel:
                self.audit.counted += 1
                self._chip(event.channel, counter)
            else:
                self.slot.passed(counter)
                self._explain(event.detail)
        assert self.slot.counter == reading.counter, "each event once"
        self._slots = reading.slots
        unheard = self.audit.proven_difference()
        if unheard > 0 or (unheard and (self.audit.went_back or not self._settings.accepted_total_persistent)):
            self.uncounted = self.uncounted or unheard > 0
            self._alarm("reconcile", f"the accept total says {unheard:+} chips that no event told")
        elif unheard:
            self._disbelieve(f"the accept total says {unheard:+} chips: events told more than it took")

    def _chip(self, channel: int, counter: int) -> None:
        self.jammed = False
        credits_ = self._settings.credits_of(channel)
        if credits_ is None:
            self.slot.passed(counter)
            self.uncounted = True
            self._alarm("reconcile", f"1 chip not credited: channel {channel} has no value here")
        elif self.usable and self.slot.takes(credits_):
            self.slot.chip(credits_, counter)
        else:
            self.slot.late(credits_, counter)
            self._alarm("late_chip", f"{credits_} credits on channel {channel}: hand them back")

    def _alarm(self, kind: str, detail: str) -> None:
        self._news.alarm(self._settings.seat, kind, detail)

    def _explain(self, code: int) -> None:
        if code in JAMS:
            self.jammed = True
            self._alarm("chip_jam", f"code {code}")
        elif code in TAMPERS:
            self._alarm("tamper", f"code {code}")
        self.look_again = self.look_again or code in INHIBITED
