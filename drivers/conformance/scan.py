"""Who is on a line: every address is asked once who it is, in Modbus or in ccTalk. Nothing is ever written."""

from collections.abc import Iterable
from dataclasses import dataclass

from drivers.cctalk import frames
from drivers.cctalk.frames import Checksum, Header
from drivers.conformance.steps import Exchange, Raw, Tell, Walk
from drivers.conformance.subject import said
from drivers.conformance.wire import Wire
from drivers.conformance.words import head_words, identity_words, plain
from drivers.modbus.pdu import ReadWords, Words
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, Identity
from drivers.native.contract import MOST_SEATS, MemoryHealth
from drivers.session import MILLISECOND

CCTALK_ADDRESSES = range(2, 256)
_CCTALK_ANSWER = 60 * MILLISECOND
_ANY_TEXT = range(253)
_TEXTS = (Header.CATEGORY, Header.MANUFACTURER, Header.PRODUCT)


@dataclass(frozen=True, slots=True)
class AddressAsked:
    """An event: this address is being asked."""

    address: int


@dataclass(frozen=True, slots=True)
class Found:
    """An event: somebody answered. Without identity it is no native unit, and `words` says what it is."""

    address: int
    identity: Identity | None
    poll: FastPoll | None
    words: str


def scan(wire: Wire, units: Iterable[int]) -> Walk[None]:
    """Native units, and whoever else speaks Modbus."""
    first: dict[tuple[int, int], int] = {}  # at which address a serial and epoch were found
    for unit in units:
        yield Tell(AddressAsked(unit))
        heard = yield Exchange(unit, ReadWords(at.IDENTITY, at.BLOCK_WORDS))
        if heard.answer is None:
            if heard.raw and wire.serial:
                yield Tell(Found(unit, None, None, f"{len(heard.raw)} bytes that are no answer"))
            continue
        identity = Identity.decode(heard.answer.words, unit) if isinstance(heard.answer, Words) else None
        if not isinstance(identity, Identity):
            what = said(heard) if identity is None else f"an identity with wrong {identity.value}"
            yield Tell(Found(unit, None, None, f"not a native unit: {what}"))
            continue
        poll = yield from _poll(unit, identity)
        words = found_words(identity, poll)
        twin = first.setdefault((identity.serial, identity.totals_epoch), unit)
        if twin != unit:
            words += f"; SERIAL AND EPOCH OF UNIT {twin}: a node keeps the second of them locked (R-37)"
        yield Tell(Found(unit, identity, poll, words))


def _poll(unit: int, identity: Identity) -> Walk[FastPoll | None]:
    if not 1 <= identity.seats <= MOST_SEATS:
        return None
    heard = yield Exchange(unit, ReadWords(at.FAST_POLL, at.fast_poll_words(identity.seats)), again=True)
    if not isinstance(heard.answer, Words):
        return None
    poll = FastPoll.decode(heard.answer.words, unit, identity.seats)
    return poll if isinstance(poll, FastPoll) else None


def found_words(identity: Identity, poll: FastPoll | None) -> str:
    words = [identity_words(identity)]
    if identity.memory != MemoryHealth.OK:
        words.append(f"memory {plain(identity.memory, MemoryHealth)}")
    words.append(head_words(poll) if poll else "no sound fast poll")
    return "; ".join(words)


def scan_cctalk(addresses: Iterable[int]) -> Walk[None]:
    """Acceptors and hoppers, with either checksum; they say by text what they are."""
    for address in addresses:
        yield Tell(AddressAsked(address))
        for checksum in Checksum:
            if (yield from _asked(address, Header.SIMPLE_POLL, checksum)) is None:
                continue
            texts = []
            for header in _TEXTS:
                text = yield from _asked(address, header, checksum)
                texts.append((text or b"?").decode("ascii", "replace"))
            words = f"ccTalk, checksum {checksum}: {' · '.join(texts)}"
            yield Tell(Found(address, None, None, words))
            break


def _asked(address: int, header: Header, checksum: Checksum) -> Walk[bytes | None]:
    """The data of the answer; the line repeats our own frame before it (1.2)."""
    question = frames.encode(frames.Frame(address, frames.HOST, header), checksum)
    heard = yield Raw(question, _CCTALK_ANSWER)
    sizes = range(1) if header is Header.SIMPLE_POLL else _ANY_TEXT
    return frames.find_answer(heard.raw.removeprefix(question), address, sizes, checksum)
