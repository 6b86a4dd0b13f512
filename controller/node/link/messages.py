"""What two nodes say to each other on a link: eleven messages, as msgpack, each one array that says first what it is.

Theory. What comes from a neighbour is believed in its form only after it was checked whole: names are names, numbers
are not below zero, hashes are 64 hex digits, and nothing is longer than a batch may be. A letter travels as the very
bytes that stand in its writer's record, because its hash is of them; what it means is not known here. `Hello` and
`Burned` may have more words at their end in a later version and are read all the same, so that two versions can find
out that they understand each other; every other message is of the version that both agreed on.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.core.values import Levels, Mark

PROTOCOLS = (1, 2, 3)
"""The versions of these messages that this program speaks: the first, without `GiveBack`; the one before, without
`PotPrizes`; and the newest."""

GIVES = (1,)
"""The ways in which this program gives a box that burned its mirror."""

MOST_OCTETS = 512 * 1024  # of one message
MOST_LETTERS, MOST_BATCH = 200, 256 * 1024  # of one batch; a single letter may be longer
MOST_LETTER = MOST_OCTETS - 4_096  # octets
MOST_MIRROR_WORD = MOST_OCTETS - 64
MOST_STREAMS = 500  # that two neighbours share
MOST_PRIZES = 32  # of one pot that are said at once

_MOST = 2**63 - 1
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
_TEXT = r"[^\x00-\x1f\x7f]+"  # a plan names its pot and its reserves as it likes

Name = Annotated[str, Meta(pattern=rf"^{_NAME}\Z", max_length=64)]
PotName = Annotated[str, Meta(pattern=rf"^{_TEXT}\Z", max_length=200)]
Stream = Annotated[str, Meta(pattern=rf"^(to:{_NAME}|pot:{_TEXT})\Z", max_length=204)]
Hash = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z", max_length=64)]
Count = Annotated[int, Meta(ge=0, le=_MOST)]
Amount = Annotated[int, Meta(ge=-_MOST, le=_MOST)]
Version = Annotated[int, Meta(ge=1, le=65_535)]
Versions = Annotated[tuple[Version, ...], Meta(min_length=1, max_length=16)]


class Place(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A mark as it travels."""

    epoch: Count
    number: Count
    hash: Hash

    def __post_init__(self) -> None:
        if bool(self.number) != bool(self.hash) or (self.epoch and not self.number):
            raise ValueError("a place without its hash, or nothing with one")

    def mark(self) -> Mark:
        return Mark(self.epoch, self.number, self.hash)


Places = Annotated[dict[Stream, Place], Meta(max_length=MOST_STREAMS)]


class Hello(Struct, frozen=True, array_like=True, tag="hello"):
    """Who I am and where I stand. `streams`: how far I have heard yours; `told`: how far mine go."""

    protocol_versions: Versions
    node: Name
    epoch: Count
    letter_versions: Versions
    streams: Places
    told: Places


class Sent(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A letter as it travels: its place, and its bytes as its writer's record has them."""

    epoch: Count
    number: Annotated[int, Meta(ge=1, le=_MOST)]
    version: Version
    body: Annotated[bytes, Meta(min_length=1, max_length=MOST_LETTER)]


class LetterBatch(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="batch"):
    """Letters of a stream that follow one another; `previous`: the hash of the letter before the first."""

    stream: Stream
    previous: Hash
    letters: Annotated[tuple[Sent, ...], Meta(min_length=1, max_length=MOST_LETTERS)]


class Ack(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="ack"):
    """I have your stream up to here in my record."""

    stream: Stream
    place: Place


class PotMeter(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="meter"):
    """What is in a pot of mine now. `number`: of the last letter of its log; `at`: by my clock."""

    pot: PotName
    number: Count
    main: Amount
    base: Amount
    reserves: Annotated[dict[PotName, Amount], Meta(max_length=64)]
    at: Count

    def levels(self) -> Levels:
        return Levels(self.main, self.base, self.reserves)


class PotPrize(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """R-31: a prize of a pot that is owed and not decided yet, as signs show it. `award`: as its teller calls it."""

    award: Annotated[str, Meta(pattern=rf"^[^/\x00-\x1f\x7f]+/{_TEXT}\Z", max_length=400)]
    casino: PotName
    seat: Annotated[int, Meta(ge=1, le=64)]
    prize: PotName
    amount: Count
    confirmed: bool
    promo: bool
    waits: bool


class PotPrizes(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="prizes"):
    """What is owed of a pot at tables that are not yours, all of it, the newest word. Protocol 3."""

    pot: PotName
    prizes: Annotated[tuple[PotPrize, ...], Meta(max_length=MOST_PRIZES)]


class MirrorWord(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="mirror"):
    """Something about the mirror of a box (mirror_words.py), which is read in another thread than letters are."""

    octets: Annotated[bytes, Meta(min_length=1, max_length=MOST_MIRROR_WORD)]


class GiveBack(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="give_back"):
    """I was restored: a log of mine stands here now, and you have heard more of it. Protocol 2."""

    stream: Stream
    place: Place


class GivenBack(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="given_back"):
    """What I have heard of your log behind that place, as you told it. Protocol 2."""

    stream: Stream
    previous: Hash
    letters: Annotated[tuple[Sent, ...], Meta(min_length=1, max_length=MOST_LETTERS)]


class Burned(Struct, frozen=True, array_like=True, tag="burned"):
    """From `pozo restore`, in the place of a Hello: I am what is left of that node, a key that was pinned, and take my
    mirror from you. `octets`: where my copy of it stands (mirror_words.py). A program that does not know this word says
    so. It may have more words at its end later."""

    versions: Versions
    node: Name
    octets: Annotated[bytes, Meta(min_length=1, max_length=MOST_MIRROR_WORD)]


class Beat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="beat"):
    """I am here."""


class TurnedAway(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="refused"):
    """I will not speak with you, and why: a word of `greeting.py:Offence`."""

    code: Annotated[str, Meta(pattern=r"^[a-z_]{1,32}\Z", max_length=32)]


Said = Hello | LetterBatch | Ack | PotMeter | PotPrizes | MirrorWord | GiveBack | GivenBack | Burned | Beat | TurnedAway

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Said).decode


def packed(said: Said) -> bytes:
    octets = _encode(said)
    assert len(octets) <= MOST_OCTETS, "a message has a length that a neighbour takes"
    return octets


def unpacked(octets: bytes) -> Said | None:
    """What was said, if it is said as it must be."""
    if len(octets) > MOST_OCTETS:
        return None
    try:
        said = _decode(octets)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return None if isinstance(said, LetterBatch | GivenBack) and not fits(said.letters) else said


def fits(letters: Sequence[Sent]) -> bool:
    """Whether so much is taken at once."""
    return len(letters) == 1 or sum(len(one.body) for one in letters) <= MOST_BATCH


def place_of(mark: Mark) -> Place:
    return Place(mark.epoch, mark.number, mark.hash)


def mark_in(places: Mapping[str, Place], stream: str) -> Mark:
    """Where a stream stands, if somebody says so; else before its first letter."""
    place = places.get(stream)
    return Mark(0, 0, "") if place is None else place.mark()
