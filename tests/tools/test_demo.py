"""The demo casino: what its people do next follows from what the node shows; and the real command plays and goes on."""

import re
import signal
import subprocess
import sys
import time
from dataclasses import replace as seen_as
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.values import Phase
from controller.core.view import Alarm
from controller.node.vocabulary.protocol import Deed, Health, Trouble
from controller.play.cards import dealt
from controller.play.chief import Chief
from controller.play.croupier import LOCK_KEY, Croupier, Tempo
from controller.play.news import news
from controller.play.view import Evening, SignPicture, TablePicture, picture
from controller.rules.cards import CARDS, CATEGORIES, Category, classify
from controller.terminal.cells import Cell
from drivers.native.contract import LampDrive
from drivers.session import MILLISECOND, SECOND
from firmware_sim.desk.players import Habits, Players, PlayerView
from support.node.demo_views import award, now_at, reply, seat, seen, unit, view

BUY, LEAVE = Habits(bets=1.0, too_late=0.0, leaves=0.0, buys=(20,)), Habits(leaves=1.0, low=-1)
POZO = Path(sys.executable).with_name("pozo")


def croupier_of(seed=1, habits=BUY, winning=0.0):
    chance = Random(seed)
    made = Croupier("DP-01", 5, Players([1, 2, 3], chance, habits), chance, alone_up_to=250_000)
    made.pace, made.winning = Tempo(20), winning
    return made


PEOPLE = (seen(1), seen(2), seen(3))


def asked_at(croupier, shown, now, people=PEOPLE):
    """What he asks; answered at once."""
    acts, wanted = croupier.turn(shown, people, now)
    if wanted is not None:
        croupier.answered(reply(shown.seq))
    return acts, wanted


# ------------------------------------------------------------------------------------------------------- cards


@given(st.integers(0, 10**6), st.integers(1, 7), st.sampled_from([5, 2]))
def test_what_is_dealt_is_what_it_is_called_and_no_card_is_there_twice(seed, seats, own):
    deal = dealt(range(1, seats + 1), own, Random(seed), 1.0)

    assert 1 <= len(deal.hands) <= 2
    assert len({hand.seat for hand in deal.hands}) == len(deal.hands)
    cards = [card for hand in deal.hands for card in hand.cards] + list(deal.community)
    assert len(set(cards)) == len(cards)
    for hand in deal.hands:
        if hand.cards:
            assert classify(CARDS[card] for card in (*hand.cards, *deal.community)) is not Category.NOTHING
            assert len(hand.cards) == own
        else:
            assert hand.claimed in {"color", "full", "poker"}, "R-32: percentages are shown with their cards"


def test_nobody_wins_where_nobody_bet_and_what_is_planted_comes():
    assert dealt([], 5, Random(1), 1.0).hands == ()
    assert dealt([1], 5, Random(1), 0.0).hands == ()
    (hand,) = dealt([1], 5, Random(1), 0.0, CATEGORIES["escalera_real"]).hands
    assert classify(CARDS[card] for card in hand.cards) is Category.ESCALERA_REAL


# ------------------------------------------------------------------------------------------------------- a croupier


def test_he_sells_credits_and_opens_the_next_pass():
    croupier = croupier_of()
    shown = view(Phase.BETWEEN, seats=[seat(1), seat(2, credits_=9), seat(3, closed="luz")])

    _, first = asked_at(croupier, shown, 0)
    _, second = asked_at(croupier, shown, SECOND)

    assert first.ask == ask.BuyCredits("DP-01", 1, 20, first.ask.by)
    assert (second.do, second.table) == (Deed.UNLOCK, "DP-01")


def test_one_request_at_a_time_and_the_next_when_the_node_shows_what_came_of_it():
    croupier = croupier_of()
    shown = view(Phase.BETWEEN, seats=[seat(1), seat(2)])

    _, first = croupier.turn(shown, [seen(1), seen(2)], 0)
    waiting = croupier.turn(shown, [seen(1), seen(2)], 1)
    croupier.answered(reply(seq=9))
    behind = croupier.turn(shown, [seen(1), seen(2)], 2)
    _, then = croupier.turn(view(Phase.BETWEEN, seats=[seat(1), seat(2)], seq=9), [seen(1), seen(2)], 3)

    assert first is not None and then is not None
    assert waiting == behind == ([], None)


def test_who_comes_back_goes_on_though_the_node_was_put_back_to_before_its_last_answer():
    croupier = croupier_of()
    full = [seat(1, credits_=9)]
    asked_at(croupier, view(Phase.BETWEEN, seats=full), 0)
    croupier.answered(reply(seq=900))
    put_back = view(Phase.BETWEEN, seats=full, seq=850)

    assert [asked_at(croupier, put_back, now * SECOND)[1] for now in (9, 19)] == [None, None]
    croupier.come_back()
    assert [asked_at(croupier, put_back, now * SECOND)[1] for now in (20, 60)][1].do is Deed.UNLOCK


def test_bets_are_taken_when_the_seats_are_open_and_ended_by_the_key():
    croupier = croupier_of()
    shut, open_ = (view(Phase.OPEN, seats=[seat(1)], now=[now_at(1, locked=locked)]) for locked in (True, False))

    asked_at(croupier, shut, 0)
    acts = [(now, act) for now in range(0, 4 * SECOND, 50_000) for act in asked_at(croupier, open_, now)[0]]

    assert [act for _, act in acts if act != LOCK_KEY] and len([act for _, act in acts if act == LOCK_KEY]) == 1
    assert max(now for now, _ in acts) == next(now for now, act in acts if act == LOCK_KEY) >= Tempo(20).bets


def test_bets_that_are_just_being_made_are_awaited_and_not_for_ever():
    """R-5: who locks while lamps blink takes away the bets of the people before him."""
    shown, blinks = view(Phase.OPEN), [seen_as(seen(1), lamp=LampDrive.PENDING)]

    def locks(croupier, people, seconds):
        times = (now * MILLISECOND for now in range(0, 1000 * seconds, 50))
        return [now for now in times if LOCK_KEY in asked_at(croupier, shown, now, people(now))[0]]

    made = locks(croupier_of(), lambda now: blinks if now < 4 * SECOND else PEOPLE, 5)
    stuck = locks(croupier_of(), lambda _: blinks, 6)
    assert made == [4 * SECOND] and stuck == [5 * SECOND]


def test_he_presses_again_what_had_no_effect():
    croupier = croupier_of()
    shown = view(Phase.OPEN)

    times = [now for now in range(0, 9 * SECOND, 100_000) if LOCK_KEY in asked_at(croupier, shown, now)[0]]

    assert len(times) == 3


def test_seats_that_came_back_and_stay_locked_are_opened_again():
    croupier = croupier_of()
    shown = view(Phase.OPEN, seats=[seat(1)], now=[now_at(1, locked=True)])

    wanted = [asked_at(croupier, shown, now)[1] for now in range(0, 5 * SECOND, 500_000)]

    assert [one.do for one in wanted if one] == [Deed.UNLOCK]


def test_winners_are_entered_once_confirmed_by_the_chief_and_paid_in_order():
    croupier = croupier_of(winning=1.0)
    asked_at(croupier, view(Phase.OPEN), 0)
    bets = [seat(1, bet=2000), seat(2)]

    wanted = [
        asked_at(croupier, view(Phase.SEALED, seats=bets), now)[1] for now in (SECOND, 3 * SECOND, 3 * SECOND + 1)
    ]
    claims = [one for one in wanted if one and isinstance(one.ask, ask.RegisterClaim)]
    held = view(Phase.SEALED, seats=bets, awards=[award("DP-01/7/1/1"), award("DP-01/7/1/2", 300_000)])
    later = [asked_at(croupier, held, now)[1] for now in (4 * SECOND, 90 * SECOND)]
    ready = view(Phase.SEALED, seats=bets, awards=[award(confirmed=True)])
    _, paid = asked_at(croupier, ready, 91 * SECOND)

    assert len(claims) == 1 and claims[0].ask.hands[0].seat == 1
    assert isinstance(later[-1].ask, ask.ConfirmAward | ask.RejectClaim) and later[-1].by == "julia"
    assert paid.ask == ask.PayAward("DP-01/7/1/1", paid.ask.by)


def test_a_large_prize_is_confirmed_by_two_and_holds_back_all_behind_it():
    croupier = croupier_of()
    croupier.turn(view(Phase.OPEN), [], 0)
    shown = view(Phase.BETWEEN, awards=[award("a/1/1", 300_000), award("a/1/2", confirmed=True)])

    asked_at(croupier, shown, SECOND)
    _, wanted = asked_at(croupier, shown, 600 * SECOND)

    assert isinstance(wanted.ask, ask.ConfirmAward | ask.RejectClaim)
    assert (wanted.by, wanted.second in {"mario", "ana"}) == ("julia", True)


def test_a_pass_that_he_did_not_see_from_its_beginning_was_entered_by_somebody_else():
    croupier = croupier_of(winning=1.0)

    _, wanted = asked_at(croupier, view(Phase.SEALED, seats=[seat(1, bet=2000)]), 99 * SECOND)

    assert not isinstance(wanted.ask if wanted else None, ask.RegisterClaim)


def test_what_a_slot_took_too_much_is_handed_back_at_once():
    _, wanted = asked_at(croupier_of(), view(Phase.OPEN, seats=[seat(1, owed=2000)]), 0)

    assert wanted.ask == ask.PayOwed("DP-01", 1, wanted.ask.by, "julia")


def test_a_table_that_a_person_takes_over_is_closed_first_and_then_left_alone():
    croupier = croupier_of()
    asked_at(croupier, view(Phase.OPEN), 0)
    croupier.leaving = True

    wanted = [asked_at(croupier, view(Phase.SEALED), now)[1] for now in (SECOND, 3 * SECOND)]
    closed = [asked_at(croupier, view(Phase.BETWEEN), now) for now in (4 * SECOND, 5 * SECOND, 20 * SECOND)]
    croupier.come_back()
    asked_at(croupier, view(Phase.BETWEEN), 30 * SECOND)
    _, again = asked_at(croupier, view(Phase.BETWEEN), 40 * SECOND)

    assert isinstance(wanted[-1].ask, ask.ClosePass)
    assert closed[-1] == ([], None) and again.do is Deed.UNLOCK


def test_before_the_first_pass_he_waits_for_his_seats_but_not_for_ever():
    croupier = croupier_of()
    missing = view(Phase.BETWEEN, units=[unit(Health.STARTING)])

    early = [asked_at(croupier, missing, now)[1] for now in (0, 5 * SECOND)]
    _, late = asked_at(croupier, missing, 40 * SECOND)

    assert early == [None, None] and late.do is Deed.UNLOCK


def test_people_who_go_home_cash_out_and_without_a_day_nothing_happens():
    croupier = croupier_of(habits=LEAVE)
    shown = view(Phase.BETWEEN, seats=[seat(1, credits_=5)])

    assert asked_at(croupier, view(day=""), 0) == ([], None)
    _, wanted = asked_at(croupier, shown, 0)

    assert wanted.ask == ask.CashOut("DP-01", 1, wanted.ask.by)


# ------------------------------------------------------------------------------------------- the chief, the technician


def chief_of(passes_a_day=1):
    croupier = croupier_of()
    return croupier, Chief([croupier], passes_a_day)


def chief_asked(chief, shown, now, trouble=None):
    wanted = chief.turn(shown, now, "2026-11-18")
    if wanted is not None:
        chief.answered(wanted, reply(shown.seq, trouble))
    return wanted


def test_a_day_is_opened_under_the_date_and_under_the_next_date_if_that_one_was():
    _, chief = chief_of()

    days = [chief_asked(chief, view(day=""), now).day for now in (0, SECOND, 2 * SECOND)]

    assert days == ["2026-11-18", "2026-11-19", "2026-11-19"]


def test_a_day_ends_on_empty_tables_after_its_passes_and_never_while_a_person_plays():
    croupier, chief = chief_of()
    croupier.passes = 1
    full, empty = view(seats=[seat(1, credits_=3)]), view(seats=[seat(1)])

    busy = chief_asked(chief, full, 0)
    _, emptied = asked_at(croupier, full, SECOND)
    croupier.away = True
    away = chief_asked(chief, empty, 2 * SECOND)
    croupier.away = False
    closed = chief_asked(chief, empty, 3 * SECOND)

    assert busy is None and away is None
    assert isinstance(emptied.ask, ask.CashOut) and closed.do is Deed.CLOSE_DAY


def test_r36_a_void_that_waits_is_signed_by_the_chief_who_did_not_enter_it():
    _, chief = chief_of()
    waiting = view(seats=[replace(seat(1, credits_=2), unsigned=2_000)])

    first = chief_asked(chief, waiting, 0, Trouble("own_entry", "", "by", ""))
    second = chief_asked(chief, waiting, SECOND)
    assert (first.ask.table, first.ask.seat, first.by, second.by) == ("DP-01", 1, "mario", "julia")


def test_money_that_nobody_can_explain_is_cleared_before_the_day_closes():
    croupier, chief = chief_of()
    croupier.passes = 1
    chief_asked(chief, view(), 0, Trouble("money_on_table", "", "table", ""))

    wanted = chief_asked(chief, view(), 4 * SECOND)

    assert isinstance(wanted.ask, ask.ClearSuspense) and wanted.second == "ana"


def test_a_lamp_that_was_mended_is_tested_cleared_and_only_then_is_its_seat_opened():
    croupier, chief = chief_of(999)
    broken = view(seats=[seat(1, closed="luz")], now=[now_at(1, faults=["lamp_open", "disabled"], lamp="fault")])
    well = view(seats=[seat(1, closed="luz")], now=[now_at(1, faults=["disabled"])])

    done = [chief_asked(chief, broken, now * SECOND) for now in range(14)]
    tested = croupier.lamps_to_test
    done += [chief_asked(chief, well, now * SECOND) for now in range(14, 40)]

    assert tested
    assert [one.do or type(one.ask) for one in done if one][:2] == [Deed.CLEAR_FAULTS, ask.OpenSeat]


def test_a_seat_whose_fault_comes_back_stays_closed():
    _, chief = chief_of(999)
    broken = view(seats=[seat(1, closed="luz")], now=[now_at(1, faults=["lamp_open"])])

    done = [chief_asked(chief, broken, now * SECOND) for now in range(120)]

    assert {one.do for one in done if one} == {Deed.CLEAR_FAULTS}


def test_a_table_whose_lamp_is_to_be_seen_ends_its_pass_and_lights_them_all():
    croupier = croupier_of()
    asked_at(croupier, view(Phase.OPEN), 0)
    croupier.lamps_to_test = True

    wanted = [asked_at(croupier, view(Phase.SEALED), now)[1] for now in (SECOND, 3 * SECOND)]
    asked_at(croupier, view(Phase.BETWEEN), 4 * SECOND)
    _, test = asked_at(croupier, view(Phase.BETWEEN), 5 * SECOND)

    assert isinstance(wanted[-1].ask, ask.ClosePass) and test.do is Deed.LAMP_TEST


# ------------------------------------------------------------------------------------------------------- what is seen


def test_what_is_worth_telling_is_told_once():
    before = view(Phase.LOCKING, seats=[seat(1)], day="")
    after = view(
        Phase.SEALED, seats=[seat(1, bet=2000, closed="luz")], awards=[award()],
        alarms=[Alarm("x", "R-31", "Un letrero.")],
    )  # fmt: skip

    assert list(news(before, after)) == [
        "Se abre el día 2026-11-18.",
        "DP-01 pase 7: 1 apuesta, $2.000.",
        "PREMIO DP-01 posición 3: Full, $100.000, por verificar.",
        "DP-01 posición 1: cerrada (luz).",
        "¡Un letrero.",
    ]
    assert list(news(after, after)) == []


def test_a_prize_is_told_until_it_is_paid_or_rejected():
    held, confirmed, gone = view(awards=[award()]), view(awards=[award(confirmed=True)]), view()

    assert list(news(held, confirmed)) == ["Verificado: DP-01 posición 3: Full, $100.000."]
    assert list(news(confirmed, gone)) == ["Pagado: DP-01 posición 3: Full, $100.000."]
    assert list(news(held, gone)) == ["Rechazado: DP-01 posición 3: Full, $100.000."]


def test_a_percentage_that_waits_is_told_without_an_amount_and_again_when_it_is_decided():
    waits = replace(award(prize="escalera_color", amount=0), waits=True)
    won, decided = view(awards=[waits]), view(awards=[replace(waits, waits=False, amount=1_001_316)])

    told = [*news(view(), won), *news(won, decided)]
    assert told == [
        "PREMIO DP-01 posición 3: Escalera de Color, por decidir, espera al dueño del pozo.",
        "Decidido: DP-01 posición 3: Escalera de Color, $1.001.316, por verificar.",
    ]


@given(
    st.integers(60, 200),
    st.integers(18, 60),
    st.integers(0, 40),
    st.text("ABC $.+", max_size=90),
    st.integers(0, 10**8),
)
def test_the_picture_fits_whatever_the_terminal_is(width, height, said, text, now):
    shown = view(Phase.OPEN, seats=[seat(number, bet=1000) for number in range(1, 8)]).tables[0]
    people: list[PlayerView] = [seen(number, slot=number % 2 == 0) for number in range(1, 8)]
    evening = Evening(
        day="2026-11-18", speed="20", passes=7, node="nodo en marcha", node_well=True,
        signs=[SignPicture("Pozo Cóndor", text, lit=True)] * 2,
        tables=[TablePicture("DP-01", "Draw", "Pozo Cóndor", people, shown, yours=True)] * 3,
        said=[(Cell("x" * 300),)] * said, control="c", record="r",
    )  # fmt: skip

    rows = picture(evening, now, width, height)

    assert len(rows) <= height
    assert all(sum(len(cell.text) for cell in row) <= width for row in rows)


# ------------------------------------------------------------------------------------------------------- the command


def demo(folder, *more, **how):
    command = [POZO, "demo", "--folder", folder, "--no-view", "--seed", "1", *more]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL, **how
    )


def verified(folder):
    return subprocess.run([POZO, "verify", folder / "node.db"], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.process
def test_an_evening_is_played_and_the_next_goes_on_where_it_stopped(tmp_path):
    first = demo(tmp_path / "d", "--until-passes", "4")
    second = demo(tmp_path / "d", "--until-passes", "3")

    assert (first.returncode, second.returncode) == (0, 0), first.stdout + first.stderr + second.stdout + second.stderr
    assert "Casino fundado" in first.stdout and "Sigue donde quedó" in second.stdout
    last = [int(number) for number in re.findall(r"TX-01 pase (\d+)", first.stdout)]
    then = [int(number) for number in re.findall(r"TX-01 pase (\d+)", second.stdout)]
    assert last and then and min(then) > max(last)
    assert verified(tmp_path / "d").returncode == 0


@pytest.mark.process
def test_a_person_plays_at_its_socket_and_ctrl_c_ends_it_clean(tmp_path):
    folder = tmp_path / "d"
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(
            [POZO, "demo", "--folder", folder, "--no-view"], stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        try:
            answers = _until_there(folder, process, "DP-01 status", "pausa DP-01", "ritmo 40", "no es nada")
            while_playing = verified(folder)
        finally:
            process.send_signal(signal.SIGINT)
            code = process.wait(60)

    assert code == 0, (tmp_path / "said").read_text()
    assert "seat 6" in answers[0].stdout and "le deja la mesa" in answers[1].stdout and answers[2].stdout == "ok\n"
    assert answers[3].returncode == 1 and answers[3].stdout.startswith("no: ")
    assert while_playing.returncode == 0 and verified(folder).returncode == 0


@pytest.mark.process
def test_after_a_demo_that_was_killed_the_next_one_takes_over_its_node(tmp_path):
    folder = tmp_path / "d"
    with (tmp_path / "said").open("w") as said:
        killed = subprocess.Popen(
            [POZO, "demo", "--folder", folder, "--no-view"], stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        try:
            _until_there(folder, killed, "DP-01 status")
            orphan = int((folder / "node.pid").read_text())
        finally:
            killed.kill()
            killed.wait()

    after = demo(folder, "--until-passes", "1")

    assert after.returncode == 0, after.stdout + after.stderr
    command = Path(f"/proc/{orphan}/cmdline")
    assert not (command.exists() and command.read_bytes()), "it plays on, and is not only waiting to be buried"
    assert verified(folder).returncode == 0


def _until_there(folder, process, *sentences):
    until = time.monotonic() + 60
    while not ((folder / "sim" / "demo").exists() and (folder / "node.pid").exists()):
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.1)
    say = lambda words: subprocess.run(
        [POZO, "demo", "--folder", folder, "--say", words], capture_output=True, text=True, timeout=30, check=False
    )
    return [say(words) for words in sentences]


@pytest.mark.process
@pytest.mark.parametrize("folder", ["nowhere"])
def test_nobody_is_talked_to_where_nothing_plays(tmp_path, folder):
    refused = demo(tmp_path / folder, "--say", "ayuda")

    assert refused.returncode == 1 and "ninguna demostración" in refused.stderr
