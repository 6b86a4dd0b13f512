"""A witness: the newest signed checkpoint of a record, to be kept by somebody else.

Theory. A chain that its owner can rewrite proves little by itself. Whoever keeps a checkpoint outside (a file with the
regulator, the digits on a printed report) can later tell whether the record still is the one it was.
"""

from collections import deque

import msgspec

from controller.record.record import Record, RecordDamaged


def newest_witness(record: Record) -> bytes:
    """The file that `pozo verify --witness` takes: checkpoint, signature, key."""
    founded = next(iter(record.facts(1, 1)), None)
    newest = deque(record.checkpoints(), maxlen=1)
    if founded is None or not newest:
        raise RecordDamaged(record.place, "el registro no tiene todavía un testigo firmado")
    key = str(msgspec.json.decode(founded.body)["fact"]["key"])
    kept = {"checkpoint": msgspec.Raw(newest[0].body), "signature": newest[0].signature.hex(), "key": key}
    return msgspec.json.format(msgspec.json.encode(kept)) + b"\n"
