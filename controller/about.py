"""The program: its name and version, and the hash of what runs, for the checkpoints that a node signs.

Theory. A version is a word that anybody can write; a hash is computed from the files themselves. It is made of the
lines that `sha256sum` prints, so an auditor computes it without us (docs/record.md, The program). Who can change the
program can also make it say another hash: that is seen from outside only (docs/operators/security.md).
"""

import hashlib
from functools import cache
from pathlib import Path

VERSION = "0.1.0"
PACKAGES = ("controller", "drivers", "firmware_sim")


@cache
def files() -> tuple[tuple[str, str], ...]:
    """Every file of the program by its name from the folder that holds the packages, in the order of the names' UTF-8
    bytes, with its SHA-256 in hex."""
    root = Path(__file__).parent.parent
    names = (path.relative_to(root).as_posix() for package in PACKAGES for path in (root / package).rglob("*.py"))
    return tuple(
        (name, hashlib.sha256((root / name).read_bytes()).hexdigest()) for name in sorted(names, key=str.encode)
    )


@cache
def program() -> str:
    """What runs: the SHA-256, in hex, of a line "hash  name" for each file."""
    return hashlib.sha256("".join(f"{hash_}  {name}\n" for name, hash_ in files()).encode()).hexdigest()


def software() -> str:
    """How a checkpoint names it."""
    return f"pozo {VERSION} sha256:{program()}"
