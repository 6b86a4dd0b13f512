"""Who sets the clock, or answers its questions for the time: a moment's prize, days' names, and what every screen says (R-27,
R-29)."""

import json

import pytest

from controller.core import inputs as ask
from controller.core.facts import ClockStepped, Drawn
from controller.core.values import Signature
from controller.node.store.backup import back_up
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import Deed
from controller.rules.complementary import number_below, secret_of
from controller.verify.chain import Witness
from support.core.book_cases import PLAN, RULESET, SEED, one_pass
from support.edits.forger import Forger
from support.node import node_process
from support.node.engine_days import close_day, keep_seed
from support.node.node_process import JEFE as CHIEF
from support.node.node_process import casino, founded, today
from support.node.node_stand import Stand
from support.record.verifying import verify

HOUR, DAY, YEAR = 3_600_000, 86_400_000, 365 * 86_400_000
ANA, LUIS, JEFE, JEFA, CARLA = (Signature(name) for name in ("ana", "luis", "jefe", "jefa", "carla"))
SOON = """
[[complementary]]
name = "Momento"
amount = 5000
drawn = "seat"
paid_in = "cash"
from = "main"
within_minutes = 600
"""
SET = (
    "import pathlib, time; there = pathlib.Path({there!r}); wall = time.time_ns;"
    " time.time_ns = lambda: wall() + int(there.read_text() or 0); "
)
"""The wall clock of one process, ahead by what the file says: as if somebody had set the machine's."""


@pytest.fixture
def stand(tmp_path):
    stand = Stand(tmp_path / "node")
    yield stand
    stand.close()


def set_clock(stand, ms):
    """Somebody sets the wall clock; no time passes."""
    stand.millis += ms
    stand.stepped += ms


def on_the_screens(stand):
    stand.micros += 1_000_000
    stand.turn()
    return [alarm.sentence for alarm in stand.control.views[-1].alarms if alarm.where == "reloj"]


def steps(stand):
    return [fact.ms for fact in stand.facts() if isinstance(fact, ClockStepped)]


def test_ten_years_under_play_are_an_alarm_at_once_though_nobody_asks_anything(stand):
    set_clock(stand, 10 * YEAR)

    (said,) = on_the_screens(stand)
    assert "10 años adelantado" in said and steps(stand) == [10 * YEAR]


def test_it_stands_until_somebody_takes_note_who_may(stand):
    set_clock(stand, -10 * HOUR)
    assert on_the_screens(stand)

    assert stand.reply(ask.NoteClock(CARLA)).trouble.reason == "role_missing"
    assert on_the_screens(stand)
    assert stand.reply(ask.NoteClock(JEFE)).ok
    assert not on_the_screens(stand)


def test_a_step_is_on_record_before_anything_that_is_dated_by_it(stand):
    before = len(stand.facts())
    set_clock(stand, 10 * HOUR)
    stand.reply(ask.OpenPass("M1", CARLA))

    assert [type(fact).__name__ for fact in stand.facts()[before:]][:2] == ["ClockStepped", "PassOpened"]


@pytest.mark.parametrize("way", ["steps", "slowly"])
def test_a_clock_that_is_set_for_one_pass_brings_no_moment_nearer(stand, way):
    """The attack of the report: +10 h, one pass, -10 h: `drawn hit seat 3, 10.000.000`, and no alarm."""
    keep_seed(stand)
    stand.client.say(ask.StagePlan(PLAN + SOON, RULESET, ANA, LUIS))
    day = stand.book.state.day
    assert day is not None
    moment = number_below(
        secret_of(SEED, day.nonce), f"{day.name}/{stand.book.state.tables['M1'].pot}/Momento/moment", 600 * 60_000
    )
    assert moment > HOUR
    if way == "steps":
        set_clock(stand, 10 * HOUR)
        stand.turn()
    else:  # by a server of time, a twelfth faster, as long as a pass lasts
        for _ in range(10):
            stand.millis += 60_000
            set_clock(stand, 5_000)
            stand.turn()
    stand.client.now = stand.millis
    for group in one_pass(stand.book):
        if isinstance(group[0], ask.ClosePass):
            break
        stand.client.say(*group)
    stand.millis = stand.client.now
    stand.turn()

    (drawn,) = (fact for fact in stand.facts() if isinstance(fact, Drawn))
    assert not drawn.hit
    table = stand.book.state.tables["M1"]
    assert table.sealed_at - table.skipped - day.opened < HOUR / 2
    assert abs(sum(steps(stand)) - (10 * HOUR if way == "steps" else 50_000)) < 200, (
        "all but what an oscillator may be off"
    )


def test_a_slow_push_within_what_an_oscillator_may_be_off_is_not_seen_and_is_seventeen_seconds_a_day(stand):
    for _ in range(24 * 60):
        stand.millis += 60_000
        set_clock(stand, 12)  # 200 millionths
        stand.turn()

    assert steps(stand) == [] and 24 * 60 * 12 == 17_280


def test_who_set_the_clock_ahead_and_can_write_the_file_takes_no_step_out_of_it(stand, tmp_path):
    """On 36cd7b9 a step forward behind a signature waited five minutes for its own: he made the tail anew without it, and
    no head knew it."""
    stand.book.sign()
    set_clock(stand, 10 * HOUR)
    stand.turn()
    stand.reply(ask.OpenPass("M1", CARLA))
    row = stand.book.store.newest_checkpoint()
    head = Witness(row.seq, json.loads(row.body)["hash"], stand.book.key, row.body, row.signature)
    taken, copy = tmp_path / "taken.db", tmp_path / "copy.db"
    back_up(stand.folder / "node.db", taken)
    with Forger(taken, copy) as forger:
        bodies = forger.bodies()
        (step,) = (body["seq"] for body in bodies if body["fact"]["kind"] == "clock_stepped")
        for body in bodies[step:]:
            body["at"] -= 10 * HOUR
        forger.write_anew(bodies[: step - 1] + bodies[step:], step)
    with Reader.open(copy) as reader:
        assert verify(reader, None, lambda _: None).wrong is None, "the record alone says nothing of what was cut off"
        wrong = verify(reader, head, lambda _: None).wrong
    assert row.seq == step and wrong is not None and wrong.place == "testigo"


# What days are called


@pytest.mark.parametrize("name", ["z" * 64, "2062-11-19", "2026-13-01", "9999-12-31", "2026-11-2O"])
def test_one_chief_or_a_slip_of_the_hand_does_not_end_the_life_of_a_node(stand, name):
    """The attack of the report: `dia abrir zzzz...`, `dia cerrar`, and never a day after it."""
    close_day(stand)
    assert not stand.reply(do=Deed.OPEN_DAY, day=name, signed=[JEFE]).ok

    assert stand.reply(do=Deed.OPEN_DAY, day="2026-11-02", signed=[JEFE]).ok


def test_a_day_that_was_opened_by_a_clock_that_was_wrong_is_put_right_by_two(stand):
    close_day(stand)
    set_clock(stand, 36 * 365 * DAY)
    stand.turn()
    assert stand.reply(do=Deed.OPEN_DAY, day="2062-10-23", signed=[JEFE]).ok
    set_clock(stand, -36 * 365 * DAY)
    stand.turn()

    assert stand.reply(ask.RenameDay("2026-11-02", "el reloj", JEFE, JEFA)).ok
    assert stand.reply(do=Deed.CLOSE_DAY, signed=[JEFE]).ok
    stand.millis += DAY
    assert stand.reply(do=Deed.OPEN_DAY, day="2026-11-03", signed=[JEFE]).ok


@pytest.mark.process
def test_the_clock_of_a_running_node_is_set_and_every_screen_says_so_until_it_is_set_back(tmp_path, monkeypatch):
    there = tmp_path / "ahead"
    there.write_text("0")
    monkeypatch.setattr(node_process, "NODE", SET.format(there=str(there)) + node_process.NODE)
    (tmp_path / "founded").mkdir()
    founded(tmp_path / "founded")
    with casino(tmp_path / "founded") as place:
        node = place.start()
        node.ready()
        assert node.do(Deed.OPEN_DAY, CHIEF, day=today()).ok
        there.write_text(str(10 * HOUR * 10**6))
        view = node.until(lambda view: any("horas adelantado" in alarm.sentence for alarm in view.alarms))
        assert view.tables, "and play goes on"
        there.write_text("0")
        node.until(lambda view: not any(alarm.where == "reloj" for alarm in view.alarms))
        code, _ = node.end()

        assert code == 0 and "BIEN" in place.verify()
