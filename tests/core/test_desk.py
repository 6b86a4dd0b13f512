"""The desk: gaming days, money by two persons, what was counted, training that touches nothing, restores, the clock."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.draws import wanted
from controller.core.facts import (
    ClockWentBack,
    DayClosed,
    DayOpened,
    DayRenamed,
    LeftPaid,
    MoneyMoved,
    NodeRestored,
    NothingNew,
    SeatCounted,
    SeedLost,
    SuspenseCleared,
    TrainingEnded,
    TrainingStarted,
)
from controller.core.ledger import postings
from controller.core.values import HeadLeft, Meters
from controller.rules.complementary import commitment
from support.floor.floor import (
    ANA,
    CARLA,
    DAY,
    JEFA,
    JEFE,
    LUIS,
    POKER,
    POT,
    ROYAL,
    SEED,
    TABLE,
    TITO,
    Floor,
    kinds,
    plan,
    prize,
)
from support.nonces import nonce_of

NONCE = nonce_of("2026-11-19")

# Days


def test_r27_r30_a_day_is_opened_with_a_commitment_and_closed_with_its_seed():
    floor = Floor(open_day=False)
    assert floor.reason(ask.OpenPass(TABLE)) == "day_not_open"
    assert floor.reason(ask.CloseDay(SEED.hex(), JEFA)) == "day_not_open"
    assert floor.open_day() == (DayOpened(DAY, commitment(SEED), "jefa", nonce_of(DAY)),)
    opened = floor.state.day
    assert (opened.name, opened.commitment, opened.opened) == (DAY, commitment(SEED), floor.now)
    assert floor.reason(ask.OpenDay("2026-11-19", commitment(SEED), JEFA, NONCE)) == "day_open"
    for seed in ("", "x", (b"x" * 32).hex(), SEED.hex().upper() + "0", (SEED + b"s").hex()):
        assert floor.reason(ask.CloseDay(seed, JEFA)) == "seed_wrong"

    (closed,) = floor.close_day()
    assert closed == DayClosed(DAY, SEED.hex(), "jefa", {POT: Meters(base_put_in=5_000_000)})
    assert (floor.state.day, floor.state.last_day) == (None, DAY)


@pytest.mark.parametrize(
    ("day", "hash_", "reason"),
    [
        (DAY, "0" * 64, "day_out_of_order"),
        ("2026-11-17", "0" * 64, "day_out_of_order"),
        ("2026-11-20", "0" * 64, "day_far"),
        ("2027-11-19", "0" * 64, "day_far"),
        ("mañana", "0" * 64, "day_no_date"),
        ("", "0" * 64, "day_no_date"),
        ("2026-11-31", "0" * 64, "day_no_date"),
        ("2026-11-19 ", "0" * 64, "day_no_date"),
        ("２０２６-11-19", "0" * 64, "day_no_date"),
        ("2026-11-19", "0" * 63, "commitment_wrong"),
        ("2026-11-19", "Z" * 64, "commitment_wrong"),
    ],
)
def test_r27_r30_days_follow_each_other_and_commit_to_a_hash(day, hash_, reason):
    floor = Floor()
    floor.close_day()

    assert floor.reason(ask.OpenDay(day, hash_, JEFA, NONCE)) == reason


@pytest.mark.parametrize(
    ("clock", "day", "reason"),
    [
        ("2026-11-18T00:00", "2026-11-17", ""),
        ("2026-11-18T23:59", "2026-11-17", ""),
        ("2026-11-18T12:00", "2026-11-18", ""),
        ("2026-11-18T00:00", "2026-11-19", ""),
        ("2026-11-18T23:59", "2026-11-19", ""),
        ("2026-11-18T00:00", "2026-11-16", "day_far"),
        ("2026-11-18T23:59", "2026-11-20", "day_far"),
        ("2028-02-28T12:00", "2028-02-29", ""),
    ],
)
def test_r27_a_day_is_named_for_a_date_within_a_day_of_the_clock(clock, day, reason):
    floor = Floor(open_day=False)
    now = int(datetime.fromisoformat(clock).replace(tzinfo=UTC).timestamp()) * 1_000

    answered = floor.ask(ask.OpenDay(day, commitment(SEED), JEFA, NONCE), after=now - floor.now)[-1]

    assert getattr(answered, "reason", answered.day if isinstance(answered, DayOpened) else None) == (reason or day)


def test_r27_two_persons_put_the_name_of_the_open_day_right():
    floor = Floor()
    floor.close_day()
    floor.open_day("2026-11-19", b"t" * 32)

    for day, reason in (("2026-11-18", "day_out_of_order"), ("2026-11-20", "day_far"), ("ayer", "day_no_date")):
        assert floor.reason(ask.RenameDay(day, "error", JEFA, JEFE)) == reason
    assert floor.reason(ask.RenameDay("2026-11-18", "error", JEFA, JEFA)) == "two_persons_needed"
    assert floor.ask(ask.RenameDay("2026-11-19", "error", JEFA, JEFE)) == (NothingNew("el nombre del día"),)
    floor.now += 3 * 86_400_000
    renamed = floor.ask(ask.RenameDay("2026-11-22", "se abrió con la fecha de ayer", JEFA, ANA))

    assert renamed == (DayRenamed("2026-11-19", "2026-11-22", "se abrió con la fecha de ayer", "jefa", "ana"),)
    assert (floor.state.day.name, floor.state.day.first_name) == ("2026-11-22", "2026-11-19")
    floor.ask(ask.RenameDay("2026-11-20", "otra vez", JEFA, ANA))
    assert floor.state.day.first_name == "2026-11-19"
    (closed,) = floor.close_day(b"t" * 32)
    assert (closed.day, floor.state.last_day, floor.state.day_before) == ("2026-11-20", "2026-11-20", DAY)


def test_r27_the_day_closed_last_is_renamed_and_the_next_one_follows_it():
    """A clock of a year ahead named it; until its name is right no other day could open."""
    floor = Floor(open_day=False)
    assert floor.reason(ask.RenameDay(DAY, "x", JEFA, JEFE)) == "day_not_open"
    floor.open_day("2026-11-17")
    floor.close_day()
    before = floor.now
    floor.now += 365 * 86_400_000
    floor.open_day("2027-11-19", b"t" * 32)
    floor.close_day(b"t" * 32)
    floor.ask(ask.LookAtClock(), after=before - floor.now)
    assert floor.reason(ask.OpenDay("2026-11-19", "0" * 64, JEFA)) == "day_out_of_order"

    assert floor.reason(ask.RenameDay("2026-11-17", "el reloj", JEFA, JEFE)) == "day_out_of_order"
    (renamed,) = floor.ask(ask.RenameDay(DAY, "el reloj", JEFA, JEFE))

    assert (renamed.was, floor.state.last_day) == ("2027-11-19", DAY)
    assert kinds(floor.open_day("2026-11-19")) == [DayOpened]


def test_r27_a_name_of_an_older_record_that_is_no_date_holds_no_day_back():
    floor = Floor(open_day=False)
    floor.state = replace(floor.state, last_day="jornada-42")

    assert kinds(floor.open_day()) == [DayOpened]


def test_r30_a_renamed_day_draws_under_the_name_of_its_commitment():
    floor = Floor(plan(prizes=(prize("Hora", within_minutes=60),)))
    floor.ask(ask.RenameDay("2026-11-19", "error", JEFA, JEFE))
    floor.sealed({1: 2})

    (due,) = wanted(floor.state, floor.table())

    assert due.moment == f"{DAY}/{POT}/Hora/moment"


def test_r30_two_persons_say_that_the_seed_is_lost_and_the_day_goes_on_without_draws_and_closes():
    floor = Floor(plan(prizes=(prize("Suerte"), prize("Otra"))))
    floor.sealed({1: 2})
    assert floor.reason(ask.ClosePass(TABLE)) == "draw_due"
    assert floor.reason(ask.LoseSeed(SEED.hex(), "se perdió", JEFA, JEFE)) == "seed_is_there"
    assert floor.reason(ask.LoseSeed("", "", JEFA, JEFE)) == "reason_missing"
    assert floor.reason(ask.LoseSeed("", "se perdió", JEFA, CARLA)) == "role_missing"

    lost = floor.ask(ask.LoseSeed("00" * 32, "se rompió el disco", JEFA, JEFE))

    assert lost == (SeedLost(DAY, "se rompió el disco", "jefa", "jefe"),)
    assert floor.reason(ask.LoseSeed("", "se perdió", JEFA, JEFE)) == "seed_is_lost"
    assert floor.reason(ask.Draw(TABLE, "Suerte", hit=False)) == "draw_not_due"
    floor.close_pass()
    floor.sealed({1: 2})
    assert floor.table().draws == ()
    floor.close_pass()
    floor.ask(ask.CashOut(TABLE, 1, CARLA))
    (closed,) = floor.close_day(b"otra semilla".ljust(32))
    assert (closed.seed, closed.lost) == ("", "se rompió el disco")
    assert floor.reason(ask.LoseSeed("", "x", JEFA, JEFE)) == "day_not_open"
    floor.open_day("2026-11-19")
    floor.sealed({1: 2})
    assert floor.table().draws == ("Suerte", "Otra"), "another day, another seed"


def test_r27_a_day_closes_on_empty_tables():
    floor = Floor()
    floor.open_pass("GO-01")
    assert floor.reason(ask.CloseDay(SEED.hex(), JEFA)) == "pass_in_progress"
    floor.lock("GO-01")
    floor.close_pass("GO-01")
    floor.buy(1, 1)
    assert floor.reason(ask.CloseDay(SEED.hex(), JEFA)) == "money_on_table"
    floor.ask(ask.LeaveCredits(TABLE, 1, JEFA, ANA))
    floor.report(2, chips=1)
    assert floor.reason(ask.CloseDay(SEED.hex(), JEFA)) == "money_on_table"
    floor.ask(ask.PayOwed(TABLE, 2, CARLA, "jefa"))
    floor.hear_promo(3, 1_000)
    assert floor.reason(ask.CloseDay(SEED.hex(), JEFA)) == "money_on_table"
    floor.ask(ask.LeaveCredits(TABLE, 3, JEFA, ANA))
    floor.ask(ask.CountSeat(TABLE, 1, 500, JEFA, LUIS))
    floor.ask(ask.CashOut(TABLE, 1, CARLA))
    assert floor.reason(ask.CloseDay(SEED.hex(), JEFA)) == "money_on_table", "half a credit nobody can explain"
    floor.ask(ask.ClearSuspense(TABLE, "no se sabe", JEFA, LUIS))

    floor.ask(ask.StartTraining("GO-01", JEFA, ANA))
    assert floor.reason(ask.CloseDay(SEED.hex(), JEFA)) == "training_on"
    floor.ask(ask.EndTraining("GO-01", JEFA))
    assert kinds(floor.close_day()) == [DayClosed]
    assert floor.table().left == 1_000, "what was set aside waits for its player"


@pytest.mark.parametrize("found", [5_500, 4_500], ids=["more", "less"])
def test_r27_whatever_is_on_a_table_is_added_up_and_nothing_weighs_anything_else_up(found):
    floor = Floor()
    floor.buy(1, 5)
    floor.ask(ask.CountSeat(TABLE, 1, found, JEFA, LUIS))
    floor.hear_promo(2, 2_000)
    floor.report(3, chips=9)
    floor.buy(4, 4)
    floor.ask(ask.LeaveCredits(TABLE, 4, JEFA, ANA))
    on_seats = found + 2_000 + 9_000 + 500

    assert floor.reason(ask.CloseDay(SEED.hex(), JEFA)) == "money_on_table"
    assert f" {on_seats} " in floor.record[-1][1].message, "what was set aside may stay over night"
    assert floor.reason(ask.StartTraining(TABLE, JEFA, ANA)) == "money_on_table"
    assert f" {on_seats + 4_000} " in floor.record[-1][1].message


# Credits


def test_r2_credits_are_bought_whole_and_cashed_all_at_once():
    floor = Floor()
    (bought,) = floor.buy(1, 7)
    assert (bought.amount, bought.by, floor.at("cash:DP-01")) == (7_000, "carla", -7_000)
    floor.buy(1, 1)
    (cashed,) = floor.ask(ask.CashOut(TABLE, 1, CARLA))

    assert (cashed.amount, floor.seat(1).credits, floor.at("cash:DP-01")) == (8_000, 0, 0)
    assert floor.reason(ask.CashOut(TABLE, 1, CARLA)) == "nothing_there"


@pytest.mark.parametrize("credits_", [0, -1, 10**7 + 1, 10**30])
def test_r1_nobody_buys_nothing_or_too_much(credits_):
    assert Floor().reason(ask.BuyCredits(TABLE, 1, credits_, CARLA)) == "amount_wrong"


def test_r2_what_a_player_left_is_set_aside_and_paid_when_he_comes_back():
    floor = Floor()
    floor.buy(1, 7)
    floor.buy(2, 2)
    floor.ask(ask.LeaveCredits(TABLE, 1, JEFA, ANA))
    floor.ask(ask.LeaveCredits(TABLE, 2, JEFA, ANA))
    assert (floor.table().left, floor.seat(1).credits, floor.at("left:DP-01")) == (9_000, 0, 9_000)
    for amount in (0, -5, 9_001):
        assert floor.reason(ask.PayLeft(TABLE, amount, JEFA, ANA)) == "not_enough"

    assert floor.ask(ask.PayLeft(TABLE, 7_000, JEFA, ANA)) == (LeftPaid(TABLE, 7_000, "jefa", "ana"),)
    assert (floor.table().left, floor.at("cash:DP-01")) == (2_000, -2_000)
    assert kinds(floor.ask(ask.PayLeft(TABLE, 1, JEFA, ANA))) == [LeftPaid]
    assert floor.reason(ask.LeaveCredits(TABLE, 1, JEFA, ANA)) == "nothing_there"
    assert floor.reason(ask.PayOwed(TABLE, 1, CARLA)) == "nothing_there"


@pytest.mark.parametrize(("found", "suspense"), [(12_000, -5_000), (3_000, 4_000)], ids=["more", "less"])
def test_r27_what_a_count_finds_is_the_player_s_and_two_persons_clear_the_difference(found, suspense):
    floor = Floor()
    floor.buy(1, 7)
    assert floor.ask(ask.CountSeat(TABLE, 1, found, JEFA, LUIS)) == (
        SeatCounted(TABLE, 1, found, 7_000, "jefa", "luis"),
    )
    assert (floor.seat(1).credits, floor.table().suspense, floor.at("suspense:DP-01")) == (found, suspense, suspense)
    (cleared,) = floor.ask(ask.ClearSuspense(TABLE, "placa", JEFA, LUIS))

    assert cleared == SuspenseCleared(TABLE, -suspense, POT, "central", "placa", "jefa", "luis")
    assert (floor.table().suspense, floor.at("house:pozo:central")) == (0, suspense - 5_000_000)
    assert floor.reason(ask.ClearSuspense(TABLE, "x", JEFA, LUIS)) == "nothing_there"


def test_r27_a_count_that_agrees_says_nothing_new():
    floor = Floor()
    floor.buy(1, 7)

    assert kinds(floor.ask(ask.CountSeat(TABLE, 1, 7_000, JEFA, LUIS))) == [NothingNew]
    for found in (0, 10**10):
        assert kinds(floor.ask(ask.CountSeat(TABLE, 1, found, JEFA, LUIS))) == [SeatCounted]
    for found in (-1, 10**10 + 1):
        assert floor.reason(ask.CountSeat(TABLE, 1, found, JEFA, LUIS)) == "amount_wrong"


# Money moved


@pytest.mark.parametrize(
    ("source", "target", "main", "reserve", "house"),
    [
        ("house", "main", 5_001_540, 160, -5_000_100),
        ("house", "reserva", 5_001_440, 260, -5_000_100),
        ("main", "reserva", 5_001_340, 260, -5_000_000),
        ("reserva", "main", 5_001_540, 60, -5_000_000),
    ],
)
def test_r24_r26_two_persons_move_money_with_a_resolution(source, target, main, reserve, house):
    floor = Floor()
    floor.sealed({1: 2})
    (moved,) = floor.ask(ask.MoveMoney(POT, source, target, 100, "Res. 7", ANA, JEFA))

    assert moved == MoneyMoved(POT, "central", source, target, 100, "Res. 7", "ana", "jefa")
    assert (floor.pot().main, floor.pot().reserves) == (main, {"reserva": reserve})
    assert floor.at("house:pozo:central") == house


@pytest.mark.parametrize(
    ("pot", "source", "target", "amount", "resolution", "reason"),
    [
        ("nada", "house", "main", 1, "R", "pot_unknown"),
        ("~pozo", "house", "main", 1, "R", "pot_unknown"),
        (POT, "caja", "main", 1, "R", "part_unknown"),
        (POT, "main", "house", 1, "R", "part_unknown"),
        (POT, "main", "main", 1, "R", "part_unknown"),
        (POT, "house", "commission", 1, "R", "part_unknown"),
        (POT, "house", "main", 0, "R", "amount_wrong"),
        (POT, "house", "main", -5, "R", "amount_wrong"),
        (POT, "house", "main", 10**10 + 1, "R", "amount_wrong"),
        (POT, "reserva", "main", 1, "R", "not_enough"),
        (POT, "main", "reserva", 5_000_001, "R", "not_enough"),
        (POT, "house", "main", 1, " ", "resolution_missing"),
    ],
)
def test_r24_r26_money_that_cannot_be_moved(pot, source, target, amount, resolution, reason):
    assert Floor().reason(ask.MoveMoney(pot, source, target, amount, resolution, ANA, JEFA)) == reason


# Training


def training(**how):
    """A floor whose first table trains, after one live pass."""
    floor = Floor(**how)
    floor.sealed({1: 2})
    floor.close_pass()
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))
    return floor


def live(floor):
    return {name: amount for name, amount in floor.balances.items() if "~" not in name}


def test_r27_training_is_a_copy_that_touches_no_live_account():
    floor = training()
    money, table, pot = live(floor), floor.state.tables[TABLE], floor.pot()
    assert floor.heard(TrainingStarted)[0].levels.main == floor.pot("~DP-01").main == 5_001_440
    assert floor.pot("~DP-01").meters == Meters()
    seen = len(floor.record)

    floor.ask(ask.CloseSeat(TABLE, 6, "ensayo", CARLA))
    floor.sealed({1: 2, 2: 1, 3: 5})
    floor.claim((1, ROYAL), (3, "full"))
    floor.reject("~DP-01/2/1")
    floor.claim((3, "full"), (1, POKER))
    floor.pay("~DP-01/2/2/1")
    floor.correct(2, (3, "full"), (1, POKER), (2, "color"))
    floor.ask(ask.CountSeat(TABLE, 1, 500, JEFA, LUIS))
    floor.ask(ask.ClearSuspense(TABLE, "ensayo", JEFA, LUIS))
    floor.ask(ask.LeaveCredits(TABLE, 1, JEFA, ANA))
    floor.close_pass()

    assert live(floor) == money
    assert (floor.state.tables[TABLE], floor.pot()) == (table, pot)
    lines = [line for _, fact in floor.record[seen:] for line in postings(fact)]
    assert lines and all("~DP-01" in line.account for line in lines)
    (ended,) = floor.ask(ask.EndTraining(TABLE, JEFE))
    assert kinds([ended]) == [TrainingEnded] and ended.closing
    assert live(floor) == money
    assert not any(amount for name, amount in floor.balances.items() if "~" in name)
    assert set(floor.state.tables) == {TABLE, "GO-01"} and set(floor.state.pots) == {POT}
    assert (floor.state.claims, floor.state.training) == ({}, {})


def test_r27_training_needs_no_day_and_draws_nothing():
    floor = Floor(plan(prizes=[prize("Jugador")]), open_day=False)
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))

    assert floor.sealed({1: 2}).draws == ()
    floor.open_day()


def test_r27_training_goes_on_beside_the_live_tables():
    floor = training()
    floor.sealed({1: 3}, "GO-01")
    floor.sealed({1: 2})

    assert floor.pot().meters.wagered == 2_000 + 3_000
    assert floor.pot("~DP-01").meters.wagered == 2_000


def test_r27_the_names_of_training_are_nobody_s_to_say():
    floor = training()

    assert floor.reason(ask.OpenPass("~DP-01")) == "table_unknown"
    assert floor.reason(ask.MoveMoney("~DP-01", "house", "main", 5, "R", ANA, LUIS)) == "pot_unknown"
    assert floor.reason(ask.StartTraining("~DP-01", JEFA, ANA)) == "table_unknown"


def test_r27_training_starts_on_an_empty_table_between_passes_and_ends_between_passes():
    floor = Floor()
    assert floor.reason(ask.EndTraining(TABLE, JEFA)) == "training_off"
    floor.open_pass()
    assert floor.reason(ask.StartTraining(TABLE, JEFA, ANA)) == "pass_in_progress"
    floor.lock()
    floor.close_pass()
    floor.buy(1, 1)
    assert floor.reason(ask.StartTraining(TABLE, JEFA, ANA)) == "money_on_table"
    floor.ask(ask.LeaveCredits(TABLE, 1, JEFA, ANA))
    assert floor.reason(ask.StartTraining(TABLE, JEFA, ANA)) == "money_on_table"
    floor.ask(ask.PayLeft(TABLE, 1_000, JEFA, ANA))
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))
    assert floor.reason(ask.StartTraining(TABLE, JEFA, ANA)) == "training_on"
    floor.open_pass()

    assert floor.reason(ask.EndTraining(TABLE, JEFA)) == "pass_in_progress"


def test_r2_units_are_looked_at_anew_when_training_ends():
    floor = Floor()
    floor.report(1)
    floor.ask(ask.CloseSeat(TABLE, 2, "silla", CARLA))
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))
    assert not floor.seat(2).closed, "everything may be rehearsed"
    floor.sealed({1: 2})
    floor.close_pass()
    floor.ask(ask.EndTraining(TABLE, JEFA))

    assert (floor.seat(1).device, floor.seat(1).giving_back, floor.seat(2).closed) == (None, 0, "silla")
    floor.open_pass()
    floor.buy(1, 2)
    assert floor.report(1, bets=2)[0].amount == 2_000, "what was bet in training is no live bet"


def test_r27_two_tables_train_each_in_its_own_book():
    floor = training()
    floor.ask(ask.StartTraining("GO-01", JEFA, ANA))
    floor.sealed({1: 2})
    floor.sealed({1: 4}, "GO-01")
    floor.close_pass()

    (ended,) = floor.ask(ask.EndTraining(TABLE, JEFA))
    assert all("~DP-01" in account for account in ended.closing)
    assert set(floor.state.training) == {"~GO-01"}
    assert floor.state.training["~GO-01"]["commission:~GO-01:central"] == 800


# Restore, clock


def test_r27_a_restore_begins_a_newer_epoch_by_two_persons():
    floor = Floor()
    for epoch in (1, 0, -5):
        assert floor.reason(ask.RestoreNode(epoch, "disco", TITO, LUIS)) == "epoch_not_newer"
    for epoch in (2**31, 10**30):
        assert floor.reason(ask.RestoreNode(epoch, "disco", TITO, LUIS)) == "amount_wrong"
    assert "2147483647" in floor.record[-1][1].message
    assert floor.reason(ask.RestoreNode(2, "disco", ANA, ANA)) == "two_persons_needed"

    assert floor.ask(ask.RestoreNode(4, "disco", TITO, LUIS)) == (NodeRestored(4, "disco", "tito", "luis"),)
    assert floor.state.epoch == 4
    assert kinds(floor.ask(ask.RestoreNode(2**31 - 1, "disco", TITO, LUIS))) == [NodeRestored]


def test_r27_a_restore_says_how_far_the_record_is_known_to_have_gone():
    floor = Floor()
    known = HeadLeft(1, 896, "ab" * 32)
    for wrong in (
        replace(known, epoch=0), replace(known, epoch=9), replace(known, seq=0), replace(known, seq=2**63), replace(known, hash="ab"),
        replace(known, hash="AB" * 32),
    ):  # fmt: skip
        assert floor.reason(ask.RestoreNode(9, "robo", TITO, LUIS, wrong)) == "left_wrong"

    (fact,) = floor.ask(ask.RestoreNode(9, "robo", TITO, LUIS, known))

    assert fact == NodeRestored(9, "robo", "tito", "luis", known)
    assert floor.state.left == (known,)
    floor.ask(ask.RestoreNode(12, "disco", TITO, LUIS))
    assert floor.state.left == (known,), "what one restore left stays left"


def test_r27_a_clock_that_steps_back_is_on_record_and_stops_nothing():
    floor = Floor()
    was = floor.now
    jump, opened = floor.ask(ask.OpenPass(TABLE), after=-60_000)
    assert (jump, floor.state.clock) == (ClockWentBack(was, was - 60_000), was - 60_000)
    assert opened.number == 1

    floor.bet(1)
    sealed = floor.lock()[-1]
    assert floor.table().sealed_at < floor.state.day.opened and sealed.bets
    jump, refused = floor.ask(ask.OpenPass(TABLE), after=-60_000)
    assert (kinds([jump]), refused.reason) == ([ClockWentBack], "pass_in_progress")
    assert kinds(floor.ask(ask.LookAtClock(), after=-1)) == [ClockWentBack, NothingNew]
    assert kinds(floor.ask(ask.LookAtClock(), after=0)) == [NothingNew]


def test_r36_a_table_that_trains_sells_nothing_for_cash_and_pays_none():
    floor = Floor()
    floor.buy(1, 2)
    floor.ask(ask.CashOut(TABLE, 1, CARLA))
    (started,) = floor.ask(ask.StartTraining(TABLE, CARLA, JEFA))
    assert (started.by, started.second) == ("carla", "jefa")
    (bought,) = floor.buy(1, 7)
    assert (bought.table, bought.practice) == ("~DP-01", True)
    assert (floor.at("practice:~DP-01"), floor.at("credits:~DP-01:1")) == (-7_000, 7_000)
    (cashed,) = floor.ask(ask.CashOut(TABLE, 1, CARLA))
    assert (cashed.practice, floor.at("practice:~DP-01")) == (True, 0)
    floor.buy(2, 3)
    floor.ask(ask.LeaveCredits(TABLE, 2, CARLA, JEFA))
    (paid,) = floor.ask(ask.PayLeft(TABLE, 1_000, CARLA, JEFA))
    assert (paid.practice, floor.at("practice:~DP-01")) == (True, -2_000)
    assert not [account for account, amount in floor.balances.items() if account.startswith("cash:") and amount]

    (ended,) = floor.ask(ask.EndTraining(TABLE, JEFA))
    assert ended.closing["practice:~DP-01"] == -2_000 and "practice:~DP-01" in {
        line.account for line in postings(ended)
    }
    assert floor.buy(1, 1)[0].practice is False
