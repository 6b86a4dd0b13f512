"""What a member of the node's group tries at its door, without any PIN."""

import os
import time
from pathlib import Path


def rests(_control: Path, until: float) -> None:
    """Nothing."""
    time.sleep(until - time.monotonic())
    print(os.getuid())
