"""One lamp: what is driven, what its filament or LED really does, and what the unit measures of it.

Current is measured once `settle` has passed since the drive changed (1.8), in the phases that a drive has: a blinking
lamp is measured lit and dark. What is driven, what is measured and what a person sees are three things and stand here
side by side; only the person's eye knows the condition.
"""

from enum import StrEnum

from drivers.native.contract import NO_CURRENT, Capability, Feedback, LampDrive, SeatFault
from drivers.native.writes import Config
from drivers.session import MILLISECOND, Micros


class LampCondition(StrEnum):
    OK = "ok"
    OPEN = "open"
    SHORT = "short"
    LIT_WHILE_OFF = "lit_while_off"
    WEAK = "weak"  # one of several LEDs in parallel is left: current below the window
    COVERED = "covered"  # current as it should be, and no light


FAULTS = SeatFault.LAMP_OPEN | SeatFault.LAMP_SHORT | SeatFault.LAMP_LIT_WHILE_OFF
_SHORT_MILLIAMPS = 400
_HAS_LIT_PHASE = (LampDrive.STEADY, LampDrive.PENDING, LampDrive.FAULT, LampDrive.TEST)
_HAS_DARK_PHASE = (LampDrive.OFF, LampDrive.PENDING, LampDrive.FAULT)
_HALF_A_BLINK: Micros = 80 * MILLISECOND  # six blinks a second (2.3 A: 4 to 8)
_WINK: Micros = 1_500 * MILLISECOND
_SHINES = (LampCondition.OK, LampCondition.WEAK, LampCondition.LIT_WHILE_OFF)


class LampDriver:
    def __init__(self, abilities: int, milliamps: int) -> None:
        """`abilities`: of its unit; `milliamps`: what a good lamp draws."""
        self.condition = LampCondition.OK
        self.drive = LampDrive.OFF
        self.driven_since: Micros = 0
        self._current = bool(abilities & Capability.CURRENT_SENSE)
        self._light = bool(abilities & Capability.LIGHT_SENSE)
        self._good = milliamps
        self.forget()

    @property
    def senses(self) -> bool:
        return self._current or self._light

    def forget(self) -> None:
        """The drive changed, or the unit started: nothing is measured yet."""
        self.feedback = 0
        self.milliamps = NO_CURRENT
        self.agrees = False

    def drive_to(self, lamp: LampDrive, now: Micros) -> None:
        self.drive, self.driven_since = lamp, now
        self.forget()

    def blinked(self, now: Micros) -> int:
        """The edges since the drive changed, without the first (2.3 S)."""
        elapsed = now - self.driven_since
        if self.drive == LampDrive.PENDING:
            return elapsed // _HALF_A_BLINK
        return 2 * (elapsed // _WINK) if self.drive == LampDrive.FAULT else 0

    def measure(self, window: Config, faults: int) -> int:
        """The faults that are live now, given those that were: a phase that is not driven proves nothing new."""
        lit, dark = self.drive in _HAS_LIT_PHASE, self.drive in _HAS_DARK_PHASE
        self.feedback = int(Feedback.MEASURED)
        self.agrees = True
        if self._current:
            self.milliamps = self._lit_current() if lit else self._dark_current()
            if lit:
                faults = self._examine_lit(window, faults)
            if dark:
                faults = self._examine_dark(faults)
        if self._light and self._is_light_seen(lit):
            self.feedback |= Feedback.LIGHT_SEEN
        if self._light and bool(self.feedback & Feedback.LIGHT_SEEN) != lit:
            self.agrees = False
        return faults

    def seen(self) -> LampDrive:
        """By a person at the table."""
        if self.condition == LampCondition.LIT_WHILE_OFF:
            return LampDrive.TEST if self.drive == LampDrive.TEST else LampDrive.STEADY
        return self.drive if self.condition in _SHINES else LampDrive.OFF

    def _examine_lit(self, window: Config, faults: int) -> int:
        faults &= ~(SeatFault.LAMP_OPEN | SeatFault.LAMP_SHORT)
        if self.milliamps < window.lamp_least:
            self.feedback |= Feedback.OPEN
            self.agrees = False
            return faults | SeatFault.LAMP_OPEN
        if self.milliamps > window.lamp_most:
            self.feedback |= Feedback.SHORT
            self.agrees = False
            return faults | SeatFault.LAMP_SHORT
        self.feedback |= Feedback.IN_WINDOW
        return faults

    def _examine_dark(self, faults: int) -> int:
        if not self._dark_current():
            return faults & ~SeatFault.LAMP_LIT_WHILE_OFF
        self.feedback |= Feedback.CURRENT_WHILE_OFF
        self.agrees = False
        return faults | SeatFault.LAMP_LIT_WHILE_OFF

    def _lit_current(self) -> int:
        match self.condition:
            case LampCondition.OPEN:
                return 0
            case LampCondition.SHORT:
                return _SHORT_MILLIAMPS
            case LampCondition.WEAK:
                return self._good // 3
            case _:
                return self._good

    def _dark_current(self) -> int:
        return self._good if self.condition == LampCondition.LIT_WHILE_OFF else 0

    def _is_light_seen(self, lit: bool) -> bool:
        return self.condition in _SHINES if lit else self.condition == LampCondition.LIT_WHILE_OFF
