"""The web process: croupier console, table chief, signage, auditor. A client of the node like any other."""
