"""Real drivers against simulated acceptors over a bad line: no credit is lost in silence, none is invented (2.7).

Chips fall at random while frames are lost, struck and doubled, devices are reset and lose their power in mid-flight,
and the host dies before or after it has booked what it was told. The books keep, per (serial, epoch), the newest
totals they were told; a host that starts again knows nothing else.
"""

import random

import pytest

from drivers.cctalk.frames import Header
from drivers.cctalk.slot import ChipBase
from drivers.line.failures import Failure
from drivers.line.numbers import newer
from drivers.model import UnitDown, UnitUp
from firmware_sim.foreign.cctalk_coins import CoinMake
from firmware_sim.line.mishap import LineSettings
from support.drivers.cctalk_line import (
    CREDITS,
    MILLISECOND,
    CctalkAcceptor,
    CctalkMake,
    Checksum,
    Notice,
    SeatSeen,
    floor,
    settings,
)


class Books:
    """A ledger: the newest totals of each key, in the order of their numbers."""

    def __init__(self):
        self.rows = {}
        self.round_open = 0

    def book(self, seen):
        row = self.rows.get(seen.device)
        if row is None or newer(seen.seq, row.seq):
            self.rows[seen.device] = seen
        elif row.seq == seen.seq:
            assert row.totals == seen.totals, "equal numbers mean equal totals"

    @property
    def credited(self):
        return sum(row.totals.chips + row.totals.late for row in self.rows.values())

    def bases(self):
        newest = {}
        for device, row in self.rows.items():
            if device.serial not in newest or newest[device.serial].device.epoch < device.epoch:
                newest[device.serial] = row
        return [
            ChipBase(row.device, row.seq, row.totals, self.round_open, row.bet_credits, row.bet_seq)
            for row in newest.values()
        ]


class Night:
    """One acceptor, one line, and hosts that come and go."""

    def __init__(self, seed, *, checksum=Checksum.SUM, persistent=False, trouble=0.1):
        self.chance = random.Random(seed)
        self.sheet = settings(checksum=checksum, most=200, lamp=1, accepted_total_persistent=persistent)
        # struck bytes make any question of any other with a sum of 8 bits; a reset by such a one is the other test's
        coins = CoinMake(persistent_totals=persistent)
        self.sim = CctalkAcceptor(CctalkMake(checksum=checksum, coins=coins, silent_to=frozenset({Header.RESET})))
        self.books = Books()
        self.alarms = []
        self.now = 0
        self.round = 0
        self.wanted = 0
        self.line = LineSettings(
            baud=9600, bits=10, echo=self.chance.random() < 0.5,
            loss=trouble * self.chance.random(), noise=trouble * self.chance.random(),
            duplication=trouble * self.chance.random(),
        )  # fmt: skip
        self.start_host()
        self.host.until_up(60_000)
        self.now = self.host.world.now
        self.listen()

    def start_host(self):
        seed = self.chance.randrange(1 << 30)
        self.host = floor(sheets=[self.sheet], sims=[self.sim], bases=self.books.bases(), line=self.line, seed=seed, start=self.now)  # fmt: skip
        self.heard = 0

    def listen(self, *, share=1.0):
        """Books what was told; a share below 1: the host is about to die."""
        for _, event in self.host.told[self.heard :]:
            if isinstance(event, SeatSeen) and self.chance.random() < share:
                self.books.book(event)
                self.host.driver.acknowledge(event.device, event.seq)
            if isinstance(event, Notice) and event.kind in {"reconcile", "uncredited"}:
                self.alarms.append(event)
            if isinstance(event, UnitUp) and self.wanted:
                self.host.driver.unlock(self.wanted)  # a person wants the round to go on
            assert isinstance(event, (SeatSeen, Notice, UnitUp, UnitDown)) or event.done or event.result == "down"
        self.heard = len(self.host.told)
        self.never_more_than_there_is()

    def run(self, milliseconds):
        self.host.world.run_for(milliseconds * MILLISECOND)
        self.now = self.host.world.now

    def inside(self):
        return sum(CREDITS[channel] for channel in self.sim.coins.box)

    def never_more_than_there_is(self):
        assert self.books.credited <= self.inside(), "credit was invented"

    def insert(self):
        """One to three chips; a slot lets no more than four through in a second."""
        for _ in range(self.chance.randint(1, 3)):
            channel = self.chance.randint(0, 3)
            self.host.act(lambda now, channel=channel: self.sim.insert(channel, now))
            self.run(self.chance.randint(250, 600))

    def toggle(self):
        if self.chance.random() < 0.3:
            self.host.driver.lock()
            self.books.round_open = self.wanted = 0
        else:
            self.round = self.round % 60000 + 1
            self.books.round_open = self.wanted = self.round
            self.host.driver.unlock(self.round)

    def crash_host(self):
        self.listen(share=self.chance.choice((0.0, 0.5, 1.0)))
        self.now += self.chance.choice((0, 300, 3000)) * MILLISECOND
        self.sim.tick(self.now)
        self.start_host()
        self.wanted = self.round + 1

    def last_chip(self):
        """The one that nobody may have heard of when the device forgets."""
        self.host.act(lambda now: self.sim.insert(self.chance.randint(0, 3), now))
        self.run(self.chance.randint(0, 400))

    def glitch(self):
        self.last_chip()
        self.host.act(self.sim.reset)

    def power_cut(self):
        self.last_chip()
        self.host.act(self.sim.power_off)
        self.run(self.chance.choice((20, 200, 3000)))
        self.host.act(lambda _: self.sim.power_on())

    def count_the_box(self):
        self.listen()
        self.host.driver.clear_faults(4)

    def rest(self):
        """The line is good and nobody does anything: everything that can be known is known."""
        self.host.line.settings = LineSettings(baud=9600, bits=10, echo=self.line.echo)
        self.run(14_000)  # a device that was refused on a bad line is tried again after ten seconds
        self.listen()


def play(night, steps, *, device_trouble):
    acts = (
        [night.insert] * 10 + [night.toggle] * 3 + [night.count_the_box, night.listen, night.listen, night.crash_host]
    )
    if device_trouble:
        acts += [night.glitch, night.power_cut]
    for _ in range(steps):
        night.chance.choice(acts)()
        night.run(night.chance.randint(0, 700))
        night.listen()
    night.rest()


@pytest.mark.parametrize("seed", range(40))
def test_over_a_bad_line_every_chip_is_credited_once_and_nothing_needs_a_person(seed):
    night = Night(seed, checksum=list(Checksum)[seed % 2], persistent=seed % 3 == 0)
    play(night, 40, device_trouble=False)

    assert night.books.credited == night.inside()
    assert not night.alarms
    assert len(night.books.rows) == 1


@pytest.mark.parametrize("seed", range(40))
def test_what_resets_and_power_cuts_hide_is_never_hidden_from_people(seed):
    night = Night(1000 + seed, checksum=list(Checksum)[seed % 2], persistent=seed % 3 == 0)
    play(night, 40, device_trouble=True)

    assert night.books.credited <= night.inside()
    if night.books.credited != night.inside():
        assert night.alarms, "chips are missing and nobody was told"
    for key in night.books.rows:
        assert key.epoch <= 1 + len(night.alarms), "another epoch, and nobody was told why"


def test_the_schedules_are_bad_enough():
    """A property that was never in danger shows nothing."""
    missing = resets = failures = chips = 0
    for seed in range(40):
        night = Night(1000 + seed)
        play(night, 40, device_trouble=True)
        missing += night.books.credited != night.inside()
        chips += len(night.sim.coins.box)
        resets += len(night.books.rows) > 1
        counters = night.host.bus.counters(2)
        failures += sum(counters.failed[why] for why in (Failure.GARBLED, Failure.SILENT, Failure.COLLISION))

    assert missing >= 5 and resets >= 20 and failures >= 40 and chips >= 150
