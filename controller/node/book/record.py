"""Where a node's record, key and seeds lie in its folder, and how its book is opened."""

from pathlib import Path

from controller.node.book.book import Book
from controller.node.book.chain import Key
from controller.node.book.seeds import Seeds
from controller.node.store.failure import StoreRefused
from controller.node.vocabulary.places import Node


def record_of(folder: Path) -> Path:
    return folder / "node.db"


def key_of(folder: Path) -> Path:
    return folder / "node.key"


def seeds_of(node: Node) -> Seeds:
    return Seeds(node.folder / "seeds", node.seeds_copy)


def open_book(node: Node) -> Book:
    """The record of this node, replayed; never a new one, and never another node's."""
    record, key = record_of(node.folder), key_of(node.folder)
    if not record.exists() or not key.exists():
        missing = key if record.exists() else record
        raise StoreRefused(str(missing), f"no está; un nodo nuevo se funda con: pozo found {node.file}")
    book = Book.open(record, Key.load_or_make(key))
    if book.state.node != node.name:
        book.close()
        sentence = f"este registro es del nodo {book.state.node}, y la configuración dice {node.name}"
        raise StoreRefused(str(record), sentence)
    return book
