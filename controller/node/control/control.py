"""The control socket of a node: what persons and programs ask comes in here, what the node is like goes out.

Theory. One thread owns both sockets and waits for nothing but them: what reads the record or takes its turn (the
engine) is handed on under a number, and the answer finds its way back by it. The newest view is all there is to show;
it is published when it changes, once a second, and when a new client comes. A client that floods, sleeps or talks
nonsense costs himself his answers and nobody else anything. What is asked is not judged here, only whether it can be
understood (door.py) and who proved to sign it (proofs.py). docs/operators/control.md describes it for other programs.
"""

import fcntl
import itertools
import os
import queue
import socket
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from controller.core.inputs import Input, UnlockPerson
from controller.core.values import TerminalUse
from controller.node.control.description import description_body
from controller.node.control.door import UnderstoodRequest, answer, read
from controller.node.control.link import Letter, NodeEnd
from controller.node.control.peers import Peer, web_peer
from controller.node.control.proofs import Asker, ProofDesk, desk_of_nobody
from controller.node.control.shelf import FactShelf
from controller.node.control.tickets import GivenTicket
from controller.node.control.view_writer import ViewWriter
from controller.node.store.failure import StoreRefused
from controller.node.store.store import Reader
from controller.node.vocabulary.clock import Clock, of_this_machine
from controller.node.vocabulary.house import House
from controller.node.vocabulary.inbox import FromPerson
from controller.node.vocabulary.protocol import (
    BUSY,
    FACT_TOPIC,
    MOST_BYTES,
    STATE_TOPIC,
    VERSION,
    Deed,
    NodeView,
    Reply,
    Trouble,
    reading,
    too_long,
)
from drivers.session import MILLISECOND, SECOND, Micros

MOST_WAITING = 256
MOST_OF_ONE = 8
MOST_UNTOLD = 10_000
TOLD_EVERY: Micros = SECOND
_NOT_BEFORE: Micros = 40 * MILLISECOND  # a screen shows no more in a second, and the engine is never held up
_FORGOTTEN_AFTER: Micros = 60 * SECOND
_SILENT_AFTER: Micros = 5 * SECOND
_AT_ONCE = 64
_LONGEST_BATCH: Micros = 20 * MILLISECOND
_ROOT = 0
_FOLDER_MODE = 0o750

NOT_YET = Trouble("starting", "", "", "El nodo todavía está arrancando; repita en un momento.")

_OF_NOTHING = tuple(b'{"kind":"%b"' % kind for kind in (b"refused", b"id_reused", b"nothing_new"))

_encode = msgspec.json.Encoder().encode


class ControlRefused(Exception):  # noqa: N818  says what happened
    """This folder cannot be this node's: a sentence for the person who starts it; `again`: perhaps later."""

    def __init__(self, sentence: str, *, again: bool = False) -> None:
        super().__init__(sentence)
        self.again = again


def _no_record() -> Reader:
    raise StoreRefused("registro", "este nodo no tiene abierto el suyo")


class _Waiting(NamedTuple):
    envelope: tuple[bytes, ...]
    id: str
    since: Micros
    frees: str  # whose wrong PINs are over when it is done
    asker: Asker | None = None  # who proved to ask it
    ticket: GivenTicket | None = None  # of who signs in


class Control:
    """Everything public may be called from any thread. `webs`: told the key of each web that two persons let in."""

    def __init__(
        self,
        folder: Path,
        put: Callable[[FromPerson], bool],
        clock: Clock | None = None,
        record: Callable[[], Reader] = _no_record,
        proofs: ProofDesk | None = None,
        webs: Callable[[Mapping[str, str]], object] = lambda _: None,
    ) -> None:
        self._folder, self._put, self._webs = folder, put, webs
        self._clock = clock or of_this_machine()
        self._proofs = proofs or desk_of_nobody()
        self._shelf = FactShelf(record, self._came_back)
        self._done: queue.SimpleQueue[tuple[int, Reply]] = queue.SimpleQueue()
        self._facts: deque[bytes] = deque(maxlen=MOST_UNTOLD)
        self._writer = ViewWriter()
        self._answered = 0  # the highest number of a fact in an answer
        self._looking: list[tuple[tuple[bytes, ...], str]] = []  # who asked for a state, until the view is new enough
        self._house: House | None = None
        self._view: NodeView | None = None
        self._shown: NodeView | None = None
        self._shown_at: Micros = -TOLD_EVERY
        self._newcomers = False  # somebody listens who was shown nothing yet
        self._asked: dict[int, _Waiting] = {}
        self._of_client: Counter[bytes] = Counter()
        self._under_way: set[tuple[bytes, str]] = set()
        self._numbers = itertools.count(1)
        self._ending = False
        self._beat: Micros = 0
        self._closing = ExitStack()
        self._end: NodeEnd | None = None
        self._thread = threading.Thread(target=self._run, name="control", daemon=True)

    def start(self) -> None:
        with ExitStack() as undo:
            undo.callback(os.close, _taken(self._folder))
            self._end = NodeEnd(self._folder, 2 * MOST_BYTES, (STATE_TOPIC, FACT_TOPIC), self._clock.now)
            undo.callback(self._end.close)
            self._closing = undo.pop_all()
        self._beat = self._clock.now()
        self._shelf.start()
        self._thread.start()

    def stop(self) -> None:
        """What was answered is still said; then the folder is free."""
        self._ending = True
        self._ring()
        self._thread.join()
        self._shelf.stop()
        self._closing.close()

    def people(self, verifiers: Mapping[str, str], house: House) -> None:
        """Person to verifier, as the store has them; and who may sign where, for whoever asks."""
        self._proofs.people(verifiers)
        self._proofs.terminals(house.terminals)
        self._house = house
        self._webs({one.terminal: one.key for one in house.terminals if one.use is TerminalUse.WEB})

    def bring(self, made: socket.socket, name: str, key: str) -> None:
        """A connection of the web with this key, which proved it at the far door, to the socket of this name."""
        if self._end is None or self._ending:
            made.close()
        else:
            self._end.bring(made, name, web_peer(key))

    def unproven(self, now: Micros) -> Sequence[Input]:
        """What the record is to say of those who proved nothing, each once."""
        return self._proofs.sums(now)

    def show(self, view: NodeView, facts: Iterable[bytes] = ()) -> None:
        """Of views the newest value wins; facts, as they stand in the record, are told each once."""
        self._view = view
        self._facts.extend(facts)
        self._ring()

    def alive(self) -> bool:
        """Whether requests are still heard and answered."""
        return self._thread.is_alive() and self._clock.now() - self._beat < _SILENT_AFTER

    def _ring(self) -> None:
        if self._end is not None:
            self._end.bell.ring()

    def _run(self) -> None:
        end = self._end
        assert end is not None, "started"
        while not self._ending:
            now = self._clock.now()
            due = self._shown_at + (_NOT_BEFORE if self._to_be_told() else TOLD_EVERY)
            end.wait(min(max(due - now, 0), TOLD_EVERY) / SECOND)
            self._beat = now = self._clock.now()
            for letter in end.letters(_AT_ONCE):
                self._hear(end, letter)
                self._beat = self._clock.now()
                if self._beat - now > _LONGEST_BATCH:
                    break
            self._answer_what_is_done(end)
            self._answer_who_looks(end)
            self._tell(end)
            self._forget()
            self._beat = self._clock.now()
        self._answer_what_is_done(end)
        self._answered = 0  # no newer view will come
        self._answer_who_looks(end)
        if self._view is not self._shown:  # that it stops
            self._publish(end)

    # ------------------------------------------------------------------------------------------------ what is asked

    def _hear(self, end: NodeEnd, letter: Letter) -> None:
        order = read(letter.body)
        client = letter.envelope[0]
        if isinstance(order, Reply):
            end.answer(letter.envelope, _encode(order))
        elif order.request.do is Deed.STATE:
            self._look(end, letter, order.request.id)
        elif order.request.do is Deed.DESCRIBE:
            end.answer(letter.envelope, _encode(_described(order.request.id)))
        elif order.request.do is Deed.SALTS:
            end.answer(letter.envelope, _encode(self._proofs.salts(order.request)))
        elif order.request.do is Deed.PEOPLE:
            end.answer(letter.envelope, _encode(self._who(order.request.id)))
        elif (client, order.request.id) in self._under_way:
            self._say_how_far(end, letter, order.request.id)
        elif len(self._asked) >= MOST_WAITING or self._of_client[client] >= MOST_OF_ONE:
            end.answer(letter.envelope, _encode(answer(order.request.id, BUSY)))
        else:
            number = next(self._numbers)
            self._asked[number] = _Waiting(letter.envelope, order.request.id, self._clock.now(), _freed(order))
            self._of_client[client] += 1
            self._under_way.add((client, order.request.id))
            self._hand_on(end, number, order, letter.peer)

    def _say_how_far(self, end: NodeEnd, letter: Letter, id_: str) -> None:
        """Said again while it is done: one answer is enough, but whoever waits for the record to be read hears so."""
        inquiries = self._view.inquiries if self._view is not None else ()
        for one in inquiries:
            if one.id == id_:
                end.answer(letter.envelope, _encode(answer(id_, reading(one.percent))))

    def _look(self, end: NodeEnd, letter: Letter, id_: str) -> None:
        if len(self._looking) < MOST_WAITING:
            self._looking.append((letter.envelope, id_))
        else:
            end.answer(letter.envelope, _encode(answer(id_, BUSY)))

    def _answer_who_looks(self, end: NodeEnd) -> None:
        """A state is never older than an answer that somebody has heard: who acted and looks then sees what he did."""
        if self._view is not None and self._view.seq < self._answered:
            return
        looking, self._looking = self._looking, []
        for envelope, id_ in looking:
            end.answer(envelope, _encode(self._state(id_)))

    def _state(self, id_: str) -> Reply:
        view = self._view
        if view is None:
            return answer(id_, NOT_YET)
        return Reply(v=VERSION, id=id_, ok=True, seq=view.seq, state=replace(view, at=self._clock.wall()))

    def _who(self, id_: str) -> Reply:
        house = self._house
        if house is None:
            return answer(id_, NOT_YET)
        return Reply(v=VERSION, id=id_, ok=True, people=house.people, terminals=house.terminals)

    def _hand_on(self, end: NodeEnd, number: int, order: UnderstoodRequest, peer: Peer) -> None:
        request = order.request
        if request.do is Deed.FACTS:
            self._shelf.read(number, request)
            return
        proven = self._proofs.look_at(order, peer, self._clock.now(), self._clock.wall())
        if isinstance(proven, Trouble):
            self._answer(end, number, answer(request.id, proven))
            return
        if proven.by and request.by is not None:
            asker = Asker(peer.uid, request.by.person)
            self._asked[number] = self._asked[number]._replace(asker=asker, ticket=proven.ticket)
        if request.do is Deed.SIGN_OUT and request.by is not None:
            self._proofs.sign_out(request.by.ticket)
            self._answer(end, number, Reply(v=VERSION, id=request.id, ok=True))
            return
        asked, signed = order.signed(by=proven.by, second=proven.second)
        person = FromPerson(request, asked, proven.verifier, lambda reply: self._came_back(number, reply), signed)
        if not self._put(person):
            self._answer(end, number, answer(request.id, BUSY))

    def _came_back(self, number: int, reply: Reply) -> None:
        """In the shelf's thread, or in the engine's."""
        self._done.put((number, reply))
        self._ring()

    def _answer_what_is_done(self, end: NodeEnd) -> None:
        while not self._done.empty():
            self._answer(end, *self._done.get_nowait())

    def _answer(self, end: NodeEnd, number: int, reply: Reply) -> None:
        waiting = self._asked.pop(number, None)
        if waiting is not None:
            self._no_more(waiting)
            self._answered = max(self._answered, reply.seq)
            if reply.ok and waiting.frees:
                self._proofs.lift(waiting.frees)
            if reply.ok and waiting.ticket is not None:
                reply = self._proofs.signed_in(waiting.ticket, reply, self._clock.now())
            if waiting.asker is not None and not _changed_nothing(reply):
                self._proofs.was_not_refused(waiting.asker, self._clock.now())
            end.answer(waiting.envelope, _encode(reply))

    def _no_more(self, waiting: _Waiting) -> None:
        client = waiting.envelope[0]
        self._under_way.discard((client, waiting.id))
        self._of_client[client] -= 1
        if not self._of_client[client]:
            del self._of_client[client]

    def _forget(self) -> None:
        """Drop requests that were never answered: the client may ask again under the same id and gets the outcome."""
        too_old = self._clock.now() - _FORGOTTEN_AFTER
        while self._asked and (oldest := next(iter(self._asked.items())))[1].since < too_old:
            self._no_more(self._asked.pop(oldest[0]))

    # -------------------------------------------------------------------------------------------------- what goes out

    def _tell(self, end: NodeEnd) -> None:
        self._newcomers = end.newcomers() or self._newcomers
        while self._facts:
            entry = self._facts.popleft()
            if end.heard(FACT_TOPIC):
                end.publish(FACT_TOPIC, entry)
        view, now = self._view, self._clock.now()
        if view is None:
            self._shown_at = now
            return
        since = now - self._shown_at
        if since >= TOLD_EVERY or (self._to_be_told() and since >= _NOT_BEFORE):
            self._publish(end)

    def _to_be_told(self) -> bool:
        return self._newcomers or self._view is not self._shown

    def _publish(self, end: NodeEnd) -> None:
        view = self._view
        assert view is not None, "there is something to show"
        self._shown, self._shown_at, self._newcomers = view, self._clock.now(), False
        if end.heard(STATE_TOPIC):
            end.show(STATE_TOPIC, self._writer.write(replace(view, at=self._clock.wall())))


def _freed(order: UnderstoodRequest) -> str:
    """Whoever is enrolled has a new PIN; of whom somebody took note, it was looked at."""
    if order.request.do is Deed.ENROL:
        return order.request.person
    return order.input.person if isinstance(order.input, UnlockPerson) else ""


def _changed_nothing(reply: Reply) -> bool:
    """Facts for ever, and nothing came of them."""
    return bool(reply.facts) and all(bytes(fact).startswith(_OF_NOTHING) for fact in reply.facts)


def _described(id_: str) -> Reply:
    return Reply(v=VERSION, id=id_, ok=True, description=msgspec.Raw(description_body()))


def _taken(folder: Path) -> int:
    """The folder of the sockets, made and guarded while this handle is open: no second node gets in, and a dead node's
    folder is free, whatever files it left."""
    if too_long(folder):
        raise ControlRefused(f"{folder}: el nombre de esta carpeta es demasiado largo para un socket; use uno corto")
    folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    if os.geteuid() not in {folder.stat().st_uid, _ROOT}:
        raise ControlRefused(f"{folder}: esta carpeta no es de este usuario; nadie sabría si aquí atiende el nodo")
    folder.chmod(_FOLDER_MODE)  # an earlier version let the group write, and so take the place of the node
    fd = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        raise ControlRefused(f"{folder}: otro nodo ya atiende en esta carpeta", again=True) from None
    return fd
