"""The number by chance of who opens a day (R-30), where a test wants the same one each time."""

import hashlib


def nonce_of(day: str) -> str:
    return hashlib.sha256(f"quien abre el {day}".encode()).hexdigest()
