"""The program's name and version: what `pozo --version` says, the package is built as, and checkpoints are signed with."""

VERSION = "0.1.0"
SOFTWARE = f"pozo {VERSION}"
