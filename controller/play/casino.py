"""The demo casino put together: desks of simulated devices, the real node, croupiers and players, and one clock.

Theory. One loop plays everything that is simulated; the node is another process and hears of it only through its ports
and its control socket. Whatever a person types is obeyed here, whether at the demo's own prompt or through its socket.
A table that a person has taken over is left alone until he gives it back.
"""

import asyncio
import contextlib
import datetime as dt
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from controller.core.state import plan_of
from controller.documents import shelf
from controller.node.book.book import record_of
from controller.node.book.founding import Administrator, Member, found
from controller.node.control.client import ToSign, asking, doing
from controller.node.control.live import LiveNode
from controller.node.settings.settings import read_node
from controller.node.vocabulary.places import Node
from controller.node.vocabulary.protocol import NodeView, Reply
from controller.play.chief import Chief
from controller.play.croupier import Croupier, Errand, Tempo
from controller.play.faces import WebFaces, believed_about_terminals
from controller.play.felt.door import FeltDoor
from controller.play.news import news
from controller.play.node import DemoProcess, end_leftover, write_settings
from controller.play.slots import keep_power, power_up
from controller.play.staff import ADMINISTRATORS, EVERYBODY, keep_pins, pin_of
from controller.rules.cards import CATEGORIES
from drivers.punctual import micros
from firmware_sim.desk.control import commanded_at
from firmware_sim.desk.file import read_desk
from firmware_sim.desk.players import Players, PlayerView, evening
from firmware_sim.desk.stage import Stage
from firmware_sim.desk.view import seats_seen

PASSES_A_DAY = 240
HELP = """\
MESA seat 3 press 2    como si jugara usted: botón 2 de la posición 3 (en CP-01: seat 3 chip); MESA help: todo lo demás
MESA seat 3 lamp open  se quema una lámpara (lamp ok la cambia); MESA line mesa unplug saca el adaptador (plug lo pone)
pausa MESA             el crupier termina el pase y le deja la mesa a usted; sigue MESA se la devuelve
gana MESA full         el próximo pase de esa mesa tiene un Full (color, full, poker, escalera_color, escalera_real);
                       gana MESA full 3: la posición 3, si apuesta
ritmo 5                la noche cinco veces más rápida que una de verdad
salir                  termina la demostración; la próxima vez sigue donde quedó"""
_BEAT = 0.02
_SILENCE, _PATIENCE, _PAUSE = 0.4, 3.0, 0.2  # seconds: without a view, for an answer, before the same is asked again
_MOST_TOLD = 200
_FIRST_WIN = 2  # the pass of an evening in which each table's first prize falls


class Site(NamedTuple):
    """A casino that can be played: its tables, and its settings below `config/`; `values`: what stands in them beside
    the ports of devices. `name`: what tells it from another one."""

    tables: tuple[str, ...]
    settings: str
    name: str = ""
    values: Mapping[str, str] = {}


ALONE = Site(("DP-01", "CP-01", "TX-01"), "demo/node.toml")


class DemoRefused(Exception):  # noqa: N818  says what happened
    """Why the demo cannot be played, in one sentence."""


def found_if_new(file: Path) -> tuple[Node, bool]:
    """The node of these settings, and whether it was founded just now."""
    node = read_node(file)
    if record_of(node.folder).exists():
        return node, False
    administrators = [Administrator(one.person, one.name, one.pin) for one in ADMINISTRATORS]
    members = [Member(one.person, one.name, (one.role,), one.pin) for one in EVERYBODY if one not in ADMINISTRATORS]
    found(node, (administrators[0], administrators[1]), members, time.time_ns() // 1_000_000)
    return node, True


class Casino:
    """`async with casino.open(): await casino.over()`. Made inside the loop."""

    def __init__(
        self,
        folder: Path,
        pace: Tempo,
        seed: int,
        tell: Callable[[str], None],
        until: int | None,
        site: Site = ALONE,
    ) -> None:
        self.folder, self.pace, self.until, self.site = folder.resolve(), pace, until, site
        self.news: deque[str] = deque(maxlen=_MOST_TOLD)
        self.stages: dict[str, Stage] = {}
        self.croupiers: dict[str, Croupier] = {}
        self.founded = False
        self._tell, self._chance = tell, Random(seed)  # noqa: S311  a simulation's dice
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[int] = self._loop.create_future()
        self._shown: NodeView | None = None

    @property
    def view(self) -> NodeView | None:
        return self.live.view

    @property
    def casinos(self) -> tuple["Casino", ...]:
        """Whose tables are seen."""
        return (self,)

    @property
    def trouble(self) -> str:
        """Of the node, in two words; nothing while it runs."""
        return "" if self.runs_well else "nodo: arrancando…" if self.process.runs else "nodo caído"

    @property
    def passes(self) -> int:
        return self.chief.passes

    def seats(self, table: str) -> list[PlayerView]:
        return seats_seen(self.stages[table].desk.devices, micros())

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Devices first, then the node; and down again in the other order, whatever happens."""
        self.folder.mkdir(parents=True, exist_ok=True)
        async with contextlib.AsyncExitStack() as closing:
            for table in self.site.tables:
                stage = self._stage(table)
                await closing.enter_async_context(stage.open())
                kept = self.folder / "state" / f"{table}.slots"
                power_up(stage.desk, kept)
                closing.callback(keep_power, stage.desk, kept)
            values = {**self._ports(), **self.site.values, "terminals": believed_about_terminals()}
            file = write_settings(self.folder, self.site.settings, values)
            end_leftover(file)
            self.node, self.founded = found_if_new(file)
            keep_pins(self.folder / "pins")
            self._seat_people(self.node)
            desks = {table: stage.desk for table, stage in self.stages.items()}
            self._felt = FeltDoor(self.node, self.croupiers, desks)
            pots = dict.fromkeys(game.pot for game in self._felt.games.values())
            self.faces = WebFaces(self.folder, self.site.tables, list(pots))
            closing.push_async_callback(asyncio.to_thread, self.faces.stop)
            self.faces.start()
            door = self.folder / "sim" / "demo"  # of `pozo demo --say`
            door.unlink(missing_ok=True)  # the folder is ours alone (Stage): what stands there was left behind
            closing.callback(door.unlink, missing_ok=True)
            await closing.enter_async_context(commanded_at(door, self.obey))
            self.process = DemoProcess(file, self.folder / "node.log")
            closing.push_async_callback(self._end_node)
            self.process.start()
            self.live = LiveNode(self.node.control, silence=_SILENCE, patience=_PATIENCE)
            closing.push_async_callback(asyncio.to_thread, self.live.stop)
            self.live.start()
            self._loop.call_soon(self._turn)
            await self.faces.answers()
            yield

    async def _end_node(self) -> None:
        """The devices go on meanwhile, as real ones do."""
        code = await asyncio.to_thread(self.process.stop)
        if code:
            self._tell(f"El nodo terminó con código {code}; lo que dijo: {self.folder / 'node.log'}")

    async def over(self) -> int:
        return await self._end

    def stop(self, code: int = 0) -> None:
        if not self._end.done():
            self._end.set_result(code)

    # ------------------------------------------------------------------------------------------------ commands

    def obey(self, text: str) -> str:
        """Obey a line that a person typed; the answer to a line that is refused begins with `no: `."""
        who, _, rest = text.strip().partition(" ")
        table = who.upper()
        if table in self.stages:
            return self.stages[table].obey(rest or "status")
        word = rest.strip().upper()
        felt = self._felt.obey(text, self.view if self.runs_well else None, micros()) if who else None
        if felt is not None:
            return felt
        match who.lower():
            case "":
                return ""
            case "ayuda" | "help":
                return HELP
            case "salir" | "quit" if not rest.strip():
                self.stop()
                return "hasta pronto"
            case "pausa" | "sigue" if word in self.croupiers:
                return self._hand_over(who.lower() == "pausa", word)
            case "gana" if word.split(" ")[0] in self.croupiers:
                return self._plant(*word.partition(" ")[::2])
            case "ritmo" if rest.strip().isdecimal() and 1 <= int(rest) <= 100:
                self.pace = Tempo(int(rest))
                return "ok"
            case _:
                return (
                    f"no: {text.strip()!r} no es nada aquí; `ayuda` dice qué hay. Mesas: {', '.join(self.site.tables)}"
                )

    def _hand_over(self, leave: bool, table: str) -> str:
        croupier = self.croupiers[table]
        if leave:
            croupier.leaving = True
            return f"el crupier de {table} termina este pase y le deja la mesa"
        croupier.come_back()
        return f"el crupier vuelve a {table}"

    def _plant(self, table: str, hand: str) -> str:
        named, _, seat = hand.strip().rpartition(" ")
        favoured = int(seat) if named and seat in {"1", "2", "3", "4", "5", "6", "7"} else 0
        name = (named if favoured else hand).strip().lower().replace(" ", "_")
        if name not in CATEGORIES:
            return f"no: {hand!r} no es una jugada; hay: {', '.join(CATEGORIES)}"
        self.croupiers[table].forced, self.croupiers[table].favoured = CATEGORIES[name], favoured
        return f"el próximo pase de {table} tiene {name}"

    # ------------------------------------------------------------------------------------------------ the evening

    def _turn(self) -> None:
        """A beat of the evening: what everybody does now."""
        if self._end.done():
            return
        self._look_at_node()
        view = self.live.view
        if view is not None and not self.live.silent and not view.stopping:
            self.process.was_ready()
            self._say_all(news(self._shown, view) if view is not self._shown else ())
            self._shown = view
            self._play(view)
        if self.until is not None and self.passes >= self.until:
            self.stop()
        self._loop.call_later(_BEAT, self._turn)

    def _play(self, view: NodeView) -> None:
        now = micros()
        self._felt.turn(now)
        for table, croupier in self.croupiers.items():
            croupier.pace = self.pace.of_a_person() if self._felt.is_played_by_hand(table) else self.pace
            if croupier.forced is None and croupier.passes == _FIRST_WIN and table not in self._won:
                self._won.add(table)
                croupier.forced = CATEGORIES[self._chance.choice(("color", "full"))]
            acts, wanted = croupier.turn(view, self.seats(table), now)
            for act in acts:
                self.stages[table].obey(act)
            if wanted is not None:
                self.ask(request_of(wanted), croupier.answered)
        wanted = self.chief.turn(view, now, dt.date.today().isoformat())  # noqa: DTZ011  the date on the wall
        if wanted is not None:
            self.ask(request_of(wanted), partial(self.chief.answered, wanted))

    def ask(self, request: ToSign, answered: Callable[[Reply], None]) -> None:
        """A person's request, the same until it is answered, also over a restart of the node: nothing is done twice."""

        def heard(said: Reply | str) -> None:
            if isinstance(said, str):
                self._loop.call_later(_PAUSE, self.live.ask, request, heard)
            else:
                answered(said)

        self.live.ask(request, heard)

    @property
    def runs_well(self) -> bool:
        """The node is there and is heard."""
        return self.process.runs and not self.live.silent

    def _look_at_node(self) -> None:
        said = self.process.look(time.monotonic())
        self._say_all(filter(None, (said, self.faces.look(time.monotonic()))))
        if self.process.hopeless:
            self._end.set_exception(DemoRefused(f"el nodo no arranca; esto dijo:\n{self.process.last_words()}"))

    def _say_all(self, sentences: Iterable[str]) -> None:
        for sentence in sentences:
            self.news.append(sentence)
            self._tell(f"{self.site.name}: {sentence}" if self.site.name else sentence)

    # ------------------------------------------------------------------------------------------------ who is there

    def _stage(self, table: str) -> Stage:
        file = shelf() / "demo" / "desks" / f"{table}.toml"
        plan = read_desk(file.read_text(encoding="utf-8"), str(file))
        stage = Stage(plan, self.folder / "sim" / table, state=self.folder / "state" / table)
        self.stages[table] = stage
        return stage

    def _ports(self) -> dict[str, str]:
        """The port of each line, which a host opens."""
        return {f"{table}_{line}": url for table, stage in self.stages.items() for line, url in stage.where.items()}

    def _seat_people(self, node: Node) -> None:
        self._won: set[str] = set()
        for file in node.plans:
            plan = plan_of(file.documents)
            for linked in plan.tables:
                if linked.node not in {"", node.name}:
                    continue
                stage = self.stages[linked.name]
                seats = [seat for device in stage.desk.devices for seat in device.seats]
                chance = Random(self._chance.getrandbits(64))  # noqa: S311
                most = plan.limits.most // plan.limits.credit_value
                players = Players(seats, chance, evening(chance), most=most)
                cards = linked.modality.own_cards
                self.croupiers[linked.name] = Croupier(linked.name, cards, players, chance, plan.two_persons_above)
        self.croupiers = {table: self.croupiers[table] for table in self.site.tables}
        self.chief = Chief(tuple(self.croupiers.values()), PASSES_A_DAY)


def request_of(wanted: Errand) -> ToSign:
    """With the PINs of whoever signs."""
    by, second = pin_of(wanted.by), pin_of(wanted.second)
    if wanted.do is None:
        return asking(wanted.ask, by, second)
    told = {name: value for name in ("table", "seat", "day") if (value := getattr(wanted, name))}
    return doing(wanted.do, by, second, **told)
