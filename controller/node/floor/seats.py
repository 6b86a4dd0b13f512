"""What the core should hear of a seat now: the difference between what its unit last said and what the core knows.

Theory. Level-triggered: nothing is remembered of what was said before, so an answer that never came, a process that
died and a report that came twice all end the same way. One input for a seat at a time, each of which changes
something; the engine asks again until there is none. Three rules. Totals are compared, not event numbers: a lock event
is no fact. While a table is locking, what may be a bet is reported only with proof that it came before the lock (R-5).
A seat whose unit cannot be trusted is closed, not waited for (R-6). A lamp that is dark at the lock holds the proof of
its seat back until it is lit again, or has failed while betting was open.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from controller.core.inputs import CloseSeat, Input, LampSeen, SeatReport
from controller.core.state import Seat, Table
from controller.core.values import TRAINING, Bounds, Device, Lamp, Phase
from controller.node.floor.units import WORD, Unit
from controller.node.floor.words import NO_UNIT, OTHER_PLAN, UNBALANCED, UNPROVEN, why_down
from controller.rules.belief import Disbelief, stands_beyond
from controller.rules.bets import Limits
from drivers.line.numbers import newer
from drivers.model import DISBELIEVED, BetSeen, Down, SeatSeen
from drivers.model import LampProof as Light
from drivers.session import Micros

STANDING = frozenset({BetSeen.CONFIRMED, BetSeen.SEALED})
VOIDABLE = STANDING | {BetSeen.PENDING, BetSeen.RESTORED}


class Patience(NamedTuple):
    """How long what is waited for is waited for."""

    silent: Micros
    lamp: Micros

    @property
    def proof(self) -> Micros:
        return self.silent + self.lamp


@dataclass(frozen=True)
class SeatContext:
    """One seat at one moment: what the core knows of it, and what its unit says. What is asked often is worked out
    once; a player waits for it."""

    table: Table
    seat: Seat
    limits: Limits  # of the plan in force
    unit: Unit | None = None
    is_mending: bool = False  # a technician has its lamp tested and its fault cleared
    unlit: Micros = 0  # for how long its lamp is not lit
    dark_before: bool = False  # and was so when its table came into this phase
    closed: str = ""  # why, if it is; training opens no seat that is closed in live play

    @property
    def value(self) -> int:
        """Of one credit."""
        return self.limits.credit_value

    @property
    def is_on_its_plan(self) -> bool:
        return self.unit is None or self.unit.is_made_for(self.limits)

    @property
    def name(self) -> str:
        """As inputs call the table, also while it trains."""
        return self.table.name.removeprefix(TRAINING)

    @cached_property
    def seen(self) -> SeatSeen | None:
        unit = self.unit
        return unit.seats.get(self.seat.number) if unit is not None and unit.up else None

    @cached_property
    def device(self) -> Device | None:
        """What the unit says of itself, as a report says it. What a slot voided is no credit of anybody's: the croupier
        hands the chips back, so that total stands still in the books."""
        seen, known, unit = self.seen, self.seat.device, self.unit
        if seen is None or unit is None:
            return None
        key, totals = seen.device, seen.totals
        same = known is not None and (known.serial, known.epoch) == (key.serial, key.epoch)
        voided = known.voided if unit.is_slot and known is not None and same else totals.voided
        return Device(
            key.serial, key.epoch, seen.seq, totals.bets, voided, totals.chips, totals.late,
            unit.late_worth_at(self.value) or unit.late_worth,
        )  # fmt: skip

    @cached_property
    def is_known(self) -> bool:
        """The same memory as the core's."""
        said, known = self.device, self.seat.device
        return said is not None and known is not None and (said.serial, said.epoch) == (known.serial, known.epoch)

    @cached_property
    def is_booked(self) -> bool:
        """What the unit counted is in the books, all of it."""
        said, known = self.device, self.seat.device
        if said is None or known is None or not self.is_known:
            return False
        return _money(said) == _money(known)

    @property
    def knows_more(self) -> bool:
        """R-37: a press that stays was acknowledged, and a slot that is first seen between passes counted its chips
        in one that was open. So some record had what this one does not: it was put back, or the unit was elsewhere."""
        said, known, seen, unit = self.device, self.seat.device, self.seen, self.unit
        if said is None or known is None or seen is None or unit is None or not self.is_known:
            return False
        if unit.is_slot:
            is_over = self.table.phase in {Phase.BETWEEN, Phase.SEALED} and not self.seat.out_of_play
            waited = is_over and self.seat.number not in unit.agreed
        else:
            waited = seen.bet is not BetSeen.PENDING
        return waited and stands_beyond(known.image, said.image)

    @property
    def impossible(self) -> Disbelief | None:
        """R-37: what two images say that cannot both be."""
        return self.unit.images.impossible.get(self.seat.number) if self.unit is not None else None

    @property
    def is_settled(self) -> bool:
        """Nothing of it waits for the books: they have it, or it is not believed, and persons count first (R-37)."""
        return self.is_booked or (self.seat.doubted and self.is_known)

    @cached_property
    def bounds(self) -> Bounds | None:
        """R-37: what the unit can be, and ever was since it was counted."""
        known, unit = self.seat.bounds, self.unit
        return known if unit is None else unit.bounds_at(self.seat.number).wider(known)

    @property
    def is_below_nothing(self) -> bool:
        """R-37: no unit has bet or paid out more than it ever had. It refuses every press, and every load."""
        if self.seen is None or self.unit is None or not self.unit.keeps_credits:
            return False
        totals = self.seen.totals
        return (totals.loaded - totals.cashed - totals.bets + totals.voided) % WORD >= WORD // 2

    @property
    def is_disbelieved(self) -> bool:
        """R-37: its driver saw it say what cannot be; a foreign device has no image for the core to judge."""
        return self.seen is not None and DISBELIEVED in self.seen.faults

    @property
    def still_holds(self) -> int:
        """Credits of a bet that the books gave back and that the unit still shows: it has one bet at a time."""
        seen, seat = self.seen, self.seat
        assert seen is not None, "its unit reported it"
        return seen.bet_credits if seen.bet in VOIDABLE and not seat.bet else 0

    @property
    def has_chips_of_nobody(self) -> bool:
        """A slot that is seen for the first time, also after training, with chips that wait to be booked: its totals
        are a baseline, so they never are; nothing lights them, and they are handed back."""
        seen = self.seen
        if self.unit is None or not self.unit.is_slot or self.seat.device is not None:
            return False
        return seen is not None and seen.bet is BetSeen.PENDING

    @property
    def held(self) -> bool:
        """The bet that stands on the unit is the bet of the core."""
        seen, seat = self.seen, self.seat
        if seen is None or self.unit is None or seen.bet not in VOIDABLE or not seat.bet:
            return False
        if self.unit.is_slot:
            return bool(seat.slot)
        return not seat.slot and seat.bet == seen.bet_credits * self.value

    @property
    def shows_nobodys_bet(self) -> bool:
        """R-6: it says that a bet stands, in the books is none, and its totals are those of the books."""
        seen, unit = self.seen, self.unit
        if seen is None or unit is None or not unit.is_native or seen.bet is not BetSeen.CONFIRMED:
            return False
        return not self.seat.bet and not self.seat.giving_back and self.is_booked

    @property
    def has_sealed_bet(self) -> bool:
        """The bet of this pass stands on a unit that was locked with it, in this pass or by a power cut (2.4)."""
        seen, unit = self.seen, self.unit
        if self.table.phase is not Phase.OPEN or unit is None or not unit.is_native or seen is None:
            return False
        return seen.bet in {BetSeen.SEALED, BetSeen.RESTORED} and self.held

    @property
    def is_shut(self) -> bool:
        """R-5: proven locked. A unit that still waits for its bet to be booked shows that bet with a number from before
        its last lock: had it opened since, the bet would be none."""
        seen, unit = self.seen, self.unit
        if seen is None or unit is None:
            return False
        waits = seen.bet is BetSeen.PENDING or (unit.is_native and unit.is_slot and seen.bet is BetSeen.CONFIRMED)
        return seen.locked or (waits and not newer(seen.bet_seq, seen.cut))

    @property
    def was_dark_at_the_lock(self) -> bool:
        """R-6: the lamp of a bet that was lit was not lit when the table was locked, and is not since."""
        if self.unit is None or self.unit.place.lamps_seen_by_croupier or self.table.phase is not Phase.LOCKING:
            return False
        has_lit_bet = bool(self.seat.bet) and self.seat.lamp is Lamp.LIT and not self.seat.out_of_play
        return has_lit_bet and self.dark_before

    @property
    def owes_back(self) -> bool:
        """R-25: credits of a bet that the core gave back still lie in the bet of this electronic unit."""
        seen, seat = self.seen, self.seat
        if seen is None or self.unit is None or self.unit.is_slot or seen.bet not in VOIDABLE or seat.bet:
            return False
        return self.is_booked and 0 < seen.bet_credits <= seat.giving_back


def _money(device: Device) -> tuple[int, int, int, int]:
    return device.bets, device.voided, device.chips, device.late


def ask(at: SeatContext, locking: Micros, now: Micros, patience: Patience) -> Input | None:
    """The next thing the core should hear. `locking`: since when the table is in this phase."""
    seat, unit = at.seat, at.unit
    if unit is None:
        return _close(at, NO_UNIT) if seat.device is not None else None
    since_lock = now - locking
    if not unit.up:
        if _has_forgotten(at):
            return _failed_before_the_lock(at) if at.was_dark_at_the_lock else _forgot(at)
        silent = unit.down_since is not None and now - unit.down_since >= patience.silent
        if not silent or seat.device is None:
            return None
        return _failed_before_the_lock(at) if at.was_dark_at_the_lock else _close(at, why_down(unit.reason))
    if at.seen is None:
        return None
    if at.is_disbelieved:
        return _not_believed(at)
    return _of_totals(at) or _of_lock(at, since_lock, patience) or _of_lamp(at, since_lock, patience)


def _has_forgotten(at: SeatContext) -> bool:
    """R-37: its memory went back, and what is on record of it was not counted since."""
    return at.unit is not None and at.unit.reason is Down.FORGOT and at.seat.device is not None and not at.seat.doubted


def _not_believed(at: SeatContext) -> Input | None:
    """Until two persons have counted the seat and the device is taken anew, nothing else it says is heard."""
    if at.seat.device is None or at.seat.doubted:
        return None
    return _failed_before_the_lock(at) if at.was_dark_at_the_lock else _forgot(at)


def _forgot(at: SeatContext) -> Input:
    assert at.seat.device is not None, "nobody forgets what was never known"
    return SeatReport(at.name, at.seat.number, at.seat.device, forgot=True)


def _close(at: SeatContext, reason: str) -> Input | None:
    return None if at.seat.out_of_play else CloseSeat(at.name, at.seat.number, reason)


def _of_totals(at: SeatContext) -> Input | None:
    """devices.md 2.1: what was counted, and by which memory."""
    seen, said, known = at.seen, at.device, at.seat.device
    assert seen is not None and said is not None and at.unit is not None, "its unit reported it"
    if known is None or not at.is_known:
        # A bet that is not booked would be a baseline; an electronic unit gives it back by itself in a moment.
        unsettled = seen.bet is BetSeen.PENDING and not at.unit.is_slot
        return None if unsettled else _report(at, said)
    if at.seat.doubted:
        return None  # until it is counted
    if at.impossible is not None:
        return _report(at, said)
    if newer(known.seq, said.seq):
        return _report(at, said)  # a memory that went back, also to equal totals
    if at.is_booked:
        return _of_memory(at, known)
    if at.knows_more or said.seq == known.seq:
        return _report(at, said)  # a record that went back while its unit did not, or equal numbers
    if not _has_a_value(at, said, known):
        gives_back = seen.bet is BetSeen.PENDING and not at.unit.is_slot  # by itself, in a moment
        return None if gives_back else _close(at, OTHER_PLAN)
    if at.table.phase is Phase.LOCKING and (said.bets, said.chips) != (known.bets, known.chips) and not at.is_shut:
        return None
    return _report(at, said)


def _of_memory(at: SeatContext, known: Device) -> Input | None:
    """What the books should know of a unit beside its totals: what it can be (R-37), and that it has given back what
    they still wait for."""
    assert at.unit is not None, "it said something"
    if at.is_below_nothing:
        return _close(at, UNBALANCED)
    if at.bounds != at.seat.bounds:
        return _report(at, known)
    if not at.unit.is_slot and at.seat.giving_back > at.still_holds:
        return _report(at, known, at.still_holds)
    return None


def _has_a_value(at: SeatContext, said: Device, known: Device) -> bool:
    """R-26: what a unit of another plan counted is not booked in the credits of this one, but for chips that fell late:
    what a late one is worth is said with it, where that is a whole number of credits. Where nothing stands, because
    what was pressed was given back, no credit is worth anything, and nobody has to count."""
    if at.is_on_its_plan or _stands_nothing(at, said, known):
        return True
    moved = (said.bets, said.voided, said.chips) != (known.bets, known.voided, known.chips)
    assert at.unit is not None, "it said something"
    return not moved and at.unit.late_worth_at(at.value) is not None


def _stands_nothing(at: SeatContext, said: Device, known: Device) -> bool:
    bets, voided = (said.bets - known.bets) % WORD, (said.voided - known.voided) % WORD
    if at.seat.bet or (said.chips, said.late) != (known.chips, known.late):
        return False
    return bets <= voided <= bets + at.seat.giving_back


def _report(at: SeatContext, device: Device, holds: int | None = None) -> SeatReport:
    seen, known = at.seen, at.seat.device
    assert seen is not None, "its unit reported it"
    grew = known is not None and (device.bets, device.chips) != (known.bets, known.chips)
    shut = at.is_shut and (grew or not at.was_dark_at_the_lock)  # what may be a bet is not reported without its proof
    return SeatReport(
        at.name, at.seat.number, device, shut, seen.cut, seen.bet_seq, at.bounds, holds, at.knows_more,
        impossible=at.impossible,
    )  # fmt: skip


def _of_lock(at: SeatContext, locking: Micros, patience: Patience) -> Input | None:
    """R-5: read back locked; what does not prove it in time is out."""
    seat = at.seat
    if at.table.phase is not Phase.LOCKING or seat.proven or seat.out_of_play or seat.device is None:
        return None
    if at.is_booked and at.is_shut:
        return None if at.was_dark_at_the_lock else _report(at, seat.device)
    return _close(at, UNPROVEN) if locking >= patience.proof else None


def _of_lamp(at: SeatContext, locking: Micros, patience: Patience) -> Input | None:
    """R-6: seen lit, seen broken, gone out while betting is open, or not seen in time after the lock."""
    seat, seen = at.seat, at.seen
    assert seen is not None and at.unit is not None, "its unit reported it"
    if seat.out_of_play:
        return None
    if seen.lamp is Light.FAULT and at.is_mending and seen.locked and not seat.bet:
        return None
    if at.was_dark_at_the_lock and (seen.lamp is Light.FAULT or _went_out(at, patience)):
        return _failed_before_the_lock(at)
    if seen.lamp is Light.FAULT:
        return _seen(at, Lamp.FAULT)
    if at.table.phase is Phase.OPEN and _went_out(at, patience):
        return _seen(at, Lamp.FAULT)
    if not seat.bet or seat.lamp is not Lamp.DARK or not at.is_booked:
        return None
    lit = seen.lamp is Light.LIT or at.unit.place.lamps_seen_by_croupier
    if lit and at.held and seen.bet in STANDING:
        return _seen(at, Lamp.LIT)
    late = at.table.phase is Phase.LOCKING and locking >= patience.lamp
    return _seen(at, Lamp.FAULT) if late else None


def _failed_before_the_lock(at: SeatContext) -> LampSeen:
    return _seen(at, Lamp.FAULT, before_lock=True)


def _seen(at: SeatContext, lamp: Lamp, *, before_lock: bool = False) -> LampSeen:
    """R-6: and who saw it; a croupier's lock attests what he saw."""
    eyes = at.unit is not None and at.unit.place.lamps_seen_by_croupier
    return LampSeen(at.name, at.seat.number, lamp, before_lock, "croupier" if eyes else "sensor")


def _went_out(at: SeatContext, patience: Patience) -> bool:
    """A bet that was lit and is not any more. The lamp of one that a unit remembers after a power cut is lit anew, one
    after the other; that takes longer, and may be refused."""
    seat, seen, unit = at.seat, at.seen, at.unit
    assert seen is not None and unit is not None, "its unit reported it"
    if not seat.bet or seat.lamp is not Lamp.LIT or not at.is_booked or unit.place.lamps_seen_by_croupier:
        return False
    if seen.bet is BetSeen.RESTORED:
        return seat.number in unit.not_relit or at.unlit >= patience.proof
    return at.unlit >= patience.lamp
