"""The documents on disk: rulesets and plans, found and read whole. What they say is checked in `rules`.

Theory. The program carries the rulesets of the laws it knows; a folder of the user's may add others, and may
not replace one of the same name, because a record that says "scj-2023" must mean one thing. Everything that
can be wrong with a file becomes the same DocumentError that its contents would raise.
"""

import hashlib
import sys
from pathlib import Path

from controller.rules.document import DocumentError
from controller.rules.plan import Plan, load_plan
from controller.rules.ruleset import Ruleset, load_ruleset

_MOST_BYTES = 2**20
_SOURCE_TREE = Path(__file__).resolve().parents[1] / "config"
_INSTALLED = Path(sys.prefix) / "share" / "pozo"


def shelf() -> Path:
    """The folder of the program's own rulesets and plans: of the source tree, else of the installation."""
    return _SOURCE_TREE if (_SOURCE_TREE / "rulesets").is_dir() else _INSTALLED


def read_text(path: Path) -> str:
    """A document's text."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise DocumentError(str(path), "archivo", "R-26", f"pasa de {_MOST_BYTES} bytes")
        return path.read_bytes().decode()
    except OSError as error:
        raise DocumentError(str(path), "archivo", "R-26", f"no se puede leer: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DocumentError(str(path), "archivo", "R-26", f"no es texto UTF-8 (byte {error.start})") from None


def read_rulesets(more: Path | None = None) -> dict[str, Ruleset]:
    """The program's own rulesets, and those of one more folder."""
    found: dict[str, Ruleset] = {}
    for folder in (shelf() / "rulesets", *((more,) if more else ())):
        for path in sorted(folder.glob("*.toml")):
            ruleset = load_ruleset(read_text(path), str(path))
            if ruleset.name in found:
                raise DocumentError(str(path), "name", "R-26", f"ya hay un reglamento {ruleset.name}")
            found[ruleset.name] = ruleset
    return found


def read_plan(path: Path, rulesets: dict[str, Ruleset]) -> Plan:
    """One plan, under one of the rulesets."""
    return load_plan(read_text(path), str(path), rulesets)


def fingerprint(path: Path) -> str:
    """R-26: what tells the approved document from any other: the SHA-256 of its bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
