"""The orders about other nodes: whose key is taken, and what was not believed of a neighbour (R-28).

Theory. Whoever pins a key has heard its fingerprint from somebody at the other node and types what he heard; it is
compared here, before anything is signed, and he never hears what would have been right. All of it is signed by two.
Pure.
"""

from collections.abc import Sequence

from controller.core import inputs as ask
from controller.core.values import Side
from controller.ctl.intent import NOBODY, CtlOrder, Intent, Misspoken, OrderPlace, asked, number
from controller.node.vocabulary.fingerprint import is_link_key, trouble_with

_SIDES = {
    "arriba": (Side.ABOVE, False), "abajo": (Side.BELOW, False),
    "arriba-casa": (Side.ABOVE, True), "abajo-casa": (Side.BELOW, True),
}  # fmt: skip


def _neighbour(_: OrderPlace, words: Sequence[str]) -> Intent:
    action, name, rest = words
    if action == "fijar":
        return _pin(name, rest.split(maxsplit=2))
    if action == "revocar":
        return asked(ask.RevokeNeighbour(name, rest, NOBODY, NOBODY))
    raise Misspoken("Se escribe: vecino fijar NOMBRE LADO LLAVE HUELLA, o vecino revocar NOMBRE MOTIVO")


def _pin(name: str, words: Sequence[str]) -> Intent:
    if len(words) < 3:
        raise Misspoken("Se escribe: vecino fijar NOMBRE LADO LLAVE HUELLA")
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
    "vecino", "", ("ACCION", "NOMBRE", "RESTO..."), "fijar LADO LLAVE HUELLA, o revocar MOTIVO; firman dos.",
    _neighbour, at_table=False,
)  # fmt: skip
DISPUTE = CtlOrder(
    "disputa", "", ("ACCION", "DISPUTA", "MOTIVO..."), "tomar: al pozo; dejar: con quien lo dijo; firman dos.",
    _dispute, at_table=False,
)  # fmt: skip
