"""R-28: neighbours are pinned and revoked by two; how long a far pot is played without a word from its owner."""

import msgspec
import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import (
    AwardPaid,
    ClockStepped,
    ClockWentBack,
    LinkSeen,
    NeighbourPinned,
    NeighbourRevoked,
    NodeStarted,
    NothingNew,
    OwnerSeen,
    PassOpened,
)
from controller.core.links.known import Neighbour, Stopped
from controller.core.values import Broken, Mark, Side, Signature
from controller.rules.refusal import Reason
from support.core.neighbour import ABOVE, BELOW, Stream, key_of, pin
from support.floor.floor import ANA, CARLA, JEFA, JEFE, LUIS, POT, TABLE, TITO, Floor, kinds, plan, replayed

START = ask.StartNode("ab" * 32, "0f-1")
MINUTE = 60_000


def revoke(name=BELOW, reason="la robaron", by=ANA, second=JEFA):
    return ask.RevokeNeighbour(name, reason, by, second)


def far(document=None, since=MINUTE):
    """A floor whose pot a neighbour above owns; its link stood and broke so long ago."""
    floor = Floor(document)
    floor.ask(pin(ABOVE, Side.ABOVE))
    floor.ask(ask.SeeLink(ABOVE, up=True))
    floor.ask(ask.SeeLink(ABOVE, up=False))
    pot = floor.pot()
    seen_from_above = pot.documents.plan.replace("[[tables]]\n", '[[tables]]\nnode = "central"\n')
    documents = replace(pot.documents, plan=seen_from_above)
    floor.state = replace(floor.state, pots={POT: replace(pot, above=ABOVE, documents=documents)})
    floor.now += since
    return floor


# Whose key


def test_r28_a_neighbour_is_pinned_by_two_and_heard_of_by_its_name():
    floor = Floor()
    (fact,) = floor.ask(pin(BELOW, inside=True))

    assert fact == NeighbourPinned(BELOW, Side.BELOW, key_of(BELOW), "ana", "jefa", inside=True, tells=4)
    assert floor.state.neighbours == {BELOW: Neighbour(BELOW, Side.BELOW, key_of(BELOW), inside=True)}


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (pin("caja 1"), Reason.NAME_WRONG),
        (pin("caja@hub"), Reason.NAME_WRONG),
        (pin("central"), Reason.NEIGHBOUR_READ_ALIKE),
        (pin("Centra1"), Reason.NEIGHBOUR_READ_ALIKE),
        (pin("caja_2"), Reason.NEIGHBOUR_READ_ALIKE),
        (pin("caja-3", key="ab"), Reason.LINK_KEY_WRONG),
        (pin("caja-3", key=key_of(BELOW).upper()), Reason.LINK_KEY_WRONG),
        (pin("caja-3", key=key_of(BELOW)), Reason.LINK_KEY_TAKEN),
    ],
)
def test_r28_a_neighbour_has_a_name_and_a_key_that_are_nobody_else_s(asked, reason):
    floor = Floor()
    floor.ask(pin(BELOW))
    floor.ask(pin("caja-2"))

    assert floor.reason(asked) == reason.code


@pytest.mark.parametrize("asked", [pin(BELOW), revoke()])
@pytest.mark.parametrize(
    ("by", "second", "reason"),
    [
        (JEFE, JEFA, Reason.ROLE_MISSING),
        (ANA, CARLA, Reason.ROLE_MISSING),
        (TITO, JEFA, Reason.ROLE_MISSING),
        (ANA, ANA, Reason.TWO_PERSONS_NEEDED),
        (ANA, replace(JEFA, verified=False), Reason.PIN_WRONG),
    ],
)
def test_r28_one_person_alone_opens_no_link_and_closes_none(asked, by, second, reason):
    floor = Floor()

    assert floor.reason(replace(asked, by=by, second=second)) == reason.code


def test_r28_two_administrators_may_too():
    assert kinds(Floor().ask(replace(pin(BELOW), second=LUIS))) == [NeighbourPinned]


def test_r28_the_same_key_again_is_nothing_new():
    floor = Floor()
    floor.ask(pin(BELOW))

    assert kinds(floor.ask(pin(BELOW))) == [NothingNew]


def test_r28_another_key_under_its_name_and_its_streams_go_on():
    floor, stream = Floor(), Stream(BELOW, "to:central")
    floor.ask(pin(BELOW))
    floor.ask(ask.SeeLink(BELOW, up=True))
    floor.ask(stream.next())
    floor.ask(pin(BELOW, key=key_of("nueva")))

    known = floor.state.neighbours[BELOW]
    assert (known.key, known.up) == (key_of("nueva"), True)
    assert floor.state.heard == {f"{BELOW}/to:central": stream.mark}
    assert floor.ask(stream.next())[-1].mark == stream.mark


@pytest.mark.parametrize("asked", [pin(BELOW, Side.ABOVE), pin(BELOW, inside=True)])
def test_r28_what_a_neighbour_is_to_us_stays_once_something_was_shared(asked):
    floor, stream = Floor(), Stream(BELOW, "to:central")
    floor.ask(pin(BELOW))
    assert kinds(Floor().ask(asked)) == [NeighbourPinned]
    floor.ask(ask.StopNeighbour(BELOW, "to:central", Broken.GAP, Mark(1, 7, "")))
    assert kinds(floor.ask(pin(BELOW, inside=True))) == [NeighbourPinned]
    assert floor.state.neighbours[BELOW].stopped
    floor.ask(pin(BELOW, Side.ABOVE))
    assert not floor.state.neighbours[BELOW].stopped
    floor.ask(pin(BELOW))
    floor.ask(stream.next())

    assert floor.reason(asked) == Reason.NEIGHBOUR_STAYS.code


def test_r28_a_neighbour_whose_pot_is_played_here_stays_above():
    assert far().reason(pin(ABOVE)) == Reason.NEIGHBOUR_STAYS.code


def test_r28_who_is_revoked_is_heard_no_more_until_he_is_pinned_anew():
    floor, stream = Floor(), Stream(BELOW, "to:central")
    floor.ask(pin(BELOW))
    floor.ask(ask.SeeLink(BELOW, up=True))
    (fact,) = floor.ask(revoke())

    assert fact == NeighbourRevoked(BELOW, "la robaron", "ana", "jefa")
    known = floor.state.neighbours[BELOW]
    assert (known.revoked, known.up, known.since) == (True, False, floor.now)
    letter = stream.next()
    for asked in (letter, ask.SeeLink(BELOW, up=True), revoke()):
        assert floor.reason(asked) == Reason.NEIGHBOUR_REVOKED.code

    floor.ask(pin(BELOW, key=key_of("nueva")))
    assert not floor.state.neighbours[BELOW].revoked
    assert floor.ask(letter)[-1].mark == stream.mark
    floor.ask(revoke())
    assert kinds(floor.ask(pin(BELOW, key=key_of("nueva")))) == [NeighbourPinned]


def test_r28_nobody_is_revoked_who_is_not_known_or_without_a_reason():
    floor = Floor()
    assert floor.reason(revoke("otra")) == Reason.NEIGHBOUR_UNKNOWN.code
    floor.ask(pin(BELOW))

    assert floor.reason(revoke(reason=" ")) == Reason.REASON_MISSING.code


def test_r27_what_the_record_says_of_neighbours_is_what_the_node_knows():
    floor = far()
    floor.ask(pin(BELOW))
    floor.ask(revoke())

    assert replayed(floor.record).neighbours == floor.state.neighbours


# Whether the link stands


def test_r28_a_link_is_on_record_when_it_changes():
    floor = Floor()
    assert floor.reason(ask.SeeLink(ABOVE, up=True)) == Reason.NEIGHBOUR_UNKNOWN.code
    floor.ask(pin(ABOVE, Side.ABOVE))

    assert kinds(floor.ask(ask.SeeLink(ABOVE, up=False))) == [NothingNew]
    assert floor.ask(ask.SeeLink(ABOVE, up=True)) == (LinkSeen(ABOVE, up=True, since=floor.now),)
    assert kinds(floor.ask(ask.SeeLink(ABOVE, up=True))) == [NothingNew]
    assert floor.ask(ask.SeeLink(ABOVE, up=False)) == (LinkSeen(ABOVE, up=False, since=floor.now),)


@pytest.mark.parametrize(
    ("minutes", "document", "opens"),
    [
        (29, plan(), True),
        (30, plan(), False),
        (9, plan() + "[links]\nmax_offline_minutes = 10\n", True),
        (10, plan() + "[links]\nmax_offline_minutes = 10\n", False),
        (0, plan() + "[links]\nmax_offline_minutes = 0\n", False),
    ],
)
def test_r28_no_pass_opens_when_the_owner_of_the_pot_is_silent_for_too_long(minutes, document, opens):
    floor = far(document, minutes * MINUTE)

    if opens:
        assert kinds(floor.open_pass()) == [PassOpened]
        return
    assert floor.reason(ask.OpenPass(TABLE, CARLA)) == Reason.OWNER_SILENT.code
    assert f"hace {minutes} min" in floor.record[-1][1].message and ABOVE in floor.record[-1][1].message
    floor.ask(ask.SeeLink(ABOVE, up=True))
    assert kinds(floor.open_pass()) == [PassOpened]


def test_r28_a_pass_that_is_open_goes_on_and_its_prizes_are_paid():
    floor = far()
    floor.sealed({1: 2})
    floor.now += 1_000 * MINUTE
    claim, *_ = floor.claim((1, "full"))

    assert AwardPaid in kinds(floor.pay(f"{claim.claim}/1"))
    floor.close_pass()
    assert floor.reason(ask.OpenPass(TABLE, CARLA)) == Reason.OWNER_SILENT.code
    floor.ask(ask.StartTraining(TABLE, CARLA, JEFA))
    assert kinds(floor.open_pass()) == [PassOpened]


def test_r28_a_link_that_never_stood_opens_nothing():
    floor = far()
    floor.state = replace(floor.state, neighbours={ABOVE: Neighbour(ABOVE, Side.ABOVE, key_of(ABOVE))})

    assert floor.reason(ask.OpenPass(TABLE)) == Reason.OWNER_SILENT.code
    assert "desde el principio" in floor.record[-1][1].message


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ({"revoked": True}, Reason.OWNER_REVOKED),
        ({"stopped": {"pot:pozo": Stopped(Broken.FORK, Mark(1, 2, ""))}, "up": True}, Reason.OWNER_STOPPED),
    ],
)
def test_r28_no_pass_opens_for_the_pot_of_somebody_who_is_not_heard(how, reason):
    floor = far()
    known = floor.state.neighbours[ABOVE]
    floor.state = replace(floor.state, neighbours={ABOVE: replace(known, **how)})

    assert floor.reason(ask.OpenPass(TABLE)) == reason.code
    floor.state = replace(floor.state, neighbours={})
    assert floor.reason(ask.OpenPass(TABLE)) == Reason.OWNER_REVOKED.code


# One human, two nodes


@pytest.mark.parametrize(
    "asked",
    [
        revoke(ABOVE),
        ask.AcceptNeighbour(ABOVE, f"pot:{POT}", Mark(1, 1, ""), "se vio", ANA, JEFA),
        ask.EndDispute(ABOVE, 1, True, "se vio", ANA, JEFA, POT),
        pin("otro"),
    ],
)
def test_r28_r36_one_human_cannot_sign_twice_over_two_nodes(asked):
    """Ana is a person here and at the neighbour, which attests her as `central/ana`: nobody signs here by what another
    node calls him, first or second."""
    floor = far()
    for signed in (
        replace(asked, second=Signature(f"{ABOVE}/ana")),
        replace(asked, by=Signature(f"{ABOVE}/ana")),
        replace(asked, by=Signature(f"{ABOVE}/ana"), second=Signature(f"{ABOVE}/jefa")),
    ):
        assert floor.reason(signed) == Reason.PERSON_UNKNOWN.code
    assert floor.reason(replace(asked, second=asked.by)) == Reason.TWO_PERSONS_NEEDED.code


# The owner behind a casino's node


def behind(since=0):
    """A floor that stands linked with its casino's node, and the pot's owner went silent behind it so long ago."""
    floor = far(since=0)
    floor.ask(ask.SeeLink(ABOVE, up=True))
    floor.ask(ask.SeeOwner(POT, up=False))
    floor.now += since
    return floor


def test_r28_an_owner_who_is_silent_behind_a_link_that_stands_is_on_record_at_changes_only():
    floor = far(since=0)
    floor.ask(ask.SeeLink(ABOVE, up=True))

    assert floor.ask(ask.SeeOwner(POT, up=False)) == (OwnerSeen(POT, ABOVE, up=False, since=floor.now),)
    assert kinds(floor.ask(ask.SeeOwner(POT, up=False))) == [NothingNew]
    assert floor.ask(ask.SeeOwner(POT, up=True)) == (OwnerSeen(POT, ABOVE, up=True, since=floor.now),)
    assert kinds(floor.ask(ask.SeeOwner(POT, up=True))) == [NothingNew]
    assert kinds(floor.ask(ask.SeeOwner("otro", up=False))) == [NothingNew]
    assert kinds(Floor().ask(ask.SeeOwner(POT, up=False))) == [NothingNew], "of its own pot nobody else tells"
    floor.state = replace(floor.state, neighbours={})
    assert floor.reason(ask.SeeOwner(POT, up=False)) == Reason.NEIGHBOUR_UNKNOWN.code


def test_r28_no_pass_opens_when_the_owner_is_silent_for_too_long_behind_the_link():
    floor = behind(29 * MINUTE)
    assert kinds(floor.open_pass()) == [PassOpened]
    floor = behind(30 * MINUTE)

    assert floor.reason(ask.OpenPass(TABLE, CARLA)) == Reason.OWNER_SILENT_BEHIND.code
    floor.ask(ask.SeeOwner(POT, up=True))
    assert kinds(floor.open_pass()) == [PassOpened]


def test_r28_a_link_that_flaps_before_a_silent_owner_renews_nothing():
    floor = behind(20 * MINUTE)
    floor.ask(ask.SeeLink(ABOVE, up=False))
    floor.ask(ask.SeeLink(ABOVE, up=True))
    floor.now += 10 * MINUTE
    assert floor.reason(ask.OpenPass(TABLE)) == Reason.OWNER_SILENT_BEHIND.code

    floor.ask(ask.SeeLink(ABOVE, up=False))
    assert floor.reason(ask.OpenPass(TABLE)) == Reason.OWNER_SILENT.code
    assert "hace 30 min" in floor.record[-1][1].message


def test_r28_neither_a_reboot_nor_a_clock_renews_the_silence_of_an_owner_behind_the_link():
    floor = behind(20 * MINUTE)
    floor.ask(ask.StepClock(-3_600_000), after=-3_600_000)
    floor.ask(ask.StepClock(-4_000, stop=True), after=-4_000)
    floor.ask(START, after=0)
    floor.ask(ask.SeeLink(ABOVE, up=True), after=0)
    assert floor.now - floor.state.pots[POT].silent == 20 * MINUTE

    floor.ask(ask.StepClock(10 * MINUTE, stop=True), after=10 * MINUTE)
    floor.ask(ask.SeeLink(ABOVE, up=True), after=0)
    assert floor.reason(ask.OpenPass(TABLE)) == Reason.OWNER_SILENT_BEHIND.code


# Starts and clocks


@pytest.mark.parametrize("times", [1, 3])
def test_r28_a_reboot_renews_nothing(times):
    """A start sets every link down at the instant of the last fact before it; one that was down stays so."""
    floor = far(since=0)
    floor.ask(ask.SeeLink(ABOVE, up=True))
    last = floor.now
    for _ in range(times):
        floor.now += 10 * MINUTE
        assert kinds(floor.ask(START)) == [NodeStarted]
        known = floor.state.neighbours[ABOVE]
        assert (known.up, known.since) == (False, last)
    floor.now = max(floor.now, last + 30 * MINUTE)
    assert floor.reason(ask.OpenPass(TABLE)) == Reason.OWNER_SILENT.code


def test_r28_a_start_without_neighbours_changes_nothing():
    floor = Floor()
    before = floor.state
    floor.ask(START)

    assert msgspec.structs.replace(floor.state, clock=0) == msgspec.structs.replace(before, clock=0)


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("stood", [4_000, 40 * MINUTE, -4_000, -40 * MINUTE])
def test_r28_over_a_stop_the_silence_is_what_the_clock_says_and_never_less_than_before(up, stood):
    """The daemon says how long it stood, then that it starts."""
    floor = far(since=5 * MINUTE)
    if up:
        floor.ask(ask.SeeLink(ABOVE, up=True))
    silent = 0 if up else floor.now - floor.state.neighbours[ABOVE].since
    floor.ask(ask.StepClock(stood, stop=True), after=stood)
    floor.ask(START, after=0)

    known = floor.state.neighbours[ABOVE]
    assert not known.up
    assert floor.now - known.since == silent + (abs(stood) if up else max(0, stood))


@pytest.mark.parametrize("ms", [40 * MINUTE, -40 * MINUTE])
def test_r28_a_step_of_the_clock_makes_no_silence_longer_or_shorter(ms):
    floor = far(since=5 * MINUTE)
    before = floor.now - floor.state.neighbours[ABOVE].since
    facts = floor.ask(ask.StepClock(ms), after=ms)

    assert kinds(facts) == [ClockStepped] if ms > 0 else [ClockWentBack, ClockStepped]
    assert floor.now - floor.state.neighbours[ABOVE].since == before
    assert kinds(floor.ask(ask.OpenPass(TABLE, Signature("carla")))) == [PassOpened]
