"""A croupier's fingers: what he does at his screen, with the taps that it takes him counted.

Each verb touches what a person would touch and waits until the page lets him, as a person would; what he then sees is asked by the test.
"""

from controller.node.vocabulary.protocol import Pin
from support.browser.casino import CARLA
from support.browser.screen import Screen

CATEGORIES = {"color": "Color", "full": "Full", "poker": "Póker"}
_ROW = "AKQJT98765432"
A_LOOK = 700
"""Milliseconds that a person needs to find a name. A tap sooner, where the last one was, means what stood there before (D-245)."""


def first_name(person: Pin) -> str:
    """By which a person finds himself among the others: in each of these casinos it begins his name."""
    return person.person.capitalize()


class Croupier:
    """`taps`: since it was last set to 0."""

    def __init__(self, screen: Screen, person: Pin = CARLA) -> None:
        self.screen, self.page, self.person, self.taps = screen, screen.page, person, 0

    def puts_everything_away(self) -> None:
        """What another test left open or entered."""
        self.page.evaluate(
            "for (const name of Object.keys(localStorage)) if (name.startsWith('pozo.draft')) localStorage.removeItem(name)"
        )
        while self.page.locator("dialog").count():
            self.page.keyboard.press("Escape")
        chosen = self.page.get_by_role("button", name="Salir", exact=True)
        if chosen.is_visible():
            chosen.tap()

    # Who he is

    def signs_in(self) -> None:
        self.page.locator(".who-signs").tap()
        self.chooses(self.person)
        self.types(self.person)
        self.confirms()
        self.page.locator(".who-signs", has_text=first_name(self.person)).wait_for()

    def chooses(self, person: Pin) -> None:
        self.page.wait_for_timeout(A_LOOK)
        self.page.locator("dialog .person", has_text=first_name(person)).tap()

    def types(self, person: Pin) -> None:
        for digit in person.pin:
            self.page.locator(f"dialog .key-{digit}").tap()

    def confirms(self) -> None:
        self.page.locator("dialog .confirm:not([aria-disabled])").tap()

    def signs(self, *persons: Pin) -> None:
        """The sheet that is open, by himself or by those who are named; and it is gone."""
        for turn, person in enumerate(persons or (self.person,)):
            if turn or self.page.locator("dialog .person").count():
                self.chooses(person)
            self.types(person)
            self.confirms()
        self.page.locator("dialog.signing").wait_for(state="detached")

    # The table

    def next(self, does: str) -> None:
        """The one button, when it does this: open, lock, next, register."""
        self.tap(f".felt .next[data-next={does}]:not([aria-disabled])")

    def is_at(self, state: str) -> None:
        """The page says so."""
        self.page.locator(f".felt[data-state={state}]").wait_for()

    def seat(self, number: int) -> None:
        self.tap(f".places .seat >> nth={number - 1}")

    def buys(self, seat: int, credits_: int) -> None:
        self.seat(seat)
        self.page.locator("dialog.services .preset", has_text=f"{credits_}").first.tap()
        self.signs()

    # A hand

    def claims(self, category: str) -> None:
        self.tap(f"dialog.hand-sheet .kinds .kind:text-is('{CATEGORIES[category]}')")

    def holds(self, *cards: str) -> None:
        for card in cards:
            self.tap(f"dialog.hand-sheet .card-key.of-{card[1]} >> nth={_ROW.index(card[0])}")

    def royal(self, suit: str) -> None:
        self.tap(f"dialog.hand-sheet .royal .ladder.of-{suit}")

    def tap(self, selector: str) -> None:
        self.page.locator(selector).tap()
        self.taps += 1

    # What he reads

    def told(self) -> str:
        words: str = self.page.locator(".felt .told").inner_text()
        return words
