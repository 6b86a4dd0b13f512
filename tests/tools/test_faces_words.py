"""What the pages for croupier and chief call by its words stands on the screen in these words."""

import re

import pytest

from controller.web.live.shown import SignShown
from support.places import ROOT

SAID = re.findall(
    r'^  "[^"]+": "((?:[^"\\]|\\.)*)",$', (ROOT / "controller/web/pages/ground/texts/es.js").read_text(), re.MULTILINE
)
PAGES = ("croupier", "chief")
_PLACE = re.compile(r"\{\w+\}|…")


def words_of(page):
    """What stands in *italics*, and in CAPITALS between **."""
    text = (ROOT / f"docs/operators/{page}.md").read_text()
    plain = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", text)
    return sorted({*plain, *re.findall(r"\*\*([A-ZÓÉÁÍÚÑ ]{4,}(?: con …)?)\*\*", text)})


def is_said(words):
    """With anything in the place of `…` and of what a text leaves open."""
    wanted = re.compile(".*".join(re.escape(part) for part in _PLACE.split(words)), re.IGNORECASE)
    return any(wanted.fullmatch(_PLACE.sub("", said)) or wanted.fullmatch(said) for said in SAID)


@pytest.mark.parametrize(("page", "words"), [(page, words) for page in PAGES for words in words_of(page)])
def test_the_page_says_what_the_screen_says(page, words):
    assert is_said(words), f"docs/operators/{page}.md: no text of the screens is {words!r}"


def test_words_that_no_screen_says_would_be_found():
    assert len(SAID) > 300
    assert not is_said("Confirmar la luna")
    assert len(words_of("chief")) > 12


def test_what_the_page_says_of_signs_is_what_a_sign_is():
    """Its words, its themes, and what the floor is told of it."""
    part = (
        (ROOT / "docs/operators/web.md")
        .read_text()
        .split("## What the casino must write for its signs")[1]
        .split("\n## ")[0]
    )
    themes = {one.stem for one in (ROOT / "controller/web/pages/sign/themes").glob("*.css")}

    assert {"FUERA DE SERVICIO", "Monto no disponible"} <= {*re.findall(r"`([^`]+)`", part)} & set(SAID)
    assert themes == set(re.findall(r"`(\w+)` \(", part.split("**Themes**")[1].split(". ")[0]))
    said = set(re.findall(r"^\| `(\w+)`", part, re.MULTILINE))
    assert said == set(SignShown.__struct_fields__) - {"sign", "since"}
