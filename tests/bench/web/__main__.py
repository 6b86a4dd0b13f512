"""The web's part of `make bench`: how soon a screen shows what happened, what it is sent, and what that costs.

`python -m bench.web PART ...` runs some of it: `pixel`, `tap`, `bytes`; and with `short` before them, some seconds of each.
"""

import os
import sys
from collections.abc import Callable

from bench.web.bytes import bench_bytes
from bench.web.pixel import bench_pixel
from bench.web.tap import bench_tap

PARTS: dict[str, tuple[str, Callable[[bool], None]]] = {
    "pixel": ("from commit to the frame with it | p50 / p99 | of | |", bench_pixel),
    "tap": ("from tap to the frame with it | p50 / p99 | of | |", bench_tap),
    "bytes": ("bytes a minute, the most of any | squeezed | plain | |", bench_bytes),
}


def main(words: list[str]) -> None:
    short, chosen = words[:1] == ["short"], [word for word in words if word != "short"]
    print(f"\n### The web\n\nLoad {os.getloadavg()[0]:.2f} at the start.", flush=True)
    for name in chosen or PARTS:
        columns, bench = PARTS[name]
        print(f"\n| {columns}\n|{'---|' * columns.count('|')}", flush=True)
        bench(short)
    print(f"\nLoad {os.getloadavg()[0]:.2f} at the end.", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
