"""Every mirror of this node, in a thread of its own: those it keeps of its boxes, and the one that is kept of it.

Theory. A mirror may be slow, its disk full or its neighbour mad: nothing that plays or moves money waits for it, so it
has a thread, and files that nobody else writes. The engine leaves a note after each commit, the link brings what came;
both return at once. What is heard while too much waits is let go: the mark is said again. A file that fails is closed,
said as an alarm, and opened anew a while later, when it is read from its end. What differs is told to the engine, which
puts it on record (`report`): so it is known after a restart, and two persons end it.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from threading import Condition, Thread
from typing import NamedTuple
from urllib.parse import quote

from controller.core.facts import Fact, LetterTold, NeighbourAccepted
from controller.core.links.known import MIRROR
from controller.core.state import State
from controller.core.values import Side
from controller.core.view import Alarm, alarm
from controller.node.book.founded import founded_key
from controller.node.link.mirror_feed import Given, MirrorPorts
from controller.node.link.mirror_return import Returning, WantedBack
from controller.node.link.mirror_words import MirrorMark, MirrorMessage, digest_of
from controller.node.link.mirroring import Copied, KeepEscrow, KeepFacts, KeepHead, MirrorDiffers, Mirroring
from controller.node.store.failure import StoreError
from controller.node.store.mirror import MirrorFile
from controller.node.vocabulary.clock import dated
from controller.node.vocabulary.disk import private_folder
from drivers.session import MILLISECOND, SECOND, Micros

AGAIN_AFTER: Micros = 10 * SECOND
LATE_AFTER: Micros = 60 * SECOND
MOST_WAITING = 64  # of one neighbour: it answers a mark at a time
_GATHERS: Micros = 50 * MILLISECOND  # what is committed meanwhile goes with it, where no letter waits
_IDLE = 1.0
_DEAD = "Los espejos se detuvieron por un defecto del programa; nada se copia hasta que el nodo arranque de nuevo."


def mirror_of(folder: Path, neighbour: str) -> Path:
    return folder / "mirrors" / f"{quote(neighbour, safe='')}.db"


class _Came(NamedTuple):
    neighbour: str
    what: MirrorMessage | WantedBack | bool  # or whether its link stands now


class Mirrors(Thread):
    """The thread; everybody else only leaves something for it."""

    def __init__(self, ports: MirrorPorts, state: State) -> None:
        super().__init__(name="mirrors", daemon=True)
        self._ports, self._now = ports, ports.clock.now
        self._state = state
        self._turn = Condition()
        self._came: deque[_Came] = deque()
        self._accepted: set[str] = set()
        self._is_new = self._is_awaited = self._is_over = False
        self._kept: dict[str, _KeptMirror] = {}
        self._given = Given(ports)
        self._returning = Returning(partial(mirror_of, ports.folder), ports.send, ports.say)
        self._alarms: dict[str, Alarm | None] = {}

    def committed(self, state: State, facts: Collection[Fact]) -> None:
        """From the engine, after each commit. A letter waits until its mirror has it: it is copied at once."""
        inside = [one.side for one in state.neighbours.values() if one.inside]
        if not inside:
            return
        accepted = {one.neighbour for one in facts if isinstance(one, NeighbourAccepted) and one.stream == MIRROR}
        with self._turn:
            self._state = state
            self._is_new = True
            self._is_awaited |= Side.ABOVE in inside and any(isinstance(one, LetterTold) for one in facts)
            self._accepted |= accepted
            self._turn.notify()

    def link(self, neighbour: str, *, up: bool) -> None:
        self._leave(_Came(neighbour, up))

    def heard(self, neighbour: str, message: MirrorMessage) -> None:
        self._leave(_Came(neighbour, message))

    def wanted(self, neighbour: str, mark: MirrorMark) -> None:
        """By a box that burned."""
        self._leave(_Came(neighbour, WantedBack(mark)))

    def _leave(self, came: _Came) -> None:
        with self._turn:
            waiting = sum(one.neighbour == came.neighbour for one in self._came)
            if isinstance(came.what, bool) or waiting < MOST_WAITING:
                self._came.append(came)
                self._turn.notify()

    def stop(self) -> None:
        with self._turn:
            self._is_over = True
            self._turn.notify()
        if self.is_alive():
            self.join(2.0)

    def look(self, _now: Micros, raise_alarm: Callable[[str, Alarm | None], None]) -> None:
        """What mirrors have to say, as alarms as long as it lasts. Their thread ends by a defect only, and that is no
        reason to stop tables."""
        is_dead = not self.is_alive() and not self._is_over
        raise_alarm("mirrors", alarm("mirrors_dead", "espejo", "R-27", _DEAD) if is_dead else None)
        raised = dict(self._alarms)
        for key, told in raised.items():
            raise_alarm(key, told)
            if told is None:
                self._alarms.pop(key, None)

    def run(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._is_over or bool(self._came) or self._is_new, _IDLE)
                if self._is_over:
                    break
                came, self._came = list(self._came), deque()
                accepted, self._accepted = self._accepted, set()
                is_new, self._is_new, self._is_awaited, state = self._is_new, False, False, self._state
            for one in came:
                self._take(one, state)
            for neighbour in accepted & self._kept.keys():
                self._kept[neighbour].accept(self._now())
            for kept in self._kept.values():
                kept.tick(self._now())
                self._alarms[f"mirror of {kept.neighbour}"] = kept.trouble(self._now())
            if is_new:
                self._given.push()
            self._alarms["mirror given"] = self._given.trouble
            self._alarms |= {f"mirror back {box}": told for box, told in self._returning.alarms.items()}
            self._rest()
        for kept in self._kept.values():
            kept.close()

    def _rest(self) -> None:
        with self._turn:
            self._turn.wait_for(lambda: self._is_over or self._is_awaited or bool(self._came), _GATHERS / SECOND)

    def _take(self, came: _Came, state: State) -> None:
        neighbour = state.neighbours.get(came.neighbour)
        if neighbour is None or neighbour.revoked or not neighbour.inside:
            return
        if isinstance(came.what, WantedBack):
            if neighbour.side is Side.BELOW:
                self._returning.take(neighbour, came.what.mark, self._now())
            return
        if neighbour.side is Side.ABOVE:
            self._given.take(came.neighbour, came.what)
            return
        if came.what is True:
            self._returning.linked(came.neighbour)
        if came.neighbour not in self._kept:
            is_stopped = MIRROR in neighbour.stopped
            self._kept[came.neighbour] = _KeptMirror(came.neighbour, self._ports, is_stopped=is_stopped)
        self._kept[came.neighbour].take(came.what, self._now())


class _KeptMirror:
    """Of one box: its file, and what is believed of it."""

    def __init__(self, neighbour: str, ports: MirrorPorts, *, is_stopped: bool) -> None:
        self.neighbour, self._ports = neighbour, ports
        self._path = mirror_of(ports.folder, neighbour)
        self._is_stopped = is_stopped
        self._is_up = False
        self._file: MirrorFile | None = None
        self._mirroring: Mirroring | None = None
        self._differs = self._why = ""
        self._failed_since: Micros | None = None
        self._next_try: Micros = 0

    def take(self, what: MirrorMessage | bool, now: Micros) -> None:
        was_open = self._mirroring is not None
        if isinstance(what, bool):
            self._is_up = what
            if was_open or not what:
                self._with(now, lambda mirroring: mirroring.up(now) if what else mirroring.down())
                return
        else:
            self._with(now, lambda mirroring: mirroring.receive(what, now))
            return
        self._with(now, lambda _: None)  # it says where it stands as it is opened

    def accept(self, now: Micros) -> None:
        self._is_stopped, self._differs = False, ""
        self._with(now, lambda mirroring: mirroring.accept(now))

    def tick(self, now: Micros) -> None:
        if self._is_up or self._mirroring is not None:
            self._with(now, lambda mirroring: mirroring.tick(now, dated(self._ports.clock.wall())))

    def _with(self, now: Micros, do: Callable[[Mirroring], None]) -> None:
        """Believing reads the file too."""
        mirroring = self._open(now)
        if mirroring is None:
            return
        try:
            do(mirroring)
        except (StoreError, OSError) as error:
            self._broke(error, now)
            return
        self._settle(now)

    def trouble(self, now: Micros) -> Alarm | None:
        box = self.neighbour
        if self._differs:
            differs = "El espejo de {box}: {why}. Nada suyo se copia hasta que dos personas lo vean."
            return alarm("mirror_differs", "espejo", "R-27", differs, box=box, why=self._differs)
        if self._failed_since is not None and now - self._failed_since >= LATE_AFTER:
            failed = "El espejo de {box} no se guarda: {why}"
            return alarm("mirror_not_kept", "espejo", "R-27", failed, box=box, why=self._why)
        if self._mirroring is not None and self._mirroring.is_silent(now):
            silent = "El espejo de {box}: ese nodo no muestra su registro. Mire allí si se puede leer."
            return alarm("mirror_silent", "espejo", "R-27", silent, box=box)
        return None

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = self._mirroring = None

    def _open(self, now: Micros) -> Mirroring | None:
        if self._mirroring is None and now >= self._next_try:
            try:
                if not self._path.exists():
                    private_folder(self._path.parent)
                    MirrorFile.create(self._path, self.neighbour)
                self._file = MirrorFile.open(self._path)
                key = founded_key(self._file)
                file = self._file
                copied = Copied(
                    file.end(), file.last_signed(), key, file.at, lambda *ends: digest_of(file.facts(*ends)),
                    self._is_stopped,
                )  # fmt: skip
            except (StoreError, OSError) as error:
                self._broke(error, now)
                return None
            ports = self._ports
            self._mirroring = Mirroring(self.neighbour, copied, ports.key.countersign, ports.node, ports.key.public)
            if self._is_up:
                self._mirroring.up(now)
        return self._mirroring

    def _settle(self, now: Micros) -> None:
        """What was decided goes to the disk and to the box."""
        while self._mirroring is not None and (event := self._mirroring.next_event()) is not None:
            try:
                self._do(self._mirroring, event, now)
            except (StoreError, OSError) as error:
                self._broke(error, now)
        for message in self._mirroring.to_send() if self._mirroring is not None else ():
            self._ports.send(self.neighbour, message)

    def _do(self, mirroring: Mirroring, event: object, now: Micros) -> None:
        assert self._file is not None, "as long as something is believed"
        match event:
            case KeepFacts():
                self._file.keep(*event)
                self._failed_since = None
                mirroring.kept(now, dated(self._ports.clock.wall()))
            case KeepEscrow(sealed):
                self._file.keep_escrow(sealed)
                mirroring.kept_escrow(hashlib.sha256(sealed).digest(), now)
            case KeepHead(body, signature):
                self._file.keep_head(body, signature)
                mirroring.kept_head(body, signature)
            case MirrorDiffers(why, said, sentence):
                self._is_stopped, self._differs = True, sentence
                self._ports.report(self.neighbour, MIRROR, why, said)

    def _broke(self, error: StoreError | OSError, now: Micros) -> None:
        self._why = error.sentence if isinstance(error, StoreError) else error.strerror or type(error).__name__
        self._failed_since = now if self._failed_since is None else self._failed_since
        self._next_try = now + AGAIN_AFTER
        self.close()
