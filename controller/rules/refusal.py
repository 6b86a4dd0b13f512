"""Every "no" of the rules and of the core: a name, the rule it rests on, and the sentence a croupier understands.

Theory. What may fail is a value, never an exception: a caller gets either an answer or a `Refusal`. Reasons
stand here in the order in which they are checked; where two hold, the first one named is the answer, so the
same mistake always gets the same words. This file must not know how a reason is found.
"""

import re
from enum import Enum
from functools import cache
from typing import NamedTuple


class Reason(Enum):
    """Why not. The value is the rule and the sentence; `{...}` is filled in by the refusal."""

    # Bets (bets.py)
    TABLE_LOCKED = ("R-5", "No más apuestas: la mesa está cerrada. Los créditos quedan en la posición {seat}.")
    SEAT_CLOSED = ("R-6", "La posición {seat} está cerrada y no puede apostar.")
    BET_MADE = ("R-7", "La posición {seat} ya apostó en este pase: una apuesta por posición y pase.")
    NOT_ENOUGH_CREDITS = ("R-2", "La posición {seat} tiene {held} créditos; no alcanzan para apostar {pressed}.")
    BELOW_LIMIT = ("R-3", "La apuesta de la posición {seat} sería {bet}, bajo el mínimo de {limit}.")
    ABOVE_LIMIT = ("R-4", "La apuesta de la posición {seat} sería {bet}, sobre el máximo de {limit}.")

    # The pass as it was dealt, then the claims made on it (claims.py)
    SEAT_UNKNOWN = ("R-7", "La mesa de {modality} tiene las posiciones 1 a {seats}; no existe la {seat}.")
    SEAT_TWICE = ("R-7", "La posición {seat} aparece dos veces: una apuesta y una mano por posición y pase.")
    BET_NOT_WHOLE_UNITS = ("R-11", "La apuesta {bet} no es un número entero de unidades de {unit}.")
    ACT_NOT_IN_GAME = (
        "R-8",
        "Posición {seat}: en {modality} no existe «{act}»; lo que un jugador puede hacer es: {known}.",
    )
    COMMUNITY_COUNT = ("R-8", "En {modality} cuentan {wanted} cartas comunes; se dieron {given}.")
    HAND_INCOMPLETE = ("R-8", "En {modality} la mano de la posición {seat} tiene {wanted} cartas; se dieron {given}.")
    CARD_TWICE = ("R-32", "La carta {card} aparece dos veces en el mismo pase.")
    NOT_LOCKED = ("R-5", 'El pase no está cerrado: primero "no más apuestas", después los premios.')
    HAND_IS_NOT_THAT = ("R-32", "La mano de la posición {seat} no es {claimed}; es {made}.")
    NOT_IN_PAYTABLE = ("R-11", "Este reglamento no paga {claimed}.")
    CARDS_REQUIRED = ("R-32", "Para {claimed} hay que dar las cartas de la posición {seat}.")
    HAND_IMPOSSIBLE = ("R-32", "Con las cartas del pase, la posición {seat} no puede tener {claimed}.")
    HANDS_IMPOSSIBLE_TOGETHER = (
        "R-32",
        "Con las cartas que se conocen, en un mismo pase de {modality} no puede haber a la vez {hands}.",
    )

    # After an award was paid (reversal.py)
    VOID_AFTER_PAYMENT = ("R-25", "Ya se pagó un premio de este pase: no se puede anular.")

    # Changes of an approved plan, and what needs two persons (plan.py, approval.py)
    PASS_OPEN = ("R-26", "Hay un pase en curso: el plan cambia solo entre pases.")
    AWARD_PENDING = ("R-26", "Hay un premio pendiente: el plan cambia cuando no queda ninguno.")
    RESOLUTION_MISSING = ("R-26", "Falta el número de la resolución que aprueba el cambio.")
    TWO_PERSONS_NEEDED = ("R-26", "Hace falta la aprobación de dos personas distintas.")

    # People and the node
    NOT_FOUNDED = ("R-27", "Este nodo todavía no tiene registro: primero se funda, con dos administradores.")
    ALREADY_FOUNDED = ("R-27", "Este nodo ya tiene su registro.")
    EPOCH_NOT_NEWER = ("R-27", "La época {epoch} no es posterior a la actual, {current}.")
    LEFT_WRONG = (
        "R-27",
        "Lo que una restauración deja atrás es de una época anterior a la nueva: época, hecho y huella.",
    )
    TOO_LONG = ("R-27", "Lo pedido pasa de {most} bytes; nada del registro es tan largo.")
    PERSON_UNKNOWN = ("R-27", "{person} no está inscrito.")
    PERSON_LOCKED = ("R-27", "{person} está bloqueado por PIN equivocados; otra persona lo desbloquea.")
    PIN_WRONG = ("R-27", "El PIN de {person} no es correcto.")
    SECRET_WRONG = ("R-27", "La huella del PIN de {person} debe ser un SHA-256 en 64 cifras hexadecimales.")
    ROLE_MISSING = ("R-27", "{person} no puede hacer esto; pueden: {roles}.")
    ROLES_CLASH = ("R-27", "Un auditor no tiene otro papel, y un técnico ninguno que mueva dinero.")
    ADMINISTRATOR_IS_CROUPIER = ("R-36", "Quien administra un nodo no es su croupier; son dos personas.")
    CHANGES_SIDES = (
        "R-36",
        "En esta jornada {person} ya fue {was}: quien administra no es croupier. Se cambia con la jornada cerrada.",
    )
    NAME_READ_ALIKE = (
        "R-36",
        "{name!r} se lee como {other!r} ({person}): una persona tiene un solo nombre en el nodo.",
    )
    PERSON_NOT_KNOWN = (
        "R-36",
        "Falta que los dos que firman digan que conocen a {person} en persona y que no tiene otro nombre aquí.",
    )
    ADMINISTRATORS_NEEDED = ("R-26", "Deben quedar al menos dos administradores.")
    NAME_WRONG = ("R-27", "{name!r} no sirve de nombre: letras, cifras, punto, guion; a lo más 64.")

    # Terminals: browsers that two persons let in (core/node.py)
    TERMINAL_UNKNOWN = ("R-36", "No hay una terminal {terminal} inscrita.")
    TERMINAL_NO_PLACE = ("R-36", "La terminal de un jefe, o una web, no es de un lugar: el lugar va vacío.")
    TERMINAL_KEY_WRONG = ("R-36", "La llave de una terminal es un punto de P-256 sin comprimir, en 130 cifras.")
    WEB_KEY_WRONG = ("R-36", "La llave de una web son las 64 cifras que dice pozo web --key.")
    TERMINAL_KEY_TAKEN = ("R-36", "Esa llave es de la terminal {other}: cada una tiene la suya.")
    TERMINALS_FULL = ("R-36", "Ya hay {most} terminales: primero se retira una que no se use.")

    # Plans and the gaming day
    PLAN_WRONG = ("R-26", "El plan no se puede aceptar ({why}).")
    LAW_NOT_ITS_NAME = (
        "R-26",
        "El reglamento {name!r} no es el {known} del programa (contenido {content}): lleve otro nombre.",
    )
    PLAN_NOT_STAGED = ("R-26", "No hay un plan en espera para el pozo {pot}.")
    TABLE_TAKEN = ("R-9", "La mesa {table} ya alimenta el pozo {pot}.")
    RESERVE_NOT_EMPTY = (
        "R-24",
        "La reserva {reserve} tiene {amount} y el plan nuevo no la nombra: primero se traspasa.",
    )
    POT_OF_ANOTHER = ("R-28", "El pozo {pot} es del nodo {above}: su plan lo cambian dos personas de allá.")
    NODE_NOT_BELOW = (
        "R-28",
        "El plan nombra mesas del nodo {node}, que no está inscrito debajo de este: primero se inscribe su clave.",
    )
    PLAN_COMES = (
        "R-26",
        "La mesa {table} no abre: el pozo {pot} cambia de plan, y falta que {above} diga que ya rige.",
    )
    TABLE_TO_EMPTY = (
        "R-26",
        "El plan nuevo cambió la mesa {table}: primero se devuelve o aparta lo que queda en ella, {amount}.",
    )
    DAY_OPEN = ("R-27", "El día de juego {day} está abierto.")
    DAY_NOT_OPEN = ("R-27", "No hay un día de juego abierto.")
    DAY_OUT_OF_ORDER = ("R-27", "El día {day} no es posterior al último, {last}.")
    DAY_NO_DATE = ("R-27", "{day!r} no es una fecha del calendario: un día de juego se llama como 2026-11-18.")
    DAY_FAR = ("R-27", "El día {day} está a más de un día de la fecha del reloj: revise la fecha, o el reloj.")
    NONCE_WRONG = (
        "R-30",
        "Falta el número al azar de quien abre el día (64 cifras hexadecimales): ábralo con el programa nuevo.",
    )
    NONCE_USED = ("R-30", "Ese número al azar ya abrió otro día; cada día lleva uno nuevo: ábralo otra vez.")
    SEED_FOUND = (
        "R-30",
        "Hay una semilla del día {day} que este nodo no hizo ({place}): un técnico la aparta y avisa; después se abre.",
    )
    COMMITMENT_WRONG = ("R-30", "El compromiso de los sorteos debe ser un SHA-256 en 64 cifras hexadecimales.")
    SEED_WRONG = ("R-30", "La semilla no es la comprometida al abrir el día.")
    SEED_IS_LOST = ("R-30", "Ya consta que la semilla del día {day} se perdió; el día se cierra sin ella.")
    SEED_IS_THERE = ("R-30", "El nodo tiene la semilla del día {day}: no está perdida.")
    REASON_MISSING = ("R-27", "Falta el motivo.")
    PASS_IN_PROGRESS = ("R-26", "La mesa {table} tiene un pase en curso.")
    MONEY_ON_TABLE = ("R-27", "En la mesa {table} quedan {amount} por devolver o apartar.")
    TRAINING_ON = ("R-27", "La mesa {table} está en entrenamiento.")
    TRAINING_OFF = ("R-27", "La mesa {table} no está en entrenamiento.")

    # A table, its pass and its seats (core/passes.py, core/seats.py)
    TABLE_UNKNOWN = ("R-9", "No hay una mesa {table} enlazada a un pozo.")
    POT_UNKNOWN = ("R-24", "No hay un pozo {pot}.")
    SEAT_NOT_THERE = ("R-7", "La mesa {table} tiene las posiciones 1 a {seats}; no existe la {seat}.")
    PASS_NOT_OPEN = ("R-5", "La mesa {table} no está abierta a apuestas.")
    PASS_NOT_SEALED = ("R-5", "La mesa {table} todavía no tiene todas sus posiciones cerradas.")
    DRAW_DUE = ("R-29", "Falta el sorteo de {prize} en este pase.")
    NO_BET = ("R-25", "La posición {seat} no tiene una apuesta en este pase.")
    SEAT_IS_OPEN = ("R-6", "La posición {seat} ya está abierta.")
    SEAT_CLOSES_LATER = (
        "R-6",
        "La posición {seat} está cerrada y su apuesta de este pase vale: se abre cuando el pase termine.",
    )
    LAMP_AFTER_LOCK = (
        "R-6",
        "El pase está cerrado y la apuesta de la posición {seat} vale: desde ahora solo una anulación la devuelve.",
    )
    CHIEF_NOT_TOLD = (
        "R-4",
        "De lo que la ranura recibió de más, {amount}, se avisa a un jefe antes de devolverlo: diga a cuál.",
    )
    NOT_A_CHIEF = ("R-4", "{person} no es un jefe inscrito: se avisa a un jefe.")
    SEAT_UNCOUNTED = (
        "R-37",
        "El aceptor de la posición {seat} dijo lo que no puede ser: primero la cuentan dos personas, después se abre.",
    )
    SEAT_IS_CLOSED = ("R-6", "La posición {seat} ya está cerrada.")
    AMOUNT_WRONG = ("R-1", "La cantidad {amount} debe ser de 1 a {most}.")
    NOTHING_THERE = ("R-27", "No hay {what}.")

    VOID_UNSIGNED = (
        "R-36",
        "En la posición {seat}, {amount} son de una anulación tras el cierre: antes firma un jefe (firmar {seat}).",
    )
    CONFIRMS_OWN = ("R-36", "{person} registró este premio: lo confirma una persona que no lo registró.")
    OWN_ENTRY = ("R-36", "{person} lo anotó; tiene que firmar otra persona.")

    # Claims and awards (core/claims.py, core/awards.py)
    CLAIM_STANDS = ("R-34", "Los premios de este pase ya están registrados ({claim}); para cambiarlos, se corrigen.")
    CLAIM_UNKNOWN = ("R-21", "No hay premios registrados con el número {claim}.")
    CLAIM_REJECTED = ("R-21", "Los premios {claim} fueron rechazados.")
    SEAT_DID_NOT_BET = (
        "R-32",
        "La posición {seat} {why}: no se anotó nada. Apuesta válida tienen: {seats}. Revise la posición.",
    )
    CARD_WRONG = ("R-32", "{card!r} no es una carta; se escribe rango y pinta, como Th o 9s.")
    WORD_WRONG = ("R-8", "{word!r} no es una palabra conocida aquí; son: {known}.")
    AWARD_UNKNOWN = ("R-21", "No hay un premio con el número {award}.")
    AWARD_PAID = ("R-21", "El premio {award} ya se pagó.")
    AWARD_ASIDE = ("R-35", "El premio {award} está apartado: es una deuda sin plazo, y se paga a quien lo ganó.")
    AWARD_CONFIRMED = ("R-21", "El premio {award} ya está confirmado.")
    NOT_CONFIRMED = ("R-21", "El premio {award} todavía no está confirmado.")

    # A pot that nodes share (core/links)
    AWARD_WAITS = (
        "R-20",
        "El premio {award} es un porcentaje de un pozo compartido: espera lo que decida el dueño del pozo.",
    )
    AWARD_DECIDED = (
        "R-20",
        "El premio {award} ya no espera al dueño del pozo: se confirma y se paga, no se adelanta.",
    )
    NO_ADVANCES = ("R-28", "El plan del pozo {pot} no permite adelantos: el premio espera al dueño del pozo.")
    ADVANCE_TOO_MUCH = (
        "R-28",
        "De {award} se adelantan a lo más {most}: hasta el {percent} % de {whole}, por lo que consta, y van {given}.",
    )
    AWARD_FROZEN = ("R-34", "El pase del premio {award} se está corrigiendo: espera la respuesta del dueño del pozo.")
    AWARD_ELSEWHERE = ("R-28", "El premio {award} es de una mesa de {node}: allí se confirma y se paga.")
    CLAIM_ELSEWHERE = ("R-28", "La mesa {table} es de {node}: allí se corrige.")
    POT_ELSEWHERE = ("R-28", "El pozo {pot} es de {node}: su dinero y su plan se deciden allí.")
    CORRECTION_AWAITED = (
        "R-34",
        "El pase {number} de la mesa {table} ya se está corrigiendo: espera la respuesta del dueño del pozo.",
    )

    # A pass put right (core/past/correction.py)
    PASS_UNKNOWN = ("R-35", "En el registro no hay un pase {number} de la mesa {table} con las apuestas cerradas.")
    PASS_VOID = ("R-35", "El pase {number} de la mesa {table} fue anulado: sus apuestas se devolvieron.")
    PASS_LONG_OVER = ("R-35", "El pase {number} ya no es el último de la mesa: sus manos se corrigen, y firman dos.")
    NOTHING_REGISTERED = (
        "R-34",
        "El pase {number} de la mesa {table} sigue en curso: sus manos se registran.",
    )
    NOTHING_TO_CORRECT = ("R-34", "El pase {number} de la mesa {table} ya está así: no hay nada que corregir.")
    PRIZE_STANDS = ("R-29", "El premio {claim} no fue rechazado: no hay nada que conceder otra vez.")
    CARDS_FOR_LATE = ("R-35", "Para pagar a la posición {seat} de un pase pasado hay que dar sus cartas.")
    RECORDING_MISSING = ("R-35", "Falta el número de la grabación o, si no hay, el de la resolución de la autoridad.")
    ASK_AGAIN = ("R-34", "Mientras se revisaba el registro cambió lo mismo que se corrige: pídalo otra vez.")

    # Complementary prizes, money by two persons (core/draws.py, core/money_moves.py)
    DRAW_NOT_DUE = ("R-29", "No corresponde un sorteo de {prize} en este pase.")
    DRAW_IMPOSSIBLE = ("R-30", "Un sorteo de {prize} no puede dar esto.")
    CARD_NOT_DRAWN = ("R-29", "En este pase no salió una carta de {prize}.")
    CARD_NOT_HELD = ("R-29", "La posición {seat} no tiene la carta {card}.")
    CARD_SHOWN = ("R-32", "La posición {seat} ganó un premio con la carta {card}; estas cartas dicen que no la tenía.")
    PRIZE_BEFORE_CLOSE = ("R-29", "{prize} se paga cuando termine el pase {number} de la mesa {table}.")
    SEAT_GONE = ("R-29", "La posición {seat} de la mesa {table} ya no juega para este pozo; {prize} queda sin cargar.")
    PART_UNKNOWN = ("R-24", "El pozo {pot} no tiene una parte {part}; tiene {parts}.")
    OVER_CEILING = ("R-24", "El tope del pozo {pot} es {ceiling}; con {amount} más lo pasaría.")
    NOT_ENOUGH = ("R-18", "En {part} hay {held}; no alcanza para {amount}.")

    # Neighbours and what they tell (core/links)
    NEIGHBOUR_UNKNOWN = ("R-28", "{neighbour} no es un vecino de este nodo: nadie fijó su llave.")
    NEIGHBOUR_REVOKED = (
        "R-28",
        "A {neighbour} se le revocó la llave: no se le oye nada, hasta que dos personas fijen una.",
    )
    NEIGHBOUR_READ_ALIKE = (
        "R-28",
        "El nombre {neighbour!r} se lee como {other!r}: los nodos que se conocen tienen nombres distintos.",
    )
    NEIGHBOUR_STAYS = (
        "R-28",
        "Con {neighbour} ya se compartió un pozo: sigue arriba o abajo, y dentro o fuera del casino, como estaba.",
    )
    LINK_KEY_WRONG = ("R-28", "La llave pública de un vecino son 64 cifras hexadecimales.")
    LINK_KEY_TAKEN = ("R-28", "Esa llave es de {other}: cada nodo tiene la suya.")
    NEIGHBOUR_STOPPED = (
        "R-28",
        "Lo que dice {neighbour} no sigue a lo que dijo: está detenido hasta que dos personas lo revisen y lo acepten.",
    )
    STREAM_NOT_ITS = ("R-28", "La serie {stream} no es de {neighbour}.")
    NEIGHBOUR_NOT_STOPPED = ("R-28", "{neighbour} no está detenido en la serie {stream}: no hay nada que aceptar.")
    NEIGHBOUR_SAYS_OTHER = (
        "R-28",
        "{neighbour} dice que su serie {stream} está en {said}, no en {asked}: revíselo otra vez antes de aceptar.",
    )
    NEIGHBOUR_SAME_EPOCH = (
        "R-28",
        "{neighbour} habla con una época pasada, o volvió atrás sin una nueva: se restaura allá, y después se acepta.",
    )
    DISPUTE_OPEN = ("R-28", "La disputa {number} con {neighbour} está sin resolver: primero se resuelve.")
    DISPUTE_UNKNOWN = ("R-28", "No hay una disputa {number} con {neighbour}.")
    DISPUTE_NOT_OURS = (
        "R-28",
        "El pozo {pot} no es de este nodo: aquí la disputa {number} solo se deja con {neighbour}.",
    )
    DISPUTE_CLAIM_FIRST = ("R-28", "La carta {number} de {neighbour} es de {claim}, que está en disputa: primero eso.")
    CLAIM_NOT_TAKEN = ("R-28", "{claim} no se puede decidir aquí ({why}): solo se deja con {neighbour}.")
    DECISIONS_COME_BACK = (
        "R-28",
        "El nodo se restauró, y el pozo {pot} recupera lo ya decidido; nada nuevo hasta tenerlo. Falta: {missing}.",
    )
    LETTERS_COME_BACK = (
        "R-28",
        "El nodo se restauró y {above} no ha dicho hasta dónde lo oyó: hasta entonces nada de su pozo se abre ni paga.",
    )
    NOT_WHO_IS_MISSING = ("R-28", "Del pozo {pot} falta la respuesta de {missing}, y no de {asked}.")
    POT_LACKS = ("R-18", "El pozo {pot} no tiene otra vez lo que dio por {claim}: se espera, o dos personas lo ponen.")
    NOTHING_COMES_BACK = ("R-28", "El pozo {pot} no espera decisiones de nadie.")
    OWNER_SILENT = (
        "R-28",
        "Sin enlace con {above} desde {since}: no se abre otro pase. Los premios se pagan igual; avise a un técnico.",
    )
    OWNER_SILENT_BEHIND = (
        "R-28",
        "No se oye al dueño detrás de {above} desde {since}: no se abre otro pase. Los premios se pagan igual; avise.",
    )
    OWNER_STOPPED = (
        "R-28",
        "Con {above} algo no cuadra: no se abre otro pase. Los premios se pagan igual; avise a un administrador.",
    )
    OWNER_REVOKED = (
        "R-28",
        "La llave de {above} está revocada: no se abre otro pase. Los premios se pagan igual; avise a un jefe.",
    )

    # A casino that leaves a pot for good (core/links/shares.py)
    NEVER_FED = ("R-28", "{neighbour} no alimentó nunca el pozo {pot}: no tiene una parte.")
    STILL_FEEDS = (
        "R-28",
        "{neighbour} alimenta el pozo {pot}, o lo hará con el plan que espera: su parte se da cuando ya no.",
    )
    SHARE_OPEN = ("R-28", "Con {neighbour} queda algo abierto del pozo {pot}: {what}. Primero se termina.")

    # An owner that never comes back (core/links/leaving.py)
    POT_IS_OURS = ("R-28", "El pozo {pot} es de este nodo: no hay de quién dejarlo.")
    OWNER_NOT_REVOKED = ("R-28", "El pozo {pot} es de {above}, que no está revocado: primero lo revocan dos personas.")
    OWNER_INSIDE = ("R-28", "El pozo {pot} es de {above}, de este mismo casino: ese nodo se restaura, no se deja.")
    POT_LEFT = ("R-28", "El pozo {pot} quedó en esta casa: primero dos personas ponen un plan propio para él.")
    PASS_OF_ANOTHER = (
        "R-28",
        "El pase {number} de la mesa {table} fue del pozo {pot} cuando era de {above}: su registro no está aquí.",
    )

    # Of the first reading: they stand in records and are given no more
    ALREADY_PAID = ("R-34", "Ya se pagó un premio de este pase: a un ganador posterior le paga la casa (dos personas).")
    CLAIM_EXISTS = (
        "R-34",
        "Los premios de este pase ya están registrados ({claim}); para cambiarlos, primero se rechazan.",
    )
    CLAIM_PENDING = ("R-25", "Este pase tiene premios registrados ({claim}): primero se rechazan.")
    NOTHING_PAID_YET = ("R-34", "De {claim} no se pagó nada todavía: se rechaza y se registra de nuevo.")
    WINNERS_DIFFER = ("R-34", "Los premios ya registrados de {claim} deben estar también, iguales.")
    NO_LATE_WINNER = ("R-34", "No hay un ganador que no estuviera ya registrado en {claim}.")

    @property
    def code(self) -> str:
        """The stable name for programs."""
        return self.name.lower()

    @property
    def rule(self) -> str:
        rule = self.value[0]
        assert rule.startswith("R-"), "every refusal rests on a rule"
        return rule

    @property
    def sentence(self) -> str:
        return self.value[1]


class Refusal(NamedTuple):
    """One reason, the place it concerns, and the words to fill its sentence with."""

    reason: Reason
    where: str
    words: dict[str, object]

    @property
    def message(self) -> str:
        return self.reason.sentence.format(**self.words)


def refuse(reason: Reason, where: str, **words: object) -> Refusal:
    """A refusal, in one line at the place that found it."""
    assert where, "a refusal names the place"
    return Refusal(reason, where, words)


def parts_of(code: str, message: str) -> dict[str, str]:
    """What a sentence was filled with, by name, for who says it in another language; nothing, where it is not its own.

    A refusal stands on record by its sentence, and a request that comes again is answered from there, so the words are
    taken out of it. A name that holds a piece of the sentence would be cut wrongly: this is shown, never judged by.
    """
    assert code.islower(), "a code, as it stands on record"
    known = Reason.__members__.get(code.upper())  # an earlier program may have had another one
    found = _pattern(known.sentence).fullmatch(message) if known is not None else None
    return {name.rpartition("_")[0]: words for name, words in found.groupdict().items()} if found else {}


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    pieces = re.split(r"\{(\w+)(?:!r)?\}", sentence)
    assert len(pieces) % 2 == 1, "words, then a name, then words"
    made = (f"(?P<{piece}_{at}>.*?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    return re.compile("".join(made), re.DOTALL)
