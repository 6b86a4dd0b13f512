"""What a node writes down for technicians: fixed names of events, with their fields (operations.md lists them).

Theory. One line an event. Under systemd a line is one JSON document, behind the level that the journal understands; on
a terminal it is `time level event key=value`. Facts are named by their number (`fact`), so that a line leads to the
record. The record is the truth; nothing is ever read back from here, and a slow or absent reader holds nothing up
(journal_lines.py). No PIN and no seed ever reaches this file.
"""

import os
import sys
from enum import StrEnum
from typing import Any, TextIO

import structlog

from controller.node.telemetry.journal_lines import JournalLines

Journal = Any  # structlog's bound loggers have no better type


class Says(StrEnum):
    """Every event of the node itself. The floor's and the control's have names of their own."""

    NOT_STARTED = "not_started"  # message
    STARTING = "starting"  # node, version, config
    BOOK_OPEN = "book_open"  # fact, seconds
    PINS_SEALED = "pins_sealed"  # fact
    READY = "ready"  # seconds
    STOPPING = "stopping"  # why
    STOPPED = "stopped"  # fact, locked
    LINES_LOST = "journal_lines_lost"  # lines
    FACT = "fact"  # fact, kind, and what it concerns
    REFUSED = "refused"  # fact, ask, reason, rule, message, by
    READING = "reading"  # id, ask, facts
    NOT_DONE = "not_done"  # do, id, reason
    WISH_IMPOSSIBLE = "wish_impossible"  # why
    PLAN_DIFFERS = "plan_differs"  # pot, path, staged
    PLAN_UNREADABLE = "plan_unreadable"  # message
    RELOADED = "reloaded"  # differing
    SEED_LOST = "seed_lost"  # day
    DISK_LOW = "disk_low"  # folder, free_mb
    HEAD_TROUBLE = "head_trouble"  # message
    HEAD_WELL = "head_well"  # message
    CLOCK_WRONG = "clock_wrong"  # message
    METRICS_REFUSED = "metrics_refused"  # port, message
    LINKS_REFUSED = "links_refused"  # listen, message
    WEBS_REFUSED = "webs_refused"  # listen, message
    LINKS_FAILED = "links_failed"
    RACK_FAILED = "rack_failed"
    CONTROL_FAILED = "control_failed"
    STORE_FAILED = "store_failed"  # message
    SYSTEM_FAILED = "system_failed"  # message
    INBOX_FULL = "inbox_full"
    DEFECT = "defect"  # message
    OUT_OF_SERVICE = "out_of_service"  # deaths, last
    BACK_IN_SERVICE = "back_in_service"


class Halted(Exception):  # noqa: N818  says what happened
    """The node cannot go on: the name for the journal, and a sentence for people."""

    def __init__(self, says: Says, sentence: str) -> None:
        super().__init__(sentence)
        self.says = says


_PRIORITY = {"critical": 2, "error": 3, "warning": 4, "info": 6, "debug": 7}


def set_up(stream: TextIO | JournalLines, *, under_systemd: bool = False) -> None:
    """Configured once, by the daemon; everything else asks for `journal()`."""
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
    shared: list[Any] = [structlog.processors.add_log_level, stamp, structlog.processors.format_exc_info]
    if stream.isatty():
        shared.append(structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]))
    else:
        shared.append(structlog.processors.JSONRenderer(ensure_ascii=False, default=str))
    if under_systemd:
        shared.append(_with_priority)
    out: Any = stream  # all that structlog needs of a file
    structlog.configure(
        processors=shared, logger_factory=structlog.WriteLoggerFactory(out), cache_logger_on_first_use=False
    )


def under_systemd() -> bool:
    """Whether standard error is the journal (systemd.exec(5))."""
    device, _, inode = os.environ.get("JOURNAL_STREAM", "").partition(":")
    about = os.fstat(sys.stderr.fileno())
    return (device, inode) == (str(about.st_dev), str(about.st_ino))


def _with_priority(_logger: Any, method: str, line: Any) -> str:
    """sd-daemon(3): the journal takes the level from the front of the line."""
    return f"<{_PRIORITY.get(method, 6)}>{line}"


def journal() -> Journal:
    return structlog.get_logger()
