"""axe-core on a page as it stands: no violation; what axe cannot decide is judged by a person, in tests/web/axe_judged.toml.

What axe says of `label-content-name-mismatch` is undecided too: it takes every letter that is seen on a button for its label, also
an amount that changes each second. A judgement names the rule, a part of the element's selector (or of what axe said) and the reason. An undecided thing that nobody judged fails like a
violation.
"""

import tomllib
from collections.abc import Sequence
from typing import Any, NamedTuple

from support.drivers.peers import absent
from support.places import ROOT, TESTS

JUDGED = TESTS / "web" / "axe_judged.toml"
_AXE = ROOT / "var" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
_RUN = "async (tags) => (await axe.run(document, {runOnly: tags, resultTypes: ['violations', 'incomplete']}))"
_GUESSED = {"label-content-name-mismatch"}


class Judgement(NamedTuple):
    rule: str
    selector: str
    why: str
    said: str = ""


class Finding(NamedTuple):
    rule: str
    selector: str
    said: str


def judgements() -> list[Judgement]:
    told = tomllib.loads(JUDGED.read_text(encoding="utf-8"))
    return [
        Judgement(one["rule"], one.get("selector", ""), one["why"], one.get("said", ""))
        for one in told.get("judged", ())
    ]


def findings(page: Any, judged: Sequence[Judgement]) -> list[str]:
    """Violations, and undecided things that nobody judged."""
    if not _AXE.exists():
        absent("npm axe-core")
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(_AXE.read_text(encoding="utf-8") + "\n;0")
    told = page.evaluate(_RUN, _TAGS)
    violated = _told(told["violations"])
    undecided = [*_told(told["incomplete"]), *(one for one in violated if one.rule in _GUESSED)]
    open_ = [one for one in undecided if not any(_is_judged(one, known) for known in judged)]
    return [
        *(f"{one.rule} at {one.selector}: {one.said}" for one in violated if one.rule not in _GUESSED),
        *(f"undecided {one.rule} at {one.selector}: {one.said}" for one in open_),
    ]


def _is_judged(one: Finding, known: Judgement) -> bool:
    return one.rule == known.rule and known.selector in one.selector and known.said in one.said


def _told(rules: Sequence[dict[str, Any]]) -> list[Finding]:
    return [
        Finding(
            rule["id"], " ".join(map(str, node["target"])), " ".join(node.get("failureSummary", rule["help"]).split())
        )
        for rule in rules
        for node in rule["nodes"]
    ]
