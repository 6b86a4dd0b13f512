"""The demo's ccTalk acceptors stay under power over night: what a real one has in RAM is kept until the next evening.

Theory. An acceptor that lost its power begins to count anew, and a technician must look into its box (devices.md 1.2).
That is right, and to be tried with `CP-01 unit 11 off`; but ending the demo is not pulling seven plugs.
"""

import json
from collections import deque
from pathlib import Path
from typing import Any

from drivers.cctalk.events import CoinEvent
from firmware_sim.desk.desk import Desk
from firmware_sim.desk.devices import AcceptorDevice
from firmware_sim.foreign.cctalk_coins import CoinPath

_KEPT = ("counter", "mask", "master_open", "inserted", "accepted", "untold", "returned", "jammed")


def keep_power(desk: Desk, place: Path) -> None:
    kept = {str(device.number): _of(device.firmware.coins) for device in _acceptors(desk)}
    if kept:
        beside = place.with_suffix(".new")
        beside.write_text(json.dumps(kept), encoding="utf-8")
        beside.replace(place)


def power_up(desk: Desk, place: Path) -> None:
    """Give the acceptors what was kept; one of which nothing can be read had no power."""
    try:
        kept = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    for device in _acceptors(desk):
        if str(device.number) in kept:
            _put(device.firmware.coins, kept[str(device.number)])


def _acceptors(desk: Desk) -> list[AcceptorDevice]:
    return [device for device in desk.devices if isinstance(device, AcceptorDevice)]


def _of(coins: CoinPath) -> dict[str, Any]:
    simple = {name: getattr(coins, name) for name in _KEPT}
    return simple | {"slots": [list(event) for event in coins.slots], "chips": len(coins.box)}


def _put(coins: CoinPath, kept: dict[str, Any]) -> None:
    for name in _KEPT:
        setattr(coins, name, kept[name])
    coins.slots = deque((CoinEvent(*event) for event in kept["slots"]), coins.slots.maxlen)
    coins.box = [1] * kept["chips"]
