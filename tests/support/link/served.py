"""A node above whose links run in a process of their own, so that what an attacker takes of it can be measured.

    python -m support.link.served FOLDER OPENFILES NEIGHBOUR=PUBLICKEY ...

It says first, as a line of JSON, where neighbours dial and its key; then, for each line that it is given, how it stands.
Meters go out twenty times a second, with the monotonic clock in microseconds as their instant.
"""

import json
import resource
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

from controller.core.values import Levels, Side
from controller.node.link.links import MeterNow
from support.link.node import LOG, SmallNode


def _size() -> dict[str, int]:
    status = Path("/proc/self/status").read_text()
    memory, peak = (int(status.split(f"{key}:")[1].split()[0]) * 1_024 for key in ("VmRSS", "VmHWM"))
    return {"memory": memory, "peak": peak, "descriptors": len([*Path("/proc/self/fd").iterdir()])}


def main() -> None:
    folder, files, *neighbours = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(files), int(files)))
    node = SmallNode("central", Path(folder), "tcp://127.0.0.1:0")
    for one in neighbours:
        name, _, key = one.partition("=")
        node.pin(name, Side.BELOW, bytes.fromhex(key))
    node.tell(LOG, "A")
    with node.start():
        print(json.dumps({"address": node.address, "key": node.key.public.hex()}), flush=True)
        _live(node, lambda: {**_size(), "heard": sum(map(len, node.heard.values())), "alive": node.links.alive()})


def _live(node: SmallNode, stands: Callable[[], object]) -> None:
    after = 0.0
    while True:
        node.turn()
        if time.monotonic() >= after:
            after = time.monotonic() + 0.05
            node.links.meters({"pozo": MeterNow(1, Levels(1, 0), time.monotonic_ns() // 1_000)})
        if select.select([sys.stdin], [], [], 0.001)[0]:
            if not sys.stdin.readline():
                return
            print(json.dumps(stands()), flush=True)


if __name__ == "__main__":
    main()
