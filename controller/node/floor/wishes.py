"""What one device should be told now, of what the core knows and what the device last said (devices.md 2.4-2.6).

Theory. Desired state, compared with what was read; only what is news is told. The order of what matters: nothing is
acknowledged while the acknowledgement could light a bet that the core does not have (R-6), so such a bet is given back
first; nothing opens while something of the last round is unsettled, because a new round would wipe it out; credits are
moved by targets made of readings that the books have in full, so each is moved once.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from controller.core.state import Table
from controller.core.values import Phase
from controller.node.floor.opening import Opening
from controller.node.floor.orders import Told
from controller.node.floor.seats import STANDING, VOIDABLE, At
from controller.node.floor.units import WORD, Unit
from controller.node.vocabulary.wishes import Verb, Wish
from drivers.line.numbers import newer
from drivers.model import BetSeen, DeviceKey, Down, LampSeen
from drivers.session import Micros

VOIDED_BY_THE_BOOKS = 1  # the reason in a unit's ring; the record has the real one
MOST_UNACKNOWLEDGED = 6  # events; half of a unit's ring


class Place(NamedTuple):
    """One device with all that concerns it."""

    unit: Unit
    told: Told
    table: Table | None
    seats: Sequence[At]  # of the table; a unit may have more
    opening: Opening

    @property
    def key(self) -> DeviceKey | None:
        return self.unit.device


def wishes(place: Place, now: Micros) -> Iterator[Wish]:
    """In the order in which they are given."""
    if place.unit.is_counter:
        yield from _count(place)
        return
    yield from _lock(place, now)
    if not place.unit.up:
        yield from _known_before(place)
        yield from _hand_over(place)
        return
    for at in place.seats:
        yield from _give_back(place, at, now)
    yield from _give_back_nobodys(place, now)
    yield from _acknowledge(place)
    yield from _reconcile(place)
    yield from _unlock(place, now)
    for at in place.seats:
        yield from _seat(place, at, now)


# Locks


def _hand_over(place: Place) -> Iterator[Wish]:
    """R-26: bets of a hand that is over do not keep a unit from its new configuration."""
    refused = place.unit.reason is Down.CONFIG_REFUSED
    between = place.table is not None and place.table.phase is Phase.BETWEEN
    if refused and between and not place.told.hand_over:
        place.told.hand_over = True
        yield Wish(place.unit.key, Verb.HAND_OVER)


def _round(place: Place) -> int | None:
    """The round that the unit should be open in; `None`: locked."""
    table, unit = place.table, place.unit
    if table is None or table.phase is not Phase.OPEN or not unit.up or not place.opening.may(unit.key):
        return None
    if not all(at.is_on_its_plan for at in place.seats):
        return None  # nothing is bet in credits of another plan
    return place.opening.round


def _lock(place: Place, now: Micros) -> Iterator[Wish]:
    """Also before it opens in another round: what is pressed meanwhile belongs to neither."""
    if place.told.round is not None and place.told.round != _round(place):
        place.told.locks(now)
        yield Wish(place.unit.key, Verb.LOCK)


def _unlock(place: Place, now: Micros) -> Iterator[Wish]:
    wanted = _round(place)
    if wanted is None or wanted == place.told.round or not _is_shut(place, now) or _is_held(place):
        return
    if _has_bet_of_another_round(place, wanted):
        return
    place.told.opens(wanted)
    yield Wish(place.unit.key, Verb.UNLOCK, (wanted,))


def _is_shut(place: Place, now: Micros) -> bool:
    """A round begins on a unit that was read back locked, by what it said after it was told so."""
    if not place.unit.place.seats:
        return True  # a console
    return now >= place.told.shut_from and all(seen.locked for seen in place.unit.seats.values())


def _has_bet_of_another_round(place: Place, wanted: int) -> bool:
    """A bet was pressed in the last round's last moment and counts in this pass: the new round would wipe it out. One
    that another process opened is believed to be of this round."""
    if place.told.opened_in in {None, wanted}:
        return False
    mine = (at for at in place.seats if at.seen is not None and at.seen.bet in VOIDABLE)
    return any(at.seat.bet or at.seat.slot for at in mine)


def _is_held(place: Place) -> bool:
    """Something of before is unsettled: a new round would clear it, and the player would be short of it; or a lamp is
    being tested, and its fault not cleared yet."""
    if not place.unit.seats and not place.seats:
        return False  # a console
    return not place.unit.is_whole or any(not at.is_booked or at.owes_back or at.is_mending for at in place.seats)


# What is booked


def _acknowledge(place: Place) -> Iterator[Wish]:
    """devices.md 2.1.3: the newest image, when the books have all of it and no bet of it is unknown to them."""
    unit, told = place.unit, place.told
    if place.key is None or not unit.is_whole:
        return
    seq = unit.seq
    if unit.place.seats:
        if any(not at.is_booked for at in place.seats) or _has_unknown_bet(place):
            return
    elif unit.console is not None:
        seq = unit.console.seq
    else:
        return
    if told.acked != (place.key, seq) and not _may_wait(place, seq):
        told.acked = (place.key, seq)
        yield Wish(unit.key, Verb.ACKNOWLEDGE, (place.key, seq))


def _may_wait(place: Place, seq: int) -> bool:
    """While bets are taken or proven, an acknowledgement that no lamp waits for would take the line from the others'
    presses and proofs: it comes when the pass is sealed. Not many of them, or the unit's ring would overflow."""
    unit, table, acked = place.unit, place.table, place.told.acked
    busy = table is not None and table.phase in {Phase.OPEN, Phase.LOCKING} and place.opening.was_open(unit.key)
    if not busy or not unit.keeps_credits or acked is None or acked[0] != place.key:
        return False
    if (seq - acked[1]) % WORD >= MOST_UNACKNOWLEDGED:
        return False
    bets = [seen for seen in unit.seats.values() if seen.bet is not BetSeen.NONE]
    return not any(seen.bet is BetSeen.PENDING or newer(seen.bet_seq, acked[1]) for seen in bets)


def _has_unknown_bet(place: Place) -> bool:
    held = {at.seat.number for at in place.seats if at.held}
    return any(seen.bet is BetSeen.PENDING and seen.seat not in held for seen in place.unit.seats.values())


def _known_before(place: Place) -> Iterator[Wish]:
    """What the books know of a unit before it is met: so a memory that went back shows at once. Only the oldest of its
    seats' numbers, and only where nothing waits to be given back, which the unit may still think pending."""
    unit, told, devices = place.unit, place.told, [at.seat.device for at in place.seats]
    if told.acked is not None or unit.is_slot or not unit.is_native or unit.device is not None or not devices:
        return
    keys = {DeviceKey(device.serial, device.epoch) if device is not None else None for device in devices}
    key = keys.pop()
    if keys or key is None or len(devices) != len(unit.place.seats) or any(at.seat.giving_back for at in place.seats):
        return
    seqs = [device.seq for device in devices if device is not None]
    oldest = seqs[0]
    for seq in seqs[1:]:
        oldest = oldest if newer(seq, oldest) else seq
    told.acked = (key, oldest)
    yield Wish(unit.key, Verb.ACKNOWLEDGE, (key, oldest))


def _reconcile(place: Place) -> Iterator[Wish]:
    """devices.md 2.6: another memory, which the books have adopted and a person has looked at."""
    key, told = place.key, place.told
    if key is None or told.reconciled == key or not place.seats or not place.unit.is_native:
        return  # the others ask for no such word
    if all(at.is_known for at in place.seats) and not all(at.closed for at in place.seats):
        told.reconciled = key
        yield Wish(place.unit.key, Verb.RECONCILED, (key,))


# Bets that are none


def _give_back(place: Place, at: At, now: Micros) -> Iterator[Wish]:
    seen = at.seen
    if seen is None or not at.is_booked:
        return
    if at.owes_back or (place.unit.is_slot and _is_lit_for_nothing(place, at)):
        order = place.told.order(at.seat.number, Verb.VOID, seen.bet_seq, VOIDED_BY_THE_BOOKS, now=now)
        if order is not None:
            yield order


def _is_lit_for_nothing(place: Place, at: At) -> bool:
    """R-4, R-6: a slot shows a bet that the books do not have; its chips are owed and handed back by the croupier. Too
    few chips for a bet wait for more of them while betting is open."""
    seen, seat, phase = at.seen, at.seat, at.table.phase
    if seen is None or at.held or seen.bet not in VOIDABLE:
        return False
    if seen.bet is BetSeen.PENDING:
        return not (phase is Phase.OPEN and seat.slot)
    return phase is not Phase.BETWEEN and not _is_to_be_cleared(place)


def _is_to_be_cleared(place: Place) -> bool:
    """The bet is one of the last round, and the unlock that clears it is under way."""
    return place.opening.may(place.unit.key) and not place.opening.was_open(place.unit.key)


def _give_back_nobodys(place: Place, now: Micros) -> Iterator[Wish]:
    """A bet at a seat that the table does not have holds up all the others."""
    known = {at.seat.number for at in place.seats}
    for seen in place.unit.seats.values():
        if seen.seat not in known and seen.bet is BetSeen.PENDING:
            order = place.told.order(seen.seat, Verb.VOID, seen.bet_seq, VOIDED_BY_THE_BOOKS, now=now)
            if order is not None:
                yield order


# A seat


def _seat(place: Place, at: At, now: Micros) -> Iterator[Wish]:
    if at.seen is None or not at.is_known:
        return
    for order in (_seating(place, at, now), _relight(place, at, now), _credits(place, at, now)):
        if order is not None:
            yield order


def _seating(place: Place, at: At, now: Micros) -> Wish | None:
    """R-6: a closed seat takes no bet. One with a bet that stands is not touched: disabled, its lamp would go out."""
    seat, seen, told = at.seat, at.seen, place.told
    assert seen is not None, "its unit told of it"
    wanted = not at.closed and not _shows_an_old_bet(place, at)
    if told.enabled.get(seat.number, seen.enabled) == wanted:
        told.enabled[seat.number] = wanted
        return None
    told.enabled[seat.number] = wanted
    return told.order(seat.number, Verb.ENABLE if wanted else Verb.DISABLE, now=now)


def _shows_an_old_bet(place: Place, at: At) -> bool:
    """R-2: a lamp that is lit says that there is a bet in this pass; that of a unit which missed the end of its own
    would lie."""
    seat, seen, phase = at.seat, at.seen, at.table.phase
    assert seen is not None, "its unit told of it"
    if phase is Phase.BETWEEN or place.unit.is_slot or seat.bet or seat.giving_back or not at.is_booked:
        return False
    return seen.bet in STANDING and not _is_to_be_cleared(place)


def _relight(place: Place, at: At, now: Micros) -> Wish | None:
    """devices.md 2.6: it stood when the power went, and the books still have it."""
    seen = at.seen
    assert seen is not None, "its unit told of it"
    stands = seen.bet is BetSeen.RESTORED and at.held and at.is_booked and seen.lamp is not LampSeen.FAULT
    return place.told.order(at.seat.number, Verb.RELIGHT, now=now) if stands else None


def _credits(place: Place, at: At, now: Micros) -> Wish | None:
    """R-2: what the player has, on his seat's counter."""
    seat, seen = at.seat, at.seen
    assert seen is not None, "its unit told of it"
    if not place.unit.keeps_credits or not at.is_booked or at.owes_back or not at.is_on_its_plan:
        return None
    totals = seen.totals
    on_unit = (totals.loaded - totals.cashed - totals.bets + totals.voided) % WORD
    wanted = seat.credits // at.value + seat.promo // at.value
    if on_unit >= WORD // 2 or on_unit == wanted or (at.closed and wanted):
        return None  # its books do not add up, or nothing is to be done, or a person counts first
    if wanted > on_unit:
        target = (totals.loaded + wanted - on_unit) % WORD
        return place.told.order(seat.number, Verb.LOAD, totals.loaded, target, now=now)
    if seen.bet is BetSeen.PENDING:
        return None
    target = (totals.cashed + on_unit - wanted) % WORD
    return place.told.order(seat.number, Verb.CASH, totals.cashed, target, now=now)


# A table counter


def _count(place: Place) -> Iterator[Wish]:
    table, told = place.table, place.told
    bets = 0 if table is None else sum(at.seat.bet // at.value for at in place.seats)
    if place.unit.up and told.shown != bets:
        told.shown = bets
        yield Wish(place.unit.key, Verb.COUNT, (bets,))
