"""The process: its start and its end, installation, systemd, and what a defect leaves behind."""
