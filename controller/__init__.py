"""pozo: the progressive-jackpot controller for physical card tables.

`rules` is the law as pure code, `core` the state of a node as a pure machine, `node` the service that runs
tables and pots, `web` what people see in a browser, `audit` what auditors and laboratories run. `cli` is the
`pozo` command; it wires everything and is the only file that may import all. docs/map.md leads through it.
"""
