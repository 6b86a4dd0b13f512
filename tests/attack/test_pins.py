"""The dishonest colleague and PINs: he locks the house, guesses, stands between a chief and the node, reads its memory."""

import os
import re
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
import zmq

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.control.client import Client, asking, doing
from controller.node.store.backup import back_up
from controller.node.vocabulary.proof import Cost, Salted, slow_key
from controller.node.vocabulary.protocol import COMMANDS, Deed, Reply
from support.attack.ground import SECONDS, Ground, ground, of_another_user
from support.node import ctl_engine
from support.node.ctl_engine import signs
from support.node.node_process import ANA, CARLA, JEFE, LUIS, Pin

pytestmark = pytest.mark.process

PEOPLE = ("ana", "luis", "carla", "jefe")
LONG = Pin("nora", "481516234299")
"""Twelve digits: no number of a node is this by chance."""


@of_another_user
def test_who_locks_everybody_out_locks_out_himself(template):
    """security.md 2, 14: five wrong PINs for each person, without end, while a croupier goes on selling credits. Her right
    PINs free no guess; on dc78732 she heard person_locked, and so did everybody, at a restore too."""
    with ground(template) as place:
        seen = place.under("support.attack.guessers:lock_all", SECONDS, *PEOPLE)
        seen.holds()
        looked_at = int(found[1]) if (found := re.search(r"pin_wrong=(\d+)", seen.told)) else 0
        assert 3 * 4 <= looked_at <= 24 and "wait=" in seen.told, seen.told
        for pin in (ANA, LUIS, CARLA, JEFE):
            place.node.ask(ask.LookAtClock(), pin)
        reply = place.node.ask(ask.UnlockPerson("carla", Signature("")), JEFE)
        assert reply.ok, reply.trouble
        with Client(place.control) as client:
            said = [alarm.sentence for alarm in client.state().alarms]
        assert any("PIN equivocados" in sentence for sentence in said), said


class Relay:
    """Another program in the place of a node's socket: it passes everything on, and keeps it."""

    def __init__(self, place: Path, real: Path) -> None:
        self.kept: list[bytes] = []
        self._real = real
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(place))
        self._listening.listen()
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        with suppress(OSError):
            while True:
                victim, _ = self._listening.accept()
                node = socket.socket(socket.AF_UNIX)
                node.connect(str(self._real))
                for one, other in ((victim, node), (node, victim)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while said := one.recv(65_536):
                self.kept.append(said)
                other.sendall(said)

    def close(self) -> None:
        self._listening.close()


def test_who_relays_reads_no_pin_and_what_he_keeps_has_no_second_effect(tmp_path):
    """security.md 3: a member bound his own socket and read a chief's PIN. Here he has even the node's own user, so that
    the client talks to him: he learns a salt and a proof of one request."""
    with ctl_engine.running(tmp_path) as node:
        his = tmp_path / "his"
        his.mkdir(mode=0o700)
        relay = Relay(his / COMMANDS, node.control_folder / COMMANDS)
        with Client(his) as client:
            told = {"person": "nora", "name": "Nora", "roles": ("croupier",), "known": True, "new_pin": LONG.pin}
            assert client.ask(doing(Deed.ENROL, signs("ana"), signs("luis"), **told)).ok
            bought = asking(ask.BuyCredits("M1", 1, 4, None), LONG)
            assert client.ask(bought).ok
        relay.close()
        heard = b"".join(relay.kept)
        (said,) = [
            body for body in re.findall(rb'\{"v":2[^\x00]*?"proof":"[0-9a-f]{64}"\}\}', heard) if b"buy_credits" in body
        ]
        for pin in (*ctl_engine.PINS.values(), LONG.pin):
            assert pin.encode() not in heard
        more = said.replace(b'"credits":4', b'"credits":400')
        again, more, other = _answers(node.control_folder, said, more, said.replace(bought.id.encode(), b"f" * 32))

        assert again.ok and node.book.state.tables["M1"].seat(1).credits == 4 * 500
        assert {more.trouble.reason, other.trouble.reason} == {"pin_wrong"}


def _answers(control: Path, *messages: bytes) -> Iterator[Reply]:
    with zmq.Context() as context, context.socket(zmq.DEALER) as made:
        made.setsockopt(zmq.LINGER, 0)
        made.connect(f"ipc://{control / COMMANDS}")
        for message in messages:
            made.send(message)
            assert made.poll(10_000), "no answer"
            yield msgspec.json.decode(made.recv_multipart()[-1], type=Reply)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root reads another process's memory")
def test_a_nodes_memory_holds_no_pin_and_nothing_it_is_made_of(template):
    """security.md 14: six copies of a signed request, with its PIN, stayed in the heap. And no memory goes to a core."""
    with ground(template) as place:
        told = {"person": LONG.person, "name": "Nora", "roles": ("croupier",), "known": True, "new_pin": LONG.pin}
        assert place.node.do(Deed.ENROL, ANA, LUIS, **told).ok
        for _ in range(3):
            assert place.node.ask(ask.BuyCredits("DP-01", 1, 1, Signature("")), LONG).ok
        memory = _memory(place)
        with Client(place.control) as client:
            (salt,) = client.ask(doing(Deed.SALTS, people=(LONG.person,))).salts
        slow = slow_key(LONG.pin, Salted(bytes.fromhex(salt.salt), Cost(salt.time, salt.memory, salt.lanes)))
        limits = Path(f"/proc/{place.pid}/limits").read_text()

        assert LONG.person.encode() in memory, "what we look for can be found"
        for secret in (LONG.pin.encode(), LONG.pin.encode("utf-16-le"), slow, slow.hex().encode()):
            assert secret not in memory
        assert re.search(r"Max core file size +0 +0 ", limits)


def _memory(place: Ground) -> bytes:
    held = bytearray()
    with Path(f"/proc/{place.pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{place.pid}/maps").read_text().splitlines():
            span, rights, *_ = line.split()
            if not rights.startswith("rw"):
                continue
            first, last = (int(one, 16) for one in span.split("-"))
            with suppress(OSError):
                memory.seek(first)
                while first < last and (part := memory.read(min(last - first, 1 << 22))):
                    held += part
                    first += len(part)
    return bytes(held)


def test_a_backup_holds_no_pepper_and_an_export_no_verifier(template, tmp_path):
    """The thief with the disk of backups: what a PIN can be tried with stays beside the key."""
    folder = shutil.copytree(template / "folder", tmp_path / "folder")
    back_up(folder / "node.db", tmp_path / "copy.db")

    pepper = (folder / "pepper").read_text().strip()
    assert (folder / "pepper").stat().st_mode & 0o777 == 0o600
    text = (tmp_path / "copy.db").read_bytes()
    assert pepper.encode() not in text and bytes.fromhex(pepper) not in text and b"$argon2" not in text
