"""Commits to a store until it fails, saying each number once it is acknowledged: run under strace by test_store_sqlite."""

import os
import sys

from controller.node.store.failure import StoreError, StoreFailed
from controller.node.store.rows import Batch
from controller.node.store.store import Store
from support.store.store_cases import bets


def write(place: str) -> None:
    store = None
    try:
        store = Store.open(place)
        for _ in range(200):
            batch = bets(store)
            store.commit(batch)
            print(batch.facts[-1].seq, flush=True)
    except StoreError as failed:
        print(failed.sentence)
    if store is None:
        print("está cerrado")  # it never opened
        return
    try:
        store.commit(Batch())
    except StoreFailed as failed:
        print(failed.sentence)


write(sys.argv[1])
sys.stdout.flush()
os._exit(0)  # nothing else of this process may meet the errors meant for the store
