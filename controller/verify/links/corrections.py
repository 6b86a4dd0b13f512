"""A pass of a shared pot put right: asked at the table, settled where the pot is, owed where it was won (R-28, R-34).

Theory. The owner of a pot settles a neighbour's pass like his own, and that is proven in his record as always
(corrections.py). Where the table is, a correction is asked under a number of its own and nothing of the pass is paid
until the answer is there; the answer stands in the pot's log, word for word, so it is compared with what became of it.
What is held changes by exactly what its awards say, and who signed is known where they signed.
"""

from collections.abc import Callable
from typing import Any

from controller.verify import facts as kinds
from controller.verify.draws import cards_after
from controller.verify.facts import Flow, Loss, Resettled
from controller.verify.links.letters import ClaimPutRight
from controller.verify.links.names import is_away, neighbour_of, there
from controller.verify.links.taken import answered_as_told
from controller.verify.world import Award, Claim, Played, World
from controller.verify.wrong import must, must_be, shown
from controller.verify.wrong import there as known

_ACTS = ("register_claim", "correct_claim", "reject_claim", "grant_anew", "void_hand", "void_pass")


def name_of(table: str, wanted: int) -> str:
    """Under which the answer is awaited: the number, and behind it whose it is."""
    _, at, node = table.partition("@")
    return f"{wanted}{at}{node}"


def asked(world: World, fact: kinds.CorrectionAsked) -> None:
    """R-34: of the owner of the pot, about a pass once at a time; its claims wait."""
    links, of = world.links, (fact.table, fact.number)
    if is_away(fact.table):
        links.heard_of(neighbour_of(fact.table), fact)
    else:
        must_be(fact.wanted, links.wanted + 1, "R-34", "el número de la corrección")
        links.wanted = fact.wanted
    pot = world.pot(fact.pot)
    must(bool(pot.above), "R-28", "el pozo es de este nodo: aquí se corrige")
    must_be(fact.above, pot.above, "R-28", "quién tiene el pozo")
    must(fact.act in _ACTS, "R-34", f"{shown(fact.act)} no es una corrección")
    name = name_of(fact.table, fact.wanted)
    must(name not in links.awaited and of not in links.awaited.values(), "R-34", "ya se esperaba una corrección")
    links.awaited[name] = of
    _freeze(world, of, frozen=True)


def refused(world: World, fact: kinds.CorrectionRefused) -> None:
    """R-34: what was frozen goes on."""
    pot = world.pot(fact.pot)
    must(bool(fact.code and fact.sentence), "R-34", "falta por qué no puede ser")
    if pot.above:
        world.links.heard_of(pot.above, fact)
    else:
        must(is_away(fact.table), "R-34", "una corrección de aquí se rechaza sin más")
        world.links.heard_of(neighbour_of(fact.table), fact)
        if fact.log:
            answered_as_told(world, fact)
    _answered(world, fact.table, fact.wanted)


def _freeze(world: World, of: tuple[str, int], *, frozen: bool) -> None:
    for claim in world.claims.values():
        if (claim.table, claim.number) == of:
            claim.frozen = frozen


def _answered(world: World, table: str, wanted: int) -> None:
    of = world.links.awaited.pop(name_of(table, wanted), None)
    if of is not None:
        _freeze(world, of, frozen=False)


def answered_here(world: World, fact: kinds.ClaimCorrected) -> None:
    """R-34: settled by this node, for a neighbour that asked."""
    if is_away(fact.table):
        must(fact.wanted > 0, "R-34", "nadie pidió la corrección")
        world.links.heard_of(neighbour_of(fact.table), fact)
        if fact.log:
            answered_as_told(world, fact)
    else:
        must_be((fact.wanted, fact.held), (0, 0), "R-34", "a quién responde")


def corrected_above(world: World, fact: kinds.ClaimCorrected) -> None:
    """R-34: what the owner of the pot said of a pass here or below, or of claims here that are owed more by it."""
    world.links.heard_of(fact.above, fact)
    pot = world.pot(fact.pot)
    must_be(fact.above, pot.above, "R-28", "quién tiene el pozo")
    must(not (fact.flow.parts or fact.flow.commission or fact.overflows or fact.place), "R-28", "lo que mueve del pozo")
    if fact.claim:
        _put_right(world, fact)
    else:
        must(bool(fact.resettled), "R-34", "no concierne a nadie de aquí")
    for one in fact.resettled:
        of = Claim(_played_now(world, fact.pot, one.table, one.casino), one.number, one.since or world.at, fact.before)
        claim = world.claims.setdefault(one.claim, of)
        mine = one.table.partition("@")[2] == fact.table.partition("@")[2] and fact.confirmed
        _owe(world, claim, one.claim, one.awards, one.since, fact, confirmed=mine)
    if fact.wanted:
        _answered(world, fact.table, fact.wanted)


def _put_right(world: World, fact: kinds.ClaimCorrected) -> None:
    name = name_of(fact.table, fact.wanted)
    must_be(world.links.awaited.get(name), (fact.table, fact.number), "R-34", "la corrección que se esperaba")
    pot, claim = world.pot(fact.pot), world.claims.get(fact.claim)
    less = 0
    for cancelled in fact.cancelled:
        of, award = world.award(cancelled)
        must(award.is_owed and not award.waits, "R-34", f"{shown(cancelled)} no estaba por pagar")
        award.cancelled = True
        of.rejected = of.rejected or of.prize
        less += 0 if of.promo else award.granted.amount
        pot.meters.rejected_hits += not of.promo
        pot.meters.rejected += 0 if of.promo else award.granted.amount
    is_prize = fact.claim.rpartition("/")[2].startswith("p")
    more = sum(one.amount for one in fact.awards)
    is_promo = claim.promo if claim is not None else is_prize and not fact.held
    must_be(fact.held, (0 if is_promo else more) - less, "R-20", "lo que cambia lo retenido")
    if claim is None and fact.awards:
        played = _played_now(world, fact.pot, fact.table, fact.casino)
        claim = world.claims[fact.claim] = Claim(played, fact.number, fact.since or world.at, fact.before)
    cards_after(world, fact)
    if claim is None:
        return
    _owe(world, claim, fact.claim, fact.awards, fact.since, fact, confirmed=fact.confirmed)
    if is_prize:
        claim.prize = True
        claim.rejected = not (fact.awards or any(loss.amount < 0 for loss in fact.lost))
    else:
        losers = {one.seat for one in fact.unpaid}
        claim.hands = fact.hands
        claim.rejected = all(hand.seat in losers for hand in fact.hands)


def _played_now(world: World, pot: str, table: str, casino: str) -> Played:
    """A pass that is long over: only whose it was is asked of it."""
    law = world.pot(pot).law
    game = next(iter(law.tables.values()))[1]
    return Played(table, casino, pot, law, game, ())


def _owe(
    world: World, claim: Claim, name: str, awards: tuple[kinds.Granted, ...], since: int, fact: kinds.ClaimCorrected,
    *, confirmed: bool,
) -> None:  # fmt: skip
    """R-13, R-21: numbered on, each owed from when its thirty minutes run."""
    for one in awards:
        key = f"{name}/{one.number}"
        must(key not in claim.awards and one.amount > 0, "R-13", f"el premio {shown(key)}")
        award = claim.awards[key] = Award(one, since, fact.by, fact.second)
        award.confirmed_by = (fact.by, fact.second) if confirmed else award.confirmed_by
        if not claim.promo:
            world.pot(fact.pot).meters.hit(world.at, key, one)


def asked_by(world: World, writer: str, letter: ClaimPutRight) -> list[Any]:
    """R-34: what a letter of the log makes here."""
    me = world.node
    table = there(letter.table, me)
    if letter.refused:
        if table is None:
            return []
        code = letter.refused_code or "refused"
        return [kinds.CorrectionRefused(letter.wanted, table, letter.number, letter.pot, code, letter.refused)]
    resettled = tuple(_resettled(world, letter))
    if table is None:
        if not resettled:
            return []
        by, second = (f"{writer}/{person}" if person else "" for person in (letter.by, letter.second))
        return [
            kinds.ClaimCorrected(
                "", "", 0, letter.pot, resettled[0].casino, 0, (), (), letter.before, (), (), (), (), resettled,
                Flow(), (), letter.reason, by, second, above=writer,
            )
        ]  # fmt: skip
    cancelled = tuple(there(one, me) or "" for one in letter.cancelled)
    lost = tuple(Loss(there(one.award, me) or "", one.amount) for one in letter.lost)
    by, second = (person.removeprefix(f"{me}/") for person in (letter.by, letter.second))
    return [
        kinds.ClaimCorrected(
            there(letter.claim, me) or "", table, letter.number, letter.pot, letter.casino, 0, letter.community,
            letter.hands, letter.before, letter.awards, letter.unpaid, cancelled, lost, resettled,
            Flow({}, letter.house), (), letter.reason, by, second, confirmed=letter.confirmed, since=letter.since,
            void=letter.void, above=writer, wanted=letter.wanted, held=letter.held,
        )
    ]  # fmt: skip


def _resettled(world: World, letter: ClaimPutRight) -> list[Resettled]:
    """R-21: the thirty minutes run from the registration at the table, where that is known."""
    found: list[Resettled] = []
    for one in letter.resettled:
        claim, table = there(one.claim, world.node), there(one.table, world.node)
        if claim is not None and table is not None:
            then = next((own.since for own in _said(world) if own.claim == claim), one.since)
            found.append(Resettled(claim, table, one.number, one.casino, one.awards, then))
    return found


def _said(world: World) -> list[Resettled]:
    """What the fact of this answer says; since when, its claim knows."""
    facts = [one for one in world.links.followed if isinstance(one, kinds.ClaimCorrected)]
    said = [one for fact in facts for one in fact.resettled]
    for one in said:
        claim = known(world.claims.get(one.claim), "R-34", f"no hay premios {shown(one.claim)}")
        must(one.since in (claim.at, one.since), "R-21", "desde cuándo corren los treinta minutos")
    return said


CHECKS: dict[type, Callable[..., None]] = {
    kinds.CorrectionAsked: asked,
    kinds.CorrectionRefused: refused,
}
