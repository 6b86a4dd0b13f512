"""The verifier's own arithmetic against the program's: written twice, it must never differ (R-10 to R-25, R-34).

Both are given the same law, pot, hands and bets; the verifier counts by hand in dictionaries, the program in its own types.
"""

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.record import PUBLISHED
from controller.core.plans import _changes
from controller.documents import read_laws
from controller.rules import accrual, pot, reversal, settlement
from controller.rules import claims as rules_of_claims
from controller.rules.accrual import Carries, Shares
from controller.rules.cards import CARDS, CATEGORIES, DECK, LABELS, NAMES, classify
from controller.rules.eligibility import SeatRecord
from controller.rules.readings import Backing, Cap, LateFrom, OddUnits, PerUnitOwed, Readings, RealAfterCap, VoidUndoes
from controller.rules.refusal import Refusal
from controller.rules.reversal import BookedBet
from controller.rules.ruleset import Forfeit, PerUnit, Share, Times
from controller.rules.settlement import Win
from controller.verify import claims as again
from controller.verify.facts import Granted, Hand, SealedBet
from controller.verify.law import WHOLE, Game, Law, Prize, changes_between, hand_of, is_card, read_law
from controller.verify.money import HOUSE, Fractions, Purse, contribute, undo_bets, undo_claim
from controller.verify.wrong import FoundWrong, shown
from support.record.verify_history import CONFIG, plan, ruleset

RULESETS = read_laws().rulesets
DEFAULT = Readings()
GAME = Game("draw", 6, 5, 0, frozenset({"exchanged", "folded"}), frozenset({"exchanged", "folded"}))


def prize_of(prize):
    if isinstance(prize, Times):
        return Prize(times=prize.times)
    if isinstance(prize, PerUnit):
        return Prize(per_unit=prize.amount)
    assert isinstance(prize, Share)
    return Prize(ppm=prize.ppm, cap=prize.cap_times or 0)


def law_of(name, readings=DEFAULT, **other):
    """A ruleset of ours in the verifier's words, under some readings."""
    values = {
        "pot": "p", "resolution": "r", "commission": 200_000, "reserves": {}, "base": 0, "ceiling": None, "credit": 1000,
        "least": 1000, "most": 5000, "unit": 1, "tables": {}, "randoms": (), "alone_up_to": 0, "minutes": 30,
        "paytable": {LABELS[category]: prize_of(prize) for category, prize in RULESETS[name].paytable.items()},
        "cap_by_category": readings.cap is Cap.CATEGORY,
        "one_odd_unit_each": readings.odd_units is OddUnits.ONE_EACH,
        "base_by_house": readings.base_from is Backing.HOUSE,
        "shortfall_by_house": readings.shortfall_from is Backing.HOUSE,
        "void_undoes_nothing": readings.void_undoes is VoidUndoes.NOTHING,
        "late_by_house": readings.late_from is LateFrom.HOUSE,
        "real_of_uncut": readings.real_after_cap is RealAfterCap.UNCUT,
        "unit_once": readings.per_unit is PerUnitOwed.BET,
    }  # fmt: skip
    return Law(**values | other)


def reserves_of(amounts):
    return {f"r{at}": amount for at, amount in enumerate(amounts)}


def pot_of(main, base, amounts):
    return pot.Pot(main, base, tuple(pot.Reserve(name, amount) for name, amount in reserves_of(amounts).items()))


readings = st.builds(
    Readings, st.sampled_from(Cap), st.sampled_from(OddUnits), st.sampled_from(Backing), st.sampled_from(Backing),
    st.sampled_from(VoidUndoes), st.sampled_from(LateFrom), st.sampled_from(RealAfterCap),
    per_unit=st.sampled_from(PerUnitOwed),
)  # fmt: skip
reserve_amounts = st.lists(st.integers(0, 10**7), max_size=3)
winners = st.dictionaries(
    st.integers(1, 7), st.tuples(st.sampled_from(list(CATEGORIES)), st.integers(1, 5)), max_size=7
)


@pytest.mark.campaign
@given(
    st.sampled_from(sorted(RULESETS)), readings, st.integers(0, 10**9), st.integers(0, 10**8), reserve_amounts, winners
)
def test_settling_is_the_same_twice(name, read, main, base, amounts, won):
    from dataclasses import replace

    law, unit = RULESETS[name], 1000 if RULESETS[name].pays_per_unit else 1
    won = {seat: (hand, bet * 1000) for seat, (hand, bet) in won.items() if CATEGORIES[hand] in law.paytable}
    right = settlement.settle(
        replace(law, readings=read), pot_of(main, base, amounts),
        [Win(CATEGORIES[hand], seat, bet) for seat, (hand, bet) in won.items()], unit,
    )  # fmt: skip
    purse = Purse(main, reserves_of(amounts))

    found = again.settle(
        law_of(name, read, unit=unit, base=base),
        purse,
        base,
        [again.Winner(seat, hand, bet) for seat, (hand, bet) in won.items()],
    )

    assert [owed_of(award, amounts) for award in right.awards] == [tuple(one) for one in found.awards]
    assert (right.reset is None) == (found.base is None)
    if right.reset is not None:
        assert found.base == sources_of(right.reset, amounts)
    assert (purse.main, list(purse.reserves.values())) == (right.pot.main, [one.amount for one in right.pot.reserves])


def owed_of(award, amounts):
    parts = sources_of(award.sources, amounts)
    house = parts.pop(HOUSE, 0)
    return (award.seat, LABELS[award.category], award.amount, parts, house, award.rules)


def sources_of(sources, amounts):
    named = {
        "main": sources.main,
        **dict(zip(reserves_of(amounts), sources.reserves, strict=True)),
        HOUSE: sources.house,
    }
    return {name: amount for name, amount in named.items() if amount}


@pytest.mark.campaign
@given(
    readings, st.integers(0, 10**6), st.lists(st.integers(0, 300_000), max_size=3), st.lists(st.integers(1, 5), max_size=6),
    st.integers(0, 10**6), st.integers(0, 20_000) | st.none(), st.randoms(),
)  # fmt: skip
def test_bets_enter_and_are_undone_the_same_twice(read, commission, ppms, bets, main, above, chance):
    shares = Shares(commission, tuple(ppms))
    carries = Carries(chance.randrange(WHOLE), tuple(chance.randrange(WHOLE) for _ in ppms))
    ceiling = main + above if above is not None and ppms else None
    theirs = pot_of(main + 10**4, 0, [10**4] * len(ppms))
    law = law_of(
        "scj-2023",
        read,
        commission=commission,
        reserves=dict(zip(reserves_of(ppms), ppms, strict=True)),
        ceiling=ceiling,
    )
    ours, fractions = (
        Purse(main + 10**4, reserves_of([10**4] * len(ppms))),
        Fractions(carries.commission, carries.reserves),
    )
    booked, sealed = [], []
    for seat, bet in enumerate(bets, 1):
        amount = bet * 1000
        given_, carries = accrual.contribute(shares, carries, amount)
        theirs, overflow = pot.pour(theirs, given_.main, given_.reserves, ceiling)
        split, over = contribute(law, ours, fractions, amount)
        assert (split.commission, split.reserves, split.main, over) == (*given_, overflow)
        booked.append(BookedBet(seat, amount, overflow))
        sealed.append(SealedBet(seat, amount, given_.commission, given_.main, given_.reserves, overflow))
        theirs, ours = taken(theirs, chance)
    assert (fractions.commission, tuple(fractions.reserves)) == carries

    right = reversal.void_bets(read, shares, carries, theirs, booked)
    undone = undo_bets(law, ours, fractions, sealed)

    assert (undone.commission, undone.house) == (sum(one.commission for one in right.undone), right.house)
    assert (ours.main, list(ours.reserves.values())) == (right.pot.main, [one.amount for one in right.pot.reserves])
    assert (fractions.commission, tuple(fractions.reserves)) == right.carries


def taken(theirs, chance):
    """Somebody else wins from the same pot meanwhile."""
    main = chance.randint(0, theirs.main)
    reserves = [chance.randint(0, one.amount) for one in theirs.reserves]
    if chance.random() < 0.5:
        main, reserves = theirs.main, [one.amount for one in theirs.reserves]
    return pot_of(main, theirs.base, reserves), Purse(main, reserves_of(reserves))


@pytest.mark.campaign
@given(readings, st.integers(0, 10**8), st.integers(0, 10**7), reserve_amounts, winners)
def test_a_rejection_of_the_first_reading_takes_everything_back(read, main, base, amounts, won):
    """R-21: where nothing came between, pot and house are what they were."""
    paytable = RULESETS["scj-2023"].paytable
    law = law_of("scj-2023", read, base=base)
    then = Purse(main, {f"r{at}": amount for at, amount in enumerate(amounts)})
    purse = then.copy()
    wins = [again.Winner(seat, hand, bet * 1000) for seat, (hand, bet) in won.items() if CATEGORIES[hand] in paytable]
    settled = again.settle(law, purse, base, wins)
    awards = [
        Granted(at, one.seat, one.prize, one.amount, one.parts, one.house) for at, one in enumerate(settled.awards, 1)
    ]

    found = undo_claim(law, purse, main, awards, settled.base)

    assert found.overflow == 0 and purse.moved_from(then) == {}
    given_base = 0 if settled.base is None else settled.base.get(HOUSE, 0)
    assert found.house == sum(one.house for one in awards) + given_base


def test_a_hand_is_what_the_program_says_it_is():
    chance = random.Random(3)
    deals = [chance.sample(DECK, 5) for _ in range(3_000)]
    deals += [hand for suit in range(4) for hand in combinations(DECK[suit::4], 5)]
    for deal in deals:
        category = classify(deal)
        assert hand_of([NAMES[card] for card in deal]) == (LABELS[category] if category else "")


@pytest.mark.campaign
@given(st.data())
def test_the_judgement_of_a_pass_is_the_same_twice(data):
    """What the rules refuse the verifier finds wrong; of what they accept it says the same winners and reasons."""
    name = data.draw(st.sampled_from(sorted(RULESETS)))
    law = RULESETS[name]
    modality = data.draw(st.sampled_from(sorted(law.modalities.values(), key=lambda one: one.name)))
    game = Game(
        modality.name,
        modality.seats,
        modality.own_cards,
        modality.community_cards,
        frozenset(map(str, modality.forfeits)),
        frozenset(map(str, modality.acts)),
    )
    cards = data.draw(
        st.lists(st.sampled_from(sorted(CARDS)), min_size=40, max_size=40, unique=data.draw(st.booleans()))
    )
    community = tuple(cards[: data.draw(st.sampled_from((modality.community_cards, modality.community_cards, 0)))])
    seats = data.draw(st.lists(st.integers(1, 8), max_size=5, unique=data.draw(st.booleans())))
    bets = {seat: 1000 * data.draw(st.integers(0, 3)) for seat in range(1, 9) if data.draw(st.booleans())}
    bets = {seat: bet for seat, bet in bets.items() if bet and seat <= modality.seats}
    hands = []
    for at, seat in enumerate(seats):
        own = tuple(cards[5 + at * 5 :][: modality.own_cards]) if data.draw(st.booleans()) else ()
        made = hand_of([*community, *own]) if len({*community, *own}) == 5 else ""
        claimed = data.draw(st.sampled_from((made, "", "color", "escalera_real")))
        acts = tuple(data.draw(st.sets(st.sampled_from([act.value for act in Forfeit]), max_size=2)))
        hands.append(Hand(seat, acts, own, claimed))
    records = [
        SeatRecord(
            hand.seat, bets.get(hand.seat, 0), True, frozenset(map(Forfeit, hand.acts)),
            tuple(CARDS[card] for card in hand.cards) or None, CATEGORIES[hand.claimed] if hand.claimed else 0,
        )
        for hand in hands
    ]  # fmt: skip
    records += [SeatRecord(seat, bet) for seat, bet in bets.items() if seat not in seats]
    unit = 1000 if law.pays_per_unit else 1
    dealt = rules_of_claims.Pass(modality, unit, tuple(CARDS[card] for card in community), tuple(records))

    right = rules_of_claims.judge(law, dealt)

    try:
        found = again.judge(law_of(name, unit=unit), game, bets, hands, community)
    except FoundWrong:
        assert isinstance(right, Refusal)
        return
    if isinstance(right, Refusal):
        assert right.reason.code in {"hand_impossible", "hands_impossible_together"}, "what the verifier leaves open"
        return
    assert sorted(found.winners) == sorted((win.seat, LABELS[win.category], win.bet) for win in right.wins)
    assert found.unpaid == [(one.seat, one.reason.value) for one in right.not_paid]


@pytest.mark.parametrize(
    ("hands", "community", "rule"),
    [
        ([Hand(9)], (), "R-7"),
        ([Hand(0)], (), "R-7"),
        ([Hand(1), Hand(1)], (), "R-32"),
        ([Hand(1, acts=("dormir",))], (), "R-8"),
        ([Hand(1, acts=("bought",))], (), "R-8"),
        ([Hand(1, claimed="trio")], (), "R-10"),
        ([Hand(1, cards=("1h", "2h", "3h", "4h", "5h"))], (), "R-32"),
        ([Hand(1, cards=("2h", "2h", "3h", "4h", "5h"))], (), "R-32"),
        ([Hand(1, cards=("2h", "3h"))], (), "R-8"),
        ([Hand(1)], ("2h",), "R-8"),
        ([Hand(1, claimed="escalera")], (), "R-11"),
        ([Hand(1, claimed="escalera_real")], (), "R-32"),
        ([Hand(2, cards=("2h", "3h", "4h", "5h", "7h"), claimed="full")], (), "R-32"),
    ],
)  # fmt: skip
def test_a_claim_that_cannot_be_true_is_wrong(hands, community, rule):
    with pytest.raises(FoundWrong) as found:
        again.judge(law_of("scj-2023"), GAME, {1: 1000}, hands, community)
    assert found.value.rule == rule


@pytest.mark.parametrize(
    ("cards_from", "hand", "claimed", "right"),
    [
        ("poker", Hand(1, claimed="poker"), "poker", False),
        ("poker", Hand(1, claimed="full"), "full", True),
        ("color", Hand(1, claimed="full"), "full", False),
        ("full", Hand(1, claimed="color"), "color", True),
        ("poker", Hand(1, cards=("2h", "2c", "2d", "2s", "7h")), "poker", True),
    ],
)
def test_r36_from_poker_up_or_from_where_the_plan_says_a_winner_showed_his_cards(cards_from, hand, claimed, right):
    law = law_of("scj-2023")._replace(cards_from=cards_from)
    won = [again.Winner(1, claimed, 1000)]
    if right:
        again.prove_shown(law, [hand], won)
        return
    with pytest.raises(FoundWrong) as found:
        again.prove_shown(law, [hand], won)
    assert found.value.rule == "R-36"


def test_a_bet_of_half_a_unit_is_wrong():
    with pytest.raises(FoundWrong, match="unidades enteras"):
        again.judge(law_of("arica-2017", unit=1000), GAME, {1: 1500}, [], ())


def test_late_winners_are_owed_by_the_house():
    law = law_of("scj-2023")
    won = [again.Winner(1, "color", 1000), again.Winner(3, "poker", 2000)]

    (owed,) = again.late(law, Purse(600_000, {}), won, {1})

    assert owed == (3, "poker", 1_000_000, {}, 1_000_000, ("R-11", "R-14", "R-18", "R-34"))


def test_a_law_is_read_from_its_documents():
    law = read_law(plan(), ruleset(), PUBLISHED)

    assert (law.pot, law.commission, law.reserves, law.base) == (
        "pozo-estelar",
        200_000,
        {"reserva0": 100_000},
        5_000_000,
    )
    assert law.tables["TX-01"] == ("central", Game("texas_plus", 6, 2, 3, frozenset({"folded"}), frozenset({"folded"})))
    assert law.paytable["escalera_color"] == Prize(ppm=100_000, cap=5_000)
    norte = read_law(plan("puerto-norte"), ruleset("arica-2017"), PUBLISHED)
    assert norte.paytable["color"] == Prize(per_unit=25_000) and norte.unit == 1_000
    for text in ("", "x = ", plan(commission_ppm=2_000_000)):
        with pytest.raises(FoundWrong, match="no se pudo haber aprobado"):
            read_law(text, ruleset(), PUBLISHED)


def test_changed_values_are_the_same_twice():
    texts = [path.read_text() for path in sorted((CONFIG / "plans").glob("*.toml"))] + ["", "a = ''"]
    for old in texts:
        for new in filter(None, texts):
            assert changes_between(old, new) == [(one.key, one.old, one.new) for one in _changes(old, new)]


@pytest.mark.parametrize(("name", "is_one"), [("Th", True), ("10h", False), ("Tx", False), ("1h", False), ("", False)])
def test_what_is_a_card(name, is_one):
    assert is_card(name) is is_one


def test_what_is_shown_is_one_short_line():
    assert shown("a\nb") == "a\\nb"
    assert len(shown("x" * 1000)) < 130
    assert shown(("a", 1)) == "('a', 1)"
