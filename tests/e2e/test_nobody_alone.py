"""R-36, R-21 on a running node with its devices: a casino with one chief at night, and nobody decides alone.

The croupier and the only chief of the house; units, lamps and sign are simulated on real ports, the program is the one
that is installed. What a person reads comes from `pozo ctl`.
"""

import subprocess

import pytest

from controller.core.values import Hand
from controller.node.vocabulary.protocol import Deed
from support.evening.evening_draw import DAY
from support.evening.evening_house import ANA, BY, CARLA, JEFE, House, ask, opened, pot_of, until
from support.node.node_process import POZO

pytestmark = pytest.mark.process

POKER = ("9c", "9d", "9h", "9s", "2c")
MINE, OTHER = "DP-01/1/1/1", "DP-01/1/1/2"


@pytest.fixture
def house():
    with opened() as made:
        yield made


def a_table_trains_by_two_and_sells_nothing(house: House) -> None:
    desk = house["DP-01"]
    house.up("DP-01")
    house.watch_the_sign()
    assert house.refuses(ask.StartTraining("DP-01", BY, BY), CARLA) == "two_persons_needed"
    assert house.refuses(ask.StartTraining("DP-01", BY, BY), JEFE, CARLA) == "role_missing"
    house.told("entrenamiento", "DP-01", "empezar", by=CARLA, second=JEFE)
    house.sign_says("ENTRENAMIENTO SIN DINERO MESA DP-01")
    told = house.told("creditos", "DP-01", "2", "8", by=CARLA)
    assert told == ["Mesa DP-01, posición 2: $ 8.000 de práctica. ENTRENAMIENTO: no cobre nada."]
    until(lambda: desk.seat(2).shows, "8")
    assert house.balances()["practice:~DP-01"] == -8_000 and not house.balances().get("cash:~DP-01")
    told = house.told("retirar", "DP-01", "2", by=CARLA)
    assert told == ["Mesa DP-01, posición 2: $ 8.000 de práctica retirados. ENTRENAMIENTO: no entregue dinero."]
    house.ask(ask.EndTraining("DP-01", BY), JEFE)
    until(lambda: desk.seat(2).shows, "0")
    assert not any(account.startswith("cash:") for account in house.balances())


def a_pass_is_played(house: House) -> None:
    desk = house["DP-01"]
    house.do(Deed.OPEN_DAY, JEFE, day=DAY)
    for seat in (1, 2, 3):
        house.ask(ask.BuyCredits("DP-01", seat, 5, BY), CARLA)
    until(lambda: [desk.seat(number).shows for number in (1, 2, 3)], ["5", "5", "5"])
    desk.do("console unlock")
    house.open("DP-01")
    desk.bet({1: 1, 2: 1, 3: 2})
    desk.do("console lock")
    house.phase("DP-01", "sealed")


def a_void_after_the_seal_is_entered_at_once_and_cashed_once_the_chief_signed(house: House) -> None:
    """III.3.6.4: the cards are on the table; nobody waits for a chief, and nobody is paid without him."""
    desk = house["DP-01"]
    back = house.told("anular-mano", "DP-01", "3", "carta a la vista", by=CARLA)
    assert back == [
        "Anulado la mano: vuelve a la posición 3 ($ 2.000).",
        "Se puede apostar; se paga en dinero cuando un jefe que no lo anotó firme (firmar POS).",
    ]
    until(lambda: desk.seat(3).shows, "5")
    view = house.until(lambda view: any(alarm.rule == "R-36" for alarm in view.alarms))
    assert [alarm.where for alarm in view.alarms if alarm.rule == "R-36"] == ["DP-01/3"]
    assert house.refuses(ask.CashOut("DP-01", 3, BY), CARLA) == "void_unsigned"
    assert house.refuses(ask.LeaveCredits("DP-01", 3, BY, BY), CARLA, JEFE) == "void_unsigned"
    assert house.refuses(ask.SignVoid("DP-01", 3, BY), CARLA) == "role_missing"
    assert house.refuses(ask.SignVoid("DP-01", 3, BY), ANA) == "role_missing"
    assert house.told("firmar", "DP-01", "3", by=JEFE) == [
        "Mesa DP-01, posición 3: anulación firmada; $ 2.000 se pueden pagar."
    ]
    assert house.told("retirar", "DP-01", "3", by=CARLA) == ["Mesa DP-01, posición 3: entregue $ 5.000 al jugador."]


def the_chief_who_registered_does_not_confirm_alone(house: House) -> None:
    """A Poker has its cards; what is entered on a word says so."""
    assert house.refuses(ask.RegisterClaim("DP-01", (Hand(1, claimed="poker"),), BY), CARLA) == "cards_required"
    house.ask(ask.RegisterClaim("DP-01", (Hand(1, claimed="color"), Hand(2, cards=POKER)), BY), JEFE)
    waiting = [line for line in house.told("estado", "DP-01") if line.startswith("premio ")]
    assert [line.rpartition(" · $ ")[2] for line in waiting] == [
        "50.000 · verificar · sin cartas",
        "500.000 · verificar",
    ]
    assert house.refuses(ask.ConfirmAward(MINE, BY), JEFE) == "confirms_own"
    done = house.told("confirmar", MINE, by=JEFE, second=CARLA)
    assert done == [f"Premio {MINE} confirmado: se puede pagar."]
    house.ask(ask.ConfirmAward(OTHER, BY, BY), JEFE, CARLA)
    (fact,) = [one for one in house.facts("award_confirmed") if one["award"] == MINE]
    assert (fact["by"], fact["second"]) == ("jefe", "carla")


def a_confirmation_does_not_end_the_thirty_minutes(house: House) -> None:
    code, _ = house.end()
    assert code == 0
    house.start(later_minutes=31)
    view = house.until(lambda view: sum(alarm.rule == "R-21" for alarm in view.alarms) == 2)
    assert {alarm.where for alarm in view.alarms if "espera su pago" in alarm.sentence} == {MINE, OTHER}
    assert all(award.overdue and award.confirmed for award in pot_of(view, "estelar").awards)
    for award in (MINE, OTHER):
        house.ask(ask.PayAward(award, BY), CARLA)
    house.until(lambda view: not any(alarm.rule == "R-21" for alarm in view.alarms))
    assert [fact["award"] for fact in house.facts("award_overdue")] == [MINE, OTHER]


def no_file_of_pins_chooses_who_signs_second(house: House) -> None:
    pins = house.place / "pins"
    pins.write_text(f"carla {CARLA.pin}\njefe {JEFE.pin}\n")
    pins.chmod(0o600)
    command = [POZO, "ctl", "--node", house.place / "control", "apartar", "DP-01", "1", "--pin-file", pins]
    alone = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert alone.returncode == 1 and "--segundo" in alone.stderr
    both = subprocess.run([*command, "--segundo", "jefe"], capture_output=True, text=True, timeout=60, check=False)
    assert both.stdout == "Mesa DP-01, posición 1: $ 4.000 apartados.\n", both.stderr
    (left,) = house.facts("credits_left")
    assert (left["by"], left["second"]) == ("carla", "jefe")
    house.told("entregar", "DP-01", "4000", by=CARLA, second=JEFE)
    house.ask(ask.CashOut("DP-01", 2, BY), CARLA)


def the_record_and_the_day_s_report_say_all_of_it(house: House) -> None:
    house.up("DP-01")
    house.ask(ask.ClosePass("DP-01", BY), CARLA)
    house.do(Deed.CLOSE_DAY, JEFE)
    code, _ = house.end()
    assert code == 0
    assert house.verify().startswith("BIEN"), house.verify()
    command = [POZO, "report", "day", DAY, house.record]
    text = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
    page = text[text.index("Lo inusual (R-36): uno por uno") :]
    assert "Premio sin cartas" in page and "DP-01/1" in page and "jefe" in page
    assert "Anulación tras el cierre" in page and "carta a la vista" in page
    (trained,) = [line for line in page.splitlines() if "Entrenamiento" in line]
    assert "carla y jefe" in trained and "$ 8.000" in trained


def test_r36_a_night_with_one_chief(house):
    house.start()
    for step in (
        a_table_trains_by_two_and_sells_nothing,
        a_pass_is_played,
        a_void_after_the_seal_is_entered_at_once_and_cashed_once_the_chief_signed,
        the_chief_who_registered_does_not_confirm_alone,
        a_confirmation_does_not_end_the_thirty_minutes,
        no_file_of_pins_chooses_who_signs_second,
        the_record_and_the_day_s_report_say_all_of_it,
    ):
        try:
            step(house)
        except Exception as failure:
            failure.add_note(f"in the step: {step.__name__}")
            failure.add_note("the node's last words:\n" + "".join(house.last_words()))
            raise
