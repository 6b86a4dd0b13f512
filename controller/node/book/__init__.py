"""The node's record: answers inputs, makes their facts durable, and keeps what proves and protects them.

Hashes and keys, verifiers of PINs, the secret of the day; how a node is founded, and how it comes back from a backup.
"""
