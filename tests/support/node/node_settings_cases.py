"""Settings files for tests: the good example with its plan, one thing in it changed, and what is read of it."""

import re
from collections.abc import Mapping
from pathlib import Path

from support.places import CONFIG

EXAMPLES = sorted((CONFIG / "nodes").glob("*.toml"))
PLANS = CONFIG / "plans"
CENTRAL = (CONFIG / "nodes" / "central.toml").read_text()


def write(folder: Path, text: str, name: str = "node.toml") -> Path:
    """A file of its own; its plans are the ones of config/plans, its folders are below `folder`."""
    text = text.replace('"../plans/', f'"{PLANS}/')
    path = folder / name
    path.write_text(text)
    return path


def without_comments(text: str) -> str:
    return "\n".join(line for line in (re.sub(r"\s+#.*|^#.*", "", line) for line in text.splitlines()) if line) + "\n"


GOOD = without_comments(CENTRAL)


def changed(old: str, new: str, times: int = 1) -> str:
    """The good example with `old` replaced the first time it stands there."""
    assert old in GOOD, f"{old!r} is not in the example any more"
    return GOOD.replace(old, new, times)


def with_urls(text: str, where: Mapping[str, str]) -> str:
    """Each line's port replaced by where the simulator has it."""
    for name, url in where.items():
        text, times = re.subn(rf'(name = "{name}"[^\[]*?url = )"[^"]*"', rf'\1"{url}"', text, count=1, flags=re.DOTALL)
        assert times == 1, f"no line {name}"
    return text
