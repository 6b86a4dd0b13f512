"""What the owner wants of a unit at every moment: lock, acknowledgement, lamps, and which seats take bets.

It is repeated each beat, so it heals. Three guards. Locked is what everything falls back to: after the unit was down,
and after it locked by itself, it stays so until the owner unlocks anew (2.1.5). An acknowledgement is only what the
owner said for this very memory; before it said anything, one is sent that confirms nothing. What was delivered is
compared with what the unit shows, and said again at once where it differs; an unlock that the unit does not execute
falls back to locked and is reported as refused.
"""

from drivers.line.numbers import newer
from drivers.model import DeviceKey
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, WordList
from drivers.native.commands import Orders, UnitOrder, enabling
from drivers.native.contract import Bet, LampCommand, LockState, Opcode, SeatFlag, SeatMode, UnitFault, UnitFlag
from drivers.native.settings import UnitSettings
from drivers.native.writes import Desired, Display
from drivers.session import SECOND, Micros

_NOTHING_BOOKED = 2**30  # this far behind the unit: older than every bet it can have
MOST_MEMORIES = 8
UNLOCKS_WITHIN: Micros = SECOND  # after it was delivered: that is several beats
MOST_RELIGHTS = 4  # delivered without effect: the unit will not


class Desires:
    def __init__(self) -> None:
        self._unlocked = False
        self._opened = False  # read back as open since the owner's last unlock
        self._cut = 0  # as it was then
        self._was_open = False  # when the owner locked it
        self._answered = False  # what was written last
        self.overheard = False  # the lock was broadcast; its next image shows whether it heard that
        self.missed = False  # that image showed that it did not, and it was not written to by itself yet
        self._lock_presses: int | None = None  # of a console
        self._overruled = False  # the croupier locked while it was opened
        self._refused_at: Micros | None = None  # the unlock was delivered and is not executed; when that is final
        self._doubted: DeviceKey | None = None  # another memory than was there before; its owner must look at it
        self._round = 0
        self._booked: dict[DeviceKey, int] = {}
        self._test = LampCommand.AUTO
        self._relights: dict[int, int] = {}  # seat: how often it was delivered
        self._token = at.NO_TOKEN
        self._heartbeat = 0
        self._nothing = 0
        self._device = DeviceKey(0, 0)
        self._wanted: tuple[int, int, int, int] = (at.LOCK, 0, 0, 0)
        self._sent: tuple[int, int, int, int] | None = None
        self._delivered: tuple[int, int, int, int] | None = None

    # What the owner says.

    def lock(self) -> None:
        self._was_open = self._was_open or self._opened
        self._unlocked = self._opened = False
        self._renew()

    def lock_was_broadcast(self) -> None:
        """Only what was read back as open can show that it heard. Of another, or of one that did not answer last time,
        an unlock may still be under way, and only a newer heartbeat makes that a late one."""
        self.overheard = self._was_open and self._answered

    def unlock(self, round_id: int) -> None:
        assert 0 <= round_id <= 0xFFFF, "a round is one word"
        if not self._unlocked or round_id != self._round:
            self._opened, self._refused_at = False, None
            self._was_open = self.overheard = False
        self._unlocked, self._test, self._round = True, LampCommand.AUTO, round_id
        self._overruled = False
        self._renew()

    def acknowledge(self, device: DeviceKey, seq: int) -> None:
        """It only goes forward; the oldest memory is forgotten, not the newest."""
        before = self._booked.pop(device, None)
        self._booked[device] = seq if before is None or newer(seq, before) else before
        if len(self._booked) > MOST_MEMORIES:
            del self._booked[next(iter(self._booked))]
        self._renew()

    def forget(self, device: DeviceKey) -> None:
        """What was booked of it says nothing of what it will count."""
        self._booked.pop(device, None)
        self._renew()

    def doubt(self, device: DeviceKey) -> None:
        """It took another's place. One that the owner acknowledged before is known to it."""
        self._doubted = None if device in self._booked else device

    def first_seen(self, device: DeviceKey) -> None:
        """An owner that acknowledged other memories here and not this one does not know it."""
        if self._booked:
            self.doubt(device)

    def reconciled(self, device: DeviceKey) -> None:
        if device == self._doubted:
            self._doubted = None

    @property
    def in_doubt(self) -> bool:
        return self._doubted is not None

    def booked(self, device: DeviceKey) -> int | None:
        return self._booked.get(device)

    def test_lamps(self, command: LampCommand) -> None:
        """TEST or TEST_BETWEEN; AUTO ends it."""
        self._test = command
        self._renew()

    def relight(self, seat: int) -> None:
        self._relights.setdefault(seat, 0)
        self._renew()

    # What becomes of the unit.

    def fell(self) -> None:
        self._unlocked = self._opened = self._was_open = self.overheard = self.missed = False
        self._test = LampCommand.AUTO
        self._renew()

    def broke_off(self) -> None:
        """The session may go on; then what its owner wanted, or wants by then, is what is wanted."""
        self._test = LampCommand.AUTO
        self._renew()

    def begin(self, token: int, device: DeviceKey, seq: int) -> None:
        """A session: the first heartbeat of a new one is newer than any (2.6)."""
        self._token, self._device = token, device
        self._nothing = (seq - _NOTHING_BOOKED) % 2**32
        self._relights = dict.fromkeys(self._relights, 0)
        self._sent = self._delivered = None
        self._answered = self.overheard = self.missed = False
        self._refused_at = None
        self._renew()

    @property
    def undelivered(self) -> bool:
        return self._wanted != self._delivered

    def unproven(self) -> None:
        """It is said to the unit itself."""
        self.overheard = False

    @property
    def opening(self) -> bool:
        """Unlocked by the owner and not yet read back as open."""
        return self._unlocked and not self._opened

    @property
    def wants_open(self) -> bool:
        return self._opened

    def to_write(self) -> WordList:
        self._sent, self._answered, self.missed = self._wanted, False, False
        lock, round_id, ack, lamp = self._wanted
        return Desired(
            token=self._token, heartbeat=self._beat(), lock=lock, round_id=round_id, ack=ack, lamp=lamp
        ).encode()

    def to_show(self, value: int) -> WordList:
        """The display's heartbeat is counted with the others: newer in whatever order a unit keeps."""
        return Display(token=self._token, heartbeat=self._beat(), value=value).encode()

    def delivered(self) -> None:
        self._delivered, self._answered = self._sent, True
        if self._sent is not None and self._sent[3] >> 8 == LampCommand.RELIGHT:
            self._relights[self._sent[3] & 0xFF] += 1

    def compare(self, poll: FastPoll, bets: list[int]) -> None:
        """What was delivered against what the unit shows; `bets` are the numbers of bets it shows as pending."""
        is_open = poll.lock == LockState.OPEN
        if self.overheard and not is_open and poll.cut != self._cut:
            self._heard_the_lock()
        self.missed, self.overheard = self.overheard and is_open, False
        if self._was_lock_pressed(poll) and self._unlocked:
            self._overruled = self.opening
            self.lock()
        if self._opened and (not is_open or poll.cut != self._cut):
            self.lock()  # however it was locked, it stays so until the owner unlocks anew
        if is_open and not self._unlocked:
            self._delivered = None
        elif is_open and self._delivered is not None and self._delivered[0] == at.UNLOCK:
            self._opened, self._cut = True, poll.cut
        if any(not newer(bet, self._wanted[2]) for bet in bets):
            self._delivered = None
        if (self._test == LampCommand.TEST and standing(poll)) or (self._test and in_hand(poll)):
            self.test_lamps(LampCommand.AUTO)  # the lamp is the evidence of a bet

    def _heard_the_lock(self) -> None:
        assert not self._unlocked, "its owner locked it before that was broadcast"
        if self._delivered is not None and self._delivered[1:] == self._wanted[1:]:
            self._delivered = self._wanted

    def _was_lock_pressed(self, poll: FastPoll) -> bool:
        """The lock button of a console; whatever is being opened, the croupier's hand is the last word."""
        keys = poll.seats[0]
        before, self._lock_presses = self._lock_presses, keys.loaded if keys.mode == SeatMode.CONSOLE else None
        return before is not None and self._lock_presses not in {None, before}

    def refused(self, poll: FastPoll, now: Micros) -> str | None:
        """An unlock the unit had its time for and did not execute is over; why, as far as the unit shows."""
        if self._overruled:
            self._overruled = False
            return "lock_key"
        if not self.opening or self._delivered is None or self._delivered[0] != at.UNLOCK:
            return None
        if self._refused_at is None:
            self._refused_at = now + UNLOCKS_WITHIN
        if now < self._refused_at:
            return None
        behind = newer(poll.seq, self._wanted[2])
        self.lock()
        return _obstacle(poll, behind=behind)

    def relit(self, poll: FastPoll) -> list[tuple[int, bool, str]]:
        """Which relights came to their end: seat, whether its bet stands lit, and the word for it."""
        ended = []
        for seat, times in list(self._relights.items()):
            bet = poll.seats[seat - 1].bet
            if bet != Bet.RESTORED_DARK or times >= MOST_RELIGHTS:
                del self._relights[seat]
                ended.append((seat, bet in {Bet.SEALED, Bet.CONFIRMED}, bet.name.lower()))
        self._renew()
        return ended

    def _beat(self) -> int:
        self._heartbeat = (self._heartbeat + 1) % 2**16
        return self._heartbeat

    def _renew(self) -> None:
        seat = next(iter(self._relights), None)
        lamp = self._test << 8 if seat is None else LampCommand.RELIGHT << 8 | seat
        ack = self._booked.get(self._device, self._nothing)
        self._wanted = (at.UNLOCK if self._unlocked else at.LOCK, self._round, ack, lamp)


def standing(poll: FastPoll) -> bool:
    return any(seat.bet not in {Bet.NONE, Bet.VOIDED} for seat in poll.seats)


def in_hand(poll: FastPoll) -> bool:
    """A bet is made or being made: one that is sealed may be of a hand that is over."""
    return any(seat.bet in {Bet.PENDING, Bet.CONFIRMED} for seat in poll.seats)


def _obstacle(poll: FastPoll, *, behind: bool) -> str:
    """What keeps a unit from unlocking, by what it shows (2.4). `behind`: not all it shows is acknowledged."""
    if behind and poll.seats[0].mode == SeatMode.CONSOLE and not poll.flags & UnitFlag.LOCK_KEY_DOWN:
        return "unacknowledged"  # though it pulls the line: it does so itself
    bets = {seat.bet for seat in poll.seats}
    obstacles = {
        "lock_line": poll.flags & UnitFlag.LOCK_LINE,
        "key_down": poll.flags & UnitFlag.LOCK_KEY_DOWN,
        "config_invalid": poll.faults & UnitFault.CONFIG_INVALID,
        "config_staged": poll.flags & UnitFlag.CONFIG_STAGED,
        "pending": Bet.PENDING in bets,
        "sealed_round": Bet.SEALED in bets,
    }
    return next((name for name, holds in obstacles.items() if holds), "unacknowledged" if behind else "refused")


class Seating:
    """Which seats take bets: what the owner wants against what the unit shows, put right where they differ."""

    def __init__(self, settings: UnitSettings) -> None:
        self._settings = settings
        self._wanted: dict[int, bool] = {}
        self._again_at: Micros | None = None

    def want(self, seat: int, *, on: bool) -> UnitOrder:
        self._wanted[seat] = on
        return enabling(seat, on=on, name="enable" if on else "disable")

    def differs(self, poll: FastPoll) -> bool:
        return bool(self._wrong(poll))

    def correct(self, poll: FastPoll, orders: Orders, now: Micros) -> None:
        """Gently: a unit may have its own reasons."""
        if self._again_at is not None and now < self._again_at:
            return
        wrong = self._wrong(poll)
        for seat in wrong:
            if not orders.waits(Opcode.SEAT_ENABLE, seat):
                orders.add(enabling(seat, on=self._wanted[seat]))
        self._again_at = now + self._settings.retry if wrong else None

    def _wrong(self, poll: FastPoll) -> list[int]:
        """A seat that the configuration leaves out is never on."""
        return [
            seat
            for seat, on in self._wanted.items()
            if bool(poll.seats[seat - 1].flags & SeatFlag.ENABLED)
            != (on and bool(self._settings.config.enabled >> (seat - 1) & 1))
        ]
