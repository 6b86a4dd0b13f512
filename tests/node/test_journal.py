"""The journal's way out: whoever reads slowly, or not at all, holds nobody up and breaks nothing."""

import contextlib
import json
import os
import threading
import time

import pytest

from controller.node.telemetry import journal
from controller.node.telemetry.journal_lines import MOST_WAITING, JournalLines


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    yield reading, writing
    for end in (reading, writing):
        with contextlib.suppress(OSError):
            os.close(end)


def test_what_is_written_comes_out_in_its_order(pipe):
    lines = JournalLines(pipe[1])
    for number in range(100):
        lines.write(f"{number}\n")
    lines.close()

    assert os.read(pipe[0], 10_000).split() == [str(number).encode() for number in range(100)]
    assert lines.lost == 0


def test_a_pipe_that_nobody_reads_stops_nobody_and_what_is_lost_is_counted_and_said(pipe):
    lines = JournalLines(pipe[1])
    started = time.monotonic()
    for _ in range(2 * MOST_WAITING):
        lines.write("x" * 100 + "\n")
    lines.close(0.1)

    assert time.monotonic() - started < 5
    assert lines.lost
    said = []
    reader = threading.Thread(target=lambda: said.extend(iter(lambda: os.read(pipe[0], 65_536), b"")))
    reader.start()
    lines.close(5)
    os.close(pipe[1])
    reader.join()
    assert b"journal_lines_lost" in b"".join(said)


def test_a_reader_that_is_gone_is_no_failure(pipe):
    os.close(pipe[0])
    lines = JournalLines(pipe[1])
    for _ in range(10):
        lines.write("x\n")
    lines.close()

    assert lines.lost == 10


def test_a_line_of_the_journal_is_one_document_behind_its_level(pipe):
    lines = JournalLines(pipe[1])
    journal.set_up(lines, under_systemd=True)
    journal.journal().warning(journal.Says.REFUSED, fact=7)
    lines.close()

    level, _, document = os.read(pipe[0], 10_000).partition(b">")
    assert level == b"<4" and json.loads(document)["fact"] == 7
