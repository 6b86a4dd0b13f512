"""Sections 2.1 and 2.3: what the read blocks say of themselves, and that reading them changes nothing."""

from dataclasses import replace

from drivers.conformance.clause import SEATED, SINCE_1_1, clause
from drivers.conformance.play import fresh, opened, until
from drivers.conformance.steps import Wait, Walk
from drivers.conformance.subject import Subject, expect
from drivers.line.numbers import newer
from drivers.modbus.pdu import Denial, ReadWords
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, SeatDetail
from drivers.session import MILLISECOND

_CLOCK = 500 * MILLISECOND
_TURNS = 4 * at.RING_DEPTH  # more than enough, also where some are lost on a slow line
_SWING = 150  # ms that an honest clock and a slow line may differ by
_MODES = {
    at.UnitClass.ELECTRONIC: {at.SeatMode.BUTTONS}, at.UnitClass.CHIP_SLOT: {at.SeatMode.CHIPS},
    at.UnitClass.CONSOLE: {at.SeatMode.CONSOLE}, at.UnitClass.COUNTER: {at.SeatMode.COUNTER},
    at.UnitClass.TABLE: {at.SeatMode.BUTTONS, at.SeatMode.CHIPS},
}  # fmt: skip


@clause("2.3-I-identity", "I is sound: magic, version, class, seats, address, serial, product, check word.")
def identity(subject: Subject) -> Walk[None]:
    who = yield from subject.identify()
    expect(who.version >> 8 == at.VERSION >> 8, f"contract version {at.VERSION >> 8:02X}xx", f"{who.version:04X}")
    expect(who.unit_class in set(at.UnitClass), "a class of 1 to 5", who.unit_class)
    several = who.unit_class == at.UnitClass.TABLE
    expect(1 <= who.seats <= (at.MOST_SEATS if several else 1), "one seat, or 1 to 9 of class 5", who.seats)
    named = who.version >= SINCE_1_1 or who.unit_class in SEATED
    expect(not named or who.first_seat >= 1, "a first seat from 1 up", who.first_seat)
    expect(0 < who.serial < 2**32 - 1, "a serial number", f"{who.serial:08X}")
    expect(who.product.isprintable() and who.product.strip() != "", "a printable product name", repr(who.product))
    expect(who.ring_depth == at.RING_DEPTH, "an event ring of 12", who.ring_depth)
    expect(who.reset_cause in set(at.ResetCause) - {0}, "a reset cause of 1 to 6", who.reset_cause)
    expect(who.memory in set(at.MemoryHealth), "a state of the memory of 0 to 2", who.memory)
    expect(who.boots >= 1, "a boot counter that counts this boot", who.boots)
    words = yield from subject.words(at.IDENTITY, at.BLOCK_WORDS)
    expect(words[0x1C:0x1F] == (0, 0, 0), "reserved words of 0", words[0x1C:0x1F])


@clause("2.3-I-capabilities", "The capabilities are those the class needs, and no others are claimed.")
def capabilities(subject: Subject) -> Walk[None]:
    who = yield from subject.identify()
    has = at.Capability
    needed = has.NVM | {
        at.UnitClass.ELECTRONIC: has.BUTTONS | has.LAMP, at.UnitClass.CHIP_SLOT: has.CHIP_SLOT | has.LAMP,
        at.UnitClass.CONSOLE: has.LOCK_KEY | has.UNLOCK_KEY, at.UnitClass.TABLE: has.LAMP,
    }.get(at.UnitClass(who.unit_class), 0)  # fmt: skip
    expect(who.capabilities & needed == needed, f"at least {needed:04X}", f"{who.capabilities:04X}")
    expect(who.capabilities <= sum(has), f"only bits of {sum(has):04X}", f"{who.capabilities:04X}")


@clause("2.3-A-tag", "A is sound and names the same boot as I; its seats have the modes of the unit's class.")
def fast_poll(subject: Subject) -> Walk[None]:
    who = yield from subject.identify()
    poll = yield from subject.poll()
    expect(poll.boot_id == who.boot_id, f"boot_id {who.boot_id:04X} as in I", f"{poll.boot_id:04X}")
    for place, seat in enumerate(poll.seats, 1):
        modes = _MODES[at.UnitClass(who.unit_class)]
        expect(seat.mode in modes, f"seat {place} with a mode of its class", seat.mode.name)


@clause("2.3-A-snapshot", "The snapshot counter grows by one with every image, the uptime with the time.")
def snapshot(subject: Subject) -> Walk[None]:
    first = yield from subject.poll()
    second, then = (yield from subject.poll()), subject.now
    expect((second.snapshot - first.snapshot) % 2**16 == 1, f"snapshot {first.snapshot + 1}", second.snapshot)
    yield Wait(_CLOCK)
    third = yield from subject.poll()
    went, shown = (subject.now - then) // MILLISECOND, (third.uptime - second.uptime) % 2**32
    expect(went - _SWING <= shown <= went + _SWING, f"about {went} ms more of uptime", f"{shown} ms")


@clause("2.3-S-detail", "S of every seat is sound and tells the same bet as A.", classes=SEATED)
def details(subject: Subject) -> Walk[None]:
    poll = yield from subject.poll()
    for seat in subject.seats:
        detail = yield from subject.detail(seat)
        in_a = poll.seats[seat - 1].bet
        expect(detail.bet == in_a, f"bet {in_a.name} in S of seat {seat}, as in A", detail.bet)
        words = yield from subject.words(at.detail_address(seat), at.BLOCK_WORDS)
        expect(not any(words[0x15:0x1F]), f"reserved words of 0 in S of seat {seat}", words[0x15:0x1F])
    yield from subject.refuse(ReadWords(at.detail_address(subject.who.seats + 1), at.BLOCK_WORDS), Denial.ADDRESS)


@clause("2.3-E-ring", "E is sound: its newest event is A's event_seq, and every slot stands where its number says.")
def ring(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    before = yield from subject.poll()
    events = yield from subject.ring()
    expect(events.newest == before.seq, f"newest {before.seq}, as event_seq in A", events.newest)
    words = yield from subject.words(at.RING, at.RING_WORDS)
    for slot in range(at.RING_DEPTH):
        place = 4 + at.RING_ENTRY * slot
        seq, kind = words[place] << 16 | words[place + 1], words[place + 4] >> 8
        if kind:
            expect(seq % at.RING_DEPTH == slot, f"slot {slot} with an event of its number", f"event {seq}")
            expect(kind in set(at.EventType), f"a type of 1 to 21 in slot {slot}", kind)
            expect(not newer(seq, events.newest), f"no event after {events.newest}", seq)


@clause("2.3-E-overflow", "More unacknowledged events than the ring holds set b8; an ack clears it; no total moves.")
def overflow(subject: Subject) -> Walk[None]:
    before = yield from opened(subject)
    held = subject.ack
    poll = before
    for _ in range(_TURNS):
        if (poll.seq - held) % 2**32 > at.RING_DEPTH:
            break
        subject.lock = at.UNLOCK if poll.lock is not at.LockState.OPEN else at.LOCK
        yield from subject.tell()
        poll = yield from subject.poll()
    made = (poll.seq - held) % 2**32
    expect(made > at.RING_DEPTH, f"{at.RING_DEPTH + 1} events of {_TURNS} locks and unlocks", made)
    expect(bool(poll.flags & at.UnitFlag.RING_OVERFLOW), "b8 of the state set", f"{poll.flags:04X}")
    subject.ack = poll.seq
    cleared = "b8 of the state cleared by an ack of everything"
    after = yield from until(subject, lambda poll: not poll.flags & at.UnitFlag.RING_OVERFLOW, cleared)
    expect(_money(after) == _money(before), f"totals {_money(before)}", _money(after))


def _money(poll: FastPoll) -> tuple[tuple[int, int, int, int], ...]:
    return tuple((seat.loaded, seat.bets, seat.voided, seat.chips) for seat in poll.seats)


@clause("2.1-reads-change-nothing", "Reading every block, twice, changes no total, no event, no state.")
def reads_change_nothing(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    yield from _one_credit_more(subject)
    before = yield from _everything(subject)
    after = yield from _everything(subject)
    for name, was in before.items():
        expect(after[name] == was, f"{name} as before: {was}", after[name])


def _one_credit_more(subject: Subject) -> Walk[None]:
    """What the first reading after it showed, the second must show too."""
    poll = yield from subject.poll()
    for seat, seen in enumerate(poll.seats, 1):
        if seen.mode is at.SeatMode.BUTTONS:
            yield from subject.feed()
            yield from subject.done(at.Opcode.LOADED_TO, seat, seen.loaded, (seen.loaded + 1) % 2**32)
            first = subject.last
            second = yield from subject.poll()
            assert first is not None, "the result was read"
            expect(_money(first) == _money(second), f"totals {_money(first)} in A, read again", _money(second))


def _everything(subject: Subject) -> Walk[dict[str, object]]:
    """Every block, without what may move by itself."""
    found: dict[str, object] = {"A": (yield from _at_rest(subject))}
    found["I"] = yield from subject.identify()
    found["E"] = yield from subject.words(at.RING, at.RING_WORDS)
    found["C"] = yield from subject.words(at.CONFIG, at.BLOCK_WORDS)
    for seat in subject.seats:
        yield from subject.feed()
        detail = yield from subject.detail(seat)
        found[f"S({seat})"] = replace(detail, inputs=0)
    found["A afterwards"] = yield from _at_rest(subject)
    return found


def _at_rest(subject: Subject) -> Walk[FastPoll]:
    poll = yield from subject.poll()
    seats = tuple(replace(seat, milliamps=0, feedback=0, flags=0) for seat in poll.seats)
    return replace(poll, snapshot=0, uptime=0, heartbeat_age=0, seats=seats)


@clause("2.3-C-readable", "C is sound and is the configuration whose generation and check word I names.")
def config_readable(subject: Subject) -> Walk[None]:
    who = yield from subject.identify()
    live = yield from subject.read_config()
    expect(live.flaw() is None, "a configuration a unit may run on", live)
    wanted = f"generation {who.config_generation} and check {who.config_check:04X} as in I"
    same = (live.generation, live.check) == (who.config_generation, who.config_check)
    expect(same, wanted, f"{live.generation} and {live.check:04X}")


@clause("2.3-S-balance", "balance = loaded - cashed - bets + voided, at every seat with buttons.", classes=SEATED)
def balance(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    for seat in subject.seats:
        yield from subject.feed()
        before = yield from subject.poll()
        detail = yield from subject.detail(seat)
        after = yield from subject.poll()
        expect(before.seq == after.seq, f"a unit at rest, event_seq {before.seq}", after.seq)
        if after.seats[seat - 1].mode is at.SeatMode.BUTTONS:
            _balanced(after, detail, seat)


def _balanced(poll: FastPoll, detail: SeatDetail, seat: int) -> None:
    shown = poll.seats[seat - 1]
    owed = (shown.loaded - detail.cashed - shown.bets + shown.voided) % 2**32
    expect(detail.balance == owed, f"a balance of {owed} at seat {seat}", detail.balance)


@clause("2.1-totals-and-seq", "Through all of this, totals and event_seq only grew, and no total without event_seq.")
def totals_and_seq(subject: Subject) -> Walk[None]:
    yield from subject.poll()
    found = "; ".join(subject.contradictions[:3])
    expect(not found, "totals and event_seq that only grow, together", found)


BLOCKS = (identity, capabilities, fast_poll, snapshot, details, ring, overflow, config_readable)
AT_THE_END = (reads_change_nothing, balance, totals_and_seq)
