"""Plans, the gaming day, money moved by two persons, training: what happens at the desk (R-24, R-26, R-27, R-30).

Theory. A plan that was staged takes effect with the very documents that were staged, only while none of its tables
plays and none of its pot's awards waits. A day closes on empty tables; then the seed is known, every draw of the day is
computed again, and the meters of every pot must be what the facts added up to. Training leaves nothing behind.
"""

import hashlib
import re
from collections.abc import Callable
from datetime import date

from controller.verify import facts as kinds
from controller.verify.books import SHARE
from controller.verify.draws import prove_draws, prove_planned
from controller.verify.facts import Meters as WrittenMeters
from controller.verify.law import Law, changes_between, prove_named, read_law
from controller.verify.links.names import is_away
from controller.verify.links.plans import (
    levels_under,
    members,
    own,
    prove_at_rest,
    prove_may_be_staged,
    prove_open_to_passes,
    prove_withdrawn,
    put_away,
    seen,
)
from controller.verify.links.shares import prove_share, shares_of
from controller.verify.money import Purse
from controller.verify.past import Mark
from controller.verify.people import DIGEST, NAME, read_as
from controller.verify.staged import prove_approvable
from controller.verify.world import BETWEEN, THIRD_READING, TRAINING, Day, Meters, Pot, Staged, Table, World
from controller.verify.wrong import must, must_be, shown, there

MOST_BET = 10**10
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_MS_OF_A_DAY = 86_400_000
_NONCES = 400  # of so many days before, none has the same number by chance


def plan_staged(world: World, fact: kinds.PlanStaged) -> None:
    """R-9, R-24, R-26: readable, of this pot, taking no other pot's table and losing no reserve's money."""
    law = read_law(fact.plan, fact.ruleset, world.published)
    must_be(fact.pot, law.pot, "R-26", "el pozo")
    must_be(fact.resolution, law.resolution, "R-26", "la resolución")
    if world.reading >= 2:
        prove_approvable(law)
    prove_may_be_staged(world, law)
    _prove_fits(world, law, mine=True)
    if world.reading >= 2:
        prove_planned(law)
    if world.reading >= THIRD_READING:
        prove_named(fact.ruleset, read_as)
    world.staged[fact.pot] = Staged(law, (fact.plan, fact.ruleset), fact.resolution, (fact.by, fact.second))


def _prove_fits(world: World, law: Law, *, mine: bool) -> None:
    for name in seen(world, law, mine=mine):
        known = name in world.tables or name in world.links.away
        must(not known or world.feeds(name)[0] == law.pot, "R-9", f"la mesa {shown(name)} alimenta otro pozo")
    if not mine:
        return
    pot = world.pots.get(law.pot)
    for name in pot.law.reserves if pot else ():
        kept = name in law.reserves or not world.books.at(f"pot:{law.pot}:{name}")
        must(kept, "R-24", f"la reserva {shown(name)} tiene dinero y el plan no la nombra")


def plan_withdrawn(world: World, fact: kinds.PlanWithdrawn) -> None:
    staged = there(world.staged.pop(fact.pot, None), "R-26", f"no había un plan en espera para {shown(fact.pot)}")
    prove_withdrawn(world, staged.law, staged.documents, fact)


def plan_took_effect(world: World, fact: kinds.PlanTookEffect) -> None:
    """R-26: what was staged, between passes, with no award pending, and every changed value named."""
    if fact.above:
        _took_effect_above(world, fact)
        return
    staged = there(world.staged.pop(fact.pot, None), "R-26", f"no había un plan en espera para {shown(fact.pot)}")
    must_be((fact.plan, fact.ruleset), staged.documents, "R-26", "los documentos")
    must_be(fact.resolution, staged.resolution, "R-26", "la resolución")
    must_be((fact.by, fact.second), staged.signed, "R-26", "las dos personas")
    law, pot = staged.law, world.pots.get(fact.pot)
    must_be(fact.base_put_in, 0 if pot else law.base, "R-24", "la base que pone la casa")
    _prove_named(fact, law, pot)
    _prove_fits(world, law, mine=True)
    left = members(world, law) - set(staged.ready_below)
    must(not left, "R-26", f"faltaba que estuvieran listos {', '.join(sorted(left))}")
    for table in prove_at_rest(world, law, mine=True):
        must(
            _is_empty(world, table) or not _is_changed(world, law, table, mine=True),
            "R-26",
            f"en la mesa {table.name} quedaba dinero",
        )
    first = next(iter(law.tables))
    must_be(fact.base_table, first if is_away(first) and fact.base_put_in else "", "R-28", "qué casino pone la base")
    after = None
    if members(world, law):
        purse = world.purse(pot) if pot else Purse(law.base, {})
        after = levels_under(law, purse.main, purse.reserves)
    must_be(fact.after, after, "R-26", "el pozo después")
    _put_in_force(world, fact, law)


def _prove_named(fact: kinds.PlanTookEffect, law: Law, pot: Pot | None) -> None:
    """R-26, R-28: the casino that puts the base in, and every value that is another one."""
    must_be(fact.casino, next(iter(law.tables.values()))[0], "R-28", "el casino")
    found = [(change.key, change.old, change.new) for change in fact.changes]
    right = changes_between(pot.plan, fact.plan) + changes_between(pot.ruleset, fact.ruleset) if pot else []
    must_be(found, right, "R-26", "los valores que cambian")


def _took_effect_above(world: World, fact: kinds.PlanTookEffect) -> None:
    """R-26, R-28: where the owner of the pot says so; or at last, where a table had to be emptied first."""
    law, pot = read_law(fact.plan, fact.ruleset, world.published), world.pots.get(fact.pot)
    must_be((fact.pot, fact.resolution), (law.pot, law.resolution), "R-26", "el pozo y la resolución")
    must(pot is None or pot.above == fact.above, "R-28", f"el pozo no es de {shown(fact.above)}")
    _prove_named(fact, law, pot)
    after = there(fact.after, "R-28", "faltan los niveles que dice el dueño del pozo")
    must_be(sorted(after.reserves), sorted(law.reserves), "R-24", "las partes del pozo")
    if not fact.by:
        _prove_at_last(world, fact, pot)
    else:
        world.links.heard_of(fact.above, fact)
        waiting = world.links.proposed.get(fact.pot)
        is_ready = waiting is not None and waiting.ready and waiting.documents == (fact.plan, fact.ruleset)
        if not is_ready:
            prove_at_rest(world, law, mine=False)
        _prove_fits(world, law, mine=False)
    _prove_base_above(world, fact, law)
    _put_in_force(world, fact, law)
    if fact.by:  # what ends an older plan here is nobody's word on the one that waits
        world.links.proposed.pop(fact.pot, None)


def _prove_at_last(world: World, fact: kinds.PlanTookEffect, pot: Pot | None) -> None:
    """R-7: the plan that is in force already, where every table that had to be is empty now."""
    known = there(pot, "R-26", f"no había un pozo {shown(fact.pot)}")
    must_be((fact.plan, fact.ruleset), (known.plan, known.ruleset), "R-26", "los documentos")
    names = there(world.links.emptying.get(fact.pot), "R-26", "no había mesas por vaciar")
    full = [name for name in names if not _is_empty(world, world.table(name))]
    must(not full, "R-26", f"quedaba dinero en {', '.join(full)}")
    must_be(fact.after, levels_under(known.law, known.followed.main, known.followed.reserves), "R-28", "el pozo")


def _prove_base_above(world: World, fact: kinds.PlanTookEffect, law: Law) -> None:
    """R-24, R-28: charged to the table that is the plan's first, if it lies here or below."""
    first = next(iter(seen(world, law._replace(tables=dict([next(iter(law.tables.items()))])), mine=False)), "")
    must(fact.base_put_in in {0, law.base if first and fact.by else 0}, "R-24", "la base que pone la casa")
    right = first if fact.base_put_in and is_away(first) else ""
    must_be(fact.base_table, right, "R-28", "qué casino pone la base")


def _is_changed(world: World, law: Law, table: Table, *, mine: bool) -> bool:
    """R-1, R-7: a table that leaves, or whose game or credit is another one."""
    new = own(world, law, mine=mine).get(table.name)
    same = new is not None and (new[0], new[1].name) == (table.casino, table.game.name)
    return not same or world.pot(table.pot).law.credit != law.credit


def _is_empty(world: World, table: Table) -> bool:
    return world.money_on(table) == 0 and world.set_aside(table) == 0


def _put_in_force(world: World, fact: kinds.PlanTookEffect, law: Law) -> None:
    there_ = [one for one in world.tables.values() if one.pot == fact.pot]
    emptying: tuple[str, ...] = ()
    if fact.above:
        emptying = tuple(
            one.name for one in there_ if not _is_empty(world, one) and _is_changed(world, law, one, mine=False)
        )
    pot = world.pots.get(fact.pot)
    if pot is None:
        pot = world.pots[fact.pot] = Pot(fact.pot, law, fact.plan, fact.ruleset, fact.above)
        pot.marks.append(Mark(world.seq, Purse(law.base, dict.fromkeys(law.reserves, 0)), law))
    pot.law, pot.plan, pot.ruleset = law, fact.plan, fact.ruleset
    pot.reserve_carries = {name: 0 if fact.above else pot.reserve_carries.get(name, 0) for name in law.reserves}
    pot.meters.base_put_in += fact.base_put_in
    if fact.above and fact.after is not None:
        pot.followed = Purse(fact.after.main, {name: fact.after.reserves[name] for name in law.reserves})
    new = own(world, law, mine=not fact.above)
    for name, table in list(world.tables.items()):
        if table.pot == fact.pot and name not in new and name not in emptying:
            world.numbers[name] = table.number
            del world.tables[name]
    put_away(world, fact, law)
    world.links.emptying.pop(fact.pot, None)
    if emptying:
        world.links.emptying[fact.pot] = emptying
    for name, (casino, game) in new.items():
        if name in emptying:
            continue
        old, number = world.tables.get(name), world.numbers.pop(name, 0)
        if old is not None and (old.casino, old.game.name) == (casino, game.name):
            old.game = game
        else:
            world.tables[name] = Table(name, casino, fact.pot, game, old.number if old else number)


def day_opened(world: World, fact: kinds.DayOpened) -> None:
    """R-30: committed before the day's first pass."""
    must(world.day is None, "R-27", "ya había un día de juego abierto")
    if world.reading >= 2:
        away = _days_ahead(world, fact.day)
        must(-1 <= away <= 1, "R-27", f"{shown(fact.day)} está a más de un día de la fecha del reloj")
        follows = _date_of(world.last_day) is None or fact.day > world.last_day
    else:
        follows = bool(NAME.fullmatch(fact.day)) and fact.day > world.last_day
    must(follows, "R-27", f"{shown(fact.day)} no sigue al último día")
    must(bool(DIGEST.fullmatch(fact.commitment)), "R-30", "el compromiso no es un SHA-256")
    if world.reading >= THIRD_READING:
        must(bool(DIGEST.fullmatch(fact.nonce)), "R-30", "falta el número al azar de quien abrió el día")
        must(fact.nonce not in world.nonces, "R-30", "el número al azar de quien abrió el día ya abrió otro")
        world.nonces = [*world.nonces, fact.nonce][-_NONCES:]
    else:
        must_be(fact.nonce, "", "R-30", "el número al azar de quien abrió el día")
    live = [table for table in world.tables.values() if not table.is_training]
    must(all(table.phase == BETWEEN for table in live), "R-27", "un pase sin día de juego")
    for seat in (seat for table in world.tables.values() for seat in table.seats):
        seat.over_paid = 0
    for person in world.people.values():
        person.on_this_day = set()
    world.day = Day(fact.day, fact.commitment, world.at, fact.nonce)
    for name, pot in world.pots.items():
        if not name.startswith(TRAINING):
            pot.marks.append(Mark(world.seq, world.purse(pot), pot.law))


def _days_ahead(world: World, name: str) -> int:
    """R-27: by how many days a name lies after the date that the clock shows."""
    named = there(_date_of(name), "R-27", f"{shown(name)} no es una fecha del calendario")
    return (named - date(1970, 1, 1)).days - world.at // _MS_OF_A_DAY


def _date_of(name: str) -> date | None:
    try:
        return date.fromisoformat(name) if _DATE.fullmatch(name) else None
    except ValueError:
        return None


def day_renamed(world: World, fact: kinds.DayRenamed) -> None:
    """R-27: the open day, or the one closed last, in its order; the draws of it keep the name of their commitment."""
    day = world.day
    was, before = (day.name, world.last_day) if day else (world.last_day, world.day_before)
    must_be(fact.was, was, "R-27", "el día que cambia de nombre")
    must(bool(was) and fact.day != was, "R-27", "no cambia el nombre de ningún día")
    must(_days_ahead(world, fact.day) <= 1, "R-27", f"{shown(fact.day)} está por venir")
    must(_date_of(before) is None or fact.day > before, "R-27", f"{shown(fact.day)} no sigue al día {shown(before)}")
    must(bool(fact.reason.strip()), "R-27", "falta el motivo")
    if day is None:
        world.last_day = fact.day
    else:
        day.name = fact.day


def seed_lost(world: World, fact: kinds.SeedLost) -> None:
    """R-30: of the open day, once; what waited for the seed waits no more."""
    day = there(world.day, "R-30", f"el día {shown(fact.day)} no estaba abierto")
    must_be(fact.day, day.name, "R-30", "el día cuya semilla se perdió")
    must(not day.lost, "R-30", "ya constaba que la semilla se perdió")
    must(bool(fact.reason.strip()), "R-30", "falta el motivo")
    day.lost, world.without_seed[day.name] = fact.reason, len(day.draws)
    for table in world.tables.values():
        table.draws.clear()


def day_closed(world: World, fact: kinds.DayClosed) -> None:
    """R-27, R-30: on empty tables, with the committed seed, with every meter as the facts made it."""
    day = there(world.day, "R-27", f"el día {shown(fact.day)} no estaba abierto")
    must(day.name == fact.day, "R-27", f"el día {shown(fact.day)} no estaba abierto")
    for table in world.tables.values():
        must(not table.is_training, "R-27", f"la mesa {table.name} entrenaba todavía")
        must(table.phase == BETWEEN, "R-27", f"la mesa {table.name} tenía un pase en curso")
        must(world.money_on(table) == 0, "R-27", f"en la mesa {table.name} quedaba dinero")
    must_be(fact.lost, day.lost, "R-30", "por qué no hay semilla")
    if day.lost:
        must(not fact.seed, "R-30", "revela una semilla que estaba perdida")
    else:
        _prove_seed(fact.seed, day)
    must_be(sorted(fact.meters), sorted(world.pots), "R-27", "los pozos con medidores")
    for name, meters in fact.meters.items():
        prove_meters(name, meters, world.pots[name].meters)
    world.day, world.last_day, world.day_before = None, fact.day, world.last_day
    world.claims = {name: claim for name, claim in world.claims.items() if claim.is_owed}
    for pot in world.pots.values():
        pot.given_today.clear()


def _prove_seed(text: str, day: Day) -> None:
    must(bool(DIGEST.fullmatch(text)), "R-30", "la semilla no son 64 cifras hexadecimales")
    seed = bytes.fromhex(text)
    must(hashlib.sha256(seed).hexdigest() == day.commitment, "R-30", "la semilla no es la comprometida al abrir el día")
    # since the third reading the number of who opened the day is part of the secret.
    secret = hashlib.sha256(seed + bytes.fromhex(day.nonce)).digest() if day.nonce else seed
    prove_draws(secret, day)


def prove_meters(pot: str, found: WrittenMeters, right: Meters) -> None:
    """R-27: each as the facts add up to."""
    for name in found.__struct_fields__:
        must_be(getattr(found, name), getattr(right, name), "R-27", f"el medidor {name} del pozo {shown(pot)}")


def money_moved(world: World, fact: kinds.MoneyMoved) -> None:
    """R-26: from the house into a part of a pot, or between its parts, never below nothing; R-28: a casino's share."""
    must(not fact.pot.startswith(TRAINING), "R-27", "en un pozo de entrenamiento no se traspasa")
    pot = world.pot(fact.pot)
    parts = ("main", *pot.law.reserves)
    gives = fact.target.startswith(SHARE)
    sources = parts if gives else ("house", *parts, *shares_of(world))
    known = fact.source in sources and (gives or fact.target in parts) and fact.source != fact.target
    must(known, "R-24", f"de {shown(fact.source)} a {shown(fact.target)} no se traspasa")
    must(1 <= fact.amount <= MOST_BET, "R-1", f"la cantidad {fact.amount}")
    is_share = fact.source.startswith(SHARE)
    held = world.books.at(fact.source if is_share else f"pot:{fact.pot}:{fact.source}")
    prove_share(world, fact)
    must(fact.source == "house" or fact.amount <= held, "R-18", f"en {fact.source} había {held}")
    must(bool(fact.resolution.strip()), "R-26", "falta la resolución")
    must_be(fact.casino, next(iter(pot.law.tables.values()))[0], "R-28", "el casino")


def training_started(world: World, fact: kinds.TrainingStarted) -> None:
    """R-27: a copy of the table and of its pot, in another book, of a table that is empty."""
    live = world.table(fact.table.removeprefix(TRAINING))
    must(fact.table == fact.pot == TRAINING + live.name, "R-27", "el nombre de la mesa y del pozo de entrenamiento")
    must(fact.table not in world.tables, "R-27", "la mesa ya entrenaba")
    must(live.phase == BETWEEN, "R-27", "la mesa tenía un pase en curso")
    prove_open_to_passes(world, live)
    must(world.money_on(live) == 0 and world.set_aside(live) == 0, "R-27", "en la mesa quedaba dinero")
    must_be(fact.casino, live.casino, "R-28", "el casino")
    pot = world.pot(live.pot)
    purse = world.purse(pot)
    right = (purse.main, pot.law.base, purse.reserves)
    must_be((fact.levels.main, fact.levels.base, fact.levels.reserves), right, "R-27", "el pozo copiado")
    copy = Pot(fact.pot, pot.law, pot.plan, pot.ruleset)
    copy.reserve_carries, copy.commission_carries = dict(pot.reserve_carries), dict(pot.commission_carries)
    copy.marks.append(Mark(world.seq, purse, pot.law))
    world.pots[fact.pot] = copy
    table = Table(fact.table, live.casino, fact.pot, live.game, live.number)
    table.last_sealed = live.last_sealed
    for seat, of in zip(table.seats, live.seats, strict=True):
        seat.bounds, seat.lamp_by = of.bounds, of.lamp_by
    world.tables[fact.table] = table


def training_ended(world: World, fact: kinds.TrainingEnded) -> None:
    """R-27: every account of the training goes back to nothing."""
    table = world.table(fact.table)
    must(table.is_training, "R-27", "la mesa no entrenaba")
    must(table.phase == BETWEEN, "R-27", "la mesa tenía un pase en curso")
    stands = world.books.stands
    right = {name: amount for name, amount in stands.items() if amount and name.split(":")[1] == fact.table}
    must_be(fact.closing, right, "R-27", "los saldos con que termina el entrenamiento")
    live = world.table(fact.table.removeprefix(TRAINING))
    for seat in live.seats:  # its unit has counted on meanwhile: the next report is where counting starts
        seat.device, seat.giving_back = None, 0
    del world.tables[fact.table], world.pots[fact.table]
    world.claims = {name: claim for name, claim in world.claims.items() if claim.table != fact.table}


CHECKS: dict[type, Callable[..., None]] = {
    kinds.PlanStaged: plan_staged,
    kinds.PlanWithdrawn: plan_withdrawn,
    kinds.PlanTookEffect: plan_took_effect,
    kinds.DayOpened: day_opened,
    kinds.DayClosed: day_closed,
    kinds.DayRenamed: day_renamed,
    kinds.SeedLost: seed_lost,
    kinds.MoneyMoved: money_moved,
    kinds.TrainingStarted: training_started,
    kinds.TrainingEnded: training_ended,
}
