"""The device contract as an examination: what `pozo device test` asks of a unit, clause by clause."""
