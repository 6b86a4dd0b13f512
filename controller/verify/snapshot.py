"""A snapshot against the facts: what the node would start from must be what the record says.

Theory. A start trusts a snapshot that a signed checkpoint vouches for. The signature says who wrote it; this file
proves whether it is true: every balance, and of the state all that decides about money. It is read without types, as
far as it goes: a value that is missing, or is something else, is wrong.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from controller.verify.links.sealed import links_of
from controller.verify.money import HOUSE
from controller.verify.world import SECOND_READING, Award, Pot, Seat, Table, World
from controller.verify.wrong import must, must_be, wrong


def prove_snapshot(world: World, body: bytes) -> None:
    """R-27: balances, people, pots, tables, claims and the day, as the facts made them."""
    try:
        found = msgspec.json.decode(body)
        is_canonical = msgspec.json.encode(found) == body
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        wrong("R-27", "no se puede leer")
    must(is_canonical, "R-27", "no está escrita como se escribe una instantánea")
    state = _under(found, "state")
    must_be(_under(found, "balances"), world.books.stands, "R-27", "los saldos")
    for key, right in (("node", world.node), ("epoch", world.epoch), ("clock", world.clock)):
        must_be(_under(state, key), right, "R-27", key)
    roles = {name: list(person.roles) for name, person in world.people.items()}
    must_be({name: _under(one, "roles") for name, one in _all(state, "people")}, roles, "R-27", "las personas")
    held = {name: sorted(person.on_this_day) for name, person in world.people.items()}
    must_be({name: _under(one, "held", []) for name, one in _all(state, "people")}, held, "R-36", "papeles de hoy")
    terminals = {name: one._asdict() for name, one in world.terminals.items()}
    must_be(_under(state, "terminals", {}), terminals, "R-36", "las terminales")
    boxes = {place: msgspec.to_builtins(box) for place, box in world.boxes.items()}
    must_be(_under(state, "boxes", {}), boxes, "R-27", "lo que responde en cada lugar")
    left = [msgspec.to_builtins(one) for one in world.left]
    must_be(_under(state, "left", []), left, "R-27", "lo que las restauraciones dejaron atrás")
    _each(state, "staged", world.staged, "R-26", "los planes en espera")
    for name, one in _each(state, "pots", world.pots, "R-24", "los pozos"):
        _prove_pot(world, world.pots[name], one)
    for name, one in _each(state, "tables", world.tables, "R-9", "las mesas"):
        _prove_table(world, world.tables[name], one)
    _prove_claims(world, state)
    for key, (right, default) in links_of(world).items():
        must_be(_under(state, key, default), right, "R-28", f"de los vecinos, {key}")
    waiting = {name: _under(one, "ready", []) for name, one in _all(state, "staged")}
    right_ready = {name: one.ready_below for name, one in world.staged.items()}
    must_be(waiting, right_ready, "R-26", "quiénes esperan el plan")
    day = _under(state, "day")
    opened = (_under(day, "name"), _under(day, "commitment"), _under(day, "opened")) if day is not None else None
    known = (world.day.name, world.day.commitment, world.day.opened) if world.day else None
    must_be(opened, known, "R-27", "el día de juego")
    if world.day is not None:
        marks = (_under(day, "committed_as", "") or world.day.name, _under(day, "lost", ""), _under(day, "nonce", ""))
        must_be(marks, (world.day.first_name, world.day.lost, world.day.nonce), "R-30", "la semilla del día")
    must_be(list(_under(state, "nonces", ())), world.nonces, "R-30", "los números al azar de los días")
    skipped = _under(day, "skipped", 0) if day is not None else 0
    must_be(skipped, world.day.skipped if world.day else 0, "R-29", "lo que el reloj cambió en el día")
    must_be(tuple(_under(state, "clock_off", (0, 0))), world.clock_off, "R-27", "lo que el reloj está cambiado")
    days = (_under(state, "last_day", ""), _under(state, "day_before", ""))
    must_be(days, (world.last_day, days[1] and world.day_before), "R-27", "los últimos días")


def _under(found: Any, key: str, default: Any = None) -> Any:
    """What stands under a key of an object, or what is meant where nothing stands."""
    if not isinstance(found, dict):
        wrong("R-27", f"donde debía haber {key} hay otra cosa")
    return found.get(key, default)


def _all(state: Any, key: str) -> list[tuple[str, Any]]:
    named = _under(state, key)
    if not isinstance(named, dict):
        wrong("R-27", f"donde debía haber {key} hay otra cosa")
    return list(named.items())


def _each(state: Any, key: str, right: Iterable[str], rule: str, what: str) -> list[tuple[str, Any]]:
    """All that stands there, if its names are the right ones."""
    found = _all(state, key)
    must_be(sorted(name for name, _ in found), sorted(right), rule, what)
    return found


def _prove_pot(world: World, pot: Pot, found: Any) -> None:
    purse, what = world.purse(pot), f"el pozo {pot.name}"
    money = (_under(found, "main"), _under(found, "reserves"))
    must_be(money, (purse.main, purse.reserves), "R-24", what)
    must_be(_under(found, "above", ""), pot.above, "R-28", f"{what}: quién lo tiene")
    left = (_under(found, "left", ""), _under(found, "began", None))
    right_left = (pot.left, None if pot.began is None else _written(pot.began))
    must_be(left, right_left, "R-28", f"{what}: a quién se dejó")
    carries = (_under(found, "reserve_carries"), _under(found, "commission_carries", {}))
    must_be(carries, (list(pot.reserve_carries.values()), pot.commission_carries), "R-23", f"{what}: las fracciones")
    documents = _under(found, "documents")
    texts = (_under(documents, "plan"), _under(documents, "ruleset"))
    must_be(texts, (pot.plan, pot.ruleset), "R-26", f"{what}: los documentos")
    given = _under(found, "moments_given", [])
    known = isinstance(given, list) and set(map(str, given)) == pot.given_today
    must(known, "R-29", f"{what}: los premios ya dados")
    meters = _under(found, "meters", {})
    for key, value in vars(pot.meters).items():
        right = _written(value) if key == "last" else value
        must_be(_under(meters, key, [] if key == "last" else 0), right, "R-27", f"{what}: el medidor {key}")


def _prove_table(world: World, table: Table, found: Any) -> None:
    what = f"la mesa {table.name}"
    now = (_under(found, "number", 0), _under(found, "phase", "between"), _under(found, "pot"), _under(found, "casino"))
    must_be(now, (table.number, table.phase, table.pot, table.casino), "R-5", what)
    money = (_under(found, "left", 0), _under(found, "suspense", 0))
    right = (world.set_aside(table), world.books.at(f"suspense:{table.name}"))
    must_be(money, right, "R-27", f"{what}: lo apartado y lo que falta explicar")
    must_be(_under(found, "closed_hash", ""), table.closed_hash, "R-30", f"{what}: la huella del pase")
    must_be(_under(found, "skipped", 0), table.skipped, "R-29", f"{what}: lo que el reloj cambió antes del cierre")
    must_be(_under(found, "draws", []), table.draws, "R-29", f"{what}: los sorteos que faltan")
    must_be(_under(found, "bets", []), _written(table.bets), "R-6", f"{what}: las apuestas válidas")
    must_be(_under(found, "cards", {}), table.cards, "R-29", f"{what}: las cartas sorteadas")
    must_be(_under(found, "dark", []), sorted(table.dark), "R-6", f"{what}: las apuestas que su luz no dejó valer")
    if world.reading >= 2:
        _prove_dealt(table, found, what)
    last = _under(found, "last_sealed", 0)
    if last or world.began_under >= SECOND_READING:  # a snapshot of the first reading did not know it
        must_be(last, table.last_sealed, "R-35", f"{what}: el último pase cerrado")
    seats = _under(found, "seats")
    must(isinstance(seats, list) and len(seats) == len(table.seats), "R-7", f"{what}: las posiciones")
    for number, (seat, one) in enumerate(zip(table.seats, seats, strict=True), 1):
        _prove_seat(world, table, number, seat, one)


def _prove_dealt(table: Table, found: Any, what: str) -> None:
    """R-32: what is known of the cards of its pass."""
    must_be(_under(found, "shown", {}), _written(table.shown), "R-32", f"{what}: las cartas que ganaron")
    known = (_under(found, "hands", []), _under(found, "community", []))
    must_be(known, (_written(table.hands), list(table.community)), "R-32", f"{what}: las cartas anotadas")


def _prove_seat(world: World, table: Table, number: int, seat: Seat, found: Any) -> None:
    what = f"la mesa {table.name}, posición {number}"
    must_be(_under(found, "number"), number, "R-7", what)
    must_be(_under(found, "device"), _written(seat.device), "R-27", f"{what}: los totales de su aceptor")
    for kind in ("credits", "promo", "owed"):
        must_be(_under(found, kind, 0), world.at_seat(kind, table.name, number), "R-2", f"{what}: {kind}")
    bet = (_under(found, "bet", 0), _under(found, "bet_promo", 0), _under(found, "slot", 0))
    must_be(bet, (seat.bet, seat.promo, seat.slot), "R-1", f"{what}: la apuesta")
    lamp = (_under(found, "lamp", "dark"), _under(found, "lamp_by", ""))
    must_be(lamp, (seat.lamp, seat.lamp_by), "R-6", f"{what}: la luz")
    shut = (bool(_under(found, "closed", "")), bool(_under(found, "closing", "")))
    must_be(shut, (seat.closed, seat.closing), "R-6", f"{what}: si está cerrada")
    must_be(_under(found, "bounds"), _written(seat.bounds), "R-37", f"{what}: lo que su aceptor puede contar")
    must_be(_under(found, "doubted", False), seat.doubted, "R-37", f"{what}: si se le cree a su aceptor")
    over = (_under(found, "over", 0), _under(found, "over_paid", 0))
    must_be(over, (seat.over, seat.over_paid), "R-4", f"{what}: lo que su ranura recibió de más")
    must_be(_under(found, "giving_back", 0), seat.giving_back, "R-27", f"{what}: lo que su aceptor debe devolver")
    unsigned = (_under(found, "unsigned", 0), _under(found, "voided_by", []))
    must_be(unsigned, (seat.unsigned, sorted(seat.voided_by)), "R-36", f"{what}: lo que espera una firma")


def _prove_claims(world: World, state: Any) -> None:
    """R-21: every claim that is kept: on what pot, of which bets, what was awarded, confirmed, paid, put back."""
    for name, found in _each(state, "claims", world.claims, "R-21", "los premios"):
        claim, what = world.claims[name], f"los premios {name}"
        of = tuple(_under(found, key) for key in ("table", "casino", "pot", "number", "at"))
        must_be(of, (claim.table, claim.casino, claim.pot, claim.number, claim.at), "R-21", what)
        if world.reading < SECOND_READING:
            must_be(_under(found, "before"), _written(claim.before), "R-20", f"{what}: el pozo de entonces")
            must_be(_under(found, "bets"), _written(claim.played.bets), "R-6", f"{what}: las apuestas")
            _prove_base(found, claim.base, what)
        else:
            must_be(_under(found, "hands"), _written(claim.hands), "R-34", f"{what}: las manos")
        marks = (_under(found, "rejected", False), _under(found, "prize", False), _under(found, "paid_in", ""))
        must_be(marks, (claim.rejected, claim.prize, claim.paid_in), "R-21", f"{what}: si se rechazaron")
        must_be(_under(found, "frozen", False), claim.frozen, "R-34", f"{what}: si se están corrigiendo")
        far = (_under(found, "doubted", ""), _under(found, "left", ""))
        must_be(far, (claim.doubted, claim.left), "R-28", f"{what}: si el dueño del pozo los cree")
        for award, one in _each(found, "awards", claim.awards, "R-21", what):
            right = claim.awards[award]
            must_be(_under(one, "granted"), _written(right.granted), "R-12", f"el premio {award}")
            decided = (bool(_under(one, "confirmed", "")), _under(one, "paid", False), _under(one, "overdue", False))
            must_be(decided, (right.confirmed, right.paid, right.overdue), "R-21", f"el premio {award}")
            must_be(_under(one, "waits", False), right.waits, "R-20", f"el premio {award}: si espera su cantidad")
            # An earlier program kept no bet of what waits: its state says nothing of it, until that is decided.
            asked = (_under(one, "bet", 0) or right.bet, _under(one, "advanced", 0))
            must_be(asked, (right.bet, right.advanced), "R-20", f"el premio {award}: su apuesta y lo adelantado")
            if world.reading >= SECOND_READING:
                now = (_under(one, "cancelled", False), _under(one, "aside", False), _under(one, "since", 0))
                must_be(now, (right.cancelled, right.aside, right.since), "R-34", f"el premio {award}")
                _prove_persons(world, one, right, award)


def _prove_persons(world: World, found: Any, right: Award, award: str) -> None:
    """R-36: who entered it and who confirmed it; a snapshot of the first reading did not know all of them."""
    entered, second = _under(found, "entered", []), _under(found, "second", "")
    if entered or world.began_under >= SECOND_READING:
        must_be(sorted(entered), sorted(right.entered), "R-36", f"el premio {award}: quién lo anotó")
    if second or world.began_under >= SECOND_READING:
        confirmed = (_under(found, "confirmed", ""), second)
        must_be(confirmed, right.confirmed_by, "R-36", f"el premio {award}: quién lo confirmó")


def _prove_base(found: Any, right: dict[str, int] | None, what: str) -> None:
    """R-19: who put the base back."""
    back, house = _under(found, "base_back"), _under(found, "base_house", 0)
    parts = None
    if right is not None:
        total = sum(right.values())
        parts = {"main": total} if total else {}
        parts |= {name: -amount for name, amount in right.items() if name != HOUSE}
    must_be((back, house), (parts, (right or {}).get(HOUSE, 0)), "R-19", f"{what}: la base repuesta")


def _written(value: Any) -> Any:
    """A value as a snapshot writes it."""
    return msgspec.json.decode(msgspec.json.encode(value))
