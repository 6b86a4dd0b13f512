"""A node beside an event loop: its newest view, its answers, and its silence."""

import asyncio
import time

import pytest

from controller.core import inputs as ask
from controller.node.control.client import asking
from controller.node.control.live import LiveNode
from controller.node.vocabulary.protocol import Reply
from support.node import ctl_engine
from support.node.ctl_engine import signs

pytestmark = pytest.mark.process


async def until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it never came true"
        await asyncio.sleep(0.01)


def test_answers_come_in_the_loop_in_their_order_and_the_view_is_the_newest(tmp_path):
    async def look(folder):
        live, answers = LiveNode(folder, silence=5, patience=5), []
        live.start()
        await until(lambda: live.view is not None)
        for credits_ in (1, 2):
            live.ask(asking(ask.BuyCredits("M1", 1, credits_, None), signs("carla")), answers.append)
        await until(lambda: len(answers) == 2)
        await until(lambda: live.view.seq >= answers[-1].seq)
        live.stop()
        return live, answers

    with ctl_engine.running(tmp_path) as node:
        live, answers = asyncio.run(look(node.control_folder))

    assert [type(one) for one in answers] == [Reply, Reply]
    assert not live.silent


def test_where_no_node_is_it_is_silent_and_every_question_is_answered_with_a_sentence(tmp_path):
    async def look():
        live, answers = LiveNode(tmp_path, silence=0.1, patience=0.1), []
        live.start()
        live.ask(asking(ask.Lock("M1", None), None), answers.append)
        await until(lambda: answers)
        live.stop()
        return live, answers

    live, answers = asyncio.run(look())

    assert live.silent and live.view is None
    assert answers == [f"{tmp_path}: aquí no hay ningún nodo en marcha"]


def test_what_was_not_answered_when_it_ends_is_not_answered_any_more(tmp_path):
    async def look():
        live, answers = LiveNode(tmp_path, silence=1, patience=1), []
        live.start()
        live.stop()
        live.ask(asking(ask.Lock("M1", None), None), answers.append)
        await asyncio.sleep(0.1)
        return answers

    assert asyncio.run(look()) == []
