"""Seats: what a unit said became the bets, refunds and closures that the rules make of it (R-1 to R-6).

Theory. A unit counts for ever; what it bet, gave back or took is the difference of two of its totals, so a booking
that its totals do not show is an invented one. A bet is whole credits within the limits, one a seat and pass, of
credits that are there, at a seat that plays, before the pass is sealed; a lamp is a fact of its own.
"""

from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.belief import Move, impossible, may_know_more, overdrawn, taken
from controller.verify.facts import Device, Refund
from controller.verify.law import Law
from controller.verify.world import BETWEEN, LOCKING, OPEN, THIRD_READING, Seat, Table, World
from controller.verify.wrong import must, must_be, there, wrong

_WORD = 2**32
_BOUNDED = 2
"""The reading of the rules since which a device's word is bounded (R-37)."""
MOST_BET = 10**10
_LAMP = "luz"
_TENDED_AT = {
    "reopen": ((True, False, False),),
    "lamp_test": ((True, False, False),),
    "sign_test": ((False, False, True),),
    "clear_faults": ((True, True, False), (True, False, False)),  # of a seat's device, or of the devices themselves
}


def _at(world: World, fact: kinds.AtSeatOfPass) -> tuple[Table, Seat, Law]:
    """The seat of a fact of the pass in progress."""
    table = world.table(fact.table)
    if fact.number != table.number:
        must_be(fact.number, table.number, "R-5", "el número del pase")
    return table, table.seat(fact.seat), world.pots[table.pot].law


def refund_of(seat: Seat, number: int) -> Refund:
    """R-25: the whole bet, in the form in which it was made."""
    if seat.slot:
        return Refund(number, chips=seat.bet)
    return Refund(number, cash=seat.bet - seat.promo, promo=seat.promo)


def give_back(seat: Seat, number: int, refund: Refund, credit: int) -> None:
    """R-25: an electronic unit gets the order to give it back too."""
    must(seat.bet > 0, "R-25", f"la posición {number} no tenía una apuesta")
    must_be(refund, refund_of(seat, number), "R-25", "lo devuelto")
    seat.giving_back += (refund.cash + refund.promo) // credit
    seat.end_bet()


def bet_in_vain(world: World, table: Table, number: int) -> None:
    """R-6, R-32: the lamp was the cause, which the first reading did not ask."""
    if world.reading >= 2:
        table.dark.add(number)


def _difference(world: World, table: Table, seat: Seat, new: Device, credit: int) -> Device:
    """What the unit's totals grew by since the last report, and the unit as it stands now. What came and went in
    between is in the totals, and in no booking."""
    if world.id != seat.before_id:
        _prove_booked(seat)
        seat.before, seat.before_id = seat.device, world.id
    old = seat.before
    if old is None or (old.serial, old.epoch) != (new.serial, new.epoch):
        wrong("R-27", "un aceptor que no se había visto antes, o que es otro")
    must(0 < (new.seq - old.seq) % _WORD < _WORD // 2, "R-27", "un informe anterior del aceptor")
    must(1 <= new.worth < _WORD, "R-27", "una ficha tardía que no vale nada")
    if world.reading >= _BOUNDED:
        why = impossible(old, new, seat.bounds)
        why = why or ("too_much" if overdrawn(_moves(table, seat, old, new)) else "")
        must(not why, "R-37", f"se anotó lo que ese aceptor no puede haber contado ({why})")
    first = seat.device is old
    if first:
        seat.move = (old.seq, taken(old, new, seat.bounds))
    seat.device = new
    grown = Device(
        new.serial,
        new.epoch,
        new.seq,
        (new.bets - old.bets) % _WORD,
        (new.voided - old.voided) % _WORD,
        (new.chips - old.chips) % _WORD,
        (new.late - old.late) % _WORD * new.worth,  # counted in pieces, owed in credits
    )
    if first:
        chips = grown.chips + grown.late
        # More than a slot can hold is no money: nothing is booked, and the seat closes until it is counted.
        seat.unseen = _unseen(table, seat, grown, credit)
        bets, voided = grown.bets - seat.unseen, grown.voided - seat.unseen
        seat.unbooked = [bets, voided, chips if chips * credit <= MOST_BET else 0]
    return grown


def _moves(table: Table, seat: Seat, old: Device, new: Device) -> list[Move]:
    """R-37: of this seat, and the last of each other seat of its unit."""
    moves = [Move(old.seq, new.seq, taken(old, new, seat.bounds))]
    for other in table.seats:
        known = other.device
        same = known is not None and (known.serial, known.epoch) == (new.serial, new.epoch)
        if other is not seat and known is not None and same and other.move is not None:
            moves.append(Move(other.move[0], known.seq, other.move[1]))
    return moves


def _unseen(table: Table, seat: Seat, grown: Device, credit: int) -> int:
    """R-5: a player cannot press while his bet stands. So once a unit has returned all that it held when it spoke last,
    each further credit it returned must have been pressed since then; such a press was gone before any report of it."""
    held = seat.giving_back
    if table.phase in (OPEN, LOCKING) and seat.is_electronic:
        held += seat.bet // credit
    further = grown.voided - held
    return further if 0 < further <= grown.bets else 0


def _prove_booked(seat: Seat) -> None:
    """R-27: a fact booked or refused everything by which a report's totals grew."""
    if any(seat.unbooked):
        wrong("R-27", "los totales de un aceptor crecieron y ningún hecho lo anota")


def _booked(seat: Seat, *, bets: bool = False, voided: bool = False, chips: bool = False) -> None:
    left = seat.unbooked
    seat.unbooked = [0 if bets else left[0], 0 if voided else left[1], 0 if chips else left[2]]


def adopted(world: World, fact: kinds.DeviceAdopted) -> None:
    """Another unit than before, or the first: its totals are where counting starts."""
    seat = world.table(fact.table).seat(fact.seat)
    old, new = seat.device, fact.device
    other = old is None or (old.serial, old.epoch) != (new.serial, new.epoch)
    must(other, "R-27", "el mismo aceptor se toma por otro")
    _prove_booked(seat)
    seat.device, seat.giving_back, seat.bounds, seat.move = new, 0, fact.bounds, None


def seen(world: World, fact: kinds.DeviceSeen) -> None:
    table = world.table(fact.table)
    seat = table.seat(fact.seat)
    if fact.bounds is not None or fact.holds is not None:
        _seen_more(seat, fact)
        return
    grown = _difference(world, table, seat, fact.device, world.pots[table.pot].law.credit)
    # Nothing of this report was taken for a press that came and went, unless all was: what was bet is refused whole.
    seat.unseen = 0
    seat.unbooked[:2] = [0 if grown.bets <= grown.voided else grown.bets, 0]


def _seen_more(seat: Seat, fact: kinds.DeviceSeen) -> None:
    """R-37: what a unit can be only grows with one memory; what it still has to give back is less than was known."""
    must_be(fact.device, seat.device, "R-27", "los totales, que no se movieron")
    if fact.bounds is not None:
        known = seat.bounds
        grows = known is None or (
            (known.press, known.chip) != (fact.bounds.press, fact.bounds.chip)
            and known.press <= fact.bounds.press
            and known.chip <= fact.bounds.chip
        )
        must(grows, "R-37", "lo que vale una apuesta o una ficha de este aceptor solo puede crecer")
        seat.bounds = fact.bounds
    if fact.holds is not None:
        must(fact.holds < seat.giving_back, "R-27", "el aceptor debía devolver menos de lo que dice tener")
        seat.giving_back = fact.holds


def disbelieved(world: World, fact: kinds.DeviceDisbelieved) -> None:
    """R-37: it cannot be, it is booked nowhere, and the seat is closed until two persons count it."""
    seat = world.table(fact.table).seat(fact.seat)
    old, new = there(seat.device, "R-37", "un aceptor que no se había visto"), fact.device
    must_be((new.serial, new.epoch), (old.serial, old.epoch), "R-37", "el aceptor")
    why = impossible(old, new, seat.bounds)
    why = why or ("too_much" if overdrawn(_moves(world.table(fact.table), seat, old, new)) else "")
    if fact.why == "knows_more" and world.reading >= THIRD_READING:
        must(not why and may_know_more(old, new), "R-37", "el aceptor no sabía más que el registro")
    elif fact.why in ("unordered", "images"):
        pass  # what only the node saw, between two images; the seat is closed and counted all the same
    elif fact.why == "forgot":
        must_be(new, old, "R-37", "lo último que se le creyó al aceptor que lo olvidó")
    else:
        must_be(fact.why, why, "R-37", "por qué no se le cree al aceptor")
    must(not seat.doubted, "R-37", "ya no se le creía")
    must(seat.is_out, "R-37", "la posición de un aceptor al que no se le cree sigue abierta")
    seat.doubted = True


def bet(world: World, fact: kinds.BetMade) -> None:
    """R-1 to R-7."""
    table, seat, law = _at(world, fact)
    must(table.phase in (OPEN, LOCKING), "R-5", "una apuesta fuera de tiempo")
    must(not seat.is_out, "R-6", "una apuesta en una posición cerrada")
    must(seat.bet == 0, "R-7", "la posición ya había apostado en este pase")
    held = world.at_seat("credits", table.name, fact.seat)
    promo = world.at_seat("promo", table.name, fact.seat)
    must_be(fact.promo, min(fact.amount, promo - promo % law.credit), "R-29", "cuánto es promocional")
    must(fact.amount - fact.promo <= held, "R-2", "no tenía esos créditos")
    must(fact.amount % law.credit == 0, "R-1", "la apuesta no es de créditos enteros")
    must(law.least <= fact.amount <= law.most, "R-3", "la apuesta no está entre el mínimo y el máximo")
    grown = _difference(world, table, seat, fact.device, law.credit).bets - seat.unseen
    must_be(fact.amount, grown * law.credit, "R-27", "lo que apostó según los totales del aceptor")
    _booked(seat, bets=True)
    seat.bet, seat.promo, seat.slot, seat.lamp = fact.amount, fact.promo, 0, "dark"


def bet_refused(world: World, fact: kinds.BetRefused) -> None:
    """R-5: what is refused must be what the rules refuse."""
    table, seat, law = _at(world, fact)
    grown = _difference(world, table, seat, fact.device, law.credit)
    must_be(fact.credits, grown.bets - seat.unseen, "R-27", "lo que apostó según los totales del aceptor")
    must(fact.credits > 0, "R-27", "una apuesta de nada")
    _booked(seat, bets=True)
    if table.phase == LOCKING and fact.reason == "table_locked":
        right = fact.reason
    else:
        right = _why_refused(world, table, seat, law, fact)
    must_be(fact.reason, right, "R-4", "por qué se rechaza")
    seat.giving_back += fact.credits


def _why_refused(world: World, table: Table, seat: Seat, law: Law, fact: kinds.BetRefused) -> str:
    """The first reason there is, in the order of the rules; an empty word for a bet that was good."""
    held = sum(world.at_seat(kind, table.name, fact.seat) // law.credit for kind in ("credits", "promo"))
    amount = fact.credits * law.credit
    reasons = {
        "table_locked": table.phase not in (OPEN, LOCKING),
        "seat_closed": seat.is_out,
        "bet_made": seat.bet > 0,
        "not_enough_credits": fact.credits > held,
        "below_limit": amount < law.least,
        "above_limit": amount > law.most,
    }
    return next((name for name, holds in reasons.items() if holds), "")


def chips(world: World, fact: kinds.ChipsFell) -> None:
    """R-4: whole credits up to the max are the bet, the rest is owed back at once; late chips are owed whole."""
    table, seat, law = _at(world, fact)
    grown = _difference(world, table, seat, fact.device, law.credit)
    must_be(fact.amount, (grown.chips + grown.late) * law.credit, "R-27", "lo que cayó según los totales del aceptor")
    must_be(fact.bet + fact.owed, fact.amount, "R-4", "lo apostado y lo debido")
    _booked(seat, chips=True)
    # While a table is locking, the unit proves which chips came before the lock; otherwise they came too late.
    may_count = table.phase == OPEN or (table.phase == LOCKING and fact.counted > 0)
    plays = may_count and not seat.is_out and not seat.is_electronic
    in_time = grown.chips * law.credit if plays else 0
    must_be(fact.counted, in_time, "R-5", "lo que cayó a tiempo")
    whole = seat.slot + fact.counted
    right = min(whole - whole % law.credit, law.most)
    right = (right if right >= law.least else 0) - seat.bet if plays else 0
    must_be(fact.bet, right, "R-4", "lo que crece la apuesta")
    seat.slot += fact.counted
    if world.reading >= _BOUNDED:
        seat.over = max(0, seat.over + fact.owed)
    seat.bet += fact.bet


def voided(world: World, fact: kinds.DeviceVoided) -> None:
    """A unit gave back what it was ordered to, or by itself its whole unconfirmed bet."""
    table, seat, law = _at(world, fact)
    grown = _difference(world, table, seat, fact.device, law.credit)
    if fact.credits == grown.voided - grown.bets == seat.giving_back:
        seat.unseen = grown.bets  # records of before `_unseen` take all that was bet for it
    must(0 < fact.credits == grown.voided - seat.unseen, "R-27", "no es lo que devolvió según sus totales")
    _booked(seat, bets=seat.unseen == grown.bets, voided=True)
    ordered = min(fact.credits, seat.giving_back)
    seat.giving_back -= ordered
    if fact.refund is None:
        must_be(ordered, fact.credits, "R-27", "lo que debía devolver")
        return
    must(table.phase in (OPEN, LOCKING) and seat.is_electronic, "R-25", "no había una apuesta por confirmar")
    must_be(fact.credits - ordered, seat.bet // law.credit, "R-25", "los créditos devueltos")
    left = seat.giving_back
    give_back(seat, fact.seat, fact.refund, law.credit)
    seat.giving_back = left


def lamp(world: World, fact: kinds.LampChanged) -> None:
    """R-6: lit is valid; failed while open gives the bet back, failed after the lock closes the seat after the pass."""
    table, seat, law = _at(world, fact)
    must(seat.bet > 0 and not seat.is_out, "R-6", "una luz sin apuesta, o en una posición cerrada")
    must_be(fact.locked, table.phase != OPEN, "R-6", "si la mesa estaba cerrada")
    if fact.lamp == "lit":
        must(seat.lamp != "lit" and fact.refund is None, "R-6", "la luz ya estaba encendida")
        must(not fact.by, "R-6", "nadie firma que una luz se encendió")
        seat.lamp, seat.lamp_by = "lit", fact.seen_by
        return
    must(fact.lamp == "fault", "R-6", "una luz apagada no es un hecho")
    says = not fact.by or (not fact.locked and fact.seen_by == "croupier")
    must(says, "R-6", "después de cerrar el pase nadie quita una apuesta por su luz")
    if fact.locked:
        must(fact.refund is None, "R-6", "después del cierre la apuesta no se devuelve")
        taken_back = fact.before_lock and not (table.phase == LOCKING and seat.lamp == "lit")
        must(not taken_back, "R-6", "solo antes de cerrar el pase se quita una apuesta que estuvo encendida")
        seat.lamp = "lit" if seat.lamp == "lit" and not fact.before_lock else "fault"
        seat.closing = True
        return
    refund = there(fact.refund, "R-6", "con la mesa abierta la apuesta se devuelve")
    must(not fact.before_lock, "R-6", "con la mesa abierta la apuesta se devuelve")
    give_back(seat, fact.seat, refund, law.credit)
    bet_in_vain(world, table, fact.seat)
    seat.closed = True


def lamps_tested(world: World, fact: kinds.LampsTested) -> None:
    """R-6: between two passes; a seat whose lamp stayed dark is closed."""
    table = world.table(fact.table)
    must(table.phase == BETWEEN, "R-6", "las luces se prueban entre pases")
    must_be(fact.dark, tuple(sorted(set(fact.dark))), "R-6", "las posiciones que quedaron apagadas")
    for number in fact.dark:
        must(table.seat(number).is_out, "R-6", f"la posición {number} no tiene luz y sigue abierta")


def proven(world: World, fact: kinds.SeatProven) -> None:
    table, seat, _ = _at(world, fact)
    must(table.phase == LOCKING and not seat.proven, "R-5", "la mesa no estaba cerrando esta posición")
    seat.proven = True


def closed(world: World, fact: kinds.SeatClosed) -> None:
    """R-6: at once, with the bet given back while the table is open; after the pass where a bet stands."""
    table = world.table(fact.table)
    seat = table.seat(fact.seat)
    must(not seat.is_out, "R-6", "la posición ya estaba cerrada")
    must(bool(fact.reason.strip()), "R-6", "una posición se cierra por algo")
    stands = table.phase != OPEN and seat.bet > 0
    must_be(fact.after_pass, stands, "R-6", "si se cierra después del pase")
    must_be(fact.refund is not None, seat.bet > 0 and not stands, "R-6", "si se devuelve la apuesta")
    if fact.refund is not None:
        give_back(seat, fact.seat, fact.refund, world.pots[table.pot].law.credit)
        if fact.reason == _LAMP:
            bet_in_vain(world, table, fact.seat)
    seat.closed, seat.closing = not stands, stands


def opened(world: World, fact: kinds.SeatOpened) -> None:
    seat = world.table(fact.table).seat(fact.seat)
    must(seat.closed, "R-6", "la posición no estaba cerrada")
    must(not seat.doubted, "R-37", "nadie contó la posición de un aceptor al que no se le creyó")
    seat.closed, seat.lamp = False, "dark"


def tended(world: World, fact: kinds.DeviceTended) -> None:
    """R-27: this moves no money; an order names the devices it goes to, and nothing else."""
    named = (bool(fact.table), bool(fact.seat), bool(fact.sign))
    must(named in _TENDED_AT[fact.what], "R-27", "no nombra la mesa, la posición o el letrero que debe")
    must(not fact.unseen or bool(fact.sign), "R-31", "solo lo que muestra un letrero queda sin ver")
    if not fact.table:
        return
    table = world.table(fact.table)
    if fact.seat:
        table.seat(fact.seat)
    if fact.what == "reopen":
        must(table.phase == OPEN, "R-5", "no había un pase abierto")
    elif fact.what == "lamp_test":
        must(table.phase == BETWEEN, "R-6", "las luces se prueban entre pases")


def firmware(world: World, fact: kinds.FirmwareSeen) -> None:
    """R-27: another box, or program, than the last that was seen there; each change is written once."""
    world.table(fact.table)
    must(bool(fact.unit.strip()), "R-27", "no dice dónde está el aparato")
    must_be(fact.was, world.boxes.get(fact.unit), "R-27", "lo que respondía allí antes")
    must(fact.box != fact.was, "R-27", "nada cambió en el aparato")
    world.boxes[fact.unit] = fact.box


CHECKS: dict[type, Callable[..., None]] = {
    kinds.DeviceAdopted: adopted,
    kinds.DeviceSeen: seen,
    kinds.DeviceDisbelieved: disbelieved,
    kinds.BetMade: bet,
    kinds.BetRefused: bet_refused,
    kinds.ChipsFell: chips,
    kinds.DeviceVoided: voided,
    kinds.LampChanged: lamp,
    kinds.LampsTested: lamps_tested,
    kinds.SeatProven: proven,
    kinds.SeatClosed: closed,
    kinds.SeatOpened: opened,
    kinds.DeviceTended: tended,
    kinds.FirmwareSeen: firmware,
}
