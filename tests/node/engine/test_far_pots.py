"""Pots of other nodes as they are shown: the newest word of the owner, and honestly how old it is (R-28, R-31)."""

import pytest
from msgspec.structs import replace

from controller.core.facts import LetterAcknowledged, LetterTold
from controller.core.inputs import SeeOwner
from controller.core.links.known import AwayTable, Dispute, Neighbour, Stopped
from controller.core.links.letters import PassOver
from controller.core.project import project
from controller.core.state import AwardNow, Claim, PotNow, State
from controller.core.values import Broken, Documents, Hand, Levels, Mark, RegisteredAward, Side
from controller.core.view import AwardView
from controller.node.engine.told import ANYWAY, LinksTold, NeighboursTold
from controller.node.link.links import MeterNow
from controller.node.link.messages import packed, unpacked
from controller.node.link.meters import prizes_of
from controller.node.publish.far_pots import NEVER, FarPots
from controller.node.publish.neighbours import (
    Unacknowledged,
    disputes_now,
    far_pots_now,
    link_alarms,
    neighbours_now,
)
from controller.node.vocabulary.inbox import MeterHeard, PrizesHeard
from drivers.session import SECOND
from support.core.book_cases import PLAN, RULESET

DOCUMENTS = Documents(PLAN, RULESET)
WALL = 1_800_000_000_000
HUB = Neighbour("hub", Side.ABOVE, "k", up=True, since=WALL - 60_000)
SALA = Neighbour("sala", Side.BELOW, "k", up=False, since=WALL - 5_000)
FAR = PotNow("estelar", DOCUMENTS, 5_000_000, {}, (), above="hub")
OURS = PotNow("casa", DOCUMENTS, 2_000_000, {"reserva": 300_000}, (0,))


def state(far=FAR, hub=HUB, **more):
    return State(
        node="casino", epoch=1, pots={"estelar": far, "casa": OURS}, neighbours={"hub": hub, "sala": SALA}, **more
    )


def meter(main, number=1, neighbour="hub", pot="estelar", at=WALL):
    return MeterHeard(neighbour, pot, number, Levels(main, 0), at)


def shown(far, of):
    return {sign.pot: (sign.main, sign.added) for sign in far.over(project(of)).signs}


@pytest.fixture
def far():
    far = FarPots()
    far.follow(state(), WALL, 100 * SECOND)
    return far


def test_before_its_owner_spoke_a_pot_is_as_old_as_the_last_word_of_its_neighbour(far):
    assert far.since() == {"estelar": 40 * SECOND} and shown(far, state())["estelar"] == (5_000_000, 0)

    never = FarPots()
    never.follow(state(hub=replace(HUB, since=0)), WALL, 100 * SECOND)
    assert never.since() == {"estelar": NEVER}


def test_the_newest_word_counts_and_what_the_pot_grew_by_is_shown_as_its_increment(far):
    assert far.heard(state(), meter(5_000_700), 101 * SECOND)
    assert shown(far, state()) == {"estelar": (5_000_700, 700), "casa": (2_000_000, 0)}
    assert far.since() == {"estelar": 101 * SECOND}

    decided = state(replace(FAR, main=4_500_000))
    far.follow(decided, WALL, 102 * SECOND)
    assert shown(far, decided)["estelar"] == (4_500_000, 700) and far.since()["estelar"] == 102 * SECOND


def test_a_fact_that_moves_nothing_in_the_pot_makes_no_amount_younger(far):
    far.heard(state(), meter(5_000_700), 101 * SECOND)
    far.follow(state(replace(FAR, moments_given=("x",))), WALL, 150 * SECOND)

    assert far.since()["estelar"] == 101 * SECOND
    assert shown(far, state())["estelar"][0] == 5_000_700


def test_only_the_owner_of_a_pot_says_what_is_in_it(far):
    assert not far.heard(state(), meter(1, neighbour="sala"), 0)
    assert not far.heard(state(), meter(1, pot="casa"), 0)
    assert not far.heard(state(), meter(1, pot="otro"), 0)
    assert shown(far, state())["estelar"][0] == 5_000_000


def test_what_did_not_change_is_the_same_value_so_that_a_sign_rests(far):
    view = project(state())
    far.heard(state(), meter(5_000_700), 101 * SECOND)
    one = far.over(view).signs[0]
    far.heard(state(), meter(5_000_700), 103 * SECOND)
    assert far.over(view).signs[0] is one


def test_a_pot_that_is_ours_again_has_no_age(far):
    ours = state(replace(FAR, above=""))
    far.follow(ours, WALL, 0)
    assert far.since() == {} and far.over(project(ours)) == project(ours)


# Whether the owner is heard behind the neighbour


def asked(far, of, second):
    return list(far.asks(of, second * SECOND))


def test_an_owner_whose_words_go_on_is_heard_and_nothing_is_said_of_him(far):
    for second in range(100, 200, 2):
        far.heard(state(), meter(5_000_000, at=WALL + second), second * SECOND)
        assert asked(far, state(), second + 1) == []


def test_a_word_that_is_told_again_is_none_and_the_amount_grows_older(far):
    far.heard(state(), meter(5_000_700), 101 * SECOND)
    assert asked(far, state(), 101) == []
    far.heard(state(), meter(5_000_700), 110 * SECOND)

    assert far.since() == {"estelar": 101 * SECOND}
    assert asked(far, state(), 110) == [] and asked(far, state(), 111) == [SeeOwner("estelar", up=False)]


SILENT = replace(FAR, silent=WALL)


def test_after_a_start_the_last_word_told_again_makes_nobody_heard_but_the_next_one_does(far):
    of = state(SILENT)
    far.follow(of, WALL, 100 * SECOND)
    assert asked(far, of, 100) == []
    far.heard(of, meter(5_000_700), 101 * SECOND)
    assert asked(far, of, 101) == []
    far.heard(of, meter(5_000_700, at=WALL + 2_000), 103 * SECOND)
    assert asked(far, of, 103) == [SeeOwner("estelar", up=True)]


def test_a_link_that_is_down_or_revoked_says_nothing_of_its_owner_and_one_that_came_back_is_given_time(far):
    for how in ({"up": False}, {"revoked": True}):
        assert asked(far, state(hub=replace(HUB, **how)), 1_000) == []
    assert asked(far, state(), 1_001) == [] == asked(far, state(), 1_010)
    assert asked(far, state(), 1_011) == [SeeOwner("estelar", up=False)]


def test_a_screen_says_that_the_owner_is_silent_behind_the_neighbour(far):
    of = state(replace(FAR, silent=WALL - 60_000))
    shown_now = far_pots_now(of, far.since(), 100 * SECOND)[0]

    assert (shown_now.up, shown_now.silent, shown_now.closes) == (False, WALL - 60_000, WALL + 29 * 60_000)
    assert "Más allá de hub no se oye al dueño del pozo estelar." in next(alarm.sentence for alarm in link_alarms(of))


# What a screen is told


def test_a_screen_sees_how_old_a_far_pot_is_and_until_when_passes_open_without_its_owner(far):
    up = far_pots_now(state(), far.since(), 100 * SECOND)[0]
    assert (up.pot, up.owner, up.up, up.age, up.closes) == ("estelar", "hub", True, 60_000, 0)

    down = far_pots_now(state(hub=replace(HUB, up=False)), far.since(), 100 * SECOND)[0]
    assert not down.up and down.closes == HUB.since + 30 * 60_000


def told(stream, number):
    return LetterTold(stream, 1, number, "", 1, PassOver("estelar", "M1", number, reviewed=True))


def test_a_screen_sees_what_waits_to_be_acknowledged_and_since_when():
    away = {"M1@sala": AwayTable("M1@sala", "sala", "casa", "draw")}
    before = state(away=away)
    written = Unacknowledged()
    for number in (1, 2, 3):
        written.follow([told("to:hub", number)], before, WALL + number)
    written.follow([told("pot:casa", 1), told("pot:otro", 1)], before, WALL + 9)
    marks = {"to:hub": Mark(1, 3, "c"), "pot:casa": Mark(1, 1, "d"), "pot:otro": Mark(1, 1, "d")}
    after = state(away=away, told=marks, acknowledged={"hub/to:hub": Mark(1, 1, "a")})
    written.follow([LetterAcknowledged("hub", "to:hub", Mark(1, 1, "a"))], after, WALL + 10)

    hub, sala = neighbours_now(after, written)

    assert (hub.neighbour, hub.side, hub.up, hub.waits, hub.oldest) == ("hub", Side.ABOVE, True, 2, WALL + 2)
    assert (sala.neighbour, sala.up, sala.waits, sala.oldest) == ("sala", False, 1, WALL + 9)


def test_what_waited_before_this_life_is_as_old_as_the_last_word():
    after = state(told={"to:hub": Mark(1, 5, "c")}, acknowledged={"hub/to:hub": Mark(1, 3, "a")})

    hub = neighbours_now(after, Unacknowledged())[0]

    assert (hub.waits, hub.oldest) == (2, HUB.since)


def test_somebody_must_look_at_a_link_that_is_down_a_neighbour_that_is_stopped_and_a_dispute():
    dispute = Dispute("sala", 7, "casa", "M1@sala", "M1@sala/9", 5_000, "limits")
    stopped = {"pot:estelar": Stopped(Broken.ROLLED_BACK, Mark(1, 3, "c"))}
    looked = state(hub=replace(HUB, up=False, stopped=stopped), disputes={"sala/7": dispute})

    sentences = [alarm.sentence for alarm in link_alarms(looked)]

    assert sentences == [
        "Sin enlace con hub. De sus pozos se pagan múltiplos y montos fijos; los porcentajes esperan.",
        "No se escucha más a hub (pot:estelar: olvidó lo que ya había dicho): lo revisan dos personas.",
        "Sin enlace con sala.",
        "Lo que dijo sala de M1@sala/9 no puede ser: lo deciden dos personas.",
    ]
    assert disputes_now(looked)[0].about == "M1@sala/9"
    revoked = state(hub=replace(HUB, up=False, revoked=True))
    assert [alarm.where for alarm in link_alarms(revoked)] == ["sala"]


# What neighbours are told


@pytest.fixture
def links():
    return []


@pytest.fixture
def telling(links):
    return NeighboursTold(
        LinksTold(lambda _, facts, seq: links.append(("committed", len(facts), seq)), links.append, lambda _: None)
    )


SHARED = {name: AwayTable(name, "sala", pot, "draw") for name, pot in (("M1@sala", "casa"), ("M2@sala", "estelar"))}


def test_own_pots_with_tables_of_others_are_told_when_they_move_and_every_two_seconds(telling, links):
    shared = state(away=SHARED, told={"pot:casa": Mark(1, 4, "c")})
    casa = {"casa": MeterNow(4, Levels(2_000_000, 0, {"reserva": 300_000}), WALL)}

    telling.turn(shared, [told("pot:casa", 4)], 70, ANYWAY, WALL)
    telling.turn(shared, [told("pot:casa", 4)], 70, ANYWAY + 1, WALL)
    assert links == [("committed", 1, 70), casa, ("committed", 1, 70)]
    telling.turn(shared, (), 70, 2 * ANYWAY - 1, WALL)
    assert len(links) == 3
    telling.turn(shared, (), 70, 2 * ANYWAY, WALL)
    assert links[3:] == [casa]


def test_a_pot_of_somebody_else_is_handed_on_when_he_spoke_and_never_else(telling, links):
    shared = state(away=SHARED)
    telling.turn(shared, (), 70, ANYWAY, WALL)
    assert [*links[0]] == ["casa"]

    telling.heard(meter(5_000_700, number=9))
    telling.turn(shared, (), 70, ANYWAY + 1, WALL + 1)
    assert links[1:] == [{"estelar": MeterNow(9, Levels(5_000_700, 0), WALL)}]
    telling.turn(shared, (), 70, 2 * ANYWAY, WALL)
    assert [*links[2]] == ["casa"]


def test_a_node_without_neighbours_tables_tells_no_meter(telling, links):
    telling.heard(meter(1))
    telling.turn(state(), (), 70, ANYWAY, WALL)
    assert links == []


def test_r21_a_percentage_that_waits_too_long_says_for_whom():
    late = AwardNow(RegisteredAward(1, 2, "escalera_color", 0), overdue=True, waits=True)
    claim = Claim("M1/7/1", "M1", "sala", "estelar", 7, 0, (Hand(2, cards=("5h",)),), {"M1/7/1/1": late})

    (alarm,) = project(state(claims={"M1/7/1": claim})).alarms

    assert alarm.sentence == "El premio M1/7/1/1 espera desde hace demasiado que el dueño de su pozo diga cuánto es."
    award = project(state(claims={"M1/7/1": claim})).signs[0].awards[0]
    assert award.waits and not award.frozen


# What is owed elsewhere


ELSEWHERE = AwardView(
    "D1@rey@hub/3/1/1", "D1@rey@hub", 2, "full", 100_000, confirmed=False, overdue=False, casino="rey"
)
WON = AwardNow(RegisteredAward(1, 2, "color", 50_000))


def owed_at(table, pot="casa", **more):
    claim = Claim(f"{table}/7/1", table, "sala", pot, 7, 0, (Hand(2, cards=("5h",)),), {f"{table}/7/1/1": WON})
    return state(away=SHARED, claims={claim.id: claim}, **more)


def names(owed):
    return {pot: [one.award for one in awards] for pot, awards in owed.items()}


def test_r31_what_is_owed_elsewhere_is_shown_until_it_is_said_no_more(far):
    assert far.heard(state(), PrizesHeard("hub", "estelar", (ELSEWHERE,)), 101 * SECOND)
    assert far.over(project(state())).signs[0].elsewhere == (ELSEWHERE,)
    far.heard(state(), meter(5_000_700), 103 * SECOND)
    assert far.over(project(state())).signs[0].elsewhere == (ELSEWHERE,), "an amount is no word about prizes"
    assert far.since() == {"estelar": 103 * SECOND}

    far.heard(state(), PrizesHeard("hub", "estelar", ()), 104 * SECOND)
    assert far.over(project(state())).signs[0].elsewhere == ()
    assert far.since() == {"estelar": 103 * SECOND}, "no word of the owner's about the amount"


def test_r31_only_who_is_above_says_what_is_owed_elsewhere(far):
    for neighbour, pot in (("sala", "estelar"), ("hub", "casa"), ("hub", "otro")):
        assert not far.heard(state(), PrizesHeard(neighbour, pot, (ELSEWHERE,)), 0)
    assert all(sign.elsewhere == () for sign in far.over(project(state())).signs)


@pytest.fixture
def owed():
    return []


@pytest.fixture
def teller(owed):
    return NeighboursTold(LinksTold(lambda *_: None, lambda _: None, owed.append))


def test_r31_a_prize_is_told_in_the_turn_that_registered_it_and_in_the_one_that_paid_it(teller, owed):
    for of, wanted in ((state(away=SHARED), []), (owed_at("M1@sala"), ["M1@sala/7/1/1"]), (state(away=SHARED), [])):
        teller.turn(of, [told("pot:casa", 1)], 70, 1, WALL)
        teller.turn(of, [told("pot:casa", 1)], 71, 2, WALL)
        assert names(owed.pop())["casa"] == wanted
        assert owed == [], "once"
    teller.turn(state(away=SHARED), (), 70, ANYWAY + 1, WALL)
    assert names(owed.pop()) == {"casa": [], "estelar": []}, "and again, for who came since"


def test_r31_a_prize_of_a_table_of_its_own_is_told_with_its_casino_in_words_that_are_understood(teller, owed):
    for table in ("M1", "M1@sala"):
        teller.turn(owed_at(table), (), 70, 1, WALL)
        (prize,) = owed.pop()["casa"]
        assert prize.casino == "sala"
        said = prizes_of("casa", (prize,))
        assert unpacked(packed(said)) == said


def test_r31_the_node_in_the_middle_hands_on_what_it_heard_beside_its_own(teller, owed):
    of = owed_at("M1", pot="estelar")
    teller.heard(PrizesHeard("hub", "estelar", (ELSEWHERE,)))
    teller.heard(PrizesHeard("hub", "casa", (ELSEWHERE,)))
    teller.turn(of, (), 70, 1, WALL)
    assert names(owed.pop()) == {"estelar": ["M1/7/1/1", ELSEWHERE.award], "casa": []}, "of its own pot nobody tells it"
    teller.heard(PrizesHeard("hub", "estelar", ()))
    teller.turn(of, (), 70, 2, WALL)
    assert names(owed.pop())["estelar"] == ["M1/7/1/1"]
