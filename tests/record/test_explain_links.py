"""`pozo explain` at nodes that share a pot: every kind of fact has its words, and every award says from where it comes."""

import typing

import msgspec
import pytest

from controller.core.facts import Entry, Fact
from controller.core.links.letters import Letter
from controller.core.values import Broken
from controller.explain.explain import PARTS, explain
from controller.explain.kinds import KINDS
from controller.explain.links import BROKEN, LETTERS
from support.links.evening import BOX, CASINO, OWNER, played

NODES = (OWNER, CASINO, BOX)


@pytest.fixture(scope="module")
def records():
    nodes = played()
    return {name: nodes[name].kept for name in NODES}


def facts_in(record):
    return [msgspec.json.decode(row.body, type=Entry) for row in record.facts()]


def first(record, kind, **fields):
    """What is said of the first fact of this kind that has these fields."""
    for entry in facts_in(record):
        fact = entry.fact
        if fact.__struct_config__.tag == kind and all(getattr(fact, name) == one for name, one in fields.items()):
            return explain(record, str(entry.seq))
    raise AssertionError(f"no {kind} with {fields}")


def test_every_kind_of_fact_has_its_words():
    kinds = typing.get_args(Fact)

    assert [kind for kind in kinds if kind not in PARTS and kind.__struct_config__.tag not in KINDS] == []
    assert KINDS.keys() <= {kind.__struct_config__.tag for kind in kinds}
    assert set(LETTERS) == {kind.__struct_config__.tag for kind in typing.get_args(Letter)}
    assert set(BROKEN) == set(Broken)


@pytest.mark.parametrize("node", NODES)
def test_every_fact_of_an_evening_of_three_nodes_is_explained(records, node):
    for entry in facts_in(records[node]):
        told = explain(records[node], str(entry.seq))
        assert told.startswith(f"HECHO {entry.seq} (")
        assert "suman $ 0" in told or "No mueve dinero." in told, told
        assert "NO CUADRA" not in told, told


def test_a_pass_says_who_takes_the_commission_and_who_splits_the_rest(records):
    box, casino, heard, owner = (
        first(records[node], "pass_sealed", table=table)
        for node, table in ((BOX, "CP-01"), (CASINO, "DP-01"), (CASINO, "CP-01@caja"), (OWNER, "CP-01@caja@sol"))
    )

    assert "La comisión la toma sol, una vez para todo su casino (R-23, R-28)." in box
    assert "Suma: comisión $ 0 + a la cuenta con sol $ 6.000 = $ 6.000, todo lo apostado (R-22)." in box
    for told in (casino, heard):
        assert "Suma: comisión $ 1.200 + a la cuenta con mar $ 4.800 = $ 6.000" in told and "La comisión la" not in told
        assert "Cómo se reparte en el pozo pozo-del-mar lo dice el registro de su dueño (R-22, R-28)." in told
    assert "La comisión la toma sol" in owner and "principal: 2.400 - 240 = 2.160 (R-22)." in owner
    assert "Suma: comisión $ 1.200 + principal $ 4.320 + reserva0 $ 480 = $ 6.000" in owner
    assert "como la dijo el nodo de la mesa" in owner and ": cuadra." in box and ": cuadra." not in owner


def test_a_void_says_which_neighbour_gave_back_what(records):
    box, casino, owner = (first(records[node], "hands_voided") for node in (BOX, CASINO, OWNER))

    assert "dio la cuenta con sol, que lo deshace en el pozo (R-28): $ 1.000" in box
    assert "dio comisión: $ 600" in casino and "dio la cuenta con mar, que lo deshace" in casino
    assert "dio comisión, que había tomado sol: $ 600" in owner and "dio principal: $ 2.160" in owner


def test_a_claim_is_asked_where_the_cards_lie_and_decided_where_the_pot_is(records):
    asked, decided = first(records[BOX], "claim_asked"), first(records[BOX], "claim_decided")

    assert "CP-01/4/1/1: Color, posición 1: $ 50.000, cierto y retenido desde ya (R-11, R-20)." in asked
    assert "CP-01/4/1/3: Escalera de Color, posición 3: un porcentaje: espera a lo que decida" in asked
    assert "Posición 4: nada, no se declaró una jugada (R-32)." in asked
    assert "El dueño del pozo pozo-del-mar decidió los premios CP-01/4/1; lo dice sol" in decided
    assert "Póker, posición 2: $ 1.000.000; de principal $ 657.200; reserva0 $ 800; la casa $ 342.000" in decided
    assert "Escalera de Color, posición 3: $ 0, que esperaba su monto; de nadie" in decided
    assert "Lo que al pozo le faltó, $ 342.000, lo pone la casa de sol (R-18)." in decided
    assert "El pozo antes: principal $ 707.200, reserva0 $ 800 (R-20)." in decided
    based = first(records[CASINO], "claim_decided")
    assert "La base: la casa de sol pone $ 698.560 (R-19)." in based and "NO CUADRA" not in based


def test_what_the_house_bears_and_what_was_not_believed(records):
    charged = first(records[BOX], "house_charged")
    disputed = first(records[OWNER], "letter_disputed", amount=2_400, neighbour=CASINO)

    assert "le faltó para CP-01@caja@sol/1/p2: $ 14.040 los pone la casa de sol (mesa CP-01); lo dice sol" in charged
    assert "no se creyó: el pase 11 de DP-01@sol no se jugó con el plan vigente (R-28)." in disputed
    assert "las apuestas de un pase cerrado (R-22), pozo pozo-del-mar: mesa DP-01, pase 11." in disputed
    assert "$ 2.400, queda aparte" in disputed and "En disputa con un nodo vecino pozo-del-mar, sol" in disputed
    for accepted, there, here in (
        (True, "pasan al principal del pozo pozo-del-mar", "son del pozo pozo-del-mar"),
        (False, "quedan con el casino que la escribió", "vuelven a la casa de sol"),
    ):
        of = {"accepted": accepted, "amount": 2_400}
        assert f"$ 2.400 {there}." in first(records[OWNER], "dispute_ended", neighbour=CASINO, **of)
        assert f"$ 2.400 {here}" in first(records[CASINO], "dispute_heard", **of)


def test_a_correction_is_asked_of_the_owner(records):
    asked = first(records[BOX], "correction_asked")

    assert "Corrección 1, pedida por carla y dario al dueño del pozo pozo-del-mar (R-34, R-35)." in asked
    assert "Mesa CP-01, pase 6: que el pase quede como fue: «cámara»." in asked
    assert "La prueba es la grabación cam 3 (R-35)." in asked and "Posición 2: 4c 4d 4h 4s 9c." in asked
    assert "Hasta que sol conteste, nada de ese pase se paga." in asked


def test_neighbours_and_letters(records):
    mar, caja = records[OWNER], records[BOX]

    assert "fijaron la llave del vecino sol (R-28)." in first(mar, "neighbour_pinned", neighbour=CASINO)
    assert "es del mismo casino: uno solo toma la comisión (R-23)" in first(caja, "neighbour_pinned")
    assert "El enlace con sol se cortó; lo último se oyó 01-11-2026" in first(mar, "link_seen", up=False)
    assert "falta una carta, y no la tiene para repetirla (R-28)." in first(mar, "neighbour_stopped")
    assert "dieron por buena la serie to:mar de luna: «se vio» (R-28)." in first(mar, "neighbour_accepted")
    assert "revocaron al vecino luna: «no es de la casa»" in first(mar, "neighbour_revoked", neighbour="luna")
    assert "la 1 de la serie pot:pozo-del-mar: dice un plan que espera" in first(mar, "letter_told")
    heard = first(caja, "letter_heard", stream="pot:pozo-del-mar")
    assert "Se oyó de sol, en la serie pot:pozo-del-mar, hasta la carta 1" in heard
    assert "sol tiene en su registro la serie to:sol hasta la carta 1" in first(caja, "letter_acknowledged")
