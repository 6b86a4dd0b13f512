"""Numbers by chance that a terminal signs to be let in: each good once, for a minute.

Theory. A number is not kept when it is told: it says itself when it was made, and who made it, under a key that this
process has from its start. So whoever asks for a million of them fills nothing. Only those that were used are kept, for
the minute in which they might be used again; who uses one has proved a key, so they are few. Time comes from outside.
"""

import hmac
import re
import secrets

from drivers.session import SECOND, Micros

GOOD_FOR: Micros = 60 * SECOND
MOST_USED = 10_000
_CHALLENGE = re.compile(r"[0-9a-f]{64}")
_INSTANT, _CHANCE, _MARK = 8, 8, 16
"""Octets of it: when, by chance, and the proof that it is of here."""


class Challenges:
    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._used: dict[str, Micros] = {}

    def new(self, now: Micros) -> str:
        told = now.to_bytes(_INSTANT) + secrets.token_bytes(_CHANCE)
        return (told + self._mark(told)).hex()

    def is_good(self, challenge: str, now: Micros) -> bool:
        """Whether it was made here, within the minute, and was not used."""
        if not _CHALLENGE.fullmatch(challenge) or challenge in self._used:
            return False
        octets = bytes.fromhex(challenge)
        told, mark = octets[: _INSTANT + _CHANCE], octets[_INSTANT + _CHANCE :]
        age = now - int.from_bytes(told[:_INSTANT])
        return hmac.compare_digest(mark, self._mark(told)) and 0 <= age < GOOD_FOR

    def use(self, challenge: str, now: Micros) -> bool:
        """It is good no more. False where so many were used in this minute that no other is taken."""
        self._used = {one: since for one, since in self._used.items() if now - since < GOOD_FOR}
        if len(self._used) >= MOST_USED:
            return False
        self._used[challenge] = now
        return True

    def _mark(self, told: bytes) -> bytes:
        return hmac.digest(self._key, told, "sha256")[:_MARK]
