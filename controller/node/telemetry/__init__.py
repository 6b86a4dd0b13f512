"""What a node tells technicians: its journal, its counts, its metrics."""
