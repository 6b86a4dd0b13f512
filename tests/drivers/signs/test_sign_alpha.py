"""The real driver of an Alpha sign against the simulated sign, over a line in virtual time: it always heals by itself."""

from collections import deque
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.model import SignSeen, SignState
from drivers.session import MILLISECOND, SECOND
from drivers.signs import alpha
from drivers.signs.alpha_layout import AlphaSettings, alpha_problem
from drivers.signs.alpha_sign import AlphaSign
from drivers.signs.amount import AmountForm
from drivers.signs.letters import Unwritable
from firmware_sim.foreign.alpha import AlphaFirmware, AlphaMake
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import Chunk, LineSettings
from support.sim.world import World

MINUTE = 60 * SECOND
READS = AlphaSettings(number=9, layout="POZO {amount} +{increment}", reads=True)
BLIND = replace(READS, reads=False)
OLD = AlphaMake(reads=False)


class Stage:
    """A sign, its driver, and the line between."""

    def __init__(self, settings=READS, make=None, line=None, seed=1):
        self.driver = AlphaSign(settings)
        self.sign = AlphaFirmware(make or AlphaMake(reads=settings.reads, acknowledges=settings.acknowledges))
        self.line = Line(line or LineSettings(baud=9600, bits=10), Random(seed))
        self.line.attach(self.sign)
        self.events = []
        self.world = World(self.driver, self.line, lambda event, now: self.events.append((now, event)))

    def say(self, action):
        self.world.act(lambda now: action())
        return self

    def show(self, amount, increment="1"):
        return self.say(lambda: self.driver.show(amount, increment))

    def run(self, time):
        self.world.run_for(time)
        return self

    @property
    def shown(self):
        return self.sign.displayed(self.world.now)

    @property
    def states(self):
        return [event.state for _, event in self.events]

    @property
    def last(self):
        return self.events[-1][1]


def seen(state, showing, number=9):
    return SignSeen(unit=number, state=state, showing=showing)


# What it shows.


def test_nothing_is_sent_before_the_owner_says_what_to_show():
    stage = Stage().run(MINUTE)

    assert stage.sign.transmissions == 0
    assert stage.driver.deadline() is None


def test_a_blind_sign_is_written_and_a_readable_one_is_proven():
    blind = Stage(BLIND, OLD).show("$12.345.678", "55").run(3 * SECOND)
    proven = Stage().show("$12.345.678", "55").run(5 * SECOND)

    assert blind.shown == proven.shown == "POZO $12.345.678 +55"
    assert blind.last == seen(SignState.WRITTEN, "POZO $12.345.678 +55")
    assert proven.last == seen(SignState.PROVEN, "POZO $12.345.678 +55")


def test_a_change_of_the_pot_writes_its_string_alone_and_the_map_never_again():
    stage = Stage().show("$1").run(5 * SECOND)
    written = stage.sign.transmissions
    stage.line.capture = deque(maxlen=10)
    stage.show("$2").run(SECOND)

    (frame, *_) = [heard.data for heard in stage.line.capture if heard.source == "host"]
    assert frame == b"".join(alpha.pieces([alpha.write_string("P", b"$2")]))
    assert (stage.sign.maps, stage.shown) == (1, "POZO $2 +1")
    assert stage.sign.transmissions == written + 2  # and one read of it


def test_pot_and_increment_change_in_one_transmission():
    stage = Stage(BLIND, OLD).show("$1", "1").run(5 * SECOND)
    written = stage.sign.transmissions
    both = []
    stage.show("$2", "2")
    while not stage.shown.endswith("+2"):
        stage.run(MILLISECOND)
        both.append(stage.shown)

    assert stage.sign.transmissions <= written + 1
    assert stage.run(SECOND).shown == "POZO $2 +2"
    assert stage.sign.transmissions == written + 1


def test_the_newest_amount_wins_and_none_waits_in_a_queue():
    stage = Stage(BLIND, OLD).show("$0").run(5 * SECOND)
    written = stage.sign.transmissions
    for amount in range(1, 1001):
        stage.show(f"${amount}").run(2 * MILLISECOND)

    assert stage.sign.transmissions - written < 20  # two seconds, and the line and its pauses allow no more
    assert stage.run(300 * MILLISECOND).shown == "POZO $1000 +1"


def test_a_pot_that_changes_all_the_time_is_proven_all_the_same():
    stage = Stage().show("$0").run(5 * SECOND)
    stage.events.clear()
    for amount in range(1, 100):
        stage.show(f"${amount}").run(100 * MILLISECOND)

    assert stage.states.count(SignState.PROVEN) > 10
    assert set(stage.states) == {SignState.PROVEN}


def test_a_prize_silences_the_pot_until_it_is_ended():
    stage = Stage().show("$5").run(5 * SECOND)
    stage.say(lambda: stage.driver.prize("¡GANÓ ASIENTO 3: $5!")).run(2 * SECOND)
    assert stage.shown == "¡GANO ASIENTO 3: $5!"
    assert stage.last == seen(SignState.PROVEN, "¡GANO ASIENTO 3: $5!")

    stage.show("$6").run(2 * SECOND)
    assert stage.shown == "¡GANO ASIENTO 3: $5!"

    stage.say(stage.driver.end_prize).run(2 * SECOND)
    assert stage.shown == "POZO $6 +1"
    assert stage.last == seen(SignState.PROVEN, "POZO $6 +1")


def test_a_prize_comes_before_anything_else_that_waits():
    stage = Stage(BLIND, OLD).show("$5").run(5 * SECOND)
    stage.say(lambda: (stage.driver.show("$6", "7"), stage.driver.prize("GANO")))

    assert stage.run(200 * MILLISECOND).shown == "GANO"


def test_a_prize_may_come_before_the_first_amount():
    stage = Stage(BLIND, OLD)
    stage.say(lambda: stage.driver.prize("GANO")).run(5 * SECOND)

    assert stage.shown == "GANO"


def test_a_prize_longer_than_the_sign_runs_through_it():
    settings = replace(BLIND, layout="{amount}", width=8)
    stage = Stage(settings, OLD)
    stage.line.capture = deque(maxlen=50)
    stage.show("$1", "").say(lambda: stage.driver.prize("GANO EL POZO")).run(3 * SECOND)
    stage.say(lambda: stage.driver.prize("GANO")).run(3 * SECOND)

    frames = b"".join(heard.data for heard in stage.line.capture if heard.source == "host")
    assert b"A0\x1b aGANO EL POZO" in frames
    assert b"A0\x1b bGANO\x03" in frames
    assert b"AA\x1b b\x10P" in frames


# What it refuses.


def test_a_text_that_would_be_cut_is_refused_and_the_sign_keeps_what_it_shows():
    stage = Stage(replace(READS, string_size=12)).show("$5").run(5 * SECOND)
    sign = stage.driver

    assert "12 bytes" in sign.show("$12.345.678.901", "").reason
    assert "'€'" in sign.show("€5", "").reason
    assert "125" in sign.prize("x" * 126).reason
    assert "125" in sign.prize("Ñ" * 63).reason  # two bytes each
    assert "'~'" in sign.prize("~").reason
    assert isinstance(sign.prize(""), Unwritable)
    assert sign.prize("x" * 125) is None
    sign.end_prize()
    assert stage.run(3 * SECOND).shown == "POZO $5 +1"


def test_an_amount_wider_than_a_sign_that_holds_is_refused():
    stage = Stage(replace(READS, layout="{amount}", width=6)).show("$9.999", "").run(5 * SECOND)

    assert stage.driver.show("$10.000", "").reason == "it shows 6 letters at once; '$10.000' needs 7"
    assert stage.shown == "$9.999"


def test_the_configuration_is_examined_for_the_greatest_pot():
    form = AmountForm()
    greatest = form.text(99_999_999)

    assert alpha_problem(READS, greatest, "1") is None
    for settings, words in (
        (replace(READS, address="7"), "sign 9: an address is two"),
        (replace(READS, address="zz"), "two hexadecimal digits"),
        (replace(READS, kind=""), "a kind one letter"),
        (replace(READS, layout="POZO"), "it has no {amount}"),
        (replace(READS, layout="{amount} {pot}"), "{pot} is nothing"),
        (replace(READS, layout="{amount:>9}"), "'{amount:>9}' has a brace that is no gap"),
        (replace(READS, layout="{amount"), "layout '{amount'"),
        (replace(READS, layout="€ {amount}"), "no letter '€'"),
        (replace(READS, string_size=10), "needs 11 bytes and its file has 10"),
        (replace(READS, width=17), "'POZO $99.999.999 +1' needs 19"),
    ):
        assert words in alpha_problem(settings, greatest, "1"), words
    assert "amount '€'" in alpha_problem(READS, "€", "1")
    assert "increment '€'" in alpha_problem(READS, "$1", "€")


# What goes wrong.


@pytest.mark.parametrize("battery", [True, False])
def test_a_readable_sign_that_lost_its_power_is_right_again_within_the_check(battery):
    stage = Stage(make=AlphaMake(battery=battery)).show("$5").run(10 * SECOND)
    stage.say(lambda: stage.sign.power_off(stage.world.now)).run(3 * MINUTE)
    assert stage.last == seen(SignState.DOWN, "")

    stage.say(lambda: stage.sign.power_on(stage.world.now)).run(40 * SECOND)
    assert stage.shown == "POZO $5 +1"
    assert stage.last == seen(SignState.PROVEN, "POZO $5 +1")
    assert stage.states.count(SignState.DOWN) == 1


def test_a_short_power_cut_that_nobody_noticed_is_found_by_reading():
    stage = Stage(make=AlphaMake(battery=False)).show("$5").run(10 * SECOND)
    stage.say(lambda: (stage.sign.power_off(stage.world.now), stage.sign.power_on(stage.world.now))).run(40 * SECOND)

    assert stage.shown == "POZO $5 +1"
    assert stage.sign.maps >= 2


def test_a_blind_sign_without_battery_is_right_again_after_the_rewrite():
    stage = Stage(BLIND, AlphaMake(reads=False, battery=False)).show("$5").run(10 * SECOND)
    stage.say(lambda: (stage.sign.power_off(stage.world.now), stage.sign.power_on(stage.world.now))).run(10 * MINUTE)
    assert stage.shown == ""

    stage.run(6 * MINUTE)
    assert stage.shown == "POZO $5 +1"


def test_everything_is_written_anew_each_quarter_of_an_hour_and_not_more_often():
    stage = Stage().show("$5").run(4 * 15 * MINUTE + MINUTE)

    assert stage.sign.maps == 5
    assert set(stage.states) == {SignState.PROVEN}


def test_a_file_that_somebody_changed_is_set_right_alone():
    stage = Stage().show("$5").run(5 * SECOND)
    intruder = b"".join(alpha.pieces([alpha.write_string("P", b"$999")]))
    stage.say(lambda: stage.sign.receive(intruder, stage.world.now))
    assert stage.shown == "POZO $999 +1"

    stage.run(30 * SECOND)
    assert {event.showing for _, event in stage.events if event.state is SignState.PROVEN} == {"POZO $5 +1"}
    assert seen(SignState.DIFFERS, "$999") in [event for _, event in stage.events]
    assert (stage.shown, stage.last.state, stage.sign.maps) == ("POZO $5 +1", SignState.PROVEN, 1)


def test_a_sign_that_never_takes_a_file_gets_everything_and_then_a_reset():
    stage = Stage().show("$5").run(5 * SECOND)
    resets = []
    special, write_file = stage.sign._special, stage.sign._write_file

    def counting(function, data, now):
        resets.extend([now] if function == "," else [])
        return special(function, data, now)

    stage.sign._special = counting
    stage.sign._write_file = lambda label, content, is_string: write_file(
        label, b"?" if label == "P" else content, is_string=is_string
    )
    stage.show("$6").run(5 * MINUTE)
    assert stage.sign.maps > 2
    assert resets
    assert stage.last.state is not SignState.PROVEN
    assert len(stage.sign._answers) == 0

    stage.sign._write_file = write_file
    stage.run(2 * MINUTE)
    assert stage.last == seen(SignState.PROVEN, "POZO $6 +1")


def test_a_line_that_breaks_takes_nothing_for_written():
    stage = Stage(BLIND, OLD).show("$5").run(5 * SECOND)
    stage.show("$6").run(5 * MILLISECOND)
    stage.world.first.disconnect(stage.world.now)
    assert stage.last == seen(SignState.DOWN, "")
    assert stage.driver.to_send(stage.world.now) == b""
    assert stage.driver.deadline() is None

    stage.run(SECOND)
    stage.world.first.connect(stage.world.now)
    assert stage.run(5 * SECOND).shown == "POZO $6 +1"
    assert stage.last == seen(SignState.WRITTEN, "POZO $6 +1")


def test_a_host_that_stalled_within_a_transmission_sends_it_again_whole():
    driver = AlphaSign(replace(BLIND, gap=0))
    driver.show("$1", "1")
    driver.line_up(0)
    sent, now = b"", 0
    while b"\x02AA" not in sent:  # everything but the last piece, which calls the run sequence
        now = driver.deadline()
        driver.tick(now)
        sent += driver.to_send(now)
    assert sent.endswith(alpha.STX)
    late = driver.deadline() + 2 * SECOND
    driver.tick(late)

    assert driver.to_send(late) == b"\0\0\0\0\0\x01Z00\x02"


def test_a_sign_of_alpha_2_acknowledges_and_what_it_refused_is_sent_again():
    settings = replace(BLIND, acknowledges=True)
    stage = Stage(settings, AlphaMake(reads=False, acknowledges=True)).show("$5").run(5 * SECOND)
    assert stage.last == seen(SignState.WRITTEN, "POZO $5 +1")
    written = stage.sign.transmissions

    stage.sign._files.pop("P")  # it forgot a file: refused as illegal, so everything is written
    stage.show("$6").run(5 * SECOND)
    assert SignState.DIFFERS in stage.states
    assert stage.shown == "POZO $6 +1"
    assert stage.sign.maps == 2
    assert stage.sign.transmissions > written + 4


def test_a_sign_that_refuses_for_a_bad_line_gets_the_same_again_and_then_everything():
    settings = replace(BLIND, acknowledges=True)
    stage = Stage(settings, AlphaMake(reads=False, acknowledges=True)).show("$5").run(5 * SECOND)
    execute = stage.sign._execute

    def deaf(code, data, now):
        if code == "G":
            stage.sign._fault(stage.sign._register.CHECKSUM)
            return True
        return execute(code, data, now)

    stage.sign._execute = deaf
    stage.line.capture = deque(maxlen=100)
    stage.show("$6").run(2 * SECOND)
    assert stage.last == seen(SignState.DIFFERS, "")
    assert stage.sign.maps == 1
    assert stage.world.run_while(lambda: stage.sign.maps == 1, stage.world.now + MINUTE)
    assert not [heard for heard in stage.line.capture if b"E," in heard.data]

    stage.sign._execute = execute
    assert stage.run(MINUTE).shown == "POZO $6 +1"


def test_a_sign_that_should_acknowledge_and_is_silent_is_down():
    stage = Stage(replace(BLIND, acknowledges=True), OLD).show("$5").run(MINUTE)

    assert stage.states == [SignState.DOWN]


def test_silence_is_down_only_after_patience_and_is_said_once():
    stage = Stage(make=OLD).show("$5").run(5 * MINUTE)

    assert stage.states == [SignState.DOWN]
    assert stage.sign.maps > 10  # it is tried again and again
    assert stage.sign.maps < 60  # but not in a hurry


@pytest.mark.parametrize("chunk", list(Chunk))
@pytest.mark.parametrize("reads", [True, False])
def test_every_way_in_which_bytes_arrive_is_the_same(chunk, reads):
    line = LineSettings(baud=9600, bits=10, chunk=chunk, latency=16 * MILLISECOND, echo=True)
    stage = Stage(replace(READS, reads=reads), line=line).show("$12.345.678").run(5 * SECOND)

    assert stage.shown == "POZO $12.345.678 +1"
    assert stage.last.state is (SignState.PROVEN if reads else SignState.WRITTEN)


@pytest.mark.parametrize("seed", range(20))
def test_a_bad_line_and_power_cuts_never_leave_a_readable_sign_wrong(seed):
    chance = Random(seed)
    line = LineSettings(baud=9600, bits=10, loss=0.2, noise=0.2, duplication=0.05, delay=0.05)
    stage = Stage(make=AlphaMake(battery=bool(seed % 2)), line=line, seed=seed)
    for amount in range(30):
        stage.show(f"${amount}").run(chance.randint(1, 5 * SECOND))
        if chance.random() < 0.1:
            stage.say(lambda: stage.sign.power_off(stage.world.now)).run(chance.randint(1, 20 * SECOND))
            stage.say(lambda: stage.sign.power_on(stage.world.now))
        if chance.random() < 0.1:
            stage.say(lambda: stage.driver.prize("GANO")).run(SECOND).say(stage.driver.end_prize)
    stage.line.settings = LineSettings(baud=9600, bits=10)
    stage.run(MINUTE)

    assert stage.shown == "POZO $29 +1"
    assert stage.last == seen(SignState.PROVEN, "POZO $29 +1")


@pytest.mark.parametrize("seed", range(10))
def test_what_is_said_to_be_proven_is_what_the_sign_shows(seed):
    """At the instant it is said; the newest amount may already be on its way."""
    line = LineSettings(baud=9600, bits=10, loss=0.1, noise=0.1)
    stage = Stage(line=line, seed=seed)
    told = []

    def hear(event, now):
        if event.state is SignState.PROVEN:
            told.append(event.showing == stage.sign.displayed(now))

    stage.world.first._on_event = hear
    for amount in range(60):
        stage.show(f"${amount}").run(2 * SECOND)

    assert told
    assert all(told)


@given(st.lists(st.tuples(st.integers(0, 3 * SECOND), st.binary(max_size=60)), max_size=20), st.booleans())
def test_hostile_answers_neither_raise_nor_hang_nor_stop_the_driver(talk, acknowledges):
    driver = AlphaSign(replace(READS, acknowledges=acknowledges))
    driver.show("$5", "1")
    driver.line_up(0)
    now = 0
    for pause, data in talk:
        now += pause
        for _ in range(10):
            if (due := driver.deadline()) is not None and due <= now:
                driver.tick(now)
                driver.to_send(now)
        assert driver.deadline() > now
        driver.receive(data, now)
    while driver.next_event():
        pass

    assert driver.deadline() is not None
    assert len(driver._unproven) <= 4


def test_events_that_nobody_fetches_do_not_pile_up():
    stage = Stage(BLIND, OLD)
    driver = stage.driver
    stage.world.first._session = None
    driver.line_up(0)
    for amount in range(200):
        stage.show(f"${amount}").run(SECOND)

    events = list(iter(driver.next_event, None))
    assert len(events) <= 16
    assert events[-1].showing == "POZO $199 +1"


def test_a_late_answer_to_another_question_is_not_taken():
    stage = Stage().show("$5").run(5 * SECOND)
    assert stage.driver._phase.name == "IDLE"
    stage.run(stage.driver.deadline() - stage.world.now)  # it asks for the priority text now
    stage.events.clear()
    block = alpha.STX + b"GP$999" + alpha.ETX
    late = alpha.SOH + b"000" + block + alpha.checksum(block) + alpha.EOT
    stage.driver.receive(late, stage.world.now)
    stage.run(50 * MILLISECOND)
    stage.driver.receive(late, stage.world.now)

    stage.run(5 * SECOND)
    assert stage.events == []


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("settings", [READS, BLIND, replace(BLIND, acknowledges=True)])
def test_whenever_its_owner_wants_everything_anew_it_is_written_and_soon_right(settings, seed):
    """Also in the middle of a write or a read, of a retry, of a strike."""
    chance = Random(seed)
    make = AlphaMake(reads=settings.reads, acknowledges=settings.acknowledges, battery=False)
    stage = Stage(settings, make, seed=seed).show("$5").run(chance.randint(0, 5 * SECOND))
    for _ in range(5):
        stage.say(lambda: (stage.sign.power_off(stage.world.now), stage.sign.power_on(stage.world.now)))
        stage.run(2 * SECOND + chance.randint(0, 40 * SECOND))
        stage.say(stage.driver.renew).run(chance.randint(0, SECOND)).say(stage.driver.renew).run(4 * SECOND)
        assert stage.shown == "POZO $5 +1"
        assert stage.last.state is (SignState.PROVEN if settings.reads else SignState.WRITTEN)
