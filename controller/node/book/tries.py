"""PINs that are tried where no node runs: how many were wrong stands on the disk, beside the node's key.

Theory. A restore that is refused leaves no record, so no fact can count what was wrong in it; and whoever tries PINs
brings a copy of the backup as often as he likes. What he cannot do without is the key and the pepper, so the count lies
beside them: whoever can remove it can read both, and needs no guess of ours. The waits are those of the node's door. A
clock that stood ahead keeps nobody waiting longer than the longest wait.
"""

import fcntl
import os
from collections.abc import Mapping
from contextlib import closing
from io import BufferedRandom
from pathlib import Path

import msgspec

from controller.node.book.pins import Pepper, is_right
from controller.node.store.failure import StoreRefused
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.guesses import Guesser, Guesses, Wrong
from controller.node.vocabulary.protocol import Pin
from drivers.session import MILLISECOND, SECOND, Micros

_OURS = Guesser(0)  # whoever stands here; there is one door
_read = msgspec.json.Decoder(dict[str, Wrong])


def tries_of(pepper: Path) -> Path:
    return pepper.with_name("wrong-pins")


def tried(
    place: Path, signers: tuple[Pin, Pin], verifiers: Mapping[str, str], pepper: Pepper, at: Millis
) -> tuple[bool, bool]:
    """Whether each PIN is right, on the disk before anybody hears of it; the second is not tried where the first is
    wrong. StoreRefused for whoever has to wait."""
    now: Micros = at * MILLISECOND
    handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with closing(os.fdopen(handle, "r+b")) as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # two who try at once are counted both
        guesses = Guesses({_OURS: _known(place, file.read(), now)})
        wait = max(guesses.wait(_OURS, one.person, now) for one in signers)
        if wait:
            _write(file, guesses)
            raise StoreRefused(str(place), f"hubo PIN equivocados; espere {-(-wait // SECOND)} segundos")
        right = [_is_right(guesses, signers[0], verifiers, pepper, now)]
        right.append(right[0] and _is_right(guesses, signers[1], verifiers, pepper, now))
        _write(file, guesses)
    return right[0], right[1]


def _is_right(guesses: Guesses, pin: Pin, verifiers: Mapping[str, str], pepper: Pepper, now: Micros) -> bool:
    if is_right(verifiers.get(pin.person, ""), pin.person, pin.pin, pepper):
        guesses.was_right(_OURS, pin.person)
        return True
    if pin.person in verifiers:
        guesses.was_wrong(_OURS, pin.person, now)
    return False


def _write(file: BufferedRandom, guesses: Guesses) -> None:
    file.seek(0)
    file.truncate()
    file.write(msgspec.json.encode(guesses.of(_OURS)))
    file.flush()
    os.fsync(file.fileno())


def _known(place: Path, text: bytes, now: Micros) -> dict[str, Wrong]:
    try:
        known = _read.decode(text) if text else {}
    except (msgspec.DecodeError, UnicodeDecodeError):
        sentence = "la cuenta de los PIN equivocados está dañada; quien cuida la llave la retira"
        raise StoreRefused(str(place), sentence) from None
    return {person: Wrong(wrong.many, min(wrong.last, now)) for person, wrong in known.items()}
