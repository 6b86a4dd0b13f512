"""Hostile bytes against the links: what two nodes say to each other, a whole conversation, what is handed back after a
restore (R-28), and the first words at the gate."""

from msgspec.structs import replace

from campaign.fuzz_pieces import PAUSES, pieces, script
from campaign.fuzz_targets import Target
from controller.core.inputs import TakeBack
from controller.core.values import Mark, Side
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.handshake import COMPLETE, GREETING, is_wrong
from controller.node.link.judgement import START, LinkMarks
from controller.node.link.messages import (
    Ack,
    Beat,
    GiveBack,
    GivenBack,
    Hello,
    LetterBatch,
    Place,
    PotMeter,
    Said,
    Sent,
    TurnedAway,
    packed,
    place_of,
    unpacked,
)
from controller.node.vocabulary.inbox import FromNeighbour, GivenBackToUs, NeighbourAcknowledged
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
    GiveBack(DOWN, place_of(_THEIRS.letters[0].mark)),
    GivenBack(DOWN, _THEIRS.letters[0].hash, (_THEIRS.letters[1].sent,)),
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


# After a restore. The owner's record ends at the second letter of its log, the member has heard six. Whatever comes, only
# letters that follow what stands here are taken back, and what ends where the member said that it stands is what was
# told; and a member hands back what it has heard, behind the place that was asked for, and nothing else.

_KEPT, _HEARD = 2, 6
_LOG, _FORK = Writing("central", DOWN), Writing("central", DOWN)
for _number in range(_HEARD + 2):
    _LOG.tell(letter(f"T{_number}"))
    _FORK.tell(letter(f"T{_number}" if _number < _KEPT else f"F{_number}"))
_ALL = _LOG.letters


def _back(first: int, last: int, of: Writing = _LOG) -> GivenBack:
    """The letters of these numbers."""
    return GivenBack(DOWN, of.letters[first - 1].previous, tuple(one.sent for one in of.letters[first - 1 : last]))


_MEMBER_SAYS: tuple[Said, ...] = (
    Hello((1, 2), "caja", 1, (1, 2), {DOWN: place_of(_ALL[_HEARD - 1].mark)}, {}),
    _back(3, 6),
    _back(3, 4),
    _back(5, 6),
    _back(3, 8),
    _back(3, 6, _FORK),
    _back(3, 5, _FORK),
    _back(1, 6),
    GivenBack("pot:otro", "", (_ALL[0].sent,)),
    GiveBack(DOWN, place_of(_ALL[1].mark)),
    Ack(DOWN, place_of(_ALL[_HEARD - 1].mark)),
    Beat(),
    GivenBack(DOWN, _ALL[1].hash, (replace(_ALL[2].sent, number=5), _ALL[3].sent)),
    GivenBack(DOWN, _ALL[1].hash, (_ALL[2].sent, replace(_ALL[3].sent, number=6))),
)
_OWNER_SAYS: tuple[Said, ...] = (
    Hello((1, 2), "central", 2, (1, 2), {}, {DOWN: place_of(_ALL[_KEPT - 1].mark)}),
    GiveBack(DOWN, place_of(_ALL[_KEPT - 1].mark)),
    GiveBack(DOWN, place_of(_ALL[_HEARD - 2].mark)),
    GiveBack(DOWN, Place(0, 0, "")),
    GiveBack(DOWN, Place(1, _KEPT, "f" * 64)),
    GiveBack(DOWN, Place(1, 99, "f" * 64)),
    GiveBack("pot:otro", Place(0, 0, "")),
    GiveBack(UP, Place(0, 0, "")),
    _back(3, 6),
    LetterBatch(DOWN, _ALL[_HEARD - 1].hash, (_ALL[_HEARD].sent,)),
    Beat(),
)


def link_taken_back(data: bytes) -> int:
    """The owner that was restored. The first byte of a piece: a pause, and a message that is said first."""
    talk, now, stands = NeighbourTalk("central", "caja", Side.BELOW, NOW), NOW, _ALL[_KEPT - 1].mark
    talk.line_up(now)
    _owner_knows(talk, stands)
    done = pieces(data)
    for how, body in done:
        now += PAUSES[how & 7]
        _say(talk, _MEMBER_SAYS, how >> 3, body, now)
        stands = _taken(talk, stands)
        _come_to_rest(talk, now)
    return len(done)


def _owner_knows(talk: NeighbourTalk, stands: Mark) -> None:
    missing = {DOWN: stands} if stands.number < _HEARD else {}
    talk.knows(LinkMarks(2, {DOWN: stands}, {}, {}, frozenset(), missing))


def _taken(talk: NeighbourTalk, stands: Mark) -> Mark:
    """What was handed back is committed at once."""
    while (event := talk.next_event()) is not None:
        if isinstance(event, GivenBackToUs):
            stands = _followed(event.letters, stands)
            assert stands.number < _HEARD or stands == _ALL[_HEARD - 1].mark, "what was told, and no more"
            _owner_knows(talk, stands)
    return stands


def _followed(letters: tuple[TakeBack, ...], stands: Mark) -> Mark:
    """As the core takes them: not twice, and not what follows another letter than stands here now."""
    place, number = letters[0].previous, letters[0].mark.number
    for at, one in enumerate(letters):
        found = (one.stream, one.previous, one.mark.epoch, one.mark.number)
        assert found == (DOWN, place, 1, number + at), "one chain, told before the restore"
        place = one.mark.hash
        if one.mark.number == stands.number + 1 and one.previous == stands.hash:
            stands = one.mark
    return stands


def link_hands_back(data: bytes) -> int:
    """The member that is asked."""
    talk, now, asked = NeighbourTalk("caja", "central", Side.ABOVE, NOW), NOW, {""}
    talk.line_up(now)
    talk.knows(LinkMarks(1, {}, {DOWN: _ALL[_HEARD - 1].mark}, {}, frozenset()))
    done = pieces(data)
    for how, body in done:
        now += PAUSES[how & 7]
        _say(talk, _OWNER_SAYS, how >> 3, body, now)
        for stream, after in talk.wanted_back():
            assert stream == DOWN, "nothing is handed back that was never heard"
            talk.give_back(stream, after, _ALL[after.number : _HEARD])
            asked.add(after.hash)
        while talk.next_event() is not None:
            pass
        for said in _come_to_rest(talk, now):
            if isinstance(said, GivenBack):
                first = said.letters[0].number
                assert said == _back(first, _HEARD), "as it was told, up to what was heard"
                assert said.previous in asked, "behind a place on this very chain"
    return len(done)


def _say(talk: NeighbourTalk, known: tuple[Said, ...], which: int, body: bytes, now: int) -> None:
    if which < len(known):
        talk.receive(packed(known[which]), now)
    if body:
        talk.receive(body, now)


def _come_to_rest(talk: NeighbourTalk, now: int) -> list[Said]:
    """What it says until nothing is due any more; each message can be read."""
    out: list[Said] = []
    for _ in range(64):
        talk.tick(now)
        while (octets := talk.to_send(now)) is not None:
            said = unpacked(octets)
            assert said is not None, "what is said can be heard"
            out.append(said)
        if (due := talk.deadline()) is None or due > now:
            return out
    raise AssertionError("it never comes to rest")


def _says(*which: int) -> bytes:
    return script(*((8 * one, b"") for one in which))


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
    Target("link_taken_back", link_taken_back, (
        _says(0, 1), _says(0, 2, 3), _says(0, 2, 3, 10), _says(0, 4), _says(0, 5), _says(0, 6, 3), _says(0, 7, 1),
        _says(0, 8, 9, 1), _says(0, 12, 1), _says(0, 13, 1), script((0, b""), (0, packed(_back(3, 3)))), script((0, b""), (7, b""), (7, b""), (8, b"")),
    ), 900),
    Target("link_hands_back", link_hands_back, (
        _says(0, 1), _says(0, 2), _says(0, 3, 1), _says(0, 4), _says(0, 5), _says(0, 6, 7, 1), _says(0, 1, 8, 9),
        script((0, b""), (0, packed(_OWNER_SAYS[1]))), script((0, b""), (8, b""), (7, b""), (8, b"")),
    ), 600),
)  # fmt: skip
