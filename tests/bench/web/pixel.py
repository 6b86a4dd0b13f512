"""From the node's commit to the frame with it on a jackpot sign, with twenty signs; beside it what any page could do.

A pass is sealed, then a prize of it is registered and rejected again and again: registered, the pot falls, and what is not in it any
more may not be seen for another frame; rejected, it rises again, and the first frame in which the amount moves counts. (It moves for
1.8 s on purpose, and of rises that follow each other without end a sign is told ten and then one a second; that is no latency.) It
counts from the instant which the fact itself has, before it is written. Each sign has a computer of its own in a hall; here one of
them is a real page and nineteen take their streams on plain sockets, then twenty are real pages of one browser on this one machine.
"""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

from bench.house import millis, quantiles, row
from bench.web.bare import bare
from bench.web.watch import FRAME_WITH_IT
from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from controller.node.store.store import Reader
from support.browser.casino import ANA, CARLA, DRAW, JULIA, LUIS, WebCasino, casino
from support.browser.crowd import crowd
from support.browser.enrolling import enrolled
from support.browser.screen import SIGN, Screen, chromium
from support.browser.visitor import Visitor

SIGNS, TIMES, MOST_MS = 20, 100, 150
BY = Signature("")
KINDS = {"claim_registered", "claim_corrected"}
"""A pass that is entered or rejected again is a correction."""
AMOUNT = ".pot[data-pot=pozo-condor] .amount"
PAUSE = 0.6


class Way(NamedTuple):
    """Milliseconds, of each time and sign."""

    falls: list[float]
    rises: list[float]


def bench_pixel(short: bool) -> None:
    signs, times = (4, 10) if short else (SIGNS, TIMES)
    with chromium() as browser, casino() as house:
        house.sealed(DRAW, s1=5)
        with looking(house, signs - 1), hung(house, browser, 1) as pages:
            tell(f"a sign, {signs - 1} more on sockets", way(house, pages, times))
        with hung(house, browser, signs) as pages:
            tell(f"{signs} signs, all pages of this one machine", way(house, pages, times))
    with chromium() as browser, bare(browser) as page:
        frames, told = page.frames(), page.told(times)
    row("a bare page, from a word of a bare event stream", in_millis(told), len(told), "")
    row("a bare page, from one frame to the next", in_millis(frames), len(frames), "")


def tell(who: str, ways: Way) -> None:
    row(f"{who}: the amount falls", in_millis(ways.falls), len(ways.falls), f"goal p99 under {MOST_MS} ms")
    row(f"{who}: the amount begins to rise", in_millis(ways.rises), len(ways.rises), f"goal p99 under {MOST_MS} ms")


def in_millis(times: Iterable[float]) -> str:
    return millis(one * 1_000 for one in quantiles(times))


@contextmanager
def looking(house: WebCasino, signs: int) -> Iterator[None]:
    """So many signs of plain sockets, each a terminal of its own."""
    made = [Visitor(house.origin, f"s{number}", f"127.0.3.{number}") for number in range(1, signs + 1)]
    for one in made:
        assert one.enrols("sign", "sala", ANA, JULIA).status == one.says_hello().status == 200
    with crowd([(one, "sign:sala", 1) for one in made]):
        yield


@contextmanager
def hung(house: WebCasino, browser: Any, signs: int) -> Iterator[list[Screen]]:
    with ExitStack() as ending:
        pages = []
        for _ in range(signs):
            pages.append(enrolled(Screen(browser, house.origin, SIGN), "sign", "sala"))
            ending.callback(pages[-1].close)
            pages[-1].until_words("pozo cóndor")
            pages[-1].page.evaluate(FRAME_WITH_IT, AMOUNT)
        yield pages


def way(house: WebCasino, pages: Sequence[Screen], times: int) -> Way:
    """A prize is registered, the pot falls; it is rejected, the pot rises; and so on."""
    before = len(committed(house))
    for _ in range(times):
        house.ask(ask.RegisterClaim(DRAW, (Hand(1, claimed="full"),), BY), CARLA)
        time.sleep(PAUSE)
        (award,) = house.awards(DRAW)
        house.ask(ask.RejectClaim(award.rpartition("/")[0], "de la medida", BY, BY), JULIA, LUIS)
        time.sleep(PAUSE)
    facts = committed(house)[before:]
    assert len(facts) == 2 * times, "one of each, in turns"
    drawn = [one.page.evaluate("drawn") for one in pages]
    return Way(
        [moved(page, at, -1) - at for page in drawn for at in facts[::2]],
        [moved(page, at, 1) - at for page in drawn for at in facts[1::2]],
    )


def committed(house: WebCasino) -> list[float]:
    """When, by the facts themselves."""
    with Reader.open(house.place / "folder/node.db") as reader:
        return [json.loads(row.body)["at"] for row in reader.facts() if row.kind in KINDS]


def moved(drawn: Sequence[tuple[float, int]], after: float, way: int) -> float:
    """The first frame since then whose amount is lower (-1) or higher (1) than that before."""
    return next(
        now[0] for last, now in pairwise([[0, 5_000_000], *drawn]) if now[0] >= after and (now[1] - last[1]) * way > 0
    )
