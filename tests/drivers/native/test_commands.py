"""Commands of the owner: each takes effect once, whatever is lost, and its end is told after what it did."""

from dataclasses import replace

import pytest

from drivers.line.failures import Failure
from drivers.modbus.pdu import Denial, Denied, Words, WriteWords
from drivers.model import SeatSeen, Settled
from drivers.native import contract as at
from drivers.native.asks import About
from drivers.native.blocks import FastPoll
from drivers.native.commands import MOST_WAITING
from drivers.native.contract import Bet, Opcode, ResetCause, Result, UnitClass
from drivers.native.writes import Command
from drivers.session import SECOND
from support.drivers.native_pair import NUMBER, Pair, config


def commands(pair):
    return [Command.decode(ask.request.words) for ask in pair.asked if ask.mark is About.COMMAND]


def loaded(pair, seat=1):
    return pair.firmware.seats[seat - 1].memory.loaded


def losing(pair, how, times=1):
    """The wire loses the first commands (`lost_question`) or their answers (`lost_answer`)."""
    count = iter(range(times))
    return lambda ask: how(ask) if ask.mark is About.COMMAND and next(count, None) is not None else pair.perfect(ask)


def test_a_load_is_applied_once_and_told_with_its_totals_first():
    pair = Pair(books={}).up().forget()
    pair.unit.load(1, 0, 20)
    pair.run(SECOND)

    assert loaded(pair) == 20
    assert pair.results() == [("load", 1, True, "done")]
    assert pair.last().totals.loaded == 20
    assert pair.events.index(pair.last()) < pair.events.index(pair.last(Settled))
    assert len(commands(pair)) == 1


def test_a_lost_answer_is_looked_for_and_not_repeated():
    pair = Pair(books={}).up().forget()
    pair.wire = losing(pair, pair.lost_answer)
    pair.unit.load(1, 0, 20)
    pair.run(SECOND)

    assert len(commands(pair)) == 1
    assert pair.results() == [("load", 1, True, "done")]


def test_a_lost_command_is_repeated_with_its_own_number():
    pair = Pair(books={}).up().forget()
    pair.wire = losing(pair, pair.lost_question, 2)
    pair.unit.load(1, 0, 20)
    pair.run(SECOND)

    assert [command.command_id for command in commands(pair)] == [commands(pair)[0].command_id] * 3
    assert loaded(pair) == 20
    assert pair.results() == [("load", 1, True, "done")]


def test_a_command_whose_answer_was_lost_with_the_unit_that_rebooted_is_safe_to_repeat():
    pair = Pair(books={}).up().forget()

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is About.COMMAND and loaded(pair) == 20 and pair.firmware.starts == 1:
            pair.firmware.reboot(ResetCause.BROWN_OUT, pair.now)
            return Failure.SILENT
        return answer

    pair.wire = wire
    pair.unit.load(1, 0, 20)
    pair.run(3 * SECOND)

    assert loaded(pair) == 20
    assert pair.results() == [("load", 1, True, "already")]
    assert pair.last().totals.loaded == 20


def test_commands_survive_a_silence_in_their_order():
    pair = Pair(books={}).up().forget()
    pair.wire = lambda _: Failure.SILENT
    pair.unit.load(1, 0, 20)
    pair.unit.load(1, 20, 50)
    pair.unit.load(1, 0, 20)
    pair.run(3 * SECOND)
    assert pair.results() == []
    pair.wire = pair.perfect
    pair.run(5 * SECOND)

    assert loaded(pair) == 50
    assert pair.results() == [("load", 1, True, "done")] * 2


def test_a_command_that_expects_something_else_does_nothing():
    pair = Pair(books={}).up().forget()
    pair.unit.load(1, 5, 20)
    pair.run(SECOND)

    assert loaded(pair) == 0
    assert pair.results() == [("load", 1, False, "mismatch")]


@pytest.mark.parametrize("seats", [1, 3])
def test_the_end_of_a_payment_is_told_after_the_cashed_total(seats):
    pair = Pair(UnitClass.TABLE, seats, books={}).opened(credit=50).forget()
    pair.unit.cash(1, 0, 30)
    pair.run(SECOND)

    assert pair.results() == [("cash", 1, True, "done")]
    told = [seen for seen in pair.all(SeatSeen) if seen.totals.cashed == 30]
    assert pair.events.index(told[0]) < pair.events.index(pair.last(Settled))


def test_a_payment_whose_session_ends_before_its_total_was_read_is_told_once_and_after_it():
    pair = Pair(books={}).opened(credit=50).forget()
    rebooted = iter([True])

    def wire(ask):
        if ask.mark is About.DETAIL and pair.firmware.seats[0].memory.cashed and next(rebooted, False):
            pair.firmware.reboot(ResetCause.BROWN_OUT, pair.now)
        return pair.perfect(ask)

    pair.wire = wire
    pair.unit.cash(1, 0, 30)
    pair.unit.cash(1, 0, 30)
    pair.run(4 * SECOND)

    assert pair.firmware.starts == 2
    assert pair.results() == [("cash", 1, True, "already")]
    first = next(event for event in pair.events if isinstance(event, SeatSeen) and event.totals.cashed == 30)
    assert pair.events.index(first) < pair.events.index(pair.last(Settled))


def test_an_order_that_is_given_again_while_its_totals_are_read_is_the_same_order():
    pair = Pair(books={}).opened(credit=50).forget()

    again = iter([True])

    def wire(ask):
        if ask.mark is About.DETAIL and next(again, False):
            pair.unit.cash(1, 0, 30)
        return pair.perfect(ask)

    pair.wire = wire
    pair.unit.cash(1, 0, 30)
    pair.run(SECOND)

    assert pair.results() == [("cash", 1, True, "done")]


def test_more_than_is_there_is_refused_in_the_units_own_word():
    pair = Pair(books={}).opened(credit=50).forget()
    pair.unit.cash(1, 0, 51)
    pair.run(SECOND)

    assert pair.results() == [("cash", 1, False, "refused")]


def test_a_bet_is_voided_by_its_number_and_no_other():
    pair = Pair(books={}).opened().forget()
    pair.firmware.press(1, 2, pair.now)
    pair.run(SECOND)
    bet = pair.last().bet_seq
    pair.unit.void(1, bet + 1, 1)
    pair.run(SECOND)
    assert pair.state() == Bet.CONFIRMED
    pair.unit.void(1, bet, 1)
    pair.run(SECOND)
    pair.unit.void(1, bet, 1)
    pair.run(SECOND)

    assert pair.state() == Bet.VOIDED
    assert pair.last().totals.voided == 2
    assert [result for _, _, _, result in pair.results()] == ["mismatch", "done", "already"]


def test_seats_have_the_tables_numbers():
    pair = Pair(UnitClass.TABLE, 3, first_seat=4, books={}).up().forget()
    pair.unit.load(6, 0, 20)
    pair.run(SECOND)

    assert [loaded(pair, seat) for seat in (1, 2, 3)] == [0, 0, 20]
    assert pair.results() == [("load", 6, True, "done")]
    with pytest.raises(AssertionError, match="not a seat"):
        pair.unit.load(7, 0, 20)


def test_a_disabled_seat_stays_so_and_is_put_right_when_the_unit_forgot():
    pair = Pair(books={}).up().forget()
    pair.unit.disable(1)
    pair.run(SECOND)
    assert not pair.last().enabled
    assert pair.results() == [("disable", 1, True, "done")]

    pair.firmware.seats[0].memory.enabled = True
    pair.run(3 * SECOND)
    assert not pair.firmware.seats[0].memory.enabled
    assert len(pair.results()) == 1

    pair.unit.enable(1)
    pair.run(SECOND)
    assert pair.last().enabled
    assert pair.results()[1:] == [("enable", 1, True, "done")]


def test_a_unit_that_will_not_disable_is_asked_gently():
    pair = Pair(books={}).up().forget()
    pair.firmware._enable = lambda *_: Result.REFUSED
    pair.unit.disable(1)
    pair.run(10 * SECOND)

    assert pair.results() == [("disable", 1, False, "refused")]
    assert len(commands(pair)) <= 7


def test_a_seat_that_the_configuration_leaves_out_is_not_asked_for_again_and_again():
    pair = Pair(wanted=config(enabled=0), books={}).up().forget()
    pair.unit.enable(1)
    pair.run(10 * SECOND)

    assert len(commands(pair)) == 1
    assert pair.results() == [("enable", 1, False, "refused")]


def test_faults_are_cleared_as_they_are_read_and_not_as_they_were():
    pair = Pair(books={}).up().forget()
    pair.firmware.tamper(1, pair.now)
    pair.unit.clear_faults(1)
    pair.run(SECOND)

    assert pair.firmware.seats[0].memory.latched == 0
    assert pair.last().faults == ()
    assert pair.results() == [("clear_faults", 1, True, "done")]


def test_faults_cleared_before_the_unit_is_up_are_cleared_then():
    pair = Pair(books={})
    pair.firmware.tamper(1, pair.now)
    pair.unit.clear_faults(1)
    pair.up()

    assert pair.results() == [("clear_faults", 1, True, "done")]
    assert pair.firmware.seats[0].memory.latched == 0


def test_orders_wait_until_the_owner_knows_the_totals():
    pair = Pair(books={})
    pair.unit.load(1, 0, 20)
    pair.up()

    told = [type(event) for event in pair.events]
    assert told.index(SeatSeen) < told.index(Settled)
    assert pair.all(SeatSeen)[0].totals.loaded == 0


def test_more_orders_than_fit_are_refused_and_not_remembered():
    pair = Pair().up().forget()
    for target in range(1, MOST_WAITING + 2):
        pair.unit.load(1, 0, target)
    pair.exchange()

    assert pair.results() == [("load", 1, False, "too_many")]


def test_a_stale_token_is_not_the_end_of_an_order():
    pair = Pair(books={}).up().forget()
    stale = iter([False])
    pair.firmware._is_token_current = lambda _: next(stale, True)
    pair.unit.load(1, 0, 20)
    pair.run(SECOND)

    assert loaded(pair) == 20
    assert pair.results()[0][2]
    assert len({command.command_id for command in commands(pair)}) == 2


def test_a_unit_that_always_says_stale_ends_the_order():
    pair = Pair(books={}).up().forget()
    execute = pair.firmware._execute
    pair.firmware._execute = lambda command: (
        Result.STALE_TOKEN if command.opcode == Opcode.LOADED_TO else execute(command)
    )
    pair.unit.load(1, 0, 20)
    pair.run(5 * SECOND)

    assert pair.results() == [("load", 1, False, "stale_token")]


def test_a_unit_that_denies_or_ignores_a_command_ends_the_order():
    pair = Pair(books={}).up().forget()
    pair.wire = lambda ask: Denied(Denial.VALUE) if ask.mark is About.COMMAND else pair.perfect(ask)
    pair.unit.load(1, 0, 20)
    pair.run(3 * SECOND)
    pair.wire = pair.perfect
    pair.firmware._was_executed = lambda _: True
    pair.unit.load(1, 0, 30)
    pair.run(3 * SECOND)

    assert pair.results() == [("load", 1, False, "denied_3"), ("load", 1, False, "ignored")]
    assert pair.reasons() == []


def test_a_result_without_a_name_is_a_refusal_with_its_number():
    pair = Pair(books={}).up()

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is not About.IMAGE:
            return answer
        return Words(replace(FastPoll.decode(answer.words, NUMBER, 1), result=99).encode())

    pair.wire = wire
    pair.forget().unit.load(1, 0, 20)
    pair.run(SECOND)

    assert pair.results() == [("load", 1, False, "result_99")]


def test_a_repeated_old_command_on_the_line_does_not_pass_for_ours():
    pair = Pair(books={}).up().forget()
    old = Command(command_id=4000, opcode=Opcode.LOADED_TO, seat=1, expected=7, target=9, token=pair.firmware._token)
    late = iter([True])

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is About.COMMAND and next(late, False):
            pair.firmware.serve(WriteWords(at.COMMAND, old.encode()), pair.now)
        return answer

    pair.wire = wire
    pair.unit.load(1, 0, 20)
    pair.run(SECOND)

    assert loaded(pair) == 20
    assert pair.results() == [("load", 1, True, "already")]


def test_totals_are_two_words():
    pair = Pair()
    with pytest.raises(AssertionError, match="two words"):
        pair.unit.load(1, 0, 2**32)
