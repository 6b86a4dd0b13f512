"""The record of a box is edited while its daemon runs: its casino's node says so within a minute, and nobody asked it (R-27).

Real daemons, real sockets and real time; tests/record/edits plays two hundred edits against a minute that goes by faster.
"""

import sys
import time
from contextlib import closing

import pysqlite3
import pytest
from conftest import CAMPAIGN

from controller.node.link.mirrors import mirror_of
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from support.node.linked_casinos import linked

pytestmark = [
    pytest.mark.process, pytest.mark.campaign,
    pytest.mark.skipif(not CAMPAIGN, reason="a minute of real time each; its short form is node/link/test_mirror_wire.py"),
]  # fmt: skip

BOX, MINUTE = "valle", 60.0
EDITS = {
    "a word of a fact": "UPDATE fact SET body = CAST(replace(body, 'carla', 'clara') AS BLOB) WHERE kind = 'credits_bought'",
    "a hash": "UPDATE fact SET hash = randomblob(32) WHERE seq = 5",
    "a fact taken out": "DELETE FROM fact WHERE kind = 'bet_made'",
    "the end cut off": "DELETE FROM fact WHERE seq > (SELECT max(seq) FROM fact) - 3",
    "a record that nobody can read": "ALTER TABLE fact RENAME TO hecho",
}


def is_mirrored(three):
    with Reader.open(three.valle.record) as reader, closing(mirror_file(three)) as file:
        return file.end().seq == reader.head().seq


def mirror_file(three):
    return MirrorFile.read(mirror_of(three.norte.place / "folder", BOX))


def named(view):
    """As different, as shown no more, or as gone: a node whose record cannot be written to ends."""
    box = next(one for one in view.neighbours if one.neighbour == BOX)
    stopped = [one.why for one in box.stopped if one.stream == "mirror"]
    silent = [alarm.sentence for alarm in view.alarms if "no muestra su registro" in alarm.sentence]
    return stopped + silent or ([] if box.up else ["its link is down"])


@pytest.mark.parametrize("edit", EDITS)
def test_r27_an_edit_while_the_box_runs_is_said_at_its_casino_within_a_minute(edit, capsys):
    with linked(BOX) as three:
        three.introduced()
        three.valle.bet(1, 2)
        three.rest()
        three.norte.until(lambda _: is_mirrored(three))
        with closing(pysqlite3.connect(three.valle.record, isolation_level=None)) as thief:
            thief.execute("PRAGMA foreign_keys = OFF")
            for (trigger,) in thief.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                thief.execute(f"DROP TRIGGER {trigger}")
            thief.execute(EDITS[edit])
        began = time.monotonic()
        while not (said := named(three.norte.until(bool))):
            assert time.monotonic() - began < MINUTE, (three.norte.until(bool), three.valle.until(bool))
            time.sleep(0.2)
        with capsys.disabled():
            print(f"\n{edit}: {said} after {time.monotonic() - began:.0f} s", file=sys.stderr)
