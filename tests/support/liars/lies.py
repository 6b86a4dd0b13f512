"""What a board can say that is not so: every register of the map, by every kind of wrong value, one or several at once.

A lie is told in answers whose check word is right, so the line cannot help. It changes what the board says and never
what it does: what was truly pressed, bought and paid stays in its memory, and is what an oracle asks.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from drivers.modbus.crc import check_word
from drivers.native import contract as at
from drivers.native.blocks import WordList

IMAGE, DETAIL, IDENTITY, RING, CONFIG = "A", "S", "I", "E", "C"
_CHECK = {IMAGE: 0xF, DETAIL: 0x1F, IDENTITY: 0x1F, CONFIG: 0x1F}


class Register(NamedTuple):
    block: str
    name: str
    place: int  # of its first word; in an image, of a seat's part, counted from that part
    words: int = 1
    of_seat: bool = False


def _registers(block: str, text: str, *, of_seat: bool = False) -> list[Register]:
    """`name@place`, or `name@place+` for two words."""
    found = []
    for one in text.split():
        name, _, place = one.partition("@")
        found.append(Register(block, name, int(place.rstrip("+"), 0), 1 + place.endswith("+"), of_seat))
    return found


HEAD = _registers(
    IMAGE,
    "tag@0 unit@1 snapshot@2 boot_id@3 uptime@4+ state@6 faults@7 seq@8+ cut@10+ token@12 command_id@13 result@14",
)
SEAT = _registers(IMAGE, "state@0 lamp@1 milliamps@2 bet_credits@3 loaded@4+ bets@6+ voided@8+ chips@10+", of_seat=True)
BOOKS = _registers(
    DETAIL,
    "tag@0 seat@1 balance@2+ cashed@4+ late@6+ presses@8+ refused@10+ bet_seq@12+ round@14 bet@15 faults@16 latched@17 "
    "inputs@18+ switches@20",
    of_seat=True,
)
WHO = _registers(
    IDENTITY,
    "magic@0 version@1 class@2 capabilities@3 seats@4 unit@5 serial@6+ hardware@8 firmware@9 crc@10 generation@11 "
    "config@12 epoch@13 boots@14+ boot_id@16 reset@17 memory@18 ring@19 name@20 reserved@30",
)
EVENTS = _registers(
    RING, "tag@0 unit@1 newest@2+ seq@4+ uptime@6+ kind@8 argument@9 credits@10 boots@11 seq2@16+ kind2@20"
)
RUNS_ON = [Register(CONFIG, f"word{place}", place) for place in range(0x1F)]
EVERY = [*HEAD, *SEAT, *BOOKS, *WHO, *EVENTS, *RUNS_ON]
_OF_NAME = {(one.block, one.name): one for one in [*HEAD, *SEAT, *BOOKS]}

MILLION = 1_000_000
HOWS: Mapping[str, Callable[[Random, int], Callable[[int], int]]] = {
    "one more": lambda _c, _m: lambda was: was + 1,
    "one less": lambda _c, _m: lambda was: was - 1,
    "some more": lambda c, _m: _more(c.randint(2, 40)),
    "some less": lambda c, _m: _more(-c.randint(2, 40)),
    "a million more": lambda _c, _m: _more(MILLION),
    "half a word": lambda _c, m: _more(m // 2),
    "nothing": lambda _c, _m: lambda _: 0,
    "all ones": lambda _c, m: lambda _: m - 1,
    "one bit": lambda c, m: _bit(1 << c.randrange(m.bit_length() - 1)),
    "anything": lambda c, m: _always(c.randrange(m)),
}


def _more(many: int) -> Callable[[int], int]:
    return lambda was: was + many


def _bit(mask: int) -> Callable[[int], int]:
    return lambda was: was ^ mask


def _always(value: int) -> Callable[[int], int]:
    return lambda _: value


class Change(NamedTuple):
    register: Register
    seat: int  # of the unit; 0 where the register is none of a seat
    how: str
    value: Callable[[int], int]

    def __str__(self) -> str:
        where = f"({self.seat})" if self.seat else ""
        return f"{self.register.block}{where}.{self.register.name}: {self.how}"

    def told(self, words: list[int]) -> None:
        register = self.register
        place = register.place
        if register.block == IMAGE and register.of_seat:
            place += at.HEAD_WORDS + at.SEAT_WORDS * (self.seat - 1)
        if place + register.words > len(words):
            return
        was = words[place] << 16 | words[place + 1] if register.words == 2 else words[place]
        value = self.value(was) % (1 << 16 * register.words)
        words[place : place + register.words] = [value >> 16, value & 0xFFFF] if register.words == 2 else [value]


class Lie(NamedTuple):
    changes: Sequence[Change]
    only_next: int = 0  # answers with it; 0: until somebody mends the board
    is_plain: bool = False  # nothing that it invents can be: not one credit of it may be booked

    def __str__(self) -> str:
        return " and ".join(map(str, self.changes)) + (f", {self.only_next} times" if self.only_next else "")

    def told(self, block: str, seat: int, words: WordList) -> WordList:
        """The same words, changed, with their check word right."""
        mine = [one for one in self.changes if one.register.block == block and (block != DETAIL or one.seat == seat)]
        if not mine:
            return words
        said = list(words)
        for change in mine:
            change.told(said)
        check = _CHECK.get(block)
        if check is not None and check < len(said):
            said[check] = check_word(said[:check] + said[check + 1 :])
        return tuple(said)


def lie_of(chance: Random, seats: int) -> Lie:
    """Any register, money that moves with and without events, or what one event cannot have done at two seats."""
    kind = chance.choices(["any", "money", "shared", "plain", "some"], [30, 35, 10, 15, 10])[0]
    only_next = chance.choice([0, 0, 0, 1, 2, 5, 40])
    match kind:
        case "any":
            return Lie([_any(chance, seats)], only_next)
        case "some":
            return Lie([_any(chance, seats) for _ in range(chance.randint(2, 4))], only_next)
        case "money":
            return Lie(_money(chance, seats), only_next)
        case "shared":
            pressed = [_change(chance, (IMAGE, "bets"), seat, "one more") for seat in range(1, seats + 1)]
            return Lie(
                [*pressed, _change(chance, (IMAGE, "seq"), 0, chance.choice(["one more", "one bit"]))], only_next
            )
        case _:
            total = chance.choice([(IMAGE, "bets"), (IMAGE, "chips"), (IMAGE, "voided"), (DETAIL, "late")])
            how = chance.choice(["a million more", "half a word"])
            changes = [_change(chance, total, chance.randint(1, seats), how)]
            return Lie([*changes, *_dress(chance, changes[0].seat)], only_next, is_plain=True)


def _any(chance: Random, seats: int) -> Change:
    register = chance.choice(chance.choice([HEAD, SEAT, BOOKS, WHO, EVENTS, RUNS_ON, EVERY]))
    seat = chance.randint(1, seats) if register.of_seat else 0
    return _change(chance, (register.block, register.name), seat, chance.choice(list(HOWS)), register)


def _money(chance: Random, seats: int) -> list[Change]:
    """One or two totals, perhaps an event number, perhaps the bet that would belong to it."""
    totals = [(IMAGE, name) for name in ("loaded", "bets", "voided", "chips")] + [(DETAIL, "cashed"), (DETAIL, "late")]
    seat = chance.randint(1, seats)
    changes = [_change(chance, total, seat, _how(chance)) for total in chance.sample(totals, chance.choice([1, 1, 2]))]
    if chance.random() < 0.6:
        changes.append(_change(chance, (IMAGE, "seq"), 0, _how(chance)))
    return changes + _dress(chance, seat)


def _how(chance: Random) -> str:
    return chance.choice(["one more", "one more", "one less", "some more", "some less", "a million more", "anything"])


def _dress(chance: Random, seat: int) -> list[Change]:
    """The bet that a seat would show if it were true."""
    if chance.random() < 0.5:
        return []
    bet = chance.choice(list(at.Bet))
    lamp = chance.choice(list(at.LampDrive)) << 8 | chance.choice([0, at.Feedback.MEASURED | at.Feedback.IN_WINDOW])
    return [
        Change(_OF_NAME[IMAGE, "state"], seat, f"bet {bet.name}", lambda was: (was & ~0xF) | bet),
        Change(_OF_NAME[IMAGE, "lamp"], seat, f"lamp {lamp:04X}", _always(lamp)),
        Change(_OF_NAME[IMAGE, "bet_credits"], seat, "a bet", _always(chance.choice([1, 2, 5, 1_000]))),
    ]


def _change(chance: Random, of: tuple[str, str], seat: int, how: str, register: Register | None = None) -> Change:
    register = register or next(one for one in (SEAT if seat and of[0] == IMAGE else HEAD + BOOKS) if one[:2] == of)
    return Change(register, seat, how, HOWS[how](chance, 1 << 16 * register.words))
