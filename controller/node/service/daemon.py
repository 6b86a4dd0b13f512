"""`pozo node CONFIG`: one process that runs a node until it is told to stop, and says how it ended.

Theory. Signals become items of the inbox and nothing else: SIGTERM and SIGINT stop, SIGHUP reads the plans again. Every
end has one sentence, in the journal and in systemd's status, and one exit code: 0 when it was asked to end, 1 when
something broke and a new start proves everything from the disk, 75 when the place is taken, 78 when a person must act.
"""

import signal
import sys
from pathlib import Path
from types import FrameType

from controller.node.book.book import BookDamaged
from controller.node.book.chain import KeyRefused
from controller.node.control.control import ControlRefused
from controller.node.service.installation import Crashes, FolderRefused, alone_in
from controller.node.service.life import DEFECTS, Machine, live
from controller.node.service.sd_notify import Systemd
from controller.node.settings.settings import read_node
from controller.node.store.failure import StoreFailed, StoreRefused
from controller.node.telemetry.journal import Halted, Says, journal, set_up, under_systemd
from controller.node.telemetry.journal_lines import JournalLines
from controller.node.vocabulary.clock import of_this_machine
from controller.node.vocabulary.inbox import Inbox, Reload, Stop
from controller.node.vocabulary.places import Node
from controller.rules.document import DocumentError

ENDED, BROKE, TAKEN, NEEDS_A_PERSON = 0, 1, 75, 78


def run(config: Path) -> int:
    """The exit code, when it is over."""
    lines = JournalLines(sys.stderr.fileno())
    set_up(lines, under_systemd=under_systemd())
    try:
        return _run(config, Machine(Inbox(), of_this_machine(), journal(), Systemd()))
    finally:
        lines.close()


def _run(config: Path, machine: Machine) -> int:
    if not __debug__:
        return _end(machine, Says.NOT_STARTED, "las comprobaciones están apagadas (python -O)", NEEDS_A_PERSON)
    _listen_to_signals(machine.inbox)
    try:
        node = read_node(config)
        machine.journal.info(Says.STARTING, node=node.name, config=str(config))
        live(node, machine)
    except (DocumentError, StoreRefused, KeyRefused, BookDamaged) as refused:
        return _end(machine, Says.NOT_STARTED, str(refused), NEEDS_A_PERSON)
    except (FolderRefused, ControlRefused) as refused:
        return _end(machine, Says.NOT_STARTED, str(refused), TAKEN if refused.again else NEEDS_A_PERSON)
    except StoreFailed as failed:
        return _end(machine, Says.STORE_FAILED, str(failed), BROKE)
    except Halted as halted:
        return _end(machine, halted.says, str(halted), BROKE)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _end(machine, Says.STORE_FAILED, f"{place}{error.strerror or error}", BROKE)
    except (MemoryError, EOFError) as error:  # of the machine, and no defect of the program: no start is counted
        return _end(machine, Says.SYSTEM_FAILED, type(error).__name__, BROKE)
    except DEFECTS as defect:
        machine.journal.critical(Says.DEFECT, message=f"{type(defect).__name__}: {defect}", exc_info=True)
        machine.systemd.say(STATUS="un defecto del programa detuvo el nodo; vuelve a arrancar")
        return BROKE
    return ENDED


def back_in_service(node: Node) -> None:
    """A technician has looked: the next start plays. Refused while the node runs."""
    with alone_in(node.folder):
        Crashes(node.folder).forget()


def _end(machine: Machine, says: Says, sentence: str, code: int) -> int:
    machine.journal.critical(says, message=sentence, exit=code)
    machine.systemd.say(STATUS=sentence)
    return code


def _listen_to_signals(inbox: Inbox) -> None:
    """From the very start, so that no signal finds the process without manners."""

    def stop(number: int, _frame: FrameType | None) -> None:
        inbox.put(Stop(signal.Signals(number).name))

    def reload(_number: int, _frame: FrameType | None) -> None:
        inbox.put(Reload())

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGHUP, reload)
