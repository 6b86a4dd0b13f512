"""R-29, R-32: a verifier's own hand on complementary prizes: drawn, excluded, held, shown, paid; and what it finds."""

import copy

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from controller.node.store.store import Reader
from controller.verify.draws import prove_dealt
from controller.verify.wrong import FoundWrong
from support.laws import naming
from support.record.verify_history import Floor, plan, ruleset
from support.record.verify_rows import Rows
from support.record.verifying import verify

CARLA, DARIO, EVA, ANA = (Signature(name) for name in ("carla", "dario", "eva", "ana"))
PRIZES = """
[[complementary]]
name = "Estrella"
amount = 3000
drawn = "seat"
paid_in = "promotional_credits"
from = "house"
one_in = 1
authorisation = "Aut. 7"

[[complementary]]
name = "Carta Mágica"
amount = 15000
drawn = "card"
paid_in = "cash"
from = "main"
one_in = 1
excludes = ["Otra"]

[[complementary]]
name = "Otra"
amount = 2000
drawn = "seat"
paid_in = "cash"
from = "main"
one_in = 1
"""
LAW = naming(ruleset(), "Carta Mágica")


def hands_around(card: str) -> list[Hand]:
    """Two hands that win nothing; the first has this card."""
    own = [one for one in ("2c", "4d", "6h", "9s", "Jc") if one != card]
    others = [one for one in ("3c", "5d", "7h", "Ts", "Qc", "Kd") if one != card]
    return [Hand(1, cards=(card, *own[:4])), Hand(2, cards=tuple(others[:5]))]


def opened(path):
    floor = Floor(path)
    floor.people()
    floor.stage(plan(extra=PRIZES, base=700_000, ceiling=900_000), LAW)
    floor.open_day()
    return floor


def pass_with_cards(floor, *, shown_first):
    """Seat 1 has the drawn card, and the claim of the pass says so, before or after."""
    floor.put(ask.OpenPass("DP-01"))
    for seat in (1, 2):
        floor.bet("DP-01", seat, 2)
    floor.commit()
    floor.lock("DP-01")
    floor.draws("DP-01")
    [card] = floor.state.tables["DP-01"].cards.values()
    shows = ask.ShowCard("DP-01", "Carta Mágica", 1, EVA)
    if shown_first:
        floor.must(shows)
    floor.claim("DP-01", hands_around(card))
    if not shown_first:
        floor.must(shows)
    floor.must(ask.ClosePass("DP-01"))
    number = floor.state.tables["DP-01"].number
    for claim in (f"DP-01/{number}/p1", f"DP-01/{number}/p2"):
        floor.pay_all(claim)
    return card


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    floor = opened(tmp_path_factory.mktemp("prizes"))
    floor.cards = [pass_with_cards(floor, shown_first=True), pass_with_cards(floor, shown_first=False)]
    floor.book.checkpoint()
    floor.empty("DP-01")
    floor.close_day()
    with Reader.open(floor.path) as reader:
        return floor, Rows(reader)


def test_r29_an_evening_of_prizes_verifies(story):
    floor, rows = story
    kinds = [body["fact"]["kind"] for body in rows.bodies()]

    assert verify(rows, None, lambda _: None).is_good
    assert kinds.count("drawn") == 4, "the Otra is excluded in both passes"
    assert kinds.count("prize_granted") == kinds.count("award_paid") == 4
    assert floor.state.pots["pozo-estelar"].meters.hits == 2


def test_r29_a_record_in_the_middle_of_a_pass_with_a_shown_card_verifies(tmp_path):
    """R-27: what a snapshot says of cards is proven too."""
    floor = opened(tmp_path)
    floor.put(ask.OpenPass("DP-01"))
    floor.bet("DP-01", 1, 2)
    floor.commit()
    floor.lock("DP-01")
    floor.draws("DP-01")
    [card] = floor.state.tables["DP-01"].cards.values()
    floor.must(ask.ShowCard("DP-01", "Carta Mágica", 1, EVA))
    floor.claim("DP-01", hands_around(card)[:1])
    floor.book.checkpoint()

    with Reader.open(floor.path) as reader, reader.moment():
        verdict = verify(reader, None, lambda _: None)
    assert verdict.is_good, verdict.wrong


def test_r29_chips_verify(tmp_path):
    floor = Floor(tmp_path)
    floor.people()
    chips = PRIZES[PRIZES.index('[[complementary]]\nname = "Otra"') :].replace('"cash"', '"chips"')
    text = plan(extra=chips, base=700_000, ceiling=900_000).replace("scj-2023", "aj-bolivia")
    for game in ("caribbean_plus", "texas_plus"):
        text = text.replace(f'"{game}"', '"caribbean"')
    floor.stage(text, ruleset("aj-bolivia"))
    floor.open_day()
    floor.put(ask.OpenPass("DP-01"))
    floor.bet("DP-01", 1, 2)
    floor.commit()
    floor.lock("DP-01")
    floor.draws("DP-01")
    floor.claim("DP-01", [Hand(1, claimed="full")])
    floor.must(ask.ClosePass("DP-01"))
    floor.pay_all("DP-01/1/p1")
    floor.pay_all("DP-01/1/1")

    with Reader.open(floor.path) as reader:
        rows = Rows(reader)
    assert verify(rows, None, lambda _: None).is_good
    for kind in ("award_paid", "credits_bought"):
        assert wrong_of(rows, with_(kind, paid_in="cash")) == "R-29"
        assert wrong_of(rows, with_(kind, 1 if kind == "award_paid" else 0, paid_in=...)) == "R-29"


@pytest.fixture(scope="module")
def mended(tmp_path_factory):
    """Prizes that were rejected: granted anew, shown again by another seat, put back by a void, of a day that is over."""
    floor = opened(tmp_path_factory.mktemp("mended"))
    two = {"by": CARLA, "second": DARIO}

    def sealed(number):
        floor.put(ask.OpenPass("DP-01"))
        for seat in (1, 2):
            floor.bet("DP-01", seat, 2)
        floor.commit()
        floor.lock("DP-01")
        floor.draws("DP-01")
        assert floor.state.tables["DP-01"].number == number

    sealed(1)
    card = floor.state.tables["DP-01"].cards["Carta Mágica"]
    floor.must(ask.ShowCard("DP-01", "Carta Mágica", 1, EVA))
    floor.must(ask.RejectClaim("DP-01/1/p2", "era de la 2", **two))
    floor.must(ask.ShowCard("DP-01", "Carta Mágica", 2, EVA))
    one, other = hands_around(card)
    floor.claim("DP-01", [Hand(2, cards=one.cards), Hand(1, cards=other.cards)])
    floor.must(ask.RejectClaim("DP-01/1/p1", "no se ve", **two))
    floor.must(ask.ClosePass("DP-01"))
    floor.must(ask.GrantAnew("DP-01/1/p1", "sí se ve", **two))
    floor.must(ask.PayAward("DP-01/1/p1/2", EVA))
    floor.pay_all("DP-01/1/p2-2")
    hands = (Hand(2, cards=one.cards), Hand(1, claimed="full"))
    floor.must(ask.CorrectClaim("DP-01", 1, hands, "un Full que nadie vio", **two))
    floor.pay_all("DP-01/1/2")
    sealed(2)
    floor.must(ask.ShowCard("DP-01", "Carta Mágica", 1, EVA))
    floor.must(ask.VoidHand("DP-01", 1, "cartas vistas", EVA))
    floor.must(ask.VoidPass("DP-01", "reparto errado", EVA))
    sealed(3)
    floor.must(ask.RejectClaim("DP-01/3/p1", "no se ve", **two))
    floor.must(ask.ShowCard("DP-01", "Carta Mágica", 1, EVA))
    floor.must(ask.RejectClaim("DP-01/3/p2", "no se ve", **two))
    floor.must(ask.ClosePass("DP-01"))
    floor.give_back("DP-01")
    floor.empty("DP-01")
    floor.close_day()
    floor.open_day()
    for award in ("DP-01/3/p1", "DP-01/3/p2"):
        floor.must(ask.GrantAnew(award, "lo mostró la grabación", **two))
        floor.must(ask.ConfirmAward(f"{award}/2", CARLA, ANA))
        floor.must(ask.PayAward(f"{award}/2", EVA))
    floor.book.checkpoint()
    floor.empty("DP-01")
    floor.close_day()
    floor.book.checkpoint()
    with Reader.open(floor.path) as reader, reader.moment():
        verdict = verify(reader, None, lambda _: None)
        assert verdict.is_good, verdict.wrong
        return floor, Rows(reader)


def test_r29_prizes_that_were_put_right_verify(mended):
    floor, rows = mended
    paid = [body["fact"] for body in rows.bodies() if body["fact"]["kind"] == "award_paid"]

    assert [one.get("paid_in", "") for one in paid] == [
        *("promotional_credits", "cash"),
        *("", "promotional_credits", "cash"),
    ]
    assert floor.state.pots["pozo-estelar"].meters.paid_hits == 3


def other_seat(bodies):
    """R-29: anew to a seat that was not drawn."""
    fact = bodies[the(bodies, "claim_corrected", 2)]["fact"]
    assert fact["awards"]
    fact["awards"][0]["seat"] = 3 - fact["awards"][0]["seat"]


def anew_though_shown(bodies):
    """R-29: the Carta of pass 1 to the seat that had shown it first, though the other has it."""
    at = the(bodies, "claim_corrected", 2)
    rejected = bodies[the(bodies, "claim_corrected", 0)]["fact"]
    award = {"number": 2, "seat": 1, "prize": "Carta Mágica", "amount": 15_000, "rules": ["R-29", "R-34"]}
    flow = {"parts": {"main": -15_000}, "house": 0, "commission": 0}
    body = copy.deepcopy(bodies[at])
    body["fact"] |= {"claim": "DP-01/1/p2", "place": rejected["place"], "before": rejected["before"], "awards": [award]}
    body["fact"] |= {"flow": flow}
    bodies.insert(at, body | {"id": ["otro", 1, 1]})


def denied(bodies):
    """R-32: pass 1 put right so that the card is not with the seat that won with it."""
    fact = bodies[the(bodies, "claim_corrected", 3)]["fact"]
    shown, _ = fact["hands"]
    assert shown["seat"] == 2
    shown["cards"] = ["3c", "5d", "7h", "Ts", "Qc"] if "3c" not in shown["cards"] else ["4c", "6d", "8h", "Js", "Kc"]


@pytest.mark.parametrize(
    ("change", "rule"),
    [(other_seat, "R-34"), (anew_though_shown, "R-29"), (denied, "R-32")],
    ids=lambda one: getattr(one, "__name__", one),
)
def test_r29_a_prize_put_right_wrongly_is_found(mended, change, rule):
    assert wrong_of(mended[1], change) == rule


def wrong_of(rows, change):
    bodies = copy.deepcopy(rows.bodies())
    change(bodies)
    wrong = verify(copy.copy(rows).make_whole(bodies), None, lambda _: None).wrong
    assert wrong is not None
    return wrong.rule


def the(bodies, kind, nth=0, **where):
    found = [
        at
        for at, body in enumerate(bodies)
        if body["fact"]["kind"] == kind and all(body["fact"].get(name) == value for name, value in where.items())
    ]
    return found[nth]


def with_(kind, nth=0, where=None, **values):
    def change(bodies):
        fact = bodies[the(bodies, kind, nth, **(where or {}))]["fact"]
        for name, value in values.items():
            if value is ...:
                fact.pop(name, None)
            else:
                fact[name] = value

    return change


def too_early(bodies):
    """A prize that is paid before its pass is closed."""
    at = the(bodies, "award_paid")
    to = the(bodies, "pass_closed")
    moved = [bodies[the(bodies, "award_confirmed")], bodies[at]]
    for one in moved:
        bodies.remove(one)
        bodies.insert(to, one | {"at": bodies[to - 1]["at"]})
        to += 1


def the_other_too(bodies):
    """R-29: the Otra is drawn though the Carta had fallen."""
    at = the(bodies, "drawn", prize="Carta Mágica")
    other = copy.deepcopy(bodies[at])
    other["fact"] |= {"prize": "Otra", "hit": False}
    other["fact"].pop("card")
    bodies.insert(at + 1, other | {"id": ["otro", 1, 1]})


def the_other_first(bodies):
    at = the(bodies, "drawn", prize="Carta Mágica")
    other = copy.deepcopy(bodies[at])
    other["fact"] |= {"prize": "Otra", "hit": False}
    other["fact"].pop("card")
    bodies.insert(at, other | {"id": ["otro", 1, 1]})


def staged_without(text):
    def change(bodies):
        for kind in ("plan_staged", "plan_took_effect"):
            fact = bodies[the(bodies, kind)]["fact"]
            assert text[0] in fact["plan"] + fact["ruleset"]
            fact["plan"], fact["ruleset"] = (fact[name].replace(*text) for name in ("plan", "ruleset"))

    return change


def elsewhere(nth):
    """The claim of a pass says that seat 2 had the card."""

    def change(bodies):
        fact = bodies[the(bodies, "claim_registered", nth)]["fact"]
        one, other = fact["hands"]
        one["cards"], other["cards"] = other["cards"], one["cards"]

    return change


def of_seat_2(nth):
    def change(bodies):
        fact = bodies[the(bodies, "prize_granted", nth, prize="Carta Mágica")]["fact"]
        fact["seat"] = 2

    return change


def cash_as_credits(bodies):
    fact = bodies[the(bodies, "award_paid", 1)]["fact"]
    paid_in = fact.pop("paid_in")
    fact |= {"promo": True, "paid_in": paid_in, "table": "DP-01"}


PROMO, CARD = {"prize": "Estrella"}, {"prize": "Carta Mágica"}
FORBIDDEN = [
    ("not held", with_("prize_granted", where=CARD, held=...), "R-29"),
    ("promotional credits at once", with_("prize_granted", where=PROMO, held=...), "R-29"),
    ("granted in chips", with_("prize_granted", where=CARD, paid_in="chips"), "R-29"),
    ("on another pot", with_("prize_granted", before={"main": 1, "base": 700_000, "reserves": {"reserva0": 1}}), "R-20"),
    ("on no pot", with_("prize_granted", before=...), "R-20"),
    ("of no card", with_("prize_granted", where=CARD, card=...), "R-29"),
    ("of a card that nobody drew", with_("prize_granted", where=PROMO, card="2c"), "R-29"),
    ("paid in chips", with_("award_paid", paid_in="chips"), "R-29"),
    ("paid in nothing", with_("award_paid", 1, paid_in=...), "R-29"),
    ("promotional credits paid in cash", with_("award_paid", promo=..., table=...), "R-29"),
    ("cash paid as promotional credits", cash_as_credits, "R-29"),
    ("credits at another table", with_("award_paid", table="GO-01"), "R-29"),
    ("paid before the close", too_early, "R-29"),
    ("both of two that exclude each other", the_other_too, "R-29"),
    ("the second of two before the first", the_other_first, "R-29"),
    ("no authorisation", staged_without(('authorisation = "Aut. 7"\n', "")), "R-29"),
    ("half a credit", staged_without(("amount = 3000", "amount = 3500")), "R-1"),
    ("a contest of cards that no authority named", staged_without(('name = "Carta Mágica"\namount = 15000\ndrawn = "card"\nclause', 'name = "Carta Mia"\namount = 15000\ndrawn = "card"\nclause')), "R-29"),
    ("a claim that denies the card that was shown", elsewhere(0), "R-32"),
    ("a card that the claim had denied", elsewhere(1), "R-32"),
    ("a card shown by who did not have it", of_seat_2(1), "R-32"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "rule"), [row[1:] for row in FORBIDDEN], ids=[row[0] for row in FORBIDDEN])
def test_r29_a_forbidden_story_is_found_by_its_rule(story, change, rule):
    assert wrong_of(story[1], change) == rule


@pytest.mark.parametrize(
    ("hands", "community", "wrong"),
    [
        ([], (), False),
        ([Hand(1, cards=("2c", "3d")), Hand(2, cards=("4h",)), Hand(3)], ("Kd",), False),
        ([], ("Kd", "2c"), True),
        ([Hand(1, cards=("3d",))], (), True),
        ([Hand(2, cards=("2c",))], (), True),
    ],
)
def test_r32_a_drawn_card_is_where_nothing_that_was_entered_denies_it(hands, community, wrong):
    if wrong:
        with pytest.raises(FoundWrong):
            prove_dealt("2c", 1, hands, community)
    else:
        prove_dealt("2c", 1, hands, community)
