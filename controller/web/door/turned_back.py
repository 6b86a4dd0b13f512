"""A request of a browser that goes no further than the web process, and what it is told.

Theory. Every no has the shape of the node's own: a name for programs, the rule where there is one, the place, a
Spanish sentence; and beside it the number that HTTP has for it. Nothing here says more than who asks knows already:
not whether a session exists, not what was wrong with a signature.
"""

from controller.node.vocabulary.protocol import Trouble


class TurnedBack(Exception):  # noqa: N818  says what happened
    """`status`: HTTP's number for it; `allow`: the ways in which an address may be asked, where it was another."""

    def __init__(
        self, status: int, reason: str, where: str, message: str, rule: str = "", allow: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.status, self.allow = status, allow
        self.trouble = Trouble(reason, rule, where, message)


def headers_of_no(no: TurnedBack) -> tuple[tuple[bytes, bytes], ...]:
    return ((b"allow", ", ".join(no.allow).encode()),) if no.allow else ()


def not_understood(where: str, message: str) -> TurnedBack:
    return TurnedBack(400, "malformed", where, message)


def no_session() -> TurnedBack:
    return TurnedBack(401, "no_session", "", "Esta terminal tiene que presentarse otra vez.")


def not_signed() -> TurnedBack:
    return TurnedBack(403, "not_signed", "", "Esto no lo firmó una terminal inscrita.")


def not_from_here(where: str) -> TurnedBack:
    return TurnedBack(403, "foreign", where, "Esto no viene de una página de este sistema.")


def not_for_this_terminal(where: str, message: str) -> TurnedBack:
    return TurnedBack(403, "not_for_this_terminal", where, message)


def not_this_way(allow: tuple[str, ...]) -> TurnedBack:
    return TurnedBack(405, "not_this_way", "", "Aquí no se pregunta de esa manera.", allow=allow)


def not_there() -> TurnedBack:
    return TurnedBack(404, "not_there", "", "Aquí no hay nada con ese nombre.")


def too_large(most: int) -> TurnedBack:
    return TurnedBack(413, "too_long", "", f"El pedido pasa de {most} bytes.")


def too_slow() -> TurnedBack:
    return TurnedBack(408, "too_slow", "", "El pedido no terminó de llegar.")
