"""A chief's fingers: what he does at his tablet. Each verb waits until the page lets him, and touches what he would touch."""

from controller.node.vocabulary.protocol import Pin
from support.browser.casino import JULIA
from support.browser.croupier import A_LOOK, first_name
from support.browser.screen import Screen


class Chief:
    def __init__(self, screen: Screen, person: Pin = JULIA) -> None:
        self.screen, self.page, self.person = screen, screen.page, person

    def chooses(self, person: Pin) -> None:
        """He finds himself among those who may."""
        self.page.wait_for_timeout(A_LOOK)
        self.page.locator("dialog .person", has_text=first_name(person)).tap()

    def types(self, pin: str) -> None:
        for digit in pin:
            self.page.locator(f"dialog .pin .key-{digit}").tap()

    def confirms(self) -> None:
        """As soon as the button is awake."""
        self.page.locator("dialog[open] .confirm:not([aria-disabled])").last.tap()

    def signs(self, *persons: Pin) -> None:
        """The sheet that is open, by himself or by those who are named; and it is gone."""
        for turn, person in enumerate(persons or (self.person,)):
            if turn or self.page.locator("dialog .person").count():
                self.chooses(person)
            self.types(person.pin)
            self.confirms()
        self.page.locator("dialog.signing").wait_for(state="detached")

    def looks_at_the_table(self) -> None:
        """Before he sees what an act would do he signs in there, once in ten minutes."""
        self.page.locator("dialog").wait_for()
        if self.page.locator("dialog.entering").count():
            if self.page.locator("dialog .person").count():
                self.chooses(self.person)
            self.types(self.person.pin)
            self.confirms()
            self.page.locator("dialog.entering").wait_for(state="detached")

    def award(self, *words: str) -> None:
        """The sheet of what waits, when it says all of these."""
        row = self.page.locator(".wait[data-kind=award]")
        for one in words:
            row = row.filter(has_text=one)
        row.tap()
        self.page.locator("dialog.of-award").wait_for()

    def table(self, name: str) -> None:
        self.page.locator(".table-card", has_text=name).tap()

    def does(self, words: str) -> None:
        """The button of the sheet that says so."""
        self.page.locator("dialog[open]").last.get_by_role("button", name=words, exact=True).first.tap()
