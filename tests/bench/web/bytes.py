"""What a croupier's console, a sign and a chief's page are sent in a minute while 64 tables play, and what it costs to tell them.

All tables play a pass of seven bets a minute, nearly twice as fast as casinos do, and side by side. A console looks at each of them,
twenty signs and two chiefs at their own; half of them take it squeezed, as browsers do. What comes first, the whole, is not counted.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.house import Node, cpu_of, memory_of, node, row
from controller.play.cable import LOOPBACK, free_port
from drivers.punctual import micros
from drivers.session import SECOND
from support.browser.amounts import bytes_a_minute
from support.browser.casino import until_answered
from support.browser.crowd import Crowd, crowd
from support.browser.visitor import Visitor
from support.node.node_process import ANA, LUIS, POZO, started

TABLES, SIGNS, SECONDS, PASS = 64, 20, 120, 60
GOALS = {"croupier": 40_000, "sign": 40_000, "chief": 400_000}
MOST_MB = 150
_WEB = """
control = "{place}/control"
listen = "{host}:{port}"
origins = ["http://{host}:{port}"]
folder = "web"
signs = "signs.toml"
[notices]
responsible_play = "Juegue con responsabilidad."
age = "Solo mayores de 18 años."
resolution = "Res. 1"
"""
_SIGNS = '[[sign]]\nname = "sala"\npots = ["pozo"]\ntheme = "sala"\n'
_WAYS = ("gzip", "")


def bench_bytes(short: bool) -> None:
    tables, seconds = (4, PASS) if short else (TABLES, SECONDS)
    with node(*["table"] * tables, net=True) as house, served(house.place) as (origin, web):
        looks = [
            *(("croupier", one) for one in terminals(origin, "table", house.names, 1)),
            *(("sign", one) for one in terminals(origin, "sign", ["sala"] * SIGNS, 2)),
            *(("chief", one) for one in terminals(origin, "chief", [""] * 2, 3)),
        ]
        with crowd([(visitor, scope, 1) for _, (visitor, scope) in looks]) as there:
            share, megabytes = played(house, web, seconds), memory_of(web)
            sent = [(who, one.accepts, rate) for (who, (one, _)), rate in zip(looks, rates(there), strict=True)]
    for who, goal in GOALS.items():
        most = [max(rate for name, way, rate in sent if (name, way) == (who, taken)) for taken in _WAYS]
        row(f"{who}, {tables} tables of seven seats", *(f"{one:,.0f}" for one in most), f"goal {goal:,}")
    row(f"the web: {megabytes:.0f} MB, {share:.1f} % of one core, {len(looks)} streams", "", "", f"goal {MOST_MB} MB")


@contextmanager
def served(place: Path) -> Iterator[tuple[str, int]]:
    """The web of a house: its origin, and its process."""
    port = free_port()
    (place / "web.toml").write_text(_WEB.format(place=place, host=LOOPBACK, port=port))
    (place / "signs.toml").write_text(_SIGNS)
    with (
        (place / "web.log").open("w") as log,
        started([POZO, "web", place / "web.toml"], stdout=log, stderr=log) as web,
    ):
        until_answered(port)
        yield f"http://{LOOPBACK}:{port}", web.pid


def terminals(origin: str, use: str, places: Sequence[str], number: int) -> Iterator[tuple[Visitor, str]]:
    """One at each of these places, and what it looks at; every second one takes it plain."""
    for at, place in enumerate(places):
        visitor = Visitor(origin, f"{use}-{at}", f"127.0.{number}.{at + 1}", _WAYS[at % 2])
        assert visitor.enrols(use, place, ANA, LUIS).status == visitor.says_hello().status == 200
        yield visitor, f"{use}:{place}" if place else "floor"


def played(house: Node, web: int, seconds: int) -> float:
    """So long: the share of a core that the web took."""
    player = threading.Thread(target=house.play, args=(f"play {seconds} {PASS}",))
    player.start()
    began, cpu = micros(), cpu_of(web)
    player.join()
    took = (micros() - began) / SECOND
    return 100 * (cpu_of(web) - cpu) / took


def rates(there: Crowd) -> list[float]:
    now = micros() / 1_000
    return [bytes_a_minute(one.pieces, now) for one in there.readers]
