"""The node's part of `make bench`: what a player, a croupier and a small computer feel of the whole daemon.

The daemon runs as installed, in its own process, on real ptys paced to 115200 baud; the tables are simulated in another
one. Beside each time stands what the bytes alone take on that line, a synced write of what the daemon gave the disk for
one bet, in the same run and on the same disk, and the same scene in virtual time, where processor and disk cost nothing.
CPU is what the kernel charged the daemon's threads, memory is what its process holds. `POZO_CAMPAIGN=1` plays 24 hours
at fifty times speed, half an hour; otherwise one hour, a minute and a half.
"""

import io
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.house import NAMES, SEATS, Node, folder, founded, millis, node, quantiles, row
from bench.node_virtual import virtually
from controller.node.control.client import Client
from controller.node.telemetry.journal import set_up
from controller.node.vocabulary import places
from controller.node.vocabulary.places import UnitPlace, timing_of
from drivers.native.contract import fast_poll_words
from drivers.native.settings import UnitSettings
from drivers.punctual import micros
from drivers.session import MILLISECOND, Micros
from support.node.node_process import START

ANSWER = 5 * MILLISECOND  # what a simulated unit thinks (bench_line)
PRESSES, LOCKS = 120, 25
QUIET, BUSY, PASS = 20, 60, 60.0  # seconds: nobody plays, four tables play, one pass at real speed
SPEED = 50
REAL_PASS = 100.0  # seconds of a pass at real speed, as casinos play them
HOURS = 24 if os.environ.get("POZO_CAMPAIGN") else 1
MOST_TIMES, MOST_CPU, MOST_MB = 1.3, 15, 120

# ------------------------------------------------------------------------------------------------- the limits


def bus_times(settings: places.Node) -> tuple[float, float]:
    """From bytes alone, on the line of the one table: (press to steady, lock button to the last proof read).

    A press is met anywhere in a round: half a round, the image that shows it, the frame that confirms it. A lock: half a
    round, the console's image, the broadcast and the turnaround after it; then an image of every unit with seats, because
    nothing else proves it.
    """
    timing = timing_of(settings.lines[0])
    question, desired = timing.wire(8), timing.wire(25)
    thinking = timing.silence + ANSWER

    def image(unit: UnitPlace) -> Micros:
        return question + thinking + timing.wire(5 + 2 * fast_poll_words(max(1, len(unit.seats))))

    images = {unit.key: image(unit) + timing.silence for unit in settings.units}
    seated = [unit for unit in settings.units if unit.seats]
    (console,) = (unit for unit in settings.units if not unit.seats)
    written = desired + thinking + timing.wire(8) + timing.silence
    natives = [unit.made for unit in settings.units if isinstance(unit.made, UnitSettings)]
    assert len(natives) == len(settings.units), "units of our own kind"
    beats = sum(written / made.beat for made in natives)
    half = sum(images.values()) / (1 - beats) / 2
    press = half + image(seated[0]) + timing.silence + desired
    lock = half + image(console) + timing.silence + desired + timing.turnaround
    return press, lock + sum(images[one.key] for one in seated) - timing.silence


def synced_writes(folder: Path, size: int, count: int = 200) -> list[Micros]:
    """Microseconds of each, appended and on the disk."""
    took = []
    body = os.urandom(size)
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(count):
            start = micros()
            file.write(body)
            os.fdatasync(file.fileno())
            took.append(micros() - start)
    return took


# ------------------------------------------------------------------------------------------------- the scenes


def bench_times(shape: str) -> None:
    with folder() as place:
        ideal = virtually(founded(place, [shape]), shape, START, SEATS, PRESSES, LOCKS)
    with node(shape, pencil=True) as table:
        steady = table.play(f"press {PRESSES}")
        size = int(statistics.median(table.bet_bytes))
        disk = synced_writes(table.place, size)
        pressed, locked = table.play(f"lock {LOCKS}")
        time.sleep(0.5)
        disk += synced_writes(table.place, size)
        sealed = [next(at for at in table.sealed["M01"] if at > press) - press for press in pressed]
        commits = quantiles(table.bet_times)
    write, worst = quantiles(disk)
    scenes = (("press to steady lamp", steady), ("lock button to all proven, on the disk", sealed))
    for (what, times), bus, virtual in zip(scenes, bus_times(table.settings), ideal, strict=True):
        limit = bus + write
        row(
            f"{NAMES[shape]}: {what}, p50 / p99",
            millis(quantiles(times)),
            f"bus time {bus / 1000:.1f} ms, synced write {write / 1000:.1f} ms; virtual {millis(quantiles(virtual))}",
            f"p50 {quantiles(times)[0] / limit:.2f} times; goal {MOST_TIMES}",
        )
    row(
        f"{NAMES[shape]}: lock button to all locked, p50 / p99",
        millis(quantiles(locked)),
        "nobody waits for a disk",
        "",
    )
    beside = f"a synced write of its {size:,} bytes {write / 1000:.2f} / {worst / 1000:.2f} ms"
    row(f"{NAMES[shape]}: commit of one bet, p50 / p99", millis(commits, 2), beside, "")


def bench_processor() -> None:
    """Four tables of seven single units each, a screen at each."""
    with node(*["singles"] * 4) as floor:
        idle = _share(floor, lambda: time.sleep(QUIET))
        row("4 tables, nobody plays", f"{idle:.1f} % of one core", "", "")
        for _ in floor.names:
            threading.Thread(target=_look_on, args=(floor.place / "control",), daemon=True).start()
        played: list[int] = []
        busy = _share(floor, lambda: played.extend(floor.play(f"play {BUSY} {PASS}")))
        row(
            "4 busy tables, a pass a minute, a screen each",
            f"{busy:.1f} % of one core",
            f"{played[0]} passes, {played[1]} bets, {played[2]} of them dark after 2 s",
            f"goal {MOST_CPU} %",
        )


def _look_on(control: Path) -> None:
    with Client(control) as screen:
        for _ in screen.views(silence=1.0):
            if not control.exists():
                return


def _share(floor: Node, scene: Callable[[], object]) -> float:
    start, before = time.monotonic(), floor.cpu()
    scene()
    return 100 * (floor.cpu() - before) / (time.monotonic() - start)


def bench_growth() -> None:
    """So many hours at four tables, fifty times as fast as people play."""
    with node(*["singles"] * 4) as floor:
        memory, seq, passes = [floor.memory()], floor.seq(), 0
        start, before = time.monotonic(), floor.cpu()
        for hour in range(1, HOURS + 1):
            done, _, dark = floor.play(f"play {3600 / SPEED} {REAL_PASS / SPEED}")
            passes += done
            memory.append(floor.memory())
            if HOURS > 1:
                said = f"{memory[-1]:.1f} MB, {passes} passes, {dark} bets dark"
                print(f"hour {hour}: {said}, load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)
        share = 100 * (floor.cpu() - before) / (time.monotonic() - start)
        facts, record = floor.seq() - seq, (floor.place / "folder/node.db").stat().st_size / 2**20
        row(
            "memory after an hour of play",
            f"{memory[1]:.1f} MB",
            f"{memory[0]:.1f} MB when ready",
            f"goal {MOST_MB} MB",
        )
        row(
            f"{HOURS} h of play at {SPEED} times speed",
            _growth(memory) if HOURS > 1 else "no more than that hour",
            f"{passes} passes, {facts:,} facts, a record of {record:.0f} MB; {share:.0f} % of one core",
            "goal: no growth",
        )


def _growth(memory: Sequence[float]) -> str:
    """Of megabytes by the hour. Bounded caches (the store's pages, the questions of the lines) fill before the half."""
    half = HOURS // 2
    return (
        f"{memory[-1] - memory[half]:+.2f} MB in the last {HOURS - half} hours,"
        f" {memory[-1] - memory[1]:+.2f} MB since the first"
    )


def main() -> None:
    set_up(io.StringIO(), under_systemd=False)  # of the virtual node
    print(f"\n### The node\n\nLoad {os.getloadavg()[0]:.2f} at the start; {PRESSES} presses, {LOCKS} locks a table.\n")
    print("| the whole daemon | pozo | limit, and beside it | |\n|---|---|---|---|", flush=True)
    for shape in NAMES:
        bench_times(shape)
    bench_processor()
    bench_growth()


if __name__ == "__main__":
    main()
