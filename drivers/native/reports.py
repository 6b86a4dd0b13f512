"""The seats of one unit, from its images to the pictures that the owner gets (SeatSeen).

An image A has what money and locks need; the seat's detail S has what was cashed, what came late and the number of the
bet, but no event number of its own. So a detail counts only between two images of the same number: equal numbers, equal
totals (2.1.1). Nothing is reported of a seat before its first detail counted, because a missing total would be taken
for a total of nothing. Until a changed bet's detail counts, its number is the image's own: never too early.

One number is reported with one set of totals. Where a total may have moved that the image does not show, late chips of
a slot or a payment under way, the image is held until the details were read; all its seats are then reported together.

A late detail is known by totals older than those that counted, or by not adding up; but one from before a payment adds
up as well as the one after it. So a detail that an image is held for, or that does not fit its image, counts only when
it was looked at again and was still so: the proof.

The lamp is the evidence of a bet, so what is driven is never enough (R-6, 1.8). Lit is only what is driven steady, was
measured since, and agrees: by the light where a light sensor is fitted, by the current's window where not. A
disagreement is a fault as soon as the lamp has had its time to settle.
"""

from dataclasses import dataclass, replace

from drivers.line.numbers import newer
from drivers.model import BetSeen, DeviceKey, LampProof, Notice, SeatSeen, Totals
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, SeatDetail, SeatPoll, WordList
from drivers.native.settings import UnitSettings
from drivers.session import MILLISECOND, Micros

_BETS = {
    at.Bet.NONE: BetSeen.NONE,
    at.Bet.PENDING: BetSeen.PENDING,
    at.Bet.CONFIRMED: BetSeen.CONFIRMED,
    at.Bet.SEALED: BetSeen.SEALED,
    at.Bet.VOIDED: BetSeen.VOIDED,
    at.Bet.RESTORED_DARK: BetSeen.RESTORED,
}
_LOCKED = {at.LockState.BOOT_LOCKED, at.LockState.LOCKED, at.LockState.HOST_LOST, at.LockState.OUT_OF_SERVICE}
_DETAILED_FLAGS = at.SeatFlag.PATH_BLOCKED | at.SeatFlag.ENABLED | at.SeatFlag.PART_UNACKED | at.SeatFlag.FAULT
_FEEDBACK_FAULTS = {
    at.Feedback.OPEN: at.SeatFault.LAMP_OPEN,
    at.Feedback.SHORT: at.SeatFault.LAMP_SHORT,
    at.Feedback.CURRENT_WHILE_OFF: at.SeatFault.LAMP_LIT_WHILE_OFF,
}
_FEEDBACK_MASK = sum(_FEEDBACK_FAULTS) | at.Feedback.LATCHED
_MARGIN: Micros = 50 * MILLISECOND  # for a unit's own measuring, after the lamp has settled
_MOST_UNPROVEN = 16  # in a row: a seat that moves all the time is not that quick

Substance = tuple[object, ...]


def _substance(seat: SeatPoll) -> Substance:
    """What of a seat has a story in its detail; not its current in milliamps, not a finger on a button."""
    return (
        seat.bet, seat.bet_credits, seat.loaded, seat.bets, seat.voided, seat.chips,
        seat.flags & _DETAILED_FLAGS, seat.feedback & _FEEDBACK_MASK,
    )  # fmt: skip


@dataclass(slots=True)
class _Seat:
    number: int
    poll: SeatPoll | None = None
    substance: Substance = ()
    detail: SeatDetail | None = None  # it counted
    claimed: SeatDetail | None = None  # it waits for its proof or for the next image
    proven: bool = False  # it was looked at again, and was so
    unproven: int = 0  # times in a row that it was not
    wanted: bool = True
    open: bool = True  # its detail may have moved since it was read, so nothing is reported yet
    again_at: Micros = 0  # though nothing moved
    bet_seq: int = 0
    bet_after: int | None = None  # the number of the last image without this bet
    lamp: at.LampDrive = at.LampDrive.OFF
    driven_at: Micros = 0
    settling: bool = False
    said: tuple[object, ...] = ()
    doubted: bool = False  # the last detail did not fit the image
    unbalanced: bool = False  # nor did a proven one, and that was reported

    @property
    def asked(self) -> bool:
        return self.wanted and self.claimed is None

    @property
    def to_prove(self) -> bool:
        return self.claimed is not None and not self.proven and (self.open or self.doubted)

    def claim(self, detail: SeatDetail | None) -> None:
        self.claimed, self.wanted, self.proven = detail, detail is None, False


class SeatReports:
    def __init__(self, settings: UnitSettings, device: DeviceKey, capabilities: int) -> None:
        self._settings = settings
        self._device = device
        self._light_fitted = bool(capabilities & at.Capability.LIGHT_SENSE)
        self._settle = settings.config.settle * MILLISECOND + _MARGIN
        count = settings.seats if settings.has_seats else 0
        self._seats = [_Seat(number) for number in range(1, count + 1)]
        self._seq: int | None = None
        self._said_seq: int | None = None
        self._alarms: list[Notice] = []
        self.went_back = False  # a total of an image that is newer is older: this memory cannot be compared any more

    @property
    def starting(self) -> bool:
        """Some seat's books must be read before anything is reported, so nothing else is as urgent."""
        return any(seat.open and (seat.asked or seat.to_prove) for seat in self._seats)

    @property
    def holding(self) -> bool:
        """This image cannot be reported yet."""
        return any(seat.open for seat in self._seats)

    @property
    def complete(self) -> bool:
        """The totals of every seat are known."""
        return all(seat.detail is not None for seat in self._seats)

    @property
    def reading(self) -> bool:
        return any(seat.asked or seat.to_prove for seat in self._seats)

    def pending(self) -> list[int]:
        """The numbers of bets that wait for the ledger."""
        return [seat.bet_seq for seat in self._seats if seat.poll is not None and seat.poll.bet == at.Bet.PENDING]

    @property
    def unsettled(self) -> bool:
        """The next image matters even if it is the same."""
        return any(seat.claimed or seat.settling for seat in self._seats)

    def image(self, poll: FastPoll, cashing: int, now: Micros) -> list[SeatSeen]:
        """All seats of one image together, so that they can be booked together. `cashing` is the seat that a payment
        is under way to."""
        moved = poll.seq != self._seq
        for seat, seen in zip(self._seats, poll.seats, strict=False):
            if moved and (seen.mode == at.SeatMode.CHIPS or seat.number == cashing):
                seat.open = seat.wanted = True
            self._seat_image(seat, seen, poll.seq, moved, now)
        self._seq = poll.seq
        return [] if self.went_back else self._to_say(poll, now)

    def _seat_image(self, seat: _Seat, seen: SeatPoll, seq: int, moved: bool, now: Micros) -> None:
        if seen != seat.poll:
            self._seat_changed(seat, seen, seq, now)
        if seat.claimed is not None and moved:
            seat.claim(None)
        elif seat.claimed is not None and not seat.to_prove:
            self._count(seat, seen, seat.claimed, seq)
        elif moved and len(self._seats) == 1:
            seat.wanted = True
        seat.poll = seen

    def _seat_changed(self, seat: _Seat, seen: SeatPoll, seq: int, now: Micros) -> None:
        substance = _substance(seen)
        if substance != seat.substance:
            seat.substance, seat.wanted = substance, True
        before = seat.poll
        self.went_back |= before is not None and _is_older(_moneys(seen), _moneys(before))
        if before is None or (seen.bet_credits, seen.bets, seen.chips) != (
            before.bet_credits,
            before.bets,
            before.chips,
        ):
            seat.bet_seq = seq
        if before is not None and (seen.bets, seen.chips) != (before.bets, before.chips):
            seat.bet_after = self._seq
        if before is None or seen.lamp != seat.lamp:
            seat.lamp, seat.driven_at = seen.lamp, now

    def _count(self, seat: _Seat, seen: SeatPoll, detail: SeatDetail, seq: int) -> None:
        wrong, old = imbalance(seen, detail), _is_of_an_older_bet(detail, seat.bet_after)
        unseen = not seat.open and _moved_unseen(detail, seat.detail)
        if unseen or (not seat.proven and (wrong or old)):
            seat.doubted, seat.open = True, seat.open or unseen
            seat.claim(None)
            return
        seat.claimed, seat.detail = None, detail
        seat.doubted = seat.open = False
        if not old and not newer(detail.bet_seq, seq):
            seat.bet_seq = detail.bet_seq
        if wrong and not seat.unbalanced:
            self._alarms.append(
                Notice(
                    unit=self._settings.number,
                    seat=self._settings.at_table(seat.number),
                    kind="accounting",
                    detail=f"balance {detail.balance} is {_signed(wrong)} off its totals",
                )
            )
        seat.unbalanced = bool(wrong)

    def _to_say(self, poll: FastPoll, now: Micros) -> list[SeatSeen]:
        if not self.complete or self.holding:
            return []
        said = []
        for seat in self._seats:
            seen = self._seen(seat, poll, now)
            substance = self._substance_of(seen)
            if substance != seat.said:
                seat.said = substance
                said.append(seen)
        if not said and self._seats and poll.seq != self._said_seq:
            said.append(self._seen(self._seats[0], poll, now))
        self._said_seq = poll.seq
        return [replace(seen, last=False) for seen in said[:-1]] + said[-1:]

    @staticmethod
    def _substance_of(seen: SeatSeen) -> tuple[object, ...]:
        return (
            seen.totals, seen.locked, seen.cut, seen.bet, seen.bet_credits, seen.bet_seq, seen.lamp, seen.enabled,
            seen.faults,
        )  # fmt: skip

    def _seen(self, seat: _Seat, image: FastPoll, now: Micros) -> SeatSeen:
        poll, detail = seat.poll, seat.detail
        assert poll is not None and detail is not None, "a seat is reported when it is known"
        return SeatSeen(
            unit=self._settings.number,
            seat=self._settings.at_table(seat.number),
            device=self._device,
            seq=image.seq,
            totals=totals_of(poll, detail),
            locked=image.lock in _LOCKED or poll.bet == at.Bet.RESTORED_DARK,
            cut=image.cut,
            bet=_BETS[poll.bet],
            bet_credits=poll.bet_credits,
            bet_seq=0 if poll.bet == at.Bet.NONE else seat.bet_seq,
            lamp=self._lamp(seat, poll, now),
            enabled=bool(poll.flags & at.SeatFlag.ENABLED),
            faults=_faults(poll, detail),
        )

    def _lamp(self, seat: _Seat, poll: SeatPoll, now: Micros) -> LampProof:
        settled = now - seat.driven_at >= self._settle
        lamp = lamp_seen(poll, light_fitted=self._light_fitted, settled=settled)
        seat.settling = lamp is LampProof.UNKNOWN and not settled
        return lamp

    # Details.

    def next_detail(self, now: Micros) -> int | None:
        """The seat whose detail should be read next; one that waits for its image is not asked again."""
        asked = [seat for seat in self._seats if seat.claimed is None and (seat.wanted or now >= seat.again_at)]
        return min(asked, key=lambda seat: not seat.open).number if asked else None

    def next_proof(self) -> int | None:
        """The seat whose detail should be looked at again."""
        return next((seat.number for seat in self._seats if seat.to_prove), None)

    def want(self, seats: frozenset[int]) -> None:
        """Numbers that are no seat's are the unit's own, 0, and a console's."""
        for seat in self._seats:
            seat.wanted = seat.wanted or seat.number in seats

    def wants(self, number: int) -> bool:
        return any(seat.number == number and (seat.wanted or seat.claimed is not None) for seat in self._seats)

    def latched(self, number: int) -> int:
        detail = self._seats[number - 1].detail
        return detail.latched if detail is not None else 0

    def detail(self, number: int, detail: SeatDetail, now: Micros) -> bool:
        """False: it is older than the one that counted."""
        seat = self._seats[number - 1]
        before = seat.detail
        if before is not None and _is_older((detail.cashed, detail.late), (before.cashed, before.late)):
            return False
        seat.claim(detail)
        seat.again_at = now + self._settings.detail_every
        return True

    def proof(self, number: int, words: WordList) -> bool:
        """The second look. False: again and again it shows something else, so that nothing of it can be believed."""
        seat = self._seats[number - 1]
        assert seat.claimed is not None, "what was read once is looked at again"
        books = seat.claimed.encode()[: at.DETAIL_BOOKS_WORDS]
        if words[: at.DETAIL_BOOKS_WORDS] == books:
            seat.proven, seat.unproven = True, 0
            return True
        seat.claim(None)  # one of the two was late, or the seat moved between them
        seat.unproven += 1
        return seat.unproven < _MOST_UNPROVEN

    def alarms(self) -> list[Notice]:
        """Books that do not add up, said once until they do again (2.3 S)."""
        alarms, self._alarms = self._alarms, []
        return alarms


def _moneys(seat: SeatPoll) -> tuple[int, ...]:
    return (seat.loaded, seat.bets, seat.voided, seat.chips)


def _is_of_an_older_bet(detail: SeatDetail, after: int | None) -> bool:
    return after is not None and not newer(detail.bet_seq, after)


def _moved_unseen(detail: SeatDetail, before: SeatDetail | None) -> bool:
    """What no image shows is not what it was."""
    return before is not None and (detail.cashed, detail.late) != (before.cashed, before.late)


def _is_older(ones: tuple[int, ...], others: tuple[int, ...]) -> bool:
    return any(newer(other, one) for one, other in zip(ones, others, strict=True))


def _faults(poll: SeatPoll, detail: SeatDetail) -> tuple[str, ...]:
    bits = detail.faults | detail.latched
    for feedback, fault in _FEEDBACK_FAULTS.items():
        if poll.feedback & feedback:
            bits |= fault
    names = tuple(fault.name.lower() for fault in at.SeatFault if bits & fault)
    return names or (("unnamed",) if poll.flags & at.SeatFlag.FAULT else ())


def _signed(value: int) -> int:
    return value - 2**32 if value >= 2**31 else value


_MODULUS = 2**32


def totals_of(seat: SeatPoll, detail: SeatDetail) -> Totals:
    """Late chips stay pieces: their whole history times the value of today would jump when that value changes."""
    return Totals(
        loaded=seat.loaded,
        cashed=detail.cashed,
        bets=seat.bets,
        voided=seat.voided,
        chips=seat.chips,
        late=detail.late,
    )


def imbalance(seat: SeatPoll, detail: SeatDetail) -> int:
    """0 when balance = loaded - cashed - bets + voided (2.3 S). Only an electronic seat has a balance."""
    if seat.mode != at.SeatMode.BUTTONS:
        return 0
    owed = seat.loaded - detail.cashed - seat.bets + seat.voided
    return (detail.balance - owed) % _MODULUS


_BROKEN = at.Feedback.OPEN | at.Feedback.SHORT | at.Feedback.CURRENT_WHILE_OFF | at.Feedback.LATCHED
_CURRENT_OR_LIGHT = at.Feedback.IN_WINDOW | at.Feedback.LIGHT_SEEN


def lamp_seen(seat: SeatPoll, *, light_fitted: bool, settled: bool) -> LampProof:
    if seat.lamp == at.LampDrive.FAULT or seat.feedback & _BROKEN:
        return LampProof.FAULT
    if seat.lamp == at.LampDrive.PENDING:
        return LampProof.BLINKING
    if seat.lamp == at.LampDrive.TEST or not seat.feedback & at.Feedback.MEASURED:
        return LampProof.UNKNOWN
    if _agrees(seat, at.Feedback.LIGHT_SEEN if light_fitted else at.Feedback.IN_WINDOW):
        return LampProof.LIT if seat.lamp == at.LampDrive.STEADY else LampProof.DARK
    return LampProof.FAULT if settled else LampProof.UNKNOWN


def _agrees(seat: SeatPoll, proof: at.Feedback) -> bool:
    if not seat.flags & at.SeatFlag.FEEDBACK_AGREES:
        return False
    if seat.lamp == at.LampDrive.STEADY:
        return bool(seat.flags & at.SeatFlag.LAMP_STEADY and seat.feedback & proof)
    return not seat.feedback & _CURRENT_OR_LIGHT
