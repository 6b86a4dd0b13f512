"""What a person with a PIN of his own can have written down by being refused, as fast as he is heard."""

import re
import time
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.control.client import Client, asking, doing, signed
from controller.node.control.zmtp import framed
from controller.node.vocabulary.proof import Salted, signing_key, slow_key
from controller.node.vocabulary.protocol import Deed, Pin
from support.attack.at_the_door import _shaken

_LUIS, _JEFE = Pin("luis", "444444"), Pin("jefe", "222222")
ASKED = {
    "refused": (_LUIS, ask.Lock("DP-01", Signature(""))),  # he administers, so no table is his
    "nothing": (_JEFE, ask.NoteClock(Signature(""))),  # the clock is right
    "long": (_LUIS, ask.WithdrawPlan("x" * 3_500, Signature(""))),  # there is no such pot, and the refusal says which
}
"""What is not done, or is done and changes nothing."""


@cache
def _key(pin: Pin, salted: Salted) -> bytes:
    return signing_key(slow_key(pin.pin, salted))


def again_and_again(control: Path, until: float, what: str) -> None:
    """As fast as he is heard; says why he was refused, and how often."""
    person, asked = ASKED[what]
    with Client(control) as client:
        salts = client.ask(doing(Deed.SALTS, people=(person.person,)))
    heard: Counter[str] = Counter()
    with suppress(OSError):
        while time.monotonic() < until:
            with _shaken(control, "commands", b"DEALER") as made:
                while time.monotonic() < until:
                    for _ in range(4):
                        made.send(framed([signed(asking(asked, person), salts, _key)]))
                    with suppress(BlockingIOError, TimeoutError):
                        said = made.recv(2**16)
                        heard.update(re.findall(r'"reason":"([a-z_]+)"', said.decode(errors="replace")))
    print(*(f"{reason}={count}" for reason, count in sorted(heard.items())))
