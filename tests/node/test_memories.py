"""Memories of units that have none: kept before the books, put right when they contradict them."""

import os
from dataclasses import replace

import msgspec
import pytest

from controller.core.values import Device
from controller.node.devices.memories import Memories, chip_bases, module_base
from controller.node.vocabulary import disk
from controller.node.vocabulary.places import UnitKey
from drivers.cctalk.slot import ChipBase, ChipSlot
from drivers.io_module.bets import Base, SeatBase
from drivers.model import BetSeen, DeviceKey, Totals

SLOT, MODULE = UnitKey("fichas/1", 21), UnitKey("bus", 20)
CHIPS = ChipBase(DeviceKey(77, 1), 5 << 8 | 9, Totals(chips=12, late=2), 3, 4, 5 << 8 | 8, accepted=14)
IO = Base(
    device=DeviceKey(4711, 2), seq=40, cut=38, round_id=9, lock_presses=3, unlock_presses=4, counters={0x10: 8},
    seats={3: SeatBase(Totals(bets=9, voided=1), BetSeen.SEALED, 2, 39)},
)  # fmt: skip
BOOKED = Device(77, 1, 5 << 8 | 9, chips=12, late=2)


def booked(**other):
    return msgspec.structs.replace(BOOKED, **other)


@pytest.fixture
def memories(tmp_path):
    return Memories(tmp_path / "memories")


@pytest.mark.parametrize(("unit", "base"), [(SLOT, CHIPS), (MODULE, IO)], ids=["acceptor", "module"])
def test_what_is_kept_is_read_again_by_another_process(memories, tmp_path, unit, base):
    memories.save(unit, base)

    assert Memories(tmp_path / "memories").load(unit) == (base,)
    assert memories.load(UnitKey("otra", 1)) == ()


def test_the_newest_base_of_a_box_replaces_its_older_one_and_other_boxes_keep_theirs(memories):
    other = replace(CHIPS, device=DeviceKey(78, 1))
    for base in (CHIPS, other, replace(CHIPS, seq=6 << 8)):
        memories.save(SLOT, base)

    assert memories.load(SLOT) == (other, replace(CHIPS, seq=6 << 8))


def test_a_base_is_synced_and_has_its_name_before_save_returns(memories, monkeypatch):
    synced = []
    monkeypatch.setattr(disk.os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    memories.save(SLOT, CHIPS)

    assert synced == [memories.path(SLOT).stat().st_ino, memories.path(SLOT).parent.stat().st_ino]


def test_the_same_base_is_not_written_again(memories, monkeypatch):
    memories.save(SLOT, CHIPS)
    monkeypatch.setattr(disk.os, "fsync", pytest.fail)
    memories.save(SLOT, CHIPS)


def test_a_file_cut_short_anywhere_or_changed_anywhere_is_no_memory(memories):
    memories.save(SLOT, CHIPS)
    whole = memories.path(SLOT).read_bytes()
    for end in range(len(whole)):
        memories.path(SLOT).write_bytes(whole[:end])
        assert memories.load(SLOT) == ()
    for at in range(len(whole)):
        memories.path(SLOT).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert memories.load(SLOT) == ()


def test_the_file_of_another_unit_is_no_memory(memories):
    memories.save(SLOT, CHIPS)
    memories.path(MODULE).write_bytes(memories.path(SLOT).read_bytes())

    assert memories.load(MODULE) == ()


def test_a_base_that_the_books_have_is_gone_on_from():
    assert chip_bases((CHIPS,), BOOKED) == (replace(CHIPS, booked=CHIPS.seq),)
    assert chip_bases((CHIPS,), None) == (CHIPS,)
    assert chip_bases((), None) == ()


def test_a_base_ahead_of_the_books_loses_nothing():
    assert chip_bases((CHIPS,), booked(seq=5 << 8 | 8, chips=11)) == (replace(CHIPS, booked=5 << 8 | 8),)


@pytest.mark.parametrize(
    ("device", "bet"),
    [
        (booked(seq=5 << 8 | 7, chips=8), BetSeen.PENDING),
        (booked(seq=5 << 8 | 8), BetSeen.CONFIRMED),
        (booked(epoch=0, seq=9 << 8), BetSeen.PENDING),
    ],
    ids=["not booked", "booked", "of an epoch nobody heard of"],
)
def test_r6_a_bet_that_nobody_booked_is_pending_and_dark_after_a_restart(device, bet):
    (base,) = chip_bases((CHIPS,), device)
    slot = ChipSlot(50)
    slot.go_on_from(base)

    assert (slot.bet_seen, slot.lit, slot.totals) == (bet, bet is BetSeen.CONFIRMED, CHIPS.totals)
    slot.acknowledge(slot.device, slot.seq)
    assert (slot.bet_seen, slot.lit, slot.bet) == (BetSeen.CONFIRMED, True, 4)


@pytest.mark.parametrize(
    "device",
    [booked(seq=6 << 8, chips=13), booked(epoch=2), booked(chips=11), booked(late=1)],
    ids=["behind", "an epoch behind", "other chips under one number", "other late ones under one number"],
)
def test_a_base_behind_the_books_or_against_them_begins_another_epoch(device):
    (base,) = chip_bases((CHIPS,), device)

    assert base.device == DeviceKey(77, device.epoch + 1)
    assert (base.totals, base.bet, base.round_id) == (Totals(), 0, 0)


def test_a_memory_that_is_gone_begins_another_epoch_and_one_that_began_anew_unheard_goes_on():
    (base,) = chip_bases((), BOOKED)
    assert (base.device, base.totals) == (DeviceKey(77, 2), Totals())

    ahead = replace(CHIPS, device=DeviceKey(77, 2))
    assert chip_bases((ahead,), BOOKED) == (replace(ahead, booked=ahead.nothing_booked),)


def test_a_box_that_was_here_before_is_known_beside_the_one_of_the_books():
    other = replace(CHIPS, device=DeviceKey(78, 4))

    assert chip_bases((other, CHIPS), BOOKED) == (other, replace(CHIPS, booked=BOOKED.seq))


def at_seat_3(**other):
    return {3: Device(**({"serial": 4711, "epoch": 2, "seq": 40, "bets": 9, "voided": 1} | other)), 4: None}


def test_a_module_goes_on_from_what_the_books_have_or_from_what_is_ahead_of_them():
    assert module_base((IO,), 4711, at_seat_3()) == IO
    assert module_base((IO,), 4711, at_seat_3(seq=38, bets=7)) == IO
    assert module_base((IO,), 4711, at_seat_3(epoch=1)) == IO
    assert module_base((IO,), 4711, {3: None}) == IO
    assert module_base((), 4711, {3: None}) is None


@pytest.mark.parametrize("other", [{"seq": 41, "bets": 11}, {"epoch": 3}, {"bets": 8}], ids=str)
def test_a_module_behind_the_books_or_against_them_begins_another_epoch(other):
    base = module_base((IO,), 4711, at_seat_3(**other))

    assert base.device == DeviceKey(4711, at_seat_3(**other)[3].epoch + 1)
    assert (dict(base.seats), base.counters, base.lock_presses) == ({}, None, 3)


def test_a_module_whose_memory_is_gone_begins_another_epoch_but_another_box_does_not():
    assert module_base((), 4711, at_seat_3()).device == DeviceKey(4711, 3)
    assert module_base((IO,), 9, at_seat_3()) is None
