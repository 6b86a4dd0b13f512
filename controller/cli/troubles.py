"""The troubles that any command may meet and that are no defects: main.py prints each in one line.

Theory. Who they are is known where they are made, deep in the books, the record and the drivers; so this file is read
when something went wrong, and a command that goes well does not wait for it.
"""

from controller.node.book.chain import BookDamaged, KeyRefused
from controller.node.book.escrow import EscrowRefused
from controller.node.rebirth.fetch import FetchFailed
from controller.node.rebirth.mirror_copy import CopyRefused
from controller.node.service.installation import FolderRefused
from controller.node.store.failure import StoreError
from controller.record.reading import ReportRefused
from controller.record.record import RecordDamaged
from controller.rules.document import DocumentError
from controller.verify.chain import NoRelease, NoWitness
from controller.verify.links.pages import NoPage

EXPECTED = (
    DocumentError, StoreError, KeyRefused, BookDamaged, EscrowRefused, RecordDamaged, ReportRefused, NoWitness,
    NoRelease, NoPage, FolderRefused, FetchFailed, CopyRefused,
)  # fmt: skip
