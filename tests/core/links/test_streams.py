"""R-28: letters are numbered, hashed and heard in order; what does not follow stops that neighbour, and two let it on."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import (
    LetterAcknowledged,
    LetterDisputed,
    LetterHeard,
    LetterTold,
    NeighbourAccepted,
    NeighbourStopped,
    NothingNew,
)
from controller.core.links.letters import READ, VERSION, hash_of, version_of
from controller.core.links.neighbours import START, is_heard_from, is_next
from controller.core.links.streams import told
from controller.core.values import Broken, Mark, Side
from controller.rules.refusal import Reason
from support.core.neighbour import ABOVE, BELOW, Stream, over, pin
from support.floor.floor import ANA, CARLA, JEFA, POT, TITO, Floor, kinds

UP, LOG, OURS, OUR_LOG = "to:central", f"pot:{POT}", f"to:{ABOVE}", f"pot:{POT}"
STRANGE = "ab" * 32


def linked():
    """A node with a neighbour on each side."""
    floor = Floor()
    floor.ask(pin(ABOVE, Side.ABOVE))
    floor.ask(pin(BELOW))
    return floor


def heard_to(number, epoch=1):
    """A floor that heard so many letters, and the stream."""
    floor, stream = linked(), Stream(BELOW, UP, epoch)
    for _ in range(number):
        floor.ask(stream.next())
    assert floor.state.heard.get(f"{BELOW}/{UP}", START) == stream.mark
    return floor, stream


def tell(floor, stream, letters=1):
    for number in range(1, letters + 1):
        floor.hear(told(floor.state, stream, over(number)), floor.now)
    return floor.state.told[stream]


def stop(name=BELOW, stream=UP, why=Broken.GAP, said=START):
    return ask.StopNeighbour(name, stream, why, said)


def accept(mark, name=BELOW, stream=UP, reason="lo vimos", by=ANA, second=JEFA):
    return ask.AcceptNeighbour(name, stream, mark, reason, by, second)


def end_disputes(floor):
    for dispute in [*floor.state.disputes.values()]:
        floor.ask(ask.EndDispute(dispute.neighbour, dispute.number, accepted=False, reason="x", by=ANA, second=JEFA))


# What we tell


def test_r28_letters_are_numbered_from_one_and_each_names_the_hash_before():
    floor = Floor()
    first = told(floor.state, OURS, over(1))
    assert version_of(over(1)) == 1 and first == LetterTold(OURS, 1, 1, "", 1, over(1))
    floor.hear(first, floor.now)
    second = told(floor.state, OURS, over(2))

    assert (second.number, second.previous) == (2, hash_of("central", OURS, 1, Mark(1, 1, ""), "", over(1)))
    floor.hear(second, floor.now)
    assert floor.state.told == {OURS: Mark(1, 2, hash_of("central", OURS, 1, Mark(1, 2, ""), second.previous, over(2)))}


def test_r28_streams_do_not_count_together():
    floor = Floor()
    tell(floor, OURS, 3)

    assert told(floor.state, OUR_LOG, over()).number == 1


# What we hear


def test_r28_a_letter_that_follows_is_heard_after_all_that_follows_from_it():
    floor, stream = heard_to(0)
    asked = stream.next()
    assert is_next(floor.state, asked)
    *_, last = floor.ask(asked)

    assert last == LetterHeard(BELOW, UP, stream.mark, None, VERSION)
    assert not is_next(floor.state, asked)


def test_r28_a_letter_of_a_pot_s_log_is_kept_so_that_its_owner_can_be_told_again():
    floor, stream = linked(), Stream(ABOVE, "pot:grande")

    assert floor.ask(stream.next())[-1].letter == over(1, "grande")


def test_r28_what_was_heard_already_is_nothing_new():
    floor, stream = heard_to(0)
    letters = [stream.next() for _ in range(3)]
    for each in letters:
        floor.ask(each)
    marks = floor.state.heard

    assert [kinds(floor.ask(each)) for each in letters] == [[NothingNew]] * 3
    assert floor.state.heard == marks


def test_r28_a_restored_neighbour_goes_on_where_it_had_been():
    floor, stream = heard_to(2)
    twin = stream.back(2, epoch=2)

    assert floor.ask(twin.next())[-1].mark == twin.mark
    assert floor.state.heard[f"{BELOW}/{UP}"].epoch == 2


def gap(stream):
    return stream.next(number=5)


def other_letter_under_the_last_number(stream):
    return stream.back(2).next(over(99))


def other_past(stream):
    stream.marks[-1] = replace(stream.mark, hash=STRANGE)
    return stream.next()


def other_hash_than_said(stream):
    asked = stream.next()
    return replace(asked, mark=replace(asked.mark, hash=STRANGE))


def newer_program(stream):
    return stream.next(version=VERSION + 1)


def no_program(stream):
    return stream.next(version=0)


def restored_from_before(stream):
    return stream.back(1, epoch=3).next()


def restored_beside(stream):
    return stream.back(2, epoch=3).next(over(99))


def restored_elsewhere(stream):
    stream.marks[-1] = replace(stream.mark, hash=STRANGE)
    stream.epoch = 3
    return stream.next()


def ghost_of_an_older_epoch(stream):
    stream.epoch = 1
    return stream.next()


def nonsense_before(stream):
    return replace(stream.next(), previous="x" * 1_000)


def of_another_pot(stream):
    return stream.next(over(1, "otro"))


BREAKS = {
    gap: Broken.GAP,
    other_letter_under_the_last_number: Broken.FORK,
    other_past: Broken.FORK,
    other_hash_than_said: Broken.FORK,
    newer_program: Broken.UNKNOWN_LETTER,
    no_program: Broken.UNKNOWN_LETTER,
    restored_from_before: Broken.FOREIGN_EPOCH,
    restored_beside: Broken.FOREIGN_EPOCH,
    restored_elsewhere: Broken.FOREIGN_EPOCH,
    ghost_of_an_older_epoch: Broken.FOREIGN_EPOCH,
    nonsense_before: Broken.FORK,
}


@pytest.mark.parametrize("how", BREAKS, ids=lambda how: how.__name__)
def test_r28_what_does_not_follow_stops_that_neighbour_and_nobody_else(how):
    floor, stream = heard_to(3, epoch=2)
    money, marks = dict(floor.balances), floor.state.heard
    asked = how(stream)
    (fact,) = floor.ask(asked)

    previous = asked.previous if len(asked.previous) <= 64 else ""
    assert fact == NeighbourStopped(BELOW, UP, BREAKS[how], Mark(asked.mark.epoch, asked.mark.number - 1, previous))
    assert (floor.balances, floor.state.heard) == (money, marks)
    assert not is_heard_from(floor.state, BELOW) and is_heard_from(floor.state, ABOVE)
    for again in (asked, ask.HearAcknowledged(BELOW, OUR_LOG, START)):
        assert floor.reason(again) == Reason.NEIGHBOUR_STOPPED.code
    assert kinds(floor.ask(Stream(ABOVE, "pot:grande").next()))[-1] is LetterHeard


@pytest.mark.parametrize(
    ("name", "stream", "reason"),
    [
        ("otra", UP, Reason.NEIGHBOUR_UNKNOWN),
        (BELOW, "to:otro", Reason.STREAM_NOT_ITS),
        (BELOW, LOG, Reason.STREAM_NOT_ITS),
        (ABOVE, UP, Reason.STREAM_NOT_ITS),
        (ABOVE, LOG, Reason.STREAM_NOT_ITS),  # the pot is ours
        (ABOVE, "pot:", Reason.STREAM_NOT_ITS),
        (ABOVE, "grande", Reason.STREAM_NOT_ITS),
    ],
)
def test_r28_a_neighbour_speaks_for_itself_only(name, stream, reason):
    assert linked().reason(Stream(name, stream).next()) == reason.code
    assert not is_heard_from(linked().state, "otra")


def test_r28_the_owner_of_a_pot_writes_its_log():
    floor = linked()
    floor.state = replace(floor.state, pots={POT: replace(floor.pot(), above=ABOVE)})

    assert kinds(floor.ask(Stream(ABOVE, LOG).next()))[-1] is LetterHeard


@pytest.mark.parametrize(
    "mark", [Mark(1, 0, ""), Mark(1, -1, ""), Mark(0, 1, ""), Mark(1, 2**63, ""), Mark(2**31, 1, "")]
)
def test_r28_a_number_that_no_stream_has_is_refused(mark):
    asked = replace(Stream(BELOW, UP).next(), mark=mark)

    assert linked().reason(asked) == Reason.AMOUNT_WRONG.code


# What they have of ours


def test_r28_an_acknowledgement_is_on_record_once_and_only_grows():
    floor = linked()
    first, second = tell(floor, OURS), tell(floor, OURS)
    assert kinds(floor.ask(ask.HearAcknowledged(ABOVE, OURS, replace(START, epoch=1)))) == [NothingNew]

    assert floor.ask(ask.HearAcknowledged(ABOVE, OURS, first)) == (LetterAcknowledged(ABOVE, OURS, first),)
    assert kinds(floor.ask(ask.HearAcknowledged(ABOVE, OURS, first))) == [NothingNew]
    floor.ask(ask.HearAcknowledged(ABOVE, OURS, second))
    assert floor.state.acknowledged == {f"{ABOVE}/{OURS}": second}


def test_r28_each_reader_of_a_log_acknowledges_for_itself():
    floor = linked()
    floor.ask(pin("caja-2"))
    mark = tell(floor, OUR_LOG)
    for name in (BELOW, "caja-2"):
        assert kinds(floor.ask(ask.HearAcknowledged(name, OUR_LOG, mark))) == [LetterAcknowledged]


@pytest.mark.parametrize(
    ("number", "hash_", "why"),
    [
        (5, STRANGE, Broken.AHEAD),
        (4, STRANGE, Broken.FORK),
        (2, STRANGE, Broken.FORK),
        (1, STRANGE, Broken.ROLLED_BACK),
        (0, "", Broken.ROLLED_BACK),
    ],
)
def test_r28_nobody_has_what_we_did_not_tell_nor_forgets_what_he_had(number, hash_, why):
    floor = linked()
    tell(floor, OURS, 2)
    floor.ask(ask.HearAcknowledged(ABOVE, OURS, floor.state.told[OURS]))
    tell(floor, OURS, 2)
    said = Mark(1, number, hash_)

    assert floor.ask(ask.HearAcknowledged(ABOVE, OURS, said)) == (NeighbourStopped(ABOVE, OURS, why, said),)


@pytest.mark.parametrize(
    ("name", "stream", "mark", "reason"),
    [
        ("otra", OURS, START, Reason.NEIGHBOUR_UNKNOWN),
        (BELOW, OURS, START, Reason.STREAM_NOT_ITS),
        (ABOVE, OUR_LOG, START, Reason.STREAM_NOT_ITS),
        (BELOW, "pot:otro", START, Reason.STREAM_NOT_ITS),
        (ABOVE, OURS, Mark(1, -1, ""), Reason.AMOUNT_WRONG),
        (ABOVE, OURS, Mark(1, 1, "x"), Reason.AMOUNT_WRONG),
        (ABOVE, OURS, Mark(2**31, 1, ""), Reason.AMOUNT_WRONG),
    ],
)
def test_r28_nobody_acknowledges_what_was_not_told_to_him(name, stream, mark, reason):
    assert linked().reason(ask.HearAcknowledged(name, stream, mark)) == reason.code


# Stopped by what both say when they meet


def test_r28_marks_that_cannot_both_be_stop_it():
    floor, stream = heard_to(3)
    said = stream.marks[1]

    assert floor.ask(stop(why=Broken.ROLLED_BACK, said=said)) == (
        NeighbourStopped(BELOW, UP, Broken.ROLLED_BACK, said),
    )
    assert kinds(floor.ask(stop(why=Broken.ROLLED_BACK, said=said))) == [NothingNew]
    assert kinds(floor.ask(stop(why=Broken.FORK, said=said))) == [NeighbourStopped]
    assert kinds(floor.ask(stop(stream=OUR_LOG, why=Broken.FORK, said=said))) == [NeighbourStopped]
    assert len(floor.state.neighbours[BELOW].stopped) == 2


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (stop("otra"), Reason.NEIGHBOUR_UNKNOWN),
        (stop(stream="to:otro"), Reason.STREAM_NOT_ITS),
        (stop(said=Mark(1, 2, "x")), Reason.AMOUNT_WRONG),
    ],
)
def test_r28_nothing_else_is_stopped(asked, reason):
    assert linked().reason(asked) == reason.code


def test_r28_a_box_whose_copy_does_not_follow_is_on_record_until_two_have_looked_and_its_letters_go_on():
    floor = Floor()
    floor.ask(pin(BELOW, inside=True))
    said = Mark(3, 900, STRANGE)
    assert kinds(floor.ask(stop(stream="mirror", why=Broken.ROLLED_BACK, said=said))) == [NeighbourStopped]
    assert is_heard_from(floor.state, BELOW) and floor.state.neighbours[BELOW].stopped
    heard = dict(floor.state.heard)

    assert floor.reason(accept(START, stream="mirror")) == Reason.NEIGHBOUR_SAYS_OTHER.code
    assert kinds(floor.ask(accept(said, stream="mirror"))) == [NeighbourAccepted]
    assert not floor.state.neighbours[BELOW].stopped and floor.state.heard == heard


@pytest.mark.parametrize("how", [{"inside": False}, {"inside": True, "side": Side.ABOVE}])
def test_r28_nobody_else_has_a_copy_here(how):
    floor = Floor()
    floor.ask(pin(BELOW, **how))

    assert floor.reason(stop(stream="mirror")) == Reason.STREAM_NOT_ITS.code
    assert floor.reason(Stream(BELOW, "mirror").next()) == Reason.STREAM_NOT_ITS.code


# Two persons let it go on


def test_r28_two_who_looked_accept_and_a_gap_is_over():
    floor, stream = heard_to(2)
    lost = stream.next()
    late = stream.next()
    floor.ask(late)
    (fact,) = floor.ask(accept(lost.mark))

    assert fact == NeighbourAccepted(BELOW, UP, lost.mark, "lo vimos", "ana", "jefa")
    assert is_heard_from(floor.state, BELOW)
    assert floor.ask(late)[-1].mark == late.mark


def test_r28_a_neighbour_restored_from_a_backup_goes_on_in_its_new_epoch_and_nothing_is_heard_twice():
    floor, stream = heard_to(0)
    old = [stream.next() for _ in range(4)]
    for each in old:
        floor.ask(each)
    twin = stream.back(2, epoch=2)
    fresh = twin.next(over(99))
    (broken,) = floor.ask(fresh)

    end_disputes(floor)
    assert kinds(floor.ask(accept(broken.said))) == [NeighbourAccepted]
    for each in old[2:]:
        (ghost,) = floor.ask(each)
        assert floor.reason(accept(ghost.said)) == Reason.NEIGHBOUR_SAME_EPOCH.code
        assert kinds(floor.ask(accept(broken.said))) == [NeighbourAccepted]
    assert floor.ask(fresh)[-1].mark == twin.mark


def test_r28_without_a_new_epoch_nobody_goes_back():
    floor, stream = heard_to(4)
    end_disputes(floor)
    floor.ask(stop(why=Broken.ROLLED_BACK, said=stream.marks[2]))
    assert floor.reason(accept(stream.marks[2])) == Reason.NEIGHBOUR_SAME_EPOCH.code

    said = replace(stream.marks[2], epoch=2)
    floor.ask(stop(why=Broken.ROLLED_BACK, said=said))
    assert kinds(floor.ask(accept(said))) == [NeighbourAccepted]


def test_r28_a_dispute_that_would_be_told_again_is_ended_first():
    floor, stream = heard_to(2)
    assert floor.heard(LetterDisputed)
    said = replace(stream.marks[1], epoch=2)
    floor.ask(stop(why=Broken.ROLLED_BACK, said=said))
    assert floor.reason(accept(said)) == Reason.DISPUTE_OPEN.code

    floor.ask(ask.EndDispute(BELOW, 2, accepted=False, reason="nada", by=ANA, second=JEFA))
    assert kinds(floor.ask(accept(said))) == [NeighbourAccepted]


def test_r28_a_stop_where_the_mark_stands_is_accepted_there():
    floor, stream = heard_to(2)
    floor.ask(stop(why=Broken.UNKNOWN_LETTER, said=stream.mark))

    floor.ask(accept(stream.mark))
    assert floor.state.heard[f"{BELOW}/{UP}"] == stream.mark


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (accept(START, "otra"), Reason.NEIGHBOUR_UNKNOWN),
        (accept(START), Reason.NEIGHBOUR_NOT_STOPPED),
        (accept(START, ABOVE, OURS), Reason.NEIGHBOUR_SAYS_OTHER),
        (accept(Mark(1, 2, STRANGE), ABOVE, OURS, " "), Reason.REASON_MISSING),
        (accept(Mark(1, 2, STRANGE), ABOVE, OURS, by=JEFA), Reason.ROLE_MISSING),
        (accept(Mark(1, 2, STRANGE), ABOVE, OURS, second=CARLA), Reason.ROLE_MISSING),
        (accept(Mark(1, 2, STRANGE), ABOVE, OURS, second=TITO), Reason.ROLE_MISSING),
        (accept(Mark(1, 2, STRANGE), ABOVE, OURS, second=ANA), Reason.TWO_PERSONS_NEEDED),
    ],
)
def test_r28_exactly_what_it_says_is_accepted_by_two_with_a_reason(asked, reason):
    floor = linked()
    floor.ask(stop(ABOVE, OURS, Broken.AHEAD, Mark(1, 2, STRANGE)))

    assert floor.reason(asked) == reason.code


def test_r28_where_it_has_more_of_ours_than_this_record_our_next_letter_comes_after_that():
    """This node was restored from a backup; nobody gives two letters one number."""
    floor = linked()
    tell(floor, OURS, 2)
    ahead = Mark(1, 9, STRANGE)
    floor.ask(ask.HearAcknowledged(ABOVE, OURS, ahead))
    floor.ask(accept(ahead, ABOVE, OURS))

    next_ = told(floor.state, OURS, over())
    assert (next_.number, next_.previous, floor.state.acknowledged[f"{ABOVE}/{OURS}"]) == (10, STRANGE, ahead)
    floor.hear(next_, floor.now)


def test_r28_where_it_has_less_of_ours_it_is_told_again_from_there():
    floor = linked()
    first = tell(floor, OURS)
    last = tell(floor, OURS, 2)
    floor.ask(ask.HearAcknowledged(ABOVE, OURS, last))
    floor.ask(ask.HearAcknowledged(ABOVE, OURS, first))
    floor.ask(accept(first, ABOVE, OURS))

    assert (floor.state.told[OURS], floor.state.acknowledged[f"{ABOVE}/{OURS}"]) == (last, first)
    assert kinds(floor.ask(ask.HearAcknowledged(ABOVE, OURS, last))) == [LetterAcknowledged]


def test_r28_letters_of_this_program_and_of_all_before_are_read():
    assert tuple(range(1, VERSION + 1)) == READ
