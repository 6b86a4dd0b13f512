"""A register of a device: known is what was read back twice, and what was left there must still be there."""

from drivers.cctalk.controls import Register
from drivers.cctalk.frames import Header

SHUT, OPEN = b"\x00", b"\x01"


def register():
    return Register(Header.SET_MASTER, Header.READ_MASTER, SHUT)


def answer(one, data=b""):
    """The next question is answered so; its header, and whether the device was found otherwise."""
    ask = one.ask()
    return ask.header, one.taken(ask, data)


def settled(value=SHUT):
    one = register()
    one.want(value)
    assert [answer(one)[0], answer(one, value)[0], answer(one, value)[0]] == [Header.SET_MASTER, Header.READ_MASTER, Header.READ_MASTER]  # fmt: skip
    assert one.agrees and one.ask() is None
    return one


def test_nothing_is_known_because_it_was_written():
    one = register()
    answer(one)

    assert not one.agrees and not one.stands


def test_an_answer_that_belonged_to_another_question_is_not_believed():
    one = register()
    answer(one)
    answer(one, OPEN)
    answer(one, SHUT)
    assert not one.agrees
    answer(one, SHUT)
    assert one.agrees


def test_what_does_not_agree_is_written_again():
    one = register()
    answer(one)
    assert [answer(one, OPEN), answer(one, OPEN)] == [(Header.READ_MASTER, False)] * 2
    assert answer(one)[0] is Header.SET_MASTER


def test_a_wish_that_changed_while_the_write_was_on_its_way_is_written_anew():
    one = settled()
    one.want(OPEN)
    ask = one.ask()
    one.want(SHUT)
    one.taken(ask, b"")

    assert one.ask().header is Header.SET_MASTER and not one.stands


def test_a_device_that_holds_something_else_than_we_left_there_is_found():
    one = settled()
    one.doubt()
    assert one.stands, "nothing says otherwise yet"
    assert [answer(one, OPEN), answer(one, OPEN)] == [(Header.READ_MASTER, False), (Header.READ_MASTER, True)]
    assert not one.stands and answer(one)[0] is Header.SET_MASTER


def test_a_look_that_was_only_struck_finds_nothing():
    one = settled()
    one.doubt()
    outcomes = [answer(one, OPEN), answer(one, SHUT)]

    assert outcomes == [(Header.READ_MASTER, False)] * 2 and one.agrees


def test_a_look_that_finds_what_was_left_costs_one_question():
    one = settled()
    one.doubt()

    assert answer(one, SHUT) == (Header.READ_MASTER, False) and one.agrees


def test_what_was_left_is_compared_before_a_new_wish_is_written():
    one = settled()
    one.doubt()
    one.want(OPEN)
    assert answer(one, SHUT) == (Header.READ_MASTER, False)
    assert answer(one)[0] is Header.SET_MASTER


def test_what_is_unknown_cannot_be_doubted():
    one = register()
    one.doubt()

    assert one.ask().header is Header.SET_MASTER


def test_some_are_read_before_they_are_written_though_nothing_is_known_of_them():
    one = register()
    one.look_first()
    one.want(OPEN)
    assert [answer(one, SHUT), answer(one, SHUT)] == [(Header.READ_MASTER, False)] * 2
    assert one.known == SHUT and answer(one)[0] is Header.SET_MASTER
