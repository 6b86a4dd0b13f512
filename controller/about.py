"""The program's name and version, for `pozo --version`, for the package and for the checkpoints that a node signs."""

VERSION = "0.1.0"
SOFTWARE = f"pozo {VERSION}"
