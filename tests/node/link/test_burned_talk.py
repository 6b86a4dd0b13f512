"""What a casino's node makes of the word of a box that burned, before any mirror is opened (R-27, R-28)."""

import msgspec
import pytest

from controller.core.values import Mark, Side
from controller.node.link import conversation, messages
from controller.node.link.conversation import GREETING, NeighbourTalk
from controller.node.link.happened import HangUp, TurnedDown
from controller.node.link.judgement import LinkMarks
from controller.node.link.messages import (
    GIVES,
    PROTOCOLS,
    Beat,
    Burned,
    Hello,
    LetterBatch,
    MirrorWord,
    PotMeter,
    Sent,
    TurnedAway,
    packed,
    unpacked,
)
from controller.node.link.mirror_words import MirrorMark, MirrorWanted, mirror_packed
from controller.node.vocabulary.inbox import LinkChanged
from drivers.session import SECOND

NOW, BOX = 10 * SECOND, "caja1"
HEARD = Mark(1, 40, "a" * 64)
WORD = Burned(GIVES, BOX, mirror_packed(MirrorMark(0, 0, bytes(32))))
HELLO = Hello(PROTOCOLS, BOX, 1, (1, 2), {}, {"to:casino": messages.Place(1, 40, "a" * 64)})


def talk_of(side=Side.BELOW):
    """Forty letters of it were heard, and one is told to it."""
    talk = NeighbourTalk("casino", BOX, side, NOW)
    if side is Side.BELOW:
        talk.knows(LinkMarks(1, {"pot:p": Mark(1, 1, "b" * 64)}, {"to:casino": HEARD}, {}, frozenset()))
    talk.line_up(NOW)
    return talk


def events(talk):
    found = []
    while (event := talk.next_event()) is not None:
        found.append(event)
    return found


def out(talk, now=NOW):
    found = []
    while (octets := talk.to_send(now)) is not None:
        found.append(unpacked(octets))
    return found


def test_it_is_asked_for_and_nothing_of_its_streams_is_judged():
    talk = talk_of()
    talk.receive(packed(WORD), NOW)
    assert events(talk) == [MirrorWanted(BOX, WORD.octets)], "no link stands, and nobody was rolled back"
    assert talk.wanted() == [] and not talk.up
    assert out(talk) == [], "it is told no letter, no meter, no beat"
    words = [MirrorWord(b"%d" % one) for one in range(8)]
    for word in words:
        talk.mirror(word)
    talk.meters([PotMeter("p", 1, 5, 0, {}, 1)])
    assert out(talk) == words, "every one of an answer, in order"


def test_a_thief_who_asks_and_never_listens_fills_nothing():
    talk = talk_of()
    for number in range(10_000):
        talk.receive(packed(WORD), NOW)
        talk.mirror(MirrorWord(b"%d" % number))
    assert len(out(talk)) < 20


def test_it_is_asked_again_on_the_same_connection_and_gone_when_it_is_silent():
    talk = talk_of()
    for second in range(0, 60, 4):
        talk.receive(packed(WORD), NOW + second * SECOND)
        talk.tick(NOW + second * SECOND)
    assert len(events(talk)) == 15
    talk.tick(NOW + 56 * SECOND + GREETING)
    assert events(talk) == [HangUp()]


def test_whatever_else_it_says_behind_it_is_not_heard():
    talk = talk_of()
    talk.receive(packed(WORD), NOW)
    events(talk)
    letters = (Sent(1, 41, 1, b'{"letter":"x"}'),)
    for said in (HELLO, LetterBatch("to:casino", "a" * 64, letters), MirrorWord(b"x"), Beat()):
        talk.receive(packed(said), NOW)
    assert events(talk) == [] and out(talk) == []


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (Burned(GIVES, "caja2", WORD.octets), "name"),
        (Burned((GIVES[-1] + 1,), BOX, WORD.octets), "protocol"),
    ],
)
def test_under_another_name_or_in_other_words_it_is_turned_away(said, code):
    talk = talk_of()
    talk.receive(packed(said), NOW)
    assert events(talk) == [TurnedDown(BOX, code, by_us=True), HangUp()]
    assert out(talk) == [TurnedAway(code)]


def test_who_is_above_did_not_burn():
    talk = talk_of(Side.ABOVE)
    out(talk)
    talk.receive(packed(WORD), NOW)
    assert out(talk) == [TurnedAway("not_understood")]


def test_who_greeted_as_a_node_did_not_burn():
    talk = talk_of()
    talk.receive(packed(HELLO), NOW)
    assert LinkChanged(BOX, up=True) in events(talk)
    out(talk)
    talk.receive(packed(WORD), NOW)
    assert out(talk) == [TurnedAway("not_understood")]
    assert MirrorWanted not in map(type, events(talk))


def test_a_burned_box_on_a_new_connection_ends_the_link_that_its_key_had():
    """Two connections under one key: the newest counts, and no link stands any more."""
    talk = talk_of()
    talk.receive(packed(HELLO), NOW)
    events(talk)
    talk.line_up(NOW + 1)
    talk.receive(packed(WORD), NOW + 1)
    assert events(talk) == [LinkChanged(BOX, up=False), MirrorWanted(BOX, WORD.octets)]
    talk.line_up(NOW + 2)
    talk.receive(packed(HELLO), NOW + 2)
    assert events(talk) == [LinkChanged(BOX, up=True)], "made anew it is a node like before"


def test_a_program_that_does_not_know_the_word_says_so_and_stops_nothing(monkeypatch):
    """The one before this: for every other word it is as it was."""
    known = messages.Hello | messages.LetterBatch | messages.Ack | messages.PotMeter | messages.MirrorWord
    known = known | messages.GiveBack | messages.GivenBack | messages.Beat | messages.TurnedAway
    decode = msgspec.msgpack.Decoder(known).decode

    def older(octets):
        try:
            return decode(octets)
        except msgspec.MsgspecError:
            return None

    monkeypatch.setattr(conversation, "unpacked", older)
    talk = talk_of()
    talk.receive(packed(WORD), NOW)
    assert out(talk) == [TurnedAway("not_understood")]
    assert events(talk) == [TurnedDown(BOX, "not_understood", by_us=True), HangUp()]
    assert PROTOCOLS[:2] == (1, 2), "a program that speaks only these is still spoken with"


def test_the_word_of_a_later_version_is_read():
    later = b"\x95" + packed(WORD)[1:] + b"\xa3new"
    assert unpacked(later) == WORD
