"""R-37, R-4, R-6 on a running node with its devices: a unit that lies, chips over the maximum, lamps that a croupier sees.

Units, lamps and sign are simulated on real ports, the program is the one that is installed. What a person reads comes
from `pozo ctl`.
"""

import subprocess

import pytest

from controller.node.vocabulary.protocol import Deed
from support.evening.evening_draw import DAY
from support.evening.evening_house import ANA, BY, CARLA, JEFE, House, ask, opened, table_of, until
from support.node.node_process import POZO

pytestmark = pytest.mark.process


@pytest.fixture
def house():
    with opened() as made:
        yield made


def doubted(house: House, table: str, seat: int) -> str:
    """The sentence of the alarm, once the seat's unit is not believed."""
    where = f"{table}/{seat}"
    view = house.until(lambda view: any((one.where, one.rule) == (where, "R-37") for one in view.alarms))
    return next(one.sentence for one in view.alarms if (one.where, one.rule) == (where, "R-37"))


def counted(house: House, table: str, seat: int, credits_: int) -> None:
    """Two persons, and then somebody opens."""
    assert house.refuses(ask.OpenSeat(table, seat, BY), JEFE) == "seat_uncounted"
    house.told("contar", table, str(seat), str(credits_), by=JEFE, second=ANA)
    assert house.told("abrir-posicion", table, str(seat), by=JEFE)[-1] == f"Mesa {table}, posición {seat}: abierta."


def a_million_chips_on_a_unit_without_a_slot_are_no_debt(house: House) -> None:
    """Issue 13, 16: this was a bet of 5,000 and a debt of 999,995,000, which one croupier paid out."""
    desk = house["DP-01"]
    house.up("DP-01")
    house.do(Deed.OPEN_DAY, JEFE, day=DAY)
    for seat in (1, 2, 3):
        house.ask(ask.BuyCredits("DP-01", seat, 5, BY), CARLA)
    until(lambda: [desk.seat(number).shows for number in (1, 2, 3)], ["5", "5", "5"])
    desk.do("console unlock")
    house.open("DP-01")
    desk.bet({1: 1, 2: 1})
    desk.do("seat 2 miscount chips 1000000")
    sentence = doubted(house, "DP-01", 2)

    assert sentence.startswith("Mesa DP-01, posición 2: no se le cree a su aceptor")
    (fact,) = house.facts("device_disbelieved")
    assert (fact["seat"], fact["why"], fact["device"]["chips"]) == (2, "no_slot", 1_000_000)
    assert not house.facts("chips_fell") and not any(name.startswith("owed:") for name in house.balances())
    assert house.core_seat("DP-01", 2).bet == 0, "the bet that stood went back"
    assert any("CERRADA (fichas en un aceptor sin ranura" in line for line in house.told("estado", "DP-01"))
    until(lambda: desk.lit, {1})
    desk.bet({3: 1})


def the_others_play_on_and_two_persons_count(house: House) -> None:
    desk = house["DP-01"]
    desk.do("console lock")
    house.phase("DP-01", "sealed")
    assert [bet["seat"] for bet in house.facts("pass_sealed")[-1]["bets"]] == [1, 3]
    counted(house, "DP-01", 2, 5)
    assert house.facts("seat_counted")[-1]["found"] == house.facts("seat_counted")[-1]["booked"] == 5_000
    desk.do("console unlock")
    house.open("DP-01")
    until(lambda: desk.seat(2).shows, "5")
    desk.bet({2: 1})


def a_jump_of_the_bets_is_no_bet_and_the_unit_shows_the_book_again(house: House) -> None:
    desk = house["DP-01"]
    desk.do("seat 3 miscount bets 1000000")
    doubted(house, "DP-01", 3)
    assert not house.facts("bet_refused")
    desk.do("console lock")
    house.phase("DP-01", "sealed")
    counted(house, "DP-01", 3, 4)
    view = house.until(lambda view: any(alarm.where == "DP-01/3" for alarm in view.alarms))
    assert any("no cuadran" in alarm.sentence for alarm in view.alarms), "it is a million below nothing"
    desk.do("unit 3 forget", "unit 3 reboot")
    house.until(lambda view: len(house.facts("device_adopted")) and view.seq)
    until(lambda: house.facts("device_adopted")[-1]["device"]["epoch"], lambda epoch: epoch > 0)
    house.up("DP-01")
    house.told("abrir-posicion", "DP-01", "3", by=JEFE)
    until(lambda: desk.seat(3).shows, "4")


def a_memory_that_went_back_before_our_eyes_is_counted_and_plays_on(house: House) -> None:
    """N4: counted and opened, it was closed again four milliseconds later, for ever."""
    desk = house["DP-01"]
    has = house.core_seat("DP-01", 1).credits
    desk.do("seat 1 miscount loaded -1")
    doubted(house, "DP-01", 1)
    assert house.facts("device_disbelieved")[-1]["why"] == "forgot"
    counted(house, "DP-01", 1, has)
    house.up("DP-01")
    until(lambda: desk.seat(1).shows, str(has))
    assert not house.core_seat("DP-01", 1).closed


def what_went_back_while_the_node_was_down_is_found(house: House) -> None:
    """Over a restart of the node the record is what the next image is judged by."""
    code, _ = house.end()
    assert code == 0
    house["DP-01"].do("seat 1 miscount voided -1", "unit 1 reboot")
    house.start()
    doubted(house, "DP-01", 1)
    assert {fact["why"] for fact in house.facts("device_disbelieved")} >= {"went_back"}
    counted(house, "DP-01", 1, house.core_seat("DP-01", 1).credits)
    house.until(lambda view: not any(alarm.rule == "R-37" for alarm in view.alarms))


def a_croupier_sees_the_lamps_of_the_slots(house: House) -> None:
    """R-6: ccTalk cannot say whether its lamp is lit."""
    desk = house["CP-01"]
    house.up("CP-01")
    assert house.told("prueba-luces", "CP-01", by=CARLA) == ["Mesa CP-01: prueba de luces."]
    told = house.told("luces", "CP-01", "7", by=CARLA)
    assert told == [
        "Mesa CP-01, posición 7: cerrada (luz).",
        "Mesa CP-01: luces miradas, apagadas en 7, que quedan cerradas.",
    ]
    house.do(Deed.UNLOCK, CARLA, table="CP-01")
    until(lambda: desk.seat(1).gate, "open")
    for seat in (1, 2, 3):
        desk.drop(seat, 1)
    house.until(lambda view: all(seat.bet for seat in table_of(view, "CP-01").seats[:3]))
    until(lambda: desk.lit, {1, 2, 3})
    assert house.told("luz-apagada", "CP-01", "2", by=CARLA) == [
        "Mesa CP-01, posición 2: luz apagada; la apuesta vuelve y la posición se cierra."
    ]
    until(lambda: desk.lit, {1, 3})
    (owed,) = house.ask(ask.PayOwed("CP-01", 2, BY), CARLA)
    assert (owed["amount"], owed.get("told", "")) == (1_000, ""), "R-4: it was within the limits"
    house.ask(ask.Lock("CP-01", BY), CARLA)
    house.phase("CP-01", "sealed")

    assert house.facts("locked")[-1]["attested"] == [1, 3]
    seen = {fact["seen_by"] for fact in house.facts("lamp_changed") if fact["table"] == "CP-01"}
    assert seen == {"croupier"}
    assert {fact["seen_by"] for fact in house.facts("lamp_changed") if fact["table"] == "DP-01"} == {"sensor"}
    assert house.refuses(ask.LampDark("CP-01", 1, BY), CARLA) == "lamp_after_lock"
    assert house.told("anular-mano", "CP-01", "1", "luz apagada", by=CARLA)[0].startswith("Anulado la mano")


def the_record_and_the_report_say_it(house: House) -> None:
    code, _ = house.end()
    assert code == 0
    assert house.verify().startswith("BIEN"), house.verify()
    command = [POZO, "report", "day", DAY, house.record]
    text = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
    assert "Unidades a las que no se les creyó (R-37)" in text
    assert "Pruebas de luces, por mesa (R-6)" in text and "Mesas sin prueba de luces" not in text


def test_a_device_s_word_is_bounded_and_a_croupier_s_eyes_are_on_record(house):
    house.start()
    for step in (
        a_million_chips_on_a_unit_without_a_slot_are_no_debt,
        the_others_play_on_and_two_persons_count,
        a_jump_of_the_bets_is_no_bet_and_the_unit_shows_the_book_again,
        a_memory_that_went_back_before_our_eyes_is_counted_and_plays_on,
        what_went_back_while_the_node_was_down_is_found,
        a_croupier_sees_the_lamps_of_the_slots,
        the_record_and_the_report_say_it,
    ):
        try:
            step(house)
        except Exception as failure:
            failure.add_note(f"in the step: {step.__name__}")
            failure.add_note("the node's last words:\n" + "".join(house.last_words()))
            raise
