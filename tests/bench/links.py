"""The links' part of `make bench`: how fast a meter is at another casino, and what an owner bears.

`python -m bench.links PART ...` runs some of it: `meter`, `table`, `owner`, `casinos`; and with `short` before them, some seconds of each.
"""

import os
import sys
from collections.abc import Callable

from bench.link_casinos import bench_casinos
from bench.link_meter import bench_meter
from bench.link_owner import bench_owner
from bench.link_table import bench_table

PARTS: dict[str, tuple[str, Callable[[bool], None]]] = {
    "meter": ("what | pozo | beside it | |", bench_meter),
    "table": (
        "state of the links | press to steady lamp, p50 / p99 | lock to all proven, on the disk, p50 / p99 | |",
        bench_table,
    ),
    "owner": ("durable, a second | contributions | passes | |", bench_owner),
    "casinos": (
        "one owner | % of one core; quiet | MB | a meter's way, p50 / p99 | its age, p50 / p99 | a pass |",
        bench_casinos,
    ),
}


def main(words: list[str]) -> None:
    short, chosen = words[:1] == ["short"], [word for word in words if word != "short"]
    print(f"\n### Links\n\nLoad {os.getloadavg()[0]:.2f} at the start.", flush=True)
    for name in chosen or PARTS:
        columns, bench = PARTS[name]
        print(f"\n| {columns}\n|{'---|' * columns.count('|')}", flush=True)
        bench(short)
    print(f"\nLoad {os.getloadavg()[0]:.2f} at the end.", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
