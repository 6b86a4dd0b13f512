"""Everything a person can ask of a node, by its Spanish name: for a line that is typed, and for a command of a script.

Theory. One list for both, so what a croupier learnt at the console works over ssh in a script. An order knows its words
and makes of them an input of the core or a deed of the node, without signatures; it looks at the view only for names
(award 1 of this table, what a credit is worth). Whether it may be done is for the core to say. Pure, but that a plan is
read from its file.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from controller.core import inputs as ask
from controller.core.accounts import SHARE
from controller.core.people import SECOND
from controller.core.values import Phase, Signature
from controller.core.view import TableView
from controller.ctl.award_orders import CONFIRM, PAY, award_named, claim_named
from controller.ctl.hands import WinningHands, read_hands, refuse_acts
from controller.ctl.intent import (
    MAY_BE_ALONE,
    NOBODY,
    CtlOrder,
    Detail,
    Intent,
    Make,
    Misspoken,
    OrderPlace,
    asked,
    number,
)
from controller.ctl.link_orders import DISPUTE, LEAVE, NEIGHBOUR
from controller.ctl.roles import read_roles
from controller.ctl.words import money_at, sign_of
from controller.documents import read_laws, read_new_plan, read_text, shelf
from controller.node.vocabulary.protocol import Deed, Health, NodeView, Waits
from controller.rules.ruleset import Forfeit, load_ruleset


def _seat(word: str) -> int:
    return number(word, "la posición")


def _deed(do: Deed) -> Make:
    return lambda place, _: Intent(do=do, fields={"table": place.table})


def _of_table(kind: Callable[..., Any], *after: Any) -> Make:
    return lambda place, words: asked(kind(place.table, *words, *after, *_signatures(kind)))


def _of_seat(kind: Callable[..., Any]) -> Make:
    return lambda place, words: asked(kind(place.table, _seat(words[0]), *words[1:], *_signatures(kind)))


def _signatures(kind: Any) -> tuple[Signature, ...]:
    needs_two = kind in SECOND and kind not in MAY_BE_ALONE
    return (NOBODY, NOBODY) if needs_two else (NOBODY,)


def _credits(place: OrderPlace, words: Sequence[str]) -> Intent:
    """R-2: of one seat or of several; what is much is asked about, and a slot takes chips."""
    seats = [_seat(word) for word in words[0].split(",")]
    many = number(words[1], "cuántos créditos")
    _refuse_slots(place, seats)
    first, *others = (ask.BuyCredits(place.table, seat, many, NOBODY) for seat in seats)
    told = " ".join(filter(None, (_outlook(place, seat) for seat in seats)))
    return asked(first)._replace(more=tuple(others), told=told, asks=_is_much(place, many, len(seats)))


def _refuse_slots(place: OrderPlace, seats: Sequence[int]) -> None:
    units = [unit for unit in place.view.units if unit.table == place.table and unit.kind in _SLOTS]
    for seat in seats:
        if any(seat in unit.seats for unit in units):
            raise Misspoken(f"La posición {seat} toma fichas: no se le venden créditos")


def _is_much(place: OrderPlace, many: int, seats: int) -> str:
    """What a finger that stays on a key sells: more than some passes of the largest bet."""
    worth = many * next((feed.credit for feed in place.view.feeds if feed.table == place.table), 0)
    sign = sign_of(place.view, place.table)
    if sign is None or worth <= _MANY_BETS * sign.most:
        return ""
    each = " a cada una" if seats > 1 else ""
    return f"Son {money_at(place.view, place.table)(worth)}{each}. ¿Seguro?"


def _open_seat(place: OrderPlace, words: Sequence[str]) -> Intent:
    seat = _seat(words[0])
    opened = asked(ask.OpenSeat(place.table, seat, NOBODY))
    return opened._replace(told=_closes_again(place, seat) or _outlook(place, seat))


def _closes_again(place: OrderPlace, number_: int) -> str:
    """R-6: what is broken closes its seat again as soon as it is opened."""
    seats = (seat for seat in place.view.seats if (seat.table, seat.seat) == (place.table, number_))
    seen = next(seats, None)
    if seen is None or (seen.health is not Health.DOWN and seen.lamp != "fault"):
        return ""
    why = _why_down(place, number_) if seen.health is Health.DOWN else _NO_LAMP.format(seat=number_)
    return f"Posición {number_}: {why}. Antes de eso se vuelve a cerrar."


def _why_down(place: OrderPlace, number_: int) -> str:
    """As the list of devices says it."""
    of_seat = (unit for unit in place.view.units if unit.table == place.table and number_ in unit.seats)
    return next((unit.why for unit in of_seat if unit.why), _NO_DEVICE)


def _outlook(place: OrderPlace, number_: int) -> str:
    """What keeps a seat from taking bets although the record lets it."""
    seats = (seat for seat in place.view.seats if (seat.table, seat.seat) == (place.table, number_))
    seen = next(seats, None)
    if seen is not None and "uncounted" in seen.faults:
        return f"Posición {number_}: {_UNCOUNTED.format(seat=number_)}"
    return f"Posición {number_}: {_OUTLOOKS[seen.waits]}" if seen is not None and seen.waits in _OUTLOOKS else ""


_SLOTS = {"chip_slot", "cctalk"}
_MANY_BETS = 20
_NO_DEVICE = "su aparato no responde: revise su alimentación y su cable"
_NO_LAMP = "su luz falla: repárela, y entre pases borre sus fallas («fallas {seat}»)"
_UNCOUNTED = (
    "su aceptor puede tener fichas sin contar y no toma ninguna: cuéntelas («contar»); después, «fallas {seat}»."
)
_OUTLOOKS = {
    Waits.NEXT: "su aparato se bloqueó con una apuesta en pie; no toma otra hasta el próximo pase.",
    Waits.BUTTON: "su aparato volvió durante el pase y espera que lo abran («abrir»).",
}


def _count(place: OrderPlace, words: Sequence[str]) -> Intent:
    """The unit shows credits, the book holds money."""
    credit = next((feed.credit for feed in place.view.feeds if feed.table == place.table), 0)
    if not credit:
        raise Misspoken("El nodo no dice cuánto vale un crédito en esta mesa")
    found = number(words[1], "cuántos créditos") * credit
    return asked(ask.CountSeat(place.table, _seat(words[0]), found, NOBODY, NOBODY))


def ended_pass(table: TableView | None) -> int:
    """R-35: the pass that a table ended last, while it has sealed no other: its winners can still be entered."""
    return table.last_sealed if table is not None and table.phase is not Phase.SEALED else 0


def _shown(view: NodeView, table: str) -> TableView | None:
    return next((one for one in view.tables if one.table == table), None)


def _lamps(place: OrderPlace, words: Sequence[str]) -> Intent:
    """R-6: what a person saw in the lamp test."""
    dark = tuple(_seat(word) for word in words[0].replace(",", " ").split()) if words else ()
    return asked(ask.TellLamps(place.table, dark, NOBODY))


def _owed(place: OrderPlace, words: Sequence[str]) -> Intent:
    """R-4: the chief who was told needs not sign; a second person does above ten maximum bets (R-37)."""
    return asked(ask.PayOwed(place.table, _seat(words[0]), NOBODY, words[1] if len(words) > 1 else ""))


def acts_at(view: NodeView, table: str) -> tuple[str, ...]:
    """R-8: what a player of the table's game can do with his hand; every act, where the node does not say."""
    return next((feed.acts for feed in view.feeds if feed.table == table and feed.acts), tuple(Forfeit))


def _read_hands(view: NodeView, table: str, text: str) -> WinningHands:
    return refuse_acts(read_hands(text), acts_at(view, table))


def _hands(place: OrderPlace, words: Sequence[str]) -> Intent:
    """R-35: who pressed F2 too early enters the winners of the pass that has just ended, and hears which one it is."""
    read = _read_hands(place.view, place.table, words[0])
    ended = ended_pass(_shown(place.view, place.table))
    made = ask.RegisterClaim(place.table, read.hands, NOBODY, read.community, ended)
    return Intent(made, told=f"Pase {ended}, recién terminado." if ended else "")


_REASON = Detail("reason", "Qué estaba mal ", "motivo", needed=True)
_RECORDING = Detail("recording", "Número de la grabación (Enter: no hay) ", "grabacion")
_RESOLUTION = Detail("resolution", "Resolución de la autoridad (Enter: no hay) ", "resolucion")
_CORRECTED = (_REASON, _RECORDING, _RESOLUTION)


def _correct(place: OrderPlace, words: Sequence[str]) -> Intent:
    """R-34, R-35: all true winners of a pass, by its number or that of its claim. One that another seal has followed is
    put right by two, with the recording or a resolution."""
    table, pass_ = _pass(place, words[0])
    read = _read_hands(place.view, table, words[1])
    shown = _shown(place.view, table)
    is_recent = shown is not None and pass_ >= shown.last_sealed
    made = ask.CorrectClaim(table, pass_, read.hands, "", NOBODY, None, read.community)
    told = f"Mesa {table}, pase {pass_}: estas son todas sus ganadoras; lo que falte aquí se anula."
    return Intent(made, two=not is_recent, told=told, details=_CORRECTED[: 1 if is_recent else None])


def _pass(place: OrderPlace, word: str) -> tuple[str, int]:
    """`41` of this table, or `M1/41/1`."""
    table, *rest = word.split("/")
    return (table, number(rest[0], "el pase")) if rest else (place.table, number(word, "el pase"))


def _reject(place: OrderPlace, words: Sequence[str]) -> Intent:
    """R-34: what was paid of it cannot be had back; whoever signs hears that before."""
    claim = claim_named(place, words[0])
    pending = next((one for one in place.view.claims if one.claim == claim), None)
    money = money_at(place.view, claim.split("/")[0])
    if pending is None:
        told = f"Jugada {claim}: no está pendiente; lo que se pagó de ella lo pierde la casa."
    else:
        paid = f": ya se pagaron {money(pending.paid)}; los pierde la casa." if pending.paid else " se anula."
        told = f"Jugada {claim}{paid}"
    return asked(ask.RejectClaim(claim, words[1], NOBODY, NOBODY))._replace(told=told)


def _day(_: OrderPlace, words: Sequence[str]) -> Intent:
    if words[0] == "abrir" and len(words) == 2:
        return Intent(do=Deed.OPEN_DAY, fields={"day": words[1]})
    if words[0] == "cerrar" and len(words) == 1:
        return Intent(do=Deed.CLOSE_DAY)
    if words[0] == "sin-semilla" and len(words) == 2:
        return Intent(do=Deed.LOSE_SEED, fields={"reason": words[1]}, two=True)
    if words[0] == "nombre" and len(words) == 2 and " " in words[1].strip():
        date, reason = words[1].split(maxsplit=1)
        return asked(ask.RenameDay(date, reason.strip(), NOBODY, NOBODY))
    raise Misspoken(
        "Se escribe: dia abrir 2026-11-18, dia cerrar, dia nombre 2026-11-18 MOTIVO, o dia sin-semilla MOTIVO"
    )


def _card(place: OrderPlace, words: Sequence[str]) -> Intent:
    """R-29: of which prize has to be said only where more than one card waits."""
    drawn = next((tuple(table.cards) for table in place.view.tables if table.table == place.table), ())
    if len(words) == 1 and len(drawn) != 1:
        raise Misspoken(f"Hay varias cartas sorteadas: {', '.join(drawn)}" if drawn else "No hay una carta sorteada")
    prize = words[1] if len(words) > 1 else drawn[0]
    return asked(ask.ShowCard(place.table, prize, _seat(words[0]), NOBODY))


_KNOW = "¿Los dos que firman conocen a la persona, y no tiene otro nombre aquí? (s/n) "
_KNOWN = Detail("known", _KNOW, "conocida", needed=True)


def _person(_: OrderPlace, words: Sequence[str]) -> Intent:
    roles = read_roles(words[1])
    fields = {"person": words[0], "name": words[2], "roles": roles}
    return Intent(do=Deed.ENROL, fields=fields, two=True, new_pin=True, details=(_KNOWN,) if roles else ())


def _terminal(_: OrderPlace, words: Sequence[str]) -> Intent:
    """R-36: a browser is let in where its key is made, at its own page; from here it is only sent away."""
    action, name, reason = words
    if action != "retirar":
        raise Misspoken("Se escribe: terminal retirar NOMBRE MOTIVO")
    return asked(ask.WithdrawTerminal(name, reason, NOBODY))


def _plan(_: OrderPlace, words: Sequence[str]) -> Intent:
    """R-26: the plan's file, and the ruleset it names, word for word."""
    path = Path(words[0])
    more = Path(words[1]) if len(words) > 1 else None
    plan, _fingerprint = read_new_plan(path, read_laws(more))
    for folder in (shelf() / "rulesets", *([more] if more else [])):
        for one in sorted(folder.glob("*.toml")):
            text = read_text(one).text
            if load_ruleset(text, str(one)).name == plan.ruleset.name:
                return asked(ask.StagePlan(read_text(path).text, text, NOBODY, NOBODY))
    raise AssertionError("R-26: a plan was read under a ruleset that is there")


def _move(_: OrderPlace, words: Sequence[str]) -> Intent:
    """R-28: `parte:NODO` is the share of a casino that left this pot, `parte:POZO` what was given us of another one."""
    pot, source, target, amount, resolution = words
    source, target = (re.sub(r"\Aparte:", SHARE, word) for word in (source, target))
    return asked(ask.MoveMoney(pot, source, target, number(amount, "el monto"), resolution, NOBODY, NOBODY))


def _training(place: OrderPlace, words: Sequence[str]) -> Intent:
    kinds: dict[str, Any] = {"empezar": ask.StartTraining, "terminar": ask.EndTraining}
    if words[0] not in kinds:
        raise Misspoken("Se escribe: entrenamiento empezar, o entrenamiento terminar")
    kind = kinds[words[0]]
    return asked(kind(place.table, *_signatures(kind)))


def _faults(place: OrderPlace, words: Sequence[str]) -> Intent:
    return Intent(do=Deed.CLEAR_FAULTS, fields={"table": place.table, "seat": _seat(words[0])})


def _advance(place: OrderPlace, words: Sequence[str]) -> Intent:
    """R-20: whoever signs hears first from whom it is."""
    award, amount = award_named(place, words[0]), number(words[1], "el monto")
    told = f"Premio {award}: lo adelanta la casa; lo que al fin no se deba lo pierde."
    return asked(ask.AdvanceAward(award, amount, words[2], NOBODY, NOBODY))._replace(told=told)


ORDERS = (
    CtlOrder("abrir", "a", (), "Abre el pase, o las posiciones que volvieron.", _deed(Deed.UNLOCK)),
    CtlOrder("cerrar", "c", (), "No más apuestas.", _of_table(ask.Lock)),
    CtlOrder("creditos", "cr", ("POS", "N"), "Compra N créditos; también 1,3,6 N.", _credits),
    CtlOrder("retirar", "re", ("POS",), "Todos los créditos de una posición, en dinero.", _of_seat(ask.CashOut)),
    CtlOrder("manos", "m", ("MANOS...",), "Las ganadoras: m 2 full; 5 Ap Kp Qp Jp 10p", _hands),
    CtlOrder("corregir", "", ("PASE", "MANOS..."), "Un pase como fue: todas sus ganadoras.", _correct,
          details=_CORRECTED),
    CONFIRM,
    PAY,
    CtlOrder("adelanto", "", ("PREMIO", "MONTO", "MOTIVO..."), "Parte de un porcentaje que espera; firman dos.",
          _advance, at_table=False),
    CtlOrder("rechazar", "x", ("JUGADA", "MOTIVO..."), "Rechaza la jugada entera; firman dos.",
          _reject, at_table=False),
    CtlOrder("terminar", "t", (), "Termina el pase sin abrir otro.", _of_table(ask.ClosePass)),
    CtlOrder("devolver", "d", ("POS", "[JEFE]"), "Devuelto lo que tomó de más; JEFE: el avisado.",
          _owed),
    CtlOrder("anular-mano", "am", ("POS", "MOTIVO..."), "Anula la apuesta de una posición.", _of_seat(ask.VoidHand)),
    CtlOrder("anular-pase", "ap", ("MOTIVO...",), "Anula el pase entero; todo vuelve a su posición.",
          _of_table(ask.VoidPass)),
    CtlOrder("firmar", "", ("POS",), "El jefe firma lo anulado tras el cierre; entonces se paga.",
          _of_seat(ask.SignVoid)),
    CtlOrder("cerrar-posicion", "cp", ("POS", "MOTIVO..."), "Deja una posición fuera de juego.",
          _of_seat(ask.CloseSeat)),
    CtlOrder("abrir-posicion", "op", ("POS",), "La posición vuelve a jugar.", _open_seat),
    CtlOrder("carta", "ca", ("POS", "[PREMIO...]"), "La posición mostró la carta sorteada.", _card),
    CtlOrder("apartar", "", ("POS",), "Aparta los créditos de quien se fue; firman dos.", _of_seat(ask.LeaveCredits)),
    CtlOrder("entregar", "", ("MONTO",), "Entrega a quien volvió lo apartado; firman dos.",
          lambda place, words: asked(ask.PayLeft(place.table, number(words[0], "el monto"), NOBODY, NOBODY))),
    CtlOrder("contar", "", ("POS", "CREDITOS"), "Créditos contados a mano; firman dos.", _count),
    CtlOrder("aclarar", "", ("MOTIVO...",), "La casa asume lo que nadie explica; firman dos.",
          _of_table(ask.ClearSuspense)),
    CtlOrder("apartar-premio", "", ("PREMIO", "MOTIVO..."), "No se halla al ganador: deuda sin plazo; firman dos.",
          lambda place, words: asked(ask.SetAside(award_named(place, words[0]), words[1], NOBODY, NOBODY)),
          at_table=False),
    CtlOrder("conceder-otra-vez", "", ("JUGADA", "MOTIVO..."), "Un premio rechazado, a su misma posición; firman dos.",
          lambda _, words: asked(ask.GrantAnew(words[0], words[1], NOBODY, NOBODY)), at_table=False),
    CtlOrder("entrenamiento", "", ("ACCION",), "ACCION: empezar (firman dos) o terminar. Sin dinero.", _training),
    CtlOrder("prueba-luces", "", (), "Enciende las luces de la mesa, entre pases.", _deed(Deed.LAMP_TEST)),
    CtlOrder("luces", "", ("[APAGADAS...]",), "Tras la prueba: qué posiciones no encendieron; nada, si todas.", _lamps),
    CtlOrder("luz-apagada", "la", ("POS",), "Antes de cerrar: no enciende; la apuesta vuelve.",
          _of_seat(ask.LampDark)),
    CtlOrder("fallas", "", ("POS",), "Borra las fallas de una posición revisada; 0: de los aparatos mismos.", _faults),
    CtlOrder("prueba-letrero", "", ("LETRERO",), "Prueba un letrero.",
          lambda _, words: Intent(do=Deed.SIGN_TEST, fields={"sign": words[0]}), at_table=False),
    CtlOrder("dia", "", ("ACCION", "[DIA...]"), "abrir FECHA, cerrar, nombre FECHA MOTIVO, sin-semilla MOTIVO.",
          _day, at_table=False),
    CtlOrder("persona", "", ("QUIEN", "PAPELES", "NOMBRE..."),
          "Inscribe, o cambia papeles («-»: ninguno); firman dos.", _person, at_table=False, details=(_KNOWN,)),
    CtlOrder("desbloquear", "", ("QUIEN",), "Da por vistos los PIN equivocados de otro; él deja de esperar.",
          lambda _, words: asked(ask.UnlockPerson(words[0], NOBODY)), at_table=False),
    CtlOrder("terminal", "", ("ACCION", "NOMBRE", "MOTIVO..."), "retirar: nada que firme se toma; firma uno.",
          _terminal, at_table=False),
    CtlOrder("reloj", "", (), "Toma nota de que el reloj saltó, tras revisarlo; el aviso se quita.",
          lambda _, _words: asked(ask.NoteClock(NOBODY)), at_table=False),
    CtlOrder("plan", "", ("ARCHIVO", "[REGLAMENTOS]"), "Pone en espera un plan aprobado; firman dos.", _plan,
          at_table=False),
    CtlOrder("retirar-plan", "", ("POZO",), "Quita un plan que espera.",
          lambda _, words: asked(ask.WithdrawPlan(words[0], NOBODY)), at_table=False),
    CtlOrder("traspasar", "", ("POZO", "DE", "A", "MONTO", "RESOLUCION"), "Mueve dinero entre partes; firman dos.",
          _move, at_table=False),
    NEIGHBOUR,
    DISPUTE,
    LEAVE,
)  # fmt: skip

BY_NAME = {name: order for order in ORDERS for name in (order.name, order.short) if name}
