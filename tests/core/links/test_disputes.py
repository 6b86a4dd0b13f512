"""R-28: what a neighbour told and cannot be stands apart; two persons take it, or leave it with its casino."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import DisputeEnded, DisputeHeard, LetterDisputed, LetterHeard, NeighbourAccepted
from controller.core.links import letters
from controller.core.links.disputes import amount_of, not_believed
from controller.core.links.known import Dispute
from controller.core.values import Broken, RegisteredAward, SealedBet, Side
from controller.rules.money import MOST_MONEY
from controller.rules.refusal import Reason
from support.core.neighbour import ABOVE, BELOW, Stream, over, pin
from support.floor.floor import ANA, CARLA, JEFA, LUIS, POT, Floor, kinds, plan

BET = SealedBet(1, 5_000, 1_000, 0)
SEALED = letters.BetsSealed(POT, "M1", 7, "norte", (BET, replace(BET, seat=3)), "", "")
VOIDED = letters.BetsVoided(POT, "M1", 7, "norte", False, (SealedBet(1, -5_000, -1_000, 0),), "x", "carla")
CLAIM = letters.ClaimMade(
    POT, "M1/7/1", "M1", 7, "norte", (), (), (RegisteredAward(1, 1, "full", 4_000), RegisteredAward(2, 3, "real", 0)), (), "c"
)  # fmt: skip
PRIZE = letters.PrizeDrawn(POT, "M1/7/p1", "M1", 7, "norte", "Seña", 1, 15_000)
AMOUNTS = {
    "sealed": (SEALED, 8_000),
    "voided": (VOIDED, -4_000),
    "claim": (CLAIM, -4_000),
    "prize": (PRIZE, -15_000),
    "promo": (replace(PRIZE, promo=True), 0),
    "over": (over(7), 0),
    "given": (letters.AwardGiven(POT, "M1/7/1/1", 4_000, "carla"), 0),
}
DISPUTE, CLEARING = f"dispute:{POT}:{BELOW}", f"clearing:{POT}:{BELOW}"


def told(letter, why="no cuadra", document=None):
    """A floor on which a letter was not believed."""
    floor = Floor(document)
    floor.ask(pin(BELOW))
    floor.ask(pin(ABOVE, Side.ABOVE))
    floor.hear(not_believed(floor.state, BELOW, 1, letter, why), floor.now)
    return floor


def end(accepted, *, number=1, reason="lo vimos", by=ANA, second=JEFA):
    return ask.EndDispute(BELOW, number, accepted, reason, by, second)


@pytest.mark.parametrize(("letter", "amount"), AMOUNTS.values(), ids=AMOUNTS)
def test_r28_what_is_not_believed_stands_apart_and_the_clearing_is_what_its_neighbour_says(letter, amount):
    floor = told(letter)

    assert amount_of(letter) == amount
    assert (floor.at(DISPUTE), floor.at(CLEARING), floor.pot().main) == (amount, -amount, 5_000_000)
    (dispute,) = floor.state.disputes.values()
    assert (dispute.neighbour, dispute.number, dispute.pot, dispute.amount) == (BELOW, 1, POT, amount)
    assert (dispute.table, dispute.why) == (f"M1@{BELOW}", "no cuadra")


@pytest.mark.parametrize(
    ("letter", "about"),
    [
        (SEALED, f"M1@{BELOW}/7"),
        (CLAIM, f"M1@{BELOW}/7/1"),
        (letters.AwardGiven(POT, "M1/7/1/2", 1, ""), f"M1@{BELOW}/7/1/2"),
        (letters.CorrectionWanted(POT, 1, "void_hand", "M1@caja-9", 6, "norte"), f"M1@caja-9@{BELOW}/6"),
        (PRIZE, f"M1@{BELOW}/7/p1"),
        (replace(CLAIM, claim="M1/7/x"), ""),
    ],
)
def test_r28_it_is_called_by_its_name_here(letter, about):
    (fact,) = told(letter).heard(LetterDisputed)

    assert (fact.about, fact.letter) == (about, letter)


@pytest.mark.parametrize("table", ["", "M 1", "@", "M1@", "a@b@c@d@e", "x" * 65, "M1\n"])
def test_r28_a_name_that_no_table_has_is_nobody_s(table):
    (dispute,) = told(replace(SEALED, table=table)).state.disputes.values()

    assert (dispute.table, dispute.about, dispute.amount) == ("", "", 8_000)


def test_r28_a_letter_that_is_about_no_table_has_none():
    (dispute,) = told(letters.Ready(POT, "plan")).state.disputes.values()

    assert (dispute.table, dispute.about) == ("", "")


@pytest.mark.parametrize(
    "letter",
    [
        replace(SEALED, pot="otro"),
        replace(SEALED, bets=(replace(BET, amount=MOST_MONEY * 2),)),
        replace(SEALED, pot="a:b"),
    ],
)
def test_r28_money_of_no_pot_and_more_than_any_book_holds_is_booked_nowhere(letter):
    floor = told(letter)

    assert (floor.at(DISPUTE), floor.at(CLEARING), len(floor.state.disputes)) == (0, 0, 1)
    floor.ask(end(accepted=False))
    assert not floor.state.disputes


def test_r28_why_is_a_short_sentence_without_anything_a_screen_obeys():
    (dispute,) = told(SEALED, why="\x1b[2J" + "x" * 1_000).state.disputes.values()

    assert dispute.why == "?[2J" + "x" * 496


def test_r28_the_rest_of_its_stream_goes_on():
    floor, stream = Floor(), Stream(BELOW, "to:central")
    floor.ask(pin(BELOW))

    assert kinds(floor.ask(stream.next(SEALED))) == [LetterDisputed, LetterHeard]
    assert kinds(floor.ask(stream.next(over(8)))) == [LetterDisputed, LetterHeard]
    assert [*floor.state.disputes] == [f"{BELOW}/1", f"{BELOW}/2"]
    assert floor.at(DISPUTE) == 8_000


@pytest.mark.parametrize(
    "letter",
    [
        replace(SEALED, table=""),
        replace(SEALED, table="M1@"),
        replace(SEALED, number=2**53 + 1),
        replace(CLAIM, claim="/1/1"),
        letters.AwardGiven(POT, "", 1, ""),
    ],
)
def test_r28_a_letter_about_what_can_have_no_name_here_is_not_believed(letter):
    floor = Floor()
    floor.ask(pin(BELOW))

    assert kinds(floor.ask(Stream(BELOW, "to:central").next(letter))) == [LetterDisputed, LetterHeard]
    assert floor.heard(LetterDisputed)[0].why == "nombra lo que no puede haber"


def test_r28_each_log_of_an_owner_has_its_own_numbers():
    """What an owner told moves no money of ours, and is not believed all the same."""
    floor = Floor()
    floor.ask(pin(ABOVE, Side.ABOVE))
    one, other = Stream(ABOVE, "pot:uno"), Stream(ABOVE, "pot:dos")
    for stream, pot in ((one, "uno"), (other, "dos")):
        floor.ask(stream.next(replace(SEALED, pot=pot)))
    assert [*floor.state.disputes] == [f"{ABOVE}/uno/1", f"{ABOVE}/dos/1"]
    assert not any("clearing" in account for account in floor.balances)

    back = replace(one.marks[0], epoch=2)
    floor.ask(ask.StopNeighbour(ABOVE, one.name, Broken.ROLLED_BACK, back))
    accept = ask.AcceptNeighbour(ABOVE, one.name, back, "x", ANA, JEFA)
    ending = replace(end(accepted=False), neighbour=ABOVE)
    assert floor.reason(ending) == Reason.DISPUTE_UNKNOWN.code
    assert floor.reason(accept) == Reason.DISPUTE_OPEN.code
    assert floor.reason(replace(ending, pot="uno", accepted=True)) == Reason.DISPUTE_NOT_OURS.code
    floor.ask(replace(ending, pot="uno"))
    assert [*floor.state.disputes] == [f"{ABOVE}/dos/1"]
    assert kinds(floor.ask(accept)) == [NeighbourAccepted]


# Two persons decide


def test_r28_taken_after_all_it_is_in_the_main_pot():
    floor = told(SEALED)
    (fact,) = floor.ask(end(accepted=True))

    assert fact == DisputeEnded(BELOW, 1, POT, 8_000, True, "lo vimos", "ana", "jefa")
    assert (floor.at(DISPUTE), floor.at(CLEARING), floor.pot().main) == (0, -8_000, 5_008_000)
    assert not floor.state.disputes


def test_r28_what_was_told_to_be_owed_comes_out_of_it():
    floor = told(PRIZE)
    floor.ask(end(accepted=True))

    assert (floor.at(DISPUTE), floor.at(CLEARING), floor.pot().main) == (0, 15_000, 4_985_000)


@pytest.mark.parametrize(("letter", "_amount"), AMOUNTS.values(), ids=AMOUNTS)
def test_r28_left_with_who_told_it_the_pot_never_had_it(letter, _amount):
    floor = told(letter)
    floor.ask(end(accepted=False))

    assert (floor.at(DISPUTE), floor.at(CLEARING), floor.pot().main) == (0, 0, 5_000_000)
    assert not floor.state.disputes


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (end(accepted=True, number=2), Reason.DISPUTE_UNKNOWN),
        (end(accepted=False, reason=" "), Reason.REASON_MISSING),
        (end(accepted=True, by=JEFA), Reason.ROLE_MISSING),
        (end(accepted=True, second=CARLA), Reason.ROLE_MISSING),
        (end(accepted=True, second=ANA), Reason.TWO_PERSONS_NEEDED),
    ],
)
def test_r28_two_persons_end_it_with_a_reason(asked, reason):
    assert told(SEALED).reason(asked) == reason.code


def test_r28_two_administrators_may_too():
    assert kinds(told(SEALED).ask(end(accepted=True, second=LUIS))) == [DisputeEnded]


def test_r18_r24_a_pot_gives_what_it_has_and_takes_what_fits_under_its_ceiling():
    floor = told(replace(PRIZE, amount=5_000_001))
    assert floor.reason(end(accepted=True)) == Reason.NOT_ENOUGH.code
    floor = told(SEALED, document=plan(ceiling=5_007_999))
    assert floor.reason(end(accepted=True)) == Reason.OVER_CEILING.code
    floor = told(SEALED, document=plan(ceiling=5_008_000))
    assert kinds(floor.ask(end(accepted=True))) == [DisputeEnded]
    floor = told(PRIZE, document=plan(ceiling=5_000_000))
    assert kinds(floor.ask(end(accepted=True))) == [DisputeEnded]


@pytest.mark.parametrize("pot", [POT, "otro"])
def test_r28_only_the_owner_of_a_pot_takes_anything_into_it(pot):
    floor = told(replace(SEALED, pot=pot))
    if pot == POT:
        floor.state = replace(floor.state, pots={POT: replace(floor.pot(), above=ABOVE)})

    assert floor.reason(end(accepted=True)) == Reason.DISPUTE_NOT_OURS.code
    assert kinds(floor.ask(end(accepted=False))) == [DisputeEnded]


# What the owner of a pot says of ours


@pytest.mark.parametrize(("accepted", "house"), [(True, 0), (False, 8_000)])
def test_r28_what_the_owner_leaves_with_a_casino_its_house_bears(accepted, house):
    floor = told(over(1))
    floor.hear(DisputeHeard(POT, "norte", ABOVE, 3, 8_000, accepted, "x"), floor.now)

    assert (floor.at(f"house:{POT}:norte"), floor.at(f"clearing:{POT}:{ABOVE}")) == (house, -house)


def test_r28_an_open_dispute_is_money_that_state_and_ledger_agree_on():
    floor = told(SEALED)
    floor.state = replace(floor.state, disputes={"x/1": Dispute(BELOW, 1, POT, "", "", 7_999, "")})

    with pytest.raises(AssertionError):
        floor.hear(floor.record[-1][1], floor.now)
