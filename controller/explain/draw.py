"""How anyone computes a draw again (R-29, R-30).

Theory. A draw is a keyed hash of its label under the day's secret seed. The seed's SHA-256 stood on record before the
day's first pass; when the day is closed the seed stands there too. Until then the explanation says what will be
computed, afterwards it computes it and compares.
"""

import re
from collections.abc import Iterator

from controller.core.facts import ClockStepped, DayClosed, DayOpened, Drawn, Entry, PassSealed, SeedLost
from controller.explain.context import FactCase
from controller.record.reading import entries
from controller.rules.cards import NAMES
from controller.rules.complementary import (
    SEED_BYTES,
    commitment,
    is_hit,
    label_of,
    lucky_seat,
    magic_card,
    number_below,
    secret_of,
)
from controller.rules.prizes import DrawnBy, PlannedPrize
from controller.spanish.names import people
from controller.spanish.numbers import whole

_MINUTE = 60_000
_HASH = re.compile(r"[0-9a-f]{64}")


def explain_drawn(case: FactCase, fact: Drawn) -> Iterator[str]:
    """What was drawn, and how to come to it again."""
    result = "no tocó"
    if fact.hit:
        result = f"salió la carta {fact.card}" if fact.card else f"salió la posición {fact.seat}"
    yield f"Sorteo de {fact.prize}: mesa {fact.table}, pase {fact.number}: {result} (R-29)."
    seats = ", ".join(map(str, fact.seats))
    yield f"Participaron las posiciones con apuesta válida, también las que no fueron, cambiaron o compraron: {seats}."
    planned = _planned(case, fact)
    opened = case.before.day
    if planned is None or opened is None or not isinstance(opened.fact, DayOpened) or not _HASH.fullmatch(fact.closed):
        yield "¡NO CUADRA: falta el premio en el plan o la jornada abierta (R-30)!"
        return
    label = label_of(fact.table, fact.number, fact.prize, bytes.fromhex(fact.closed))
    yield f"Etiqueta E: {label}"
    yield from _recipe(case, fact, planned, opened.fact)
    day = f"jornada {opened.fact.day} (hecho {opened.seq})"
    yield f"Compromiso de la {day}: SHA-256(semilla) = {opened.fact.commitment}"
    if opened.fact.nonce:
        yield f"Número al azar que trajo {opened.fact.by}, quien la abrió: {opened.fact.nonce}"
    seed = _seed(case)
    if seed is None:
        yield "La semilla se revela al cerrar la jornada; entonces esto se puede calcular (R-30)."
    elif isinstance(seed, SeedLost):
        yield f"La semilla se perdió, y dos personas lo declararon ({people(seed.by, seed.second)}): {seed.reason}"
        yield "Este sorteo ya no se puede comprobar (R-30)."
    else:
        yield from _again(case, fact, planned, opened, label, seed)


def _planned(case: FactCase, fact: Drawn) -> PlannedPrize | None:
    prizes = case.plan.prizes if case.plan is not None else ()
    return next((prize for prize in prizes if prize.name == fact.prize), None)


def _recipe(case: FactCase, fact: Drawn, planned: PlannedPrize, day: DayOpened) -> Iterator[str]:
    """Words for the reader who programs it anew."""
    yield (
        f"El número bajo n de T: los primeros 16 bytes de HMAC-SHA256({_key(day)}, T + '/0') como entero, módulo n; "
        "si no es menor que el mayor múltiplo de n hasta 2^128, lo mismo con '/1', '/2'..."
    )
    if planned.one_in is not None:
        yield f"Toca si el número bajo {whole(planned.one_in)} de E/chance es 0."
    else:
        minutes = planned.within_minutes or 0
        yield (
            f"Toca desde el milisegundo de la jornada que es el número bajo {whole(minutes * _MINUTE)} de "
            f"{_moment(case, fact, day)}, una vez al día."
        )
    if planned.drawn is DrawnBy.SEAT:
        yield f"La posición: la del número bajo {len(fact.seats)} de E/seat, en orden, desde 0."
    else:
        yield "La carta: la del número bajo 52 de E/card, de 2c, 2d, 2h, 2s, 3c... hasta As, desde 0."


def _key(day: DayOpened) -> str:
    return "SHA-256(semilla, número de quien abrió)" if day.nonce else "semilla"


def _moment(case: FactCase, fact: Drawn, day: DayOpened) -> str:
    return f"{day.day}/{case.where.pot}/{fact.prize}/moment"


def _seed(case: FactCase) -> bytes | SeedLost | None:
    """R-30: what the close of the day revealed, whatever the day is called by then; or that it was lost."""
    for entry in entries(case.record, first=case.entry.seq):
        if isinstance(entry.fact, SeedLost):
            return entry.fact
        if isinstance(entry.fact, DayClosed):
            try:
                seed = bytes.fromhex(entry.fact.seed)
            except ValueError:
                return None
            return seed if len(seed) == SEED_BYTES else None
    return None


def _again(case: FactCase, fact: Drawn, planned: PlannedPrize, opened: Entry, label: str, seed: bytes) -> Iterator[str]:
    """The draw a second time."""
    assert isinstance(opened.fact, DayOpened)
    yield f"Semilla revelada: {seed.hex()}"
    yield f"   SHA-256 de ella = {commitment(seed)}: {_same(commitment(seed) == opened.fact.commitment)}."
    secret = secret_of(seed, opened.fact.nonce)
    if planned.one_in is not None:
        number = number_below(secret, f"{label}/chance", planned.one_in)
        hit = is_hit(secret, label, planned.one_in)
        yield f"   Número: {whole(number)} de {whole(planned.one_in)}: {_fell(hit)}: {_same(hit == fact.hit)}."
    else:
        moment = number_below(secret, _moment(case, fact, opened.fact), (planned.within_minutes or 1) * _MINUTE)
        since, skipped = _since_opening(case, fact, opened)
        hit = since >= moment
        sealed = f"el pase se cerró a los {whole(since)} ms"
        if skipped:
            sealed += f" (sin contar {whole(skipped)} ms que cambió el reloj)"
        yield f"   Momento: {whole(moment)} ms; {sealed}: {_fell(hit)}: {_same(hit == fact.hit)}."
    if hit and planned.drawn is DrawnBy.SEAT:
        seat = lucky_seat(secret, label, fact.seats)
        yield f"   Posición: {seat}: {_same(seat == fact.seat)}."
    elif hit:
        card = NAMES[magic_card(secret, label)]
        yield f"   Carta: {card}: {_same(card == fact.card)}."


def _since_opening(case: FactCase, fact: Drawn, opened: Entry) -> tuple[int, int]:
    """R-29: from the day's opening to the seal of the pass, and what the wall clock stepped meanwhile, which is not
    counted; a draw follows the seal closely."""
    at, skipped = case.entry.at, 0
    for entry in entries(case.record, first=opened.seq, last=case.entry.seq):
        if isinstance(entry.fact, ClockStepped):
            skipped += entry.fact.ms
        if isinstance(entry.fact, PassSealed) and (entry.fact.table, entry.fact.number) == (fact.table, fact.number):
            at = entry.at
            break
    return at - opened.at - skipped, skipped


def _fell(hit: bool) -> str:
    return "toca" if hit else "no toca"


def _same(holds: bool) -> str:
    return "cuadra" if holds else "¡NO CUADRA!"
