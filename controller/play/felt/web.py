"""The web process of a demonstration: `pozo web` itself, with the start page and the felt besides.

Theory. `python -m controller.play.felt.web FOLDER/web.toml`, started by the demo (faces.py). The demo's own door is
at FOLDER/sim/demo. Beside the server one thing runs: whoever has a table's screen open is said to be its croupier,
for as long as he looks; the demo takes the table back when nothing more is said.
"""

import asyncio
import contextlib
import sys
from pathlib import Path

from controller.play.felt.line import DemoAway, DemoLine
from controller.play.felt.routes import BELOW, FeltRoutes
from controller.rules.document import DocumentError
from controller.web.live.feed import LiveFeed
from controller.web.server import NEEDS_A_PERSON, Extra, run
from controller.web.settings import read_settings

PAGES = Path(__file__).resolve().parent.parent / "pages" / "play"
_SAYS_EVERY = 1.0
_TABLE = "table:"


def extra_of(config: Path) -> Extra:
    line = DemoLine(config.parent / "sim" / "demo")

    async def watch(feed: LiveFeed) -> None:
        while True:
            for scope in feed.looked_at():
                if scope.startswith(_TABLE):
                    with contextlib.suppress(DemoAway):
                        await line.ask(f"releva {scope.removeprefix(_TABLE)}")
            await asyncio.sleep(_SAYS_EVERY)

    return Extra(FeltRoutes(read_settings(config), line).routes(), {BELOW: PAGES}, watch)


def main(config: Path) -> int:
    try:
        return run(config, extra_of(config))
    except DocumentError as refused:
        sys.stderr.write(f"pozo: {refused}\n")
        return NEEDS_A_PERSON


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
