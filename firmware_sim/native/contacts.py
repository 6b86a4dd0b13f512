"""The buttons or keys of one seat as a finger works them: edges, and when they come up again.

This is the world outside: it does not lose its state when the unit loses power. Whether an edge becomes a press is
the unit's business (2.4); here stands only what is down since when, and until when.
"""

from dataclasses import dataclass

from drivers.session import MILLISECOND, Micros

PRESS: Micros = 80 * MILLISECOND  # how long a finger stays
STUCK: Micros = 10_000 * MILLISECOND  # nobody presses that long
BUTTONS = (1, 2, 3, 4)


@dataclass(slots=True)
class Contact:
    edge: Micros
    release: Micros | None  # None: held until somebody lets go


class Contacts:
    def __init__(self) -> None:
        self.down: dict[int, Contact] = {}

    def put_down(self, button: int, now: Micros, release: Micros | None) -> bool:
        """False: it was down already, there is no edge."""
        assert button in BUTTONS, "a seat has four buttons"
        if button in self.down:
            return False
        self.down[button] = Contact(now, release)
        return True

    def let_go(self, button: int) -> None:
        self.down.pop(button, None)

    def pass_time(self, now: Micros) -> None:
        """Fingers do not wait for a unit that is off."""
        self.down = {
            button: contact for button, contact in self.down.items() if contact.release is None or contact.release > now
        }

    def bits(self) -> int:
        return sum(1 << (button - 1) for button in self.down)
