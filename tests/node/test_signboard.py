"""The signs say what the core projects: all that must be public, in time, and never an amount that is not there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core.values import Phase
from controller.core.view import SeatView
from controller.node.signs.face import CLIMB
from controller.node.signs.signboard import Signboard
from controller.node.vocabulary.commands import EndPrize, ShowAmount
from drivers.pump import PortClosed, PortOpened
from drivers.session import SECOND
from drivers.signs.alpha_layout import AlphaSettings
from drivers.signs.amount import AmountForm
from drivers.signs.panel import PanelSettings, Row, digit_panel, text_panel
from drivers.signs.text_sign import TextSignSettings
from support.node.signboard_cases import (
    DIFFERS,
    DOWN,
    PAYTABLE,
    PROVEN,
    WRITTEN,
    Wall,
    award,
    node,
    place,
    play,
    pot,
    table,
    told,
    view,
)  # fmt: skip

WIDE = AlphaSettings(number=1, layout="{amount}  {increment}", string_size=60)


def board_of(made, **where):
    return Signboard(node(place(made, **where))), Wall(made)


def prizes_of(shown):
    return [prize for _, _, _, prize in shown]


def seconds_of(shown):
    return [second for _, _, second, _ in shown]


# ------------------------------------------------------------------------------------------------------- the amount


def test_the_first_amount_is_shown_at_once():
    board, wall = board_of(WIDE)

    wall.take(board.wishes(view(pot(5_000_000)), 0))

    assert wall.amount == "$5.000.000"


def test_an_amount_climbs_in_small_steps_and_arrives_within_two_seconds():
    board, wall = board_of(WIDE)
    board.wishes(view(pot(5_000_000)), 0)

    shown = play(board, wall, view(pot(5_003_600, 3_600)), SECOND, SECOND + CLIMB)

    amounts = [int(amount.replace("$", "").replace(".", "")) for _, amount, _, _ in shown]
    assert amounts == sorted(amounts) and len(set(amounts)) >= 8
    assert amounts[0] == 5_000_000 and amounts[-1] == 5_003_600


def test_an_amount_that_has_arrived_stays_where_it_is():
    board, wall = board_of(WIDE)
    board.wishes(view(pot(5_000_000)), 0)
    grown = view(pot(5_003_600, 3_600))
    board.wishes(grown, SECOND)

    for later in (SECOND + CLIMB, 3 * CLIMB, 9 * CLIMB):
        wall.take(board.wishes(grown, later))
        assert wall.amount == "$5.003.600"


def test_an_amount_that_falls_is_shown_at_once_also_in_mid_climb():
    board, wall = board_of(WIDE)
    board.wishes(view(pot(5_000_000)), 0)
    wall.take(board.wishes(view(pot(5_100_000, 100_000)), SECOND))

    wall.take(board.wishes(view(pot(4_900_000, 100_000)), 2 * SECOND))

    assert wall.amount == "$4.900.000"


def test_what_came_in_is_said_and_counts_from_the_last_growth():
    board, wall = board_of(WIDE)
    board.wishes(view(pot(5_000_000, 700_000)), 0)

    wall.take(board.wishes(view(pot(5_003_600, 703_600)), SECOND))
    first = wall.second
    wall.take(board.wishes(view(pot(5_004_320, 704_320)), 100 * SECOND))

    assert (first, wall.second) == ("+$3.600", "+$720")


def test_limits_and_paytable_follow_in_turn():
    board, wall = board_of(WIDE)

    turns = seconds_of(play(board, wall, view(pot(5_000_000)), 0, 60 * SECOND))

    assert turns[:6] == [
        "APUESTA $1.000 A $5.000", "COLOR 50x", "FULL 100x", "PÓKER 500x", "ESCALERA DE COLOR 10%, MÁX. 5.000 VECES", "ESCALERA REAL 100%",
    ]  # fmt: skip
    assert turns[6] == turns[0]


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (40, ["ESCALERA DE COLOR 10%, MAX. 5.000 VECES"]), (30, ["EC 10%, MAX. 5.000 VECES"]), (20, ["EC 10% MAX. 5.000x"]),
        (17, ["EC 10% MAX 5000x"]), (14, ["EC 10%", "EC MAX. 5.000x"]), (10, ["EC 10%", "MAX 5000x"]), (8, []),
    ],
)  # fmt: skip
def test_r31_a_percentage_is_never_shown_without_its_cap(width, said):
    """Audit, F8. As each sign can write it: in one text, in two turns, or not at all."""
    board, wall = board_of(text_panel(1, width))
    turns = seconds_of(
        play(board, wall, view(pot(1, paytable={"escalera_color": "10 %, máx. 5.000 veces"})), 0, 30 * SECOND)
    )
    assert [text for text in dict.fromkeys(turns) if "APUESTA" not in text and "AP." not in text and text] == said


def test_a_fixed_amount_of_the_paytable_is_written_as_money():
    board, wall = board_of(WIDE)

    turns = seconds_of(play(board, wall, view(pot(1, paytable={"full": "40000 por unidad"})), 0, 9 * SECOND))

    assert "FULL $40.000 POR UNIDAD" in turns
    turns = seconds_of(play(board, wall, view(pot(1, paytable={"full": "40000 por apuesta"})), 0, 9 * SECOND))
    assert "FULL $40.000 POR APUESTA" in turns


def test_the_currency_is_the_pots():
    board, wall = board_of(WIDE)

    wall.take(board.wishes(view(pot(1_234_567, symbol="Bs ", decimals=2)), 0))

    assert wall.amount == "Bs 12.345,67"


def test_a_layout_with_a_plus_of_its_own_gets_amounts_only():
    made = AlphaSettings(number=1, layout="POZO {amount} +{increment}")
    board, wall = board_of(made)
    board.wishes(view(pot(100, 0)), 0)

    shown = play(board, wall, view(pot(400, 300)), SECOND, 60 * SECOND)

    assert set(seconds_of(shown)) == {"$300"}


def test_a_panel_of_digits_shows_the_amount_and_no_word_not_even_of_a_prize():
    board, wall = board_of(digit_panel(1, width=8))

    shown = play(board, wall, view(pot(5_000_000, awards=[award()])), 0, 30 * SECOND)

    assert {(amount, prize) for _, amount, _, prize in shown} == {("5000000", "")}


def test_a_panel_of_digits_shows_whole_units_of_a_currency_with_cents():
    board, wall = board_of(digit_panel(1))

    wall.take(board.wishes(view(pot(1_234_567, decimals=2)), 0))

    assert wall.amount == "12345"


def test_an_amount_without_room_is_a_dash_and_never_a_part_of_it():
    board, wall = board_of(digit_panel(1, width=4))

    wall.take(board.wishes(view(pot(12_345)), 0))

    assert wall.amount == "-"


def test_the_money_of_a_training_is_on_no_sign():
    board, wall = board_of(WIDE)

    wall.take(board.wishes(view(pot(100), pot(999, training=True)), 0))

    assert wall.amount == "$100"


# --------------------------------------------------------------------------------------------------- who trains


def test_r36_a_sign_says_in_turn_which_tables_train():
    board, wall = board_of(WIDE)
    turns = seconds_of(play(board, wall, view(pot(5_000_000, trains=("DP-01",))), 0, 30 * SECOND))
    assert turns[:2] == ["ENTRENAMIENTO SIN DINERO MESA DP-01", "APUESTA $1.000 A $5.000"]

    again = seconds_of(play(board, wall, view(pot(5_000_000)), 40 * SECOND, 70 * SECOND))
    assert not [text for text in again[1:] if "ENTRENA" in text]


@pytest.mark.parametrize(
    "made",
    [AlphaSettings(number=1, layout="POZO {amount} +{increment}"), AlphaSettings(number=1, layout="{amount}")],
    ids=["an increment", "an amount alone"],
)
def test_r36_a_sign_without_words_says_who_trains_every_other_turn(made):
    board, wall = board_of(made)

    shown = play(board, wall, view(pot(5_000_000, trains=("DP-01", "GO-01"))), 0, 30 * SECOND)
    marks = [prize for _, _, _, prize in shown]
    assert {"", "ENTRENAMIENTO SIN DINERO MESAS DP-01, GO-01"} == set(marks)
    assert wall.amount is not None and "5.000.000" in wall.amount


def test_r36_a_won_prize_comes_before_who_trains():
    board, wall = board_of(AlphaSettings(number=1, layout="{amount}"))

    shown = play(board, wall, view(pot(5_000_000, awards=[award()], trains=("GO-01",))), 0, 30 * SECOND)
    assert "MESA DP-01 POSICIÓN 3 FULL $100.000" in prizes_of(shown)


# ------------------------------------------------------------------------------------------------------- prizes


def test_a_won_prize_is_shown_at_the_instant_it_is_registered_and_until_it_is_decided():
    board, wall = board_of(WIDE)
    board.wishes(view(pot(5_000_000)), 0)

    wall.take(board.wishes(view(pot(4_900_000, awards=[award(confirmed=False)])), 10))
    pending, amount = wall.prize, wall.amount
    wall.take(board.wishes(view(pot(4_900_000, awards=[award()])), 20))
    confirmed = wall.prize
    wall.take(board.wishes(view(pot(4_900_000)), 30))

    assert amount == "$4.900.000"
    assert pending == "MESA DP-01 POSICIÓN 3 FULL $100.000 EN VERIFICACIÓN"
    assert confirmed == "MESA DP-01 POSICIÓN 3 FULL $100.000"
    assert wall.prize == ""


def test_prizes_follow_one_another_in_paying_order_and_then_the_pot_is_seen():
    board, wall = board_of(WIDE)
    two = [award("a/1", 5, "color", 50_000), award("a/2", 1, "full", 100_000)]

    shown = play(board, wall, view(pot(5_000_000, awards=two)), 0, 40 * SECOND)

    order = [prize for prize, before in zip(prizes_of(shown)[1:], prizes_of(shown), strict=False) if prize != before]
    assert prizes_of(shown)[0] == "MESA DP-01 POSICIÓN 5 COLOR $50.000"
    assert order[:3] == ["MESA DP-01 POSICIÓN 1 FULL $100.000", "", "MESA DP-01 POSICIÓN 5 COLOR $50.000"]


def test_a_new_prize_does_not_wait_for_those_that_are_held():
    board, wall = board_of(WIDE)
    held = award("a/1", 5, "color", 50_000, confirmed=False)
    play(board, wall, view(pot(5_000_000, awards=[held])), 0, 61 * SECOND)

    wall.take(board.wishes(view(pot(5_000_000, awards=[held, award("b/1", 2)])), 61 * SECOND))

    assert wall.prize == "MESA DP-01 POSICIÓN 2 FULL $100.000"


def test_a_sign_without_room_says_less_of_a_prize_but_its_whole_amount():
    board, wall = board_of(TextSignSettings(number=1, width=16))

    wall.take(board.wishes(view(pot(5_000_000, awards=[award(prize="escalera_real", amount=4_321_000)])), 0))

    assert wall.prize == "PREMIO 4.321.000"


def far_pot(**with_awards):
    return replace(pot(4_000_000), **with_awards)


ELSEWHERE = award("DP-01@valle@norte/7/1/1", 1, "escalera_color", 1_000_000, table="DP-01@valle@norte", casino="valle")


def test_r31_a_prize_of_another_casino_is_shown_with_that_casino_beside_ones_own():
    """The pot falls by a million in front of guests who see no winner: they are told where he sits."""
    board, wall = board_of(WIDE)
    shown = view(far_pot(awards=(award(),), elsewhere=(ELSEWHERE,)))

    turns = prizes_of(play(board, wall, shown, 20 * SECOND, 40 * SECOND, {"pozo": 20 * SECOND}))

    assert set(turns) >= {
        "MESA DP-01 POSICIÓN 3 FULL $100.000",
        "MESA DP-01 DE VALLE POSICIÓN 1 ESCALERA DE COLOR $1.000.000",
    }


def test_r31_what_is_owed_elsewhere_is_shown_no_more_when_its_pot_is_old():
    """It may be paid since; what this casino owes it knows itself."""
    board, wall = board_of(WIDE)
    shown = view(far_pot(awards=(award(),), elsewhere=(ELSEWHERE,)))

    turns = prizes_of(play(board, wall, shown, 80 * SECOND, 120 * SECOND, {"pozo": 20 * SECOND}))

    assert set(turns) == {"MESA DP-01 POSICIÓN 3 FULL $100.000", ""}


@pytest.mark.parametrize(
    ("width", "said"),
    [(44, "VALLE ESCALERA DE COLOR $1.000.000"), (20, "PREMIO $1.000.000")],
)
def test_r31_no_narrow_sign_calls_another_casinos_seat_one_of_this_table(width, said):
    board, wall = board_of(TextSignSettings(number=1, width=width))

    wall.take(board.wishes(view(far_pot(elsewhere=(ELSEWHERE,))), 0))

    assert wall.prize == said


# ------------------------------------------------------------------------------------------------------- the rest


def test_the_sign_of_a_table_says_whether_bets_are_taken_what_is_closed_and_what_is_owed():
    board, wall = board_of(WIDE, table="DP-01")
    seats = [
        SeatView(4, "fault", True, False, 0, 0, 0, 0, 0, "lamp"),
        SeatView(5, "off", True, True, 0, 0, 0, 2_000, 0, ""),
    ]

    turns = seconds_of(play(board, wall, view(pot(100), tables=[table(Phase.SEALED, seats)]), 0, 60 * SECOND))

    assert {"NO MÁS APUESTAS", "POSICIÓN 4 CERRADA", "DEVOLVER $2.000 POSICIÓN 5"} <= set(turns)


def test_a_far_pot_that_is_silent_is_shown_with_its_age():
    board, wall = board_of(WIDE)

    wall.take(board.wishes(view(pot(100)), 200 * SECOND, {"pozo": 10 * SECOND}))

    assert (wall.amount, wall.second) == ("$100", "SIN ENLACE, DATO DE HACE 3 MIN")


def test_where_an_age_has_no_room_an_old_amount_is_not_shown():
    board, wall = board_of(digit_panel(1))

    wall.take(board.wishes(view(pot(100)), 30 * SECOND, {"pozo": 0}))
    young = wall.amount
    wall.take(board.wishes(view(pot(100)), 200 * SECOND, {"pozo": 0}))

    assert (young, wall.amount) == ("100", "-")


def test_out_of_service_is_said_in_words_or_by_a_dash_and_without_any_view():
    for made, amount, prize in ((WIDE, "-", "FUERA DE SERVICIO"), (digit_panel(1), "-", "")):
        board, wall = board_of(made)
        board.out_of_service("tres caídas seguidas")

        wall.take(board.wishes(None, 0))

        assert (wall.amount, wall.prize) == (amount, prize)


def test_a_test_pattern_stands_five_seconds_and_then_everything_is_as_it_was():
    board, wall = board_of(WIDE)
    wall.take(board.wishes(view(pot(100)), 0))

    assert board.test("letrero/1", SECOND) is None
    wall.take(board.wishes(view(pot(100)), SECOND))
    tested = wall.prize
    play(board, wall, view(pot(100)), SECOND, 7 * SECOND)

    assert tested == "PRUEBA DE LETRERO ÁÉÍÓÚÑ $0123456789"
    assert (wall.amount, wall.prize) == ("$100", "")


def test_a_prize_that_is_registered_during_a_test_is_shown_at_once():
    """R-31."""
    board, wall = board_of(WIDE)
    board.test("letrero", 0)
    wall.take(board.wishes(view(pot(100)), 0))

    wall.take(board.wishes(view(pot(100, awards=[award()])), SECOND))

    assert "FULL" in wall.prize


def test_a_test_of_a_panel_lights_every_segment():
    board, wall = board_of(digit_panel(1, width=6))

    board.test("letrero", 0)
    wall.take(board.wishes(view(pot(100)), 0))

    assert wall.amount == "888888"


def test_a_sign_that_is_not_there_cannot_be_tested():
    board, _ = board_of(WIDE)

    assert board.test("otro", 0) == "No hay un letrero otro; hay: letrero/1."


# ------------------------------------------------------------------------------------------------- news and alarms


def test_nothing_is_wished_twice():
    board, _ = board_of(WIDE)
    board.wishes(view(pot(100)), 0)

    assert board.wishes(view(pot(100)), 1) == []


@pytest.mark.parametrize("event", [PortOpened("x", ()), PortClosed("x", "gone")])
def test_everything_is_wished_again_after_the_line_was_away_also_that_a_prize_is_over(event):
    board, _ = board_of(WIDE)
    board.wishes(view(pot(100, awards=[award()])), 0)
    board.heard("letrero", event, 1)

    again = board.wishes(view(pot(100)), 2)

    assert [type(wish.command) for wish in again] == [ShowAmount, EndPrize]


def test_a_sign_that_was_away_is_told_that_no_prize_is_left_even_if_none_was_shown_since():
    board, _ = board_of(WIDE)
    board.wishes(view(pot(100)), 0)
    board.heard("letrero", PortOpened("x", ()), 1)

    assert EndPrize in {type(wish.command) for wish in board.wishes(view(pot(100)), 2)}


def test_before_there_is_an_amount_a_sign_keeps_what_it_shows():
    board, _ = board_of(WIDE)

    assert board.wishes(view(), 0) == []


def test_a_sign_that_comes_back_is_told_again():
    board, _ = board_of(WIDE)
    board.heard("letrero", told(WRITTEN, "$100"), 0)
    board.wishes(view(pot(100)), 0)
    board.heard("letrero", told(DOWN), 1)
    board.wishes(view(pot(100)), 2)
    board.heard("letrero", told(WRITTEN, ""), 3)

    assert ShowAmount in {type(wish.command) for wish in board.wishes(view(pot(100)), 4)}


def test_other_lines_and_other_units_are_nothing_to_a_sign():
    board, _ = board_of(WIDE)
    board.wishes(view(pot(100)), 0)

    for line, event in (("otra", PortClosed("x", "")), ("letrero", told(DOWN, number=9)), ("letrero", "x")):
        board.heard(line, event, 1)

    assert board.wishes(view(pot(100)), 2) == []


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (told(DOWN), "no responde"),
        (told(DIFFERS, "?"), "no acepta lo que se le escribe"),
        (told(PROVEN, "$5.000.000  +$1"), "muestra «$5.000.000  +$1» y debe mostrar «$5.000»"),
    ],
)
def test_a_sign_that_is_wrong_for_half_a_minute_is_an_alarm_until_it_is_right(event, why):
    board, _ = board_of(WIDE)
    seen = view(pot(5_000))
    board.heard("letrero", event, 0)
    board.wishes(seen, 0)
    board.wishes(seen, 29 * SECOND)
    early = board.alarms()

    board.wishes(seen, 31 * SECOND)
    (alarm,), note = board.alarms(), board.next_note()
    board.heard("letrero", told(PROVEN, "$5.000  FULL 100x"), 32 * SECOND)
    board.wishes(seen, 32 * SECOND)

    assert early == () and board.alarms() == ()
    assert alarm.sentence == f"Letrero letrero/1 del pozo pozo: {why}."
    assert (note.event, board.next_note().event, board.next_note()) == ("sign_wrong", "sign_well", None)


def test_a_sign_that_is_behind_while_the_amount_climbs_is_no_alarm():
    board, _ = board_of(WIDE)
    board.heard("letrero", told(PROVEN, "$100  X"), 0)
    for second in range(100):
        board.wishes(view(pot(100 + second)), second * SECOND)
        board.heard("letrero", told(PROVEN, f"${99 + second}  X"), second * SECOND)

    assert board.alarms() == ()


def test_what_is_wanted_and_what_is_known_of_a_sign_is_told():
    board, _ = board_of(WIDE)
    board.wishes(view(pot(100, awards=[award()])), 0)
    board.heard("letrero", told(PROVEN, "MESA"), 1)

    (now,) = board.signs()

    assert (now.line, now.number, now.pot, now.amount, now.state, now.showing) == (
        "letrero", 1, "pozo", "$100", "proven", "MESA",
    )  # fmt: skip
    assert now.prize.startswith("MESA DP-01")


# ------------------------------------------------------------------------------------------------- whatever comes

ANY_SIGN = st.one_of(
    st.builds(
        AlphaSettings,
        number=st.just(1),
        layout=st.sampled_from(["{amount}", "POZO {amount} +{increment}", "{amount} {increment}"]),
        width=st.sampled_from([0, 4, 10, 16, 24, 40]),
        string_size=st.integers(3, 60),
    ),
    st.builds(
        TextSignSettings,
        number=st.just(1),
        format=st.sampled_from(["{amount}\r", "{amount} {increment}\r", "\f{amount} +{increment}\n"]),
        encoding=st.sampled_from(["ascii", "cp850", "latin-1"]),
        width=st.integers(3, 40),
    ),
    st.builds(digit_panel, st.just(1), st.integers(1, 12)),
    st.builds(text_panel, st.just(1), st.integers(2, 24)),
    st.builds(
        PanelSettings,
        number=st.just(1),
        amount=st.just(Row(address=0, width=7)),
        increment=st.just(Row(address=20, width=5)),
        digits_only=st.booleans(),
        form=st.just(AmountForm()),
    ),
)
SCRAWL = st.text("ABZÑÓ^~€1\u00a0\u200b漢 -", max_size=12)
ANY_AWARD = st.builds(
    award,
    st.sampled_from(["a/1", "a/2", "b/1"]),
    st.integers(1, 7),
    st.sampled_from([*PAYTABLE, "escalera", "Jugador Afortunado"]) | SCRAWL,
    st.integers(0, 10**13),
    confirmed=st.booleans(),
    table=SCRAWL,
)
ANY_POT = st.builds(
    pot,
    st.integers(0, 10**9) | st.integers(0, 10**13),
    st.integers(0, 10**13),
    st.lists(ANY_AWARD, max_size=3, unique_by=lambda one: one.award),
    symbol=st.sampled_from(["$", "Bs", "€", "1$", ""]),
    trains=st.sampled_from([(), (), ("DP-01",), ("DP-01", "Ñ~")]),
)


def worth(text, decimals):
    """What a reader takes an amount for, in minor units."""
    digits = "".join(letter for letter in text if letter in "0123456789")
    return int(digits) * 10 ** (0 if "," in text else decimals) if digits else 0


@given(
    ANY_SIGN,
    st.sampled_from([0, 2, 4]),
    st.lists(st.tuples(ANY_POT, st.integers(0, 5 * SECOND)), min_size=1, max_size=8),
)
def test_no_sign_ever_refuses_and_none_shows_more_than_there_is(made, decimals, history):
    board, wall = board_of(made)
    now, seen = 0, None
    for one, pause in history:
        now += pause
        seen = view(pot(one.main, one.added, one.awards, symbol=one.symbol, decimals=decimals))
        for _, amount, _, _ in play(board, wall, seen, now, now + pause):
            if amount is not None:
                assert worth(amount, decimals) <= one.main
        now += pause
    play(board, wall, seen, now, now + CLIMB)

    whole = 10**decimals if isinstance(made, PanelSettings) and made.digits_only else 1
    if wall.amount not in {None, "-", ""}:
        assert worth(wall.amount, decimals) == history[-1][0].main // whole * whole


@given(ANY_SIGN, SCRAWL)
def test_no_sign_ever_refuses_a_test_or_being_out_of_service(made, reason):
    board, wall = board_of(made)
    board.test("letrero", 0)
    wall.take(board.wishes(view(pot(5_000)), 0))
    board.out_of_service(reason or "x")
    wall.take(board.wishes(None, SECOND))

    assert wall.amount in {None, "-", ""}


# ------------------------------------------------------------------------------------------- what did not change


class EverySign(Signboard):
    """Looks at every sign, whatever happened."""

    def wishes(self, view, now, heard=None):
        for sign in self._signs:
            sign.touch()
        return super().wishes(view, now, heard or {})


POTS = [
    pot(100),
    pot(5_000, 4_900),
    pot(5_000, 4_900, [award()]),
    pot(4_000, 4_900, [award(confirmed=False), award("x")]),
]
ACTS = st.one_of(
    st.sampled_from([DOWN, WRITTEN, PROVEN, DIFFERS]).map(lambda state: lambda board, now: board.heard("letrero", told(state, "?"), now)),
    st.sampled_from([PortOpened("x", ()), PortClosed("x", "")]).map(lambda event: lambda board, now: board.heard("texto", event, now)),
    st.just(lambda board, now: board.test("texto", now)),
    st.just(lambda _board, _now: None),
)  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(Phase), ACTS, st.integers(0, 3 * SECOND)), max_size=40))
def test_a_sign_for_which_nothing_changed_wants_what_it_would_if_it_were_looked_at(history):
    signs = [
        place(WIDE),
        place(TextSignSettings(number=1, format="{amount} {increment}\r", width=40), "texto", table="DP-01"),
    ]
    board, every = Signboard(node(*signs)), EverySign(node(*signs))
    tables = {phase: table(phase) for phase in Phase}
    now = 0
    for number, phase, act, later in history:
        act(board, now)
        act(every, now)
        seen = view(POTS[number], tables=[tables[phase]])
        for _ in range(2):
            assert board.wishes(seen, now) == every.wishes(seen, now)
            assert board.signs() == every.signs()
            assert board.deadline() == every.deadline()
        now = min(now + later, board.deadline() or now + later)
