"""`pozo web` put together: routes and pages become one application, and uvicorn serves it as a process.

Theory. Who adds a face adds to `routes_of` or lays a file into `pages/`; what the demonstration has besides comes in
`Extra`, so that an installed node cannot have it. Signals are the process's own affair and not the library's: the first
one lets go of every stream and ends it within two seconds, whoever is looking. Nothing is said of single requests: who
floods the process does not fill the disk of the machine that pays. A defect that a request found is said, and that
request alone dies of it.
"""

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from controller.about import VERSION
from controller.node.passage.ways import Ways
from controller.node.passage.web_key import NoWebKey, web_key
from controller.node.telemetry.journal import Journal, journal, set_up, under_systemd
from controller.node.telemetry.journal_lines import JournalLines
from controller.node.telemetry.sd_notify import Systemd
from controller.rules.document import DocumentError
from controller.web.connection import BrowserConnection
from controller.web.door.doorway import Doorway
from controller.web.door.tls import TlsRefused
from controller.web.gatehouse import Gatehouse
from controller.web.listening import listening_at
from controller.web.live.entities import LayoutEntity
from controller.web.live.feed import LiveFeed
from controller.web.live.stream import Admits, Streams
from controller.web.settings import WebSettings, read_settings
from controller.web.static import PAGES, StaticPages

ENDED, BROKE, NEEDS_A_PERSON = 0, 1, 78
GOODBYE = 1
"""Seconds that answers under way have when the process ends."""
_BACKLOG = 512
_MOST_CONNECTIONS = 2_048
_LONGEST_HEADERS = 16_384
_IDLE = 15
"""Seconds until a browser's unused connection is closed."""
_SENTENCES = {
    401: ("no_session", "Esta terminal tiene que presentarse otra vez."),
    403: ("not_for_this_terminal", "Esta terminal no es de ahí."),
    404: ("not_there", "Aquí no hay nada con ese nombre."),
    405: ("not_this_way", "Aquí no se pregunta de esa manera."),
}


class WebSays(StrEnum):
    """Every event of the web process."""

    NOT_STARTED = "not_started"  # message
    STARTING = "starting"  # version, config, control
    READY = "ready"  # listen, origins
    NODE_STRANGE = "node_strange"  # message
    STOPPING = "stopping"  # why
    SIGN_SHOWS = "sign_shows"  # sign, trouble (wrong, unseen, silent; nothing when it is over), what
    BOX_REACHED = "box_reached"  # box
    BOX_LOST = "box_lost"  # box
    STOPPED = "stopped"
    DEFECT = "defect"  # message


class Extra(NamedTuple):
    """What a demonstration has and no installed node: routes, pages by the address below which they stand, and what
    runs `beside` the server and may know who looks."""

    routes: Sequence[BaseRoute] = ()
    pages: Mapping[str, Path] = {}
    beside: Callable[[LiveFeed], Coroutine[Any, Any, None]] | None = None


NOTHING_MORE = Extra()


class Faces:
    """What a process is made of: who is let in, the node followed, the streams of who looks, the application that all
    of it stands before. `admits`: who may look, where a test says it in the place of the gatehouse."""

    def __init__(
        self, settings: WebSettings, journal: Journal, extra: Extra = NOTHING_MORE, admits: Admits | None = None
    ) -> None:
        strange = lambda sentence: journal.error(WebSays.NODE_STRANGE, message=sentence)
        self.feed = LiveFeed(settings.control, layouts_of(settings), strange)
        says = lambda one: journal.warning(WebSays.SIGN_SHOWS, **one._asdict())
        self._ways = _ways_of(settings, partial(self._say_of_a_box, journal)) if settings.boxes else None
        boxes = self._ways.nodes() if self._ways is not None else {}
        self._far = {name: LiveFeed(node, {}, strange, box=name) for name, node in boxes.items()}
        self.gatehouse = Gatehouse(settings, self.feed.shown, self.feed.notes, says, boxes)
        self.streams = Streams(self.feed, admits or self.gatehouse.admits, self._far)
        pages = StaticPages({**extra.pages, "/": PAGES}, settings.language)
        routes = [*self.streams.routes(), Mount("/api", self.gatehouse.api), *extra.routes]
        application = Starlette(
            routes=[*routes, Route("/{path:path}", pages.answer, methods=["GET"])],
            exception_handlers={HTTPException: _said_no},
        )
        self.application = self.gatehouse.before(application)
        self._extra = extra
        self._beside: list[asyncio.Task[None]] = []

    def _say_of_a_box(self, journal: Journal, box: str, reached: bool) -> None:
        """In the thread of the ways."""
        journal.info(WebSays.BOX_REACHED if reached else WebSays.BOX_LOST, box=box)
        if not reached:
            self._far[box].lost()

    def start(self) -> None:
        """In the loop that serves."""
        if self._ways is not None:
            self._ways.start()
        for feed in (self.feed, *self._far.values()):
            feed.start()
        self._beside.append(asyncio.create_task(self.gatehouse.watch()))
        if self._extra.beside is not None:
            self._beside.append(asyncio.create_task(self._extra.beside(self.feed)))

    def stop(self) -> None:
        self.streams.end()
        for feed in (self.feed, *self._far.values()):
            feed.stop()
        for task in self._beside:
            task.cancel()
        self.gatehouse.stop()
        if self._ways is not None:
            self._ways.stop()

    def connection(self, **given: Any) -> asyncio.Protocol:
        """One of the library's, behind the doorway."""
        return Doorway(self.gatehouse.doorways, BrowserConnection(**given))


def _ways_of(settings: WebSettings, says: Callable[[str, bool], object]) -> Ways:
    """To the other boxes; NoWebKey where the web's own key cannot be used."""
    boxes = {one.name: one for one in settings.boxes}
    return Ways(boxes, settings.folder / "ways", web_key(settings.folder), says)


def layouts_of(settings: WebSettings) -> dict[str, LayoutEntity]:
    """What each sign shows, and must say."""
    said = settings.notices._asdict() if settings.notices is not None else {}
    return {one.name: LayoutEntity(**one._asdict(), **said) for one in settings.signs}


async def _said_no(_request: Request, error: Exception) -> Response:
    """In the form of every other no: a name, the rule, the place, a sentence."""
    assert isinstance(error, HTTPException), "registered for it"
    reason, sentence = _SENTENCES.get(error.status_code, ("malformed", "No se entendió el pedido."))
    body = f'{{"trouble":{{"reason":"{reason}","rule":"","where":"","message":"{sentence}"}}}}'
    return Response(body, error.status_code, dict(error.headers or {}), "application/json")


def run(config: Path, extra: Extra = NOTHING_MORE, admits: Admits | None = None) -> int:
    """The exit code, when it is over."""
    lines = JournalLines(sys.stderr.fileno())
    set_up(lines, under_systemd=under_systemd())
    try:
        return _run(config, extra, admits, journal(), Systemd())
    finally:
        lines.close()


def _run(config: Path, extra: Extra, admits: Admits | None, journal: Journal, systemd: Systemd) -> int:
    if not __debug__:
        return _not_started(journal, systemd, "las comprobaciones están apagadas (python -O)", NEEDS_A_PERSON)
    try:
        settings = read_settings(config)
        faces = Faces(settings, journal, extra, admits)
        listening = listening_at(settings)
    except (DocumentError, NoWebKey, TlsRefused) as refused:
        return _not_started(journal, systemd, str(refused), NEEDS_A_PERSON)
    except OSError as error:
        return _not_started(journal, systemd, f"no se puede atender ahí: {error.strerror}", BROKE)
    journal.info(WebSays.STARTING, version=VERSION, config=str(config), control=str(settings.control))
    _hear_of_defects(journal)
    served = _Served(faces, settings, journal, systemd)
    with listening:
        asyncio.run(served.serve([listening]))
    journal.info(WebSays.STOPPED)
    return ENDED


def _not_started(journal: Journal, systemd: Systemd, sentence: str, code: int) -> int:
    journal.critical(WebSays.NOT_STARTED, message=sentence, exit=code)
    systemd.say(STATUS=sentence)
    return code


def _config(faces: Faces) -> uvicorn.Config:
    return uvicorn.Config(
        faces.application,
        http=cast(Any, faces.connection),
        ws="none",
        lifespan="off",
        loop="asyncio",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        limit_concurrency=_MOST_CONNECTIONS,
        h11_max_incomplete_event_size=_LONGEST_HEADERS,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=GOODBYE,
    )


class _Served(uvicorn.Server):
    """The library's server, whose signals are ours."""

    def __init__(self, faces: Faces, settings: WebSettings, journal: Journal, systemd: Systemd) -> None:
        super().__init__(_config(faces))
        self._faces = faces
        self._settings, self._journal, self._systemd = settings, journal, systemd

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The first signal ends it. The library would also raise it once more when all is over."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, number)
        yield

    def _stop(self, number: signal.Signals) -> None:
        if not self.should_exit:
            self._journal.info(WebSays.STOPPING, why=signal.Signals(number).name)
            self._systemd.say(STOPPING="1")
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._faces.start()
        await super().startup(sockets)
        self._systemd.say(READY="1", STATUS=f"muestra {self._settings.control}")
        listen = f"{self._settings.address}:{self._settings.port}"
        self._journal.info(WebSays.READY, listen=listen, origins=list(self._settings.origins))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._faces.stop()
        await super().shutdown(sockets)


class _ToJournal(logging.Handler):
    """What the libraries say is wrong, as an event of ours."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(logging.ERROR)
        self._journal = journal

    def emit(self, record: logging.LogRecord) -> None:
        self._journal.error(WebSays.DEFECT, message=record.getMessage().strip(), exc_info=record.exc_info)


def _hear_of_defects(journal: Journal) -> None:
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [_ToJournal(journal)], False
        logger.setLevel(logging.ERROR)
