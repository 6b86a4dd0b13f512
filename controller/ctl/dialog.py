"""What a croupier and the node say to each other: an order is understood, confirmed, signed, asked and answered.

Theory. A dialog is a generator: it yields a question for the person or a request for the node, and is sent the answer;
so it reads as it happens, and can be tried without a terminal. PINs that were right are kept in memory for their
person; a wrong one is forgotten at once. Who types hands sees them as cards before they are anybody's.
"""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from controller.core.inputs import CorrectClaim, RegisterClaim, RejectClaim
from controller.ctl.forfeits import forfeited
from controller.ctl.hands import WinningHands, acts_text, hands_text
from controller.ctl.intent import YES, CtlOrder, Detail, Intent, Misspoken, OrderPlace, make, needs_second
from controller.ctl.orders import BY_NAME, ORDERS, acts_at
from controller.ctl.words import reply_lines
from controller.node.control.client import ToSign
from controller.node.vocabulary.protocol import WAIT, NodeView, Pin, Reply, is_pin

PIN_TROUBLES = {"pin_wrong", "person_unknown", WAIT}


class Query(NamedTuple):
    """Put to the person; `secret` is not shown, nor remembered."""

    text: str
    secret: bool = False


class Sentences(NamedTuple):
    """Said to the person."""

    lines: tuple[str, ...]
    good: bool = True


class Quit(Exception):  # noqa: N818  says what happened
    """The person is done."""


Step = Query | Sentences | ToSign
Talk = Generator[Step, "str | Reply | None", None]


def said(*lines: str, good: bool = True) -> Sentences:
    return Sentences(lines, good)


class Dialog:
    """The state of one console: who sits at it, and which table he looks at."""

    def __init__(self, table: str) -> None:
        self.table, self.person = table, ""
        self._pins: dict[str, str] = {}

    def forget(self) -> None:
        """Forget who signs: the next person signs for himself."""
        self.person = ""
        self._pins.clear()

    def line(self, text: str, view: NodeView | None) -> Talk:
        """A line that was typed."""
        name, *words = text.split()
        own = {"usuario": self._user, "u": self._user, "mesa": self._look_at, "ayuda": self._help, "?": self._help}
        if name in {"salir", "q"}:
            raise Quit
        if name in own:
            yield from own[name](words, view)
        elif name not in BY_NAME:
            yield said(f"«{name}» no se conoce; F1 o «ayuda» dice qué hay.", good=False)
        elif view is None:
            yield said("El nodo no responde; espere a que vuelva.", good=False)
        else:
            yield from self._order(BY_NAME[name], words, view)

    # What concerns the console alone.

    def _user(self, words: Sequence[str], _: NodeView | None) -> Talk:
        if words:
            self.person = words[0]
        else:
            self.person = yield from _answered(Query("¿Quién es usted? "))
        self._pins.pop(self.person, None)
        yield said(f"Ahora firma {self.person}." if self.person else "Nadie firma; se preguntará.")

    def _look_at(self, words: Sequence[str], view: NodeView | None) -> Talk:
        names = [table.table for table in view.tables] if view else []
        if words and words[0] in names:
            self.table = words[0]
        else:
            yield said(f"Hay estas mesas: {', '.join(names)}.", good=False)

    def _help(self, words: Sequence[str], view: NodeView | None) -> Talk:
        chosen = [order for order in ORDERS if words and words[0] in {order.name, order.short}]
        if chosen and view is not None and chosen[0].short in {"m", "co"}:
            acts = acts_text(acts_at(view, self.table))
            yield said(*map(help_of, chosen), f"    Lo que hizo el jugador, en esta mesa: {acts}.")
        elif chosen:
            yield said(*map(help_of, chosen))
        elif words and words[0] == "todo":
            yield said(*(help_of(order) for order in ORDERS if not order.short))
        else:
            yield said(*(help_of(order) for order in ORDERS if order.short), *OWN_HELP)

    # What concerns the node.

    def _order(self, order: CtlOrder, words: Sequence[str], view: NodeView) -> Talk:
        try:
            wanted = make(order, OrderPlace(self.table, view), words)
        except Misspoken as wrong:
            yield said(str(wrong), good=False)
            return
        no = yield from _refused(wanted, view)
        if no:
            yield said(no)
            return
        if wanted.details:
            answers = yield from _detailed(wanted.details)
            if answers is None:
                missing = "el motivo" if wanted.do is None else "la respuesta"
                yield said(f"Falta {missing}; no se pidió nada.", good=False)
                return
            wanted = wanted.detailed(answers)
        pin = ""
        if wanted.new_pin:
            pin = yield from _new_pin(str(wanted.fields["person"]))
            if not pin:
                return
        yield from self._signed(wanted, pin, view)

    def _signed(self, wanted: Intent, pin: str, view: NodeView) -> Talk:
        """One pair of signatures for all that was asked; what is refused ends it, and what was done before stays."""
        stays = wanted.is_a_croupiers
        first = (yield from self._first()) if stays else (yield from _once())
        if first is None:
            return
        second = (yield from _second()) if wanted.two else None
        if wanted.two and second is None:
            return
        for one in wanted.each:
            reply = yield from _asked(one.request(first, second, pin))
            if needs_second(reply) and second is None:
                yield said("Esto lo firman dos personas.")
                second = yield from _second()
                if second is None:
                    return
                reply = yield from _asked(one.request(first, second, pin))
            if stays:
                self._remember(first, reply)
            yield Sentences(tuple(reply_lines(reply, view)), reply.ok and reply.pays != 0)
            if not reply.ok:
                return

    def _remember(self, first: Pin, reply: Reply) -> None:
        if reply.trouble is None or reply.trouble.reason not in PIN_TROUBLES:
            self._pins[first.person] = first.pin
        elif reply.trouble.where != "second":
            self.forget()

    def _first(self) -> Generator[Step, "str | Reply | None", Pin | None]:
        if not self.person:
            self.person = yield from _answered(Query("¿Quién es usted? "))
        if not self.person:
            return None
        pin = self._pins.get(self.person) or (yield from _answered(Query(f"PIN de {self.person} ", secret=True)))
        if not is_pin(pin):
            yield said("Un PIN tiene de seis a doce cifras; no se pidió nada.", good=False)
            return None
        return Pin(self.person, pin)


def _once() -> Generator[Step, "str | Reply | None", Pin | None]:
    """R-26: what no croupier may sign is signed for this order alone, by who stands here now."""
    return (yield from _signs("Firma un jefe u otra persona autorizada. ¿Quién? ", "Sin una firma no se pidió nada."))


def _second() -> Generator[Step, "str | Reply | None", Pin | None]:
    return (yield from _signs("Segunda persona ", "Sin la segunda persona no se pidió nada."))


def _signs(question: str, missing: str) -> Generator[Step, "str | Reply | None", Pin | None]:
    """Name and PIN are typed each time, because he has to stand here; neither is kept."""
    person = yield from _answered(Query(question))
    pin = (yield from _answered(Query(f"PIN de {person} ", secret=True))) if person else ""
    if not is_pin(pin):
        yield said(missing, good=False)
        return None
    return Pin(person, pin)


def _refused(wanted: Intent, view: NodeView) -> Generator[Step, "str | Reply | None", str]:
    """What was understood, and what it costs, before it is anybody's; what to say where the person says no."""
    if wanted.told:
        yield said(wanted.told)
    if wanted.asks and (yield from _answered(Query(f"{wanted.asks} s: sí · Enter: no "))).lower() not in YES:
        return "No se pidió nada."
    if isinstance(wanted.input, RegisterClaim | CorrectClaim):
        yield said(hands_text(WinningHands(wanted.input.hands, wanted.input.community)))
        answer = yield from _answered(Query("¿Es esto? Enter: sí · n: no "))
        if answer.lower() not in {"", *YES}:
            return "No se anotó nada."
        lost = tuple(forfeited(wanted.input.hands, wanted.input.table, view))
        return "" if not lost or (yield from _insists(lost)) else "No se anotó nada."
    if isinstance(wanted.input, RejectClaim):
        answer = yield from _answered(Query("¿La rechaza? s: sí · Enter: no "))
        return "" if answer.lower() in YES else "No se rechazó nada."
    return ""


def _detailed(details: Sequence[Detail]) -> Generator[Step, "str | Reply | None", dict[str, str] | None]:
    """The answers by their fields; of those that may be left out, the first that is given is enough."""
    answers: dict[str, str] = {}
    for detail in details:
        if not detail.needed and any(answers.get(one.field) for one in details if not one.needed):
            continue
        answers[detail.field] = yield from _answered(Query(detail.question))
        if detail.needed and not answers[detail.field]:
            return None
    return answers


def _new_pin(person: str) -> Generator[Step, "str | Reply | None", str]:
    pin = yield from _answered(Query(f"PIN nuevo de {person} ", secret=True))
    again = yield from _answered(Query("Otra vez ", secret=True))
    if not is_pin(pin) or pin != again:
        yield said("Un PIN tiene de seis a doce cifras, dos veces las mismas; no se pidió nada.", good=False)
        return ""
    return pin


def _insists(lost: tuple[str, ...]) -> Generator[Step, "str | Reply | None", bool]:
    """R-32: a hand that will be paid nothing is asked about once more; Enter is no."""
    yield Sentences(lost, good=False)
    return (yield from _answered(Query("¿Anotarlo así? s: sí · Enter: no "))).lower() in YES


def _answered(question: Query) -> Generator[Step, "str | Reply | None", str]:
    answer = yield question
    assert isinstance(answer, str), "a question is answered by a person"
    return answer.strip()


def _asked(request: ToSign) -> Generator[Step, "str | Reply | None", Reply]:
    reply = yield request
    assert isinstance(reply, Reply), "a request is answered by the node"
    return reply


OWN_HELP = (
    "u   usuario QUIEN           Cambia quién firma.",
    "    ayuda todo              Las órdenes menos frecuentes; ayuda ORDEN, una sola.",
    "    salir                   Termina la consola (también Ctrl-D); el nodo sigue.",
)


def help_of(order: CtlOrder) -> str:
    return f"{order.short:<3} {order.name + ' ' + ' '.join(order.words):<23} {order.help}"
