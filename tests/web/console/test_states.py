"""Every state of a croupier's console, and every sheet of it, on each size of glass: kept as a picture, and measured.

Where a node of a test does not come to a state by itself, the page is fed one (support/browser/feeding.py). In a campaign on all four
sizes, else on the smallest lying and on a standing one. The pictures are in var/screens, with their light in measures.txt.
"""

import os
import struct

import pytest

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.vocabulary.protocol import Deed
from support.browser.casino import CARLA, DRAW, JULIA, LUIS, TEXAS, casino
from support.browser.feeding import Fed
from support.browser.light import flashes
from support.browser.screen import DESK_4K, FIFTEEN_INCH, FIFTEEN_INCH_UPRIGHT, TEN_INCH
from support.casinos.places import CLOCK
from support.node.node_process import NODE

pytestmark = [pytest.mark.process, pytest.mark.campaign]
NOBODY = Signature("")
MINUTE = 60
MOST_FLASHES = 3
IS_LONG = bool(os.environ.get("POZO_CAMPAIGN"))
GLASSES = (TEN_INCH, FIFTEEN_INCH, DESK_4K, FIFTEEN_INCH_UPRIGHT) if IS_LONG else (TEN_INCH, FIFTEEN_INCH_UPRIGHT)
DECK_FITS = tuple(glass for glass in GLASSES if glass is not TEN_INCH)
"""Ten inches are 1.3 mm too narrow for thirteen cards of 15 mm (tests/web/console/test_croupier.py)."""


class Clock:
    """The node's wall clock, and an offset that a test sets."""

    def __init__(self, file):
        self.file = file
        self.is_off_by(0)

    def is_off_by(self, seconds):
        with self.file.open("r+b" if self.file.exists() else "wb") as file:
            file.write(struct.pack("q", int(seconds * 1e9)))


@pytest.fixture(scope="module")
def clock(tmp_path_factory):
    return Clock(tmp_path_factory.mktemp("clock") / "offset")


@pytest.fixture(scope="module")
def house(clock):
    with casino(program=CLOCK.format(file=str(clock.file)) + NODE) as made:
        yield made


@pytest.fixture
def every(opened):
    """The console of a table on each glass."""

    def of(table=DRAW, glasses=GLASSES):
        return [opened.at(table, glass) for glass in glasses]

    yield of
    assert opened.quiet() == []


@pytest.fixture
def fed(every):
    """`fed(change)`: each console shows the same with that changed."""
    feeds = [Fed(console.screen, f"table:{DRAW}") for console in every()]

    def shows(change):
        for feed in feeds:
            feed.shows(change)

    yield shows
    for feed in feeds:
        feed.true_again()
        feed.page.reload()
        feed.page.locator(".felt[data-state]").wait_for()


LIES_OVER = """() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(".state"));
    const words = [...range.getClientRects()];
    const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const others = [...document.querySelectorAll(".seat, .next, .told:not(:empty)")];
    return others.filter((one) => words.some((box) => over(box, one.getBoundingClientRect()))).map((one) => one.innerText);
}"""


def are_at(consoles_, state, looked, name=""):
    for one in consoles_:
        one.is_at(state)
        assert one.page.evaluate(LIES_OVER) == [], f"{name or state}: what is said of the pass lies over something"
        looked.at(one.screen, f"state-{name or state}")


def at_seats(entities, **seats):
    """`at_seats(told, s3={"owed": 5})`."""
    for seat, fields in seats.items():
        entities[f"seat/{DRAW}/{seat[1:]}"] |= fields


def all_open(house):
    """What was closed by hand or by a silence is opened by a chief, as soon as its unit answers."""
    house.node.up()

    def none_closed(view):
        closed = [seat.seat for table in view.tables if table.table == DRAW for seat in table.seats if seat.closed]
        for seat in closed:
            house.node.do(Deed.CLEAR_FAULTS, JULIA, table=DRAW, seat=seat)
            house.node.ask(ask.OpenSeat(DRAW, seat, NOBODY), JULIA)
        return not closed

    house.between(DRAW)
    house.until(none_closed)


# ---------------------------------------------------------------------------------------------------- of a pass


def test_between_open_sealed(house, every, looked):
    house.between(DRAW)
    house.buy(DRAW, s1=5, s3=12, s6=100)
    are_at(every(), "between", looked)
    house.opens(DRAW)
    are_at(every(), "open", looked)
    house.presses(DRAW, 3, 2)
    house.presses(DRAW, 6, 5)
    house.locks(DRAW)
    are_at(every(), "sealed", looked)


def test_closing_while_seats_are_unproven_and_then_seats_without_a_signal(house, every, looked):
    house.between(DRAW)
    house.buy(DRAW, s3=5)
    house.opens(DRAW)
    house.presses(DRAW, 3, 1)
    house.tables.obey(DRAW, "line mesa unplug")
    house.ask(ask.Lock(DRAW, NOBODY), CARLA)
    try:
        consoles_ = every()
        are_at(consoles_, "locking", looked)
        house.until(lambda view: any(seat.closed for table in view.tables for seat in table.seats))
        for one in consoles_:
            one.page.locator(".seat[data-matter=closed]").first.wait_for()
            looked.at(one.screen, "state-seats-silent")
    finally:
        house.tables.obey(DRAW, "line mesa plug")
        all_open(house)


def test_verifying_paying_and_overdue(house, clock, every, looked):
    house.sealed(DRAW, s3=5, s6=1)
    one, *_ = every()
    one.is_at("sealed")
    one.seat(3)
    one.claims("full")
    one.seat(6)
    one.claims("color")
    one.next("register")
    one.screen.until_words("$ 500.000")
    one.signs()
    color, full = sorted(house.awards(DRAW).values(), key=lambda award: award.amount)
    for console in every():
        console.screen.until_words("por verificar", "quedan 30 min")
        looked.at(console.screen, "state-verifying")
    house.ask(ask.ConfirmAward(color.award, NOBODY, NOBODY), JULIA, LUIS)
    for console in every():
        console.page.locator(".award .pay:visible").wait_for()
        looked.at(console.screen, "state-paying")
    clock.is_off_by(31 * MINUTE)
    try:
        house.until(lambda view: any(award.overdue for pot in view.pots for award in pot.awards))
        for console in every():
            console.page.locator(f".award[data-overdue] .amount:text('{full.amount // 1000}')").wait_for()
            looked.at(console.screen, "state-overdue")
    finally:
        clock.is_off_by(0)
        house.between(DRAW)


def test_seats_that_are_closed_or_broken_say_why(house, every, looked):
    house.between(DRAW)
    house.ask(ask.CloseSeat(DRAW, 2, "Aparato en mal estado", NOBODY), CARLA)
    house.tables.obey(DRAW, "seat 5 lamp open")
    house.buy(DRAW, s4=5)
    house.opens(DRAW)
    house.presses(DRAW, 4, 1)
    consoles_ = every()
    for console in consoles_:
        console.page.locator(".seat[data-matter=closed]").first.wait_for()
        looked.at(console.screen, "state-seats-closed")
        console.seat(2)
        looked.at(console.screen, "sheet-seat-closed")
        console.puts_everything_away()
    house.tables.obey(DRAW, "seat 5 lamp ok")
    all_open(house)


# ---------------------------------------------------------------------------------------------------- fed


def test_every_other_matter_of_a_seat_is_said(house, every, fed, looked):
    house.sealed(DRAW, s1=1, s2=2)

    def change(told):
        at_seats(
            told,
            s1={"owed": 3000, "over": 3000},
            s2={"unsigned": 2000},
            s3={"health": "down"},
            s4={"health": "starting"},
        )
        at_seats(told, s5={"give_back": 2}, s6={"faults": ["chip_jam"], "credits": 12, "promo": 3})

    fed(change)
    are_at(every(), "sealed", looked, "seats-matters")
    for console in every(glasses=GLASSES[:1]):
        for seat in (1, 2, 3, 6):
            console.page.locator(".serve").tap()
            console.seat(seat)
            looked.at(console.screen, f"sheet-seat-{seat}-matter")
            console.page.locator("dialog .cancel").tap()


def test_a_seat_that_came_back_shut_says_where_it_is_opened(house, every, fed, looked):
    house.between(DRAW)
    house.opens(DRAW)
    house.until(lambda view: not any(one.locked for one in view.seats if one.table == DRAW))
    fed(lambda told: at_seats(told, s3={"unit_locked": True}))
    for console in every():
        console.screen.until_words("Sin abrir: 3.")
    are_at(every(), "open", looked, "seat-shut")
    fed(lambda told: at_seats(told, s3={"unit_locked": True, "waits": "pass"}))
    for console in every():
        console.screen.until_words("hasta el próximo pase: 3.")
    are_at(every(), "open", looked, "seat-next-pass")
    house.between(DRAW)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("out_of_service", lambda told: told["node"].update(out_of_service=True)),
        ("stopping", lambda told: told["node"].update(stopping=True)),
        ("no_table", lambda told: told.pop(f"table/{DRAW}")),
        ("starting", lambda told: told.pop("node")),
        (
            "owner_silent",
            lambda told: (
                told[f"table/{DRAW}"].update(phase="between"),
                told["pot/pozo-condor"].update(owner="norte", up=False, told=1, closes=1),
            ),
        ),
    ],
)
def test_what_keeps_a_table_from_playing(every, fed, looked, name, change):
    fed(change)
    are_at(every(), name, looked)


def test_a_card_that_was_drawn_a_draw_that_is_missing_an_inquiry_and_many_alarms(house, every, fed, looked):
    house.sealed(DRAW, s1=1)

    def change(told):
        told[f"table/{DRAW}"]["draws"] = ["Carta Mágica"]
        told["inquiry/1"] = {"id": "1", "percent": 40, "read": 4, "of": 10}
        for number in range(6):
            sentence = f"Posición {number}: la luz no enciende; la posición está cerrada hasta que alguien la revise."
            told[f"alarm/{number}"] = {"where": f"{DRAW}/{number}", "sentence": sentence}

    fed(change)
    are_at(every(), "sealed", looked, "alarms")
    fed(lambda told: told[f"table/{DRAW}"].update(cards={"Carta Mágica": "Th"}))
    are_at(every(), "sealed", looked, "card-drawn")


def test_an_amount_that_cannot_be_is_words_and_the_rest_of_the_page_stays_true(house, every, fed):
    house.sealed(DRAW, s1=1)

    def change(told):
        told["pot/pozo-condor"].update(main=2**63 - 1, most=2**63 - 1)
        at_seats(told, s1={"bet": 2**63 - 1}, s4={"owed": 2**53})
        told["alarm/1"] = {"where": DRAW, "rule": "R-27", "sentence": "Siga leyendo."}

    fed(change)
    for console in every():
        console.is_at("sealed")
        console.screen.until_words("monto imposible", "siga leyendo.", "devolver")


# ---------------------------------------------------------------------------------------------------- sheets


def test_the_sheets_of_a_hand(house, every, looked):
    house.sealed(TEXAS, s1=1, s4=1)
    for console in every(TEXAS):
        console.is_at("sealed")
        console.seat(1)
        where = looked.at if console.screen.glass in DECK_FITS else lambda screen, name: screen.picture(name)
        where(console.screen, "sheet-community")
        console.holds("As", "Ks", "Qs", "2h")
        where(console.screen, "sheet-hand")
        console.page.get_by_role("button", name="Escalera de Color…").tap()
        looked.at(console.screen, "sheet-straight-flushes")
        console.puts_everything_away()
    house.between(TEXAS)


def test_the_sheets_of_a_table(house, every, looked):
    house.sealed(DRAW, s3=2)
    for console in every():
        console.is_at("sealed")
        console.seat(3)
        console.claims("full")
        console.screen.until_words("$ 200.000")
        looked.at(console.screen, "state-draft")
        console.next("register")
        console.screen.until_words("R-11")
        looked.at(console.screen, "sheet-register")
        console.page.locator("dialog .other").tap()
        looked.at(console.screen, "sheet-people")
        console.page.keyboard.press("Escape")
        console.page.locator(".part.winners button", has_text="Descartar").tap()
        looked.at(console.screen, "sheet-drop")
        console.confirms()
        console.page.locator("header .more").tap()
        looked.at(console.screen, "sheet-more")
        console.page.get_by_role("button", name="Anular el pase").tap()
        looked.at(console.screen, "sheet-void-pass")
        console.puts_everything_away()
    house.between(DRAW)
    for console in every():
        console.is_at("between")
        console.seat(3)
        looked.at(console.screen, "sheet-services")
        console.page.locator("dialog.services .preset").first.tap()
        console.screen.until_words("Cobre")
        looked.at(console.screen, "sheet-buy")
        console.puts_everything_away()
        console.page.locator("header .more").tap()
        console.page.get_by_role("button", name="Corregir otro pase").tap()
        looked.at(console.screen, "sheet-which-pass")
        console.puts_everything_away()
        console.page.locator("header .more").tap()
        console.page.get_by_role("button", name="Prueba de luces").tap()
        console.types(console.person)
        console.confirms()
        console.page.locator("dialog .preset").first.wait_for()
        looked.at(console.screen, "sheet-lamps")
        console.puts_everything_away()


def test_nothing_flashes_on_the_way_through_a_pass(house, every):
    house.between(DRAW)
    house.buy(DRAW, s3=5)
    (console,) = every(glasses=(TEN_INCH,))
    console.is_at("between")
    with console.screen.filmed() as frames:
        console.next("open")
        console.is_at("open")
        house.presses(DRAW, 3, 1)
        console.next("lock")
        console.is_at("sealed")
        console.seat(3)
        console.claims("full")
        console.next("register")
        console.screen.until_words("R-11")
        console.signs()
    assert len(frames) > 10 and flashes(frames) <= MOST_FLASHES
    house.between(DRAW)


# ---------------------------------------------------------------------------------------------------- without a day, a node, a web


def test_without_a_day_a_node_and_a_web(house, opened, every, looked):
    for table in (DRAW, TEXAS):
        house.between(table)
        for seat in house.table(table).seats:
            if seat.credits:
                house.ask(ask.CashOut(table, seat.seat, NOBODY), CARLA)
    consoles_ = every()
    house.do(Deed.CLOSE_DAY, JULIA)
    are_at(consoles_, "no_day", looked)
    house.kill_node()
    for console in consoles_:
        console.screen.until_words("SIN NODO")
        looked.at(console.screen, "state-no-node")
    house.kill_web()
    for console in consoles_:
        console.screen.until_words("SIN CONEXIÓN")
        looked.at(console.screen, "state-no-connection")
    opened.quiet()
