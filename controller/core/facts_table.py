"""Facts of a table: its passes, its seats, the credits on them, the bets.

Theory: see facts.
"""

from controller.core.values import Device, FactRoot, Flow, Lamp, Refund, SealedBet, Tending


class PassOpened(FactRoot, frozen=True, tag="pass_opened"):
    table: str
    number: int
    by: str = ""


class DeviceTended(FactRoot, frozen=True, tag="device_tended"):
    """R-27: a person told devices something that moves no money: `what`, at which table and seat, or on which sign."""

    what: Tending
    by: str
    table: str = ""
    seat: int = 0
    sign: str = ""


class CreditsBought(FactRoot, frozen=True, tag="credits_bought"):
    table: str
    seat: int
    amount: int
    by: str


class CreditsCashed(FactRoot, frozen=True, tag="credits_cashed"):
    table: str
    seat: int
    amount: int
    by: str


class CreditsLeft(FactRoot, frozen=True, tag="credits_left"):
    table: str
    seat: int
    amount: int
    by: str
    lapsed: int = 0
    pot: str = ""
    casino: str = ""


class LeftPaid(FactRoot, frozen=True, tag="left_paid"):
    table: str
    amount: int
    by: str


class OwedPaid(FactRoot, frozen=True, tag="owed_paid"):
    table: str
    seat: int
    amount: int
    by: str


class DeviceAdopted(FactRoot, frozen=True, tag="device_adopted"):
    """A seat unit seen for the first time, or another one than before: its totals are where counting starts."""

    table: str
    seat: int
    device: Device


class BetMade(FactRoot, frozen=True, tag="bet_made"):
    """R-1, R-4: a device made a bet; `promo` of it from promotional credits."""

    table: str
    number: int
    seat: int
    amount: int
    device: Device
    promo: int = 0


class BetRefused(FactRoot, frozen=True, tag="bet_refused"):
    """R-5: what a device took and the rules refuse; the device is told to give it back."""

    table: str
    number: int
    seat: int
    credits: int
    reason: str
    device: Device


class ChipsFell(FactRoot, frozen=True, tag="chips_fell"):
    """R-4: chips of a slot: how much the bet grew, and what is now owed back, signed; `counted` of them fell in time,
    and count towards the bet when more follow."""

    table: str
    number: int
    seat: int
    amount: int
    bet: int
    owed: int
    device: Device
    counted: int = 0


class DeviceVoided(FactRoot, frozen=True, tag="device_voided"):
    """A device gave credits back, as it was told, or because nobody confirmed the bet in time."""

    table: str
    number: int
    seat: int
    credits: int
    device: Device
    refund: Refund | None = None


class DeviceSeen(FactRoot, frozen=True, tag="device_seen"):
    """Totals moved on in a way that moves no money."""

    table: str
    seat: int
    device: Device


class LampChanged(FactRoot, frozen=True, tag="lamp_changed"):
    """R-6: lit, or failed; a failure while betting is open returns the bet, with the seal where the table is locked."""

    table: str
    number: int
    seat: int
    lamp: Lamp
    locked: bool = False
    refund: Refund | None = None
    before_lock: bool = False


class SeatClosed(FactRoot, frozen=True, tag="seat_closed"):
    """At once, or after the pass where a valid bet still stands (R-6)."""

    table: str
    seat: int
    reason: str
    after_pass: bool = False
    refund: Refund | None = None
    by: str = ""


class SeatOpened(FactRoot, frozen=True, tag="seat_opened"):
    table: str
    seat: int
    by: str


class SeatCounted(FactRoot, frozen=True, tag="seat_counted"):
    """What was found differs from the book: the difference stands in suspense until two persons clear it."""

    table: str
    seat: int
    found: int
    booked: int
    by: str
    second: str


class Locked(FactRoot, frozen=True, tag="locked"):
    """R-5: no bet is made any more; seats are still to be proven locked."""

    table: str
    number: int
    by: str = ""


class SeatProven(FactRoot, frozen=True, tag="seat_proven"):
    """A seat read back locked, and at which of its events."""

    table: str
    number: int
    seat: int
    cut: int


class PassSealed(FactRoot, frozen=True, tag="pass_sealed"):
    """Every seat proven: the valid bets and what each gave (R-22, R-23), the bets whose lamp was never lit (R-6),
    the carries afterwards, and the hash of all of it that draws depend on (R-30)."""

    table: str
    number: int
    pot: str
    casino: str
    bets: tuple[SealedBet, ...]
    flow: Flow
    commission_carry: int
    reserve_carries: tuple[int, ...]
    closed: str
    draws: tuple[str, ...] = ()
    returned: tuple[Refund, ...] = ()


class HandsVoided(FactRoot, frozen=True, tag="hands_voided"):
    """R-25: a void hand or a void pass: what goes back to the seats, and what that takes from whom."""

    table: str
    number: int
    pot: str
    casino: str
    whole_pass: bool
    refunds: tuple[Refund, ...]
    reason: str
    by: str
    sealed: bool = False
    flow: Flow = Flow()
    commission_carry: int = 0
    reserve_carries: tuple[int, ...] = ()


class PassClosed(FactRoot, frozen=True, tag="pass_closed"):
    table: str
    number: int
    by: str = ""
