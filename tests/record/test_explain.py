"""`pozo explain`: every number of an award and of a fact, from the record alone; and whatever is wrong is said."""

from datetime import timedelta, timezone

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.core.facts import (
    AwardSetAside,
    ClaimCorrected,
    ClaimRegistered,
    ClaimRejected,
    DayClosed,
    DayOpened,
    Drawn,
    Entry,
    HandsVoided,
    LateRegistered,
    NodeFounded,
    PassSealed,
    PlanTookEffect,
    PrizeGranted,
    Refused,
    SeedLost,
)
from controller.core.inputs import (
    CorrectClaim,
    LampSeen,
    LoseSeed,
    MoveMoney,
    OpenPass,
    RegisterClaim,
    RejectClaim,
    RenameDay,
    SetAside,
    StagePlan,
    VoidHand,
)
from controller.core.values import Change, Flow, Hand, Lamp, Levels, RegisteredAward
from controller.documents import shelf
from controller.explain.explain import explain
from controller.record.fold import granted_in
from controller.record.reading import ReportRefused
from support.record.report_cases import (
    ANA,
    BETO,
    CARLA,
    DORA,
    PLAN,
    PRIZES,
    ROYAL,
    STRAIGHT_FLUSH,
    Floor,
    color,
    evening,
    everything,
    record_of,
    train,
    wander,
)

SEEDS = range(100 if CAMPAIGN else 6)


def facts_in(record):
    return [msgspec.json.decode(row.body, type=Entry) for row in record.rows]


def numbers_of(record, kind):
    return [entry.seq for entry in facts_in(record) if isinstance(entry.fact, kind)]


def changed(record, seq, **fields):
    """The same record with one fact that says something else."""
    row = record.rows[seq - 1]
    entry = msgspec.json.decode(row.body, type=Entry)
    fact = msgspec.structs.replace(entry.fact, **fields)
    record.rows[seq - 1] = row._replace(body=msgspec.json.encode(msgspec.structs.replace(entry, fact=fact)))
    return record


def law_with(**readings):
    """The Chilean law under other readings (R-33)."""
    text = (shelf() / "rulesets" / "scj-2023.toml").read_text()
    for old, new in readings.values():
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def all_of_it():
    return everything().record


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_every_fact_and_every_award_of_any_history_is_explained_and_agrees(seed):
    floor = wander(seed)
    floor.close_day()

    for entry in facts_in(floor.record):
        told = explain(floor.record, str(entry.seq))
        assert "NO CUADRA" not in told and told.startswith(f"HECHO {entry.seq} ("), told
        for award, granted in granted_in(entry.fact):
            told = explain(floor.record, award)
            assert "NO CUADRA" not in told and f"posición {granted.seat}." in told, told


def test_everything_that_can_stand_on_record_is_explained(all_of_it):
    for entry in facts_in(all_of_it):
        told = explain(all_of_it, str(entry.seq))
        assert "NO CUADRA" not in told
        assert "suman $ 0" in told or "suman 0" in told or "No mueve dinero." in told, told


def lines_of(record, what):
    return [line.strip() for line in explain(record, what).splitlines()]


def test_a_percentage_after_a_fixed_prize():
    lines = lines_of(evening().record, "DP-01/1/1/2")

    for line in (
        "PREMIO DP-01/1/1/2: Escalera de Color, $ 495.432, posición 3.",
        "Cartas 5♠ 6♠ 7♠ 8♠ 9♠: hacen Escalera de Color (R-10).",
        "El pozo antes: principal $ 5.004.320, reserva0 $ 480 (R-20).",
        "Antes se paga Color, posición 1: del principal $ 50.000, quedan $ 4.954.320 (R-13, R-15).",
        "10 % de $ 4.954.320 = $ 495.432 (R-15) [SCJ 6.6, Esquema de Pago].",
        "Tope: 5.000 × $ 5.000 = $ 25.000.000: no corta nada (R-17).",
        "principal $ 495.432; suma $ 495.432.",
        "Lo registró carla: desde entonces está retenido (R-20; hecho 20, 01-11-2026 11:06:58 UTC).",
        "Confirmado por dora y ana (R-21: sobre $ 100.000 confirman dos; aquí hacen falta dos; hecho 72, 01-11-2026 11:07:47 UTC).",
        "Pagado por carla: $ 495.432 (R-21; hecho 73, 01-11-2026 11:07:48 UTC).",
    ):
        assert line in lines, line


def test_the_whole_pot_and_its_base():
    lines = lines_of(evening().record, "DP-01/3/1/2")

    assert "100 % de $ 4.218.968 = $ 4.218.968 (R-15) [SCJ 6.6, Esquema de Pago]." in lines
    assert (
        "Después el principal volvió a su base, $ 5.000.000: reserva reserva0 $ 71.600; la casa $ 4.928.400 (R-19)."
        in lines
    )
    assert "Todavía no se pagó ni se rechazó." in lines


def test_a_rejected_award_and_its_rejection():
    record = evening().record
    [rejected] = numbers_of(record, ClaimCorrected)

    award, fact = lines_of(record, "TX-01/2/1/1"), lines_of(record, str(rejected))

    assert any(line.startswith("Anulado sin pagarse por dora y ana, al corregir el pase: «la cámara") for line in award)
    assert "TX-01/2/1/1, $ 100.000: no se debía y no se había pagado: anulado (R-34)." in fact
    assert "principal recibe $ 100.000" in fact


def test_the_zone_is_the_readers():
    told = explain(evening().record, "20", timezone(-timedelta(hours=3), "CLST"))

    assert told.startswith("HECHO 20 (claim_registered), 01-11-2026 08:06:58 CLST")


def floor_of(hands, bets, law=None, plan=PLAN, table="DP-01", community=()):
    floor = Floor(plan)
    if law is not None:
        floor.ask(StagePlan(plan, law, ANA, BETO))
    floor.open_day()
    floor.play(table, bets, hands, community)
    return floor


TWO = (Hand(1, cards=STRAIGHT_FLUSH), Hand(2, cards=("5d", "6d", "7d", "8d", "9d")))


def test_two_winners_of_a_percentage_share_it():
    """The pot is 5,004,321 less nothing: 10 % is odd, so one unit does not divide."""
    floor = floor_of(TWO, {1: 1, 2: 5})

    first, second = (lines_of(floor.record, f"DP-01/1/1/{number}") for number in (1, 2))

    total = "Entre 2 ganadores: $ 500.432 / 2 = $ 250.216, y sobran 0 unidades; a esta posición le tocan 0 (R-16)."
    assert total in first and total in second
    assert "Tope: 5.000 × $ 1.000 = $ 5.000.000: no corta nada (R-17)." in first


@pytest.mark.parametrize(("reading", "mine"), [("nearest_winner", (1, 0)), ("one_each", (1, 0))])
def test_odd_units_go_where_the_reading_says(reading, mine):
    law = law_with(odd=('odd_units = "nearest_winner"', f'odd_units = "{reading}"'))
    plan = PLAN.replace("base = 5000000", "base = 5000010")
    floor = floor_of(TWO, {1: 1, 2: 5}, law, plan)

    for number, odd in zip((1, 2), mine, strict=True):
        told = explain(floor.record, f"DP-01/1/1/{number}")
        assert f"y sobran 1 unidades; a esta posición le tocan {odd} (R-16)." in told and "NO CUADRA" not in told


def test_a_fixed_prize_that_empties_the_pot_leaves_nothing_to_share():
    plan = PLAN.replace("base = 5000000", "base = 1000")
    told = explain(floor_of([color(2), TWO[0]], {1: 1, 2: 5}, plan=plan).record, "DP-01/1/1/2")

    assert "Antes se paga Color, posición 2: del principal $ 5.320, quedan $ 0 (R-13, R-15)." in told
    assert "10 % de $ 0 = $ 0 (R-15)" in told and "NO CUADRA" not in told


def test_a_cap_cuts_and_says_where_it_stays():
    plan = PLAN.replace("base = 5000000", "base = 90000000")
    told = explain(floor_of(TWO[:1], {1: 1}, plan=plan).record, "DP-01/1/1/1")

    assert "Tope: 5.000 × $ 1.000 = $ 5.000.000: corta $ 4.000.072, que se quedan en el pozo principal (R-17)." in told
    assert "Se le debe $ 5.000.000.\n" in told


def test_a_cap_of_the_category():
    law = law_with(cap=('cap = "each_winner"', 'cap = "category"'))
    plan = PLAN.replace("base = 5000000", "base = 90000000")
    told = explain(floor_of(TWO, {1: 1, 2: 5}, law, plan).record, "DP-01/1/1/2")

    assert "Tope de la jugada: 5.000 × $ 1.000 = $ 5.000.000 (R-17, R-33)." in told
    assert "Se le debe $ 2.500.000.\n" in told


def test_community_cards_acts_and_a_pot_that_is_too_small():
    plan = PLAN.replace("base = 5000000", "base = 1000")
    hands = [Hand(1, cards=("9h", "9d")), Hand(2, acts=("folded",))]
    record = floor_of(hands, {1: 5, 2: 5}, plan=plan, table="TX-01", community=("9c", "9s", "2h")).record
    [claim] = numbers_of(record, ClaimRegistered)

    told = explain(record, "TX-01/1/1/1")

    assert "Cartas 9♥ 9♦ y las comunes 9♣ 9♠ 2♥: hacen Póker (R-10)." in told
    assert "principal $ 8.200; reserva0 $ 800; la casa, como anticipo, $ 2.491.000 (R-18); suma $ 2.500.000." in told
    assert "Posición 2: nada, no fue: pierde el pozo, no los complementarios (R-8)." in explain(record, str(claim))


def test_an_act_that_loses_nothing_is_told():
    plan = PLAN.replace('modality = "draw"', 'modality = "go"')
    record = floor_of([Hand(1, acts=("folded",), claimed="color")], {1: 1}, plan=plan).record

    assert "El jugador no fue; en go eso no pierde el pozo (R-8)" in explain(record, "DP-01/1/1/1")


def test_amounts_per_unit():
    plan = (shelf() / "plans" / "puerto-norte.toml").read_text()
    law = (shelf() / "rulesets" / "arica-2017.toml").read_text()
    floor = Floor()
    floor.ask(StagePlan(plan, law, ANA, BETO))
    floor.open_day()
    floor.play("DP-1", {1: 3}, [color(1)])

    told = explain(floor.record, "DP-1/1/1/1")

    assert "Color paga $ 25.000 por unidad apostada [ARI 4.2, Esquema de Pago]." in told
    assert "3 × $ 25.000 = $ 75.000 (R-11, R-14)." in told


def test_r33_an_amount_per_unit_that_is_owed_once_whatever_the_bet():
    plan = (shelf() / "plans" / "puerto-norte.toml").read_text()
    law = (shelf() / "rulesets" / "arica-2017.toml").read_text().replace('"each_unit"', '"bet"')
    floor = Floor()
    floor.ask(StagePlan(plan, law, ANA, BETO))
    floor.open_day()
    floor.play("DP-1", {1: 3}, [color(1)])
    told = explain(floor.record, "DP-1/1/1/1")

    assert "Color paga $ 25.000 una vez, cualquiera sea la apuesta (R-11, R-14, R-33) [ARI 4.2" in told
    assert told.startswith("PREMIO DP-1/1/1/1: Color, $ 25.000, posición 1.") and "NO CUADRA" not in told


@pytest.mark.parametrize(
    ("base", "later"),
    [
        (90_000_000, "Después el principal volvió a su base, $ 90.000.000: quedaban $ 4.000.144 que cortó el tope; "),
        (1_000_000, None),
    ],
)
def test_r17_r19_r33_real_of_what_would_be_left_had_the_cap_cut_nothing(base, later):
    law = law_with(real=('real_after_cap = "rest"', 'real_after_cap = "uncut"'))
    floor = floor_of(
        [Hand(1, cards=TWO[0].cards), Hand(2, cards=("As", "Ks", "Qs", "Js", "Ts"))],
        {1: 1, 2: 1},
        law,
        PLAN.replace("base = 5000000", f"base = {base}"),
    )
    told = explain(floor.record, "DP-01/1/1/2")

    assert "NO CUADRA" not in told
    assert ("se cuenta como si nada hubiera cortado" in told) == (later is not None)
    assert later is None or later in told


def test_r19_r33_a_pot_that_a_cap_left_above_its_base_is_given_nothing():
    law = law_with(
        real=('real_after_cap = "rest"', 'real_after_cap = "uncut"'), cap=("cap_times = 5000", "cap_times = 1")
    )
    floor = floor_of([Hand(1, cards=TWO[0].cards)], {1: 1}, law, PLAN.replace("base = 5000000", "base = 50000"))
    floor.play("DP-01", {1: 1, 2: 1}, [Hand(1, cards=TWO[0].cards), Hand(2, cards=("As", "Ks", "Qs", "Js", "Ts"))])
    assert "NO CUADRA" not in explain(floor.record, "DP-01/2/1/2")


def test_a_late_winner_is_owed_what_he_lacks_from_the_pot(all_of_it):
    told = explain(all_of_it, "TX-01/2/1/2")

    assert "Le tocan $ 100.000 y ya se le reconocían $ 0:" in told and "se le deben $ 100.000." in told
    assert "Del pozo, hasta donde habría quedado si todo se hubiera hecho bien" in told
    assert "La corrección la firmaron dos: es su propia confirmación (R-36;" in told and "NO CUADRA" not in told


def test_chips_a_lamp_and_a_card_that_was_shown(all_of_it):
    told = explain(all_of_it, "DP-01/2/p2/1")

    assert "Cayeron fichas por $ 7.000: $ 5.000 a la apuesta (R-4;" in told
    assert "La posición 4 mostró la carta; lo registró carla (R-29)." in told
    assert "reserva0 $ 3.200; la casa, como anticipo, $ 16.800 (R-18); suma $ 20.000." in told


def test_a_pass_with_its_ceiling_its_fractions_and_what_was_returned():
    plan = PLAN.replace("ceiling = 400000000", "ceiling = 5001000").replace(
        "commission_ppm = 200000", "commission_ppm = 187501"
    )
    floor = floor_of([], {1: 1, 2: 2}, plan=plan)
    floor.play("TX-01", {1: 5})
    floor.play("DP-01", {1: 1})
    first, second, third = numbers_of(floor.record, PassSealed)

    lines, more = lines_of(floor.record, str(first)), lines_of(floor.record, str(second))

    for line in (
        "comisión 18,7501 %: 1.000 × 187.501 + 0 = 187.501.000: 187 y quedan 501.000 (R-23).",
        "Resto: 1.000 - 187 = 813 (R-22).",
        "reserva0 10 %: 813 × 100.000 + 0 = 81.300.000: 81 y quedan 300.000 (R-23).",
        "principal: 813 - 81 = 732 (R-22).",
        "comisión 18,7501 %: 2.000 × 187.501 + 501.000 = 375.503.000: 375 y quedan 503.000 (R-23).",
        "Tope 5.001.000: al principal le caben 268; 1.195 pasan a la reserva reserva0 (R-24).",
        "Fracciones que quedan: comisión 503.000, reserva0 800.000 (R-23).",
    ):
        assert line in lines, line
    assert lines[-1].startswith("suman") and any("R-30" in line and line.endswith("cuadra.") for line in lines)
    assert "comisión 18,7501 %: 5.000 × 187.501 + 0 = 937.505.000: 937 y quedan 505.000 (R-23)." in more
    assert any("+ 800.000 =" in line for line in more)
    again = explain(floor.record, str(third))
    assert "comisión 18,7501 %: 1.000 × 187.501 + 503.000 = 188.004.000: 188 y quedan 4.000 (R-23)." in again
    assert not any("NO CUADRA" in line for line in (*lines, *more, again))


def test_r6_a_pass_tells_whose_bet_his_lamp_undid_and_a_claim_says_it_too():
    floor = Floor()
    floor.open_day()
    floor.ask(OpenPass("DP-01", CARLA))
    for seat in (1, 2):
        floor.bet("DP-01", seat, 1)
    floor.ask(LampSeen("DP-01", 2, Lamp.FAULT))
    floor.lock("DP-01")
    floor.ask(RegisterClaim("DP-01", (Hand(1, claimed="full"), Hand(2, ("folded",))), CARLA))
    (seal,), (claim,) = numbers_of(floor.record, PassSealed), numbers_of(floor.record, ClaimRegistered)

    fell = "Posición 2: su lámpara falló con la mesa abierta, y su apuesta ya había vuelto (R-6)."
    assert fell in lines_of(floor.record, str(seal))
    assert "Posición 2: nada, su lámpara" in explain(floor.record, str(claim))


def test_a_pass_without_a_ceiling_and_one_without_bets():
    floor = floor_of([], {1: 1}, plan=PLAN.replace("ceiling = 400000000\n", ""))
    floor.play("TX-01", {})
    first, second = numbers_of(floor.record, PassSealed)

    assert "Tope" not in explain(floor.record, str(first))
    assert "No hubo apuestas válidas: nada que repartir." in explain(floor.record, str(second))


def test_a_void_hand_under_either_reading():
    law = law_with(void=('void_undoes = "contributions"', 'void_undoes = "nothing"'))
    told = []
    for one in (None, law):
        floor = Floor()
        if one:
            floor.ask(StagePlan(PLAN, one, ANA, BETO))
        floor.open_day()
        floor.ask(OpenPass("DP-01", CARLA))
        floor.bet("DP-01", 2, 4)
        floor.lock("DP-01")
        floor.ask(VoidHand("DP-01", 2, "carta a la vista", CARLA))
        told.append(lines_of(floor.record, str(numbers_of(floor.record, HandsVoided)[0])))

    assert {
        "Posición 2: vuelven $ 4.000 en créditos (R-25).",
        "dio principal: $ 2.880",
        "dio reserva0: $ 320",
        "dio comisión: $ 800",
    } <= set(told[0])
    assert "dio la casa, lo que un pozo ya no tenía (R-18): $ 4.000" in told[1]
    assert any("R-33" in line for line in told[1])
    assert all("Suma de lo que dieron: $ 4.000; devuelto: $ 4.000." in lines for lines in told)


def test_a_void_before_the_seal_touches_no_pot(all_of_it):
    told = [explain(all_of_it, str(seq)) for seq in numbers_of(all_of_it, HandsVoided)]

    assert any("ningún pozo se toca" in one for one in told)
    assert any("No había apuestas: nada que devolver." in one for one in told)


def test_a_correction_says_what_was_wrong_who_is_owed_what_and_who_bears_it(all_of_it):
    late, rejected, prize = (explain(all_of_it, str(seq)) for seq in numbers_of(all_of_it, ClaimCorrected))

    assert "Qué estaba mal: «cámara».\nLa prueba es la grabación G-1 (R-35)." in late
    assert "TX-01/2/1/2: Full, posición 3: le falta: $ 100.000." in late and "principal da $ 100.000" in late
    assert "Ninguna mano vale." in rejected and "la casa recupera $ 4.998.880" in rejected
    assert "DP-01/5/1/2, $ 1.823.112: no se debía y no se había pagado: anulado (R-34)." in rejected
    assert "DP-01/5/p1 no se había ganado: un premio complementario va a la posición sorteada" in prize
    for told in (late, rejected, prize):
        assert "   suman $ 0.\n" in told and "NO CUADRA" not in told


def test_a_correction_that_does_not_add_up_shouts(all_of_it):
    late, *_ = numbers_of(all_of_it, ClaimCorrected)
    record = changed(all_of_it, late, flow=Flow({"main": -99_999}))

    assert "NO CUADRA" in explain(record, str(late))


def test_a_seat_that_gets_more_is_told_what_it_had_and_another_table_why():
    """S5, on a pot that both tables won: the later one is settled again."""
    floor = floor_of([], {}, plan=PLAN.replace("base = 5000000", "base = 1000000"))
    floor.ask(MoveMoney("estelar", "house", "main", 4_000_000, "Res. 7", ANA, DORA))
    floor.play("DP-01", {1: 1, 2: 1}, [Hand(1, cards=ROYAL)])
    floor.play("TX-01", {3: 1}, [Hand(3, cards=("As", "Ks"))], ("Qs", "Js", "Ts"))
    full = Hand(2, cards=("8h", "8d", "8c", "9h", "9d"))
    [corrected] = floor.ask(CorrectClaim("DP-01", 2, (full,), "era otra mano", DORA, ANA, (), "G-9"))
    [again] = corrected.resettled

    told = explain(floor.record, f"TX-01/1/1/{again.awards[0].number}")

    assert "Antes que esta jugada, el pozo pagó DP-01/2/1, que no era como se registró: «era otra mano»." in told
    assert "ya se le reconocían $ 1.000.720." in told and "NO CUADRA" not in told
    assert "la casa le debe la diferencia" in explain(floor.record, str(numbers_of(floor.record, ClaimCorrected)[0]))
    assert "al corregir el pase: «era otra mano»" in explain(floor.record, "DP-01/2/1/1")


def test_a_debt_without_term_says_who_set_it_aside():
    floor = floor_of([color(1)], {1: 1})
    floor.ask(SetAside("DP-01/1/1/1", "no volvió", DORA, ANA))
    [aside] = numbers_of(floor.record, AwardSetAside)

    assert "Apartado sin plazo por dora y ana: no se halló a quien lo ganó: «no volvió»" in explain(
        floor.record, "DP-01/1/1/1"
    )
    assert "La casa sigue debiendo $ 50.000, sin término." in explain(floor.record, str(aside))


def test_what_the_first_reading_undid_or_added_is_explained_as_it_was():
    """Facts of these kinds stand in records for ever, though no act makes them any more."""
    floor = floor_of([color(1)], {1: 1, 2: 1})
    late = RegisteredAward(2, 2, "full", 100_000, {}, 100_000, ("R-34",))
    floor.write(
        LateRegistered("DP-01/1/1", "estelar", "central", (), (Hand(2, claimed="full"),), (late,), "dora", "ana")
    )
    told = explain(floor.record, "DP-01/1/1/2")
    assert "la casa, como anticipo, $ 100.000 (R-34)" in told and "NO CUADRA" not in told

    floor = floor_of([color(1)], {1: 1})
    floor.write(ClaimRejected("DP-01/1/1", "estelar", "central", 50_000, Flow({"main": 50_000}), "otra", "dora", "ana"))
    [rejected] = numbers_of(floor.record, ClaimRejected)
    told = explain(floor.record, str(rejected))
    assert "había salido de: principal $ 50.000 (R-18)." in told
    assert "Suma: $ 50.000; retenido: $ 50.000." in told
    assert "Rechazado por dora y ana, con todos los premios del pase: «otra»" in explain(floor.record, "DP-01/1/1/1")
    record = changed(floor.record, rejected, flow=Flow({"main": 60_000}, -10_000), overflow=5)
    told = explain(record, str(rejected))
    assert "La casa pone $ 10.000 (R-21)." in told and "De ello pasan el tope $ 5" in told


def test_a_draw_before_and_after_its_seed_is_known():
    floor = Floor(PLAN + PRIZES)
    floor.open_day()
    floor.play("DP-01", {2: 1, 5: 3})
    [seat, card, gift, never] = numbers_of(floor.record, Drawn)

    waiting = explain(floor.record, str(seat))
    floor.close_day()

    assert "La semilla se revela al cerrar la jornada" in waiting and "Semilla revelada" not in waiting
    told = [explain(floor.record, str(seq)) for seq in (seat, card, gift, never)]
    assert all("SHA-256 de ella" in one and one.count(": cuadra.") >= 2 and "NO CUADRA" not in one for one in told)
    assert "La posición: la del número bajo 2 de E/seat" in told[0] and "salió la carta" in told[1]
    assert "Momento: " in told[2] and "/estelar/Regalo/moment" in told[2]
    assert "de 4.000.000.000: no toca: cuadra." in told[3]


def test_a_draw_of_a_day_that_was_renamed_is_told_under_its_first_name():
    floor = Floor(PLAN + PRIZES)
    floor.open_day()
    floor.ask(RenameDay("2026-11-02", "era mañana", DORA, ANA))
    floor.play("DP-01", {2: 1, 5: 3})
    [seat, _, gift, _] = numbers_of(floor.record, Drawn)
    floor.close_day()

    told = [explain(floor.record, str(seq)) for seq in (seat, gift)]

    assert all("SHA-256 de ella" in one and "NO CUADRA" not in one for one in told)
    assert "2026-11-01/estelar/Regalo/moment" in told[1]


def test_r30_a_draw_whose_seed_was_lost_is_told_so():
    floor = Floor(PLAN + PRIZES)
    floor.open_day()
    floor.play("DP-01", {2: 1, 5: 3})
    [seat, *_] = numbers_of(floor.record, Drawn)
    floor.ask(LoseSeed("", "se rompió el disco", DORA, ANA))
    floor.close_day()

    told = explain(floor.record, str(seat))

    assert "La semilla se perdió, y dos personas lo declararon (dora y ana): se rompió el disco" in told
    assert "Este sorteo ya no se puede comprobar (R-30)." in told and "Semilla revelada" not in told
    [lost] = numbers_of(floor.record, SeedLost)
    assert "sus sorteos ya no se pueden comprobar" in explain(floor.record, str(lost))


def test_a_draw_that_was_falsified_is_told_so():
    floor = Floor(PLAN + PRIZES)
    floor.open_day()
    floor.play("DP-01", {2: 1, 5: 3})
    floor.close_day()
    [seat, card, *_] = numbers_of(floor.record, Drawn)
    was = facts_in(floor.record)[seat - 1].fact

    other = explain(changed(floor.record, seat, seat=7 - was.seat), str(seat))
    no_plan = explain(changed(floor.record, card, prize="Otro"), str(card))

    assert "¡NO CUADRA!" in other
    assert "¡NO CUADRA: falta el premio en el plan o la jornada abierta (R-30)!" in no_plan


@pytest.mark.parametrize("seed", ["zz", "00"])
def test_a_seed_that_is_none_reveals_nothing(seed):
    floor = Floor(PLAN + PRIZES)
    floor.open_day()
    floor.play("DP-01", {2: 1})
    floor.close_day()
    [closed] = numbers_of(floor.record, DayClosed)

    told = explain(changed(floor.record, closed, seed=seed), str(numbers_of(floor.record, Drawn)[0]))

    assert "La semilla se revela al cerrar la jornada" in told


def test_a_refusal_with_its_sentence_and_its_rule(all_of_it):
    told = [explain(all_of_it, str(seq)) for seq in numbers_of(all_of_it, Refused)]

    assert any("Se pidió buy_credits y se rechazó: El PIN de carla no es correcto. (R-27)" in one for one in told)


def test_a_plan_with_every_value_that_changed():
    floor = Floor()
    floor.ask(StagePlan(PLAN.replace("200000", "187500"), floor.law, ANA, BETO))
    first, second = numbers_of(floor.record, PlanTookEffect)

    assert "Pozo nuevo: la casa pone su base, $ 5.000.000 (R-24)." in explain(floor.record, str(first))
    assert "commission_ppm: 200000 pasa a 187500" in explain(floor.record, str(second))
    record = changed(floor.record, second, changes=(Change("pot.ceiling", "", "9"), Change("x", "1", "")))
    assert "pot.ceiling: nada pasa a 9" in explain(record, str(second)) and "x: 1 pasa a nada" in explain(
        record, str(second)
    )


def test_what_a_pass_won_is_paid_as_was_approved_when_it_was_played():
    """R-26: the plan changed after the rejection, and the pass is claimed anew."""
    floor = floor_of([color(1)], {1: 5})
    floor.ask(RejectClaim("DP-01/1/1", "otra mano", DORA, ANA))
    floor.ask(StagePlan(PLAN.replace("100/2026", "200/2026"), law_with(pays=("times = 50", "times = 60")), ANA, BETO))
    floor.ask(RegisterClaim("DP-01", (color(1),), CARLA, number=1))

    told = explain(floor.record, "DP-01/1/2/1")

    assert "50 × $ 5.000 = $ 250.000 (R-11, R-14)." in told and "N° 100/2026" in told and "NO CUADRA" not in told


def test_wrong_amounts_are_told_wherever_they_stand():
    floor = floor_of([color(1), Hand(2, cards=STRAIGHT_FLUSH)], {1: 1, 2: 1})
    [sealed], [claim] = numbers_of(floor.record, PassSealed), numbers_of(floor.record, ClaimRegistered)
    fact = facts_in(floor.record)[claim - 1].fact
    wrong = tuple(msgspec.structs.replace(award, amount=award.amount + 7, house=7) for award in fact.awards)
    bets = facts_in(floor.record)[sealed - 1].fact.bets
    record = changed(
        changed(floor.record, claim, awards=wrong),
        sealed,
        bets=tuple(msgspec.structs.replace(bet, commission=1) for bet in bets),
    )

    assert "¡NO CUADRA: el registro dice 50.007!" in explain(record, "DP-01/1/1/1")
    assert "¡NO CUADRA" in explain(record, "DP-01/1/1/2")
    assert "¡NO CUADRA: el registro dice 1!" in explain(record, str(sealed))


def test_cards_that_make_something_else_and_a_prize_no_law_pays():
    floor = floor_of([Hand(1, cards=("2h", "4h", "6h", "8h", "Th"))], {1: 1})
    [claim] = numbers_of(floor.record, ClaimRegistered)
    fact = facts_in(floor.record)[claim - 1].fact
    as_full = explain(
        changed(floor.record, claim, awards=(msgspec.structs.replace(fact.awards[0], prize="full"),)), "DP-01/1/1/1"
    )
    as_luck = explain(
        changed(floor.record, claim, awards=(msgspec.structs.replace(fact.awards[0], prize="escalera"),)), "DP-01/1/1/1"
    )

    assert "hacen Color (R-10). ¡NO CUADRA: se registró Full!" in as_full
    assert "¡NO CUADRA: el reglamento no paga Escalera (R-11)!" in as_luck


def test_r29_a_promotional_prize_is_explained_like_any_award(all_of_it):
    promotional = [one.fact for one in facts_in(all_of_it) if isinstance(one.fact, PrizeGranted) and one.fact.promo]

    assert promotional
    for fact in promotional:
        told = explain(all_of_it, f"{fact.claim}/1")
        assert f"PREMIO {fact.claim}/1: {fact.prize}" in told and f"posición {fact.seat}." in told
        assert "El sorteo" in told and "en créditos promocionales" in told
        assert "De la casa, en créditos promocionales: de ningún pozo" in told
        assert fact.held or "no hay nada que confirmar ni pagar (R-29" in told
        assert "NO CUADRA" not in told


def test_a_promotional_prize_is_given_at_once(all_of_it):
    told = [explain(all_of_it, str(seq)) for seq in numbers_of(all_of_it, PrizeGranted)]

    assert any("En créditos promocionales de la casa" in one for one in told)
    assert any("Sale de: reserva0 $ 3.200; la casa $ 16.800 (R-18)." in one for one in told)


def test_training_is_told_without_a_plan():
    floor = Floor()
    floor.open_day()
    floor.play("TX-01", {1: 1})
    train(floor)
    training = numbers_of(floor.record, PassSealed)[-1]

    assert "Es entrenamiento: su reparto no se explica aquí." in explain(floor.record, str(training))


def test_an_award_of_hand_made_facts():
    """No pass, no claim before, a plan without such a prize: told as far as it goes."""
    law = (shelf() / "rulesets" / "scj-2023.toml").read_text()
    record = record_of(
        NodeFounded("caja-1", "k", ("ana", "beto")),
        PlanTookEffect("estelar", PLAN, law, "Res. 1", "ana", "beto", "central", base_put_in=5_000_000),
        DayOpened("d", "", "dora"),
        PrizeGranted("DP-01/1/p1", "DP-01", 1, "estelar", "central", "Fama", 2, 9, Flow({"main": -9})),
        ClaimRegistered(
            "DP-01/2/1", "DP-01", 2, "estelar", "central", (), (), Levels(10, 5), (RegisteredAward(1, 3, "color", 0),), (), Levels(10, 5), "carla"
        ),
    )  # fmt: skip

    assert "principal $ 9; suma $ 9." in explain(record, "DP-01/1/p1/1")
    assert "de nadie: el premio es cero; suma $ 0." in explain(record, "DP-01/2/1/1")


@pytest.mark.parametrize("closed", ["", "x" * 64])
def test_a_fingerprint_that_is_none_is_told_so(closed):
    floor = Floor(PLAN + PRIZES)
    floor.open_day()
    floor.play("DP-01", {2: 1})
    [draw, *_] = numbers_of(floor.record, Drawn)

    assert "¡NO CUADRA: falta" in explain(changed(floor.record, draw, closed=closed), str(draw))


def test_a_late_award_without_its_claim_is_told_as_far_as_it_goes():
    late = LateRegistered(
        "DP-01/1/1", "estelar", "central", (), (), (RegisteredAward(1, 3, "color", 50, {}, 50),), "dora", "ana"
    )
    law = (shelf() / "rulesets" / "scj-2023.toml").read_text()
    plan = PlanTookEffect("estelar", PLAN, law, "Res. 1", "ana", "beto", "central")

    told = explain(record_of(NodeFounded("caja-1", "k", ("ana", "beto")), plan, late), "DP-01/1/1/1")

    assert "50 × $ 0 = $ 0 (R-11, R-14). ¡NO CUADRA: el registro dice 50!" in told


def test_what_is_not_there():
    record = evening().record
    with pytest.raises(ReportRefused, match=r"No hay un hecho 999; hay del 1 al 90\."):
        explain(record, "999")
    with pytest.raises(ReportRefused, match=r"Los hechos se numeran desde el 1\."):
        explain(record, "0")
    with pytest.raises(ReportRefused, match="No hay un premio 9999"):
        explain(record, "9" * 5_000)
    with pytest.raises(ReportRefused, match=r"No hay un premio X/1; hay: DP-01/1/1/1"):
        explain(record, "X/1")
    with pytest.raises(ReportRefused, match=r"Este registro está vacío\."):
        explain(record_of(), "1")


def test_money_moved_is_told_field_by_field():
    floor = Floor()
    floor.ask(MoveMoney("estelar", "house", "main", 500, "Res. " + "9" * 400, ANA, DORA))
    told = explain(floor.record, str(len(floor.record.rows)))

    assert "   amount: 500\n" in told and "…" in told and "suman $ 0" in told
