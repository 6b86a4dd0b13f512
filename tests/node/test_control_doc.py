"""docs/operators/control.md, message by message, against a real node."""

import json
import re
import subprocess
import sys

import msgspec
import pytest
import zmq

from controller.core import inputs as ask
from controller.core.values import TerminalUse
from controller.node.control.client import asking, by_ticket
from controller.node.control.door import BY_TICKET, INPUTS
from controller.node.control.tickets import IDLE, LONGEST, MOST_OF_ALL, MOST_OF_PERSON, MOST_OF_TERMINAL
from controller.node.vocabulary.proof import ticket_key
from controller.node.vocabulary.protocol import MOST_BYTES, Deed, Request, Ticket
from drivers.session import SECOND
from support.node import ctl_engine
from support.node.ctl_engine import salted, signing, signs
from support.places import ROOT

TEXT = (ROOT / "docs/operators/control.md").read_text()
BLOCKS = re.findall(r"```json (request|reply)\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        node.during(lambda: node.let_in("consola-1", TerminalUse.TABLE, "M1"))
        yield node


@pytest.mark.process
def test_every_exchange_is_played_as_it_is_written(node):
    with zmq.Context() as context, context.socket(zmq.DEALER) as made:
        made.setsockopt(zmq.LINGER, 0)
        made.connect(f"ipc://{node.control_folder}/commands")
        reply = None
        for kind, text in BLOCKS:
            if kind == "reply":
                written = json.loads(text)
                assert reply.pop("seq", 0) >= written.pop("seq", 0)  # what stood before is not the page's affair
                assert reply == written
                continue
            made.send(text.encode())
            assert made.poll(10_000)
            reply = json.loads(made.recv_multipart()[-1])

    assert len(BLOCKS) >= 9


def test_every_request_is_one_of_the_protocol():
    for kind, text in BLOCKS:
        if kind == "request":
            msgspec.json.decode(text.encode(), type=Request)


@pytest.mark.process
def test_the_client_of_the_page_works(node):
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    program = f"folder = {str(node.control_folder)!r}\n{code}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)

    assert run.stdout == "M1 between\nM2 between\n", run.stderr


def test_every_input_and_deed_is_named_there():
    named = set(re.findall(r"`([a-z_]+)`", TEXT))

    assert set(INPUTS) <= named
    assert {*Deed} <= named
    assert f"{MOST_BYTES:,}" in TEXT


def test_the_proof_of_the_page_is_made_as_the_page_says():
    """By the function that stands there, from the salts that stand there, for every request that is signed there."""
    (code,) = re.findall(r"```python proof\n(.*?)```", TEXT, re.DOTALL)
    program: dict = {}
    exec(code, program)  # noqa: S102  it stands in this repository
    messages = [json.loads(text) for _, text in BLOCKS]
    (salts,) = [one for one in messages if "salts" in one]
    signed = [one for one in messages if "by" in one]
    for request in signed:
        said = request | {"by": {"person": "carla"}}
        assert request["by"]["proof"] == program["proof"]("333333", salts["salts"][0], salts, said)

    assert len(signed) >= 6


def test_the_proof_of_a_ticket_is_made_as_the_page_says():
    """By the functions that stand there, for what the program's own client says."""
    (code,) = re.findall(r"```python proof\n(.*?)```", TEXT, re.DOTALL)
    program: dict = {}
    exec(code, program)  # noqa: S102  it stands in this repository
    (salts,) = [one for kind, text in BLOCKS if "salts" in (one := json.loads(text))]
    number = "a" * 32
    key = program["ticket_key"]("333333", salts["salts"][0], number)
    ticket = Ticket("carla", "consola-1", "M1", number, key, salts["node"], salts["epoch"])
    request = json.loads(by_ticket(asking(ask.Lock("M1", None), ticket), ticket))
    proof = request["by"].pop("proof")

    assert key == ticket_key(signing(signs("carla"), salted("carla")), number)
    assert proof == program["proven"](key, salts, request)


def test_the_figures_of_tickets_are_those_of_the_program():
    text = TEXT.split("## Tickets\n")[1].split("\n## ")[0]

    assert f"{IDLE // SECOND} seconds after it was used last; after {LONGEST // (3_600 * SECOND)} hours" in text
    assert f"{MOST_OF_TERMINAL} of a terminal, {MOST_OF_PERSON} of a person at one user" in text
    assert f"{MOST_OF_ALL:,} in all" in text
    signed = {str(one if isinstance(one, Deed) else one.__struct_config__.tag) for one in BY_TICKET}
    assert signed == set(re.findall(r"`(\w+)`", text.split("| what it signs |")[1].split(";")[0]))
