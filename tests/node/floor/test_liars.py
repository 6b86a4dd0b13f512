"""R-37: 10,000 histories of a board that lies in every way its map allows; a few of them in every `make test`.

Each register of image, detail, ring, identity and configuration, at each moment of a pass, for one answer or until
somebody mends the board, over restarts of node and board, and with a memory that goes back.
"""

from collections import Counter

import pytest
from conftest import CAMPAIGN

from controller.core import seats
from controller.node.floor import seats as floor_seats
from controller.node.floor import wishes as floor_wishes
from support.liars.history import play
from support.liars.lies import EVERY

HISTORIES = 10_000 if CAMPAIGN else 120
PARTS = 40 if CAMPAIGN else 6
HAPPENS = {
    "DeviceDisbelieved", "SeatClosed", "SeatCounted", "SeatOpened", "DeviceAdopted", "BetMade", "PassSealed", "counted", "TakeAnew",
    "restarts of the node", "lies", "lies that were told",
}  # fmt: skip


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_r37_nothing_is_booked_that_cannot_be_and_every_lie_ends_in_play(part, tell):
    seen, registers = Counter(), Counter()
    for seed in range(part, HISTORIES, PARTS):
        history = play(seed)
        assert not history.broken, f"seed {seed} ({history.shape}): {history.broken}, after {history.lies}"
        seen += history.seen
        registers += history.registers

    assert {what for what, times in seen.items() if times} >= HAPPENS, "histories in which nothing happens"
    if CAMPAIGN:
        assert len(registers) > len(EVERY) // 2, "of the map"
    tell(f"part {part}: {len(registers)} of {len(EVERY)} registers, {dict(seen)}")


def _believed(*_):
    return None


def _nothing(*_):
    return iter(())


def _never(*_):
    return False


PLANTED = {
    "what a unit says is booked": [(seats, "disbelief", _believed), (seats, "are_too_many", _never)],
    "a memory that went back is held without a word": [(floor_seats, "_has_forgotten", _never)],
    "a memory that was counted is not taken anew": [(floor_wishes, "_take_anew", _nothing)],
}
KNOWN = {"what a unit says is booked": 14, "a memory that went back is held without a word": 1}  # seeds that miss it


@pytest.mark.parametrize("name", PLANTED)
def test_r37_a_judge_that_is_taken_away_is_missed_by_a_history(name, monkeypatch):
    for place, attribute, instead in PLANTED[name]:
        monkeypatch.setattr(place, attribute, instead)
    tried = [KNOWN.get(name, 0), *range(60)]

    assert any(play(seed).broken for seed in tried), f"{name}: nothing missed it in {len(tried)} histories"
