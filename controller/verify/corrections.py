"""A pass put right in one act: the whole of R-34 and R-35, computed a second time.

Theory. The pot's events are lived through twice (replay.py): with what was known of its claims until now, and with what
is known of this one from now on. What the second course owes beyond what was kept is newly owed, what was held and is
false is struck out, what was paid and is false is lost to the house, and the pot moves by the difference between both.
Every figure of the fact follows from that; who may sign it, and when, from R-34 to R-36.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from msgspec import structs

from controller.verify import claims as again
from controller.verify import facts as kinds
from controller.verify.claims import Judged, Owed
from controller.verify.draws import cards_after, prove_prizes
from controller.verify.facts import Granted, Levels
from controller.verify.links.corrections import answered_here, corrected_above
from controller.verify.links.names import is_away, neighbour_of
from controller.verify.money import MAIN
from controller.verify.past import Known, Mark, Past, Won
from controller.verify.replay import Case, Course, relive, since_mark
from controller.verify.world import SEALED, THIRD_READING, Award, Claim, World
from controller.verify.wrong import must, must_be, there


def corrected(world: World, fact: kinds.ClaimCorrected) -> None:
    """R-34, R-35: every figure of it, then what it makes of claims and pot."""
    if fact.above:
        corrected_above(world, fact)
        return
    answered_here(world, fact)
    case, marks = _lived(world, fact)
    found = _at_place(case, fact)
    must_be(fact.before, found, "R-34", "el pozo en su lugar")
    if case.known.is_prize:
        owed, kept, true = _of_prize(case, fact)
    else:
        owed, kept, true = _of_cards(case, fact)
    prove_prizes(case.past, case.known, case.out, fact)
    _prove_struck(world, case, fact, kept, owed, true)
    right = _newly_owed(owed, kept)
    _prove_owed(fact.awards, right, _next_number(case.known))
    resettled = _prove_resettled(case, fact)
    _prove_flow(world, case, fact)
    _prove_overflows(world, case, fact)
    if not is_away(fact.table):  # the clock and the persons of a neighbour's pass are in his record
        must(fact.since in _since(world, case, fact), "R-21", "desde cuándo corren los treinta minutos")
        _prove_persons(world, case, fact)
    _put_right(world, case, fact, resettled)
    case.pot.marks = marks


def _lived(world: World, fact: kinds.ClaimCorrected) -> tuple[Case, list[Mark]]:
    """Both courses since a mark before the pass, which was sealed and is not void; and the pot's marks by them."""
    pot = world.pot(fact.pot)
    mark, past = since_mark(world, pot, fact)
    sealed = there(past.sealed, "R-35", "ese pase no se selló")
    must(not past.is_void, "R-25", "ese pase se anuló")
    must_be((fact.pot, fact.casino), (sealed.pot, sealed.casino), "R-28", "el pozo y el casino")
    known = _claim_of(past, fact)
    must_be(fact.place, known.place, "R-34", "el lugar en que se liquida el pase")
    must(known.place > mark.seq, "R-34", "el pase no se cerró")
    truth = replace(known, hands=fact.hands, community=fact.community, late=frozenset(fact.late), told=False)
    truth.is_none = known.is_prize and (fact.void or not known.is_none)
    out = _prizes_out(past, fact, known)
    none = {one.name: replace(one, is_none=True) for one in out}
    was = Course(mark, past.claims)
    right = Course(mark, {**past.claims, known.name: truth, **none})
    plays, marked = relive(world, mark, past, (was, right))
    kept = [one for one in pot.marks if one.seq <= mark.seq]
    return Case(pot, past, plays, known, out, was, right), kept + marked


def _prizes_out(past: Past, fact: kinds.ClaimCorrected, known: Known) -> list[Known]:
    """R-25, R-29: the prizes that a void puts back with the hands."""
    named = {name.rpartition("/")[0] for name in fact.cancelled} if fact.void else set()
    prizes = [one for one in past.claims.values() if one.is_prize and one.of == past.of]
    return [one for one in prizes if one.name in named and one.name != known.name]


def _claim_of(past: Past, fact: kinds.ClaimCorrected) -> Known:
    """R-34: the claim of the pass; where there is none, one as the pass was closed."""
    named = past.claims.get(fact.claim)
    if named is not None and named.is_prize:
        must_be((fact.table, fact.number), named.of, "R-29", "el pase del premio")
        return named
    standing = past.standing
    if standing is not None:
        must_be(fact.claim, standing.name, "R-34", "los premios del pase")
        return standing
    must_be(fact.claim, f"{fact.table}/{fact.number}/{past.attempts + 1}", "R-34", "el número de los premios")
    place = past.closed_at
    if not place and past.of_pass and not past.of_pass[-1].as_written:  # rejected, and the cards still lie there
        place = past.of_pass[-1].place
    return Known(fact.claim, past.of, fact.casino, place, 0, frozenset())


def _at_place(case: Case, fact: kinds.ClaimCorrected) -> Levels:
    purse, base = case.right.before[fact.claim]
    return Levels(purse.main, base, purse.reserves)


def _of_cards(case: Case, fact: kinds.ClaimCorrected) -> tuple[list[Owed], dict[int, int], dict[int, str]]:
    """R-32, R-34: who truly won and is owed what; what each keeps; each one's hand."""
    judged = _judged(case, fact)
    if not fact.void:
        again.prove_shown(case.played.law, fact.hands, judged.winners)
    must_be([(one.seat, one.reason) for one in fact.unpaid], judged.unpaid, "R-32", "quién no gana y por qué")
    true = {winner.seat: winner.hand for winner in judged.winners}
    must_be(fact.late, _late(case, true), "R-33", "a quiénes paga la casa")
    return case.right.owed[fact.claim], _kept_of_pass(case, true), true


def _kept_of_pass(case: Case, true: dict[int, str]) -> dict[int, int]:
    """R-34: also what was paid to a seat by a claim of the pass that was rejected since."""
    kept: dict[int, int] = {}
    for known in {case.known.name: case.known, **{one.name: one for one in case.past.of_pass}}.values():
        for seat, amount in known.kept(true).items():
            kept[seat] = kept.get(seat, 0) + amount
    return kept


def _late(case: Case, true: dict[int, str]) -> tuple[int, ...]:
    """R-33: who was entered, or entered as what he truly held, only after the pass was closed."""
    if not case.played.law.late_by_house or not case.past.closed_at:
        return ()
    in_time = {one.seat: one.prize for one in case.was.owed.get(case.known.name, ()) if one.seat not in case.known.late}
    return tuple(sorted(seat for seat, prize in true.items() if in_time.get(seat) != prize))


def _judged(case: Case, fact: kinds.ClaimCorrected) -> Judged:
    bets = {bet.seat: bet.amount for bet in case.played.bets}
    if not fact.void:  # a void takes what stands as it stands, also what the first reading let stand
        again.prove_entered(bets, fact.hands)
    seal = there(case.past.sealed, "R-5", "el pase no se había cerrado")
    dark = {*seal.dark, *(refund.seat for refund in seal.returned)}
    return again.judge(case.played.law, case.played.game, bets, fact.hands, fact.community, dark)


def _of_prize(case: Case, fact: kinds.ClaimCorrected) -> tuple[list[Owed], dict[int, int], dict[int, str]]:
    """R-29: taken back, or granted anew to the seat that was drawn."""
    must(not (fact.hands or fact.community or fact.unpaid or fact.late), "R-29", "un premio sorteado no tiene cartas")
    known = case.known
    first = known.awards[f"{fact.claim}/1"]
    is_granted = known.is_none and not fact.void
    if is_granted:
        is_valid = first.seat in {bet.seat for bet in case.played.bets}
        must(is_valid, "R-25", f"la apuesta de la posición {first.seat} se anuló, y el premio con ella")
    true = {first.seat: first.prize} if is_granted else {}
    owed = [Owed(first.seat, first.prize, first.amount, {}, 0, ("R-29",))] if is_granted else []
    return owed, known.kept(true), true


def _since(world: World, case: Case, fact: kinds.ClaimCorrected) -> set[int]:
    """R-21: the first registration of a claim of the pass; of a late winner, his own."""
    if not fact.awards:
        return {0}
    return {world.at, case.known.at, *(one.at for one in case.past.of_pass)} - {0}


def _newly_owed(owed: list[Owed], kept: dict[int, int]) -> list[Owed]:
    """R-34: what each lacks; a true award is never lowered."""
    lacks = [one._replace(amount=one.amount - kept.get(one.seat, 0), parts={}, house=0) for one in owed]
    return [one for one in lacks if one.amount > 0]


def _next_number(known: Known) -> int:
    return len(known.awards) + 1


def _prove_owed(found: tuple[Granted, ...], right: list[Owed], first: int) -> None:
    """R-13: each in its place; the money is in the flow of the whole."""
    must_be([one.seat for one in found], [one.seat for one in right], "R-34", "a quién se le debe más")
    for number, (one, owed) in enumerate(zip(found, right, strict=True), first):
        must_be(one.number, number, "R-13", "el número del premio")
        must_be(one.prize, owed.prize, "R-10", f"posición {one.seat}: la jugada")
        must_be(one.amount, owed.amount, "R-34", f"posición {one.seat}: lo que se le debe")
        must_be((one.parts, one.house), ({}, 0), "R-34", f"posición {one.seat}: de dónde sale")
        must_be(one.rules, (*owed.rules, "R-34"), "R-27", f"posición {one.seat}: las reglas")


def _prove_struck(
    world: World,
    case: Case,
    fact: kinds.ClaimCorrected,
    kept: dict[int, int],
    owed: list[Owed],
    true: dict[int, str],
) -> None:
    """R-34: what is false is cancelled or, if paid, the house's loss: all beyond what its seat truly won. What was
    booked as lost and is owed after all is booked back."""
    takes_back = world.reading >= THIRD_READING  # a loss that proves to have been owed is booked back
    prize = [case.known] if takes_back else []  # before, a prize that stood again had lost nothing
    of_pass = prize if case.known.is_prize else case.past.of_pass
    each = {name: won for known in of_pass for name, won in known.awards.items()}
    awards = {**each, **case.awards} if takes_back else case.awards
    false = {name: won for name, won in awards.items() if not won.struck and true.get(won.seat) != won.prize}
    must_be(fact.cancelled, tuple(name for name, won in false.items() if not won.paid), "R-34", "lo que se cancela")
    booked = {name: won for name, won in each.items() if won.lost}
    due = {one.seat: one.amount for one in owed}
    over = {seat: max(amount - due.get(seat, 0), 0) for seat, amount in kept.items()}
    for won in booked.values():
        over[won.seat] = over.get(won.seat, 0) - won.lost  # what is booked as lost already
    lost = [*_lost({name: won for name, won in false.items() if won.paid}, booked, over)]
    lost += _booked_back(booked, over, true) if takes_back else ()
    must_be([(one.award, one.amount) for one in fact.lost], lost, "R-34", "lo que la casa pierde")


def _lost(false: dict[str, Won], booked: dict[str, Won], over: dict[int, int]) -> Iterator[tuple[str, int]]:
    for name, won in false.items():
        amount = min(over[won.seat], won.amount - (won.lost if name in booked else 0))
        if amount > 0:
            over[won.seat] -= amount
            yield name, amount


def _booked_back(booked: dict[str, Won], over: dict[int, int], true: dict[int, str]) -> Iterator[tuple[str, int]]:
    for name, won in sorted(booked.items(), key=lambda each: true.get(each[1].seat) != each[1].prize):
        amount = min(won.lost, -over[won.seat])
        if amount > 0:
            over[won.seat] += amount
            yield name, -amount


def _prove_resettled(case: Case, fact: kinds.ClaimCorrected) -> list[tuple[Known, list[Owed]]]:
    """R-34: every later claim of the pot, in its order: who comes out higher is owed the difference."""
    earliest = min(one.place for one in (case.known, *case.out))
    others = [one for one in case.past.claims.values() if one.name != fact.claim and one.name in case.right.owed]
    later = [one for one in others if one.place > earliest]
    right: list[tuple[Known, list[Owed]]] = []
    for known in sorted(later, key=lambda one: one.place):
        before = {one.seat: one.amount for one in case.was.owed[known.name]}
        kept = known.kept({one.seat: one.prize for one in case.right.owed[known.name]})
        most = {seat: max(kept.get(seat, 0), amount) for seat, amount in before.items()}
        owed = _newly_owed(case.right.owed[known.name], most)
        if owed:
            right.append((known, owed))
    must_be(
        [one.claim for one in fact.resettled], [known.name for known, _ in right], "R-34", "lo que se liquida otra vez"
    )
    for found, (known, owed) in zip(fact.resettled, right, strict=True):
        must_be(
            (found.table, found.number, found.casino), (*known.of, known.casino), "R-34", f"{known.name}: de qué pase"
        )
        must_be(found.since, known.at, "R-21", f"{known.name}: desde cuándo corren los treinta minutos")
        _prove_owed(found.awards, owed, _next_number(known))
    return right


def _prove_flow(world: World, case: Case, fact: kinds.ClaimCorrected) -> None:
    """R-18, R-34: each part moves as the courses differ, not below nothing; the house makes the sum."""
    now, was, right = world.purse(case.pot), case.was.purse, case.right.purse
    moved = {MAIN: max(right.main - was.main, -now.main)}
    for name, amount in now.reserves.items():
        moved[name] = max(right.reserves[name] - was.reserves[name], -amount)
    parts = {name: amount for name, amount in moved.items() if amount}
    house = -sum(parts.values()) - _held(case, fact)
    must_be(
        (fact.flow.parts, fact.flow.house, fact.flow.commission), (parts, house, 0), "R-34", "lo que ganan y pierden"
    )


def _held(case: Case, fact: kinds.ClaimCorrected) -> int:
    """What is held more than before; promotional credits are nobody's money until they are on a seat."""
    promo = {one.name for one in case.played.law.randoms if one.promo}
    new = (*fact.awards, *(one for of in fact.resettled for one in of.awards))
    gone = [case.awards[name] for name in fact.cancelled]
    more = sum(one.amount for one in new if one.prize not in promo)
    return more - sum(one.amount for one in gone if one.prize not in promo)


def _prove_overflows(world: World, case: Case, fact: kinds.ClaimCorrected) -> None:
    """R-24: of bets that a void could still take back, what passes the ceiling in the right course."""
    right: list[tuple[str, int, int]] = []
    for name, bets in world.sealed_bets(case.pot.name):
        over = case.right.overflows.get(name, (0, {}))[1]  # a neighbour's pass may be older than the day of the pot
        right += [(name, bet.seat, over[bet.seat]) for bet in bets if over.get(bet.seat, bet.overflow) != bet.overflow]
    must_be(sorted(fact.overflows), sorted(right), "R-24", "lo que pasa el tope")


def _prove_persons(world: World, case: Case, fact: kinds.ClaimCorrected) -> None:
    """R-34, R-35, R-36: alone only at once, and where nothing is taken away; later by two, with cards and a proof."""
    must(bool(fact.reason.strip()) or not (fact.second or fact.void), "R-34", "falta el motivo")
    if fact.void:
        _prove_void(world, case, fact)
        return
    table = world.tables.get(fact.table)
    at_once = table is not None and table.last_sealed == fact.number
    takes = bool(fact.cancelled) or any(one.amount > 0 for one in fact.lost)
    must(bool(fact.second) or (at_once and not takes), "R-34", "hacían falta dos personas")
    if not at_once and fact.awards:
        shown_ = {hand.seat for hand in fact.hands if hand.cards}
        if not case.known.is_prize:
            must(all(one.seat in shown_ for one in fact.awards), "R-35", "faltan las cartas de quien gana")
        proof = fact.recording.strip() or fact.resolution.strip()
        must(bool(proof) or case.known.is_prize, "R-35", "falta el número de la grabación o de la resolución")
    must(fact.confirmed in _confirmed(world, case, fact), "R-36", "si ya está confirmado")


def _prove_void(world: World, case: Case, fact: kinds.ClaimCorrected) -> None:
    """R-25: of the pass that is sealed; what was shown of other hands stays as it was."""
    table = world.table(fact.table)
    must(table.phase == SEALED and table.number == fact.number, "R-25", "el pase no estaba en curso")
    left = [hand.seat for hand in fact.hands]
    same = tuple(hand for hand in case.known.hands if hand.seat in left)
    must_be((fact.hands, fact.community), (same, case.known.community), "R-25", "las otras manos")
    must(
        not (fact.second or fact.confirmed or fact.recording or fact.resolution), "R-25", "una anulación no se confirma"
    )
    gone = {hand.seat for hand in case.known.hands} - set(left)
    world.due_void = frozenset(gone | {case.awards[name].seat for name in fact.cancelled})


def _confirmed(world: World, case: Case, fact: kinds.ClaimCorrected) -> set[bool]:
    """R-36: two, one of them a chief who did not enter the first claim, before the day's close; what is newly owed to
    nobody is confirmed or not. Where a claim of the pass was rejected for good, either may be called the first."""
    if not fact.second or world.day is None or fact.place <= case.pot.marks[-1].seq:
        return {False}
    chiefs = {name for name in (fact.by, fact.second) if "chief" in world.people[name].roles}
    firsts = [one.by for one in case.past.of_pass] or [case.known.by]
    is_owed = bool(fact.awards or fact.resettled)
    return {bool(chiefs - first) for first in firsts} if is_owed else {False, True}


def _put_right(world: World, case: Case, fact: kinds.ClaimCorrected, resettled: list[tuple[Known, list[Owed]]]) -> None:
    """What is known from now on: of the claim, of later ones, of the bets that are still sealed."""
    claim = world.claims.get(fact.claim)
    if claim is None and fact.awards:
        claim = world.claims[fact.claim] = Claim(case.played, fact.number, fact.since or world.at, fact.before)
        claim.prize, claim.paid_in = case.known.is_prize, case.known.paid_in
    if claim is not None:
        claim.hands = fact.hands
        # Before, a prize that was granted anew to who had been paid it was called rejected for ever.
        granted = case.known.is_prize and case.known.is_none and not fact.void and world.reading >= THIRD_READING
        claim.rejected = not (case.right.owed.get(fact.claim) or fact.awards or granted)
        _hold(world, case, claim, fact.claim, fact.awards, fact.since, fact)
    for one in case.out:
        world.claim(one.name).rejected = True
    for name in fact.cancelled:
        of, award = world.award(name)
        award.cancelled = True
        case.pot.meters.rejected_hits += not of.promo
        case.pot.meters.rejected += 0 if of.promo else award.granted.amount
    for found, (known, _) in zip(fact.resettled, resettled, strict=True):
        _hold(world, case, _later_claim(world, case, known), known.name, found.awards, found.since, fact)
    cards_after(world, fact)
    for name, seat, over in fact.overflows:
        table = world.links.away[name] if is_away(name) else world.table(name)
        table.bets = tuple(structs.replace(bet, overflow=over) if bet.seat == seat else bet for bet in table.bets)


def _later_claim(world: World, case: Case, known: Known) -> Claim:
    """A claim of which nothing was pending any more is pending again."""
    claim = world.claims.get(known.name)
    if claim is None:
        purse, base = case.right.before[known.name]
        played = case.plays[known.of]
        claim = Claim(played, known.of[1], known.at, Levels(purse.main, base, purse.reserves))
        world.claims[known.name] = claim
    return claim


def _hold(
    world: World,
    case: Case,
    claim: Claim,
    name: str,
    awards: tuple[Granted, ...],
    since: int,
    fact: kinds.ClaimCorrected,
) -> None:
    for one in awards:
        award = claim.awards[f"{name}/{one.number}"] = Award(one, since, fact.by, fact.second)
        is_ours = fact.confirmed and claim.table.partition("@")[2] == fact.table.partition("@")[2]
        award.confirmed_by = (fact.by, fact.second) if is_ours else award.confirmed_by
        if not claim.promo:
            case.pot.meters.hit(world.at, f"{name}/{one.number}", one)


def set_aside(world: World, fact: kinds.AwardSetAside) -> None:
    """R-35: a held award whose winner cannot be found: a debt without term, no longer pending."""
    claim, award = world.award(fact.award)
    must_be(fact.pot, claim.pot, "R-28", "el pozo")
    must(award.is_owed and not award.aside, "R-35", "no estaba pendiente")
    must(not award.waits and not claim.frozen, "R-20", "esperaba al dueño del pozo")
    must_be(fact.amount, award.granted.amount, "R-12", "la cantidad")
    if fact.award in world.links.granted:
        world.links.granted.remove(fact.award)
    elif is_away(claim.table):
        world.links.heard_of(neighbour_of(claim.table), fact)
    else:
        must(bool(fact.reason.strip()), "R-35", "falta el motivo")
    award.aside = True


CHECKS: dict[type, Callable[..., None]] = {kinds.ClaimCorrected: corrected, kinds.AwardSetAside: set_aside}
