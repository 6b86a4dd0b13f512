"""Every "no" has somebody who can hear it: each `Reason` is produced here through the core, or by a test of the rules."""

import re

import pytest

from controller.core import inputs as ask
from controller.core.facts import ClockWentBack, MoneyMoved
from controller.core.machine import too_long
from controller.core.values import Device, HeadLeft, Role, Signature
from controller.rules.refusal import Reason, parts_of
from support.floor.floor import (
    ANA,
    CARLA,
    DAY,
    JEFA,
    JEFE,
    LUIS,
    POKER,
    POT,
    ROYAL,
    RULESETS,
    SECRET,
    SEED,
    TABLE,
    TITO,
    Floor,
    hands_of,
    kinds,
    plan,
    prize,
)
from support.laws import naming
from support.nonces import nonce_of
from support.places import TESTS

# What the core never lets happen, and which test of the rules shows it.
OF_THE_RULES = {
    Reason.BET_NOT_WHOLE_UNITS: "rules/test_claims.py",  # a credit is whole units, and a bet whole credits
    Reason.PASS_OPEN: "rules/test_plan.py",  # the core lets a plan wait instead
    Reason.AWARD_PENDING: "rules/test_plan.py",
}
OF_LINKS = {
    Reason.POT_OF_ANOTHER: "core/links/test_proposals.py",
    Reason.NODE_NOT_BELOW: "core/links/test_proposals.py",
    Reason.PLAN_COMES: "core/links/test_proposals.py",
    Reason.TABLE_TO_EMPTY: "core/links/test_proposals.py",
    Reason.AWARD_WAITS: "core/links/test_shared_pot.py",
    Reason.AWARD_DECIDED: "core/links/test_advances.py",
    Reason.NO_ADVANCES: "core/links/test_advances.py",
    Reason.ADVANCE_TOO_MUCH: "core/links/test_advances.py",
    Reason.AWARD_FROZEN: "core/links/test_shared_pot.py",
    Reason.AWARD_ELSEWHERE: "core/links/test_shared_pot.py",
    Reason.CLAIM_ELSEWHERE: "core/links/test_shared_pot.py",
    Reason.POT_ELSEWHERE: "core/links/test_shared_pot.py",
    Reason.CORRECTION_AWAITED: "core/links/test_corrections.py",
}
# a browser that two persons let in.
OF_TERMINALS = dict.fromkeys(
    [
        Reason.TERMINAL_UNKNOWN, Reason.TERMINAL_NO_PLACE, Reason.TERMINAL_KEY_WRONG, Reason.TERMINAL_KEY_TAKEN,
        Reason.TERMINALS_FULL, Reason.WEB_KEY_WRONG,
    ],
    "core/node/test_terminals.py",
)  # fmt: skip
# an owner that was put back.
OF_RESTORED = {
    Reason.DECISIONS_COME_BACK: "core/links/test_owner_restored.py",
    Reason.LETTERS_COME_BACK: "core/links/test_member_restored.py",
    Reason.NOT_WHO_IS_MISSING: "core/links/test_owner_restored.py",
    Reason.NOTHING_COMES_BACK: "core/links/test_owner_restored.py",
    Reason.POT_LACKS: "core/links/test_owner_restored.py",
}
# with a neighbour.
OF_NEIGHBOURS = {
    **dict.fromkeys(
        [
            Reason.NEIGHBOUR_READ_ALIKE, Reason.NEIGHBOUR_STAYS, Reason.LINK_KEY_WRONG, Reason.LINK_KEY_TAKEN,
            Reason.NEIGHBOUR_REVOKED, Reason.OWNER_SILENT, Reason.OWNER_SILENT_BEHIND, Reason.OWNER_STOPPED, Reason.OWNER_REVOKED,
        ],
        "core/links/test_neighbours.py",
    ),
    **dict.fromkeys(
        [
            Reason.NEIGHBOUR_UNKNOWN, Reason.NEIGHBOUR_STOPPED, Reason.NEIGHBOUR_NOT_STOPPED, Reason.STREAM_NOT_ITS,
            Reason.NEIGHBOUR_SAYS_OTHER, Reason.NEIGHBOUR_SAME_EPOCH, Reason.DISPUTE_OPEN,
        ],
        "core/links/test_streams.py",
    ),
    **dict.fromkeys(
        [
            Reason.POT_IS_OURS, Reason.OWNER_NOT_REVOKED, Reason.OWNER_INSIDE, Reason.POT_LEFT, Reason.PASS_OF_ANOTHER,
        ],
        "core/links/test_leaving.py",
    ),
    **dict.fromkeys([Reason.NEVER_FED, Reason.STILL_FEEDS, Reason.SHARE_OPEN], "core/links/test_shares.py"),
    **OF_RESTORED,
    **dict.fromkeys([Reason.DISPUTE_UNKNOWN, Reason.DISPUTE_NOT_OURS], "core/links/test_disputes.py"),
    **dict.fromkeys([Reason.DISPUTE_CLAIM_FIRST, Reason.CLAIM_NOT_TAKEN], "core/links/test_doubted.py"),
}  # fmt: skip
LAW = {"prizes": [prize("Seña", drawn="card"), prize("Jugador")]}


def bare(asked):
    return lambda _floor: asked


def chips_fell(asked):
    """R-4: between two passes, so that all of it is owed."""

    def how(floor):
        floor.report(1, chips=1)
        return asked

    return how


def in_open_pass(asked):
    def how(floor):
        floor.open_pass()
        return asked

    return how


def after_seal(asked, *drawn):
    def how(floor):
        floor.sealed({1: 2, 2: 2})
        for each in drawn:
            floor.ask(each)
        return asked

    return how


def long_over(asked):
    """R-35: after the table's next seal."""

    def how(floor):
        floor.sealed({1: 2, 2: 2})
        for each in NOT_DRAWN:
            floor.ask(each)
        floor.close_pass()
        floor.sealed({1: 2})
        return asked

    return how


def after_claim(asked, *before):
    def how(floor):
        floor.sealed({1: 2, 2: 2})
        floor.claim((1, "full"))
        for each in before:
            floor.ask(each)
        return asked

    return how


def after(*before, asked):
    def how(floor):
        for each in before:
            floor.ask(each)
        return asked

    return how


def voided(asked):
    """R-36: a bet of a sealed pass, given back."""

    def how(floor):
        floor.sealed({1: 2})
        floor.ask(ask.VoidHand(TABLE, 1, "x", JEFA))
        return asked

    return how


def claim(*hands, table=TABLE, **more):
    return ask.RegisterClaim(table, hands_of(hands), CARLA, **more)


def enrol(**how):
    said = {
        "person": "nuevo",
        "name": "N",
        "roles": (Role.CROUPIER,),
        "secret": SECRET,
        "by": ANA,
        "second": LUIS,
        "known": True,
        **how,
    }
    return ask.EnrolPerson(**said)


def stage(document):
    return ask.StagePlan(document, RULESETS["scj-2023"], ANA, LUIS)


AWARD = "DP-01/1/1/1"
NONCE = nonce_of("2026-11-19")
CONFIRM, PAY = ask.ConfirmAward(AWARD, JEFA, JEFE), ask.PayAward(AWARD, CARLA)
REJECT = ask.RejectClaim("DP-01/1/1", "x", JEFA, JEFE)
WRONG = Signature("carla", verified=False)
CARD = ask.Draw(TABLE, "Seña", hit=True, card="Th")
FULL = ("2c", "2d", "2h", "3s", "3d")
NOT_DRAWN = tuple(ask.Draw(TABLE, name, hit=False) for name in ("Seña", "Jugador"))
DRAWN = ask.Draw(TABLE, "Jugador", hit=True, seat=1)


def correct(number, *hands):
    return ask.CorrectClaim(TABLE, number, hands_of(hands), "cámara", CARLA, JEFA)


def a_reserve_with_money(floor):
    floor.ask(ask.MoveMoney(POT, "house", "reserva", 1, "R", ANA, LUIS))
    return stage(plan(reserves={}, main=1_000_000))


def at_the_go_table(asked):
    def how(floor):
        floor.sealed({1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2}, "GO-01")
        return asked

    return how


SIGNED = {
    Reason.ALREADY_FOUNDED: bare(ask.FoundNode("n", "k", ("a", "b"))),
    Reason.EPOCH_NOT_NEWER: bare(ask.RestoreNode(1, "x", TITO, LUIS)),
    Reason.LEFT_WRONG: bare(ask.RestoreNode(9, "x", TITO, LUIS, HeadLeft(9, 5, "ab" * 32))),
    Reason.PERSON_UNKNOWN: bare(ask.UnlockPerson("nadie", JEFA)),
    Reason.PIN_WRONG: bare(ask.OpenPass(TABLE, WRONG)),
    Reason.SECRET_WRONG: bare(enrol(secret="corto")),  # noqa: S106  it is none
    Reason.ROLE_MISSING: bare(ask.OpenPass(TABLE, ANA)),
    Reason.ROLES_CLASH: bare(enrol(roles=(Role.AUDITOR, Role.CHIEF))),
    Reason.ADMINISTRATOR_IS_CROUPIER: bare(enrol(roles=(Role.ADMINISTRATOR, Role.CROUPIER))),
    Reason.CHANGES_SIDES: bare(enrol(person="luis", name="Luis")),
    Reason.NAME_READ_ALIKE: bare(enrol(name="Carla")),
    Reason.PERSON_NOT_KNOWN: bare(enrol(known=False)),
    Reason.ADMINISTRATORS_NEEDED: bare(enrol(person="luis", roles=())),
    Reason.NAME_WRONG: bare(enrol(person="a b")),
    Reason.TWO_PERSONS_NEEDED: bare(enrol(second=ANA)),
    Reason.PLAN_WRONG: bare(stage("")),
    Reason.LAW_NOT_ITS_NAME: bare(
        ask.StagePlan(plan(), RULESETS["scj-2023"].replace("minutes = 30", "minutes = 20"), ANA, LUIS)
    ),
    Reason.PLAN_NOT_STAGED: bare(ask.WithdrawPlan(POT, ANA)),
    Reason.TABLE_TAKEN: bare(stage(plan("otro"))),
    Reason.RESERVE_NOT_EMPTY: a_reserve_with_money,
    Reason.DAY_OPEN: bare(ask.OpenDay("2026-11-19", "0" * 64, JEFA)),
    Reason.DAY_NOT_OPEN: after(ask.CloseDay(SEED.hex(), JEFA), asked=ask.OpenPass(TABLE)),
    Reason.DAY_OUT_OF_ORDER: after(ask.CloseDay(SEED.hex(), JEFA), asked=ask.OpenDay("2026-11-17", "0" * 64, JEFA)),
    Reason.NONCE_WRONG: after(
        ask.CloseDay(SEED.hex(), JEFA), asked=ask.OpenDay("2026-11-19", "0" * 64, JEFA, "0" * 63)
    ),
    Reason.NONCE_USED: after(
        ask.CloseDay(SEED.hex(), JEFA), asked=ask.OpenDay("2026-11-19", "0" * 64, JEFA, nonce_of(DAY))
    ),
    Reason.SEED_FOUND: after(
        ask.CloseDay(SEED.hex(), JEFA), asked=ask.OpenDay("2026-11-19", "0" * 64, JEFA, NONCE, "/mnt/nas/x.seed")
    ),
    Reason.COMMITMENT_WRONG: after(ask.CloseDay(SEED.hex(), JEFA), asked=ask.OpenDay("2026-11-19", "0", JEFA, NONCE)),
    Reason.DAY_NO_DATE: after(ask.CloseDay(SEED.hex(), JEFA), asked=ask.OpenDay("mañana", "0" * 64, JEFA)),
    Reason.DAY_FAR: after(ask.CloseDay(SEED.hex(), JEFA), asked=ask.OpenDay("2026-11-20", "0" * 64, JEFA)),
    Reason.REASON_MISSING: bare(ask.RenameDay("2026-11-17", " ", JEFA, JEFE)),
    Reason.SEED_IS_THERE: bare(ask.LoseSeed(SEED.hex(), "disco", JEFA, JEFE)),
    Reason.SEED_IS_LOST: after(ask.LoseSeed("", "disco", JEFA, JEFE), asked=ask.LoseSeed("", "disco", JEFA, JEFE)),
    Reason.SEED_WRONG: bare(ask.CloseDay("0" * 64, JEFA)),
    Reason.RESOLUTION_MISSING: bare(ask.MoveMoney(POT, "house", "main", 1, "", ANA, LUIS)),
    Reason.POT_UNKNOWN: bare(ask.MoveMoney("x", "house", "main", 1, "R", ANA, LUIS)),
    Reason.PART_UNKNOWN: bare(ask.MoveMoney(POT, "x", "main", 1, "R", ANA, LUIS)),
    Reason.NOT_ENOUGH: bare(ask.PayLeft(TABLE, 1, JEFA, ANA)),
    Reason.TRAINING_ON: after(ask.StartTraining(TABLE, JEFA, ANA), asked=ask.StartTraining(TABLE, JEFA, ANA)),
    Reason.TRAINING_OFF: bare(ask.EndTraining(TABLE, JEFA)),
    Reason.VOID_UNSIGNED: voided(ask.CashOut(TABLE, 1, CARLA)),
    Reason.OWN_ENTRY: voided(ask.SignVoid(TABLE, 1, JEFA)),
    Reason.MONEY_ON_TABLE: after(ask.BuyCredits(TABLE, 1, 1, CARLA), asked=ask.StartTraining(TABLE, JEFA, ANA)),
}
AT_A_TABLE = {
    Reason.TABLE_UNKNOWN: bare(ask.OpenPass("X-9")),
    Reason.SEAT_NOT_THERE: bare(ask.CashOut(TABLE, 7, CARLA)),
    Reason.PASS_IN_PROGRESS: in_open_pass(ask.OpenPass(TABLE)),
    Reason.PASS_NOT_OPEN: bare(ask.Lock(TABLE)),
    Reason.PASS_NOT_SEALED: in_open_pass(ask.ClosePass(TABLE)),
    Reason.DRAW_DUE: after_seal(ask.ClosePass(TABLE)),
    Reason.NO_BET: in_open_pass(ask.VoidHand(TABLE, 1, "x", CARLA)),
    Reason.SEAT_IS_OPEN: bare(ask.OpenSeat(TABLE, 1, TITO)),
    Reason.SEAT_CLOSES_LATER: after_seal(ask.OpenSeat(TABLE, 1, TITO), ask.CloseSeat(TABLE, 1, "x", JEFA)),
    Reason.LAMP_AFTER_LOCK: after_seal(ask.LampDark(TABLE, 1, CARLA)),
    Reason.CHIEF_NOT_TOLD: chips_fell(ask.PayOwed(TABLE, 1, CARLA)),
    Reason.NOT_A_CHIEF: chips_fell(ask.PayOwed(TABLE, 1, CARLA, "carla")),
    Reason.SEAT_UNCOUNTED: after(
        ask.SeatReport(TABLE, 1, Device(1, 1, 1)),
        ask.SeatReport(TABLE, 1, Device(1, 1, 1, bets=1)),
        asked=ask.OpenSeat(TABLE, 1, TITO),
    ),
    Reason.SEAT_IS_CLOSED: after(ask.CloseSeat(TABLE, 1, "x"), asked=ask.CloseSeat(TABLE, 1, "x")),
    Reason.SEAT_CLOSED: after(ask.CloseSeat(TABLE, 1, "x"), asked=ask.BuyCredits(TABLE, 1, 1, CARLA)),
    Reason.AMOUNT_WRONG: bare(ask.BuyCredits(TABLE, 1, 0, CARLA)),
    Reason.NOTHING_THERE: bare(ask.CashOut(TABLE, 1, CARLA)),
    Reason.DRAW_NOT_DUE: bare(ask.Draw(TABLE, "Jugador", hit=False)),
    Reason.DRAW_IMPOSSIBLE: after_seal(ask.Draw(TABLE, "Jugador", hit=True, seat=3)),
    Reason.CARD_NOT_DRAWN: after_seal(ask.ShowCard(TABLE, "Seña", 1, CARLA)),
    Reason.CARD_NOT_HELD: after_seal(ask.ShowCard(TABLE, "Seña", 2, CARLA), CARD, claim((1, ROYAL))),
    Reason.CARD_SHOWN: after_seal(claim((1, ROYAL)), CARD, ask.ShowCard(TABLE, "Seña", 2, CARLA)),
    Reason.PRIZE_BEFORE_CLOSE: after_seal(
        ask.PayAward("DP-01/1/p2/1", CARLA),
        ask.Draw(TABLE, "Jugador", hit=True, seat=1),
        ask.ConfirmAward("DP-01/1/p2/1", JEFA, JEFE),
    ),
}
WON = {
    Reason.NOT_LOCKED: in_open_pass(claim((1, "full"))),
    Reason.SEAT_UNKNOWN: after_seal(claim((7, "full"))),
    Reason.SEAT_TWICE: after_seal(claim((1, "full"), (1, "color"))),
    Reason.COMMUNITY_COUNT: after_seal(claim((1, ROYAL), community=("2c",))),
    Reason.HAND_INCOMPLETE: after_seal(claim((1, ("2c",)))),
    Reason.CARD_TWICE: after_seal(claim((1, ROYAL), (2, ROYAL))),
    Reason.SEAT_DID_NOT_BET: after_seal(claim((6, "full"))),
    Reason.CARD_WRONG: after_seal(claim((1, ("??",)))),
    Reason.WORD_WRONG: after_seal(claim((1, "trío"))),
    Reason.ACT_NOT_IN_GAME: after_seal(claim((1, "full", "bought"))),
    Reason.HAND_IS_NOT_THAT: after_seal(ask.RegisterClaim(TABLE, (ask.Hand(1, (), POKER, "full"),), CARLA)),
    Reason.NOT_IN_PAYTABLE: after_seal(claim((1, "escalera"))),
    Reason.CARDS_REQUIRED: after_seal(claim((1, "escalera_real"))),
    Reason.HAND_IMPOSSIBLE: at_the_go_table(claim((1, "color"), table="GO-01", community=("2c", "3d"))),
    Reason.HANDS_IMPOSSIBLE_TOGETHER: at_the_go_table(
        claim(*((seat, "color") for seat in (1, 2, 3, 4)), table="GO-01", community=("2c", "7c"))
    ),
    Reason.CLAIM_STANDS: after_claim(claim((1, "full"))),
    Reason.CLAIM_UNKNOWN: bare(REJECT),
    Reason.CLAIM_REJECTED: after_claim(REJECT, REJECT),
    Reason.VOID_AFTER_PAYMENT: after_claim(ask.VoidPass(TABLE, "x", JEFA), CONFIRM, PAY),
    Reason.AWARD_UNKNOWN: bare(PAY),
    Reason.AWARD_CONFIRMED: after_claim(CONFIRM, CONFIRM),
    Reason.AWARD_PAID: after_claim(PAY, CONFIRM, PAY),
    Reason.NOT_CONFIRMED: after_claim(PAY),
    Reason.AWARD_ASIDE: after_claim(ask.SetAside(AWARD, "x", CARLA, JEFA), ask.SetAside(AWARD, "x", CARLA, JEFA)),
    Reason.PASS_UNKNOWN: bare(correct(1)),
    Reason.PASS_VOID: after_seal(correct(1), ask.VoidPass(TABLE, "x", JEFA)),
    Reason.PASS_LONG_OVER: long_over(claim((1, "full"), number=1)),
    Reason.NOTHING_REGISTERED: after_seal(correct(1)),
    Reason.NOTHING_TO_CORRECT: after_claim(correct(1, (1, "full"))),
    Reason.PRIZE_STANDS: after_seal(ask.GrantAnew("DP-01/1/p2", "x", JEFA, JEFE), DRAWN),
    Reason.CARDS_FOR_LATE: long_over(correct(1, (1, "full"))),
    Reason.RECORDING_MISSING: long_over(correct(1, (1, FULL))),
}
# A press is no question of a person: what is refused is a fact of the seat, and the unit gives the credits back.
PRESSED = {
    Reason.TABLE_LOCKED: (0, 5),
    Reason.BET_MADE: (2, 5),
    Reason.NOT_ENOUGH_CREDITS: (21,),
    Reason.BELOW_LIMIT: (1,),
    Reason.ABOVE_LIMIT: (6,),
}
OTHERWISE = {
    Reason.SEAT_GONE,
    Reason.CONFIRMS_OWN,
    Reason.NOT_FOUNDED,
    Reason.OVER_CEILING,
    Reason.TOO_LONG,
    Reason.ASK_AGAIN,
}
OF_THE_FIRST_READING = {
    Reason.ALREADY_PAID, Reason.CLAIM_EXISTS, Reason.CLAIM_PENDING, Reason.NOTHING_PAID_YET, Reason.WINNERS_DIFFER,
    Reason.NO_LATE_WINNER, Reason.PERSON_LOCKED,
}  # fmt: skip


@pytest.mark.parametrize("reason", [*SIGNED, *AT_A_TABLE, *WON], ids=lambda reason: reason.code)
def test_r27_every_refusal_has_its_name_its_rule_and_a_sentence(reason):
    floor = Floor(plan(**LAW), naming(RULESETS["scj-2023"], "Seña"))
    asked = {**SIGNED, **AT_A_TABLE, **WON}[reason](floor)
    assert floor.reason(asked) == reason.code

    _, refused = floor.record[-1]
    assert (refused.rule, refused.ask) == (reason.rule, asked.__struct_config__.tag)
    assert refused.where and refused.message.endswith((".", ")"))
    assert "Traceback" not in refused.message and re.fullmatch(r"R-\d+", refused.rule)
    names = set(re.findall(r"\{(\w+)", reason.sentence))
    assert parts_of(reason.code, refused.message).keys() == names, (
        "what it was filled with can be told in another language"
    )


def test_of_a_sentence_that_is_not_the_reasons_own_nothing_is_told():
    assert parts_of("seat_closed", "Otra cosa.") == {} == parts_of("said_by_an_earlier_program", "Otra cosa.")
    assert parts_of("seat_closed", Reason.SEAT_CLOSED.sentence.format(seat=3)) == {"seat": "3"}


@pytest.mark.parametrize("reason", PRESSED, ids=lambda reason: reason.code)
def test_r5_a_press_that_is_refused_says_why(reason):
    floor = Floor(plan(least=2_000))
    floor.buy(1, 20)
    if reason is not Reason.TABLE_LOCKED:
        floor.open_pass()
    for pressed in PRESSED[reason]:
        facts = floor.report(1, bets=pressed)

    assert facts[0].reason == reason.code


def test_r27_a_record_without_its_node_answers_nothing_else():
    assert Floor(founded=False).reason(ask.OpenPass(TABLE)) == Reason.NOT_FOUNDED.code


def test_r24_money_that_is_moved_does_not_pass_the_ceiling_either():
    floor = Floor(plan(ceiling=6_000_000))

    over = floor.ask(ask.MoveMoney(POT, "house", "main", 1_000_001, "R", ANA, LUIS))[0]
    assert (over.reason, over.where) == (Reason.OVER_CEILING.code, "amount")
    assert kinds(floor.ask(ask.MoveMoney(POT, "house", "main", 1_000_000, "R", ANA, LUIS))) == [MoneyMoved]


def test_r27_an_input_that_no_record_would_hold_is_refused_with_whose_it_was():
    floor = Floor()
    asked = ask.VoidPass(TABLE, "x" * 10, JEFA)
    (refused,) = too_long(floor.state, asked, floor.state.clock, 9)
    went_back, same = too_long(floor.state, asked, floor.state.clock - 1, 9)

    assert same == refused
    assert went_back == ClockWentBack(floor.state.clock, floor.state.clock - 1)
    assert (refused.reason, refused.by, refused.ask) == (Reason.TOO_LONG.code, "jefa", "void_pass")
    assert "9 bytes" in refused.message


def test_r27_a_guess_at_a_pin_counts_also_in_a_request_that_is_too_long():
    floor = Floor()
    (refused,) = too_long(
        floor.state, ask.VoidPass(TABLE, "x" * 10, Signature("jefa", verified=False)), floor.now + 1, 9
    )
    assert refused.reason == Reason.PIN_WRONG.code
    floor.hear(refused, floor.now)

    assert floor.state.people["jefa"].failures == 1


@pytest.mark.parametrize("seat", [0, 7, -1, 10**30])
def test_r7_a_seat_that_the_table_does_not_have(seat):
    floor = Floor()
    for asked in (
        ask.VoidHand(TABLE, seat, "x", CARLA),
        ask.CashOut(TABLE, seat, CARLA),
        ask.OpenSeat(TABLE, seat, TITO),
    ):
        assert floor.reason(asked) == Reason.SEAT_NOT_THERE.code


@pytest.mark.parametrize("field", [*Device.__struct_fields__, "cut", "bet_seq"])
def test_r2_what_no_unit_can_count_to_is_refused(field):
    floor = Floor()
    for value in (-1, 2**32, 10**30):
        device = Device(
            **{"serial": 1, "epoch": 1, "seq": 1, **({field: value} if field in Device.__struct_fields__ else {})}
        )
        more = {} if field in Device.__struct_fields__ else {field: value}
        assert floor.reason(ask.SeatReport(TABLE, 1, device, **more)) == Reason.AMOUNT_WRONG.code
        assert f"{value} " in floor.record[-1][1].message and "4294967295" in floor.record[-1][1].message


@pytest.mark.parametrize("reason", ["", " ", "\n"])
def test_r27_a_seat_is_closed_for_a_reason(reason):
    assert Floor().reason(ask.CloseSeat(TABLE, 1, reason, CARLA)) == Reason.NOTHING_THERE.code


@pytest.mark.parametrize("reason", OF_THE_RULES | OF_NEIGHBOURS, ids=lambda reason: reason.code)
def test_reasons_that_only_the_rules_or_a_neighbour_give_have_a_test_there(reason):
    assert f"Reason.{reason.name}" in (TESTS / (OF_THE_RULES | OF_NEIGHBOURS)[reason]).read_text()


@pytest.mark.parametrize("reason", OF_LINKS | OF_TERMINALS, ids=lambda reason: reason.code)
def test_reasons_that_only_shared_pots_or_terminals_give_have_a_test_there(reason):
    assert f'"{reason.code}"' in (TESTS / (OF_LINKS | OF_TERMINALS)[reason]).read_text()


def test_every_reason_is_given_by_somebody():
    given = [
        *SIGNED,
        *AT_A_TABLE,
        *WON,
        *PRESSED,
        *OF_THE_RULES,
        *OF_LINKS,
        *OF_TERMINALS,
        *OF_NEIGHBOURS,
        *OTHERWISE,
        *OF_THE_FIRST_READING,
    ]

    assert sorted(reason.name for reason in given) == sorted(reason.name for reason in Reason)
