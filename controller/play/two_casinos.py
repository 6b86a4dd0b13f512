"""Two casinos and the node that owns the pot they share: three real nodes, and a cable that can be cut (R-28).

Theory. Each casino is played as the only one is (casino.py), in a folder of its own; the node `norte` has no table and
only runs. Between each casino and `norte` lies a cable of the demo, so a person can cut it and see what two casinos do
that cannot hear each other: multiples are paid, percentages wait, and all of it comes right when it is joined again.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

from controller.core.inputs import Input, PinNeighbour, StagePlan
from controller.core.values import Side, Signature
from controller.node.book.link_key import LinkKey
from controller.node.control.client import asking
from controller.node.control.live import LiveNode
from controller.node.vocabulary.disk import private_folder
from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.node.vocabulary.protocol import NodeView, Reply
from controller.play.cable import LOOPBACK, Cable, free_port
from controller.play.casino import Casino, DemoRefused, Site, found_if_new
from controller.play.croupier import Tempo
from controller.play.news import link_news
from controller.play.node import DemoProcess, end_leftover, write_settings
from controller.play.staff import ADMINISTRATORS, keep_pins, pin_of
from firmware_sim.desk.control import commanded_at

OWNER, NAMES = "norte", ("puerto", "valle")
TABLES = ("DP-01", "TX-01")
HELP = """\
cable corta            corta el enlace de los dos casinos con el pozo común; cable corta valle: de uno solo
cable une              lo une otra vez, de los dos o de uno
puerto DP-01 seat 3 press 2    como si jugara usted: botón 2 de la posición 3 de la mesa DP-01 del casino puerto
puerto gana DP-01 full         el próximo pase de esa mesa tiene un Full (color, poker, escalera_color, escalera_real)
puerto pausa DP-01             el crupier le deja la mesa; puerto sigue DP-01 se la devuelve. Con valle, lo mismo
ritmo 5                la noche cinco veces más rápida que una de verdad
salir                  termina la demostración; la próxima vez sigue donde quedó"""
NOBODY = Signature("")  # the node puts in the person whose PIN it has proved
BOTH = pin_of(ADMINISTRATORS[0].person), pin_of(ADMINISTRATORS[1].person)
_LOOK, _PAUSE = 0.2, 1.0  # seconds between two looks at the owner; before the same is asked again


class TwoCasinos:
    """`async with casinos.open(): await casinos.over()`. Made inside the loop."""

    def __init__(self, folder: Path, pace: Tempo, seed: int, tell: Callable[[str], None], until: int | None) -> None:
        self.folder, self._tell, self._until = folder.resolve(), tell, until
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[int] = self._loop.create_future()
        self._pace, self._seed = pace, seed
        self.casinos: tuple[Casino, ...] = ()
        self.cables: dict[str, Cable] = {}
        self.founded = False

    @property
    def passes(self) -> int:
        return sum(casino.passes for casino in self.casinos)

    @property
    def pace(self) -> Tempo:
        return self.casinos[0].pace

    @property
    def trouble(self) -> str:
        """What does not run, or is cut; nothing while all is well."""
        troubles = [f"{casino.site.name}: {casino.trouble}" for casino in self.casinos if casino.trouble]
        troubles += [] if self.owner.well else [f"{OWNER}: arrancando…"]
        cut = [name for name, cable in self.cables.items() if cable.cut]
        return " · ".join([*troubles, *([f"CABLE CORTADO: {', '.join(cut)}"] if cut else [])])

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """The owner first, then the cables, then who plays; and down again in the other order."""
        self.folder.mkdir(parents=True, exist_ok=True)
        keys = {name: link_key_in(self.folder / name) for name in (OWNER, *NAMES)}
        async with contextlib.AsyncExitStack() as closing:
            self.owner = Owner(self.folder / OWNER, self._tell, keys)
            await closing.enter_async_context(self.owner.open())
            for name in NAMES:
                self.cables[name] = cable = Cable(free_port(), self.owner.port)
                await closing.enter_async_context(cable.laid())
                values = {
                    "norte_address": f"tcp://{LOOPBACK}:{cable.near}",
                    "norte_fingerprint": fingerprint_of(keys[OWNER]),
                }
                site = Site(TABLES, f"demo/two/{name}.toml", name, values)
                casino = Casino(self.folder / name, self._pace, self._seed + len(self.casinos), self._tell, None, site)
                await closing.enter_async_context(casino.open())
                self.casinos = (*self.casinos, casino)
                if casino.founded:
                    pinned = PinNeighbour(OWNER, Side.ABOVE, keys[OWNER], NOBODY, NOBODY)
                    casino.ask(asking(pinned, *BOTH), lambda _: None)
            self.founded = self.owner.founded
            door = self.folder / "demo"  # of `pozo demo --say`
            door.unlink(missing_ok=True)
            closing.callback(door.unlink, missing_ok=True)
            await closing.enter_async_context(commanded_at(door, self.obey))
            self._loop.call_soon(self._turn)
            yield

    async def over(self) -> int:
        ends = [asyncio.ensure_future(casino.over()) for casino in self.casinos]
        done, left = await asyncio.wait([self._end, *ends], return_when=asyncio.FIRST_COMPLETED)
        for end in left - {self._end}:
            end.cancel()
        return max(end.result() for end in done)

    def stop(self, code: int = 0) -> None:
        if not self._end.done():
            self._end.set_result(code)

    def _turn(self) -> None:
        if self._end.done():
            return
        try:
            self.owner.look()
        except DemoRefused as refused:
            self._end.set_exception(refused)
            return
        if self._until is not None and self.passes >= self._until:
            self.stop()
        self._loop.call_later(_LOOK, self._turn)

    # Commands

    def obey(self, text: str) -> str:
        """Obey a line that a person typed; the answer to a line that is refused begins with `no: `."""
        who, _, rest = text.strip().partition(" ")
        casino = next((one for one in self.casinos if one.site.name == who.lower()), None)
        if casino is not None and rest.strip().lower() not in {"salir", "quit"}:
            return casino.obey(rest)
        match who.lower():
            case "":
                return ""
            case "ayuda" | "help":
                return HELP
            case "salir" | "quit":
                self.stop()
                return "hasta pronto"
            case "cable":
                return self._cable(*rest.strip().lower().partition(" ")[::2])
            case "ritmo":
                return max(casino.obey(text) for casino in self.casinos)
            case _:
                return f"no: {text.strip()!r} no es nada aquí; `ayuda` dice qué hay. Casinos: {', '.join(NAMES)}"

    def _cable(self, does: str, of: str) -> str:
        chosen = [of.strip()] if of.strip() else [*NAMES]
        if does not in {"corta", "une"} or not set(chosen) <= set(NAMES):
            return f"no: cable corta o cable une; y de quién, si es de uno solo: {', '.join(NAMES)}"
        for name in chosen:
            cable = self.cables[name]
            if does == "corta":
                cable.cuts()
            else:
                cable.joins()
        said = " y ".join(chosen)
        hear = "ya no oyen" if len(chosen) > 1 else "ya no oye"
        return f"cortado: {said} {hear} a {OWNER}" if does == "corta" else f"unido: {said} con {OWNER}"


class Owner:
    """The node of the shared pot: founded, introduced to the casinos, kept running."""

    def __init__(self, folder: Path, tell: Callable[[str], None], keys: Mapping[str, str]) -> None:
        self._folder, self._tell, self._keys = folder, tell, keys
        self.port = free_port()
        self.founded = False
        self._last: NodeView | None = None

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        self._folder.mkdir(parents=True, exist_ok=True)
        values = {f"{name}_fingerprint": fingerprint_of(self._keys[name]) for name in NAMES}
        values["norte_listen"] = f"tcp://{LOOPBACK}:{self.port}"
        file = write_settings(self._folder, f"demo/two/{OWNER}.toml", values)
        end_leftover(file)
        self.node, self.founded = found_if_new(file)
        keep_pins(self._folder / "pins")
        self.process = DemoProcess(file, self._folder / "node.log")
        self.live = LiveNode(self.node.control, silence=1.0, patience=3.0)
        self.process.start()
        self.live.start()
        if self.founded:
            self._introduce()
        try:
            yield
        finally:
            await asyncio.to_thread(self.live.stop)
            await asyncio.to_thread(self.process.stop)

    def _introduce(self) -> None:
        """Two persons pin each casino's key, then stage the plan of the pot; one thing after the other."""
        asks: deque[Input] = deque(PinNeighbour(name, Side.BELOW, self._keys[name], NOBODY, NOBODY) for name in NAMES)
        asks += (StagePlan(file.documents.plan, file.documents.ruleset, NOBODY, NOBODY) for file in self.node.plans)

        def next_one(said: Reply | str) -> None:
            if isinstance(said, Reply) and said.ok:
                asks.popleft()
            elif isinstance(said, Reply) and said.trouble is not None:
                self._tell(f"{OWNER}: {said.trouble.message}")
            if asks:
                wait = 0.0 if isinstance(said, Reply) and said.ok else _PAUSE
                asyncio.get_running_loop().call_later(wait, ask)

        def ask() -> None:
            self.live.ask(asking(asks[0], *BOTH), next_one)

        ask()

    @property
    def well(self) -> bool:
        return self.process.runs and not self.live.silent

    def look(self) -> None:
        said = self.process.look(time.monotonic())
        if said:
            self._tell(f"{OWNER}: {said}")
        if self.process.hopeless:
            raise DemoRefused(f"el nodo {OWNER} no arranca; esto dijo:\n{self.process.last_words()}")
        view = self.live.view
        if view is not None and view is not self._last and self.well:
            self.process.was_ready()
            for sentence in link_news(self._last, view):
                self._tell(f"{OWNER}: {sentence}")
            self._last = view


def link_key_in(folder: Path) -> str:
    """The public half, made on the first evening."""
    private_folder(folder)
    return LinkKey.load_or_make(folder).public.hex()
