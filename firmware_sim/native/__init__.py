"""Simulated units of the native contract: seats, chip slots, console, table counter, and one map for all."""
