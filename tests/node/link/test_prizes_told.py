"""R-31: what is owed of a pot is told to who shares it: all but his own, the newest, and only to a program that reads it."""

import pytest

from controller.core.values import Levels, Mark, Side
from controller.core.view import AwardView
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.judgement import LinkMarks
from controller.node.link.messages import MOST_PRIZES, Hello, PotMeter, PotPrize, PotPrizes, packed, unpacked
from controller.node.link.meters import METERS_EVERY, PRIZES_SINCE, prizes_of
from controller.node.vocabulary.inbox import LinkChanged, MeterHeard, PrizesHeard
from drivers.session import SECOND

NOW = 50 * SECOND
POT = "estelar"


def owed(award, amount=50_000, casino="puerto", **more):
    return AwardView(
        award, award.partition("/")[0], 3, "color", amount, confirmed=False, overdue=False, casino=casino, **more
    )


def above_of(neighbour, version=PRIZES_SINCE):
    """Who owns the pot, in a conversation with that casino."""
    talk = NeighbourTalk("norte", neighbour, Side.BELOW, NOW)
    talk.knows(LinkMarks(1, {f"pot:{POT}": Mark(1, 1, "ab" * 32)}, {}, {}, frozenset()))
    talk.line_up(NOW)
    talk.receive(packed(Hello(tuple(range(1, version + 1)), neighbour, 1, (1,), {}, {})), NOW)
    said(talk)
    return talk


def said(talk, now=NOW):
    found = []
    while (octets := talk.to_send(now)) is not None:
        found.append(unpacked(octets))
    return found


def below(version=PRIZES_SINCE):
    talk = NeighbourTalk("valle", "norte", Side.ABOVE, NOW)
    talk.knows(LinkMarks(1, {}, {}, {f"pot:{POT}": Mark(1, 1, "ab" * 32)}, frozenset()))
    talk.line_up(NOW)
    talk.receive(packed(Hello(tuple(range(1, version + 1)), "norte", 1, (1,), {}, {})), NOW)
    return talk


def events(talk):
    found = []
    while (event := talk.next_event()) is not None:
        found.append(event)
    return found


OWN, PUERTO, VALLE, BOX = (
    owed("DP-01/2/1/1", casino="norte"),
    owed("DP-01@puerto/7/1/1"),
    owed("DP-01@valle/7/1/1", casino="valle"),
    owed("CP-01@caja@valle/1/1/1", casino="valle"),
)


def test_r31_each_casino_hears_of_all_prizes_but_those_of_its_own_side():
    for neighbour, names in (("valle", {OWN.award, PUERTO.award}), ("puerto", {OWN.award, VALLE.award, BOX.award})):
        talk = above_of(neighbour)
        talk.meters([prizes_of(POT, (OWN, PUERTO, VALLE, BOX))])
        (word,) = said(talk, NOW + METERS_EVERY)
        assert {one.award for one in word.prizes} == names


def test_r31_they_are_called_as_lying_behind_who_told_it():
    talk = below()
    events(talk)
    talk.receive(packed(prizes_of(POT, (OWN, PUERTO))), NOW)

    (heard,) = events(talk)
    assert isinstance(heard, PrizesHeard) and (heard.neighbour, heard.pot) == ("norte", POT)
    assert [(one.award, one.table, one.casino, one.amount) for one in heard.awards] == [
        ("DP-01@norte/2/1/1", "DP-01@norte", "norte", 50_000),
        ("DP-01@puerto@norte/7/1/1", "DP-01@puerto@norte", "puerto", 50_000),
    ]


def test_r31_it_goes_at_once_before_the_amount_once_and_again_after_each_greeting():
    talk = above_of("valle")
    meter, prizes = PotMeter(POT, 1, 9, 0, {}, 1), prizes_of(POT, (PUERTO,))
    talk.meters([meter])
    talk.meters([prizes])
    assert said(talk, NOW + METERS_EVERY) == [prizes, meter], "who reads it sees why the pot fell"
    talk.meters([prizes])
    assert said(talk, NOW + 2 * METERS_EVERY) == []
    talk.meters([prizes_of(POT, ())])
    assert said(talk, NOW + 3 * METERS_EVERY) == [PotPrizes(POT, ())], "that it is over is news"

    talk.meters([prizes])
    talk.line_down(NOW)
    talk.line_up(NOW + SECOND)
    talk.receive(packed(Hello((1, 2, 3), "valle", 1, (1,), {}, {})), NOW + SECOND)
    assert said(talk, NOW + SECOND)[1:] == [prizes, meter]


def test_r28_an_earlier_program_is_told_the_amount_alone_and_the_link_stands():
    talk = above_of("valle", version=PRIZES_SINCE - 1)
    meter = PotMeter(POT, 1, 9, 0, {}, 1)
    talk.meters([meter, prizes_of(POT, (PUERTO,))])
    assert said(talk, NOW + METERS_EVERY) == [meter] and talk.up

    here = below(version=PRIZES_SINCE - 1)
    assert LinkChanged("norte", up=True) in events(here)
    here.receive(packed(meter), NOW)
    assert events(here) == [MeterHeard("norte", POT, 1, Levels(9, 0), 1)]


def test_r31_of_many_the_newest_are_told():
    talk = above_of("valle")
    many = [owed(f"DP-01@puerto/{number}/1/1") for number in range(100)]
    talk.meters([prizes_of(POT, many)])
    (word,) = said(talk, NOW + METERS_EVERY)
    assert [one.award for one in word.prizes] == [one.award for one in many[-MOST_PRIZES:]]


def test_r31_who_is_below_says_nothing_of_a_pot_of_ours():
    talk = above_of("valle")
    events(talk)
    talk.receive(packed(prizes_of(POT, (PUERTO,))), NOW)
    assert events(talk) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"award": "/7/1/1"}, {"award": "//7"}, {"award": "DP-01"}, {"award": "a\n/1"}, {"award": "x" * 400 + "/1"},
        {"seat": 0}, {"seat": 65}, {"amount": -1}, {"amount": 2**63}, {"prize": ""}, {"casino": "a\x07"},
    ],
)  # fmt: skip
def test_what_is_no_prize_is_not_read(wrong):
    good = {
        "award": "DP-01/7/1/1", "casino": "valle", "seat": 1, "prize": "color", "amount": 1, "confirmed": True,
        "promo": False, "waits": False,
    }  # fmt: skip
    assert unpacked(packed(PotPrizes(POT, (PotPrize(**good),)))) is not None
    assert unpacked(packed(PotPrizes(POT, (PotPrize(**(good | wrong)),)))) is None
