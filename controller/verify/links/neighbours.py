"""Whose key was pinned, whose link stands, and for how long a pot is played without its owner (R-28).

Theory. Two persons pin a key and revoke it, and two say that a stream which did not follow goes on. In between the node
alone says when a link stands: at changes only. A start cuts all links, counted from the last fact before it, so that no
restart makes a neighbour look nearer than it was; and a step of the clock makes no silence longer or shorter.
"""

import re
from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.facts import Reached
from controller.verify.links.state import NOWHERE, Neighbour
from controller.verify.people import NAME, read_as
from controller.verify.world import Pot, World
from controller.verify.wrong import must, must_be, shown, there

_KEY = re.compile(r"[0-9a-f]{64}")
_MINUTE = 60_000
_COPIED = "mirror"  # the record of a box of this casino: no letter waits for it


def known(world: World, name: str) -> Neighbour:
    found = there(world.links.neighbours.get(name), "R-28", f"nadie fijó la llave de {shown(name)}")
    must(not found.revoked, "R-28", f"la llave de {shown(name)} se había revocado")
    return found


def heard_from(world: World, name: str) -> Neighbour:
    """R-28: nothing, on any stream, of who said what does not follow."""
    one = known(world, name)
    of_letters = set(one.stopped) - {_COPIED}
    must(not of_letters, "R-28", f"a {shown(name)} no se le oía nada hasta que lo revisaran dos personas")
    return one


def pinned(world: World, fact: kinds.NeighbourPinned) -> None:
    """R-28: one name, one key, and where something was shared already the same place."""
    must(bool(NAME.fullmatch(fact.neighbour)), "R-28", f"{shown(fact.neighbour)} no sirve de nombre")
    must(bool(_KEY.fullmatch(fact.key)), "R-28", "la llave del vecino no son 64 cifras hexadecimales")
    others = [one for one in world.links.neighbours.values() if one.name != fact.neighbour]
    for name in (world.node, *(one.name for one in others)):
        must(read_as(name) != read_as(fact.neighbour), "R-28", f"{shown(fact.neighbour)} se lee como {shown(name)}")
    must(fact.key not in [one.key for one in others], "R-28", "esa llave es de otro vecino")
    was = world.links.neighbours.get(fact.neighbour)
    if was is None:
        world.links.neighbours[fact.neighbour] = Neighbour(fact.neighbour, fact.side, fact.key, fact.inside)
        world.links.tell_by(fact.tells)
        return
    world.links.tell_by(fact.tells)
    stays = (was.side, was.inside) == (fact.side, fact.inside)
    must(stays or not _has_shared(world, was.name), "R-28", f"con {shown(was.name)} ya se había compartido un pozo")
    must(not stays or was.revoked or was.key != fact.key, "R-28", "esa llave ya estaba fijada")
    was.side, was.inside, was.key, was.revoked = fact.side, fact.inside, fact.key, False


def _has_shared(world: World, name: str) -> bool:
    links = world.links
    marks = [place.split("/")[0] for place in (*links.heard, *links.acknowledged)]
    return name in marks or f"to:{name}" in links.told or any(pot.above == name for pot in world.pots.values())


def revoked(world: World, fact: kinds.NeighbourRevoked) -> None:
    one = known(world, fact.neighbour)
    must(bool(fact.reason.strip()), "R-28", "falta el motivo")
    one.cut(world.at)
    one.revoked = True
    world.links.nobody_waits(one.name, [*world.links.taking])
    for waiting in world.links.proposed.values():  # nobody is bound by what he promised to it
        waiting.ready = waiting.ready and waiting.above != fact.neighbour


def seen(world: World, fact: kinds.LinkSeen) -> None:
    """R-28: at a change only, at the instant of the change."""
    one = known(world, fact.neighbour)
    must(fact.up != one.up, "R-28", f"el enlace con {shown(fact.neighbour)} ya estaba así")
    must_be(fact.since, world.at, "R-28", "desde cuándo")
    one.up, one.since = fact.up, fact.since


def owner_seen(world: World, fact: kinds.OwnerSeen) -> None:
    """R-28: of a pot of that neighbour, at a change only, at its instant."""
    known(world, fact.neighbour)
    not_its = f"{shown(fact.pot)} no es un pozo de {shown(fact.neighbour)}"
    pot = there(world.pots.get(fact.pot), "R-28", not_its)
    must(pot.above == fact.neighbour, "R-28", not_its)
    must(bool(pot.silent) is fact.up, "R-28", f"al dueño de {shown(fact.pot)} ya se lo oía así")
    must_be(fact.since, world.at, "R-28", "desde cuándo")
    pot.silent = 0 if fact.up else fact.since


def prove_may_open(world: World, pot: Pot) -> None:
    """R-28: no pass without a word from the pot's owner for longer than the plan says."""
    if not pot.above:
        return
    owner = heard_from(world, pot.above)
    unsaid = f"{shown(pot.above)} no había dicho hasta dónde oyó a este nodo antes de restaurarse"
    must(pot.above not in world.links.recalls, "R-28", unsaid)
    most = pot.law.max_offline * _MINUTE
    for is_heard, since, whom in (
        (owner.up, owner.since, owner.name),
        (not pot.silent, pot.silent, "quien está detrás"),
    ):
        silent = max(world.at - since, 0)
        sentence = f"hacía {silent // _MINUTE} minutos que no se oía a {shown(whom)}, dueño del pozo"
        must(is_heard or silent < most, "R-28", sentence)


def stopped(world: World, fact: kinds.NeighbourStopped) -> None:
    one = known(world, fact.neighbour)
    copied = fact.stream == _COPIED and one.inside and one.side == "below"
    whose = copied or is_theirs(world, one, fact.stream) or is_ours(world, one, fact.stream)
    must(whose, "R-28", f"con {shown(one.name)} no hay una serie {shown(fact.stream)}")
    now = (fact.why, fact.said)
    must(one.stopped.get(fact.stream) != now, "R-28", f"{shown(one.name)} ya estaba detenido por eso")
    one.stopped[fact.stream] = now


def accepted(world: World, fact: kinds.NeighbourAccepted) -> None:
    """R-28: two looked at exactly what it says, or at where it stood here; nothing is heard twice."""
    one, links = known(world, fact.neighbour), world.links
    _, said = there(one.stopped.pop(fact.stream, None), "R-28", f"{shown(fact.stream)} no estaba detenida")
    must(bool(fact.reason.strip()), "R-28", "falta el motivo")
    place = f"{one.name}/{fact.stream}"
    is_theirs_ = fact.stream != _COPIED and fact.stream.startswith("to:") is (one.side == "below")
    before = links.heard.get(place, NOWHERE)
    if fact.mark != before or not is_theirs_:
        must_be(fact.mark, said, "R-28", "desde dónde sigue")
    if fact.stream == _COPIED:
        return  # how far the copy goes is known where it is kept
    if not is_theirs_:
        pot = fact.stream.removeprefix("pot:")
        if pot in links.taking and fact.stream != pot and one.name in links.taking[pot].missing:
            links.nobody_waits(one.name, [pot])
        if one.side == "above" and one.name in links.recalls:
            links.recalls.remove(one.name)
        links.acknowledged[place] = fact.mark
        if fact.mark.number > links.told.get(fact.stream, NOWHERE).number:
            links.told[fact.stream] = Reached(world.epoch, fact.mark.number, fact.mark.hash)
        return
    if fact.mark != before:
        later = fact.mark.epoch > before.epoch or (fact.mark.epoch == before.epoch and fact.mark.number > before.number)
        must(later, "R-28", "se oiría otra vez lo mismo, en la misma época")
        open_ = [dispute for dispute in links.disputes.values() if dispute.neighbour == one.name]
        of_this = [dispute for dispute in open_ if one.side == "below" or fact.stream == f"pot:{dispute.pot}"]
        resolved = all(dispute.number <= fact.mark.number for dispute in of_this)
        must(resolved, "R-28", "una disputa posterior está sin resolver")
    links.heard[place] = fact.mark


def is_theirs(world: World, one: Neighbour, stream: str) -> bool:
    """R-28: what a neighbour writes for us: below what happens there, above the logs of its pots."""
    if one.side == "below":
        return stream == f"to:{world.node}"
    kind, _, name = stream.partition(":")
    pot = world.pots.get(name)
    return kind == "pot" and bool(NAME.fullmatch(name)) and (pot is None or one.name in {pot.above, pot.left})


def is_ours(world: World, one: Neighbour, stream: str) -> bool:
    if one.side == "above":
        return stream == f"to:{one.name}"
    kind, _, name = stream.partition(":")
    return kind == "pot" and (name in world.pots or stream in world.links.told)


CHECKS: dict[type, Callable[..., None]] = {
    kinds.NeighbourPinned: pinned,
    kinds.NeighbourRevoked: revoked,
    kinds.LinkSeen: seen,
    kinds.OwnerSeen: owner_seen,
    kinds.NeighbourStopped: stopped,
    kinds.NeighbourAccepted: accepted,
}
