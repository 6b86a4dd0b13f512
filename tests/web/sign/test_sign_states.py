"""Every state of a sign, kept as a picture and measured: what is read from ten metres is large enough, whole and on the glass (R-31).

A sign is fed what it shows. Lying and standing; in a campaign on 1080 and 2160 lines of both, and in both themes. Of lying glass the
digits are 15 % of the height, other words 5, the law's 2.7 (support/browser/boxes.py); the pictures are in var/screens.
"""

import os
import time
from contextlib import ExitStack
from itertools import product

import pytest

from support.browser.enrolling import enrolled
from support.browser.feeding import Fed
from support.browser.light import flashes
from support.browser.screen import SIGN, SIGN_4K, SIGN_4K_UPRIGHT, SIGN_UPRIGHT

pytestmark = [pytest.mark.process, pytest.mark.campaign]
IS_LONG = bool(os.environ.get("POZO_CAMPAIGN"))
GLASSES = (SIGN, SIGN_4K, SIGN_UPRIGHT, SIGN_4K_UPRIGHT) if IS_LONG else (SIGN, SIGN_UPRIGHT)
THEMES = ("sala", "contraste")
CONDOR = "pozo-condor"
MOST_FLASHES = 3
SECOND = 1_000
_UNSEEN = "import('/sign/seen.js').then((look) => look.unseen(document))"
_SETTLED = "() => document.getAnimations().every((one) => one.playState === 'finished')"
_OUTSIDE = """() => {
    const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const words = walker.currentNode.textContent.trim(), holder = walker.currentNode.parentElement;
        if (!words || !holder.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const box = range.getBoundingClientRect();
        if (box.left < -1 || box.right > innerWidth + 1) found.push(words);
    }
    return found;
}"""
"""Words that the glass is too narrow for."""


@pytest.fixture(scope="module")
def hung(opened):
    """A sign of each glass, and what feeds it."""
    signs = [enrolled(opened.new(glass), "sign", "sala") for glass in GLASSES]
    for one in signs:
        one.until_words("pozo cóndor")
    return [(one, Fed(one, "sign:sala")) for one in signs]


@pytest.fixture
def shows(hung, opened, looked):
    """`shows(name, change, *words)`: each sign shows that, says these words, and is looked at."""

    def shown(name, change, *words):
        for _, feed in hung:
            feed.shows(change)
        for screen, _ in hung:
            screen.until_words(*words)
            unseen = screen.page.evaluate(_UNSEEN)
            looked.faults += [f"{name} {screen.glass.name}: {one} is not seen" for one in unseen]
            seen(screen, name)

    def seen(screen, name):
        looked.at_sign(screen, f"sign-{name}")
        looked.faults += [f"{name} {screen.glass.name}: {one!r} is cut off" for one in screen.page.evaluate(_OUTSIDE)]

    shown.seen = seen
    yield shown
    assert opened.quiet() == []


def of(many, theme="sala", **layout):
    """A layout of so many pots, made of the one."""

    def change(told):
        names = ["Pozo Cóndor", "Pozo Austral", "Pozo Cordillera", "Pozo Gran Estrecho"][:many]
        pots = [CONDOR, *(f"pozo-{number}" for number in range(2, many + 1))]
        told["layout/sala"] |= {"pots": pots, "theme": theme} | layout
        for number, (name, title) in enumerate(zip(pots, names, strict=True)):
            told[f"pot/{name}"] = told[f"pot/{CONDOR}"] | {
                "pot": name,
                "title": title,
                "main": 48_215_390 - 11_000_007 * number,
            }

    return change


def one_pot(theme="contraste", **fields):
    def change(told):
        of(1, theme)(told)
        told[f"pot/{CONDOR}"] |= fields

    return change


def award(**fields):
    base = {
        "award": "DP-01/7/1/1",
        "table": "DP-01",
        "seat": 3,
        "prize": "full",
        "amount": 500_000,
        "since": 1,
        "pot": CONDOR,
    }
    return base | {"order": 1} | fields


@pytest.mark.parametrize(
    ("many", "theme"),
    list(product((1, 2, 3, 4), THEMES)) if IS_LONG else [(1, "sala"), (4, "sala"), (4, "contraste")],
)
def test_one_to_four_pots_at_rest(shows, many, theme):
    shows(
        f"rest-{many}-{theme}", of(many, theme), "48.215.390", "juegue con responsabilidad", "mayores de 18", "res. ex."
    )


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        (
            "reserve",
            lambda told: (of(2, reserve=True)(told), told[f"pot/{CONDOR}"].update(reserves={"r": 1_234_567})),
            ("reserva",),
        ),
        ("ten-digits", one_pot("sala", main=9_876_543_210), ("9.876.543.210",)),
        ("training", one_pot(training=True), ("sin dinero",)),
        (
            "trains",
            lambda told: (of(4)(told), told[f"pot/{CONDOR}"].update(trains=["DP-01", "CP-01"])),
            ("entrenamiento",),
        ),
        ("aged", lambda told: far(told, 20), ("de hace",)),
        ("too-old", lambda told: far(told, 7_000), ("monto no disponible",)),
        ("never", lambda told: far(told, 0), ("sin enlace",)),
        ("out", lambda told: told["node"].update(out_of_service=True), ("fuera de servicio",)),
        ("dim", of(1, dim="00:00-23:59"), ("48.215.390",)),
        ("waits", lambda told: prize(told, waits=True, amount=0), ("por decidir",)),
        (
            "drawn",
            lambda told: prize(told, award="DP-01/7/p1/1", prize="Estrella Austral", promo=True, amount=20_000),
            ("estrella austral", "en créditos"),
        ),
    ],
)
def test_what_else_a_sign_says(shows, name, change, words):
    shows(name, change, *words)


def far(told, seconds):
    """Its owner spoke so long ago; never: 0."""
    of(3)(told)
    spoke = int(time.time() - seconds) * SECOND if seconds else 0
    told[f"pot/{CONDOR}"] |= {"owner": "norte", "up": False, "told": spoke}


def prize(told, **fields):
    of(2)(told)
    told["award/A"] = award(**fields)


def test_increments_are_said_in_their_turn(shows, hung):
    shows("increments-before", one_pot("sala", added=4_215_390), "apuesta de")
    for screen, _ in hung:
        screen.until_words("incrementos recibidos $ 4.215.390")
        shows.seen(screen, "increments")


@pytest.mark.parametrize("theme", THEMES if IS_LONG else ("sala",))
def test_a_prize_withdrawn_and_another_celebrated_and_nothing_flashes(shows, hung, theme):
    """Filmed from the registration: what rises, what goes and what is celebrated flashes at most three times a second."""

    def registered(told):
        of(1, theme)(told)
        told["award/A"] = award()

    def then(change, *words):
        for _, feed in hung:
            feed.then(change)
        for screen, _ in hung:
            screen.until_words(*words)

    shows(f"registered-{theme}", registered, "mesa dp-01 · posición 3 · full", "500.000", "por verificar")
    with ExitStack() as filming:
        films = [filming.enter_context(screen.filmed()) for screen, _ in hung]
        for screen, feed in hung:
            feed.then(lambda told: told[f"pot/{CONDOR}"].update(main=48_999_999))
            screen.page.locator(".pot[data-rises]").wait_for()
            screen.picture(f"sign-rising-{theme}")
        then(lambda told: told.pop("award/A"), "retirado tras la verificación", "48.999.999")
        for screen, _ in hung:
            shows.seen(screen, f"withdrawn-{theme}")
        then(lambda told: told.update({"award/B": award(award="DP-01/8/1/1", seat=6)}), "posición 6 · full · $ 500.000")
        then(lambda told: told["award/B"].update(confirmed=True))
        for screen, _ in hung:
            screen.page.locator(".won").wait_for()
        for screen, _ in hung:
            screen.page.wait_for_function(_SETTLED)
            shows.seen(screen, f"celebrated-{theme}")
        for screen, _ in hung if IS_LONG else ():
            screen.page.locator(".won").wait_for(state="hidden")
    for frames in films:
        assert len(frames) > 20 and flashes(frames) <= MOST_FLASHES
