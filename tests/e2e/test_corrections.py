"""R-34, R-35 on a running node with devices: nobody who holds a winning hand is forgotten, whoever pressed what."""

import pytest

from support.node.node_process import ANA, JEFE
from support.node.two_tables import two_tables

pytestmark = pytest.mark.process

REAL = "Ap Kp Qp Jp 10p"
COLOR = "2t 4t 6t 7t 10t"
FULL = "8p 8d 8t 9p 9d"
TWO = {"by": JEFE, "second": ANA}


@pytest.fixture
def house():
    with two_tables() as made:
        yield made


def figure(report, key):
    return next(one.amount for one in report.figures if (one.key, one.detail, one.level) == (key, "", "total"))


def pesos(amount):
    return f"${amount:,}".replace(",", ".")


def test_the_hasty_croupier_and_the_award_that_was_held_for_ever(house):
    # unclaimed_pass, S10, F1: the button was pressed before the hands were entered.
    first = house.play("DP-01", 1, 3)
    house.next_pass("DP-01")
    before = house.pot
    told = house.ctl("manos", "DP-01", "3 full")
    assert f"Pase {first}, recién terminado." in told
    assert "posición 3: Full, se le deben $ 100.000" in told
    assert house.pot == before - 100_000, "S19: from the pot, as in time"
    house.sign_shows("POSICION 3 FULL $100.000 EN VERIFICACION")
    house.pay(f"DP-01/{first}/1/1")

    # held_forever: a false award beside a paid one.
    second = house.play("DP-01", 1, 2)
    house.ctl("manos", "DP-01", "1 color; 2 full")
    house.pay(f"DP-01/{second}/1/1")
    house.sign_shows("POSICION 2 FULL $100.000 EN VERIFICACION")
    before, wrong = house.pot, ("corregir", "DP-01", str(second), "1 color", "--motivo", "la 2 no tenía full")
    code, no = house.tried(*wrong)
    assert code == 1 and "firman dos" in no
    assert f"premio DP-01/{second}/1/2: anulado, no se paga" in house.ctl(*wrong, **TWO)
    assert not house.awards and house.pot == before + 100_000

    day, text = house.report("day", house.day)
    assert [one.reason for one in day.corrections] == ["", "la 2 no tenía full"]
    assert (figure(day, "awards.corrected"), figure(day, "awards.rejected"), figure(day, "house.corrected")) == (
        100_000,
        100_000,
        0,
    )
    assert "Correcciones (R-34, R-35)" in text
    assert house.verified().startswith("BIEN"), house.verified()


def test_the_wrong_seat_is_put_right_although_another_table_won_the_pot_in_between(house):
    """C1, S5: the Escalera Real of seat 4 was typed for seat 3."""
    base = 5_000_000
    mine, other = house.play("DP-01", 3, 4), house.play("CP-01", 5)
    whole = house.pot
    house.ctl("manos", "DP-01", f"3 {REAL}")
    house.ctl("manos", "CP-01", f"5 {REAL}")
    assert house.awards == {f"DP-01/{mine}/1/1": whole, f"CP-01/{other}/1/1": base}

    house.ctl("corregir", "DP-01", str(mine), f"4 {REAL}", "--motivo", "era la 4", **TWO)

    assert house.awards == {f"CP-01/{other}/1/1": base, f"DP-01/{mine}/1/2": whole}
    house.sign_shows(f"POSICION 4 ESCALERA REAL {pesos(whole)}")
    assert house.pot == base
    house.ctl("pagar", f"DP-01/{mine}/1/2")

    # And it was no Escalera Real at all: the other table's winner is owed what it had kept from him.
    told = house.ctl("rechazar", f"DP-01/{mine}/1", "las cartas eran de otro pase", **TWO)
    assert "no está pendiente; lo que se pagó de ella lo pierde la casa." in told
    assert f"Jugada CP-01/{other}/1: se liquidó de nuevo." in told
    assert house.awards == {f"CP-01/{other}/1/1": base, f"CP-01/{other}/1/2": whole - base}
    house.sign_shows(pesos(whole - base))
    day, text = house.report("day", house.day)
    assert figure(day, "house.lost") == whole
    assert "lo pierde la casa" in text and "se liquidó de nuevo" in text
    for table in ("DP-01", "CP-01"):
        house.report("table", table)
    again = house.explained(f"CP-01/{other}/1/2")
    assert f"A esta posición le tocan $ {pesos(whole)[1:]}; ya se le reconocían $ 5.000.000." in again
    for award in (f"DP-01/{mine}/1/1", f"DP-01/{mine}/1/2", f"CP-01/{other}/1/1", f"CP-01/{other}/1/2"):
        assert "NO CUADRA" not in house.explained(award)
        house.report("award", award)
    for one in day.corrections:
        said = house.explained(str(one.fact))
        assert "suman $ 0." in said and "NO CUADRA" not in said
    assert house.verified().startswith("BIEN"), house.verified()


def test_after_midnight_yesterdays_pass_is_still_there(house):
    """S6: a late winner of yesterday's paid claim, and yesterday's rejected claim anew."""
    mine, other = house.play("DP-01", 1, 3), house.play("CP-01", 5)
    house.ctl("manos", "DP-01", "3 full")
    house.pay(f"DP-01/{mine}/1/1")
    house.ctl("manos", "CP-01", "5 full")
    house.ctl("rechazar", f"CP-01/{other}/1", "no se ve en la cámara", **TWO)
    house.next_day()
    house.play("DP-01", 2)
    before = house.pot
    proof = ("--motivo", "la grabación la muestra", "--grabacion", "C7-1123")

    code, no = house.tried("corregir", "DP-01", str(mine), f"1 {COLOR}; 3 {FULL}", *proof[:2], **TWO)
    assert code == 1 and "grabación" in no
    told = house.ctl("corregir", "DP-01", str(mine), f"1 {COLOR}; 3 {FULL}", *proof, **TWO)
    assert "posición 1: Color, se le deben $ 50.000" in told and "por verificar" in told
    house.ctl("corregir", "CP-01", str(other), f"5 {FULL}", *proof, **TWO)

    assert house.pot == before - 150_000
    assert sorted(house.awards.values()) == [50_000, 100_000]
    house.sign_shows("POSICION 1 COLOR $50.000 EN VERIFICACION")
    late = f"DP-01/{mine}/1/2"
    house.pay(late)
    day, text = house.report("day", house.following)
    assert (figure(day, "incidents.corrected"), figure(day, "awards.paid")) == (2, 50_000)
    assert "grabación C7-1123" in text
    month, _ = house.report("month", house.day[:7])
    assert len(month.corrections) == 3, "yesterday's rejection is one too"
    assert "50 × $ 1.000 = $ 50.000" in house.explained(late) and "NO CUADRA" not in house.explained(late)
    assert "$ 50.000" in house.report("award", late)[1]
    assert house.verified().startswith("BIEN"), house.verified()
