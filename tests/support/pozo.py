"""The `pozo` command run in this process: the same words in, the same words out, without what a new Python costs to start.

What a process of its own decides (signals, pipes, a terminal, -O, how soon it is there) is shown with the real command.
"""

import io
import sys
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import NamedTemporaryFile
from unittest.mock import patch

from controller.cli.main import main


def pozo(*arguments: object) -> tuple[int, str, str]:
    """The exit code, what it said, and its complaints."""
    complained, code = io.StringIO(), 0
    with ExitStack() as around:
        said = around.enter_context(NamedTemporaryFile("w", encoding="utf-8"))
        around.enter_context(redirect_stdout(said))
        around.enter_context(redirect_stderr(complained))
        around.enter_context(patch.object(sys, "argv", ["pozo", *map(str, arguments)]))
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
            complained.write(f"{end.code}\n" if isinstance(end.code, str) else "")
        said.flush()  # by its name, because a command that fails gives its descriptor away
        return code, Path(said.name).read_text(encoding="utf-8"), complained.getvalue()
