"""What two neighbours make of each other's marks and words, one event at a time (R-28)."""

import pytest

from controller.core.facts import LetterTold
from controller.core.links.letters import READ, VERSION
from controller.core.values import Broken, Levels, Mark, Side
from controller.node.link.conversation import (
    BEAT,
    GREETING,
    MOST_STRANGE,
    SILENCE,
    LinkMarks,
    NeighbourTalk,
)
from controller.node.link.greeting import Offence
from controller.node.link.happened import Dial, HangUp, TurnedDown
from controller.node.link.judgement import START, of_ours, of_theirs
from controller.node.link.messages import (
    MOST_BATCH,
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
from controller.node.link.meters import METER_TAKES, METERS_EVERY
from controller.node.link.outgoing import told_letter
from controller.node.link.redial import AFTER_A_NO, FIRST_WAIT, LAST_WAIT, LONGEST_WAIT, Redial
from controller.node.link.streams import SAY_AGAIN, NotFollowing, StreamHeard, StreamTold
from controller.node.vocabulary.inbox import (
    FromNeighbour,
    LinkBroken,
    LinkChanged,
    MeterHeard,
    NeighbourAcknowledged,
)
from drivers.session import SECOND
from support.link.pair import DOWN, UP, Writing, letter

NOW = 10 * SECOND
OTHER = "f" * 64


def written(node, stream, many, epoch=1):
    made = Writing(node, stream)
    for number in range(many):
        made.tell(letter(f"M{number}"), epoch)
    return made


class Box:
    """The talk of a box with its central, whose part the test plays."""

    def __init__(self, told=0, heard=START, acknowledged=START, stopped=(), protocols=(1,)):
        self.ours, self.theirs = written("caja", UP, told), written("central", DOWN, 9)
        self.heard, self.acknowledged, self.stopped, self.epoch = heard, acknowledged, frozenset(stopped), 1
        self.talk = NeighbourTalk("caja", "central", Side.ABOVE, NOW, protocols)
        self.knows()

    def knows(self, **changes):
        for name, value in changes.items():
            setattr(self, name, value)
        told = {UP: self.ours.told} if self.ours.letters else {}
        heard = {DOWN: self.heard} if self.heard.number else {}
        acknowledged = {UP: self.acknowledged} if self.acknowledged.number else {}
        self.talk.knows(LinkMarks(self.epoch, told, heard, acknowledged, self.stopped))

    def greeted(self, said=START, its=START, epoch=1, now=NOW, **words):
        """The central answers Hello: so far it has ours, so far goes its own."""
        self.talk.line_up(now)
        self.out(now)
        streams = {UP: place_of(said)} if said.number else {}
        theirs = {DOWN: place_of(its)} if its.number else {}
        hello = {
            "protocol_versions": (1,),
            "node": "central",
            "letter_versions": READ,
            "streams": streams,
            "told": theirs,
        }
        self.hears(Hello(epoch=epoch, **hello | words), now)
        return self.events()

    def hears(self, said, now=NOW):
        self.talk.receive(packed(said), now)

    def out(self, now=NOW):
        said = []
        while (octets := self.talk.to_send(now)) is not None:
            said.append(unpacked(octets))
        return said

    def events(self):
        happened = []
        while (event := self.talk.next_event()) is not None:
            happened.append(event)
        return happened

    def gives(self, now=NOW):
        for stream, after in self.talk.wanted():
            self.talk.give(stream, after, self.ours.after(after), now)
        return self.out(now)

    def batch(self, first, last, previous=None):
        some = self.theirs.letters[first - 1 : last]
        return LetterBatch(DOWN, some[0].previous if previous is None else previous, tuple(one.sent for one in some))

    def mark(self, number):
        return self.theirs.letters[number - 1].mark


UPWARDS = LinkChanged("central", up=True)


# Marks.


@pytest.mark.parametrize(
    ("heard", "told", "epoch", "why"),
    [
        (START, START, 1, None),
        (Mark(1, 5, "a"), Mark(1, 5, "a"), 1, None),
        (Mark(1, 5, "a"), Mark(1, 9, "b"), 1, None),
        (Mark(1, 5, "a"), Mark(2, 9, "b"), 2, None),  # restored, and where it had been
        (Mark(1, 5, "a"), Mark(1, 5, "a"), 2, None),
        (Mark(1, 5, "a"), Mark(1, 4, "b"), 1, Broken.ROLLED_BACK),
        (Mark(1, 5, "a"), START, 1, Broken.ROLLED_BACK),
        (Mark(1, 5, "a"), Mark(1, 4, "b"), 2, Broken.FOREIGN_EPOCH),
        (Mark(1, 5, "a"), Mark(1, 5, "b"), 1, Broken.FORK),
        (Mark(1, 5, "a"), Mark(2, 5, "b"), 2, Broken.FOREIGN_EPOCH),
        (Mark(2, 5, "a"), Mark(1, 9, "b"), 1, Broken.FOREIGN_EPOCH),  # the old box still runs
    ],
)  # fmt: skip
def test_what_a_writer_says_of_its_stream_is_judged(heard, told, epoch, why):
    assert of_theirs(heard, told, epoch) == why


@pytest.mark.parametrize(
    ("told", "acknowledged", "said", "why"),
    [
        (START, START, START, None),
        (Mark(1, 5, "a"), START, START, None),
        (Mark(1, 5, "a"), Mark(1, 3, "c"), Mark(1, 4, "d"), None),
        (Mark(1, 5, "a"), Mark(1, 3, "c"), Mark(1, 5, "a"), None),
        (Mark(1, 5, "a"), Mark(1, 3, "c"), Mark(1, 6, "e"), Broken.AHEAD),
        (Mark(1, 5, "a"), Mark(1, 3, "c"), Mark(1, 2, "e"), Broken.ROLLED_BACK),
        (Mark(1, 5, "a"), Mark(1, 3, "c"), START, Broken.ROLLED_BACK),
        (Mark(1, 5, "a"), Mark(1, 3, "c"), Mark(1, 3, "e"), Broken.FORK),
        (Mark(1, 5, "a"), Mark(1, 3, "c"), Mark(1, 5, "e"), Broken.FORK),
        (Mark(1, 5, "a"), Mark(2, 8, "c"), Mark(2, 8, "c"), None),  # two persons took it so
    ],
)  # fmt: skip
def test_what_a_reader_says_of_our_stream_is_judged(told, acknowledged, said, why):
    assert of_ours(told, acknowledged, said) == why


def test_each_break_is_an_event_and_stops_that_stream_only():
    box = Box(told=5, heard=Mark(1, 3, OTHER))

    events = box.greeted(its=Mark(1, 2, OTHER))

    assert events == [UPWARDS, LinkBroken("central", DOWN, Broken.ROLLED_BACK, Mark(1, 2, OTHER))]
    assert [type(said) for said in box.gives()] == [LetterBatch], "ours goes on"
    box.hears(box.batch(4, 5))
    assert box.events() == []


def test_a_reader_that_forgot_what_it_had_acknowledged_is_named_and_told_nothing():
    box = Box(told=5)
    box.knows(acknowledged=box.ours.letters[3].mark)

    events = box.greeted(said=box.ours.letters[1].mark, its=box.mark(9))

    assert events == [UPWARDS, LinkBroken("central", UP, Broken.ROLLED_BACK, box.ours.letters[1].mark)]
    assert box.gives() == []
    box.hears(box.batch(1, 2))
    assert isinstance(*box.events(), FromNeighbour), "its own stream goes on"


def test_what_is_stopped_on_record_is_not_said_again_and_goes_on_when_two_persons_accept():
    box = Box(told=5)
    said = box.ours.letters[1].mark
    box.knows(acknowledged=box.ours.letters[3].mark)
    box.greeted(said=said)
    box.knows(stopped=frozenset({UP}))

    assert box.greeted(said=said) == []
    box.knows(stopped=frozenset(), acknowledged=said)
    (batch,) = box.gives()

    assert [one.number for one in batch.letters] == [3, 4, 5]
    assert box.events() == []


def test_a_foreign_stream_that_two_persons_accept_is_heard_from_there():
    box = Box(heard=Mark(1, 3, OTHER))
    box.greeted(its=box.mark(9))
    box.hears(box.batch(4, 9))
    (broken,) = box.events()
    assert broken == LinkBroken("central", DOWN, Broken.FORK, box.mark(3))

    box.knows(stopped=frozenset({DOWN}))
    box.knows(stopped=frozenset(), heard=box.mark(3))
    box.hears(box.batch(4, 9))

    (heard,) = box.events()
    assert [one.mark.number for one in heard.letters] == [4, 5, 6, 7, 8, 9]


def test_r28_a_restored_neighbour_that_goes_on_from_where_it_was_heard_is_greeted_anew():
    """Its two persons accepted where it was heard, after it had said Hello; then ours let it go on from there."""
    box = Box(heard=Mark(1, 5, OTHER))
    events = box.greeted(its=box.mark(3), epoch=2)
    assert LinkBroken("central", DOWN, Broken.FOREIGN_EPOCH, Mark(2, 3, box.mark(3).hash)) in events
    box.knows(stopped=frozenset({DOWN}))

    box.knows(stopped=frozenset())
    assert box.events() == [HangUp()], "the old Hello is judged no more"

    box.talk.line_down(NOW)
    assert box.greeted(its=Mark(2, 7, OTHER), epoch=2) == [
        LinkChanged("central", up=False),
        LinkChanged("central", up=True),
    ]
    box.talk.line_down(NOW)
    broken = box.greeted(its=box.mark(3), epoch=2)[-1]
    assert isinstance(broken, LinkBroken), "it has not moved: it is stopped again"


def test_streams_that_nobody_here_ever_knew_make_a_few_facts_and_no_more():
    box = Box()
    names = {f"pot:{number}": Place(1, 1, OTHER) for number in range(50)}
    central = NeighbourTalk("central", "caja", Side.BELOW, NOW)
    central.knows(LinkMarks(1, {}, {}, {}, frozenset()))
    for _ in range(3):
        central.line_up(NOW)
        central.receive(packed(Hello((1,), "caja", 1, (1,), names, {})), NOW)
    box.talk = central

    assert sum(isinstance(event, LinkBroken) for event in box.events()) == MOST_STRANGE


# Letters that come.


def test_a_letter_is_acknowledged_when_the_record_has_it_and_not_before():
    box = Box()
    box.greeted(its=box.mark(9))
    box.hears(box.batch(1, 3))

    (heard,) = box.events()
    assert [(one.mark, one.previous, one.version) for one in heard.letters] == [
        (box.mark(n), box.theirs.letters[n - 1].previous, 1) for n in (1, 2, 3)
    ]
    assert box.out() == []
    box.knows(heard=box.mark(2))
    assert box.out() == [], "half a batch is not said"
    box.knows(heard=box.mark(3))
    assert box.out() == [Ack(DOWN, place_of(box.mark(3)))]
    box.knows(heard=box.mark(3))
    assert box.out() == []


def test_a_second_batch_before_the_first_is_in_the_record_waits_for_itself():
    box = Box()
    box.greeted(its=box.mark(9))
    box.hears(box.batch(1, 3))
    box.hears(box.batch(4, 6))

    assert len(box.events()) == 1
    box.knows(heard=box.mark(3))
    box.hears(box.batch(2, 6))
    (heard,) = box.events()
    assert [one.mark.number for one in heard.letters] == [4, 5, 6]


def test_a_repeat_is_acknowledged_again_and_delivered_once():
    box = Box(heard=START)
    box.knows(heard=box.mark(3))
    box.greeted(its=box.mark(9))
    box.hears(box.batch(2, 3))

    assert box.events() == []
    assert box.out() == [Ack(DOWN, place_of(box.mark(3)))]


def test_a_log_that_begins_while_the_link_stands_is_heard():
    box = Box()
    box.greeted()
    box.hears(box.batch(1, 1))

    assert isinstance(*box.events(), FromNeighbour)


def broken_by(box, batch):
    box.hears(batch)
    return [event for event in box.events() if not isinstance(event, FromNeighbour)]


def changed(box, batch, at, **words):
    letters = [*batch.letters]
    kept = {name: getattr(letters[at], name) for name in ("epoch", "number", "version", "body")}
    letters[at] = Sent(**kept | words)
    return LetterBatch(batch.stream, batch.previous, tuple(letters))


def test_what_does_not_follow_stops_the_stream_after_all_that_did():
    cases = [
        (lambda box: box.batch(5, 6), Broken.GAP, lambda box: box.mark(4), 0),
        (lambda box: box.batch(4, 6, OTHER), Broken.FORK, lambda _: Mark(1, 3, OTHER), 0),
        (lambda box: changed(box, box.batch(4, 6), 1, number=6), Broken.GAP, lambda box: box.mark(4), 1),
        (lambda box: changed(box, box.batch(4, 6), 1, version=7), Broken.UNKNOWN_LETTER, lambda box: box.mark(4), 1),
        (lambda box: changed(box, box.batch(4, 6), 1, body=b'{"letter":"new"}'), Broken.UNKNOWN_LETTER, lambda box: box.mark(4), 1),
        (lambda box: changed(box, box.batch(4, 6), 1, epoch=2), Broken.FOREIGN_EPOCH, lambda box: box.mark(4), 1),
        (lambda box: changed(box, box.batch(4, 6), 1, epoch=0), Broken.FOREIGN_EPOCH, lambda box: box.mark(4), 1),
    ]  # fmt: skip
    for made, why, said, delivered in cases:
        box = Box()
        box.knows(heard=box.mark(3))
        box.greeted(its=box.mark(9))

        assert broken_by(box, made(box)) == [LinkBroken("central", DOWN, why, said(box))]
        box.hears(box.batch(4 + delivered, 6))
        assert box.events() == [], "nothing more of it"


def test_a_letter_with_another_body_is_found_by_the_next_one():
    box = Box()
    box.greeted(its=box.mark(9))
    other = written("central", DOWN, 1).letters[0]
    lie = Writing("central", DOWN).tell(letter("otra"))
    box.hears(LetterBatch(DOWN, "", (lie.sent,)))
    assert isinstance(*box.events(), FromNeighbour)
    box.knows(heard=lie.mark)

    assert broken_by(box, box.batch(2, 3)) == [LinkBroken("central", DOWN, Broken.FORK, other.mark)]


def test_a_repeat_with_another_word_is_a_fork():
    box = Box()
    box.knows(heard=box.mark(3))
    box.greeted(its=box.mark(9))
    lie = Writing("central", DOWN)
    for text in ("M0", "M1", "otra", "M3"):
        lie.tell(letter(text))
    batch = LetterBatch(DOWN, lie.letters[1].previous, tuple(one.sent for one in lie.letters[1:]))

    assert broken_by(box, batch) == [LinkBroken("central", DOWN, Broken.FORK, lie.letters[2].mark)]


# Letters that go.


def test_one_batch_is_on_its_way_and_the_next_follows_its_acknowledgement():
    box = Box(told=500)
    box.greeted()

    (first,) = box.gives()
    assert len(first.letters) == 200
    assert box.gives() == []
    box.hears(Ack(UP, place_of(box.ours.letters[99].mark)))
    assert box.gives() == [], "half of it came"
    box.hears(Ack(UP, place_of(box.ours.letters[199].mark)))
    assert [event.mark.number for event in box.events()] == [100, 200]
    (second,) = box.gives()
    assert second.previous == box.ours.letters[199].hash


def test_a_batch_is_no_longer_than_it_may_be():
    box = Box()
    for _ in range(4):
        box.ours.tell(letter("x" * (MOST_BATCH // 3)))
    box.ours.tell(letter("y" * (MOST_BATCH + 9)))
    box.knows()
    box.greeted()
    sizes = []
    for _ in range(4):
        for batch in box.gives():
            sizes.append(len(batch.letters))
            box.hears(Ack(UP, place_of(box.ours.letters[batch.letters[-1].number - 1].mark)))

    assert sum(sizes) == 5
    assert max(sizes) <= 2


def test_what_nobody_acknowledges_goes_again_and_what_could_not_be_read_is_wanted_again():
    box = Box(told=2)
    box.greeted()
    box.talk.give(UP, *box.talk.wanted()[0][1:], [], NOW)
    assert box.gives() == []
    later = NOW + SAY_AGAIN
    box.hears(Beat(), later - 1)
    box.talk.tick(later - 1)
    assert box.talk.wanted() == []
    box.talk.tick(later)
    (batch,) = [said for said in box.gives(later) if isinstance(said, LetterBatch)]
    assert len(batch.letters) == 2
    box.hears(Beat(), later + SAY_AGAIN)
    box.talk.tick(later + SAY_AGAIN)
    (again,) = [said for said in box.gives(later + SAY_AGAIN) if isinstance(said, LetterBatch)]
    assert again == batch


def test_a_reader_in_the_middle_is_compared_with_the_record_before_it_is_believed():
    box = Box(told=5)
    assert box.greeted(said=Mark(1, 3, OTHER)) == [UPWARDS]
    box.gives()
    assert box.events() == [LinkBroken("central", UP, Broken.FORK, Mark(1, 3, OTHER))]

    box = Box(told=5)
    assert box.greeted(said=box.ours.letters[2].mark) == [UPWARDS]
    (batch,) = box.gives()
    assert batch.letters[0].number == 4
    assert box.events() == [NeighbourAcknowledged("central", UP, box.ours.letters[2].mark)]


def test_an_acknowledgement_of_what_was_never_told_breaks_and_a_late_one_is_nothing():
    box = Box(told=5)
    box.greeted(said=box.ours.letters[4].mark)
    box.events()
    box.hears(Ack(UP, place_of(box.ours.letters[1].mark)))
    assert box.events() == []
    box.hears(Ack(UP, Place(1, 6, OTHER)))
    assert box.events() == [LinkBroken("central", UP, Broken.AHEAD, Mark(1, 6, OTHER))]


def test_r28_a_restored_writer_says_its_place_in_its_new_epoch_and_so_it_can_be_accepted():
    stream = StreamHeard("central", DOWN, [1])
    stream.heard = stream.delivered = Mark(1, 5, "a")
    stream.epoch = 2

    assert stream.greeted(Mark(1, 3, "b")) == NotFollowing(Broken.FOREIGN_EPOCH, Mark(2, 3, "b"))


# Greetings, life and silence.


def test_whoever_is_below_greets_and_is_answered():
    box = Box(told=2)
    box.talk.line_up(NOW)
    (hello,) = box.out()
    assert (hello.node, hello.told) == ("caja", {UP: place_of(box.ours.told)})
    central = NeighbourTalk("central", "caja", Side.BELOW, NOW)
    central.line_up(NOW)
    assert central.to_send(NOW) is None
    central.receive(packed(hello), NOW)
    assert isinstance(unpacked(central.to_send(NOW)), Hello)
    assert central.next_event() == LinkChanged("caja", up=True)


@pytest.mark.parametrize(
    ("ours", "theirs", "spoken"), [((1,), (1,), 1), ((2, 1), (1,), 1), ((1,), (2, 1), 1), ((3, 2), (2, 1), 2), ((3, 2), (1,), 0)]
)  # fmt: skip
def test_two_versions_that_are_neighbours_understand_each_other(ours, theirs, spoken):
    box = Box(protocols=ours)
    events = box.greeted(protocol_versions=theirs)

    assert box.talk.version == spoken
    assert (events == [UPWARDS]) == bool(spoken)
    if not spoken:
        assert events == [TurnedDown("central", Offence.PROTOCOL, by_us=True), HangUp()]
        assert box.out() == [TurnedAway("protocol")]


def test_what_an_older_program_does_not_read_waits_until_it_is_a_newer_one():
    box = Box()
    for version in (1, 1, 2, 1):
        box.ours.tell(letter("M"), version=version)
    box.knows()

    def sent():
        for stream, after in box.talk.wanted():
            box.talk.give(stream, after, box.ours.after(after), NOW)
        return [[one.version for one in said.letters] for said in box.out() if isinstance(said, LetterBatch)]

    box.greeted(letter_versions=(1,))
    assert sent() == [[1, 1]]
    box.hears(Ack(UP, place_of(box.ours.letters[1].mark)))
    assert sent() == []
    box.talk.tick(NOW + SAY_AGAIN)
    assert sent() == [] and not box.stopped, "it waits, and nothing is wrong"

    box.talk.line_down(NOW)
    box.greeted(said=box.ours.letters[1].mark, letter_versions=(1, 2))
    assert sent() == [[2, 1]]


@pytest.mark.parametrize(
    ("words", "offence"),
    [
        ({"node": "casino-b"}, Offence.NAME),
        ({"told": {"to:caja": Place(1, 1, OTHER)}}, Offence.STREAM),
        ({"streams": {"to:otra": Place(1, 1, OTHER)}}, Offence.STREAM),
        ({"streams": {DOWN: Place(1, 1, OTHER)}}, Offence.STREAM),
    ],
)
def test_who_is_not_who_he_says_or_minds_others_business_is_turned_down(words, offence):
    box = Box()

    assert box.greeted(**words) == [TurnedDown("central", offence, by_us=True), HangUp()]
    assert not box.talk.up


def test_what_is_not_understood_ends_the_conversation():
    box = Box()
    box.greeted()
    box.talk.receive(b"\xff", NOW)

    assert box.events() == [TurnedDown("central", Offence.NOT_UNDERSTOOD, by_us=True), HangUp()]
    box.hears(LetterBatch("to:caja", "", (Sent(1, 1, 1, b"x"),)))
    assert box.events() == [TurnedDown("central", Offence.STREAM, by_us=True), HangUp()]
    box.hears(TurnedAway("future_code"))
    assert box.events() == [TurnedDown("central", "future_code", by_us=False), HangUp()]


def test_who_has_nothing_to_say_beats_and_who_is_silent_is_gone():
    box = Box()
    box.greeted()
    assert box.talk.deadline() == NOW + BEAT
    assert box.out(NOW + BEAT - 1) == []
    assert box.out(NOW + BEAT) == [Beat()]
    box.talk.tick(NOW + SILENCE - 1)
    assert box.events() == []
    box.talk.tick(NOW + SILENCE)
    assert box.events() == [HangUp(), LinkChanged("central", up=False)]
    assert box.out(NOW + SILENCE) == []


def test_who_never_answers_hello_is_given_up_and_dialled_again_within_seconds():
    box = Box()
    now, waits = NOW, []
    box.talk.tick(now)
    for _ in range(200):
        assert box.events() == [Dial()]
        box.talk.line_up(now)
        now += GREETING
        box.talk.tick(now)
        assert box.events() == [HangUp()]
        waits.append(box.talk.deadline() - now)
        now = box.talk.deadline()
        box.talk.tick(now)

    assert waits[0] < 1.25 * FIRST_WAIT and waits[1] < 2.5 * FIRST_WAIT
    assert all(LAST_WAIT / 2 <= wait <= LONGEST_WAIT for wait in waits[2:]), "however long it was away"
    box.events()
    box.greeted(now=now)
    box.talk.line_down(now)
    assert box.talk.deadline() < now + 1.25 * FIRST_WAIT, "who was there is looked for soon"


def test_a_hundred_that_lose_their_owner_do_not_knock_together():
    """Or each would take the other's place at the gate; the same name waits the same each time."""
    casinos = [Redial(f"casino{number}", "norte") for number in range(100)]
    for redial in casinos:
        for _ in range(5):
            redial.wait()
    moments = sorted(redial.wait() for redial in casinos)
    assert moments == sorted(_sixth_wait(f"casino{number}") for number in range(100))
    in_a_second = max(sum(at <= other < at + SECOND for other in moments) for at in moments)
    assert in_a_second < 50, "of each hundred, in the three seconds in which they come"


def _sixth_wait(name):
    redial = Redial(name, "norte")
    return [redial.wait() for _ in range(6)][-1]


@pytest.mark.parametrize("who", ["we", "it"])
def test_who_would_not_speak_is_asked_again_seldom_until_it_does(who):
    box = Box()
    box.talk.tick(NOW)
    box.talk.line_up(NOW)
    no = TurnedAway("protocol") if who == "it" else Hello((1,), "otro", 1, (1,), {}, {})
    box.hears(no)
    box.talk.line_down(NOW)
    assert NOW + AFTER_A_NO / 2 <= box.talk.deadline() <= NOW + AFTER_A_NO * 1.25
    box.greeted()
    box.talk.line_down(NOW)
    assert box.talk.deadline() < NOW + 1.25 * FIRST_WAIT


def test_an_idle_hour_says_nothing_to_the_engine():
    box = Box(told=3)
    box.knows(acknowledged=box.ours.told, heard=box.mark(9))
    box.greeted(said=box.ours.told, its=box.mark(9))
    for now in range(NOW, NOW + 3_600 * SECOND, SECOND):
        box.hears(Beat(), now)
        box.talk.tick(now)
        assert all(said == Beat() for said in box.out(now))
        assert box.events() == []
        assert box.talk.wanted() == []


# Meters.


def central_with(pots):
    talk = NeighbourTalk("central", "caja", Side.BELOW, NOW)
    talk.knows(LinkMarks(1, {f"pot:{pot}": Mark(1, 1, OTHER) for pot in pots}, {}, {}, frozenset()))
    talk.line_up(NOW)
    talk.receive(packed(Hello((1,), "caja", 1, (1,), {}, {})), NOW)
    while talk.to_send(NOW):
        pass
    return talk


@pytest.mark.parametrize(("hearers", "every"), [(1, METERS_EVERY), (2, METERS_EVERY), (100, 100 * METER_TAKES)])
def test_meters_are_the_newest_and_no_more_than_there_is_time_for(hearers, every):
    """Of two a hundred a second, of a hundred two; the first of them at once."""
    talk = central_with(["a", "b"])
    said = []
    for step in range(1_000):
        now = NOW + step * 1_000
        talk.meters(
            [
                PotMeter("a", 1, step, 0, {}, step),
                PotMeter("b", 1, step // 100, 0, {}, 1),
                PotMeter("c", 1, 1, 0, {}, 1),
            ],
            hearers,
        )
        while (octets := talk.to_send(now)) is not None:
            said.append((now, unpacked(octets)))

    of_a = [one.main for _, one in said if isinstance(one, PotMeter) and one.pot == "a"]
    assert len(of_a) == SECOND // every
    assert of_a == sorted(of_a) and of_a[0] == 0
    assert of_a[-1] >= 999 - every // 1_000
    assert sum(isinstance(one, PotMeter) and one.pot == "b" for _, one in said) <= 10, "what stands still is not said"
    assert not any(isinstance(one, PotMeter) and one.pot == "c" for _, one in said), "of a pot that it does not share"


def test_a_meter_is_heard_of_who_is_above_and_told_again_after_each_greeting():
    box = Box()
    box.greeted()
    box.hears(PotMeter("a", 3, 1_000, 10, {"r": 2}, 77))
    assert box.events() == [MeterHeard("central", "a", 3, Levels(1_000, 10, {"r": 2}), 77)]

    talk = central_with(["a"])
    meter = PotMeter("a", 1, 5, 0, {}, 1)
    talk.meters([meter])
    assert unpacked(talk.to_send(NOW + METERS_EVERY)) == meter
    talk.receive(packed(meter), NOW)
    talk.line_up(NOW)
    talk.receive(packed(Hello((1,), "caja", 1, (1,), {}, {})), NOW)
    said = [unpacked(talk.to_send(NOW + SECOND)) for _ in range(2)]
    assert said[1] == meter
    assert not any(isinstance(talk.next_event(), MeterHeard) for _ in range(9))


def test_r28_numbers_that_a_restored_writer_left_out_are_a_gap_for_who_asks_for_them():
    """Where its reader had heard up to 6, it went on with 7; then the reader was put back, and wants what nobody has."""
    kept = written("caja", UP, 2).letters
    last = told_letter("caja", LetterTold(UP, 2, 7, OTHER, VERSION, letter("M7")), 70)
    stream = StreamTold(UP)
    stream.told, stream.acknowledged = last.mark, kept[0].mark
    assert stream.hears(kept[0].mark) is None

    batch = stream.batch(stream.wanted(), [kept[1], last], NOW)
    assert batch == LetterBatch(UP, kept[0].hash, (kept[1].sent,))
    assert stream.acked(kept[1].mark) is None
    batch = stream.batch(stream.wanted(), [last], NOW)
    assert batch == LetterBatch(UP, OTHER, (last.sent,))
    reader = StreamHeard("caja", UP, [VERSION])
    reader.heard = reader.delivered = kept[1].mark
    reader.epoch = 2
    assert reader.take(batch) == ((), NotFollowing(Broken.GAP, Mark(2, 6, OTHER))), "which two there may accept"
