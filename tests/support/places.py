"""Where things lie in the source tree, for tests and for the programs that tests start."""

import os
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
CONFIG = ROOT / "config"
PATH = {"PYTHONPATH": f"{ROOT}:{TESTS}"}
"""What a started program needs to find this tree and `support`."""

os.environ |= PATH  # programs that a test starts inherit it
