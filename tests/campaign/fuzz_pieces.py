"""How one input of a fuzzer becomes a conversation: up to `FRAMES` pieces, each with a pause before it.

After each piece a talker is ticked as its owner would tick it: whenever its deadline is due, and never for ever.
"""

from typing import Protocol

FRAMES = 8
PAUSES = (0, 0, 1_000, 2_000, 20_000, 60_000, 400_000, 2_000_000)


def pieces(data: bytes) -> list[tuple[int, bytes]]:
    """`FRAMES` of (first byte, rest): the first byte says how the rest is to be treated."""
    pieces, at = [], 0
    for _ in range(FRAMES):
        head = data[at : at + 2]
        if len(head) < 2:
            break
        pieces.append((head[0], data[at + 2 : at + 2 + head[1]]))
        at += 2 + head[1]
    return pieces


class Talker(Protocol):
    """A bus, a slave, a device: whatever says something when its time has come."""

    def to_send(self, now: int, /) -> bytes: ...
    def deadline(self) -> int | None: ...
    def tick(self, now: int, /) -> None: ...


def settle(talker: Talker, now: int, most: int = 64) -> bytes:
    """Tick it until nothing is due; a talker that never comes to rest hangs its owner."""
    said = talker.to_send(now)
    for _ in range(most):
        due = talker.deadline()
        if due is None or due > now:
            return said
        talker.tick(now)
        said += talker.to_send(now)
    raise AssertionError("it never comes to rest")


def script(*rows: tuple[int, bytes]) -> bytes:
    """The input that becomes these pieces."""
    return b"".join(bytes((how, len(body))) + body for how, body in rows)
