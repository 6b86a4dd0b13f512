"""What the console says of neighbours and of the pots of others, in Spanish (R-20, R-28).

Theory. Who reads stands at a table and has a winner before him: first whether he may pay. Multiples and fixed amounts
he may always; a percentage when its owner has said the amount. Then since when nobody hears the owner, and until when
passes open all the same. Pure.
"""

from collections.abc import Iterator
from datetime import datetime

from controller.core.values import Mark, Side
from controller.core.view import AwardView
from controller.node.vocabulary.protocol import WHY_STOPPED, FarPotNow, NeighbourNow, NodeView

FRESH = 10_000
"""Milliseconds: an amount that is younger is the amount."""
PAID = "múltiplos y montos fijos: sí; porcentajes: esperan"
_UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"))
_DAY = 86_400_000


def ago(age: int) -> str:
    """`hace 2 min`, in the largest unit that fits."""
    unit, name = next(((unit, name) for unit, name in _UNITS if age >= unit), _UNITS[-1])
    return f"hace {age // unit} {name}" if age >= 0 else "sin dato"


def moment(at: int, now: int) -> str:
    """The hour; of another day with its date."""
    local = datetime.fromtimestamp(at / 1000).astimezone()
    return local.strftime("%H:%M" if abs(now - at) < _DAY else "%d-%m %H:%M")


def mark_text(mark: Mark) -> str:
    """Epoch, number, and as much of the hash as two people compare."""
    return f"{mark.epoch}/{mark.number}/{mark.hash[:16] or '-'}"


def neighbour_lines(view: NodeView) -> Iterator[str]:
    """All of it, a line each; nothing where there are no neighbours."""
    for one in view.neighbours:
        yield f"vecino {one.neighbour} ({_side(view, one)}): {_link(view, one)}"
        for stopped in one.stopped:
            here = f"; aquí se oyó hasta {mark_text(stopped.here)}" if stopped.here is not None else ""
            said = f"{WHY_STOPPED[stopped.why]}; dice estar en {mark_text(stopped.said)} de {stopped.stream}"
            yield f"  no se escucha: {said}{here}"
    for pot in view.far_pots:
        yield f"pozo {pot.pot}, de {pot.owner}: {', '.join(_pot(view, pot))}"
    for dispute in view.disputes:
        yield (
            f"disputa {dispute.neighbour}/{dispute.number}: {dispute.about} del pozo {dispute.pot}, {dispute.amount}"
            f" ({dispute.why})"
        )


def _side(view: NodeView, one: NeighbourNow) -> str:
    if one.side is Side.BELOW:
        return "alimenta pozos de aquí" + ", misma casa" * one.inside
    pots = ", ".join(pot.pot for pot in view.far_pots if pot.owner == one.neighbour)
    return f"dueño de {pots}" if pots else "dueño"


def _link(view: NodeView, one: NeighbourNow) -> str:
    if one.revoked:
        return "REVOCADO"
    since = f" desde {moment(one.since, view.at)}" if one.since else ""
    waits = ""
    if one.waits:
        oldest = f", la primera de las {moment(one.oldest, view.at)}" if one.oldest else ""
        waits = f"; {one.waits} {'carta espera' if one.waits == 1 else 'cartas esperan'} su acuse{oldest}"
    return f"{'en línea' if one.up else 'SIN ENLACE'}{since}{waits}"


def _pot(view: NodeView, pot: FarPotNow) -> Iterator[str]:
    yield ago(pot.age) if pot.age > FRESH or pot.age < 0 else "al día"
    if not pot.up:
        yield PAID
    if pot.closes:
        closed = view.at >= pot.closes
        yield "no se abren pases" if closed else f"se abren pases hasta las {moment(pot.closes, view.at)}"
    if pot.percentages:
        yield f"esperan su monto: {', '.join(pot.percentages)}"
    if pot.corrections:
        yield f"esperan corrección: {', '.join(pot.corrections)}"
    if pot.plan_waits:
        yield "propone un plan nuevo"


def cut_off(view: NodeView, pot: str) -> tuple[str, ...]:
    """What stands across a table whose pot nobody hears; nothing while it is heard."""
    far = next((one for one in view.far_pots if one.pot == pot), None)
    if far is None or far.up:
        return ()
    owner = next((one for one in view.neighbours if one.neighbour == far.owner), None)
    closed = " · NO SE ABREN PASES" if far.closes and view.at >= far.closes else ""
    if far.silent and owner is not None and owner.up:
        since = moment(far.silent, view.at)
        return f"SIN ENLACE con el dueño, más allá de {far.owner}, desde {since}{closed}", PAID
    since = f" desde {moment(owner.since, view.at)}" if owner is not None and owner.since else ""
    return f"SIN ENLACE con {far.owner}{since}{closed}", PAID


def age_of(view: NodeView, pot: str) -> str:
    """Beside the amount of a far pot that is old."""
    far = next((one for one in view.far_pots if one.pot == pot), None)
    return f" ({ago(far.age)})" if far is not None and not 0 <= far.age <= FRESH else ""


def owner_of(view: NodeView, award: AwardView) -> str:
    """Who decides about it, where that is not this node."""
    fed = next((feed.pot for feed in view.feeds if feed.table == award.table), "")
    return next((one.owner for one in view.far_pots if one.pot == fed), "su dueño")
