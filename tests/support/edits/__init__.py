"""Edits of a record that need the file and no key: who makes them, and the list."""
