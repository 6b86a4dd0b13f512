"""Who asks for a sign's test is answered when the sign has answered (R-27, R-31)."""

import pytest

from controller.core.facts import DeviceTended
from controller.core.values import Signature, Tending
from controller.node.signs.trial import Verdict
from controller.node.vocabulary.protocol import Deed, Trouble
from support.node.node_stand import Stand, wrong

JEFA = Signature("jefa")
SILENT = Trouble("sign_silent", "R-31", "sign", "El letrero bus/1 no contestó.", {"sign": "bus/1"})


@pytest.fixture
def stand(tmp_path):
    made = Stand(tmp_path)
    yield made
    made.close()


def asks(stand, **told):
    return stand.asks(do=Deed.SIGN_TEST, sign="bus", signed=[JEFA], **told)


def tended(stand):
    return [one for one in stand.facts() if isinstance(one, DeviceTended)]


def test_the_answer_waits_for_the_sign_and_the_table_plays_on(stand):
    stand.signs.verdicts = [None, None, Verdict()]
    asks(stand)
    stand.turn()
    assert stand.replies == [] and tended(stand) == []
    assert stand.reply(do=Deed.STATE).ok

    stand.turn()
    assert stand.replies[-1].ok
    assert tended(stand) == [DeviceTended(Tending.SIGN, "jefa", sign="bus")]


def test_r31_a_sign_that_did_not_answer_is_told_and_nothing_is_on_record(stand):
    stand.signs.verdicts = [None, Verdict(SILENT)]
    before = stand.book.seq
    asks(stand)
    stand.turn()
    stand.turn()

    assert stand.replies[-1].trouble == SILENT
    assert stand.book.seq == before


def test_r31_of_a_sign_that_cannot_answer_the_record_says_that_nobody_saw_it(stand):
    stand.signs.verdicts = [Verdict(unseen=True)]
    id_ = asks(stand)
    stand.turn()
    asks(stand, id_=id_)
    stand.turn()

    assert tended(stand) == [DeviceTended(Tending.SIGN, "jefa", sign="bus", unseen=True)]
    assert [reply.ok for reply in stand.replies] == [True, True]
    assert stand.replies[0].facts == stand.replies[1].facts


def test_a_repeat_while_the_sign_is_tried_has_the_same_answer_and_one_fact(stand):
    stand.signs.verdicts = [None, None]
    id_ = asks(stand)
    stand.turn()
    asks(stand, id_=id_)
    stand.turn()
    stand.turn()
    stand.turn()

    assert [reply.ok for reply in stand.replies] == [True, True]
    assert len(tended(stand)) == 1


def test_wrong_pins_do_not_wait(stand):
    stand.signs.verdicts = [None] * 9
    refused = stand.reply(do=Deed.SIGN_TEST, sign="bus", signed=[wrong("carla")])

    assert refused.trouble.reason == "pin_wrong"
    assert stand.signs.asked_for == []


def test_at_the_end_whoever_waits_is_told_that_it_was_not_done(stand):
    stand.signs.verdicts = [None] * 99
    asks(stand)
    stand.turn()
    stand.engine._dismiss()

    assert [reply.trouble.reason for reply in stand.replies] == ["stopping"]
    assert tended(stand) == []
