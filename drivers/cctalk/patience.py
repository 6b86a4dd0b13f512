"""When silence is a device that is gone, and when it is a device that will not answer one question.

A question that failed twice in a row is followed by one that everybody answers (254). Who does not answer that either
is counted silent after a while; who answers it and still not the question is a device that refuses: it has a PIN set,
or never knew the question (1.2: protected commands stay silent).
"""

from drivers.cctalk.frames import Header
from drivers.cctalk.turn import Ask

_RETRIES = 2


class Patience:
    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._row = 0
        self._missed: dict[Header, int] = {}
        self.probing = False

    def answered(self, ask: Ask) -> None:
        self._row = 0
        if ask.header is Header.SIMPLE_POLL:
            self.probing = False
        else:
            self._missed.pop(ask.header, None)

    def failed(self, ask: Ask) -> None:
        self._row += 1
        if ask.header is not Header.SIMPLE_POLL:
            self._missed[ask.header] = self._missed.get(ask.header, 0) + 1
            self.probing = self.probing or self._missed[ask.header] >= _RETRIES

    def missed(self, header: Header) -> int:
        """How often in vain, while others were answered."""
        return self._missed.get(header, 0)

    def forgive(self, header: Header) -> None:
        """It is not asked any more. Whether the device still answers others is found out all the same."""
        self._missed.pop(header, None)

    @property
    def at_end(self) -> bool:
        return self._row >= self._patience

    def start_anew(self) -> None:
        self._row = 0
        self._missed.clear()
        self.probing = False
