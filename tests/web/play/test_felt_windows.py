"""The demonstration in a real browser: one person is player, croupier, chief and public in four windows of it, up to a paid prize."""

import copy
import re

import pytest

from controller.node.store.store import Reader
from controller.play.staff import JULIA
from support.browser.croupier import Croupier
from support.browser.inspection import faults_of_page
from support.browser.screen import TEN_INCH, screen
from support.web.demo import demo

pytestmark = pytest.mark.process
TABLE, SEAT = "TX-01", 3
LIGHT = 0.08
"""Of white: as calm as a croupier's screen."""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    with demo(tmp_path_factory.mktemp("felt")) as made:
        yield made


@pytest.fixture
def player(played, browser):
    with screen(browser, played.origin, TEN_INCH) as shown:
        yield shown


def window(player):
    """Another one of the same browser."""
    other = copy.copy(player)
    other.page = player.window()
    return other


def opened(player, choice, name):
    """By the start page's own link: one tap, whatever has to be enrolled for it."""
    start = window(player)
    start.goes("/")
    with start.page.expect_popup() as popup:
        start.page.locator(f".choice.{choice} a", has_text=name).tap()
    start.page.close()
    found = copy.copy(player)
    found.page = popup.value
    found.page.on("pageerror", lambda error: player.complaints.append(str(error)))
    return found


def reads(shown, *words, within=10):
    """By the clock: of several windows a browser without a screen draws only some. Where a line may break is not looked at."""
    page = getattr(shown, "screen", shown).page
    page.bring_to_front()
    for one in words:
        said = "said => document.body.innerText.replaceAll('\u00a0', ' ').toLowerCase().includes(said)"
        page.wait_for_function(said, arg=one.replace("\u00a0", " ").lower(), polling=100, timeout=within * 1_000)


def sits(player, table, seat):
    player.goes(f"/play/felt.html?table={table}")
    player.page.locator(f".seats .seat >> nth={seat - 1}").tap()
    player.page.locator(".panel .who .number", has_text=str(seat)).wait_for()
    return player


def in_order(played, kind):
    with Reader.open(played.folder / "node.db") as reader:
        return [row for row in reader.facts() if row.kind == kind and f'"{TABLE}' in row.body.decode()]


def comes_to(croupier, state):
    """By the one button, from wherever the demo's croupier left the table, with what he had under way."""
    after = {"open": "lock", "sealed": "next", "between": "open"}
    for _ in range(60):
        now = croupier.page.locator(".felt").get_attribute("data-state")
        if now == state:
            return
        button = croupier.page.locator(f".felt .next[data-next={after.get(now)}]:not([aria-disabled])")
        if button.count():
            button.tap()
        croupier.page.wait_for_timeout(300)
    raise AssertionError(f"it never came to {state}")


def test_the_start_page_has_four_choices_the_people_and_both_languages(player):
    player.goes("/")
    player.until_words("sentarse a jugar", "ser el crupier", "ser el jefe", "mirar un letrero", "carla", "300300")
    faults = faults_of_page(player, "felt-start", LIGHT)
    assert faults == [], "\n".join(faults)

    player.page.get_by_role("button", name="English").tap()
    player.until_words("sit down to play", "be the croupier", "table chief", "watch a sign")


def test_one_person_plays_deals_confirms_and_is_paid_in_four_windows_of_one_browser(played, player):
    sits(player, TABLE, SEAT)
    croupier = Croupier(opened(player, "croupier", TABLE))
    reads(player, "una persona, en otra ventana")
    chief = opened(player, "chief", "jefe")
    sign = opened(player, "sign", "sala")
    croupier.page.bring_to_front()
    croupier.signs_in()

    player.page.wait_for_timeout(2_000)  # what the demo's croupier had under way is over
    comes_to(croupier, "sealed")
    croupier.page.locator(".serve").tap()
    croupier.buys(SEAT, 10)
    croupier.next("next")
    croupier.is_at("open")
    player.page.locator(".wish button", has_text="Full").tap()
    reads(player, "apriete un botón")
    player.page.locator(".keys .key >> nth=1").tap()
    player.page.locator(".seated[data-lamp=lit]").wait_for()
    reads(player, "la luz está fija", "apuesta $\u00a02.000")
    player.page.bring_to_front()
    faults = faults_of_page(player, "felt-bet", LIGHT)
    assert faults == [], "\n".join(faults)

    croupier.page.bring_to_front()
    croupier.next("lock")
    croupier.is_at("sealed")
    reads(player, "no más apuestas", "posición 3: full")
    player.page.bring_to_front()
    faults = faults_of_page(player, "felt-dealt", LIGHT)
    assert faults == [], "\n".join(faults)
    croupier.page.bring_to_front()
    croupier.seat(SEAT)
    croupier.claims("full")
    croupier.next("register")
    reads(croupier, "R-11")
    croupier.signs()
    reads(player, "falta que el jefe lo verifique")
    reads(sign, "posición 3")

    chief.page.bring_to_front()
    chief.page.locator(".wait[data-kind=award]", has_text=re.compile(rf"{TABLE} · posición\s{SEAT} · Full")).tap()
    chief.page.locator("dialog .person", has_text="Julia").tap()
    for digit in JULIA.pin:
        chief.page.locator(f"dialog .pin .key-{digit}").tap()
    chief.page.locator("dialog .confirm:not([aria-disabled])").tap()
    reads(player, "verificado: el crupier se lo paga")
    croupier.page.bring_to_front()
    croupier.page.locator(f".award:has(.number:text-is('{SEAT}')) .pay:visible").tap()  # others may wait from before
    croupier.signs()
    player.page.bring_to_front()
    player.page.locator(".sentence:not(:has-text('Su premio'))").wait_for()
    assert in_order(played, "claim_registered") and in_order(played, "award_paid")

    croupier.page.close()
    reads(player, "crupier: de la demostración", within=30)


def test_a_lamp_that_is_broken_at_the_felt_closes_its_seat_and_an_adapter_all_of_them(player):
    sits(player, "DP-01", 2)
    player.page.locator("[data-does='seat 2 lamp open']").tap()
    player.page.locator("[data-does='seat 2 lamp ok']").wait_for()
    faults = faults_of_page(player, "felt-broken", LIGHT)
    assert faults == [], "\n".join(faults)
    player.page.locator("[data-does='seat 2 lamp ok']").tap()
    player.page.locator("[data-does='line mesa unplug']").tap()
    player.page.locator("[data-does='line mesa plug']").wait_for()
    player.until_words("el nodo no oye su posición")
    player.page.locator("[data-does='line mesa plug']").tap()
    player.page.locator("[data-does='line mesa unplug']").wait_for()


def test_a_slot_takes_chips_and_the_view_is_the_players(player):
    sits(player, "CP-01", 1)
    player.until_words("la posición 1 está a la izquierda", "echar una ficha")
    left, right = (player.page.locator(".seats .seat").nth(at).bounding_box()["x"] for at in (0, 6))
    assert left < right
    player.page.get_by_role("button", name="Levantarse").tap()
    player.until_words("toque una posición libre")
