"""A letter of a box leaves when its mirror has the fact that told it, and no mirror holds up money for long (R-27, D-225)."""

import pytest

from controller.core.links.letters import READ
from controller.core.values import Side
from controller.node.book.chain import GENESIS, Key
from controller.node.link.conversation import BEAT, NeighbourTalk
from controller.node.link.held import PATIENCE, HeldLetters
from controller.node.link.judgement import START, LinkMarks
from controller.node.link.messages import Ack, Hello, LetterBatch, MirrorWord, packed, place_of, unpacked
from controller.node.link.mirror_feed import follows
from controller.node.link.mirror_words import MirrorMark, MirrorStands
from controller.node.store.store import Reader
from drivers.session import MILLISECOND, SECOND
from support.edits.mirrored import Box as RecordedBox
from support.link.pair import UP, Writing, letter

NOW = 10 * SECOND
SOON = 5 * MILLISECOND
EVERY = 10
"""A letter is each tenth fact."""


class Box:
    """The talk of a box with its casino's node, whose part the test plays; one clock."""

    def __init__(self, written=0, *, inside=True, side=Side.ABOVE):
        self.now, self.inside, self.written = NOW, inside, written
        self.ours = Writing("caja", UP)
        self.acknowledged = START
        self.talk = NeighbourTalk("caja", "central", side, self.now)
        self.knows()

    @property
    def held(self):
        return self.talk.held

    def knows(self):
        told = {UP: self.ours.told} if self.ours.letters else {}
        heard = {UP: self.acknowledged} if self.acknowledged.number else {}
        marks = LinkMarks(1, told, {}, heard, frozenset(), mirrors_us=self.inside, written=self.written)
        self.talk.knows(marks)

    def tells(self, many=1):
        """So many letters, committed now."""
        for _ in range(many):
            self.written += EVERY
            self.ours.tell(letter(f"M{self.written}"), seq=self.written)
        self.knows()
        return self.out()

    def up(self, has=START):
        self.talk.line_up(self.now)
        streams = {UP: place_of(has)} if has.number else {}
        self.talk.receive(packed(Hello((1,), "central", 1, READ, streams, {})), self.now)
        return self.out()

    def mirrored(self, seq):
        self.held.mirrored(seq, self.now)
        return self.out()

    def after(self, micros):
        """Its thread looks in time, and the central says something meanwhile, so that the link stands."""
        left = []
        while micros:
            step = min(micros, PATIENCE // 4)
            micros -= step
            self.now += step
            self.talk.receive(packed(MirrorWord(b"x")), self.now)
            left += self.out()
        return left

    def acked(self, number):
        self.talk.receive(packed(Ack(UP, place_of(self.ours.letters[number - 1].mark))), self.now)
        return self.out()

    def out(self):
        """The numbers of the letters that leave now."""
        self.talk.tick(self.now)
        for stream, after in self.talk.wanted():
            self.talk.give(stream, after, self.ours.after(after), self.now)
        said = []
        while (octets := self.talk.to_send(self.now)) is not None:
            said.append(unpacked(octets))
        return [one.number for batch in said if isinstance(batch, LetterBatch) for one in batch.letters]


@pytest.fixture
def box():
    """Its link stands, and its mirror has all of it."""
    made = Box(written=100)
    assert made.up() == []
    assert made.mirrored(100) == []
    return made


def test_a_letter_waits_until_the_mirror_has_the_fact_that_told_it(box):
    box.mirrored(109)
    assert box.tells() == []
    box.now += SOON
    assert box.mirrored(109) == []
    assert box.mirrored(110) == [1]
    assert not box.held.lacks_what_was_told


def test_of_several_letters_those_leave_that_the_mirror_has_and_the_others_after_it(box):
    assert box.tells(3) == []
    assert box.mirrored(125) == [1, 2]
    assert box.mirrored(130) == [], "one batch is on its way"
    assert box.acked(2) == [3]


def test_a_letter_whose_fact_the_mirror_has_already_leaves_at_once(box):
    """It was told in a conversation before, and not acknowledged."""
    box.tells(2)
    box.mirrored(120)
    box.talk.line_down(box.now)
    assert box.up() == [], "in this conversation the mirror said nothing yet"
    assert box.mirrored(120) == [1, 2]


def test_who_keeps_no_mirror_is_told_at_once():
    box = Box(inside=False)
    box.up()
    assert box.tells() == [1]
    box.after(10 * PATIENCE)
    assert not box.held.lacks_what_was_told and not box.held.in_trouble


def test_of_two_nodes_above_each_waits_for_its_own_mirror():
    one, other = Box(), Box()
    for box in (one, other):
        box.up()
        assert box.tells() == []
    assert one.mirrored(10) == [1]
    assert other.out() == []


# A mirror in trouble.


def test_a_silent_mirror_holds_up_money_for_a_second_and_then_an_alarm_says_so(box):
    box.tells()
    assert box.talk.deadline() <= box.now + PATIENCE
    assert box.after(PATIENCE - 1) == []
    assert not box.held.lacks_what_was_told
    assert box.after(1) == [1]
    assert box.held.lacks_what_was_told
    box.acked(1)
    assert box.tells() == [2], "as if there were no mirror"


def test_a_node_that_stood_still_blames_no_mirror(box):
    """It was put to sleep, or starved, with the answer unread."""
    box.tells()
    box.now += 2 * SECOND
    assert box.out() == []
    box.talk.receive(packed(MirrorWord(b"x")), box.now)
    assert box.mirrored(110) == [1]
    assert not box.held.lacks_what_was_told


def test_its_thread_looks_as_often_as_that_takes(box):
    box.tells()
    looks = []
    while not box.held.in_trouble:
        looks.append(box.held.deadline() - box.now)
        box.after(looks[-1])
    assert looks == [PATIENCE // 4] * 4


def test_when_it_has_all_the_alarm_goes_and_the_order_holds_again(box):
    box.tells()
    box.after(PATIENCE)
    box.acked(1)
    box.tells()
    assert box.mirrored(115) == [] and box.held.lacks_what_was_told
    box.mirrored(120)
    assert not box.held.lacks_what_was_told
    box.acked(2)
    assert box.tells() == []
    assert box.mirrored(130) == [3]


def test_a_mirror_that_is_quick_again_is_waited_for_while_letters_never_end(box):
    """Whoever tells faster than any mirror can answer must not stay without one for ever."""
    box.tells()
    box.after(PATIENCE)
    box.acked(1)
    box.now += SOON
    assert box.tells() == [2]
    box.mirrored(110)
    assert box.held.lacks_what_was_told, "the second was told and is not there"
    box.acked(2)
    assert box.tells() == [], "it had within a second what there was"
    assert box.mirrored(120) == [] and not box.held.lacks_what_was_told
    assert box.mirrored(130) == [3]


def test_a_mirror_that_always_answers_late_stays_in_trouble_until_it_has_all(box):
    box.tells()
    box.after(PATIENCE)
    for number in range(1, 5):
        box.after(2 * PATIENCE)
        box.acked(number)
        assert box.tells() == [number + 1]
        box.mirrored(100 + EVERY * number)
        assert box.held.in_trouble and box.held.lacks_what_was_told
    box.mirrored(150)
    assert not box.held.lacks_what_was_told


def test_a_chain_of_years_that_is_still_to_be_copied_holds_up_no_letter_for_hours():
    """A box that is pinned inside a casino late: the mirror begins with its first fact."""
    box = Box(written=1_000_000)
    box.up()
    assert box.tells() == []
    has = 0
    for _ in range(100):
        has += 200
        box.mirrored(has)
        box.after(PATIENCE // 100)
    assert box.held.lacks_what_was_told
    box.acked(1)
    assert box.tells() == [2], "while it is being copied"
    box.after(3_600 * SECOND)
    box.mirrored(1_000_020)
    assert not box.held.lacks_what_was_told
    box.acked(2)
    assert box.tells() == []


def test_a_mirror_that_lacks_much_is_in_trouble_though_no_letter_waits():
    """After a start nobody remembers what was told before it."""
    box = Box(written=5_000)
    box.up()
    box.mirrored(10)
    box.after(PATIENCE)
    assert box.held.lacks_what_was_told
    box.mirrored(5_000)
    assert not box.held.lacks_what_was_told


def test_under_steady_letters_no_one_of_them_waits_longer_than_two_patiences(box):
    """A mirror that is always behind, by just less than its patience."""
    left = {}
    for step in range(400):
        told = len(box.ours.letters)
        for number in box.tells():
            left[number] = step
        if step % 9 == 8:
            for number in box.mirrored(100 + EVERY * (told - 8)):
                left[number] = step
        for number in box.after(PATIENCE // 10):
            left[number] = step
        if left:
            for number in box.acked(max(left)):
                left[number] = step
    assert max(step - (number - 1) for number, step in left.items()) <= 20
    assert len(left) > 350


# The link goes and comes.


def test_a_link_that_is_down_is_no_mirror_in_trouble(box):
    box.tells()
    box.talk.line_down(box.now)
    box.now += 100 * PATIENCE
    box.talk.tick(box.now)
    assert not box.held.lacks_what_was_told
    assert box.up() == []
    assert box.after(PATIENCE - 1) == [], "its patience begins with the link"
    assert box.mirrored(110) == [1]


def test_what_was_in_trouble_is_so_after_a_reconnect_and_over_when_the_mirror_has_all(box):
    box.tells()
    box.after(PATIENCE)
    box.talk.line_down(box.now)
    assert box.held.lacks_what_was_told
    box.now += 60 * SECOND
    assert box.up() == [1], "no second more of waiting"
    assert box.held.lacks_what_was_told
    box.mirrored(110)
    assert not box.held.lacks_what_was_told


def test_after_a_week_letters_wait_a_second_for_what_the_mirror_still_copies(box):
    box.talk.line_down(box.now)
    for _ in range(500):
        box.tells()
    box.now += 7 * 86_400 * SECOND
    assert box.up() == []
    assert box.mirrored(200) == list(range(1, 11)), "as far as it came"
    assert box.acked(10) == []
    assert box.after(PATIENCE)[:1] == [11]
    assert box.held.lacks_what_was_told
    box.mirrored(5_100)
    assert not box.held.lacks_what_was_told


def test_a_mirror_that_was_put_back_lacks_again_what_was_told(box):
    box.tells()
    box.mirrored(110)
    box.talk.line_down(box.now)
    box.up(has=box.ours.told)
    box.mirrored(50)
    assert box.held.lacks_what_was_told
    box.mirrored(110)
    assert not box.held.lacks_what_was_told


def test_an_idle_link_wakes_nobody_for_its_mirror(box):
    box.tells()
    box.mirrored(110)
    box.acked(1)
    assert box.held.deadline() is None
    assert box.talk.deadline() == box.now + BEAT


def test_who_never_had_a_neighbour_inside_has_nothing_to_wait_for():
    held = HeldLetters()
    assert not held.tick(100 * PATIENCE) and held.deadline() is None


# What a mark proves.


def test_a_mark_that_is_not_of_this_record_proves_nothing(tmp_path):
    box = RecordedBox(tmp_path / "box.db", Key.load_or_make(tmp_path / "node.key"))
    box.play(20)
    head = box.book.seq
    marks = {
        "right": (MirrorMark(1, 10, hash_at(box, 10)), 10),
        "the end": (MirrorMark(1, head, hash_at(box, head)), head),
        "nothing yet": (MirrorMark(0, 0, bytes(32)), 0),
        "another hash": (MirrorMark(1, 10, hash_at(box, 11)), 0),
        "past the end": (MirrorMark(1, head + 1, hash_at(box, head)), 0),
        "far past the end, with no hash": (MirrorMark(1, 10**9, GENESIS), 0),
    }
    with Reader.open(box.path) as reader:
        for name, (mark, has) in marks.items():
            answered = follows(reader, mark)
            assert answered.has == has, name
            assert isinstance(answered.messages[0], MirrorStands) is (not has and mark.seq > 0), name
    box.close()


def hash_at(box, seq):
    with Reader.open(box.path) as reader:
        (row,) = reader.facts(seq, seq)
    return row.hash
