"""What goes wrong around a node: a disk of its own that fills or is read-only, other masters, firmware of another make."""

import contextlib
import re
import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from drivers.modbus.mbap import frame
from drivers.modbus.pdu import WriteWords, encode_request
from drivers.native import contract as at
from drivers.native.blocks import checked
from drivers.native.writes import Command
from support.drivers import peers
from support.node.node_process import Casino, found_with_its_people, one_table_plan

TCP_DESK = """
[[line]]
name = "mesa"
kind = "tcp"
port = {port}
[[line.unit]]
kind = "table"
unit = 1
seat = 1
seats = 6
serial = 9001
[[line.unit]]
kind = "console"
unit = 20
serial = 9020
"""
_TCP_SETTINGS = """
name = "central"
folder = "folder"
control = "control"
[[plan]]
file = "plan.toml"
signless = true
[[line]]
name = "mesa"
kind = "tcp"
url = "socket://127.0.0.1:{port}"
[[table]]
name = "DP-01"
[[table.unit]]
kind = "table"
line = "mesa"
number = 1
seat = 1
seats = 6
[[table.unit]]
kind = "console"
line = "mesa"
number = 20
"""


def over_tcp(place: Path, port: int) -> None:
    """The node of this place has its table on the network."""
    (place / "node.toml").write_text(_TCP_SETTINGS.format(port=port))


def founded_at(place: Path, at: int) -> None:
    """A casino over TCP whose first fact has this instant."""
    place.mkdir(exist_ok=True)
    (place / "plan.toml").write_text(one_table_plan())
    over_tcp(place, 1)
    found_with_its_people(place, at)


# ------------------------------------------------------------------------------------------------------ disks


@contextmanager
def small_disk(folder: Path, size: str = "6m") -> Iterator[None]:
    """The folder with all that is in it, on a disk of its own; only root has such."""
    kept = folder.with_name("kept")
    folder.rename(kept)
    folder.mkdir(mode=0o700)
    _mount(folder, "-t", "tmpfs", "-o", f"size={size},mode=0700", "none")
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True, copy_function=shutil.copy2)
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@contextmanager
def disk_of_its_own(folder: Path, size: int = 16 * 2**20) -> Iterator[Path]:
    """The folder with all that is in it, on a real file system in a file: one that the kernel can give up."""
    mkfs, image, kept = peers.program("mkfs.ext4"), folder.with_name("image"), folder.with_name("kept")
    with image.open("wb") as file:
        file.truncate(size)
    subprocess.run([mkfs, "-q", image], check=True, capture_output=True)
    folder.rename(kept)
    folder.mkdir(mode=0o700)
    _mount(folder, "-o", "loop", image)
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True, copy_function=shutil.copy2)
        subprocess.run(["sync", "-f", folder], check=True)
        yield image
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def gives_up(folder: Path) -> None:
    """What the kernel does with a disk whose journal it cannot write: read-only from now on, under whoever writes."""
    subprocess.run(["mount", "-o", "remount,abort", folder], check=True)


def mended(folder: Path, image: Path) -> None:
    """As after a look at the disk and a restart of the machine."""
    subprocess.run(["umount", folder], check=True)
    _mount(folder, "-o", "loop", image)


def _mount(folder: Path, *how: str | Path) -> None:
    if subprocess.run(["mount", *how, folder], check=False, capture_output=True).returncode:
        peers.absent("mount (only root may)")


def fill(folder: Path) -> Callable[[], None]:
    """No more room; what it takes to make some again."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    return ballast.unlink


def read_only(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)


# ---------------------------------------------------------------------------------------------------- masters


def takes_the_session(port: int, unit: int) -> None:
    """Any Modbus tool of a technician who does not know that a node is on this line."""
    words = Command(command_id=777, opcode=at.Opcode.OPEN_SESSION, target=0xBAD_CAFE).encode()
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.settimeout(5)
        line.sendall(frame(1, unit, encode_request(WriteWords(at.COMMAND, words))))
        assert len(line.recv(64)) == 12, "the unit has taken it"


class Relay:
    """Between a node and its units: what units say of their contract's version is changed on the way."""

    def __init__(self, port: int, version: int) -> None:
        self._port, self._version = port, version
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._open = True
        threading.Thread(target=self._welcome, daemon=True).start()

    def close(self) -> None:
        self._open = False
        self._server.close()

    def _welcome(self) -> None:
        while self._open:
            try:
                node, _ = self._server.accept()
            except OSError:
                return
            unit = socket.create_connection(("127.0.0.1", self._port))
            threading.Thread(target=_pass_on, args=(node, unit, bytes), daemon=True).start()
            threading.Thread(target=_pass_on, args=(unit, node, self._changed), daemon=True).start()

    def _changed(self, said: bytes) -> bytes:
        """One answer a time: head of 7 bytes, function, count, words."""
        words = list(struct.unpack(f">{(len(said) - 9) // 2}H", said[9:])) if len(said) > 9 and len(said) % 2 else []
        if len(words) != at.BLOCK_WORDS or words[0] != at.MAGIC:
            return said
        words[1] = self._version
        return said[:9] + struct.pack(f">{at.BLOCK_WORDS}H", *checked(words, 0x1F))


def _pass_on(source: socket.socket, target: socket.socket, change: Callable[[bytes], bytes]) -> None:
    try:
        while said := source.recv(4096):
            target.sendall(change(said))
    except OSError:
        pass
    finally:
        for end in (source, target):
            end.close()


# ------------------------------------------------------------------------------------------------------- desks


def seats(place: Casino) -> list[str]:
    """Of each seat what a person sees: lamp and display."""
    told = re.sub(", button . down", "", place.desk("status")[0]).split("; ")
    return [line.partition(": ")[2] for line in told if line.startswith("seat")]


def is_closed(place: Casino) -> bool:
    return "console: closed" in place.desk("status")[0]


def until(look: Callable[[], object], patience: float = 20) -> None:
    end = time.monotonic() + patience
    while not look():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


def bet(place: Casino, seat: int) -> None:
    """Until it is lit: what is not booked within a second is given back, and pressed again."""

    def is_lit() -> bool:
        return "steady" in seats(place)[seat - 1]

    end = time.monotonic() + 20
    while not is_lit():
        assert time.monotonic() < end, seats(place)
        place.desk(f"seat {seat} press 1")
        with contextlib.suppress(AssertionError):
            until(is_lit, 2)


def assert_nobody_can_bet(place: Casino) -> None:
    """The lamp of the console says it, and whoever presses all the same keeps his credits."""
    assert is_closed(place)
    before = seats(place)
    place.desk(*[f"seat {number} press 1" for number in range(1, len(before) + 1)])
    time.sleep(0.3)
    assert seats(place) == before
