"""Which image A may be believed: of this boot, counted after the last one, and not behind what was seen or booked.

An RTU reply carries no question number, so a late one is known only by what stands in it (2.1.6, 4.1). An image of an
earlier boot is late; one of a boot we never heard of is a reboot. An unchanged image, nearly every one of a day, is
found to be so without being decoded.
"""

from collections import deque
from enum import Enum, auto

from drivers.line.numbers import newer, newer_beat
from drivers.model import DeviceKey
from drivers.native.blocks import FastPoll, WordList, check_holds
from drivers.session import MILLISECOND, Micros

HEARTBEAT_AGE: Micros = 10 * MILLISECOND
OLDEST_HEARTBEAT = 0xFF  # heartbeat age saturates: older than any host that lives

_SNAPSHOT, _BOOT, _STATE, _RESULT, _CHECK, _SEATS = 2, 3, 6, 0xE, 0xF, 0x10


class ImageVerdict(Enum):
    FRESH = auto()
    STALE = auto()
    BEHIND = auto()  # counted later, yet it knows less than we do
    REBOOTED = auto()


def executed_since(poll: FastPoll, asked: Micros, since: Micros) -> bool:
    """An answer to a heartbeat has no number: one that came twice answers the next one too, which may still be under
    way and unlock. By its age the last one that was executed is younger than the answer before."""
    age = (poll.heartbeat_age + 1) * HEARTBEAT_AGE
    return poll.heartbeat_age < OLDEST_HEARTBEAT and age <= asked - since


class Freshness:
    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._device: DeviceKey | None = None
        self._boot = 0
        self._past: deque[int] = deque(maxlen=8)
        self._last: WordList | None = None
        self._seq: int | None = None
        self._stale_in_a_row = 0
        self._behind_in_a_row = 0

    @property
    def forgot(self) -> bool:
        """Late it may be once; again and again it is the unit that knows less than it did."""
        return self._behind_in_a_row >= self._patience

    def identified(self, device: DeviceKey, boot: int) -> None:
        """A unit said who it is. A base that refused everything since is dropped: it was the base that was wrong."""
        if device != self._device:
            self._seq = None
            self._past.clear()
        elif boot != self._boot:
            self._past.append(self._boot)
        if device != self._device or boot != self._boot or self._stale_in_a_row >= self._patience:
            self._last = None
        self._device, self._boot = device, boot
        self._stale_in_a_row = self._behind_in_a_row = 0

    def forget(self) -> None:
        """What it counted is no measure any more: the next who says who he is, is new."""
        self._device = None

    def unchanged(self, words: WordList) -> bool:
        """The same but for snapshot, uptime, heartbeat age and check; then it is taken as the newest. A result without
        a new command id is of no command of ours."""
        last = self._last
        same = (
            last is not None
            and words[_SEATS:] == last[_SEATS:]
            and words[_STATE:_RESULT] == last[_STATE:_RESULT]
            and words[:_SNAPSHOT] == last[:_SNAPSHOT]
            and words[_BOOT] == last[_BOOT]
            and newer_beat(words[_SNAPSHOT], last[_SNAPSHOT])
            and check_holds(words, _CHECK)
        )
        if same:
            self._last, self._stale_in_a_row = words, 0
        return same

    def judge(self, words: WordList, poll: FastPoll, booked: int | None) -> ImageVerdict:
        if poll.boot_id != self._boot:
            return ImageVerdict.STALE if poll.boot_id in self._past else ImageVerdict.REBOOTED
        if self._last is not None and not newer_beat(poll.snapshot, self._last[_SNAPSHOT]):
            self._stale_in_a_row += 1
            return ImageVerdict.STALE
        known = [seq for seq in (self._seq, booked) if seq is not None]
        if any(newer(seq, poll.seq) for seq in known):
            self._behind_in_a_row += 1
            return ImageVerdict.BEHIND
        self._last, self._seq = words, poll.seq
        self._stale_in_a_row = self._behind_in_a_row = 0
        return ImageVerdict.FRESH
