"""The manual page pozo(1), from the help of every command, so that it cannot say anything else.

Theory. `man` is where a technician looks who has no internet. One page holds all commands, in the order of their names;
what a command takes and says is what its own help says.
"""

from collections.abc import Iterator

import click

from controller.about import VERSION
from controller.cli.main import pozo

_SEE = "The operators' pages are in /usr/share/doc/pozo/operators: begin with install.md."


def manual() -> str:
    context = click.Context(pozo, info_name="pozo")
    lines = [
        f'.TH POZO 1 "" "pozo {VERSION}"',
        ".SH NAME",
        f"pozo \\- {_plain((pozo.help or '').removeprefix('The ').rstrip('.'))}",
        ".SH SYNOPSIS",
        ".B pozo",
        ".I COMMAND",
        "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]",
        ".SH COMMANDS",
        *_commands(pozo, context),
        ".SH SEE ALSO",
        _plain(_SEE),
    ]
    return "\n".join(lines) + "\n"


def _commands(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, "it was listed"
        inside = click.Context(command, info_name=name, parent=context)
        if command.hidden:
            continue
        if isinstance(command, click.Group):
            yield from _commands(command, inside)
        else:
            yield from _command(command, inside)


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_plain(context.command_path)} {_plain(usage)}"
    for paragraph in (command.help or "").replace("\b\n", "").split("\n\n"):
        yield ".PP"
        yield _plain(paragraph)
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield ".TP"
            yield f".B {_plain(record[0])}"
            yield _plain(record[1])


def _plain(text: str) -> str:
    """Nothing in it is a word of the formatter's."""
    line = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line
