"""The process: its start and end, installation, systemd, logs, counts, and what goes outward and nobody waits for."""
