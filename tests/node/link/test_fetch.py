"""A burned box dials its casino's node over the real sockets: cut, refused, lied to; and what others feel of it (R-28)."""

import itertools
import threading
import time
from contextlib import closing, contextmanager
from statistics import median

import pytest
import zmq
from conftest import CAMPAIGN
from msgspec.structs import replace
from node.link.test_mirror_wire import MirroredNode
from zmq.utils import z85

from controller.core.links.known import Neighbour
from controller.core.values import Side
from controller.node.book.escrow import EscrowRefused
from controller.node.link.messages import Beat, MirrorWord, TurnedAway, packed
from controller.node.link.mirror_words import MirrorMark, MirrorRows, MirrorSnapshot, mirror_packed
from controller.node.link.redial import Redial
from controller.node.rebirth import fetch as fetching
from controller.node.rebirth.fetch import Above, Fetch, FetchFailed
from controller.node.rebirth.mirror_copy import CopyRefused, MirrorCopy
from drivers.session import MILLISECOND, SECOND
from support.link.burned import NAME, BurnedBox, what_it_has
from support.link.node import SmallNode, new_key, until
from support.link.proxy import Proxy
from support.link.served import _size

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def burned(tmp_path_factory):
    with closing(BurnedBox(tmp_path_factory.mktemp("burned"))) as box:
        yield box


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """As fast as a minute goes by here."""
    monkeypatch.setattr(Redial, "wait", lambda _: 20 * MILLISECOND)


@pytest.fixture
def own():
    return new_key()


@pytest.fixture
def casino(tmp_path, burned, own):
    """It has the mirror, and two persons have pinned the new key of the box there."""
    node = MirroredNode("casino", tmp_path / "casino", "tcp://127.0.0.1:0")
    (tmp_path / "casino/mirrors").mkdir()
    (tmp_path / f"casino/mirrors/{NAME}.db").write_bytes(burned.mirror.read_bytes())
    with node.start():
        pins(node, caja1=own)
        yield node


def pins(node, *, inside=True, **keys):
    for name, key in keys.items():
        SmallNode.pin(node, name, Side.BELOW, key.public)
    known = {name: Neighbour(name, Side.BELOW, key.public.hex(), inside=inside) for name, key in keys.items()}
    node.follows(lambda state: replace(state, neighbours=known))


@contextmanager
def fetch_of(tmp_path, casino, own, address=None, key=None, me=NAME):
    (tmp_path / "new").mkdir(exist_ok=True)
    above = Above("casino", address or casino.address, key or casino.key.public)
    with closing(Fetch(me, above, own, tmp_path / "new/link")) as made:
        yield made


def copy_of(tmp_path, burned):
    return closing(MirrorCopy(tmp_path / "new/node.db.fetched", NAME, burned.codes))


def fetched(tmp_path, burned):
    return what_it_has(tmp_path / "new/node.db.fetched")


def test_the_mirror_comes_whole_over_the_link_and_the_casino_says_so(tmp_path, burned, casino, own):
    with fetch_of(tmp_path, casino, own) as one, copy_of(tmp_path, burned) as copy:
        seen = []
        one.run(copy, lambda now: seen.append(now.end.seq if now.end else 0))
    assert fetched(tmp_path, burned) == what_it_has(burned.mirror)
    assert seen == sorted(seen) and len(seen) > 5
    casino.turn()
    assert casino.items == [], "the engine heard of no link, of no letter and of nothing that differs"
    assert [event for event, _ in casino.said] == ["mirror_asked", "mirror_given"]
    raised = {}
    until((casino,), lambda: casino.links.look(0, raised.__setitem__) or any(raised.values()))
    assert any("se entrega a la llave" in one.sentence for one in raised.values() if one)


def test_cut_again_and_again_it_goes_on_where_it_was(tmp_path, burned, casino, own):
    with Proxy(casino.links.place) as cable:
        with fetch_of(tmp_path, casino, own, f"tcp://127.0.0.1:{cable.port}") as one, copy_of(tmp_path, burned) as copy:
            asked = []

            def cut(now):
                asked.append(now.mark().seq)
                cable.cut()

            one.run(copy, cut)
        assert len(cable.upwards) >= len(asked) > 5
    assert fetched(tmp_path, burned) == what_it_has(burned.mirror)


def test_a_stranger_and_a_revoked_key_get_nothing(tmp_path, burned, casino, own):
    with fetch_of(tmp_path, casino, new_key()) as one, copy_of(tmp_path, burned) as copy:
        with pytest.raises(FetchFailed, match="pozo peer add"):
            one.run(copy, lambda _: None, SECOND)
        assert copy.end is None
    casino.revoke(NAME)
    with fetch_of(tmp_path, casino, own) as one, copy_of(tmp_path, burned) as copy:
        with pytest.raises(FetchFailed):
            one.run(copy, lambda _: None, SECOND)
        assert copy.end is None


def test_a_key_that_is_revoked_meanwhile_gets_no_more(tmp_path, burned, casino, own):
    with fetch_of(tmp_path, casino, own) as one, copy_of(tmp_path, burned) as copy:

        def revoked(now):
            if now.mark().seq:
                casino.revoke(NAME)

        with pytest.raises(FetchFailed):
            one.run(copy, revoked, SECOND)
        assert copy.end is not None and copy.end.seq < copy.last.seq


def test_another_neighbour_cannot_have_the_mirror_of_this_one(tmp_path, burned, casino, own):
    """Not under the other's name, and under its own there is none; nor who is of another house."""
    thief = new_key()
    pins(casino, caja1=own, caja2=thief)
    for me, no, sentence in (
        (NAME, FetchFailed, "con otro nombre que caja1"),
        ("caja2", CopyRefused, "ningún espejo"),
    ):
        with (
            fetch_of(tmp_path, casino, thief, me=me) as one,
            copy_of(tmp_path, burned) as copy,
            pytest.raises(no, match=sentence),
        ):
            one.run(copy, lambda _: None)
    pins(casino, inside=False, caja1=own)
    with fetch_of(tmp_path, casino, own) as one, copy_of(tmp_path, burned) as copy:
        with pytest.raises(FetchFailed, match="no es de esta casa"):
            one.run(copy, lambda _: None, SECOND)
        assert copy.end is None


def test_the_letters_of_another_box_do_not_feel_it(tmp_path, burned, casino, own):
    """It tells a letter and waits for its acknowledgement, again and again, while the mirror is taken without a pause."""
    with honest_beside(tmp_path, casino, own) as other:
        calm = [letter_takes(casino, other) for _ in range(40)]
        is_over = threading.Event()
        taking = threading.Thread(target=takes_again_and_again, args=(tmp_path, burned, casino, own, is_over))
        taking.start()
        try:
            busy = [letter_takes(casino, other) for _ in range(40)]
        finally:
            is_over.set()
            taking.join()
    print(f"a letter: {1_000 * median(calm):.1f} ms, and {1_000 * median(busy):.1f} ms beside a transfer")
    assert median(busy) < 0.1


@contextmanager
def honest_beside(tmp_path, casino, own):
    other = SmallNode("caja2", tmp_path / "caja2")
    pins(casino, caja1=own, caja2=other.key)
    other.pin("casino", Side.ABOVE, casino.key.public)
    with other.start(casino=casino.address):
        until((casino, other), lambda: other.up.get("casino", False))
        yield other


def letter_takes(casino, other):
    began = time.monotonic()
    other.tell("to:casino", "M1")
    until((casino, other), lambda: other.state.acknowledged.get("casino/to:casino") == other.state.told["to:casino"])
    return time.monotonic() - began


def takes_again_and_again(tmp_path, burned, casino, own, is_over):
    while not is_over.is_set():
        with fetch_of(tmp_path, casino, own) as one, copy_of(tmp_path, burned) as copy:
            one.run(copy, lambda _: None)
        (tmp_path / "new/node.db.fetched").unlink()


class Liar:
    """At the casino's address, with its real key: what it answers to each word, or says without being asked."""

    def __init__(self, answers):
        self._context = zmq.Context()
        self.key = new_key()
        self._router = self._context.socket(zmq.ROUTER)
        self._router.setsockopt(zmq.LINGER, 0)
        self._router.setsockopt(zmq.SNDHWM, 4)  # its own memory is not what is measured
        self._router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._router.curve_server = True
        self._router.curve_secretkey = z85.encode(self.key.secret)
        self.address = f"tcp://127.0.0.1:{self._router.bind_to_random_port('tcp://127.0.0.1')}"
        self._answers, self._is_over = answers, threading.Event()
        self.said = 0
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()
        self._router.close()
        self._context.term()

    def _run(self):
        who = None
        while not self._is_over.is_set():
            if self._router.poll(0 if who else 20):
                who = self._router.recv_multipart()[0]
            for octets in self._answers() if who else ():
                try:
                    self._router.send_multipart([who, octets], zmq.NOBLOCK)
                    self.said += len(octets)
                except zmq.Again:
                    break
                except zmq.ZMQError:  # he hung up
                    who = None
                    break


def test_a_program_that_does_not_know_the_word_is_told_apart(tmp_path, burned, own):
    for code in ("not_understood", "protocol"):
        with (
            Liar(lambda code=code: [packed(TurnedAway(code))]) as liar,
            fetch_of(tmp_path, None, own, liar.address, liar.key.public) as one,
            copy_of(tmp_path, burned) as copy,
            pytest.raises(FetchFailed, match=r"copie allí\n? ?mirrors/caja1.db con pozo backup"),
        ):
            one.run(copy, lambda _: None)


def garbage_of(burned):
    """What it says first, and what it then says for ever; the last two are what an answer may hold, and never end it."""
    first = [packed(MirrorWord(mirror_packed(one))) for one in burned.honest(MirrorMark(0, 0, bytes(32)))]
    return {
        "beats": ([], packed(Beat())),
        "junk": ([], b"\xff" * 500_000),
        "sealed": ([], first[0]),
        "snapshots": (first, packed(MirrorWord(mirror_packed(MirrorSnapshot(b"x" * 400_000))))),
        "rows": (first, packed(MirrorWord(mirror_packed(MirrorRows(1, ()))))),
    }


@pytest.mark.campaign
@pytest.mark.parametrize("words", ["beats", "junk", "sealed", "snapshots", "rows"])
def test_garbage_without_end_fills_nothing_and_is_given_up(tmp_path, burned, own, words, monkeypatch):
    monkeypatch.setattr(fetching, "ANSWERS_WITHIN", 2 * SECOND)
    first, garbage = garbage_of(burned)[words]
    says = itertools.chain([first] if first else [], itertools.repeat([garbage]))
    before, patience = _size()["memory"], (60 if CAMPAIGN else 6) * SECOND
    with (
        Liar(lambda: next(says)) as liar,
        fetch_of(tmp_path, None, own, liar.address, liar.key.public) as one,
        copy_of(tmp_path, burned) as copy,
    ):
        with pytest.raises((FetchFailed, CopyRefused, EscrowRefused)):
            one.run(copy, lambda _: None, patience)
        assert copy.end is None and liar.said > 0
        print(f"{words}: {liar.said / 1e6:.0f} MB said, {(_size()['peak'] - before) / 1e6:.0f} MB more memory")
    assert _size()["memory"] - before < 60_000_000
    assert (tmp_path / "new/node.db.fetched").stat().st_size < 5_000_000


def test_whoever_has_not_the_casinos_key_is_not_spoken_with(tmp_path, burned, own):
    heard = []
    with (
        Liar(lambda: heard.append(1) or []) as liar,
        fetch_of(tmp_path, None, own, liar.address, new_key().public) as one,
        copy_of(tmp_path, burned) as copy,
        pytest.raises(FetchFailed),
    ):
        one.run(copy, lambda _: None, SECOND)
    assert not heard
