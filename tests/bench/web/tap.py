"""From a croupier's tap on a category to the frame with the node's amount for it, on his console; beside it what any page could do.

The pass is sealed, his draft has one winner, and he changes his mind again and again: full, color, full. Each tap is a preview that the
web signs for him and the node foresees. Its frame is the one after that in which the amount was written.
"""

from bench.house import row
from bench.web.bare import bare
from bench.web.pixel import in_millis
from bench.web.watch import FRAME_WITH_IT
from support.browser.casino import DRAW, casino
from support.browser.consoles import consoles
from support.browser.screen import chromium

TIMES, MOST_MS = 120, 100
AMOUNTS = {"full": "$\u00a0200.000", "color": "$\u00a0100.000"}
SEAT = 3
_SHOWN = "amount => document.querySelector('.hand .amount')?.textContent === amount"


def bench_tap(short: bool) -> None:
    times = 10 if short else TIMES
    took = []
    with chromium() as browser, casino() as house, consoles(house, browser) as opened:
        croupier = opened.at(DRAW)
        house.sealed(DRAW, s3=2)
        croupier.is_at("sealed")
        for number in range(times + 1):
            category = ("full", "color")[number % 2]
            croupier.seat(SEAT)
            croupier.claims(category)
            croupier.page.wait_for_function(_SHOWN, arg=AMOUNTS[category])
            if number == 0:
                croupier.page.evaluate(FRAME_WITH_IT, ".hand .amount")
                continue
            croupier.page.wait_for_timeout(100)
            touched, drawn = croupier.page.evaluate("[touched.splice(0), drawn.splice(0)]")
            took.append(drawn[-1][0] - touched[-1])
    with chromium() as browser, bare(browser) as page:
        tapped = page.tapped(times)
    row("a category, the node's amount for it", in_millis(took), len(took), f"goal p99 under {MOST_MS} ms")
    row("a bare page, a word fetched of a bare server", in_millis(tapped), len(tapped), "")
