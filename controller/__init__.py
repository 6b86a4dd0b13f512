"""pozo: the progressive-jackpot controller for physical card tables. docs/tour.md leads through it.

rules       the law as pure code
core        the state of a node as a pure machine
documents   rulesets and plans from disk
node        the service that runs tables and pots
record      what a record is for its readers
verify      the auditor's second hand: computes a record again and shares nothing with core
report      figures out of a record
explain     the story of one award or fact
approval    what an authority asks of a plan
spanish     numbers, instants and names as a Spanish reader writes them
terminal    one screen and one typing line for every face
ctl         the console in a terminal, a client of the node
web         the faces in a browser, one more client of the node
play        the casino that plays by itself
cli         the `pozo` command: it wires everything
about       the program's name and version
"""
