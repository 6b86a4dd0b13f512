"""The documents on disk: rulesets and plans, found and read whole. What they say is checked in `rules`.

Theory. The program carries the rulesets of the laws it knows; a folder of the user's may add others, and may
not replace one of the same name, because a record that says "scj-2023" must mean one thing. A document is read
once, and its fingerprint is of the bytes that were read. Everything that can be wrong with a file becomes the
same DocumentError that its contents would raise.
"""

import hashlib
import sys
from pathlib import Path
from typing import NamedTuple

from controller.rules.document import DocumentError
from controller.rules.plan import Plan, load_plan, refuse_outdated
from controller.rules.ruleset import Ruleset, load_ruleset

_MOST_BYTES = 2**16
_SOURCE_TREE = Path(__file__).resolve().parents[1] / "config"
_INSTALLED = Path(sys.prefix) / "share" / "pozo"


class Text(NamedTuple):
    """A document's text, and the SHA-256 of its bytes: what tells the approved one from any other (R-26)."""

    text: str
    fingerprint: str


class Laws(NamedTuple):
    """The rulesets at hand, and the fingerprint of each, by name."""

    rulesets: dict[str, Ruleset]
    fingerprints: dict[str, str]


def shelf() -> Path:
    """The folder of the program's own rulesets and plans: of the source tree, else of the installation."""
    return _SOURCE_TREE if (_SOURCE_TREE / "rulesets").is_dir() else _INSTALLED


def read_text(path: Path) -> Text:
    """A document, read once."""
    try:
        if path.exists() and not path.is_file():
            raise DocumentError(str(path), "archivo", "R-26", "no es un archivo")
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise DocumentError(str(path), "archivo", "R-26", f"pasa de {_MOST_BYTES} bytes")
        return Text(content.decode(), hashlib.sha256(content).hexdigest())
    except OSError as error:
        raise DocumentError(str(path), "archivo", "R-26", f"no se puede leer: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DocumentError(str(path), "archivo", "R-26", f"no es texto UTF-8 (byte {error.start})") from None


def read_laws(more: Path | None = None) -> Laws:
    """The program's own rulesets, and those of one more folder."""
    laws = Laws({}, {})
    for folder in (shelf() / "rulesets", *((more,) if more else ())):
        for path in sorted(folder.glob("*.toml")):
            document = read_text(path)
            ruleset = load_ruleset(document.text, str(path))
            if ruleset.name in laws.rulesets:
                raise DocumentError(str(path), "name", "R-26", f"ya hay un reglamento {ruleset.name}")
            laws.rulesets[ruleset.name] = ruleset
            laws.fingerprints[ruleset.name] = document.fingerprint
    return laws


def read_plan(path: Path, laws: Laws) -> tuple[Plan, str]:
    """One plan under one of the rulesets, and its fingerprint."""
    document = read_text(path)
    return load_plan(document.text, str(path), laws.rulesets), document.fingerprint


def read_new_plan(path: Path, laws: Laws) -> tuple[Plan, str]:
    """One that somebody wants approved or staged today, so it says what a plan of today must (R-26)."""
    plan, fingerprint = read_plan(path, laws)
    refuse_outdated(plan, str(path))
    return plan, fingerprint


def fault_of(plan: str, ruleset: str) -> str:
    """Why no authority could have approved a plan and its ruleset, as they stand in a record; "" where one could."""
    try:
        law = load_ruleset(ruleset, "reglamento")
        load_plan(plan, "plan", {law.name: law})
    except DocumentError as error:
        return str(error)
    return ""
