"""What the verifier says of stories that happen seldom, and of stories that may not happen, rule by rule (R-5 to R-34)."""

import copy
import random

import pytest

from controller.cli.record import PUBLISHED
from controller.core import inputs as ask
from controller.core.values import Hand, Lamp, Signature
from controller.node.book.book import Asked
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.record.export import Exported, export
from controller.rules import complementary
from controller.verify.books import Books
from controller.verify.claims import Winner, settle
from controller.verify.draws import number_below
from controller.verify.law import read_law
from controller.verify.money import Purse
from controller.verify.wrong import FoundWrong, Wrong
from support.core.points import point_of, web_key_of
from support.laws import naming
from support.record import verify_history
from support.record.verify_history import COLOR, FULL, Floor, plan, ruleset
from support.record.verify_rows import Rows
from support.record.verifying import verify

CARLA, DARIO, EVA, ANA = (Signature(name) for name in ("carla", "dario", "eva", "ana"))


def silent(_seq):
    """Nobody looks at the progress."""


@pytest.fixture
def floor(tmp_path):
    """A node on its first day, before the first pass."""
    floor = Floor(tmp_path)
    floor.people()
    floor.stage(plan(base=700_000, ceiling=900_000), ruleset())
    floor.open_day()
    yield floor
    floor.book.close()


def good(floor):
    """What happened is what the rules allow, with the state signed as it stands."""
    floor.commit()
    floor.book.checkpoint()
    with Reader.open(floor.path) as reader:
        verdict = verify(reader, None, silent)
    assert verdict.wrong is None, verdict.wrong
    return verdict


def without(text, table):
    """A plan that no longer has this table."""
    head, *tables = text.split("[[tables]]")
    return "[[tables]]".join([head, *(one for one in tables if f'"{table}"' not in one)])


# What happens seldom


def test_a_table_that_leaves_and_comes_back_goes_on_counting(floor):
    floor.simple_pass("GO-01")
    floor.empty("GO-01")
    floor.stage(without(plan(base=700_000, ceiling=900_000), "GO-01"), ruleset())
    assert "GO-01" not in floor.state.tables
    floor.stage(plan(base=700_000, ceiling=950_000), ruleset())
    floor.units = {key: unit for key, unit in floor.units.items() if key[0] != "GO-01"}
    floor.simple_pass("GO-01")

    assert floor.state.tables["GO-01"].number == 2
    good(floor)


def test_a_table_gets_another_game_and_waits_for_its_players_to_leave(floor):
    floor.must(ask.BuyCredits("GO-01", 1, 3, EVA))
    other = plan(base=700_000, ceiling=900_000).replace('"go"', '"caribbean"')
    floor.stage(other, ruleset())
    assert floor.state.tables["GO-01"].modality == "go"
    floor.must(ask.CashOut("GO-01", 1, EVA))

    assert floor.state.tables["GO-01"].modality == "caribbean"
    floor.simple_pass("GO-01")
    good(floor)


def claimed(floor, *hands):
    """A pass at DP-01 with bets at 1, 2 and 3, and its claim."""
    floor.put(ask.OpenPass("DP-01"))
    for seat in (1, 2, 3):
        floor.bet("DP-01", seat, 2)
    floor.commit()
    floor.lock("DP-01")
    floor.claim("DP-01", hands)
    return f"DP-01/{floor.state.tables['DP-01'].number}/1"


def test_a_claim_that_was_rejected_is_registered_anew_under_the_law_of_its_pass(floor):
    """The plan has changed between, and pays other prizes; a hand was void between."""
    claim = claimed(floor, Hand(1, cards=COLOR), Hand(2, cards=FULL))
    floor.must(ask.RejectClaim(claim, "otra mano", CARLA, DARIO))
    floor.must(ask.VoidHand("DP-01", 2, "carta vista", EVA))
    floor.must(ask.ClosePass("DP-01"))
    floor.stage(
        plan(base=600_000, ceiling=900_000), ruleset(shortfall_from="house").replace("times = 50", "times = 60")
    )
    floor.claim("DP-01", [Hand(1, cards=COLOR)], number=1)
    floor.pay_all("DP-01/1/2")
    hands = (Hand(1, cards=COLOR), Hand(3, cards=FULL))
    floor.must(ask.CorrectClaim("DP-01", 1, hands, "se vio en la cámara", CARLA, DARIO))

    awards = floor.state.claims["DP-01/1/2"].awards
    assert [held.granted.amount for held in awards.values()] == [100_000, 200_000]
    good(floor)


@pytest.mark.parametrize(
    "readings",
    [
        {"void_undoes": "nothing"},
        {"base_from": "house", "shortfall_from": "house"},
        {"cap": "category", "odd_units": "one_each"},
        {"real_after_cap": "uncut", "late_from": "house"},
        {"cap": "category", "real_after_cap": "uncut"},
    ],
)
def test_every_reading_is_verified(floor, readings):
    """R-33."""
    floor.stage(plan(base=50_000, ceiling=60_000), ruleset(**readings))
    claim = claimed(
        floor, Hand(1, cards=COLOR), Hand(2, cards=verify_history.POKER), Hand(3, cards=verify_history.ROYAL)
    )
    floor.must(ask.RejectClaim(claim, "prueba", CARLA, DARIO))
    floor.must(ask.VoidHand("DP-01", 2, "carta vista", EVA))
    floor.claim(
        "DP-01", [Hand(1, cards=verify_history.STRAIGHT_FLUSH), Hand(3, cards=verify_history.OTHER_STRAIGHT_FLUSH)]
    )
    floor.pay_all("DP-01/1/2")
    floor.must(ask.ClosePass("DP-01"))
    good(floor)


def arican(text):
    """The Chilean plan of the tests, under the decree of Arica."""
    again = text.replace('"scj-2023"', '"arica-2017"').replace("credit_value = 1000", "credit_value = 1000\nunit = 500")
    for game in ("caribbean_plus", "go", "texas_plus"):
        again = again.replace(f'"{game}"', '"arica_plus"')
    return again


@pytest.mark.parametrize("base", [50_000, 5_000])
@pytest.mark.parametrize("name", ["scj-2023", "arica-2017"])
def test_r11_r17_r33_real_of_the_uncut_pot_and_an_amount_for_the_bet_are_verified(floor, name, base):
    """What a cap cut stays in the pot, also above its base; under the decree an amount is owed once."""
    law = (
        ruleset(name, real_after_cap="uncut")
        .replace("cap_times = 5000", "cap_times = 1")
        .replace('"each_unit"', '"bet"')
    )
    again = plan(base=base, min_bet=1000)
    floor.stage(arican(again) if name == "arica-2017" else again, law)
    claimed(
        floor, Hand(1, cards=COLOR), Hand(2, cards=verify_history.STRAIGHT_FLUSH), Hand(3, cards=verify_history.ROYAL)
    )
    real = floor.state.claims["DP-01/1/1"].awards["DP-01/1/1/3"].granted
    assert ("R-33" in real.rules) == (name == "scj-2023"), "under the decree nothing is cut"
    floor.pay_all("DP-01/1/1")
    floor.must(ask.ClosePass("DP-01"))
    good(floor)


@pytest.mark.parametrize("forfeits", [False, True])
def test_r8_r33_a_folded_draw_hand_of_arica_is_verified_under_both_readings(floor, forfeits):
    law = ruleset("arica-2017").replace("draw_fold_forfeits = false", f"draw_fold_forfeits = {str(forfeits).lower()}")
    floor.stage(arican(plan(base=50_000, min_bet=1000)), law)
    claim = claimed(floor, Hand(1, ("folded",), COLOR), Hand(2, cards=FULL))

    awards = floor.state.claims[claim].awards.values()
    assert [one.granted.seat for one in awards] == ([2] if forfeits else [1, 2])
    floor.pay_all(claim)
    floor.must(ask.ClosePass("DP-01"))
    good(floor)


def confirmed_at(floor, above):
    """R-36: a plan that asks for cards from Color up, and above an amount for two who did not register."""
    awards = f'\n[awards]\nnone_registered_above = {above}\ncards_from = "color"\n'
    floor.stage(plan(base=50_000, ceiling=60_000, extra=awards), ruleset())
    floor.put(ask.OpenPass("DP-01"))
    floor.bet("DP-01", 1, 1)
    floor.commit()
    floor.lock("DP-01")
    floor.must(ask.RegisterClaim("DP-01", (Hand(1, cards=COLOR),), CARLA))
    return "DP-01/1/1/1"


def test_r36_a_plan_s_own_terms_of_confirming_are_verified(floor):
    award = confirmed_at(floor, 50_000)
    floor.must(ask.ConfirmAward(award, CARLA, EVA))
    floor.must(ask.PayAward(award, EVA))
    floor.must(ask.ClosePass("DP-01"))
    good(floor)


def test_r36_what_the_plan_asks_of_those_who_confirm_is_computed_again(floor, tmp_path):
    award = confirmed_at(floor, 10)
    floor.must(ask.ConfirmAward(award, DARIO, EVA))
    floor.commit()
    with Reader.open(floor.path) as reader:
        rows = Rows(reader)
    bodies = copy.deepcopy(rows.bodies())
    _, fact = the(bodies, "award_confirmed")
    fact["by"], fact["second"] = "carla", "dario"
    wrong = verify(rows.make_whole(bodies), None, silent).wrong
    assert wrong is not None and (wrong.rule, "no lo confirma quien lo anotó" in wrong.why) == ("R-36", True)


def test_a_slot_that_says_too_much_closes_its_seat(floor):
    floor.put(ask.OpenPass("DP-01"))
    unit = floor.unit("DP-01", 1)
    floor.put(ask.SeatReport("DP-01", 1, unit.count(chips=20_000_000, bets=1)))
    floor.put(ask.SeatReport("DP-01", 1, unit.count(chips=2)))
    floor.put(ask.OpenSeat("DP-01", 1, CARLA))
    floor.drop("DP-01", 1, 3)
    floor.commit()

    assert floor.state.tables["DP-01"].seats[0].bet == 3_000
    good(floor)


def test_a_unit_is_replaced_with_its_bet_on_the_table(floor):
    floor.put(ask.OpenPass("DP-01"))
    floor.bet("DP-01", 1, 2)
    floor.commit()
    floor.units["DP-01", 1].serial += 1
    floor.put(ask.SeatReport("DP-01", 1, floor.units["DP-01", 1].count()))
    floor.bet("DP-01", 2, 2)
    floor.put(ask.Lock("DP-01"))
    floor.units["DP-01", 2].epoch += 1
    floor.put(ask.SeatReport("DP-01", 2, floor.units["DP-01", 2].count()))
    floor.commit()

    assert [bet.seat for bet in floor.state.tables["DP-01"].bets] == [2]
    good(floor)


def test_an_id_that_comes_again_when_the_clock_has_stepped_back(floor):
    floor.must(ask.LookAtClock())
    floor.book.take([Asked(OutcomeKey("piso", 1, 3), floor.now - 9_000, ask.OpenPass("DP-01"))])

    good(floor)


def test_a_person_is_locked_and_signs_nothing_until_somebody_unlocks_him(floor):
    for _ in range(4):
        floor.ask(ask.OpenPass("DP-01", Signature("eva", verified=False)))
    floor.must(ask.OpenPass("DP-01", EVA))
    for _ in range(6):
        floor.ask(ask.Lock("DP-01", Signature("eva", verified=False)))
    floor.ask(ask.OpenPass("GO-01", EVA))
    floor.ask(ask.OpenPass("GO-01", Signature("nadie", verified=False)))
    floor.must(ask.UnlockPerson("eva", CARLA))
    floor.must(ask.Lock("DP-01", EVA))

    good(floor)


def test_seats_close_and_open_in_every_phase(floor):
    floor.put(ask.OpenPass("DP-01"))
    floor.put(ask.LampSeen("DP-01", 4, Lamp.FAULT))
    for seat in (1, 2, 3):
        floor.bet("DP-01", seat, 1, lit=seat != 3)
    floor.put(ask.LampSeen("DP-01", 1, Lamp.LIT))
    floor.put(ask.Lock("DP-01"))
    floor.put(ask.VoidHand("DP-01", 3, "sin luz", EVA))
    floor.commit()
    floor.lock("DP-01")
    floor.put(ask.LampSeen("DP-01", 2, Lamp.FAULT))
    floor.put(ask.CloseSeat("DP-01", 1, "palanca", CARLA))
    floor.put(ask.ClosePass("DP-01"))
    floor.commit()

    assert [bool(seat.closed) for seat in floor.state.tables["DP-01"].seats[:4]] == [True, True, False, True]
    good(floor)


def test_every_hand_of_a_sealed_pass_is_void_one_by_one(floor):
    """No bet is left that a draw could fall on."""
    floor.stage(plan(base=700_000, ceiling=900_000, extra=verify_history._PRIZES), naming(ruleset(), "Carta Mágica"))
    floor.put(ask.OpenPass("DP-01"))
    for seat in (1, 2):
        floor.bet("DP-01", seat, 2)
    floor.commit()
    floor.lock("DP-01")
    for seat in (1, 2):
        floor.must(ask.VoidHand("DP-01", seat, "mal repartida", EVA))
    floor.must(ask.ClosePass("DP-01"))
    good(floor)


def test_a_long_record_is_exported_and_tells_its_progress(floor, tmp_path):
    for number in range(1_050):
        floor.put(ask.LookAtClock(), ms=number % 3)
    good(floor)
    told = []
    with Reader.open(floor.path) as reader, (tmp_path / "x.jsonl").open("wb") as file:
        export(reader, file, told.append)
    assert told[0] == 1_000 and len(told) == 2
    assert verify(Exported(tmp_path / "x.jsonl"), None, told.append).is_good


# What may not happen


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    with Reader.open(verify_history.play(tmp_path_factory.mktemp("evening"), passes=2).path) as reader:
        return Rows(reader)


def the(bodies, kind, nth=0, **fields):
    """The nth fact of a kind with these fields, and where it stands."""
    found = [
        (at, body["fact"])
        for at, body in enumerate(bodies)
        if body["fact"]["kind"] == kind and all(body["fact"].get(name) == value for name, value in fields.items())
    ]
    return found[nth]


def told(evening, change):
    """The record made anew around a change; what is wrong with it."""
    bodies = copy.deepcopy(evening.bodies())
    at = change(bodies)
    wrong = verify(copy.copy(evening).make_whole(bodies), None, silent).wrong
    assert wrong is not None
    return wrong, at


def set_(kind, nth=0, where=None, **values):
    """Other values in one fact."""

    def change(bodies):
        at, fact = the(bodies, kind, nth, **(where or {}))
        for name, value in values.items():
            if value is ...:
                fact.pop(name, None)  # what a fact leaves out is nothing
            else:
                fact[name] = value
        return at

    return change


def between_casinos(registration):
    """A plan of today whose first table is of another casino."""

    def change(bodies):
        at, fact = the(bodies, "plan_staged")
        fact["plan"] = registration + fact["plan"].replace('casino = "central"', 'casino = "costa"', 1)
        return at

    return change


def with_a_prize(amount, source):
    """A plan that gives so much in every pass."""

    def change(bodies):
        at, fact = the(bodies, "plan_staged")
        prize = f'[[complementary]]\nname = "P"\namount = {amount}\ndrawn = "seat"\npaid_in = "cash"\n'
        fact["plan"] += f'{prize}from = "{source}"\none_in = 1\n'
        return at

    return change


def behind(kind, last):
    """The same once more, behind the next fact of another kind."""

    def change(bodies):
        at, _ = the(bodies, kind)
        to = next(n for n in range(at, len(bodies)) if bodies[n]["fact"]["kind"] == last) + 1
        while to < len(bodies) and bodies[to]["id"] == bodies[to - 1]["id"]:
            to += 1
        bodies.insert(to, copy.deepcopy(bodies[at]) | {"id": ["otro", 1, 1], "at": bodies[to - 1]["at"]})
        return to

    return change


def again(kind, nth=0, **fields):
    """The same once more."""

    def change(bodies):
        at, _ = the(bodies, kind, nth, **fields)
        to = next(n for n in range(at + 1, len(bodies)) if bodies[n]["id"] != bodies[at]["id"])
        bodies.insert(to, copy.deepcopy(bodies[at]) | {"id": ["otro", 1, 1], "at": bodies[to - 1]["at"]})
        return to

    return change


def gone(kind, nth=0, **fields):
    def change(bodies):
        at, _ = the(bodies, kind, nth, **fields)
        del bodies[at]
        return at

    return change


def poker_on_a_word(bodies):
    """R-36: the cards of a Poker are taken out of its claim."""
    for at, body in enumerate(bodies):
        fact = body["fact"]
        pokers = [award["seat"] for award in fact.get("awards", ()) if award["prize"] == "poker"]
        if fact["kind"] == "claim_registered" and pokers:
            fact["hands"] = [
                {"seat": hand["seat"], "claimed": "poker"} if hand["seat"] in pokers else hand for hand in fact["hands"]
            ]
            return at
    raise AssertionError("the evening has a Poker")


def attests_nothing(bodies):
    """R-6: of a lock, that the lamps of slots rest on a croupier's eyes."""
    at, fact = next((at, body["fact"]) for at, body in enumerate(bodies) if body["fact"].get("attested"))
    del fact["attested"]
    return at


def signed_by_its_own(bodies):
    """R-36: a chief signs the void that he entered himself."""
    at, signed = the(bodies, "void_signed", table="GO-01")
    _, voided = the(bodies, "hands_voided", table="GO-01", by="carla", sealed=True)
    assert any(refund["seat"] == signed["seat"] for refund in voided["refunds"])
    signed["by"] = "carla"
    return at


def confirmed_by_who_registered(bodies):
    """R-36: a chief registered the claim, and he alone confirms an award of it."""
    registered = {body["fact"]["claim"]: body["fact"] for body in bodies if body["fact"]["kind"] == "claim_registered"}
    for at, body in enumerate(bodies):
        fact = body["fact"]
        claim = fact.get("award", "").rpartition("/")[0]
        if fact["kind"] == "award_confirmed" and "second" not in fact and claim in registered:
            registered[claim]["by"] = fact["by"]
            return at
    raise AssertionError("a chief confirms alone")


def a_croupier_administers(bodies):
    """R-36: with the day open, the croupier becomes administrator, retired in between."""
    at, _ = the(bodies, "person_enrolled", person="eva")
    to, _ = the(bodies, "pass_opened")
    for step, roles in enumerate(([], ["administrator"]), 1):
        changed = copy.deepcopy(bodies[at])
        changed["fact"]["roles"] = roles
        bodies.insert(to + step, changed | {"id": ["otro", 1, step], "at": bodies[to]["at"]})
    return to + 2


KNOWN = {"table": "CP-01", "seat": 5, "bounds": {"press": 5, "chip": 0}}
SAID_DARK = {"lamp": "fault", "by": "eva"}
LEFT = {"epoch": 1, "seq": 896, "hash": "ab" * 32}
NOT_BELIEVED = {"table": "CP-01", "seat": 5}
FORBIDDEN = [
    ("two persons put a pass right", set_("claim_corrected", where={"by": "carla"}, second="carla"), "R-26"),
    ("two persons set an award aside", set_("award_set_aside", by="dario"), "R-26"),
    ("two persons stage a plan", set_("plan_staged", second="ana"), "R-26"),
    ("two persons move money", set_("money_moved", second="ana"), "R-26"),
    ("two persons enrol a person", set_("person_enrolled", second="ana"), "R-26"),
    ("nobody says that he knows whom he enrols", set_("person_enrolled", 2, known=...), "R-36"),
    ("a second self by another id", set_("person_enrolled", 2, person="b.e-a"), "R-36"),
    ("a second self by another spelling of the name", set_("person_enrolled", 2, name="BÉA"), "R-36"),
    ("a name without a letter", set_("person_enrolled", 2, name="..."), "R-27"),
    ("a second self founds", set_("node_founded", administrators=["ana", "Ana"]), "R-26"),
    ("an administrator who was croupier today", a_croupier_administers, "R-36"),
    ("a second self signs", set_("money_moved", by="ana", second="Ana"), "R-27"),
    ("two persons clear suspense", set_("suspense_cleared", second="carla"), "R-26"),
    ("two persons restore", set_("node_restored", second="franco"), "R-27"),
    ("two persons confirm what is large", set_("award_confirmed", 1, second=...), "R-21"),
    ("an auditor signs nothing", set_("credits_bought", by="gala"), "R-27"),
    ("two persons set credits aside", set_("credits_left", second=...), "R-27"),
    ("two different persons hand out what was set aside", set_("left_paid", second="carla"), "R-26"),
    ("two persons begin training", set_("training_started", second=...), "R-27"),
    ("no croupier begins training as the second", set_("training_started", second="eva"), "R-27"),
    ("whoever administers is no croupier", set_("person_enrolled", roles=["administrator", "croupier"]), "R-36"),
    ("a croupier moves no money", set_("money_moved", by="eva"), "R-27"),
    ("training sells for cash", set_("credits_bought", where={"table": "~DP-01"}, practice=...), "R-36"),
    ("a live table sells for nothing", set_("credits_bought", where={"table": "DP-01"}, practice=True), "R-36"),
    ("a poker is entered without its cards", poker_on_a_word, "R-36"),
    ("who registered an award confirms it alone", confirmed_by_who_registered, "R-36"),
    ("a void has a reason", set_("hands_voided", reason=" "), "R-36"),
    ("a technician voids no pass", set_("hands_voided", where={"whole_pass": True}, by="franco"), "R-27"),
    ("what was voided after the lock is cashed unsigned", gone("void_signed"), "R-36"),
    ("a void is signed twice", again("void_signed"), "R-36"),
    ("a void is signed by who entered it", signed_by_its_own, "R-36"),
    ("a void is signed by no croupier", set_("void_signed", by="eva"), "R-27"),
    ("a void is signed for more than it gave", set_("void_signed", amount=10**6), "R-36"),
    ("nobody signs for a person", set_("award_paid", by=""), "R-27"),
    ("roles that clash", set_("person_enrolled", roles=["auditor", "chief"]), "R-27"),
    ("roles out of order", set_("person_enrolled", roles=["croupier", "chief"]), "R-27"),
    ("an administrator too few", set_("person_enrolled", person="ana", roles=[]), "R-26"),
    ("two administrators who are one", set_("node_founded", administrators=["ana", "ana"]), "R-26"),
    ("a key that is none", set_("node_founded", key="zz"), "R-27"),
    ("a node is founded once", again("node_founded"), "R-27"),
    ("a restore leaves what comes after it", set_("node_restored", left={**LEFT, "epoch": 2**31}), "R-27"),
    ("a restore leaves no fact at all", set_("node_restored", left={**LEFT, "seq": 0}), "R-27"),
    ("a restore leaves no hash", set_("node_restored", left={**LEFT, "hash": "zz"}), "R-27"),
    ("who unlocks is somebody else", set_("person_unlocked", by="eva"), "R-27"),
    ("who administers takes no note of his own wrong PINs", set_("person_unlocked", person="carla"), "R-36"),
    ("one person lets no terminal in", set_("terminal_enrolled", second="carla"), "R-26"),
    ("a croupier lets no terminal in", set_("terminal_enrolled", by="eva"), "R-27"),
    ("nor as the second", set_("terminal_enrolled", second="eva"), "R-27"),
    ("a terminal has a name", set_("terminal_enrolled", terminal="consola 1"), "R-36"),
    ("a terminal of a table that is not there", set_("terminal_enrolled", place="XX-01"), "R-36"),
    ("a terminal of a training table", set_("terminal_enrolled", place="~DP-01"), "R-36"),
    ("a chief's terminal at a table", set_("terminal_enrolled", use="chief"), "R-36"),
    ("a sign without a layout", set_("terminal_enrolled", where={"use": "sign"}, place=""), "R-36"),
    ("a use that is none", set_("terminal_enrolled", use="phone"), "R-27"),
    ("a key that is no point", set_("terminal_enrolled", key="04" + "ab" * 64), "R-36"),
    ("a key in capitals", set_("terminal_enrolled", key=point_of(9).upper()), "R-36"),
    ("a key that is pressed together", set_("terminal_enrolled", key="02" + point_of(9)[2:66]), "R-36"),
    ("a key that is nothing", set_("terminal_enrolled", key=""), "R-36"),
    ("a web at a table", set_("terminal_enrolled", where={"use": "web"}, place="DP-01"), "R-36"),
    ("a web with a browser's key", set_("terminal_enrolled", where={"use": "web"}, key=point_of(9)), "R-36"),
    ("a web with everybody's key", set_("terminal_enrolled", where={"use": "web"}, key="01" + "00" * 31), "R-36"),
    ("a browser with a web's key", set_("terminal_enrolled", where={"use": "sign"}, key=web_key_of(9)), "R-36"),
    ("the key of another terminal", set_("terminal_enrolled", where={"terminal": "tableta"}, key=point_of(1)), "R-36"),
    ("a terminal that was enrolled so", again("terminal_enrolled"), "R-36"),
    ("a key that was replaced unsaid", set_("terminal_enrolled", where={"key": point_of(4)}, replaces=...), "R-36"),
    ("a key replaced that it had not", set_("terminal_enrolled", replaces=point_of(9)), "R-36"),
    ("a terminal is taken away by a chief", set_("terminal_withdrawn", by="eva"), "R-27"),
    ("a terminal is taken away once", again("terminal_withdrawn"), "R-36"),
    ("a terminal is taken away for a reason", set_("terminal_withdrawn", reason=" "), "R-36"),
    ("who was not let in is not taken away", gone("terminal_enrolled", terminal="tableta"), "R-36"),
    ("PINs are sealed once", again("verifiers_sealed"), "R-27"),
    ("PINs are sealed of somebody", set_("verifiers_sealed", secrets={}), "R-27"),
    ("nobody's PIN is sealed", set_("verifiers_sealed", secrets={"nadie": "0" * 64}), "R-27"),
    ("a sealed PIN has a fingerprint", set_("verifiers_sealed", secrets={"gala": "zz"}), "R-27"),
    ("new PINs are of two", set_("pins_replaced", secrets={"ana": "0" * 64}), "R-26"),
    ("new PINs are of who may enrol", set_("pins_replaced", secrets={"ana": "0" * 64, "eva": "0" * 64}), "R-27"),
    (
        "one of two with new PINs administers",
        set_("pins_replaced", secrets={"dario": "0" * 64, "carla": "0" * 64}),
        "R-26",
    ),
    ("new PINs are nobody else's", set_("pins_replaced", secrets={"ana": "0" * 64, "nadie": "0" * 64}), "R-27"),
    (
        "new PINs are those that the key signed",
        set_("pins_replaced", secrets={"ana": "0" * 64, "carla": "0" * 64}),
        "R-27",
    ),
    ("the key signed why", set_("pins_replaced", reason="otro"), "R-27"),
    ("the key signed at all", set_("pins_replaced", proof="zz"), "R-27"),
    ("an epoch that is not newer", set_("node_restored", epoch=1), "R-27"),
    ("a croupier clears no faults", set_("device_tended", where={"what": "clear_faults"}, by="eva"), "R-27"),
    ("a technician opens no seats", set_("device_tended", where={"what": "reopen"}, by="franco"), "R-27"),
    ("an auditor tries no sign", set_("device_tended", where={"what": "sign_test"}, by="gala"), "R-27"),
    ("seats opened between passes", set_("device_tended", where={"what": "lamp_test"}, what="reopen", by="eva"), "R-5"),
    ("a sign that is none", set_("device_tended", where={"what": "sign_test"}, sign=...), "R-27"),
    ("only a sign is unseen", set_("device_tended", where={"what": "clear_faults"}, unseen=True), "R-31"),
    ("faults of no table", set_("device_tended", where={"what": "clear_faults"}, table=..., seat=...), "R-27"),
    ("faults of a seat that is not there", set_("device_tended", where={"what": "clear_faults"}, seat=9), "R-7"),
    ("lamps tried while they mean something", set_("device_tended", where={"what": "reopen"}, what="lamp_test"), "R-6"),
    ("a box where none was seen before", set_("firmware_seen", was={"serial": 5, "firmware": 1, "check": 0}), "R-27"),
    ("a change of which nobody says what was there", set_("firmware_seen", nth=2, was=...), "R-27"),
    (
        "a program that changed and is the same",
        set_("firmware_seen", nth=2, box={"serial": 7, "firmware": 1, "check": 0x5A3C}),
        "R-27",
    ),
    ("a device that stands nowhere", set_("firmware_seen", unit=" "), "R-27"),
    ("a device of a table that is not there", set_("firmware_seen", table="XX-01"), "R-9"),
    ("who is not there is not unlocked", set_("person_unlocked", person="nadie"), "R-27"),
    ("a refusal nobody knows", set_("refused", reason="porque_si"), "R-32"),
    ("a clock that did not step back", set_("clock_went_back", was=5), "R-27"),
    ("the clock steps back unsaid", gone("clock_went_back"), "R-27"),
    ("a step further than from fact to fact", set_("clock_stepped", ms=3_600_000), "R-27"),
    ("a list of what is signed that is none", set_("node_started", signing=3), "R-27"),
    ("a step that is none", set_("clock_stepped", ms=3_000), "R-27"),
    ("note is taken of nothing", gone("clock_stepped"), "R-27"),
    ("note is taken by a croupier", set_("clock_noted", by="eva"), "R-27"),
    ("a bet after the seal", behind("bet_made", "pass_sealed"), "R-5"),
    ("a second bet", again("bet_made"), "R-7"),
    ("a bet that was never lit", gone("lamp_changed", lamp="lit"), "R-6"),
    ("a seat that was not proven", gone("seat_proven"), "R-5"),
    ("a lamp twice", again("lamp_changed"), "R-6"),
    ("a dark lamp is no fact", set_("lamp_changed", lamp="dark"), "R-6"),
    ("a failed lamp keeps the bet", set_("lamp_changed", where={"lamp": "fault"}, refund=...), "R-6"),
    (
        "a locked table gives no bet back",
        set_("lamp_changed", where={"lamp": "fault", "locked": True}, locked=...),
        "R-6",
    ),
    (
        "a lamp that failed after the lock takes a valid bet back",
        set_("lamp_changed", where={"lamp": "fault", "locked": True}, before_lock=True),
        "R-6",
    ),
    ("a closed seat closes", again("seat_closed"), "R-6"),
    ("a seat closes without a reason", set_("seat_closed", reason=" "), "R-6"),
    ("an open seat opens", again("seat_opened"), "R-6"),
    ("a seat that is not there", set_("credits_bought", seat=9), "R-7"),
    ("credits out of nothing", set_("credits_cashed", amount=10**6), "R-2"),
    ("credits left out of nothing", set_("credits_left", amount=0, lapsed=...), "R-2"),
    ("more than was set aside", set_("left_paid", amount=10**6), "R-18"),
    ("more than is owed", set_("owed_paid", amount=10**6), "R-4"),
    ("half a credit", set_("credits_bought", amount=1_500), "R-1"),
    ("a pass without its number", set_("pass_opened", number=7), "R-5"),
    ("a pass opened twice", again("pass_opened"), "R-5"),
    ("a pass locked twice", again("locked"), "R-5"),
    ("a pass closed twice", again("pass_closed"), "R-5"),
    ("a pass sealed twice", again("pass_sealed"), "R-5"),
    ("a pass closed before its draws", gone("drawn", hit=False), "R-29"),
    ("a draw twice", again("drawn"), "R-29"),
    ("a prize that was drawn is not given", gone("prize_granted", table="DP-01"), "R-29"),
    ("a prize twice", again("prize_granted"), "R-30"),
    ("a claim twice", again("claim_registered"), "R-34"),
    (
        "an act that Draw does not have",
        set_("claim_registered", where={"table": "DP-01"}, hands=[{"seat": 1, "acts": ["bought"]}]),
        "R-8",
    ),
    ("a claim of another pass", set_("claim_registered", number=99), "R-34"),
    ("what was true is put right again", again("claim_corrected"), "R-34"),
    ("an award paid twice", again("award_paid"), "R-21"),
    ("an award confirmed twice", again("award_confirmed"), "R-21"),
    ("an award paid unconfirmed", gone("award_confirmed"), "R-21"),
    ("an award paid to another seat", set_("award_paid", seat=5), "R-12"),
    ("an alarm too early", set_("award_overdue", since=0), "R-21"),
    ("an alarm twice", again("award_overdue"), "R-21"),
    ("a late winner who gets nothing", set_("claim_corrected", awards=[]), "R-34"),
    ("an award is set aside twice", again("award_set_aside"), "R-35"),
    ("an award is set aside for nothing", set_("award_set_aside", reason=" "), "R-35"),
    ("another amount is set aside", set_("award_set_aside", amount=1), "R-12"),
    ("a pass is closed at another pot", set_("pass_closed", pot="otro"), "R-28"),
    ("a pass is closed with other levels", set_("pass_closed", levels={"main": 1, "base": 1, "reserves": {}}), "R-35"),
    ("a pass is closed unseen", set_("pass_closed", reviewed=...), "R-35"),
    ("a void takes back something else", set_("hands_voided", where={"sealed": True}, undone=...), "R-25"),
    ("a day within a day", again("day_opened"), "R-27"),
    ("a day that goes back", set_("day_opened", 1, day="2020-01-01"), "R-27"),
    ("a day that is no date", set_("day_opened", day="primero"), "R-27"),
    ("a day that the calendar has not", set_("day_opened", day="2026-02-30"), "R-27"),
    ("a day far from the clock's", set_("day_opened", day="2026-10-30"), "R-27"),
    ("a name given to another day", set_("day_renamed", was="2026-10-30"), "R-27"),
    ("a name that is no other", set_("day_renamed", day="2026-11-01"), "R-27"),
    ("a name that lies ahead", set_("day_renamed", day="2026-11-09"), "R-27"),
    ("a name without a reason", set_("day_renamed", reason=" "), "R-27"),
    ("a name by one person", set_("day_renamed", second="carla"), "R-26"),
    ("a name by a croupier", set_("day_renamed", by="eva"), "R-27"),
    ("a name that was not given", gone("day_renamed"), "R-27"),
    ("a seed lost for another day", set_("seed_lost", day="2026-11-01"), "R-30"),
    ("a seed lost twice", again("seed_lost"), "R-30"),
    ("a seed lost without a reason", set_("seed_lost", reason=""), "R-30"),
    ("a seed lost by one person", set_("seed_lost", second="carla"), "R-26"),
    ("a lost seed unsaid", gone("seed_lost"), "R-29"),
    ("a day without a seed that nobody lost", set_("day_closed", lost="se rompió"), "R-30"),
    ("a lost seed with another reason", set_("day_closed", 1, lost="otra"), "R-30"),
    ("a lost seed that is there", set_("day_closed", 1, seed="00" * 32), "R-30"),
    ("a reading that nobody has", set_("node_founded", reading=9), "R-27"),
    ("a commitment that is none", set_("day_opened", commitment="zz"), "R-30"),
    ("another seed", set_("day_closed", seed="00" * 32), "R-30"),
    ("a seed that is none", set_("day_closed", seed="zz"), "R-30"),
    ("a pot without meters", set_("day_closed", meters={}), "R-27"),
    ("a plan nobody staged", again("plan_took_effect"), "R-26"),
    ("a plan of another resolution", set_("plan_took_effect", resolution="Res. 0"), "R-26"),
    ("a plan that cannot be", set_("plan_staged", plan=""), "R-26"),
    ("a prize that drains the main pot", with_a_prize(10_000_000, "main"), "R-22"),
    ("a pot between casinos that is not registered", between_casinos(""), "R-26"),
    ("a plan withdrawn twice", again("plan_withdrawn"), "R-26"),
    ("money moved to where it came from", set_("money_moved", target="house"), "R-24"),
    ("more money than there is", set_("money_moved", 1, amount=10**10), "R-18"),
    ("money without a resolution", set_("money_moved", resolution=" "), "R-26"),
    ("training that ends twice", again("training_ended"), "R-9"),
    ("training that begins twice", again("training_started"), "R-27"),
    ("training that leaves money", set_("training_ended", closing={}), "R-27"),
    ("training with another pot", set_("training_started", levels={"main": 5, "base": 5, "reserves": {}}), "R-27"),
    ("an adopted unit that was known", again("device_adopted"), "R-27"),
    ("nobody was told of chips over the maximum", set_("owed_paid", where={"told": "carla"}, told=...), "R-4"),
    ("a croupier was told of chips over the maximum", set_("owed_paid", where={"told": "carla"}, told="eva"), "R-4"),
    ("a lock attests a lamp that nobody saw", set_("locked", attested=[6]), "R-6"),
    ("a lock attests less than was seen", attests_nothing, "R-6"),
    ("a lamp that a person says is lit", set_("lamp_changed", where={"lamp": "lit"}, by="eva"), "R-6"),
    (
        "a technician says that a lamp is dark",
        set_("lamp_changed", where={"lamp": "fault", "by": "eva"}, by="franco"),
        "R-27",
    ),
    ("a sensor's word signed by a person", set_("lamp_changed", where=SAID_DARK, seen_by="sensor"), "R-6"),
    ("a lamp test that closes nothing", gone("seat_closed", table="CP-01", seat=7, reason="luz"), "R-6"),
    ("a lamp test of a seat twice", set_("lamps_tested", dark=[7, 7]), "R-6"),
    ("a sum of nothing", set_("unproven_refused", count=0), "R-27"),
    ("a sum of what is still to come", set_("unproven_refused", since=2**52), "R-27"),
    ("an auditor tests lamps", set_("lamps_tested", by="gala"), "R-27"),
    ("a unit that knew no more than the record", set_("device_disbelieved", why="knows_more"), "R-37"),
    ("a unit that forgot what is not on record", set_("device_disbelieved", why="forgot"), "R-37"),
    ("not believed for another reason", set_("device_disbelieved", why="too_much"), "R-37"),
    ("a unit that can be believed is not", set_("device_disbelieved", device=...), "R-27"),
    ("a seat whose unit is not believed stays open", gone("seat_closed", **NOT_BELIEVED), "R-37"),
    ("a seat whose unit was not believed opens uncounted", gone("seat_counted", table="CP-01", seat=5), "R-27"),
    ("more is booked than a press can be", set_("device_adopted", where=KNOWN, bounds={"press": 1, "chip": 0}), "R-37"),
    ("a unit becomes what it was", again("device_seen", **KNOWN), "R-37"),
    ("a unit has more to give back", set_("device_seen", where=KNOWN, bounds=..., holds=9), "R-27"),
]


@pytest.mark.parametrize(("change", "rule"), [row[1:] for row in FORBIDDEN], ids=[row[0] for row in FORBIDDEN])
def test_a_forbidden_story_is_found_by_its_rule(evening, change, rule):
    wrong, at = told(evening, change)

    assert wrong.rule == rule, wrong
    assert wrong.place.startswith("fact ") and int(wrong.place.split()[1]) >= min(at + 1, 30), wrong
    assert str(wrong) == f"{wrong.place}: {wrong.why} ({rule})"


def test_r26_r28_a_registered_pot_between_casinos_is_only_another_plan_than_the_one_in_force(evening):
    """Its number makes it one that could have been approved; so what is wrong comes later."""
    wrong, at = told(evening, between_casinos(""))
    assert wrong.place == f"fact {at + 1}" and "falta el registro" in wrong.why
    wrong, at = told(evening, between_casinos('registration = "R. 1"\n'))
    assert "registro" not in str(wrong) and wrong.place != f"fact {at + 1}"


def test_a_draw_that_the_seed_did_not_say_is_found_when_the_seed_is_known(evening):
    chosen = [
        (at, body["fact"])
        for at, body in enumerate(evening.bodies())
        if body["fact"]["kind"] == "drawn" and body["fact"]["prize"] == "Carta Mágica" and not body["fact"]["hit"]
    ]
    at, _ = chosen[0]
    bodies = evening.bodies()
    bodies[at]["fact"] |= {"hit": True, "card": "Th"}

    wrong = verify(copy.copy(evening).make_whole(bodies), None, silent).wrong

    assert (wrong.place, wrong.rule) == (f"fact {at + 1}", "R-30")


def test_a_number_is_taken_by_rejection():
    chance = random.Random(1)
    seed = chance.randbytes(32)
    for outcomes in (1, 3, 52, 10**6, 2**64, 2**63 + 1):
        assert number_below(seed, "a/b", outcomes) == complementary.number_below(seed, "a/b", outcomes)
    assert all(number_below(seed, str(n), 2**127 + 1) <= 2**127 for n in range(20))


def test_books_keep_their_bounds():
    books = Books()
    books.enter(1, [("cash:m", -5, "credits"), ("credits:m:1", 5, "credits")])
    for lines, why in (
        ([("cash:m", -5, "x")], "no suman cero"),
        ([("credits:m:1", -9, "x"), ("cash:m", 9, "x")], "queda en -4"),
        ([("pot:p:main", -1, "contribution"), ("cash:m", 1, "contribution")], "no está en la lista"),
        ([("cash:m", -(5 * 10**15), "x"), ("left:m", 5 * 10**15, "x")], "queda en"),
    ):
        with pytest.raises(FoundWrong, match=why):
            copy.deepcopy(books).enter(2, lines)
    assert (books.at("cash:m"), books.at("left:m"), books.moved_by["cash:m"]) == (-5, 0, 1)


def test_a_cap_by_category_is_the_smallest_winners():
    """R-33: T = min(T, 5,000 x the smallest winner's bet), then equal parts."""
    law = read_law(plan(), ruleset(cap="category"), PUBLISHED)
    won = [Winner(1, "escalera_color", 1_000), Winner(2, "escalera_color", 5_000)]

    settled = settle(law, Purse(10**9, {"reserva0": 0}), law.base, won)

    assert [(one.amount, one.rules) for one in settled.awards] == [(2_500_000, ("R-11", "R-15", "R-16", "R-17"))] * 2


def test_what_is_wrong_reads_as_a_sentence():
    assert str(Wrong("fact 3", "R-5", "algo")) == "fact 3: algo (R-5)"
