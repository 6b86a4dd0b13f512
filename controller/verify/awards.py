"""Claims and awards: registered as hands and pot say, held, confirmed, paid once; or rejected (R-11 to R-21, R-34).

Theory. A claim is computed again from what stands in it and from the pot as the books have it at that fact. An award
is decided once, by people; a rejection gives back exactly what was held; a late winner is owed what he would have
been paid then, by the house, with two persons.
"""

from collections.abc import Callable

from controller.verify import claims as again
from controller.verify import facts as kinds
from controller.verify.claims import Judged, Owed, Settled
from controller.verify.draws import entered, prove_against_shown, prove_paid
from controller.verify.facts import Flow, Granted, Levels, SealedBet
from controller.verify.links.advances import take_advanced
from controller.verify.links.disputes import rejected_here, taken_as, won_as_told
from controller.verify.links.names import is_away, neighbour_of
from controller.verify.links.taken import settled_as_told
from controller.verify.money import HOUSE, MAIN, Purse, undo_claim
from controller.verify.world import SEALED, SECOND_READING, Award, Claim, Played, Pot, Table, World
from controller.verify.wrong import must, must_be, shown, there


def registered(world: World, fact: kinds.ClaimRegistered) -> None:
    """R-20, R-34: all winners of a sealed pass, on the pot as it was at that instant."""
    is_own_told = bool(fact.log) and not is_away(fact.table)
    dispute, world.links.taken = world.links.taken, None
    must(fact.taken is (dispute is not None), "R-28", "si dos personas tomaron lo que no se creyó")
    if dispute is not None:
        played = taken_as(world, dispute, fact)
    else:
        played = _lost(world, fact) if is_own_told else played_of(world, fact)
    pot, law = world.pot(played.pot), played.law
    must(not pot.above, "R-28", f"el pozo es de {shown(pot.above)}: aquí solo se le pide")
    purse = world.purse(pot)
    before = levels_of(purse, pot.law.base)
    prove_levels(fact.before, before, "el pozo antes")
    if dispute is not None:
        winners = won_as_told(dispute)
    else:
        winners = [] if is_own_told else prove_judged(world, played, fact).winners
    if fact.log:
        who = [(one.seat, one.prize) for one in again.settle(law, purse.copy(), pot.law.base, winners).awards]
        said = [(one.seat, one.prize) for one in fact.awards]
        must(is_own_told or said == who, "R-28", "no son los premios que se decidieron")
        settled = Settled([], settled_as_told(world, fact, purse))
    else:
        settled = again.settle(law, purse, pot.law.base, winners)
        prove_awards(fact.awards, settled.awards, 1)
        prove_base(fact.base_back, settled.base)
    prove_levels(fact.after, levels_of(purse, pot.law.base), "el pozo después")
    if not fact.awards:
        return
    claim = world.claims[fact.claim] = Claim(played, fact.number, _since(world, fact), before)
    claim.hands, claim.base, claim.taken = fact.hands, settled.base, fact.taken
    pot.meters.base_put_in += sum((settled.base or {}).values())
    hold(world, claim, fact.claim, fact.awards, fact.by)


def _lost(world: World, fact: kinds.ClaimRegistered) -> Played:
    """R-28: a pass of this node that went with the restore; nothing of it is known but what was decided."""
    table = world.table(fact.table)
    must_be((fact.pot, fact.casino), (table.pot, table.casino), "R-28", "el pozo y el casino")
    must(not (fact.hands or fact.community or fact.unpaid or fact.by), "R-28", "más de lo que se dijo")
    return Played(table.name, table.casino, table.pot, world.pot(table.pot).law, table.game, (), frozenset())


def prove_judged(world: World, played: Played, fact: kinds.ClaimRegistered | kinds.ClaimAsked) -> Judged:
    """R-32, R-34: who wins, and why the others do not, by the hands; and nothing that was shown contradicts them."""
    bets = _amounts(played.bets)
    if world.reading >= SECOND_READING:
        again.prove_entered(bets, fact.hands)
    judged = again.judge(played.law, played.game, bets, fact.hands, fact.community, played.dark)
    must_be([(one.seat, one.reason) for one in fact.unpaid], judged.unpaid, "R-32", "quién no gana y por qué")
    if world.reading >= SECOND_READING:
        again.prove_shown(played.law, fact.hands, judged.winners)
        table = world.tables.get(fact.table)
        if table is not None and fact.number == table.number:
            prove_against_shown(table, fact.hands, fact.community)
        entered(world, fact.table, fact.number, fact.hands, fact.community)
    return judged


def played_of(world: World, fact: kinds.ClaimRegistered | kinds.ClaimAsked) -> Played:
    """The pass of a claim, of a table here or of a neighbour's, and that it can be claimed."""
    played = _played_there(world, fact) if is_away(fact.table) else _played(world, world.table(fact.table), fact)
    must_be((fact.pot, fact.casino), (played.pot, played.casino), "R-28", "el pozo y el casino")
    return played


def _played_there(world: World, fact: kinds.ClaimRegistered | kinds.ClaimAsked) -> Played:
    """R-28, R-34: while the pass is in progress, as its node told it."""
    world.links.heard_of(neighbour_of(fact.table), fact)
    table = there(world.links.away.get(fact.table), "R-9", f"ningún plan enlaza la mesa {shown(fact.table)}")
    must_be((fact.number, table.closed), (table.number, False), "R-35", "el pase en curso")
    _prove_name(world, fact)
    dark = frozenset(table.dark)
    return Played(table.name, table.casino, table.pot, world.pot(table.pot).law, table.game, table.bets, dark)


def _prove_name(world: World, fact: kinds.ClaimRegistered | kinds.ClaimAsked) -> list[Claim]:
    """R-34: one claim of a pass at a time; those there were before."""
    of = (fact.table, fact.number)
    same = {name: one for name, one in world.claims.items() if not one.prize and (one.table, one.number) == of}
    standing = [name for name, claim in same.items() if not claim.rejected]
    must(not standing, "R-34", f"los premios de este pase ya estaban registrados ({', '.join(standing)})")
    pass_, _, attempt = fact.claim.rpartition("/")
    named = pass_ == f"{fact.table}/{fact.number}" and attempt.isascii() and attempt.isdecimal()
    must(named and fact.claim not in world.claims, "R-34", f"el número {shown(fact.claim)}")
    return list(same.values())


def _played(world: World, table: Table, fact: kinds.ClaimRegistered | kinds.ClaimAsked) -> Played:
    """R-34: a rejected claim may be registered anew, under the first reading also when the table has played on."""
    before = _prove_name(world, fact)
    if fact.number == table.number and table.phase == SEALED:
        return world.played(table)
    must(world.reading < SECOND_READING, "R-35", "el pase no estaba cerrado: sus premios se corrigen")
    must(bool(before) and bool(fact.awards), "R-5", "el pase no estaba cerrado, o no se rechazaron premios suyos")
    return before[-1].played


def _since(world: World, fact: kinds.ClaimRegistered | kinds.ClaimAsked) -> int:
    """R-21: the time to verify runs from the first registration of the pass's claim, also where that was rejected."""
    of = (fact.table, fact.number)
    before = [one.at for one in world.claims.values() if not one.prize and (one.table, one.number) == of]
    return min(before, default=world.at) if world.reading >= SECOND_READING else world.at


def _amounts(bets: tuple[SealedBet, ...]) -> dict[int, int]:
    return {bet.seat: bet.amount for bet in bets}


def levels_of(purse: Purse, base: int) -> Levels:
    return Levels(purse.main, base, dict(purse.reserves))


def prove_levels(found: Levels, right: Levels, what: str) -> None:
    must_be((found.main, found.base, found.reserves), (right.main, right.base, right.reserves), "R-20", what)


def prove_awards(found: tuple[Granted, ...], right: list[Owed], first: int) -> None:
    """R-13: each in its place, to the same seat, for the same hand, of the same amount, from the same parts."""
    must_be([one.seat for one in found], [one.seat for one in right], "R-13", "quiénes ganan, en orden de pago")
    for number, (one, owed) in enumerate(zip(found, right, strict=True), first):
        must_be(one.number, number, "R-13", "el número del premio")
        must_be(one.prize, owed.prize, "R-10", f"posición {one.seat}: la jugada")
        must_be(one.amount, owed.amount, owed.rules[1], f"posición {one.seat}: la cantidad")
        must_be((one.parts, one.house), (owed.parts, owed.house), "R-18", f"posición {one.seat}: de dónde sale")
        must_be(one.rules, owed.rules, "R-27", f"posición {one.seat}: las reglas")


def prove_base(found: Flow | None, right: dict[str, int] | None) -> None:
    """R-19: the base, from whom."""
    if found is None or right is None:
        must_be(found, right, "R-19", "la base repuesta")
        return
    total = sum(right.values())
    parts = {MAIN: total} if total else {}
    parts |= {name: -amount for name, amount in right.items() if name != HOUSE}
    flow = (found.parts, found.house, found.commission)
    must_be(flow, (parts, -right.get(HOUSE, 0), 0), "R-19", "la base repuesta")


def hold(world: World, claim: Claim, name: str, awards: tuple[Granted, ...], *entered: str) -> None:
    meters = world.pot(claim.pot).meters
    for one in awards:
        claim.awards[f"{name}/{one.number}"] = Award(one, claim.at, *entered)
        meters.hit(world.at, f"{name}/{one.number}", one)


def _pot_of(world: World, claim: Claim, pot: str, casino: str) -> Pot:
    must_be((pot, casino), (claim.pot, claim.casino), "R-28", "el pozo y el casino")
    return world.pot(claim.pot)


def rejected(world: World, fact: kinds.ClaimRejected) -> None:
    """R-21, R-34: as a whole, before anything was paid, exactly."""
    claim = world.claim(fact.claim)
    if claim.left:
        rejected_here(world, claim, fact)
        return
    must(world.reading < SECOND_READING, "R-34", "se corrige, no se rechaza")
    pot = _pot_of(world, claim, fact.pot, fact.casino)
    must(not claim.rejected, "R-21", "ya estaba rechazado")
    must(not claim.any_paid, "R-34", "ya se había pagado un premio")
    awards = [award.granted for award in claim.awards.values()]
    must_be(fact.held, 0 if claim.promo else sum(one.amount for one in awards), "R-21", "lo retenido")
    before = world.purse(pot)
    purse = before.copy()
    returned = undo_claim(pot.law, purse, claim.before.main, awards, claim.base)
    flow = (fact.flow.parts, fact.flow.house, fact.flow.commission)
    must_be(flow, (purse.moved_from(before), returned.house, 0), "R-21", "adónde vuelve")
    must_be(fact.overflow, returned.overflow, "R-24", "lo que pasa el tope")
    claim.rejected = True
    for award in claim.awards.values():
        award.cancelled = True
    pot.meters.rejected_hits += 0 if claim.promo else len(awards)
    pot.meters.rejected += fact.held


def late(world: World, fact: kinds.LateRegistered) -> None:
    """R-34: winners found after a payment, owed by the house what the pot of then would have paid."""
    must(world.reading < SECOND_READING, "R-34", "se corrige, no se registra aparte")
    claim = world.claim(fact.claim)
    _pot_of(world, claim, fact.pot, fact.casino)
    must(not claim.rejected and claim.any_paid, "R-34", "no se había pagado un premio de este pase")
    law = claim.played.law
    judged = again.judge(law, claim.played.game, _amounts(claim.played.bets), fact.hands, fact.community)
    known = {(award.granted.seat, award.granted.prize) for award in claim.awards.values()}
    winners = {(winner.seat, winner.hand) for winner in judged.winners}
    must(known <= winners, "R-34", "faltan ganadores ya registrados")
    must(len(winners) > len(known), "R-34", "no hay un ganador nuevo")
    then = Purse(claim.before.main, claim.before.reserves)
    right = again.late(law, then, judged.winners, {seat for seat, _ in known})
    prove_awards(fact.awards, right, len(claim.awards) + 1)
    claim.hands = fact.hands
    hold(world, claim, fact.claim, fact.awards, fact.by, fact.second)


def _undecided(world: World, name: str) -> tuple[Claim, Award]:
    claim, award = world.award(name)
    must(not award.cancelled, "R-21", "fue rechazado")
    must(not award.paid, "R-21", "ya estaba pagado")
    must(not award.waits, "R-20", "esperaba lo que diga el dueño del pozo")
    must(not claim.frozen, "R-34", "su pase se está corrigiendo")
    return claim, award


def confirmed(world: World, fact: kinds.AwardConfirmed) -> None:
    """R-21: above what the plan leaves to one person, by two."""
    claim, award = _undecided(world, fact.award)
    must(not award.confirmed, "R-21", "ya estaba confirmado")
    alone = award.granted.amount <= world.pot(claim.pot).law.alone_up_to
    must(alone or bool(fact.second), "R-21", f"un premio de {award.granted.amount} se confirma entre dos personas")
    if world.reading >= SECOND_READING:
        _prove_not_his_own(world, claim, award, fact)
    award.confirmed_by = (fact.by, fact.second)


def _prove_not_his_own(world: World, claim: Claim, award: Award, fact: kinds.AwardConfirmed) -> None:
    """R-36: whoever entered an award does not decide alone that it is true; above an amount he is none of them."""
    signed = {fact.by, fact.second} - {""}
    above = world.pot(claim.pot).law.none_registered_above
    must(bool(signed - award.entered), "R-36", f"lo confirmó quien lo anotó: {', '.join(sorted(signed))}")
    apart = above is None or award.granted.amount <= above or not signed & award.entered
    must(apart, "R-36", f"un premio de {award.granted.amount} no lo confirma quien lo anotó")


def paid(world: World, fact: kinds.AwardPaid) -> None:
    """R-21: what was confirmed, to the seat that won it, once."""
    claim, award = _undecided(world, fact.award)
    pot = _pot_of(world, claim, fact.pot, fact.casino)
    must_be((fact.seat, fact.amount), (award.granted.seat, award.granted.amount), "R-12", "la posición y la cantidad")
    must_be(fact.advanced, take_advanced(world, claim, fact), "R-20", "lo que ya se había adelantado")
    if is_away(claim.table):
        _prove_paid_there(world, claim, award, fact)
    else:
        must(award.confirmed or award.aside, "R-21", "no estaba confirmado")
        if world.reading >= SECOND_READING:
            prove_paid(world, claim, fact)
    award.paid = True
    if claim.promo:
        return
    pot.meters.paid_hits += 1
    pot.meters.paid += fact.amount


def _prove_paid_there(world: World, claim: Claim, award: Award, fact: kinds.AwardPaid) -> None:
    """R-28: who confirmed it and how it was paid stands in the record of its node."""
    if fact.award in world.links.granted:
        world.links.granted.remove(fact.award)
    else:
        world.links.heard_of(neighbour_of(claim.table), fact)
    said = (fact.promo, fact.paid_in, fact.table)
    must_be(said, (claim.promo, claim.paid_in, ""), "R-29", "en qué se paga")
    award.aside = False  # its node keeps that it had been


def overdue(world: World, fact: kinds.AwardOverdue) -> None:
    """R-21: an alarm, once, past the time to verify."""
    claim, award = world.award(fact.award)
    must(award.is_owed, "R-21", "ya estaba pagado o rechazado")
    must(not award.overdue and not award.aside, "R-21", "ya estaba avisado o apartado")
    must(not award.confirmed or world.reading >= SECOND_READING, "R-21", "ya estaba confirmado")
    must_be(fact.since, award.since, "R-21", "desde cuándo está retenido")
    seconds = (world.at - award.since) // 1000
    must(seconds > world.pot(claim.pot).law.minutes * 60, "R-21", f"llevaba {seconds} segundos retenido")
    award.overdue = True


CHECKS: dict[type, Callable[..., None]] = {
    kinds.ClaimRegistered: registered,
    kinds.ClaimRejected: rejected,
    kinds.LateRegistered: late,
    kinds.AwardConfirmed: confirmed,
    kinds.AwardPaid: paid,
    kinds.AwardOverdue: overdue,
}
