"""A sign that was unplugged, through everything there is: signboard, real driver, simulated sign, a line in virtual time.

R-31: the pot is seen again within two minutes between passes, and at once after a test; a test of a sign that is not
there fails, and of one that cannot answer says that nobody saw it.
"""

from dataclasses import replace
from random import Random

import pytest
from msgspec.structs import replace as changed

from controller.core.values import Phase
from controller.node.devices.hardware import tell
from controller.node.signs import renewal
from controller.node.signs.signboard import Signboard
from controller.node.signs.trial import CLOSED, OTHER, SILENT, Verdict
from drivers.session import MILLISECOND, SECOND
from drivers.signs.alpha_layout import AlphaSettings
from drivers.signs.alpha_sign import AlphaSign
from drivers.signs.panel import digit_panel
from drivers.signs.text_sign import TextSignSettings
from firmware_sim.foreign.alpha import AlphaFirmware, AlphaMake
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from support.node.signboard_cases import DOWN, PROVEN, WRITTEN, award, node, place, pot, table, told, view
from support.sim.world import World

MINUTE = 60 * SECOND
STEP = 100 * MILLISECOND
BLIND = AlphaSettings(number=1, layout="POZO {amount}", string_size=30)
READS = replace(BLIND, reads=True)
ACKNOWLEDGES = replace(BLIND, acknowledges=True)
MAKES = {"blind": BLIND, "reads": READS, "acknowledges": ACKNOWLEDGES}
SHOWS = "POZO $5.000"


class Casino:
    def __init__(self, settings, *, table="", seed=1):
        self.board = Signboard(node(place(settings, table=table)))
        make = AlphaMake(reads=settings.reads, acknowledges=settings.acknowledges, battery=False)
        self.driver, self.sign = AlphaSign(settings), AlphaFirmware(make)
        line = Line(LineSettings(baud=9600, bits=10), Random(seed))
        line.attach(self.sign)
        self.world = World(self.driver, line, lambda event, now: self.board.heard("letrero", event, now))
        self.tables = {"DP-01": Phase.BETWEEN}
        self.passes, self.awards = 1, ()
        self.dark = 0  # how long it showed nothing although it had power

    @property
    def now(self):
        return self.world.now

    @property
    def shown(self):
        return self.sign.displayed(self.now)

    @property
    def view(self):
        tables = [changed(table(phase, name=name), number=self.passes) for name, phase in self.tables.items()]
        return view(pot(5_000, awards=self.awards), tables=tables)

    def run(self, time, until=lambda: False):
        end = self.now + time
        while self.now < end and not until():
            wishes = self.board.wishes(self.view, self.now)
            self.world.act(lambda now: [tell(self.driver, wish.command) for wish in wishes])  # noqa: B023
            self.world.run_for(STEP)
            self.dark += STEP if self.sign.powered and not self.shown else 0
        return self

    def test(self):
        assert self.board.test("letrero", self.now) is None
        return self

    def verdict(self):
        asked = self.now
        self.run(10 * SECOND, lambda: self.board.verdict("letrero", self.now) is not None)
        return self.board.verdict("letrero", self.now), self.now - asked

    def lose(self):
        """Unplugged and plugged in again by a cleaner, with a dead battery; nobody sees it on the line."""
        self.sign.power_off(self.now)
        self.sign.power_on(self.now)
        return self


@pytest.mark.parametrize("after", [0, 20, 89, 91, 140])
@pytest.mark.parametrize("make", MAKES)
def test_r31_between_passes_a_sign_that_lost_its_memory_shows_the_pot_again_within_two_minutes(make, after):
    casino = Casino(MAKES[make]).run(10 * SECOND)
    assert casino.shown == SHOWS

    casino.run(after * SECOND + STEP).lose().run(3 * SECOND, lambda: casino.shown == "")
    assert casino.shown == ""
    casino.run(2 * MINUTE - 3 * SECOND, lambda: casino.shown == SHOWS)
    assert casino.shown == SHOWS


@pytest.mark.parametrize("make", MAKES)
def test_r31_after_a_test_it_shows_the_pot_at_once(make):
    casino = Casino(MAKES[make]).run(30 * SECOND).lose().run(3 * SECOND)

    casino.test().run(3 * SECOND)
    assert casino.shown.startswith("PRUEBA DE LETRERO")
    casino.run(4 * SECOND)
    assert casino.shown == SHOWS


def test_r31_in_play_it_is_written_anew_where_a_pass_begins_and_never_within_one():
    casino = Casino(BLIND).run(10 * SECOND)
    casino.tables = {"DP-01": Phase.OPEN, "TX-01": Phase.OPEN}
    casino.run(2 * MINUTE)
    casino.lose().run(3 * SECOND)
    maps = casino.sign.maps
    assert casino.run(40 * SECOND).sign.maps == maps, "a sign that may show the pot is not darkened in a pass"

    casino.passes = 2
    assert casino.run(3 * SECOND).shown == SHOWS


def test_r31_a_sign_of_one_table_waits_for_that_one_alone():
    casino = Casino(BLIND, table="DP-01").run(10 * SECOND)
    casino.tables = {"DP-01": Phase.BETWEEN, "TX-01": Phase.OPEN}
    maps = casino.run(2 * MINUTE).sign.maps

    assert maps == 2


def test_r31_no_prize_is_darkened_while_the_pot_has_its_turn_beside_it():
    casino = Casino(BLIND).run(10 * SECOND)
    casino.awards = (award(),)
    stood = []
    while len(stood) < 2:
        maps = casino.sign.maps
        casino.run(STEP)
        stood += [casino.board.signs()[0].prize] if casino.sign.maps > maps else []

    assert stood == ["", ""]


def test_in_a_pass_without_end_it_is_written_anew_after_five_minutes():
    watched, playing = renewal.Renewal(place(BLIND)), [table(Phase.OPEN)]
    asked = [watched.is_due(playing, "", second * SECOND) for second in range(301)]

    assert asked.index(True) == renewal.LATEST // SECOND
    watched.done(300 * SECOND)
    assert not watched.is_due(playing, "", 301 * SECOND)
    assert watched.is_due(playing, "premio", 600 * SECOND)


def test_a_sign_that_can_be_read_is_not_darkened_for_nothing():
    casino = Casino(READS).run(3 * MINUTE)

    assert casino.sign.maps == 1
    assert casino.dark < 2 * SECOND


def test_a_blind_sign_is_dark_for_a_second_or_so_each_time():
    casino = Casino(BLIND).run(10 * SECOND)
    casino.dark = 0
    casino.run(renewal.DUE)

    assert casino.sign.maps == 2
    assert casino.dark <= 1500 * MILLISECOND


# --------------------------------------------------------------------------------------------------------- the test


def failed(verdict):
    assert verdict.trouble is not None, verdict
    assert verdict.trouble.rule == "R-31" and not verdict.unseen
    return verdict.trouble.reason, verdict.trouble.message


@pytest.mark.parametrize("make", ["reads", "acknowledges"])
def test_r31_a_test_of_a_sign_that_answers_is_well_when_the_sign_said_so(make):
    verdict, took = Casino(MAKES[make]).run(30 * SECOND).test().verdict()

    assert verdict == Verdict()
    assert took < 4 * SECOND


@pytest.mark.parametrize("before", [0, 10 * SECOND, 2 * MINUTE])
@pytest.mark.parametrize("make", ["reads", "acknowledges"])
def test_r31_a_test_of_an_unplugged_sign_fails_however_long_it_is_unplugged(make, before):
    casino = Casino(MAKES[make]).run(30 * SECOND)
    casino.sign.power_off(casino.now)
    casino.run(before)

    verdict, took = casino.test().verdict()

    assert failed(verdict) == ("sign_silent", SILENT.format(sign="letrero/1"))
    assert took < 9 * SECOND, "a client waits for ten"


@pytest.mark.parametrize("make", ["reads", "acknowledges"])
def test_r31_a_sign_that_was_down_for_hours_and_is_plugged_in_passes_its_test(make):
    casino = Casino(MAKES[make]).run(30 * SECOND)
    casino.sign.power_off(casino.now)
    casino.run(5 * MINUTE)
    casino.sign.power_on(casino.now)
    casino.run(2 * SECOND)

    assert casino.test().verdict()[0] == Verdict()


def test_r31_a_test_of_a_sign_on_a_one_way_line_is_sent_and_nobody_saw_it():
    casino = Casino(BLIND).run(30 * SECOND)
    casino.sign.power_off(casino.now)

    assert casino.test().verdict()[0] == Verdict(unseen=True)


def test_r31_a_test_on_a_line_whose_port_is_gone_fails_for_every_sign():
    casino = Casino(BLIND).run(30 * SECOND)
    casino.world.first.disconnect(casino.now)

    assert failed(casino.test().verdict()[0]) == ("sign_silent", CLOSED.format(sign="letrero/1"))


def test_r31_a_test_is_well_also_while_a_prize_stands_there():
    casino = Casino(READS).run(30 * SECOND)
    casino.awards = (award(),)
    casino.run(3 * SECOND)

    assert casino.test().verdict()[0] == Verdict()


def test_r31_a_sign_that_answers_and_shows_something_else_is_not_well():
    casino = Casino(READS).run(30 * SECOND)
    keep = casino.sign._write_text
    casino.sign._write_text = lambda label, content: (
        keep(label, b"\x1b bCERRADO") if label == "0" else keep(label, content)
    )

    assert failed(casino.test().verdict()[0]) == ("sign_not_shown", OTHER.format(sign="letrero/1"))


def test_what_a_sign_said_before_its_test_proves_nothing():
    board = Signboard(node(place(READS)))
    board.wishes(view(pot(100)), 0)
    board.test("letrero", SECOND)
    board.heard("letrero", told(PROVEN, "POZO $100"), SECOND)
    board.wishes(view(pot(100)), SECOND)
    board.heard("letrero", told(PROVEN, "POZO $100"), SECOND)
    assert board.verdict("letrero", 2 * SECOND) is None

    board.heard("letrero", told(PROVEN, "PRUEBA DE LETRERO ÁÉÍOUÑ $0123456789"), 2 * SECOND)
    assert board.verdict("letrero", 2 * SECOND) == Verdict()
    board.heard("letrero", told(DOWN), 3 * SECOND)
    assert board.verdict("letrero", 3 * SECOND) == Verdict(), "what it came to stays"


@pytest.mark.parametrize(("made", "unseen"), [(digit_panel(1), False), (TextSignSettings(number=1), True)])
def test_a_panel_answers_each_write_and_a_text_sign_never(made, unseen):
    board = Signboard(node(place(made)))
    board.wishes(view(pot(100)), 0)
    board.test("letrero", 0)
    shown = board.wishes(view(pot(100)), 0)[0].command
    board.heard("letrero", told(WRITTEN, getattr(shown, "text", "") or shown.amount), SECOND)

    assert board.verdict("letrero", SECOND) == Verdict(unseen=unseen)
