"""The `pozo` command: it wires everything, and it is the only folder that may import all."""
