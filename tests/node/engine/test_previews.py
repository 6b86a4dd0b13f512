"""Previews in the engine: behind everything else, on no record; and what was seen is what is confirmed (R-20)."""

import pytest
from msgspec import convert, json

from controller.core import inputs as ask
from controller.core.people import SOMEBODY
from controller.core.values import Hand, Levels
from controller.node.engine import previews as previews_module
from controller.node.engine.previews import MOST_OF_ONE, MOST_READ_FOR, MOST_WAITING
from controller.node.vocabulary.protocol import Deed
from support.core.book_cases import ANA, CARLA, JEFA, JEFE, one_pass
from support.node.node_stand import Stand, wrong

FULL = ask.RegisterClaim("M1", (Hand(1, claimed="full"),), CARLA)
ROYAL = ask.RegisterClaim("M1", (Hand(1, cards=("Th", "Jh", "Qh", "Kh", "Ah")),), CARLA)
CREDITS = ask.BuyCredits("M1", 2, 4, CARLA)


@pytest.fixture
def stand(tmp_path):
    stand = Stand(tmp_path / "node")
    sealed(stand, "M1")
    stand.turn()
    stand.log.clear()
    yield stand
    stand.close()


def sealed(stand, table):
    """A pass with one bet of 1,000 at seat 1, up to the cards."""
    for group in one_pass(stand.book, table):
        if not isinstance(group[0], ask.ClosePass):
            stand.client.say(*group)


def looks(stand, asked, **told):
    return stand.reply(asked, do=Deed.PREVIEW, **told)


def came_back(stand):
    assert stand.came_back.wait(10), "the inquiry never came back"
    stand.came_back.clear()
    stand.turn()


# Looking


def test_r20_a_preview_says_what_would_be_registered_and_nothing_is(stand):
    before, state = stand.book.seq, stand.book.state

    reply = looks(stand, FULL)

    assert reply.ok and reply.seq == before == stand.book.seq
    assert stand.book.state is state and reply.facts == ()
    assert [(one.seat, one.amount) for one in reply.preview.awards] == [(1, 100_000)]
    assert b'"kind":"claim_registered"' in bytes(reply.would[-1])

    facts = stand.reply(FULL).facts
    assert [bytes(one) for one in facts] == [bytes(one) for one in reply.would]


def test_a_preview_that_would_be_refused_says_why_and_is_on_no_record(stand):
    before = stand.book.seq

    reply = looks(stand, ask.RegisterClaim("M1", (Hand(2, claimed="full"),), CARLA))

    assert (reply.ok, reply.trouble.reason, reply.trouble.where) == (False, "seat_did_not_bet", "hands[0]")
    assert reply.trouble.rule == "R-32" and reply.trouble.message and reply.preview is None
    assert stand.book.seq == before


def test_r27_a_wrong_pin_at_a_preview_is_counted_and_shows_nothing(stand):
    reply = looks(stand, ask.RegisterClaim("M1", FULL.hands, wrong("carla")))

    assert reply.trouble.reason == "pin_wrong" and reply.preview is None
    assert stand.book.state.people["carla"].failures == 1


def test_a_preview_without_an_act_is_refused(stand):
    assert stand.reply(do=Deed.PREVIEW, signed=[CARLA]).trouble.reason == "nothing_asked"


def test_an_act_and_what_devices_say_go_before_a_preview(stand):
    stand.floor.rounds = [[ask.LookAtClock()]]
    stand.asks(FULL, do=Deed.PREVIEW)
    stand.asks(CREDITS)
    stand.turn()

    assert stand.happened[0] == "commit"
    assert stand.replies[0].preview is None and stand.replies[1].preview is not None


def test_previews_are_told_one_a_turn_and_the_engine_rests_between_them(stand, monkeypatch):
    for _ in range(3):
        stand.asks(FULL, do=Deed.PREVIEW)
    took = 700
    foresee = previews_module.foresee

    def slow(*asked):
        stand.micros += took
        return foresee(*asked)

    monkeypatch.setattr(previews_module, "foresee", slow)
    stand.turn()
    assert len(stand.replies) == 1
    stand.turn()
    assert len(stand.replies) == 1, "it rests"
    stand.reply(CREDITS)
    assert len(stand.replies) == 2, "and nobody else waits for that"
    stand.turn(4 * took)
    assert len(stand.replies) == 3
    stand.turn(4 * took - 1)
    assert len(stand.replies) == 3
    stand.turn(1)
    assert len(stand.replies) == 4


def test_one_person_cannot_keep_the_others_from_looking(stand):
    for _ in range(MOST_OF_ONE + 2):
        stand.asks(FULL, do=Deed.PREVIEW)
    stand.asks(ask.RegisterClaim("M1", FULL.hands, JEFE), do=Deed.PREVIEW)
    stand.turn()

    assert [reply.trouble.reason for reply in stand.replies if reply.trouble] == ["busy"] * 2
    for _ in range(MOST_OF_ONE):
        stand.turn()
    assert len(stand.replies) == MOST_OF_ONE + 3
    assert sum(reply.ok for reply in stand.replies) == MOST_OF_ONE + 1


def test_more_than_may_wait_are_told_to_come_again(stand, monkeypatch):
    monkeypatch.setattr(previews_module, "MOST_OF_ONE", MOST_WAITING + 5)
    for _ in range(MOST_WAITING + 1):
        stand.asks(FULL, do=Deed.PREVIEW)
    stand.turn()

    assert [reply.trouble.reason for reply in stand.replies if reply.trouble] == ["busy"]


def test_whoever_looks_while_it_stops_is_told_so(stand):
    for _ in range(3):
        stand.asks(FULL, do=Deed.PREVIEW)
    stand.engine._stopping = "test"
    stand.engine.run()

    assert [reply.trouble.reason for reply in stand.replies] == ["stopping"] * 3


def test_previews_that_wait_are_dismissed_at_the_end(stand, monkeypatch):
    monkeypatch.setattr(stand.engine._previews, "turn", lambda _wall: None)
    stand.asks(FULL, do=Deed.PREVIEW)
    stand.turn()
    assert not stand.replies
    stand.engine._stopping = "test"
    stand.engine.run()

    assert [reply.trouble.reason for reply in stand.replies] == ["stopping"]


# What needs the record


def close_and_lose_sight(stand):
    """The pass is over, so that a correction of it asks the record."""
    assert stand.reply(FULL).ok
    assert stand.reply(ask.ClosePass("M1", CARLA)).ok
    stand.log.clear()


CORRECT = ask.CorrectClaim("M1", 1, (Hand(1, claimed="color"),), "era color", CARLA)


def test_r34_a_correction_is_read_for_beside_and_shows_what_it_takes_by_one_person(stand):
    close_and_lose_sight(stand)
    before = stand.book.seq
    stand.asks(CORRECT, do=Deed.PREVIEW)
    stand.turn()
    came_back(stand)

    reply = stand.replies[-1]
    assert reply.ok and reply.preview.two and stand.book.seq == before
    assert reply.preview.cancelled == ("M1/1/1/1",)
    assert [(one.seat, one.prize) for one in reply.preview.awards] == [(1, "color")]


def test_r34_a_rejection_is_looked_at_by_the_one_who_starts_it(stand):
    close_and_lose_sight(stand)
    stand.asks(ask.RejectClaim("M1/1/1", "no se ve", JEFA, SOMEBODY), do=Deed.PREVIEW)
    stand.turn()
    came_back(stand)

    assert stand.replies[-1].preview.cancelled == ("M1/1/1/1",)


def test_previews_leave_room_among_what_is_read_for(stand):
    close_and_lose_sight(stand)
    for _ in range(MOST_READ_FOR + 1):
        stand.asks(CORRECT, do=Deed.PREVIEW)
    stand.turn()

    assert [reply.trouble.reason for reply in stand.replies[2:]] == ["busy"]


def test_what_was_not_read_for_is_asked_again(stand, monkeypatch):
    """Where the need arose only after it was asked, as when the pass was closed in the same turn."""
    stand.asks(ask.ClosePass("M1", CARLA))
    stand.asks(FULL, do=Deed.PREVIEW)
    stand.turn()

    assert [reply.trouble and reply.trouble.reason for reply in stand.replies] == [None, "busy"]


# Confirming


def test_r20_what_was_seen_is_confirmed_and_repeated_alike(stand):
    sees = looks(stand, FULL).preview.sees

    id_ = stand.asks(FULL, saw=sees)
    stand.turn()
    stand.reply(FULL, id_=id_, saw=sees)

    assert stand.replies[-1] == stand.replies[-2] and stand.replies[-1].ok
    assert stand.kinds().count("claim_registered") == 1


def test_r20_with_other_amounts_by_then_nothing_is_registered_and_they_are_shown_anew(stand):
    sees = looks(stand, ROYAL).preview.sees
    stand.client.say(ask.MoveMoney("chico", "house", "main", 1_000, "Res. 9", ANA, JEFE))
    before, digest = stand.book.seq, stand.book.hash

    id_ = stand.asks(ROYAL, saw=sees)
    stand.turn()

    reply = stand.replies[-1]
    assert (reply.ok, reply.trouble.reason, reply.trouble.rule, reply.facts) == (False, "amounts_changed", "R-20", ())
    assert (stand.book.seq, stand.book.hash) == (before, digest)
    assert reply.preview == looks(stand, ROYAL).preview and reply.preview.sees != sees

    again = stand.reply(ROYAL, id_=id_, saw=reply.preview.sees)
    assert again.ok and stand.kinds().count("claim_registered") == 1


def test_what_is_refused_is_refused_whatever_was_seen(stand):
    reply = stand.reply(ask.RegisterClaim("M1", (Hand(2, claimed="full"),), CARLA), saw="0" * 32)

    assert reply.trouble.reason == "seat_did_not_bet" and stand.kinds()[-1] == "refused"


def test_r34_two_consoles_that_confirm_at_once_make_one_claim_and_one_named_refusal(stand):
    sees = looks(stand, FULL).preview.sees
    stand.asks(FULL, saw=sees)
    stand.asks(ask.RegisterClaim("M1", FULL.hands, JEFE), saw=sees)
    stand.turn()

    first, second = stand.replies[-2:]
    assert first.ok and first.pays == 1
    assert second.trouble.reason == "claim_stands" and second.trouble.message
    assert stand.kinds().count("claim_registered") == 1


def test_r20_what_the_first_of_a_commit_takes_the_second_is_shown_anew(stand):
    """Two passes of one pot, confirmed in one commit: the later one finds what the earlier one left."""
    sealed(stand, "M2")
    royal = ask.RegisterClaim("M2", (Hand(1, cards=("Ts", "Js", "Qs", "Ks", "As")),), JEFE)
    one, other = looks(stand, ROYAL).preview, looks(stand, royal).preview
    assert one.awards[0].amount == other.awards[0].amount
    stand.asks(ROYAL, saw=one.sees)
    stand.asks(royal, saw=other.sees)
    stand.turn()

    first, second = stand.replies[-2:]
    assert first.ok and second.trouble.reason == "amounts_changed"
    assert second.preview.before == first_after(first)


def first_after(reply):
    return convert(json.decode(bytes(reply.facts[-1]))["after"], Levels)
