"""Every state of a chief's tablet, and every sheet of it: kept as a picture, and measured, as a console is (console/test_states.py).

Where a node of a test does not come to a state by itself, the page is fed one. On a tablet, lying and upright; its sheets lying; in a
campaign all of it, and on larger glass too. The pictures are in var/screens, with their light in measures.txt.
"""

import os

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from support.browser.casino import CARIBBEAN, CARLA, DRAW, JULIA, TEXAS
from support.browser.chief import Chief
from support.browser.enrolling import enrolled
from support.browser.feeding import Box, Fed
from support.browser.screen import DESK_4K, FIFTEEN_INCH, TABLET_UPRIGHT, TEN_INCH

pytestmark = [pytest.mark.process, pytest.mark.campaign]
BY = Signature("")
MINUTE = 60_000
IS_LONG = bool(os.environ.get("POZO_CAMPAIGN"))
GLASSES = (TEN_INCH, FIFTEEN_INCH, DESK_4K, TABLET_UPRIGHT) if IS_LONG else (TEN_INCH, TABLET_UPRIGHT)
SHEETS = GLASSES if IS_LONG else (TEN_INCH,)
DECK_FITS = tuple(glass for glass in GLASSES if glass in (FIFTEEN_INCH, DESK_4K))
"""Ten inches are 1.3 mm too narrow for thirteen cards of 15 mm (tests/web/console/test_croupier.py)."""
PLAN = {
    "pot": "pozo-condor",
    "resolution": "Res. Ex. N° 412/2026",
    "by": "ana",
    "second": "luis",
    "missing": ["norte"],
    "changes": [
        {"key": "bets.max_bet", "old": "5000", "new": "10000"},
        {"key": "allocation.main_ppm", "old": "920000", "new": "900000"},
        {"key": "paytable.full.times", "old": "100", "new": ""},
    ],
}


@pytest.fixture(scope="module")
def tablets(opened):
    return {glass: Chief(enrolled(opened.new(glass), "chief")) for glass in GLASSES}


@pytest.fixture
def every(opened, tablets):
    """The chief's page on each glass, nothing open."""

    def on(glasses=GLASSES):
        for glass in glasses:
            while tablets[glass].page.locator("dialog").count():
                tablets[glass].page.keyboard.press("Escape")
        return [tablets[glass] for glass in glasses]

    yield on
    assert opened.quiet() == []


@pytest.fixture
def fed(tablets):
    """`fed(change, glasses)`: those pages show the same with that changed."""
    feeds = {glass: Fed(chief.screen, "floor") for glass, chief in tablets.items()}
    used = set()

    def shows(change, glasses=GLASSES, boxes=None):
        for glass in glasses:
            used.add(glass)
            feeds[glass].shows(change, boxes or {})

    yield shows
    for glass in used:
        feeds[glass].true_again()
        feeds[glass].page.reload()
        feeds[glass].page.locator(".table-card").first.wait_for()


@pytest.fixture(scope="module")
def won(house):
    """Two hands of one pass wait for a chief, one of them anoted without its cards; its number."""
    number = house.sealed(DRAW, s1=1, s3=2, s5=5)
    hands = (Hand(3, claimed="full"), Hand(5, cards=("9h", "8h", "7h", "6h", "5h")))
    house.ask(ask.RegisterClaim(DRAW, hands, BY), CARLA)
    return number


def leaves(chief):
    while chief.page.locator("dialog").count():
        chief.page.keyboard.press("Escape")


# ---------------------------------------------------------------------------------------------------- what waits


def test_nothing_waits(every, looked):
    for chief in every():
        chief.screen.until_words("nada espera", "entre pases")
        looked.at(chief.screen, "chief-quiet")


def test_what_waits_in_both_languages(won, every, looked):
    for chief in every():
        chief.screen.until_words("posición 3 · full", "por verificar", "quedan 30 min", "sin cartas")
        looked.at(chief.screen, "chief-waits")
        chief.award("Escalera de Color")
        looked.at(chief.screen, "chief-award-cards")
        leaves(chief)
        for other, words in (("English", "to be verified"), ("Español", "por verificar")):
            chief.page.locator(".bar .more").tap()
            chief.page.get_by_role("button", name=other).tap()
            chief.screen.until_words(words)
            if other == "English":
                looked.at(chief.screen, "chief-waits-en")


def all_at_once(told):
    """Everything that can wait, and everything that can be the matter with a seat."""
    first, second = (told[key] for key in sorted(told) if key.startswith("award/"))
    other = dict(first)
    first |= {"overdue": True, "since": first["since"] - 40 * MINUTE, "due": first["since"] - 10 * MINUTE}
    second |= {"waits": True, "amount": 0}
    for name, table, prize, more in (
        (f"{CARIBBEAN}/3/1/1", CARIBBEAN, "poker", {"frozen": True}),
        (f"{TEXAS}/8/1/1", TEXAS, "escalera_real", {"confirmed": True, "amount": 3_000_000}),
        (f"{DRAW}/1/p1/1", DRAW, "Estrella Austral", {"confirmed": True, "promo": True, "amount": 20_000}),
    ):
        told[f"award/{name}"] = other | {"award": name, "table": table, "prize": prize} | more
    told["pot/pozo-austral"] |= {"owner": "norte", "up": False, "told": 1, "closes": 1}
    told["plan/pozo-condor"] = PLAN
    told["dispute/norte/7"] = {
        "neighbour": "norte",
        "number": 7,
        "pot": "pozo-austral",
        "why": "dos cierres del pase 8",
    }
    told["shown/sala"] = {"sign": "sala", "since": 1, "wrong": {"pozo-condor": 9}}
    told["shown/bar"] = {"sign": "bar", "since": 1, "silent": True}
    told[f"seat/{CARIBBEAN}/4"] |= {"unsigned": 4_000}
    told[f"seat/{CARIBBEAN}/2"] |= {"closed": "Aparato en mal estado"}
    told[f"seat/{CARIBBEAN}/3"] |= {"health": "down"}
    told[f"seat/{CARIBBEAN}/6"] |= {"faults": ["chip_jam", "lamp_open"]}
    told[f"table/{TEXAS}"] |= {"training": True, "phase": "open"}
    for number in range(8):
        sentence = f"Posición {number}: la luz no enciende; la posición está cerrada hasta que alguien la revise."
        told[f"alarm/{number}"] = {"where": f"{CARIBBEAN}/{number}", "rule": "R-6", "sentence": sentence}


def test_all_that_can_wait_at_once(won, every, fed, looked):
    fed(all_at_once)
    for chief in every():
        chief.screen.until_words(
            "vencido", "espera al dueño", "no pague", "letrero sala: no muestra", "sin enlace con norte"
        )
        looked.at(chief.screen, "chief-all")
        chief.page.locator(".wait").last.scroll_into_view_if_needed()
        looked.at(chief.screen, "chief-all-end")
    for chief in every(SHEETS):
        chief.table(CARIBBEAN)
        looked.at(chief.screen, "chief-table-wrong")
        leaves(chief)
        chief.award("Escalera de Color")
        looked.at(chief.screen, "chief-award-waits")
        chief.does("Adelantar")
        looked.at(chief.screen, "chief-advance")
        leaves(chief)
        chief.award("Escalera Real")
        looked.at(chief.screen, "chief-award-pay")
        chief.does("No se halla al ganador")
        looked.at(chief.screen, "chief-aside")
        leaves(chief)
        chief.page.locator(".wait[data-kind=plan]").tap()
        chief.screen.until_words("bets.max_bet", "falta la palabra de norte")
        looked.at(chief.screen, "chief-plan")
        leaves(chief)


# ---------------------------------------------------------------------------------------------------- sheets


def test_the_sheets_of_an_award(won, every, looked):
    for chief in every(SHEETS):
        chief.award("posición 3", "Full")
        looked.at(chief.screen, "chief-award-no-cards")
        leaves(chief)
        chief.award("Escalera de Color")
        chief.does("Rechazar")
        looked.at(chief.screen, "chief-enters")
        chief.looks_at_the_table()
        chief.page.get_by_role("button", name="Jugada equivocada").tap()
        chief.screen.until_words("se anula")
        looked.at(chief.screen, "chief-reject")
        chief.types(JULIA.pin)
        chief.confirms()
        chief.screen.until_words("segunda persona")
        looked.at(chief.screen, "chief-second")
        leaves(chief)
        chief.award("Escalera de Color")
        chief.does("Corregir el pase")
        chief.page.locator("dialog.pass-sheet").wait_for()
        looked.at(chief.screen, "chief-pass")
        chief.page.locator(".pass-hand").first.tap()
        where = looked.at if chief.screen.glass in DECK_FITS else lambda screen, name: screen.picture(name)
        where(chief.screen, "chief-hand")
        chief.page.locator("dialog .kind:text-is('Color')").tap()
        chief.confirms()
        chief.page.get_by_role("button", name="Faltaba una ganadora").tap()
        chief.screen.until_words("R-11", "color", "$ 50.000")
        looked.at(chief.screen, "chief-correct")
        leaves(chief)


def test_the_sheets_of_a_table(won, house, every, looked):
    for chief in every(SHEETS):
        chief.table(DRAW)
        looked.at(chief.screen, "chief-table")
        chief.does("Anular el pase")
        chief.looks_at_the_table()
        chief.page.get_by_role("button", name="Carta expuesta").tap()
        chief.screen.until_words("vuelve su apuesta")
        looked.at(chief.screen, "chief-void-pass")
        leaves(chief)
        chief.table(DRAW)
        chief.does("Ganadora tardía o corrección")
        looked.at(chief.screen, "chief-which-pass")
        leaves(chief)
        for words, name in (("Cerrar la posición", "close-seat"), ("Empezar un entrenamiento", "training")):
            chief.table(TEXAS)
            chief.does(words)
            looked.at(chief.screen, f"chief-{name}")
            leaves(chief)
        chief.table(TEXAS)
        chief.does("Prueba de luces")
        chief.chooses(JULIA)
        chief.types(JULIA.pin)
        chief.confirms()
        chief.page.locator("dialog .preset").first.wait_for()
        looked.at(chief.screen, "chief-lamps")
        leaves(chief)


def test_the_sheets_of_the_house(every, looked):
    for chief in every(SHEETS):
        for words, name in (
            ("", "house"),
            ("Cerrar la jornada", "close-day"),
            ("Aparatos y letreros", "devices"),
            ("Anotar que el reloj", "clock"),
        ):
            chief.page.locator(".bar .more").tap()
            if words:
                chief.page.locator("dialog").get_by_role("button", name=words).tap()
            looked.at(chief.screen, f"chief-{name}")
            leaves(chief)


# ---------------------------------------------------------------------------------------------------- the node, and other boxes


@pytest.mark.parametrize(
    ("name", "words", "change"),
    [
        ("out-of-service", "fuera de servicio", lambda told: told["node"].update(out_of_service=True)),
        ("stopping", "deteniéndose", lambda told: told["node"].update(stopping=True)),
        ("starting", "arrancando", lambda told: told.clear()),
        ("no-day", "sin jornada", lambda told: told["node"].update(day="")),
    ],
)
def test_what_keeps_the_house_from_playing(every, fed, looked, name, words, change):
    fed(change, SHEETS)
    for chief in every(SHEETS):
        chief.screen.until_words(words)
        looked.at(chief.screen, f"chief-{name}")
        if name == "no-day":
            chief.page.locator(".wait[data-kind=day]").tap()
            looked.at(chief.screen, "chief-open-day")


def test_other_boxes_one_heard_one_grey_one_never_seen(won, every, fed, looked):
    floor = {}
    fed(floor.update, SHEETS)
    norte = floor | {"node": floor["node"] | {"node": "norte"}}
    sur = floor | {"node": floor["node"] | {"node": "sur"}}
    boxes = {"norte": Box(norte, is_heard=True), "sur": Box(sur, is_heard=False), "este": Box(None, is_heard=False)}
    fed(lambda _: None, SHEETS, boxes)
    for chief in every(SHEETS):
        chief.page.locator(".box[data-box=norte]:not([data-old])").wait_for()
        chief.page.locator(".box[data-box=sur][data-old]").wait_for()
        chief.screen.until_words("sin conexión con esta caja", "todavía no se vio")
        looked.at(chief.screen, "chief-boxes")
        chief.page.locator(".box").last.scroll_into_view_if_needed()
        looked.at(chief.screen, "chief-boxes-end")


def test_without_a_node_and_a_web(house, opened, every, looked):
    house.kill_node()
    for chief in every():
        chief.screen.until_words("SIN NODO")
        looked.at(chief.screen, "chief-no-node")
    house.kill_web()
    for chief in every():
        chief.screen.until_words("SIN CONEXIÓN")
        looked.at(chief.screen, "chief-no-connection")
    opened.quiet()
