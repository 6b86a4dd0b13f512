"""What one device should be sent now, of what the core knows and what the device last said (devices.md 2.4-2.6).

Theory. Desired state, compared with what was read; only news is sent. The order of what matters: nothing is
acknowledged while the acknowledgement could light a bet that the core does not have (R-6), so such a bet is given back
first; nothing opens while something of the last round is unsettled, because a new round would wipe it out; credits are
moved by targets made of readings that the books have in full, so each is moved once.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from controller.core.state import Table
from controller.core.values import Phase
from controller.node.floor.memory import OpenUnits
from controller.node.floor.seats import STANDING, VOIDABLE, SeatContext
from controller.node.floor.units import WORD, Outbox, Unit
from controller.node.vocabulary import commands as to
from drivers.line.numbers import newer
from drivers.model import BetSeen, DeviceKey, Down, LampProof
from drivers.session import Micros

VOIDED_BY_THE_BOOKS = 1  # the reason in a unit's ring; the record has the real one
MOST_UNACKNOWLEDGED = 6  # events; half of a unit's ring


class DeviceContext(NamedTuple):
    """One device with all that concerns it."""

    unit: Unit
    table: Table | None
    seats: Sequence[SeatContext]  # of the table; a unit may have more
    open_units: OpenUnits

    @property
    def outbox(self) -> Outbox:
        return self.unit.outbox

    @property
    def key(self) -> DeviceKey | None:
        return self.unit.device


def wishes(device: DeviceContext, now: Micros) -> Iterator[to.Wish]:
    """In the order in which they are given."""
    if device.unit.is_counter:
        yield from _count(device)
        return
    yield from _lock(device, now)
    if not device.unit.up:
        yield from _known_before(device)
        yield from _hand_over(device)
        yield from _take_anew(device)
        return
    yield from _believe_again(device)
    for at in device.seats:
        yield from _give_back(device, at, now)
    yield from _give_back_nobodys(device, now)
    yield from _acknowledge(device)
    yield from _reconcile(device)
    yield from _unlock(device, now)
    for at in device.seats:
        yield from _seat(device, at, now)


# Locks


def _hand_over(device: DeviceContext) -> Iterator[to.Wish]:
    """R-26: bets of a hand that is over do not keep a unit from its new configuration."""
    refused = device.unit.reason is Down.CONFIG_REFUSED
    between = device.table is not None and device.table.phase is Phase.BETWEEN
    if refused and between and not device.outbox.hand_over:
        device.outbox.hand_over = True
        yield to.Wish(device.unit.key, to.HandOver())


def _round(device: DeviceContext) -> int | None:
    """The round that the unit should be open in; `None`: locked."""
    table, unit = device.table, device.unit
    if table is None or table.phase is not Phase.OPEN or not device.open_units.may(unit.key):
        return None
    if not unit.up and not unit.may_go_on:
        return None
    if not all(at.is_on_its_plan for at in device.seats):
        return None  # nothing is bet in credits of another plan
    return device.open_units.round


def _lock(device: DeviceContext, now: Micros) -> Iterator[to.Wish]:
    """Also before it opens in another round: what is pressed meanwhile belongs to neither."""
    if device.outbox.round is not None and device.outbox.round != _round(device):
        device.outbox.locks(now)
        yield to.Wish(device.unit.key, to.LockUnit())


def _unlock(device: DeviceContext, now: Micros) -> Iterator[to.Wish]:
    wanted = _round(device)
    if wanted is None or wanted == device.outbox.round or not _is_shut(device, now) or _is_held(device):
        return
    if _has_bet_of_another_round(device, wanted):
        return
    device.outbox.opens(wanted)
    yield to.Wish(device.unit.key, to.UnlockUnit(wanted))


def _is_shut(device: DeviceContext, now: Micros) -> bool:
    """A round begins on a unit that was read back locked, by what it said after it was locked."""
    if not device.unit.place.seats:
        return True  # a console
    return now >= device.outbox.shut_from and all(seen.locked for seen in device.unit.seats.values())


def _has_bet_of_another_round(device: DeviceContext, wanted: int) -> bool:
    """A bet was pressed in the last round's last moment and counts in this pass: the new round would wipe it out. One
    that another process opened is believed to be of this round."""
    if device.outbox.opened_in in {None, wanted}:
        return False
    mine = (at for at in device.seats if at.seen is not None and at.seen.bet in VOIDABLE)
    return any(at.seat.bet or at.seat.slot for at in mine)


def _is_held(device: DeviceContext) -> bool:
    """Something of before is unsettled: a new round would clear it, and the player would be short of it; or a lamp is
    being tested, and its fault not cleared yet."""
    if not device.unit.seats and not device.seats:
        return False  # a console
    return not device.unit.is_whole or any(not at.is_settled or at.owes_back or at.is_mending for at in device.seats)


# What is booked


def _acknowledge(device: DeviceContext) -> Iterator[to.Wish]:
    """devices.md 2.1.3: the newest image, when the books have all of it and no bet of it is unknown to them."""
    unit, outbox = device.unit, device.outbox
    if device.key is None or not unit.is_whole:
        return
    seq = unit.seq
    if unit.place.seats:
        if any(not at.is_settled for at in device.seats) or _has_unknown_bet(device):
            return
    elif unit.console is not None:
        seq = unit.console.seq
    else:
        return
    if outbox.acked != (device.key, seq) and not _may_wait(device, seq):
        outbox.acked = (device.key, seq)
        yield to.Wish(unit.key, to.Acknowledge(device.key, seq))


def _may_wait(device: DeviceContext, seq: int) -> bool:
    """While bets are taken or proven, an acknowledgement that no lamp waits for would take the line from the others'
    presses and proofs: it comes when the pass is sealed. Not many of them, or the unit's ring would overflow."""
    unit, table, acked = device.unit, device.table, device.outbox.acked
    busy = table is not None and table.phase in {Phase.OPEN, Phase.LOCKING} and device.open_units.was_open(unit.key)
    if not busy or not unit.keeps_credits or acked is None or acked[0] != device.key:
        return False
    if (seq - acked[1]) % WORD >= MOST_UNACKNOWLEDGED:
        return False
    bets = [seen for seen in unit.seats.values() if seen.bet is not BetSeen.NONE]
    return not any(seen.bet is BetSeen.PENDING or newer(seen.bet_seq, acked[1]) for seen in bets)


def _has_unknown_bet(device: DeviceContext) -> bool:
    held = {at.seat.number for at in device.seats if at.held}
    return any(seen.bet is BetSeen.PENDING and seen.seat not in held for seen in device.unit.seats.values())


def _known_before(device: DeviceContext) -> Iterator[to.Wish]:
    """What the books know of a unit before it is met: so a memory that went back shows at once. Only the oldest of its
    seats' numbers, and only where nothing waits to be given back, which the unit may still think pending."""
    unit, outbox, devices = device.unit, device.outbox, [at.seat.device for at in device.seats]
    if outbox.acked is not None or unit.is_slot or not unit.is_native or unit.device is not None or not devices:
        return
    keys = {DeviceKey(device.serial, device.epoch) if device is not None else None for device in devices}
    key = keys.pop()
    if keys or key is None or len(devices) != len(unit.place.seats) or any(at.seat.giving_back for at in device.seats):
        return
    seqs = [device.seq for device in devices if device is not None]
    oldest = seqs[0]
    for seq in seqs[1:]:
        oldest = oldest if newer(seq, oldest) else seq
    outbox.acked = (key, oldest)
    yield to.Wish(unit.key, to.Acknowledge(key, oldest))


def _reconcile(device: DeviceContext) -> Iterator[to.Wish]:
    """devices.md 2.6: another memory, which the books have adopted and a person has looked at."""
    key, outbox = device.key, device.outbox
    if key is None or outbox.reconciled == key or not device.seats or not device.unit.is_native:
        return  # the others ask for no such word
    if all(at.is_known for at in device.seats) and not all(at.closed for at in device.seats):
        outbox.reconciled = key
        yield to.Wish(device.unit.key, to.Reconcile(key))


def _take_anew(device: DeviceContext) -> Iterator[to.Wish]:
    """R-37: a memory that went back comes back when nothing of it is on record: every seat was counted. What has no
    seats has nothing to count."""
    unit, outbox = device.unit, device.outbox
    if unit.reason is not Down.FORGOT or outbox.taken_anew or (unit.place.seats and not device.seats):
        return
    if all(at.seat.device is None and not at.seat.doubted for at in device.seats):
        outbox.taken_anew = True
        yield to.Wish(unit.key, to.TakeAnew())


def _believe_again(device: DeviceContext) -> Iterator[to.Wish]:
    """R-37: what its driver heard and could not be was counted by two; said until the seat says so no more."""
    lying = [at for at in device.seats if at.is_disbelieved]
    if lying and all(at.seat.device is None and not at.seat.doubted for at in lying):
        yield to.Wish(device.unit.key, to.TakeAnew())


# Bets that are none


def _give_back(device: DeviceContext, at: SeatContext, now: Micros) -> Iterator[to.Wish]:
    seen = at.seen
    if seen is None or not at.is_booked:
        return
    if at.owes_back or (device.unit.is_slot and _is_lit_for_nothing(device, at)):
        yield from device.outbox.send(to.VoidBet(at.seat.number, seen.bet_seq, VOIDED_BY_THE_BOOKS), now)


def _is_lit_for_nothing(device: DeviceContext, at: SeatContext) -> bool:
    """R-4, R-6: a slot shows a bet that the books do not have; its chips are owed and handed back by the croupier. Too
    few chips for a bet wait for more of them while betting is open."""
    seen, seat, phase = at.seen, at.seat, at.table.phase
    if seen is None or at.held or seen.bet not in VOIDABLE:
        return False
    if seen.bet is BetSeen.PENDING:
        return not (phase is Phase.OPEN and seat.slot)
    return phase is not Phase.BETWEEN and not _is_to_be_cleared(device)


def _is_to_be_cleared(device: DeviceContext) -> bool:
    """The bet is one of the last round, and the unlock that clears it is under way."""
    return device.open_units.may(device.unit.key) and not device.open_units.was_open(device.unit.key)


def _give_back_nobodys(device: DeviceContext, now: Micros) -> Iterator[to.Wish]:
    """A bet at a seat that the table does not have holds up all the others."""
    known = {at.seat.number for at in device.seats}
    for seen in device.unit.seats.values():
        if seen.seat not in known and seen.bet is BetSeen.PENDING:
            yield from device.outbox.send(to.VoidBet(seen.seat, seen.bet_seq, VOIDED_BY_THE_BOOKS), now)


# A seat


def _seat(device: DeviceContext, at: SeatContext, now: Micros) -> Iterator[to.Wish]:
    if at.seen is None or not at.is_known:
        return
    yield from _seating(device, at, now)
    yield from _relight(device, at, now)
    yield from _credits(device, at, now)


def _seating(device: DeviceContext, at: SeatContext, now: Micros) -> Iterator[to.Wish]:
    """R-6: a closed seat takes no bet. One with a bet that stands is not touched: disabled, its lamp would go out."""
    seat, seen, outbox = at.seat, at.seen, device.outbox
    assert seen is not None, "its unit reported it"
    wanted = not at.closed and not _shows_an_old_bet(device, at)
    before, outbox.enabled[seat.number] = outbox.enabled.get(seat.number, seen.enabled), wanted
    if before != wanted:
        yield from outbox.send(to.EnableSeat(seat.number) if wanted else to.DisableSeat(seat.number), now)


def _shows_an_old_bet(device: DeviceContext, at: SeatContext) -> bool:
    """R-2: a lamp that is lit says that there is a bet in this pass; that of a unit which missed the end of its own
    would lie."""
    seat, seen, phase = at.seat, at.seen, at.table.phase
    assert seen is not None, "its unit reported it"
    if phase is Phase.BETWEEN or device.unit.is_slot or seat.bet or seat.giving_back or not at.is_booked:
        return False
    return seen.bet in STANDING and not _is_to_be_cleared(device)


def _relight(device: DeviceContext, at: SeatContext, now: Micros) -> Iterator[to.Wish]:
    """devices.md 2.6: it stood when the power went, and the books still have it."""
    seen = at.seen
    assert seen is not None, "its unit reported it"
    if seen.bet is BetSeen.RESTORED and at.held and at.is_booked and seen.lamp is not LampProof.FAULT:
        yield from device.outbox.send(to.Relight(at.seat.number), now)


def _credits(device: DeviceContext, at: SeatContext, now: Micros) -> Iterator[to.Wish]:
    """R-2: what the player has, on his seat's counter."""
    seat, seen = at.seat, at.seen
    assert seen is not None, "its unit reported it"
    if not device.unit.keeps_credits or not at.is_booked or at.owes_back or not at.is_on_its_plan:
        return
    if at.seat.doubted or at.impossible is not None:
        return  # nothing is put right before two persons have looked
    totals = seen.totals
    on_unit = (totals.loaded - totals.cashed - totals.bets + totals.voided) % WORD
    wanted = seat.credits // at.value + seat.promo // at.value
    if on_unit >= WORD // 2 or on_unit == wanted or (at.closed and wanted):
        return  # its books do not add up, or nothing is to be done, or a person counts first
    if wanted > on_unit:
        target = (totals.loaded + wanted - on_unit) % WORD
        yield from device.outbox.send(to.LoadCredits(seat.number, totals.loaded, target), now)
    elif seen.bet is not BetSeen.PENDING:
        target = (totals.cashed + on_unit - wanted) % WORD
        yield from device.outbox.send(to.CashCredits(seat.number, totals.cashed, target), now)


# A table counter


def _count(device: DeviceContext) -> Iterator[to.Wish]:
    table, outbox = device.table, device.outbox
    bets = 0 if table is None else sum(at.seat.bet // at.value for at in device.seats)
    if device.unit.up and outbox.shown != bets:
        outbox.shown = bets
        yield to.Wish(device.unit.key, to.ShowCount(bets))
