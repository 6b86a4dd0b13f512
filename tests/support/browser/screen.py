"""A screen in front of somebody: a page of real headless Chromium under a finger, of a known size in millimetres.

Whatever the page complains of (an error of a script, a breach of its own content security policy, a file that is not there) is a
failure of the test, also when nobody asked: `closed` asserts it. What a test sends to the API and is refused is no complaint.
"""

import base64
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from support.browser.boxes import Target, Text
from support.browser.light import Frame, frame
from support.drivers.peers import library, program
from support.places import ROOT

SCREENS = ROOT / "var" / "screens"
"""Every page and state that was looked at, as an artefact."""
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-color-profile=srgb", "--hide-scrollbars",
)  # fmt: skip
_PAGE = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")
_SAYS = "said => document.body.innerText.replace(/\\s+/g, ' ').toLowerCase().includes(said)"
_LOOK, _PATIENCE = 50, 10_000
"""Milliseconds between two looks at a page, and until what a test waits for must have come."""
_FORGIVEN = re.compile(r"Failed to load resource: (net::|the server responded with a status of (4\d\d|503))")


class Glass(NamedTuple):
    """A screen as it hangs there: points, and how many of them are a millimetre."""

    width: int
    height: int
    millimetre: float
    ratio: float = 1.0  # real points for each CSS pixel

    @property
    def name(self) -> str:
        return f"{round(self.width * self.ratio)}x{round(self.height * self.ratio)}"


TEN_INCH = Glass(1280, 800, 5.88)
"""10.1 inches, the smallest of a croupier."""
FIFTEEN_INCH = Glass(1920, 1080, 5.56)
FIFTEEN_INCH_UPRIGHT = Glass(1080, 1920, 5.56)
DESK_4K = Glass(3840, 2160, 6.43)
"""27 inches."""
TABLET_UPRIGHT = Glass(800, 1280, 5.88)
SIGN = Glass(1920, 1080, 1.59)
"""A monitor of 55 inches."""
SIGN_UPRIGHT = Glass(1080, 1920, 1.59)
SIGN_4K = Glass(3840, 2160, 3.17)
SIGN_4K_UPRIGHT = Glass(2160, 3840, 3.17)
GLASSES = (TEN_INCH, FIFTEEN_INCH, TABLET_UPRIGHT, SIGN_4K)


class Seen(NamedTuple):
    """What a page shows at this moment."""

    url: str
    language: str
    marks: dict[str, str]
    millimetre: float
    words: str
    targets: list[Target]
    hidden: list[str]  # to be touched, but outside, or under something else
    cut: list[str]  # words that do not find room on their button
    texts: list[Text]
    overflows: bool


@contextmanager
def chromium(*more: str) -> Iterator[Any]:
    """Debian's, with an empty profile; it and its driver are skipped by name where they are absent."""
    sync, binary = library("playwright.sync_api"), program("chromium")
    with sync.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=binary, args=[*FLAGS, *more])
        try:
            yield browser
        finally:
            browser.close()


class Screen:
    """One browser window of its own profile: an own terminal. `page` is playwright's."""

    def __init__(self, browser: Any, origin: str, glass: Glass = TEN_INCH, **context: Any) -> None:
        self.origin, self.glass = origin, glass
        self.complaints: list[str] = []
        self.context = browser.new_context(
            viewport={"width": glass.width, "height": glass.height}, device_scale_factor=glass.ratio, has_touch=True,
            locale="es-CL", timezone_id="America/Santiago", base_url=origin, **context,
        )  # fmt: skip
        self.context.set_default_timeout(_PATIENCE)
        self.page = self.window()

    def window(self) -> Any:
        """One more of the same browser."""
        page = self.context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))
        return page

    def goes(self, path: str) -> "Screen":
        self.page.goto(self.origin + path)
        return self

    def seen(self, page: Any = None) -> Seen:
        told = (page or self.page).evaluate(_PAGE)
        targets = [
            Target(one["name"], one["x"], one["y"], one["width"], one["height"], one["first"])
            for one in told["targets"]
        ]
        texts = [Text(one["words"], one["em"], one["tall"], one["kind"]) for one in told["texts"]]
        overflows = told["wide"] > self.glass.width or told["high"] > self.glass.height
        return Seen(
            told["url"],
            told["language"],
            told["marks"],
            told["millimetre"],
            told["words"],
            targets,
            told["hidden"],
            told["cut"],
            texts,
            overflows,
        )

    def until_words(self, *words: str, page: Any = None) -> None:
        """All of them stand somewhere on the page."""
        for one in words:
            (page or self.page).wait_for_function(_SAYS, arg=" ".join(one.lower().split()), polling=_LOOK)

    def picture(self, name: str) -> bytes:
        """Kept under that name."""
        SCREENS.mkdir(parents=True, exist_ok=True)
        made: bytes = self.page.screenshot()
        (SCREENS / f"{name}-{self.glass.name}.png").write_bytes(made)
        return made

    @contextmanager
    def filmed(self) -> Iterator[list[Frame]]:
        """Each frame that is drawn meanwhile, coarse; complete when the block has ended."""
        frames: list[Frame] = []
        taken: list[tuple[float, str]] = []
        session = self.context.new_cdp_session(self.page)

        def take(told: dict[str, Any]) -> None:
            taken.append((told["metadata"]["timestamp"] * 1_000, told["data"]))
            session.send("Page.screencastFrameAck", {"sessionId": told["sessionId"]})

        session.on("Page.screencastFrame", take)
        session.send("Page.startScreencast", {"format": "jpeg", "quality": 50, "maxWidth": 480, "maxHeight": 480})
        try:
            yield frames
        finally:
            session.send("Page.stopScreencast")
            session.detach()
            frames += [frame(at, base64.b64decode(data)) for at, data in taken]

    def close(self) -> None:
        self.context.close()

    def closed(self) -> None:
        """Nothing was wrong with it."""
        self.close()
        assert self.complaints == [], "\n".join(self.complaints)

    def _hear(self, message: Any) -> None:
        if message.type != "error":
            return
        where = message.location.get("url", "")
        forgiven = _FORGIVEN.match(message.text) and ("net::" in message.text or "/api/v1/" in where)
        if not forgiven:
            self.complaints.append(f"{where}: {message.text}")


@contextmanager
def screen(browser: Any, origin: str, glass: Glass = TEN_INCH, **context: Any) -> Iterator[Screen]:
    """Open as long as the block; a complaint fails it, unless it has failed already."""
    made = Screen(browser, origin, glass, **context)
    try:
        yield made
    except BaseException:
        made.close()
        if made.complaints:
            print("the page complained:", *made.complaints, sep=os.linesep)
        raise
    made.closed()
