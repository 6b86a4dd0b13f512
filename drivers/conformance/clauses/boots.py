"""Section 2.6: what a boot gives, keeps and forgets, besides money (reboot.py)."""

from dataclasses import replace

from drivers.conformance import play
from drivers.conformance.clause import SEATED, SINCE_1_1, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.clauses.config import cleared, stage
from drivers.conformance.clauses.loss import silence
from drivers.conformance.clauses.reboot import REBOOT, reboot
from drivers.conformance.steps import Need, Walk
from drivers.conformance.subject import Subject, expect, result_is
from drivers.line.numbers import newer
from drivers.native import contract as at

_BOOTS = 3  # of a random token all are equal once in 2^32 examinations
_MOST_OF_A_BOOT = 4  # events: memory, lock, void, boot


@clause("2.6-boot-token", "A boot's token is random and nobody's: no D and no command with it is taken.",
        rests_on=REBOOT, since=SINCE_1_1)  # fmt: skip
def boot_token(subject: Subject) -> Walk[None]:
    tokens: list[int] = []
    while len(set(tokens)) < 2 and len(tokens) < _BOOTS:
        yield from play.fresh(subject)
        yield from reboot(subject)
        tokens.append((yield from subject.poll()).token)
    expect(at.NO_TOKEN not in tokens, "a token that is not 0", "0")
    expect(len(set(tokens)) > 1, f"not the same token after {_BOOTS} boots", f"{tokens[0]:04X}")
    subject.token, subject.ack = tokens[-1], 0
    result_is((yield from subject.order(at.Opcode.CLEAR_FAULTS)), at.Result.STALE_TOKEN, "a command with that token")
    subject.lock, subject.round_id = at.UNLOCK, subject.round_id % 0xFFFF + 1
    yield from subject.tell()
    poll = yield from play.stays(subject, play.is_not_open, "still locked after UNLOCK with that token")
    expect(poll.heartbeat_age == 0xFF, "no heartbeat taken with that token", f"age {poll.heartbeat_age:02X}")


@clause("2.6-boot-forgets", "A boot forgets the command, the heartbeat, D and what was staged.",
        rests_on=REBOOT, since=SINCE_1_1)  # fmt: skip
def boot_forgets(subject: Subject) -> Walk[None]:
    yield from cleared(subject)
    yield from stage(subject, replace(subject.live, generation=subject.live.generation % 0xFFFF + 1))
    yield from reboot(subject)
    poll = yield from subject.poll()
    left = (poll.command_id, poll.result, poll.heartbeat_age)
    expect(left == (0, at.Result.NONE, 0xFF), "id 0, result 0 and age FF after a boot", left)
    expect(not poll.flags & at.UnitFlag.CONFIG_STAGED, "nothing staged after a boot", f"state {poll.flags:04X}")
    shown = yield from subject.words(at.DESIRED, at.WRITE_WORDS)
    expect(not any(shown), "D of zeros after a boot", shown)


@clause("2.6-boot-keeps-disabled", "A boot keeps a seat disabled.", rests_on=REBOOT, since=SINCE_1_1, classes=SEATED)
def boot_keeps_disabled(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    yield from subject.done(at.Opcode.SEAT_ENABLE, 1, target=0)
    yield from reboot(subject)
    flags = (yield from subject.poll()).seats[0].flags
    expect(not flags & at.SeatFlag.ENABLED, "b12 clear still", f"{flags:04X}")


@clause("2.6-boot-keeps-faults", "A boot keeps the unit's latched faults.",
        rests_on=REBOOT, since=SINCE_1_1)  # fmt: skip
def boot_keeps_faults(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    lost = yield from silence(subject)
    yield from play.fresh(subject)
    yield from reboot(subject)
    faults = (yield from subject.poll()).faults
    expect(faults & lost.faults == lost.faults, f"the faults {lost.faults:04X} still", f"{faults:04X}")


@clause("2.6-boot-keeps-events", "A boot keeps the event ring.", rests_on=REBOOT, since=SINCE_1_1)
def boot_keeps_events(subject: Subject) -> Walk[None]:
    yield from cleared(subject)
    before = yield from subject.ring()
    yield from reboot(subject)
    after = {one.seq: one for one in (yield from subject.ring()).entries}
    oldest = (before.newest - at.RING_DEPTH + _MOST_OF_A_BOOT + len(subject.seats)) % 2**32
    for one in before.entries:
        if newer(one.seq, oldest):
            expect(after.get(one.seq) == one, f"the event {one.seq} as before the boot", after.get(one.seq))


@clause("2.6-boot-open", "The boot of a unit that was OPEN sets the cut and tells a lock by BOOT before all else.",
        rests_on=REBOOT, since=SINCE_1_1)  # fmt: skip
def boot_open(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from subject.identify()
    yield from subject.tell()
    seq = (yield from subject.poll()).seq
    yield from reboot(subject)
    poll = yield from subject.poll()
    locks = yield from events_of(subject, at.EventType.LOCK, seq)
    told = [(one.seq, one.argument) for one in locks]
    wanted = (seq + 1) % 2**32
    expect(told == [(wanted, at.LockCause.BOOT)], f"one event 6 with number {wanted} and cause 6", told)
    expect(poll.cut == seq, f"lock_cut_seq {seq}", poll.cut)
    yield from play.fresh(subject)
    cut = (yield from subject.poll()).cut
    yield from reboot(subject)
    poll = yield from subject.poll()
    expect(poll.cut == cut, f"lock_cut_seq {cut} still after the boot of a locked unit", poll.cut)


@clause("2.6-boot-keeps-latches", "A boot keeps a seat's latched faults.", Need.HANDS, classes=SEATED,
        capability=at.Capability.CURRENT_SENSE, rests_on="2.4-lamp-lit-while-off", since=SINCE_1_1)  # fmt: skip
def boot_keeps_latches(subject: Subject) -> Walk[None]:
    seat = yield from play.betting_seat(subject)
    yield from play.opened(subject)
    yield from play.fresh(subject)
    mend = f"seat {subject.name_of(seat)} lamp ok"
    yield from play.whole_again(_latched_over_a_boot(subject, seat, mend), mend, "Repair the lamp.")


def _latched_over_a_boot(subject: Subject, seat: int, mend: str) -> Walk[None]:
    place, fault = subject.name_of(seat), at.SeatFault.LAMP_LIT_WHILE_OFF
    for command, sentence, live in (
        (f"seat {place} lamp lit", f"Feed the lamp of seat {place} from outside.", True),
        (mend, f"Repair the lamp of seat {place}.", False),
    ):
        yield from play.by_hand_in_detail(
            subject, seat, command, sentence,
            lambda detail, live=live: bool(detail.faults & fault) is live,  # type: ignore[misc]
            f"{fault.name} {'live' if live else 'not live any more'}",
        )  # fmt: skip
    yield from reboot(subject)
    latched = (yield from subject.detail(seat)).latched
    expect(bool(latched & fault), f"{fault.name} latched still", f"latched {latched:04X}")
    yield from play.fresh(subject)
    yield from subject.order(at.Opcode.CLEAR_FAULTS, seat, latched, fault)


BOOTS = (
    boot_token,
    boot_forgets,
    boot_keeps_disabled,
    boot_keeps_faults,
    boot_keeps_events,
    boot_open,
    boot_keeps_latches,
)
