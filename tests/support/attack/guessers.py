"""What a member does with PINs that are not his: he locks everybody out, or guesses, as fast as he may."""

import time
from collections import Counter
from pathlib import Path

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.control.client import Client, NodeSilent, asking
from controller.node.vocabulary.protocol import Pin, Reply

NOBODYS = "000000"
LOCK = ask.Lock("DP-01", Signature(""))


def lock_all(control: Path, until: float, *people: str) -> None:
    """Five wrong PINs for each of them, again and again; says what he was answered, and how often."""
    answered: Counter[str] = Counter()
    with Client(control) as client:
        while time.monotonic() < until:
            for person in people:
                for _ in range(5):
                    answered[_answer(client, person)] += 1
    print(*(f"{reason}={count}" for reason, count in sorted(answered.items())))


def at_invented_terminals(control: Path, _until: float, person: str) -> None:
    """One wrong PIN at each of a hundred terminals that are nowhere; says what he was answered."""
    answered: Counter[str] = Counter()
    with Client(control) as client:
        for number in range(100):
            said = client.sign_in(Pin(person, NOBODYS), f"inventada-{number}", LOCK.table)
            answered[said.trouble.reason if isinstance(said, Reply) and said.trouble else "done"] += 1
    print(*(f"{reason}={count}" for reason, count in sorted(answered.items())))


def _answer(client: Client, person: str) -> str:
    try:
        trouble = client.ask(asking(LOCK, Pin(person, NOBODYS)), 1.0).trouble
    except NodeSilent:
        return "silence"
    return trouble.reason if trouble is not None else "done"
