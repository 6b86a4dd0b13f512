"""Hostile bytes against the links: what two nodes say to each other, a whole conversation, and the first words at the gate."""

from campaign.fuzz_pieces import PAUSES, pieces, script
from campaign.fuzz_targets import Target
from controller.core.values import Mark, Side
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.handshake import COMPLETE, GREETING, is_wrong
from controller.node.link.judgement import START, LinkMarks
from controller.node.link.messages import (
    Ack,
    Beat,
    Hello,
    LetterBatch,
    Place,
    PotMeter,
    Sent,
    TurnedAway,
    packed,
    place_of,
    unpacked,
)
from controller.node.vocabulary.inbox import FromNeighbour, NeighbourAcknowledged
from support.link.pair import DOWN, UP, Writing, letter

NOW = 1_000_000
_OURS, _THEIRS = Writing("caja", UP), Writing("central", DOWN)
for _number in range(3):
    _OURS.tell(letter(f"M{_number}"))
    _THEIRS.tell(letter(f"T{_number}"))
_HELLO = Hello((1,), "central", 1, (1,), {UP: place_of(_OURS.letters[0].mark)}, {DOWN: place_of(_THEIRS.told)})
_BATCH = LetterBatch(DOWN, "", tuple(one.sent for one in _THEIRS.letters[:2]))
_SAID = (
    _HELLO,
    _BATCH,
    LetterBatch(DOWN, _THEIRS.letters[1].hash, (_THEIRS.letters[2].sent,)),
    LetterBatch("to:a", "", (Sent(1, 1, 1, b"{}"),)),
    Ack(UP, place_of(_OURS.told)),
    Ack(UP, Place(1, 9, "0" * 64)),
    PotMeter("p", 5, 1_000, 200, {"r": 3}, 70_000),
    Beat(),
    TurnedAway("name"),
)


def link_message(data: bytes) -> None:
    said = unpacked(data)
    if said is not None:
        assert unpacked(packed(said)) == said


def link_talk(data: bytes) -> int:
    """The first byte of a piece: a pause, and a message that is said first. Letters come in order, each once."""
    talk, now, delivered, told = NeighbourTalk("caja", "central", Side.ABOVE, NOW), NOW, START, START
    talk.line_up(now)
    talk.knows(LinkMarks(1, {UP: _OURS.told}, {}, {}, frozenset()))
    script = pieces(data)
    for how, body in script:
        now += PAUSES[how & 7]
        if how >> 3 < len(_SAID):
            talk.receive(packed(_SAID[how >> 3]), now)
        if body:
            talk.receive(body, now)
        delivered, told = _settled(talk, now, delivered, told)
    return len(script)


def _settled(talk: NeighbourTalk, now: int, delivered: Mark, acknowledged: Mark) -> tuple[Mark, Mark]:
    """Where it stands when nothing is due any more."""
    for _ in range(64):
        talk.tick(now)
        for stream, after in talk.wanted():
            talk.give(stream, after, _OURS.after(after), now)
        while talk.to_send(now) is not None:
            pass
        while (event := talk.next_event()) is not None:
            match event:
                case FromNeighbour(_, _, letters):
                    for one in letters:
                        assert (one.mark.number, one.previous) == (delivered.number + 1, delivered.hash)
                        delivered = one.mark
                case NeighbourAcknowledged(_, _, mark):
                    assert mark in {one.mark for one in _OURS.letters}, "nobody has what was never told"
                    acknowledged = mark
        if (due := talk.deadline()) is None or due > now:
            return delivered, acknowledged
    raise AssertionError("it never comes to rest")


def link_gate(data: bytes) -> None:
    """What is wrong stays wrong, however it goes on."""
    cuts = [is_wrong(data[:cut]) for cut in range(min(len(data), COMPLETE) + 1)]
    assert cuts == sorted(cuts)
    assert not is_wrong(b"")


_DIALS = GREETING[:32] + b"\0" * 32 + b"\x04\xc8\x05HELLO" + b"\1" * 194
LINKS = (
    Target("link_message", link_message, tuple(packed(said) for said in _SAID), 600),
    Target("link_talk", link_talk, (
        script((0, b""), (8, b""), (16, b""), (32, b"")),
        script((0, b""), (8 * 4 + 3, b""), (8 * 7 + 6, b""), (8 * 5, b"")),
        script((7, b""), (0, packed(_SAID[4])), (8 * 8, b""), (0, b"\xff")),
        script((0, b""), (8 * 3, packed(_SAID[6]))),
    ), 600),
    Target("link_gate", link_gate, (_DIALS, _DIALS[:70], b"GET / HTTP/1.1"), 300),
)  # fmt: skip
