"""A process of another user of the node's group: `python -m support.attack.child USER module:function CONTROL SECONDS ...`.

It becomes that user when all is imported, because he may not read where Python lies; so an attack imports what it needs at
the top of its module, and no more, because it is waited for. Without root it stays who it is. It says `ready`, and begins
with the first line that it hears.
"""

import importlib
import os
import resource
import sys
import time
from pathlib import Path

MEMBERS, HONEST, STRANGER = 20_000, 20_001, 20_002
"""The node's group, and two users of it."""


def become(user: int) -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(MEMBERS)
        os.setuid(user)


def main() -> None:
    user, what, control, seconds, *words = sys.argv[1:]
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    module, _, function = what.partition(":")
    does = getattr(importlib.import_module(module), function)
    become(int(user))
    print("ready", flush=True)
    sys.stdin.readline()
    does(Path(control), time.monotonic() + float(seconds), *words)


if __name__ == "__main__":
    main()
