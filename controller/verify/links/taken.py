"""An owner that was put back: what it took back of its log, and that it decided nothing before that, or anew (R-28).

Theory. After a restore every neighbour below may have heard more of the logs here than the record holds. Until each has
said so, or two persons named who is missing, no letter is told in them. A letter that came back stands in its place, of
an epoch before the restore; what it decided is booked once, with the very amounts that were told.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from controller.verify import facts as kinds
from controller.verify import people
from controller.verify.books import held_for_pass
from controller.verify.facts import Reached
from controller.verify.links import letters
from controller.verify.links.names import is_away, neighbour_of
from controller.verify.links.neighbours import heard_from, is_ours, known
from controller.verify.links.state import NOWHERE, Neighbour, TakingBack
from controller.verify.money import HOUSE, MAIN, Purse
from controller.verify.world import World
from controller.verify.wrong import must, must_be, shown, there, wrong

_LOG = "pot:"
_LEAP = 1_000_000
_BY_PEOPLE = (
    letters.PlanOffered, letters.PlanInForce, letters.PlanTakenBack, letters.ClaimPutRight, letters.PotMoved,
)  # fmt: skip


def restored(world: World, fact: kinds.NodeRestored) -> None:
    """R-27, R-28: under a new epoch; it asks every neighbour below, where a pot of this node is shared. Earlier
    programs asked nobody."""
    people.restored(world, fact)
    below = sorted(one.name for one in world.links.neighbours.values() if one.side == "below" and not one.revoked)
    shared = _shared(world)
    above = sorted(one.name for one in world.links.neighbours.values() if one.side == "above")
    must_be(fact.asks_above, tuple(above) if fact.asks_above else (), "R-28", "a quién pregunta hasta dónde lo oyó")
    world.links.recalls += [name for name in fact.asks_above if name not in world.links.recalls]
    must_be(fact.asks, tuple(below) if shared and fact.asks else (), "R-28", "a quién pregunta lo que decidió")
    for pot in shared if fact.asks else ():
        was = world.links.taking.get(pot)
        world.links.taking[pot] = TakingBack([*fact.asks], was.bound if was is not None else {})


def _shared(world: World) -> list[str]:
    fed = {table.pot for table in world.links.away.values()}
    own = [name for name, pot in world.pots.items() if not pot.above]
    return [name for name in own if name in fed or f"{_LOG}{name}" in world.links.told]


def returns(world: World, fact: kinds.DecisionTaken) -> None:
    """R-28: from whoever has heard it; the letter itself stands behind this fact."""
    one = heard_from(world, fact.neighbour)
    pot = world.pots.get(fact.stream.removeprefix(_LOG))
    ours = fact.stream.startswith(_LOG) and pot is not None and not pot.above and one.side == "below"
    must(ours, "R-28", f"{shown(fact.stream)} no es una serie que {shown(one.name)} oyó de este nodo")
    world.links.handed = fact


def letter(world: World, fact: kinds.LetterTold) -> None:
    """R-28: the next of its log, as the neighbour has it, from before the restore."""
    links = world.links
    handed = there(links.handed, "R-28", "nadie devolvió esta carta")
    links.handed = None
    before = links.told.get(fact.stream, NOWHERE)
    must_be((fact.stream, fact.number), (handed.stream, before.number + 1), "R-28", "el lugar de la carta devuelta")
    must(before.epoch <= fact.epoch < world.epoch, "R-28", "la época de la carta devuelta")
    must(before.epoch < world.epoch, "R-28", "se había dicho ya otra carta después de restaurar")
    must_be(fact.previous, before.hash, "R-28", "la huella de la carta anterior")
    must(fact.version in letters.READ, "R-28", f"una carta de la versión {fact.version}")
    said = letters.read(fact.letter)
    must_be(f"{_LOG}{said.pot}", fact.stream, "R-28", "el pozo de la carta devuelta")
    mark = Reached(fact.epoch, fact.number, "")
    hash_ = letters.hash_of(world.node, fact.stream, fact.version, mark, fact.previous, bytes(fact.letter))
    now = links.told[fact.stream] = Reached(fact.epoch, fact.number, hash_)
    must_be(handed.mark, now, "R-28", "la marca de la carta devuelta")
    links.kept.setdefault(fact.stream, {})[fact.number] = now
    if not isinstance(said, letters.ClaimNotBelieved):
        links.taking.setdefault(said.pot, TakingBack([], {})).bound[fact.number] = said


def returned(world: World, fact: kinds.MemberReturned) -> None:
    """R-28: it has heard nothing that does not stand here."""
    one, links = heard_from(world, fact.neighbour), world.links
    must(is_ours(world, one, fact.stream), "R-28", f"{shown(fact.stream)} no es para {shown(one.name)}")
    has = links.acknowledged.get(f"{one.name}/{fact.stream}", NOWHERE)
    must(fact.mark == has or fact.mark.number == has.number == 0, "R-28", "la carta que tiene")
    pot = fact.stream.removeprefix(_LOG)
    taking = links.taking.get(pot)
    waited = links.recalls if one.side == "above" else taking.missing if taking is not None else []
    must(one.name in waited, "R-28", f"a {shown(one.name)} nadie lo esperaba")
    waited.remove(one.name)
    if taking is not None:
        links.end_taking(pot)


def went_on(world: World, fact: kinds.WentOnWithout) -> None:
    """R-28: two persons named all who were missing, and nobody else."""
    must(bool(fact.reason.strip()), "R-28", "falta el motivo")
    pot = world.pots.get(fact.pot)
    if pot is not None and pot.above:
        _leap(world, fact, pot.above)
        return
    taking = there(world.links.taking.get(fact.pot), "R-28", f"el pozo {shown(fact.pot)} no esperaba a nadie")
    must(bool(awaited_of(world, fact.pot)), "R-28", f"el pozo {shown(fact.pot)} no esperaba a nadie")
    must_be({*fact.neighbours}, {*awaited_of(world, fact.pot)} - {""}, "R-28", "quiénes faltaban")
    taking.missing.clear()
    taking.without = [*dict.fromkeys((*taking.without, *fact.neighbours, ""))]
    taking.bound = {number: one for number, one in taking.bound.items() if not isinstance(one, _BY_PEOPLE)}
    world.links.end_taking(fact.pot)


def _leap(world: World, fact: kinds.WentOnWithout, above: str) -> None:
    """R-28: the numbers upwards go on behind all that can have been told."""
    links, stream = world.links, f"to:{above}"
    must(above in links.recalls, "R-28", f"a {shown(above)} nadie lo esperaba")
    must_be(fact.neighbours, (above,), "R-28", "quiénes faltaban")
    links.recalls.remove(above)
    last = links.told.get(stream, NOWHERE)
    words = f"{world.node}\n{stream}\n{world.epoch}\n{last.number}\n{last.hash}\nsin quien falta"
    links.told[stream] = Reached(world.epoch, last.number + _LEAP, hashlib.sha256(words.encode()).hexdigest())


def awaited_of(world: World, pot: str) -> list[str]:
    taking = world.links.taking.get(pot)
    if taking is None:
        return []
    names = [*taking.missing, *(_of_whom(one) for one in taking.bound.values())]
    return [*dict.fromkeys(name for name in names if name not in taking.without)]


def _of_whom(said: Any) -> str:
    table = getattr(said, "table", "")
    return neighbour_of(table) if table and is_away(table) else ""


def prove_may_tell(world: World, stream: str, said: Any) -> None:
    """R-28: no decision is told before all that were told are here; money may be put in once nobody is missing. And
    nothing upwards before he who hears it has said how far he did."""
    asked = stream.startswith("to:") and stream.removeprefix("to:") in world.links.recalls
    must(not asked, "R-28", f"se dijo una carta de {shown(stream)} sin saber hasta dónde se oyó")
    pot = stream.removeprefix(_LOG)
    taking = world.links.taking.get(pot) if stream.startswith(_LOG) else None
    if taking is None or (isinstance(said, letters.PotMoved) and not taking.missing):
        return
    must(not awaited_of(world, pot), "R-28", f"decidió sin lo que tenía {', '.join(awaited_of(world, pot))}")


def settled_as_told(world: World, fact: kinds.ClaimRegistered, purse: Purse) -> dict[str, int] | None:
    """R-18, R-20, R-28: the very amounts of the log, from the parts that gave them; the base, from whom it came."""
    taking = there(world.links.taking.get(fact.pot), "R-28", "nada de antes de restaurar obliga en este pozo")
    said = taking.bound.pop(fact.log, None)
    if not isinstance(said, letters.ClaimSettled):
        wrong("R-28", f"la carta {fact.log} no decidió estos premios")
    of = (fact.claim, fact.table, fact.number, fact.casino, fact.awards, fact.base_back)
    must_be(of, (said.claim, said.table, said.number, said.casino, said.awards, said.base_back), "R-28", "lo que dijo")
    for award in fact.awards:
        for part, amount in award.parts.items():
            _move(purse, part, -amount)
    world.links.end_taking(fact.pot)
    if fact.base_back is None:
        return None
    for part, amount in fact.base_back.parts.items():
        _move(purse, part, amount)
    given = {part: -amount for part, amount in fact.base_back.parts.items() if part != MAIN}
    return {**given, **({HOUSE: -fact.base_back.house} if fact.base_back.house else {})}


def charged_as_told(
    world: World, fact: kinds.HandsVoided | kinds.PrizeGranted, cause: str, parts: dict[str, int], house: int
) -> tuple[dict[str, int], int]:
    """R-18, R-28: what the house bears is what it was told; the main pot has the difference."""
    if not fact.log:
        return parts, house
    taking = there(world.links.taking.get(fact.pot), "R-28", "nada de antes de restaurar obliga en este pozo")
    said = taking.bound.pop(fact.log, None)
    if not isinstance(said, letters.HouseBears) or (said.table, said.casino) != (fact.table, fact.casino):
        wrong("R-28", f"la carta {fact.log} no cargó esto a la casa")
    must_be(said.cause, cause, "R-28", "lo que se cargó a la casa")
    world.links.end_taking(fact.pot)
    moved = {**parts, MAIN: parts.get(MAIN, 0) + said.amount + house}
    return {name: amount for name, amount in moved.items() if amount}, -said.amount


def ended_as_told(world: World, fact: kinds.DisputeEnded) -> None:
    """R-28: as it had ended."""
    taking = there(world.links.taking.get(fact.pot), "R-28", "nada de antes de restaurar obliga en este pozo")
    said = taking.bound.pop(fact.log, None)
    if not isinstance(said, letters.DisputeOver):
        wrong("R-28", f"la carta {fact.log} no terminó una disputa")
    by, second = (f"{world.node}/{person}" for person in (fact.by, fact.second))
    found = (fact.neighbour, fact.number, fact.accepted, fact.reason, by, second)
    right = (said.neighbour, said.number, said.accepted, said.reason, said.by, said.second)
    must_be(found, right, "R-28", "cómo había terminado la disputa")
    world.links.end_taking(fact.pot)


def answered_as_told(world: World, fact: kinds.ClaimCorrected | kinds.CorrectionRefused) -> None:
    """R-28, R-34: the answer that its table has."""
    taking = there(world.links.taking.get(fact.pot), "R-28", "nada de antes de restaurar obliga en este pozo")
    said = taking.bound.pop(fact.log, None)
    if not isinstance(said, letters.ClaimPutRight):
        wrong("R-28", f"la carta {fact.log} no respondió a una corrección")
    must_be((fact.wanted, fact.table), (said.wanted, said.table), "R-28", "a qué corrección respondió")
    if isinstance(fact, kinds.CorrectionRefused):
        must_be((fact.code, fact.sentence), (said.refused_code or "refused", said.refused), "R-28", "lo que dijo")
    else:
        found = (
            fact.claim,
            fact.awards,
            fact.cancelled,
            fact.lost,
            fact.resettled,
            fact.flow.house,
            held_for_pass(fact),
        )
        right = (said.claim, said.awards, said.cancelled, said.lost, said.resettled, said.house, said.held)
        must_be(found, right, "R-28", "lo que dijo")
    world.links.end_taking(fact.pot)


def _move(purse: Purse, part: str, amount: int) -> None:
    if part == MAIN:
        purse.main += amount
    else:
        must(part in purse.reserves, "R-24", f"el pozo no tiene una parte {shown(part)}")
        purse.reserves[part] += amount
    lowest = min(purse.main, *purse.reserves.values(), 0)
    must(lowest >= 0, "R-18", "el pozo no tenía lo que dio")


def went_back(world: World, fact: kinds.NeighbourWentBack) -> None:
    """R-27, R-28: once in each epoch of its own, and never forward."""
    one, links = known(world, fact.neighbour), world.links
    must(one.side == "above" and fact.stream == f"to:{one.name}", "R-28", f"{shown(fact.stream)} no es para él")
    must(fact.epoch > _epoch_of(world, one), "R-28", f"{shown(one.name)} no vive en una época nueva")
    place = f"{one.name}/{fact.stream}"
    must(fact.mark.number < links.acknowledged.get(place, NOWHERE).number, "R-28", "no tiene menos que antes")
    links.acknowledged[place], one.went_back[fact.stream] = fact.mark, fact.epoch


def _epoch_of(world: World, one: Neighbour) -> int:
    heard = [mark.epoch for place, mark in world.links.heard.items() if place.startswith(f"{one.name}/")]
    return max([*heard, *one.went_back.values()], default=0)


CHECKS: dict[type, Callable[..., None]] = {
    kinds.NodeRestored: restored,
    kinds.DecisionTaken: returns,
    kinds.MemberReturned: returned,
    kinds.WentOnWithout: went_on,
    kinds.NeighbourWentBack: went_back,
}
