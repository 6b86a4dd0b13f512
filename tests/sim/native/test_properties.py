"""What holds in a unit whatever people, hosts and power do to it: thousands of random lives, seeded (2.1, 2.4-2.7)."""

import random

import pytest
from conftest import CAMPAIGN

from drivers.native import contract as at
from drivers.native.contract import Bet, LampCommand, LampDrive, LockState, Opcode, ResetCause, SeatMode, UnitClass
from drivers.native.writes import Command, Desired
from firmware_sim.native.books import wound_up
from firmware_sim.native.lamp import LampCondition
from firmware_sim.native.make import USUAL
from firmware_sim.native.memory import UnitMemory
from firmware_sim.native.nvm import Nvm
from support.sim.firmware_host import CONFIG, MS, Host, make_of

LONG = 2**32
LIVES = 2_000 if CAMPAIGN else 150
MIXED = (SeatMode.BUTTONS, SeatMode.CHIPS, SeatMode.BUTTONS)


class Life:
    """One unit and everything that may befall it; `ledger` is what a host that books every poll would know."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        made = {"seats": 3, "modes": MIXED, "capabilities": USUAL[UnitClass.TABLE] | at.Capability.GATE}
        nvm = wound_up(make_of(UnitClass.TABLE, **made)) if seed % 2 else Nvm()
        self.host = Host(UnitClass.TABLE, nvm=nvm, seed=seed, **made)
        self.totals = {}
        self.booked = self.host.unit.memory.seq

    def step(self):
        host, unit, chance = self.host, self.host.unit, self.chance
        act = chance.choice(self.ACTS)
        if not unit.powered:
            unit.power_on(host.now)
        if unit.powered:
            act(self, host, unit, chance)
        host.now += chance.choice((0, 1 * MS, 15 * MS, 30 * MS, 30 * MS, 90 * MS, 300 * MS))
        if chance.random() < 0.01:
            host.now += chance.choice((2_000, 40_000)) * MS
        unit.tick(host.now)

    def press(self, host, unit, chance):
        unit.press(chance.randint(1, 3), chance.randint(1, 4), host.now)

    def chip(self, host, unit, chance):
        deeds = (unit.chip, unit.force_chip, unit.jam, unit.unjam)
        chance.choices(deeds, (20, 2, 1, 3))[0](2, host.now)

    def desire(self, host, unit, chance):
        """Mostly fresh, sometimes stale; acks what was booked, sometimes nonsense."""
        host.beat = (host.beat + 1) & 0xFFFF
        fields = {
            "token": host.token if chance.random() < 0.9 else chance.randrange(2**16),
            "heartbeat": host.beat if chance.random() < 0.9 else chance.randrange(2**16),
            "lock": chance.choices((at.LOCK, at.UNLOCK), (1, 5))[0],
            "round_id": host.round_id + (unit._state != LockState.OPEN and chance.random() < 0.3),
            "ack": self.booked
            if chance.random() < 0.8
            else chance.choice((self.booked - 2**30, unit.memory.seq + 1000)) % LONG,
            "lamp": chance.choice(
                (0,) * 9
                + (
                    LampCommand.TEST << 8,
                    LampCommand.TEST_BETWEEN << 8,
                    LampCommand.FORCE_OFF << 8 | 1,
                    LampCommand.RELIGHT << 8,
                )
            ),
        }
        host.round_id = fields["round_id"]
        if host.beat != fields["heartbeat"] and fields["token"] == host.token:
            host.beat = fields["heartbeat"]
        host.write(at.DESIRED, Desired(**fields).encode())

    def book(self, _host, unit, _chance):
        self.booked = unit.memory.seq

    def command(self, host, unit, chance):
        host.command_id += 1
        seat = chance.randint(1, 3)
        memory = unit.seats[seat - 1].memory
        opcode = chance.choice(
            (
                Opcode.LOADED_TO,
                Opcode.LOADED_TO,
                Opcode.CASHED_TO,
                Opcode.VOID_BET,
                Opcode.SEAT_ENABLE,
                Opcode.CLEAR_FAULTS,
            )
        )
        expected, target = {
            Opcode.LOADED_TO: (memory.loaded, memory.loaded + 30),
            Opcode.CASHED_TO: (memory.cashed, memory.cashed + 7),
            Opcode.VOID_BET: (memory.bet_seq, 1),
            Opcode.SEAT_ENABLE: (0, int(chance.random() < 0.9)),
            Opcode.CLEAR_FAULTS: (memory.latched, 0xFFFF),
        }[opcode]
        words = Command(
            command_id=host.command_id % 60000 + 1,
            opcode=opcode,
            seat=seat,
            expected=expected,
            target=target % LONG,
            token=host.token,
        )
        host.write(at.COMMAND, words.encode())

    def open_session(self, host, unit, chance):
        if self.chance.random() < 0.5 and unit._session_owned:
            return
        host.command_id = (host.command_id + 1) % 60000
        words = Command(command_id=host.command_id + 1, opcode=Opcode.OPEN_SESSION, target=chance.choice((5, 5, 5, 6)))
        host.write(at.COMMAND, words.encode())
        if unit.powered:
            host.token = unit._token

    def break_lamp(self, host, unit, chance):
        condition = LampCondition.OK if chance.random() < 0.7 else chance.choice(tuple(LampCondition))
        unit.lamp(chance.randint(1, 3), condition, host.now)

    def pull_line(self, host, unit, chance):
        unit.lock_line(chance.random() < 0.1, host.now)

    def reboot(self, host, unit, chance):
        if chance.random() < 0.2:
            unit.reboot(chance.choice((ResetCause.BROWN_OUT, ResetCause.WATCHDOG)), host.now)

    def power_cut(self, host, _unit, chance):
        """At any byte of whatever is written next."""
        if chance.random() < 0.3:
            host.nvm.cut_after(chance.randrange(1200))

    ACTS = (
        press,
        press,
        press,
        chip,
        chip,
        *[desire] * 8,
        book,
        book,
        command,
        command,
        open_session,
        break_lamp,
        pull_line,
        reboot,
        power_cut,
    )


def totals_of(memory):
    return tuple((seat.loaded, seat.cashed, seat.bets, seat.voided, seat.chips, seat.late) for seat in memory.seats)


def check_memory(life, memory):
    """Of what is written, not of what is on its way."""
    known = life.totals.setdefault(memory.seq, totals_of(memory))
    assert known == totals_of(memory), "equal numbers, equal totals (2.1.1)"
    for seat, mode in zip(memory.seats, MIXED, strict=True):
        if mode == SeatMode.BUTTONS:
            balance = (seat.loaded - seat.cashed - seat.bets + seat.voided) % LONG
            assert balance < 2**31, "no credit out of nothing"
            assert (seat.bets - seat.voided) % LONG < 2**31, "bets less voided is never negative"
        assert (seat.bet == Bet.NONE) == (seat.credits == 0)


def check_lamps(life):
    unit = life.host.unit
    for seat in unit.seats:
        assert seat.lamp.drive == unit._lamp_for(seat), "the lamp is what the state says"
        if (
            unit.light(seat.number, life.host.now) == LampDrive.STEADY
            and seat.lamp.condition != LampCondition.LIT_WHILE_OFF
        ):
            first = seat.memory.first_seq if seat.mode == SeatMode.CHIPS else seat.memory.bet_seq
            assert (life.booked - first) % LONG < 2**31, "a steady lamp is a bet in the ledger (2.1.3)"
            assert seat.memory.bet in {Bet.CONFIRMED, Bet.SEALED}


def check_lock(life):
    unit, memory = life.host.unit, life.host.unit.memory
    if unit._state == LockState.LOCKED:
        assert all(
            seat.memory.bet not in {Bet.PENDING, Bet.CONFIRMED} and not seat.memory.unacked for seat in unit.seats
        )
        assert memory.sealed or all(seat.memory.bet != Bet.SEALED for seat in unit.seats)
    if unit._state != LockState.OPEN:
        for seat in unit.seats:
            if not seat.is_free:
                assert (memory.cut - seat.memory.bet_seq) % LONG < 2**31, "no bet after the cut (2.5)"
    assert memory.open == (unit._state == LockState.OPEN)
    if unit._state == LockState.OPEN:
        assert unit._live_config is not None
        assert not unit.line_pulled or unit._waiting is not None, "the wire locks; only a falling chip is waited for"


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(4))
def test_whatever_happens_the_books_of_a_unit_are_right(block):
    for seed in range(block * LIVES // 4, (block + 1) * LIVES // 4):
        life = Life(seed)
        life.open_session(life.host, life.host.unit, life.chance)
        for _ in range(120):
            life.step()
            image, health = life.host.nvm.load()
            assert health != at.MemoryHealth.LOST and image is not None, "a power cut leaves one whole image"
            written = UnitMemory.read(image)
            check_memory(life, written)
            if life.host.unit.powered:
                assert (written.seq, totals_of(written)) == (
                    life.host.unit.memory.seq,
                    totals_of(life.host.unit.memory),
                )
                check_lamps(life)
                check_lock(life)
                deadline = life.host.unit.deadline()
                assert deadline is None or deadline > life.host.now, "no busy loop"


def test_an_image_read_back_is_the_same_image():
    life = Life(3)
    life.open_session(life.host, life.host.unit, life.chance)
    for _ in range(300):
        life.step()

    image, _ = life.host.nvm.load()
    assert UnitMemory.read(image).image() == image


def test_the_same_seed_lives_the_same_life():
    images = []
    for _ in range(2):
        life = Life(8)
        for _ in range(200):
            life.step()
        images.append(life.host.nvm.load())

    assert images[0] == images[1]


def test_a_flood_of_heartbeats_keeps_the_agenda_small():
    host = Host().start()
    for _ in range(2_000):
        host.unlock()
    assert len(host.unit._agenda._heap) < 200
    host.wait(CONFIG.host_timeout - 1)
    assert host.poll().lock == LockState.OPEN
    host.wait(1)
    assert host.poll().lock == LockState.HOST_LOST


def test_a_day_of_feeding_keeps_the_agenda_small():
    host = Host().start()
    for _ in range(5_000):
        host.now += 20 * MS
        host.keep()

    assert len(host.unit._agenda._heap) < 200
