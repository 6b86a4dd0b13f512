"""Thirty frauds, as dishonest people of the house would play them. Each yields what the node refused, or what it did that
must stand on the page of what is unusual. They are played in this order, on one node, in one evening.
"""

from collections.abc import Iterator

from controller.core import inputs as ask
from controller.core.values import Hand
from controller.node.vocabulary.protocol import Deed
from support.fraud.house import ANA, BY, CARLA, DIEGO, INES, JEFA, JEFE, LUIS, POT, TABLE, TITO, House
from support.fraud.story import Found, Prevented, Seen

FULL = ("2c", "2d", "2h", "3s", "3d")
POKER = ("9c", "9d", "9h", "9s", "4c")


# Before the day


def a_seed_is_planted_before_the_day(house: House) -> Iterator[Found]:
    """Who knows the seed knows every draw; a technician has put it into the folder."""
    planted = house.casino.place / f"folder/seeds/{house.day}.1.seed"
    planted.parent.mkdir(exist_ok=True)
    planted.write_text("42" * 32)
    yield Prevented(house.refuses(Deed.OPEN_DAY, JEFE, day=house.day))
    yield Seen("tried", 0, ("jefe",))
    planted.unlink()
    house.opens_the_day()


# With a claim


def a_chief_claims_confirms_and_pays_alone(house: House) -> Iterator[Found]:
    """His friend sits at seat 1; there were no such cards."""
    number = house.sealed(1, 2, 3)
    house.ask(ask.RegisterClaim(TABLE, (Hand(1, claimed="full"),), BY), JEFE)
    award = f"{TABLE}/{number}/1/1"
    yield Prevented(house.refuses(ask.ConfirmAward(award, BY), JEFE))
    house.ask(ask.ConfirmAward(award, BY, BY), JEFE, CARLA)
    house.ask(ask.PayAward(award, BY), JEFE)
    yield Seen("no_cards", 1, ("jefe",))
    yield Seen("same_person", 1, ("jefe",))


def an_award_is_split_to_stay_under_the_threshold(house: House) -> Iterator[Found]:
    house.closes()
    house.sealed(1, 2, 3)
    twice = ask.RegisterClaim(TABLE, (Hand(2, claimed="color"), Hand(2, claimed="full")), BY)
    yield Prevented(house.refuses(twice, CARLA))


def a_croupier_claims_for_a_seat_that_did_not_bet(house: House) -> Iterator[Found]:
    yield Prevented(house.refuses(ask.RegisterClaim(TABLE, (Hand(6, claimed="full"),), BY), CARLA))
    yield Seen("tried", 0, ("carla",))


def a_croupier_enters_a_poker_on_his_word(house: House) -> Iterator[Found]:
    yield Prevented(house.refuses(ask.RegisterClaim(TABLE, (Hand(2, claimed="poker"),), BY), CARLA))


def a_croupier_pays_what_nobody_confirmed(house: House) -> Iterator[Found]:
    number = house.table().number
    house.ask(ask.RegisterClaim(TABLE, (Hand(2, cards=FULL),), BY), CARLA)
    yield Prevented(house.refuses(ask.PayAward(f"{TABLE}/{number}/1/1", BY), CARLA))
    yield Prevented(house.refuses(ask.ConfirmAward(f"{TABLE}/{number}/1/1", BY), CARLA))


def a_second_claim_of_the_same_pass(house: House) -> Iterator[Found]:
    yield Prevented(house.refuses(ask.RegisterClaim(TABLE, (Hand(1, cards=POKER),), BY), DIEGO))


def a_true_claim_is_rejected_and_entered_for_another_seat(house: House) -> Iterator[Found]:
    number = house.table().number
    claim = f"{TABLE}/{number}/1"
    yield Prevented(house.refuses(ask.RejectClaim(claim, "mal leída", BY, BY), JEFE, CARLA))
    house.ask(ask.RejectClaim(claim, "mal leída", BY, BY), JEFE, JEFA)
    house.ask(ask.RegisterClaim(TABLE, (Hand(3, claimed="full"),), BY), CARLA)
    yield Seen("rejected", 0, ("jefe", "jefa"))
    yield Seen("no_cards", 3, ("carla",))


def an_award_is_set_aside_and_collected_by_a_friend(house: House) -> Iterator[Found]:
    number = house.table().number
    award = f"{TABLE}/{number}/2/1"
    house.ask(ask.ConfirmAward(award, BY, BY), JEFE, JEFA)
    house.ask(ask.SetAside(award, "no se halla al jugador", BY, BY), CARLA, JEFE)
    yield Seen("aside", 0, ("carla", "jefe"))
    house.ask(ask.PayAward(award, BY), CARLA)
    yield Seen("aside", 3, ("carla",))


# With a void


def a_croupier_voids_a_hand_that_lost(house: House) -> Iterator[Found]:
    """The cards are on the table; the player of seat 1 has lost, and is given his bet back."""
    house.closes()
    house.sealed(1, 2, 3, 4)
    house.ask(ask.VoidHand(TABLE, 1, "carta expuesta", BY), CARLA)
    yield Seen("void_late", 1, ("carla",))


def what_was_voided_is_cashed_before_a_chief_signs(house: House) -> Iterator[Found]:
    yield Prevented(house.refuses(ask.CashOut(TABLE, 1, BY), CARLA))
    yield Prevented(house.refuses(ask.LeaveCredits(TABLE, 1, BY, BY), DIEGO, JEFE))
    yield Prevented(house.refuses(ask.SignVoid(TABLE, 1, BY), CARLA))


def a_chief_voids_and_signs_it_himself(house: House) -> Iterator[Found]:
    house.ask(ask.VoidHand(TABLE, 2, "carta expuesta", BY), JEFE)
    yield Prevented(house.refuses(ask.SignVoid(TABLE, 2, BY), JEFE))
    yield Seen("void_late", 2, ("jefe",))
    yield Seen("tried", 0, ("jefe",))


def a_friendly_chief_signs_what_he_did_not_see(house: House) -> Iterator[Found]:
    house.ask(ask.SignVoid(TABLE, 1, BY), JEFE)
    house.ask(ask.CashOut(TABLE, 1, BY), CARLA)
    yield Seen("signed", 1, ("jefe",))


def a_pass_is_voided_because_a_stranger_won(house: House) -> Iterator[Found]:
    house.ask(ask.VoidPass(TABLE, "mal repartido", BY), DIEGO)
    yield Seen("void_late", 3, ("diego",))


# With what is over


def a_late_winner_by_two_without_cards(house: House) -> Iterator[Found]:
    old = house.sealed(3, 4)
    house.closes()
    house.sealed(3, 4)
    late = ask.CorrectClaim(TABLE, old, (Hand(3, claimed="full"),), "no se anotó", BY, BY, recording="cámara 4, 22:10")
    yield Prevented(house.refuses(late, CARLA, JEFE))


def a_correction_with_a_recording_that_does_not_exist(house: House) -> Iterator[Found]:
    """The record cannot look at the recording; it says who named it, and which."""
    old = house.table().number - 1
    hands = (Hand(3, cards=FULL),)
    none = ask.CorrectClaim(TABLE, old, hands, "no se anotó", BY, BY)
    yield Prevented(house.refuses(none, CARLA, JEFE))
    alone = ask.CorrectClaim(TABLE, old, hands, "no se anotó", BY, None, recording="grabación 9999")
    yield Prevented(house.refuses(alone, JEFE))
    house.ask(ask.CorrectClaim(TABLE, old, hands, "no se anotó", BY, BY, recording="grabación 9999"), CARLA, JEFE)
    yield Seen("late", 3, ("carla", "jefe"))


# With credits


def players_buy_credits_in_a_training(house: House) -> Iterator[Found]:
    house.closes()
    house.cashes()
    yield Prevented(house.refuses(ask.StartTraining(TABLE, BY, BY), CARLA, DIEGO))
    house.ask(ask.StartTraining(TABLE, BY, BY), CARLA, JEFE)
    (sold,) = house.ask(ask.BuyCredits(TABLE, 5, 50, BY), CARLA)
    assert sold["practice"], "it is said to be no money"
    house.ask(ask.EndTraining(TABLE, BY), JEFE)
    yield Seen("training", 0, ("carla", "jefe"))


def credits_are_set_aside_and_handed_to_a_friend(house: House) -> Iterator[Found]:
    house.ask(ask.BuyCredits(TABLE, 4, 10, BY), CARLA)
    yield Prevented(house.refuses(ask.LeaveCredits(TABLE, 4, BY, BY), JEFE, JEFE))
    (left,) = house.ask(ask.LeaveCredits(TABLE, 4, BY, BY), CARLA, JEFE)
    yield Seen("left", 4, ("carla", "jefe"))
    yield Prevented(house.refuses(ask.PayLeft(TABLE, left["amount"], BY, BY), CARLA, DIEGO))
    house.ask(ask.PayLeft(TABLE, left["amount"], BY, BY), CARLA, JEFE)
    yield Seen("left", 0, ("carla", "jefe"))


def two_chiefs_count_cash_and_clear(house: House) -> Iterator[Found]:
    house.ask(ask.CountSeat(TABLE, 5, 900_000, BY, BY), JEFE, JEFA)
    house.ask(ask.CashOut(TABLE, 5, BY), JEFE)
    house.ask(ask.ClearSuspense(TABLE, "error de conteo", BY, BY), JEFE, JEFA)
    yield Seen("count", 5, ("jefe", "jefa"))
    yield Seen("cleared", 0, ("jefe", "jefa"))


# With the table


def a_lamp_is_said_to_be_dark(house: House) -> Iterator[Found]:
    """The bet goes back while betting is open, to whoever knows better by then."""
    house.opens(3, 6)
    house.bets(3, 6)
    house.ask(ask.LampDark(TABLE, 3, BY), CARLA)
    yield Seen("lamp", 3, ("carla",))


def a_lamp_is_said_to_be_dark_after_the_cards(house: House) -> Iterator[Found]:
    house.ask(ask.Lock(TABLE, BY), CARLA)
    house.until(lambda view: view.tables[0].phase == "sealed")
    yield Prevented(house.refuses(ask.LampDark(TABLE, 6, BY), CARLA))


def a_lamp_test_hides_that_a_lamp_was_dark(house: House) -> Iterator[Found]:
    house.closes()
    house.ask(ask.TellLamps(TABLE, (2,), BY), CARLA)
    yield Seen("lamp", 0, ("carla",))


def a_seat_is_closed_to_refuse_a_bet(house: House) -> Iterator[Found]:
    house.opens(6)
    house.ask(ask.CloseSeat(TABLE, 6, "sin motivo", BY), CARLA)
    yield Seen("seat", 6, ("carla",))


def a_technician_clears_faults_and_opens_the_seat(house: House) -> Iterator[Found]:
    yield Prevented(house.refuses(ask.OpenPass(TABLE, BY), TITO))
    house.ends_the_pass()
    house.do(Deed.CLEAR_FAULTS, TITO, table=TABLE, seat=6)
    house.ask(ask.OpenSeat(TABLE, 6, BY), TITO)
    yield Seen("device", 6, ("tito",))
    yield Seen("seat", 6, ("tito",))


def a_unit_is_swapped_for_one_that_has_forgotten(house: House) -> Iterator[Found]:
    """What the player had on it is not subtracted from anything: the seat closes until two have counted it."""
    house.opens(4)
    house.casino.desk("unit 4 forget", "unit 4 reboot")
    house.until(lambda view: view.tables[0].seats[3].closed)
    yield Seen("device", 4, ())
    yield Prevented(house.refuses(ask.OpenSeat(TABLE, 4, BY), CARLA))
    house.ends_the_pass()


# With people


def one_person_signs_twice(house: House) -> Iterator[Found]:
    money = ask.MoveMoney(POT, "house", "main", 1_000_000, "Res. 7", BY, BY)
    yield Prevented(house.refuses(money, ANA, ANA))
    yield Prevented(house.refuses(money, ANA, CARLA))


def an_administrator_enrols_a_second_self(house: House) -> Iterator[Found]:
    told = {"roles": ("chief",), "new_pin": "900900"}
    for person, name in (("Ana", "Otra"), ("ana2", "ÁNA"), ("anna", "Аna")):  # the last one is Cyrillic
        yield Prevented(house.refuses(Deed.ENROL, ANA, LUIS, person=person, name=name, known=True, **told))
    yield Prevented(house.refuses(Deed.ENROL, ANA, LUIS, person="nuevo", name="Nuevo", **told))
    yield Seen("tried", 0, ("ana",))


def two_administrators_enrol_an_accomplice(house: House) -> Iterator[Found]:
    told = {"roles": ("chief",), "new_pin": "900900", "known": True}
    house.do(Deed.ENROL, ANA, LUIS, person="primo", name="Un Primo", **told)
    yield Seen("people", 0, ("ana", "luis"))


def a_croupier_administers_for_an_hour(house: House) -> Iterator[Found]:
    told = {"new_pin": "555555", "known": True}
    both = ("administrator", "croupier")
    yield Prevented(house.refuses(Deed.ENROL, ANA, LUIS, person="diego", name="Diego", roles=both, **told))
    yield Prevented(house.refuses(Deed.ENROL, ANA, LUIS, person="diego", name="Diego", roles=both[:1], **told))


def a_croupier_tries_the_pin_of_a_chief(house: House) -> Iterator[Found]:
    guess = JEFA._replace(pin="123123")
    yield Prevented(house.refuses(ask.SignVoid(TABLE, 2, BY), guess))
    yield Seen("pin", 0, ("jefa",))


def an_auditor_sells_credits(house: House) -> Iterator[Found]:
    yield Prevented(house.refuses(ask.BuyCredits(TABLE, 1, 5, BY), INES))


# With plans, days and laws


def money_is_moved_to_be_won(house: House) -> Iterator[Found]:
    house.ask(ask.MoveMoney(POT, "house", "main", 1_000_000, "Res. 7", BY, BY), ANA, JEFE)
    yield Seen("moved", 0, ("ana", "jefe"))


def a_changed_law_under_an_old_name(house: House) -> Iterator[Found]:
    plan, law = house.documents()
    richer = law.replace("[paytable.full]\ntimes = 100\n", "[paytable.full]\ntimes = 300\n")
    assert richer != law, "Full pays more"
    yield Prevented(house.refuses(ask.StagePlan(plan, richer, BY, BY), ANA, JEFE))
    yield Seen("tried", 0, ("ana",))


def a_plan_is_withdrawn_at_night(house: House) -> Iterator[Found]:
    plan, law = house.documents()
    house.opens(6)
    house.ask(ask.StagePlan(plan.replace("N° 100/2026", "N° 101/2026"), law, BY, BY), ANA, JEFE)
    house.ask(ask.WithdrawPlan(POT, BY), LUIS)
    yield Seen("plan", 0, ("ana", "jefe"))
    yield Seen("plan", 0, ("luis",))


def a_day_gets_another_name(house: House) -> Iterator[Found]:
    house.ends_the_pass()
    house.renames(JEFE, ANA)
    yield Seen("day", 0, ("jefe", "ana"))


STORIES = (
    a_seed_is_planted_before_the_day,
    a_chief_claims_confirms_and_pays_alone,
    an_award_is_split_to_stay_under_the_threshold,
    a_croupier_claims_for_a_seat_that_did_not_bet,
    a_croupier_enters_a_poker_on_his_word,
    a_croupier_pays_what_nobody_confirmed,
    a_second_claim_of_the_same_pass,
    a_true_claim_is_rejected_and_entered_for_another_seat,
    an_award_is_set_aside_and_collected_by_a_friend,
    a_croupier_voids_a_hand_that_lost,
    what_was_voided_is_cashed_before_a_chief_signs,
    a_chief_voids_and_signs_it_himself,
    a_friendly_chief_signs_what_he_did_not_see,
    a_pass_is_voided_because_a_stranger_won,
    a_late_winner_by_two_without_cards,
    a_correction_with_a_recording_that_does_not_exist,
    players_buy_credits_in_a_training,
    credits_are_set_aside_and_handed_to_a_friend,
    two_chiefs_count_cash_and_clear,
    a_lamp_is_said_to_be_dark,
    a_lamp_is_said_to_be_dark_after_the_cards,
    a_lamp_test_hides_that_a_lamp_was_dark,
    a_seat_is_closed_to_refuse_a_bet,
    a_technician_clears_faults_and_opens_the_seat,
    a_unit_is_swapped_for_one_that_has_forgotten,
    one_person_signs_twice,
    an_administrator_enrols_a_second_self,
    two_administrators_enrol_an_accomplice,
    a_croupier_administers_for_an_hour,
    a_croupier_tries_the_pin_of_a_chief,
    an_auditor_sells_credits,
    money_is_moved_to_be_won,
    a_changed_law_under_an_old_name,
    a_plan_is_withdrawn_at_night,
    a_day_gets_another_name,
)
