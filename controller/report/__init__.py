"""Figures out of a record: day, month, pot, table, award and meters; as text, CSV, JSON and PDF."""
