"""The `pozo` command: it wires everything, so it may import all, like the command files of `ctl` and `play`."""
