"""`pozo node` is killed at any moment of a busy evening and started again: nothing acknowledged is lost or doubled, no lamp
burns for a bet that is not in the record, no pass is stuck, and it is ready again soon.

Real processes on real wires (support/evening/kill_place.py), once with a table of the reference firmware in C
(support/evening/kill_reference.py), people who ask again with the same id (support/evening/kill_crowd.py), and a referee who
holds the record against the devices' own totals (support/evening/kill_referee.py). The second evening has reboots and pulled cables too, and
where the table is in C its program is killed like the node: that is a power cut of the whole table.
"""

import os
import random
import shutil
import statistics
import threading
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.control.client import Client, asking, doing
from controller.node.vocabulary.protocol import Deed
from support.evening.kill_crowd import Crowd
from support.evening.kill_place import ELECTRONIC, LAMP, SILENT, SLOT, Life, place_of
from support.evening.kill_power import prove, record_from_now_on, starts, what_was_recorded
from support.evening.kill_referee import Referee, wait_until
from support.evening.kill_reference import ReferencePlace, reference_place_of
from support.node.node_process import CARLA, JEFE, today
from support.store.power_replay import cuts

pytestmark = pytest.mark.process

KILLS = 200 if CAMPAIGN else 6
WITH_TROUBLE = 100 if CAMPAIGN else 2
EVENING, STATES, STARTED = (
    (30.0, 1_500, 100) if CAMPAIGN else (2.5, 60, 30)
)  # seconds; disks; one of so many is started
SOON = 2.0  # seconds, on a machine that does nothing else
LONGEST_LOCK = SILENT + LAMP + 6.0
MOST_OF_A_PASS = 45.0
POWER_CUTS = 0.15  # of the troubles of a table in C
BY = Signature("")
PLACES = {"firmware_sim": place_of, "reference": reference_place_of}


class Evening:
    def __init__(self, place, seed, tell=lambda _: None):
        self.place, self.chance, self.tell = place, random.Random(seed), tell
        self.referee, self.crowd = Referee(place), Crowd(place, seed)
        self.ready, self.kills = [], 0
        self.life = None

    @property
    def broken(self):
        return self.referee.broken + self.crowd.broken

    def begin(self):
        self.start()
        with Client(self.place.control) as client:
            wait_until(lambda: not client.state().units, 20)
            self._tell(client, doing(Deed.OPEN_DAY, JEFE, day=today()))
            wait_until(lambda: not all(unit.health == "up" for unit in client.state().units), 20)

    def start(self):
        self.life = Life(self.place)
        took = self.life.ready()
        if took is None:
            self.life.say_where()
        assert took is not None, f"it never was ready: {self.place.journal.read_text()[-5000:]}"
        self.ready.append(took)

    def play(self, kills):
        for kill in range(1, kills + 1):
            self.one_life(long=kill % 5 == 0)
            self.kills += 1
            if self.broken:
                break
            if kill % 20 == 0:
                self.tell(f"{kill} of {kills} kills: {self.figures()}")

    def one_life(self, long):
        """From a living node to the next one."""
        if long:
            self.finish_a_pass()
        else:
            lasts = ((0.0, 0.0), (0.0, 0.5), (0.5, 3.0), (3.0, 7.0), (3.0, 7.0))
            self.live_for(self.chance.uniform(*self.chance.choice(lasts)))
        happens = self.chance.choice((None, self.crowd.asked, self.crowd.asked, self.crowd.pressed))
        if happens is not None:
            happens.clear()
            happens.wait(1.0)
            time.sleep(self.chance.choice((0.0, self.chance.uniform(0, 0.008), self.chance.uniform(0, 0.06))))
        assert not self.life.ended, f"it ended by itself: {self.place.said()[-2:]}"
        self.life.kill()
        self.referee.look()
        time.sleep(self.chance.choice((0.0, 0.0, 0.1, 0.4, 3.5)))
        while self.chance.random() < 0.15:  # and while it starts
            life = Life(self.place)
            life.ready(self.chance.uniform(0, 1.2))
            life.kill()
            self.kills += 1
            self.referee.look()
        self.start()

    def live_for(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.referee.look()
            time.sleep(min(0.15, max(0, end - time.monotonic())))

    def finish_a_pass(self):
        """R-5: after a restart no table is stuck, wherever its pass was."""
        passes, end = self.crowd.passes, time.monotonic() + MOST_OF_A_PASS
        locking = None
        while self.crowd.passes == passes and not self.broken:
            self.referee.look()
            with Client(self.place.control) as client:
                table = client.state().tables[0]
            locking = (locking or time.monotonic()) if table.phase == "locking" else None
            if locking is not None and time.monotonic() - locking > LONGEST_LOCK:
                self.referee.wrong(f"a pass waits for its proofs for {LONGEST_LOCK:.0f} s: {table}")
            if time.monotonic() > end:
                self.referee.wrong(f"no pass could be finished in {MOST_OF_A_PASS:.0f} s: {table}")
            time.sleep(0.1)

    # ------------------------------------------------------------------------------------------------ the end

    def end(self):
        """The players go; a last pass is sealed with its lamps; everybody was answered; the node ends as it should."""
        self.crowd.go_home()
        if self.broken:
            return
        with Client(self.place.control) as client:
            self._up_and_open(client)
            self._seal(client)
            self._settle(client)
        assert self.life.stop() == 0
        self.referee.look()
        self.referee.at_rest(self.crowd.told, self.crowd.again)
        said = self.place.verify()
        if not said.startswith("BIEN"):
            self.referee.wrong(f"pozo verify: {said}")
        for one in self.place.said():
            if one.get("event") in {"defect", "store_failed", "rack_failed", "control_failed", "inbox_full"}:
                self.referee.wrong(f"the journal: {one}")

    def _up_and_open(self, client):
        """Every device is there, and no seat is closed."""

        def not_yet():
            view = client.state()
            down = [unit.number for unit in view.units if unit.health != "up"]
            closed = [seat for seat in view.tables[0].seats if seat.closed]
            if not down:
                for seat in closed:
                    self._tell(client, doing(Deed.CLEAR_FAULTS, JEFE, table="DP-01", seat=seat.seat))
                    self._ask(client, ask.OpenSeat("DP-01", seat.seat, BY), JEFE)
            return [*down, *closed]

        left = wait_until(not_yet, 60, 0.3)
        if left:
            self.referee.wrong(f"down, or closed for ever: {left}")

    def _seal(self, client):
        """Whatever the phase is: one more pass with bets, locked on the console, each lit."""
        if client.state().tables[0].phase == "open":
            self._lock(client)
        if client.state().tables[0].phase == "locking":
            wait_until(lambda: client.state().tables[0].phase == "locking", LONGEST_LOCK)
        for seat in ELECTRONIC:
            self._ask(client, ask.BuyCredits("DP-01", seat, 3, BY), CARLA)
        self._tell(client, doing(Deed.UNLOCK, CARLA, table="DP-01"))
        wait_until(lambda: any(seat.locked for seat in client.state().seats), 10)
        for seat in ELECTRONIC:
            self.place.say(f"seat {seat} press 1")
        self.place.say(f"seat {SLOT} chip")
        wait_until(lambda: sum(seat.bet > 0 for seat in client.state().tables[0].seats) < 3, 10)
        self._lock(client)
        left = wait_until(lambda: self.referee.lamps_differ(client.state()), 10)
        if left:
            self.referee.wrong(f"after the lock: {left}")

    def _lock(self, client):
        self.place.say("console lock")
        left = wait_until(lambda: client.state().tables[0].phase != "sealed", LONGEST_LOCK)
        if left:
            self.referee.wrong(f"locked, and never sealed: {client.state().tables[0]}")

    def _ask(self, client, asked, *people):
        self._tell(client, asking(asked, *people))

    def _tell(self, client, request):
        self.crowd.note(request, client.ask(request, 20))

    def _settle(self, client):
        """What is given back and loaded finds its place."""
        self._ask(client, ask.ClosePass("DP-01", BY), CARLA)

        def moving():
            view = client.state()
            held = {seat.seat: seat.credits for seat in view.seats}
            return [
                (seat.seat, seat.credits, held[seat.seat])
                for seat in view.tables[0].seats
                if seat.seat in ELECTRONIC and seat.credits != held[seat.seat] * 1_000
            ]

        wait_until(moving, 15)

    def figures(self):
        times = sorted(self.ready)
        middle, worst = statistics.median(times), times[-1]
        soon = sum(time < SOON for time in times)
        return (
            f"{self.kills} kills, {self.crowd.passes} passes, {self.referee.rows} facts, {len(self.crowd.told)} answers, "
            f"ready p50 {middle:.2f} s, max {worst:.2f} s, {soon} of {len(times)} under {SOON:.0f} s; "
            f"{dict(self.referee.seen)}; {dict(self.crowd.seen)}"
        )


class Trouble(threading.Thread):
    """Units reboot or lose their power, data wires and adapters are pulled; each is put right a little later. What has no
    memory of its own keeps its power: what it lost would be counted by hand (devices.md 2.6)."""

    def __init__(self, place, seed):
        super().__init__()
        self.place, self.chance = place, random.Random(f"{seed} trouble")
        self.over, self.did, self.cuts = threading.Event(), 0, 0

    def run(self):
        while not self.over.wait(self.chance.uniform(0.3, 3)):
            self.did += 1
            if isinstance(self.place, ReferencePlace) and self.chance.random() < POWER_CUTS:
                self.place.cut_power(self.chance.choice((0.05, 2.0, 6.0)))
                self.cuts += 1
                continue
            unit = self.chance.choice(("mesa/1", "mesa/2", "mesa/3", "mesa/4", "mesa/20"))
            harm, mend = self.chance.choice((
                (f"unit {unit} reboot", ""), (f"unit {unit} reboot", ""),
                (f"unit {unit} off", f"unit {unit} on"),
                (f"unit {self.chance.choice((unit, 'modulo/5'))} unplug", ""),
                ("line mesa unplug", "line mesa plug"), ("line ranuras unplug", "line ranuras plug"),
                ("line modulo unplug", "line modulo plug"),
                ("line mesa loss 10%", "line mesa clean"),
            ))  # fmt: skip
            self.place.say(harm)
            self.over.wait(self.chance.choice((0.05, 0.5, 2.0, 4.0, 8.0)) if harm.endswith(("off", "plug")) else 0.3)
            self.place.say(mend or harm.replace("unplug", "plug"))


@pytest.mark.campaign
@pytest.mark.parametrize("opened", PLACES.values(), ids=PLACES)
def test_killed_at_any_moment_of_a_busy_evening_it_loses_and_doubles_nothing(template, tell, opened):
    with opened(template, 5) as place:
        evening = Evening(place, 20261118, tell)
        evening.begin()
        with evening.crowd:
            evening.play(KILLS)
            evening.end()

        tell(evening.figures())
        assert not evening.broken, "\n".join(evening.broken)
        assert evening.kills >= KILLS and evening.referee.seen["bet_made"] and evening.referee.seen["steady lamps"]
        assert statistics.median(evening.ready) < 2 * SOON


@pytest.mark.campaign
@pytest.mark.parametrize("opened", PLACES.values(), ids=PLACES)
def test_the_same_with_reboots_and_pulled_cables(template, tell, opened):
    with opened(template, 6) as place:
        evening, trouble = Evening(place, 20261119, tell), Trouble(place, 20261119)
        evening.begin()
        with evening.crowd:
            trouble.start()
            try:
                evening.play(WITH_TROUBLE)
            finally:
                trouble.over.set()
                trouble.join(20)
            evening.end()

        tell(f"{trouble.did} troubles, {trouble.cuts} of the table's power; {evening.figures()}")
        assert not evening.broken, "\n".join(evening.broken)
        assert trouble.did and evening.kills >= WITH_TROUBLE


@pytest.mark.campaign
def test_a_power_cut_at_any_instant_leaves_a_node_that_goes_on(template, tell, tmp_path):
    record, seen = tmp_path / "record", Counter()
    with place_of(template, 7) as place, TemporaryDirectory(dir=memory_or(tmp_path)) as disks:
        evening = Evening(place, 20261120, tell)
        base = record_from_now_on(evening, record)
        evening.begin()
        with evening.crowd:
            for _ in range(2):
                evening.live_for(EVENING)
                evening.life.kill()
                evening.start()
            evening.live_for(EVENING)
        assert evening.life.stop() == 0 and not evening.broken, "\n".join(evening.broken)
        whole = what_was_recorded(evening, record, base)
        for number, cut in enumerate(cuts(whole.steps, whole.disk(), Path(disks), 20261120, STATES)):
            seen[f"head {prove(cut, whole, seen)}"] += 1
            seen[cut.fate] += 1
            if number % STARTED == 0:
                with TemporaryDirectory(prefix="pz") as folder:
                    assert starts(cut, Path(folder))[1] == 0
            shutil.rmtree(cut.folder)
        heads = sum(what.startswith("head") for what in seen)
        tell(
            f"{STATES} cuts of {len(whole.steps)} steps, {heads} heads, {[one for one in seen.items() if 'head ' not in one[0]]}"
        )
    assert heads > STATES / 10 and seen["days"]


def memory_or(place):
    memory = Path("/dev/shm")  # noqa: S108  a folder of its own below it
    return memory if os.access(memory, os.W_OK) else place
