"""R-34, R-35 at the console: who pressed too early, who typed the wrong seat, and what was found a day later."""

import pytest
from click.testing import CliRunner

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.ctl.command import ctl
from controller.rules.complementary import commitment
from support.core import book_cases
from support.node import ctl_engine
from support.node.ctl_engine import PINS
from support.nonces import nonce_of

pytestmark = pytest.mark.process

REAL = "Ap Kp Qp Jp 10p"


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


@pytest.fixture
def pozo(node):
    def run(*words, by="carla", second=None):
        who = {"POZO_POR": by, "POZO_PIN": PINS[by]}
        if second:
            who |= {"POZO_SEGUNDO": second, "POZO_PIN2": PINS[second]}
        return CliRunner().invoke(ctl, ["--node", str(node.control_folder), *words], env=who)

    return run


@pytest.fixture
def done(pozo):
    def run(*words, **who):
        result = pozo(*words, **who)
        assert result.exit_code == 0, result.output
        return result.output

    return run


@pytest.fixture
def plays(node, done):
    """A pass up to its seal, with bets of four credits at these seats."""

    def run(table, *seats):
        done("abrir", table)
        for seat in seats:
            if node.book.state.tables[table].seat(seat).credits < 2_000:
                done("creditos", table, str(seat), "20")
            node.during(lambda seat=seat: node.press(table, seat, 4))
        done("cerrar", table)
        node.during(lambda: node.prove(table))
        return node.book.state.tables[table].number

    return run


def refused(result):
    assert result.exit_code == 1, result.output
    return result.stderr


def pot(node):
    return node.book.state.pots["chico"].main


def test_s10_who_ended_the_pass_too_early_enters_its_winner_alone(node, done, plays):
    plays("M1", 1, 3)
    before = pot(node)
    done("abrir", "M1")

    told = done("manos", "M1", "3 full")

    assert told.startswith("Pase 1, recién terminado.\n3: Full\n")
    assert "posición 3: Full, se le deben $ 200.000 (premio M1/1/1/1), por verificar" in told
    assert pot(node) == before - 200_000
    assert "premio M1/1/1/1 · posición 3 · Full · $ 200.000 · verificar" in done("estado", "M1")
    done("confirmar", "1/1/1", by="jefe")
    assert "pague $ 200.000" in done("pagar", "1/1/1")


def test_s10b_a_claim_without_winners_does_not_shut_the_door(node, done, plays):
    plays("M1", 1, 3)
    assert "NADIE COBRA" in done("manos", "M1", "1 retirado")
    assert "terminado por carla; todas las manos revisadas" in done("abrir", "M1")

    assert "posición 3: Full" in done("manos", "M1", "3 full")


def test_after_the_next_seal_one_person_is_not_enough_and_the_way_is_said(done, plays, pozo):
    """F1: "El pase no está cerrado" was untrue."""
    plays("M1", 1, 3)
    plays("M1", 1, 3)
    told = ("corregir", "M1", "1"), ("--motivo", "nadie la anotó")
    two = {"by": "jefe", "second": "jefa"}

    assert "diga quién es la segunda persona" in refused(pozo(*told[0], "3 full", *told[1]))
    assert "hay que dar sus cartas" in refused(pozo(*told[0], "3 full", *told[1], **two))
    cards = "3 8c 8d 8t 9c 9d"
    assert "el número de la grabación" in refused(pozo(*told[0], cards, *told[1], **two))
    said = done(*told[0], cards, *told[1], "--grabacion", "C7-1123", **two)
    assert "posición 3: Full, se le deben $ 200.000 (premio M1/1/1/1), se puede pagar" in said
    assert "ya está así: no hay nada que corregir" in refused(
        pozo(*told[0], cards, *told[1], "--grabacion", "C7-1123", **two)
    )


def test_s5_the_wrong_seat_is_put_right_in_one_act_and_keeps_its_place(node, done, plays):
    """Seat 3 was typed instead of seat 4, and another table's Escalera Real was registered on what was left."""
    plays("M1", 3, 4)
    plays("M2", 1)
    whole, base = pot(node), 5_000_000
    done("manos", "M1", f"3 {REAL}")
    assert "Escalera Real, $ 5.000.000" in done("manos", "M2", f"1 {REAL}")
    house = node.book.balances["house:chico:central"]

    told = done("corregir", "M1", "M1/1/1", f"4 {REAL}", "--motivo", "era la 4", by="jefe", second="jefa")

    assert "premio M1/1/1/1: anulado, no se paga" in told
    assert f"posición 4: Escalera Real, se le deben {pesos(whole)} (premio M1/1/1/2)" in told
    assert (pot(node), node.book.balances["house:chico:central"]) == (base, house), "as if it had been right at once"
    assert {award.award: award.amount for award in awards(node)} == {"M1/1/1/2": whole, "M2/1/1/1": base}


def test_a_false_real_is_rejected_and_the_other_tables_winner_is_owed_the_difference(node, done, plays):
    """R-34, its example: the pot was emptied before, by nobody."""
    plays("M1", 3)
    plays("M2", 1)
    whole = pot(node)
    done("manos", "M1", f"3 {REAL}")
    done("manos", "M2", f"1 {REAL}")
    done("confirmar", "M2/1/1/1", by="jefe", second="jefa")
    done("pagar", "M2/1/1/1")

    told = done("rechazar", "M1/1/1", "la cámara muestra color", by="jefe", second="jefa")

    assert told.startswith("Jugada M1/1/1 se anula.\n")
    assert (
        f"Jugada M2/1/1: se liquidó de nuevo.\n  posición 1: Escalera Real, se le deben {pesos(whole - 5_000_000)}"
        in told
    )
    assert "La casa recupera $ 5.000.000." in told
    assert pot(node) == 5_000_000


def test_held_forever_a_false_award_beside_a_paid_one_goes_and_a_plan_takes_effect(node, done, plays):
    plays("M1", 1, 3)
    done("manos", "M1", "1 color; 3 full")
    done("confirmar", "M1/1/1/1", by="jefe")
    done("pagar", "M1/1/1/1")
    new = book_cases.PLAN.replace("commission_ppm = 187500", "commission_ppm = 190000")
    node.during(lambda: node.say(ask.StagePlan(new, book_cases.RULESET, Signature("ana"), Signature("luis"))))
    done("terminar", "M1")
    assert node.book.state.staged

    told = done(
        "corregir", "M1", "1", "1 color", "--motivo", "el full era color de otra mano", by="jefe", second="jefa"
    )

    assert "premio M1/1/1/2: anulado, no se paga" in told
    assert not awards(node) and not node.book.state.staged, "nothing is pending: the plan rules"


def test_s6_and_after_midnight_yesterdays_pass_is_still_there(node, done, plays):
    plays("M1", 1, 3)
    done("manos", "M1", "1 color")
    done("confirmar", "M1/1/1/1", by="jefe")
    done("pagar", "M1/1/1/1")
    plays("M2", 1)
    done("manos", "M2", "1 full")
    done("rechazar", "M2/1/1", "no se ve en la cámara", by="jefe", second="jefa")
    for table, seat in (("M1", "1"), ("M1", "3"), ("M2", "1")):
        if seat != "3":
            done("terminar", table)
        done("retirar", table, seat)
    tomorrow(node)
    before = pot(node)
    proof = ("--motivo", "la grabación la muestra", "--grabacion", "C1-7")

    late = done("corregir", "M1", "1", "1 2c 4c 6c 8c 10c; 3 8p 8d 8t 9p 9d", *proof, by="jefe", second="jefa")
    anew = done("corregir", "M2", "1", "1 8p 8d 8t 9p 9d", *proof, by="jefe", second="jefa")

    assert "posición 3: Full, se le deben $ 200.000 (premio M1/1/1/2), por verificar" in late
    assert "posición 1: Full, se le deben $ 200.000" in anew
    assert pot(node) == before - 400_000, "S19: from the pot, as in time"


def test_a_winner_who_is_not_found_is_a_debt_without_term(node, done, plays):
    plays("M1", 1)
    done("manos", "M1", "1 full")

    told = done("apartar-premio", "1/1/1", "se fue y nadie sabe quién era", by="jefe", second="jefa")

    assert "$ 200.000 apartados sin plazo" in told
    assert not awards(node)
    assert "pague $ 200.000" in done("pagar", "M1/1/1/1")


def test_who_rejects_hears_before_what_the_house_loses(done, plays):
    plays("M1", 1, 3)
    done("manos", "M1", "1 color; 3 full")
    done("confirmar", "M1/1/1/1", by="jefe")
    done("pagar", "M1/1/1/1")

    told = done("rechazar", "M1/1/1", "ninguna era", by="jefe", second="jefa")

    assert told.startswith("Jugada M1/1/1: ya se pagaron $ 100.000; los pierde la casa.\n")
    assert "premio M1/1/1/1: pagado sin deberse; $ 100.000 los pierde la casa" in told
    assert "premio M1/1/1/2: anulado, no se paga" in told


def tomorrow(node):
    def next_day():
        node.say(ask.CloseDay(book_cases.SEED.hex(), Signature("jefe")))
        node.say(ask.OpenDay("2026-11-02", commitment(bytes(32)), Signature("jefe"), nonce_of("2026-11-02")))

    node.during(next_day)
    assert node.book.state.day.name == "2026-11-02"


def awards(node):
    return [award for sign in node.view().pots for award in sign.awards]


def pesos(amount):
    return f"$ {amount:,}".replace(",", ".")
