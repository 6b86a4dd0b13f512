"""R-34, R-35: what a correction reads of a record, and how far back. A record of years must not be read whole.

Each search is (where it starts, forwards or not, the fact at which it stopped; 0 where it went to the end).
"""

from controller.core import inputs as ask
from controller.core.facts import Entry, PassClosed, PassSealed, PlanTookEffect, TrainingStarted
from controller.core.past.inquiry import inquiry_for
from controller.core.past.search import NEWEST
from support.floor.floor import (
    ANA,
    CARLA,
    JEFA,
    JEFE,
    LUIS,
    POT,
    ROYAL,
    STRAIGHT_FLUSH,
    TABLE,
    Floor,
    hands_of,
    plan,
    prize,
)
from support.floor.told import follow, told

FULL = ("2c", "2d", "2h", "3s", "3d")
OTHER, LAST = "DP-02", "DP-03"
TABLES = dict.fromkeys((TABLE, OTHER, LAST), "draw")
BACK, ON = False, True


def searched(floor, asked):
    inquiry, searches = inquiry_for(floor.state, asked), []
    while (search := inquiry.query()) is not None:
        last = len(floor.record)
        there = range(search.start, last + 1) if search.forwards else range(min(search.start, last), 0, -1)
        stopped = 0
        for seq in there:
            at, fact = floor.record[seq - 1]
            if str(fact.__struct_config__.tag) in search.kinds and inquiry.take(Entry(seq, at, ("", 0, 0), "", fact)):
                stopped = seq
                break
        else:
            inquiry.done()
        searches.append((search.start, search.forwards, stopped))
    return searches


def seq_of(floor, kind, **fields):
    """The last fact of this kind with these fields."""
    return max(
        seq
        for seq, (_, fact) in enumerate(floor.record, 1)
        if isinstance(fact, kind) and all(getattr(fact, name) == value for name, value in fields.items())
    )


def claim_seq(floor, claim):
    return 1 + next(at for at, (_, fact) in enumerate(floor.record) if getattr(fact, "claim", "") == claim)


def not_won(claim):
    return ask.RejectClaim(claim, "x", JEFA, JEFE)


def correct(*hands, table=TABLE, number=1):
    return ask.CorrectClaim(table, number, hands_of(hands), "x", CARLA, JEFA, recording="G-1")


def evening(**how):
    """Three tables, each with a pass that was won and closed."""
    floor = Floor(plan(tables=TABLES, **how))
    for table in TABLES:
        floor.sealed({1: 2, 2: 2}, table)
        floor.claim((1, "full"), table=table)
        floor.close_pass(table)
    return floor


def from_(floor, table, anchor):
    """Back to the seal of a table's first pass, from there to the plan, and on from the anchor."""
    return [
        (NEWEST, BACK, seq_of(floor, PassSealed, table=table, number=1)),
        (anchor, BACK, seq_of(floor, PlanTookEffect)),
        (anchor, ON, 0),
    ]


def test_r34_a_claim_is_told_from_what_it_found():
    floor = evening()

    for table in TABLES:
        claim = f"{table}/1/1"
        assert searched(floor, not_won(claim)) == from_(floor, table, claim_seq(floor, claim))


def test_r35_a_pass_that_nobody_claimed_is_told_from_what_it_left():
    floor = Floor(plan(tables=TABLES))
    floor.sealed({1: 2}, OTHER)
    floor.sealed({1: 2})
    floor.close_pass(OTHER)
    floor.close_pass()
    floor.sealed({1: 2}, LAST)

    closed = seq_of(floor, PassClosed, table=TABLE)
    assert searched(floor, correct((1, FULL))) == from_(floor, TABLE, closed)
    (fact,) = floor.ask(correct((1, FULL)))
    assert fact.place == closed


def test_r29_a_prize_is_told_from_what_it_found():
    floor = Floor(plan(tables=TABLES, prizes=[prize("Jugador")]))
    floor.sealed({1: 2})
    floor.draw("Jugador", seat=1)
    floor.close_pass()

    claim = "DP-01/1/p1"
    assert searched(floor, not_won(claim)) == from_(floor, TABLE, claim_seq(floor, claim))


def test_r34_a_correction_since_that_reaches_further_back_is_told_too():
    floor = evening()
    last = f"{LAST}/1/1"
    floor.correct(1, (2, FULL))
    first = claim_seq(floor, f"{TABLE}/1/1")

    back, *others = searched(floor, not_won(last))
    assert back == (NEWEST, BACK, seq_of(floor, PassSealed, table=TABLE, number=1)), "whose bets are needed"
    assert others == from_(floor, LAST, first)[1:]
    floor.sealed({1: 1, 2: 1}, LAST)
    floor.claim((1, "full"), table=LAST)
    claim = f"{LAST}/2/1"
    assert searched(floor, not_won(claim))[-1] == (claim_seq(floor, claim), ON, 0), "what was before it is in it"


def test_r29_r34_a_correction_since_that_took_back_a_prize_is_told_from_the_prize_on():
    floor = Floor(plan(tables=TABLES, prizes=[prize("Jugador")]))
    floor.sealed({1: 2, 2: 2})
    floor.draw("Jugador", seat=1)
    floor.sealed({1: 2}, OTHER)
    floor.draw("Jugador", hit=False, table=OTHER)
    floor.claim((1, STRAIGHT_FLUSH), table=OTHER)
    floor.claim((1, "full"), (2, "color"))
    floor.ask(ask.VoidHand(TABLE, 1, "x", CARLA))

    assert searched(floor, not_won(f"{OTHER}/1/1"))[-1] == (claim_seq(floor, "DP-01/1/p1"), ON, 0)


def test_r34_a_pass_whose_bets_are_known_is_not_looked_for():
    """What is sealed on a table is in the state: the search ends at the seal that was asked for."""
    floor = Floor(plan(tables=TABLES))
    floor.sealed({1: 2}, OTHER)
    floor.sealed({1: 2})
    floor.claim((1, "full"))
    floor.claim((1, "full"), table=OTHER)

    assert searched(floor, not_won("DP-01/1/1"))[0] == (NEWEST, BACK, seq_of(floor, PassSealed, table=TABLE))


def test_r25_r35_void_hands_stay_void_however_many_there_were():
    floor = Floor()
    floor.sealed({1: 2, 2: 2, 3: 2})
    for seat in (2, 3):
        floor.ask(ask.VoidHand(TABLE, seat, "x", CARLA))
    floor.claim((1, "full"))
    floor.close_pass()

    for seat in (2, 3):
        assert floor.reason(correct((1, "full"), (seat, FULL))) == "seat_did_not_bet"


def test_r25_r35_a_pass_that_was_void_in_two_steps_is_void():
    floor = Floor()
    floor.sealed({1: 2, 2: 2})
    floor.ask(ask.VoidHand(TABLE, 2, "x", CARLA))
    floor.ask(ask.VoidPass(TABLE, "x", CARLA))

    assert floor.reason(correct((1, "full"))) == "pass_void"


def test_r6_r35_whose_lamp_was_dark_is_told_so_a_pass_later():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.bet(2)
    floor.ask(ask.CloseSeat(TABLE, 2, "luz", CARLA))
    floor.lock()
    floor.claim((1, "full"))
    floor.close_pass()
    refused = floor.ask(correct((1, "full"), (2, FULL)))[-1]
    assert "La posición 2 apostó, pero su luz no valió (R-6)" in refused.message

    (fact,) = floor.ask(correct((1, FULL), (2, "", "folded")))
    assert [(one.seat, one.reason) for one in fact.unpaid] == [(2, "lamp")]
    floor.sealed({1: 2}, "GO-01")
    floor.ask(ask.MoveMoney(POT, "house", "main", 1_000, "Res. 4", ANA, LUIS))
    assert floor.reason(correct((1, FULL), (2, "full"))) == "seat_did_not_bet"


def test_r34_another_pot_is_not_told():
    """The same evening, with and without a second pot in which money is won and moved."""

    def pot(*, other):
        floor = Floor(plan(tables={TABLE: "draw"}))
        floor.stage(plan("otro", tables={OTHER: "draw"}))
        floor.sealed({1: 2, 2: 2})
        floor.claim((1, ROYAL))
        if other:
            floor.sealed({1: 5}, OTHER)
            floor.claim((1, ROYAL), table=OTHER)
            floor.ask(ask.MoveMoney("otro", "house", "main", 1_000_000, "Res. 4", ANA, LUIS))
            floor.close_pass(OTHER)
        floor.close_pass()
        floor.sealed({1: 2})
        floor.claim((1, STRAIGHT_FLUSH))
        floor.reject("DP-01/1/1")
        awards = floor.state.claims["DP-01/2/1"].awards.values()
        return floor.pot(), [one.granted.amount for one in awards], floor.at("held:pozo")

    one, two = pot(other=True), pot(other=False)
    assert (one[0].main, one[0].reserves, one[1:]) == (two[0].main, two[0].reserves, two[1:])


def test_r34_what_happens_at_other_tables_meanwhile_is_no_reason_to_ask_again():
    floor = evening()
    asked = not_won("DP-01/1/1")
    inquiry = told(floor.state, asked, floor.record)
    floor.sealed({1: 2}, OTHER)
    floor.claim((1, "full"), table=OTHER)
    floor.close_pass(OTHER)
    floor.open_pass()
    follow(inquiry, floor.record)

    assert not inquiry.stale
    assert inquiry.seq == len(floor.record)


def test_r34_of_a_pass_that_is_closed_nothing_more_is_kept_in_a_telling():
    """A record of years is told in the space of the passes that are still sealed."""
    floor = evening(ceiling=5_001_500)
    floor.sealed({1: 2}, OTHER)
    floor.sealed({1: 2}, LAST)
    floor.close_pass(LAST)
    inquiry = told(floor.state, not_won("DP-01/1/1"), floor.record)

    assert set(inquiry.before.overflows) == set(inquiry.after.overflows) == {(OTHER, 2)}


def trained(floor, *hands):
    """A training with one pass, its hands entered."""
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))
    floor.sealed({1: 2, 2: 2})
    if hands:
        floor.claim(*hands)
    floor.close_pass()
    return floor


def trained_and_over(floor):
    trained(floor)
    for seat in (1, 2):
        floor.report(seat, bets=0)
    floor.ask(ask.EndTraining(TABLE, JEFA))
    return floor


def test_r34_a_training_that_came_since_hides_no_pass():
    floor = Floor(plan(tables=TABLES))
    floor.sealed({1: 2}, OTHER)
    floor.close_pass(OTHER)
    trained_and_over(floor)
    (fact,) = floor.ask(correct((1, FULL), table=OTHER))

    assert (fact.table, fact.number, fact.awards[0].amount) == (OTHER, 1, 200_000)


def test_r34_a_training_is_not_asked_for_a_pass_of_the_one_before():
    """The number is counted anew in each training: what is open now is not what was sealed then."""
    floor = trained_and_over(Floor(plan(tables=TABLES)))
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))
    floor.open_pass()
    asked = correct((1, FULL))
    (back,) = searched(floor, asked)

    assert back == (NEWEST, BACK, seq_of(floor, TrainingStarted))
    assert floor.reason(asked) == "pass_unknown"


def test_r9_r34_a_table_that_is_not_there_has_no_passes_and_the_name_of_a_training_is_nobodys_to_say():
    floor = trained(Floor())
    hands = hands_of([(1, "full")])

    for table in ("~DP-01", "DP-99"):
        for asked in (
            ask.RegisterClaim(table, hands, CARLA),
            ask.VoidHand(table, 1, "x", CARLA),
            ask.VoidPass(table, "x", JEFA),
        ):
            assert floor.reason(asked) == "table_unknown"


def test_r34_an_inquiry_that_found_no_such_pass_has_nothing_to_tell_of_what_comes_since():
    floor = Floor(plan(tables=TABLES))
    floor.open_pass()
    inquiry = told(floor.state, correct((1, "full")), floor.record)
    floor.sealed({1: 2}, OTHER)
    follow(inquiry, floor.record)

    assert (inquiry.seal, inquiry.stale, inquiry.claims) == (None, False, {})


def test_r34_an_inquiry_that_was_overtaken_stays_so_whatever_comes_after():
    floor = evening()
    inquiry = told(floor.state, not_won("DP-01/1/1"), floor.record)
    floor.correct(1, (2, FULL))
    floor.sealed({1: 2}, OTHER)
    floor.claim((1, "full"), table=OTHER)
    follow(inquiry, floor.record)

    assert inquiry.stale


def test_r27_nothing_is_read_for_who_may_not_ask():
    floor = evening()
    asked = ask.RejectClaim("DP-01/1/1", "x", CARLA, JEFE)

    assert inquiry_for(floor.state, asked) is None
    assert floor.reason(asked) == "role_missing"


def test_r26_r34_a_pass_of_a_table_that_left_the_floor_is_put_right_in_its_pot():
    floor = Floor(plan(tables=TABLES))
    floor.sealed({1: 2, 2: 2}, OTHER)
    floor.close_pass(OTHER)
    assert isinstance(floor.stage(plan(tables={TABLE: "draw"}, resolution="Res. 9"))[-1], PlanTookEffect)
    assert OTHER not in floor.state.tables
    (fact,) = floor.ask(correct((2, FULL), table=OTHER))

    assert (fact.table, fact.pot, [(one.seat, one.amount) for one in fact.awards]) == (OTHER, POT, [(2, 200_000)])
    assert floor.reason(correct((2, FULL), table=OTHER, number=2)) == "pass_unknown"
