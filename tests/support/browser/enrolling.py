"""A browser becomes a terminal, in the way of a person with a bank card and in the way of a test in a hurry.

In a hurry: the page's own modules make the key and keep it, the real API enrols it, signed by two; only nobody types. The way of a
person is a test of its own.
"""

import secrets

from controller.node.vocabulary.protocol import Pin
from support.browser.casino import ANA, JULIA
from support.browser.screen import Screen

_ENROL = """async ({terminal, use, place, by, second, millimetre}) => {
    const key = await import("/ground/key.js");
    const pair = await key.makePair();
    const body = JSON.stringify({id: key.newId(), terminal, use, place, key: await key.publicHalf(pair), by, second});
    const path = "/api/v1/enrol";
    const signed = await key.signature(pair, `pozo act 1\\n${location.origin}\\n${path}\\n${body}`);
    const headers = {"Content-Type": "application/json", "Pozo-Signature": signed};
    const answer = await fetch(path, {method: "POST", headers, body});
    if (!answer.ok) throw new Error(await answer.text());
    await key.keepTerminal({terminal, use, place, pair});
    localStorage.setItem("pozo.mm", String(millimetre));
}"""
PAGES = {"table": "/croupier/", "chief": "/chief/", "sign": "/sign/"}


def enrolled(screen: Screen, use: str, place: str = "", by: Pin = ANA, second: Pin = JULIA) -> Screen:
    """It shows the page of its use."""
    screen.goes("/ground/enrol.html")
    wanted = {
        "terminal": f"t-{secrets.token_hex(4)}",
        "use": use,
        "place": place,
        "by": {"person": by.person, "pin": by.pin},
        "second": {"person": second.person, "pin": second.pin},
        "millimetre": screen.glass.millimetre,
    }
    screen.page.evaluate(_ENROL, wanted)
    return screen.goes(PAGES[use])
