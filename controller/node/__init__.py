"""The service that runs tables and pots. Imports `rules`, `core`, `documents`, `drivers`.

book       answers inputs and makes their facts durable; replay at the start
store      the database behind it (store_*.py): SQLite or PostgreSQL, one writer, readers that do no harm
chain      hashes, checkpoints, the node's key
pins       verifiers of PINs
restore    back from a backup, under a new epoch
"""
