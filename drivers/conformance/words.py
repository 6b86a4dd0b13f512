"""What a unit's blocks say, in a technician's words: for verdicts, for `device scan` and for `device watch`."""

from enum import IntEnum

from drivers.native import contract as at
from drivers.native.blocks import FastPoll, Identity, SeatPoll

_LAMPS = {
    at.LampDrive.OFF: "dark", at.LampDrive.STEADY: "steady", at.LampDrive.PENDING: "fast blink",
    at.LampDrive.FAULT: "wink (fault)", at.LampDrive.TEST: "test",
}  # fmt: skip
_PROOF = {
    at.Feedback.OPEN: "open load", at.Feedback.SHORT: "short", at.Feedback.CURRENT_WHILE_OFF: "current while off",
    at.Feedback.LATCHED: "fault latched",
}  # fmt: skip


def named(bits: int, kind: type[IntEnum]) -> tuple[str, ...]:
    """The set bits by their names; one without a name by its number."""
    known = {bit.value: bit.name.lower().replace("_", " ") for bit in kind}
    return tuple(known.get(1 << place, f"bit {place}") for place in range(16) if bits >> place & 1)


def plain(value: int, kind: type[IntEnum]) -> str:
    known = {one.value: one.name for one in kind}
    return known[value].lower().replace("_", " ") if value in known else f"unknown ({value})"


def lamp_words(seat: SeatPoll) -> str:
    words = [_LAMPS[seat.lamp]]
    if not seat.feedback & at.Feedback.MEASURED:
        words.append("not measured")
    else:
        words.append("agrees" if seat.flags & at.SeatFlag.FEEDBACK_AGREES else "DOES NOT AGREE")
    words += [word for bit, word in _PROOF.items() if seat.feedback & bit]
    if seat.milliamps != at.NO_CURRENT:
        words.append(f"{seat.milliamps} mA")
    return ", ".join(words)


def seat_words(seat: SeatPoll) -> str:
    words: list[str] = []
    if seat.mode is at.SeatMode.CONSOLE:
        words = [f"lock presses {seat.loaded}", f"unlock presses {seat.bets}", f"key changes {seat.voided}"]
    elif seat.mode is at.SeatMode.COUNTER:
        words = [f"shows {seat.loaded}"]
    else:
        bet = "no bet" if seat.bet is at.Bet.NONE else f"bet {seat.bet_credits} {plain(seat.bet, at.Bet)}"
        words = [bet, f"lamp {lamp_words(seat)}", f"loaded {seat.loaded}", f"bets {seat.bets}", f"voided {seat.voided}"]
        words += [f"chips {seat.chips}"] if seat.mode is at.SeatMode.CHIPS else []
    states = ((at.SeatFlag.BUTTON_DOWN, "button down"), (at.SeatFlag.PATH_BLOCKED, "chip path blocked"))
    words += [word for bit, word in (*states, (at.SeatFlag.PART_UNACKED, "a part unacked")) if seat.flags & bit]
    words += [] if seat.flags & at.SeatFlag.ENABLED else ["DISABLED"]
    words += ["FAULT"] if seat.flags & at.SeatFlag.FAULT else []
    return ", ".join(words)


def head_words(poll: FastPoll) -> str:
    words = [plain(poll.lock, at.LockState), f"seq {poll.seq}", f"cut {poll.cut}"]
    words += named(poll.flags, at.UnitFlag)
    words += [f"fault: {word}" for word in named(poll.faults, at.UnitFault)]
    return ", ".join(words)


def poll_words(poll: FastPoll) -> str:
    seats = (f"seat {place}: {seat_words(seat)}" for place, seat in enumerate(poll.seats, 1))
    return "; ".join([head_words(poll), *seats])


def identity_words(identity: Identity) -> str:
    last = identity.first_seat + identity.seats - 1
    seats = f"seat {identity.first_seat}" if identity.seats == 1 else f"seats {identity.first_seat}-{last}"
    return ", ".join([
        plain(identity.unit_class, at.UnitClass), f"«{identity.product}»", f"serial {identity.serial:08X}",
        f"firmware {identity.firmware}", seats, f"configuration {identity.config_generation}",
        f"epoch {identity.totals_epoch}", f"boots {identity.boots}",
    ])  # fmt: skip
