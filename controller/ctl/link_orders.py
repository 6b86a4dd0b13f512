"""The orders about other nodes: whose key is taken, and what was not believed of a neighbour (R-28).

Theory. Whoever pins a key has heard its fingerprint from somebody at the other node and types what he heard; it is
compared here, before anything is signed, and he never hears what would have been right. All of it is signed by two.
Pure.
"""

from collections.abc import Sequence

from controller.core import inputs as ask
from controller.core.values import Side
from controller.ctl.intent import NOBODY, CtlOrder, Intent, Misspoken, OrderPlace, asked, number
from controller.ctl.link_words import mark_text
from controller.node.vocabulary.fingerprint import is_link_key, trouble_with
from controller.node.vocabulary.protocol import NodeView

_SIDES = {
    "arriba": (Side.ABOVE, False), "abajo": (Side.BELOW, False),
    "arriba-casa": (Side.ABOVE, True), "abajo-casa": (Side.BELOW, True),
}  # fmt: skip


_WRITTEN = {
    "fijar": "vecino fijar NOMBRE LADO LLAVE HUELLA",
    "revocar": "vecino revocar NOMBRE MOTIVO",
    "aceptar": "vecino aceptar NOMBRE SERIE MOTIVO",
    "seguir": "vecino seguir NOMBRE SERIE MOTIVO",
    "sin": "vecino sin POZO VECINO,VECINO MOTIVO",
}


def _neighbour(place: OrderPlace, words: Sequence[str]) -> Intent:
    action, name, rest = words
    if action == "fijar":
        return _pin(name, rest.split(maxsplit=2))
    if action == "revocar":
        return asked(ask.RevokeNeighbour(name, rest, NOBODY, NOBODY))
    if action == "sin":
        names, _, reason = rest.partition(" ")
        return _without(name, names, reason.strip())
    if action in _WRITTEN:
        stream, _, reason = rest.partition(" ")
        return _accept(place.view, name, stream, reason.strip(), as_it_was=action == "seguir")
    raise Misspoken(f"Se escribe: {', o '.join(_WRITTEN.values())}")


def _without(pot: str, names: str, reason: str) -> Intent:
    """R-28: after a restore of this node, by the names that the alarm of the pot has; `-`: only this node's own."""
    if not reason:
        raise Misspoken(f"Se escribe: {_WRITTEN['sin']}")
    neighbours = () if names == "-" else tuple(names.split(","))
    told = f"El pozo {pot} decide otra vez, sin esperar a {names}."
    return asked(ask.GoOnWithout(pot, neighbours, reason, NOBODY, NOBODY))._replace(told=told)


def _accept(view: NodeView, name: str, stream: str, reason: str, *, as_it_was: bool) -> Intent:
    """R-28: exactly what the list shows, which is what the two have seen: where it says that its stream stands; or
    where it stood here, if it was not itself who spoke."""
    one = next((known for known in view.neighbours if known.neighbour == name), None)
    stopped = next((stop for stop in one.stopped if stop.stream == stream), None) if one is not None else None
    if stopped is None or not reason:
        streams = ", ".join(stop.stream for stop in one.stopped) if one is not None else ""
        raise Misspoken(f"De {name} están detenidas: {streams or 'ninguna'}. Se escribe: {_WRITTEN['aceptar']}")
    if as_it_was and stopped.here is None:
        raise Misspoken(f"{name} no se oyó nunca en {stream}: se acepta donde dice estar, o no se acepta")
    mark = stopped.here if as_it_was and stopped.here is not None else stopped.said
    told = f"{name} se oye otra vez en {stream} desde {mark_text(mark)}."
    if not as_it_was and stopped.here is not None:
        told += f" Aquí se oyó hasta {mark_text(stopped.here)}."
    return asked(ask.AcceptNeighbour(name, stream, mark, reason, NOBODY, NOBODY))._replace(told=told)


def _pin(name: str, words: Sequence[str]) -> Intent:
    if len(words) < 3:
        raise Misspoken(f"Se escribe: {_WRITTEN['fijar']}")
    side, key, heard = words[0], words[1].lower(), words[2]
    if side not in _SIDES:
        raise Misspoken(f"«{side}»: el lado es {', '.join(_SIDES)}")
    if not is_link_key(key):
        raise Misspoken("La llave de un vecino son 64 cifras hexadecimales (pozo key show, allá)")
    if trouble := trouble_with(heard, key):
        raise Misspoken(f"Huella de {name}: {trouble}")
    where, inside = _SIDES[side]
    return asked(ask.PinNeighbour(name, where, key, NOBODY, NOBODY, inside))


def _dispute(_: OrderPlace, words: Sequence[str]) -> Intent:
    """Of an owner of several pots, whose logs have numbers each: VECINO/POZO/NUMERO."""
    action, name, reason = words
    neighbour, *pot, last = ("", *name.split("/")) if "/" not in name else name.split("/")
    if action not in {"tomar", "dejar"} or not neighbour or len(pot) > 1:
        raise Misspoken("Se escribe: disputa tomar VECINO/NUMERO MOTIVO, o disputa dejar VECINO/NUMERO MOTIVO")
    at, accepted = number(last, "la disputa"), action == "tomar"
    return asked(ask.EndDispute(neighbour, at, accepted, reason, NOBODY, NOBODY, "".join(pot)))


NEIGHBOUR = CtlOrder(
    "vecino", "", ("ACCION", "NOMBRE", "RESTO..."), "fijar, revocar, aceptar, seguir, sin; firman dos.",
    _neighbour, at_table=False,
)  # fmt: skip
LEAVE = CtlOrder(
    "dejar-pozo", "", ("POZO", "RESOLUCION..."), "El dueño no vuelve: lo que espera se decide aquí; firman dos.",
    lambda _, words: asked(ask.LeavePot(words[0], words[1], NOBODY, NOBODY)), at_table=False,
)  # fmt: skip
DISPUTE = CtlOrder(
    "disputa", "", ("ACCION", "DISPUTA", "MOTIVO..."), "tomar: al pozo; dejar: con quien lo dijo; firman dos.",
    _dispute, at_table=False,
)  # fmt: skip
