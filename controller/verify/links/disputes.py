"""What a neighbour told and was not believed: apart, until two persons decide (R-28).

Theory. The money of a letter that was not believed stands in the neighbour's record already; here it is neither in the
pot nor forgotten. How much that is follows from the letter alone, which stands in the fact. Taken after all, it goes
into the main pot of its owner and nowhere else; but winners are settled again from the bets of their pass, as it was
believed or at least told, and what was told to be certain must come to that. Left, their house has them alone.
"""

import re
from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.claims import Winner
from controller.verify.facts import SealedBet
from controller.verify.links import letters
from controller.verify.links.letters import Letter
from controller.verify.links.names import here
from controller.verify.links.neighbours import known
from controller.verify.links.state import WITH_DOUBTS, Dispute
from controller.verify.links.taken import ended_as_told
from controller.verify.people import NAME
from controller.verify.world import Claim, Played, World
from controller.verify.wrong import must, must_be, shown, there

_MOST = 4 * 10**15
_MOST_STEPS = 4
_NUMBER = re.compile(r"p?[0-9]{1,19}")


def disputed(world: World, fact: kinds.LetterDisputed) -> None:
    """R-28: what it says it would have brought is what the letter says."""
    letter = letters.read(fact.letter)
    is_owner = known(world, fact.neighbour).side == "above"
    pot = letter.pot if letter.pot in world.pots or is_owner else ""
    must_be(fact.pot, pot, "R-28", "el pozo de la disputa")
    amount = brings(letter)
    is_booked = bool(pot) and not is_owner and abs(amount) <= _MOST
    must_be(fact.amount, amount if is_booked else 0, "R-28", "la cantidad en disputa")
    must_be((fact.table, fact.about), _about(letter, fact.neighbour), "R-28", "de qué mesa y de qué se trata")
    must(bool(fact.why.strip()), "R-28", "falta por qué no se creyó")
    name = _place(world, fact)
    must(name not in world.links.disputes, "R-28", f"{shown(name)} ya estaba en disputa")
    kept = _kept(world, fact, letter)
    world.links.disputes[name] = Dispute(
        fact.neighbour, fact.number, fact.pot, fact.table, fact.about, fact.amount, fact.why, *kept
    )
    world.links.heard_of(fact.neighbour, fact)


def _kept(world: World, fact: kinds.LetterDisputed, letter: Letter) -> tuple[Letter | None, tuple[SealedBet, ...]]:
    """R-28: winners, the bets of their pass, and what they were handed can still be what two persons say they are."""
    links = world.links
    below = links.neighbours[fact.neighbour].side == "below"
    if links.tells < WITH_DOUBTS or not (below and fact.pot and fact.about):
        return None, ()
    if isinstance(letter, letters.BetsSealed):
        return None, letter.bets
    if isinstance(letter, letters.AwardGiven):
        return letter, ()
    if not isinstance(letter, letters.ClaimMade):
        return None, ()
    away = links.away.get(fact.table)
    if away is not None and away.number == letter.number:
        return letter, tuple(away.bets)
    of = f"{fact.table}/{letter.number}"
    told = (one.bets for one in links.disputes.values() if one.about == of and one.letter is None)
    return letter, next(told, ())


def _place(world: World, fact: kinds.LetterDisputed | kinds.DisputeEnded) -> str:
    """R-28: who is above has a log for each pot, each with numbers of its own."""
    one = there(world.links.neighbours.get(fact.neighbour), "R-28", f"nadie fijó la llave de {shown(fact.neighbour)}")
    of = f"{fact.pot}/{fact.number}" if one.side == "above" else str(fact.number)
    return f"{fact.neighbour}/{of}"


def brings(letter: Letter) -> int:
    """What who told it has booked as owed to the pot."""
    if isinstance(letter, letters.BetsSealed):
        return sum(bet.amount - bet.commission for bet in letter.bets)
    if isinstance(letter, letters.BetsVoided):
        return 0 if letter.kept else sum(bet.amount - bet.commission for bet in letter.undone)
    if isinstance(letter, letters.ClaimMade):
        return -sum(award.amount for award in letter.awards)
    if isinstance(letter, letters.OwnerLeft):
        return -letter.amount
    return -letter.amount if isinstance(letter, letters.PrizeDrawn) and not letter.promo else 0


def _about(letter: Letter, neighbour: str) -> tuple[str, str]:
    """R-28: the table, and the pass, claim or award, as far as these are names at all."""
    award = getattr(letter, "award", "")
    table = getattr(letter, "table", "") or award.split("/")[0]
    if not _is_table(table):
        return "", ""
    name = award or getattr(letter, "claim", "")
    if not name:
        number = getattr(letter, "pass_number", 0) or getattr(letter, "number", 0)
        name = f"{table}/{number}"
    first, *numbers = name.split("/")
    sound = _is_table(first) and all(map(_NUMBER.fullmatch, numbers))
    return here(table, neighbour), here(name, neighbour) if sound else ""


def _is_table(name: str) -> bool:
    words = name.split("@")
    return len(words) <= _MOST_STEPS and all(NAME.fullmatch(word) for word in words)


def ended(world: World, fact: kinds.DisputeEnded) -> None:
    """R-24, R-28: all of it, one way or the other; into a pot of ours, and under its ceiling."""
    name = _place(world, fact)
    dispute = there(world.links.disputes.pop(name, None), "R-28", f"no había una disputa {shown(name)}")
    must_be((fact.pot, fact.amount), (dispute.pot, dispute.amount), "R-28", "lo que estaba en disputa")
    must(bool(fact.reason.strip()), "R-28", "falta el motivo")
    must(fact.of_table in ("", dispute.table), "R-28", "la mesa de la disputa")
    claim = dispute.about if isinstance(dispute.letter, letters.ClaimMade) else ""
    must(fact.claim == claim or bool(fact.log and not fact.claim), "R-28", "de qué premios")
    if fact.log:
        ended_as_told(world, fact)
    if fact.claim and fact.accepted:
        world.links.taken = dispute
    if isinstance(dispute.letter, letters.AwardGiven):
        _prove_given(world, fact, dispute)
    if not fact.accepted or fact.claim:
        return
    pot = world.pot(fact.pot)
    must(not pot.above, "R-28", "el pozo es de otro nodo: solo su dueño toma algo en él")
    main = world.purse(pot).main + fact.amount
    fits = pot.law.ceiling is None or fact.amount <= 0 or main <= pot.law.ceiling
    must(fits, "R-24", f"el pozo pasaría su tope: {main}")


def _prove_given(world: World, fact: kinds.DisputeEnded, dispute: Dispute) -> None:
    """R-21: what was handed out of winners who wait ends with them; taken, it was handed out."""
    claim = dispute.about.rpartition("/")[0]
    waits = any(
        one.about == claim and isinstance(one.letter, letters.ClaimMade) for one in world.links.disputes.values()
    )
    must(not waits, "R-28", f"{shown(claim)} estaba en disputa: primero eso")
    known = world.claims.get(claim)
    if fact.accepted and known is not None and known.taken:
        world.links.granted.append(dispute.about)


def heard(world: World, fact: kinds.DisputeHeard) -> None:
    """R-28: said by the owner of the pot, in its log."""
    pot = world.pot(fact.pot)
    must_be(fact.above, pot.above, "R-28", "quién tiene el pozo")
    known(world, fact.above)
    brought = world.links.brought.get((f"to:{fact.above}", fact.number), 0)
    must_be(fact.amount, brought, "R-28", f"lo que traía la carta {fact.number}")
    world.links.heard_of(fact.above, fact)


# Winners among it: taken by two persons, or left with their house


def taken_as(world: World, dispute: Dispute, fact: kinds.ClaimRegistered) -> Played:
    """R-28: in its own words, of a table that feeds the pot, of a pass without winners so far."""
    letter, table = _letter(dispute), world.links.away.get(fact.table)
    away = there(table, "R-9", f"ningún plan enlaza la mesa {shown(fact.table)}")
    named = (here(letter.claim, dispute.neighbour), here(letter.table, dispute.neighbour))
    said = (*named, letter.number, letter.pot, letter.casino, letter.community, letter.hands, letter.unpaid)
    found = (fact.claim, fact.table, fact.number, fact.pot, fact.casino, fact.community, fact.hands, fact.unpaid)
    must_be(found, said, "R-28", "lo que dos personas tomaron")
    must_be(fact.by, f"{dispute.neighbour}/{letter.by}", "R-28", "quién lo registró")
    must_be((fact.pot, fact.casino), (away.pot, away.casino), "R-28", "el pozo y el casino")
    of = (fact.table, fact.number)
    same = [one for one in world.claims.values() if not one.prize and (one.table, one.number) == of]
    must(all(one.rejected for one in same), "R-34", "los premios de este pase ya estaban registrados")
    certain = {one.number: one.amount for one in letter.awards if one.amount}
    told = {one.number: one.amount for one in fact.awards if one.number in certain}
    must_be(told, certain, "R-14", "lo que era seguro")
    return Played(away.name, away.casino, away.pot, world.pot(away.pot).law, away.game, dispute.bets)


def won_as_told(dispute: Dispute) -> list[Winner]:
    """R-28: who won, as two persons say."""
    letter, bets = _letter(dispute), {bet.seat: bet for bet in dispute.bets}
    return [Winner(one.seat, one.prize, _bet_of(bets, one.seat)) for one in letter.awards]


def _bet_of(bets: dict[int, SealedBet], seat: int) -> int:
    return there(bets.get(seat), "R-32", f"posición {seat}: no se conoce su apuesta").amount


def _letter(dispute: Dispute) -> letters.ClaimMade:
    found = dispute.letter if isinstance(dispute.letter, letters.ClaimMade) else None
    return there(found, "R-28", "la disputa no era de premios")


def rejected_here(world: World, claim: Claim, fact: kinds.ClaimRejected) -> None:
    """R-21, R-28: by two of the house that has them; what is not paid goes back to it."""
    must_be((fact.pot, fact.casino), (claim.pot, claim.casino), "R-28", "el pozo y el casino")
    is_alone = claim.left == world.pot(claim.pot).above and "@" not in claim.table
    must(is_alone, "R-28", "su dueño no lo dejó con este nodo")
    must(not claim.rejected and not claim.frozen, "R-21", "ya estaba rechazado, o se está corrigiendo")
    must(not any(one.waits for one in claim.awards.values()), "R-20", "esperaba al dueño del pozo")
    must(bool(fact.reason.strip()), "R-34", "falta el motivo")
    gone = [award for award in claim.awards.values() if not award.paid]
    held = sum(award.granted.amount for award in gone)
    must_be(fact.held, held, "R-21", "lo retenido")
    flow = (fact.flow.parts, fact.flow.house, fact.flow.commission, fact.overflow)
    must_be(flow, ({}, held, 0, 0), "R-21", "adónde vuelve")
    claim.rejected = True
    for award in gone:
        award.cancelled = True
    meters = world.pot(claim.pot).meters
    meters.rejected_hits += len(gone)
    meters.rejected += held


CHECKS: dict[type, Callable[..., None]] = {
    kinds.LetterDisputed: disputed,
    kinds.DisputeEnded: ended,
    kinds.DisputeHeard: heard,
}
