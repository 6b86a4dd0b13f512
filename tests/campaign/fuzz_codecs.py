"""Coverage-guided fuzzing of one target: `campaign/fuzz_codecs.py TARGET FRAMES FOLDER`. For the campaign; needs atheris.

FOLDER is a corpus in libFuzzer's form, one file an input; inputs that reach new code are added to it. An input that
raises, takes a second of processor time, or makes the process too large ends the run with a code other than 0 and is
left beside FOLDER. The last line says how many frames were thrown, at what rate, and what memory it took.
"""

import os
import resource
import sys
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["drivers", "firmware_sim", "controller.node.control", "controller.node.link"]):
    from campaign.fuzz_all import TARGETS

LONGEST_INPUT = 1.0  # seconds of processor time; the machine may be busy with something else
HANGS = 60  # seconds of anything
MOST_MEMORY = 400  # MB, the whole process; it starts with about 60
MOST_GROWTH = 24  # MB between the first tenth and the end; libFuzzer's own books are in it
SAID_EVERY = 30  # seconds


def megabytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 20


def main() -> None:
    name, wanted, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    target = TARGETS[name]
    start = said = time.monotonic()
    frames = inputs = early = 0

    def one(data: bytes) -> None:
        nonlocal frames, inputs, early, said
        before = time.process_time()
        frames += target.run(data) or 1
        inputs += 1
        assert time.process_time() - before < LONGEST_INPUT, "too long for one input"
        if inputs & 0xFFF:
            return
        now = time.monotonic()
        if not early and frames * 10 >= wanted:
            early = megabytes()
        if now - said > SAID_EVERY:
            said = now
            print(f"{name}: {frames:,} frames", file=sys.stderr, flush=True)
        if frames >= wanted:
            grown = megabytes() - early
            print(
                f"{name}: {frames:,} frames in {inputs:,} inputs, {now - start:.0f} s, "
                f"{frames / time.process_time():,.0f} per second of processor, {early + grown} MB, grown by {grown} MB",
                flush=True,
            )
            os._exit(0 if grown <= MOST_GROWTH else 3)

    atheris.Setup(
        [
            sys.argv[0], f"-max_len={target.longest}", f"-rss_limit_mb={MOST_MEMORY}", f"-timeout={HANGS}",
            f"-artifact_prefix={folder}-", "-len_control=0", "-reload=0", folder,
        ],
        one,
    )  # fmt: skip
    atheris.Fuzz()


main()
