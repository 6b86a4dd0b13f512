"""`make bench`: our speed beside the peers', in one run, as the table that docs/benchmarks.md keeps.

Every row is the median of its runs with the lowest and highest; hands are the same for everybody. Peers that
are absent are named. `pozo` runs as its users run it: the real command, one process, one core.
"""

import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from controller.rules.cards import CARDS, classify
from support.places import CONFIG

POZO = str(Path(sys.executable).parent / "pozo")
DECK = list(CARDS)
RUNS = 5
HANDS = 200_000
Hand = list[str]
Rates = tuple[float, float, float]
"""Median, lowest, highest."""
Peer = tuple[str, str, Callable[[Hand], Any], Callable[[Any], object], int]
"""Name, note, how a hand becomes its own (outside the clock), what it does with one (inside it), and how many."""


def rate(amount: int, action: Callable[[], object], runs: int = RUNS) -> Rates:
    """Per second: median, lowest, highest."""
    rates = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        rates.append(amount / (time.perf_counter() - start))
    return statistics.median(rates), min(rates), max(rates)


def row(what: str, rates: Rates, note: str = "") -> None:
    middle, low, high = (f"{figure:,.0f}" for figure in rates)
    print(f"| {what} | {middle} ({low}-{high}) | {note} |", flush=True)


def heading(title: str, unit: str) -> None:
    print(f"\n### {title}\n\n| what | {unit} | note |\n|---|---|---|")


def over(hands: list[Hand], prepare: Callable[[Hand], Any], action: Callable[[Any], object]) -> Callable[[], None]:
    """The hands in a peer's own form, and what it does with each of them."""
    ready = [prepare(hand) for hand in hands]

    def run() -> None:
        for hand in ready:
            action(hand)

    return run


def peers() -> Iterator[Peer]:
    yield "**pozo** `classify`", "pre-parsed cards", lambda hand: tuple(CARDS[card] for card in hand), classify, HANDS
    yield "**pozo** from text", "", lambda hand: hand, lambda hand: classify([CARDS[card] for card in hand]), HANDS
    try:
        import treys

        judge = treys.Evaluator().evaluate
        yield (
            "treys",
            "pre-parsed",
            lambda hand: [treys.Card.new(card) for card in hand],
            lambda hand: judge([], hand),
            HANDS,
        )
        new = treys.Card.new
        yield "treys from text", "", lambda hand: hand, lambda hand: judge([], [new(card) for card in hand]), HANDS
    except ImportError:
        print("| treys | absent | |")
    try:
        import phevaluator

        evaluate, to_id = phevaluator.evaluate_cards, phevaluator.Card.to_id
        yield (
            "phevaluator",
            "pre-parsed ids",
            lambda hand: [to_id(card) for card in hand],
            lambda hand: evaluate(*hand),
            HANDS,
        )
        yield "phevaluator from text", "", lambda hand: hand, lambda hand: evaluate(*hand), HANDS
    except ImportError:
        print("| phevaluator | absent | |")
    try:
        import eval7

        card, both = eval7.Card, eval7.evaluate
        yield "eval7", "pre-parsed", lambda hand: [card(name) for name in hand], both, HANDS
        yield "eval7 from text", "", lambda hand: hand, lambda hand: both([card(name) for name in hand]), HANDS
    except ImportError:
        print("| eval7 | absent | |")
    try:
        import pokerkit

        lookup = pokerkit.StandardLookup().get_entry
        few = HANDS // 10
        yield "pokerkit", "pre-parsed", lambda hand: tuple(pokerkit.Card.parse("".join(hand))), lookup, few
        text = lambda hand: pokerkit.StandardHighHand("".join(hand)).entry
        yield "pokerkit from text", "", lambda hand: hand, text, few
    except ImportError:
        print("| pokerkit | absent | |")


def bench_hands() -> None:
    chance = random.Random(20261118)
    hands = [chance.sample(DECK, 5) for _ in range(HANDS)]
    heading(f"Five-card hands, the same {HANDS:,} for everybody", "hands per second")
    for name, note, prepare, action, many in peers():
        row(name, rate(many, over(hands[:many], prepare, action)), note)


GAMES = {
    "draw": (5, 0, 6),
    "caribbean": (5, 0, 7),
    "caribbean_plus": (5, 0, 7),
    "go": (3, 2, 7),
    "texas_plus": (2, 3, 6),
}


def random_pass(chance: random.Random, at: int) -> dict[str, object]:
    modality, (own, shared, most) = chance.choice(list(GAMES.items()))
    seats = chance.sample(range(1, most + 1), chance.randint(2, most))
    cards = chance.sample(DECK, shared + own * len(seats))
    return {
        "id": f"p{at}",
        "ruleset": "scj-2023",
        "modality": modality,
        "unit": 1,
        "community": cards[:shared],
        "pot": {
            "main": chance.randint(0, 10**8),
            "base": 5_000_000,
            "reserves": [{"name": "reserva0", "amount": 70_000}],
        },
        "seats": [
            {
                "seat": seat,
                "bet": 1000 * chance.randint(1, 5),
                "cards": cards[shared + own * n :][:own],
                "folded": chance.random() < 0.2,
            }
            for n, seat in enumerate(seats)
        ],
    }


def run_pozo(command: str, source: Path) -> tuple[float, float]:
    """Seconds and peak memory (MB) of one run of the command over a file, its answers thrown away."""
    start, peak = time.perf_counter(), 0
    with (
        source.open("rb") as lines,
        subprocess.Popen([POZO, command], stdin=lines, stdout=subprocess.DEVNULL) as child,
    ):
        while child.poll() is None:
            # The high-water mark of the program itself; what wait4 reports includes the memory of this one.
            marks = re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{child.pid}/status").read_text())
            peak = max([peak, *map(int, marks)])
            time.sleep(0.02)
        assert child.returncode == 0
    return time.perf_counter() - start, peak / 1024


def bench_command(command: str, unit: str, text: list[bytes], per_line: int, lines: int, goal: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "lines.jsonl"
        source.write_bytes(b"".join(text[at % len(text)] for at in range(lines)))
        runs = [run_pozo(command, source) for _ in range(RUNS)]
        rates = sorted(lines * per_line / seconds for seconds, _ in runs)
        row(
            f"`pozo {command}`",
            (statistics.median(rates), rates[0], rates[-1]),
            f"{lines:,} lines, start-up included; goal {goal}",
        )
        peaks = []
        for many in (1_000, 1_000_000):
            with source.open("wb") as out:
                for at in range(0, many, 1_000):
                    out.write(b"".join(text[(at + n) % len(text)] for n in range(1_000)))
            peaks.append(run_pozo(command, source)[1])
        print(
            f"| peak memory, 1,000 and 1,000,000 lines | {peaks[0]:.1f} MB and {peaks[1]:.1f} MB | {unit} |", flush=True
        )


def bench_solvency() -> None:
    heading("Simulated pot", "bets per second")
    plan = str(CONFIG / "plans/pozo-estelar.toml")

    def run() -> None:
        subprocess.run([POZO, "odds", plan, "--json"], stdout=subprocess.DEVNULL, check=True)

    row(
        "`pozo odds`",
        rate(100_000_000, run, runs=3),
        "10^8 bets, every figure and start-up included; goal 10^8 in two minutes",
    )


def main() -> None:
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    bench_hands()
    chance = random.Random(7)
    heading("Commands", "per second")
    passes = [json.dumps(random_pass(chance, at), separators=(",", ":")).encode() + b"\n" for at in range(5_000)]
    bench_command("settle", "flat", passes, 1, 200_000, "20,000 passes")
    bets = [
        json.dumps(
            {"id": at, "commission_ppm": 125_000, "reserves_ppm": {"r0": 200_000}, "amounts": [chance.randint(1, 5) * 1000 for _ in range(10)]}
        ).encode() + b"\n"
        for at in range(5_000)
    ]  # fmt: skip
    bench_command("accrue", "10 amounts a line, flat", bets, 10, 200_000, "300,000 amounts")
    bench_solvency()


if __name__ == "__main__":
    main()
