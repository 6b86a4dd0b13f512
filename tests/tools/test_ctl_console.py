"""The live console: what is typed and pressed, what is seen, who signs."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.values import Phase
from controller.core.view import Alarm, AwardView, Light, SeatView
from controller.ctl.award_orders import labels
from controller.ctl.console import TableConsole
from controller.ctl.dialog import help_of
from controller.ctl.intent import Misspoken, OrderPlace, make
from controller.ctl.orders import BY_NAME, ORDERS
from controller.ctl.picture import picture
from controller.node.control.client import Client
from controller.node.vocabulary.guesses import Guesser
from controller.node.vocabulary.protocol import Health, SeatNow, UnitNow
from drivers.punctual import micros
from support.node import ctl_engine, demo_views
from support.node.ctl_engine import PINS
from support.node.straight import F2, F3, F4, F5, F6, F7, Straight, seen, typed

pytestmark = pytest.mark.process


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


@pytest.fixture
def desk(node):
    with Client(node.control_folder) as client:
        yield TableConsole(Straight(node, client), "M1", lambda: None)


def test_a_croupier_opens_with_a_key_and_signs_once(desk, node):
    typed(desk, F2, "carla", "333333", "cr 1 4", "cr 3 20")

    assert "A B I E R T A" in seen(desk)
    assert "posición 3: $ 10.000 en créditos" in seen(desk)
    assert node.book.state.tables["M1"].seat(1).credits == 2_000


def test_an_order_typed_while_the_node_still_answers_comes_next(desk, node):
    typed(desk, F2, "carla", "333333")
    desk.press(b"cr 1 4\rcr 3 20\r")
    assert desk.busy and "después: cr 3 20" in seen(desk)
    desk.node.answered()
    desk.node.answered()

    assert [node.book.state.tables["M1"].seat(number).credits for number in (1, 3)] == [2_000, 10_000]


def test_an_order_that_waits_is_dropped_by_esc_and_when_the_node_is_silent(desk, node):
    typed(desk, F2, "carla", "333333")
    desk.press(b"cr 1 4\rcr 3 20\r")
    desk.press(b"\x1b")
    desk.node.answered()
    desk.node.answered()
    desk.press(b"cr 1 4\rcr 5 20\r")
    desk.node.waiting[:] = [(desk.heard, "el nodo no responde")]
    desk.node.answered()
    desk.node.answered()

    assert [node.book.state.tables["M1"].seat(number).credits for number in (3, 5)] == [0, 0]


def test_a_pin_is_never_seen_and_never_comes_back_with_the_arrow_keys(desk):
    typed(desk, F2, "carla")
    desk.press(b"333333")

    assert "333333" not in seen(desk)
    assert "••••••" in seen(desk)
    typed(desk, b"\r")
    for _ in range(5):
        desk.press(b"\x1b[A")
        assert "3333" not in seen(desk)


def test_a_wrong_pin_is_asked_for_again(desk, node):
    typed(desk, F2, "carla", "999999")
    assert "no es correcto" in seen(desk)

    typed(desk, F2, "carla", "333333")

    assert "A B I E R T A" in seen(desk)


def test_another_person_signs_after_usuario(desk, node):
    typed(desk, F2, "carla", "333333", "usuario jefe", "cerrar", "444444")

    assert node.asked[-1].input.by.person == "jefe"


def test_a_table_that_closes_says_whom_it_waits_for(desk, node):
    typed(desk, F2, "carla", "333333", "cr 1 4")
    node.during(lambda: node.press("M1", 1, 2))
    typed(desk, F3)
    node.during(lambda: node.prove("M1", 2, 3, 4, 6))

    assert "C E R R A N D O" in seen(desk)
    assert "faltan 1, 5" in seen(desk)
    node.during(lambda: node.prove("M1", 1, 5))
    assert "C E R R A D A" in seen(desk)


def sealed(desk, node):
    typed(desk, F2, "carla", "333333", "cr 1 4", "cr 3 20")
    node.during(lambda: node.press("M1", 1, 2))
    node.during(lambda: node.press("M1", 3, 10))
    typed(desk, F3)
    node.during(lambda: node.prove("M1"))


def test_hands_are_shown_before_they_are_anybodys(desk, node):
    sealed(desk, node)
    typed(desk, "m 3 full; 1 Ap Kp Qp Jp 10p")

    assert "A♠ K♠ Q♠ J♠ 10♠" in seen(desk)
    assert not node.book.state.claims
    typed(desk, "n")
    assert not node.book.state.claims
    typed(desk, F4 + b"3 full\r", "")
    assert "M1/1/1" in node.book.state.claims


def test_r32_a_hand_of_who_folded_is_asked_about_once_more_and_then_unpaid(desk, node):
    sealed(desk, node)
    typed(desk, "m 1 full; 3 full retirado", "")
    assert "La posición 3 se retiró: no cobra del pozo, tenga lo que tenga (R-8)." in seen(desk)
    assert "¿Anotarlo así?" in seen(desk)
    typed(desk, "")
    assert not node.book.state.claims, "Enter is no"

    typed(desk, "m 1 full; 3 full retirado", "", "s")

    assert [one.granted.seat for one in node.book.state.claims["M1/1/1"].awards.values()] == [1]
    assert "posición 3: no cobra, se retiró" in seen(desk)


def test_r32_an_act_that_loses_nothing_or_a_seat_that_is_only_listed_is_not_asked_about(desk, node):
    sealed(desk, node)
    typed(desk, "m 1 full; 3 retirado", "")

    assert "M1/1/1" in node.book.state.claims


def test_r32_the_neighbour_of_the_winner_is_refused_and_the_seats_that_bet_are_named(desk, node):
    sealed(desk, node)
    typed(desk, "m 2 full", "")

    assert not node.book.state.claims
    assert "La posición 2 no apostó en este pase: no se anotó nada." in seen(desk)
    assert "Apuesta válida tienen: 1, 3." in seen(desk, width=160)
    typed(desk, "m 3 full", "")
    assert "M1/1/1" in node.book.state.claims


def test_a_claim_that_pays_nobody_says_so_and_why(desk, node):
    sealed(desk, node)
    typed(desk, "m 3 retirado; 5 retirado", "")

    assert "NADIE COBRA" in seen(desk)
    for why in ("3: no cobra, se retiró", "5: no cobra, no apostó", "1: no cobra, no se le anotó jugada"):
        assert f"posición {why}" in seen(desk)
    assert any(cell.style == "refused" for row in desk.rows(80, 24) for cell in row if "NADIE" in cell.text)


def test_awards_stand_in_paying_order_and_are_named_by_their_number(desk, node):
    sealed(desk, node)
    typed(desk, "m 1 Ap Kp Qp Jp 10p; 3 full", "", F6 + b"1\r", "jefe", "444444", "p 1")

    claim = node.book.state.claims["M1/1/1"]
    assert [held.paid for held in claim.awards.values()] == [True, False]
    assert "Escalera Real" in seen(desk)


def test_an_award_keeps_its_name_while_others_are_paid(desk, node):
    sealed(desk, node)
    typed(desk, "m 1 Ap Kp Qp Jp 10p; 3 full", "", "k 1", "jefe", "444444", "p 1", "k 1")

    claim = node.book.state.claims["M1/1/1"]
    assert not claim.awards["M1/1/1/2"].confirmed, "what was number 1 is gone, and 2 is not it"
    assert "No hay un premio 1" in seen(desk)
    typed(desk, "k 2", "jefe", "444444")
    assert node.book.state.claims["M1/1/1"].awards["M1/1/1/2"].confirmed


def test_awards_of_two_passes_are_told_apart(node):
    def award(name):
        return AwardView(name, "M1", 1, "full", 1, False, False)

    awards = [award("M1/1/1/1"), award("M1/2/1/1"), award("M1/2/1/2")]

    assert list(labels(awards).values()) == ["1/1/1", "2/1/1", "2"]
    view = node.view()
    place = OrderPlace("M1", replace(view, pots=(replace(view.pots[0], awards=tuple(awards)),)))
    assert make(BY_NAME["k"], place, ["2/1/1"]).input.award == "M1/2/1/1"
    with pytest.raises(Misspoken, match="varios"):
        make(BY_NAME["k"], place, ["1"])


def test_two_who_must_sign_sign_both_and_the_second_anew_each_time(desk, node):
    typed(desk, "contar 1 3", "jefe", "444444", "jefa", "555555", "contar 2 3", "jefe", "444444", "jefa")
    desk.press(b"\x1b")

    assert node.book.state.tables["M1"].seat(1).credits == 1_500
    assert node.book.state.tables["M1"].seat(2).credits == 0
    assert "Dejado" in seen(desk)


def facts(node):
    return [json.loads(row.body)["fact"] for row in node.book.store.facts(1)]


def signers(node):
    return [fact["by"] for fact in facts(node) if fact["kind"] in {"award_confirmed", "award_paid", "pass_opened"}]


def test_r26_a_chiefs_signature_serves_one_order_and_does_not_stay(desk, node):
    sealed(desk, node)
    typed(desk, F4 + b"3 full; 1 color\r", "", "k 1", "jefe", "444444", "p 1", F2)

    assert signers(node) == ["carla", "jefe", "carla", "carla"]
    typed(desk, "k 2", "")
    assert "Sin una firma no se pidió nada." in seen(desk)


def test_all_awards_on_the_list_are_confirmed_and_paid_under_one_pair_of_signatures(desk, node):
    sealed(desk, node)
    typed(desk, F4 + b"3 full; 1 color\r", "", F6 + b"\r", "jefe", "444444")
    assert all(held.confirmed for held in node.book.state.claims["M1/1/1"].awards.values())

    typed(desk, F7 + b"\r")
    assert desk.question.text.startswith("Premios 1: $ 50.000; 2: $ 500.000. ¿Se entregaron?")
    typed(desk, "", F7 + b"\r", "s")
    assert all(held.paid for held in node.book.state.claims["M1/1/1"].awards.values())
    typed(desk, F7 + b"\r")
    assert "No hay premios por pagar" in seen(desk)


def test_r20_what_a_winner_was_advanced_is_not_handed_again(node):
    def award(name, **more):
        return AwardView(name, "M1", 1, "full", 500_000, True, False, **more)

    view = node.view()
    awards = (award("M1/1/1/1", advanced=200_000), award("M1/1/1/2", promo=True), award("M1/1/1/3", frozen=True))
    place = OrderPlace("M1", replace(view, pots=(replace(view.pots[0], awards=awards),)))

    paid = make(BY_NAME["p"], place, [])
    assert paid.asks == "Premios 1: $ 300.000; 2: $ 500.000 en créditos. ¿Se entregaron?"
    assert [one.award for one in (paid.input, *paid.more)] == ["M1/1/1/1", "M1/1/1/2"]


def test_what_is_refused_ends_an_order_for_several(desk, node):
    typed(desk, F2, "carla", "333333", "cr 1,9,3 4")

    assert [node.book.state.tables["M1"].seat(seat).credits for seat in (1, 3)] == [4 * 500, 0]


def test_credits_are_sold_to_several_seats_and_what_is_much_is_asked_about(desk, node):
    typed(desk, F2, "carla", "333333", "cr 1,3 4", "cr 3 2000")
    assert "¿Seguro?" in desk.question.text
    typed(desk, "", "cr 3 2000", "s")

    assert [node.book.state.tables["M1"].seat(seat).credits for seat in (1, 3)] == [4 * 500, 2_004 * 500]


def test_no_credits_are_sold_to_a_slot(node):
    view = replace(node.view(), units=(UnitNow("m", 3, "M1", "cctalk", (2, 3), Health.UP),))

    with pytest.raises(Misspoken, match="La posición 3 toma fichas"):
        make(BY_NAME["cr"], OrderPlace("M1", view), ["1,3", "4"])


def test_a_pass_with_a_full_and_a_color_takes_at_most_65_keys(desk, node):
    """Of 102: open, credits for three, lock, two winners, confirmed and paid, the next pass."""
    typed(desk, "usuario carla", "cp 2 luz", "333333")
    opened = [F2, F5 + b"1,3,5 20\r"]
    typed(desk, *opened)
    node.during(lambda: node.press("M1", 1, 2))
    node.during(lambda: node.press("M1", 3, 10))
    typed(desk, F3)
    node.during(lambda: node.prove("M1"))
    ended = [F4 + b"3 full;1 color\r", "", F6 + b"\r", "jefe", "444444", F7 + b"\r", "s", F2]
    typed(desk, *ended)

    awards = node.book.state.claims["M1/1/1"].awards.values()
    assert len(awards) == 2 and all(held.paid for held in awards) and node.book.state.tables["M1"].number == 2
    assert sum(map(keys, [*opened, F3, *ended])) <= 65


def keys(typed_):
    """What a hand presses: a function key is one, and a line ends with Enter."""
    if isinstance(typed_, str):
        return len(typed_) + 1
    return next((1 + len(typed_) - len(key) for key in (F2, F3, F4, F5, F6, F7) if typed_.startswith(key)), len(typed_))


def test_an_order_that_is_no_order_asks_nothing(desk, node):
    typed(desk, "abrri", "cr uno 2", "mesa M9", "m")

    assert "«abrri» no se conoce" in seen(desk)
    assert not node.asked


def test_a_pin_that_nobody_asked_for_is_not_shown(desk, node):
    typed(desk, "usuario carla", "333333")

    assert "333333" not in seen(desk) and "parece un PIN" in seen(desk)
    desk.press(b"\x1b[A")
    assert "333333" not in seen(desk)
    assert not node.asked


def test_letters_of_spanish_are_typed(desk, node):
    typed(desk, "usuario jefe", "cp 2 lámpara del ñandú", "444444")

    assert node.book.state.tables["M1"].seat(2).closed == "lámpara del ñandú"
    assert "CERRADA" in seen(desk)


def test_tab_shows_the_other_table(desk):
    desk.press(b"\t")

    assert desk.dialog.table == "M2"
    assert seen(desk).count("▗▄▄▖") == 7


def test_a_node_that_falls_silent_is_said_large_and_nothing_is_asked(desk, node):
    desk.node.silent = True
    typed(desk, F2)

    assert "S I N   N O D O" in seen(desk)
    assert not node.asked


def test_whoever_leaves_the_console_leaves_no_pin(desk, node):
    typed(desk, F2, "carla", "333333")
    desk.dialog.forget()
    typed(desk, "cr 1 4")

    assert "¿Quién es usted?" in seen(desk)


def test_whoever_must_wait_is_told_how_long_and_is_asked_anew(desk, node):
    """R-27: the PIN that was not looked at is not kept as if it were right."""
    for _ in range(8):
        node.control._proofs._guesses.was_wrong(Guesser(os.geteuid()), "carla", micros())
    typed(desk, F2, "carla", "333333")
    assert re.search(r"Espere 3\d segundos: hubo PIN equivocados", seen(desk))

    typed(desk, "cr 1 4")
    assert "¿Quién es usted?" in seen(desk)


def test_the_help_of_the_frequent_orders_fits_a_small_terminal(desk):
    typed(desk, "ayuda")

    told = seen(desk)
    assert all(help_of(order) in told for order in ORDERS if order.short)


def test_sixty_columns_show_every_seat_of_seven_and_what_is_the_matter_with_it():
    seats = [SeatView(n, Light.OFF, False, True, 1_500, 0, 0, 0, 0, "") for n in range(1, 7)]
    seats.append(SeatView(7, Light.STEADY, False, True, 0, 0, 5_000, 700, 0, ""))
    now = [SeatNow("DP-01", 3, Health.DOWN, True, "dark", "none", 0)]
    rows = picture(demo_views.view(Phase.OPEN, seats=seats, now=now), "DP-01", "carla", 60, 12, silent=False)
    told = ["".join(cell.text for cell in row) for row in rows]

    assert max(map(len, told)) <= 60
    assert next(line.split() for line in told if " 1 " in line and " 7 " in line) == [str(n) for n in range(1, 8)]
    assert any("S.SEÑAL" in line and "DEBE" in line for line in told)
    assert any(line.split() == ["1500", "cr"] * 6 for line in told) and any("5.000" in line for line in told)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (60, 20), (40, 12), (20, 5)])
def test_every_screen_is_as_large_as_the_terminal(desk, width, height):
    for line in ("", "ayuda", "ayuda todo"):
        typed(desk, line)
        seen(desk, width, height)


def test_what_has_no_room_is_counted(node):
    awards = tuple(AwardView(f"M1/1/1/{n}", "M1", n, "full", 100_000, False, False) for n in range(1, 7))
    alarms = tuple(Alarm(f"M1/{n}", "R-6", f"Mesa M1, posición {n}: cerrada (x).") for n in range(1, 7))
    view = node.view()
    view = replace(view, pots=(replace(view.pots[0], awards=awards),), alarms=alarms)

    rows = picture(view, "M1", "", 80, 17, silent=False)
    text = "\n".join("".join(cell.text for cell in row) for row in rows)

    assert len(rows) <= 17
    assert "PREMIOS" in text and "y 3 más" in text
    assert "▲ 6" in text


def test_seven_seats_of_a_currency_with_cents_fit(node):
    view = node.view()
    sign = replace(view.pots[0], symbol="Bs", decimals=2)
    seats = tuple(replace(seat, bet=1_000_000, credits=10, promo=4) for seat in view.tables[1].seats)
    view = replace(view, pots=(sign,), tables=(view.tables[0], replace(view.tables[1], seats=seats)))

    rows = ["".join(cell.text for cell in row) for row in picture(view, "M2", "", 80, 24, silent=False)]

    assert any(row.count("10.000,00") == 7 for row in rows)
    assert any(row.count("10+4 cr.") == 7 for row in rows)


def test_a_unit_that_is_down_is_an_alarm_with_its_place(node):
    view = node.view()
    units = (replace(view.units[0], health=Health.DOWN, why="aceptor sin respuesta"), *view.units[1:])

    rows = picture(replace(view, units=units), "M1", "", 80, 24, silent=False)

    assert any("aceptor sin respuesta (norte/1)" in "".join(cell.text for cell in row) for row in rows)


def test_in_training_the_screen_says_so(desk, node):
    typed(desk, "usuario carla", "entrenamiento empezar", PINS["carla"], "jefe", PINS["jefe"])

    assert "ENTRENAMIENTO" in seen(desk)


def test_the_program_lives_on_a_terminal_and_leaves_it_as_it_was(node):
    code = "from controller.ctl.command import ctl; ctl(prog_name='pozo ctl')"
    ours, theirs = pty.openpty()
    env = {**os.environ, "POZO_NODE": str(node.control_folder), "TERM": "xterm-256color"}
    run = subprocess.Popen([sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    screen = b""

    def until(words):
        nonlocal screen
        deadline = time.monotonic() + 30
        while words.encode() not in screen and time.monotonic() < deadline:
            if select.select([ours], [], [], 0.2)[0]:
                screen += os.read(ours, 65_536)
        assert words.encode() in screen, screen[-2000:]

    try:
        until("E N T R E")
        os.write(ours, b"abrir\r")
        until("usted?")
        os.write(ours, b"carla\r")
        until("PIN de carla")
        os.write(ours, PINS["carla"].encode() + b"\r")
        until("A B I E R T A")
        assert PINS["carla"].encode() not in screen
        os.write(ours, b"salir\r")
        until("\x1b[?1049l")
        assert run.wait(20) == 0
    finally:
        run.kill()
        run.wait()
        os.close(ours)


def test_an_alarm_of_another_table_is_seen_too(desk, node):
    node.during(lambda: node.say(ask.CloseSeat("M2", 3, "luz rota")))

    assert "Mesa M2, posición 3: cerrada (luz rota)" in seen(desk)
