"""What the console says of facts that only pots of several nodes have, in Spanish (R-20, R-28, R-34).

Theory. As words.py says all others: from the fact as the record has it. Letters themselves are nothing to say; what
follows from them is. Pure.
"""

from collections.abc import Callable, Mapping
from typing import Any

from controller.ctl.hands import PRIZES
from controller.node.vocabulary.protocol import WHY_STOPPED

Amount = Callable[[int], str]
SaysOfLinks = Callable[[Mapping[str, Any], Amount], list[str]]

SILENT_LINKS = {"letter_told", "letter_heard", "letter_acknowledged", "plan_ready"}


def _asked(fact: Mapping[str, Any], money: Amount) -> list[str]:
    """R-20: what is certain can be verified and paid; a percentage waits for the owner of the pot."""
    if not fact["awards"]:
        return [f"Jugada {fact['claim']}: NADIE COBRA."]
    waiting, above = set(fact["waiting"]), fact["above"]
    return [
        f"Jugada {fact['claim']}: premios por pagar, en este orden:",
        *(f"  {one['number']}. {_award(fact, one, money, above if one['number'] in waiting else '')}"
          for one in fact["awards"]),
    ]  # fmt: skip


def _decided(fact: Mapping[str, Any], money: Amount) -> list[str]:
    lines = [_award(fact, one, money) for one in fact["awards"] if one["number"] in set(fact["waited"])]
    said = f"{fact['above']} decidió."
    if fact.get("left"):
        said = f"{fact['left']} no la tomó en su pozo; la paga la casa, o dos la rechazan."
    return [f"Jugada {fact['claim']}: {said}", *(f"  {line}" for line in lines)]


def _award(fact: Mapping[str, Any], one: Mapping[str, Any], money: Amount, above: str = "") -> str:
    amount = f"espera a {above}" if above else money(one["amount"])
    prize = PRIZES.get(one["prize"], one["prize"])
    return f"posición {one['seat']}: {prize}, {amount} (premio {fact['claim']}/{one['number']})"


def _wanted(fact: Mapping[str, Any], _: Amount) -> list[str]:
    asked = f"Mesa {fact['table']}, pase {fact['number']}: corrección pedida a {fact['above']}."
    return [f"{asked} No pague nada de ese pase hasta su respuesta."]


def _stopped(fact: Mapping[str, Any], _: Amount) -> list[str]:
    why = next((words for code, words in WHY_STOPPED.items() if code == fact["why"]), fact["why"])
    return [f"No se escucha más a {fact['neighbour']} ({why}), hasta que lo revisen dos personas."]


def handed(fact: Mapping[str, Any], how: str, money: Amount) -> str:
    """R-20: what of an award is still to be handed to its winner."""
    amount, advanced = fact["amount"], fact.get("advanced", 0)
    if advanced == amount > 0:
        return f"no entregue nada, ya tenía {money(advanced)}"
    had = f" (de {money(amount)} ya tenía {money(advanced)})" if advanced else ""
    return f"pague {money(amount - advanced)}{how}{had}"


def advanced_of(advanced: int, money: Amount) -> str:
    return f" · adelantado {money(advanced)}" if advanced else ""


def _says(sentence: str) -> SaysOfLinks:
    return lambda fact, money: [sentence.format(**{**fact, "amount": money(fact.get("amount", 0))})]


def _either(field: str, yes: str, no: str) -> SaysOfLinks:
    return lambda fact, money: (_says(yes) if fact.get(field) else _says(no))(fact, money)


def _ended(fact: Mapping[str, Any], money: Amount) -> list[str]:
    what = "aceptada; {amount} al pozo {pot} ({reason})." if fact["accepted"] else "queda con quien la dijo ({reason})."
    if fact.get("claim") and fact["accepted"]:
        what = "aceptada; los premios {claim} se deciden ({reason})."
    return _says(f"Disputa {{neighbour}}/{{number}}: {what}")(fact, money)


OF_LINKS: dict[str, SaysOfLinks] = {
    "neighbour_pinned": _says("Vecino {neighbour}: su llave consta; la leyeron {by} y {second}."),
    "neighbour_revoked": _says("Vecino {neighbour}: revocado ({reason}); no se le escucha más."),
    "link_seen": _either("up", "Enlace con {neighbour}: en pie.", "SIN ENLACE con {neighbour}."),
    "owner_seen": _either(
        "up",
        "Detrás de {neighbour} se oye otra vez al dueño del pozo {pot}.",
        "Detrás de {neighbour} NO SE OYE al dueño del pozo {pot}.",
    ),
    "neighbour_stopped": _stopped,
    "neighbour_accepted": _says("Vecino {neighbour}: se le escucha de nuevo desde donde dice ({reason})."),
    "letter_disputed": _says("Lo que dijo {neighbour} de {about} no puede ser; queda aparte: {amount}."),
    "dispute_ended": _ended,
    "dispute_heard": _either(
        "accepted",
        "{above} aceptó lo que había dudado de {pot} ({reason}).",
        "{above} no acepta {amount} de {pot} ({reason}): queda en esta casa.",
    ),
    "claim_asked": _asked,
    "claim_decided": _decided,
    "claim_doubted": _says("Jugada {claim}: {above} no la cree ({why}); la deciden dos personas de allá."),
    "correction_asked": _wanted,
    "correction_refused": _says("Mesa {table}, pase {number}: la corrección no se hizo. {sentence}"),
    "house_charged": _says("Pozo {pot}: la casa pone {amount} ({cause})."),
    "share_heard": _says(
        "Parte de esta casa en el pozo {pot}: {amount} ({resolution}); dos personas la mueven a un pozo de aquí."
    ),
    "pot_left": _says(
        "Pozo {pot}: se dejó a {above} ({resolution}); con {amount} es de este nodo. Falta un plan propio."
    ),
    "plan_proposed": _says("{above} propone un plan para {pot} ({resolution})."),
    "award_advanced": _says("Premio {award}: adelante {amount} a la posición {seat}; lo pone la casa ({reason})."),
    "advance_heard": _says("Premio {award}: su casino adelantó {amount}."),
    "decision_taken": _says("{neighbour} devolvió una decisión que aquí se había perdido."),
    "member_returned": _says("{neighbour} dijo hasta dónde oyó: nada suyo falta aquí."),
    "went_on_without": _says("Pozo {pot}: se sigue sin quien faltaba ({reason})."),
    "neighbour_went_back": _says("{neighbour} se restauró: se le dice otra vez lo que perdió."),
    "plan_dropped": _says("{above} retiró el plan que proponía para {pot}."),
}
