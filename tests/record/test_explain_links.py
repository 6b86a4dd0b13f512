"""`pozo explain` at nodes that share a pot: every kind of fact has its words, and every award says from where it comes."""

import typing

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.facts import (
    ClaimAsked,
    ClaimCorrected,
    ClaimRegistered,
    CorrectionRefused,
    Entry,
    Fact,
    PrizeGranted,
)
from controller.core.links.letters import Letter
from controller.core.values import Broken, Hand, Signature
from controller.explain.explain import PARTS, explain
from controller.explain.kinds import KINDS
from controller.explain.links import BROKEN, LETTERS
from controller.record.reading import ReportRefused
from support.links.evening import (
    AT,
    BOX,
    CASINO,
    COLOR,
    OWNER,
    POKER,
    POT,
    ROYAL,
    STRAIGHT_FLUSH,
    close,
    in_force,
    linked,
    played,
    sealed,
    won,
)
from support.links.histories import History
from support.record.report_cases import record_of

NODES = (OWNER, CASINO, BOX)
SEEDS = range(60 if CAMPAIGN else 3)
READINGS = ({}, {"void_undoes": "nothing"}, {"base_from": "house", "shortfall_from": "house"}, {"cap": "category"})

AWAY = ((BOX, "CP-01"), (CASINO, "CP-01@caja"), (OWNER, "CP-01@caja@sol"))
"""The table of the box, as each node calls it."""
CHANGED = {
    "pass_sealed", "hands_voided", "claim_asked", "claim_decided", "claim_registered", "claim_corrected",
    "correction_asked", "correction_refused", "house_charged", "prize_granted", "letter_heard",
}  # fmt: skip


@pytest.fixture(scope="module")
def records():
    nodes = played()
    return {name: nodes[name].kept for name in NODES}


def facts_in(record):
    return [msgspec.json.decode(row.body, type=Entry) for row in record.facts()]


def awards_in(fact):
    """The awards that a fact registers, the percentages of a neighbour's pot among them."""
    if isinstance(fact, ClaimAsked | ClaimRegistered | ClaimCorrected):
        yield from (f"{fact.claim}/{award.number}" for award in fact.awards)
    if isinstance(fact, ClaimCorrected):
        yield from (f"{one.claim}/{award.number}" for one in fact.resettled for award in one.awards)
    if isinstance(fact, PrizeGranted):
        yield f"{fact.claim}/1"


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


def test_an_advance_is_told_with_what_was_paid_then(records):
    given, heard = first(records[BOX], "award_advanced"), first(records[OWNER], "advance_heard", by="sol/caja/carla")
    assert "carla y ana adelantaron $ " in given and "«cable cortado»" in given
    assert "El pozo, por lo último que dijo su dueño: principal $ " in given and "hasta el 50 %" in given
    assert "No mueve dinero." in heard and "lo dijo sol/caja/carla" in heard

    [paid] = [one.fact for one in facts_in(records[BOX]) if getattr(one.fact, "advanced", 0)]
    story = explain(records[BOX], paid.award)
    assert story.count(" adelantaron $ ") == 2 and "(R-20; hecho" in story
    money = [f"$ {amount}" for amount in (paid.amount, paid.advanced, paid.amount - paid.advanced)]
    line = "{} - {} adelantados, que vuelven a la casa = {} en mano".format(*money)
    assert line in story and line in first(records[BOX], "award_paid", award=paid.award)
    assert first(records[CASINO], "award_advanced").count("DP-01/4/1/2") >= 1


def test_what_was_advanced_of_an_award_that_was_less_or_none_is_lost():
    nodes = linked()
    in_force(nodes, base=700_000)
    caja = nodes[BOX]
    sealed(caja, 1)
    less = won(caja, Hand(1, cards=ROYAL))
    caja.must(ask.AdvanceAward(f"{less}/1", 300_000, "cable", Signature("carla"), Signature("ana")))
    close(caja)
    sealed(caja, 1)
    none = won(caja, Hand(1, cards=STRAIGHT_FLUSH))
    caja.must(ask.AdvanceAward(f"{none}/1", 10_000, "cable", Signature("carla"), Signature("ana")))
    nodes[OWNER].must(ask.MoveMoney(POT, "main", "reserva0", 500_000, "Res. 9", Signature("ana"), Signature("bea")))
    nodes.settle()
    caja.must(ask.RejectClaim(none, "no era", Signature("carla"), Signature("dario")))
    nodes.settle()
    caja.pay_all(less)

    story = explain(caja.kept, f"{less}/1")
    assert "Se adelantó más de lo que fue: $ 300.000 - $ " in story and "= $ 0 en mano" in story
    false = explain(caja.kept, f"{none}/1")
    assert "De $ 10.000 adelantados nada se debía: los pierde la casa; nadie los devuelve (R-34)." in false


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
    assert "La prueba es la grabación cam 3 (R-35)." in asked and "Posición 2: 4♣ 4♦ 4♥ 4♠ 9♣." in asked
    assert "Hasta que sol conteste, nada de ese pase se paga." in asked


def test_neighbours_and_letters(records):
    mar, caja = records[OWNER], records[BOX]

    assert "fijaron la llave del vecino sol (R-28)." in first(mar, "neighbour_pinned", neighbour=CASINO)
    assert "es del mismo casino: uno solo toma la comisión (R-23)" in first(caja, "neighbour_pinned")
    assert "El enlace con sol se cortó; lo último se oyó 01-11-2026" in first(mar, "link_seen", up=False)
    assert "Detrás de sol no se oye al dueño del pozo pozo-del-mar (R-28)." in first(caja, "owner_seen", up=False)
    assert "Detrás de sol se oye otra vez al dueño" in first(caja, "owner_seen", up=True)
    assert "falta una carta, y no la tiene para repetirla (R-28)." in first(mar, "neighbour_stopped")
    assert "dieron por buena la serie to:mar de luna: «se vio» (R-28)." in first(mar, "neighbour_accepted")
    assert "revocaron al vecino luna: «no es de la casa»" in first(mar, "neighbour_revoked", neighbour="luna")
    assert "la 1 de la serie pot:pozo-del-mar: dice un plan que espera" in first(mar, "letter_told")
    heard = first(caja, "letter_heard", stream="pot:pozo-del-mar")
    assert "Se oyó de sol, en la serie pot:pozo-del-mar, hasta la carta 1" in heard
    assert "sol tiene en su registro la serie to:sol hasta la carta 1" in first(caja, "letter_acknowledged")


@pytest.mark.parametrize("node", NODES)
def test_every_award_of_an_evening_of_three_nodes_is_explained_and_agrees(records, node):
    awards = [award for entry in facts_in(records[node]) for award in awards_in(entry.fact)]

    assert len(awards) > 5
    for award in awards:
        told = explain(records[node], award)
        assert told.startswith(f"PREMIO {award}: ") and "NO CUADRA" not in told, told
        assert ("se oye de" in told) == (node != OWNER or "@" in award)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_was_carried_late_is_explained_and_agrees(seed):
    nodes = History(seed, **READINGS[seed % len(READINGS)]).go(120)

    for node in nodes.all.values():
        for entry in facts_in(node.kept):
            asked = [*awards_in(entry.fact)]
            if entry.fact.__struct_config__.tag in CHANGED:
                asked.append(str(entry.seq))
            for one in asked:
                told = explain(node.kept, one)
                assert "NO CUADRA" not in told, told


def test_a_percentage_of_a_neighbours_pot_waits_and_is_explained_while_it_does():
    nodes = linked()
    for link in nodes.links:
        nodes.see(*link, up=True)
    in_force(nodes)
    box = nodes[BOX]
    sealed(box, 1, 2)
    claim = won(box, Hand(1, cards=COLOR), Hand(2, cards=STRAIGHT_FLUSH))
    certain, waiting = (explain(box.kept, f"{claim}/{number}") for number in (1, 2))

    assert "50 × $ 1.000 = $ 50.000 (R-11, R-14)." in certain and "NO CUADRA" not in certain + waiting
    assert "Cuánto había en el pozo lo dice su dueño; sol todavía no lo dijo (R-20, R-28)." in certain
    assert "Lo dice el dueño del pozo; hasta entonces está a la cuenta con sol (R-28)." in certain
    assert "Lo registró eva: desde entonces está retenido (R-20" in certain
    assert waiting.startswith(f"PREMIO {claim}/2: Escalera de Color, espera su monto, posición 2.")
    assert "Escalera de Color paga 10 % de lo que haya cuando le toque (R-15)" in waiting
    assert "Espera a que sol diga cuánto es: entre tanto no se confirma ni se paga (R-20, R-28)." in waiting
    assert "desde entonces está retenido" not in waiting
    with pytest.raises(ReportRefused, match=rf"hay: {claim}/1, {claim}/2\."):
        explain(box.kept, f"{claim}/3")

    nodes.settle()
    close(box)
    told = explain(box.kept, f"{claim}/2")
    assert "Antes se paga Color, posición 1: del principal $ 50.000, quedan" in told and "NO CUADRA" not in told
    assert "como lo dice sol: desde entonces está retenido (R-20, R-28" in told
    both = (Hand(1, cards=POKER), Hand(2, cards=STRAIGHT_FLUSH))
    number = box.state.tables[AT[BOX]].number
    box.must(ask.CorrectClaim(AT[BOX], number, both, "cámara", Signature("carla"), Signature("dario"), (), "cam 3"))
    frozen = "Se pidió corregir su pase: nada se paga hasta la respuesta (R-34"
    assert frozen in explain(box.kept, f"{claim}/2")
    nodes.settle()
    assert all(frozen not in explain(box.kept, f"{claim}/{one}") for one in (2, 3))


def test_from_where_an_award_comes_and_whose_house_bears_what(records):
    """The same award at the three nodes."""
    box, casino, owner = (explain(records[node], f"{table}/4/1/2") for node, table in AWAY)

    given = "principal $ 657.200; reserva0 $ 800; la casa, como anticipo, $ 342.000 (R-18); suma $ 1.000.000."
    for told in (box, casino, owner):
        assert "El pozo antes: principal $ 707.200, reserva0 $ 800 (R-20)." in told and given in told
    assert "Lo que da el pozo viene por la cuenta con sol (R-28)." in box and "en el libro de" not in box
    assert "Lo que da el pozo va por la cuenta con caja; se retiene en caja (R-28)." in casino
    assert "Lo que da el pozo va por la cuenta con sol; se retiene en caja@sol (R-28)." in owner
    assert "La casa es la del casino sol, en el libro de caja@sol (R-18)." in owner
    assert "Apartado sin plazo por eva y carla: no se halló a quien lo ganó: «se fue» (R-35" in box
    assert "Apartado sin plazo por sol/caja/eva: no se halló a quien lo ganó (R-35" in owner
    assert "quién lo confirmó lo dice su registro" in owner and "quién lo confirmó" not in box


def test_a_prize_of_a_neighbours_pot_and_the_base_after_the_whole_of_it(records):
    charged, full = (explain(records[BOX], f"CP-01/{prize}/1") for prize in ("1/p2", "3/p1"))

    assert "Del pozo, por la cuenta con sol: $ 960; la casa de sol: $ 14.040, que al pozo le faltaban" in charged
    assert "Del pozo, por la cuenta con sol: $ 15.000 (R-28).\n   Si al pozo le faltara" in full
    assert "Sale del pozo, por la cuenta con sol; lo que al pozo le falte" in first(records[BOX], "prize_granted")
    royal = explain(records[CASINO], "DP-01/4/1/2")
    assert "volvió a su base, $ 700.000: reserva reserva0 $ 1.440; la casa $ 698.560 (R-19)." in royal


def test_a_correction_by_the_owner_is_told_where_it_was_asked(records):
    owed, gone = explain(records[BOX], "CP-01/6/1/2"), explain(records[CASINO], "DP-01/7/1/1")

    assert "Se corrigió el pase: «cámara» (R-34, R-35" in owed and "se le deben $ 1.000.000." in owed
    assert "Del pozo, hasta donde habría quedado si todo se hubiera hecho bien" in owed
    assert "Anulado sin pagarse por carla y dario, al corregir el pase: «era otra mano» (R-34" in gone
    moved = first(records[CASINO], "claim_corrected", table="DP-01")
    assert "retenido para premios: $ 0 más, $ 216 menos\n   en la cuenta con mar: $ 216\n" in moved
    assert "(clearing:pozo-del-mar:mar, rejection): $ 216" in moved


def test_a_correction_that_the_owner_refuses_is_told_with_his_words():
    record = record_of(CorrectionRefused(3, "CP-01", 6, "pozo", "nothing_to_correct", "Nada cambia."))

    told = explain(record, "1")

    assert "La corrección 3 de la mesa CP-01, pase 6, no puede ser (R-34)." in told
    assert "El dueño del pozo pozo contestó: Nada cambia. (nothing_to_correct)." in told
