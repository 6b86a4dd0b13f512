"""How much room the record's disk has left: said while a technician can still come in time.

Theory. A full disk ends the process, because nothing is shown that is not durable; it starts again by itself only
once there is room. So the want of room is an alarm long before. Nothing is deleted here: the record keeps everything
for ever.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from controller.core.view import Alarm, alarm
from controller.node.telemetry.journal import Journal, Says
from drivers.session import Micros

_MEGABYTE = 1_000_000
_LOW = "En el disco del registro quedan {free} MB ({folder}): haga lugar. Cuando se llene, las mesas se bloquean."


class DiskSpace:
    """`least`: octets; below them it is said."""

    def __init__(self, folder: Path, least: int, journal: Journal) -> None:
        self._folder, self._least, self._journal = folder, least, journal
        self._is_said = False

    def look(self, _now: Micros, raise_alarm: Callable[[str, Alarm | None], None]) -> None:
        try:
            free = shutil.disk_usage(self._folder).free
        except OSError:
            return  # a disk that does not even say this is the store's trouble, at its next commit
        is_low = free < self._least
        if is_low and not self._is_said:
            self._journal.error(Says.DISK_LOW, folder=str(self._folder), free_mb=free // _MEGABYTE)
        self._is_said = is_low
        low = alarm("disk_low", "disco", "R-27", _LOW, free=free // _MEGABYTE, folder=str(self._folder))
        raise_alarm("disk", low if is_low else None)
