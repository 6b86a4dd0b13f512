"""What a node says and hears on its links, noted outside of it as it passes: CURVE lets nobody listen in between.

A process that is started with PROGRAM notes each word before it leaves and after it came: in the file that POZO_EAR
names, a line of JSON each, or, where its folder is recorded for power cuts (support/store/power_record.py), in that
record. What it noted survives whatever kills it.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from controller.core.links.letters import hash_of, read
from controller.core.values import Mark
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.messages import Ack, Hello, LetterBatch, MirrorWord, Said, unpacked
from controller.node.link.mirror_words import MirrorMark, MirrorRows, mirror_unpacked
from support.node.node_process import NODE
from support.store.power_record import mark

PROGRAM = f"from support.links.ear import listen; listen(); {NODE}"
EAR = "POZO_EAR"
ACK, LETTERS, TOLD, MIRROR, ROWS = "ack", "letters", "told", "mirror", "rows"


class Word(NamedTuple):
    """Said to a neighbour, or heard from it: an acknowledgement, letters up to one, how many it has told, a mirror's mark,
    a box's rows."""

    said: bool
    neighbour: str
    what: str
    stream: str
    number: int
    hash: str = ""


def words_in(lines: bytes) -> Iterator[Word]:
    """Of a file; its last line may be cut short."""
    for line in lines.split(b"\n")[:-1]:
        yield Word(**json.loads(line))


def listen() -> None:
    """In this process, from now on."""
    record, ear = os.environ.get("POWERLOSS_LOG"), os.environ.get(EAR)
    assert record or ear, "somewhere to note it"
    to_send, receive = NeighbourTalk.to_send, NeighbourTalk.receive

    def note(word: Word) -> None:
        if record:
            mark(Path(record), **word._asdict())
        else:
            _append(str(ear), json.dumps(word._asdict()).encode() + b"\n")

    def saying(talk: NeighbourTalk, now: int) -> bytes | None:
        octets = to_send(talk, now)
        for word in _words(octets, talk, said=True) if octets is not None else ():
            note(word)
        return octets

    def hearing(talk: NeighbourTalk, octets: bytes, now: int) -> None:
        for word in _words(octets, talk, said=False):
            note(word)
        receive(talk, octets, now)

    vars_of = {"to_send": saying, "receive": hearing}
    for name, function in vars_of.items():
        setattr(NeighbourTalk, name, function)


def _append(file: str, line: bytes) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)


def _words(octets: bytes, talk: NeighbourTalk, *, said: bool) -> Iterator[Word]:
    for what, stream, number, hash_ in _of(unpacked(octets), talk, said=said):
        yield Word(said, talk.neighbour, what, stream, number, hash_)


def _hash(batch: LetterBatch, writer: str) -> str:
    """Of its last letter."""
    hash_ = batch.previous
    for sent in batch.letters:
        letter = read(sent.body)
        assert letter is not None, "what we wrote"
        hash_ = hash_of(writer, batch.stream, sent.version, Mark(sent.epoch, sent.number, ""), hash_, letter)
    return hash_


def _of(message: Said | None, talk: NeighbourTalk, *, said: bool) -> Iterator[tuple[str, str, int, str]]:
    match message:
        case Ack(stream, place):
            yield ACK, stream, place.number, place.hash
        case LetterBatch():
            yield LETTERS, message.stream, message.letters[-1].number, _hash(message, talk._me) if said else ""
        case Hello():
            for what, places in ((ACK, message.streams), (TOLD, message.told)):
                for stream, place in places.items():
                    yield what, stream, place.number, place.hash
        case MirrorWord(octets):
            match mirror_unpacked(octets):
                case MirrorMark(_, seq, hash_of):
                    yield MIRROR, "mirror", seq, hash_of.hex()
                case MirrorRows(first, bodies):
                    yield ROWS, "mirror", first + len(bodies) - 1, ""
