"""A detail S carries no number, so a late copy of it is told from the right one by a second look (2.3 S, 4.1)."""

from dataclasses import replace
from itertools import pairwise

import pytest

from drivers.modbus.pdu import Denial, Denied, Words
from drivers.model import Down, SeatSeen, Settled, UnitDown
from drivers.native import contract as at
from drivers.native.asks import About, Asks
from drivers.native.blocks import SeatDetail
from drivers.native.contract import UnitClass
from drivers.session import MILLISECOND, SECOND
from support.drivers import native_pair
from support.drivers.native_pair import NUMBER, Pair


def detail_now(pair):
    return pair.perfect(Asks(NUMBER, 1).detail(1).ask)


def hears_late(pair, late):
    """The next details that are asked for are answered by copies that were still on the line."""
    copies = iter(late)
    pair.wire = lambda ask: next(copies, None) or pair.perfect(ask) if ask.mark is About.DETAIL else pair.perfect(ask)
    return copies


def one_number_one_set_of_totals(pair):
    told = {}
    for seen in pair.all(SeatSeen):
        assert told.setdefault((seen.device, seen.seq, seen.seat), seen.totals) == seen.totals
    return bool(told)


@pytest.mark.parametrize("copies", [1, 2, 5])
def test_a_copy_from_before_a_payment_adds_up_and_is_not_told_as_what_came_after_it(copies):
    pair = Pair(books={}).opened(credit=41)
    late = hears_late(pair, [detail_now(pair)] * copies)
    pair.unit.cash(1, 0, 22)
    pair.forget().run(2 * SECOND)

    assert next(late, "all were heard") == "all were heard"
    assert one_number_one_set_of_totals(pair)
    assert pair.results() == [("cash", 1, True, "done")]
    effect = next(event for event in pair.events if isinstance(event, SeatSeen) and event.totals.cashed == 22)
    assert pair.events.index(effect) < pair.events.index(pair.last(Settled))


def test_a_copy_from_before_a_payment_is_not_believed_by_the_next_host_either():
    pair = Pair(books={}).opened(credit=41)
    before = detail_now(pair)
    pair.unit.cash(1, 0, 22)
    pair.run_until(lambda: pair.firmware.seats[0].memory.cashed == 22)
    pair.forget().host()
    late = hears_late(pair, [before, before])
    pair.run(3 * SECOND)

    assert next(late, "all were heard") == "all were heard"
    assert {seen.totals.cashed for seen in pair.all(SeatSeen)} == {22}


def test_a_copy_from_before_a_late_chip_does_not_hide_it():
    pair = Pair(UnitClass.CHIP_SLOT, books={}).opened()
    pair.unit.lock()
    pair.run(SECOND)
    late = hears_late(pair, [detail_now(pair)] * 2)
    pair.forget().firmware.force_chip(1, pair.now)
    pair.run(2 * SECOND)

    assert next(late, "all were heard") == "all were heard"
    assert one_number_one_set_of_totals(pair)
    assert pair.last().totals.late == 1


def test_a_copy_of_the_second_look_is_of_another_length_than_the_look_it_would_answer():
    asks = Asks(NUMBER, 1, first_look=777)
    counts = [asks.proof(1).ask.request.count for _ in range(17)]

    assert len(set(counts[:16])) == 16
    assert counts[16] == counts[0]
    assert min(counts) == at.DETAIL_BOOKS_WORDS
    assert max(counts) < at.BLOCK_WORDS, "the whole detail is none of them"


def test_another_host_begins_with_another_length():
    assert Asks(NUMBER, 1, 5).proof(1).ask.request != Asks(NUMBER, 1, 6).proof(1).ask.request


def test_a_total_that_moved_though_its_image_did_not_waits_for_the_image_that_shows_why():
    """The detail was read after the payment, and the image that followed it was late: from before the payment."""
    pair = Pair(books={}, detail_every=SECOND).opened(credit=41)
    pair.forget().run_until(lambda: pair.asked and pair.asked[-1].mark is About.DETAIL)
    pair.run_until(lambda: pair.unit.due() > pair.now or pair.asked[-1].mark is About.IMAGE)
    reports = pair.unit._running._reports
    poll, detail = pair.unit._running._poll, reports._seats[0].detail
    paid = replace(detail, cashed=22, balance=detail.balance - 22)

    assert reports.detail(1, paid, pair.now)
    assert reports.image(poll, 0, pair.now) == []
    assert reports.holding
    after = replace(poll, seq=poll.seq + 1)
    assert reports.image(after, 0, pair.now) == []
    assert reports.detail(1, paid, pair.now)
    assert reports.proof(1, paid.encode()[:20])
    assert [(seen.seq, seen.totals.cashed) for seen in reports.image(after, 0, pair.now)] == [(after.seq, 22)]


def test_a_copy_of_an_earlier_bet_of_the_same_size_does_not_give_this_one_its_number():
    """Bet, void, bet: the balance is the same, so the copy adds up."""
    pair = Pair(books={}).opened()
    pair.firmware.press(1, 2, pair.now)
    pair.run(SECOND)
    first, number = detail_now(pair), pair.last().bet_seq
    pair.unit.void(1, number, 1)
    pair.run(SECOND)
    hears_late(pair, [first] * 2)
    pair.forget().firmware.press(1, 2, pair.now)
    pair.run(2 * SECOND)

    assert number not in {seen.bet_seq for seen in pair.all(SeatSeen) if seen.bet_credits}
    assert pair.last().bet_seq == pair.firmware.seats[0].memory.bet_seq


def test_a_seat_whose_second_look_never_agrees_is_not_believed_for_ever_but_down():
    pair = Pair().up().forget()

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is not About.PROOF:
            return answer
        return Words((*answer.words[:5], answer.words[5] ^ 1, *answer.words[6:]))

    pair.wire = wire
    pair.host()
    pair.run(5 * SECOND)

    assert pair.all(SeatSeen) == []
    assert pair.last(UnitDown).detail == "the detail of its seat 1 is never twice the same"


def test_a_unit_that_refuses_the_second_look_cannot_be_up():
    pair = Pair()
    pair.wire = lambda ask: Denied(Denial.ADDRESS) if ask.mark is About.PROOF else pair.perfect(ask)
    pair.run(5 * SECOND)

    assert set(pair.reasons()) == {Down.SILENT}
    assert pair.all(SeatSeen) == []


def test_nine_seats_are_proven_with_an_image_between_them_now_and_then(monkeypatch):
    """Their books are many questions, and on a slow line nobody may be blind meanwhile."""
    monkeypatch.setattr(native_pair, "EXCHANGE", 70 * MILLISECOND)
    pair = Pair(UnitClass.TABLE, 9, books={})
    seen_at = []

    def wire(ask):
        seen_at.extend([pair.now] if ask.mark is About.IMAGE else [])
        return pair.perfect(ask)

    pair.wire = wire
    pair.up()

    assert [ask.mark for ask in pair.asked].count(About.PROOF) >= 9
    assert pair.reasons() == []
    blind = max(later - earlier for earlier, later in pairwise(seen_at))
    assert blind <= pair.settings.host_timeout // 3 + 3 * native_pair.EXCHANGE


def test_the_books_of_a_detail_end_with_its_bet():
    words = SeatDetail(unit=1, seat=1, bet=3, cause=4, faults=9, presses=8).encode()

    assert words[at.DETAIL_BOOKS_WORDS - 1] == 3 << 8 | 4
    assert words[at.DETAIL_BOOKS_WORDS] == 9
