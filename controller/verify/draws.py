"""Complementary prizes: drawn in their turn, computed again when the seed is known, granted as drawn (R-29, R-30).

Theory. While the day is open a draw can only be what was due: of a sealed pass, with the seats that took part. When the
day closes its seed is on record, and every draw of the day is computed from it by the sentence of R-30: a keyed hash
of the draw's name, taken as a number by rejection, so that every outcome is equally likely. A seat that won with a
drawn card was dealt it, so nothing that is entered of the pass may put it elsewhere, and nothing that had been entered.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable

from controller.verify.facts import AwardPaid, ClaimCorrected, Drawn, Flow, Granted, Hand, Levels, PrizeGranted
from controller.verify.law import Law, Random, is_card
from controller.verify.links.names import is_away, neighbour_of
from controller.verify.links.taken import charged_as_told
from controller.verify.money import MAIN, Purse
from controller.verify.past import Known, Past
from controller.verify.world import SEALED, TRAINING, Award, Claim, Day, Draw, Played, Pot, Table, World
from controller.verify.wrong import must, must_be, shown, there

_DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
_MINUTE = 60_000


def number_below(seed: bytes, name: str, outcomes: int) -> int:
    """R-30: the first 16 bytes of HMAC-SHA-256(seed, "name/attempt"), the first attempt that is below the highest
    multiple of `outcomes`, modulo `outcomes`."""
    whole = 2**128 // outcomes * outcomes
    attempt = 0
    while True:
        digest = hmac.digest(seed, f"{name}/{attempt}".encode(), hashlib.sha256)
        number = int.from_bytes(digest[:16], "big")
        if number < whole:
            return number % outcomes
        attempt += 1


def random_of(law: Law, name: str) -> Random:
    found = [random for random in law.randoms if random.name == name]
    must(bool(found), "R-29", f"el plan no tiene un premio {shown(name)}")
    return found[0]


def drawn(world: World, fact: Drawn) -> None:
    """R-30: of a sealed pass that waited for it, with all seats that had a valid bet."""
    table = world.table(fact.table)
    must(table.phase == SEALED and table.number == fact.number, "R-30", "el pase no estaba cerrado")
    must(fact.prize in table.draws, "R-29", f"en este pase no correspondía un sorteo de {shown(fact.prize)}")
    others = _excluded(world.pot(table.pot).law, fact.prize, table.draws)
    first = _order(world.pot(table.pot).law, [fact.prize, *others])[0]
    must_be(fact.prize, first, "R-29", "cuál de los dos se sortea antes")
    must_be(fact.closed, table.closed_hash, "R-30", "la huella del pase")
    must_be(fact.seats, tuple(bet.seat for bet in table.bets), "R-29", "las posiciones que participan")
    pot = world.pot(table.pot)
    random = random_of(pot.law, fact.prize)
    wants_seat, wants_card = fact.hit and random.drawn == "seat", fact.hit and random.drawn == "card"
    must(fact.seat in fact.seats if wants_seat else fact.seat == 0, "R-30", "la posición sorteada")
    must(is_card(fact.card) if wants_card else not fact.card, "R-30", "la carta sorteada")
    table.draws.remove(fact.prize)
    for name in others if fact.hit else ():
        table.draws.remove(name)
    if wants_card:
        table.cards[fact.prize] = fact.card
    if wants_seat:
        world.due_prize = (table.name, fact.prize, fact.seat)
    if fact.hit and random.within_minutes:
        pot.given_today.add(fact.prize)
        for other in world.tables.values():  # it falls once a day: other passes that waited for it wait in vain
            if other.pot == table.pot and fact.prize in other.draws:
                other.draws.remove(fact.prize)
    day = there(world.day, "R-30", "un sorteo sin día de juego")
    draw = Draw(world.seq, table, random, day.first_name, table.sealed_at - day.opened - table.skipped)
    draw.seats, draw.hit, draw.seat, draw.card = fact.seats, fact.hit, fact.seat, fact.card
    day.draws.append(draw)


def _excluded(law: Law, prize: str, waiting: list[str]) -> list[str]:
    """R-29: what of all that waits cannot fall in a pass with it, whichever of the two says so."""
    own = random_of(law, prize).excludes
    return [one for one in waiting if one != prize and (one in own or prize in random_of(law, one).excludes)]


def _order(law: Law, names: list[str]) -> list[str]:
    """As the plan names them."""
    return [random.name for random in law.randoms if random.name in names]


def prove_planned(law: Law) -> None:
    """R-29: what a plan says of its complementary prizes since the second reading."""
    named = {one.name: one for one in law.named}
    for random in law.randoms:
        of_law, what = named.get(random.name), shown(random.name)
        must(random.drawn != "card" or of_law is not None, "R-29", f"el reglamento no nombra {what}")
        must(not random.promo or bool(random.authorisation), "R-29", f"{what}: falta la autorización")
        must(not random.promo or random.amount % law.credit == 0, "R-1", f"{what}: no son créditos enteros")
        if of_law is not None:
            must_be(random.paid_in, of_law.paid_in or random.paid_in, "R-29", f"en qué se paga {what}")
            both = [other.name for other in law.randoms if other.name in of_law.excludes]
            must_be(_excluded(law, random.name, both), both, "R-29", f"lo que excluye {what}")


def prove_draws(secret: bytes, day: Day) -> None:
    """R-30: what the day's secret says of every draw of it."""
    for draw in day.draws:
        name = f"{draw.table}/{draw.number}/{draw.random.name}/{draw.closed}"
        if draw.random.one_in:
            hit = number_below(secret, f"{name}/chance", draw.random.one_in) == 0
        else:
            moment = f"{draw.day}/{draw.pot}/{draw.random.name}/moment"
            hit = draw.since >= number_below(secret, moment, draw.random.within_minutes * _MINUTE)
        seat, card = 0, ""
        if hit and draw.random.drawn == "seat":
            seats = sorted(draw.seats)
            seat = seats[number_below(secret, f"{name}/seat", len(seats))]
        elif hit:
            card = _DECK[number_below(secret, f"{name}/card", len(_DECK))]
        found, right = (draw.hit, draw.seat, draw.card), (hit, seat, card)
        must_be(found, right, "R-30", "lo que dice la semilla revelada", f"fact {draw.seq}")


def granted(world: World, fact: PrizeGranted) -> None:
    """R-18, R-29: to the seat that was drawn or shows the card; in full, from its part and then the house."""
    if is_away(fact.table):
        _granted_there(world, fact)
        return
    table = world.table(fact.table)
    pot = world.pot(table.pot)
    must_be((fact.pot, fact.casino), (table.pot, table.casino), "R-28", "el pozo y el casino")
    must_be(fact.above, pot.above, "R-28", "quién tiene el pozo")
    must(table.phase == SEALED and table.number == fact.number, "R-29", "el pase no estaba cerrado")
    random = random_of(pot.law, fact.prize)
    must_be(fact.amount, random.amount, "R-29", "la cantidad")
    must_be(fact.promo, random.promo, "R-29", "si son créditos promocionales")
    if fact.by:
        _prove_card_shown(world, table, fact)
        if world.reading >= 2:
            table.shown[fact.prize] = (fact.card, fact.seat)
    else:
        must_be(world.due_prize, (table.name, fact.prize, fact.seat), "R-30", "lo sorteado")
        world.due_prize = None
    must_be(fact.claim, _name_of(world, table, pot.law.randoms.index(random) + 1), "R-29", "el número")
    if world.reading >= 2:
        _prove_held(world, pot, random, fact)
    if fact.promo:
        must(not (fact.flow.parts or fact.flow.house or fact.flow.commission), "R-29", "mueve dinero de un pozo")
    _hold(world, world.played(table), pot, random, fact)


def _granted_there(world: World, fact: PrizeGranted) -> None:
    """R-28, R-29: a prize of the plan, once, to a seat that bet; what the draw was stands in the record of its node."""
    world.links.heard_of(neighbour_of(fact.table), fact)
    table = there(world.links.away.get(fact.table), "R-9", f"ningún plan enlaza la mesa {shown(fact.table)}")
    pot = world.pot(table.pot)
    right = (table.pot, table.casino, pot.above)
    must_be((fact.pot, fact.casino, fact.above), right, "R-28", "el pozo, el casino y quién tiene el pozo")
    must_be((fact.number, table.closed), (table.number, False), "R-29", "el pase en curso")
    random = random_of(pot.law, fact.prize)
    must_be((fact.amount, fact.promo), (random.amount, random.promo), "R-29", "la cantidad")
    must(fact.seat in [bet.seat for bet in table.bets], "R-29", f"la posición {fact.seat} no tenía una apuesta válida")
    must(fact.claim.startswith(f"{table.name}/{table.number}/p"), "R-29", "el número")
    _prove_held(world, pot, random, fact)
    dark = frozenset(table.dark)
    played = Played(table.name, table.casino, table.pot, pot.law, table.game, table.bets, dark)
    _hold(world, played, pot, random, fact)


def _prove_card_shown(world: World, table: Table, fact: PrizeGranted) -> None:
    """R-29: by a seat with a valid bet, and the cards that were entered agree."""
    card = table.cards.pop(fact.prize, None)
    must(card is not None, "R-29", f"en este pase no salió una carta de {shown(fact.prize)}")
    must(fact.seat in [bet.seat for bet in table.bets], "R-29", f"la posición {fact.seat} no tenía una apuesta válida")
    if world.reading >= 2:
        must_be(fact.card, card, "R-29", "la carta")
        prove_dealt(fact.card, fact.seat, table.hands, table.community)
        for other, seat in table.shown.values():
            must(other != card or seat == fact.seat, "R-32", f"la carta {card} es de la posición {seat}")
        return
    for claim in world.claims.values():
        if (claim.table, claim.number) == (table.name, table.number) and not claim.rejected:
            for hand in claim.hands:
                agrees = not hand.cards or (card in hand.cards) == (hand.seat == fact.seat)
                must(agrees, "R-29", f"la carta {card} no es de la posición {fact.seat}")


def _name_of(world: World, table: Table, place: int) -> str:
    """R-29: by its place in the plan; a card that was rejected and is shown again is a claim of its own."""
    name = f"{table.name}/{table.number}/p{place}"
    before = [claim for claim in world.claims if claim == name or claim.startswith(f"{name}-")]
    return f"{name}-{len(before) + 1}" if before else name


def _prove_held(world: World, pot: Pot, random: Random, fact: PrizeGranted) -> None:
    """R-29: held from the draw on, with what it is paid in, the pot as it found it, and the card if one was drawn."""
    must(fact.held, "R-29", "no quedó retenido desde el sorteo")
    must_be(fact.paid_in, random.paid_in, "R-29", "en qué se paga")
    purse = world.purse(pot)
    if pot.above:
        must_be(fact.before, None, "R-28", "el pozo de entonces, que dice su dueño")
    else:
        found = there(fact.before, "R-20", "falta el pozo de entonces")
        right = (purse.main, pot.law.base, purse.reserves)
        must_be((found.main, found.base, found.reserves), right, "R-20", "el pozo de entonces")
    must(bool(fact.card) == (random.drawn == "card"), "R-29", "la carta")


def _hold(world: World, played: Played, pot: Pot, random: Random, fact: PrizeGranted) -> None:
    """R-20, R-25: out of the pot and held like any award; promotional credits are given at once."""
    must(fact.claim not in world.claims, "R-29", "ese premio ya se dio")
    purse = world.purse(pot)
    claim = Claim(played, fact.number, world.at, Levels(purse.main, pot.law.base, dict(purse.reserves)))
    claim.prize, claim.paid_in = True, fact.paid_in
    name = f"{fact.claim}/1"
    if fact.promo:
        one = Granted(1, fact.seat, fact.prize, fact.amount, {}, 0, ("R-29",))
    else:
        one = Granted(1, fact.seat, fact.prize, fact.amount, *_sources(world, purse, random, fact), ("R-29",))
        pot.meters.hit(world.at, name, one)
    claim.awards[name] = Award(one, claim.at, fact.by)
    claim.awards[name].paid = fact.promo and not fact.held
    world.claims[fact.claim] = claim


def _sources(world: World, purse: Purse, random: Random, fact: PrizeGranted) -> tuple[dict[str, int], int]:
    """R-18: in full, from its part as far as that goes, the rest from the house; of another's pot its owner says."""
    if fact.above:
        must(fact.flow == Flow(), "R-28", "de dónde sale lo dice el dueño del pozo")
        return {}, 0
    there = purse.main if random.source == MAIN else purse.reserves[random.source]
    part = min(there, random.amount)
    parts = {random.source: -part} if part else {}
    right = charged_as_told(world, fact, fact.claim, parts, part - random.amount)
    must_be((fact.flow.parts, fact.flow.house, fact.flow.commission), (*right, 0), "R-18", "de dónde sale")
    return {name: -amount for name, amount in right[0].items()}, -right[1]


def prove_dealt(card: str, seat: int, hands: Iterable[Hand], community: tuple[str, ...]) -> None:
    """R-29, R-32: of this seat's own cards, where they are known; in no other hand, and not on the table."""
    must(card not in community, "R-32", f"la carta {card} estaba en la mesa")
    for hand in hands:
        if hand.seat == seat:
            must(not hand.cards or card in hand.cards, "R-32", f"la carta {card} no es de la posición {seat}")
        else:
            must(card not in hand.cards, "R-32", f"la carta {card} es de la posición {hand.seat}, no de la {seat}")


def prove_against_shown(table: Table, hands: Iterable[Hand], community: tuple[str, ...]) -> None:
    """R-32: what is entered of a sealed pass, against the cards that its seats won with."""
    entered = tuple(hands)
    for card, seat in table.shown.values():
        prove_dealt(card, seat, entered, community)


def entered(world: World, table: str, number: int, hands: tuple[Hand, ...], community: tuple[str, ...]) -> None:
    """What was entered of a sealed pass last; of an earlier entry nothing is left."""
    now = world.tables.get(table)
    if now is not None and (now.number, now.phase) == (number, SEALED):
        now.hands, now.community = hands, community


def prove_prizes(past: Past, known: Known, out: list[Known], fact: ClaimCorrected) -> None:
    """R-29, R-32: the hands of the pass and the drawn cards that its seats won with do not contradict each other; a
    prize stands once, whoever it was granted to."""
    prizes = [one for one in past.claims.values() if one.is_prize and one.of == past.of and one.name != known.name]
    standing = [one for one in prizes if one not in out and not one.is_none]
    hands, community = fact.hands, fact.community
    if known.is_prize:
        of_hands = past.standing
        hands, community = (of_hands.hands, of_hands.community) if of_hands is not None else ((), ())
    if known.is_prize and known.is_none and not fact.void:
        must(all(_prize_of(one.name) != _prize_of(known.name) for one in standing), "R-29", "ese premio lo tiene otro")
        standing.append(known)
    for one in standing:
        if one.card:
            prove_dealt(one.card, one.awards[f"{one.name}/1"].seat, hands, community)


def _prize_of(claim: str) -> str:
    """R-29: which of the plan's prizes; a card that is shown again after a rejection has a number behind it."""
    return claim.rpartition("/")[2].partition("-")[0]


def cards_after(world: World, fact: ClaimCorrected) -> None:
    """R-29, R-32: where the cards of a pass that is still sealed lie once it is put right."""
    table = world.tables.get(fact.table)
    if table is None or (table.number, table.phase) != (fact.number, SEALED):
        return
    of_prize = fact.claim.rpartition("/")[2].startswith("p")
    if not of_prize:
        table.hands, table.community = fact.hands, fact.community
    for name in fact.cancelled:
        claim, award = world.award(name)
        card = table.shown.pop(award.granted.prize, None) if claim.prize else None
        if card is not None and not fact.void:
            table.cards[award.granted.prize] = card[0]
    for one in fact.awards if of_prize else ():
        waiting = table.cards.pop(one.prize, None)
        if waiting is not None:
            table.shown[one.prize] = (waiting, one.seat)


def prove_paid(world: World, claim: Claim, fact: AwardPaid) -> None:
    """R-29: paid in what plan and law say; a complementary prize after its pass, promotional credits on an open seat
    of a table that feeds the pot and is not in training."""
    must_be(fact.promo, claim.promo, "R-29", "si son créditos promocionales")
    right = claim.paid_in or world.pot(claim.pot).law.awards_in
    must_be(fact.paid_in, right, "R-29", "en qué se paga")
    must_be(fact.table, claim.table if claim.promo else "", "R-29", "la mesa")
    if not claim.prize:
        return
    table = world.tables.get(claim.table)
    is_over = table is None or (table.number, table.phase) != (claim.number, SEALED)
    must(is_over, "R-29", "el pase no había terminado")
    if claim.promo:
        table = there(table, "R-29", "su mesa ya no juega")
        plays = table.pot == claim.pot and not table.seat(fact.seat).is_out
        must(plays, "R-29", f"la posición {fact.seat} no juega para este pozo")
        must(TRAINING + table.name not in world.tables, "R-27", "la mesa entrenaba")


CHECKS: dict[type, Callable[..., None]] = {Drawn: drawn, PrizeGranted: granted}
